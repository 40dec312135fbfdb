/* SPDX-License-Identifier: BSD-3-Clause */
/* The tiles of block Metropolis on the CPU: one tile in each lane. */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/field/plan.h"
#include "lib/memory.h"
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

static void append(lm_field_tiling *t, int room, int phase, const int64_t *begin,
                   const int64_t *extents, int64_t origin)
{
    lm_field_bundle *b = &t->bundles[t->count - 1];
    const size_t bytes = sizeof b->extents;
    if (t->count == 0 || b->phase != phase || b->count == room ||
        memcmp(b->extents, extents, bytes) != 0) {
        b = &t->bundles[t->count++];
        *b = (lm_field_bundle){.phase = phase};
        memcpy(b->extents, extents, bytes);
    }
    memcpy(b->begin[b->count], begin, bytes);
    b->origin[b->count++] = (uint32_t)origin;
}

static void bundle(lm_field_plan *p)
{
    lm_field_tiling *t = &p->tiling;
    int64_t all = 1;
    for (int a = 0; a < t->tiles.dims; a++)
        all *= t->tiles.count[a];
    for (int phase = 0; phase < t->tiles.phases; phase++) {
        t->phase_begin[phase] = t->count;
        for (int shape = 0; shape < 1 << t->tiles.dims; shape++)
            for (int64_t tile = 0; tile < all; tile++) {
                int64_t begin[LATMC_MAX_DIMS] = {0}, extents[LATMC_MAX_DIMS] = {0}, origin = 0;
                int own;
                tile_at(&t->tiles, tile, begin, extents, &own);
                for (int a = 0; a < t->tiles.dims; a++)
                    origin += begin[a] * p->layout.box.number[a];
                if (own == phase && shape_of(&t->tiles, extents) == shape)
                    append(t, p->lane->reals, phase, begin, extents, origin);
            }
    }
    t->phase_begin[t->tiles.phases] = t->count;
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
    int64_t all = 1;
    t->tiles = lm_tiles_of(&p->spec);
    t->numbers = p->lane->reals;
    t->planes = p->layout.map.planes + p->layout.fixed_map.planes;
    for (int a = 0; a < t->tiles.dims; a++) {
        t->place0 += p->spec.reach * t->numbers;
        t->numbers *= t->tiles.largest[a] + 2 * p->spec.reach;
        all *= t->tiles.count[a];
    }
    /* A vector of tiles would be the least number of bundles; every tile alone the greatest. */
    t->bundles = lm_zeroed(NULL, "the tiles of a lattice", all, sizeof *t->bundles);
    t->phase_begin =
        lm_zeroed(NULL, "the tiles of a lattice", t->tiles.phases + 1, sizeof *t->phase_begin);
    if (!t->bundles || !t->phase_begin)
        return LATMC_ERROR_MEMORY;
    bundle(p);
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
    free(t->phase_begin);
    free(t->memory);
    memset(t, 0, sizeof *t);
}

lm_field_box lm_field_tile_box(const lm_field_plan *p, const lm_field_bundle *b, int thread)
{
    const lm_field_tiling *t = &p->tiling;
    const lm_field_classes *c = &t->classes[b->extents[0] == t->tiles.largest[0]];
    char *buffer = t->buffers + (size_t)(thread * t->planes * t->numbers) * p->bytes;
    lm_field_box box = {.dims = p->spec.dims,
                        .kind = p->layout.box.kind,
                        .reach = p->spec.reach,
                        .planes = p->layout.box.planes,
                        .plane = t->numbers,
                        .nodes = b->count,
                        .padded = p->lane->reals,
                        .rows = 1,
                        .origin = b->origin,
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
    box.field = buffer + (size_t)place0 * p->bytes;
    if (p->layout.box.fixed)
        box.fixed = buffer + (size_t)(box.planes * t->numbers + place0) * p->bytes;
    return box;
}
