/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/lattice_chunks.h"

#include "lib/lattice/derived.h"

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int64_t lm_layer_rows(const latmc_lattice *lattice)
{
    return lattice->dims > 1 ? lattice->rows / lattice->extents[lattice->dims - 1] : 1;
}

/* The numbers of a chunk, unless a test sets others. */
#define CHUNK_NUMBERS ((int64_t)1 << 20)

int64_t lm_chunk_rows(const latmc_lattice *lattice)
{
    const int64_t wanted = lattice->chunk_numbers, budget = wanted ? wanted : CHUNK_NUMBERS;
    const int64_t row_numbers = lm_row_numbers(lattice), layer = lm_layer_rows(lattice);
    const int64_t unit = 8 / common_divisor(row_numbers, 8);
    int64_t rows = budget / row_numbers / unit * unit;

    if (rows >= layer)
        rows = rows / layer * layer;
    else if (rows < unit)
        rows = unit < layer ? unit : layer;
    return rows < lattice->rows ? rows : lattice->rows;
}

int lm_next_rows(const latmc_lattice *lattice, lm_chunk *chunk)
{
    const int64_t layer = lm_layer_rows(lattice), next = chunk->first + chunk->count;
    int64_t most = lm_chunk_rows(lattice);

    if (most < layer && most > layer - next % layer)
        most = layer - next % layer;
    return lm_next_chunk(chunk, lattice->rows, most);
}

lm_chunk lm_chunk_with(const latmc_lattice *lattice, int64_t row)
{
    const int64_t layer = lm_layer_rows(lattice), most = lm_chunk_rows(lattice);
    const int64_t before = most < layer ? row / layer * layer : 0;
    lm_chunk chunk = {before + (row - before) / most * most, 0};

    lm_next_rows(lattice, &chunk);
    return chunk;
}

/* Returns how many replicas a batch has. It is more than one only if a chunk holds a whole
 * replica. */
static int64_t batch_replicas(const latmc_lattice *lattice)
{
    const int64_t rows = lm_chunk_rows(lattice), numbers = rows * lm_row_numbers(lattice);
    const int64_t wanted = lattice->chunk_numbers, budget = wanted ? wanted : CHUNK_NUMBERS;
    const int64_t fit = budget / numbers;

    return rows < lattice->rows || fit < 1 ? 1 : fit < lattice->replicas ? fit : lattice->replicas;
}

int lm_next_batch_of(const latmc_lattice *lattice, lm_chunk replicas, lm_batch *batch)
{
    const int64_t first = batch->replicas ? batch->replica - replicas.first : 0;
    lm_chunk at = {first, batch->replicas};

    if (batch->replicas && lm_next_rows(lattice, &batch->rows))
        return 1;
    if (!lm_next_chunk(&at, replicas.count, batch_replicas(lattice)))
        return 0;
    *batch = (lm_batch){replicas.first + at.first, at.count, {0}};
    return lm_next_rows(lattice, &batch->rows);
}

int lm_next_batch(const latmc_lattice *lattice, lm_batch *batch)
{
    return lm_next_batch_of(lattice, (lm_chunk){0, lattice->replicas}, batch);
}

int64_t lm_batch_numbers(const latmc_lattice *lattice, const lm_batch *batch)
{
    return batch->replicas * batch->rows.count * lm_row_numbers(lattice);
}

int64_t lm_batch_room(const latmc_lattice *lattice)
{
    return batch_replicas(lattice) * lm_chunk_rows(lattice) * lm_row_numbers(lattice);
}
