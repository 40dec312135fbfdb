/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/devices/host_exchange.h"

#include "lib/base/chunk.h"

#include "lib/physics/lane_one.h"

#include "lib/physics/exchange_rule.h"
#include "lib/physics/philox.h"

enum { SOME_PAIRS = 64 };

/* Computes the actions of two replicas' sites with the parameters of one slot. The parameters are
 * read once, for both replicas. */
static void actions_at(const lm_offers *o, int64_t slot, const int64_t replicas[2],
                       double actions[2])
{
    const int count = lm_list_of(o->model, LATMC_PARAMS)->count;
    double params[LM_MAX_PARAMS];
    lm_reading in = o->reading;

    for (int p = 0; p < count; p++)
        params[p] = o->values[p * o->replicas + slot];
    in.params = params;
    for (int i = 0; i < 2; i++) {
        in.sums = o->sums + replicas[i] * o->each;
        actions[i] = o->model->action(&in);
    }
}

/* Returns the cost of exchanging the replicas of this slot and the next one. */
static double cost_of(const lm_offers *o, const int64_t *holders, int64_t slot)
{
    const int64_t replicas[2] = {holders[slot], holders[slot + 1]};
    double here[2], next[2];

    actions_at(o, slot, replicas, here);
    actions_at(o, slot + 1, replicas, next);
    return lm_exchange_cost((double[]){here[0], next[1]}, (double[]){next[0], here[1]});
}

/* Proposes exchanges of consecutive pairs, the first pair at this slot. It computes all costs
 * first, then all random numbers, then all decisions. So no step waits for the one before it. */
static void exchange_some(const lm_offers *o, const lm_stream *stream, int64_t *state, int64_t slot,
                          int64_t pairs)
{
    double costs[SOME_PAIRS];
    uint32_t words[SOME_PAIRS][4];

    for (int64_t i = 0; i < pairs; i++)
        costs[i] = cost_of(o, state + LM_STATE_HOLDERS * o->replicas, slot + 2 * i);
    for (int64_t i = 0; i < pairs; i++)
        lm_random_words(stream, (uint64_t)(o->first_replica + slot + 2 * i), 0, words[i]);
    for (int64_t i = 0; i < pairs; i++)
        lm_exchange_pair(state, o->replicas, slot + 2 * i, lm_exchange_accepts(costs[i], words[i]));
}

/* Proposes exchanges of the pairs of one ladder: slots (0, 1), (2, 3), .. and slots (1, 2), (3, 4),
 * .. in turn. */
static void exchange_ladder(const lm_offers *o, const lm_exchange_order *order, int64_t ladder,
                            int64_t *state)
{
    const int64_t each = order->each, odd = order->number % 2;
    const int64_t sample = order->first_sample + (order->first_ladder + ladder) / order->ladders;
    const lm_keys keys = lm_keys_of(o->seed, 0);
    const lm_stream stream =
        lm_stream_of(&keys, LM_DOMAIN_EXCHANGE, (uint64_t)order->number, lm_group_low(sample), 0);

    for (lm_chunk c = {0}; lm_next_chunk(&c, (each - odd) / 2, SOME_PAIRS);)
        exchange_some(o, &stream, state, ladder * each + odd + 2 * c.first, c.count);
    if (each == 1)
        return;
    lm_walks_turn(state, o->replicas, ladder * each, each);
    for (int64_t s = ladder * each; s < (ladder + 1) * each; s++)
        lm_walks_count(state, o->replicas, s);
}

void lm_exchange_slots(const lm_offers *offers, const lm_exchange_order *order, int64_t *state)
{
    for (int64_t i = 0; i < offers->replicas / order->each; i++)
        exchange_ladder(offers, order, i, state);
}
