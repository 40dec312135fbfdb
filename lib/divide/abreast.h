/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues the sweeps of slabs side by side, with a host thread for each slab. One thread would be
 * slower: a device finishes a phase of a small slab before the thread has queued the phase on a few
 * other slabs.
 *
 * Invariant: all slabs have queued a phase before any slab queues the next one. So a slab reads its
 * neighbours as the phase before left them, as it does when one thread queues all slabs in turn. If
 * one slab fails, all slabs end with the same phase.
 */
#ifndef LM_ABREAST_H
#define LM_ABREAST_H

#include "lib/divide/slabs.h"

/* Returns whether that many sweeps can be queued side by side and are worth threads. The slabs must
 * belong to one rank. Their plans must queue their work, and all plans must be connected to their
 * neighbours. */
int lm_slabs_can_abreast(const lm_slabs *slabs, int64_t sweeps);

/* Makes sweeps of a schedule from the cursor on and advances the cursor. At least one sweep must
 * have been made since the slabs joined. If the host cannot create a thread, other threads do its
 * work. */
void lm_slabs_sweep_abreast(lm_slabs *slabs, const lm_schedule *schedule, lm_cursor *cursor,
                            int64_t sweeps);

#endif
