/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps and measures a field. A replica is swept one colour (or one sub-grid of tiles) at a time.
 */
#include "backends/cpu/field/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/devices/plan.h"

#include "lib/physics/sums.h"

typedef struct field_run {
    lm_field_plan *plan;
    const lm_schedule *schedule;
    lm_cursor from;
    int64_t sweeps, records; /* so many sweeps, as often */
    lm_field_wanted wanted;  /* of sites */
    int changes;             /* wanted, too */
    double *sums;
} field_run;

/* ---- sweeps */

static void sweep(lm_team *team, const field_run *r, int64_t replica, const lm_job *job)
{
    lm_field_plan *p = r->plan;
    const lm_field_pass pass = lm_field_pass_of(p, job->update, replica, job->first_sweep);
    p->counted[replica] = 0;
    p->offers[replica] = p->model->proposals(pass.rule, pass.update);
    for (int i = 0; pass.tiled && i < p->tiling.tiles.phases; i++)
        lm_field_sweep_tiles(team, p, replica, &pass, lm_field_tile_list(i, LM_BULK));
    if (!pass.tiled)
        lm_field_sweep_colours(team, p, replica, &pass);
}

/* ---- measurement */

typedef struct summed_layers {
    lm_field_plan *plan;
    const lm_field_wanted *wanted;
    int64_t replica;
    double *sums;
} summed_layers;

lm_field_wanted lm_field_wanted_of(const lm_spec *spec, unsigned bundles)
{
    lm_field_wanted w = {.bundles = bundles & ~lm_changes_of(spec)};
    for (int g = 0; g < spec->bundles; g++)
        for (int k = spec->bundle_begin[g]; w.bundles >> g & 1 && k < spec->bundle_begin[g + 1];
             k++)
            w.sum[w.count++] = k;
    return w;
}

/* Returns whether bonds are counted upward. With more than two colours, no colour has a site at
 * every bond. */
static int bonds_upward(const lm_field_plan *p)
{
    return p->layout.classes.colouring.colours > 2;
}

/* Computes the sums of bonds by rows, before layers are added up. */
static void find_some_bonds(lm_member *m, const void *shared)
{
    const summed_layers *l = shared;
    lm_field_plan *p = l->plan;
    const lm_field_box box = lm_field_box_of(p, l->replica);
    const int64_t rows = lm_field_chunk_rows(m->team, &box, box.rows);
    lm_field_pass pass = lm_field_pass_of(p, 0, l->replica, 0);
    int64_t chunk;
    pass.upward = bonds_upward(p);
    while (lm_team_take(m, (box.rows + rows - 1) / rows, &chunk)) {
        pass.first_row = chunk * rows;
        pass.last_row = (chunk + 1) * rows < box.rows ? (chunk + 1) * rows : box.rows;
        p->lane->bonds(&box, &pass, lm_field_bonds_of(p, l->replica));
    }
}

static void measure_some(lm_member *m, const void *shared)
{
    const summed_layers *l = shared;
    lm_field_plan *p = l->plan;
    double *work = p->work + l->replica * p->layers * p->sums * p->layer_blocks;
    const void *fixed = lm_field_fixed_of(&p->layout, lm_field_sample_of(p, l->replica));
    int64_t layer;
    const lm_field_source from = {.map = &p->layout.map,
                                  .fixed_map = &p->layout.fixed_map,
                                  .bonds_map = &p->layout.plane_map,
                                  .field = lm_field_of(p, l->replica),
                                  .fixed = fixed,
                                  .bonds = lm_field_bonds_of(p, l->replica),
                                  .table = p->spec.table,
                                  .fixed_values = p->layout.fixed_map.planes,
                                  .upward = bonds_upward(p)};
    while (lm_team_take(m, p->layers, &layer)) {
        double out[LM_FIELD_MAX_SUMS];
        p->lane->layer_sums(&from, layer, l->wanted, work + layer * p->sums * p->layer_blocks, out);
        for (int k = 0; k < l->wanted->count; k++)
            l->sums[k * p->layers + layer] = out[k];
    }
}

double *lm_field_measure_layers(lm_team *team, lm_field_plan *p, const lm_field_wanted *wanted,
                                int64_t replica)
{
    const summed_layers all = {.plan = p,
                               .wanted = wanted,
                               .replica = replica,
                               .sums = p->layer_sums + replica * p->sums * p->layers};
    if (wanted->count && wanted->sum[0] == 0 && p->lane->bonds) {
        lm_field_refresh(team, p, replica);
        lm_team_lap(team, find_some_bonds, &all);
    }
    if (wanted->count)
        lm_team_lap(team, measure_some, &all);
    return all.sums;
}

static void measure(lm_team *team, const field_run *r, int64_t replica, double *sums)
{
    lm_field_plan *p = r->plan;
    double *layer_sums = lm_field_measure_layers(team, p, &r->wanted, replica);
    for (int k = 0; k < r->wanted.count; k++)
        sums[r->wanted.sum[k]] = lm_sums_tree(layer_sums + k * p->layers, p->layers);
    if (r->changes)
        sums[p->sums] =
            p->offers[replica] > 0.0 ? (double)p->counted[replica] / p->offers[replica] : 0.0;
}

/* ---- both */

/* Makes the sweeps before a measurement for replicas [first, last) and advances the cursor. */
static void sweep_all(lm_team *team, const field_run *r, lm_cursor *at, int64_t first, int64_t last)
{
    for (int64_t left = r->sweeps; left > 0;) {
        lm_job job = lm_schedule_next(r->schedule, at, left);
        left -= job.sweeps;
        for (; job.sweeps > 0; job.sweeps--, job.first_sweep++)
            for (int64_t k = first; k < last; k++)
                sweep(team, r, k, &job);
    }
}

/* Works on replicas [first, last), from the first sweep to the last measurement. */
static void work(lm_team *team, const void *call, int64_t first, int64_t last)
{
    const field_run *r = call;
    const int count = r->plan->sums + 1;
    lm_cursor at = r->from;
    for (int64_t record = 0; record < r->records; record++) {
        sweep_all(team, r, &at, first, last);
        for (int64_t k = first; (r->changes || r->wanted.count) && k < last; k++)
            measure(team, r, k, r->sums + (record * r->plan->spec.replicas + k) * count);
    }
}

/* Returns how many of the run's steps go by tiles. */
static int tiled_steps(const field_run *r)
{
    int tiled = 0;
    for (int i = 0; r->sweeps > 0 && i < r->schedule->count; i++)
        tiled += lm_field_is_tiled(r->plan, r->schedule->steps[i].update);
    return tiled;
}

/* The time of the mean sweep, and its number of laps of the team. */
typedef struct mean_sweep {
    double time, laps;
} mean_sweep;

static mean_sweep mean_sweep_of(const field_run *r)
{
    const lm_field_plan *p = r->plan;
    mean_sweep mean = {0};
    for (int i = 0; r->sweeps > 0 && i < r->schedule->count; i++) {
        const lm_schedule_step *step = &r->schedule->steps[i];
        const double share = (double)step->sweeps / (double)r->schedule->round;
        mean.time += share * lm_field_sweep_time(p, step->update);
        mean.laps +=
            share * (lm_field_is_tiled(p, step->update) ? p->tiling.tiles.phases
                                                        : p->layout.box.colouring->colours);
    }
    return mean;
}

/* Returns the work with its times. `tiled` of its steps go by tiles. */
static lm_field_work work_of(const field_run *r, int tiled)
{
    lm_field_plan *p = r->plan;
    const int all_tiled = tiled > 0 && tiled == r->schedule->count;
    const mean_sweep sweep = mean_sweep_of(r);
    const double measurement = r->wanted.count ? lm_field_measure_time(p) : 0.0;
    const double call = (sweep.time * (double)r->sweeps + measurement) * (double)p->sites;
    const double longest = r->sweeps > 0 ? sweep.time / sweep.laps : measurement;
    return (lm_field_work){.plan = p,
                           .call = r,
                           .replicas = work,
                           .tiled = tiled,
                           .chunks =
                               all_tiled ? p->tiling.count / p->tiling.tiles.phases + 1 : p->sites,
                           .time = call * (double)r->records,
                           .lap = longest * (double)p->sites / (double)p->spec.replicas};
}

static field_run run_of(lm_field_plan *p, const lm_schedule *schedule, int64_t budget,
                        const lm_measure *out)
{
    const unsigned bundles = out ? out->bundles : 0;
    return (field_run){.plan = p,
                       .schedule = schedule,
                       .sweeps = out && budget ? out->every : budget,
                       .records = out ? lm_measure_count(out, budget) : 1,
                       .wanted = lm_field_wanted_of(&p->spec, bundles),
                       .changes = (bundles & lm_changes_of(&p->spec)) != 0,
                       .sums = out ? out->sums : NULL};
}

/* Allocates buffers for as many threads as there can be. */
latmc_status lm_field_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                              const lm_measure *out)
{
    lm_field_plan *p = plan;
    const field_run r = run_of(p, schedule, budget, out);
    const int tiled = tiled_steps(&r);
    const latmc_status status = tiled ? lm_field_tiling_make(p, 1) : LATMC_OK;
    if (status || !tiled)
        return status;
    return lm_field_tiling_make(p, lm_team_most(p->threads, work_of(&r, tiled).time));
}

latmc_status lm_field_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                          int64_t budget, const lm_measure *out)
{
    lm_field_plan *p = plan;
    field_run r = run_of(p, schedule, budget, out);
    const int tiled = tiled_steps(&r);
    const latmc_status status = tiled ? lm_field_tiling_make(p, 1) : LATMC_OK;
    if (status)
        return status;
    r.from = *cursor;
    const lm_field_work work = work_of(&r, tiled);
    return lm_field_share(&work);
}
