/* SPDX-License-Identifier: BSD-3-Clause */
/* The places outside a node's box that repeat sites: which, of which nodes, in which order. */
#include <stdlib.h>

#include "backends/cpu/field/layout.h"
#include "lib/memory.h"

enum { SHIFTS = 625 }; /* 5^4: every axis by -2 .. 2 */

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
    s->node = lm_zeroed(NULL, what, l->box.nodes, sizeof *s->node);
    s->sign = lm_zeroed(NULL, what, l->box.nodes, sizeof *s->sign);
    for (int v = 0; s->node && s->sign && v < l->box.nodes; v++) {
        int64_t rest = v, stride = 1, node = 0;
        float sign = 1.0f;
        for (int a = 0; a < l->spec->dims; a++) {
            const int64_t n = l->cuts[a].nodes;
            int64_t k = rest % n + shift[a];
            for (; k < 0 || k >= n; k += k < 0 ? n : -n)
                sign *= l->spec->boundaries[a] == LATMC_OPEN           ? 0.0f
                        : l->spec->boundaries[a] == LATMC_ANTIPERIODIC ? -1.0f
                                                                       : 1.0f;
            node += k * stride;
            rest /= n;
            stride *= n;
        }
        s->node[v] = (int32_t)node;
        s->sign[v] = sign;
        s->nowhere &= sign == 0.0f;
    }
    return s->node && s->sign;
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
    if (!fill_shift(l, shift, &l->shifts[code]))
        return -1;
    return !l->shifts[code].nowhere;
}

/* The next place in natural order; 0 after the last. */
static int next_place(const lm_field_box *box, int64_t *x)
{
    for (int a = 0; a < box->dims; a++) {
        if (++x[a] < box->extents[a] + LM_FIELD_HALO)
            return 1;
        x[a] = -LM_FIELD_HALO;
    }
    return 0;
}

/* Counts the places of each colour and row in begin[.. + 2]; or, with a list, puts each at
 * begin[.. + 1] and moves that on. */
static int visit(lm_field_layout *l, const lm_colouring *c, int64_t *begin, lm_field_ghost *list)
{
    int64_t x[LATMC_MAX_DIMS];
    for (int a = 0; a < l->spec->dims; a++)
        x[a] = -LM_FIELD_HALO;
    do {
        outside o;
        const int good = outside_at(l, x, &o);
        if (good < 0)
            return 0;
        if (!good)
            continue;
        const int64_t key = lm_colour_of(c, o.inside) * l->box.rows + o.row;
        if (list)
            list[begin[key + 1]++] = o.ghost;
        else
            begin[key + 2]++;
    } while (next_place(&l->box, x));
    return 1;
}

static int make(lm_field_layout *l, const lm_colouring *c, lm_field_ghosts *g)
{
    const int64_t keys = c->colours * l->box.rows;
    g->begin = lm_zeroed(NULL, what, keys + 2, sizeof *g->begin);
    if (!g->begin || !visit(l, c, g->begin, NULL))
        return 0;
    g->count = lm_field_prefix_sum(g->begin, keys);
    g->list = lm_zeroed(NULL, what, g->count + 1, sizeof *g->list);
    return g->list && visit(l, c, g->begin, g->list);
}

int lm_field_ghosts_make(lm_field_layout *l)
{
    l->shifts = lm_zeroed(NULL, what, SHIFTS, sizeof *l->shifts);
    for (int s = 0; l->shifts && s < SHIFTS; s++)
        l->shifts[s].nowhere = 1;
    return l->shifts && make(l, &l->classes.colouring, &l->ghosts);
}

void lm_field_ghosts_free(lm_field_layout *l)
{
    free(l->ghosts.list);
    free(l->ghosts.begin);
    for (int s = 0; l->shifts && s < SHIFTS; s++) {
        free(l->shifts[s].node);
        free(l->shifts[s].sign);
    }
    free(l->shifts);
    l->ghosts = (lm_field_ghosts){.count = 0};
    l->shifts = NULL;
}
