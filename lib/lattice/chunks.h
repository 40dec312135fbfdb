/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of a lattice in chunks, of which a buffer has room for one. */
#ifndef LM_CHUNKS_H
#define LM_CHUNKS_H

#include "lib/base/chunk.h"
#include "lib/lattice/lattice.h"

/* The most rows of a chunk, one at least: of about a million numbers a buffer is small and a device
 * seldom called. */
int64_t lm_chunk_rows(const latmc_lattice *lattice);
/* lm_next_chunk() for the rows of a replica: chunks are whole leaves (lib/geometry/leaves.h), or
 * begin at a whole byte of the leaf that they end in. */
int lm_next_rows(const latmc_lattice *lattice, lm_chunk *chunk);
/* The one of these chunks that a row is in. */
lm_chunk lm_chunk_with(const latmc_lattice *lattice, int64_t row);

/* Sites that are moved at once: such a chunk of a replica, or, where that is all of it, several
 * replicas that follow each other. */
typedef struct lm_batch {
    int64_t replica, replicas;
    lm_chunk rows;
} lm_batch;
/* The next one behind it, or the first one behind {0}; 0: there is none. */
int lm_next_batch(const latmc_lattice *lattice, lm_batch *batch);
/* Numbers of a batch, and the most that one has. */
int64_t lm_batch_numbers(const latmc_lattice *lattice, const lm_batch *batch);
int64_t lm_batch_room(const latmc_lattice *lattice);

#endif
