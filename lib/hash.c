/* SPDX-License-Identifier: BSD-3-Clause */
/* The hash of a lattice's state, a tree: doc/trajectory.md, "State hash". */
#include <stdlib.h>
#include <string.h>

#include "lib/bytes.h"
#include "lib/checksum.h"
#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"

enum {
    CHAIN_LEAF = 65536, /* sites of a chain's leaf */
    SOME = 8192         /* numbers that are encoded together, whole bytes of them */
};

/* The leaf, the replica and the state that are being hashed. */
typedef struct tree {
    const lm_site_type *type;
    int64_t leaf_numbers, left; /* of a leaf's sites; of the present one's */
    int waiting;                /* those of it that are not yet encoded */
    char *sites;                /* [SOME] */
    uint8_t *bytes;
    lm_checksum leaf, replica, state;
} tree;

/* What is below goes into what is above, and begins anew. */
static void lift(lm_checksum *below, lm_checksum *above)
{
    uint8_t bytes[8], *to = bytes;

    lm_put_u64(&to, lm_checksum_value(below));
    lm_checksum_add(above, bytes, sizeof bytes);
    lm_checksum_begin(below);
}

static void encode(tree *t)
{
    t->type->encode(t->sites, t->waiting, t->bytes);
    lm_checksum_add(&t->leaf, t->bytes, (size_t)(t->waiting * t->type->entry.bits + 7) / 8);
    t->waiting = 0;
}

static void end_leaf(tree *t)
{
    encode(t);
    lift(&t->leaf, &t->replica);
    t->left = t->leaf_numbers;
}

static void add(tree *t, const char *sites, int64_t count)
{
    const size_t each = (size_t)t->type->entry.bytes;

    while (count > 0) {
        int64_t n = SOME - t->waiting;

        n = t->left < n ? t->left : n;
        n = count < n ? count : n;
        memcpy(t->sites + (size_t)t->waiting * each, sites, (size_t)n * each);
        sites += (size_t)n * each;
        count -= n;
        t->left -= n;
        t->waiting += (int)n;
        if (t->left == 0)
            end_leaf(t);
        else if (t->waiting == SOME)
            encode(t);
    }
}

static latmc_status hash_replica(const latmc_lattice *lattice, const char *caller, int64_t replica,
                                 void *rows, tree *t)
{
    const int64_t most = lm_chunk_rows(lattice);
    latmc_status status = LATMC_OK;

    t->left = t->leaf_numbers;
    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, lattice->rows, most);) {
        status = lm_get_rows(lattice, caller, replica, c, rows);
        if (!status)
            add(t, rows, c.count * lm_row_numbers(lattice));
    }
    if (t->left < t->leaf_numbers)
        end_leaf(t); /* a chain's last one */
    lift(&t->replica, &t->state);
    return status;
}

latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash)
{
    LM_FLOATS;
    static const char what[] = "some rows of sites";
    latmc_status status = lm_need_started(lattice, __func__);
    void *rows;
    tree t;

    if (status)
        return status;
    if (!hash)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: hash is NULL", __func__);
    t = (tree){.type = lattice->type, .leaf_numbers = CHAIN_LEAF * lm_components_of(lattice)};
    if (lattice->dims > 1)
        t.leaf_numbers = lm_replica_numbers(lattice) / lattice->extents[lattice->dims - 1];
    lm_checksum_begin(&t.leaf);
    lm_checksum_begin(&t.replica);
    lm_checksum_begin(&t.state);
    rows = lm_zeroed(__func__, what, lm_chunk_rows(lattice) * lm_row_numbers(lattice),
                     t.type->entry.bytes);
    t.sites = lm_zeroed(__func__, what, SOME, t.type->entry.bytes);
    t.bytes = lm_zeroed(__func__, what, SOME, t.type->entry.bytes);
    status = rows && t.sites && t.bytes ? LATMC_OK : LATMC_ERROR_MEMORY;
    for (int64_t r = 0; !status && r < lattice->replicas; r++)
        status = hash_replica(lattice, __func__, r, rows, &t);
    if (!status)
        *hash = lm_checksum_value(&t.state);
    free(rows);
    free(t.sites);
    free(t.bytes);
    return status;
}
