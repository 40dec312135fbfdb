/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites by rows and by batches of replicas, on devices and in host memory. */
#ifndef LM_ROWS_H
#define LM_ROWS_H

#include "lib/lattice/lattice.h"
#include "lib/lattice/lattice_chunks.h"

/* Reads rows of a replica. `rows` is a chunk from lm_next_rows(), or all rows. */
latmc_status lm_get_rows(const latmc_lattice *lattice, const char *caller, int64_t replica,
                         lm_chunk rows, void *sites);

/* lm_get_batch() reads the rows of a batch. lm_put_batch() writes them to one of the lattice's
 * plans that has its memory. */
latmc_status lm_get_batch(const latmc_lattice *lattice, const char *caller, const lm_batch *batch,
                          void *sites);
latmc_status lm_put_batch(const latmc_lattice *lattice, const char *caller, lm_plan to,
                          const lm_batch *batch, const void *sites);

#endif
