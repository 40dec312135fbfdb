/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges the replicas of neighbouring slots, so that each slot goes on sampling its own
 * distribution: doc/trajectory.md, "Slots and exchanges". */
#include "lib/sweep/exchange.h"

#include "lib/base/chunk.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/pending.h"
#include "lib/measure/reading.h"
#include "lib/settings/slots.h"

#include "lib/physics/lane_one.h"

#include "lib/physics/exchange_rule.h"
#include "lib/physics/philox.h"

/* ---- one exchange */

enum { SOME_PAIRS = 64 };

/* The input of all actions of an exchange. The parameters of a slot are read once, for both
 * replicas. */
typedef struct offers {
    lm_reading reading;
    const double *sums; /* [replica][each] */
    int each, params;
} offers;

static offers offers_of(const latmc_lattice *lat, const double *sums)
{
    return (offers){.reading = lm_reading_of(lat, NULL, sums),
                    .sums = sums,
                    .each = lm_sums_of(lat),
                    .params = lm_list_of(lat->model, LATMC_PARAMS)->count};
}

/* Computes the actions of two replicas' sites with the parameters of one slot. */
static void actions_at(const latmc_lattice *lat, const offers *o, int64_t slot,
                       const int64_t replicas[2], double actions[2])
{
    double params[LM_MAX_PARAMS];
    lm_reading in = o->reading;

    for (int p = 0; p < o->params; p++)
        params[p] = lat->params[p * lat->replicas + slot];
    in.params = params;
    for (int i = 0; i < 2; i++) {
        in.sums = o->sums + replicas[i] * o->each;
        actions[i] = lat->model->action(&in);
    }
}

/* Returns the cost of exchanging the replicas of this slot and the next one. */
static double cost_of(const latmc_lattice *lat, const offers *o, int64_t slot)
{
    const int64_t replicas[2] = {lat->holders[slot], lat->holders[slot + 1]};
    double here[2], next[2];

    actions_at(lat, o, slot, replicas, here);
    actions_at(lat, o, slot + 1, replicas, next);
    return lm_exchange_cost((double[]){here[0], next[1]}, (double[]){next[0], here[1]});
}

/* Proposes exchanges of consecutive pairs, the first pair at this slot. It computes all costs
 * first, then all random numbers, then all decisions. So no step waits for the one before it. */
static void exchange_some(latmc_lattice *lat, const offers *o, const lm_stream *stream,
                          int64_t slot, int64_t pairs)
{
    double costs[SOME_PAIRS];
    uint32_t words[SOME_PAIRS][4];

    for (int64_t i = 0; i < pairs; i++)
        costs[i] = cost_of(lat, o, slot + 2 * i);
    for (int64_t i = 0; i < pairs; i++)
        lm_random_words(stream, (uint64_t)(lat->first_replica + slot + 2 * i), 0, words[i]);
    for (int64_t i = 0; i < pairs; i++)
        lm_exchange_pair(lat->slots, lat->replicas, slot + 2 * i,
                         lm_exchange_accepts(costs[i], words[i]));
}

/* Proposes exchanges of the pairs of one ladder: slots (0, 1), (2, 3), .. and slots (1, 2), (3, 4),
 * .. in turn. */
static void exchange_ladder(latmc_lattice *lat, const offers *o, int64_t ladder)
{
    const int64_t each = lm_ladder_slots(lat, lat->replicas), odd = lat->exchanges % 2;
    const int64_t sample = ladder / lat->ladders;
    const lm_keys keys = lm_keys_of(lat->seed, 0);
    const lm_stream stream = lm_stream_of(&keys, LM_DOMAIN_EXCHANGE, (uint64_t)lat->exchanges,
                                          lm_group_low(lat->first_sample + sample), 0);

    for (lm_chunk c = {0}; lm_next_chunk(&c, (each - odd) / 2, SOME_PAIRS);)
        exchange_some(lat, o, &stream, ladder * each + odd + 2 * c.first, c.count);
    if (each == 1)
        return;
    lm_walks_turn(lat->slots, lat->replicas, ladder * each, each);
    for (int64_t s = ladder * each; s < (ladder + 1) * each; s++)
        lm_walks_count(lat->slots, lat->replicas, s);
}

static latmc_status exchange_here(latmc_lattice *lat, const char *caller, unsigned bundles,
                                  double *sums)
{
    const latmc_status status = lm_fail_in(caller, lm_plan_measure(lat->home.plan, bundles, sums));
    offers o;

    if (status)
        return status;
    o = offers_of(lat, sums);
    for (int64_t i = 0; i < lat->samples * lat->ladders; i++)
        exchange_ladder(lat, &o, i);
    lm_pending_slots(lat);
    return LATMC_OK;
}

/* Lets the plan make the exchange. The plan goes on with its own state unless a call has changed
 * the state since. */
static latmc_status exchange_there(latmc_lattice *lat, const char *caller, unsigned bundles,
                                   int measured)
{
    const lm_plan plan = lat->home.plan;
    const lm_exchange_order order = {.number = lat->exchanges,
                                     .first_sample = lat->first_sample,
                                     .ladders = lat->ladders,
                                     .each = lm_ladder_slots(lat, lat->replicas),
                                     .bundles = bundles,
                                     .measured = measured,
                                     .state = lat->pending.state ? lat->slots : NULL};
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
