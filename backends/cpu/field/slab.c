/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Serves a slab of a field: parts of its sweeps, its boundary layers to its neighbours, their
 * layers to its halo, and its sums by layer.
 */
#include <string.h>

#include "backends/cpu/field/plan.h"
#include "lib/physics/geometry.h"

/* ---- sweeps */

static int phases(const void *plan, int update)
{
    const lm_field_plan *p = plan;
    return lm_field_is_tiled(p, update) ? lm_tiles_of(&p->spec).phases
                                        : p->layout.box.colouring->colours;
}

static latmc_status begin(void *plan, int update, int counts)
{
    lm_field_plan *p = plan;
    (void)counts; /* the plan counts in every sweep */
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        p->counted[r] = 0;
        p->offers[r] = p->model->proposals(lm_field_rule_of(p, r), update);
    }
    return LATMC_OK;
}

typedef struct slab_update {
    lm_field_plan *plan;
    int update;
    int64_t step;
    int phase;
    lm_part part;
} slab_update;

/* Boundary layers are [0, lower) and [upper, layers), or all layers if there is nothing between. */
typedef struct ends {
    int64_t lower, upper;
} ends;

static ends ends_of(const lm_field_plan *p)
{
    const int64_t reach = p->spec.reach, layers = p->layers;
    return layers > 2 * reach ? (ends){reach, layers - reach} : (ends){layers, layers};
}

/* Sweeps a colour of layers [first, last). */
static void sweep_layers(lm_team *team, const slab_update *c, int64_t replica, int64_t first,
                         int64_t last)
{
    lm_field_plan *p = c->plan;
    const int64_t rows = p->layout.box.rows / p->layers;
    lm_field_pass pass = lm_field_pass_of(p, c->update, replica, c->step);
    pass.colour = c->phase;
    pass.first_row = first * rows;
    pass.last_row = last * rows;
    if (first < last)
        lm_field_sweep_rows(team, p, replica, &pass);
}

static void sweep_colour(lm_team *team, const slab_update *c, int64_t replica)
{
    const ends e = ends_of(c->plan);
    if (c->part & LM_BOUNDARY && c->part != LM_WHOLE) {
        sweep_layers(team, c, replica, 0, e.lower);
        sweep_layers(team, c, replica, e.upper, c->plan->layers);
    }
    if (c->part == LM_BULK)
        sweep_layers(team, c, replica, e.lower, e.upper);
    if (c->part == LM_WHOLE)
        sweep_layers(team, c, replica, 0, c->plan->layers);
}

static void sweep_tiles(lm_team *team, const slab_update *c, int64_t replica)
{
    const lm_field_pass pass = lm_field_pass_of(c->plan, c->update, replica, c->step);
    for (int part = LM_BOUNDARY; part <= LM_BULK; part++)
        if (c->part & part)
            lm_field_sweep_tiles(team, c->plan, replica, &pass,
                                 lm_field_tile_list(c->phase, (lm_part)part));
}

static void sweep_replicas(lm_team *team, const void *call, int64_t first, int64_t last)
{
    const slab_update *c = call;
    for (int64_t r = first; r < last; r++)
        if (lm_field_is_tiled(c->plan, c->update))
            sweep_tiles(team, c, r);
        else
            sweep_colour(team, c, r);
}

static lm_field_work work_of(const slab_update *c)
{
    lm_field_plan *p = c->plan;
    const ends e = ends_of(p);
    const int64_t bulk = e.upper - e.lower, layer = p->sites / p->layers;
    const int64_t sites = layer * (c->part == LM_BULK       ? bulk
                                   : c->part == LM_BOUNDARY ? p->layers - bulk
                                                            : p->layers);
    const double time =
        lm_field_sweep_time(p, c->update) * (double)sites / (double)phases(p, c->update);
    return (lm_field_work){.plan = p,
                           .call = c,
                           .replicas = sweep_replicas,
                           .tiled = lm_field_is_tiled(p, c->update),
                           .chunks = sites,
                           .time = time,
                           .lap = time / (double)p->spec.replicas};
}

/* Allocates buffers for the threads of the largest part of a slab, which has the most of them. */
static latmc_status prepare(void *plan, int update)
{
    lm_field_plan *p = plan;
    const slab_update all = {.plan = p, .update = update, .part = LM_WHOLE};
    if (!lm_field_is_tiled(p, update))
        return LATMC_OK;
    return lm_field_tiling_make(p, lm_team_most(p->threads, work_of(&all).time));
}

static latmc_status update_phase(void *plan, int update, int64_t step, int phase, lm_part part)
{
    const slab_update c = {
        .plan = plan, .update = update, .step = step, .phase = phase, .part = part};
    const lm_field_work work = work_of(&c);
    const latmc_status status = lm_field_share(&work);
    if (status == LATMC_OK && part & LM_BOUNDARY)
        lm_field_bring(plan, update, phase);
    return status;
}

static latmc_status changes(void *plan, double *counted, double *offers)
{
    const lm_field_plan *p = plan;
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        counted[r] = (double)p->counted[r];
        offers[r] = p->offers[r];
    }
    return LATMC_OK;
}

/* ---- halos: rows of sites in natural order, [replica][row][x][component] */

/* Returns the rows of that many layers. */
static int64_t rows_of(const lm_field_plan *p, int64_t layers)
{
    return layers * lm_row_stride(p->spec.extents, p->spec.dims - 1);
}

static size_t replica_bytes(const lm_field_plan *p)
{
    return (size_t)(rows_of(p, p->spec.reach) * p->spec.extents[0] * p->layout.map.planes) *
           p->bytes;
}

static size_t halo_bytes(const void *plan)
{
    const lm_field_plan *p = plan;
    return (size_t)p->spec.replicas * replica_bytes(p);
}

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    const lm_field_plan *p = plan;
    const lm_spec *s = &p->spec;
    const int64_t layer = s->first_layer + (side == LM_LOWER ? 0 : s->layers - s->reach);
    for (int64_t r = 0; r < s->replicas; r++)
        p->lane->get(&p->layout.map, lm_field_of(p, r), rows_of(p, layer), rows_of(p, s->reach),
                     (char *)halo + (size_t)r * replica_bytes(p));
    return LATMC_OK;
}

static void negate(const lm_field_plan *p, void *halo)
{
    const size_t numbers = halo_bytes(p) / p->bytes;
    for (size_t i = 0; i < numbers; i++)
        if (p->bytes == sizeof(double))
            ((double *)halo)[i] = -((const double *)halo)[i];
        else if (p->bytes == 1)
            ((int8_t *)halo)[i] = (int8_t) - ((const int8_t *)halo)[i];
        else
            ((float *)halo)[i] = -((const float *)halo)[i];
}

/* Beyond an open end the halo stays 0, and beyond an antiperiodic end it has the other sign. */
static latmc_status unpack(void *plan, lm_side side, void *halo)
{
    lm_field_plan *p = plan;
    const lm_spec *s = &p->spec;
    const int64_t layer = side == LM_LOWER ? s->first_layer - s->reach : s->first_layer + s->layers;
    const int factor = lm_field_factor_beyond(s, side);
    if (factor < 0)
        negate(p, halo);
    for (int64_t r = 0; factor && r < s->replicas; r++) {
        p->lane->moves.put(&p->layout.map, lm_field_of(p, r), rows_of(p, layer),
                           rows_of(p, s->reach), (const char *)halo + (size_t)r * replica_bytes(p));
        lm_field_refresh_side(p, r, side);
    }
    return LATMC_OK;
}

/* ---- sums */

typedef struct measurement {
    lm_field_plan *plan;
    lm_field_wanted wanted;
    double *sums; /* [replica][sum][layer] */
} measurement;

static void measure_replicas(lm_team *team, const void *call, int64_t first, int64_t last)
{
    const measurement *m = call;
    lm_field_plan *p = m->plan;
    for (int64_t r = first; r < last; r++) {
        const double *layers = lm_field_measure_layers(team, p, &m->wanted, r);
        for (int k = 0; k < m->wanted.count; k++)
            memcpy(m->sums + (r * (p->sums + 1) + m->wanted.sum[k]) * p->layers,
                   layers + k * p->layers, (size_t)p->layers * sizeof *layers);
    }
}

static latmc_status sums(void *plan, unsigned bundles, double *sums)
{
    lm_field_plan *p = plan;
    const measurement m = {
        .plan = p, .wanted = lm_field_wanted_of(&p->spec, bundles), .sums = sums};
    const double time = lm_field_measure_time(p) * (double)p->sites;
    const lm_field_work work = {.plan = p,
                                .call = &m,
                                .replicas = measure_replicas,
                                .chunks = p->layers,
                                .time = time,
                                .lap = time / (double)p->spec.replicas};
    return lm_field_share(&work);
}

const lm_slab_ops lm_field_slab_ops = {
    .phases = phases,
    .halo_bytes = halo_bytes,
    .prepare = prepare,
    .begin = begin,
    .update = update_phase,
    .pack = pack,
    .unpack = unpack,
    .connect = lm_field_connect,
    .sums = sums,
    .changes = changes,
};
