/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides a long call into portions, so that the progress callback is called about ten times a
 * second. Without a callback there is one portion.
 */
#ifndef LM_PACE_H
#define LM_PACE_H

#include "lib/base/floats.h"
#include "lib/lattice/lattice.h"

typedef struct lm_pace {
    lm_watch *watch;
    lm_floats *host;     /* the floating-point environment of the callback */
    int64_t total, done; /* sweeps */
    int64_t portion;     /* sweeps that take about a tenth of a second */
    int in_portions;     /* some rank has a callback */
    double began, told;  /* times in seconds: of this portion's begin, of the last callback */
} lm_pace;

/* Begins a call. It is collective, and so is lm_pace_did(). */
lm_pace lm_pace_begin(lm_watch *watch, lm_floats *host, int64_t total);

/* Returns how many sweeps to do next, or 0 when all are done. */
int64_t lm_pace_next(lm_pace *pace);

/* Counts `sweeps` as done and calls the callback if it is time. Returns nonzero if a callback wants
 * to stop. */
int lm_pace_did(lm_pace *pace, int64_t sweeps);
/* Returns LATMC_CANCELLED and sets its message. */
latmc_status lm_pace_stopped(const char *caller, const lm_pace *pace);

#endif
