/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels as entries of their model's own file, and the choice between them. */
#ifndef LM_CUDA_KERNELS_H
#define LM_CUDA_KERNELS_H

#include <cuda_runtime_api.h>

#include "backends/backend.h"

typedef struct lm_cuda_kernel {
    const char *name; /* no other of any model has it */

    /* Can it make this update with the plan's present parameters? NULL: always. */
    int (*serves)(const void *plan, int update);
    /* What a sweep of the job's takes, in ns; of a job with sweeps. NULL: more than any other. */
    double (*cost)(const void *plan, const lm_job *job);

    /* Queues the job's sweeps, of which there are some. If `count` the changes of the last one go
     * to `sums`, in the family's own form. */
    cudaError_t (*sweep)(void *plan, const lm_job *job, int count, void *sums);
    /* NULL, or: all records of some groups of sums in one go. */
    cudaError_t (*record)(void *plan, const lm_job *job, int64_t records, unsigned groups,
                          void *sums);
} lm_cuda_kernel;

/* A model's kernels: for each update one at least that always serves. The first is the one that
 * sweeps where a test has asked for another, which does not serve. */
typedef struct lm_cuda_kernels {
    const lm_cuda_kernel *list;
    int count;
} lm_cuda_kernels;

enum { LM_CUDA_MAX_KERNELS = 12 };

/* The cheapest kernel that serves, which is to make the job's sweeps, of which there are some; they
 * are counted. A plan begins with an lm_cuda_head (plan.h). */
const lm_cuda_kernel *lm_cuda_choose(void *plan, const lm_job *job);
/* The same for so many records of them, if it makes records; otherwise NULL, and none is counted.
 */
const lm_cuda_kernel *lm_cuda_recorder(void *plan, const lm_job *job, int64_t records);

/* For tests, which compare kernels: has a plan use one wherever it serves. Returns whether it
 * does for this update; 0 if the model has no such kernel. */
int lm_cuda_force(void *plan, const char *kernel, int update);

/* Likewise: sweeps for which a plan has chosen a kernel. */
int64_t lm_cuda_swept(const void *plan, const char *kernel);

#endif
