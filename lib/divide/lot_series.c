/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues measurements of lots between their sweeps and exchanges. The lots write a portion of them
 * to the caller's arrays, each to the places of its replicas. Then the devices meet, and the caller
 * gets the portion. */
#include <string.h>

#include "lib/base/minmax.h"
#include "lib/divide/lots.h"
#include "lib/physics/exchange_state.h"

/* A lot whose plan hands over measurements, to be written from number `number` of a portion on. */
typedef struct lot_taker {
    const lm_deal *deal;
    int lot;
    const lm_measure *out;
} lot_taker;

/* Writes a lot's measurement number `number` of the portion. */
static void write_one(const lm_deal *d, const lm_own_lot *lot, const lm_measure *out,
                      int64_t number, const lm_measured *one)
{
    const int64_t replicas = d->pieces.whole.replicas;
    double *sums = out->sums + (number * replicas + lot->first) * d->each;

    for (int64_t r = 0; r < lot->count && out->bundles; r++)
        memcpy(sums + r * d->each, one->sums + r * one->replica_step,
               (size_t)one->each * sizeof *sums);
    for (int row = 0; row < LM_STATE_WALKS && out->states; row++)
        for (int64_t k = 0; k < lot->count; k++)
            out->states[(number * LM_STATE_WALKS + row) * replicas + lot->first + k] =
                one->states[row * lot->count + k] + lot->first;
}

/* Takes measurements that the lot's plan has queued. */
static void take(void *taker, const lm_measured *made)
{
    const lot_taker *t = taker;
    lm_own_lot *lot = &t->deal->lots[t->lot];

    for (int64_t m = 0; m < made->count; m++) {
        lm_measured one = *made;

        one.sums += m * made->step;
        one.states += made->states ? m * LM_STATE_WALKS * lot->count : 0;
        write_one(t->deal, lot, t->out, lot->taken++, &one);
    }
}

/* Lets the lot's plan queue a measurement. It is number `number` of `count`. */
static latmc_status queue_there(const lm_deal *d, int i, const lm_measure *out, int64_t number,
                                int64_t count)
{
    const lm_plan plan = d->pieces.plans[i];
    lm_own_lot *lot = &d->lots[i];
    lot_taker taker = {d, i, out};
    const lm_measure own = {.bundles = out->bundles,
                            .capacity = 1,
                            .sums = lot->sums,
                            .states = out->states ? lot->state : NULL,
                            .take = take,
                            .taker = &taker};

    lot->taken = number ? lot->taken : 0;
    return plan.ops->queue_measurement(plan.self, &own, number, count);
}

/* Measures a lot whose plan queues no measurements. Sums that stayed with the plan cannot be
 * had. */
static latmc_status measure_here(const lm_deal *d, int i, const lm_measure *out, int64_t number)
{
    const lm_plan plan = d->pieces.plans[i];
    const lm_own_lot *lot = &d->lots[i];
    const lm_measured one = {
        .sums = lot->sums, .replica_step = d->each, .each = d->each, .states = lot->state};
    latmc_status status = LATMC_OK;

    if (lot->makes && out->bundles)
        status = lm_plan_measure(plan, out->bundles, lot->sums);
    if (!status && lot->makes && out->states)
        status = plan.ops->exchanged(plan.self, lot->state);
    if (!status)
        write_one(d, lot, out, number, &one);
    return status;
}

latmc_status lm_lot_measure(const lm_deal *d, int i, const lm_measure *out, int64_t number,
                            int64_t count)
{
    const lm_plan plan = d->pieces.plans[i];

    return d->lots[i].makes && plan.ops->queue_measurement ? queue_there(d, i, out, number, count)
                                                           : measure_here(d, i, out, number);
}

/* Gathers a portion from all ranks. */
static latmc_status gather(const lm_deal *d, const lm_measure *out, int64_t count)
{
    const int64_t replicas = d->pieces.whole.replicas;
    lm_ranks *ranks = d->pieces.ranks;
    latmc_status status = LATMC_OK;

    for (int64_t m = 0; m < count && out->bundles && !status; m++)
        status = lm_ranks_gather(ranks, out->sums + m * replicas * d->each, d->of_rank,
                                 (size_t)d->each * sizeof *out->sums);
    for (int64_t m = 0; m < count * LM_STATE_WALKS && out->states && !status; m++)
        status =
            lm_ranks_gather(ranks, out->states + m * replicas, d->of_rank, sizeof *out->states);
    return status;
}

latmc_status lm_lots_queue_measurement(void *plan, const lm_measure *out, int64_t number,
                                       int64_t all)
{
    lm_deal *d = plan;
    const int64_t here = number % out->capacity, count = lm_min(out->capacity, all - number + here);
    latmc_status status = lm_lots_queue_measuring(d, out, here, count);

    if (status || here + 1 < count)
        return status;
    status = lm_lots_finish(d);
    if (!status)
        status = gather(d, out, count);
    if (!status)
        out->take(out->taker, &(lm_measured){.sums = out->sums,
                                             .count = count,
                                             .step = d->pieces.whole.replicas * d->each,
                                             .replica_step = d->each,
                                             .each = d->each,
                                             .states = out->states});
    return status;
}
