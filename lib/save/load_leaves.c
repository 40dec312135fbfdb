/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a saved lattice has in leaves becomes the lattice's: each leaf is read once and compared
 * with its sum, all of them with the section's, and only then are they looked at. Sites stay as
 * they are saved until a device is to have them.
 */
#include "lib/save/load_leaves.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/checksum.h"
#include "lib/base/chunk.h"
#include "lib/base/least.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/leaves_of.h"
#include "lib/lattice/need.h"
#include "lib/save/leaf_writer.h"
#include "lib/save/section.h"

enum { BUFFER_BYTES = 1 << 16 }; /* bytes that a cache holds from reading to summing */

/* A section on its way in. */
typedef struct reader {
    lm_source *source;
    const lm_section *section;
    int axes; /* of a sample; 0: a trunk is a replica */
    lm_leaves leaves;
    lm_tree tree;
    uint64_t offset; /* of the next leaf */
    int64_t next;    /* its number, counted through all trunks */
    uint8_t *buffer; /* several leaves with their sums, */
    uint8_t *to;     /* and where they go without */
} reader;

static int64_t bytes_at(const reader *r, int64_t leaf)
{
    return lm_leaf_bytes(&r->leaves, leaf % r->leaves.per_trunk);
}

static latmc_status damaged(const reader *r, int64_t leaf)
{
    const int64_t trunk = leaf / r->leaves.per_trunk;
    char where[96];

    if (!r->axes)
        snprintf(where, sizeof where, "replica %" PRId64, trunk);
    else if (r->axes > 1)
        snprintf(where, sizeof where, "sample %" PRId64 ", axis %" PRId64, trunk / r->axes,
                 trunk % r->axes);
    else
        snprintf(where, sizeof where, "sample %" PRId64, trunk);
    return lm_fail(LATMC_ERROR_DAMAGED,
                   "%s: %s is damaged: of %s, the checksum of leaf %" PRId64 " of %s is wrong",
                   r->source->caller, r->source->name, r->section->words,
                   leaf % r->leaves.per_trunk, where);
}

/* As many leaves of one length as the buffer holds; 0: it does not hold the next one. The last leaf
 * of a trunk may be shorter. */
static int64_t fitting(const reader *r, int64_t all)
{
    const lm_leaves *l = &r->leaves;
    const int64_t fit = BUFFER_BYTES / (bytes_at(r, r->next) + LM_SUM_BYTES);
    const int64_t before_last = l->per_trunk - 1 - r->next % l->per_trunk;

    if (fit > 0 && l->numbers % l->leaf_numbers)
        return before_last > 0 ? lm_least(fit, before_last) : 1;
    return lm_least(fit, all - r->next);
}

static latmc_status take_some(reader *r, int64_t count)
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
static latmc_status take_large(reader *r)
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

static latmc_status take_leaves(lm_source *source, const lm_section *section, int axes,
                                const lm_leaves *leaves, void *to)
{
    const int64_t all = leaves->trunks * leaves->per_trunk;
    const uint64_t bytes = lm_leaves_bytes(leaves);
    reader r = {.source = source,
                .section = section,
                .axes = axes,
                .leaves = *leaves,
                .buffer = lm_unset(source->caller, "a buffer for a saved lattice",
                                   bytes < BUFFER_BYTES ? (int64_t)bytes : BUFFER_BYTES, 1),
                .to = to};
    latmc_status status = r.buffer ? LATMC_OK : LATMC_ERROR_MEMORY;

    r.offset = section->offset;
    lm_tree_begin(&r.tree, leaves);
    while (r.next < all && !status) {
        const int64_t count = fitting(&r, all);

        status = count ? take_some(&r, count) : take_large(&r);
    }
    free(r.buffer);
    if (!status && lm_tree_value(&r.tree) != section->sum)
        status = lm_fail(LATMC_ERROR_DAMAGED,
                         "%s: %s is damaged: the checksum of its section \"%s\" is wrong",
                         source->caller, source->name, section->name);
    return status;
}

/* ---- what was read, value by value */

static latmc_status use_signs(const lm_source *source, latmc_lattice *lat, lm_disorder *own)
{
    const int64_t each = lm_disorder_each(lat, LM_OF_BONDS);

    for (int64_t i = 0; i < lat->samples * each; i++) {
        if (own->signs[i] < -1 || own->signs[i] > 1)
            return lm_damaged(source, "coupling of a bond");
        own->gaps[i / each] |= own->signs[i] == 0;
    }
    return LATMC_OK;
}

/* Numbers become what they are where they were read. */
static latmc_status use_reals(const lm_source *source, const latmc_lattice *lat, lm_owner owner,
                              double *reals)
{
    const uint8_t *from = (const uint8_t *)reals;
    int others = lat->disorder[owner].kind != LM_GIVEN_REALS;

    for (int64_t i = 0; i < lat->samples * lm_disorder_each(lat, owner); i++) {
        reals[i] = lm_get_f64(&from);
        if (!(reals[i] >= -LM_MAX_REAL && reals[i] <= LM_MAX_REAL))
            return lm_damaged(source,
                              owner == LM_OF_BONDS ? "coupling of a bond" : "field of a site");
        others |= reals[i] != 1.0 && reals[i] != -1.0 && reals[i] != 0.0;
    }
    return others ? LATMC_OK
                  : lm_damaged(source, "couplings of bonds that are all signs, as real numbers");
}

static latmc_status check_sites(const lm_source *source, const latmc_lattice *lat,
                                const lm_leaves *leaves, const uint8_t *at)
{
    const lm_leaves joined = lm_leaves_joined(leaves);
    const int limit = lm_state_limit(lat);

    for (int64_t t = 0; t < joined.trunks; t++)
        for (lm_chunk c = {0}; lm_next_chunk(&c, joined.numbers, joined.span_numbers);) {
            if (!lat->type->check_saved(at, c.count, limit))
                return lm_damaged(source, "site");
            at += lm_numbers_bytes(&joined, c.count);
        }
    return LATMC_OK;
}

/* Those of a replica that has none are 0. */
static latmc_status check_best_sites(const lm_source *source, const latmc_lattice *lat,
                                     const lm_leaves *leaves)
{
    const int64_t bytes = lm_trunk_bytes(leaves);
    const uint8_t *at = lat->best.sites;
    lm_leaves one = *leaves;
    latmc_status status = LATMC_OK;

    one.trunks = 1;
    for (int64_t r = 0; r < lat->replicas && !status; r++, at += bytes) {
        if (lat->best.sweeps[r] >= 0)
            status = check_sites(source, lat, &one, at);
        else if (at[0] || memcmp(at, at + 1, (size_t)bytes - 1) != 0)
            status = lm_damaged(source, "best sites of a replica that has none");
    }
    return status;
}

latmc_status lm_take_best(const lm_source *source, const lm_section *s, const uint8_t *from,
                          latmc_lattice *lat)
{
    const latmc_status status = lm_best_make(lat, source->caller, &lat->best);

    (void)s;
    for (int64_t r = 0; r < lat->replicas && !status; r++) {
        const double energy = lm_get_f64(&from);
        const int64_t sweeps = (int64_t)lm_get_u64(&from);

        if (sweeps < -1 || sweeps > lat->sweeps)
            return lm_damaged(source, "sweeps at which a replica was the best");
        if (isnan(energy) || (sweeps < 0 && (energy != 0.0 || signbit(energy))))
            return lm_damaged(source, "energy of the best sites");
        if (sweeps >= 0)
            lat->best.energies[r] = energy;
        lat->best.sweeps[r] = sweeps;
    }
    return status;
}

/* ---- sections */

/* Where signs are kept as such the length tells them from real numbers. */
static void take_kind(const lm_section *s, lm_owner owner, latmc_lattice *lat)
{
    const int signs = lm_keeps_signs(lat, owner);
    latmc_lattice other = *lat;
    lm_disorder_kind kind = LM_GIVEN;
    lm_leaves leaves;

    other.disorder[owner].kind = LM_GIVEN_REALS;
    leaves = lm_leaves_of(&other, owner);
    if (signs && !lat->model->signs_alone && s->length == lm_leaves_bytes(&leaves))
        kind = LM_GIVEN_REALS;
    lm_disorder_take(lat, owner, (lm_disorder){.kind = kind});
}

latmc_status lm_check_sites_length(const lm_source *source, const lm_found *found,
                                   const latmc_lattice *lat)
{
    const lm_section *best = found->section[LM_SECTION_BEST],
                     *best_sites = found->section[LM_SECTION_BEST_SITES];
    const lm_leaves leaves = lm_leaves_of_sites(lat);
    const uint64_t bytes = lm_leaves_bytes(&leaves);
    latmc_status status = lm_need_length(source, found->section[LM_SECTION_SITES], bytes);

    if (!status && !best != !best_sites)
        status = lm_fail(LATMC_ERROR_DAMAGED, "%s: %s has the section \"%s\" without \"%s\"",
                         source->caller, source->name, best ? best->name : best_sites->name,
                         best ? "b-sites" : "best");
    if (!status && best)
        status = lm_need_length(source, best_sites, bytes);
    return status;
}

/* Lengths come before memory, and memory comes first: what a host has no room for need not be
 * read. */
static latmc_status make_given(const lm_source *source, const lm_section *s, lm_owner owner,
                               latmc_lattice *lat)
{
    latmc_status status = lm_as_damage(source, lm_need_owner(lat, source->caller, owner));
    lm_leaves leaves;

    if (status)
        return status;
    take_kind(s, owner, lat);
    leaves = lm_leaves_of(lat, owner);
    status = lm_need_length(source, s, lm_leaves_bytes(&leaves));
    return status ? status : lm_disorder_room(lat, source->caller, owner, &lat->disorder[owner]);
}

static latmc_status make_room(const lm_source *source, const lm_found *found, latmc_lattice *lat)
{
    const lm_leaves sites = lm_leaves_of_sites(lat);
    latmc_status status = LATMC_OK;

    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        if (found->section[lm_section_given(owner)])
            status =
                make_given(source, found->section[lm_section_given(owner)], (lm_owner)owner, lat);
    if (status)
        return status;
    lat->home.held = lm_unset(source->caller, "a saved lattice's sites",
                              sites.trunks * lm_trunk_bytes(&sites), 1);
    return lat->home.held ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static latmc_status load_given(lm_source *source, const lm_section *s, lm_owner owner,
                               latmc_lattice *lat)
{
    lm_disorder *own = &lat->disorder[owner];
    const lm_leaves leaves = lm_leaves_of(lat, owner);
    const int axes = owner == LM_OF_BONDS ? lat->dims : 1;
    latmc_status status = take_leaves(source, s, axes, &leaves, lm_disorder_given(own));

    if (status)
        return status;
    return lm_keeps_signs(lat, owner) ? use_signs(source, lat, own)
                                      : use_reals(source, lat, owner, own->reals);
}

latmc_status lm_load_leaves(lm_source *source, const lm_found *found, latmc_lattice *lat)
{
    const lm_leaves sites = lm_leaves_of_sites(lat);
    const lm_section *best_sites = found->section[LM_SECTION_BEST_SITES];
    latmc_status status = make_room(source, found, lat);

    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        if (found->section[lm_section_given(owner)])
            status =
                load_given(source, found->section[lm_section_given(owner)], (lm_owner)owner, lat);
    if (!status && best_sites)
        status = take_leaves(source, best_sites, 0, &sites, lat->best.sites);
    if (!status && best_sites)
        status = check_best_sites(source, lat, &sites);
    if (!status)
        status = take_leaves(source, found->section[LM_SECTION_SITES], 0, &sites, lat->home.held);
    return status ? status : check_sites(source, lat, &sites, lat->home.held);
}
