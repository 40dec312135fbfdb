/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a lattice from a saved one. Nothing is believed: lengths are compared with what the
 * settings make them before anything large is allocated, checksums before anything is used, and
 * every value passes through the same door as a user's. Every byte is read once, so that what is
 * used is what was summed, however the file changes meanwhile.
 */
#include "lib/save/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/status.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/disorder.h"
#include "lib/save/lattice_section.h"
#include "lib/save/load_leaves.h"
#include "lib/save/load_named.h"
#include "lib/save/section_list.h"

/* ---- sections */

static latmc_status check_section(const lm_source *source, const lm_section *s, int id)
{
    if (id < 0 && !(s->flags & LM_SECTION_OPTIONAL))
        return lm_fail(LATMC_ERROR_VERSION,
                       "%s: %s has a section \"%s\", which this library does not know and may not "
                       "leave out; a later version has saved it",
                       source->caller, source->name, s->name);
    if (id >= 0 && s->version != LM_SECTION_VERSION)
        return lm_fail(LATMC_ERROR_VERSION,
                       "%s: the section \"%s\" of %s has version %" PRIu32
                       "; this library reads version %d alone",
                       source->caller, s->name, source->name, s->version, LM_SECTION_VERSION);
    return LATMC_OK;
}

static latmc_status find_sections(const lm_source *source, lm_header *h, lm_found *found)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < h->count && !status; i++) {
        lm_section *s = &h->sections[i];
        const int id = lm_section_id_of(s);

        status = check_section(source, s, id);
        if (id < 0)
            continue;
        s->id = id;
        s->words = lm_section_list[id].words;
        found->section[id] = s;
    }
    for (int p = 0; p < LM_SECTIONS && !status; p++)
        if (lm_section_list[p].required && !found->section[p])
            status =
                lm_fail(LATMC_ERROR_DAMAGED, "%s: %s lacks the section \"%s\" (%s)", source->caller,
                        source->name, lm_section_list[p].name, lm_section_list[p].words);
    return status;
}

static latmc_status load_section(lm_source *source, const lm_found *found, int id,
                                 latmc_lattice *lat)
{
    const lm_section *s = found->section[id];
    uint8_t *bytes = NULL;
    latmc_status status =
        lm_read_section(source, s, &lm_section_list[id].lengths, lat->replicas, &bytes);

    if (!status)
        status = lm_section_list[id].take(source, s, bytes, lat);
    free(bytes);
    return status;
}

static latmc_status skip_sections(lm_source *source, const lm_header *h)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < h->count && !status; i++)
        if (!h->sections[i].words && !(h->sections[i].flags & LM_SECTION_LEAVES))
            status = lm_skip_section(source, &h->sections[i]);
    return status;
}

/* ---- the settings */

/* Refuses lattices that this library does not have, and cells that its lattice has not. */
static latmc_status check_cells(const lm_source *source, const lm_lattice_section *p)
{
    if (strcmp(p->lattice, LM_LATTICE_NAME) != 0)
        return lm_load_unknown(source, "lattice", p->lattice);
    if (p->dims < 1 || p->dims > LATMC_MAX_DIMS)
        return lm_damaged(source, "number of axes");
    if (p->cell_sites != LM_CELL_SITES)
        return lm_damaged(source, "sites of a cell");
    return p->bond_types == p->dims ? LATMC_OK : lm_damaged(source, "bond types of a cell");
}

static latmc_status create(const lm_source *source, const lm_lattice_section *p,
                           latmc_lattice **lat)
{
    for (int i = 0; i < lm_model_count(); i++)
        if (strcmp(lm_model_at(i)->entry.name, p->model) == 0)
            return lm_damaged_if_refused(
                source,
                latmc_create(lat, (latmc_model)lm_model_at(i)->entry.id, (int)p->dims, p->extents));
    return lm_load_unknown(source, "model", p->model);
}

/* Sets the number of replicas. The section of changed sites must have the length for so many
 * replicas, before any memory is allocated for them. */
static latmc_status set_replicas(const lm_source *source, const lm_found *found,
                                 const lm_lattice_section *p, latmc_lattice *lat)
{
    latmc_status status = LATMC_OK;

    if (p->replicas >= 1 && p->replicas <= LM_MAX_REPLICAS)
        status =
            lm_need_length(source, found->section[LM_SECTION_CHANGED], 8 * (uint64_t)p->replicas);
    return status ? status : lm_damaged_if_refused(source, latmc_set_replicas(lat, p->replicas));
}

static latmc_status set_all(const lm_lattice_section *p, latmc_lattice *lat)
{
    latmc_status status = latmc_set_first_replica(lat, p->first_replica);

    if (!status)
        status = latmc_set_boundaries(lat, p->boundaries);
    if (!status)
        status = latmc_set_seed(lat, p->seed);
    if (!status && lm_model_has_own(lat, LM_OF_BONDS))
        status = latmc_set_bond_type_couplings(lat, p->couplings);
    if (!status && (lm_model_has_own(lat, LM_OF_BONDS) || lm_model_has_own(lat, LM_OF_SITES)))
        status = latmc_set_samples(lat, p->samples, p->first_sample);
    lat->sweeps = p->sweeps;
    return status;
}

/* Checks what setters do not see. Whatever this library would not have written, such as padding
 * that is not zero, is refused, too. */
static latmc_status check_set(const lm_source *source, const latmc_lattice *lat,
                              const uint8_t *bytes)
{
    uint8_t again[LM_LATTICE_MAX];

    if (lat->sweeps < 0 || lat->sweeps >= LM_MAX_SWEEPS)
        return lm_damaged(source, "number of sweeps");
    if (memcmp(bytes, again, lm_lattice_write(lat, again)) != 0)
        return lm_damaged(source, "the settings are not what this lattice would have");
    return LATMC_OK;
}

/* An unstarted lattice with the settings. */
static latmc_status build(lm_source *source, const lm_found *found, const uint8_t *bytes,
                          latmc_lattice **lat)
{
    const lm_section *s = found->section[LM_SECTION_LATTICE];
    const lm_lattice_section p = lm_lattice_read(bytes, s->length);
    latmc_status status = check_cells(source, &p);

    if (!status)
        status = lm_need_length(source, s, LM_LATTICE_FIXED + 8 * (uint64_t)p.bond_types);
    if (!status)
        status = create(source, &p, lat);
    if (!status)
        status = load_section(source, found, LM_SECTION_OPTIONS, *lat);
    if (!status)
        status = set_replicas(source, found, &p, *lat);
    if (!status)
        status = lm_damaged_if_refused(source, set_all(&p, *lat));
    return status ? status : check_set(source, *lat, bytes);
}

static latmc_status load_lattice(lm_source *source, const lm_found *found, latmc_lattice **lat)
{
    uint8_t *bytes = NULL;
    latmc_status status = lm_read_section(source, found->section[LM_SECTION_LATTICE],
                                          &lm_section_list[LM_SECTION_LATTICE].lengths, 0, &bytes);

    if (!status)
        status = build(source, found, bytes, lat);
    free(bytes);
    return status;
}

static latmc_status check_owners(const lm_source *source, const lm_found *found)
{
    for (int owner = 0; owner < LM_OWNERS; owner++)
        if (found->section[lm_section_drawn(owner)] && found->section[lm_section_given(owner)])
            return lm_damaged(source, owner == LM_OF_BONDS ? "couplings both drawn and given"
                                                           : "site fields both drawn and given");
    return LATMC_OK;
}

static latmc_status load_all(lm_source *source, const lm_found *found, latmc_lattice **lat)
{
    latmc_status status = load_lattice(source, found, lat);

    if (!status)
        status = check_owners(source, found);
    if (!status)
        status = lm_check_sites_length(source, found, *lat);
    for (int p = LM_SECTION_OPTIONS + 1; p < LM_SECTIONS && !status; p++)
        if (found->section[p] && !lm_section_list[p].leaves)
            status = load_section(source, found, p, *lat);
    if (!status)
        status = lm_load_leaves(source, found, *lat);
    if (!status && (*lat)->best.energies)
        status = lm_best_make_sums(*lat, source->caller, &(*lat)->best);
    return status;
}

latmc_status lm_load_from(lm_source *source, latmc_lattice **lattice)
{
    latmc_lattice *lat = NULL;
    lm_header header = {0};
    lm_found found = {0};
    latmc_status status = lm_header_read(source, &header);

    if (!status)
        status = find_sections(source, &header, &found);
    if (!status)
        status = load_all(source, &found, &lat);
    if (!status)
        status = skip_sections(source, &header);
    if (status)
        latmc_destroy(lat);
    else
        *lattice = lat;
    return status;
}
