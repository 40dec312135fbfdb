/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs of spins, whose products are whole numbers, 64 of them to a word. */
#ifndef LM_PAIR_SIGNS_H
#define LM_PAIR_SIGNS_H

#include "lib/lattice/lattice.h"

/* Some groups of the sums of pairs, sums[pair][k] (lib/physics/pair_sums.h), by the replicas' rows,
 * from wherever these are: of spins, whose products are whole, 64 to a word, if a
 * replica is one chunk. lm_pairs_by_rows() makes the same of these. */
latmc_status lm_pairs_of_signs(const latmc_lattice *lattice, const char *caller, unsigned groups,
                               int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
