/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of the phi^4 model at many values of mu2, and the pictures of it. */
#ifndef PHASE_H
#define PHASE_H

#include "results.h"

enum { PHASE_LATTICES = 4, PHASE_PANELS = 5 };

#define PHASE_PICTURE "phi4-phase.png"
#define PHASE_DATA    "phi4-phase.dat"

typedef struct phase_scan {
    char extents[NAME_BYTES];
    double g, inv_lambda, from, to; /* the range of mu2 */
    int64_t steps;                  /* measured ones */
    double seconds;

    results r;                /* replica 0 has the least mu2 */
    const double *mu2;        /* of each replica */
    double critical;          /* Binder cumulant at the transition; NaN if unknown */
    double transition, error; /* mu2 there; NaN if the cumulants do not pass that value */
    int shown[PHASE_PANELS];  /* replicas whose field is drawn */
    float *fields;            /* a plane of each */
    char picture[NAME_BYTES + 32];
    int drawn;
} phase_scan;

/* Both in the current directory. The data: a block of lines for each lattice. */
void phase_write_data(const phase_scan *scans, int count);

/* 1 if the picture was drawn, 0 if gnuplot is missing or failed. */
int phase_draw(const phase_scan *scans, int count);

#endif
