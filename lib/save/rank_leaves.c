/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes leaves of sites by the ranks that have them. A rank sums and writes the leaves of which it
 * has the first layer. The other layers of such a leaf, less than 4 KiB, come from the ranks after
 * it. All ranks compute the sum of all sums.
 */
#include "lib/save/rank_leaves.h"

#include <stdlib.h>

#include "lib/base/checksum.h"
#include "lib/base/chunk.h"
#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/divide/pieces.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/lattice/need.h"
#include "lib/lattice/rows.h"
#include "lib/save/leaf_writer.h"

enum { BATCH_BYTES = 1 << 20 }; /* bytes that ranks tell each other at once */

/* The share of a rank: some replicas, some numbers of each of them, and the leaves that begin
 * there. Numbers before the first leaf are the rank's head. They are layers of a leaf that another
 * rank writes. */
typedef struct rank_share {
    int64_t first_replica, replicas;
    int64_t first, end; /* of the numbers */
    int64_t first_leaf, leaves;
    int64_t head; /* numbers */
} rank_share;

typedef struct writing {
    const latmc_lattice *lattice;
    const char *caller;
    lm_sink *sink;
    uint64_t offset; /* of the section */
    lm_leaves leaves;
    rank_share own;
    int64_t *heads_begin; /* [rank], and one more: bytes of a replica's heads before this one */
    int64_t *sums_begin;  /* [rank], and one more: number of leaves of earlier ranks */
    lm_chunk batch;       /* some of the share's replicas */
    int64_t batch_most;
    void *rows;     /* buffer for numbers */
    uint8_t *heads; /* [rank][replica of the batch], encoded */
    uint8_t *sums;  /* [rank][replica][leaf of the share] */
} writing;

/* Returns a rank's share. Sites that are on no device are on every rank, and the first rank writes
 * them. */
static rank_share share_of(const latmc_lattice *lattice, const lm_leaves *l, int rank)
{
    const lm_division *d = lattice->home.division;
    rank_share s = {.replicas = lattice->replicas, .end = l->numbers, .leaves = l->per_trunk};
    int64_t first, end, layer;

    if (!d) {
        s.replicas = rank ? 0 : s.replicas;
        return s;
    }
    first = d->begin[d->of_rank[rank]];
    end = d->begin[d->of_rank[rank + 1]];
    if (d->kind == LATMC_DIVIDE_REPLICAS) {
        s.first_replica = first;
        s.replicas = end - first;
        return s;
    }
    layer = l->numbers / lattice->extents[lattice->dims - 1];
    s.first = first * layer;
    s.end = end * layer;
    s.first_leaf = (s.first + l->leaf_numbers - 1) / l->leaf_numbers;
    s.leaves = (s.end + l->leaf_numbers - 1) / l->leaf_numbers - s.first_leaf;
    s.head = lm_min(s.first_leaf * l->leaf_numbers, s.end) - s.first;
    return s;
}

/* ---- heads */

/* Returns where the head of a replica of the batch is. */
static uint8_t *head_of(const writing *w, int rank, int64_t i)
{
    const int64_t *begin = w->heads_begin + rank;

    return w->heads + begin[0] * w->batch.count + (begin[1] - begin[0]) * i;
}

/* Gives all ranks the heads of a batch. The call is collective if there are any. */
static latmc_status share_heads(const writing *w)
{
    const latmc_lattice *lat = w->lattice;
    const int ranks = lm_ranks_count(lat->ranks), rank = lm_ranks_own(lat->ranks);
    const int64_t width = lm_row_numbers(lat);
    const lm_chunk rows = {w->own.first / width, w->own.head / width};
    latmc_status status = LATMC_OK;

    if (!w->heads_begin[ranks])
        return LATMC_OK;
    for (int64_t i = 0; rows.count > 0 && i < w->batch.count && !status; i++) {
        status = lm_get_rows(lat, w->caller, w->batch.first + i, rows, w->rows);
        if (!status)
            lm_leaves_encode(&w->leaves, w->rows, w->own.head, head_of(w, rank, i));
    }
    status = lm_everywhere(lat, status);
    return status ? status
                  : lm_ranks_gather(lat->ranks, w->heads, w->heads_begin, (size_t)w->batch.count);
}

/* ---- leaves */

/* Returns the end of the share's last leaf. */
static int64_t end_of_leaves(const writing *w)
{
    return lm_min((w->own.first_leaf + w->own.leaves) * w->leaves.leaf_numbers, w->leaves.numbers);
}

/* Adds the share's own numbers of a replica from its first leaf on. */
static latmc_status add_own(const writing *w, int64_t replica, lm_leaf_writer *to)
{
    const int64_t width = lm_row_numbers(w->lattice), end = w->own.end / width;
    lm_chunk c = {w->own.first_leaf * w->leaves.leaf_numbers / width, 0};
    latmc_status status = LATMC_OK;

    while (!status && c.first + c.count < end && lm_next_rows(w->lattice, &c)) {
        c.count = lm_min(c.count, end - c.first);
        status = lm_get_rows(w->lattice, w->caller, replica, c, w->rows);
        if (!status)
            status = lm_leaf_writer_add(to, w->rows, c.count * width);
    }
    return status;
}

/* Adds the rest of the last leaf, which is the heads of the next ranks. */
static latmc_status add_heads(const writing *w, int64_t i, lm_leaf_writer *to)
{
    const latmc_lattice *lat = w->lattice;
    int64_t left = end_of_leaves(w) - w->own.end;
    latmc_status status = LATMC_OK;

    for (int rank = lm_ranks_own(lat->ranks) + 1; left > 0 && !status; rank++) {
        const int64_t head = share_of(lat, &w->leaves, rank).head;

        lm_leaves_decode(&w->leaves, head_of(w, rank, i), 0, head, lat->type->decode, w->rows);
        status = lm_leaf_writer_add(to, w->rows, head);
        left -= head;
    }
    return status;
}

/* Returns the share's leaves of one replica, as leaves of their own. */
static lm_leaves own_leaves(const writing *w)
{
    lm_leaves own = w->leaves;

    own.trunks = 1;
    own.per_trunk = w->own.leaves;
    own.numbers = end_of_leaves(w) - w->own.first_leaf * own.leaf_numbers;
    return own;
}

/* Writes the share's leaves of a replica of the batch to their place, and keeps their sums. */
static latmc_status put_replica(const writing *w, int64_t i)
{
    const lm_leaves *l = &w->leaves, own = own_leaves(w);
    const int64_t replica = w->own.first_replica + w->batch.first + i;
    const int64_t trunk = lm_trunk_bytes(l) + l->per_trunk * LM_SUM_BYTES;
    const int64_t before = w->own.first_leaf * (lm_leaf_bytes(l, 0) + LM_SUM_BYTES);
    const int64_t sums = w->sums_begin[lm_ranks_own(w->lattice->ranks)];
    lm_leaf_writer to;
    uint64_t unused;
    latmc_status status = lm_leaf_writer_open(&to, w->caller, &own, w->sink);

    to.sums = w->sums + (sums + (w->batch.first + i) * w->own.leaves) * LM_SUM_BYTES;
    if (!status && w->sink)
        status = w->sink->go(w->sink, w->offset + (uint64_t)(replica * trunk + before));
    if (!status)
        status = add_own(w, replica, &to);
    if (!status)
        status = add_heads(w, i, &to);
    if (!status)
        status = lm_leaf_writer_end(&to, &unused);
    lm_leaf_writer_close(&to);
    return status;
}

static latmc_status put_share(writing *w)
{
    latmc_status status = LATMC_OK;

    while (!status && lm_next_chunk(&w->batch, w->own.replicas, w->batch_most)) {
        status = share_heads(w);
        for (int64_t i = 0; w->own.leaves > 0 && i < w->batch.count && !status; i++)
            status = put_replica(w, i);
    }
    return status;
}

/* Computes the sum of all from the sums of all leaves, which come rank by rank. */
static uint64_t sum_of_all(const writing *w)
{
    const int ranks = lm_ranks_count(w->lattice->ranks);
    lm_tree tree;

    lm_tree_begin(&tree, &w->leaves);
    for (int64_t r = 0; r < w->leaves.trunks; r++)
        for (int rank = 0; rank < ranks; rank++) {
            const rank_share s = share_of(w->lattice, &w->leaves, rank);
            const int64_t own = r - s.first_replica;

            if (own >= 0 && own < s.replicas)
                lm_tree_add(&tree, w->sums + (w->sums_begin[rank] + own * s.leaves) * LM_SUM_BYTES,
                            LM_SUM_BYTES, s.leaves);
        }
    return lm_tree_value(&tree);
}

/* ---- what a writing needs */

/* Sets where the heads and sums of each rank are. Returns the numbers of the longest head. */
static int64_t set_places(writing *w)
{
    const int ranks = lm_ranks_count(w->lattice->ranks);
    int64_t longest = 0;

    for (int r = 0; r < ranks; r++) {
        const rank_share s = share_of(w->lattice, &w->leaves, r);

        longest = lm_max(longest, s.head);
        w->heads_begin[r + 1] = w->heads_begin[r] + lm_numbers_bytes(&w->leaves, s.head);
        w->sums_begin[r + 1] = w->sums_begin[r] + s.replicas * s.leaves;
    }
    return longest;
}

static latmc_status open_writing(writing *w)
{
    const latmc_lattice *lat = w->lattice;
    const int ranks = lm_ranks_count(lat->ranks);
    int64_t numbers, bytes;

    w->heads_begin = lm_zeroed(w->caller, "the layers of ranks", ranks + 1, sizeof(int64_t));
    w->sums_begin = lm_zeroed(w->caller, "the leaves of ranks", ranks + 1, sizeof(int64_t));
    if (!w->heads_begin || !w->sums_begin)
        return LATMC_ERROR_MEMORY;
    numbers = lm_max(set_places(w), lm_chunk_rows(lat) * lm_row_numbers(lat));
    bytes = w->heads_begin[ranks];
    w->batch_most = bytes ? lm_min(BATCH_BYTES / bytes + 1, lat->replicas) : lat->replicas;
    w->rows = lm_zeroed(w->caller, "some rows of sites", numbers, lat->type->entry.bytes);
    w->heads = lm_zeroed(w->caller, "layers of other ranks", bytes, (size_t)w->batch_most);
    w->sums = lm_zeroed(w->caller, "the sums of leaves", w->leaves.trunks * w->leaves.per_trunk,
                        LM_SUM_BYTES);
    return w->rows && w->heads && w->sums ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static void close_writing(const writing *w)
{
    free(w->heads_begin);
    free(w->sums_begin);
    free(w->rows);
    free(w->heads);
    free(w->sums);
}

latmc_status lm_rank_leaves_hash(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                                 uint64_t offset, uint64_t *hash)
{
    writing w = {.lattice = lattice,
                 .caller = caller,
                 .sink = sink,
                 .offset = offset,
                 .leaves = lm_leaves_of_sites(lattice)};
    latmc_status status = open_writing(&w);

    w.own = share_of(lattice, &w.leaves, lm_ranks_own(lattice->ranks));
    status = lm_everywhere(lattice, status); /* before any layers are told */
    lm_pieces_alone(lattice->home.plan, 1);
    if (!status)
        status = put_share(&w);
    lm_pieces_alone(lattice->home.plan, 0);
    status = lm_everywhere(lattice, status);
    if (!status)
        status = lm_ranks_gather(lattice->ranks, w.sums, w.sums_begin, LM_SUM_BYTES);
    if (!status)
        *hash = sum_of_all(&w);
    close_writing(&w);
    return status;
}
