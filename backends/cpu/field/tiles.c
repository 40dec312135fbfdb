/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of tiles (tiling.c): each thread takes a bundle into its buffer, sweeps it, and puts it
 * back. */
#include "backends/cpu/field/plan.h"

/* A bundle in a thread's buffer. */
static lm_field_box box_of(const lm_field_plan *p, const lm_field_bundle *b, int thread)
{
    const lm_field_tiling *t = &p->tiling;
    const lm_field_classes *c = &t->classes[b->extents[0] == t->tiles.largest[0]];
    char *buffer = t->buffers + (size_t)(thread * t->planes * t->numbers) * p->bytes;
    lm_field_box box = {.dims = p->spec.dims,
                        .kind = p->layout.box.kind,
                        .reach = p->spec.reach,
                        .planes = p->layout.box.planes,
                        .nodes = b->count,
                        .rows = 1,
                        .origin = b->origin,
                        .wide = p->layout.box.wide ? b->wide : NULL,
                        .high = p->layout.box.high,
                        .colouring = &c->colouring,
                        .xs = c->xs,
                        .class_begin = c->begin};
    int64_t stride = p->lane->reals, place0 = 0;
    for (int a = 0; a < box.dims; a++) {
        box.extents[a] = b->extents[a];
        box.stride[a] = stride;
        box.number[a] = p->layout.box.number[a];
        box.rows *= a > 0 ? b->extents[a] : 1;
        place0 += box.reach * stride;
        stride *= b->extents[a] + 2 * box.reach;
    }
    const int values = p->layout.fixed_map.planes;
    box.field = buffer + (size_t)(box.planes * place0) * p->bytes;
    if (p->layout.box.fixed)
        box.fixed = buffer + (size_t)(box.planes * t->numbers + values * place0) * p->bytes;
    return box;
}

/* A lap: some bundles, `first` on. */
typedef struct tile_lap {
    lm_field_plan *plan;
    const lm_field_pass *pass;
    int64_t replica, first, bundles;
} tile_lap;

/* Loads one bundle of tiles, sweeps it and stores it. */
static int64_t sweep_bundle(const lm_member *m, const tile_lap *f, const lm_field_bundle *b)
{
    lm_field_plan *p = f->plan;
    const lm_field_layout *l = &p->layout;
    const lm_field_box box = box_of(p, b, m->thread);
    const lm_field_box fixed = lm_field_fixed_box(l, &box);
    const void *values = lm_field_fixed_of(l, lm_field_sample_of(p, f->replica));
    lm_field_pass pass = *f->pass;
    int64_t accepted = 0;
    pass.last_row = box.rows;
    for (int i = 0; i < b->count; i++) {
        p->lane->load_tile(&l->map, lm_field_of(p, f->replica), b->begin[i], &box, i);
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
        p->lane->store_tile(&l->map, lm_field_of(p, f->replica), b->begin[i], &box, i);
    return accepted;
}

static void sweep_some(lm_member *m, const void *shared)
{
    const tile_lap *f = shared;
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, f->bundles, &chunk))
        accepted += sweep_bundle(m, f, &f->plan->tiling.bundles[f->first + chunk]);
    atomic_fetch_add(&f->plan->counted[f->replica], accepted);
}

void lm_field_sweep_tiles(lm_team *team, lm_field_plan *p, int64_t replica,
                          const lm_field_pass *pass, int64_t list)
{
    const int64_t *begin = p->tiling.begin + list;
    const tile_lap f = {.plan = p,
                        .pass = pass,
                        .replica = replica,
                        .first = begin[0],
                        .bundles = begin[1] - begin[0]};
    if (f.bundles)
        lm_team_lap(team, sweep_some, &f);
    p->stale[replica] = 1;
}
