/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice that is cut: its slabs are a plan like any other, to whoever opens, sweeps, measures
 * and closes it.
 */
#ifndef LM_CUT_H
#define LM_CUT_H

#include "lib/plan.h"

enum { LM_MAX_SLABS = 64 };

/* Where a lattice is cut: the layers at which its second slab and those after it begin. */
typedef struct lm_cuts {
    int count; /* of cuts; 0: the lattice is whole */
    int64_t layer[LM_MAX_SLABS - 1];
} lm_cuts;

/* As few slabs, alike as can be, as have at most so many sites each with their halos, between tiles
 * if the lattice has any. None, if it is small enough or there are no such slabs. */
lm_cuts lm_cuts_for(const lm_spec *spec, int64_t most_sites);

int lm_cuts_are_equal(const lm_cuts *a, const lm_cuts *b);

/* As lm_plan_open() of a whole lattice: cut, if there are cuts. Refuses cuts that there cannot be;
 * updates whose tiles they cut are refused by `serves`. */
latmc_status lm_cut_open(const lm_backend *backend, const lm_spec *spec, int device,
                         const lm_cuts *cuts, lm_plan *plan);

#endif
