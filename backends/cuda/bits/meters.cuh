/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting beside a walk. To count what a sweep has left takes a thread that walks about as long as
 * half a sweep of a small lattice: ones are counted, added up over the warp, added to the memory's,
 * one after another. So threads that walk leave their words, with what they know of them, on a desk
 * in shared memory, and go on; warps of the same block that have nothing else to do, meters, count
 * them meanwhile.
 *
 * The desk has two places, taken in turns by the records of a group. Meters take part in the
 * barrier that ends the last sweep of a record, in one after the last sweep of a group, and in no
 * other. Invariant: a parcel is read after its barrier, before which every walker has put it there;
 * and the next parcel in its place is put there after another barrier, which no meter enters before
 * it has counted this one.
 */
#ifndef LM_CUDA_BITS_METERS_CUH
#define LM_CUDA_BITS_METERS_CUH

#include "backends/cuda/bits/crew.cuh"
#include "backends/cuda/bits/walk.cuh"

/* Blocks that have more threads that walk do without: there a sweep takes longer, and a block has
 * few others. */
enum { LM_METERED_MOST = 256, LM_METERS_MOST = 8 };

/* What 16-byte words a thread leaves. */
template <class WORD> __host__ __device__ constexpr uint32_t lm_parcel_quads(void)
{
    return (uint32_t)(sizeof(WORD) + sizeof(uint4) - 1) / sizeof(uint4);
}

/* Threads of a block that meter, beside so many that walk. */
static inline uint32_t lm_metering_of(const lm_bits_view *v, uint32_t walking)
{
    const uint32_t parcels = walking / 32 * (uint32_t)v->pack;
    return walking > LM_METERED_MOST ? 0
                                     : 32 * (parcels < LM_METERS_MOST ? parcels : LM_METERS_MOST);
}

template <class WORD> static inline size_t lm_desk_bytes(uint32_t walking)
{
    return 2 * (size_t)lm_parcel_quads<WORD>() * sizeof(uint4) * walking;
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
    return d.parcels + (record & 1 ? lm_parcel_quads<WORD>() * d.walking : 0) + thread;
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

/* Walkers and meters, when a parcel has been left; and after the sweeps of a group. */
template <class WORD> LM_INLINE void lm_meet_at(const lm_desk<WORD> &d)
{
    const lm_crew<LM_METERING> all = {0, d.walking + d.metering};
    lm_meet(all);
}

/* A parcel: a warp of meters has the words of a warp, for one replica, at a time. */
template <class COUNTER>
LM_INLINE void lm_meter_parcel(const lm_bits_view &v, const lm_walk_due &due, uint64_t record,
                               const lm_desk<typename COUNTER::word> &d)
{
    const uint32_t warps = d.walking / 32, meters = d.metering / 32;
    for (uint32_t i = (threadIdx.x - d.walking) / 32; i < warps * v.pack; i += meters) {
        const uint32_t r = warps == 1 ? i : i / warps, warp = i - r * warps;
        COUNTER::add(v, due, lm_take_word(d, record, 32 * warp + threadIdx.x % 32), (int)r);
    }
}

/* What a meter does during so many sweeps of a group, of which so many are made already. */
template <class COUNTER>
LM_INLINE void lm_meter_sweeps(const lm_bits_view &v, const lm_walk_times &t, uint32_t g,
                               uint64_t before, uint64_t sweeps,
                               const lm_desk<typename COUNTER::word> &d)
{
    lm_walk_place p = lm_walk_place_of(v, t, g, before);
    while (sweeps >= p.left) {
        sweeps -= p.left;
        lm_meet_at(d);
        lm_disturb(LM_IN_BATCH);
        lm_meter_parcel<COUNTER>(v, lm_walk_due_of(t, p), p.record, d);
        p.left = 1;
        lm_walk_on(v, t, &p);
    }
    lm_meet_at(d);
}

#endif
