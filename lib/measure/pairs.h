/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures quantities of pairs of replicas. */
#ifndef LM_PAIRS_H
#define LM_PAIRS_H

#include "lib/lattice/lattice.h"

/* lm_pairs_check() and lm_pair_quantities_check() refuse impossible requests. `replicas` has pairs
 * as the caller counts replicas, and *bundles becomes the bundles that the quantities read.
 * lm_pairs_sum() computes sums[pair][k] of these bundles and writes no others. Behind them it
 * writes the sums with momenta, [pair][k], if there are any (lm_pair_sums_at()). */
latmc_status lm_pairs_check(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *replicas);
latmc_status lm_pair_quantities_check(const latmc_lattice *lattice, const char *caller,
                                      int64_t count, const latmc_quantity *quantities,
                                      const double *values, unsigned *bundles);
latmc_status lm_pairs_sum(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                          int64_t pairs, const int64_t (*replicas)[2], double *sums);

/* Stores a quantity that the lattice has, of all pairs and some measurements, from the sums that
 * lm_pairs_sum() has made of each measurement. The series of a pair begins `stride` values behind
 * that of the pair before. Threads share the pairs. */
void lm_pair_store(const latmc_lattice *lattice, const latmc_quantity *quantity, const double *sums,
                   int64_t pairs, int64_t measurements, double *values, int64_t stride);

#endif
