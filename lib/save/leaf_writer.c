/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/leaf_writer.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/minmax.h"
#include "lib/base/memory.h"

enum {
    BUFFER_BYTES = 1 << 15 /* bytes that are encoded, and then summed while a cache has them */
};

/* ---- sums */

void lm_tree_begin(lm_tree *tree, const lm_leaves *leaves)
{
    tree->per_trunk = leaves->per_trunk;
    tree->leaf = 0;
    tree->waiting = 0;
    lm_checksum_begin(&tree->trunk);
    lm_checksum_begin(&tree->all);
}

static void add_waiting(lm_tree *tree)
{
    lm_checksum_add(&tree->trunk, tree->some, (size_t)tree->waiting * LM_SUM_BYTES);
    tree->waiting = 0;
}

static void end_trunk(lm_tree *tree)
{
    uint8_t bytes[LM_SUM_BYTES], *to = bytes;

    if (tree->waiting == tree->per_trunk) {
        lm_put_u64(&to, lm_checksum_of(tree->some, (size_t)tree->waiting * LM_SUM_BYTES));
        tree->waiting = 0;
    } else {
        add_waiting(tree);
        lm_put_u64(&to, lm_checksum_value(&tree->trunk));
        lm_checksum_begin(&tree->trunk);
    }
    lm_checksum_add(&tree->all, bytes, sizeof bytes);
    tree->leaf = 0;
}

void lm_tree_add(lm_tree *tree, const uint8_t *sums, size_t apart, int64_t count)
{
    while (count > 0) {
        const int64_t fit = lm_min(LM_TREE_SOME - tree->waiting, tree->per_trunk - tree->leaf);
        const int64_t n = lm_min(count, fit);
        uint8_t *to = tree->some + tree->waiting * LM_SUM_BYTES;

        for (int64_t i = 0; i < n; i++, sums += apart)
            memcpy(to + i * LM_SUM_BYTES, sums, LM_SUM_BYTES);
        count -= n;
        tree->waiting += n;
        tree->leaf += n;
        if (tree->leaf == tree->per_trunk)
            end_trunk(tree);
        else if (tree->waiting == LM_TREE_SOME)
            add_waiting(tree);
    }
}

uint64_t lm_tree_value(const lm_tree *tree)
{
    return lm_checksum_value(&tree->all);
}

/* ---- writing */

latmc_status lm_leaf_writer_open(lm_leaf_writer *w, const char *caller, const lm_leaves *leaves,
                                 lm_sink *sink)
{
    *w = (lm_leaf_writer){.leaves = *leaves, .sink = sink, .left = lm_leaf_numbers(leaves, 0)};
    w->buffer = lm_zeroed(caller, "some encoded numbers", BUFFER_BYTES, 1);
    lm_tree_begin(&w->tree, leaves);
    return w->buffer ? LATMC_OK : LATMC_ERROR_MEMORY;
}

void lm_leaf_writer_next(lm_leaf_writer *w, const lm_leaves *leaves)
{
    w->leaves = *leaves;
    w->left = lm_leaf_numbers(leaves, 0);
    w->tree.per_trunk = leaves->per_trunk;
}

/* Adds the buffer's share of the present leaf to the sum of earlier shares. */
static void add_part(lm_leaf_writer *w)
{
    if (!w->is_parted)
        lm_checksum_begin(&w->parts);
    w->is_parted = 1;
    lm_checksum_add(&w->parts, w->buffer + w->begin, w->used - w->begin);
}

static latmc_status write_buffer(lm_leaf_writer *w)
{
    const size_t used = w->used;

    if (w->begin < used)
        add_part(w);
    w->begin = w->used = 0;
    return w->sink ? w->sink->write(w->sink, w->buffer, used) : LATMC_OK;
}

static uint64_t sum_of_present(lm_leaf_writer *w)
{
    if (!w->is_parted)
        return lm_checksum_of(w->buffer + w->begin, w->used - w->begin);
    add_part(w);
    w->is_parted = 0;
    return lm_checksum_value(&w->parts);
}

/* The buffer always has room for the sum. */
static void end_leaf(lm_leaf_writer *w)
{
    uint8_t *const sum = w->buffer + w->used, *to = sum;

    lm_put_u64(&to, sum_of_present(w));
    lm_tree_add(&w->tree, sum, LM_SUM_BYTES, 1);
    if (w->sums) {
        memcpy(w->sums, sum, LM_SUM_BYTES);
        w->sums += LM_SUM_BYTES;
    }
    w->begin = w->used += LM_SUM_BYTES;
    w->left = lm_leaf_numbers(&w->leaves, w->tree.leaf);
}

/* Returns how many numbers the buffer has room for, whole eights of those that are digits. */
static int64_t fitting(const lm_leaf_writer *w)
{
    const int64_t bytes = BUFFER_BYTES - LM_SUM_BYTES - (int64_t)w->used;

    return w->leaves.bits < 8 ? bytes / w->leaves.bits * 8 : bytes / (w->leaves.bits / 8);
}

/* Returns how many numbers the present span still takes. A leaf ends with a span, or in its only
 * one. */
static int64_t span_left(const lm_leaf_writer *w)
{
    const int64_t rest = w->left % w->leaves.span_numbers;

    return rest ? rest : w->leaves.span_numbers;
}

latmc_status lm_leaf_writer_add(lm_leaf_writer *w, const void *numbers, int64_t count)
{
    const char *from = numbers;
    latmc_status status = LATMC_OK;

    while (count > 0 && !status) {
        const int64_t fit = fitting(w), n = lm_min(lm_min(count, span_left(w)), fit);

        if (fit <= 0) {
            status = write_buffer(w);
            continue;
        }
        w->leaves.encode(from, n, w->buffer + w->used);
        w->used += (size_t)lm_numbers_bytes(&w->leaves, n);
        from += n * w->leaves.size;
        count -= n;
        w->left -= n;
        if (w->left == 0)
            end_leaf(w);
    }
    return status;
}

latmc_status lm_leaf_writer_end(lm_leaf_writer *w, uint64_t *sum)
{
    *sum = lm_tree_value(&w->tree);
    return write_buffer(w);
}

void lm_leaf_writer_close(lm_leaf_writer *w)
{
    free(w->buffer);
}
