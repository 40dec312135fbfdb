/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues words with tied sites, for each warp in shared memory. The warp settles as many words
 * at a time as it has threads, the last ones first. */
#ifndef LM_CUDA_BITS_QUEUE_CUH
#define LM_CUDA_BITS_QUEUE_CUH

#include "backends/cuda/launch.cuh"

enum { LM_WARP = 32 };

/* Returns the position in the queue of the thread's word, behind the words that are there, if the
 * word waits. All threads of the warp must call it. */
LM_INLINE uint32_t lm_queue_position(bool waits, uint32_t *queued)
{
    const uint32_t in_warp = threadIdx.x % LM_WARP, all = __ballot_sync(~0u, waits);
    const uint32_t i = *queued + __popc(all & ((1u << in_warp) - 1u));
    *queued += __popc(all);
    return i;
}

/* Returns the first position of the last 32 words. */
LM_INLINE uint32_t lm_queue_last(uint32_t queued)
{
    return queued > LM_WARP ? queued - LM_WARP : 0;
}

#endif
