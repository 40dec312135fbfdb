/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over sites at all momenta of a lattice, row by row: doc/trajectory.md, "Momenta". */
#ifndef LM_MOMENTUM_SUMS_H
#define LM_MOMENTUM_SUMS_H

#include "lib/settings/momenta.h"
#include "lib/sums/adders.h"

typedef struct lm_momentum_adding {
    const struct lm_momenta *of;
    int terms;            /* numbers of a site */
    int64_t width;        /* lm_momentum_width() */
    int64_t layer, left;  /* bars of a layer, and those that are left in the present one */
    lm_adders bars, all;  /* of a layer, and of the layers */
    double *sums;         /* buffer: a layer's sums, [width] */
    double *even, *odd;   /* buffers: sums of a bar's even and odd sites, [2][momentum] */
    double *outer, *room; /* buffers: the factors of a row, and others */
} lm_momentum_adding;

/* Opens sums of so many terms of each site. The caller closes them even after a failure. */
latmc_status lm_momentum_open(lm_momentum_adding *a, const latmc_lattice *lattice,
                              const char *caller, int terms);
void lm_momentum_close(lm_momentum_adding *a);

/* Begins the row of this number. Rows come in natural order. */
void lm_momentum_row(lm_momentum_adding *a, int64_t row);
/* Adds some sites of the row. They begin with a bar, and end with a bar or with the row. Site i
 * has terms[k * stride + i], k < a->terms. */
void lm_momentum_add(lm_momentum_adding *a, int64_t first, int64_t count, const double *terms,
                     int64_t stride);
/* For sites whose terms have two values, as bits say. lm_momentum_bits_prepare() computes the sums
 * of eight sites, struct lm_momenta.bits. A term with bit b is values[b]. lm_momentum_add_bits()
 * adds the next bars of the row. Term k has bits[k], site i of these from bit i on. */
enum { LM_MOMENTUM_BITS = 4 }; /* the most bars */
latmc_status lm_momentum_bits_prepare(struct lm_momenta *of, const char *caller,
                                      const double values[2]);
void lm_momentum_add_bits(lm_momentum_adding *a, int64_t first, int bars, const uint64_t *bits);
/* Writes the sums, [term][2][momentum], after the last row. They then begin anew. */
void lm_momentum_end(lm_momentum_adding *a, double *sums);

#endif
