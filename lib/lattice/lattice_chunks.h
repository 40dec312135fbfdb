/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides a lattice's sites into chunks. A buffer has room for one chunk. */
#ifndef LM_LATTICE_CHUNKS_H
#define LM_LATTICE_CHUNKS_H

#include "lib/base/chunk.h"
#include "lib/lattice/lattice.h"

/* Returns the rows of a layer. A chain is one layer here. */
int64_t lm_layer_rows(const latmc_lattice *lattice);
/* Returns the most rows of a chunk, at least 1. A chunk has about a million numbers: its buffer is
 * small, and devices are called seldom. */
int64_t lm_chunk_rows(const latmc_lattice *lattice);
/* Does what lm_next_chunk() does, for the rows of a replica. Chunks are whole layers, or begin with
 * eight numbers of the layer in which they end (lib/geometry/leaves.h). */
int lm_next_rows(const latmc_lattice *lattice, lm_chunk *chunk);
/* Returns the chunk that contains a row. */
lm_chunk lm_chunk_with(const latmc_lattice *lattice, int64_t row);

/* Sites that are moved at once: a chunk of a replica, or several consecutive replicas if a chunk
 * holds a whole replica. */
typedef struct lm_batch {
    int64_t replica, replicas;
    lm_chunk rows;
} lm_batch;
/* Advances to the next batch of these replicas, or of all; {0} stands before the first one. Returns
 * 0 if there is none. */
int lm_next_batch_of(const latmc_lattice *lattice, lm_chunk replicas, lm_batch *batch);
int lm_next_batch(const latmc_lattice *lattice, lm_batch *batch);
/* These return the numbers of a batch, and the most numbers that any batch has. */
int64_t lm_batch_numbers(const latmc_lattice *lattice, const lm_batch *batch);
int64_t lm_batch_room(const latmc_lattice *lattice);

#endif
