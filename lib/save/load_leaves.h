/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads sites, given couplings and given fields. */
#ifndef LM_LOAD_LEAVES_H
#define LM_LOAD_LEAVES_H

#include "lib/save/section.h"

/* Refuses sites, or best sites, of another length than the lattice's, and best sites without their
 * energies. */
latmc_status lm_check_sites_length(const lm_source *source, const lm_found *found,
                                   const latmc_lattice *lattice);

/* The energies of best sites. */
lm_take lm_take_best;

/* Couplings and fields that are given, best sites of which the energies are loaded, and sites. */
latmc_status lm_load_leaves(lm_source *source, const lm_found *found, latmc_lattice *lattice);

#endif
