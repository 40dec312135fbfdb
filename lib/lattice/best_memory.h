/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the memory for best sites; lib/measure/best.c looks for them. */
#ifndef LM_BEST_MEMORY_H
#define LM_BEST_MEMORY_H

#include "lib/lattice/lattice.h"

/* Allocates memory for every replica's best sites, in their present representation. No sites are
 * best so far. */
latmc_status lm_best_make(const latmc_lattice *lattice, const char *caller, lm_best *best);
/* Allocates the buffers for a measurement. Given couplings decide how many there are, so they must be
 * known. */
latmc_status lm_best_make_sums(const latmc_lattice *lattice, const char *caller, lm_best *best);
/* Forget the best sites, of one replica or of all. */
void lm_best_forget(latmc_lattice *lattice, int64_t replica);
void lm_best_restart(latmc_lattice *lattice);
void lm_best_free(lm_best *best);

#endif
