/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tiles of block Metropolis on the CPU: one tile in each lane. A slab has those that begin in
 * its layers.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/field/plan.h"
#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

/* The first site and the extents of the tile number `tile`. */
static void tile_at(const lm_tiles *t, int64_t tile, int64_t *begin, int64_t *extents, int *phase)
{
    int64_t k[LATMC_MAX_DIMS] = {0};
    lm_coordinates(tile, 0, t->dims, t->count, k);
    for (int a = 0; a < t->dims; a++) {
        begin[a] = lm_tile_begin(t, a, k[a]);
        extents[a] = lm_tile_begin(t, a, k[a] + 1) - begin[a];
    }
    *phase = lm_tile_phase(t, k);
}

/* Bit a: is the extent along axis a the largest? */
static int shape_of(const lm_tiles *t, const int64_t *extents)
{
    int shape = 0;
    for (int a = 0; a < t->dims; a++)
        shape |= (extents[a] == t->largest[a]) << a;
    return shape;
}

static void append(lm_field_tiling *t, int room, int64_t list, const int64_t *begin,
                   const int64_t *extents, int64_t origin)
{
    lm_field_bundle *b = &t->bundles[t->count - 1];
    const size_t bytes = sizeof b->extents;
    if (t->count == 0 || b->list != list || b->count == room ||
        memcmp(b->extents, extents, bytes) != 0) {
        b = &t->bundles[t->count++];
        *b = (lm_field_bundle){.list = list};
        memcpy(b->extents, extents, bytes);
    }
    memcpy(b->begin[b->count], begin, bytes);
    b->wide[b->count] = origin;
    b->origin[b->count++] = (uint32_t)origin;
}

/* Of the tiles [first, end) those of a phase and of a shape, to a list. */
static void take(lm_field_plan *p, int64_t list, int shape, int64_t first, int64_t end)
{
    lm_field_tiling *t = &p->tiling;
    for (int64_t tile = first; tile < end; tile++) {
        int64_t begin[LATMC_MAX_DIMS] = {0}, extents[LATMC_MAX_DIMS] = {0}, origin = 0;
        int phase;
        tile_at(&t->tiles, tile, begin, extents, &phase);
        for (int a = 0; a < t->tiles.dims; a++)
            origin += begin[a] * p->layout.box.number[a];
        begin[t->tiles.dims - 1] -= p->layout.map.first_layer;
        if (phase == list / 2 && shape_of(&t->tiles, extents) == shape)
            append(t, p->lane->reals, list, begin, extents, origin);
    }
}

/* Tiles with the same coordinate along the last axis. */
static int64_t tile_layer(const lm_tiles *t)
{
    int64_t tiles = 1;
    for (int a = 0; a < t->dims - 1; a++)
        tiles *= t->count[a];
    return tiles;
}

/* The first tile, in natural order, that begins at this layer or above. */
static int64_t first_tile(const lm_tiles *t, int64_t layer)
{
    const int last = t->dims - 1;
    int64_t k = 0;
    while (k < t->count[last] && lm_tile_begin(t, last, k) < layer)
        k++;
    return k * tile_layer(t);
}

/* At the ends of a slab are tiles below `lower` and from `upper` on. */
static void bundle(lm_field_plan *p, int64_t first, int64_t end)
{
    lm_field_tiling *t = &p->tiling;
    const int64_t edge = p->layout.map.halo ? tile_layer(&t->tiles) : 0;
    const int64_t lower = first + edge, upper = end - edge > lower ? end - edge : lower;
    for (int64_t list = 0; list < 2 * t->tiles.phases; list++) {
        const int bulk = list == lm_field_tile_list((int)(list / 2), LM_BULK);
        t->begin[list] = t->count;
        for (int shape = 0; shape < 1 << t->tiles.dims; shape++) {
            take(p, list, shape, bulk ? lower : first, bulk ? upper : lower);
            take(p, list, shape, upper, bulk ? upper : end);
        }
    }
    t->begin[2 * t->tiles.phases] = t->count;
}

static latmc_status make_classes(lm_field_tiling *t, int reach)
{
    latmc_status status = LATMC_OK;
    for (int large = 0; large < 2 && !status; large++) {
        lm_field_classes *c = &t->classes[large];
        status = lm_colouring_tile(t->tiles.dims, t->tiles.largest, reach, &c->colouring);
        if (!status)
            status = lm_field_classes_make(c, t->tiles.largest[0] - !large);
    }
    return status;
}

static latmc_status make_tiling(lm_field_plan *p)
{
    lm_field_tiling *t = &p->tiling;
    t->tiles = lm_tiles_of(&p->spec);
    const int64_t first = first_tile(&t->tiles, p->spec.first_layer);
    const int64_t end = first_tile(&t->tiles, p->spec.first_layer + p->spec.layers);
    t->numbers = p->lane->reals;
    t->planes = p->layout.map.planes + p->layout.fixed_map.planes;
    for (int a = 0; a < t->tiles.dims; a++) {
        t->place0 += p->spec.reach * t->numbers;
        t->numbers *= t->tiles.largest[a] + 2 * p->spec.reach;
    }
    /* A vector of tiles would be the least number of bundles; every tile alone the greatest. */
    t->bundles = lm_zeroed(NULL, "the tiles of a lattice", end - first, sizeof *t->bundles);
    t->begin = lm_zeroed(NULL, "the tiles of a lattice", 2 * t->tiles.phases + 1, sizeof *t->begin);
    if (!t->bundles || !t->begin)
        return LATMC_ERROR_MEMORY;
    bundle(p, first, end);
    return make_classes(t, p->spec.reach);
}

latmc_status lm_field_tiling_make(lm_field_plan *p, int threads)
{
    lm_field_tiling *t = &p->tiling;
    latmc_status status = LATMC_OK;
    void *buffers;
    if (!t->bundles)
        status = make_tiling(p);
    if (status) {
        lm_field_tiling_free(t);
        return status;
    }
    if (threads <= t->threads)
        return LATMC_OK;
    buffers = lm_zeroed(NULL, "the tiles that threads are at work on",
                        threads * t->planes * t->numbers * (int64_t)p->bytes + LM_CACHE_LINE, 1);
    if (!buffers)
        return LATMC_ERROR_MEMORY;
    free(t->memory);
    t->memory = buffers;
    t->buffers = lm_align_to_cache_line(buffers);
    t->threads = threads;
    return LATMC_OK;
}

void lm_field_tiling_free(lm_field_tiling *t)
{
    for (int large = 0; large < 2; large++)
        lm_field_classes_free(&t->classes[large]);
    free(t->bundles);
    free(t->begin);
    free(t->memory);
    memset(t, 0, sizeof *t);
}

/* ---- sweeps */

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

/* A round: some bundles, `first` on. */
typedef struct tile_round {
    lm_field_plan *plan;
    const lm_field_pass *pass;
    int64_t replica, first, bundles;
} tile_round;

/* One bundle of tiles: in, swept, out. */
static int64_t sweep_bundle(const lm_member *m, const tile_round *f, const lm_field_bundle *b)
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
    const tile_round *f = shared;
    int64_t accepted = 0, chunk;
    while (lm_team_take(m, f->bundles, &chunk))
        accepted += sweep_bundle(m, f, &f->plan->tiling.bundles[f->first + chunk]);
    atomic_fetch_add(&f->plan->counted[f->replica], accepted);
}

void lm_field_sweep_tiles(lm_team *team, lm_field_plan *p, int64_t replica,
                          const lm_field_pass *pass, int64_t list)
{
    const int64_t *begin = p->tiling.begin + list;
    const tile_round f = {.plan = p,
                          .pass = pass,
                          .replica = replica,
                          .first = begin[0],
                          .bundles = begin[1] - begin[0]};
    if (f.bundles)
        lm_team_round(team, sweep_some, &f);
    p->stale[replica] = 1;
}
