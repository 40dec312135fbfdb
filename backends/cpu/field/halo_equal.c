/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The places outside a node's box that repeat sites: which, of which nodes, in which order. Those
 * beyond the ends of a slab repeat sites of its halo, if they lie beyond another axis, too.
 */
#include <stdlib.h>

#include "backends/cpu/field/layout.h"
#include "lib/memory.h"
#include "lib/physics/geometry.h"

static const char what[] = "the surroundings of the nodes";

/* A place outside the box. */
typedef struct outside {
    lm_field_ghost ghost;
    int64_t inside[LATMC_MAX_DIMS]; /* where in the box (a slab's halo) its value comes from */
    int64_t key;                    /* of those coordinates */
} outside;

/* Who refreshes what repeats the place x. */
static int64_t key_of(const lm_field_layout *l, const int64_t *x)
{
    const int last = l->spec->dims - 1;
    int64_t row = 0;
    if (x[last] < 0 || x[last] >= l->box.extents[last])
        return lm_field_halo_side(l, x[last] < 0 ? LM_LOWER : LM_UPPER);
    for (int a = last; a > 0; a--)
        row = row * l->box.extents[a] + x[a];
    return lm_colour_of(&l->classes.colouring, x) * l->box.rows + row;
}

/* The node that lies `shift` nodes on from each, and the sign on the way there. */
static int fill_shift(lm_field_layout *l, const int64_t *shift, lm_field_shift *s)
{
    if (s->node)
        return 1;
    s->nowhere = 1;
    s->node = lm_zeroed(NULL, what, l->box.nodes, sizeof *s->node);
    for (int v = 0; s->node && v < l->box.nodes; v++) {
        int64_t rest = v, stride = 1, node = 0;
        int sign = 1;
        for (int a = 0; a < l->spec->dims; a++) {
            const int64_t n = l->cuts[a].nodes;
            int64_t k = rest % n + shift[a];
            sign *= lm_fold(lm_end_factor(l->spec->boundaries[a]), n, &k);
            node += k * stride;
            rest /= n;
            stride *= n;
        }
        s->node[v] = (int32_t)node;
        s->minus[v / 32] |= (uint32_t)(sign < 0) << v % 32;
        s->none[v / 32] |= (uint32_t)(sign == 0) << v % 32;
        s->nowhere &= sign == 0;
    }
    return s->node != NULL;
}

/* The place with coordinates x: 1 if it repeats sites, 0 if not, -1 if there is no memory. */
static int outside_at(lm_field_layout *l, const int64_t *x, outside *o)
{
    const int last = l->spec->dims - 1;
    int64_t steps = 0, shift[LATMC_MAX_DIMS], code = 0;
    *o = (outside){.key = 0};
    for (int a = last; a >= 0; a--) {
        const int64_t extent = l->box.extents[a];
        steps += x[a] < 0 ? -x[a] : x[a] >= extent ? x[a] - extent + 1 : 0;
        shift[a] = x[a] >= 0 ? x[a] / extent : -((extent - 1 - x[a]) / extent);
        if (a == last && l->map.halo)
            shift[a] = 0;
        o->inside[a] = x[a] - shift[a] * extent;
        o->ghost.to += x[a] * l->box.stride[a];
        o->ghost.from += o->inside[a] * l->box.stride[a];
        code = 5 * code + shift[a] + 2;
    }
    o->ghost.shift = (int32_t)code;
    if (steps > l->box.reach || o->ghost.to == o->ghost.from)
        return 0;
    o->key = key_of(l, o->inside);
    if (!fill_shift(l, shift, &l->halo.shifts[code]))
        return -1;
    return !l->halo.shifts[code].nowhere;
}

/* The next place in natural order; 0 after the last. */
static int next_place(const lm_field_box *box, int64_t *x)
{
    for (int a = 0; a < box->dims; a++) {
        if (++x[a] < box->extents[a] + box->reach)
            return 1;
        x[a] = -box->reach;
    }
    return 0;
}

/* Both passes of the index. */
static int visit(lm_field_layout *l, lm_field_halo *h)
{
    int64_t x[LATMC_MAX_DIMS];
    for (int a = 0; a < l->spec->dims; a++)
        x[a] = -l->box.reach;
    do {
        outside o;
        const int good = outside_at(l, x, &o);
        if (good < 0)
            return 0;
        if (!good)
            continue;
        const int64_t at = lm_field_index_next(&h->index, o.key);
        if (at >= 0)
            h->ghosts[at] = o.ghost;
    } while (next_place(&l->box, x));
    return 1;
}

int lm_field_ghosts_make(lm_field_layout *l)
{
    lm_field_halo *h = &l->halo;
    h->shifts = lm_zeroed(NULL, what, LM_FIELD_SHIFTS, sizeof *h->shifts);
    if (!h->shifts || !lm_field_index_make(&h->index, lm_field_halo_side(l, LM_UPPER) + 1, what) ||
        !visit(l, h))
        return 0;
    h->ghosts = lm_zeroed(NULL, what, lm_field_index_counted(&h->index) + 1, sizeof *h->ghosts);
    return h->ghosts && visit(l, h);
}
