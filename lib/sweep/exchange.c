/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges the replicas of neighbouring slots, so that each slot goes on sampling its own
 * distribution: doc/trajectory.md, "Slots and exchanges". */
#include "lib/sweep/exchange.h"

#include "lib/base/status.h"
#include "lib/devices/host_exchange.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/pending.h"
#include "lib/measure/reading.h"

static lm_exchange_order order_of(const latmc_lattice *lat, unsigned bundles, int measured)
{
    return (lm_exchange_order){.number = lat->exchanges,
                               .first_sample = lat->first_sample,
                               .ladders = lat->ladders,
                               .each = lm_ladder_slots(lat, lat->replicas),
                               .bundles = bundles,
                               .measured = measured,
                               .state = lat->pending.state ? lat->slots : NULL};
}

static latmc_status exchange_here(latmc_lattice *lat, const char *caller, unsigned bundles,
                                  double *sums)
{
    const latmc_status status = lm_fail_in(caller, lm_plan_measure(lat->home.plan, bundles, sums));
    const lm_exchange_order order = order_of(lat, bundles, 0);
    const lm_offers offers = {.model = lat->model,
                              .reading = lm_reading_of(lat, NULL, sums),
                              .values = lat->params,
                              .sums = sums,
                              .each = lm_sums_of(lat),
                              .replicas = lat->replicas,
                              .first_replica = lat->first_replica,
                              .seed = lat->seed};

    if (status)
        return status;
    lm_exchange_slots(&offers, &order, lat->slots);
    lm_pending_slots(lat);
    return LATMC_OK;
}

/* Lets the plan make the exchange. The plan goes on with its own state unless a call has changed
 * the state since. */
static latmc_status exchange_there(latmc_lattice *lat, const char *caller, unsigned bundles,
                                   int measured)
{
    const lm_plan plan = lat->home.plan;
    const lm_exchange_order order = order_of(lat, bundles, measured);
    const latmc_status status = lm_fail_in(caller, plan.ops->exchange(plan.self, &order));

    if (status)
        return status;
    lat->pending.state = 0;
    lat->pending.state_ahead = 1;
    return LATMC_OK;
}

unsigned lm_exchange_bundles(const latmc_lattice *lat)
{
    return lm_bundles_in_use(lat, lat->model->action_bundles);
}

latmc_status lm_exchange(latmc_lattice *lat, const char *caller, double *sums, int *measured)
{
    const unsigned bundles = lm_exchange_bundles(lat);
    const int there = lm_plan_exchanges(lat->home.plan);
    const latmc_status status = there ? exchange_there(lat, caller, bundles, *measured)
                                      : exchange_here(lat, caller, bundles, sums);

    *measured = there && !status;
    lat->exchanges += !status;
    return status;
}
