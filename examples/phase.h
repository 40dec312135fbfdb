/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of the phi^4 model at many values of mu2, and the pictures of it. */
#ifndef PHASE_H
#define PHASE_H

#include "results.h"

enum { PHASE_LATTICES = 4, PHASE_PANELS = 5 };

#define PHASE_PICTURE "phi4-phase.png"
#define PHASE_DATA    "phi4-phase.dat"

typedef struct phase_scan {
    lattice_flags wish;
    int number; /* of the lattice: its seed is that of the run plus number * 2^32 */
    latmc_lattice *lattice;
    schedule steps; /* `rounds` times the same */
    const char *round;
    int rounds;
    char extents[NAME_BYTES];
    double g, inv_lambda, from, to; /* the range of mu2 */
    int64_t tune, thermalize;       /* sweeps; steps */
    int64_t wanted;                 /* steps with a measurement */
    double seconds;

    results r;         /* replica 0 has the least mu2 */
    const double *mu2; /* of each replica */
    double critical;   /* Binder cumulant at the transition; NaN if unknown */
    double transition; /* mu2 where the cumulant has that value; NaN if nowhere */
    double statistical, systematic,
        error;               /* its errors, and both in squares; `systematic` is NaN if
                                no smaller lattice shows it, and then not in `error` */
    int doubtful;            /* the error of a point that was used is */
    int shown[PHASE_PANELS]; /* replicas whose field is drawn */
    float *fields;           /* a plane of each; NULL: the lattice has none */
    char picture[NAME_BYTES + 32];
} phase_scan;

/* The Binder cumulant at the transition of a large lattice; NaN if it is not known. */
double phase_critical(const latmc_lattice_info *info);

/* The transition and its statistical error from the estimates. */
void phase_locate(phase_scan *s);

/* Adds the systematic error, which a lattice of half the extents shows. */
void phase_correct(phase_scan *s, const phase_scan *half);

/* Whether xi is a correlation length at that point: not in the ordered phase. */
int phase_has_length(const phase_scan *s, int64_t replica);

void phase_print(const phase_scan *s);
void phase_json(const phase_scan *s, json *j);

/* Both in the current directory. The data: a block of lines for each lattice. 1 if it was
 * written, otherwise says why not. */
int phase_write_data(const phase_scan *scans, int count);

/* From the data. 1 if the picture was drawn, 0 if gnuplot is missing, -1 if it failed. */
int phase_draw(const phase_scan *scans, int count);

/* The field of one lattice, if it has one. 1 if it was drawn. */
int phase_draw_field(const phase_scan *s);

#endif
