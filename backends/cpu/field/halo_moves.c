/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the places outside the nodes that repeat sites, with their nodes and their order. A place
 * is outside of some nodes or of all. The nodes' values there come from other nodes at another
 * place. Values of one vector that come from one vector are moved together, if the same thread
 * updates them. With equal nodes these are all values, except at open ends. Places beyond the ends
 * of a slab repeat sites of its halo, if they also lie beyond another axis.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/field/layout.h"
#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

static const char what[] = "the surroundings of the nodes";

/* Where a node's value at a place comes from, in one plane, counted from place 0 of node 0, and
 * what refreshes it: a row of a colour, or a side of the slab. */
typedef struct move_source {
    int64_t from, key;
    int minus;
} move_source;

/* The state of the search. `sources` belong to one place. They are the sources of the nodes that
 * have the place outside. A place with every coordinate in [inside_first, inside_end) is outside of
 * none. */
typedef struct maker {
    lm_field_layout *layout;
    lm_field_node nodes[LM_FIELD_MAX_REALS];
    move_source sources[LM_FIELD_MAX_REALS];
    int64_t inside_first[LATMC_MAX_DIMS], inside_end[LATMC_MAX_DIMS];
    int64_t capacity; /* for orders */
} maker;

/* ---- which */

/* Returns where moves from a site belong in the list: its colour, then its row in the node; or its
 * side of the halo. Moves with the same key are made together. */
static int64_t order_key(const lm_field_layout *l, const int64_t *x)
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

/* Finds the site of node n, perhaps beyond the lattice's ends, at the place with coordinates x.
 * Returns the steps from the node to the site. */
static int64_t site_at(int dims, const lm_field_node *n, const int64_t *x, int64_t *site)
{
    int64_t steps = 0;
    for (int a = 0; a < dims; a++) {
        const int64_t at = site[a] = n->begin[a] + x[a] - (a == 0 ? n->shift : 0);
        steps += at < n->begin[a] ? n->begin[a] - at : at >= n->end[a] ? at - n->end[a] + 1 : 0;
    }
    return steps;
}

/* Finds a node's source, with the sign of an antiperiodic end. Returns 0 if node v has nothing
 * there to refresh. A slab's halo is put there by unpack(). `key`, if there is one, is another
 * node's key at this place, which all equal nodes share. */
static int find_source(const maker *m, int v, const int64_t *x, int64_t key, move_source *s)
{
    const lm_field_layout *l = m->layout;
    const int dims = l->spec->dims;
    int64_t site[LATMC_MAX_DIMS], to = v;
    const int64_t steps = site_at(dims, &m->nodes[v], x, site);
    int factor = 1;
    if (steps == 0 || steps > l->box.reach)
        return 0;
    s->from = 0;
    for (int a = 0; a < dims; a++) {
        const int halo = a < dims - 1 ? 0 : l->map.halo;
        if (!halo)
            factor *= lm_fold(lm_end_factor(l->spec->boundaries[a]), l->extents[a], &site[a]);
        to += x[a] * l->box.stride[a];
        s->from += l->plane_map.at[a][site[a] + halo];
    }
    if (factor == 0 || to == s->from)
        return 0;
    s->key = key >= 0 && !l->unequal ? key : order_key(l, site);
    s->minus = factor < 0;
    return 1;
}

/* ---- moves together */

/* Returns the place of a number. A place has as many numbers as there are lanes, a power of two. */
static int64_t place_of(const maker *m, int64_t number)
{
    return number & -(int64_t)m->layout->lane->reals;
}

/* Returns the number of an order, or -1 if there is no memory. Most places have the order of the
 * place before. */
static int32_t number_of(maker *m, const lm_field_order *order)
{
    lm_field_halo *h = &m->layout->halo;
    for (int64_t i = h->order_count - 1; i >= 0; i--)
        if (!memcmp(&h->orders[i], order, sizeof *order))
            return (int32_t)i;
    if (h->order_count == m->capacity) {
        lm_field_order *more = lm_zeroed(NULL, what, 2 * m->capacity + 16, sizeof *more);
        if (!more)
            return -1;
        if (h->order_count)
            memcpy(more, h->orders, (size_t)h->order_count * sizeof *more);
        free(h->orders);
        h->orders = more;
        m->capacity = 2 * m->capacity + 16;
    }
    h->orders[h->order_count] = *order;
    return (int32_t)h->order_count++;
}

/* Puts a move, in both passes of the index. */
static int put_move(maker *m, int64_t key, int64_t to, int64_t from, const lm_field_order *order)
{
    lm_field_halo *h = &m->layout->halo;
    const int64_t at = lm_field_buckets_next(&h->buckets, key);
    if (at < 0)
        return 1;
    h->moves[at] = (lm_field_move){to, from, number_of(m, order)};
    return h->moves[at].order >= 0;
}

/* Puts the lanes `left` of the place `to`. Lanes without a node may get anything, so a vector that
 * has all other lanes is moved whole. */
static int put_lanes(maker *m, int64_t to, uint32_t left)
{
    const int nodes = m->layout->box.nodes;
    while (left) {
        const move_source *one = &m->sources[__builtin_ctz(left)];
        const int64_t from = place_of(m, one->from);
        lm_field_order order = {.whole = 0};
        for (int i = 0; i < m->layout->lane->reals; i++) {
            const move_source *s = &m->sources[i];
            const int along = left >> i & 1 && s->key == one->key && place_of(m, s->from) == from;
            order.from[i] = along ? (int32_t)(s->from - from) : i;
            order.lanes |= (uint32_t)along << i;
            order.minus |= (uint32_t)(along && s->minus) << i;
        }
        order.whole = order.lanes == (uint32_t)((1ull << nodes) - 1);
        if (!put_move(m, one->key, to, from, &order))
            return 0;
        left &= ~order.lanes;
    }
    return 1;
}

static int put_place(maker *m, const int64_t *x)
{
    const lm_field_box *b = &m->layout->box;
    int64_t to = 0, key = -1;
    uint32_t lanes = 0;
    for (int a = 0; a < b->dims; a++)
        to += x[a] * b->stride[a];
    for (int v = 0; v < b->nodes; v++) {
        if (!find_source(m, v, x, key, &m->sources[v]))
            continue;
        key = m->sources[v].key;
        lanes |= (uint32_t)1 << v;
    }
    return put_lanes(m, to, lanes);
}

/* ---- all places */

static int is_inside(const maker *m, const int64_t *x, int axis)
{
    return x[axis] >= m->inside_first[axis] && x[axis] < m->inside_end[axis];
}

/* Puts the row with coordinates x[1 ..], without the places that are inside all nodes. */
static int put_row(maker *m, int64_t *x)
{
    const lm_field_box *b = &m->layout->box;
    int inside = 1;
    for (int a = 1; a < b->dims; a++)
        inside &= is_inside(m, x, a);
    for (x[0] = -b->reach; x[0] < b->extents[0] + b->reach; x[0]++) {
        if (inside && is_inside(m, x, 0))
            x[0] = m->inside_end[0];
        if (!put_place(m, x))
            return 0;
    }
    return 1;
}

/* Advances to the next row in natural order. Returns 0 after the last row. */
static int next_row(const lm_field_box *box, int64_t *x)
{
    for (int a = 1; a < box->dims; a++) {
        if (++x[a] < box->extents[a] + box->reach)
            return 1;
        x[a] = -box->reach;
    }
    return 0;
}

static int put_all(maker *m)
{
    const lm_field_box *b = &m->layout->box;
    int64_t x[LATMC_MAX_DIMS];
    for (int a = 0; a < b->dims; a++)
        x[a] = -b->reach;
    do {
        if (!put_row(m, x))
            return 0;
    } while (next_row(b, x));
    return 1;
}

static void begin(maker *m, lm_field_layout *l)
{
    m->layout = l;
    for (int v = 0; v < l->box.nodes; v++)
        m->nodes[v] = lm_field_node_of(l, v);
    for (int a = 0; a < l->spec->dims; a++)
        m->inside_end[a] = lm_field_shortest_node(&l->cuts[a]);
    for (int v = 0; v < l->box.nodes; v++)
        if (m->nodes[v].shift > m->inside_first[0])
            m->inside_first[0] = m->nodes[v].shift;
}

int lm_field_moves_make(lm_field_layout *l)
{
    lm_field_halo *h = &l->halo;
    maker *m = lm_zeroed(NULL, what, 1, sizeof *m); /* too large for the stack of a small thread */
    int made = 0;
    if (m && lm_field_buckets_make(&h->buckets, lm_field_halo_side(l, LM_UPPER) + 1, what)) {
        begin(m, l);
        put_all(m);
        h->moves =
            lm_zeroed(NULL, what, lm_field_buckets_counted(&h->buckets) + 1, sizeof *h->moves);
        made = h->moves && put_all(m);
    }
    free(m);
    return made;
}
