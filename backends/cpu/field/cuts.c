/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds nodes of unequal extents, for lattices that equal nodes do not divide. Colours repeat along
 * an axis except at its end. So nodes that begin where the colouring does hold sites of one colour
 * at most places. A node may also be shifted some places along axis 0, which brings a sum of
 * coordinates back into step.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/field/layout.h"
#include "lib/base/memory.h"

int64_t lm_field_longest_node(const lm_field_cut *cut)
{
    int64_t longest = 0;
    for (int k = 0; k < cut->nodes; k++) {
        const int64_t extent = cut->begin[k + 1] - cut->begin[k];
        longest = extent > longest ? extent : longest;
    }
    return longest;
}

int64_t lm_field_shortest_node(const lm_field_cut *cut)
{
    int64_t shortest = INT64_MAX;
    for (int k = 0; k < cut->nodes; k++) {
        const int64_t extent = cut->begin[k + 1] - cut->begin[k];
        shortest = extent < shortest ? extent : shortest;
    }
    return shortest;
}

int64_t lm_field_longest_shift(const lm_field_cut *cut)
{
    int64_t most = 0;
    for (int k = 0; k < cut->nodes; k++)
        most = cut->shift[k] > most ? cut->shift[k] : most;
    return most;
}

lm_field_node lm_field_node_of(const lm_field_layout *l, int v)
{
    lm_field_node n = {.shift = 0};
    for (int a = 0; a < l->spec->dims; a++) {
        const lm_field_cut *cut = &l->cuts[a];
        const int k = v % cut->nodes;
        n.begin[a] = cut->begin[k];
        n.end[a] = cut->begin[k + 1];
        n.shift += cut->shift[k];
        v /= cut->nodes;
    }
    return n;
}

/* An option to cut an axis. */
typedef struct option {
    lm_field_cut cut;
    int64_t extent, grown; /* of the largest node; by how much shifts make axis 0 longer */
    double places;         /* times the colours at a place */
} option;

enum {
    WINDOW = 64,    /* places looked at, at either end */
    MOST_UNIT = 12, /* nodes may begin at multiples of up to this number */
    NEAR = 3        /* or this far from equal parts, with a shift */
};

/* Returns what node k adds to the colour of its site at place x, or -1 if it has no site there. */
static int term(const lm_colouring *c, int axis, const lm_field_cut *cut, int k, int64_t x)
{
    const int64_t at = cut->begin[k] + x;
    if (at >= cut->begin[k + 1])
        return -1;
    return (c->sum[axis][at] + c->modulus - c->sum[0][cut->shift[k]]) % c->modulus +
           c->modulus * c->far[axis][at];
}

/* Returns how many colours the nodes' sites at place x have. */
static int colours_at(const lm_colouring *c, int axis, const lm_field_cut *cut, int64_t x)
{
    int seen[LM_FIELD_MAX_REALS], count = 0;
    for (int k = 0; k < cut->nodes; k++) {
        int i = 0;
        seen[count] = term(c, axis, cut, k, x);
        while (seen[i] != seen[count])
            i++;
        count += i == count && seen[count] >= 0;
    }
    return count;
}

static double places(const lm_colouring *c, int axis, const lm_field_cut *cut, int64_t extent)
{
    const int64_t head = extent < WINDOW ? extent : WINDOW;
    const int64_t tail = extent - head < WINDOW ? extent - head : WINDOW;
    double first = 0.0, last = 0.0;
    for (int64_t x = 0; x < head; x++)
        first += colours_at(c, axis, cut, x);
    for (int64_t x = extent - tail; x < extent; x++)
        last += colours_at(c, axis, cut, x);
    return first * (double)(extent - tail) / (double)head + last;
}

/* Returns the cost of `places` if axis 0 grows. */
static double worth(const lm_field_layout *l, const option *w)
{
    return w->places * (1.0 + 3.0 * (double)w->grown / (double)l->extents[0]);
}

/* Takes a cut if it is better than *best. It sets begin[nodes] and the least shifts. */
static void consider(const lm_field_layout *l, int axis, lm_field_cut *cut, option *best)
{
    int16_t least = 0;
    cut->begin[cut->nodes] = l->extents[axis];
    if (lm_field_shortest_node(cut) < 1)
        return;
    for (int k = 0; k < cut->nodes; k++)
        least = cut->shift[k] < least ? cut->shift[k] : least;
    for (int k = 0; k < cut->nodes; k++)
        cut->shift[k] = (int16_t)(cut->shift[k] - least);
    option w = {.extent = lm_field_longest_node(cut), .grown = lm_field_longest_shift(cut)};
    if (w.grown >= l->extents[0])
        return;
    w.places = places(&l->classes.colouring, axis, cut, w.extent);
    if (best->extent == 0 || worth(l, &w) < worth(l, best)) {
        w.cut = *cut;
        *best = w;
    }
}

/* Tries nodes that begin at multiples of `unit`. Their length is the mean, rounded up or down, or
 * they are as near to equal parts as possible. */
static void multiples(const lm_field_layout *l, int axis, int nodes, int64_t unit, option *best)
{
    const int64_t extent = l->extents[axis], step = unit * nodes;
    const int64_t up = (extent + step - 1) / step * unit, down = extent / step * unit;
    for (int rounding = 0; rounding < 3; rounding++) {
        lm_field_cut cut = {.nodes = nodes};
        for (int k = 0; k < nodes; k++)
            cut.begin[k] = rounding == 0   ? k * up
                           : rounding == 1 ? k * down
                                           : (2 * k * extent + step) / (2 * step) * unit;
        consider(l, axis, &cut, best);
    }
}

/* Tries nodes of whole blocks of a stretched colouring. */
static void whole_blocks(const lm_field_layout *l, int axis, int nodes, option *best)
{
    const int64_t extent = l->extents[axis];
    const int blocks = lm_colouring_blocks(extent, l->classes.colouring.modulus);
    lm_field_cut cut = {.nodes = nodes};
    if (!l->classes.colouring.stretched || blocks % nodes != 0)
        return;
    for (int k = 0; k < nodes; k++)
        cut.begin[k] = lm_colouring_block(extent, blocks, k * (blocks / nodes));
    consider(l, axis, &cut, best);
}

/* Returns the shortest shift, of either sign, with which a node that begins at x keeps step in the
 * sum. */
static int16_t shift_at(const lm_colouring *c, int axis, int64_t x)
{
    for (int s = 0; s < c->modulus; s++)
        for (int sign = 1; sign >= -1; sign -= 2)
            if ((c->sum[axis][x] + (c->modulus - sign * s) * c->sum[0][1]) % c->modulus == 0)
                return (int16_t)(sign * s);
    return 0;
}

/* Tries nodes of nearly equal extents, a few sites longer or shorter to get short shifts. */
static void shifted(const lm_field_layout *l, int axis, int nodes, option *best)
{
    const int64_t extent = l->extents[axis];
    lm_field_cut cut = {.nodes = nodes};
    for (int k = 1; k < nodes; k++) {
        const int64_t even = (2 * k * extent + nodes) / (2 * nodes);
        int64_t least = 1 << 20;
        for (int64_t x = even - NEAR; x <= even + NEAR; x++) {
            if (x < 1 || x >= extent)
                continue;
            const int16_t shift = shift_at(&l->classes.colouring, axis, x);
            const int64_t price = 4 * abs(shift) + 3 * llabs(x - even);
            if (price < least) {
                least = price;
                cut.begin[k] = x;
                cut.shift[k] = shift;
            }
        }
    }
    consider(l, axis, &cut, best);
}

static option best_option(const lm_field_layout *l, int axis, int nodes)
{
    const lm_colouring *c = &l->classes.colouring;
    option best = {.extent = 0};
    for (int64_t unit = 1; unit <= MOST_UNIT; unit++)
        multiples(l, axis, nodes, unit, &best);
    multiples(l, axis, nodes, c->modulus, &best);
    whole_blocks(l, axis, nodes, &best);
    if (c->modulus > 1 && !c->stretched && c->far_numbers[0] == 1 && c->far_numbers[axis] == 1)
        shifted(l, axis, nodes, &best);
    return best;
}

typedef struct search {
    const lm_field_layout *layout;
    option options[LATMC_MAX_DIMS][LM_FIELD_MAX_REALS]; /* [axis][nodes - 1] */
    const option *chosen[LATMC_MAX_DIMS], *best[LATMC_MAX_DIMS];
    double least;
} search;

/* Returns the vectors of a sweep, including the cost of copies. */
static double cost(const search *s)
{
    const int dims = s->layout->spec->dims;
    int64_t extents[LATMC_MAX_DIMS], grown = 0;
    double vectors = 1.0;
    int nodes = 1;
    for (int a = 0; a < dims; a++) {
        extents[a] = s->chosen[a]->extent;
        vectors *= s->chosen[a]->places;
        grown += s->chosen[a]->grown;
        nodes *= s->chosen[a]->cut.nodes;
    }
    if (!lm_field_has_room(s->layout, extents, grown, nodes))
        return 1e301;
    vectors *= 1.0 + (double)grown / (double)extents[0];
    return vectors * (1.0 + lm_field_nodes_cost(s->layout, extents, 0));
}

static void choose(search *s, int axis, int64_t left)
{
    if (axis == s->layout->spec->dims || axis == LATMC_MAX_DIMS) {
        const double all = cost(s);
        if (all < s->least) {
            s->least = all;
            memcpy(s->best, s->chosen, sizeof s->best);
        }
        return;
    }
    for (int n = 1; n <= left && n <= lm_field_most_nodes(s->layout, axis); n++) {
        s->chosen[axis] = &s->options[axis][n - 1];
        if (s->chosen[axis]->extent > 0)
            choose(s, axis + 1, left / n);
    }
}

latmc_status lm_field_cut_unequally(lm_field_layout *l, double limit, int *found)
{
    /* The search is too large for the stack of a small thread. */
    search *s = lm_zeroed(NULL, "the ways to cut a lattice", 1, sizeof *s);
    double sites = 1.0;
    if (!s)
        return LATMC_ERROR_MEMORY;
    s->layout = l;
    s->least = 1e300;
    for (int a = 0; a < l->spec->dims; a++) {
        sites *= (double)l->extents[a];
        for (int n = 1; n <= l->lane->reals && n <= lm_field_most_nodes(l, a); n++)
            s->options[a][n - 1] = best_option(l, a, n);
    }
    choose(s, 0, l->lane->reals);
    *found = s->least * l->lane->reals / sites <= 0.9 * limit;
    for (int a = 0; a < l->spec->dims && *found; a++)
        l->cuts[a] = s->best[a]->cut;
    free(s);
    return LATMC_OK;
}
