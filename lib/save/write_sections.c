/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/write_sections.h"

#include "lib/base/bytes.h"
#include "lib/base/chunk.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/lattice_leaves.h"
#include "lib/settings/momenta.h"
#include "lib/settings/schedule.h"
#include "lib/settings/slots.h"
#include "lib/settings/walks.h"
#include "lib/settings/weights.h"
#include "lib/physics/exchange_state.h"
#include "lib/save/hash.h"
#include "lib/save/lattice_section.h"
#include "lib/save/leaf_writer.h"

static void put(lm_outgoing *o, const void *data, size_t bytes)
{
    o->bytes += bytes;
    lm_checksum_add(&o->sum, data, bytes);
    if (o->sink && !o->status)
        o->status = o->sink->write(o->sink, data, bytes);
}

static void put_name(lm_outgoing *o, const char *name)
{
    uint8_t bytes[LM_NAME_BYTES], *to = bytes;

    lm_put_name(&to, name);
    put(o, bytes, sizeof bytes);
}

static void put_u64(lm_outgoing *o, uint64_t value)
{
    uint8_t bytes[8], *to = bytes;

    lm_put_u64(&to, value);
    put(o, bytes, sizeof bytes);
}

static void put_u32(lm_outgoing *o, uint32_t value)
{
    uint8_t bytes[4], *to = bytes;

    lm_put_u32(&to, value);
    put(o, bytes, sizeof bytes);
}

static void put_integers(lm_outgoing *o, const int64_t *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        put_u64(o, (uint64_t)values[i]);
}

static void put_doubles(lm_outgoing *o, const double *values, int64_t count)
{
    enum { SOME = 512 };
    uint8_t some[8 * SOME];

    for (lm_chunk c = {0}; lm_next_chunk(&c, count, SOME);) {
        uint8_t *to = some;

        for (int64_t i = 0; i < c.count; i++)
            lm_put_f64(&to, values[c.first + i]);
        put(o, some, (size_t)(to - some));
    }
}

/* ---- sections without leaves */

void lm_put_lattice(lm_outgoing *o, const latmc_lattice *lat)
{
    uint8_t bytes[LM_LATTICE_MAX];

    put(o, bytes, lm_lattice_write(lat, bytes));
}

void lm_put_options(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_OPTIONS);

    for (int i = 0; i < list->count; i++) {
        put_name(o, list->entries[i].name);
        put_u64(o, (uint64_t)lat->options[i]);
    }
}

void lm_put_params(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);

    for (int i = 0; i < list->count; i++) {
        put_name(o, list->entries[i].name);
        put_doubles(o, lat->params + i * lat->replicas, lat->replicas);
    }
}

void lm_put_changed(lm_outgoing *o, const latmc_lattice *lat)
{
    put_doubles(o, lat->changed, lat->replicas);
}

/* A step's own arguments. */
static void put_own(lm_outgoing *o, const latmc_lattice *lat, int step)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    const lm_step_arguments *own = &lat->rounds.own[step];

    for (int64_t k = 0; k < own->count; k++) {
        put_u64(o, (uint64_t)step);
        put_name(o, lm_list_find(list, (int)own->params[k])->name);
        put_doubles(o, &own->values[k], 1);
    }
}

void lm_put_schedule(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_rounds *rounds = &lat->rounds;
    const lm_list *updates = lm_list_of(lat->model, LATMC_UPDATES);

    if (!rounds->count)
        return;
    put_u64(o, (uint64_t)rounds->done);
    put_u64(o, (uint64_t)rounds->count);
    for (int i = 0; i < rounds->count; i++) {
        put_name(o, updates->entries[rounds->steps[i].update].name);
        put_u64(o, (uint64_t)rounds->steps[i].sweeps);
        put_u64(o, (uint64_t)rounds->exchanges[i]);
        put_u64(o, 0); /* moves */
    }
    for (int i = 0; i < rounds->count; i++)
        put_own(o, lat, i);
}

void lm_put_ramps(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);

    for (int p = 0; p < list->count; p++) {
        const lm_ramp *ramp = &lat->ramps[p];

        if (!ramp->sweeps)
            continue;
        put_name(o, list->entries[p].name);
        put_u64(o, (uint64_t)ramp->first);
        put_u64(o, (uint64_t)ramp->sweeps);
        put_doubles(o, ramp->from, 2 * lat->replicas);
    }
}

/* Puts nothing if each sample is one ladder. */
void lm_put_ladders(lm_outgoing *o, const latmc_lattice *lat)
{
    if (lat->ladders != 1)
        put_u64(o, (uint64_t)lat->ladders);
}

void lm_put_slots(lm_outgoing *o, const latmc_lattice *lat)
{
    if (lm_slots_moved(lat))
        put_integers(o, lat->slots, lat->replicas);
}

void lm_put_exchange(lm_outgoing *o, const latmc_lattice *lat)
{
    if (!lat->exchanges && !lat->rounds.due)
        return;
    put_u64(o, (uint64_t)lat->exchanges);
    put_u64(o, (uint64_t)lat->rounds.due);
}

void lm_put_walks(lm_outgoing *o, const latmc_lattice *lat)
{
    if (lm_walks_counted(lat))
        put_integers(o, lat->walks, LM_WALKS * lat->replicas);
}

void lm_put_momenta(lm_outgoing *o, const latmc_lattice *lat)
{
    const int64_t count = lm_momentum_count(lat);

    if (!count)
        return;
    put_u64(o, (uint64_t)count);
    put_integers(o, lat->momenta->n, count * lat->dims);
}

void lm_put_drawn(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_disorder *own = &lat->disorder[lm_owner_of(o->id)];
    const lm_draw *draw = &own->draw;
    const lm_list *distributions = lm_list_of(lat->model, LATMC_DISTRIBUTIONS);
    const lm_list *list = lm_list_of(lat->model, LATMC_ARGUMENTS);

    if (own->kind != LM_DRAWN)
        return;
    put_name(o, lm_list_find(distributions, (int)draw->distribution)->name);
    put_u64(o, draw->seed);
    for (int i = 0; i < list->count; i++) {
        const lm_entry *e = &list->entries[i];

        if (e->distribution != (int)draw->distribution)
            continue;
        put_name(o, e->name);
        put_doubles(o, &draw->values[LM_ARGUMENT(e->id)], 1);
    }
}

void lm_put_weights(lm_outgoing *o, const latmc_lattice *lat)
{
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++) {
        const lm_weights *w = &lat->weights.set[i];

        if (!w->samples)
            continue;
        put_u64(o, (uint64_t)i);
        put_u32(o, w->owner == LM_OF_BONDS ? LM_WEIGHTS_OF_BONDS : LM_WEIGHTS_OF_SITES);
        put_u32(o, (uint32_t)w->as_signs);
        put_u64(o, (uint64_t)w->samples);
    }
}

/* A replica that has no best sites yet has 0, -1 and 0. */
void lm_put_best(lm_outgoing *o, const latmc_lattice *lat)
{
    for (int64_t r = 0; lat->best.energies && r < lat->replicas; r++) {
        const double energy = lat->best.sweeps[r] < 0 ? 0.0 : lat->best.energies[r];

        put_doubles(o, &energy, 1);
        put_u64(o, (uint64_t)lat->best.sweeps[r]);
        put_u64(o, lat->best.sweeps[r] < 0 ? 0 : lat->best.hamiltonians[r]);
    }
}

/* ---- sections of leaves, which have sums of their own */

void lm_put_given(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_owner owner = lm_owner_of(o->id);
    const lm_leaves leaves = lm_leaves_of_disorder(lat, owner);
    lm_leaf_writer w;

    o->status = lm_leaf_writer_open(&w, o->sink->caller, &leaves, o->sink);
    if (!o->status)
        o->status = lm_leaf_writer_add(&w, lm_disorder_given(&lat->disorder[owner]),
                                       leaves.trunks * leaves.numbers);
    if (!o->status)
        o->status = lm_leaf_writer_end(&w, &o->leaves_sum);
    lm_leaf_writer_close(&w);
}

void lm_put_given_weights(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_leaves first = lm_leaves_of_weights(lat, &lat->weights.set[0]);
    lm_leaf_writer w;

    o->status = lm_leaf_writer_open(&w, o->sink->caller, &first, o->sink);
    for (int i = 0; i < LATMC_MAX_WEIGHTS && !o->status; i++) {
        const lm_weights *set = &lat->weights.set[i];
        const lm_leaves leaves = lm_leaves_of_weights(lat, set);

        if (!set->samples)
            continue;
        lm_leaf_writer_next(&w, &leaves);
        o->status = lm_leaf_writer_add(&w, lm_weights_numbers(set), leaves.trunks * leaves.numbers);
    }
    if (!o->status)
        o->status = lm_leaf_writer_end(&w, &o->leaves_sum);
    lm_leaf_writer_close(&w);
}

void lm_put_best_sites(lm_outgoing *o, const latmc_lattice *lat)
{
    const lm_leaves leaves = lm_leaves_of_sites(lat);
    const lm_best *best = &lat->best;
    lm_leaf_writer w;

    o->status = lm_leaf_writer_open(&w, o->sink->caller, &leaves, o->sink);
    for (int64_t r = 0; r < lat->replicas && !o->status; r++) {
        lm_leaves_decode(&leaves, best->sites + r * lm_trunk_bytes(&leaves), 0, leaves.numbers,
                         lat->type->decode, best->numbers);
        o->status = lm_leaf_writer_add(&w, best->numbers, leaves.numbers);
    }
    if (!o->status)
        o->status = lm_leaf_writer_end(&w, &o->leaves_sum);
    lm_leaf_writer_close(&w);
}

void lm_put_all_sites(lm_outgoing *o, const latmc_lattice *lat)
{
    o->status = lm_hash_sites(lat, o->sink->caller, o->sink, o->offset, &o->leaves_sum);
}
