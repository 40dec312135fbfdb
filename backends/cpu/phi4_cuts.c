/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes of unequal extents, for lattices that equal ones do not divide: where to cut the axes.
 * Colours repeat along an axis but for its end, so nodes that begin where the colouring does hold
 * sites of one colour at most places. A node may also lie some places further along axis 0, which
 * brings a sum of coordinates back into step.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/phi4_plan.h"

/* A way to cut an axis. */
typedef struct way {
    lm_phi4_cut cut;
    int64_t extent, grown;    /* of the largest node; by which shifts make axis 0 longer */
    double places[2], either; /* times the colours at a place, in each colouring; their sum */
} way;

enum { WINDOW = 64 }; /* places looked at, at either end */

/* How many parts the nodes' sites at place x have. */
static int parts_at(const lm_colouring *c, int axis, const lm_phi4_cut *cut, int64_t x)
{
    uint64_t seen[4] = {0};
    int count = 0;
    for (int k = 0; k < cut->nodes; k++) {
        const int64_t at = cut->begin[k] + x;
        if (at >= cut->begin[k + 1])
            continue;
        const int part = c->part[axis][at];
        count += !(seen[part / 64] >> part % 64 & 1);
        seen[part / 64] |= (uint64_t)1 << part % 64;
    }
    return count;
}

/* How many values the nodes' sums of coordinates have at a place. */
static int sums_at(const lm_colouring *c, int axis, const lm_phi4_cut *cut)
{
    unsigned char seen[256] = {0};
    int count = 0;
    for (int k = 0; k < cut->nodes; k++) {
        const int sum =
            (c->sum[axis][cut->begin[k]] + c->modulus - c->sum[0][cut->shift[k]]) % c->modulus;
        count += !seen[sum];
        seen[sum] = 1;
    }
    return count;
}

static double places(const lm_colouring *c, int axis, const lm_phi4_cut *cut, int64_t extent)
{
    const int64_t head = extent < WINDOW ? extent : WINDOW;
    const int64_t tail = extent - head < WINDOW ? extent - head : WINDOW;
    double first = 0.0, last = 0.0;
    for (int64_t x = 0; x < head; x++)
        first += parts_at(c, axis, cut, x);
    for (int64_t x = extent - tail; x < extent; x++)
        last += parts_at(c, axis, cut, x);
    return (first * (double)(extent - tail) / (double)head + last) * sums_at(c, axis, cut);
}

/* Takes a cut if it is better than *best; begin[nodes] and least shifts are set here. */
static void consider(const lm_phi4_plan *p, int axis, lm_phi4_cut *cut, way *best)
{
    way w = {.extent = 0};
    int64_t least = 0;
    cut->begin[cut->nodes] = p->spec.extents[axis];
    for (int k = 0; k < cut->nodes; k++) {
        const int64_t extent = cut->begin[k + 1] - cut->begin[k];
        if (extent < 1)
            return;
        w.extent = extent > w.extent ? extent : w.extent;
        least = cut->shift[k] < least ? cut->shift[k] : least;
    }
    for (int k = 0; k < cut->nodes; k++) {
        cut->shift[k] -= least;
        w.grown = cut->shift[k] > w.grown ? cut->shift[k] : w.grown;
    }
    if (w.grown >= p->spec.extents[0])
        return;
    w.cut = *cut;
    for (int i = 0; i < 2; i++) {
        w.places[i] = places(&p->classes[i].colouring, axis, cut, w.extent);
        w.either += w.places[i];
    }
    w.either *= 1.0 + 3.0 * (double)w.grown / (double)p->spec.extents[0];
    if (w.either < best->either)
        *best = w;
}

/* Nodes that begin at multiples of `unit`: as long as the mean, rounded up or down; or as near to
 * equal parts as may be. */
static void multiples(const lm_phi4_plan *p, int axis, int nodes, int64_t unit, way *best)
{
    const int64_t extent = p->spec.extents[axis], step = unit * nodes;
    const int64_t up = (extent + step - 1) / step * unit, down = extent / step * unit;
    for (int way = 0; way < 3; way++) {
        lm_phi4_cut cut = {.nodes = nodes};
        for (int k = 0; k < nodes; k++)
            cut.begin[k] = way == 0   ? k * up
                           : way == 1 ? k * down
                                      : (2 * k * extent + step) / (2 * step) * unit;
        consider(p, axis, &cut, best);
    }
}

/* The least shift, of either sign, with which a node that begins at x keeps step in the sum of the
 * far colouring and, if `both`, in that of the near one. */
static int64_t shift_at(const lm_phi4_plan *p, int axis, int64_t x, int both)
{
    const lm_colouring *far = &p->classes[1].colouring;
    for (int64_t s = 0; s < 2 * far->modulus; s++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            const int64_t off = (far->sum[axis][x] - sign * s) % far->modulus;
            if (off == 0 && (!both || (x - s) % 2 == 0))
                return sign * s;
        }
    return 0;
}

/* Nodes of nearly equal extents, a few sites longer or shorter for the sake of short shifts. */
static void shifted(const lm_phi4_plan *p, int axis, int nodes, int both, way *best)
{
    const int64_t extent = p->spec.extents[axis];
    lm_phi4_cut cut = {.nodes = nodes};
    for (int k = 1; k < nodes; k++) {
        const int64_t even = (2 * k * extent + nodes) / (2 * nodes);
        int64_t least = 1 << 20;
        for (int64_t x = even - 3; x <= even + 3; x++) {
            if (x < 1 || x >= extent)
                continue;
            const int64_t shift = shift_at(p, axis, x, both);
            const int64_t price = 4 * llabs(shift) + 3 * llabs(x - even);
            if (price < least) {
                least = price;
                cut.begin[k] = x;
                cut.shift[k] = shift;
            }
        }
    }
    consider(p, axis, &cut, best);
}

static way best_way(const lm_phi4_plan *p, int axis, int nodes)
{
    const lm_colouring *far = &p->classes[1].colouring;
    way best = {.either = 1e300};
    for (int64_t unit = 1; unit <= 12; unit++)
        multiples(p, axis, nodes, unit, &best);
    multiples(p, axis, nodes, far->modulus, &best);
    multiples(p, axis, nodes, 2 * far->modulus, &best);
    if (far->modulus > 1 && far->parts[0] == 1 && far->parts[axis] == 1)
        for (int both = 0; both < 2; both++)
            shifted(p, axis, nodes, both, &best);
    return best;
}

/* The vectors of a sweep, the mean of both colourings. */
static double vectors(const lm_phi4_plan *p, const way *const *ways)
{
    double sum = 0.0, grown = 0.0;
    for (int a = 0; a < p->spec.dims; a++)
        grown += (double)ways[a]->grown;
    for (int i = 0; i < 2; i++) {
        double product = 1.0 + grown / (double)ways[0]->extent;
        for (int a = 0; a < p->spec.dims; a++)
            product *= ways[a]->places[i];
        sum += product / 2.0;
    }
    return sum;
}

typedef struct search {
    lm_phi4_plan *plan;
    way ways[LATMC_MAX_DIMS][LM_BOX_MAX_REALS]; /* [axis][nodes - 1] */
    const way *chosen[LATMC_MAX_DIMS], *best[LATMC_MAX_DIMS];
    double least;
} search;

static void choose(search *s, int axis, int64_t room)
{
    const lm_phi4_plan *p = s->plan;
    if (axis < p->spec.dims) {
        for (int n = 1; n <= room && n <= p->spec.extents[axis]; n++) {
            s->chosen[axis] = &s->ways[axis][n - 1];
            if (s->chosen[axis]->either < 1e300)
                choose(s, axis + 1, room / n);
        }
        return;
    }
    int64_t extents[LATMC_MAX_DIMS];
    for (int a = 0; a < p->spec.dims; a++)
        extents[a] = s->chosen[a]->extent;
    const double cost = vectors(p, s->chosen) * (1.0 + lm_phi4_halo_cost(p, extents));
    if (cost < s->least) {
        s->least = cost;
        memcpy(s->best, s->chosen, sizeof s->best);
    }
}

int lm_phi4_cut_unevenly(lm_phi4_plan *p, double cost)
{
    search s = {.plan = p, .least = 1e300};
    double sites = 1.0;
    for (int a = 0; a < p->spec.dims; a++) {
        sites *= (double)p->spec.extents[a];
        for (int n = 1; n <= p->lane->reals && n <= p->spec.extents[a]; n++)
            s.ways[a][n - 1] = best_way(p, a, n);
    }
    choose(&s, 0, p->lane->reals);
    if (s.least * p->lane->reals / sites > 0.9 * cost || sites > 1e9)
        return 0;
    for (int a = 0; a < p->spec.dims; a++)
        p->cuts[a] = s.best[a]->cut;
    return 1;
}
