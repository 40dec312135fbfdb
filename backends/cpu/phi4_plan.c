/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/phi4_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/whole.h"
#include "lib/status.h"
#include "lib/waves.h"

/* ---- colours */

latmc_status lm_phi4_classes_make(lm_phi4_classes *c, int64_t extent)
{
    const int classes = lm_colour_classes(&c->colouring);
    c->xs = malloc((size_t)extent * sizeof *c->xs);
    c->begin = malloc((size_t)(classes + 1) * sizeof *c->begin);
    if (!c->xs || !c->begin)
        return lm_fail(LATMC_ERROR_MEMORY, "no memory for the colours of a lattice");
    int64_t n = 0;
    for (int k = 0; k < classes; k++) {
        c->begin[k] = n;
        for (int64_t x = 0; x < extent; x++)
            if (lm_colour_class(&c->colouring, x) == k)
                c->xs[n++] = x;
    }
    c->begin[classes] = n;
    return LATMC_OK;
}

void lm_phi4_classes_free(lm_phi4_classes *c)
{
    lm_colouring_free(&c->colouring);
    free(c->xs);
    free(c->begin);
}

/* ---- nodes */

/* Do sites `step` apart along an axis have the same colour, in either colouring? */
static int repeats(const lm_phi4_plan *p, int axis, int64_t step)
{
    for (int i = 0; i < 2; i++) {
        const lm_colouring *c = &p->classes[i].colouring;
        for (int64_t x = 0; x + step < p->spec.extents[axis]; x++)
            if (c->sum[axis][x] != c->sum[axis][x + step] ||
                c->part[axis][x] != c->part[axis][x + step])
                return 0;
    }
    return 1;
}

/* The surroundings of the first axis weigh more, because long rows are faster, and those of the
 * last, because threads share the layers along it and read there what another one has written. */
double lm_phi4_halo_cost(const lm_phi4_plan *p, const int64_t *extents)
{
    double halo = 1.0;
    for (int a = 0; a < p->spec.dims; a++) {
        const double more = (double)(extents[a] + 2 * LM_BOX_HALO) / (double)extents[a];
        halo *= a == 0 || a == p->spec.dims - 1 ? more * sqrt(more) : more;
    }
    return 0.05 * halo;
}

/* What a division into nodes costs: lanes left empty, and the surroundings that are copied. */
static double cost(const lm_phi4_plan *p, const int64_t *nodes)
{
    int64_t all = 1, extents[LATMC_MAX_DIMS];
    for (int a = 0; a < p->spec.dims; a++) {
        extents[a] = p->spec.extents[a] / nodes[a];
        all *= nodes[a];
    }
    const int64_t vectors = (all + p->lane->reals - 1) / p->lane->reals;
    const double filled = (double)all / (double)(vectors * p->lane->reals);
    return all > LM_BOX_MAX_NODES ? 1e300 : (1.0 + lm_phi4_halo_cost(p, extents)) / filled;
}

/* Tries all divisions of the axes from `axis` on. */
static void divide(lm_phi4_plan *p, int axis, int64_t *nodes, double *least)
{
    if (axis == p->spec.dims || axis == LATMC_MAX_DIMS) {
        const double c = cost(p, nodes);
        if (c < *least) {
            *least = c;
            memcpy(p->nodes, nodes, sizeof p->nodes);
        }
        return;
    }
    for (int64_t n = 1; n <= LM_BOX_MAX_NODES && n <= p->spec.extents[axis]; n++)
        if (p->spec.extents[axis] % n == 0 && (n == 1 || p->lane->reals > 1) &&
            repeats(p, axis, p->spec.extents[axis] / n)) {
            nodes[axis] = n;
            divide(p, axis + 1, nodes, least);
        }
    nodes[axis] = 1;
}

/* Equal nodes; or unequal ones, if equal ones leave too many lanes empty: then the extents of the
 * box are the largest ones. */
static void choose_nodes(lm_phi4_plan *p)
{
    int64_t nodes[LATMC_MAX_DIMS] = {1, 1, 1, 1}, all = 1;
    double least = 1e301;
    lm_phi4_box *b = &p->box;
    divide(p, 0, nodes, &least);
    for (int a = 0; a < p->spec.dims; a++) {
        b->extents[a] = p->spec.extents[a] / p->nodes[a];
        all *= p->nodes[a];
    }
    if (p->lane->reals < 2 || 10 * all > 7 * p->lane->reals || !lm_phi4_cut_unevenly(p, least))
        return;
    p->uneven = 1;
    int64_t grown = 0;
    for (int a = 0; a < p->spec.dims; a++) {
        const lm_phi4_cut *cut = &p->cuts[a];
        int64_t shift = 0;
        p->nodes[a] = cut->nodes;
        b->extents[a] = 0;
        for (int k = 0; k < cut->nodes; k++) {
            const int64_t extent = cut->begin[k + 1] - cut->begin[k];
            b->extents[a] = extent > b->extents[a] ? extent : b->extents[a];
            shift = cut->shift[k] > shift ? cut->shift[k] : shift;
        }
        grown += shift;
    }
    b->extents[0] += grown;
}

static void shape_box(lm_phi4_plan *p)
{
    int64_t stride, number = 1;
    lm_phi4_box *b = &p->box;
    choose_nodes(p);
    b->dims = p->spec.dims;
    b->nodes = 1;
    b->rows = 1;
    for (int a = 0; a < b->dims; a++) {
        b->nodes *= (int)p->nodes[a];
        b->rows *= a > 0 ? b->extents[a] : 1;
        b->open |= p->spec.boundaries[a] == LATMC_OPEN;
    }
    b->padded = (b->nodes + p->lane->reals - 1) / p->lane->reals * p->lane->reals;
    stride = b->padded;
    for (int a = 0; a < b->dims; a++) {
        b->stride[a] = stride;
        p->place0 += LM_BOX_HALO * stride;
        stride *= b->extents[a] + 2 * LM_BOX_HALO;
        b->number[a] = number;
        number *= p->spec.extents[a];
    }
    p->numbers = stride;
    p->sites = number;
}

/* ---- tables */

/* The node along an axis that has coordinate x: its number, where it begins, and its shift. */
static int64_t node_at(const lm_phi4_plan *p, int axis, int64_t x, int64_t *begin, int64_t *shift)
{
    const lm_phi4_cut *cut = &p->cuts[axis];
    int64_t k = x / p->box.extents[axis];
    *begin = k * p->box.extents[axis];
    *shift = 0;
    if (p->uneven) {
        for (k = 0; x >= cut->begin[k + 1]; k++)
            ;
        *begin = cut->begin[k];
        *shift = cut->shift[k];
    }
    return k;
}

static void fill_map(lm_phi4_plan *p)
{
    int64_t node_stride = 1;
    p->map.dims = p->spec.dims;
    for (int a = 0; a < p->spec.dims; a++) {
        const int64_t extent = p->spec.extents[a];
        p->map.extents[a] = extent;
        p->map.boundaries[a] = p->spec.boundaries[a];
        p->map.wave[a] = p->waves[a];
        for (int64_t x = 0; x < extent; x++) {
            int64_t begin, shift;
            const int64_t k = node_at(p, a, x, &begin, &shift);
            p->map.at[a][x] =
                (x - begin) * p->box.stride[a] + shift * p->box.stride[0] + k * node_stride;
        }
        node_stride *= p->nodes[a];
        lm_waves(p->spec.boundaries[a] == LATMC_ANTIPERIODIC ? 2 * extent : extent, extent,
                 p->waves[a]);
    }
    for (int v = 0; v < p->box.padded; v++) {
        int64_t rest = v < p->box.nodes ? v : 0;
        p->origin[v] = 0;
        for (int a = 0; a < p->spec.dims; a++, rest /= p->nodes[a - 1]) {
            const int64_t k = rest % p->nodes[a];
            const int64_t begin = p->uneven ? p->cuts[a].begin[k] : k * p->box.extents[a];
            p->origin[v] += (uint32_t)(begin * p->box.number[a]);
            p->origin[v] -= (uint32_t)(p->uneven ? p->cuts[a].shift[k] : 0);
        }
    }
    p->box.origin = p->origin;
}

/* ---- degrees */

/* The number of bonds of the site with natural number i. */
static int degree_of(const lm_spec *spec, int64_t i)
{
    int degree = 2 * spec->dims;
    for (int a = 0; a < spec->dims; a++) {
        const int64_t x = i % spec->extents[a];
        if (spec->boundaries[a] == LATMC_OPEN)
            degree -= (x == 0) + (x == spec->extents[a] - 1);
        i /= spec->extents[a];
    }
    return degree;
}

/* A field of degrees; beyond open ends 0, across antiperiodic ones without a sign. */
static int fill_degree(lm_phi4_plan *p)
{
    const int64_t row = p->spec.extents[0];
    char *sites = malloc((size_t)row * p->bytes);
    lm_phi4_box box = p->box;
    box.field = p->degree + (size_t)p->place0 * p->bytes;
    for (int64_t r = 0; sites && r < p->sites / row; r++) {
        for (int64_t x = 0; x < row; x++) {
            const double d = degree_of(&p->spec, r * row + x);
            if (p->bytes == sizeof(float))
                ((float *)(void *)sites)[x] = (float)d;
            else
                ((double *)(void *)sites)[x] = d;
        }
        p->lane->put(&p->map, box.field, r, 1, sites);
    }
    free(sites);
    for (int64_t i = 0; i < p->copies[0].count; i++) {
        lm_phi4_copy one = p->copies[0].list[i];
        one.from = one.from < 0 ? ~one.from : one.from;
        p->lane->copy(&box, &one, 1);
    }
    const lm_phi4_ghosts *ghosts = &p->ghosts[0];
    for (int64_t g = 0; g < ghosts->count; g++) {
        lm_phi4_shift all = p->shifts[ghosts->list[g].shift];
        lm_phi4_ghost one = ghosts->list[g];
        float plus[LM_BOX_MAX_NODES];
        for (int v = 0; v < box.nodes; v++)
            plus[v] = all.sign[v] != 0.0f;
        one.shift = 0;
        all.sign = plus;
        p->lane->refresh(&box, &all, &one, 1);
    }
    p->box.degree = box.field;
    return sites != NULL;
}

/* ---- the plan */

lm_phi4_box lm_phi4_box_of(const lm_phi4_plan *p, int64_t replica)
{
    const int far = p->rules[replica].kappa > 0.0;
    lm_phi4_box b = p->box;
    b.reach = 1 + far;
    b.colouring = &p->classes[far].colouring;
    b.xs = p->classes[far].xs;
    b.class_begin = p->classes[far].begin;
    b.spots = p->spots[far].list;
    b.spot_begin = p->spots[far].begin;
    b.field = lm_phi4_field(p, replica);
    return b;
}

void *lm_phi4_field(const lm_phi4_plan *p, int64_t replica)
{
    return p->fields + (size_t)(replica * p->numbers + p->place0) * p->bytes;
}

static int allocate(lm_phi4_plan *p)
{
    const size_t replicas = (size_t)p->spec.replicas;
    const int64_t layer = p->spec.dims == 1 ? p->sites : p->sites / p->layers;
    int good = 1;
    p->layer_blocks = (layer + 1023) / 1024;
    for (int a = 0; a < p->spec.dims; a++) {
        p->map.at[a] = malloc((size_t)p->spec.extents[a] * sizeof *p->map.at[a]);
        p->waves[a] = malloc((size_t)p->spec.extents[a] * 2 * sizeof *p->waves[a]);
        good &= p->map.at[a] && p->waves[a];
    }
    p->origin = calloc((size_t)p->box.padded + LM_BOX_MAX_REALS, sizeof *p->origin);
    p->memory = calloc(replicas * (size_t)p->numbers * p->bytes + LM_CACHE_LINE, 1);
    p->fields = lm_whole_line(p->memory);
    p->rules = calloc(replicas, sizeof *p->rules);
    p->stale = calloc(replicas, 1);
    p->counted = calloc(replicas, sizeof *p->counted);
    p->offers = calloc(replicas, sizeof *p->offers);
    p->work = malloc(replicas * (size_t)(p->layers * p->sums * p->layer_blocks) * sizeof *p->work);
    p->layer_sums = malloc(replicas * (size_t)(p->layers * p->sums) * sizeof *p->layer_sums);
    good &= p->origin && p->memory && p->rules && p->stale && p->counted && p->offers && p->work &&
            p->layer_sums;
    if (p->box.open) {
        p->degree = calloc((size_t)p->numbers, p->bytes);
        good &= p->degree != NULL;
    }
    return good;
}

static latmc_status fill(lm_phi4_plan *p)
{
    latmc_status status = LATMC_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = lm_colouring_make(&p->spec, i + 1, &p->classes[i].colouring);
    if (status)
        return status;
    shape_box(p);
    for (int i = 0; i < 2 && !status; i++)
        status = lm_phi4_classes_make(&p->classes[i], p->uneven ? 1 : p->box.extents[0]);
    if (status)
        return status;
    p->layers = p->spec.dims == 1 ? 1 : p->spec.extents[p->spec.dims - 1];
    if (allocate(p)) {
        fill_map(p);
        if ((p->uneven ? lm_phi4_uneven_make(p) : lm_phi4_ghosts_make(p)) &&
            (!p->box.open || fill_degree(p)))
            return LATMC_OK;
    }
    return lm_fail(LATMC_ERROR_MEMORY, "no memory for a lattice of %lld sites and %lld replicas",
                   (long long)p->sites, (long long)p->spec.replicas);
}

latmc_status lm_phi4_open(const lm_spec *spec, const lm_phi4_lane *lane, lm_phi4_plan **plan)
{
    latmc_status status = lm_whole_check(spec);
    if (status)
        return status;
    lm_phi4_plan *p = calloc(1, sizeof *p);
    if (!p)
        return lm_fail(LATMC_ERROR_MEMORY, "no memory for a plan");
    p->spec = *spec;
    p->lane = lane;
    p->bytes = spec->type == LATMC_FLOAT32 ? sizeof(float) : sizeof(double);
    p->keys = lm_keys_of(spec->seed);
    p->sums = 5 + 2 * spec->dims;
    status = fill(p);
    if (status) {
        lm_phi4_close(p);
        return status;
    }
    *plan = p;
    return LATMC_OK;
}

void lm_phi4_close(lm_phi4_plan *p)
{
    lm_phi4_tiling_free(&p->tiling);
    lm_phi4_ghosts_free(p);
    lm_phi4_uneven_free(p);
    for (int i = 0; i < 2; i++)
        lm_phi4_classes_free(&p->classes[i]);
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        free(p->map.at[a]);
        free(p->waves[a]);
    }
    free(p->origin);
    free(p->memory);
    free(p->degree);
    free(p->rules);
    free(p->stale);
    free(p->counted);
    free(p->offers);
    free(p->work);
    free(p->layer_sums);
    free(p);
}
