/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seam for tests. Kernels whose blocks wait for each other, or that begin before others have
 * ended, call lm_disturb() at every step of what they have agreed upon. In the library it is
 * nothing. Built with LM_DISTURB, each block sleeps there for a random time, often none, seldom
 * very long, and its warps for some time each: so that blocks overtake each other as they do on a
 * busy device once in a thousand hours. Results must not change.
 */
#ifndef LM_CUDA_DISTURB_CUH
#define LM_CUDA_DISTURB_CUH

#include <stdint.h>

/* The steps: where a block may be held up. */
enum {
    LM_AT_START,
    LM_BEFORE_LAUNCH, /* lm_await_previous: the next kernel has not been let in */
    LM_BEFORE_WAIT,   /* it has, and the one before may still run */
    LM_AFTER_WAIT,
    LM_BEFORE_ASK, /* persistent.cu: words are asked for, and handed on */
    LM_BEFORE_STORE,
    LM_AFTER_AWAIT, /* ahead.cuh: batches */
    LM_BEFORE_POST,
    LM_IN_BATCH,
    LM_BEFORE_MEETING, /* meters.cuh: what a sweep has left */
    LM_AFTER_MEETING,
    LM_IN_PARCEL,
    LM_BEFORE_SEAM, /* seam.cuh: at the sides of a slab */
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
    const uint32_t now = (uint32_t)(clock64() >> 14); /* alike for the warps of a block, nearly */
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
