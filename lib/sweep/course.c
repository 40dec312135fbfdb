/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the sweeps of a call, with exchanges and measurements between them. */
#include "lib/sweep/course.h"

#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/lattice/spec.h"
#include "lib/measure/best.h"
#include "lib/measure/pairs.h"
#include "lib/ranks/alike.h"
#include "lib/settings/check.h"
#include "lib/settings/ramp.h"
#include "lib/settings/schedule.h"
#include "lib/settings/slots.h"
#include "lib/sums/row_sums.h"
#include "lib/sweep/exchange.h"

static const lm_list *updates_of(const lm_course *c)
{
    return lm_list_of(c->lattice->model, LATMC_UPDATES);
}

/* ---- parameters */

/* Returns the step of the next sweep, and how many sweeps the step has left. */
static int next_step(const lm_course *c, int64_t *left)
{
    const lm_cursor at = lm_course_cursor(c);

    return lm_schedule_step_at(&c->schedule, &at, left);
}

/* Returns the step of the next sweep if it has arguments of its own, and otherwise -1. */
static int own_step(const lm_course *c)
{
    int64_t left;
    const int step = c->values ? next_step(c, &left) : -1;

    return step >= 0 && c->lattice->rounds.own[step].count ? step : -1;
}

/* Gives the plan the parameters and slots of the next sweep. */
static latmc_status tell(lm_course *c)
{
    return lm_pending_send(c->lattice, c->caller, own_step(c), c->values);
}

/* Checks the settings at both ends of all ramps. Nothing else between the ends can be impossible:
 * parameters change linearly, and a model's refusals are half spaces or their bounds. */
static latmc_status check_ramps(const lm_course *c, int64_t sweeps)
{
    const latmc_lattice *lat = c->lattice;
    const int64_t end = lat->sweeps + sweeps;
    latmc_status status = lm_check_settings(lat, c->caller, lat->sweeps);

    for (int p = 0; p < LM_MAX_PARAMS && !status; p++) {
        const int64_t last = lat->ramps[p].first + lat->ramps[p].sweeps;

        if (lat->ramps[p].sweeps && sweeps > 0)
            status = lm_check_settings(lat, c->caller, last < end ? last : end - 1);
    }
    return status;
}

static latmc_status check_updates(const lm_course *c)
{
    const lm_model *model = c->lattice->model;
    const lm_spec spec = lm_spec_of(c->lattice);
    latmc_status status = LATMC_OK;

    for (int i = 0; model->check_update && i < c->schedule.count && !status; i++)
        status = model->check_update(
            &spec, c->caller, (latmc_update)updates_of(c)->entries[c->schedule.steps[i].update].id);
    return status;
}

/* Refuses, before the first sweep, every update of the schedule that the plan cannot make. */
static latmc_status check_place(const lm_course *c)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->schedule.count && !status; i++)
        status = lm_fail_in(c->caller,
                            lm_plan_serves(c->lattice->home.plan, c->schedule.steps[i].update));
    return status;
}

latmc_status lm_course_prepare(lm_course *c, int64_t sweeps)
{
    latmc_status status = check_updates(c);

    if (!status)
        status = check_ramps(c, sweeps);
    if (!status)
        status = lm_ranks_alike(c->lattice);
    if (!status)
        status = lm_home_to_device(c->lattice, c->caller);
    if (!status)
        status = check_place(c);
    return status ? status : tell(c);
}

/* ---- running */

int lm_course_mixes(const lm_course *c, int64_t sweeps)
{
    lm_cursor at = lm_course_cursor(c);
    int mixes = 0;

    /* one more step than the schedule has: a round that begins within a step ends in it */
    for (int i = 0; i <= c->schedule.count && sweeps > 0; i++) {
        const lm_job job = lm_schedule_next(&c->schedule, &at, sweeps);

        mixes |= updates_of(c)->entries[job.update].ergodic;
        sweeps -= job.sweeps;
    }
    return mixes;
}

/* Returns whether parameters and slots stay constant. Many measurements can then be made in one
 * run. */
static int is_steady(const lm_course *c)
{
    return !c->values && !c->sums && !lm_ramps_any(c->lattice);
}

/* Returns how many sweeps, at most `most`, come before parameters or slots change. */
static int64_t stretch(const lm_course *c, int64_t most)
{
    int64_t left = most;

    if (lm_ramps_any(c->lattice))
        left = 1;
    else if (!is_steady(c))
        next_step(c, &left);
    return left < most ? left : most;
}

/* Makes sweeps during which no parameter changes. */
static latmc_status run(lm_course *c, int64_t sweeps, const lm_measure *out)
{
    latmc_lattice *lat = c->lattice;
    const lm_plan plan = lat->home.plan;
    lm_cursor at = lm_course_cursor(c);
    latmc_status status = tell(c);

    if (!status)
        status = lm_fail_in(c->caller, plan.ops->run(plan.self, &c->schedule, &at, sweeps, out));
    if (status)
        return status;
    lat->mixed |= lm_course_mixes(c, sweeps);
    lm_cursor_move(&c->schedule, &at, sweeps);
    lat->sweeps = at.sweep;
    if (c->of_rounds) {
        lat->rounds.done = at.done;
        lat->rounds.due = lm_rounds_due(&lat->rounds, at.done);
    }
    lat->pending.changed = 1;
    lm_ramps_follow(lat);
    return LATMC_OK;
}

/* Makes the exchanges that are due after the last sweep. */
static latmc_status exchange(lm_course *c)
{
    lm_rounds *rounds = &c->lattice->rounds;
    const unsigned bundles = lm_exchange_bundles(c->lattice);
    latmc_status status = LATMC_OK;

    for (; c->of_rounds && rounds->due > 0 && !status; rounds->due -= !status) {
        const int there = c->measured && (c->measured & bundles) == bundles;
        int measured = there;

        status = lm_exchange(c->lattice, c->caller, c->sums, &measured);
        c->measured = !measured ? 0 : there ? c->measured : bundles;
    }
    return status;
}

latmc_status lm_course_exchange(lm_course *c)
{
    const latmc_status status = exchange(c),
                       fetched = lm_pending_fetch_state(c->lattice, c->caller);

    return status ? status : fetched;
}

/* Returns whether that many sweeps are followed by exchanges that the plan makes. */
static int exchanges_follow(const lm_course *c, int64_t sweeps)
{
    lm_cursor at = lm_course_cursor(c);

    lm_cursor_move(&c->schedule, &at, sweeps);
    return c->of_rounds && lm_rounds_due(&c->lattice->rounds, at.done) > 0 &&
           lm_plan_exchanges(c->lattice->home.plan);
}

/* Queues sweeps and the exchanges between them. The last sweeps leave measurements of these
 * bundles with the plan. */
static latmc_status queue(lm_course *c, int64_t sweeps, unsigned bundles)
{
    latmc_status status = LATMC_OK;

    while (sweeps > 0 && !status) {
        const int64_t some = stretch(c, sweeps);
        const unsigned left = (some == sweeps ? bundles : 0) |
                              (exchanges_follow(c, some) ? lm_exchange_bundles(c->lattice) : 0);
        const lm_measure stays = {.every = some, .bundles = left, .stays = 1};

        status = exchange(c); /* the exchanges at the end of the stretch before */
        if (!status) {
            c->measured = left;
            status = run(c, some, left ? &stays : NULL);
        }
        sweeps -= some;
    }
    return status;
}

/* Waits for all that is queued. */
static latmc_status finish(lm_course *c)
{
    const latmc_status status = lm_pending_fetch_state(c->lattice, c->caller);

    return status ? status : lm_fail_in(c->caller, lm_plan_wait(c->lattice->home.plan));
}

latmc_status lm_course_sweep(lm_course *c, int64_t sweeps)
{
    const latmc_status status = queue(c, sweeps, 0), ended = finish(c);

    return status ? status : ended;
}

/* ---- measurements */

/* How a series is made. */
typedef struct method {
    unsigned own;      /* bundles that lib/ sums itself (lib/sums/row_sums.h) */
    int looks;         /* 1: best sites are compared at each measurement */
    int queues;        /* 1: the plan queues measurements behind sweeps and exchanges */
    int runs;          /* 1: a run of the plan sweeps and measures */
    int64_t at_once;   /* measurements of a run */
    lm_measure of_run; /* if it has a taker, the plan hands over */
} method;

/* Returns whether the plan can queue measurements, with exchanges between them. */
static int can_queue(const lm_course *c, const lm_measure *out)
{
    const lm_plan plan = c->lattice->home.plan;

    return plan.ops->queue_measurement && !(out->pairs.bundles & ~plan.ops->pair_bundles) &&
           !c->values && !lm_ramps_any(c->lattice) && (!c->sums || lm_plan_exchanges(plan));
}

static method method_of(const lm_course *c, int64_t records, const lm_measure *out)
{
    const unsigned own = lm_row_sums(c->lattice, out->bundles);
    const int pairs = out->pairs.bundles != 0, looks = c->lattice->best.energies != NULL;
    const int queues = (pairs || c->sums) && !own && can_queue(c, out);
    const int runs = is_steady(c) && !queues, many = runs && !pairs && !own && !looks;
    const int streams = many && out->bundles && c->lattice->home.plan.ops->streams;
    method w = {own, looks, queues, runs, streams ? records : many ? out->capacity : 1, *out};

    w.of_run.bundles &= ~own;
    w.of_run.take = streams ? out->take : NULL;
    return w;
}

/* Returns the measurement with its pairs as replicas. */
static lm_measure with_replicas(const lm_course *c, const lm_measure *out)
{
    lm_measure now = *out;

    for (int64_t p = 0; out->pairs.bundles && p < out->pairs.count; p++)
        for (int i = 0; i < 2; i++)
            c->pairs[p][i] = lm_replica_at(c->lattice, out->pairs.by_slot, out->pairs.of[p][i]);
    now.pairs.of = (const int64_t(*)[2])c->pairs;
    now.pairs.by_slot = 0;
    return now;
}

/* Queues a measurement behind queued sweeps and exchanges, which have left its sums with the plan.
 * It is the next one of a series with `left` to come. With looks it is a series of its own. */
static latmc_status queue_one(lm_course *c, const method *w, const lm_measure *out, int64_t left)
{
    const lm_plan plan = c->lattice->home.plan;
    const int ahead = c->lattice->pending.state_ahead;
    const int64_t number = w->looks ? 0 : c->queued++, all = w->looks ? 1 : number + left;
    lm_measure next = ahead ? *out : with_replicas(c, out);

    if (!ahead)
        next.states = NULL;
    return lm_fail_in(c->caller, plan.ops->queue_measurement(plan.self, &next, number, all));
}

/* Measures what a run of the plan cannot, and hands over. */
static latmc_status complete(lm_course *c, const method *w, const lm_measure *out, int64_t count)
{
    const int each = lm_sums_of(c->lattice);
    const lm_measure now = with_replicas(c, out);
    latmc_status status = w->own ? lm_row_sums_measure(c->lattice, c->caller, w->own) : LATMC_OK;

    if (!status && now.pairs.bundles)
        status = lm_pairs_sum(c->lattice, c->caller, now.pairs.bundles, now.pairs.count,
                              now.pairs.of, now.pair_sums);
    if (!status)
        out->take(out->taker, &(lm_measured){.sums = out->sums,
                                             .count = count,
                                             .step = lm_sums_count(c->lattice),
                                             .replica_step = each,
                                             .each = each,
                                             .pair_sums = out->pair_sums});
    return status;
}

/* Sweeps and makes some measurements. Until the plan has made an exchange, only the host knows the
 * slots, and measures itself. `left` measurements of the series are to be made. */
static latmc_status make_some(lm_course *c, const method *w, const lm_measure *out, int64_t some,
                              int64_t left)
{
    const lm_measure *of_run = w->of_run.bundles ? &w->of_run : NULL;
    latmc_status status = w->runs     ? run(c, out->every * some, of_run)
                          : w->queues ? queue(c, out->every, out->bundles)
                                      : lm_course_sweep(c, out->every);

    if (!status && !w->runs)
        status = w->queues ? exchange(c) : lm_course_exchange(c);
    if (status || w->of_run.take)
        return status;
    if (w->queues && (!c->sums || c->lattice->pending.state_ahead))
        return queue_one(c, w, out, left);
    if (!w->runs && of_run)
        status = lm_fail_in(c->caller,
                            lm_plan_measure(c->lattice->home.plan, of_run->bundles, out->sums));
    return status ? status : complete(c, w, out, some);
}

/* Compares a measurement with the best sites. */
static latmc_status look(lm_course *c, const lm_measure *out)
{
    const latmc_status status = lm_pending_fetch_state(c->lattice, c->caller);

    return status ? status : lm_best_look(c->lattice, c->caller, out->sums);
}

latmc_status lm_course_record(lm_course *c, int64_t records, const lm_measure *out)
{
    const method w = method_of(c, records, out);
    latmc_status status = LATMC_OK, ended = LATMC_OK;

    c->queued = 0;
    for (int64_t left = records; left > 0 && !status; left -= w.at_once) {
        status = make_some(c, &w, out, left < w.at_once ? left : w.at_once, left);
        if (!status && w.looks)
            status = look(c, out);
        status = lm_everywhere(c->lattice, status);
    }
    if (w.queues || !w.of_run.bundles)
        ended = finish(c);
    return status ? status : ended;
}
