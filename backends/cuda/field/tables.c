/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the tables of a lattice on the device: its colouring, its tiles and its waves. */
#include "backends/cuda/field/plan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/geometry/colouring.h"
#include "lib/base/memory.h"
#include "lib/geometry/waves.h"

/* A layout of tables one after another. A first pass finds their length. A second pass fills a
 * buffer on the host, whose copy on the device begins at `device`. */
typedef struct layout {
    char *host; /* NULL: only measure */
    char *device;
    size_t bytes;
} layout;

/* Takes `bytes` bytes, and sets *device to their place on the device. Returns NULL in the first
 * pass. */
static void *take(layout *l, size_t bytes, const void **device)
{
    const size_t at = (l->bytes + 15) / 16 * 16;
    l->bytes = at + bytes;
    *device = l->host ? l->device + at : NULL;
    return l->host ? l->host + at : NULL;
}

/* Lays out the colouring. Returns the list on the host, or NULL. */
static const uint32_t *lay_colours(layout *l, const lm_colouring *c, lm_field_colours *to)
{
    const int classes = lm_colour_classes(c);
    const int64_t extent = c->extents[0];
    const void *at;
    to->colours = c->colours;
    to->modulus = c->modulus;
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        const size_t bytes = (size_t)c->extents[a];
        uint8_t *sum = take(l, bytes, &at);
        to->sum[a] = at;
        uint8_t *far = take(l, bytes, &at);
        to->far[a] = at;
        to->far_numbers[a] = c->far_numbers[a];
        if (l->host) {
            memcpy(sum, c->sum[a], bytes);
            memcpy(far, c->far[a], bytes);
        }
    }
    uint32_t *begin = take(l, (size_t)(classes + 1) * sizeof *begin, &at);
    to->begin = at;
    uint32_t *list = take(l, (size_t)extent * sizeof *list, &at);
    to->list = at;
    if (!l->host)
        return NULL;
    /* begin[k + 1] first counts class k, then is where it begins, then where it ends */
    memset(begin, 0, (size_t)(classes + 1) * sizeof *begin);
    for (int64_t x = 0; x < extent; x++)
        begin[lm_colour_class(c, x) + 1]++;
    uint32_t sites = 0;
    to->most = 0;
    for (int k = 0; k < classes; k++) {
        const uint32_t n = begin[k + 1];
        begin[k + 1] = sites;
        sites += n;
        to->most = n > to->most ? n : to->most;
    }
    for (int64_t x = 0; x < extent; x++)
        list[begin[lm_colour_class(c, x) + 1]++] = (uint32_t)x;
    return list;
}

/* Lays out where the list has a coordinate, and the places around each place. */
static void lay_rank(layout *l, lm_field_view *v, const uint32_t *list, int64_t extent)
{
    static const int64_t by[4] = {-2, -1, 1, 2};
    const void *at;
    uint32_t *rank = take(l, (size_t)extent * sizeof *rank, &at);
    v->rank = at;
    uint32_t *steps = take(l, 4 * (size_t)extent * sizeof *steps, &at);
    v->steps = at;
    if (!l->host)
        return;
    for (int64_t i = 0; i < extent; i++)
        rank[list[i]] = (uint32_t)i;
    for (int64_t i = 0; i < 4 * extent; i++)
        steps[i] = rank[(list[i / 4] + by[i % 4] + 2 * extent) % extent];
}

/* Lays out a wave for pairs. In products of two spins the sign of a boundary stands twice. */
static void lay_pair_wave(layout *l, lm_cuda_field_plan *p, int a, int64_t extent)
{
    const void *at;
    double *wave = take(l, 2 * (size_t)extent * sizeof *wave, &at);
    p->pair_wave[a] = at;
    if (l->host)
        lm_waves(extent, extent, wave);
}

static void lay_axes(layout *l, lm_cuda_field_plan *p)
{
    const lm_spec *s = &p->spec;
    const void *at;
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        const int64_t tiles = p->tiles.count[a], extent = p->tiles.extents[a];
        uint32_t *begin = take(l, (size_t)(tiles + 1) * sizeof *begin, &at);
        p->view.tiles[a] = (uint32_t)tiles;
        p->view.tile_begin[a] = at;
        for (int64_t k = 0; l->host && k <= tiles; k++)
            begin[k] = (uint32_t)lm_tile_begin(&p->tiles, a, k);
        if (a >= s->dims)
            continue;
        double *wave = take(l, 2 * (size_t)extent * sizeof *wave, &at);
        p->view.wave[a] = at;
        p->pair_wave[a] = at;
        if (l->host)
            lm_waves(s->boundaries[a] == LATMC_ANTIPERIODIC ? 2 * extent : extent, extent, wave);
        if (s->boundaries[a] == LATMC_ANTIPERIODIC)
            lay_pair_wave(l, p, a, extent);
    }
}

/* Lays out the model's table, in doubles and in the kernels' type of arithmetic. */
static void lay_model(layout *l, lm_cuda_field_plan *p)
{
    const void *at;
    double *table = take(l, sizeof p->spec.table, &at);
    p->view.table = at;
    void *rounded = take(l, sizeof p->spec.table, &p->view.rounded);
    if (!l->host)
        return;
    memcpy(table, p->spec.table, sizeof p->spec.table);
    lm_fixed_round(p->spec.table, LM_MAX_TABLE, p->doubles, rounded);
}

static void lay(layout *l, lm_cuda_field_plan *p, const lm_colouring *colouring)
{
    l->bytes = 0;
    const uint32_t *list = lay_colours(l, colouring, &p->view.colours);
    if (p->classes)
        lay_rank(l, &p->view, list, colouring->extents[0]);
    lay_axes(l, p);
    lay_model(l, p);
}

static latmc_status send_tables(lm_cuda_field_plan *p, const lm_colouring *colouring)
{
    layout l = {0};
    lay(&l, p, colouring);
    l.host = lm_zeroed(NULL, "the lattice's tables", 1, l.bytes);
    if (!l.host)
        return LATMC_ERROR_MEMORY;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = lm_cuda_take(&p->head.tables, l.bytes);
    if (e == cudaSuccess) {
        l.device = p->head.tables;
        lay(&l, p, colouring);
        e = lm_cuda_copy(p->head.stream, p->head.tables, l.host, l.bytes);
    }
    free(l.host);
    return lm_cuda_failed(p->head.device, e, "to take the lattice's tables");
}

latmc_status lm_cuda_field_tables(lm_cuda_field_plan *p)
{
    lm_colouring colouring;
    latmc_status status = lm_colouring_make(&p->spec, p->spec.reach, &colouring);
    if (status != LATMC_OK)
        return status;
    status = send_tables(p, &colouring);
    lm_colouring_free(&colouring);
    return status;
}
