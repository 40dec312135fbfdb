/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier for a few microseconds of waiting. It spins a little and then sleeps, because
 * a thread that spins while its peer is not running keeps the CPU from those it waits for:
 * on a host with other work, spinning barriers cost most of the rate.
 */
#ifndef LM_BARRIER_H
#define LM_BARRIER_H

#include <stdatomic.h>

typedef struct lm_barrier {
    int threads;
    _Atomic int arrived;
    _Atomic int round;
    _Atomic int sleeping;
} lm_barrier;

/* Waits until all `threads` have called it. */
void lm_barrier_wait(lm_barrier *barrier);

#endif
