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
     * those of all measurements of a series, [replica][measurement][k], the first `each` of a
     * replica, both on the device. */
    void (*report)(const void *plan, unsigned groups, const void *record, double *sums);
    cudaError_t (*settle)(void *plan, const lm_cuda_series *series, int each, const void *records,
                          double *sums);
} lm_cuda_family;

/* What a note takes more: device memory of the pairs' counts, which are queued there and reported
 * from there; sums of a pair for the caller. A note on the device is a measurement, slots and
 * holders, counts. */
typedef struct lm_cuda_pairing {
    size_t pair_bytes; /* of the groups that are asked for */
    int64_t pair_sums;
    cudaError_t (*queue)(void *plan, const lm_pair_out *pairs, void *device);
    void (*report)(const void *plan, const lm_pair_out *pairs, const void *counts, double *sums);
} lm_cuda_pairing;

/* lm_plan_ops.note, whose measurements are the records of the family. */
latmc_status lm_cuda_note(void *plan, const lm_cuda_family *family, const lm_cuda_pairing *pairing,
                          const lm_note *note);

/* Of a replica's sums, behind the last one that is asked for. */
int lm_cuda_wanted(const lm_spec *spec, unsigned groups);

/* lm_plan_ops.prepare, of what run() takes memory for here. */
latmc_status lm_cuda_prepare(void *plan, const lm_cuda_family *family, int64_t budget,
                             const lm_out *out);

/* lm_plan_ops.run, of a plan that streams. */
latmc_status lm_cuda_run(void *plan, const lm_cuda_family *family, const lm_schedule *schedule,
                         const lm_cursor *cursor, int64_t budget, const lm_out *out);

#endif
