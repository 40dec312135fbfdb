/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines what every plan of this backend begins with: a device, a stream, memory, kernels. */
#ifndef LM_CUDA_PLAN_H
#define LM_CUDA_PLAN_H

#include "backends/cuda/connect.h"
#include "backends/cuda/device.h"
#include "backends/cuda/ferry.h"
#include "backends/cuda/kernels.h"
#include "backends/cuda/buffers.h"

enum { LM_CUDA_MAX_ALLOCATIONS = 13 };

/* Data of exchanges (exchange.h). */
typedef struct lm_cuda_slots {
    int64_t *state; /* device: lib/physics/exchange_state.h; the slots come first */
    int sent;       /* 1: the slots on the device equal those on the host */
    double *params; /* device: [parameter][slot] */
    int params_sent, param_count;
    double coupling[4]; /* [axis] */
    int64_t *here;      /* host: slots, then parameters, as the caller put them */
    void *sums;         /* device: one measurement; NULL before the first exchange */
    size_t sums_bytes;
    int64_t *fetched; /* host: locked memory for the state; NULL before the first exchange */
    size_t state_bytes;
} lm_cuda_slots;

/* Measurements that go to the host one by one (series.h), through the buffers that the plan keeps.
 */
typedef struct lm_cuda_queued {
    int64_t portion; /* measurements that fit in a buffer */
    int64_t filled;  /* measurements in the buffer that is being filled */
    int64_t waiting; /* measurements in the other buffer, which the caller has not taken yet */
    int64_t here;    /* the next place in the caller's out->sums */
    int which;       /* the buffer that is being filled */
} lm_cuda_queued;

/* What lib/ has given for sums over sites (backends/site_sums.h). */
typedef struct lm_cuda_tables {
    uint64_t mark; /* of the order that gave it; 0: none */
    void *memory;  /* device, or NULL */
} lm_cuda_tables;

typedef struct lm_cuda_head {
    int device;
    int processors; /* its multiprocessors */
    int cache;      /* bytes of its L2 cache */
    int overlaps;   /* 1: the device can overlap kernels of one stream (launch.cuh) */
    int sketch;     /* 1: as spec.sketch; no memory is taken, and pointers to it lead nowhere */
    size_t bytes;   /* of the allocations */
    int fresh;      /* 1: the next kernel must not overlap, since data was sent before it */
    cudaStream_t stream;
    void *allocations[LM_CUDA_MAX_ALLOCATIONS]; /* device memory */
    void *tables;                               /* device memory that the family takes later */
    lm_cuda_slots slots;                        /* slots and parameters for exchanges */
    lm_cuda_buffers buffers; /* buffers that are kept from one series to the next */
    lm_cuda_queued queued;   /* measurements in these buffers */
    lm_cuda_buffers cross;   /* buffers of crossings (cross.h) */
    lm_cuda_tables momenta, weights;
    lm_cuda_joint joint; /* the connection of a slab with its neighbours */
    lm_cuda_ferry ferry; /* boundary layers on their way to the host and back */
    const lm_cuda_kernels *kernels;
    const lm_cuda_kernel *forced;       /* NULL unless a test says otherwise */
    int64_t swept[LM_CUDA_MAX_KERNELS]; /* [the kernel's number in the list] */
} lm_cuda_head;

/* An allocation of device memory that lives as long as the plan and begins as zeros. */
typedef struct lm_cuda_allocation {
    void **memory;
    size_t bytes; /* 0: not wanted */
} lm_cuda_allocation;

/* Makes all of a plan for head->device except its kernels. After success and after failure,
 * lm_cuda_end() frees what there is. */
latmc_status lm_cuda_begin(lm_cuda_head *head, const lm_cuda_allocation *allocations, int count);
void lm_cuda_end(lm_cuda_head *head);

/* Sends data for kernels that are queued from here on. Kernels queued before may still read the
 * old data. The call does not wait, and the caller may reuse `from` at once. */
cudaError_t lm_cuda_send(lm_cuda_head *head, void *to, const void *from, size_t bytes);

/* Says whether the next launch may overlap the kernel before it. The caller must then make this
 * launch. */
static inline int lm_cuda_overlaps(lm_cuda_head *head)
{
    const int may = head->overlaps && !head->fresh;
    head->fresh = 0;
    return may;
}

/* lm_plan_ops.wait */
latmc_status lm_cuda_wait(void *plan);

/* Queues sweeps for a family, each job by its cheapest kernel, and moves the cursor on. If
 * `count` is nonzero, the changes of the last sweep go to `sums`, in the family's own form. */
cudaError_t lm_cuda_queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor *at,
                                 int64_t sweeps, int count, void *sums);

#endif
