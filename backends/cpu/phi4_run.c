/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps of the phi^4 model on all threads: replicas side by side if there are enough of them,
 * otherwise all threads on one replica, a colour (or a sub-grid of tiles) at a time.
 */
#include "backends/cpu/phi4_plan.h"
#include "backends/cpu/team.h"

#define LM_SUMS_INLINE static inline
#include "lib/physics/phi4_sums.h"

#define FEW_VISITS 1e5 /* a call with less work than that is over before threads have met */

enum { FEW_SITES = 4096 }; /* of a replica: barriers cost more than threads gain */

typedef struct run {
    lm_phi4_plan *plan;
    const lm_job *job;
    int64_t records;
    double *sums;
} run;

/* ---- sweeps */

static lm_phi4_pass pass_of(const run *r, int64_t replica, int64_t step)
{
    const lm_phi4_plan *p = r->plan;
    const lm_phi4_pass pass = {.update = r->job->update,
                               .rule = &p->rules[replica],
                               .keys = &p->keys,
                               .step = (uint64_t)step,
                               .group = (uint32_t)(p->spec.first_replica + replica)};
    return pass;
}

static void sweep_colours(lm_member *m, const run *r, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = r->plan;
    const lm_phi4_pass pass = pass_of(r, replica, step);
    const int64_t accepted = lm_phi4_sweep_colours(m, p, replica, &pass);
    atomic_fetch_add(&p->counted[replica], accepted);
    lm_team_meet(m);
}

/* One bundle of tiles: in, swept, out. */
static int64_t sweep_bundle(const lm_member *m, const run *r, const lm_phi4_bundle *b,
                            int64_t replica, int64_t step)
{
    lm_phi4_plan *p = r->plan;
    const lm_phi4_layout *l = p->layout_of[replica];
    const lm_phi4_box box = lm_phi4_tile_box(p, b, l->box.reach, m->thread);
    lm_phi4_pass pass = pass_of(r, replica, step);
    int64_t accepted = 0;
    pass.last_row = box.rows;
    for (int i = 0; i < b->count; i++) {
        p->lane->load_tile(&l->map, lm_phi4_field(p, replica), b->begin[i], &box, i);
        if (box.open) {
            lm_phi4_map plain = l->map;
            lm_phi4_box degree = box;
            for (int a = 0; a < plain.dims; a++)
                plain.boundaries[a] = LATMC_PERIODIC;
            degree.field = (void *)(uintptr_t)box.degree;
            p->lane->load_tile(&plain, l->box.degree, b->begin[i], &degree, i);
        }
    }
    for (int local = 0; local < p->rules[replica].local_sweeps; local++)
        for (int colour = 0; colour < box.colouring->colours; colour++) {
            pass.local_sweep = local;
            pass.colour = colour;
            accepted += p->lane->update(&box, &pass);
        }
    for (int i = 0; i < b->count; i++)
        p->lane->store_tile(&l->map, lm_phi4_field(p, replica), b->begin[i], &box, i);
    return accepted;
}

static void sweep_tiles(lm_member *m, const run *r, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = r->plan;
    const lm_phi4_tiling *t = &p->tiling;
    int64_t accepted = 0, chunk;
    for (int phase = 0; phase < t->tiles.phases; phase++) {
        const int64_t first = t->phase_begin[phase];
        const int64_t chunks = t->phase_begin[phase + 1] - first;
        while (lm_team_take(m, chunks, &chunk))
            accepted += sweep_bundle(m, r, &t->bundles[first + chunk], replica, step);
        if (phase == t->tiles.phases - 1)
            atomic_fetch_add(&p->counted[replica], accepted);
        lm_team_meet(m);
    }
    if (m->leader)
        p->stale[replica] = 1;
}

/* Members add to `counted` in the last of two rounds or more, when it has long been 0. */
static void sweep(lm_member *m, const run *r, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = r->plan;
    const latmc_update update = r->job->update;
    if (m->leader) {
        p->counted[replica] = 0;
        p->offers[replica] = lm_phi4_proposals(&p->rules[replica], update == LATMC_BLOCK_METROPOLIS,
                                               update == LATMC_OVERRELAX);
    }
    if (update == LATMC_BLOCK_METROPOLIS)
        sweep_tiles(m, r, replica, step);
    else
        sweep_colours(m, r, replica, step);
}

/* ---- measurement */

static void measure(lm_member *m, lm_phi4_plan *p, int64_t replica, double *sums)
{
    double *layers = p->layer_sums + replica * p->sums * p->layers;
    double *work = p->work + replica * p->layers * p->sums * p->layer_blocks;
    int64_t layer;
    while (lm_team_take(m, p->layers, &layer)) {
        double out[LM_PHI4_MAX_SUMS];
        p->lane->layer_sums(&p->layout_of[replica]->map, lm_phi4_field(p, replica), layer,
                            work + layer * p->sums * p->layer_blocks, out);
        for (int k = 0; k < p->sums; k++)
            layers[k * p->layers + layer] = out[k];
    }
    lm_team_meet(m);
    if (m->leader) {
        for (int k = 0; k < p->sums; k++)
            sums[k] = lm_sums_tree(layers + k * p->layers, p->layers);
        sums[p->sums] =
            p->offers[replica] > 0.0 ? (double)p->counted[replica] / p->offers[replica] : 0.0;
    }
    lm_team_meet(m);
}

/* Replicas [first, last), from the first sweep to the last measurement. */
static void work(lm_member *m, const void *shared, int64_t first, int64_t last)
{
    const run *r = shared;
    const int count = r->plan->sums + 1;
    for (int64_t record = 0; record < r->records; record++) {
        for (int64_t s = 0; s < r->job->sweeps; s++)
            for (int64_t k = first; k < last; k++)
                sweep(m, r, k, r->job->step + record * r->job->sweeps + s);
        for (int64_t k = first; r->sums && k < last; k++)
            measure(m, r->plan, k, r->sums + (record * r->plan->spec.replicas + k) * count);
    }
}

latmc_status lm_phi4_run(lm_phi4_plan *p, const lm_job *job, int64_t records, double *sums)
{
    const int64_t replicas = p->spec.replicas;
    const double visits = (double)p->sites * (double)replicas * (double)records *
                          (double)(job->sweeps > 0 ? job->sweeps : 1);
    const int threads = visits < FEW_VISITS ? 1 : lm_team_threads(p->threads);
    const latmc_status status = job->update == LATMC_BLOCK_METROPOLIS && job->sweeps > 0
                                    ? lm_phi4_tiling_make(p, threads)
                                    : LATMC_OK;
    const run r = {.plan = p, .job = job, .records = records, .sums = sums};
    if (status)
        return status;
    if (replicas >= 2 * threads || p->sites < FEW_SITES)
        lm_team_apart(threads, replicas, work, &r);
    else
        lm_team_together(threads, replicas, work, &r);
    return LATMC_OK;
}
