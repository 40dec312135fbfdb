/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sums over pairs from the replicas' rows, for any model. */
#ifndef LM_PAIR_ROWS_H
#define LM_PAIR_ROWS_H

#include "lib/lattice/lattice.h"

/* Computes some bundles[pair][k] (lib/physics/pair_sums.h) from the replicas' rows, on
 * devices and in host memory. It serves any model and any chunks. */
latmc_status lm_pairs_by_rows(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                              int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
