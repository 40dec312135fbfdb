/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a block that do the same, side by side with others that do something else: each crew
 * has a barrier of its own. */
#ifndef LM_CUDA_BITS_CREW_CUH
#define LM_CUDA_BITS_CREW_CUH

#include "backends/cuda/launch.cuh"

/* Barriers: meters have one for each of two teams, and one of both. */
enum { LM_WALKING = 1, LM_DRAWING = 2, LM_METERING = 3, LM_METERED = LM_METERING + 2 };

/* The first of them, how many they are. */
template <int BARRIER> struct lm_crew {
    uint32_t first, threads;
};

/* By whole warps (bar.sync is aligned: a warp's threads are all at the same one); what each has
 * written before, all may read after. The number is a constant: one in a register would cost the
 * block all sixteen barriers, of which a multiprocessor has too few for many small blocks. */
template <int BARRIER> LM_INLINE void lm_meet(const lm_crew<BARRIER> &c)
{
    asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "r"(c.threads) : "memory");
}

/* Of the thread's warp, and known to be: a branch of threads costs those that walk uniform
 * registers. */
LM_INLINE uint32_t lm_first_of_warp(void)
{
    return 32 * __shfl_sync(~0u, threadIdx.x / 32, 0);
}

#endif
