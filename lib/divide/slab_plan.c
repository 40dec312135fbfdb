/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one plan from the slabs of a lattice that is divided by layers. */
#include <stdlib.h>

#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/divide/abreast.h"
#include "lib/divide/pieces.h"
#include "lib/divide/site_sums.h"
#include "lib/divide/slabs.h"

/* The plan's self. */
typedef struct cut {
    lm_pieces pieces;
    int64_t sums;     /* numbers of a measurement */
    int64_t rows;     /* of a layer */
    size_t row_bytes; /* of a row as it crosses to lib/ */
    int64_t *of_rank; /* [rank], and one more: the ranks' first layers */
    int64_t *some;    /* buffer of as many numbers */
    lm_slabs slabs;
} cut;

static void close_cut(void *plan)
{
    cut *c = plan;

    lm_slabs_part(&c->slabs);
    lm_pieces_end(&c->pieces);
    free(c->of_rank);
    free(c->some);
    free(c);
}

/* ---- what all slabs are told */

/* Puts parameters to all slabs. After a failure some slabs may have them and others not. lib/
 * then puts them again. */
static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = p->plans[i].ops->put_parameters(p->plans[i].self, parameters);
    return lm_ranks_agree(p->ranks, status);
}

static latmc_status put_slots(void *plan, const lm_parameters *parameters)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = lm_plan_put_slots(p->plans[i], parameters);
    return lm_ranks_agree(p->ranks, status);
}

/* ---- sites */

static latmc_status start(void *plan, latmc_start_mode mode)
{
    cut *c = plan;

    c->slabs.stale = 1;
    return lm_pieces_start(plan, mode);
}

/* Moves some rows of a replica by the slabs that have them: from `in`, or to `out` if `in` is
 * NULL. */
static latmc_status hand(const cut *c, int64_t replica, int64_t first_row, int64_t rows,
                         const char *in, char *out)
{
    const lm_pieces *p = &c->pieces;
    latmc_status status = lm_slab_need(&p->whole, first_row, rows);

    for (int i = 0; i < p->count && !status; i++) {
        const lm_plan plan = p->plans[i];
        const int64_t begin = lm_max(p->specs[i].first_layer * c->rows, first_row);
        const int64_t beyond = (p->specs[i].first_layer + p->specs[i].layers) * c->rows;
        const int64_t some = lm_min(beyond, first_row + rows) - begin;
        const size_t at = (size_t)(begin - first_row) * c->row_bytes;

        if (some > 0)
            status = in ? plan.ops->put_sites(plan.self, replica, begin, some, in + at)
                        : plan.ops->get_sites(plan.self, replica, begin, some, out + at);
    }
    return status;
}

/* It is not collective: each rank takes the rows of its own slabs. */
static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    cut *c = plan;

    c->slabs.stale = 1;
    return hand(c, replica, first_row, rows, sites, NULL);
}

/* Returns which of the rows [first_row, first_row + rows) each rank has. */
static const int64_t *rows_of_ranks(const cut *c, int64_t first_row, int64_t rows)
{
    for (int r = 0; r <= lm_ranks_count(c->pieces.ranks); r++)
        c->some[r] = lm_min(lm_max(c->of_rank[r] * c->rows - first_row, 0), rows);
    return c->some;
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    const cut *c = plan;
    lm_ranks *ranks = c->pieces.alone ? NULL : c->pieces.ranks;
    const latmc_status status =
        lm_ranks_agree(ranks, hand(c, replica, first_row, rows, NULL, sites));

    return status ? status
                  : lm_ranks_gather(ranks, sites, rows_of_ranks(c, first_row, rows), c->row_bytes);
}

/* Moves layers by the slabs that have them. */
static latmc_status cross_slabs(const cut *c, const lm_crossing *x)
{
    const lm_pieces *p = &c->pieces;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++) {
        const int64_t own = p->specs[i].first_layer * c->rows;
        const int64_t first = lm_max(own, x->first_row);
        const int64_t end = lm_min(own + p->specs[i].layers * c->rows, x->first_row + x->rows);
        const lm_crossing part = lm_crossing_part(x, x->replica, x->replicas, first, end - first);

        if (first < end)
            status = lm_plan_cross(p->plans[i], &part);
    }
    return status;
}

/* If sites go in, it is not collective, as put_sites(). All slabs then have their memory before any
 * slab takes sites. */
static latmc_status cross(void *plan, const lm_crossing *x)
{
    cut *c = plan;
    lm_ranks *ranks = c->pieces.alone ? NULL : c->pieces.ranks;
    lm_crossing first = *x;
    latmc_status status;

    first.prepares = 1;
    status = cross_slabs(c, &first);
    c->slabs.stale |= x->in != NULL;
    if (!status && !x->prepares)
        status = cross_slabs(c, x);
    if (x->in || x->prepares)
        return status;
    status = lm_ranks_agree(ranks, status);
    for (int64_t i = 0; i < x->replicas && !status; i++)
        status = lm_ranks_gather(ranks, x->out + i * x->pitch,
                                 rows_of_ranks(c, x->first_row, x->rows), c->row_bytes);
    return status;
}

static latmc_status copy_slabs(const lm_pieces *p, const int64_t *from)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = lm_plan_copy(p->plans[i], from);
    return lm_ranks_agree(p->ranks, status);
}

/* Each slab copies its own layers, and its halo. Slabs hand layers on, so all finish first, and all
 * take their memory. */
static latmc_status copy(void *plan, const int64_t *from)
{
    latmc_status status = lm_pieces_wait(plan);

    if (!status)
        status = copy_slabs(plan, NULL);
    return status ? status : copy_slabs(plan, from);
}

/* ---- sweeps and measurements */

static latmc_status serves(const void *plan, int update)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = lm_slab_serves(&p->specs[i], update);
    return lm_ranks_agree(p->ranks, status);
}

/* Allocates the memory for all sweeps to come. No sweep then fails for lack of memory after others
 * have run. */
static latmc_status prepare(cut *c, const lm_schedule *schedule)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < schedule->count && !status; i++)
        status = lm_slabs_prepare(&c->slabs, schedule->steps[i].update);
    return status;
}

/* Returns whether to go on. With ranks a failure here does not stop the sweeps, because the other
 * ranks wait. */
static int goes_on(const cut *c)
{
    return !c->slabs.failed || c->pieces.ranks;
}

/* Makes the sweeps and advances the cursor. */
static void sweep_in_turn(cut *c, const lm_schedule *schedule, lm_cursor *at, int64_t sweeps)
{
    while (sweeps > 0 && goes_on(c)) {
        const lm_job job = lm_schedule_next(schedule, at, sweeps);

        lm_slabs_sweep(&c->slabs, &job);
        sweeps -= job.sweeps;
    }
}

static void sweep(cut *c, const lm_schedule *schedule, lm_cursor *at, int64_t sweeps)
{
    const int64_t abreast = lm_slabs_can_abreast(&c->slabs, sweeps) ? sweeps - 1 : 0;

    sweep_in_turn(c, schedule, at, sweeps - abreast);
    if (abreast && !c->slabs.failed)
        lm_slabs_sweep_abreast(&c->slabs, schedule, at, abreast);
}

static latmc_status run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_measure *out)
{
    cut *c = plan;
    lm_cursor at = *cursor;
    latmc_status status = lm_ranks_agree(c->pieces.ranks, budget ? prepare(c, schedule) : LATMC_OK);

    if (status)
        return status;
    lm_slabs_begin(&c->slabs);
    if (!out)
        sweep(c, schedule, &at, budget);
    for (int64_t i = 0; i < lm_measure_count(out, budget) && goes_on(c); i++) {
        if (budget)
            sweep(c, schedule, &at, out->every);
        if (goes_on(c))
            lm_slabs_measure(&c->slabs, out->bundles, out->sums + i * c->sums);
    }
    status = lm_ranks_agree(c->pieces.ranks, c->slabs.failed);
    c->slabs.stale |= status != LATMC_OK; /* some slabs may be a phase ahead of others */
    return status;
}

static latmc_status momenta(void *plan, const lm_momentum_order *order, double *sums, int *made)
{
    const cut *c = plan;

    return lm_slabs_momenta(&c->pieces, c->of_rank, order, sums, made);
}

static latmc_status weigh(void *plan, const lm_weight_order *order, int64_t *sums, int *made)
{
    const cut *c = plan;

    return lm_slabs_weigh(&c->pieces, order, sums, made);
}

static const lm_plan_ops ops = {
    .close = close_cut,
    .put_parameters = put_parameters,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .crosses = lm_pieces_crosses,
    .cross = cross,
    .copy = copy,
    .run = run,
    .momenta = momenta,
    .weigh = weigh,
    .set_threads = lm_pieces_set_threads,
    .put_slots = put_slots,
    .put_bonds = lm_pieces_put_bonds,
    .put_values = lm_pieces_put_values,
    .serves = serves,
    .wait = lm_pieces_wait,
};

/* ---- opening */

void lm_cut_spec(const lm_division *division, int number, lm_spec *spec)
{
    spec->first_layer = division->begin[number];
    spec->layers = division->begin[number + 1] - spec->first_layer;
}

/* Sets what does not depend on the slabs. */
static latmc_status measure_out(cut *c, const lm_spec *spec, const lm_division *division,
                                lm_ranks *ranks)
{
    const int count = lm_ranks_count(ranks) + 1;

    c->sums = spec->replicas * lm_spec_sums(spec);
    c->row_bytes = (size_t)lm_pieces_row_bytes(spec);
    c->rows = 1;
    for (int a = 1; a < spec->dims - 1; a++)
        c->rows *= spec->extents[a];
    c->of_rank = lm_zeroed(NULL, "the layers of ranks", count, sizeof *c->of_rank);
    c->some = lm_zeroed(NULL, "the rows of ranks", count, sizeof *c->some);
    if (!c->of_rank || !c->some)
        return LATMC_ERROR_MEMORY;
    for (int r = 0; r < count; r++)
        c->of_rank[r] = division->begin[division->of_rank[r]];
    return LATMC_OK;
}

static latmc_status open_slabs(cut *c, const lm_device_list *where, const lm_spec *spec,
                               const lm_division *division, lm_ranks *ranks)
{
    lm_pieces *const p = &c->pieces;
    latmc_status status = measure_out(c, spec, division, ranks);

    if (!status)
        status = lm_pieces_begin(p, where, spec, division, ranks, lm_cut_spec);
    if (!status)
        status = lm_slabs_join(&c->slabs, p->plans, p->specs, p->count, ranks,
                               (lm_layers){division->pieces, division->begin, c->of_rank});
    return status;
}

latmc_status lm_cut_open(const lm_device_list *where, const lm_spec *spec,
                         const lm_division *division, lm_ranks *ranks, lm_plan *plan)
{
    cut *c = lm_zeroed(NULL, "the slabs of a lattice", 1, sizeof *c);
    latmc_status status = LATMC_ERROR_MEMORY;

    if (!c)
        return status;
    status = open_slabs(c, where, spec, division, ranks);
    if (status)
        close_cut(c);
    else
        *plan = (lm_plan){&ops, c};
    return status;
}
