/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sums over pairs of spins, whose products are whole numbers, 64 spins in a word. */
#ifndef LM_PAIR_SIGNS_H
#define LM_PAIR_SIGNS_H

#include "lib/lattice/lattice.h"

/* Computes some bundles[pair][k] (lib/physics/pair_sums.h) from the replicas' rows, on
 * devices and in host memory. Sites must be spins, products whole numbers, and a replica one chunk.
 * lm_pairs_by_rows() gives the same sums. */
latmc_status lm_pairs_of_signs(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                               int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
