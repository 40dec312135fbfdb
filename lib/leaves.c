/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/leaves.h"

#include <stdlib.h>
#include <string.h>

#include "lib/bytes.h"

enum {
    CHAIN_LEAF = 65536,   /* sites of a chain's leaf */
    PIECE_BYTES = 1 << 15 /* that are encoded together, and summed while a cache has them */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- shape */

static void encode_signs(const void *numbers, int64_t count, uint8_t *bytes)
{
    memcpy(bytes, numbers, (size_t)count);
}

static void encode_reals(const void *numbers, int64_t count, uint8_t *bytes)
{
    for (int64_t i = 0; i < count; i++)
        lm_put_f64(&bytes, ((const double *)numbers)[i]);
}

/* Trunks of all sites, with so many numbers each. */
static lm_leaves shape(const latmc_lattice *lattice, int64_t trunks, int components)
{
    const int64_t sites = lattice->dims > 1 ? lattice->sites / lattice->extents[lattice->dims - 1]
                                            : smaller(CHAIN_LEAF, lattice->sites);

    return (lm_leaves){.trunks = trunks,
                       .numbers = lattice->sites * components,
                       .leaf_numbers = sites * components,
                       .per_trunk = (lattice->sites - 1) / sites + 1};
}

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice)
{
    lm_leaves l = shape(lattice, lattice->replicas, lm_components_of(lattice));

    l.size = lattice->type->entry.bytes;
    l.bits = lattice->type->entry.bits;
    l.encode = lattice->type->encode;
    return l;
}

lm_leaves lm_leaves_of(const latmc_lattice *lattice, lm_owner owner)
{
    const int signs = lm_keeps_signs(lattice, owner);
    lm_leaves l = shape(lattice, lattice->samples * (owner == LM_OF_BONDS ? lattice->dims : 1), 1);

    l.size = signs ? 1 : (int)sizeof(double);
    l.bits = 8 * l.size;
    l.encode = signs ? encode_signs : encode_reals;
    return l;
}

static int64_t bytes_of(const lm_leaves *l, int64_t numbers)
{
    return (numbers * l->bits + 7) / 8;
}

int64_t lm_leaf_numbers(const lm_leaves *l, int64_t leaf)
{
    return smaller(l->leaf_numbers, l->numbers - leaf * l->leaf_numbers);
}

int64_t lm_leaf_bytes(const lm_leaves *l, int64_t leaf)
{
    return bytes_of(l, lm_leaf_numbers(l, leaf));
}

int64_t lm_trunk_bytes(const lm_leaves *l)
{
    const int64_t last = l->per_trunk - 1;

    return last * bytes_of(l, l->leaf_numbers) + lm_leaf_bytes(l, last);
}

/* No lattice has 2^63: of 2^16 samples of 2^40 bonds along 4 axes, in leaves of 2, they are 5 2^58.
 */
uint64_t lm_leaves_bytes(const lm_leaves *l)
{
    return (uint64_t)l->trunks * (uint64_t)(lm_trunk_bytes(l) + l->per_trunk * LM_SUM_BYTES);
}

void lm_leaves_decode(const lm_leaves *l, const uint8_t *trunk, int64_t first, int64_t count,
                      void (*decode)(const uint8_t *, int64_t, void *), void *numbers)
{
    char *to = numbers;

    while (count > 0) {
        const int64_t leaf = first / l->leaf_numbers, in = first % l->leaf_numbers;
        const int64_t n = smaller(l->leaf_numbers - in, count);

        decode(trunk + leaf * bytes_of(l, l->leaf_numbers) + in * l->bits / 8, n, to);
        to += n * l->size;
        first += n;
        count -= n;
    }
}

/* ---- sums */

void lm_tree_begin(lm_tree *tree, const lm_leaves *leaves)
{
    tree->per_trunk = leaves->per_trunk;
    tree->leaf = 0;
    tree->used = 0;
    lm_checksum_begin(&tree->trunk);
    lm_checksum_begin(&tree->all);
}

static void end_trunk(lm_tree *tree)
{
    uint8_t bytes[LM_SUM_BYTES], *to = bytes;

    lm_put_u64(&to, lm_checksum_value(&tree->trunk));
    lm_checksum_add(&tree->all, bytes, sizeof bytes);
    lm_checksum_begin(&tree->trunk);
    tree->leaf = 0;
}

void lm_tree_add(lm_tree *tree, uint64_t sum)
{
    uint8_t *to = tree->some + tree->used;
    const int last = ++tree->leaf == tree->per_trunk;

    lm_put_u64(&to, sum);
    tree->used += LM_SUM_BYTES;
    if (last || tree->used == sizeof tree->some) {
        lm_checksum_add(&tree->trunk, tree->some, tree->used);
        tree->used = 0;
    }
    if (last)
        end_trunk(tree);
}

uint64_t lm_tree_value(const lm_tree *tree)
{
    return lm_checksum_value(&tree->all);
}

/* ---- writing */

static void begin_leaf(lm_leaf_writer *w)
{
    w->left = lm_leaf_numbers(&w->leaves, w->tree.leaf);
    lm_checksum_begin(&w->leaf);
}

latmc_status lm_leaf_writer_open(lm_leaf_writer *w, const char *caller, const lm_leaves *leaves,
                                 lm_sink *sink)
{
    *w = (lm_leaf_writer){.leaves = *leaves, .sink = sink};
    w->bytes = lm_zeroed(caller, "some encoded numbers", PIECE_BYTES, 1);
    lm_tree_begin(&w->tree, leaves);
    begin_leaf(w);
    return w->bytes ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static latmc_status end_leaf(lm_leaf_writer *w)
{
    const uint64_t sum = lm_checksum_value(&w->leaf);
    uint8_t bytes[LM_SUM_BYTES], *at = bytes;

    lm_put_u64(&at, sum);
    lm_tree_add(&w->tree, sum);
    begin_leaf(w);
    return w->sink ? w->sink->write(w->sink, bytes, sizeof bytes) : LATMC_OK;
}

latmc_status lm_leaf_writer_add(lm_leaf_writer *w, const void *numbers, int64_t count)
{
    const int64_t most = PIECE_BYTES * 8 / w->leaves.bits;
    const char *from = numbers;
    latmc_status status = LATMC_OK;

    while (count > 0 && !status) {
        const int64_t n = smaller(smaller(count, w->left), most);
        const size_t bytes = (size_t)bytes_of(&w->leaves, n);

        w->leaves.encode(from, n, w->bytes);
        lm_checksum_add(&w->leaf, w->bytes, bytes);
        if (w->sink)
            status = w->sink->write(w->sink, w->bytes, bytes);
        from += n * w->leaves.size;
        count -= n;
        w->left -= n;
        if (w->left == 0 && !status)
            status = end_leaf(w);
    }
    return status;
}

void lm_leaf_writer_close(lm_leaf_writer *w)
{
    free(w->bytes);
}
