/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/section_list.h"

#include <string.h>

#include "lib/lattice/disorder.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/physics/exchange_state.h"
#include "lib/save/load_leaves.h"
#include "lib/save/load_named.h"
#include "lib/save/load_schedule.h"
#include "lib/save/load_weights.h"

enum {
    MOST = 64, /* things of a kind in a section */
    STEPS_NUMBERS = LATMC_MAX_STEPS * (LM_STEP + LM_MAX_PARAMS * LM_OWN) / LM_NUMBER
};

static uint64_t given_leaves(const latmc_lattice *lat, int id)
{
    const lm_owner owner = lm_owner_of(id);
    const lm_leaves leaves = lm_leaves_of_disorder(lat, owner);

    return lm_is_given(&lat->disorder[owner]) ? lm_leaves_bytes(&leaves) : 0;
}

static uint64_t site_leaves(const latmc_lattice *lat, int id)
{
    const lm_leaves leaves = lm_leaves_of_sites(lat);

    (void)id;
    return lm_leaves_bytes(&leaves);
}

static uint64_t weight_leaves(const latmc_lattice *lat, int id)
{
    uint64_t bytes = 0;

    (void)id;
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++) {
        const lm_leaves leaves = lm_leaves_of_weights(lat, &lat->weights.set[i]);

        bytes += lat->weights.set[i].samples ? lm_leaves_bytes(&leaves) : 0;
    }
    return bytes;
}

static uint64_t best_leaves(const latmc_lattice *lat, int id)
{
    return lat->best.energies ? site_leaves(lat, id) : 0;
}

/* Two or three lines a row. */
/* clang-format off */
const lm_section_row lm_section_list[LM_SECTIONS] = {
    [LM_SECTION_LATTICE] = {"lattice", "the settings of the lattice", 1,
        lm_put_lattice, NULL, {LM_LATTICE_FIXED, 0, LM_NUMBER, 0, LATMC_ROOM_DIMS}, NULL, 0},
    [LM_SECTION_OPTIONS] = {"options", "the model's options", 1,
        lm_put_options, lm_take_options, {0, 0, LM_NAMED, 0, MOST}, NULL, 0},
    [LM_SECTION_PARAMS] = {"params", "the parameters", 1,
        lm_put_params, lm_take_params, {0, 0, LM_NAME_BYTES, LM_NUMBER, MOST}, NULL, 0},
    [LM_SECTION_CHANGED] = {"changed", "the numbers of changed sites", 1,
        lm_put_changed, lm_take_changed, {.fixed_of_replica = LM_NUMBER}, NULL, 0},
    [LM_SECTION_SCHEDULE] = {"schedule", "the schedule", 0,
        lm_put_schedule, lm_take_schedule, {LM_ROUND, 0, LM_NUMBER, 0, STEPS_NUMBERS}, NULL, 0},
    [LM_SECTION_RAMPS] = {"ramps", "the ramps of parameters", 0,
        lm_put_ramps, lm_take_ramps,
        {LM_RAMP, LM_ENDS_OF_RAMP, LM_RAMP, LM_ENDS_OF_RAMP, LM_MAX_PARAMS}, NULL, 0},
    [LM_SECTION_LADDERS] = {"ladders", "the ladders of a sample", 0,
        lm_put_ladders, lm_take_ladders, {.fixed = LM_NUMBER}, NULL, 0},
    [LM_SECTION_SLOTS] = {"slots", "the slots of the replicas", 0,
        lm_put_slots, lm_take_slots, {.fixed_of_replica = LM_NUMBER}, NULL, 0},
    [LM_SECTION_EXCHANGE] = {"exchange", "the exchanges of slots", 0,
        lm_put_exchange, lm_take_exchange, {.fixed = LM_EXCHANGE}, NULL, 0},
    [LM_SECTION_WALKS] = {"walks", "what exchanges have come to", 0,
        lm_put_walks, lm_take_walks, {.fixed_of_replica = LM_WALKS * LM_NUMBER}, NULL, 0},
    [LM_SECTION_BONDS_DRAWN] = {"K-drawn", "how the couplings of the bonds are drawn", 0,
        lm_put_drawn, lm_take_drawn, {LM_NAMED, 0, LM_NAMED, 0, MOST}, NULL, 0},
    [LM_SECTION_BONDS_GIVEN] = {"K-given", "the couplings of the bonds", 0,
        lm_put_given, NULL, {0}, given_leaves, 0},
    [LM_SECTION_FIELDS_DRAWN] = {"G-drawn", "how the fields of the sites are drawn", 0,
        lm_put_drawn, lm_take_drawn, {LM_NAMED, 0, LM_NAMED, 0, MOST}, NULL, 0},
    [LM_SECTION_FIELDS_GIVEN] = {"G-given", "the fields of the sites", 0,
        lm_put_given, NULL, {0}, given_leaves, 0},
    [LM_SECTION_MOMENTA] = {"momenta", "the momenta", 0,
        lm_put_momenta, lm_take_momenta,
        {LM_NUMBER, 0, LM_NUMBER, 0, LATMC_MAX_MOMENTA * LATMC_MAX_DIMS}, NULL,
        LM_SECTION_OPTIONAL},
    [LM_SECTION_WEIGHTS] = {"weights", "the list of weights", 0,
        lm_put_weights, lm_take_weights, {0, 0, LM_WEIGHT_SET, 0, LATMC_MAX_WEIGHTS}, NULL,
        LM_SECTION_OPTIONAL},
    [LM_SECTION_WEIGHTS_GIVEN] = {"W-given", "the weights", 0,
        lm_put_given_weights, NULL, {0}, weight_leaves, LM_SECTION_OPTIONAL | LM_SECTION_LEAVES},
    [LM_SECTION_BEST] = {"best", "the energies of the best sites", 0,
        lm_put_best, lm_take_best, {.fixed_of_replica = 3 * LM_NUMBER}, NULL, 0},
    [LM_SECTION_BEST_SITES] = {"b-sites", "the best sites", 0,
        lm_put_best_sites, NULL, {0}, best_leaves, 0},
    [LM_SECTION_SITES] = {"sites", "the sites", 1,
        lm_put_all_sites, NULL, {0}, site_leaves, 0},
};
/* clang-format on */

int lm_section_id_of(const lm_section *section)
{
    for (int p = 0; p < LM_SECTIONS; p++)
        if (strcmp(lm_section_list[p].name, section->name) == 0)
            return p;
    return -1;
}

static uint64_t bytes_of(const latmc_lattice *lat, int id)
{
    lm_outgoing o = {.id = id};

    if (lm_section_list[id].leaves)
        return lm_section_list[id].leaves(lat, id);
    lm_checksum_begin(&o.sum);
    lm_section_list[id].put(&o, lat);
    return o.bytes;
}

lm_header lm_header_of(const latmc_lattice *lat)
{
    lm_header h = {0};

    for (int p = 0; p < LM_SECTIONS; p++) {
        const uint64_t bytes = bytes_of(lat, p);

        if (bytes || lm_section_list[p].required)
            lm_header_add(&h, lm_section_list[p].name, lm_section_list[p].flags, bytes);
    }
    return h;
}
