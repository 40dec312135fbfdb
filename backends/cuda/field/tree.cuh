/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums in the order of doc/trajectory.md, "Order of sums". */
#ifndef LM_CUDA_FIELD_TREE_CUH
#define LM_CUDA_FIELD_TREE_CUH

#include "lib/physics/lane_one.h"

#define LM_SUMS_INLINE LM_INLINE
#include "lib/physics/sums.h"

enum { LM_SUMS_WARPS = 4 }; /* of a block, each of which adds LM_SUMS_BLOCK elements */

/* Adds up the partial sums of a warp's threads: p_j = p_j + p_(j+16), then 8, 4, 2, 1. */
LM_INLINE double lm_warp_tree(double p)
{
    LM_UNROLL
    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2)
        p = p + __shfl_down_sync(~0u, p, half);
    return p; /* of use to lane 0 alone */
}

#endif
