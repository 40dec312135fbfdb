/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes many sweeps and measurements of small lattices of the Potts model in words, in one launch.
 * A block for each group of replicas keeps its lattice in shared memory, draws for itself and waits
 * for no other block. It serves the plain sites that potts_plain_kernel serves, which have no field
 * and one coupling. A thread has one word of each colour, or two.
 */
#include "backends/cuda/bits/meters.cuh"
#include "backends/cuda/bits/potts_words.h"
#include "lib/physics/potts_words.h"
#include "lib/physics/potts_observe.h"

/* The most words of a colour for which a block has a thread each; beyond, each thread has two
 * words. */
enum { LM_BLOCKS_MOST = LM_WALK_MOST / 2 };

/* What kernels know: states, dimensions, the update where it draws in another way, words of a
 * thread. */
template <int STATES, int DIMS, bool IS_OTHER, int WORDS> struct potts_kind {
    static constexpr int Q = STATES, D = DIMS, EACH = WORDS;
    static constexpr bool OTHER = IS_OTHER;
    static constexpr int DIGITS = STATES > 2 ? 2 : 1, CLASSES = 4 * DIMS + 1;
    static constexpr int TABLE = CLASSES * LM_RULE_STRIDE;
    /* A thread of one word draws for the next half sweep while it waits for its loads in this
     * one. Of 32 threads one often needs a third block. */
    static constexpr bool AHEAD = WORDS == 1;
    static constexpr int BLOCKS = AHEAD ? 3 : 2;
};

/* The first random words of a half sweep. */
template <class K> struct potts_drawn {
    lm_stream stream;
    lm_word words[4 * K::BLOCKS];
};

template <class K>
LM_INLINE potts_drawn<K> potts_draw(const lm_bits_view &v, uint32_t g, uint32_t at, uint64_t sweep,
                                    int colour)
{
    potts_drawn<K> r;
    r.stream = lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, sweep, v.first_group + g, (uint32_t)colour);
    LM_UNROLL
    for (int i = 0; i < K::BLOCKS; i++)
        lm_random_words(&r.stream, at, i, r.words + 4 * i);
    return r;
}

/* A block's group, in shared memory: its lattice, [colour][digit][word], and its thresholds. Of
 * the thresholds only [LM_POTTS_NO_FIELD][class] are used, those of moves that no field touches. */
template <class K> struct potts_group {
    uint32_t g, words;
    uint32_t *sites;
    const uint32_t *planes;
};

/* A word that has been updated; if of the second colour, with what its thread knows of the
 * sweep. */
template <class K> struct potts_word {
    lm_word alike[2 * K::D]; /* its bonds between equal states */
    lm_word now[K::DIGITS],
        mate[K::DIGITS];    /* the word; the word at the same place of the other colour */
    lm_word change, before; /* sites that changed in this word; in `mate` */
    static constexpr uint32_t VARIES = 2 * K::D + 2 * K::DIGITS + 2; /* words so far */
    lm_word valid; /* never varies: the bits that are sites */
};

template <class K>
LM_INLINE uint32_t *potts_sites_of(const potts_group<K> &p, int colour, int digit)
{
    return p.sites + (colour * K::DIGITS + digit) * p.words;
}

template <class K>
LM_INLINE potts_word<K> potts_update(const lm_bits_view &v, const potts_group<K> &p,
                                     const lm_word_place<K::D> &s, uint32_t valid, int update,
                                     int colour, const potts_drawn<K> &r)
{
    potts_word<K> w;
    lm_digit_sites at;
    LM_UNROLL
    for (int k = 0; k < K::DIGITS; k++) {
        uint32_t around[2 * K::D];
        lm_around_word<K::D>(potts_sites_of(p, !colour, k), s, colour, around);
        at.own[k] = 0; /* a thread without a word must not read others' */
        if (valid)
            at.own[k] = potts_sites_of(p, colour, k)[s.at];
        LM_UNROLL
        for (int i = 0; i < 2 * K::D; i++)
            at.around[i][k] = around[i];
    }
    lm_potts_way way;
    way.states = K::Q;
    way.digits = K::DIGITS;
    way.dims = K::D;
    way.plain = 1;
    way.field = way.fours = 0;
    way.other = K::OTHER;
    way.rule.shape = v.shape[update];
    way.rule.planes = p.planes;
    lm_word to[LM_POTTS_DIGITS];
    w.change = lm_potts_metropolis_by(&way, &at, valid, r.words, K::BLOCKS, &r.stream, s.at, to);
    w.valid = valid;
    LM_UNROLL
    for (int k = 0; k < K::DIGITS; k++) {
        w.now[k] = lm_select(w.change, to[k], at.own[k]);
        w.mate[k] = at.around[0][k];
    }
    LM_UNROLL
    for (int i = 0; i < 2 * K::D; i++)
        w.alike[i] = ~lm_potts_apart(K::DIGITS, w.now, at.around[i]);
    return w;
}

template <class K> LM_INLINE int potts_sum_state(uint32_t mask, const potts_word<K> &w, int state)
{
    return __popc(mask & lm_potts_in_state(K::DIGITS, w.now, state)) +
           __popc(mask & lm_potts_in_state(K::DIGITS, w.mate, state));
}

/* Sums over words: bonds by axis, and sites in state 0; sites in each state; changes. */
template <class K> struct potts_sums {
    int bonds[K::D + 2], states[K::Q], changed[1];
};

/* Sums what a word of the second colour knows when a sweep has ended: all of its bonds, which
 * are all bonds of the lattice, and the states at its place. `mask`: the sites of one replica.
 * Meters count in the same way (meters.cuh). */
template <class K> struct potts_counter {
    typedef potts_word<K> word;
    typedef potts_sums<K> sums;
    template <bool CHANGES, int N> LM_INLINE void add(uint32_t of, const word (&w)[N], sums *s)
    {
        LM_UNROLL
        for (int i = 0; i < N; i++) {
            const uint32_t mask = of & w[i].valid;
            LM_UNROLL
            for (int a = 0; a < K::D; a++) {
                const uint32_t alike[2] = {mask & w[i].alike[2 * a], mask & w[i].alike[2 * a + 1]};
                s->bonds[a] += lm_ones<2>(alike);
            }
            LM_UNROLL
            for (int state = 0; state < K::Q; state++)
                s->states[state] += potts_sum_state<K>(mask, w[i], state);
            s->changed[0] += CHANGES ? __popc(w[i].change & mask) + __popc(w[i].before & mask) : 0;
        }
        s->bonds[K::D + 1] = s->states[0];
    }
    LM_INLINE void put(const lm_bits_view &v, const lm_walk_due &due, const sums &s, int r)
    {
        lm_count *to = due.to + r * v.sums;
        if (due.changes)
            lm_add_sums<1>(s.changed, ~0u, to + v.sums - 1);
        if (due.bundles >> LM_POTTS_BONDS & 1)
            lm_add_sums<K::D + 2>(s.bonds, ~0u, to);
        if (due.bundles >> LM_POTTS_STATES & 1)
            lm_add_sums<K::Q>(s.states, ~0u, to + K::D + 2);
    }
};

/* Ends the last sweep of a record: somebody counts, and all threads meet. */
template <class K>
LM_INLINE void potts_end_record(const lm_bits_view &v, const lm_walk_times &t, const lm_meters &m,
                                uint4 *desk, const lm_walk_place &at,
                                const potts_word<K> (&w)[K::EACH])
{
    if (K::EACH == 1 && m.metering > 0) {
        const uint32_t record = (uint32_t)at.record;
        lm_leave_word(lm_place_of_record<potts_word<K>>(desk, m, record), w[0]);
        lm_meet_relay(m, record);
        return;
    }
    LM_ROLLED
    for (int r = 0; r < v.per_word; r++) {
        potts_sums<K> sums = {};
        potts_counter<K>::template add<true>(lm_walk_mask(v, r), w, &sums);
        potts_counter<K>::put(v, lm_walk_due_of(t, at), sums, r);
    }
    lm_squad_sync(lm_walkers_of(m));
}

/* Copies between the lattice's memory and the block's, by `threads` threads. */
template <class K, bool IN>
LM_INLINE void potts_move(const lm_bits_view &v, const potts_group<K> &p, uint32_t threads)
{
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < K::DIGITS; k++) {
            uint32_t *home =
                v.sites + p.g * v.group_stride + c * v.sublattice_stride + k * v.digit_stride;
            uint32_t *here = potts_sites_of(p, c, k);
            for (uint32_t i = threadIdx.x; i < p.words; i += threads)
                *(IN ? here + i : home + i) = *(IN ? home + i : here + i);
        }
}

template <class K>
__global__ void __launch_bounds__(LM_BLOCKS_MOST)
    potts_blocks_kernel(lm_bits_view v, lm_walk_times t, int update, uint64_t step, lm_meters m)
{
    extern __shared__ uint4 parcels[];
    __shared__ uint32_t sites[2 * K::DIGITS * K::EACH * LM_BLOCKS_MOST];
    __shared__ uint32_t table[(LM_POTTS_NO_FIELD + 1) * K::TABLE];
    const uint32_t g = blockIdx.x;
    potts_group<K> p = {g, (uint32_t)v.rows * v.width, sites, table};
    lm_word_place<K::D> s[K::EACH];
    uint32_t valid[K::EACH];
    bool has[K::EACH];
    LM_UNROLL
    for (int i = 0; i < K::EACH; i++) {
        const uint32_t number = threadIdx.x + i * m.walking;
        has[i] = number < p.words;
        s[i] = lm_word_place_of<K::D>(v, has[i] ? number : 0);
        valid[i] = has[i] ? lm_valid(v, s[i].j) & v.replicas_mask[g] : 0;
    }
    for (uint32_t i = threadIdx.x; i < K::TABLE; i += blockDim.x) {
        const uint32_t at = LM_POTTS_NO_FIELD * K::TABLE + i;
        table[at] = v.planes[update][(size_t)g * LM_POTTS_KINDS * K::TABLE + at];
    }
    potts_move<K, true>(v, p, blockDim.x);
    __syncthreads();
    if (K::EACH == 1 && lm_first_of_warp() >= m.walking) {
        lm_meter_sweeps<potts_counter<K>>(v, t, g, 0, t.record * t.records, m, lm_meter_of(v, m),
                                          parcels);
        return;
    }
    uint4 *desk = lm_place_of_word<potts_word<K>>(parcels, threadIdx.x);
    if (K::EACH == 1) {
        const potts_word<K> same = {{}, {}, {}, 0, 0, valid[0]};
        lm_begin_desk(desk, m, same);
    }
    lm_walk_place at = lm_walk_place_of(v, t, g, 0);
    const uint64_t end = step + t.record * t.records;
    potts_drawn<K> next;
    if (K::AHEAD)
        next = potts_draw<K>(v, g, s[0].at, step, 0);
    for (uint64_t sweep = step; sweep < end; sweep++) {
        uint32_t before[K::EACH] = {};
        LM_ROLLED
        for (int colour = 0; colour < 2; colour++) {
            potts_word<K> w[K::EACH];
            LM_UNROLL
            for (int i = 0; i < K::EACH; i++) {
                const potts_drawn<K> r =
                    K::AHEAD ? next : potts_draw<K>(v, g, s[i].at, sweep, colour);
                if (K::AHEAD)
                    next = potts_draw<K>(v, g, s[i].at, sweep + colour, !colour);
                w[i] = potts_update<K>(v, p, s[i], valid[i], update, colour, r);
                w[i].before = before[i];
                before[i] = w[i].change;
                LM_UNROLL
                for (int k = 0; has[i] && k < K::DIGITS; k++)
                    potts_sites_of(p, colour, k)[s[i].at] = w[i].now[k];
            }
            if (colour && at.left == 1)
                potts_end_record<K>(v, t, m, desk, at, w);
            else
                lm_squad_sync(lm_walkers_of(m));
        }
        lm_walk_on(v, t, &at);
    }
    if (m.metering > 0)
        lm_meet_meters(m);
    potts_move<K, false>(v, p, m.walking);
}

typedef void (*kernel)(lm_bits_view, lm_walk_times, int, uint64_t, lm_meters);

/* A kernel, and the room for its meters. */
typedef struct potts_text {
    kernel run;
    lm_meters (*meters)(const lm_bits_view *v, uint32_t walking, const lm_meter_limits *limits);
} potts_text;

#define TEXT(...)                                                                                  \
    {                                                                                              \
        potts_blocks_kernel<potts_kind<__VA_ARGS__>>,                                              \
            lm_meters_of<potts_word<potts_kind<__VA_ARGS__>>>                                      \
    }
/* [words of a thread - 1][dimensions - 2][states - 2; the last is four states with another
 * proposal, for which fewer threads draw alike] */
#define TEXTS(D, EACH)                                                                             \
    {                                                                                              \
        TEXT(2, D, false, EACH), TEXT(3, D, false, EACH), TEXT(4, D, false, EACH),                 \
            TEXT(4, D, true, EACH)                                                                 \
    }
#define EVERY(EACH)                                                                                \
    {                                                                                              \
        TEXTS(2, EACH), TEXTS(3, EACH), TEXTS(4, EACH)                                             \
    }
static const potts_text texts[2][3][4] = {EVERY(1), EVERY(2)};

extern "C" int lm_potts_blocks_serve(const lm_bits_view *v)
{
    return lm_walk_serves(v) && v->states <= 4;
}

extern "C" cudaError_t lm_launch_potts_blocks(const lm_bits_view *v, const lm_walk *w,
                                              cudaStream_t stream)
{
    const uint32_t words = (uint32_t)(v->rows * v->width);
    const uint32_t each = words > LM_BLOCKS_MOST ? 2 : 1;
    const int other = v->states == 4 && w->update == LM_POTTS_OTHER;
    const potts_text *text = &texts[each - 1][v->dims - 2][other ? 3 : v->states - 2];
    const uint32_t walking = ((words + each - 1) / each + 31) / 32 * 32;
    const lm_meters m = w->metering && each == 1 ? text->meters(v, walking, &lm_shared_limits)
                                                 : lm_no_meters(walking);
    text->run<<<v->groups, walking + m.metering, m.bytes, stream>>>(*v, lm_walk_times_of(w),
                                                                    w->update, w->step, m);
    return cudaGetLastError();
}
