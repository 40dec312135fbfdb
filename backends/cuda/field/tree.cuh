/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds in the order of doc/trajectory.md, "Order of sums". */
#ifndef LM_CUDA_FIELD_TREE_CUH
#define LM_CUDA_FIELD_TREE_CUH

#include "lib/physics/lane_one.h"
#include "lib/physics/sums.h"

enum { LM_SUMS_WARPS = 4 }; /* warps of a block; each adds LM_SUMS_BLOCK elements */

/* Adds up the partial sums of a warp's threads: p_j = p_j + p_(j+16), then 8, 4, 2, 1. */
LM_INLINE double lm_warp_tree(double p)
{
    LM_UNROLL
    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2)
        p = p + __shfl_down_sync(~0u, p, half);
    return p; /* only thread 0 of the warp may use it */
}

/* Adds up N numbers, N a power of two, first those side by side, as lm_sums_leaf() does. */
template <int N> LM_INLINE double lm_sums_pairs(const double *v)
{
    double sum[N];
    LM_UNROLL
    for (int i = 0; i < N; i++)
        sum[i] = v[i];
    LM_UNROLL
    for (int half = N / 2; half > 0; half /= 2)
        LM_UNROLL
    for (int i = 0; i < half; i++)
        sum[i] = sum[2 * i] + sum[2 * i + 1];
    return sum[0];
}

/* Adds up a warp's numbers in the same order. */
LM_INLINE double lm_warp_pairs(double p)
{
    LM_UNROLL
    for (int by = 1; by < 32; by *= 2)
        p = p + __shfl_down_sync(~0u, p, by);
    return p; /* only thread 0 of the warp may use it */
}

#endif
