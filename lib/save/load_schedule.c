/* SPDX-License-Identifier: BSD-3-Clause */
/* What a saved lattice is to do next, and with what: its schedule, the ramps of its parameters, its
 * slots and their exchanges. */
#include "lib/save/load_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/bytes.h"
#include "lib/base/memory.h"
#include "lib/lattice/params.h"
#include "lib/lattice/ramp.h"
#include "lib/lattice/schedule.h"
#include "lib/lattice/slots.h"
#include "lib/lattice/walks.h"
#include "lib/save/load_named.h"
#include "lib/save/section.h"

/* The most bytes that a schedule can have. */
enum { MOST = LM_ROUND_BYTES + LATMC_MAX_STEPS * (LM_STEP_BYTES + LM_MAX_PARAMS * LM_OWN_BYTES) };

static latmc_status use_steps(const lm_source *source, const uint8_t **from, int steps,
                              latmc_lattice *lat)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_UPDATES), LATMC_UPDATES, 0, 0, 0};
    latmc_update updates[LATMC_MAX_STEPS];
    int64_t sweeps[LATMC_MAX_STEPS];

    for (int i = 0; i < steps; i++) {
        const lm_entry *entry;
        const latmc_status status = lm_load_name(&n, from, &entry);

        if (status)
            return status;
        updates[i] = (latmc_update)entry->id;
        sweeps[i] = (int64_t)lm_get_u64(from);
    }
    return lm_as_damage(source, latmc_set_schedule(lat, steps, updates, sweeps));
}

/* As they are saved: step by step, in the order of the parameters. */
static latmc_status use_own(const lm_source *source, const uint8_t *from, uint64_t count,
                            latmc_lattice *lat)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_PARAMS), LATMC_PARAMS, 0, 0, 0};
    uint64_t before = 0;

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t step = lm_get_u64(&from);
        const lm_entry *entry;
        latmc_status status = lm_load_name(&n, &from, &entry);
        double value;
        uint64_t place;

        if (status)
            return status;
        value = lm_get_f64(&from);
        place = step * LM_MAX_PARAMS + (uint64_t)(entry - n.list->entries) + 1;
        if (step >= LATMC_MAX_STEPS || place <= before || isnan(value))
            return lm_damaged(source, "an argument of a step");
        before = place;
        status = lm_as_damage(
            source, latmc_set_step_argument(lat, (int)step, (latmc_param)entry->id, value));
        if (status)
            return status;
    }
    return LATMC_OK;
}

static latmc_status use_schedule(const lm_source *source, const lm_section *s, const uint8_t *from,
                                 latmc_lattice *lat)
{
    const uint64_t done = lm_get_u64(&from), steps = lm_get_u64(&from);
    uint64_t own = s->length - LM_ROUND_BYTES;
    latmc_status status;

    if (steps < 1 || steps > LATMC_MAX_STEPS || own < steps * LM_STEP_BYTES ||
        (own - steps * LM_STEP_BYTES) % LM_OWN_BYTES)
        return lm_damaged(source, "number of steps");
    own = (own - steps * LM_STEP_BYTES) / LM_OWN_BYTES;
    status = use_steps(source, &from, (int)steps, lat);
    if (!status)
        status = use_own(source, from, own, lat);
    if (!status && done >= (uint64_t)lat->rounds.sweeps)
        status = lm_damaged(source, "sweeps of a round");
    if (!status)
        lat->rounds.done = (int64_t)done;
    return status;
}

latmc_status lm_load_schedule(lm_source *source, const lm_header *h, latmc_lattice *lat)
{
    const lm_section *s = lm_part_find(h, LM_PART_SCHEDULE);
    uint8_t *bytes = NULL;
    latmc_status status;

    if (!s)
        return LATMC_OK;
    status = lm_read_section(source, s, MOST, &bytes);
    if (!status && s->length < LM_ROUND_BYTES)
        status = lm_damaged(source, "number of steps");
    if (!status)
        status = use_schedule(source, s, bytes, lat);
    free(bytes);
    return status;
}

/* The parameter must be where the ramp has it now. */
static latmc_status use_ramp(lm_names *n, const uint8_t **from, double *ends, latmc_lattice *lat)
{
    const int64_t replicas = lat->replicas;
    const lm_entry *entry;
    latmc_status status = lm_load_name(n, from, &entry);
    lm_ramp ramp = {.from = ends, .to = ends + replicas};
    int place;

    if (status)
        return status;
    place = (int)(entry - n->list->entries);
    ramp.first = (int64_t)lm_get_u64(from);
    ramp.sweeps = (int64_t)lm_get_u64(from);
    for (int64_t i = 0; i < 2 * replicas; i++)
        ends[i] = lm_get_f64(from);
    if (entry->step == 1.0 || ramp.first < 0 || ramp.first > lat->sweeps ||
        ramp.sweeps <= lat->sweeps - ramp.first || ramp.sweeps >= LM_MAX_SWEEPS)
        return lm_damaged(n->source, "a ramp");
    status = lm_params_check(lat, n->source->who, place, ramp.from, 1);
    if (!status)
        status = lm_params_check(lat, n->source->who, place, ramp.to, 1);
    if (status)
        return lm_as_damage(n->source, status);
    for (int64_t r = 0; r < replicas; r++)
        if (lat->params[place * replicas + r] != lm_ramp_value(&ramp, r, lat->sweeps))
            return lm_damaged(n->source, "a parameter is not where its ramp is");
    return lm_ramp_begin(lat, n->source->who, place, &ramp);
}

latmc_status lm_load_ramps(lm_source *source, const lm_header *h, latmc_lattice *lat)
{
    const lm_section *s = lm_part_find(h, LM_PART_RAMPS);
    const uint64_t each = LM_RAMP_BYTES + 2 * 8 * (uint64_t)lat->replicas;
    lm_names n = {source, lm_list_of(lat->model, LATMC_PARAMS), LATMC_PARAMS, 0, 1, 0};
    uint8_t *bytes = NULL;
    double *ends = NULL;
    latmc_status status;

    if (!s)
        return LATMC_OK;
    status = lm_read_named(source, s, each, each, &bytes);
    if (!status) {
        const uint8_t *from = bytes;

        ends = lm_zeroed(source->who, "the ends of a ramp", 2 * lat->replicas, sizeof *ends);
        status = ends ? LATMC_OK : LATMC_ERROR_MEMORY;
        for (uint64_t i = 0; i < s->length / each && !status; i++)
            status = use_ramp(&n, &from, ends, lat);
    }
    free(ends);
    free(bytes);
    return status;
}

/* A section that must have so many bytes; free() them, also after a failure. */
static latmc_status read_exactly(lm_source *source, const lm_section *s, uint64_t length,
                                 uint8_t **bytes)
{
    const latmc_status status = lm_need_length(source, s, length);

    *bytes = NULL;
    return status ? status : lm_read_section(source, s, length, bytes);
}

/* Where each sample is one there is no such section. */
latmc_status lm_load_ladders(lm_source *source, const lm_header *h, latmc_lattice *lat)
{
    const lm_section *s = lm_part_find(h, LM_PART_LADDERS);
    uint8_t *bytes;
    latmc_status status;

    if (!s)
        return LATMC_OK;
    status = read_exactly(source, s, 8, &bytes);
    if (!status) {
        const uint8_t *from = bytes;
        const int64_t ladders = (int64_t)lm_get_u64(&from);

        status = lm_as_damage(source, latmc_set_ladders(lat, ladders));
    }
    if (!status && lat->ladders == 1)
        status = lm_damaged(source, "ladders that are the samples");
    free(bytes);
    return status;
}

/* Where all replicas have their own slots there is no such section. */
latmc_status lm_load_slots(lm_source *source, const lm_header *h, latmc_lattice *lat)
{
    const lm_section *s = lm_part_find(h, LM_PART_SLOTS);
    const uint64_t length = 8 * (uint64_t)lat->replicas;
    uint8_t *bytes;
    int64_t *slots = NULL;
    latmc_status status;

    if (!s)
        return LATMC_OK;
    status = read_exactly(source, s, length, &bytes);
    if (!status) {
        const uint8_t *from = bytes;

        slots = lm_zeroed(source->who, "the slots of all replicas", lat->replicas, sizeof *slots);
        status = slots ? LATMC_OK : LATMC_ERROR_MEMORY;
        for (int64_t r = 0; r < lat->replicas && slots; r++)
            slots[r] = (int64_t)lm_get_u64(&from);
    }
    if (!status)
        status = lm_as_damage(source, latmc_set_slots(lat, slots));
    if (!status && !lm_slots_moved(lat))
        status = lm_damaged(source, "slots that are the replicas' own");
    free(slots);
    free(bytes);
    return status;
}

static latmc_status use_exchange(const lm_source *source, const uint8_t *from, latmc_lattice *lat)
{
    const int64_t done = (int64_t)lm_get_u64(&from), due = (int64_t)lm_get_u64(&from);
    latmc_status status = LATMC_OK;

    for (int i = 0; i < lat->rounds.count && !status; i++) {
        const int64_t exchanges = (int64_t)lm_get_u64(&from);

        status = lm_as_damage(source, latmc_set_step_exchanges(lat, i, exchanges));
    }
    if (status)
        return status;
    if (done < 0 || done >= LM_MAX_SWEEPS || (!done && !lm_rounds_exchange(&lat->rounds)))
        return lm_damaged(source, "number of exchanges");
    if (due < 0 || due > lm_rounds_due(&lat->rounds, lat->rounds.done))
        return lm_damaged(source, "exchanges that are due");
    lat->exchanges = done;
    lat->rounds.due = due;
    return LATMC_OK;
}

latmc_status lm_load_exchange(lm_source *source, const lm_header *h, latmc_lattice *lat)
{
    const lm_section *s = lm_part_find(h, LM_PART_EXCHANGE);
    const uint64_t length = LM_EXCHANGE_BYTES + 8 * (uint64_t)lat->rounds.count;
    uint8_t *bytes;
    latmc_status status;

    if (!s)
        return LATMC_OK;
    status = read_exactly(source, s, length, &bytes);
    if (!status)
        status = use_exchange(source, bytes, lat);
    free(bytes);
    return status;
}

/* Counts that so many exchanges could have left, and the ends that replicas are at. */
static int walks_fit(const latmc_lattice *lat)
{
    const int64_t each = lm_ladder_slots(lat, lat->replicas), most = lat->exchanges;

    for (int64_t i = 0; i < lat->replicas; i++) {
        const int64_t place = lat->slots[i] % each, end = lm_walk_of(lat, LM_ENDS)[i];
        int64_t n[LM_ENDS];

        for (int k = 0; k < LM_ENDS; k++) {
            n[k] = lm_walk_of(lat, (lm_walk_row)k)[i];
            if (n[k] < 0 || n[k] > most || (n[k] && each == 1))
                return 0;
        }
        if (n[LM_ACCEPTED] > n[LM_OFFERED] || (n[LM_OFFERED] && i % each == each - 1) ||
            n[LM_FROM_FIRST] > most - n[LM_FROM_LAST])
            return 0;
        if (end < LM_AT_NONE || end > LM_ON_RETURN || (each == 1 && end) ||
            (each > 1 &&
             ((place == 0 && end != LM_AT_FIRST) || (place == each - 1 && end < LM_AT_LAST))))
            return 0;
    }
    return 1;
}

/* Where nothing was counted there is no such section. */
latmc_status lm_load_walks(lm_source *source, const lm_header *h, latmc_lattice *lat)
{
    const lm_section *s = lm_part_find(h, LM_PART_WALKS);
    const int64_t numbers = LM_WALKS * lat->replicas;
    uint8_t *bytes;
    latmc_status status;

    if (!s)
        return LATMC_OK;
    status = read_exactly(source, s, 8 * (uint64_t)numbers, &bytes);
    if (!status) {
        const uint8_t *from = bytes;

        for (int64_t i = 0; i < numbers; i++)
            lat->walks[i] = (int64_t)lm_get_u64(&from);
        if (!walks_fit(lat) || !lm_walks_counted(lat))
            status = lm_damaged(source, "what exchanges have come to");
    }
    free(bytes);
    return status;
}
