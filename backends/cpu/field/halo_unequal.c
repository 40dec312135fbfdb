/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes of unequal extents (cuts.c): at a place they need not all have a site of one colour,
 * and their surroundings differ. So there is a list of the places of each colour, with the nodes
 * that have one there, and a list of what to copy, value by value.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/field/layout.h"
#include "lib/memory.h"
#include "lib/physics/geometry.h"

/* A node: its sites along each axis, and where they are. */
typedef struct node {
    int64_t begin[LATMC_MAX_DIMS], end[LATMC_MAX_DIMS];
    int64_t shift, place; /* along axis 0; of its first site, in numbers */
} node;

static node node_of(const lm_field_layout *l, int v)
{
    node n = {.place = v};
    int rest = v;
    for (int a = 0; a < l->spec->dims; a++) {
        const lm_field_cut *cut = &l->cuts[a];
        const int k = rest % cut->nodes;
        n.begin[a] = cut->begin[k];
        n.end[a] = cut->begin[k + 1];
        n.shift += cut->shift[k];
        rest /= cut->nodes;
    }
    n.place += n.shift * l->box.stride[0];
    return n;
}

/* ---- the places of a colour */

/* Nodes with a site of a colour at a place of some row, and the colours that occur. */
typedef struct row_masks {
    uint32_t *mask; /* [colour][extent along axis 0] */
    unsigned char *occurs;
} row_masks;

static void mark_node(const lm_field_layout *l, const lm_colouring *c, const int64_t *x, int v,
                      row_masks *m)
{
    const node n = node_of(l, v);
    int sum = 0, part = 0;
    for (int a = l->spec->dims - 1; a > 0; a--) {
        const int64_t at = n.begin[a] + x[a];
        if (at >= n.end[a])
            return;
        sum += c->sum[a][at];
        part = part * c->parts[a] + c->part[a][at];
    }
    for (int64_t at = n.begin[0]; at < n.end[0]; at++) {
        const int colour =
            (sum + c->sum[0][at]) % c->modulus + c->modulus * (part * c->parts[0] + c->part[0][at]);
        m->occurs[colour] = 1;
        m->mask[colour * l->box.extents[0] + at - n.begin[0] + n.shift] |= (uint32_t)1 << v;
    }
}

/* A row's places, in either pass of the index. Leaves masks 0. */
static void take_row(const lm_field_layout *l, const lm_colouring *c, int64_t row, row_masks *m,
                     lm_field_masked *to)
{
    const int64_t extent = l->box.extents[0];
    for (int colour = 0; colour < c->colours; colour++) {
        uint32_t *mask = m->mask + colour * extent;
        for (int64_t x = 0; m->occurs[colour] && x < extent; x++) {
            if (!mask[x])
                continue;
            const int64_t at = lm_field_index_next(&to->index, colour * l->box.rows + row);
            if (at >= 0)
                to->list[at] = (lm_field_masked_place){(int32_t)x, mask[x]};
            mask[x] = 0;
        }
        m->occurs[colour] = 0;
    }
}

static void visit_rows(const lm_field_layout *l, const lm_colouring *c, row_masks *m,
                       lm_field_masked *to)
{
    for (int64_t row = 0; row < l->box.rows; row++) {
        int64_t x[LATMC_MAX_DIMS] = {0};
        lm_coordinates(row, 1, l->spec->dims, l->box.extents, x);
        for (int v = 0; v < l->box.nodes; v++)
            mark_node(l, c, x, v, m);
        take_row(l, c, row, m, to);
    }
}

static int make_masked(const lm_field_layout *l, const lm_colouring *c, lm_field_masked *to)
{
    static const char what[] = "the places of each colour";
    row_masks m = {lm_zeroed(NULL, what, c->colours * l->box.extents[0], sizeof *m.mask),
                   lm_zeroed(NULL, what, c->colours, 1)};
    if (m.mask && m.occurs && lm_field_index_make(&to->index, c->colours * l->box.rows, what)) {
        visit_rows(l, c, &m, to);
        to->list = lm_zeroed(NULL, what, lm_field_index_counted(&to->index) + 1, sizeof *to->list);
        if (to->list)
            visit_rows(l, c, &m, to);
    }
    free(m.mask);
    free(m.occurs);
    return to->list != NULL;
}

/* ---- copies */

/* Who refreshes what repeats the site x: its colour and its row in its node; or that side of a
 * slab's halo where it is. */
static int64_t key_of(const lm_field_layout *l, const int64_t *x)
{
    const int last = l->spec->dims - 1;
    int64_t row = 0;
    if (x[last] < 0 || x[last] >= l->extents[last])
        return lm_field_halo_side(l, x[last] < 0 ? LM_LOWER : LM_UPPER);
    for (int a = last; a > 0; a--) {
        const lm_field_cut *cut = &l->cuts[a];
        int k = 0;
        while (x[a] >= cut->begin[k + 1])
            k++;
        row = row * l->box.extents[a] + x[a] - cut->begin[k];
    }
    return lm_colour_of(&l->classes.colouring, x) * l->box.rows + row;
}

/* The place of a node where the site x, perhaps beyond the lattice's ends, is repeated. */
static void add_copy(lm_field_layout *l, const node *n, const int64_t *x)
{
    int64_t inside[LATMC_MAX_DIMS], to = l->box.place0 + n->place, from = l->box.place0;
    int factor = 1;
    for (int a = 0; a < l->spec->dims; a++) {
        const int halo = a < l->spec->dims - 1 ? 0 : l->map.halo;
        inside[a] = x[a];
        if (!halo)
            factor *= lm_fold(lm_end_factor(l->spec->boundaries[a]), l->extents[a], &inside[a]);
        to += (x[a] - n->begin[a]) * l->box.stride[a];
        from += l->map.at[a][inside[a] + halo];
    }
    if (factor == 0 || to == from) /* a slab's halo is put there */
        return;
    const int64_t at = lm_field_index_next(&l->halo.index, key_of(l, inside));
    if (at >= 0)
        l->halo.copies[at] = (lm_field_copy){(int32_t)to, (int32_t)(factor < 0 ? ~from : from)};
}

/* All places from one step to `reach` steps outside the node, `outside` being those along the axes
 * above `axis`. */
static void visit_around(lm_field_layout *l, const node *n, int axis, int64_t *x, int outside)
{
    const int left = l->box.reach - outside;
    for (x[axis] = n->begin[axis] - left; x[axis] < n->end[axis] + left; x[axis]++) {
        const int64_t at = x[axis];
        const int steps = (int)(at < n->begin[axis]  ? n->begin[axis] - at
                                : at >= n->end[axis] ? at - n->end[axis] + 1
                                                     : 0);
        if (axis > 0)
            visit_around(l, n, axis - 1, x, outside + steps);
        else if (outside + steps > 0)
            add_copy(l, n, x);
        else
            x[axis] = n->end[axis] - 1; /* none inside */
    }
}

/* Either pass of the index. */
static void visit_nodes(lm_field_layout *l)
{
    int64_t x[LATMC_MAX_DIMS];
    for (int v = 0; v < l->box.nodes; v++) {
        const node n = node_of(l, v);
        visit_around(l, &n, l->spec->dims - 1, x, 0);
    }
}

int lm_field_copies_make(lm_field_layout *l)
{
    static const char what[] = "the surroundings of the nodes";
    const lm_colouring *c = &l->classes.colouring;
    lm_field_halo *h = &l->halo;
    if (!make_masked(l, c, &l->masked) ||
        !lm_field_index_make(&h->index, lm_field_halo_side(l, LM_UPPER) + 1, what))
        return 0;
    visit_nodes(l);
    h->copies = lm_zeroed(NULL, what, lm_field_index_counted(&h->index) + 1, sizeof *h->copies);
    if (h->copies)
        visit_nodes(l);
    return h->copies != NULL;
}
