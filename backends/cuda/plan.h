/* SPDX-License-Identifier: BSD-3-Clause */
/* What every plan of this backend begins with: a device, a stream on it, memory, kernels. */
#ifndef LM_CUDA_PLAN_H
#define LM_CUDA_PLAN_H

#include "backends/cuda/connect.h"
#include "backends/cuda/device.h"
#include "backends/cuda/ferry.h"
#include "backends/cuda/kernels.h"
#include "backends/cuda/rooms.h"

enum { LM_CUDA_MAX_PIECES = 13 };

/* What exchanges work with (exchange.h). */
typedef struct lm_cuda_slots {
    int64_t *state; /* device: lib/physics/exchange.h; it begins with the slots, */
    int sent;       /* which are those that the host has */
    double *params; /* device: [parameter][slot] */
    int params_sent, param_count;
    double coupling[4]; /* [axis] */
    int64_t *here;      /* of the host: slots, then parameters, as they were put */
    void *sums; /* device: a measurement of so many bytes; NULL before the first exchange, */
    size_t sums_bytes;
    int64_t *fetched; /* as is this: locked memory for the state */
    size_t state_bytes;
} lm_cuda_slots;

/* Measurements on their way to the host one by one (series.h), in the rooms that are kept. */
typedef struct lm_cuda_notes {
    int64_t part;    /* measurements that a room has place for */
    int64_t filled;  /* in the room that is being filled */
    int64_t waiting; /* in the other one, which nobody has taken */
    int64_t here;    /* of those that are taken next */
    int which;       /* the room that is being filled */
} lm_cuda_notes;

typedef struct lm_cuda_head {
    int device;
    int processors; /* its multiprocessors */
    int cache;      /* bytes of its L2 cache */
    int overlaps;   /* it can overlap kernels of one stream (launch.cuh), */
    int fresh;      /* but not the next one with what was sent before it */
    cudaStream_t stream;
    void *pieces[LM_CUDA_MAX_PIECES]; /* of device memory, */
    void *tables;                     /* and one that the family makes later */
    lm_cuda_slots slots;              /* and parameters, for exchanges */
    lm_cuda_rooms kept;               /* from one series to the next, */
    lm_cuda_notes notes;              /* and what is in them */
    lm_cuda_joint joint;              /* of a slab, */
    lm_cuda_ferry ferry;              /* and layers on their way to the host and back */
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

/* Sends what kernels read that are queued from here on; those before may still read what was there.
 * Nobody waits, and `from` is the caller's again. */
cudaError_t lm_cuda_send(lm_cuda_head *head, void *to, const void *from, size_t bytes);

/* For the next launch, which is made: may it begin while the one before it runs? */
static inline int lm_cuda_overlaps(lm_cuda_head *head)
{
    const int may = head->overlaps && !head->fresh;
    head->fresh = 0;
    return may;
}

/* lm_plan_ops.wait */
latmc_status lm_cuda_wait(void *plan);

/* For families: queues sweeps by the kernels that are cheapest for each job. If `count` the changes
 * of the last one go to `sums`, in the family's own form. Moves the cursor on. */
cudaError_t lm_cuda_queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor *at,
                                 int64_t sweeps, int count, void *sums);

#endif
