/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the width of proposals during thermalization. */
#include <inttypes.h>

#include "lib/base/floats.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/sweep/course.h"
#include "lib/sweep/pace.h"

/* Returns the next width: doc/trajectory-phi4.md, "Tuning". The changes shrink, so the width
 * settles. It stays in its range. */
static double next_width(const lm_entry *range, double width, double acceptance, double target,
                         int64_t sweep)
{
    double q = acceptance / target;

    q = q < 0.5 ? 0.5 : q > 2.0 ? 2.0 : q;
    width *= 1.0 + (q - 1.0) * 8.0 / (8.0 + (double)sweep);
    return width < range->minimum   ? range->minimum
           : width > range->maximum ? range->maximum
                                    : width;
}

/* The settings of one call of latmc_tune(). */
typedef struct tuning {
    lm_course course;
    double target;
    int64_t end;   /* sweeps of a round up to the end of the step whose acceptance counts */
    int64_t times; /* how often the width was set */
} tuning;

/* Sets the width after the last sweep of the step. */
static latmc_status set_width(tuning *t)
{
    latmc_lattice *lat = t->course.lattice;
    const lm_entry *range = &lm_list_of(lat->model, LATMC_PARAMS)->entries[lat->model->tuned];
    double *width = lat->params + lat->model->tuned * lat->replicas;
    const latmc_status status = lm_pending_fetch_changed(lat, t->course.caller);

    if (status)
        return status;
    for (int64_t s = 0; s < lat->replicas; s++)
        width[s] = next_width(range, width[s], lat->changed[lat->holders[s]] / (double)lat->sites,
                              t->target, t->times);
    t->times++;
    lat->pending.params = 1;
    return LATMC_OK;
}

/* Makes at most `most` sweeps, up to the next change of the width. */
static latmc_status tune_some(tuning *t, int64_t most, int64_t *sweeps)
{
    const lm_course *c = &t->course;
    const int64_t done = c->of_rounds ? c->lattice->rounds.done : 0;
    const int64_t until = t->end - done + (done < t->end ? 0 : c->schedule.round);
    latmc_status status;

    *sweeps = until < most ? until : most;
    status = lm_course_sweep(&t->course, *sweeps);
    if (!status && *sweeps == until)
        status = set_width(t); /* before slots move, because the acceptance belongs to the present
                                  slots */
    return status ? status : lm_course_exchange(&t->course);
}

/* Returns the end of the first step that proposes with the width, or 0 if there is none. */
static int64_t find_end(const lm_course *c)
{
    const lm_model *model = c->lattice->model;
    const lm_list *updates = lm_list_of(model, LATMC_UPDATES);
    int64_t end = 0;

    for (int i = 0; i < c->schedule.count; i++) {
        end += c->schedule.steps[i].sweeps;
        if (lm_update_is_tuned(model, &updates->entries[c->schedule.steps[i].update]))
            return end;
    }
    return 0;
}

static latmc_status refuse_update(const tuning *t)
{
    const lm_list *updates = lm_list_of(t->course.lattice->model, LATMC_UPDATES);

    if (t->course.of_rounds)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: no step of the schedule uses epsilon",
                       t->course.caller);
    return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the update %s does not use epsilon", t->course.caller,
                   updates->entries[t->course.one.update].name);
}

static latmc_status check(tuning *t, latmc_lattice *lat, const char *caller, latmc_update update,
                          int64_t rounds)
{
    latmc_status status;

    if (lat->model->tuned < 0)
        return lm_fail(LATMC_ERROR_UNKNOWN, "%s: the model %s has no epsilon to tune", caller,
                       lat->model->entry.name);
    lm_given_integer(lat->ranks, "sweeps", rounds);
    lm_given_real(lat->ranks, "target", t->target);
    status = lm_course_begin(&t->course, lat, caller, update);
    if (status)
        return status;
    t->end = find_end(&t->course);
    if (!t->end)
        return refuse_update(t);
    if (rounds < 0 || !(t->target >= 0.05 && t->target <= 0.95))
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: sweeps is %" PRId64 " and target %g; sweeps must be 0 or more and "
                       "target from 0.05 to 0.95",
                       caller, rounds, t->target);
    if (lat->ramps[lat->model->tuned].sweeps)
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: epsilon follows a ramp; latmc_set_param() ends the ramp", caller);
    return LATMC_OK;
}

static latmc_status tune(tuning *t, lm_floats *host, int64_t rounds)
{
    lm_course *const c = &t->course;
    int64_t sweeps = 0;
    latmc_status status = lm_course_length(c, 1, rounds, lm_course_cursor(c).done, &sweeps);
    lm_pace pace;

    if (!status)
        status = lm_course_prepare(c, sweeps);
    status = lm_everywhere(c->lattice, status);
    if (status)
        return status;
    pace = lm_pace_begin(&c->lattice->watch, host, sweeps);
    while (!status && pace.done < pace.total) {
        int64_t some = 0;

        status = lm_everywhere(c->lattice, tune_some(t, lm_pace_next(&pace), &some));
        if (!status && lm_pace_did(&pace, some))
            status = lm_pace_stopped(c->caller, &pace);
    }
    return status;
}

latmc_status latmc_tune(latmc_lattice *lattice, latmc_update update, int64_t sweeps, double target)
{
    LM_FLOATS;
    tuning t = {.target = target};
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = check(&t, lattice, __func__, update, sweeps);
    if (!status)
        status = tune(&t, &lm_host, sweeps);
    lm_course_end(&t.course);
    return lm_everywhere(lattice, status);
}
