/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the sums of a pair of replicas. */
#ifndef LM_PAIR_COUNT_H
#define LM_PAIR_COUNT_H

#include "lib/lattice/lattice.h"

/* Returns how many sums a pair of replicas has without momenta, and how many with momenta if some
 * of the bundles have them. The latter of all pairs follow the former of all pairs. */
int lm_pair_sums_of(const latmc_lattice *lattice);
int lm_pair_sums_at(const latmc_lattice *lattice, unsigned bundles);

#endif
