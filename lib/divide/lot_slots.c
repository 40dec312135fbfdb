/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives lots their parameters and slots, and makes their exchanges. Lots whose slots are their own
 * know nothing of other lots: their slots are numbered from 0, as their replicas are. */
#include "lib/devices/host_exchange.h"
#include "lib/divide/lots.h"

#include <string.h>

#include "lib/physics/exchange_state.h"

/* ---- parameters and slots */

static int64_t slot_of(const lm_parameters *all, int64_t replica)
{
    return all->slots ? all->slots[replica] : replica;
}

/* Returns whether all lots of all ranks have whole ladders and the slots of their replicas. */
static int are_closed(const lm_deal *d, const lm_parameters *all)
{
    const lm_division *division = d->pieces.division;
    int closed = all->ladder > 0;

    for (int k = 0; k < division->pieces && closed; k++) {
        const int64_t first = division->begin[k], end = division->begin[k + 1];

        closed = end % all->ladder == 0;
        for (int64_t r = first; r < end && closed; r++)
            closed = slot_of(all, r) >= first && slot_of(all, r) < end;
    }
    return closed;
}

/* Returns the parameters of a lot as its plan takes them. If lots are not closed, replica r of the
 * lot has slot r. */
static lm_parameters parameters_of(const lm_deal *d, const lm_own_lot *lot)
{
    return (lm_parameters){.values = lot->values,
                           .slots = d->closed ? lot->state : NULL,
                           .ladder = d->closed ? d->ladder : 0,
                           .type_coupling = d->type_coupling,
                           .loose = d->loose + lot->first};
}

/* Takes the slots of a lot's replicas into its state. */
static void take_slots(const lm_own_lot *lot, const lm_parameters *all)
{
    for (int64_t r = 0; r < lot->count; r++)
        lot->state[LM_STATE_SLOTS * lot->count + r] = slot_of(all, lot->first + r) - lot->first;
}

static void take_values(const lm_deal *d, const lm_own_lot *lot, const lm_parameters *all)
{
    const int params = lm_list_of(d->model, LATMC_PARAMS)->count;

    for (int64_t s = 0; s < lot->count; s++) {
        const int64_t from = d->closed ? lot->first + s : slot_of(all, lot->first + s);

        for (int p = 0; p < params; p++)
            lot->values[p * lot->count + s] = all->values[p * d->pieces.whole.replicas + from];
    }
}

static latmc_status put_lot(const lm_deal *d, int i, const lm_parameters *all)
{
    const lm_plan plan = d->pieces.plans[i];
    lm_own_lot *lot = &d->lots[i];
    lm_parameters own;
    latmc_status status;

    take_values(d, lot, all);
    if (d->closed)
        take_slots(lot, all);
    own = parameters_of(d, lot);
    status = plan.ops->put_parameters(plan.self, &own);
    lot->makes = lm_plan_exchanges(plan);
    return status;
}

latmc_status lm_lots_put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_deal *d = plan;
    latmc_status status = lm_lots_finish(d);

    d->closed = are_closed(d, parameters);
    d->ladder = parameters->ladder;
    memcpy(d->type_coupling, parameters->type_coupling,
           (size_t)d->pieces.whole.dims * sizeof *d->type_coupling);
    if (parameters->loose)
        memcpy(d->loose, parameters->loose, (size_t)d->pieces.whole.replicas);
    for (int i = 0; i < d->pieces.count && !status; i++)
        status = put_lot(d, i, parameters);
    return lm_ranks_agree(d->pieces.ranks, status);
}

latmc_status lm_lots_put_slots(void *plan, const lm_parameters *parameters)
{
    lm_deal *d = plan;
    latmc_status status;

    if (!d->closed || parameters->ladder != d->ladder || !are_closed(d, parameters))
        return lm_lots_put_parameters(plan, parameters);
    status = lm_lots_finish(d);
    for (int i = 0; i < d->pieces.count && !status; i++) {
        const lm_parameters own = parameters_of(d, &d->lots[i]);

        take_slots(&d->lots[i], parameters);
        status = lm_plan_put_slots(d->pieces.plans[i], &own);
    }
    return lm_ranks_agree(d->pieces.ranks, status);
}

/* ---- exchanges */

int lm_lots_exchanges(const void *plan)
{
    return ((const lm_deal *)plan)->closed;
}

static lm_reading reading_of(const lm_deal *d, const lm_spec *spec)
{
    lm_reading in = {.dims = spec->dims,
                     .components = spec->components,
                     .options = spec->options,
                     .table = spec->table,
                     .sites = 1.0,
                     .type_coupling = d->type_coupling,
                     .boundaries = spec->boundaries,
                     .kept = spec->kept};

    for (int a = 0; a < spec->dims; a++)
        in.sites *= (double)spec->extents[a];
    return in;
}

/* Makes an exchange for a plan that makes none. */
static latmc_status exchange_here(const lm_deal *d, int i, const lm_exchange_order *order)
{
    const lm_plan plan = d->pieces.plans[i];
    const lm_spec *spec = &d->pieces.specs[i];
    lm_own_lot *lot = &d->lots[i];
    const lm_parameters parameters = parameters_of(d, lot);
    const lm_offers offers = {.model = d->model,
                              .reading = reading_of(d, spec),
                              .values = lot->values,
                              .sums = lot->sums,
                              .each = d->each,
                              .replicas = lot->count,
                              .first_replica = spec->first_replica,
                              .seed = spec->seed};
    const latmc_status status =
        order->measured ? LATMC_OK : lm_plan_measure(plan, order->bundles, lot->sums);

    if (status)
        return status;
    lm_exchange_slots(&offers, order, lot->state);
    lot->ahead = 1;
    return lm_plan_put_slots(plan, &parameters);
}

/* Lets the lot's plan make the exchange. */
static latmc_status exchange_there(const lm_deal *d, int i, lm_exchange_order *order)
{
    const lm_plan plan = d->pieces.plans[i];
    lm_own_lot *lot = &d->lots[i];

    order->state = order->state || lot->ahead ? lot->state : NULL;
    lot->ahead = 0;
    return plan.ops->exchange(plan.self, order);
}

latmc_status lm_lot_exchange(const lm_deal *d, int i, const lm_exchange_order *order)
{
    const int64_t ladder = order->first_ladder + d->lots[i].first / order->each;
    lm_exchange_order own = *order;

    own.first_sample += ladder / order->ladders;
    own.first_ladder = ladder % order->ladders;
    return d->lots[i].makes ? exchange_there(d, i, &own) : exchange_here(d, i, &own);
}

/* ---- the state of exchanges */

/* Slots and holders are numbers, which a lot counts from its first replica. */
static int64_t shift_of(int64_t first, int row)
{
    return row == LM_STATE_SLOTS || row == LM_STATE_HOLDERS ? first : 0;
}

void lm_lots_take_state(const lm_deal *d, const int64_t *state)
{
    for (int i = 0; i < d->pieces.count; i++) {
        const lm_own_lot *lot = &d->lots[i];

        for (int row = 0; row < LM_STATE_ROWS; row++)
            for (int64_t k = 0; k < lot->count; k++)
                lot->state[row * lot->count + k] =
                    state[row * d->pieces.whole.replicas + lot->first + k] -
                    shift_of(lot->first, row);
    }
}

/* Writes the state of a lot of any rank to the lattice's state. */
static void give_state(const lm_deal *d, int piece, int64_t *state)
{
    const int64_t first = d->pieces.division->begin[piece];
    const int64_t count = d->pieces.division->begin[piece + 1] - first;
    const int64_t *own = d->states + LM_STATE_ROWS * first;

    for (int row = 0; row < LM_STATE_ROWS; row++)
        for (int64_t k = 0; k < count; k++)
            state[row * d->pieces.whole.replicas + first + k] =
                own[row * count + k] + shift_of(first, row);
}

latmc_status lm_lots_exchanged(void *plan, int64_t *state)
{
    lm_deal *d = plan;
    latmc_status status = lm_lots_finish(d);

    for (int i = 0; i < d->pieces.count && !status; i++) {
        const lm_plan piece = d->pieces.plans[i];

        if (d->lots[i].makes)
            status = piece.ops->exchanged(piece.self, d->lots[i].state);
    }
    status = lm_ranks_agree(d->pieces.ranks, status);
    if (!status)
        status = lm_ranks_gather(d->pieces.ranks, d->states, d->of_rank,
                                 LM_STATE_ROWS * sizeof *d->states);
    for (int k = 0; k < d->pieces.division->pieces && !status; k++)
        give_state(d, k, state);
    return status;
}
