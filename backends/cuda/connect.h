/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connects slabs on GPUs that write their boundary layers into each other's halo. A kernel stores
 * each changed boundary site twice: in its own slab, and in the halo of the neighbouring slab. The
 * neighbouring slab is on the same device or on one that this device can write to. So a phase is
 * one launch.
 *
 * Invariant: a block reads its slab's halo in a phase, or stores in the neighbour's halo, only
 * after the previous phase has ended at that side of the neighbouring slab. Then all that the block
 * reads of its halo has arrived, since phases before this one stored it. And nobody there still
 * reads the old values that the block overwrites, since they were for phases before this one. The
 * neighbour may run the same phase meanwhile: its sites need no sites of this phase.
 *
 * There are two ways to wait.
 *
 * Streams wait for events: a phase begins when the previous phase has ended in the slabs on both
 * sides. This way serves any number of slabs on a device. But a stream that waits does nothing else
 * meanwhile, and does not overlap the end of its own previous phase.
 *
 * Blocks wait for counters (seam.cuh). A block with sites of the boundary layers waits for a
 * counter on its own device. Each block at that side of the neighbouring slab adds one to this
 * counter when it has ended. All other blocks, the bulk, wait for nobody. The launch says which
 * blocks have boundary sites, so all threads of a block agree, with a site or without. And every
 * block that is waited for arrives. A counter never goes back. The host launched the blocks, so it
 * knows how many of each phase will add to a counter, and gives each launch the number that must
 * have arrived. The host counts a launch only after it has been made, so no block waits for a
 * failed launch.
 *
 * No block waits for ever. Blocks wait only for blocks of phases that were launched before theirs.
 * So, of all phases that have not ended, the one launched first waits for nobody. It also has room
 * to run. Nothing on its device waits except later phases of its own slab, and their blocks begin
 * when all of its own blocks have begun. Therefore blocks wait only if all connected slabs are on
 * different devices, and no other lattice's blocks wait on any of these devices (`owner`). All
 * other slabs wait by events. So do devices without atomic additions in each other's memory.
 */
#ifndef LM_CUDA_CONNECT_H
#define LM_CUDA_CONNECT_H

#include <stdint.h>

#include <cuda_runtime_api.h>

#include "backends/slab_ops.h"
#include "backends/cuda/seam.h"

/* A phase of a sweep. It differs from the phase before it and the phase after it. */
typedef struct lm_cuda_phase {
    int64_t step;
    int number;
} lm_cuda_phase;

typedef enum lm_cuda_waiting { LM_UNDECIDED, LM_STREAMS_WAIT, LM_BLOCKS_WAIT } lm_cuda_waiting;

/* A slab's last two phases. Two are kept because a neighbouring slab may be a phase behind.
 * Threads of the host may queue the phases of neighbouring slabs at the same time
 * (lib/divide/abreast.h). While one thread writes a phase and then marks it as the latest, the
 * neighbours read the phase before. */
typedef struct lm_cuda_joint {
    struct lm_cuda_head *beyond[2]; /* [side]; NULL: not connected */
    lm_cuda_waiting waiting;
    cudaEvent_t ended[2]; /* NULL if the event has not been made */
    lm_cuda_phase phases[2];
    _Atomic int latest; /* neighbours may read this phase while the other one is written */
    lm_seam_count *come;      /* device: [side], blocks of the neighbour that have ended */
    lm_seam_count posts[2];   /* [side], own blocks there that have been launched */
    lm_seam_count then[2][2]; /* [phase][side], own blocks of this phase and all before it */
} lm_cuda_joint;

static inline int lm_cuda_is_connected(const lm_cuda_joint *j)
{
    return j->beyond[LM_LOWER] || j->beyond[LM_UPPER];
}

/* Says whether a phase may overlap the previous one; otherwise its stream waits. */
static inline int lm_cuda_flows(const lm_cuda_joint *j)
{
    return !lm_cuda_is_connected(j) || j->waiting == LM_BLOCKS_WAIT;
}

/* Implements lm_slab_ops.connect for plans whose layers lie alike. Returns 0 if the devices
 * cannot write to each other. With peer NULL it returns when nothing is on its way to the old
 * peer. */
int lm_cuda_connect(struct lm_cuda_head *head, lm_side side, struct lm_cuda_head *peer);
void lm_cuda_end_joint(struct lm_cuda_head *head);

/* Begin and end a phase, around what it queues; the slab may be connected or not. The seam is
 * for the phase's launches, which add to it the blocks at their sides. lm_cuda_await_halo() must
 * be called before anything else reads the halo. */
cudaError_t lm_cuda_begin_phase(struct lm_cuda_head *head, lm_cuda_phase phase, lm_seam *seam);
cudaError_t lm_cuda_end_phase(struct lm_cuda_head *head, lm_cuda_phase phase);
cudaError_t lm_cuda_await_halo(struct lm_cuda_head *head);

#endif
