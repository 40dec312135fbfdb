/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts observables beside a walk. A thread that walks would count for about half a sweep's time
 * on a small lattice: it would count ones, add them up over the warp, and add the sum to memory,
 * one after another. So threads that walk leave their words, with what they know of them, on a desk
 * in shared memory, and go on. Meters are warps of the same block that have nothing else to do.
 * They count the words meanwhile.
 *
 * On a small lattice a meter takes longer than a sweep. There two relays of meters take the records
 * in turns. The desk has two positions for each relay, also used in turns. A relay takes part in
 * the barriers that end the last sweeps of its records, in one barrier after the last sweep of a
 * group, and in no other.
 *
 * Invariant: a relay reads a parcel after the barrier of its record, and every walker has put its
 * word there before this barrier. The next parcel in the same position is put there after the
 * barrier of a later record of the same relay. No meter enters this later barrier before it has
 * counted the earlier parcel.
 */
#ifndef LM_CUDA_BITS_METERS_CUH
#define LM_CUDA_BITS_METERS_CUH

#include "backends/cuda/bits/squad.cuh"
#include "backends/cuda/bits/walk.cuh"

/* What a block has for meters: its threads, and bytes for their desk. relays[k]: limits with k +
 * 1 relays: walking threads, warps per relay. */
typedef struct lm_meter_limits {
    uint32_t block, bytes;
    struct {
        uint32_t walking, warps;
    } relays[2];
} lm_meter_limits;

/* The limits of a block that shares its multiprocessor with other blocks. Where more threads walk,
 * a sweep takes longer, and a block has few other threads. */
static const lm_meter_limits lm_shared_limits = {512, 32768, {{256, 8}, {128, 8}}};

/* Returns the 16-byte words of a thread's position. The number is odd, so that threads do not wait
 * for each other's banks. */
template <class WORD> __host__ __device__ constexpr uint32_t lm_parcel_quads(void)
{
    return (uint32_t)(sizeof(WORD) + sizeof(uint4) - 1) / sizeof(uint4) | 1u;
}

/* Says who counts in a block; kernels get it as it is. Without meters all is 0 but `walking`,
 * `meeting` and `end`. */
typedef struct lm_meters {
    uint32_t walking, metering; /* threads that walk, that meter (in one relay or two) */
    uint32_t meeting;           /* threads that walk, and those of one relay */
    uint32_t positions, relays; /* number of positions less one, of relays less one */
    uint32_t bytes;             /* bytes of the desk */
    uint32_t end;               /* threads `walking` .. end - 1 meter, */
    uint32_t apart;             /* except `apart` of every four warps: lm_meters_apart() */
} lm_meters;

static inline lm_meters lm_no_meters(uint32_t walking)
{
    return {walking, 0, walking, 0, 0, 0, walking, 0};
}

/* Warp n of a block is served by scheduler n % LM_SCHEDULERS of its multiprocessor. If fewer
 * than LM_SCHEDULERS warps walk, a meter on a walker's scheduler would delay the walker. So
 * meters use the other schedulers if the block has threads enough. */
enum { LM_SCHEDULERS = 4 };

static inline lm_meters lm_meters_apart(const lm_meters *m, uint32_t block)
{
    const uint32_t walk = m->walking / 32, own = LM_SCHEDULERS - walk;
    lm_meters apart = *m;
    if (m->metering == 0 || walk >= LM_SCHEDULERS)
        return apart;
    apart.apart = walk;
    apart.end = 32 * LM_SCHEDULERS * ((m->metering / 32 + own - 1) / own);
    return apart.end <= block ? apart : *m;
}

template <class WORD>
static lm_meters lm_meters_of(const lm_bits_view *v, uint32_t walking,
                              const lm_meter_limits *limits)
{
    const uint32_t relays = walking <= limits->relays[1].walking ? 2 : 1;
    const uint32_t desk = 2 * relays * lm_parcel_quads<WORD>() * (uint32_t)sizeof(uint4) * walking;
    if (walking > limits->relays[relays - 1].walking || desk > limits->bytes)
        return lm_no_meters(walking);
    const uint32_t per_word = (uint32_t)v->per_word, parcels = walking / 32 * per_word;
    const uint32_t idle = (limits->block - walking) / 32 / relays,
                   wanted = limits->relays[relays - 1].warps;
    const uint32_t most = idle < wanted ? idle : wanted;
    const uint32_t all =
        parcels < most ? parcels : most; /* several warps a replica: as many for each */
    const uint32_t relay = 32 * (all > per_word ? all / per_word * per_word : all);
    return {walking,    relays * relay, walking + relay,          2 * relays - 1,
            relays - 1, desk,           walking + relays * relay, 0};
}

/* Returns where a thread's word is on the desk at position 0: [position][walking thread][quad]. */
template <class WORD, class QUAD> LM_INLINE QUAD *lm_place_of_word(QUAD *desk, uint32_t thread)
{
    return desk + thread * lm_parcel_quads<WORD>();
}

template <class WORD>
LM_INLINE uint4 *lm_place_of_record(uint4 *first, const lm_meters &m, uint32_t record)
{
    return first + (record & m.positions) * (m.walking * lm_parcel_quads<WORD>());
}

/* Leaves the members that vary, or all members if ALL. */
template <class WORD, bool ALL = false> LM_INLINE void lm_leave_word(uint4 *to, const WORD &w)
{
    constexpr uint32_t QUADS = ALL ? (uint32_t)(sizeof w + 15) / 16 : (WORD::VARIES + 3) / 4;
    uint4 quads[lm_parcel_quads<WORD>()];
    memcpy(quads, &w, sizeof w);
    LM_UNROLL
    for (uint32_t i = 0; i < QUADS; i++)
        to[i] = quads[i];
}

template <class WORD> LM_INLINE WORD lm_take_word(const uint4 *from)
{
    constexpr uint32_t QUADS = (uint32_t)(sizeof(WORD) + 15) / 16;
    uint4 quads[QUADS];
    WORD w;
    LM_UNROLL
    for (uint32_t i = 0; i < QUADS; i++)
        quads[i] = from[i];
    memcpy(&w, quads, sizeof w);
    return w;
}

/* Puts what does not vary in all positions. A walking thread calls it before its first sweep of a
 * group. */
template <class WORD> LM_INLINE void lm_begin_desk(uint4 *own, const lm_meters &m, const WORD &w)
{
    for (uint32_t i = 0; m.metering > 0 && i <= m.positions; i++)
        lm_leave_word<WORD, true>(lm_place_of_record<WORD>(own, m, i), w);
}

LM_INLINE lm_squad<LM_WALKING> lm_walkers_of(const lm_meters &m)
{
    return {0, m.walking};
}

/* Is the barrier of walkers and one relay, when a parcel has been left. */
LM_INLINE void lm_meet_relay(const lm_meters &m, uint32_t record)
{
    lm_disturb(LM_BEFORE_MEETING);
    if (record & m.relays)
        lm_squad_sync(lm_squad<LM_METERING + 1>{0, m.meeting});
    else
        lm_squad_sync(lm_squad<LM_METERING>{0, m.meeting});
    lm_disturb(LM_AFTER_MEETING);
}

/* Is the barrier of walkers and all meters, after the sweeps of a group. */
LM_INLINE void lm_meet_meters(const lm_meters &m)
{
    const lm_squad<LM_METERED> all = {0, m.walking + m.metering};
    lm_disturb(LM_BEFORE_MEETING);
    lm_squad_sync(all);
    lm_disturb(LM_AFTER_MEETING);
}

/* What a warp of meters counts: the words of some warps, for one replica at a time. `warp` and
 * `replica` are the first ones; `warps` and `replicas` are the steps to the next. */
typedef struct lm_meter {
    uint32_t relay;
    uint32_t warp, warps, replica, replicas;
} lm_meter;

/* Returns the warp's number among the meters' warps; the number of all of these if the warp has
 * nothing to do. */
LM_INLINE uint32_t lm_meter_number(const lm_meters &m)
{
    const uint32_t warp = lm_first_of_warp() / 32, row = warp / LM_SCHEDULERS;
    const uint32_t in = warp % LM_SCHEDULERS, all = m.metering / 32;
    if (m.apart == 0)
        return warp - m.walking / 32;
    return in < m.apart ? all : min(all, row * (LM_SCHEDULERS - m.apart) + in - m.apart);
}

LM_INLINE lm_meter lm_meter_of(const lm_bits_view &v, const lm_meters &m)
{
    const uint32_t relay = (m.meeting - m.walking) / 32, per_word = (uint32_t)v.per_word;
    const uint32_t number = lm_meter_number(m), own = number % relay;
    const uint32_t warps = relay > per_word ? relay / per_word : 1; /* warps for each replica */
    return {number / relay, own / (relay / warps), warps, own % (relay / warps), relay / warps};
}

/* Counts N words of a thread, of warps that are `step` apart. */
template <class COUNTER, bool CHANGES, int N>
LM_INLINE void lm_meter_words(uint32_t mask, const uint4 *parcel, uint32_t warp, uint32_t step,
                              typename COUNTER::sums *sums)
{
    typedef typename COUNTER::word word;
    word w[N];
    lm_disturb(LM_IN_PARCEL);
    LM_UNROLL
    for (int i = 0; i < N; i++)
        w[i] = lm_take_word<word>(
            lm_place_of_word<word>(parcel, 32 * (warp + i * step) + threadIdx.x % 32));
    COUNTER::template add<CHANGES>(mask, w, sums);
}

/* Counts a parcel. CHANGES: changes are due. It takes two words at a time, since then fewer of
 * their bits are counted one by one. */
template <class COUNTER, bool CHANGES>
LM_INLINE void lm_meter_parcel(const lm_bits_view &v, const lm_walk_due &due, const lm_meters &m,
                               const lm_meter &own, const uint4 *parcel)
{
    const uint32_t warps = m.walking / 32, step = own.warps;
    for (uint32_t r = own.replica; r < (uint32_t)v.per_word; r += own.replicas) {
        typename COUNTER::sums sums = {};
        const uint32_t mask = lm_walk_mask(v, (int)r);
        uint32_t warp = own.warp;
        for (; warp + step < warps; warp += 2 * step)
            lm_meter_words<COUNTER, CHANGES, 2>(mask, parcel, warp, step, &sums);
        if (warp < warps)
            lm_meter_words<COUNTER, CHANGES, 1>(mask, parcel, warp, step, &sums);
        COUNTER::put(v, due, sums, (int)r);
    }
}

/* Makes a meter's counts during `sweeps` sweeps of a group, after `before` sweeps. */
template <class COUNTER>
LM_INLINE void lm_meter_sweeps(const lm_bits_view &v, const lm_walk_times &t, uint32_t g,
                               uint64_t before, uint64_t sweeps, const lm_meters &m,
                               const lm_meter &own, uint4 *desk)
{
    lm_walk_place p = lm_walk_place_of(v, t, g, before);
    const uint64_t end =
        p.record + (sweeps < p.left ? 0 : 1 + lm_quotient(sweeps - p.left, t.record));
    const uint32_t wait =
        (own.relay - (uint32_t)p.record) & m.relays; /* records before the relay's first */
    const uint32_t step = lm_walk_step(v, t);
    p.sums += wait * step;
    for (p.record += wait; p.record < end; p.record += m.relays + 1) {
        const uint32_t record = (uint32_t)p.record;
        const uint4 *parcel = lm_place_of_record<typename COUNTER::word>(desk, m, record);
        lm_meet_relay(m, record);
        const lm_walk_due due = lm_walk_due_of(t, p);
        if (due.changes)
            lm_meter_parcel<COUNTER, true>(v, due, m, own, parcel);
        else
            lm_meter_parcel<COUNTER, false>(v, due, m, own, parcel);
        p.sums += (m.relays + 1) * step;
    }
    lm_meet_meters(m);
}

#endif
