/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes leaves of sites by the ranks that have them. Each rank sums and writes its own leaves. All
 * ranks compute the sum of all sums. */
#include "lib/save/leaves_here.h"

#include <stdlib.h>

#include "lib/base/checksum.h"
#include "lib/base/chunk.h"
#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/divide/pieces.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/leaves_of.h"
#include "lib/lattice/need.h"
#include "lib/lattice/rows.h"
#include "lib/save/leaf_writer.h"

/* The share of a rank: some replicas, and some leaves of each of them. */
typedef struct rank_leaves {
    int64_t first_replica, replicas;
    int64_t first_leaf, leaves;
} rank_leaves;

/* Returns a rank's share. Sites that are on no device are on every rank, and the first rank writes
 * them. */
static rank_leaves share_of(const latmc_lattice *lattice, const lm_leaves *l, int rank)
{
    const lm_division *d = lattice->home.division;
    rank_leaves s = {.replicas = lattice->replicas, .leaves = l->per_trunk};
    int64_t first, count;

    if (!d) {
        s.replicas = rank ? 0 : s.replicas;
        return s;
    }
    first = d->begin[d->of_rank[rank]];
    count = d->begin[d->of_rank[rank + 1]] - first;
    if (d->kind == LATMC_DIVIDE_REPLICAS) {
        s.first_replica = first;
        s.replicas = count;
    } else {
        s.first_leaf = first;
        s.leaves = count;
    }
    return s;
}

/* Returns the share's leaves of one replica, as leaves of their own. */
static lm_leaves leaves_of(const lm_leaves *all, const rank_leaves *s)
{
    lm_leaves own = *all;

    own.trunks = 1;
    own.per_trunk = s->leaves;
    own.numbers = s->leaves < all->per_trunk ? s->leaves * all->leaf_numbers : all->numbers;
    return own;
}

/* Writes this rank's leaves of one replica, and their sums to `sums`. */
static latmc_status put_replica(const latmc_lattice *lattice, const char *caller, int64_t replica,
                                const rank_leaves *s, lm_sink *sink, void *rows, uint8_t *sums)
{
    const lm_leaves all = lm_leaves_of_sites(lattice), own = leaves_of(&all, s);
    const int64_t width = lm_row_numbers(lattice),
                  end = s->first_leaf * all.leaf_numbers / width + own.numbers / width;
    lm_chunk c = {s->first_leaf * all.leaf_numbers / width, 0};
    lm_leaf_writer w;
    latmc_status status = lm_leaf_writer_open(&w, caller, &own, sink);
    uint64_t unused;

    w.sums = sums;
    while (!status && c.first + c.count < end && lm_next_rows(lattice, &c)) {
        if (c.first + c.count > end)
            c.count = end - c.first;
        status = lm_get_rows(lattice, caller, replica, c, rows);
        if (!status)
            status = lm_leaf_writer_add(&w, rows, c.count * width);
    }
    if (!status)
        status = lm_leaf_writer_end(&w, &unused);
    lm_leaf_writer_close(&w);
    return status;
}

/* Writes this rank's leaves of all replicas to their places. */
static latmc_status put_share(const latmc_lattice *lattice, const char *caller,
                              const rank_leaves *s, lm_sink *sink, uint64_t offset, uint8_t *sums)
{
    const lm_leaves l = lm_leaves_of_sites(lattice);
    const uint64_t trunk = (uint64_t)(lm_trunk_bytes(&l) + l.per_trunk * LM_SUM_BYTES);
    const uint64_t leaf = (uint64_t)(lm_leaf_bytes(&l, 0) + LM_SUM_BYTES);
    void *rows =
        lm_zeroed(caller, "some rows of sites", lm_chunk_rows(lattice) * lm_row_numbers(lattice),
                  lattice->type->entry.bytes);
    latmc_status status = rows ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int64_t i = 0; i < s->replicas && !status; i++) {
        const int64_t r = s->first_replica + i;

        if (sink)
            status = sink->go(sink, offset + (uint64_t)r * trunk + (uint64_t)s->first_leaf * leaf);
        if (!status)
            status =
                put_replica(lattice, caller, r, s, sink, rows, sums + i * s->leaves * LM_SUM_BYTES);
    }
    free(rows);
    return status;
}

/* Computes the sum of all from the sums of all leaves, which come rank by rank. */
static uint64_t sum_of_all(const latmc_lattice *lattice, const lm_leaves *l, const int64_t *begin,
                           const uint8_t *sums)
{
    const int ranks = lm_ranks_count(lattice->ranks);
    lm_tree tree;

    lm_tree_begin(&tree, l);
    for (int64_t r = 0; r < l->trunks; r++)
        for (int rank = 0; rank < ranks; rank++) {
            const rank_leaves s = share_of(lattice, l, rank);

            if (r >= s.first_replica && r < s.first_replica + s.replicas)
                lm_tree_add(&tree,
                            sums + (begin[rank] + (r - s.first_replica) * s.leaves) * LM_SUM_BYTES,
                            LM_SUM_BYTES, s.leaves);
        }
    return lm_tree_value(&tree);
}

latmc_status lm_put_sites_here(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                               uint64_t offset, uint64_t *hash)
{
    const int ranks = lm_ranks_count(lattice->ranks), rank = lm_ranks_own(lattice->ranks);
    const lm_leaves l = lm_leaves_of_sites(lattice);
    const rank_leaves own = share_of(lattice, &l, rank);
    int64_t *begin = lm_zeroed(caller, "the leaves of ranks", ranks + 1, sizeof *begin);
    uint8_t *sums = lm_zeroed(caller, "the sums of leaves", l.trunks * l.per_trunk, LM_SUM_BYTES);
    latmc_status status = begin && sums ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int r = 0; r < ranks && !status; r++) {
        const rank_leaves s = share_of(lattice, &l, r);

        begin[r + 1] = begin[r] + s.replicas * s.leaves;
    }
    lm_pieces_alone(lattice->home.plan, 1);
    if (!status)
        status = put_share(lattice, caller, &own, sink, offset, sums + begin[rank] * LM_SUM_BYTES);
    lm_pieces_alone(lattice->home.plan, 0);
    status = lm_everywhere(lattice, status);
    if (!status)
        status = lm_ranks_gather(lattice->ranks, sums, begin, LM_SUM_BYTES);
    if (!status)
        *hash = sum_of_all(lattice, &l, begin, sums);
    free(begin);
    free(sums);
    return status;
}
