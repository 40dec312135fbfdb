/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets and reads schedules. lib/measure/course.c runs them. */
#include "lib/lattice/schedule.h"

#include <inttypes.h>
#include <math.h>

#include "lib/base/floats.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/need.h"
#include "lib/lattice/params.h"

int lm_rounds_own(const lm_rounds *rounds, int step)
{
    int own = 0;

    for (int p = 0; p < LM_MAX_PARAMS; p++)
        own |= !isnan(rounds->own[step][p]);
    return own;
}

/* Adds a step. It refuses a round with as many sweeps as a whole trajectory can have. */
static latmc_status add(lm_rounds *rounds, const latmc_lattice *lattice, const char *caller,
                        latmc_update update, int64_t sweeps)
{
    const int i = rounds->count;

    if (!lm_model_need(lattice->model, LATMC_UPDATES, (int)update, caller))
        return LATMC_ERROR_UNKNOWN;
    if (sweeps < 1 || sweeps >= LM_MAX_SWEEPS - rounds->sweeps)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: step %d has %" PRId64
                       " sweeps; each must have at least 1, and all together fewer than 2^40",
                       caller, i, sweeps);
    rounds->steps[i] = (lm_schedule_step){lm_update_number(lattice->model, update), sweeps};
    for (int p = 0; p < LM_MAX_PARAMS; p++)
        rounds->own[i][p] = (double)NAN;
    rounds->sweeps += sweeps;
    rounds->count++;
    return LATMC_OK;
}

static latmc_status make_rounds(const latmc_lattice *lattice, const char *caller, int steps,
                                const latmc_update *updates, const int64_t *sweeps,
                                lm_rounds *rounds)
{
    latmc_status status = lm_need(lattice, caller);

    if (status)
        return status;
    if (steps < 0 || steps > LATMC_MAX_STEPS)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: steps is %d; 0 to %d are allowed", caller, steps,
                       LATMC_MAX_STEPS);
    if (steps && (!updates || !sweeps))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       updates ? "sweeps" : "updates");
    for (int i = 0; i < steps && !status; i++)
        status = add(rounds, lattice, caller, updates[i], sweeps[i]);
    if (status)
        return status;
    lm_given_integer(lattice->ranks, "steps", steps);
    lm_given_array(lattice->ranks, "updates", updates, (size_t)steps * sizeof *updates);
    lm_given_array(lattice->ranks, "sweeps", sweeps, (size_t)steps * sizeof *sweeps);
    return LATMC_OK;
}

latmc_status latmc_set_schedule(latmc_lattice *lattice, int steps, const latmc_update *updates,
                                const int64_t *sweeps)
{
    LM_FLOATS;
    lm_rounds rounds = {0};
    const latmc_status status =
        lm_everywhere(lattice, make_rounds(lattice, __func__, steps, updates, sweeps, &rounds));

    if (status)
        return status;
    lattice->rounds = rounds;
    lattice->untold.params = 1;
    return LATMC_OK;
}

static latmc_status need_step(const latmc_lattice *lattice, const char *caller, int step)
{
    const latmc_status status = lm_need(lattice, caller);

    if (status || (step >= 0 && step < lattice->rounds.count))
        return status;
    return lm_fail(LATMC_ERROR_ARGUMENT, "%s: step is %d; the schedule has %d", caller, step,
                   lattice->rounds.count);
}

/* Returns an argument's index among the parameters. If there is none, it sets the message and
 * returns -1. */
static int argument_index(const latmc_lattice *lattice, const char *caller, latmc_param argument)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_PARAMS);
    const lm_entry *entry = lm_model_need(lattice->model, LATMC_PARAMS, (int)argument, caller);
    char known[128] = "";

    if (!entry)
        return -1;
    if (entry->of_updates)
        return (int)(entry - list->entries);
    for (int p = 0; p < list->count; p++)
        if (list->entries[p].of_updates) {
            lm_append(known, sizeof known, known[0] ? ", " : "");
            lm_append(known, sizeof known, list->entries[p].name);
        }
    lm_fail(LATMC_ERROR_UNKNOWN,
            "%s: %s is not an argument that steps can have; of the model %s these are %s", caller,
            entry->name, lattice->model->entry.name, known[0] ? known : "none");
    return -1;
}

static latmc_status check_argument(const latmc_lattice *lattice, const char *caller, int step,
                                   latmc_param argument, double value, int *index)
{
    const latmc_status status = need_step(lattice, caller, step);

    if (status)
        return status;
    *index = argument_index(lattice, caller, argument);
    if (*index < 0)
        return LATMC_ERROR_UNKNOWN;
    lm_given_integer(lattice->ranks, "step", step);
    lm_given_integer(lattice->ranks, "argument", (int64_t)argument);
    lm_given_real(lattice->ranks, "value", isnan(value) ? (double)NAN : value);
    return isnan(value) ? LATMC_OK : lm_params_check(lattice, caller, *index, &value, 0);
}

latmc_status latmc_set_step_argument(latmc_lattice *lattice, int step, latmc_param argument,
                                     double value)
{
    LM_FLOATS;
    int index = 0;
    const latmc_status status =
        lm_everywhere(lattice, check_argument(lattice, __func__, step, argument, value, &index));

    if (status)
        return status;
    lattice->rounds.own[step][index] = value;
    lattice->untold.params = 1;
    return LATMC_OK;
}

latmc_status latmc_get_step(const latmc_lattice *lattice, int step, latmc_update *update,
                            int64_t *sweeps)
{
    const latmc_status status = need_step(lattice, __func__, step);
    const lm_schedule_step *own;

    if (status)
        return status;
    if (!update || !sweeps)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", __func__,
                       update ? "sweeps" : "update");
    own = &lattice->rounds.steps[step];
    *update = (latmc_update)lm_list_of(lattice->model, LATMC_UPDATES)->entries[own->update].id;
    *sweeps = own->sweeps;
    return LATMC_OK;
}

latmc_status latmc_get_step_argument(const latmc_lattice *lattice, int step, latmc_param argument,
                                     double *value)
{
    const latmc_status status =
        lm_need_pointer(need_step(lattice, __func__, step), __func__, "value", value);
    int index;

    if (status)
        return status;
    index = argument_index(lattice, __func__, argument);
    if (index < 0)
        return LATMC_ERROR_UNKNOWN;
    *value = lattice->rounds.own[step][index];
    return LATMC_OK;
}

/* ---- exchanges that follow steps */

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

static latmc_status check_exchanges(const latmc_lattice *lattice, const char *caller, int step,
                                    int64_t exchanges)
{
    const latmc_status status = need_step(lattice, caller, step);

    if (!status && exchanges > 0 && !lattice->model->action)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "%s: the model %s has no action, so slots cannot be exchanged", caller,
                       lattice->model->entry.name);
    if (!status && (exchanges < 0 || exchanges > LM_MAX_EXCHANGES))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: exchanges is %" PRId64 "; 0 to %d after a step are allowed", caller,
                       exchanges, LM_MAX_EXCHANGES);
    if (!status) {
        lm_given_integer(lattice->ranks, "step", step);
        lm_given_integer(lattice->ranks, "exchanges", exchanges);
    }
    return status;
}

latmc_status latmc_set_step_exchanges(latmc_lattice *lattice, int step, int64_t exchanges)
{
    const latmc_status status =
        lm_everywhere(lattice, check_exchanges(lattice, __func__, step, exchanges));
    int64_t most;

    if (status)
        return status;
    lattice->rounds.exchanges[step] = exchanges;
    most = lm_rounds_due(&lattice->rounds, lattice->rounds.done);
    if (lattice->rounds.due > most)
        lattice->rounds.due = most;
    return LATMC_OK;
}

latmc_status latmc_get_step_exchanges(const latmc_lattice *lattice, int step, int64_t *exchanges)
{
    const latmc_status status =
        lm_need_pointer(need_step(lattice, __func__, step), __func__, "exchanges", exchanges);

    if (status)
        return status;
    *exchanges = lattice->rounds.exchanges[step];
    return LATMC_OK;
}
