/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lets tests disturb the timing of blocks. Kernels call lm_disturb() at every step of their
 * agreement if their blocks wait for each other, or if they begin before other kernels have ended.
 * In the library it does nothing. If built with LM_DISTURB, each block sleeps there for a random
 * time, often not at all, seldom very long. Its warps sleep for some time each. So blocks overtake
 * each other as they do on a busy device once in a thousand hours. Results must not change.
 */
#ifndef LM_CUDA_DISTURB_CUH
#define LM_CUDA_DISTURB_CUH

#include <stdint.h>

/* Steps at which a block may be delayed. */
enum {
    LM_AT_START,
    LM_BEFORE_LAUNCH, /* lm_await_previous: the next kernel has not been allowed to begin */
    LM_BEFORE_WAIT,   /* the next kernel may begin, and the previous one may still run */
    LM_AFTER_WAIT,
    LM_BEFORE_ASK, /* ising_persistent.cu: words are asked for, and stored */
    LM_BEFORE_STORE,
    LM_AFTER_AWAIT, /* ising_ahead.cuh: rations */
    LM_BEFORE_POST,
    LM_IN_BATCH,
    LM_BEFORE_MEETING, /* meters.cuh: what a sweep has left */
    LM_AFTER_MEETING,
    LM_IN_PARCEL,
    LM_BEFORE_SEAM, /* seam.cuh: the sides of a slab */
    LM_AFTER_SEAM,
    LM_BEFORE_SEAM_POST
};

#ifdef LM_DISTURB
static __device__ __forceinline__ uint32_t lm_disturb_hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static __device__ __noinline__ void lm_disturb(uint32_t step)
{
    const uint32_t block = blockIdx.x + 0x9e3779b9u * (blockIdx.y + step);
    const uint32_t now = (uint32_t)(clock64() >> 14); /* nearly the same for the warps of a block */
    const uint32_t h = lm_disturb_hash(block ^ lm_disturb_hash(now));
    const uint32_t warp = lm_disturb_hash(h + threadIdx.x / 32);
    if (h % 8 == 0)
        __nanosleep(h % 512 == 0 ? 300000 : h % 64 == 0 ? 20000 : h >> 20);
    if (warp % 16 == 0)
        __nanosleep(warp >> 20);
}
#else
#define lm_disturb(step) ((void)0)
#endif

#endif
