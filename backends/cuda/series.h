/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sweeps and measurements in turn, for each family's run(). */
#ifndef LM_CUDA_SERIES_H
#define LM_CUDA_SERIES_H

#include "backends/backend.h"
#include "backends/cuda/plan.h"

/* A portion of a run, with as many measurements as the device has room for before the host gets
 * any. Changes are counted in the last sweep before the last measurement if `last`. If their
 * bundle is among the bundles, they are counted before every measurement. */
typedef struct lm_cuda_series {
    const lm_schedule *schedule;
    lm_cursor from;
    int64_t sweeps, records; /* sweeps before each measurement; number of measurements */
    unsigned bundles;
    int last;
} lm_cuda_series;

/* Finds the one update of all sweeps, with job->sweeps sweeps before each measurement. Returns 0
 * if there is not one. */
int lm_cuda_one_update(const lm_cuda_series *series, lm_job *job);

/* How a family makes a series. */
typedef struct lm_cuda_family {
    size_t record_bytes; /* bytes of one measurement on the device */
    const lm_spec *spec;
    /* Queues sweeps, at least one. The changes of the last one go to the plan. */
    cudaError_t (*sweep)(void *plan, const lm_schedule *schedule, lm_cursor from, int64_t sweeps);
    cudaError_t (*queue)(void *plan, const lm_cuda_series *series, void *device);
    /* A family has one of these two. report() works on the host and makes a measurement's sums,
     * [replica][k] of some bundles. The other is queued and makes the sums of all measurements
     * of a series, [replica][measurement][k], the first `each` of a replica; both arrays are on the
     * device. */
    void (*report)(const void *plan, unsigned bundles, const void *record, double *sums);
    cudaError_t (*sum_records)(void *plan, const lm_cuda_series *series, int each,
                               const void *records, double *sums);
} lm_cuda_family;

/* What a queued measurement needs for pairs: device memory for their counts, the function that
 * queues these and the function that reports them; and the number of a pair's sums for the caller.
 * A queued measurement on the device is a measurement, slots and holders, and counts. */
typedef struct lm_cuda_pairing {
    size_t pair_bytes; /* bytes for the bundles that are asked for */
    int64_t pair_sums;
    cudaError_t (*queue)(void *plan, const lm_measure *out, void *device);
    void (*report)(const void *plan, const lm_measure *out, const void *counts, double *sums);
} lm_cuda_pairing;

/* Implements lm_plan_ops.queue_measurement. Its measurements are the family's records. */
latmc_status lm_cuda_queue_measurement(void *plan, const lm_cuda_family *family,
                                       const lm_cuda_pairing *pairing, const lm_measure *out,
                                       int64_t number, int64_t all);

/* Returns the end of the sums that are asked for, among a replica's sums. */
int lm_cuda_wanted(const lm_spec *spec, unsigned bundles);

/* Implements lm_plan_ops.prepare for the memory that run() takes here. */
latmc_status lm_cuda_prepare(void *plan, const lm_cuda_family *family, int64_t budget,
                             const lm_measure *out);

/* Implements lm_plan_ops.run for a plan that streams. */
latmc_status lm_cuda_run(void *plan, const lm_cuda_family *family, const lm_schedule *schedule,
                         const lm_cursor *cursor, int64_t budget, const lm_measure *out);

#endif
