/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares a lattice in pieces: slabs (slab_plan.c) or lots of replicas (lot_plan.c). Each piece is
 * a plan on a device. Together the pieces are a plan that is used like any other. With ranks, the
 * plan's operations are collective, unless backends/backend.h or a comment here says otherwise.
 */
#ifndef LM_PIECES_H
#define LM_PIECES_H

#include "lib/devices/devices.h"
#include "lib/divide/division.h"
#include "lib/devices/plan.h"

/* The pieces of this rank. */
typedef struct lm_pieces {
    lm_spec whole;
    const lm_division *division;
    lm_ranks *ranks;
    int first, count; /* the first piece's number among all pieces; number of pieces here */
    lm_spec *specs;
    lm_plan *plans;
    int alone; /* 1: get_sites() is not collective and reads this rank's sites alone */
} lm_pieces;

/* Lets each rank ask for its own sites alone, until it is called with `alone` = 0. The lattice must
 * be on devices of several ranks, or on none. */
void lm_pieces_alone(lm_plan plan, int alone);

/* The plan's self begins with its pieces. The file that makes the plan opens and closes them: */
latmc_status lm_pieces_begin(lm_pieces *pieces, const lm_device_list *where, const lm_spec *spec,
                             const lm_division *division, lm_ranks *ranks,
                             void (*spec_of)(const lm_division *division, int number,
                                             lm_spec *spec));
void lm_pieces_end(lm_pieces *pieces);

/* These are in lib/divide/slab_plan.c and lib/divide/lot_plan.c. The first two make a piece's spec
 * of the whole lattice's. The other two open the plan of a divided lattice. The caller keeps ranks
 * and division. They must live as long as the plan. */
void lm_cut_spec(const lm_division *division, int number, lm_spec *spec);
void lm_deal_spec(const lm_division *division, int number, lm_spec *spec);
latmc_status lm_cut_open(const lm_device_list *where, const lm_spec *spec,
                         const lm_division *division, lm_ranks *ranks, lm_plan *plan);
latmc_status lm_deal_open(const lm_device_list *where, const lm_spec *spec,
                          const lm_division *division, lm_ranks *ranks, lm_plan *plan);

/* Bytes of a row of sites, as rows cross to lib/. */
int64_t lm_pieces_row_bytes(const lm_spec *spec);

/* Operations of both. Those that put bonds and values are not collective. */
latmc_status lm_pieces_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                 int64_t rows, const int8_t *bonds);
latmc_status lm_pieces_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                  int64_t rows, const double *values);
latmc_status lm_pieces_start(void *plan, latmc_start_mode mode);
void lm_pieces_set_threads(void *plan, int threads);
unsigned lm_pieces_crosses(const void *plan);
latmc_status lm_pieces_wait(void *plan); /* returns the first failure, after all pieces here have
                                            finished */

#endif
