/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/leaf_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/bytes.h"
#include "lib/base/chunk.h"
#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"

enum { BUFFER_BYTES = 1 << 16 }; /* bytes that a cache holds from reading to summing */

static int64_t bytes_at(const lm_leaf_reader *r, int64_t leaf)
{
    return lm_leaf_bytes(&r->leaves, leaf % r->leaves.per_trunk);
}

static latmc_status damaged(const lm_leaf_reader *r, int64_t leaf)
{
    const int64_t trunk = leaf / r->leaves.per_trunk;
    char set[32] = "", where[96];

    if (!r->types)
        snprintf(where, sizeof where, "replica %" PRId64, trunk);
    else if (r->types > 1)
        snprintf(where, sizeof where, "sample %" PRId64 ", bond type %" PRId64, trunk / r->types,
                 trunk % r->types);
    else
        snprintf(where, sizeof where, "sample %" PRId64, trunk);
    if (r->set >= 0)
        snprintf(set, sizeof set, " number %d", r->set);
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is damaged: of %s%s, the checksum of leaf %" PRId64 " of %s is wrong",
                   r->source->caller, r->source->name, r->section->words, set,
                   leaf % r->leaves.per_trunk, where);
}

/* Returns how many leaves of one length the buffer holds. The result is 0 if it does not hold
 * the next leaf. The last leaf of a trunk may be shorter. */
static int64_t fitting(const lm_leaf_reader *r, int64_t all)
{
    const lm_leaves *l = &r->leaves;
    const int64_t fit = BUFFER_BYTES / (bytes_at(r, r->next) + LM_SUM_BYTES);
    const int64_t before_last = l->per_trunk - 1 - r->next % l->per_trunk;

    if (fit > 0 && l->numbers % l->leaf_numbers)
        return before_last > 0 ? lm_min(fit, before_last) : 1;
    return lm_min(fit, all - r->next);
}

static latmc_status take_some(lm_leaf_reader *r, int64_t count)
{
    const size_t n = (size_t)bytes_at(r, r->next), each = n + LM_SUM_BYTES;
    latmc_status status = r->source->read(r->source, r->offset, r->buffer, (size_t)count * each);
    int64_t good;

    if (status)
        return status;
    good = lm_checksum_take(r->to, r->buffer, n, count);
    if (good < count)
        return damaged(r, r->next + good);
    lm_tree_add(&r->tree, r->buffer + n, each, count);
    r->offset += (uint64_t)count * each;
    r->to += (size_t)count * n;
    r->next += count;
    return LATMC_OK;
}

/* A leaf that is larger than the buffer goes where it belongs at once. */
static latmc_status take_large(lm_leaf_reader *r)
{
    uint8_t saved[LM_SUM_BYTES];
    const uint8_t *from = saved;
    lm_checksum sum;
    latmc_status status = LATMC_OK;

    lm_checksum_begin(&sum);
    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, bytes_at(r, r->next), BUFFER_BYTES);) {
        status = r->source->read(r->source, r->offset, r->to, (size_t)c.count);
        if (!status)
            lm_checksum_add(&sum, r->to, (size_t)c.count);
        r->offset += (uint64_t)c.count;
        r->to += c.count;
    }
    if (!status)
        status = r->source->read(r->source, r->offset, saved, sizeof saved);
    if (status)
        return status;
    if (lm_get_u64(&from) != lm_checksum_value(&sum))
        return damaged(r, r->next);
    lm_tree_add(&r->tree, saved, sizeof saved, 1);
    r->offset += sizeof saved;
    r->next++;
    return LATMC_OK;
}

latmc_status lm_leaf_reader_open(lm_leaf_reader *r, lm_source *source, const lm_section *section)
{
    const int64_t bytes = section->length < BUFFER_BYTES ? (int64_t)section->length : BUFFER_BYTES;

    *r = (lm_leaf_reader){.source = source, .section = section, .offset = section->offset};
    r->buffer = lm_unzeroed(source->caller, "a buffer for a saved lattice", bytes, 1);
    lm_tree_begin(&r->tree, &r->leaves);
    return r->buffer ? LATMC_OK : LATMC_ERROR_MEMORY;
}

latmc_status lm_leaf_reader_take(lm_leaf_reader *r, int set, int types, const lm_leaves *leaves,
                                 void *to)
{
    const int64_t all = leaves->trunks * leaves->per_trunk;
    latmc_status status = LATMC_OK;

    r->set = set;
    r->types = types;
    r->leaves = *leaves;
    r->tree.per_trunk = leaves->per_trunk;
    r->next = 0;
    r->to = to;
    while (r->next < all && !status) {
        const int64_t count = fitting(r, all);

        status = count ? take_some(r, count) : take_large(r);
    }
    return status;
}

latmc_status lm_leaf_reader_end(const lm_leaf_reader *r)
{
    if (lm_tree_value(&r->tree) == r->section->sum)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is damaged: the checksum of its section \"%s\" is wrong",
                   r->source->caller, r->source->name, r->section->name);
}

void lm_leaf_reader_close(lm_leaf_reader *r)
{
    free(r->buffer);
}

latmc_status lm_take_leaves(lm_source *source, const lm_section *section, int types,
                            const lm_leaves *leaves, void *to)
{
    lm_leaf_reader r;
    latmc_status status = lm_leaf_reader_open(&r, source, section);

    if (!status)
        status = lm_leaf_reader_take(&r, -1, types, leaves, to);
    if (!status)
        status = lm_leaf_reader_end(&r);
    lm_leaf_reader_close(&r);
    return status;
}
