/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the threads of a block into squads that do different things side by side. Each squad has
 * a barrier of its own. */
#ifndef LM_CUDA_BITS_SQUAD_CUH
#define LM_CUDA_BITS_SQUAD_CUH

#include "backends/cuda/launch.cuh"

/* Barriers. Each of two relays of meters has one, and both relays together have one. */
enum { LM_WALKING = 1, LM_DRAWING = 2, LM_METERING = 3, LM_METERED = LM_METERING + 2 };

/* The squad's first thread, and the number of its threads. */
template <int BARRIER> struct lm_squad {
    uint32_t first, threads;
};

/* Is the squad's barrier: what each thread has written before, all may read after. Whole warps
 * call it (bar.sync is aligned: all threads of a warp are at the same one). The barrier's number
 * is a constant. A number in a register would cost the block all sixteen barriers, of which a
 * multiprocessor has too few for many small blocks. */
template <int BARRIER> LM_INLINE void lm_squad_sync(const lm_squad<BARRIER> &c)
{
    asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "r"(c.threads) : "memory");
}

/* Returns the first thread of the warp, in a way that the compiler knows to be uniform. A branch
 * by threads costs walking threads uniform registers. */
LM_INLINE uint32_t lm_first_of_warp(void)
{
    return 32 * __shfl_sync(~0u, threadIdx.x / 32, 0);
}

#endif
