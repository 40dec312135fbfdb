/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists each model's kernels with their costs, and chooses between them. */
#ifndef LM_CUDA_KERNELS_H
#define LM_CUDA_KERNELS_H

#include <cuda_runtime_api.h>

#include "backends/schedule.h"

typedef struct lm_cuda_kernel {
    const char *name; /* unique among the kernels of all models */

    /* Says whether the kernel can make this update with the plan's present parameters. NULL:
     * always. */
    int (*serves)(const void *plan, int update);
    /* Returns the time of one sweep of the job, in ns. The job has at least one sweep. NULL: the
     * cost is higher than any other. */
    double (*cost)(const void *plan, const lm_job *job);

    /* Queues the job's sweeps, of which there is at least one. If `count` is nonzero, the
     * changes of the last sweep go to `sums`, in the family's own form. */
    cudaError_t (*sweep)(void *plan, const lm_job *job, int count, void *sums);
    /* Queues all records of some bundles in one launch; NULL if the kernel cannot. */
    cudaError_t (*record)(void *plan, const lm_job *job, int64_t records, unsigned bundles,
                          void *sums);
} lm_cuda_kernel;

/* A model's kernels. For each update at least one kernel always serves. The first kernel sweeps
 * where a test has asked for a kernel that does not serve. */
typedef struct lm_cuda_kernels {
    const lm_cuda_kernel *list;
    int count;
} lm_cuda_kernels;

enum { LM_CUDA_MAX_KERNELS = 12 };

/* Returns the cheapest kernel that serves, and counts the job's sweeps for it. The job has at
 * least one sweep, and the caller must have the kernel make them. A plan begins with an
 * lm_cuda_head (plan.h). */
const lm_cuda_kernel *lm_cuda_choose(void *plan, const lm_job *job);
/* Returns the cheapest kernel for `records` times the job's sweeps with a measurement after each
 * time, if it makes records. Otherwise the function returns NULL and counts nothing. */
const lm_cuda_kernel *lm_cuda_recorder(void *plan, const lm_job *job, int64_t records);

/* Returns the name of the kernel that lm_cuda_choose() would choose, and counts nothing. */
const char *lm_cuda_likely(const void *plan, int update, int64_t sweeps);
/* The sweeps of a typical job of a whole lattice. A job of a slab has one. */
enum { LM_CUDA_TYPICAL_SWEEPS = 1000 };

/* Makes a plan use one kernel wherever this kernel serves. Tests call it to compare kernels.
 * Returns whether the kernel serves this update; 0 if the model has no such kernel. */
int lm_cuda_force(void *plan, const char *kernel, int update);

/* Returns the number of sweeps for which a plan has chosen a kernel. Tests call it. */
int64_t lm_cuda_swept(const void *plan, const char *kernel);

#endif
