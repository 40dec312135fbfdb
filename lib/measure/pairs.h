/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures observables of pairs of replicas. */
#ifndef LM_PAIRS_H
#define LM_PAIRS_H

#include "lib/lattice/lattice.h"

/* lm_pairs_check() refuses impossible requests; `replicas` has pairs as the caller counts replicas.
 * lm_pairs_bundles() returns the bundles that the observables read. lm_pairs_sum() computes
 * sums[pair][k] of these bundles and writes no others. */
latmc_status lm_pairs_check(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *replicas, int count, const latmc_observable *observables,
                            const double *values);
unsigned lm_pairs_bundles(const latmc_lattice *lattice, int count,
                          const latmc_observable *observables);
latmc_status lm_pairs_sum(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                          int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
