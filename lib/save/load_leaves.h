/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads sites, given couplings and given fields. */
#ifndef LM_LOAD_LEAVES_H
#define LM_LOAD_LEAVES_H

#include "lib/save/section.h"

/* Refuses sites, or best sites, of another length than the lattice's. Refuses best sites without
 * their energies, and weights without their list. */
latmc_status lm_check_sites_length(const lm_source *source, const lm_found *found,
                                   const latmc_lattice *lattice);

/* The energies of best sites. */
lm_section_take lm_take_best;

/* Check numbers that were read in place, and turn real numbers into the host's form. `what` names a
 * number in messages. *are_signs becomes 1 if all are -1, 0 or +1. */
latmc_status lm_check_signs(const lm_source *source, int64_t count, const int8_t *signs,
                            const char *what);
latmc_status lm_decode_reals(const lm_source *source, int64_t count, double *reals,
                             const char *what, int *are_signs);

/* Couplings and fields that are given, weights of which the list is loaded, best sites of which the
 * energies are loaded, and sites. */
latmc_status lm_load_leaves(lm_source *source, const lm_found *found, latmc_lattice *lattice);

#endif
