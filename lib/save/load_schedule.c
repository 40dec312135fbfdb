/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a saved lattice is to do next: its schedule, the ramps of its parameters, its slots
 * and their exchanges. */
#include "lib/save/load_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/bytes.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/save/load_named.h"
#include "lib/save/section.h"
#include "lib/settings/params.h"
#include "lib/settings/ramp.h"
#include "lib/settings/schedule.h"
#include "lib/settings/slots.h"
#include "lib/settings/walks.h"

/* Steps that a section names, with room for all values of their own. */
typedef struct given_steps {
    latmc_step steps[LATMC_MAX_STEPS];
    latmc_param params[LATMC_MAX_STEPS * LM_MAX_PARAMS];
    double values[LATMC_MAX_STEPS * LM_MAX_PARAMS];
} given_steps;

static latmc_status load_steps(const lm_source *source, const uint8_t **from, uint64_t count,
                               const latmc_lattice *lat, given_steps *to)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_UPDATES), LATMC_UPDATES, 0, 0, 0};

    for (uint64_t i = 0; i < count; i++) {
        latmc_step *step = &to->steps[i];
        const lm_entry *update;
        const latmc_status status = lm_load_name(&n, from, &update);

        if (status)
            return status;
        *step = (latmc_step){.size = sizeof *step, .update = update->id};
        step->sweeps = (int64_t)lm_get_u64(from);
        step->exchanges = (int64_t)lm_get_u64(from);
        if (lm_get_u64(from))
            return lm_fail(LATMC_ERROR_VERSION,
                           "%s: the schedule of %s has isoenergetic moves; a later version has "
                           "saved it",
                           source->caller, source->name);
    }
    return LATMC_OK;
}

/* Reads the own values of steps, as they are saved: step by step, in the order of the
 * parameters. */
static latmc_status load_own(const lm_source *source, const uint8_t *from, uint64_t count,
                             uint64_t steps, const latmc_lattice *lat, given_steps *to)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_PARAMS), LATMC_PARAMS, 0, 0, 0};
    uint64_t before = 0;

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t step = lm_get_u64(&from);
        const lm_entry *parameter;
        const latmc_status status = lm_load_name(&n, &from, &parameter);
        const double value = lm_get_f64(&from);
        uint64_t index;

        if (status)
            return status;
        index = step * LM_MAX_PARAMS + (uint64_t)(parameter - n.list->entries) + 1;
        if (step >= steps || index <= before || isnan(value))
            return lm_damaged(source, "an argument of a step");
        before = index;
        to->params[i] = (latmc_param)parameter->id;
        to->values[i] = value;
        if (!to->steps[step].param_count++) {
            to->steps[step].params = &to->params[i];
            to->steps[step].values = &to->values[i];
        }
    }
    return LATMC_OK;
}

latmc_status lm_take_schedule(const lm_source *source, const lm_section *s, const uint8_t *from,
                              latmc_lattice *lat)
{
    const uint64_t done = lm_get_u64(&from), steps = lm_get_u64(&from);
    uint64_t own = s->length - LM_ROUND;
    given_steps given;
    latmc_status status;

    if (steps < 1 || steps > LATMC_MAX_STEPS || own < steps * LM_STEP ||
        (own - steps * LM_STEP) % LM_OWN)
        return lm_damaged(source, "number of steps");
    own = (own - steps * LM_STEP) / LM_OWN;
    status = load_steps(source, &from, steps, lat, &given);
    if (!status)
        status = load_own(source, from, own, steps, lat, &given);
    if (!status)
        status =
            lm_damaged_if_refused(source, latmc_set_schedule(lat, (int64_t)steps, given.steps));
    if (!status && done >= (uint64_t)lat->rounds.sweeps)
        status = lm_damaged(source, "sweeps of a round");
    if (!status)
        lat->rounds.done = (int64_t)done;
    return status;
}

/* Sets a ramp. The parameter must have the value that the ramp has now. */
static latmc_status use_ramp(lm_names *n, const uint8_t **from, double *ends, latmc_lattice *lat)
{
    const int64_t replicas = lat->replicas;
    const lm_entry *parameter;
    latmc_status status = lm_load_name(n, from, &parameter);
    lm_ramp ramp = {.from = ends, .to = ends + replicas};
    int index;

    if (status)
        return status;
    index = (int)(parameter - n->list->entries);
    ramp.first = (int64_t)lm_get_u64(from);
    ramp.sweeps = (int64_t)lm_get_u64(from);
    for (int64_t i = 0; i < 2 * replicas; i++)
        ends[i] = lm_get_f64(from);
    if (parameter->step == 1.0 || ramp.first < 0 || ramp.first > lat->sweeps ||
        ramp.sweeps <= lat->sweeps - ramp.first || ramp.sweeps >= LM_MAX_SWEEPS)
        return lm_damaged(n->source, "a ramp");
    status = lm_params_check(lat, n->source->caller, index, ramp.from, 1);
    if (!status)
        status = lm_params_check(lat, n->source->caller, index, ramp.to, 1);
    if (status)
        return lm_damaged_if_refused(n->source, status);
    for (int64_t r = 0; r < replicas; r++)
        if (lat->params[index * replicas + r] != lm_ramp_value(&ramp, r, lat->sweeps))
            return lm_damaged(n->source, "a parameter is not where its ramp is");
    return lm_ramp_begin(lat, n->source->caller, index, &ramp);
}

latmc_status lm_take_ramps(const lm_source *source, const lm_section *s, const uint8_t *from,
                           latmc_lattice *lat)
{
    lm_names n = {source, lm_list_of(lat->model, LATMC_PARAMS), LATMC_PARAMS, 0, 1, 0};
    const uint64_t each = LM_RAMP + LM_ENDS_OF_RAMP * (uint64_t)lat->replicas;
    double *ends = lm_zeroed(source->caller, "the ends of a ramp", 2 * lat->replicas, sizeof *ends);
    latmc_status status = ends ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (uint64_t i = 0; i < s->length / each && !status; i++)
        status = use_ramp(&n, &from, ends, lat);
    free(ends);
    return status;
}

latmc_status lm_take_ladders(const lm_source *source, const lm_section *s, const uint8_t *from,
                             latmc_lattice *lat)
{
    const latmc_status status =
        lm_damaged_if_refused(source, latmc_set_ladders(lat, (int64_t)lm_get_u64(&from)));

    (void)s;
    return status || lat->ladders != 1 ? status
                                       : lm_damaged(source, "ladders that are the samples");
}

latmc_status lm_take_slots(const lm_source *source, const lm_section *s, const uint8_t *from,
                           latmc_lattice *lat)
{
    int64_t *slots =
        lm_zeroed(source->caller, "the slots of all replicas", lat->replicas, sizeof *slots);
    latmc_status status = slots ? LATMC_OK : LATMC_ERROR_MEMORY;

    (void)s;
    for (int64_t r = 0; r < lat->replicas && slots; r++)
        slots[r] = (int64_t)lm_get_u64(&from);
    if (!status)
        status = lm_damaged_if_refused(source, latmc_set_slots(lat, slots));
    if (!status && !lm_slots_moved(lat))
        status = lm_damaged(source, "slots that are the replicas' own");
    free(slots);
    return status;
}

latmc_status lm_take_exchange(const lm_source *source, const lm_section *s, const uint8_t *from,
                              latmc_lattice *lat)
{
    const int64_t done = (int64_t)lm_get_u64(&from), due = (int64_t)lm_get_u64(&from);

    (void)s;
    if (done < 0 || done >= LM_MAX_SWEEPS || (!done && !due))
        return lm_damaged(source, "number of exchanges");
    if (due < 0 || due > lm_rounds_due(&lat->rounds, lat->rounds.done))
        return lm_damaged(source, "exchanges that are due");
    lat->exchanges = done;
    lat->rounds.due = due;
    return LATMC_OK;
}

/* Checks the counts of a slot: they are not above the number of all exchanges, and 0 where there
 * is nobody to exchange with. */
static int counts_fit(const latmc_lattice *lat, int64_t each, int64_t i)
{
    for (int k = 0; k < LM_ENDS; k++) {
        const int64_t n = lm_walk_of(lat, (lm_walk_row)k)[i];

        if (n < 0 || n > lat->exchanges || (n && each == 1))
            return 0;
    }
    return 1;
}

/* Checks the counts of a ladder. No more exchanges were accepted than offered. The last slot of
 * a ladder offers none. Both ways together are no more than all exchanges. */
static int offers_fit(const latmc_lattice *lat, int64_t each, int64_t i)
{
    const int64_t offered = lm_walk_of(lat, LM_OFFERED)[i];

    return lm_walk_of(lat, LM_ACCEPTED)[i] <= offered && !(offered && i % each == each - 1) &&
           lm_walk_of(lat, LM_FROM_FIRST)[i] <= lat->exchanges - lm_walk_of(lat, LM_FROM_LAST)[i];
}

/* Checks the end at which a replica was last. A replica at an end was last at this end. */
static int end_fits(const latmc_lattice *lat, int64_t each, int64_t i)
{
    const int64_t rung = lat->slots[i] % each, end = lm_walk_of(lat, LM_ENDS)[i];

    if (each == 1)
        return end == LM_AT_NONE;
    if (rung == 0)
        return end == LM_AT_FIRST;
    return end >= (rung == each - 1 ? LM_AT_LAST : LM_AT_NONE) && end <= LM_ON_RETURN;
}

/* Checks that so many exchanges could have left these counts, and the ends at which replicas
 * are. */
static int walks_fit(const latmc_lattice *lat)
{
    const int64_t each = lm_ladder_slots(lat, lat->replicas);

    for (int64_t i = 0; i < lat->replicas; i++)
        if (!counts_fit(lat, each, i) || !offers_fit(lat, each, i) || !end_fits(lat, each, i))
            return 0;
    return 1;
}

latmc_status lm_take_walks(const lm_source *source, const lm_section *s, const uint8_t *from,
                           latmc_lattice *lat)
{
    (void)s;
    for (int64_t i = 0; i < LM_WALKS * lat->replicas; i++)
        lat->walks[i] = (int64_t)lm_get_u64(&from);
    return walks_fit(lat) && lm_walks_counted(lat)
               ? LATMC_OK
               : lm_damaged(source, "what exchanges have come to");
}
