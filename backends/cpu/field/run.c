/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps of a field on all threads: replicas side by side if there are enough of them,
 * otherwise all threads on one replica, a colour (or a sub-grid of tiles) at a time.
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

static lm_field_pass pass_of(const run *r, int64_t replica, int64_t step)
{
    const lm_field_plan *p = r->plan;
    const lm_field_pass pass = {.update = r->job->update,
                                .tiled = lm_field_is_tiled(p, r->job->update),
                                .rule = lm_field_rule_of(p, replica),
                                .keys = &p->keys,
                                .step = (uint64_t)step,
                                .group = (uint32_t)(p->spec.first_replica + replica)};
    return pass;
}

/* One bundle of tiles: in, swept, out. */
static int64_t sweep_bundle(const lm_member *m, const run *r, const lm_field_bundle *b,
                            int64_t replica, int64_t step)
{
    lm_field_plan *p = r->plan;
    const lm_field_layout *l = &p->layout;
    const lm_field_box box = lm_field_tile_box(p, b, m->thread);
    const lm_field_box fixed = lm_field_fixed_box(l, &box);
    const void *values = lm_field_fixed_of(l, lm_field_sample_of(p, replica));
    lm_field_pass pass = pass_of(r, replica, step);
    int64_t accepted = 0;
    pass.last_row = box.rows;
    for (int i = 0; i < b->count; i++) {
        p->lane->load_tile(&l->map, lm_field_of(p, replica), b->begin[i], &box, i);
        if (box.fixed)
            p->lane->load_tile(&l->fixed_map, values, b->begin[i], &fixed, i);
    }
    const int local_sweeps = p->model->local_sweeps(pass.rule);
    for (int local = 0; local < local_sweeps; local++)
        for (int colour = 0; colour < box.colouring->colours; colour++) {
            pass.local_sweep = local;
            pass.colour = colour;
            accepted += p->lane->update(&box, &pass);
        }
    for (int i = 0; i < b->count; i++)
        p->lane->store_tile(&l->map, lm_field_of(p, replica), b->begin[i], &box, i);
    return accepted;
}

/* A round of tiles: the bundles of a phase, `first` on. */
typedef struct phase {
    const run *run;
    int64_t replica, step, first, bundles;
} phase;

static void sweep_some(lm_member *m, const void *shared)
{
    const phase *f = shared;
    lm_field_plan *p = f->run->plan;
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, f->bundles, &chunk))
        accepted +=
            sweep_bundle(m, f->run, &p->tiling.bundles[f->first + chunk], f->replica, f->step);
    atomic_fetch_add(&p->counted[f->replica], accepted);
}

static void sweep_tiles(lm_team *team, const run *r, int64_t replica, int64_t step)
{
    lm_field_plan *p = r->plan;
    const lm_field_tiling *t = &p->tiling;
    for (int i = 0; i < t->tiles.phases; i++) {
        const phase f = {.run = r,
                         .replica = replica,
                         .step = step,
                         .first = t->phase_begin[i],
                         .bundles = t->phase_begin[i + 1] - t->phase_begin[i]};
        lm_team_round(team, sweep_some, &f);
    }
    p->stale[replica] = 1;
}

static void sweep(lm_team *team, const run *r, int64_t replica, int64_t step)
{
    lm_field_plan *p = r->plan;
    const lm_field_pass pass = pass_of(r, replica, step);
    p->counted[replica] = 0;
    p->offers[replica] = p->model->proposals(pass.rule, pass.update);
    if (pass.tiled)
        sweep_tiles(team, r, replica, step);
    else
        lm_field_sweep_colours(team, p, replica, &pass);
}

/* ---- measurement */

typedef struct layers {
    lm_field_plan *plan;
    const lm_field_wanted *wanted;
    int64_t replica;
} layers;

static lm_field_wanted wanted_of(const lm_spec *spec, unsigned groups)
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
    double *layer_sums = p->layer_sums + l->replica * p->sums * p->layers;
    double *room = p->work + l->replica * p->layers * p->sums * p->layer_blocks;
    const void *fixed = lm_field_fixed_of(&p->layout, lm_field_sample_of(p, l->replica));
    int64_t layer;
    while (lm_team_take(m, p->layers, &layer)) {
        double out[LM_FIELD_MAX_SUMS];
        p->lane->layer_sums(&p->layout.map, lm_field_of(p, l->replica), fixed,
                            p->layout.fixed_map.planes, layer, l->wanted,
                            room + layer * p->sums * p->layer_blocks, out);
        for (int k = 0; k < l->wanted->count; k++)
            layer_sums[k * p->layers + layer] = out[k];
    }
}

static void measure(lm_team *team, const run *r, int64_t replica, double *sums)
{
    lm_field_plan *p = r->plan;
    double *layer_sums = p->layer_sums + replica * p->sums * p->layers;
    const layers all = {.plan = p, .wanted = &r->wanted, .replica = replica};
    if (r->wanted.count)
        lm_team_round(team, measure_some, &all);
    for (int k = 0; k < r->wanted.count; k++)
        sums[r->wanted.sum[k]] = lm_sums_tree(layer_sums + k * p->layers, p->layers);
    if (r->changes)
        sums[p->sums] =
            p->offers[replica] > 0.0 ? (double)p->counted[replica] / p->offers[replica] : 0.0;
}

/* Replicas [first, last), from the first sweep to the last measurement. */
static void work(lm_team *team, const run *r, int64_t first, int64_t last)
{
    const int count = r->plan->sums + 1;
    for (int64_t record = 0; record < r->records; record++) {
        for (int64_t s = 0; s < r->job->sweeps; s++)
            for (int64_t k = first; k < last; k++)
                sweep(team, r, k, r->job->step + record * r->job->sweeps + s);
        for (int64_t k = first; (r->changes || r->wanted.count) && k < last; k++)
            measure(team, r, k, r->sums + (record * r->plan->spec.replicas + k) * count);
    }
}

/* One replica after another, each by a team of one. */
static void work_on_some(lm_member *m, const void *shared)
{
    const run *r = shared;
    int64_t replica;
    lm_team one;
    lm_team_alone(&one, m->thread);
    while (lm_team_take(m, r->plan->spec.replicas, &replica))
        work(&one, r, replica, replica + 1);
}

/* ---- how many threads, and which way */

/* What one thread takes for a site, in nanoseconds, in a sweep or a measurement. On a core of
 * 2024; another differs, but as much as the price of waking threads does. */
static double site_time(const lm_field_plan *p, int64_t replica, int update)
{
    const void *rule = lm_field_rule_of(p, replica);
    const double visits = lm_field_is_tiled(p, update) ? p->model->local_sweeps(rule) : 1;
    return 16.0 * (2.0 * visits + 1.1 * p->model->proposals(rule, update)) / p->lane->reals;
}

typedef struct times {
    double call, round; /* in nanoseconds; of the average round */
} times;

static times times_of(const run *r)
{
    const lm_field_plan *p = r->plan;
    const double rounds = lm_field_is_tiled(p, r->job->update) ? p->tiling.tiles.phases
                                                               : p->layout.box.colouring->colours;
    double sweep = 0.0, measurement = r->wanted.count ? 4.0 * (double)p->spec.replicas : 0.0;
    for (int64_t k = 0; k < p->spec.replicas && r->job->sweeps > 0; k++)
        sweep += site_time(p, k, r->job->update);
    const double call = (sweep * (double)r->job->sweeps + measurement) * (double)p->sites;
    const double longest = r->job->sweeps > 0 ? sweep / rounds : measurement;
    return (times){.call = call * (double)r->records,
                   .round = longest * (double)p->sites / (double)p->spec.replicas};
}

latmc_status lm_field_record(void *plan, const lm_job *job, int64_t records, unsigned groups,
                             double *sums)
{
    lm_field_plan *p = plan;
    const int tiled = lm_field_is_tiled(p, job->update) && job->sweeps > 0;
    const int64_t replicas = p->spec.replicas;
    const run r = {.plan = p,
                   .job = job,
                   .records = records,
                   .wanted = wanted_of(&p->spec, groups),
                   .changes = (groups & lm_changes_of(&p->spec)) != 0,
                   .sums = sums};
    lm_team team;
    lm_field_halo_refresh_fixed(&p->layout);
    latmc_status status = tiled ? lm_field_tiling_make(p, 1) : LATMC_OK;
    if (status)
        return status;
    const times t = times_of(&r);
    const int most = lm_team_most(p->threads, t.call);
    const int64_t chunks = tiled ? p->tiling.count / p->tiling.tiles.phases + 1 : p->sites;
    const int together = lm_team_size(chunks < most ? (int)chunks : most, t.call, t.round);
    const int apart = lm_team_size(replicas < most ? (int)replicas : most, t.call, t.call);
    const int64_t longest = (replicas + apart - 1) / apart; /* what the last to end has done */
    const int separate = replicas >= 2 * most || replicas >= together * longest;
    if (tiled)
        status = lm_field_tiling_make(p, separate ? apart : together);
    if (status)
        return status;
    lm_team_gather(&team, p->threads, most, separate ? apart : together);
    if (separate)
        lm_team_round(&team, work_on_some, &r);
    else
        work(&team, &r, 0, replicas);
    lm_team_dismiss(&team);
    return LATMC_OK;
}
