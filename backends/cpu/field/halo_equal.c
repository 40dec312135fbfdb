/* SPDX-License-Identifier: BSD-3-Clause */
/* The places outside a node's box that repeat sites: which, of which nodes, in which order. */
#include <stdlib.h>

#include "backends/cpu/field/layout.h"
#include "lib/memory.h"
#include "lib/physics/geometry.h"

static const char what[] = "the surroundings of the nodes";

/* A place outside the box. */
typedef struct outside {
    lm_field_ghost ghost;
    int64_t inside[LATMC_MAX_DIMS]; /* where in the box its value comes from */
    int64_t row;                    /* of those coordinates */
} outside;

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
    int64_t steps = 0, shift[LATMC_MAX_DIMS], code = 0;
    *o = (outside){.row = 0};
    for (int a = l->spec->dims - 1; a >= 0; a--) {
        const int64_t extent = l->box.extents[a];
        steps += x[a] < 0 ? -x[a] : x[a] >= extent ? x[a] - extent + 1 : 0;
        shift[a] = x[a] >= 0 ? x[a] / extent : -((extent - 1 - x[a]) / extent);
        o->inside[a] = x[a] - shift[a] * extent;
        o->ghost.to += x[a] * l->box.stride[a];
        o->ghost.from += o->inside[a] * l->box.stride[a];
        o->row = a > 0 ? o->row * extent + o->inside[a] : o->row;
        code = 5 * code + shift[a] + 2;
    }
    o->ghost.shift = (int32_t)code;
    if (steps < 1 || steps > l->box.reach)
        return 0;
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
        const int colour = lm_colour_of(&l->classes.colouring, o.inside);
        const int64_t at = lm_field_index_next(&h->index, colour * l->box.rows + o.row);
        if (at >= 0)
            h->ghosts[at] = o.ghost;
    } while (next_place(&l->box, x));
    return 1;
}

int lm_field_ghosts_make(lm_field_layout *l)
{
    lm_field_halo *h = &l->halo;
    h->shifts = lm_zeroed(NULL, what, LM_FIELD_SHIFTS, sizeof *h->shifts);
    if (!h->shifts ||
        !lm_field_index_make(&h->index, l->classes.colouring.colours * l->box.rows, what) ||
        !visit(l, h))
        return 0;
    h->ghosts = lm_zeroed(NULL, what, lm_field_index_counted(&h->index) + 1, sizeof *h->ghosts);
    return h->ghosts && visit(l, h);
}
