/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the sections of a saved lattice that have leaves: sites, best sites, couplings, fields and
 * weights. The leaves are looked at after all of them were compared with their sums. Sites stay as
 * they are saved until a device is to have them.
 */
#include "lib/save/load_leaves.h"

#include <math.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/chunk.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/lattice/need.h"
#include "lib/save/leaf_reader.h"
#include "lib/save/load_weights.h"
#include "lib/save/section_list.h"

/* ---- what was read, value by value */

latmc_status lm_check_signs(const lm_source *source, int64_t count, const int8_t *signs,
                            const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (signs[i] < -1 || signs[i] > 1)
            return lm_damaged(source, what);
    return LATMC_OK;
}

latmc_status lm_decode_reals(const lm_source *source, int64_t count, double *reals,
                             const char *what, int *are_signs)
{
    const uint8_t *from = (const uint8_t *)reals;

    *are_signs = 1;
    for (int64_t i = 0; i < count; i++) {
        reals[i] = lm_get_f64(&from);
        if (!(reals[i] >= -LM_MAX_REAL && reals[i] <= LM_MAX_REAL))
            return lm_damaged(source, what);
        *are_signs &= lm_is_sign(reals[i]);
    }
    return LATMC_OK;
}

static latmc_status use_signs(const lm_source *source, latmc_lattice *lat, lm_disorder *own)
{
    const int64_t each = lm_disorder_each(lat, LM_OF_BONDS), count = lat->samples * each;
    const latmc_status status = lm_check_signs(source, count, own->signs, "coupling of a bond");

    for (int64_t i = 0; i < count && !status; i++)
        own->missing[i / each] |= own->signs[i] == 0;
    return status;
}

static latmc_status use_reals(const lm_source *source, const latmc_lattice *lat, lm_owner owner,
                              double *reals)
{
    int are_signs;
    const latmc_status status = lm_decode_reals(
        source, lat->samples * lm_disorder_each(lat, owner), reals,
        owner == LM_OF_BONDS ? "coupling of a bond" : "field of a site", &are_signs);

    if (!status && are_signs && lat->disorder[owner].kind == LM_GIVEN_REALS)
        return lm_damaged(source, "couplings of bonds that are all signs, as real numbers");
    return status;
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
        const uint64_t hamiltonian = lm_get_u64(&from);

        if (sweeps < -1 || sweeps > lat->sweeps)
            return lm_damaged(source, "sweeps at which a replica was the best");
        if (isnan(energy) || (sweeps < 0 && (energy != 0.0 || signbit(energy))))
            return lm_damaged(source, "energy of the best sites");
        if (sweeps < 0 && hamiltonian)
            return lm_damaged(source, "Hamiltonian of the best sites");
        if (sweeps >= 0)
            lat->best.energies[r] = energy;
        lat->best.hamiltonians[r] = hamiltonian;
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
    leaves = lm_leaves_of_disorder(&other, owner);
    if (signs && !lat->model->signs_alone && s->length == lm_leaves_bytes(&leaves))
        kind = LM_GIVEN_REALS;
    lm_disorder_take(lat, owner, (lm_disorder){.kind = kind});
}

/* Refuses one of two sections without the other. */
static latmc_status need_both(const lm_source *source, const lm_found *found, lm_section_id a,
                              lm_section_id b)
{
    const int has = found->section[a] ? (int)a : (int)b, lacks = has == (int)a ? (int)b : (int)a;

    if (!found->section[a] == !found->section[b])
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_DAMAGED, "%s: %s has the section \"%s\" without \"%s\"",
                   source->caller, source->name, lm_section_list[has].name,
                   lm_section_list[lacks].name);
}

latmc_status lm_check_sites_length(const lm_source *source, const lm_found *found,
                                   const latmc_lattice *lat)
{
    const lm_section *best_sites = found->section[LM_SECTION_BEST_SITES];
    const lm_leaves leaves = lm_leaves_of_sites(lat);
    const uint64_t bytes = lm_leaves_bytes(&leaves);
    latmc_status status = lm_need_length(source, found->section[LM_SECTION_SITES], bytes);

    if (!status)
        status = need_both(source, found, LM_SECTION_BEST, LM_SECTION_BEST_SITES);
    if (!status)
        status = need_both(source, found, LM_SECTION_WEIGHTS, LM_SECTION_WEIGHTS_GIVEN);
    if (!status && best_sites)
        status = lm_need_length(source, best_sites, bytes);
    return status;
}

/* Lengths come before memory, and memory comes first: what a host has no room for need not be
 * read. */
static latmc_status make_given(const lm_source *source, const lm_section *s, lm_owner owner,
                               latmc_lattice *lat)
{
    latmc_status status = lm_damaged_if_refused(source, lm_need_owner(lat, source->caller, owner));
    lm_leaves leaves;

    if (status)
        return status;
    take_kind(s, owner, lat);
    leaves = lm_leaves_of_disorder(lat, owner);
    status = lm_need_length(source, s, lm_leaves_bytes(&leaves));
    return status ? status : lm_disorder_room(lat, source->caller, owner, &lat->disorder[owner]);
}

static latmc_status make_arrays(const lm_source *source, const lm_found *found, latmc_lattice *lat)
{
    const lm_leaves sites = lm_leaves_of_sites(lat);
    latmc_status status = LATMC_OK;

    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        if (found->section[lm_section_given(owner)])
            status =
                make_given(source, found->section[lm_section_given(owner)], (lm_owner)owner, lat);
    if (!status)
        status = lm_weights_room_for(source, found->section[LM_SECTION_WEIGHTS_GIVEN], lat);
    if (status)
        return status;
    lat->home.held = lm_unzeroed(source->caller, "a saved lattice's sites",
                                 sites.trunks * lm_trunk_bytes(&sites), 1);
    return lat->home.held ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static latmc_status load_given(lm_source *source, const lm_section *s, lm_owner owner,
                               latmc_lattice *lat)
{
    lm_disorder *own = &lat->disorder[owner];
    const lm_leaves leaves = lm_leaves_of_disorder(lat, owner);
    const int types = lm_trunks_of_sample(lat, owner);
    latmc_status status = lm_take_leaves(source, s, types, &leaves, lm_disorder_given(own));

    if (status)
        return status;
    return lm_keeps_signs(lat, owner) ? use_signs(source, lat, own)
                                      : use_reals(source, lat, owner, own->reals);
}

latmc_status lm_load_leaves(lm_source *source, const lm_found *found, latmc_lattice *lat)
{
    const lm_leaves sites = lm_leaves_of_sites(lat);
    const lm_section *best_sites = found->section[LM_SECTION_BEST_SITES];
    latmc_status status = make_arrays(source, found, lat);

    for (int owner = 0; owner < LM_OWNERS && !status; owner++)
        if (found->section[lm_section_given(owner)])
            status =
                load_given(source, found->section[lm_section_given(owner)], (lm_owner)owner, lat);
    if (!status)
        status = lm_load_weights(source, found->section[LM_SECTION_WEIGHTS_GIVEN], lat);
    if (!status && best_sites)
        status = lm_take_leaves(source, best_sites, 0, &sites, lat->best.sites);
    if (!status && best_sites)
        status = check_best_sites(source, lat, &sites);
    if (!status)
        status =
            lm_take_leaves(source, found->section[LM_SECTION_SITES], 0, &sites, lat->home.held);
    return status ? status : check_sites(source, lat, &sites, lat->home.held);
}
