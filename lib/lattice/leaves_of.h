/* SPDX-License-Identifier: BSD-3-Clause */
/* The leaves in which a lattice's sites, couplings and fields are held and saved. */
#ifndef LM_LEAVES_OF_H
#define LM_LEAVES_OF_H

#include "lib/geometry/leaves.h"
#include "lib/lattice/lattice.h"

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice);
/* Returns the leaves of given couplings or fields. */
lm_leaves lm_leaves_of(const latmc_lattice *lattice, lm_owner owner);

#endif
