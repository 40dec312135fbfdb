/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a call sweeps, and how many sweeps that are. */
#include "lib/sweep/course.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/settings/schedule.h"

static int any_own(const lm_rounds *rounds)
{
    int any = 0;

    for (int i = 0; i < rounds->count; i++)
        any |= rounds->own[i].count > 0;
    return any;
}

static latmc_status take_rounds(lm_course *c)
{
    const lm_rounds *rounds = &c->lattice->rounds;
    const lm_list *params = lm_list_of(c->lattice->model, LATMC_PARAMS);
    const int own = any_own(rounds), exchanges = lm_rounds_exchange(rounds) || rounds->due;

    if (!rounds->count)
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice has no schedule; call latmc_set_schedule() first",
                       c->caller);
    c->of_rounds = 1;
    c->schedule = (lm_schedule){rounds->steps, rounds->count, rounds->sweeps};
    if (own)
        c->values = lm_zeroed(c->caller, "the parameters of a step",
                              params->count * c->lattice->replicas, sizeof *c->values);
    if (exchanges)
        c->sums = lm_zeroed(c->caller, "the sums before an exchange", lm_sums_count(c->lattice),
                            sizeof *c->sums);
    return (own && !c->values) || (exchanges && !c->sums) ? LATMC_ERROR_MEMORY : LATMC_OK;
}

latmc_status lm_course_begin(lm_course *c, latmc_lattice *lattice, const char *caller,
                             latmc_update update)
{
    *c = (lm_course){.lattice = lattice, .caller = caller};
    lm_given_integer(lattice->ranks, "update", (int64_t)update);
    if (update == LATMC_SCHEDULE)
        return take_rounds(c);
    if (!lm_model_need(lattice->model, LATMC_UPDATES, (int)update, caller))
        return LATMC_ERROR_UNKNOWN;
    c->one = (lm_schedule_step){lm_update_number(lattice->model, update), 1};
    c->schedule = (lm_schedule){&c->one, 1, 1};
    return LATMC_OK;
}

void lm_course_end(lm_course *c)
{
    free(c->values);
    free(c->sums);
    free(c->pairs);
    c->values = c->sums = NULL;
    c->pairs = NULL;
}

/* Returns whether the numbers of exchanges suffice for that many rounds. */
static int enough_exchanges(const lm_course *c, int64_t rounds)
{
    const lm_rounds *own = &c->lattice->rounds;
    const int64_t left = LM_MAX_SWEEPS - 1 - c->lattice->exchanges - own->due;
    int64_t each = 0;

    for (int i = 0; c->of_rounds && i < own->count; i++)
        each += own->exchanges[i];
    return each == 0 || rounds <= left / each;
}

latmc_status lm_course_length(const lm_course *c, int64_t every, int64_t times, int64_t swept,
                              int64_t *sweeps)
{
    const int64_t left = LM_MAX_SWEEPS - 1 - c->lattice->sweeps, round = c->schedule.round;
    const int64_t rounds = (left + swept) / round;
    char of[48] = "";

    if (every <= LM_MAX_SWEEPS / round && times <= rounds / every &&
        enough_exchanges(c, times * every - swept / round)) {
        *sweeps = times ? times * every * round - swept : 0;
        return LATMC_OK;
    }
    if (c->of_rounds)
        snprintf(of, sizeof of, " rounds of %" PRId64 " sweeps", round);
    return lm_fail(LATMC_ERROR_STATE,
                   "%s: after %" PRId64 " sweeps, %" PRId64 " times %" PRId64
                   "%s more are too many; a trajectory has fewer than 2^40 sweeps, and exchanges",
                   c->caller, c->lattice->sweeps, times, every, of);
}
