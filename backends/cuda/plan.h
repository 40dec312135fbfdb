/* SPDX-License-Identifier: BSD-3-Clause */
/* What every plan of this backend begins with: a device, a stream on it, memory, kernels. */
#ifndef LM_CUDA_PLAN_H
#define LM_CUDA_PLAN_H

#include "backends/cuda/device.h"
#include "backends/cuda/kernels.h"

enum { LM_CUDA_MAX_PIECES = 8 };

typedef struct lm_cuda_head {
    int device;
    int processors; /* its multiprocessors */
    int overlaps;   /* it can overlap kernels of one stream (launch.cuh) */
    cudaStream_t stream;
    void *pieces[LM_CUDA_MAX_PIECES]; /* of device memory, */
    void *tables;                     /* and one that the family makes later */
    const lm_cuda_kernels *kernels;
    const lm_cuda_kernel *forced;       /* NULL unless a test says otherwise */
    int64_t swept[LM_CUDA_MAX_KERNELS]; /* by the kernel's place in the list */
} lm_cuda_head;

/* Device memory for a plan's life, all 0. */
typedef struct lm_cuda_piece {
    void **memory;
    size_t bytes; /* 0: not wanted */
} lm_cuda_piece;

/* What begins a plan for head->device, but for its kernels. Whatever comes of it, lm_cuda_end()
 * gives back what there is. */
latmc_status lm_cuda_begin(lm_cuda_head *head, const lm_cuda_piece *pieces, int count);
void lm_cuda_end(lm_cuda_head *head);

/* lm_plan_ops.wait */
latmc_status lm_cuda_wait(void *plan);

/* How a family makes records, many of them on the device before the host has any. */
typedef struct lm_cuda_records {
    size_t bytes; /* of one on the device */
    int64_t sums; /* of one for the caller */
    /* Queues the job's sweeps and a measurement of some groups of sums, as often. Changes are
     * counted before the last one if `last`, before every one if their group is among these. */
    cudaError_t (*queue)(void *plan, const lm_job *job, int64_t records, unsigned groups, int last,
                         void *device);
    void (*report)(const void *plan, unsigned groups, const void *record, double *sums);
} lm_cuda_records;

/* lm_plan_ops.record, part by part of what device memory holds. */
latmc_status lm_cuda_record(void *plan, const lm_cuda_records *how, const lm_job *job,
                            int64_t records, unsigned groups, double *sums);

#endif
