/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for the best sites. lib/lattice/best_memory.h has their memory. */
#ifndef LM_BEST_H
#define LM_BEST_H

#include "lib/lattice/lattice.h"

/* Returns the bundles that looking for best sites needs, or 0 if none are kept. */
unsigned lm_best_bundles(const latmc_lattice *lattice);
/* lm_best_look() keeps the sites of every replica whose energy is the lowest so far. `sums` is a
 * measurement of the bundles above. lm_best_measure() makes the measurement itself. */
latmc_status lm_best_look(latmc_lattice *lattice, const char *caller, const double *sums);
latmc_status lm_best_measure(latmc_lattice *lattice, const char *caller);

#endif
