/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairs of replicas of whole lattices of any shape, many in one launch. Where two replicas differ,
 * q = a xor b, is again a lattice of spins; its words are made of those of both replicas, brought
 * to the same bits.
 */
#ifndef LM_CUDA_BITS_TWINS_CUH
#define LM_CUDA_BITS_TWINS_CUH

#include "backends/backend.h"
#include "backends/cuda/bits/spots.cuh"

/* A replica's group, and where in its words the replica has its bits. */
typedef struct twin {
    uint32_t group;
    int shift;
} twin;

LM_INLINE twin twin_of(const lm_bits_view &v, int64_t number)
{
    const int64_t group = lm_quotient<int64_t>(number, v.pack);
    return {(uint32_t)(group - v.first_group), (int)(number - group * v.pack) * v.segment};
}

/* Of a number of the list. */
LM_INLINE twin twin_at(const lm_bits_view &v, int64_t first, const int64_t *holders, int64_t number)
{
    return twin_of(v, first + (holders ? holders[number] : number));
}

/* A pair of the list; where it has replicas each is its own twin. */
LM_INLINE twin twin_of_pair(const lm_bits_view &v, const lm_bits_counting &t, int64_t pair,
                            int which)
{
    return twin_at(v, t.first, t.holders, t.replicas ? t.replicas[2 * pair + which] : pair);
}

/* A word of q, or of whatever both have. */
LM_INLINE uint32_t apart(const twin &a, const twin &b, uint32_t of_a, uint32_t of_b)
{
    return of_a >> a.shift ^ of_b >> b.shift;
}

/* A block's share of a count: all of it, or one of several. */
LM_INLINE void hand_in(lm_count *to, int n)
{
    if (gridDim.x == 1)
        *to = (lm_count)n;
    else if (n)
        lm_add_to_count(to, n);
}

#endif
