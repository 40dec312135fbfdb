/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites by rows and by batches of replicas, from and to wherever they are. */
#ifndef LM_ROWS_H
#define LM_ROWS_H

#include "lib/lattice/chunks.h"
#include "lib/lattice/lattice.h"

/* Rows of a replica, from wherever they are; chunks as lm_next_rows() makes
 * them, or all. */
latmc_status lm_get_rows(const latmc_lattice *lattice, const char *caller, int64_t replica,
                         lm_chunk rows, void *sites);

/* The same of a batch; and to a plan of the lattice's that has its memory. */
latmc_status lm_get_batch(const latmc_lattice *lattice, const char *caller, const lm_batch *batch,
                          void *sites);
latmc_status lm_put_batch(const latmc_lattice *lattice, const char *caller, lm_plan to,
                          const lm_batch *batch, const void *sites);

#endif
