/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges: neighbouring slots change their replicas, so that each slot goes on sampling its own
 * distribution. doc/trajectory.md, "Slots and exchanges". */
#include "lib/exchange.h"

#include <inttypes.h>

#include "lib/status.h"

#include "lib/physics/lane_one.h"

#include "lib/physics/exchange.h"
#include "lib/physics/philox.h"

/* ---- one exchange */

/* The action of a replica's sites with the parameters of a slot. */
static double action(const latmc_lattice *lat, const double *sums, int64_t replica, int64_t slot)
{
    double params[LM_MAX_PARAMS];
    lm_reading in;

    lm_params_of(lat, slot, params);
    in = lm_reading_of(lat, params, sums + replica * lm_sums_of(lat));
    return lat->model->action(&in);
}

/* Of this slot and the next one. */
static double cost_of(const latmc_lattice *lat, const double *sums, int64_t slot)
{
    const int64_t a = lat->holders[slot], b = lat->holders[slot + 1];
    const double own[2] = {action(lat, sums, a, slot), action(lat, sums, b, slot + 1)};
    const double other[2] = {action(lat, sums, a, slot + 1), action(lat, sums, b, slot)};

    return lm_exchange_cost(own, other);
}

/* The pairs of one sample: its slots 0 and 1, 2 and 3, .. or 1 and 2, 3 and 4, .. in turn. */
static void exchange_sample(latmc_lattice *lat, const double *sums, int64_t sample)
{
    const int64_t each = lat->replicas / lat->samples, first = sample * each;
    const lm_keys keys = lm_keys_of(lat->seed);
    const lm_stream stream = lm_stream_of(&keys, LM_DOMAIN_EXCHANGE, (uint64_t)lat->exchanges,
                                          (uint32_t)(lat->first_sample + sample), 0);

    for (int64_t s = first + lat->exchanges % 2; s + 1 < first + each; s += 2) {
        uint32_t words[4];

        lm_random_words(&stream, (uint64_t)(lat->first_replica + s), 0, words);
        if (lm_exchange_accepts(cost_of(lat, sums, s), words))
            lm_slots_swap(lat, s, s + 1);
    }
}

latmc_status lm_exchange(latmc_lattice *lat, const char *caller, double *sums)
{
    const unsigned groups = lm_groups_in_use(lat, lat->model->action_groups);
    const latmc_status status = lm_fail_in(caller, lm_plan_measure(lat->place.plan, groups, sums));

    if (status)
        return status;
    for (int64_t j = 0; j < lat->samples; j++)
        exchange_sample(lat, sums, j);
    lat->exchanges++;
    return LATMC_OK;
}

/* ---- those of a schedule */

int lm_rounds_exchange(const lm_rounds *rounds)
{
    int any = 0;

    for (int i = 0; i < rounds->count; i++)
        any |= rounds->exchanges[i] > 0;
    return any;
}

int64_t lm_rounds_due(const lm_rounds *rounds, int64_t done)
{
    const int64_t place = done ? done : rounds->sweeps;
    int64_t end = 0;

    for (int i = 0; i < rounds->count; i++) {
        end += rounds->steps[i].sweeps;
        if (end == place)
            return rounds->exchanges[i];
    }
    return 0;
}

latmc_status latmc_set_step_exchanges(latmc_lattice *lattice, int step, int64_t exchanges)
{
    const latmc_status status = lm_need_step(lattice, __func__, step);
    int64_t most;

    if (status)
        return status;
    if (exchanges < 0 || exchanges > LM_MAX_EXCHANGES)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: exchanges is %" PRId64 "; 0 to %d after a step are allowed", __func__,
                       exchanges, LM_MAX_EXCHANGES);
    lattice->rounds.exchanges[step] = exchanges;
    most = lm_rounds_due(&lattice->rounds, lattice->rounds.done);
    if (lattice->rounds.due > most)
        lattice->rounds.due = most;
    return LATMC_OK;
}

latmc_status latmc_get_step_exchanges(const latmc_lattice *lattice, int step, int64_t *exchanges)
{
    const latmc_status status = lm_need_step(lattice, __func__, step);

    if (status)
        return status;
    if (!exchanges)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: exchanges is NULL", __func__);
    *exchanges = lattice->rounds.exchanges[step];
    return LATMC_OK;
}
