/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs whose sweeps are queued abreast, by a thread of the host for each. A device is done with a
 * phase of a small slab before one thread has queued it on a few others.
 *
 * Invariant: all slabs have queued a phase before any queues the next one. So what a slab reads of
 * those beside it, which is what they have queued, is that of the phase before, as where one thread
 * queues them all in turn; and if one fails all of them end with the same phase.
 */
#ifndef LM_ABREAST_H
#define LM_ABREAST_H

#include "lib/divide/slabs.h"

/* Can so many sweeps of them be, and is it worth threads? Of one rank's slabs, whose plans queue
 * what they do, and all of which bring their layers to the slabs beside them. */
int lm_slabs_can_abreast(const lm_slabs *slabs, int64_t sweeps);

/* The sweeps of a schedule from the cursor on, which moves, after at least one that was made since
 * the slabs joined. Whatever the host cannot give a thread another one queues. */
void lm_slabs_sweep_abreast(lm_slabs *slabs, const lm_schedule *schedule, lm_cursor *cursor,
                            int64_t sweeps);

#endif
