/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one plan from the lots of a lattice that is divided by replicas. To its device, a lot is a
 * lattice of its own. Its replicas are numbered on from those of the lots before it. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/models/model.h"
#include "lib/divide/copies.h"
#include "lib/divide/pieces.h"
#include "lib/divide/site_sums.h"
#include "lib/base/status.h"
#include "lib/base/thread.h"

enum { NUMBERS = 1 << 18 }; /* numbers of a run's measurements, which some cache holds */

struct deal;

/* A run of one lot. */
typedef struct lot_run {
    const struct deal *deal;
    int number; /* of the piece among the rank's own */
    const lm_schedule *schedule;
    const lm_cursor *cursor;
    int64_t budget;
    const lm_measure *out; /* the lattice's output, or NULL */
    double *sums;          /* the lot's sums: [measurement][replica][k] */
    latmc_status status;
    char message[LM_MESSAGE];
} lot_run;

/* The plan's self. */
typedef struct deal {
    lm_pieces pieces;
    int each;         /* sums of a replica */
    int params;       /* number of the model's parameters */
    int64_t *of_rank; /* [rank], and one more: the ranks' first replicas */
    double *values;   /* buffer for a lot's parameters: [parameter][replica] */
    lot_run *turns;   /* [piece of this rank] */
    pthread_t *threads;
    double *sums; /* buffer for some measurements of all lots, one lot after another */
    int64_t capacity;
} deal;

static void close_deal(void *plan)
{
    deal *d = plan;

    lm_pieces_end(&d->pieces);
    free(d->of_rank);
    free(d->values);
    free(d->turns);
    free(d->threads);
    free(d->sums);
    free(d);
}

/* Returns the first replica of one of this rank's pieces, or for the next number the end of the
 * last piece. */
static int64_t begin_of(const deal *d, int i)
{
    return d->pieces.division->begin[d->pieces.first + i];
}

/* ---- what lots are told */

/* Gives a lot its parameters. Replica r of the lot gets slot r. */
static latmc_status put_lot(const deal *d, int i, const lm_parameters *all)
{
    const lm_plan plan = d->pieces.plans[i];
    const int64_t first = begin_of(d, i), count = begin_of(d, i + 1) - first;
    const lm_parameters own = {.values = d->values,
                               .type_coupling = all->type_coupling,
                               .loose = all->loose ? all->loose + first : NULL};

    for (int64_t r = 0; r < count; r++)
        for (int p = 0; p < d->params; p++)
            d->values[p * count + r] =
                lm_parameters_of(all, first + r)[p * d->pieces.whole.replicas];
    return plan.ops->put_parameters(plan.self, &own);
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    const deal *d = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < d->pieces.count && !status; i++)
        status = put_lot(d, i, parameters);
    return lm_ranks_agree(d->pieces.ranks, status);
}

/* ---- sites */

/* Returns the piece of this rank that has a replica, or -1. */
static int holder_of(const deal *d, int64_t replica)
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
    const deal *d = plan;
    const int i = lm_ranks_count(d->pieces.ranks) > 1 ? -1 : holder_of(d, replica);

    return i < 0 ? (lm_lot){0}
                 : (lm_lot){.ops = d->pieces.plans[i].ops,
                            .self = d->pieces.plans[i].self,
                            .first = begin_of(d, i),
                            .count = begin_of(d, i + 1) - begin_of(d, i)};
}

/* It is not collective: each rank takes the rows of its own pieces. */
static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    const deal *d = plan;
    const int i = holder_of(d, replica);
    const lm_plan holder = i < 0 ? (lm_plan){0} : d->pieces.plans[i];

    return i < 0 ? LATMC_OK
                 : holder.ops->put_sites(holder.self, replica - begin_of(d, i), first_row, rows,
                                         sites);
}

/* Sends sites to all ranks from the one rank that has them all. */
static latmc_status spread(const deal *d, lm_ranks *ranks, int64_t replica, void *sites,
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
    const deal *d = plan;
    const int i = holder_of(d, replica);
    lm_ranks *ranks = d->pieces.alone ? NULL : d->pieces.ranks;
    latmc_status status = LATMC_OK;

    if (i >= 0)
        status = d->pieces.plans[i].ops->get_sites(
            d->pieces.plans[i].self, replica - begin_of(d, i), first_row, rows, sites);
    status = lm_ranks_agree(ranks, status);
    return status ? status
                  : spread(d, ranks, replica, sites, rows * lm_pieces_row_bytes(&d->pieces.whole));
}

/* Moves replicas by the lots that have them. */
static latmc_status cross_lots(const deal *d, const lm_crossing *c)
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
    const deal *d = plan;
    const int count = lm_ranks_count(d->pieces.ranks);
    lm_ranks *ranks = d->pieces.alone ? NULL : d->pieces.ranks;
    int64_t *some = d->of_rank + count + 1;
    lm_crossing first = *c;
    latmc_status status;

    first.prepares = 1;
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
    const deal *d = plan;

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

static void take_turn(lot_run *t)
{
    const lm_plan plan = t->deal->pieces.plans[t->number];
    const lm_measure own = {.every = t->out ? t->out->every : 0,
                            .bundles = t->out ? t->out->bundles : 0,
                            .sums = t->sums};

    t->status = plan.ops->run(plan.self, t->schedule, t->cursor, t->budget, t->out ? &own : NULL);
}

/* Returns the first lot of the device after that of lot i. */
static int next_device(const deal *d, int i)
{
    const int *device = d->pieces.division->device + d->pieces.first;
    int next = i + 1;

    while (next < d->pieces.count && device[next] == device[i])
        next++;
    return next;
}

/* Runs the lots of one device, of which `first` is the first, one after another. */
static latmc_status take_turns_of_device(const deal *d, int first)
{
    const int end = next_device(d, first);
    latmc_status status = LATMC_OK;

    for (int i = first; i < end && !status; i++) {
        take_turn(&d->turns[i]);
        status = d->turns[i].status;
    }
    return status;
}

/* Runs a device's lots in a thread of their own. It copies a failure's message, which would be lost
 * with the thread. */
static void *begin_turns(void *given)
{
    LM_FLOATS;
    lot_run *t = given;

    t->status = take_turns_of_device(t->deal, t->number);
    if (t->status)
        memccpy(t->message, latmc_error_message(), '\0', sizeof t->message - 1);
    return NULL;
}

/* Runs all lots. Measurements on several devices run side by side: each device but the first has a
 * thread, if the host can create one. One thread queues runs that do not measure. */
static latmc_status take_turns(const deal *d)
{
    const int count = d->pieces.count, waits = d->turns[0].out != NULL;
    latmc_status status = LATMC_OK;
    const int second = next_device(d, 0);
    int begun = second; /* the first lot of the first device that has no thread */

    while (waits && begun < count &&
           !lm_thread_begin(&d->threads[begun], begin_turns, &d->turns[begun]))
        begun = next_device(d, begun);
    status = take_turns_of_device(d, 0);
    for (int i = waits ? begun : second; i < count && !status; i = next_device(d, i))
        status = take_turns_of_device(d, i);
    for (int i = second; waits && i < begun; i = next_device(d, i)) {
        pthread_join(d->threads[i], NULL);
        if (!status && d->turns[i].status)
            status = lm_fail(d->turns[i].status, "%s", d->turns[i].message);
    }
    return status;
}

/* Moves the sums of all lots, [lot][measurement][replica][k], to their places. */
static void put_in_order(const deal *d, int64_t measurements, double *sums)
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

/* Makes at most as many measurements as the buffer holds, or none. */
static latmc_status run_some(deal *d, const lm_schedule *schedule, const lm_cursor *cursor,
                             int64_t budget, const lm_measure *out)
{
    const int64_t measurements = lm_measure_count(out, budget);
    latmc_status status;

    for (int i = 0; i < d->pieces.count; i++)
        d->turns[i] = (lot_run){.deal = d,
                                .number = i,
                                .schedule = schedule,
                                .cursor = cursor,
                                .budget = budget,
                                .out = out,
                                .sums = d->sums + measurements * begin_of(d, i) * d->each};
    status = lm_ranks_agree(d->pieces.ranks, take_turns(d));
    if (status || !out)
        return status;
    status = lm_ranks_gather(d->pieces.ranks, d->sums, d->of_rank,
                             (size_t)(measurements * d->each) * sizeof *d->sums);
    if (!status)
        put_in_order(d, measurements, out->sums);
    return status;
}

static latmc_status momenta(void *plan, const lm_momentum_order *order, double *sums, int *made)
{
    const deal *d = plan;

    return lm_lots_momenta(&d->pieces, d->of_rank, order, sums, made);
}

static latmc_status weigh(void *plan, const lm_weight_order *order, int64_t *sums, int *made)
{
    const deal *d = plan;

    return lm_lots_weigh(&d->pieces, d->of_rank, order, sums, made);
}

/* After it, no piece fails for lack of memory when others have run. */
static latmc_status prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                            const lm_measure *out)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = lm_plan_prepare(p->plans[i], schedule, budget, out);
    return lm_ranks_agree(p->ranks, status);
}

static latmc_status run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_measure *out)
{
    deal *d = plan;
    const int64_t most = out && budget ? d->capacity * out->every : budget;
    const int64_t numbers = d->pieces.whole.replicas * d->each;
    lm_cursor at = *cursor;
    lm_measure some;
    latmc_status status = prepare(plan, schedule, budget, out);

    if (status)
        return status;
    if (!out || !budget)
        return run_some(d, schedule, cursor, budget, out);
    some = *out;
    do {
        const int64_t sweeps = budget < most ? budget : most;

        status = run_some(d, schedule, &at, sweeps, &some);
        lm_cursor_move(schedule, &at, sweeps);
        some.sums += sweeps / out->every * numbers;
        budget -= sweeps;
    } while (budget > 0 && !status);
    return status;
}

static const lm_plan_ops ops = {
    .close = close_deal,
    .put_parameters = put_parameters,
    .start = lm_pieces_start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .crosses = lm_pieces_crosses,
    .cross = cross,
    .copy = copy,
    .lot = lot,
    .momenta = momenta,
    .weigh = weigh,
    .run = run,
    .set_threads = lm_pieces_set_threads,
    .put_bonds = lm_pieces_put_bonds,
    .put_values = lm_pieces_put_values,
    .serves = serves,
    .wait = lm_pieces_wait,
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

static latmc_status allocate(deal *d, const lm_spec *spec, const lm_division *division,
                             lm_ranks *ranks)
{
    const int count = lm_ranks_count(ranks) + 1, rank = lm_ranks_own(ranks);
    const int64_t here = division->of_rank[rank + 1] - division->of_rank[rank];
    const int64_t numbers = spec->replicas * lm_spec_sums(spec);

    d->each = lm_spec_sums(spec);
    d->capacity = NUMBERS > numbers ? NUMBERS / numbers : 1;
    d->sums = lm_zeroed(NULL, "the sums of all replicas", d->capacity * numbers, sizeof *d->sums);
    d->params = lm_list_of(lm_model_of((int)spec->model), LATMC_PARAMS)->count;
    d->of_rank = lm_zeroed(NULL, "the replicas of ranks", 2 * count, sizeof *d->of_rank);
    d->values = lm_zeroed(NULL, "the parameters of some replicas", d->params * spec->replicas,
                          sizeof *d->values);
    d->turns = lm_zeroed(NULL, "the runs of devices", here, sizeof *d->turns);
    d->threads = lm_zeroed(NULL, "the threads of devices", here, sizeof *d->threads);
    if (!d->sums || !d->of_rank || !d->values || !d->turns || !d->threads)
        return LATMC_ERROR_MEMORY;
    for (int r = 0; r < count; r++)
        d->of_rank[r] = division->begin[division->of_rank[r]];
    return LATMC_OK;
}

latmc_status lm_deal_open(const lm_where *where, const lm_spec *spec, const lm_division *division,
                          lm_ranks *ranks, lm_plan *plan)
{
    deal *d = lm_zeroed(NULL, "the replicas of devices", 1, sizeof *d);
    latmc_status status = LATMC_ERROR_MEMORY;

    if (!d)
        return status;
    status = allocate(d, spec, division, ranks);
    if (!status)
        status = lm_pieces_begin(&d->pieces, where, spec, division, ranks, lm_deal_spec);
    if (status)
        close_deal(d);
    else
        *plan = (lm_plan){&ops, d};
    return status;
}
