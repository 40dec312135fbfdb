/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps and measurements in turn: what each family's run() is made of. */
#ifndef LM_CUDA_SERIES_H
#define LM_CUDA_SERIES_H

#include "backends/cuda/plan.h"

/* A part of a run: as many measurements on the device as it has room for before the host has any.
 * Changes are counted in the last sweep before the last measurement if `last`, before every one if
 * their group is among these. */
typedef struct lm_cuda_series {
    const lm_schedule *schedule;
    lm_cursor from;
    int64_t sweeps, records; /* so many sweeps, as often */
    unsigned groups;
    int last;
} lm_cuda_series;

/* The one update of all sweeps, job->sweeps before each measurement; 0: there is not one. */
int lm_cuda_one_update(const lm_cuda_series *series, lm_job *job);

/* How a family does it. */
typedef struct lm_cuda_family {
    size_t record_bytes; /* of one measurement on the device */
    const lm_spec *spec;
    /* Queues sweeps, of which there are some; the changes of the last one are the plan's. */
    cudaError_t (*sweep)(void *plan, const lm_schedule *schedule, lm_cursor from, int64_t sweeps);
    cudaError_t (*queue)(void *plan, const lm_cuda_series *series, void *device);
    /* One of these two. On the host: a measurement's sums, [replica][k] of some groups; queued:
     * those of all measurements of a series, [replica][measurement][k], both on the device. */
    void (*report)(const void *plan, unsigned groups, const void *record, double *sums);
    cudaError_t (*settle)(void *plan, const lm_cuda_series *series, const void *records,
                          double *sums);
} lm_cuda_family;

/* lm_plan_ops.run, of a plan that streams. */
latmc_status lm_cuda_run(void *plan, const lm_cuda_family *family, const lm_schedule *schedule,
                         const lm_cursor *cursor, int64_t budget, const lm_out *out);

#endif
