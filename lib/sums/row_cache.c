/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/row_cache.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/rows.h"

/* Returns how many numbers the cache may hold if a replica is one chunk. The cache always holds at
 * least two replicas. Rows from a device are worth some megabytes. Rows from host memory are read
 * again in less time than the system needs to provide as many pages. */
static int64_t budget_of(const latmc_lattice *lattice)
{
    const lm_plan_ops *const ops = lattice->home.plan.ops;

    return (int64_t)1 << (ops && ops->read_at_once ? 16 : 22);
}

latmc_status lm_row_cache_open(lm_row_cache *cache, const latmc_lattice *lattice,
                               const char *caller, int together)
{
    const int64_t budget = budget_of(lattice), rows = lm_chunk_rows(lattice);
    const int64_t numbers = rows * lm_row_numbers(lattice);
    const int whole = rows == lattice->rows;
    const int64_t pairs = (lattice->replicas + 1) / 2, fit = budget / (2 * numbers);
    int64_t slots;

    *cache = (lm_row_cache){.lattice = lattice,
                            .caller = caller,
                            .sets = !whole || fit < 1 ? 1
                                    : fit < pairs     ? fit
                                                      : pairs,
                            .ways = whole ? 2 : together};
    cache->bytes = (size_t)numbers * (size_t)lattice->type->entry.bytes;
    slots = cache->sets * cache->ways;
    cache->chunks = lm_unzeroed(caller, "some rows of sites", slots, cache->bytes);
    cache->replica = lm_zeroed(caller, "whose rows they are", slots, sizeof *cache->replica);
    cache->first = lm_zeroed(caller, "which rows they are", slots, sizeof *cache->first);
    cache->used = lm_zeroed(caller, "when they were used", slots, sizeof *cache->used);
    return cache->chunks && cache->replica && cache->first && cache->used ? LATMC_OK
                                                                          : LATMC_ERROR_MEMORY;
}

void lm_row_cache_close(lm_row_cache *cache)
{
    free(cache->chunks);
    free(cache->replica);
    free(cache->first);
    free(cache->used);
}

/* Returns the place of a replica's chunk: the place that has the chunk, or else the place that was
 * used longest ago. */
static int64_t place_of(const lm_row_cache *cache, int64_t replica, int64_t first)
{
    const int64_t begin = replica % cache->sets * cache->ways, end = begin + cache->ways;
    int64_t oldest = begin;

    for (int64_t i = begin; i < end; i++) {
        if (cache->replica[i] == replica + 1 && cache->first[i] == first)
            return i;
        if (cache->used[i] < cache->used[oldest])
            oldest = i;
    }
    return oldest;
}

latmc_status lm_row_cached(lm_row_cache *cache, int64_t replica, int64_t row, const char **sites)
{
    const latmc_lattice *lattice = cache->lattice;
    const lm_chunk known = cache->recent;
    const int within = row >= known.first && row < known.first + known.count;
    const lm_chunk rows = within ? known : lm_chunk_with(lattice, row);
    const int64_t at = place_of(cache, replica, rows.first);
    char *const chunk = cache->chunks + (size_t)at * cache->bytes;
    latmc_status status = LATMC_OK;

    cache->recent = rows;
    if (cache->replica[at] != replica + 1 || cache->first[at] != rows.first) {
        cache->replica[at] = 0;
        status = lm_get_rows(lattice, cache->caller, replica, rows, chunk);
    }
    if (status)
        return status;
    cache->replica[at] = replica + 1;
    cache->first[at] = rows.first;
    cache->used[at] = ++cache->clock;
    *sites = chunk + (size_t)((row - rows.first) * lm_row_numbers(lattice)) *
                         (size_t)lattice->type->entry.bytes;
    return LATMC_OK;
}
