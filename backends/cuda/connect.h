/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs on GPUs that hand their boundary layers to each other. A kernel stores what it changes of
 * them twice: in its own slab, and in the halo of the slab beyond, on the same device or on one
 * that the device can write to. So a phase is one launch.
 *
 * Invariant: what reads a slab's halo in a phase, or stores in the halo beyond, does so when the
 * phase before it has ended at that side of the slab beyond. Then all that it reads of its halo has
 * come, since that was stored by phases before it; and what it stores nobody there still reads as
 * it was, since that was for phases before it. The same phase may run there meanwhile: its sites
 * need none of that phase.
 *
 * There are two ways to wait.
 *
 * Streams wait for events: a phase begins when the phase before it has ended in the slabs beyond
 * its sides. This holds for any number of slabs on a device. But whoever waits so has nothing else
 * to do meanwhile, and does not overlap the end of its own phase before.
 *
 * Blocks wait (seam.cuh): those that have sites of the boundary layers, for a counter of their
 * device to which the blocks at that side of the slab beyond add one each when they have ended;
 * the others, the bulk, wait for nobody. Which blocks have such sites the launch says, not the
 * thread: so a thread without a site waits for none, and all those that are waited for come. A
 * counter never goes back; the host knows how many blocks of each phase will add to it, since it
 * has launched them, and gives each launch the number that must have come. It counts a launch when
 * it has been made, so that none that failed is waited for.
 *
 * None waits for ever: blocks wait only for blocks of phases that were launched before theirs, so
 * that the first one launched of all phases that have not ended waits for nobody; and it has a
 * place to run, as nothing on its device waits but later phases of its own slab, whose blocks begin
 * when all of its own have begun. That is why blocks wait only if the devices of all slabs that are
 * connected are different, and no other lattice's blocks wait on any of them (`owner`). All others
 * wait by events, and so do devices without atomic additions in each other's memory.
 */
#ifndef LM_CUDA_CONNECT_H
#define LM_CUDA_CONNECT_H

#include <stdint.h>

#include <cuda_runtime_api.h>

#include "backends/backend.h"
#include "backends/cuda/seam.h"

/* A phase of a sweep: different from the one before it and the one after it. */
typedef struct lm_cuda_phase {
    int64_t step;
    int number;
} lm_cuda_phase;

typedef enum lm_cuda_waiting { LM_UNDECIDED, LM_STREAMS_WAIT, LM_BLOCKS_WAIT } lm_cuda_waiting;

/* A slab's last two phases, since those beyond may be a phase behind. Threads of the host may queue
 * those of slabs beside each other at the same time (lib/divide/abreast.h): while one writes a phase and
 * then says that it is the latest, those beyond read the one before. */
typedef struct lm_cuda_joint {
    struct lm_cuda_head *beyond[2]; /* by side; NULL: not connected */
    lm_cuda_waiting waiting;
    cudaEvent_t ended[2]; /* NULL if it never was */
    lm_cuda_phase phases[2];
    _Atomic int latest; /* whoever is beyond may read while the other one is written */
    lm_seam_count *come;      /* device: by side, blocks beyond that have ended */
    lm_seam_count posts[2];   /* by side, own blocks there that have been launched, */
    lm_seam_count then[2][2]; /* and by side those of either phase and all before it */
} lm_cuda_joint;

static inline int lm_cuda_is_connected(const lm_cuda_joint *j)
{
    return j->beyond[LM_LOWER] || j->beyond[LM_UPPER];
}

/* May a phase overlap the one before it, or does its stream wait? */
static inline int lm_cuda_flows(const lm_cuda_joint *j)
{
    return !lm_cuda_is_connected(j) || j->waiting == LM_BLOCKS_WAIT;
}

/* lm_slab_ops.connect, of plans whose layers lie alike: 0 if the devices cannot write to each
 * other. With peer NULL it returns when nothing is on its way to the old one. */
int lm_cuda_connect(struct lm_cuda_head *head, lm_side side, struct lm_cuda_head *peer);
void lm_cuda_end_joint(struct lm_cuda_head *head);

/* Around what a phase queues, whether the slab is connected or not, whose launches have the seam
 * but for which blocks are at its sides; and before anything else that reads the halo. */
cudaError_t lm_cuda_begin_phase(struct lm_cuda_head *head, lm_cuda_phase phase, lm_seam *seam);
cudaError_t lm_cuda_end_phase(struct lm_cuda_head *head, lm_cuda_phase phase);
cudaError_t lm_cuda_await_halo(struct lm_cuda_head *head);

#endif
