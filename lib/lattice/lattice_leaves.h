/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the leaves in which a lattice's sites, couplings, fields and weights are held and
 * saved. */
#ifndef LM_LATTICE_LEAVES_H
#define LM_LATTICE_LEAVES_H

#include "lib/geometry/leaves.h"
#include "lib/lattice/lattice.h"

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice);
/* Returns the leaves of given couplings or fields. */
lm_leaves lm_leaves_of_disorder(const latmc_lattice *lattice, lm_owner owner);
/* Returns how many trunks a sample has: one for each bond type, or one for its sites. */
int lm_trunks_of_sample(const latmc_lattice *lattice, lm_owner owner);
/* Returns the leaves of a set of weights. */
lm_leaves lm_leaves_of_weights(const latmc_lattice *lattice, const lm_weights *weights);

#endif
