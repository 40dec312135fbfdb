/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/parts.h"

#include <math.h>

#include "lib/base/bytes.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/leaves_of.h"
#include "lib/lattice/ramp.h"
#include "lib/lattice/schedule.h"
#include "lib/lattice/slots.h"
#include "lib/lattice/walks.h"

enum { BOUNDARY_BASE = LATMC_PERIODIC - 1, BOUNDARIES = 3 }; /* the format has its own numbers */

const lm_part_row lm_parts[LM_PARTS] = {
    [LM_PART_LATTICE] = {"lattice", "the settings of the lattice", 1},
    [LM_PART_OPTIONS] = {"options", "the model's options", 1},
    [LM_PART_PARAMS] = {"params", "the parameters", 1},
    [LM_PART_CHANGED] = {"changed", "the numbers of changed sites", 1},
    [LM_PART_SCHEDULE] = {"schedule", "the schedule", 0},
    [LM_PART_RAMPS] = {"ramps", "the ramps of parameters", 0},
    [LM_PART_LADDERS] = {"ladders", "the ladders of a sample", 0},
    [LM_PART_SLOTS] = {"slots", "the slots of the replicas", 0},
    [LM_PART_EXCHANGE] = {"exchange", "the exchanges of slots", 0},
    [LM_PART_WALKS] = {"walks", "what exchanges have come to", 0},
    [LM_PART_DRAWN + LM_OF_BONDS] = {"K-drawn", "how the couplings of the bonds are drawn", 0},
    [LM_PART_DRAWN + LM_OF_SITES] = {"G-drawn", "how the fields of the sites are drawn", 0},
    [LM_PART_GIVEN + LM_OF_BONDS] = {"K-given", "the couplings of the bonds", 0},
    [LM_PART_GIVEN + LM_OF_SITES] = {"G-given", "the fields of the sites", 0},
    [LM_PART_BEST] = {"best", "the energies of the best sites", 0},
    [LM_PART_BEST_SITES] = {"b-sites", "the best sites", 0},
    [LM_PART_SITES] = {"sites", "the sites", 1},
};

int lm_part_of(const lm_section *section)
{
    for (int p = 0; p < LM_PARTS; p++)
        if (strcmp(lm_parts[p].name, section->name) == 0)
            return p;
    return -1;
}

const lm_section *lm_part_find(const lm_header *header, lm_saved_part part)
{
    for (int i = 0; i < header->count; i++)
        if (strcmp(lm_parts[part].name, header->sections[i].name) == 0)
            return &header->sections[i];
    return NULL;
}

/* ---- names and settings */

void lm_put_name(uint8_t **to, const char *name)
{
    memset(*to, 0, LM_NAME_BYTES);
    memcpy(*to, name, strlen(name));
    *to += LM_NAME_BYTES;
}

void lm_get_name(const uint8_t **from, char name[LM_NAME_BYTES + 1])
{
    memcpy(name, *from, LM_NAME_BYTES);
    name[LM_NAME_BYTES] = '\0';
    *from += LM_NAME_BYTES;
}

void lm_lattice_write(const latmc_lattice *lat, uint8_t bytes[LM_LATTICE_BYTES])
{
    uint8_t *to = bytes;

    lm_put_name(&to, lat->model->entry.name);
    lm_put_u32(&to, (uint32_t)lat->dims);
    lm_put_u32(&to, 0);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        lm_put_u64(&to, (uint64_t)lat->extents[a]);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        lm_put_u32(&to, a < lat->dims ? (uint32_t)lat->boundaries[a] - BOUNDARY_BASE : 0);
    lm_put_u64(&to, (uint64_t)lat->replicas);
    lm_put_u64(&to, (uint64_t)lat->first_replica);
    lm_put_u64(&to, lat->seed);
    lm_put_u64(&to, (uint64_t)lat->sweeps);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        lm_put_f64(&to, lat->axis_couplings[a]);
    lm_put_u64(&to, (uint64_t)lat->samples);
    lm_put_u64(&to, (uint64_t)lat->first_sample);
}

static latmc_boundary boundary_of(uint32_t number)
{
    return (latmc_boundary)(number >= 1 && number <= BOUNDARIES ? number + BOUNDARY_BASE : 0);
}

lm_lattice_part lm_lattice_read(const uint8_t bytes[LM_LATTICE_BYTES])
{
    const uint8_t *from = bytes;
    lm_lattice_part p;

    lm_get_name(&from, p.model);
    p.dims = (int32_t)lm_get_u32(&from);
    lm_get_u32(&from);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        p.extents[a] = (int64_t)lm_get_u64(&from);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        p.boundaries[a] = boundary_of(lm_get_u32(&from));
    p.replicas = (int64_t)lm_get_u64(&from);
    p.first_replica = (int64_t)lm_get_u64(&from);
    p.seed = lm_get_u64(&from);
    p.sweeps = (int64_t)lm_get_u64(&from);
    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        p.axis_couplings[a] = lm_get_f64(&from);
    p.samples = (int64_t)lm_get_u64(&from);
    p.first_sample = (int64_t)lm_get_u64(&from);
    return p;
}

/* ---- the header of a lattice */

static uint64_t drawn_bytes(const latmc_lattice *lat, lm_owner owner)
{
    const lm_draw *draw = &lat->disorder[owner].draw;
    const lm_list *arguments = lm_list_of(lat->model, LATMC_ARGUMENTS);
    uint64_t bytes = LM_NAME_BYTES + 8;

    for (int i = 0; i < arguments->count; i++)
        if (arguments->entries[i].distribution == (int)draw->distribution)
            bytes += LM_NAME_BYTES + 8;
    return bytes;
}

static uint64_t schedule_bytes(const latmc_lattice *lat)
{
    const lm_rounds *rounds = &lat->rounds;
    uint64_t bytes = LM_ROUND_BYTES + LM_STEP_BYTES * (uint64_t)rounds->count;

    for (int i = 0; i < rounds->count; i++)
        for (int p = 0; p < LM_MAX_PARAMS; p++)
            bytes += isnan(rounds->own[i][p]) ? 0 : LM_OWN_BYTES;
    return bytes;
}

static uint64_t ramp_bytes(const latmc_lattice *lat)
{
    uint64_t bytes = 0;

    for (int p = 0; p < LM_MAX_PARAMS; p++)
        if (lat->ramps[p].sweeps)
            bytes += LM_RAMP_BYTES + 2 * 8 * (uint64_t)lat->replicas;
    return bytes;
}

lm_header lm_header_of(const latmc_lattice *lat)
{
    const uint64_t options = (uint64_t)lm_list_of(lat->model, LATMC_OPTIONS)->count;
    const uint64_t params = (uint64_t)lm_list_of(lat->model, LATMC_PARAMS)->count;
    const uint64_t numbers = 8 * (uint64_t)lat->replicas;
    const lm_leaves sites = lm_leaves_of_sites(lat);
    lm_header h = {0};

    lm_header_add(&h, lm_parts[LM_PART_LATTICE].name, LM_LATTICE_BYTES);
    lm_header_add(&h, lm_parts[LM_PART_OPTIONS].name, options * (LM_NAME_BYTES + 8));
    lm_header_add(&h, lm_parts[LM_PART_PARAMS].name, params * (LM_NAME_BYTES + numbers));
    lm_header_add(&h, lm_parts[LM_PART_CHANGED].name, numbers);
    if (lat->rounds.count)
        lm_header_add(&h, lm_parts[LM_PART_SCHEDULE].name, schedule_bytes(lat));
    if (lm_ramps_any(lat))
        lm_header_add(&h, lm_parts[LM_PART_RAMPS].name, ramp_bytes(lat));
    if (lat->ladders != 1)
        lm_header_add(&h, lm_parts[LM_PART_LADDERS].name, 8);
    if (lm_slots_moved(lat))
        lm_header_add(&h, lm_parts[LM_PART_SLOTS].name, numbers);
    if (lat->exchanges || lm_rounds_exchange(&lat->rounds))
        lm_header_add(&h, lm_parts[LM_PART_EXCHANGE].name,
                      LM_EXCHANGE_BYTES + 8 * (uint64_t)lat->rounds.count);
    if (lm_walks_counted(lat))
        lm_header_add(&h, lm_parts[LM_PART_WALKS].name, LM_WALKS * numbers);
    for (int owner = 0; owner < LM_OWNERS; owner++) {
        const lm_leaves given = lm_leaves_of(lat, (lm_owner)owner);

        if (lat->disorder[owner].kind == LM_DRAWN)
            lm_header_add(&h, lm_parts[LM_PART_DRAWN + owner].name,
                          drawn_bytes(lat, (lm_owner)owner));
        if (lm_is_given(&lat->disorder[owner]))
            lm_header_add(&h, lm_parts[LM_PART_GIVEN + owner].name, lm_leaves_bytes(&given));
    }
    if (lat->best.energies) {
        lm_header_add(&h, lm_parts[LM_PART_BEST].name, LM_BEST_BYTES * (uint64_t)lat->replicas);
        lm_header_add(&h, lm_parts[LM_PART_BEST_SITES].name, lm_leaves_bytes(&sites));
    }
    lm_header_add(&h, lm_parts[LM_PART_SITES].name, lm_leaves_bytes(&sites));
    return h;
}
