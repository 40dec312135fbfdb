/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one plan from the lots of a lattice that is divided by replicas. To its device, a lot is a
 * lattice of its own. Its replicas are numbered on from those of the lots before it. */
#include <stdlib.h>

#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/copies.h"
#include "lib/divide/lots.h"
#include "lib/divide/site_sums.h"
#include "lib/physics/exchange_state.h"

enum { NUMBERS = 1 << 18 }; /* numbers of a run's measurements, which some cache holds */

static void close_deal(void *plan)
{
    lm_deal *d = plan;

    lm_pieces_end(&d->pieces);
    lm_runners_free(d->runners);
    free(d->of_rank);
    free(d->lots);
    free(d->of_device);
    free(d->values);
    free(d->states);
    free(d->stays);
    free(d->loose);
    free(d->sums);
    free(d);
}

/* Returns the first replica of one of this rank's pieces, or for the next number the end of the
 * last piece. */
static int64_t begin_of(const lm_deal *d, int i)
{
    return d->pieces.division->begin[d->pieces.first + i];
}

/* ---- sites */

/* Returns the piece of this rank that has a replica, or -1. */
static int holder_of(const lm_deal *d, int64_t replica)
{
    int i = d->pieces.count - 1;

    if (replica < begin_of(d, 0) || replica >= begin_of(d, d->pieces.count))
        return -1;
    while (begin_of(d, i) > replica)
        i--;
    return i;
}

/* Ranks ask together for what any of them has. So pairs of a lattice on several ranks belong to no
 * lot. */
static lm_lot lot(const void *plan, int64_t replica)
{
    const lm_deal *d = plan;
    const int i = lm_ranks_count(d->pieces.ranks) > 1 || d->lost ? -1 : holder_of(d, replica);

    return i < 0 ? (lm_lot){0}
                 : (lm_lot){.ops = d->pieces.plans[i].ops,
                            .self = d->pieces.plans[i].self,
                            .first = begin_of(d, i),
                            .count = begin_of(d, i + 1) - begin_of(d, i)};
}

/* Sites that are started are alike on all devices. */
static latmc_status start(void *plan, latmc_start_mode mode)
{
    lm_deal *d = plan;
    const latmc_status status = lm_pieces_start(plan, mode);

    d->lost &= status != LATMC_OK;
    return status;
}

/* It is not collective: each rank takes the rows of its own pieces. */
static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    const lm_deal *d = plan;
    const int i = holder_of(d, replica);
    const lm_plan holder = i < 0 ? (lm_plan){0} : d->pieces.plans[i];

    return i < 0 ? LATMC_OK
                 : holder.ops->put_sites(holder.self, replica - begin_of(d, i), first_row, rows,
                                         sites);
}

/* Sends sites to all ranks from the one rank that has them all. */
static latmc_status spread(const lm_deal *d, lm_ranks *ranks, int64_t replica, void *sites,
                           int64_t bytes)
{
    const int count = lm_ranks_count(ranks);
    int64_t *some = d->of_rank + lm_ranks_count(d->pieces.ranks) + 1;

    for (int r = 0; r <= count; r++)
        some[r] = d->of_rank[r] > replica ? bytes : 0;
    return lm_ranks_gather(ranks, sites, some, 1);
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    const lm_deal *d = plan;
    const int i = holder_of(d, replica);
    lm_ranks *ranks = d->pieces.alone ? NULL : d->pieces.ranks;
    latmc_status status = lm_lots_have_sites(d);

    if (i >= 0 && !status)
        status = d->pieces.plans[i].ops->get_sites(
            d->pieces.plans[i].self, replica - begin_of(d, i), first_row, rows, sites);
    status = lm_ranks_agree(ranks, status);
    return status ? status
                  : spread(d, ranks, replica, sites, rows * lm_pieces_row_bytes(&d->pieces.whole));
}

/* Moves replicas by the lots that have them. */
static latmc_status cross_lots(const lm_deal *d, const lm_crossing *c)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < d->pieces.count && !status; i++) {
        const int64_t first = lm_max(begin_of(d, i), c->replica);
        const int64_t end = lm_min(begin_of(d, i + 1), c->replica + c->replicas);
        lm_crossing part = lm_crossing_part(c, first, end - first, c->first_row, c->rows);

        part.replica -= begin_of(d, i);
        if (first < end)
            status = lm_plan_cross(d->pieces.plans[i], &part);
    }
    return status;
}

/* If sites go in, it is not collective: each rank takes the replicas of its own pieces. All pieces
 * then have their memory before any piece takes sites. */
static latmc_status cross(void *plan, const lm_crossing *c)
{
    const lm_deal *d = plan;
    const int count = lm_ranks_count(d->pieces.ranks);
    lm_ranks *ranks = d->pieces.alone ? NULL : d->pieces.ranks;
    int64_t *some = d->of_rank + count + 1;
    lm_crossing first = *c;
    latmc_status status;

    first.prepares = 1;
    status = c->in ? LATMC_OK : lm_lots_have_sites(d);
    if (!status)
        status = cross_lots(d, &first);
    if (!status && !c->prepares)
        status = cross_lots(d, c);
    if (c->in || c->prepares)
        return status;
    status = lm_ranks_agree(ranks, status);
    for (int r = 0; r <= count; r++)
        some[r] = lm_min(lm_max(d->of_rank[r] - c->replica, 0), c->replicas);
    return status ? status : lm_ranks_gather(ranks, c->out, some, (size_t)c->pitch);
}

static latmc_status copy(void *plan, const int64_t *from)
{
    const lm_deal *d = plan;

    return lm_lots_copy(&d->pieces, d->of_rank, from);
}

/* ---- sweeps and measurements */

static latmc_status serves(const void *plan, int update)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = lm_plan_serves(p->plans[i], update);
    return lm_ranks_agree(p->ranks, status);
}

static latmc_status momenta(void *plan, const lm_momentum_order *order, double *sums, int *made)
{
    const lm_deal *d = plan;

    return lm_lots_momenta(&d->pieces, d->of_rank, order, sums, made);
}

static latmc_status weigh(void *plan, const lm_weight_order *order, int64_t *sums, int *made)
{
    const lm_deal *d = plan;

    return lm_lots_weigh(&d->pieces, d->of_rank, order, sums, made);
}

static const lm_plan_ops ops = {
    .close = close_deal,
    .put_parameters = lm_lots_put_parameters,
    .put_slots = lm_lots_put_slots,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .crosses = lm_pieces_crosses,
    .cross = cross,
    .copy = copy,
    .lot = lot,
    .momenta = momenta,
    .weigh = weigh,
    .run = lm_lots_run,
    .set_threads = lm_lots_set_threads,
    .put_bonds = lm_pieces_put_bonds,
    .put_values = lm_pieces_put_values,
    .serves = serves,
    .wait = lm_lots_wait,
    .queue_measurement = lm_lots_queue_measurement,
    .exchanges = lm_lots_exchanges,
    .exchange = lm_lots_exchange,
    .exchanged = lm_lots_exchanged,
};

/* ---- opening */

void lm_deal_spec(const lm_division *division, int number, lm_spec *spec)
{
    const int64_t first = division->begin[number];
    const int64_t count = division->begin[number + 1] - first;
    const int64_t of_sample = spec->replicas / spec->samples;

    if (spec->samples > 1)
        spec->samples = count < of_sample ? 1 : count / of_sample;
    spec->first_replica += first;
    spec->replicas = count;
}

/* Takes memory for all lots: their sums, and what exchanges need. */
static latmc_status allocate(lm_deal *d, const lm_spec *spec, int64_t ranks)
{
    const int params = lm_list_of(d->model, LATMC_PARAMS)->count;
    const int64_t numbers = spec->replicas * d->each;

    d->capacity = NUMBERS > numbers ? NUMBERS / numbers : 1;
    d->sums = lm_zeroed(NULL, "the sums of all replicas", d->capacity * numbers, sizeof *d->sums);
    d->stays = lm_zeroed(NULL, "the sums of all replicas", numbers, sizeof *d->stays);
    d->of_rank = lm_zeroed(NULL, "the replicas of ranks", 2 * ranks + 2, sizeof *d->of_rank);
    d->values = lm_zeroed(NULL, "the parameters of all replicas", params * spec->replicas,
                          sizeof *d->values);
    d->states = lm_zeroed(NULL, "the slots of all replicas", LM_STATE_ROWS * spec->replicas,
                          sizeof *d->states);
    d->loose = lm_zeroed(NULL, "the replicas that are loose", spec->replicas, 1);
    return d->sums && d->stays && d->of_rank && d->values && d->states && d->loose
               ? LATMC_OK
               : LATMC_ERROR_MEMORY;
}

/* Takes memory for this rank's lots and for the threads of its devices. */
static latmc_status allocate_own(lm_deal *d, int64_t lots, int devices)
{
    d->lots = lm_zeroed(NULL, "the lots of a lattice", lots, sizeof *d->lots);
    d->of_device = lm_zeroed(NULL, "the lots of devices", devices + 1, sizeof *d->of_device);
    d->devices = devices;
    d->runners = lm_runners_make(devices, lm_lots_task_bytes, lm_lots_do_task, d);
    return d->lots && d->of_device && d->runners ? LATMC_OK : LATMC_ERROR_MEMORY;
}

/* Gives each of this rank's lots its replicas and its part of all memory. */
static void place_lots(lm_deal *d, const lm_division *division, int first, int end)
{
    const int params = lm_list_of(d->model, LATMC_PARAMS)->count;

    for (int k = first; k < end; k++) {
        const int64_t begin = division->begin[k];

        d->lots[k - first] = (lm_own_lot){.first = begin,
                                          .count = division->begin[k + 1] - begin,
                                          .values = d->values + params * begin,
                                          .state = d->states + LM_STATE_ROWS * begin,
                                          .sums = d->stays + d->each * begin};
        d->of_device[division->device[k] - division->device[first] + 1] = k + 1 - first;
    }
}

static latmc_status make(lm_deal *d, const lm_spec *spec, const lm_division *division,
                         lm_ranks *ranks)
{
    const int count = lm_ranks_count(ranks), rank = lm_ranks_own(ranks);
    const int first = (int)division->of_rank[rank], end = (int)division->of_rank[rank + 1];
    const int devices = division->device[end - 1] - division->device[first] + 1;
    latmc_status status;

    d->model = lm_model_of((int)spec->model);
    d->each = lm_spec_sums(spec);
    status = allocate(d, spec, count);
    if (!status)
        status = allocate_own(d, end - first, devices);
    if (status)
        return status;
    for (int r = 0; r <= count; r++)
        d->of_rank[r] = division->begin[division->of_rank[r]];
    place_lots(d, division, first, end);
    return LATMC_OK;
}

latmc_status lm_deal_open(const lm_device_list *where, const lm_spec *spec,
                          const lm_division *division, lm_ranks *ranks, lm_plan *plan)
{
    lm_deal *d = lm_zeroed(NULL, "the replicas of devices", 1, sizeof *d);
    latmc_status status = LATMC_ERROR_MEMORY;

    if (!d)
        return status;
    status = make(d, spec, division, ranks);
    if (!status)
        status = lm_pieces_begin(&d->pieces, where, spec, division, ranks, lm_deal_spec);
    if (status)
        close_deal(d);
    else
        *plan = (lm_plan){&ops, d};
    return status;
}
