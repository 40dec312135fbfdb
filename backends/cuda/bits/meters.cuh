/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting beside a walk. To count what a sweep has left takes a thread that walks about as long as
 * half a sweep of a small lattice: ones are counted, added up over the warp, added to the memory's,
 * one after another. So threads that walk leave their words, with what they know of them, on a desk
 * in shared memory, and go on; warps of the same block that have nothing else to do, meters, count
 * them meanwhile.
 *
 * Of a small lattice a sweep takes less time than a meter for what it leaves: there two teams of
 * meters have the records in turns. The desk has two places for each team, also taken in turns. A
 * team takes part in the barriers that end the last sweeps of its records, in one after the last
 * sweep of a group, and in no other. Invariant: a parcel is read after the barrier of its record,
 * before which every walker has put it there; and the next parcel in its place is put there after
 * the barrier of a later record of the same team, which no meter enters before it has counted this
 * one.
 */
#ifndef LM_CUDA_BITS_METERS_CUH
#define LM_CUDA_BITS_METERS_CUH

#include "backends/cuda/bits/crew.cuh"
#include "backends/cuda/bits/walk.cuh"

/* Threads that walk, of blocks with two teams and of blocks with one: where more walk a sweep takes
 * longer, and a block has few others. Warps of a team. */
enum { LM_TWO_TEAMS_MOST = 128, LM_METERED_MOST = 256, LM_TEAM_MOST = 8 };

/* Threads of a block, that walk and meter. */
enum { LM_METERED_BLOCK = 512 };

/* What 16-byte words a thread leaves. */
template <class WORD> __host__ __device__ constexpr uint32_t lm_parcel_quads(void)
{
    return (uint32_t)(sizeof(WORD) + sizeof(uint4) - 1) / sizeof(uint4);
}

/* Threads of a block that meter beside so many that walk, and which of these are a team. */
__host__ __device__ static inline uint32_t lm_teams_of(uint32_t walking)
{
    return walking <= LM_TWO_TEAMS_MOST ? 2 : 1;
}

static inline uint32_t lm_metering_of(const lm_bits_view *v, uint32_t walking)
{
    if (walking > LM_METERED_MOST)
        return 0;
    const uint32_t parcels = walking / 32 * (uint32_t)v->pack, teams = lm_teams_of(walking);
    const uint32_t idle = (LM_METERED_BLOCK - walking) / 32 / teams;
    const uint32_t most = idle < LM_TEAM_MOST ? idle : LM_TEAM_MOST;
    return 32 * teams * (parcels < most ? parcels : most);
}

template <class WORD> static inline size_t lm_desk_bytes(uint32_t walking)
{
    return 2 * lm_teams_of(walking) * (size_t)lm_parcel_quads<WORD>() * sizeof(uint4) * walking;
}

/* Of the Ising model's words. */
static inline size_t lm_walk_desk_bytes(const lm_bits_view *v, uint32_t walking)
{
    return v->dims == 2   ? lm_desk_bytes<lm_walk_word<2>>(walking)
           : v->dims == 3 ? lm_desk_bytes<lm_walk_word<3>>(walking)
                          : lm_desk_bytes<lm_walk_word<4>>(walking);
}

template <class WORD> struct lm_desk {
    uint4 *parcels;             /* shared: [place][quad][thread that walks] */
    uint32_t walking, metering; /* threads; none meters: there is no desk */
};

/* That of a record. */
template <class WORD>
LM_INLINE uint4 *lm_parcel_at(const lm_desk<WORD> &d, uint64_t record, uint32_t thread)
{
    const uint32_t place = (uint32_t)record & (2 * lm_teams_of(d.walking) - 1);
    return d.parcels + place * lm_parcel_quads<WORD>() * d.walking + thread;
}

template <class WORD>
LM_INLINE void lm_leave_word(const lm_desk<WORD> &d, uint64_t record, const WORD &w)
{
    constexpr uint32_t QUADS = lm_parcel_quads<WORD>();
    uint4 quads[QUADS], *to = lm_parcel_at(d, record, threadIdx.x);
    memcpy(quads, &w, sizeof w);
    LM_UNROLL
    for (uint32_t i = 0; i < QUADS; i++, to += d.walking)
        *to = quads[i];
}

template <class WORD>
LM_INLINE WORD lm_take_word(const lm_desk<WORD> &d, uint64_t record, uint32_t thread)
{
    constexpr uint32_t QUADS = lm_parcel_quads<WORD>();
    uint4 quads[QUADS];
    const uint4 *from = lm_parcel_at(d, record, thread);
    WORD w;
    LM_UNROLL
    for (uint32_t i = 0; i < QUADS; i++, from += d.walking)
        quads[i] = *from;
    memcpy(&w, quads, sizeof w);
    return w;
}

template <class WORD> LM_INLINE lm_crew<LM_WALKING> lm_walkers_at(const lm_desk<WORD> &d)
{
    return {0, d.walking};
}

/* Which team has a record. */
template <class WORD> LM_INLINE uint32_t lm_team_of(const lm_desk<WORD> &d, uint64_t record)
{
    return (uint32_t)record & (lm_teams_of(d.walking) - 1);
}

/* Walkers and a team, when a parcel has been left. */
template <class WORD> LM_INLINE void lm_meet_team(const lm_desk<WORD> &d, uint64_t record)
{
    const lm_crew<LM_METERING> one = {0, d.walking + d.metering / lm_teams_of(d.walking)};
    const lm_crew<LM_METERING_TOO> other = {0, one.threads};
    if (lm_team_of(d, record) == 0)
        lm_meet(one);
    else
        lm_meet(other);
}

/* Walkers and all meters, after the sweeps of a group. */
template <class WORD> LM_INLINE void lm_meet_meters(const lm_desk<WORD> &d)
{
    const lm_crew<LM_METERED> all = {0, d.walking + d.metering};
    lm_meet(all);
}

/* What a warp of meters counts: the words of a warp, for one replica, at a time; of these the
 * first, and the step to the next. */
typedef struct lm_meter {
    uint32_t team;
    uint32_t warp, replica, step;
} lm_meter;

template <class WORD> LM_INLINE lm_meter lm_meter_of(const lm_desk<WORD> &d)
{
    const uint32_t warps = d.walking / 32, team = d.metering / 32 / lm_teams_of(d.walking);
    const uint32_t number = (lm_first_of_warp() - d.walking) / 32, own = number % team;
    return {number / team, own % warps, own / warps, team};
}

template <class COUNTER>
LM_INLINE void lm_meter_parcel(const lm_bits_view &v, const lm_walk_due &due, uint64_t record,
                               const lm_desk<typename COUNTER::word> &d, const lm_meter &m)
{
    uint32_t warp = m.warp;
    for (uint32_t r = m.replica; r < (uint32_t)v.pack;) {
        COUNTER::add(v, due, lm_take_word(d, record, 32 * warp + threadIdx.x % 32), (int)r);
        for (warp += m.step; warp >= d.walking / 32; warp -= d.walking / 32)
            r++;
    }
}

/* What a meter does during so many sweeps of a group, of which so many are made already. */
template <class COUNTER>
LM_INLINE void lm_meter_sweeps(const lm_bits_view &v, const lm_walk_times &t, uint32_t g,
                               uint64_t before, uint64_t sweeps,
                               const lm_desk<typename COUNTER::word> &d, const lm_meter &m)
{
    lm_walk_place p = lm_walk_place_of(v, t, g, before);
    while (sweeps >= p.left) {
        sweeps -= p.left;
        if (lm_team_of(d, p.record) == m.team) {
            lm_meet_team(d, p.record);
            lm_disturb(LM_IN_BATCH);
            lm_meter_parcel<COUNTER>(v, lm_walk_due_of(t, p), p.record, d, m);
        }
        p.left = 1;
        lm_walk_on(v, t, &p);
    }
    lm_meet_meters(d);
}

#endif
