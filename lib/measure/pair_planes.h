/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs by planes, which a plan counts. */
#ifndef LM_PAIR_PLANES_H
#define LM_PAIR_PLANES_H

#include "lib/lattice/lattice.h"

/* Can a plan of the lattice's count pairs by planes? Their waves, by the plan's numbers of
 * replicas. */
int lm_pairs_have_planes(const latmc_lattice *lattice, lm_plan plan);
latmc_status lm_pairs_of_planes(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
