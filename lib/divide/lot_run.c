/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sweeps, measurements and exchanges of lots. Devices do them side by side, and the lots of
 * one device one after another. */
#include <string.h>

#include "lib/divide/lots.h"
#include "lib/base/status.h"

/* What all devices do with their lots. */
typedef enum lot_errand {
    SWEEP, /* and perhaps measure */
    EXCHANGE,
    MEASURE /* for a series */
} lot_errand;

typedef struct lot_task {
    lot_errand errand;
    lm_exchange_order order;
    int64_t number, count; /* of a measurement in its portion, and of those of the portion */
    lm_schedule schedule;
    lm_cursor cursor;
    int64_t budget;
    int measures;
    lm_measure out; /* sums: [lot][measurement][replica][k], unless they stay */
} lot_task;

const size_t lm_lots_task_bytes = sizeof(lot_task);

/* ---- a device's part of a task */

/* Returns where a lot's sums go. */
static double *sums_of(const lm_deal *d, int i, const lot_task *t)
{
    const int64_t measurements = lm_measure_count(&t->out, t->budget);

    return t->out.stays ? d->lots[i].sums : t->out.sums + measurements * d->lots[i].first * d->each;
}

static latmc_status run_lot(const lm_deal *d, int i, const lot_task *t)
{
    const lm_plan plan = d->pieces.plans[i];
    const lm_measure own = {.every = t->out.every,
                            .bundles = t->out.bundles,
                            .sums = t->measures ? sums_of(d, i, t) : NULL,
                            .stays = t->out.stays && d->lots[i].makes};

    return plan.ops->run(plan.self, &t->schedule, &t->cursor, t->budget, t->measures ? &own : NULL);
}

static latmc_status do_lot(const lm_deal *d, int i, const lot_task *t)
{
    if (t->errand == EXCHANGE)
        return lm_lot_exchange(d, i, &t->order);
    if (t->errand == MEASURE)
        return lm_lot_measure(d, i, &t->out, t->number, t->count);
    return run_lot(d, i, t);
}

latmc_status lm_lots_do_task(void *deal, int device, const void *task)
{
    const lm_deal *d = deal;
    const lot_task *t = task;
    latmc_status status = LATMC_OK;

    for (int i = d->of_device[device]; i < d->of_device[device + 1] && !status; i++)
        status = do_lot(d, i, t);
    return status;
}

/* ---- side by side */

void lm_lots_set_threads(void *plan, int threads)
{
    lm_deal *d = plan;

    d->threads = threads;
    lm_pieces_set_threads(plan, threads);
}

/* Lets devices do tasks side by side. They share the host's threads. */
static void begin(lm_deal *d)
{
    const int each = d->threads / d->devices;

    if (d->threads)
        lm_pieces_set_threads(d, each ? each : 1);
    lm_runners_begin(d->runners);
}

/* Waits for all devices. */
static latmc_status end(lm_deal *d)
{
    const latmc_status status = lm_runners_end(d->runners);

    lm_pieces_set_threads(d, d->threads);
    return lm_ranks_agree(d->pieces.ranks, status);
}

/* ---- stints */

latmc_status lm_lots_have_sites(const lm_deal *d)
{
    return d->lost ? lm_fail(LATMC_ERROR_DEVICE,
                             "a device failed in an earlier call, so the lattice's devices have "
                             "stopped at different sweeps; start the lattice or load it again")
                   : LATMC_OK;
}

latmc_status lm_lots_finish(lm_deal *d)
{
    latmc_status status = lm_lots_have_sites(d);

    if (!d->under_way)
        return status;
    d->under_way = d->prepared = 0;
    status = end(d);
    d->lost |= status != LATMC_OK;
    return status;
}

/* Adds a task to the stint. Its failure is known when the stint ends. */
static latmc_status queue(lm_deal *d, const lot_task *task)
{
    const latmc_status status = lm_lots_have_sites(d);

    if (status)
        return status;
    if (!d->under_way)
        begin(d);
    d->under_way = 1;
    lm_runners_give(d->runners, task);
    return LATMC_OK;
}

latmc_status lm_lots_exchange(void *plan, const lm_exchange_order *order)
{
    lm_deal *d = plan;
    const lot_task task = {.errand = EXCHANGE, .order = *order};
    latmc_status status;

    if (!order->state)
        return queue(d, &task);
    status = lm_lots_finish(d);
    if (status)
        return status;
    lm_lots_take_state(d, order->state);
    return queue(d, &task);
}

latmc_status lm_lots_queue_measuring(lm_deal *d, const lm_measure *out, int64_t number,
                                     int64_t count)
{
    const lot_task task = {.errand = MEASURE, .number = number, .count = count, .out = *out};

    return queue(d, &task);
}

/* ---- runs */

/* After it, no piece fails for lack of memory when others have run. */
static latmc_status prepare(const lm_deal *d, const lot_task *t)
{
    const lm_pieces *p = &d->pieces;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++) {
        lm_measure own = t->out;

        own.stays = t->out.stays && d->lots[i].makes;
        status = lm_plan_prepare(p->plans[i], &t->schedule, t->budget, t->measures ? &own : NULL);
    }
    return lm_ranks_agree(p->ranks, status);
}

/* Adds sweeps to a stint. Before the first ones it takes memory for all. */
static latmc_status queue_run(lm_deal *d, const lot_task *task)
{
    const int needed = 1 + task->measures;
    latmc_status status = LATMC_OK;

    if (d->prepared < needed) {
        status = lm_lots_finish(d);
        if (!status)
            status = prepare(d, task);
    }
    if (status)
        return status;
    d->prepared = d->prepared > needed ? d->prepared : needed;
    return queue(d, task);
}

/* Moves the sums of all lots, [lot][measurement][replica][k], to their places. */
static void put_in_order(const lm_deal *d, int64_t measurements, double *sums)
{
    const lm_division *division = d->pieces.division;
    const int64_t replicas = d->pieces.whole.replicas, each = d->each;

    for (int k = 0; k < division->pieces; k++) {
        const int64_t first = division->begin[k] * each;
        const int64_t some = division->begin[k + 1] * each - first;

        for (int64_t i = 0; i < measurements; i++)
            memcpy(sums + i * replicas * each + first, d->sums + measurements * first + i * some,
                   (size_t)some * sizeof *sums);
    }
}

/* Makes at most as many measurements as the buffer holds, or none. Measurements on several devices
 * run side by side. The caller's thread queues runs that do not measure. */
static latmc_status run_some(lm_deal *d, const lot_task *task, double *sums)
{
    const int64_t measurements = task->measures ? lm_measure_count(&task->out, task->budget) : 0;
    latmc_status status;

    if (task->measures)
        begin(d);
    lm_runners_give(d->runners, task);
    status = end(d);
    d->lost |= status && task->budget > 0;
    if (status || !task->measures)
        return status;
    status = lm_ranks_gather(d->pieces.ranks, d->sums, d->of_rank,
                             (size_t)(measurements * d->each) * sizeof *d->sums);
    if (!status)
        put_in_order(d, measurements, sums);
    return status;
}

/* Makes a run, and writes its measurements to the caller's sums. */
static latmc_status run_now(lm_deal *d, lot_task *task, double *sums)
{
    const lm_schedule *schedule = &task->schedule;
    const int64_t numbers = d->pieces.whole.replicas * d->each, budget = task->budget;
    const int64_t most = d->capacity * task->out.every;
    latmc_status status;

    if (!task->measures || !budget)
        return run_some(d, task, sums);
    status = LATMC_OK;
    for (int64_t done = 0; done < budget && !status; done += task->budget) {
        task->budget = budget - done < most ? budget - done : most;
        status = run_some(d, task, sums + done / task->out.every * numbers);
        lm_cursor_move(schedule, &task->cursor, task->budget);
    }
    return status;
}

latmc_status lm_lots_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                         int64_t budget, const lm_measure *out)
{
    lm_deal *d = plan;
    lot_task task = {.schedule = *schedule,
                     .cursor = *cursor,
                     .budget = budget,
                     .measures = out != NULL,
                     .out = out ? *out : (lm_measure){0}};
    latmc_status status;

    if ((out && out->stays) || (!out && d->under_way))
        return queue_run(d, &task);
    status = lm_lots_finish(d);
    if (!status)
        status = prepare(d, &task);
    task.out.sums = d->sums;
    return status ? status : run_now(d, &task, out ? out->sums : NULL);
}

latmc_status lm_lots_wait(void *plan)
{
    lm_deal *d = plan;
    const latmc_status status = lm_lots_finish(d), ended = lm_pieces_wait(plan);

    d->lost |= ended != LATMC_OK;
    return status ? status : ended;
}
