/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a saved lattice in one pass, a piece at a time: doc/format.md describes it. */
#include "lib/save/save.h"

#include <math.h>

#include "lib/base/bytes.h"
#include "lib/base/checksum.h"
#include "lib/base/chunk.h"
#include "lib/base/ranks.h"
#include "lib/lattice/changed.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/leaves_of.h"
#include "lib/save/hash.h"
#include "lib/save/leaf_writer.h"
#include "lib/save/parts.h"

#include "lib/physics/exchange.h"

/* A section on its way out. */
typedef struct out {
    lm_sink *sink;
    lm_checksum sum;
} out;

static latmc_status put(out *o, const void *data, size_t bytes)
{
    lm_checksum_add(&o->sum, data, bytes);
    return o->sink->write(o->sink, data, bytes);
}

static latmc_status put_name(out *o, const char *name)
{
    uint8_t bytes[LM_NAME_BYTES], *to = bytes;

    lm_put_name(&to, name);
    return put(o, bytes, sizeof bytes);
}

static latmc_status put_u64(out *o, uint64_t value)
{
    uint8_t bytes[8], *to = bytes;

    lm_put_u64(&to, value);
    return put(o, bytes, sizeof bytes);
}

static latmc_status put_doubles(out *o, const double *values, int64_t count)
{
    enum { SOME = 512 };
    uint8_t some[8 * SOME];
    latmc_status status = LATMC_OK;

    for (lm_chunk c = {0}; !status && lm_next_chunk(&c, count, SOME);) {
        uint8_t *to = some;

        for (int64_t i = 0; i < c.count; i++)
            lm_put_f64(&to, values[c.first + i]);
        status = put(o, some, (size_t)(to - some));
    }
    return status;
}

static latmc_status put_lattice(out *o, const latmc_lattice *lat)
{
    uint8_t bytes[LM_LATTICE_BYTES];

    lm_lattice_write(lat, bytes);
    return put(o, bytes, sizeof bytes);
}

static latmc_status put_options(out *o, const latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_OPTIONS);
    latmc_status status = LATMC_OK;

    for (int i = 0; i < list->count && !status; i++) {
        status = put_name(o, list->entries[i].name);
        if (!status)
            status = put_u64(o, (uint64_t)lat->options[i]);
    }
    return status;
}

static latmc_status put_params(out *o, const latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    latmc_status status = LATMC_OK;

    for (int i = 0; i < list->count && !status; i++) {
        status = put_name(o, list->entries[i].name);
        if (!status)
            status = put_doubles(o, lat->params + i * lat->replicas, lat->replicas);
    }
    return status;
}

static latmc_status put_changed(out *o, const latmc_lattice *lat)
{
    return put_doubles(o, lat->changed, lat->replicas);
}

/* A step's own arguments. */
static latmc_status put_own(out *o, const latmc_lattice *lat, int step)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    latmc_status status = LATMC_OK;

    for (int p = 0; p < list->count && !status; p++) {
        if (isnan(lat->rounds.own[step][p]))
            continue;
        status = put_u64(o, (uint64_t)step);
        if (!status)
            status = put_name(o, list->entries[p].name);
        if (!status)
            status = put_doubles(o, &lat->rounds.own[step][p], 1);
    }
    return status;
}

static latmc_status put_schedule(out *o, const latmc_lattice *lat)
{
    const lm_rounds *rounds = &lat->rounds;
    const lm_list *updates = lm_list_of(lat->model, LATMC_UPDATES);
    latmc_status status = put_u64(o, (uint64_t)rounds->done);

    if (!status)
        status = put_u64(o, (uint64_t)rounds->count);
    for (int i = 0; i < rounds->count && !status; i++) {
        status = put_name(o, updates->entries[rounds->steps[i].update].name);
        if (!status)
            status = put_u64(o, (uint64_t)rounds->steps[i].sweeps);
    }
    for (int i = 0; i < rounds->count && !status; i++)
        status = put_own(o, lat, i);
    return status;
}

static latmc_status put_ramps(out *o, const latmc_lattice *lat)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    latmc_status status = LATMC_OK;

    for (int p = 0; p < list->count && !status; p++) {
        const lm_ramp *ramp = &lat->ramps[p];

        if (!ramp->sweeps)
            continue;
        status = put_name(o, list->entries[p].name);
        if (!status)
            status = put_u64(o, (uint64_t)ramp->first);
        if (!status)
            status = put_u64(o, (uint64_t)ramp->sweeps);
        if (!status)
            status = put_doubles(o, ramp->from, 2 * lat->replicas);
    }
    return status;
}

static latmc_status put_slots(out *o, const latmc_lattice *lat)
{
    latmc_status status = LATMC_OK;

    for (int64_t r = 0; r < lat->replicas && !status; r++)
        status = put_u64(o, (uint64_t)lat->slots[r]);
    return status;
}

static latmc_status put_ladders(out *o, const latmc_lattice *lat)
{
    return put_u64(o, (uint64_t)lat->ladders);
}

static latmc_status put_exchange(out *o, const latmc_lattice *lat)
{
    latmc_status status = put_u64(o, (uint64_t)lat->exchanges);

    if (!status)
        status = put_u64(o, (uint64_t)lat->rounds.due);
    for (int i = 0; i < lat->rounds.count && !status; i++)
        status = put_u64(o, (uint64_t)lat->rounds.exchanges[i]);
    return status;
}

static latmc_status put_walks(out *o, const latmc_lattice *lat)
{
    latmc_status status = LATMC_OK;

    for (int64_t i = 0; i < LM_WALKS * lat->replicas && !status; i++)
        status = put_u64(o, (uint64_t)lat->walks[i]);
    return status;
}

static latmc_status put_drawn(out *o, const latmc_lattice *lat, lm_owner owner)
{
    const lm_draw *draw = &lat->disorder[owner].draw;
    const lm_list *list = lm_list_of(lat->model, LATMC_ARGUMENTS);
    const lm_entry *distribution =
        lm_list_find(lm_list_of(lat->model, LATMC_DISTRIBUTIONS), (int)draw->distribution);
    latmc_status status = put_name(o, distribution->name);

    if (!status)
        status = put_u64(o, draw->seed);
    for (int i = 0; i < list->count && !status; i++) {
        const lm_entry *e = &list->entries[i];

        if (e->distribution != (int)draw->distribution)
            continue;
        status = put_name(o, e->name);
        if (!status)
            status = put_doubles(o, &draw->values[LM_ARGUMENT(e->id)], 1);
    }
    return status;
}

static latmc_status put_drawn_bonds(out *o, const latmc_lattice *lat)
{
    return put_drawn(o, lat, LM_OF_BONDS);
}

static latmc_status put_drawn_fields(out *o, const latmc_lattice *lat)
{
    return put_drawn(o, lat, LM_OF_SITES);
}

/* Where there are none yet, 0 and -1. */
static latmc_status put_best(out *o, const latmc_lattice *lat)
{
    latmc_status status = LATMC_OK;

    for (int64_t r = 0; r < lat->replicas && !status; r++) {
        const double energy = lat->best.sweeps[r] < 0 ? 0.0 : lat->best.energies[r];

        status = put_doubles(o, &energy, 1);
        if (!status)
            status = put_u64(o, (uint64_t)lat->best.sweeps[r]);
    }
    return status;
}

/* Sections that are leaves have sums of their own. */
static latmc_status put_given(lm_sink *sink, const latmc_lattice *lat, lm_owner owner,
                              uint64_t *sum)
{
    const lm_leaves leaves = lm_leaves_of(lat, owner);
    lm_leaf_writer w;
    latmc_status status = lm_leaf_writer_open(&w, sink->who, &leaves, sink);

    if (!status)
        status = lm_leaf_writer_add(&w, lm_disorder_given(&lat->disorder[owner]),
                                    leaves.trunks * leaves.numbers);
    if (!status)
        status = lm_leaf_writer_end(&w, sum);
    lm_leaf_writer_close(&w);
    return status;
}

static latmc_status put_best_sites(lm_sink *sink, const latmc_lattice *lat, uint64_t *sum)
{
    const lm_leaves leaves = lm_leaves_of_sites(lat);
    const lm_best *best = &lat->best;
    lm_leaf_writer w;
    latmc_status status = lm_leaf_writer_open(&w, sink->who, &leaves, sink);

    for (int64_t r = 0; r < lat->replicas && !status; r++) {
        lm_leaves_decode(&leaves, best->sites + r * lm_trunk_bytes(&leaves), 0, leaves.numbers,
                         lat->type->decode, best->numbers);
        status = lm_leaf_writer_add(&w, best->numbers, leaves.numbers);
    }
    if (!status)
        status = lm_leaf_writer_end(&w, sum);
    lm_leaf_writer_close(&w);
    return status;
}

/* Those that have no leaves. */
static latmc_status (*const plain[LM_PARTS])(out *, const latmc_lattice *) = {
    [LM_PART_LATTICE] = put_lattice,
    [LM_PART_OPTIONS] = put_options,
    [LM_PART_PARAMS] = put_params,
    [LM_PART_CHANGED] = put_changed,
    [LM_PART_SCHEDULE] = put_schedule,
    [LM_PART_RAMPS] = put_ramps,
    [LM_PART_LADDERS] = put_ladders,
    [LM_PART_SLOTS] = put_slots,
    [LM_PART_EXCHANGE] = put_exchange,
    [LM_PART_WALKS] = put_walks,
    [LM_PART_DRAWN + LM_OF_BONDS] = put_drawn_bonds,
    [LM_PART_DRAWN + LM_OF_SITES] = put_drawn_fields,
    [LM_PART_BEST] = put_best,
};

/* With ranks that write together the first one has all that is not sites. */
static latmc_status put_part(lm_sink *sink, const latmc_lattice *lat, int part, lm_section *s)
{
    uint64_t *const sum = &s->sum;
    out o = {.sink = sink};
    latmc_status status;

    if (part == LM_PART_SITES)
        return lm_put_sites(lat, sink->who, sink, s->offset, sum);
    if (sink->go && lm_ranks_own(lat->ranks))
        return LATMC_OK;
    if (part == LM_PART_BEST_SITES)
        return put_best_sites(sink, lat, sum);
    if (!plain[part])
        return put_given(sink, lat, (lm_owner)(part - LM_PART_GIVEN), sum);
    lm_checksum_begin(&o.sum);
    status = plain[part](&o, lat);
    *sum = lm_checksum_value(&o.sum);
    return status;
}

/* ---- settings alone */

static latmc_status add_to_sum(lm_sink *sink, const void *data, size_t bytes)
{
    lm_checksum_add(sink->target, data, bytes);
    return LATMC_OK;
}

/* What it costs to go through sites and couplings is not paid. */
void lm_settings_give(const latmc_lattice *lattice)
{
    const lm_header header = lm_header_of(lattice);
    lm_checksum sum;
    lm_sink sink = {.target = &sum, .write = add_to_sum};

    for (int i = 0; i < header.count; i++) {
        const int part = lm_part_of(&header.sections[i]);
        out o = {.sink = &sink};

        if (!plain[part] || part == LM_PART_CHANGED)
            continue;
        lm_checksum_begin(&sum);
        (void)!plain[part](&o, lattice);
        lm_given_setting(lattice->ranks, lm_parts[part].words, lm_checksum_value(&sum));
    }
}

/* ---- all */

latmc_status lm_save_to(latmc_lattice *lattice, lm_sink *sink)
{
    lm_header header = lm_header_of(lattice);
    uint8_t bytes[LM_MAX_HEADER];
    const int writes = !sink->go || lm_ranks_own(lattice->ranks) == 0;
    latmc_status status = lm_changed_fetch(lattice, sink->who);

    if (!status && writes)
        status = sink->write(sink, bytes, lm_header_write(&header, bytes));
    for (int i = 0; i < header.count && !status; i++) {
        lm_section *s = &header.sections[i];

        if (sink->go)
            status = sink->go(sink, s->offset);
        if (!status)
            status = put_part(sink, lattice, lm_part_of(s), s);
    }
    if (status || !writes)
        return status;
    if (sink->go)
        status = sink->go(sink, header.bytes - lm_end_write(&header, bytes));
    return status ? status : sink->write(sink, bytes, lm_end_write(&header, bytes));
}
