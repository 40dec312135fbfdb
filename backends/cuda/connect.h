/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs on GPUs that hand their boundary layers to each other. A kernel stores what it changes of
 * them twice: in its own slab, and in the halo of the slab beyond, on the same device or on one
 * that the device can write to. So a phase is one launch.
 *
 * Invariant: a phase of a slab begins when the phase before it has ended in the slabs beyond its
 * sides. Then all that it reads of its halo has come, since that was stored by phases before it;
 * and what it stores into their halos nobody there still reads as it was, since that was for phases
 * before it. The same phase may run there meanwhile: its sites need none of that phase. Streams
 * wait for events of each other, and no block for any other.
 */
#ifndef LM_CUDA_CONNECT_H
#define LM_CUDA_CONNECT_H

#include <stdint.h>

#include <cuda_runtime_api.h>

#include "backends/backend.h"

/* A phase of a sweep: different from the one before it and the one after it. */
typedef struct lm_cuda_phase {
    int64_t step;
    int number;
} lm_cuda_phase;

/* A slab's last two phases, since those beyond may be a phase behind. */
typedef struct lm_cuda_joint {
    struct lm_cuda_head *beyond[2]; /* by side; NULL: not connected */
    cudaEvent_t ended[2];           /* NULL if it never was */
    lm_cuda_phase phases[2];
    int latest;
} lm_cuda_joint;

static inline int lm_cuda_is_connected(const lm_cuda_joint *j)
{
    return j->beyond[LM_LOWER] || j->beyond[LM_UPPER];
}

/* lm_slab_ops.connect, of plans whose layers lie alike: 0 if the devices cannot write to each
 * other. With peer NULL it returns when nothing is on its way to the old one. */
int lm_cuda_connect(struct lm_cuda_head *head, lm_side side, struct lm_cuda_head *peer);
void lm_cuda_end_joint(struct lm_cuda_head *head);

/* Around what a phase queues; and before anything else that reads the halo. */
cudaError_t lm_cuda_begin_phase(struct lm_cuda_head *head, lm_cuda_phase phase);
cudaError_t lm_cuda_end_phase(struct lm_cuda_head *head, lm_cuda_phase phase);
cudaError_t lm_cuda_await_halo(struct lm_cuda_head *head);

#endif
