/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice in pieces: slabs (cut.c) or lots of replicas (deal.c), each a plan on a device. To
 * whoever opens, sweeps, measures and closes them they are a plan like any other; with ranks its
 * operations are collective, but for those that say otherwise in backends/backend.h or here.
 */
#ifndef LM_PIECES_H
#define LM_PIECES_H

#include "lib/devices/devices.h"
#include "lib/divide/division.h"
#include "lib/devices/plan.h"

/* Those that are here. */
typedef struct lm_pieces {
    lm_spec whole;
    const lm_division *division;
    lm_ranks *ranks;
    int first, count; /* numbers among all pieces */
    lm_spec *specs;
    lm_plan *plans;
    int alone; /* get_sites() is not collective: it has what is here */
} lm_pieces;

/* A lattice on some devices, divided as is said; ranks and division stay the caller's, and must
 * live as long as the plan. */
latmc_status lm_pieces_open(const lm_where *where, const lm_spec *spec, const lm_division *division,
                            lm_ranks *ranks, lm_plan *plan);

/* Where ranks ask for their own sites, each for others, until it is taken back; of a lattice that
 * is on devices of several ranks, or on none. */
void lm_pieces_alone(lm_plan plan, int alone);

/* The plan's self begins with its pieces, which the file that makes it opens and closes: */
latmc_status lm_pieces_begin(lm_pieces *pieces, const lm_where *where, const lm_spec *spec,
                             const lm_division *division, lm_ranks *ranks,
                             void (*spec_of)(const lm_pieces *pieces, int number, lm_spec *spec));
void lm_pieces_end(lm_pieces *pieces);

/* lib/divide/cut.c, lib/divide/deal.c */
latmc_status lm_cut_open(const lm_where *where, const lm_spec *spec, const lm_division *division,
                         lm_ranks *ranks, lm_plan *plan);
latmc_status lm_deal_open(const lm_where *where, const lm_spec *spec, const lm_division *division,
                          lm_ranks *ranks, lm_plan *plan);

/* Bytes of a row of sites, as rows cross to lib/. */
int64_t lm_pieces_row_bytes(const lm_spec *spec);

/* Operations of both. Those that put bonds and values are not collective. */
latmc_status lm_pieces_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                 int64_t rows, const int8_t *bonds);
latmc_status lm_pieces_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                  int64_t rows, const double *values);
latmc_status lm_pieces_start(void *plan, latmc_start_mode mode);
void lm_pieces_set_threads(void *plan, int threads);
latmc_status lm_pieces_wait(void *plan); /* the first failure, after all here have finished */

#endif
