/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares pairs of replicas of whole lattices of any shape, many pairs in one launch. The sites
 * where two replicas differ, q = a xor b, are again a lattice of spins. Its words are made of the
 * words of both replicas, brought to the same bits.
 */
#ifndef LM_CUDA_BITS_TWINS_CUH
#define LM_CUDA_BITS_TWINS_CUH

#include "backends/backend.h"
#include "backends/cuda/bits/spots.cuh"

/* A replica's group, and where the replica has its bits in the group's words. */
typedef struct twin {
    uint32_t group;
    int shift;
} twin;

LM_INLINE twin twin_of(const lm_bits_view &v, int64_t number)
{
    const int64_t group = lm_quotient<int64_t>(number, v.per_word);
    return {(uint32_t)(group - v.first_group), (int)(number - group * v.per_word) * v.segment};
}

/* Returns the replica of a number of the list. */
LM_INLINE twin twin_at(const lm_bits_view &v, int64_t first, const int64_t *holders, int64_t number)
{
    return twin_of(v, first + (holders ? holders[number] : number));
}

/* Returns a pair of the list. In a list of single replicas each one is its own twin. */
LM_INLINE twin twin_of_pair(const lm_bits_view &v, const lm_bits_counting &t, int64_t pair,
                            int which)
{
    return twin_at(v, t.first, t.holders, t.replicas ? t.replicas[2 * pair + which] : pair);
}

/* Returns a word of q, or the difference of any other words that both replicas have. */
LM_INLINE uint32_t apart(const twin &a, const twin &b, uint32_t of_a, uint32_t of_b)
{
    return of_a >> a.shift ^ of_b >> b.shift;
}

/* Adds a block's share of a count: all of it, or a part if the pair has several blocks. */
LM_INLINE void hand_in(lm_count *to, int n)
{
    if (gridDim.x == 1)
        *to = (lm_count)n;
    else if (n)
        lm_add_to_count(to, n);
}

#endif
