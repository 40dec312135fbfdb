/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/field/layout.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

/* ---- colours */

latmc_status lm_field_classes_make(lm_field_classes *c, int64_t extent)
{
    const int classes = lm_colour_classes(&c->colouring);
    c->xs = lm_zeroed(NULL, "the colours of a lattice", extent, sizeof *c->xs);
    c->begin = lm_zeroed(NULL, "the colours of a lattice", classes + 1, sizeof *c->begin);
    if (!c->xs || !c->begin)
        return LATMC_ERROR_MEMORY;
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

void lm_field_classes_free(lm_field_classes *c)
{
    lm_colouring_free(&c->colouring);
    free(c->xs);
    free(c->begin);
}

/* Leaves only the layers that are here in a colouring. */
static void colour_slab(const lm_spec *spec, lm_colouring *c)
{
    const int last = spec->dims - 1;
    c->sum[last] += spec->first_layer;
    c->far[last] += spec->first_layer;
    c->extents[last] = spec->layers;
}

/* ---- nodes */

/* Returns whether sites `step` apart along an axis have the same colour. */
static int repeats(const lm_field_layout *l, int axis, int64_t step)
{
    const lm_colouring *c = &l->classes.colouring;
    for (int64_t x = 0; x + step < l->extents[axis]; x++)
        if (c->sum[axis][x] != c->sum[axis][x + step] || c->far[axis][x] != c->far[axis][x + step])
            return 0;
    return 1;
}

/* Returns the cost of a division into equal nodes: lanes left empty, and the surroundings that
 * are moved. */
static double cost(const lm_field_layout *l, const int *nodes)
{
    int64_t all = 1, extents[LATMC_MAX_DIMS] = {0};
    for (int a = 0; a < l->spec->dims; a++) {
        extents[a] = l->extents[a] / nodes[a];
        all *= nodes[a];
    }
    const double filled = (double)all / (double)l->lane->reals;
    return filled > 1.0 || !lm_field_has_room(l, extents, 0, (int)all)
               ? 1e300
               : (1.0 + lm_field_nodes_cost(l, extents, lm_field_reads_across(l))) / filled;
}

/* Tries all divisions of the axes from `axis` on. */
static void divide(const lm_field_layout *l, int axis, int *nodes, double *least, int *best)
{
    if (axis == l->spec->dims || axis == LATMC_MAX_DIMS) {
        const double c = cost(l, nodes);
        if (c < *least) {
            *least = c;
            memcpy(best, nodes, LATMC_MAX_DIMS * sizeof *best);
        }
        return;
    }
    for (int n = 1; n <= l->lane->reals && n <= lm_field_most_nodes(l, axis); n++)
        if (l->extents[axis] % n == 0 && repeats(l, axis, l->extents[axis] / n)) {
            nodes[axis] = n;
            divide(l, axis + 1, nodes, least, best);
        }
    nodes[axis] = 1;
}

static void cut_evenly(lm_field_layout *l, const int *nodes)
{
    for (int a = 0; a < l->spec->dims; a++) {
        l->cuts[a] = (lm_field_cut){.nodes = nodes[a]};
        for (int k = 0; k <= nodes[a]; k++)
            l->cuts[a].begin[k] = k * (l->extents[a] / nodes[a]);
    }
}

/* The extents of the largest node; along axis 0 with the shifts. */
static void box_extents(const lm_field_layout *l, int64_t *extents)
{
    int64_t grown = 0;
    for (int a = 0; a < l->spec->dims; a++) {
        extents[a] = lm_field_longest_node(&l->cuts[a]);
        grown += lm_field_longest_shift(&l->cuts[a]);
    }
    extents[0] += grown;
}

/* Chooses equal nodes, or unequal ones if equal ones leave too many lanes empty. */
static latmc_status choose_nodes(lm_field_layout *l)
{
    int nodes[LATMC_MAX_DIMS] = {1, 1, 1, 1}, best[LATMC_MAX_DIMS];
    double least = 1e301;
    latmc_status status = LATMC_OK;
    divide(l, 0, nodes, &least, best);
    if (l->lane->reals > 1)
        status = lm_field_cut_unequally(l, least, &l->unequal);
    if (!l->unequal)
        cut_evenly(l, best);
    return status;
}

static void shape_box(lm_field_layout *l)
{
    int64_t stride, number = 1;
    lm_field_box *b = &l->box;
    *b = (lm_field_box){.dims = l->spec->dims,
                        .reach = l->spec->reach,
                        .kind = l->kind,
                        .planes = l->spec->components,
                        .nodes = 1,
                        .rows = 1,
                        .colouring = &l->classes.colouring};
    box_extents(l, b->extents);
    for (int a = 0; a < b->dims; a++) {
        b->nodes *= l->cuts[a].nodes;
        b->rows *= a > 0 ? b->extents[a] : 1;
    }
    stride = l->lane->reals;
    for (int a = 0; a < b->dims; a++) {
        b->stride[a] = stride;
        b->place0 += b->reach * stride;
        stride *= b->extents[a] + 2 * b->reach;
        b->number[a] = number;
        number *= l->spec->extents[a];
    }
    l->numbers = stride;
    l->per_vector = l->lane->reals / b->nodes;
    /* Where a node ends before others do it meets the next node's first layer earlier. */
    const lm_field_cut *last = &l->cuts[b->dims - 1];
    l->reach_layers = b->reach + (int)(lm_field_longest_node(last) - lm_field_shortest_node(last));
}

/* ---- where sites are */

/* Sets what the map says without the nodes. */
static void begin_map(lm_field_layout *l)
{
    const lm_spec *spec = l->spec;
    const int last = spec->dims - 1, halo = spec->layers < spec->extents[last] ? spec->reach : 0;
    l->map = (lm_field_map){.dims = spec->dims,
                            .planes = spec->components,
                            .halo = halo,
                            .first_layer = spec->first_layer - halo,
                            .lattice_layers = spec->extents[last]};
    l->map.first_row = l->map.first_layer * lm_row_stride(spec->extents, last);
    l->fixed_map.planes = l->lane->fixed(spec->dims, l->kind);
    l->samples = l->fixed_map.planes && (spec->couplings || spec->site_fields) ? spec->samples : 1;
    for (int a = 0; a <= last; a++) {
        l->extents[a] = a < last ? spec->extents[a] : spec->layers;
        l->map.extents[a] = l->extents[a] + (a < last ? 0 : 2 * halo);
        l->map.boundaries[a] = spec->boundaries[a];
    }
}

/* A map of so many planes, which has what begin_map() says. */
static int make_map(const lm_field_layout *l, int planes, lm_field_map *m)
{
    int64_t node_stride = 1;
    m->planes = planes;
    for (int a = 0; a < m->dims; a++) {
        const lm_field_cut *cut = &l->cuts[a];
        const int halo = a < m->dims - 1 ? 0 : m->halo;
        int64_t *const at = m->at[a] =
            lm_zeroed(NULL, "the places of the sites", m->extents[a], sizeof *at);
        if (!at)
            return 0;
        for (int k = 0; k < cut->nodes; k++)
            for (int64_t x = cut->begin[k] - halo; x < cut->begin[k + 1] + halo; x++) {
                const int64_t place =
                    (x - cut->begin[k]) * l->box.stride[a] + cut->shift[k] * l->box.stride[0];
                at[x + halo] = planes * place + k * node_stride;
            }
        node_stride *= cut->nodes;
    }
    return 1;
}

static int make_maps(lm_field_layout *l, double *const *waves)
{
    const int values = l->fixed_map.planes;
    for (int a = 0; a < l->map.dims; a++)
        l->map.wave[a] = waves[a];
    l->plane_map = l->fixed_map = l->map;
    for (int a = 0; a < l->map.dims; a++)
        l->fixed_map.boundaries[a] = LATMC_PERIODIC;
    return make_map(l, l->box.planes, &l->map) && make_map(l, values, &l->fixed_map) &&
           make_map(l, 1, &l->plane_map);
}

/* The natural number of a node's place 0, which shifts may bring below that of the first site. */
static int64_t origin_of(const lm_field_layout *l, int node)
{
    const lm_field_node n = lm_field_node_of(l, node);
    int64_t origin = l->spec->first_layer * l->box.number[l->spec->dims - 1] - n.shift;
    for (int a = 0; a < l->spec->dims; a++)
        origin += n.begin[a] * l->box.number[a];
    return origin;
}

/* Sets what the numbers of the sites have above their lower 32 bits. */
static void choose_high(lm_field_layout *l)
{
    const lm_spec *spec = l->spec;
    const int64_t layer = l->box.number[spec->dims - 1], first = spec->first_layer * layer;
    const int64_t last = first + spec->layers * layer - 1;
    l->box.wide = first >> 32 != last >> 32 ? l->wide : NULL;
    l->box.high = lm_high_of(first);
}

/* Lanes beyond the nodes count as the first node. */
static int make_origin(lm_field_layout *l)
{
    static const char what[] = "the nodes of the lattice";
    l->origin = lm_zeroed(NULL, what, LM_FIELD_MAX_REALS, sizeof *l->origin);
    l->wide = lm_zeroed(NULL, what, LM_FIELD_MAX_REALS, sizeof *l->wide);
    if (!l->origin || !l->wide)
        return 0;
    for (int v = 0; v < LM_FIELD_MAX_REALS; v++) {
        l->wide[v] = origin_of(l, v < l->box.nodes ? v : 0);
        l->origin[v] = (uint32_t)l->wide[v];
    }
    l->box.origin = l->origin;
    choose_high(l);
    return 1;
}

/* ---- all of it */

latmc_status lm_field_layout_make(lm_field_layout *l, double *const *waves)
{
    lm_field_classes *c = &l->classes;
    begin_map(l);
    latmc_status status = lm_colouring_make(l->spec, l->spec->reach, &c->colouring);
    if (status)
        return status;
    colour_slab(l->spec, &c->colouring);
    status = choose_nodes(l);
    if (status)
        return status;
    shape_box(l);
    status = lm_field_classes_make(c, l->unequal ? 1 : l->box.extents[0]);
    if (status)
        return status;
    l->box.xs = c->xs;
    l->box.class_begin = c->begin;
    return make_maps(l, waves) && make_origin(l) ? LATMC_OK : LATMC_ERROR_MEMORY;
}

latmc_status lm_field_layout_fill(lm_field_layout *l)
{
    lm_field_across_make(l);
    if (!lm_field_halo_make(l) || (l->fixed_map.planes && !lm_field_fixed_make(l)))
        return LATMC_ERROR_MEMORY;
    l->box.masked = l->masked.list;
    l->box.masked_begin = l->masked.buckets.begin;
    return LATMC_OK;
}

void lm_field_layout_free(lm_field_layout *l)
{
    lm_field_halo_free(l);
    lm_field_classes_free(&l->classes);
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        free(l->map.at[a]);
        free(l->fixed_map.at[a]);
        free(l->plane_map.at[a]);
    }
    free(l->origin);
    free(l->wide);
    free(l->fixed_memory);
}
