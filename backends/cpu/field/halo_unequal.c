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

/* Counts the spots of each colour in a row in begin[.. + 2]; or, with a list, puts each at
 * begin[.. + 1] and moves that on. Leaves masks 0. */
static void take_row(const lm_field_layout *l, const lm_colouring *c, int64_t row, row_masks *m,
                     int64_t *begin, lm_field_masked_place *list)
{
    const int64_t extent = l->box.extents[0];
    for (int colour = 0; colour < c->colours; colour++) {
        uint32_t *mask = m->mask + colour * extent;
        const int64_t key = colour * l->box.rows + row;
        if (!m->occurs[colour])
            continue;
        for (int64_t x = 0; x < extent; x++) {
            if (mask[x] && list)
                list[begin[key + 1]++] = (lm_field_masked_place){(int32_t)x, mask[x]};
            else if (mask[x])
                begin[key + 2]++;
            mask[x] = 0;
        }
        m->occurs[colour] = 0;
    }
}

static void visit_rows(const lm_field_layout *l, const lm_colouring *c, row_masks *m,
                       int64_t *begin, lm_field_masked_place *list)
{
    for (int64_t row = 0; row < l->box.rows; row++) {
        int64_t x[LATMC_MAX_DIMS] = {0}, rest = row;
        for (int a = 1; a < l->spec->dims; a++, rest /= l->box.extents[a - 1])
            x[a] = rest % l->box.extents[a];
        for (int v = 0; v < l->box.nodes; v++)
            mark_node(l, c, x, v, m);
        take_row(l, c, row, m, begin, list);
    }
}

static int make_spots(const lm_field_layout *l, const lm_colouring *c, lm_field_masked_places *s)
{
    static const char what[] = "the places of each colour";
    const int64_t keys = c->colours * l->box.rows;
    row_masks m = {lm_zeroed(NULL, what, c->colours * l->box.extents[0], sizeof *m.mask),
                   lm_zeroed(NULL, what, c->colours, 1)};
    s->begin = lm_zeroed(NULL, what, keys + 2, sizeof *s->begin);
    if (m.mask && m.occurs && s->begin) {
        visit_rows(l, c, &m, s->begin, NULL);
        s->list = lm_zeroed(NULL, what, lm_field_prefix_sum(s->begin, keys) + 1, sizeof *s->list);
        if (s->list)
            visit_rows(l, c, &m, s->begin, s->list);
    }
    free(m.mask);
    free(m.occurs);
    return s->list != NULL;
}

/* ---- copies */

/* What the visit of places around nodes works on. */
typedef struct around {
    const lm_field_layout *layout;
    const lm_colouring *colouring;
    int64_t *begin;
    lm_field_copy *list;
} around;

/* The place of a node where the site x, perhaps beyond the lattice's ends, is repeated. */
static void add_copy(around *s, const node *n, const int64_t *x)
{
    const lm_field_layout *l = s->layout;
    int64_t inside[LATMC_MAX_DIMS], to = n->place, from = 0, row = 0;
    int minus = 0;
    for (int a = l->spec->dims - 1; a >= 0; a--) {
        const int64_t extent = l->spec->extents[a];
        to += (x[a] - n->begin[a]) * l->box.stride[a];
        inside[a] = x[a];
        for (; inside[a] < 0 || inside[a] >= extent;
             inside[a] += inside[a] < 0 ? extent : -extent) {
            if (l->spec->boundaries[a] == LATMC_OPEN)
                return;
            minus ^= l->spec->boundaries[a] == LATMC_ANTIPERIODIC;
        }
        from += l->map.at[a][inside[a]];
        if (a > 0) {
            const lm_field_cut *cut = &l->cuts[a];
            int k = 0;
            while (inside[a] >= cut->begin[k + 1])
                k++;
            row = row * l->box.extents[a] + inside[a] - cut->begin[k];
        }
    }
    const int64_t key = lm_colour_of(s->colouring, inside) * l->box.rows + row;
    if (s->list)
        s->list[s->begin[key + 1]++] =
            (lm_field_copy){(int32_t)to, (int32_t)(minus ? ~from : from)};
    else
        s->begin[key + 2]++;
}

/* All places from one to `steps` steps outside the node, `outside` being those along the axes above
 * `axis`. */
static void visit_around(around *s, const node *n, int axis, int64_t *x, int outside)
{
    const int left = s->layout->box.reach - outside;
    for (x[axis] = n->begin[axis] - left; x[axis] < n->end[axis] + left; x[axis]++) {
        const int64_t at = x[axis];
        const int steps = (int)(at < n->begin[axis]  ? n->begin[axis] - at
                                : at >= n->end[axis] ? at - n->end[axis] + 1
                                                     : 0);
        if (axis > 0)
            visit_around(s, n, axis - 1, x, outside + steps);
        else if (outside + steps > 0)
            add_copy(s, n, x);
        else
            x[axis] = n->end[axis] - 1; /* none inside */
    }
}

static int make_copies(const lm_field_layout *l, const lm_colouring *c, lm_field_copies *g)
{
    static const char what[] = "the surroundings of the nodes";
    const int64_t keys = c->colours * l->box.rows;
    around s = {.layout = l, .colouring = c};
    s.begin = g->begin = lm_zeroed(NULL, what, keys + 2, sizeof *g->begin);
    for (int pass = 0; pass < 2 && s.begin; pass++) {
        for (int v = 0; v < l->box.nodes; v++) {
            const node n = node_of(l, v);
            int64_t x[LATMC_MAX_DIMS];
            visit_around(&s, &n, l->spec->dims - 1, x, 0);
        }
        if (pass == 0) {
            g->count = lm_field_prefix_sum(g->begin, keys);
            s.list = g->list = lm_zeroed(NULL, what, g->count + 1, sizeof *g->list);
            if (!g->list)
                return 0;
        }
    }
    return g->list != NULL;
}

int lm_field_unequal_make(lm_field_layout *l)
{
    return make_spots(l, &l->classes.colouring, &l->spots) &&
           make_copies(l, &l->classes.colouring, &l->copies);
}

void lm_field_unequal_free(lm_field_layout *l)
{
    free(l->spots.list);
    free(l->spots.begin);
    free(l->copies.list);
    free(l->copies.begin);
    l->spots = (lm_field_masked_places){.list = NULL};
    l->copies = (lm_field_copies){.count = 0};
}
