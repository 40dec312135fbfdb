/* SPDX-License-Identifier: BSD-3-Clause */
/* Words with tied sites, of which a warp has a queue in shared memory: it settles them as many at a
 * time as it has threads, the last ones first. */
#ifndef LM_CUDA_BITS_QUEUE_CUH
#define LM_CUDA_BITS_QUEUE_CUH

#include "backends/cuda/launch.cuh"

enum { LM_WARP = 32 };

/* The place in the queue of the thread's word, if it has one that waits, behind those that are
 * there. All threads of the warp must call it. */
LM_INLINE uint32_t lm_queue_place(bool waits, uint32_t *queued)
{
    const uint32_t lane = threadIdx.x % LM_WARP, all = __ballot_sync(~0u, waits);
    const uint32_t i = *queued + __popc(all & ((1u << lane) - 1u));
    *queued += __popc(all);
    return i;
}

/* The first place of the last ones. */
LM_INLINE uint32_t lm_queue_last(uint32_t queued)
{
    return queued > LM_WARP ? queued - LM_WARP : 0;
}

#endif
