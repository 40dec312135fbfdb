/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups the tiles of block Metropolis into bundles, whose tiles are updated together, one in each
 * lane. A slab has those that begin in its layers.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/field/plan.h"
#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

/* Finds the first site and the extents of tile number `tile`, and its phase. */
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

/* Returns the tile's shape: bit a is set if its extent along axis a is the largest that tiles
 * have. */
static int shape_of(const lm_tiles *t, const int64_t *extents)
{
    int shape = 0;
    for (int a = 0; a < t->dims; a++)
        shape |= (extents[a] == t->largest[a]) << a;
    return shape;
}

static void append(lm_field_tiling *t, int capacity, int64_t list, const int64_t *begin,
                   const int64_t *extents, int64_t origin)
{
    lm_field_bundle *b = &t->bundles[t->count - 1];
    const size_t bytes = sizeof b->extents;
    if (t->count == 0 || b->list != list || b->count == capacity ||
        memcmp(b->extents, extents, bytes) != 0) {
        b = &t->bundles[t->count++];
        *b = (lm_field_bundle){.list = list};
        memcpy(b->extents, extents, bytes);
    }
    memcpy(b->begin[b->count], begin, bytes);
    b->wide[b->count] = origin;
    b->origin[b->count++] = (uint32_t)origin;
}

/* Appends to a list those of the tiles [first, end) that have the list's phase and this shape. */
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

/* Returns the number of tiles that have the same coordinate along the last axis. */
static int64_t tile_layer(const lm_tiles *t)
{
    int64_t tiles = 1;
    for (int a = 0; a < t->dims - 1; a++)
        tiles *= t->count[a];
    return tiles;
}

/* Returns the number of the first tile, in natural order, that begins at this layer or above. */
static int64_t first_tile(const lm_tiles *t, int64_t layer)
{
    const int last = t->dims - 1;
    int64_t k = 0;
    while (k < t->count[last] && lm_tile_begin(t, last, k) < layer)
        k++;
    return k * tile_layer(t);
}

/* Makes the lists of bundles of tiles [first, end). Tiles at the ends of a slab are those below
 * `lower` and from `upper` on. They are in the lists of boundaries, and all others in those of
 * the bulk. */
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

/* The slab's tiles, and what a buffer for one of them holds. */
typedef struct tile_range {
    int64_t first, end;
} tile_range;

static tile_range measure_tiles(const lm_field_plan *p, lm_field_tiling *t)
{
    t->tiles = lm_tiles_of(&p->spec);
    t->numbers = p->lane->reals;
    t->planes = p->layout.map.planes + p->layout.fixed_map.planes;
    for (int a = 0; a < t->tiles.dims; a++) {
        t->place0 += p->spec.reach * t->numbers;
        t->numbers *= t->tiles.largest[a] + 2 * p->spec.reach;
    }
    return (tile_range){first_tile(&t->tiles, p->spec.first_layer),
                        first_tile(&t->tiles, p->spec.first_layer + p->spec.layers)};
}

static int64_t buffer_bytes(const lm_field_plan *p, const lm_field_tiling *t, int threads)
{
    return threads * t->planes * t->numbers * (int64_t)p->bytes + LM_CACHE_LINE;
}

int64_t lm_field_tiling_bytes(const lm_field_plan *p, int threads)
{
    lm_field_tiling t = {.count = 0};
    const tile_range r = measure_tiles(p, &t);
    return (r.end - r.first) * (int64_t)sizeof *t.bundles + buffer_bytes(p, &t, threads);
}

static latmc_status make_tiling(lm_field_plan *p)
{
    lm_field_tiling *t = &p->tiling;
    const tile_range r = measure_tiles(p, t);
    /* A vector of tiles would be the least number of bundles; every tile alone the greatest. */
    t->bundles = lm_zeroed(NULL, "the tiles of a lattice", r.end - r.first, sizeof *t->bundles);
    t->begin = lm_zeroed(NULL, "the tiles of a lattice", 2 * t->tiles.phases + 1, sizeof *t->begin);
    if (!t->bundles || !t->begin)
        return LATMC_ERROR_MEMORY;
    bundle(p, r.first, r.end);
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
    buffers =
        lm_zeroed(NULL, "the tiles that threads are at work on", buffer_bytes(p, t, threads), 1);
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
