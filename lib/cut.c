/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/cut.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/slabs.h"
#include "lib/status.h"
#include "lib/tiles.h"

/* The plan's self. */
typedef struct cut {
    lm_spec whole;
    int64_t sums;     /* numbers of a measurement */
    int64_t rows;     /* of a layer */
    size_t row_bytes; /* as rows cross to lib/ */
    int count;        /* of slabs */
    lm_spec specs[LM_MAX_SLABS];
    lm_plan plans[LM_MAX_SLABS];
    lm_slabs slabs;
} cut;

int lm_cuts_are_equal(const lm_cuts *a, const lm_cuts *b)
{
    return a->count == b->count &&
           memcmp(a->layer, b->layer, (size_t)a->count * sizeof *a->layer) == 0;
}

/* ---- where to cut */

static int64_t layers_of(const lm_spec *spec)
{
    return spec->extents[spec->dims - 1];
}

/* Where slab number k of `slabs` begins. */
static int64_t begin_of(const lm_spec *spec, int between_tiles, int k, int slabs)
{
    const lm_tiles t = lm_tiles_of(spec);
    const int axis = spec->dims - 1;

    return between_tiles ? lm_tile_begin(&t, axis, k * t.count[axis] / slabs)
                         : k * layers_of(spec) / slabs;
}

/* Have all of so many slabs at least as many layers as their neighbours need, and at most `most`?
 */
static int are_slabs(const lm_spec *spec, int between_tiles, int slabs, int64_t most)
{
    int are = 1;

    for (int k = 0; k < slabs; k++) {
        const int64_t layers =
            begin_of(spec, between_tiles, k + 1, slabs) - begin_of(spec, between_tiles, k, slabs);

        are &= layers >= spec->reach && layers <= most;
    }
    return are;
}

lm_cuts lm_cuts_for(const lm_spec *spec, int64_t most_sites)
{
    lm_cuts cuts = {.count = 0};
    int64_t layer = 1;

    for (int a = 0; a < spec->dims - 1; a++)
        layer *= spec->extents[a];
    if (spec->dims == 1 || layer * layers_of(spec) <= most_sites)
        return cuts;
    for (int tiles = spec->tiled != 0; tiles >= 0; tiles--)
        for (int slabs = 2; slabs <= LM_MAX_SLABS; slabs++) {
            if (!are_slabs(spec, tiles, slabs, most_sites / layer - 2 * spec->reach))
                continue;
            for (int k = 1; k < slabs; k++)
                cuts.layer[cuts.count++] = begin_of(spec, tiles, k, slabs);
            return cuts;
        }
    return cuts;
}

/* ---- what all slabs are told */

static void close_cut(void *plan)
{
    cut *c = plan;

    lm_slabs_part(&c->slabs);
    for (int i = 0; i < c->count; i++)
        lm_plan_close(&c->plans[i]);
    free(c);
}

/* On failure some may have them and others not, so lib/ puts them again. */
static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    const cut *c = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->count && !status; i++)
        status = c->plans[i].ops->put_parameters(c->plans[i].self, parameters);
    return status;
}

static latmc_status put_slots(void *plan, const lm_parameters *parameters)
{
    const cut *c = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->count && !status; i++)
        status = lm_plan_put_slots(c->plans[i], parameters);
    return status;
}

static void set_threads(void *plan, int threads)
{
    const cut *c = plan;

    for (int i = 0; i < c->count; i++)
        lm_plan_set_threads(c->plans[i], threads);
}

static latmc_status put_bonds(void *plan, int64_t sample, int axis, int64_t first_row, int64_t rows,
                              const int8_t *bonds)
{
    const cut *c = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->count && !status; i++)
        status = lm_plan_put_bonds(c->plans[i], sample, axis, first_row, rows, bonds);
    return status;
}

static latmc_status put_values(void *plan, int64_t sample, int k, int64_t first_row, int64_t rows,
                               const double *values)
{
    const cut *c = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->count && !status; i++)
        status = lm_plan_put_values(c->plans[i], sample, k, first_row, rows, values);
    return status;
}

/* The first failure, after all have finished. */
static latmc_status wait(void *plan)
{
    const cut *c = plan;
    latmc_status status = LATMC_OK;

    for (int i = c->count - 1; i >= 0; i--) {
        const latmc_status own = lm_plan_wait(c->plans[i]);

        status = own ? own : status;
    }
    return status;
}

/* ---- sites */

static latmc_status start(void *plan, latmc_start_mode mode)
{
    cut *c = plan;
    latmc_status status = LATMC_OK;

    c->slabs.stale = 1;
    for (int i = 0; i < c->count && !status; i++)
        status = c->plans[i].ops->start(c->plans[i].self, mode);
    return status;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Some rows of a replica, by the slabs that have them: from `in`, or where that is NULL to `out`.
 */
static latmc_status deal(const cut *c, int64_t replica, int64_t first_row, int64_t rows,
                         const char *in, char *out)
{
    latmc_status status = lm_slab_need(&c->whole, first_row, rows);

    for (int i = 0; i < c->count && !status; i++) {
        const lm_plan p = c->plans[i];
        const int64_t begin = most(c->specs[i].first_layer * c->rows, first_row);
        const int64_t beyond = (c->specs[i].first_layer + c->specs[i].layers) * c->rows;
        const int64_t some = (beyond < first_row + rows ? beyond : first_row + rows) - begin;
        const size_t at = (size_t)(begin - first_row) * c->row_bytes;

        if (some > 0)
            status = in ? p.ops->put_sites(p.self, replica, begin, some, in + at)
                        : p.ops->get_sites(p.self, replica, begin, some, out + at);
    }
    return status;
}

static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    cut *c = plan;

    c->slabs.stale = 1;
    return deal(c, replica, first_row, rows, sites, NULL);
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    return deal(plan, replica, first_row, rows, NULL, sites);
}

/* ---- sweeps and measurements */

static latmc_status serves(const void *plan, int update)
{
    const cut *c = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < c->count && !status; i++)
        status = lm_slab_serves(&c->specs[i], update);
    return status;
}

/* Memory for all sweeps to come: none of them fails for want of it when others are done. */
static latmc_status prepare(cut *c, const lm_schedule *schedule)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < schedule->count && !status; i++)
        status = lm_slabs_prepare(&c->slabs, schedule->steps[i].update);
    return status;
}

/* Moves the cursor on. */
static latmc_status sweep(cut *c, const lm_schedule *schedule, lm_cursor *at, int64_t sweeps)
{
    latmc_status status = LATMC_OK;

    while (sweeps > 0 && !status) {
        const lm_job job = lm_schedule_next(schedule, at, sweeps);

        status = lm_slabs_sweep(&c->slabs, &job);
        sweeps -= job.sweeps;
    }
    return status;
}

static latmc_status run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_out *out)
{
    cut *c = plan;
    lm_cursor at = *cursor;
    latmc_status status = budget ? prepare(c, schedule) : LATMC_OK;

    if (!status && !out)
        status = sweep(c, schedule, &at, budget);
    for (int64_t i = 0; i < lm_out_count(out, budget) && !status; i++) {
        if (budget)
            status = sweep(c, schedule, &at, out->every);
        if (!status)
            status = lm_slabs_measure(&c->slabs, out->groups, out->sums + i * c->sums);
    }
    return status;
}

static const lm_plan_ops ops = {
    .close = close_cut,
    .put_parameters = put_parameters,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .run = run,
    .set_threads = set_threads,
    .put_slots = put_slots,
    .put_bonds = put_bonds,
    .put_values = put_values,
    .serves = serves,
    .wait = wait,
};

/* ---- opening */

static latmc_status check(const lm_spec *spec, const lm_cuts *cuts)
{
    const int64_t layers = layers_of(spec);
    int64_t before = 0;

    if (cuts->count >= LM_MAX_SLABS)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%d cuts are too many; a lattice has %d slabs at most",
                       cuts->count, LM_MAX_SLABS);
    for (int i = 0; i < cuts->count; before = cuts->layer[i++])
        if (cuts->layer[i] <= before || cuts->layer[i] >= layers)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "a slab cannot begin at layer %lld after one that begins at layer %lld; "
                           "layers must grow, up to %lld",
                           (long long)cuts->layer[i], (long long)before, (long long)layers - 1);
    return LATMC_OK;
}

static cut *new_cut(const lm_spec *spec)
{
    static const size_t bytes[] = {
        [LM_IN_WORDS] = 1, [LM_AS_FLOATS] = 4, [LM_AS_DOUBLES] = 8, [LM_AS_BYTES] = 1};
    cut *c = lm_zeroed(NULL, "the slabs of a lattice", 1, sizeof *c);

    if (!c)
        return NULL;
    c->whole = *spec;
    c->sums = spec->replicas * lm_spec_sums(spec);
    c->row_bytes = (size_t)(spec->extents[0] * spec->components) * bytes[spec->kept];
    c->rows = 1;
    for (int a = 1; a < spec->dims - 1; a++)
        c->rows *= spec->extents[a];
    return c;
}

/* One more slab, up to layer `end`. */
static latmc_status add_slab(cut *c, const lm_backend *backend, int device, int64_t end)
{
    const lm_spec *const last = c->count ? &c->specs[c->count - 1] : NULL;
    lm_spec *const spec = &c->specs[c->count];
    latmc_status status;

    *spec = c->whole;
    spec->first_layer = last ? last->first_layer + last->layers : 0;
    spec->layers = end - spec->first_layer;
    status = lm_plan_open(backend, spec, device, &c->plans[c->count]);
    c->count += status == LATMC_OK;
    return status;
}

latmc_status lm_cut_open(const lm_backend *backend, const lm_spec *spec, int device,
                         const lm_cuts *cuts, lm_plan *plan)
{
    latmc_status status = check(spec, cuts);
    cut *c;

    if (status || !cuts->count)
        return status ? status : lm_plan_open(backend, spec, device, plan);
    c = new_cut(spec);
    if (!c)
        return LATMC_ERROR_MEMORY;
    for (int i = 0; i <= cuts->count && !status; i++)
        status = add_slab(c, backend, device, i < cuts->count ? cuts->layer[i] : layers_of(spec));
    if (!status)
        status = lm_slabs_join(&c->slabs, c->plans, c->specs, c->count, (lm_transport){0});
    if (status)
        close_cut(c);
    else
        *plan = (lm_plan){&ops, c};
    return status;
}
