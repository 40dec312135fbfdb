/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts a long call into pieces, so that the progress callback is called about ten
 * times a second. Without a callback there is one piece.
 */
#ifndef LM_PACE_H
#define LM_PACE_H

#include "lib/base/floats.h"
#include "lib/lattice/lattice.h"

typedef struct lm_pace {
    lm_watch *watch;
    lm_floats *host;     /* the environment that the callback runs in */
    int64_t total, done; /* sweeps */
    int64_t piece;       /* sweeps that take about a tenth of a second */
    int in_pieces;       /* somebody wants to be told, here or on another rank */
    double began, told;  /* times: of this piece, of the last callback */
} lm_pace;

/* Collective, as lm_pace_did() is. */
lm_pace lm_pace_begin(lm_watch *watch, lm_floats *host, int64_t total);

/* Sweeps to do next; 0 when all are done. */
int64_t lm_pace_next(lm_pace *pace);

/* Tells that `sweeps` of them are done. Not 0: the callback wants to stop. */
int lm_pace_did(lm_pace *pace, int64_t sweeps);
/* LATMC_CANCELLED, with its message. */
latmc_status lm_pace_stopped(const char *caller, const lm_pace *pace);

#endif
