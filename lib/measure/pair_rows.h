/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs by the replicas' rows, of any model. */
#ifndef LM_PAIR_ROWS_H
#define LM_PAIR_ROWS_H

#include "lib/lattice/lattice.h"

/* Some groups of the sums of pairs, sums[pair][k] (lib/physics/pair_sums.h), by the replicas' rows,
 * from wherever these are: of any model, in chunks. */
latmc_status lm_pairs_by_rows(const latmc_lattice *lattice, const char *caller, unsigned groups,
                              int64_t pairs, const int64_t (*replicas)[2], double *sums);

#endif
