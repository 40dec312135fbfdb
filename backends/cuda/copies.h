/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies replicas of a plan onto others, all at once. It goes slice by slice: some numbers of every
 * replica are gathered in a buffer, and then copied to their places. So no number is lost before it
 * has been copied, and the lattice needs no second copy.
 */
#ifndef LM_CUDA_COPIES_H
#define LM_CUDA_COPIES_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Units of equal size in device memory. Each is a replica, or a group of replicas that share
 * words. */
typedef struct lm_cuda_units {
    void *units;
    int64_t count, pitch, numbers; /* units; numbers from one to the next; numbers of one */
    int bytes;                     /* of a number: 1, 4, 8; of groups 4 */
    int per_word, segment;         /* replicas of a group, and their bits of a word; 1: no groups */
    int64_t first_nth, replicas;   /* the place of replica 0 in the first group */
    const int32_t *from;           /* device: [replica] */
} lm_cuda_units;

#ifdef __cplusplus
extern "C" {
#endif

/* Gathers numbers [first, first + each) of all units in a buffer, [unit][number], and copies them
 * back to their units. */
cudaError_t lm_launch_copies(const lm_cuda_units *units, int64_t first, int64_t each, void *buffer,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#else

#include "backends/cuda/plan.h"

/* Implements lm_plan_ops.copy for a plan that begins with its head. It sets `from` of the arrays,
 * and copies all of them. If `from` is NULL, it takes the memory alone. */
latmc_status lm_cuda_copy_replicas(void *plan, lm_cuda_units *arrays, int count,
                                   const int64_t *from);

#endif

#endif
