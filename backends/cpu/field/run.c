/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps and measurements of a field, on one replica a colour (or a sub-grid of tiles) at a time.
 */
#include "backends/cpu/field/plan.h"
#include "backends/cpu/team/team.h"

#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"

typedef struct run {
    lm_field_plan *plan;
    const lm_job *job;
    int64_t records;
    lm_field_wanted wanted; /* of sites */
    int changes;            /* wanted, too */
    double *sums;
} run;

/* ---- sweeps */

static void sweep(lm_team *team, const run *r, int64_t replica, int64_t step)
{
    lm_field_plan *p = r->plan;
    const lm_field_pass pass = lm_field_pass_of(p, r->job->update, replica, step);
    p->counted[replica] = 0;
    p->offers[replica] = p->model->proposals(pass.rule, pass.update);
    for (int i = 0; pass.tiled && i < p->tiling.tiles.phases; i++)
        lm_field_sweep_tiles(team, p, replica, &pass, lm_field_tile_list(i, LM_BULK));
    if (!pass.tiled)
        lm_field_sweep_colours(team, p, replica, &pass);
}

/* ---- measurement */

typedef struct layers {
    lm_field_plan *plan;
    const lm_field_wanted *wanted;
    int64_t replica;
    double *sums;
} layers;

lm_field_wanted lm_field_wanted_of(const lm_spec *spec, unsigned groups)
{
    lm_field_wanted w = {.groups = groups & ~lm_changes_of(spec)};
    for (int g = 0; g < spec->groups; g++)
        for (int k = spec->group_begin[g]; w.groups >> g & 1 && k < spec->group_begin[g + 1]; k++)
            w.sum[w.count++] = k;
    return w;
}

static void measure_some(lm_member *m, const void *shared)
{
    const layers *l = shared;
    lm_field_plan *p = l->plan;
    double *room = p->work + l->replica * p->layers * p->sums * p->layer_blocks;
    const void *fixed = lm_field_fixed_of(&p->layout, lm_field_sample_of(p, l->replica));
    int64_t layer;
    while (lm_team_take(m, p->layers, &layer)) {
        double out[LM_FIELD_MAX_SUMS];
        p->lane->layer_sums(&p->layout.map, lm_field_of(p, l->replica), fixed,
                            p->layout.fixed_map.planes, layer, l->wanted,
                            room + layer * p->sums * p->layer_blocks, out);
        for (int k = 0; k < l->wanted->count; k++)
            l->sums[k * p->layers + layer] = out[k];
    }
}

double *lm_field_measure_layers(lm_team *team, lm_field_plan *p, const lm_field_wanted *wanted,
                                int64_t replica)
{
    const layers all = {.plan = p,
                        .wanted = wanted,
                        .replica = replica,
                        .sums = p->layer_sums + replica * p->sums * p->layers};
    if (wanted->count)
        lm_team_round(team, measure_some, &all);
    return all.sums;
}

static void measure(lm_team *team, const run *r, int64_t replica, double *sums)
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

/* Replicas [first, last), from the first sweep to the last measurement. */
static void work(lm_team *team, const void *call, int64_t first, int64_t last)
{
    const run *r = call;
    const int count = r->plan->sums + 1;
    for (int64_t record = 0; record < r->records; record++) {
        for (int64_t s = 0; s < r->job->sweeps; s++)
            for (int64_t k = first; k < last; k++)
                sweep(team, r, k, r->job->step + record * r->job->sweeps + s);
        for (int64_t k = first; (r->changes || r->wanted.count) && k < last; k++)
            measure(team, r, k, r->sums + (record * r->plan->spec.replicas + k) * count);
    }
}

/* The work, with its times. */
static lm_field_work work_of(const run *r, int tiled)
{
    lm_field_plan *p = r->plan;
    const double rounds = tiled ? p->tiling.tiles.phases : p->layout.box.colouring->colours;
    const double sweep = r->job->sweeps > 0 ? lm_field_sweep_time(p, r->job->update) : 0.0;
    const double measurement = r->wanted.count ? lm_field_measure_time(p) : 0.0;
    const double call = (sweep * (double)r->job->sweeps + measurement) * (double)p->sites;
    const double longest = r->job->sweeps > 0 ? sweep / rounds : measurement;
    return (lm_field_work){.plan = p,
                           .call = r,
                           .replicas = work,
                           .tiled = tiled,
                           .chunks =
                               tiled ? p->tiling.count / p->tiling.tiles.phases + 1 : p->sites,
                           .time = call * (double)r->records,
                           .round = longest * (double)p->sites / (double)p->spec.replicas};
}

latmc_status lm_field_record(void *plan, const lm_job *job, int64_t records, unsigned groups,
                             double *sums)
{
    lm_field_plan *p = plan;
    const int tiled = lm_field_is_tiled(p, job->update) && job->sweeps > 0;
    const run r = {.plan = p,
                   .job = job,
                   .records = records,
                   .wanted = lm_field_wanted_of(&p->spec, groups),
                   .changes = (groups & lm_changes_of(&p->spec)) != 0,
                   .sums = sums};
    const latmc_status status = tiled ? lm_field_tiling_make(p, 1) : LATMC_OK;
    if (status)
        return status;
    const lm_field_work work = work_of(&r, tiled);
    return lm_field_share(&work);
}
