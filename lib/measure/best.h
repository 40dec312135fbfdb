/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking for the best sites (lib/lattice/best.h has their memory). */
#ifndef LM_BEST_LOOK_H
#define LM_BEST_LOOK_H

#include "lib/lattice/lattice.h"

/* Groups of sums that looking for best sites needs, 0 if none are kept. */
unsigned lm_best_groups(const latmc_lattice *lattice);
/* By a measurement of these groups, or by one of its own, keeps the sites of replicas that are
 * better than ever. */
latmc_status lm_best_look(latmc_lattice *lattice, const char *caller, const double *sums);
latmc_status lm_best_measure(latmc_lattice *lattice, const char *caller);

#endif
