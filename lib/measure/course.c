/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the sweeps of a call, with exchanges and measurements between them. */
#include "lib/measure/course.h"

#include <string.h>

#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/ramp.h"
#include "lib/lattice/schedule.h"
#include "lib/lattice/slots.h"
#include "lib/lattice/spec.h"
#include "lib/lattice/untold.h"
#include "lib/measure/exchange.h"
#include "lib/measure/pairs.h"
#include "lib/save/alike.h"

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

/* Returns all parameters. A step's own arguments replace the parameters of the same name. */
static const double *values_of(lm_course *c, int step)
{
    const latmc_lattice *lat = c->lattice;
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    const lm_own *own;

    if (step < 0)
        return lat->params;
    own = &lat->rounds.own[step];
    memcpy(c->values, lat->params, (size_t)(list->count * lat->replicas) * sizeof *c->values);
    for (int64_t k = 0; k < own->count; k++) {
        double *values =
            c->values + (lm_list_find(list, (int)own->params[k]) - list->entries) * lat->replicas;

        for (int64_t r = 0; r < lat->replicas; r++)
            values[r] = own->values[k];
    }
    return c->values;
}

/* Gives the plan the parameters and slots of the next sweep. */
static latmc_status tell(lm_course *c)
{
    const int step = own_step(c);

    return lm_untold_for(c->lattice, step)
               ? lm_tell_params(c->lattice, c->caller, step, values_of(c, step))
               : LATMC_OK;
}

latmc_status lm_course_settle(latmc_lattice *lattice, const char *caller)
{
    lm_course present = {.lattice = lattice, .caller = caller};
    const latmc_status status = lm_home_settle(lattice, caller);

    return status || !lattice->untold.params ? status : tell(&present);
}

/* Checks the settings at both ends of all ramps. Nothing else between the ends can be impossible:
 * parameters change linearly, and a model's refusals are half spaces or their bounds. */
static latmc_status check_way(const lm_course *c, int64_t sweeps)
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
        status = check_way(c, sweeps);
    if (!status)
        status = lm_ranks_alike(c->lattice);
    if (!status)
        status = lm_home_settle(c->lattice, c->caller);
    if (!status)
        status = check_place(c);
    return status ? status : tell(c);
}

/* ---- running */

int lm_course_mixes(const lm_course *c, int64_t sweeps)
{
    lm_cursor at = lm_course_cursor(c);

    /* one more step than the schedule has: a round that begins within a step ends in it */
    for (int i = 0; i <= c->schedule.count && sweeps > 0; i++) {
        const lm_job job = lm_schedule_next(&c->schedule, &at, sweeps);

        if (updates_of(c)->entries[job.update].ergodic)
            return 1;
        sweeps -= job.sweeps;
    }
    return 0;
}

int lm_course_is_steady(const lm_course *c)
{
    return !c->values && !c->sums && !lm_ramps_any(c->lattice);
}

/* Returns how many sweeps, at most `most`, come before parameters or slots change. */
static int64_t stretch(const lm_course *c, int64_t most)
{
    int64_t left;

    if (lm_course_is_steady(c))
        return most;
    if (lm_ramps_any(c->lattice))
        return 1;
    next_step(c, &left);
    return left < most ? left : most;
}

/* Makes sweeps during which no parameter changes. */
static latmc_status run(lm_course *c, int64_t sweeps, const lm_out *out)
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
    lat->untold.changed = 1;
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
    const latmc_status status = exchange(c), fetched = lm_exchange_fetch(c->lattice, c->caller);

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
        const lm_out stays = {.every = some, .bundles = left, .stays = 1};

        status = exchange(c); /* the exchanges at the end of the stretch before */
        if (!status) {
            c->measured = left;
            status = run(c, some, left ? &stays : NULL);
        }
        sweeps -= some;
    }
    return status;
}

latmc_status lm_course_sweep(lm_course *c, int64_t sweeps)
{
    latmc_status status = queue(c, sweeps, 0);
    const latmc_status fetched = lm_exchange_fetch(c->lattice, c->caller);

    if (!status)
        status = fetched;
    return status ? status : lm_fail_in(c->caller, lm_plan_wait(c->lattice->home.plan));
}

int lm_course_queues(const lm_course *c, unsigned pair_bundles)
{
    const lm_plan_ops *ops = c->lattice->home.plan.ops;

    return ops && ops->queue_measurement && !(pair_bundles & ~ops->pair_bundles) && !c->values &&
           !lm_ramps_any(c->lattice) && (!c->sums || lm_plan_exchanges(c->lattice->home.plan));
}

/* Returns the pairs as replicas. */
static lm_pair_out pairs_now(const lm_course *c, const lm_course_out *out)
{
    lm_pair_out pairs = out->queued.pairs;

    for (int64_t p = 0; p < pairs.count; p++)
        for (int i = 0; i < 2; i++)
            out->of_replicas[2 * p + i] = lm_replica_at(c->lattice, pairs.of[p][i]);
    pairs.of = (const int64_t(*)[2])out->of_replicas;
    return pairs;
}

/* Hands over measurements that the host has made. */
static void hand_over(const lm_course *c, const lm_out *out, int64_t count)
{
    const int each = lm_sums_of(c->lattice);

    out->take(out->taker, &(lm_taken){out->sums, count, lm_sums_count(c->lattice), each, each});
}

static latmc_status measure_pairs(const lm_course *c, const lm_course_out *o)
{
    const lm_pair_out pairs = pairs_now(c, o);

    return pairs.bundles ? lm_pairs_sum(c->lattice, c->caller, pairs.bundles, pairs.count, pairs.of,
                                        pairs.sums)
                         : LATMC_OK;
}

/* Measures the present sites. */
static latmc_status measure(const lm_course *c, const lm_course_out *o)
{
    const lm_out *out = o->queued.out;
    const latmc_status status =
        out->bundles
            ? lm_fail_in(c->caller, lm_plan_measure(c->lattice->home.plan, out->bundles, out->sums))
            : LATMC_OK;

    return status ? status : measure_pairs(c, o);
}

/* Makes one measurement, or as many as `capacity` allows. With pairs it makes one. */
static latmc_status record_some(lm_course *c, int64_t records, const lm_course_out *o)
{
    const lm_out *out = o->queued.out;
    const lm_out some = {.every = out->every, .bundles = out->bundles, .sums = out->sums};
    latmc_status status;

    if (out->bundles && lm_course_is_steady(c)) {
        status = run(c, out->every * records, &some);
        return status ? status : measure_pairs(c, o);
    }
    status = lm_course_sweep(c, out->every * records);
    if (!status)
        status = lm_course_exchange(c);
    return status ? status : measure(c, o);
}

static latmc_status record_waiting(lm_course *c, int64_t records, const lm_course_out *o)
{
    const int alone = !lm_course_is_steady(c) || o->queued.pairs.bundles;
    const lm_out *out = o->queued.out;
    latmc_status status = LATMC_OK;

    for (int64_t left = records; left > 0 && !status;) {
        const int64_t some = alone ? 1 : left < out->capacity ? left : out->capacity;

        status = record_some(c, some, o);
        if (!status)
            hand_over(c, out, some);
        left -= some;
    }
    return status;
}

/* Queues a measurement behind queued sweeps and exchanges. The sweeps have left out->bundles
 * with the plan. */
static latmc_status queue_one(lm_course *c, const lm_course_out *o, int64_t number, int64_t all)
{
    const lm_plan plan = c->lattice->home.plan;
    lm_queued next = o->queued;

    next.number = number;
    next.all = all;
    if (!c->lattice->untold.state_ahead)
        next.states = NULL;
    if (next.pairs.bundles && c->lattice->untold.state_ahead)
        next.pairs.by_slot = c->lattice->order == LATMC_ORDER_SLOT;
    else if (next.pairs.bundles)
        next.pairs = pairs_now(c, o);
    return lm_fail_in(c->caller, plan.ops->queue_measurement(plan.self, &next));
}

/* Queues all measurements, so that the host waits for none. Until the plan has made an exchange,
 * only the host knows the slots, and it measures itself. */
static latmc_status record_queued(lm_course *c, int64_t records, lm_course_out *o)
{
    const lm_out *out = o->queued.out;
    latmc_status status = LATMC_OK, waited;
    int64_t first = 0;

    for (int64_t i = 0; i < records && !status; i++) {
        status = queue(c, out->every, out->bundles);
        if (!status)
            status = exchange(c);
        o->is_queued = c->lattice->untold.state_ahead;
        if (!status && c->sums && !o->is_queued) {
            status = measure(c, o);
            first = i + 1;
            if (!status)
                hand_over(c, out, 1);
        } else if (!status) {
            status = queue_one(c, o, i - first, records - first);
        }
    }
    waited = lm_exchange_fetch(c->lattice, c->caller);
    if (!waited)
        waited = lm_fail_in(c->caller, lm_plan_wait(c->lattice->home.plan));
    return status ? status : waited;
}

latmc_status lm_course_record(lm_course *c, int64_t records, lm_course_out *o)
{
    const lm_out *out = o->queued.out;

    if (lm_course_is_steady(c) && out->bundles && !o->queued.pairs.bundles &&
        c->lattice->home.plan.ops->streams)
        return run(c, out->every * records, out);
    return lm_course_queues(c, o->queued.pairs.bundles) ? record_queued(c, records, o)
                                                        : record_waiting(c, records, o);
}
