/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sums over pairs from counts by planes, which a plan makes. */
#ifndef LM_PAIR_PLANES_H
#define LM_PAIR_PLANES_H

#include "lib/lattice/lattice.h"

/* lm_pairs_have_planes() returns whether one of the lattice's plans can count pairs by planes.
 * lm_pairs_of_planes() computes the pairs' waves. `replicas` has the plan's own numbers. */
int lm_pairs_have_planes(const latmc_lattice *lattice, lm_plan plan);
latmc_status lm_pairs_of_planes(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
