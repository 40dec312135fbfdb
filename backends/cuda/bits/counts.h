/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes series of measurements that are counts, [replica][sum]. The last count of a replica is the
 * number of changed sites. Kernels add to counts that are 0.
 */
#ifndef LM_CUDA_BITS_COUNTS_H
#define LM_CUDA_BITS_COUNTS_H

#include "backends/cuda/bits/view.h"
#include "backends/cuda/series.h"

/* How a plan makes them. */
typedef struct lm_counts {
    const lm_spec *spec;
    int64_t replicas, sums; /* of a measurement; sums of a replica */
    lm_count *changed;      /* device: changes of the last sweep that counted */
    /* Queues the counts of some bundles. */
    cudaError_t (*measure)(void *plan, unsigned bundles, lm_count *counts);
} lm_counts;

/* Queues the records of a series. A record without sweeps has the changes of the last sweep that
 * was made. */
cudaError_t lm_counts_queue(void *plan, const lm_counts *counts, const lm_cuda_series *series,
                            lm_count *records);

/* Return what a kernel that walks makes in one launch: sweeps, or records of them with these sums.
 * `all`: changes are counted before every measurement. */
lm_walk lm_walk_of(const lm_job *job, int count);
lm_walk lm_walk_of_records(const lm_job *job, int64_t records, unsigned bundles, int all);

#endif
