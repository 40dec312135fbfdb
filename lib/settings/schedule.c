/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets and reads schedules. lib/sweep/course.c runs them. */
#include "lib/settings/schedule.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/need.h"
#include "lib/settings/params.h"

enum { SIZE_OF_FIRST_VERSION = LM_SIZE_THROUGH(latmc_step, values) };

int lm_rounds_exchange(const lm_rounds *rounds)
{
    int any = 0;

    for (int i = 0; i < rounds->count; i++)
        any |= rounds->exchanges[i] > 0;
    return any;
}

int64_t lm_rounds_due(const lm_rounds *rounds, int64_t done)
{
    const int64_t position = done ? done : rounds->sweeps;
    int64_t end = 0;

    for (int i = 0; i < rounds->count; i++) {
        end += rounds->steps[i].sweeps;
        if (end == position)
            return rounds->exchanges[i];
    }
    return 0;
}

/* ---- checks of a step; `where` is the caller and the step's number */

/* Returns an argument's index among the parameters. If there is none, it sets the message and
 * returns -1. */
static int argument_index(const lm_model *model, const char *where, latmc_param argument)
{
    const lm_list *list = lm_list_of(model, LATMC_PARAMS);
    const lm_entry *parameter = lm_model_need(model, LATMC_PARAMS, (int)argument, where);
    char known[128] = "";

    if (!parameter)
        return -1;
    if (parameter->of_updates)
        return (int)(parameter - list->entries);
    for (int p = 0; p < list->count; p++)
        if (list->entries[p].of_updates) {
            lm_append(known, sizeof known, known[0] ? ", " : "");
            lm_append(known, sizeof known, list->entries[p].name);
        }
    lm_fail(LATMC_ERROR_UNKNOWN,
            "%s: %s is not an argument that steps can have; of the model %s these are %s", where,
            parameter->name, model->entry.name, known[0] ? known : "none");
    return -1;
}

/* Puts a value at its parameter's place in values[], where others are NaN. */
static latmc_status take_value(const latmc_lattice *lattice, const char *where,
                               latmc_param argument, double value, double *values)
{
    const int index = argument_index(lattice->model, where, argument);

    if (index < 0)
        return LATMC_ERROR_UNKNOWN;
    if (!isnan(values[index]))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is there twice", where,
                       lm_list_of(lattice->model, LATMC_PARAMS)->entries[index].name);
    values[index] = value;
    return lm_params_check(lattice, where, index, &value, 0);
}

static latmc_status take_own(const latmc_lattice *lattice, const char *where,
                             const latmc_step *step, lm_step_arguments *own)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_PARAMS);
    double values[LM_MAX_PARAMS];
    latmc_status status = LATMC_OK;

    if (step->param_count < 0)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: param_count is %" PRId64 "; it must be >= 0",
                       where, step->param_count);
    if (step->param_count && (!step->params || !step->values))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", where,
                       step->params ? "values" : "params");
    for (int p = 0; p < list->count; p++)
        values[p] = (double)NAN;
    for (int64_t k = 0; k < step->param_count && !status; k++)
        status = take_value(lattice, where, step->params[k], step->values[k], values);
    for (int p = 0; p < list->count; p++)
        if (!isnan(values[p])) {
            own->params[own->count] = (latmc_param)list->entries[p].id;
            own->values[own->count++] = values[p];
        }
    return status;
}

static latmc_status check_exchanges(const lm_model *model, const char *where,
                                    const latmc_step *step)
{
    if (step->exchanges > 0 && !model->action)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "%s: the model %s has no action, so slots cannot be exchanged", where,
                       model->entry.name);
    if (step->exchanges < 0 || step->exchanges > LM_MAX_EXCHANGES)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: exchanges is %" PRId64 "; 0 to %d after a step are allowed", where,
                       step->exchanges, LM_MAX_EXCHANGES);
    return LATMC_OK;
}

/* Refuses what is left for later versions. */
static latmc_status check_reserved(const char *where, const latmc_step *step)
{
    if (step->reserved)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: reserved is %d; it must be 0", where,
                       (int)step->reserved);
    if (step->moves)
        return lm_fail(LATMC_ERROR_STATE, "%s: moves is %" PRId64 "; this version takes only 0",
                       where, step->moves);
    return LATMC_OK;
}

/* Refuses a round with as many sweeps as a whole trajectory can have. */
static latmc_status check_sweeps(const lm_rounds *rounds, const char *where, int64_t sweeps)
{
    if (sweeps >= 1 && sweeps < LM_MAX_SWEEPS - rounds->sweeps)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "%s has %" PRId64
                   " sweeps; each must have at least 1, and all together fewer than 2^40",
                   where, sweeps);
}

static latmc_status add(const latmc_lattice *lattice, const char *where, const latmc_step *step,
                        lm_rounds *rounds)
{
    const int i = rounds->count;
    latmc_status status = check_reserved(where, step);

    if (!status && !lm_model_need(lattice->model, LATMC_UPDATES, step->update, where))
        status = LATMC_ERROR_UNKNOWN;
    if (!status)
        status = check_sweeps(rounds, where, step->sweeps);
    if (!status)
        status = check_exchanges(lattice->model, where, step);
    if (!status)
        status = take_own(lattice, where, step, &rounds->own[i]);
    if (status)
        return status;
    rounds->steps[i] = (lm_schedule_step){
        lm_update_number(lattice->model, (latmc_update)step->update), step->sweeps};
    rounds->exchanges[i] = step->exchanges;
    rounds->sweeps += step->sweeps;
    rounds->count++;
    return LATMC_OK;
}

/* ---- all steps */

/* Reads step number i of an array whose steps have `size` bytes. */
static latmc_status read_step(const char *where, const latmc_step *steps, int64_t i, size_t size,
                              latmc_step *step)
{
    const char *at = (const char *)steps + (size_t)i * size;
    size_t own;

    memcpy(&own, at, sizeof own);
    if (own != size)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s has size %zu; all steps must have the same, and step 0 has %zu", where,
                       own, size);
    return lm_struct_read(where, "latmc_step", at, step, sizeof *step);
}

static latmc_status make_steps(const latmc_lattice *lattice, const char *caller, int64_t count,
                               const latmc_step *steps, lm_rounds *rounds)
{
    const size_t size = count ? steps->size : SIZE_OF_FIRST_VERSION;
    latmc_status status = lm_struct_check(caller, "latmc_step", size, SIZE_OF_FIRST_VERSION);

    for (int64_t i = 0; i < count && !status; i++) {
        char where[64];
        latmc_step step;

        snprintf(where, sizeof where, "%s: step %" PRId64, caller, i);
        status = read_step(where, steps, i, size, &step);
        if (!status)
            status = add(lattice, where, &step, rounds);
    }
    return status;
}

/* Names the schedule for the ranks. */
static void give(lm_ranks *ranks, const lm_rounds *rounds)
{
    int64_t numbers[LATMC_MAX_STEPS][3];

    for (int i = 0; i < rounds->count; i++) {
        numbers[i][0] = rounds->steps[i].update;
        numbers[i][1] = rounds->steps[i].sweeps;
        numbers[i][2] = rounds->exchanges[i];
    }
    lm_given_integer(ranks, "count", rounds->count);
    lm_given_array(ranks, "steps", numbers, (size_t)rounds->count * sizeof *numbers);
    lm_given_array(ranks, "params of steps", rounds->own,
                   (size_t)rounds->count * sizeof *rounds->own);
}

static latmc_status make_rounds(const latmc_lattice *lattice, const char *caller, int64_t count,
                                const latmc_step *steps, lm_rounds *rounds)
{
    latmc_status status = lm_need_lattice(lattice, caller);

    if (status)
        return status;
    if (count < 0 || count > LATMC_MAX_STEPS)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %" PRId64 "; 0 to %d are allowed",
                       caller, count, LATMC_MAX_STEPS);
    if (count && !steps)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: steps is NULL", caller);
    status = make_steps(lattice, caller, count, steps, rounds);
    if (!status)
        give(lattice->ranks, rounds);
    return status;
}

latmc_status latmc_set_schedule(latmc_lattice *lattice, int64_t count, const latmc_step *steps)
{
    LM_FLOATS;
    lm_rounds rounds = {0};
    const latmc_status status =
        lm_everywhere(lattice, make_rounds(lattice, __func__, count, steps, &rounds));

    if (status)
        return status;
    lattice->rounds = rounds;
    lattice->pending.params = 1;
    return LATMC_OK;
}

static latmc_status need_step(const latmc_lattice *lattice, const char *caller, int64_t number,
                              const latmc_step *step)
{
    const latmc_status status =
        lm_need_pointer(lm_need_lattice(lattice, caller), caller, "step", step);

    if (status)
        return status;
    if (number < 0 || number >= lattice->rounds.count)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: number is %" PRId64 "; the schedule has %d steps",
                       caller, number, lattice->rounds.count);
    return lm_struct_check(caller, "latmc_step", step->size, SIZE_OF_FIRST_VERSION);
}

latmc_status latmc_get_step(const latmc_lattice *lattice, int64_t number, latmc_step *step)
{
    const latmc_status status = need_step(lattice, __func__, number, step);
    latmc_step known = {0};
    const lm_step_arguments *own;

    if (status)
        return status;
    own = &lattice->rounds.own[number];
    known.update =
        lm_list_of(lattice->model, LATMC_UPDATES)->entries[lattice->rounds.steps[number].update].id;
    known.sweeps = lattice->rounds.steps[number].sweeps;
    known.exchanges = lattice->rounds.exchanges[number];
    known.param_count = own->count;
    known.params = own->count ? own->params : NULL;
    known.values = own->count ? own->values : NULL;
    lm_struct_write(step, &known, sizeof known);
    return LATMC_OK;
}
