/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a field model's sites, after doc/trajectory.md: colours, tiles; after
 * doc/trajectory-phi4.md: sweeps, tuning. */
#ifndef LM_TESTS_PHI4_NAIVE_SWEEP_H
#define LM_TESTS_PHI4_NAIVE_SWEEP_H

#include "tests/models/phi4_naive.h"

/* ---- colours */

static inline int naive_closed(const field_model *m, int axis)
{
    return m->boundaries[axis] != O;
}

static inline int naive_size(const field_model *m, int set)
{
    int size = 0;

    for (int a = 0; a < m->dims; a++)
        size += set >> a & 1;
    return size;
}

/* The modulus of the plain sum of the axes in S, or 0. */
static inline int naive_plain_modulus(const field_model *m, int set)
{
    for (int modulus = 2 * naive_size(m, set) + 1; modulus <= 255; modulus++) {
        int divides = 1;
        for (int a = 0; a < m->dims; a++)
            if (set >> a & 1 && naive_closed(m, a) && m->extents[a] % modulus != 0)
                divides = 0;
        if (divides)
            return modulus;
    }
    return 0;
}

/* The modulus of the sum of the axes in S, plain or stretched, or 0. */
static inline int naive_modulus(const field_model *m, int set, int *stretched)
{
    const int plain = naive_plain_modulus(m, set);
    const int other = (const int[]){1, 5, 10, 13, 17}[naive_size(m, set)];
    int fits = 1;

    *stretched = 0;
    if (set == 0)
        return 1;
    for (int a = 0; a < m->dims; a++)
        if (set >> a & 1 && naive_closed(m, a) && 2 * m->extents[a] < other)
            fits = 0;
    if (!fits || (plain > 0 && plain <= other))
        return plain;
    *stretched = 1;
    return other;
}

/* u(x): block after block, from the sites of each. */
static inline int naive_stretch(int extent, int x, int modulus)
{
    const int parts = 2 * extent < modulus                        ? 0
                      : 2 * extent >= 4 * (modulus + modulus % 2) ? 4
                      : 2 * extent >= 2 * (modulus + modulus % 2) ? 2
                                                                  : 1;
    int sites[4] = {extent, 0, 0, 0}, k = 0, longer;

    if (parts == 0)
        return x;
    if (parts > 1) {
        sites[0] = extent / 2;
        sites[1] = extent - extent / 2;
    }
    if (parts > 2) {
        sites[2] = sites[0] / 2 + (extent % 4 == 3);
        sites[3] = sites[1] - sites[2];
        sites[1] = sites[0] - sites[2];
        sites[0] = sites[2];
    }
    const int least = extent / parts;
    for (longer = modulus; longer < least + 1; longer += modulus)
        ;
    for (; x >= sites[k]; k++)
        x -= sites[k];
    return x == least ? longer - 1 : (int)((double)x * (longer - 2) / (least - 1) + 1e-9);
}

/* p_a(x) of an axis that stands apart; how many values it takes. */
static inline int naive_apart(const field_model *m, int axis, int x, int *values)
{
    const int extent = (int)m->extents[axis];

    *values = 3;
    if (!naive_closed(m, axis) || extent % 3 == 0)
        return x % 3;
    *values = extent == 5 ? 5 : 4;
    if (extent == 5)
        return x;
    const int t = extent - 4 * (extent % 3);
    return x < t ? x % 3 : (x - t) % 4;
}

/* Colour of a site with the axes of S sharing a sum; *colours is 0 if that is not possible. */
static inline int naive_far_colour_with(const field_model *m, int set, int site, int *colours)
{
    int stretched, sum = 0, apart = 0, size = 0, places = 1;
    const int modulus = naive_modulus(m, set, &stretched);

    for (int a = 0; a < m->dims; a++) {
        const int x = field_coordinate(m, site, a);
        int values;
        if (set >> a & 1) {
            sum += stretched ? (const int[]){1, 3, 4, 5}[size] *
                                   naive_stretch((int)m->extents[a], x, modulus)
                             : (size + 1) * x;
            size++;
            continue;
        }
        apart += places * naive_apart(m, a, x, &values);
        places *= values;
    }
    *colours = modulus * places;
    return modulus ? sum % modulus + modulus * apart : 0;
}

/* The set S with the fewest colours; of equals the greatest. */
static inline int naive_best_set(const field_model *m)
{
    int best = 0, least = 0;

    for (int set = (1 << m->dims) - 1; set >= 0; set--) {
        int count;
        naive_far_colour_with(m, set, 0, &count);
        if (count > 0 && (least == 0 || count < least)) {
            least = count;
            best = set;
        }
    }
    return best;
}

static inline int naive_near_colour(const field_model *m, int site, int *colours)
{
    int sum = 0;

    *colours = 2;
    for (int a = 0; a < m->dims; a++) {
        const int extent = (int)m->extents[a], x = field_coordinate(m, site, a);
        const int odd_ring = naive_closed(m, a) && extent % 2 == 1;
        if (odd_ring)
            *colours = 3;
        sum += odd_ring && x == extent - 1 ? 2 : x % 2;
    }
    return sum % *colours;
}

static inline void naive_set_colours(naive_field *n)
{
    const field_model *m = &n->m;

    for (int i = 0, best = naive_best_set(m); i < n->sites; i++)
        n->colour[i] = field_has_cutoff(m) ? naive_far_colour_with(m, best, i, &n->colours)
                                           : naive_near_colour(m, i, &n->colours);
}

static inline naive_field naive_field_of(const field_model *m, latmc_type type, uint64_t seed,
                                         uint64_t replica)
{
    naive_field n = {.m = *m,
                     .sites = field_sites(m),
                     .single = type == LATMC_FLOAT32,
                     .seed = seed,
                     .replica = replica,
                     .proposals = 1};

    n.colour = malloc((size_t)n.sites * sizeof *n.colour);
    n.phi = malloc((size_t)n.sites * sizeof *n.phi);
    assert_true(n.colour && n.phi);
    naive_set_colours(&n);
    return n;
}

static inline void naive_field_free(naive_field *n)
{
    free(n->colour);
    free(n->phi);
}

static inline void naive_field_start(naive_field *n, latmc_start_mode mode)
{
    for (int i = 0; i < n->sites; i++)
        n->phi[i] = mode == LATMC_START_COLD
                        ? 1.0
                        : (naive_word(n, i, 0, 0, NAIVE_START) >> 9) / 4194304.0 - 1.0;
    n->step = 0;
    n->accepted = 0;
}

/* ---- tiles */

static inline int naive_tiles(const field_model *m, int axis)
{
    const int most = (const int[]){0, 256, 16, 8, 4}[m->dims], extent = (int)m->extents[axis];

    return extent >= 4 ? 2 * ((extent + 2 * most - 1) / (2 * most)) : 1;
}

/* The number of the tile that coordinate x is in; its first coordinate. */
static inline int naive_tile(const field_model *m, int axis, int x, int *first)
{
    const int count = naive_tiles(m, axis), extent = (int)m->extents[axis];
    int k = 0;

    while ((k + 1) * extent / count <= x)
        k++;
    *first = k * extent / count;
    return k;
}

static inline int naive_tile_modulus(const field_model *m)
{
    return field_has_cutoff(m) ? (const int[]){0, 4, 8, 8, 9}[m->dims] : 2;
}

/* The sub-grid of a site's tile, and the site's colour inside it. */
static inline int naive_sub_grid(const field_model *m, int site, int *colour)
{
    int q = 0, sum = 0, last = 0;

    for (int a = 0; a < m->dims; a++) {
        const int x = field_coordinate(m, site, a);
        int first;
        last = naive_tile(m, a, x, &first) % 2;
        q += last << a;
        sum += (field_has_cutoff(m) ? a + 1 : 1) * (x - first);
    }
    *colour = sum % naive_tile_modulus(m);
    return m->dims >= 3 && last ? (1 << m->dims) - 1 - q : q;
}

/* Sites of a group, along axis 0 of a tile, share the blocks of its first site. */
static inline naive_draws naive_tile_draws(const naive_field *n, int site, int colour, int local)
{
    const int hits = n->m.hits, sharing = hits == 1 ? 4 : hits == 2 ? 2 : 1;
    const int x = field_coordinate(&n->m, site, 0);
    int first;

    naive_tile(&n->m, 0, x, &first);
    return (naive_draws){.index = site - (x - first) % naive_tile_modulus(&n->m),
                         .block = 65536 * (colour / sharing) + local * ((hits + 3) / 4),
                         .word = colour % sharing * hits,
                         .tie = local * hits};
}

/* own[site]: the colours of a sub-grid's sites, -1 of all others. */
static inline void naive_visit(naive_field *n, const int *own, int colour, int local)
{
    for (int i = 0; i < n->sites; i++)
        if (own[i] == colour) {
            const naive_draws draws = naive_tile_draws(n, i, colour, local);
            naive_hits(n, i, &draws);
        }
}

/* Tiles of one sub-grid do not see each other, so they may be treated together. */
static inline void naive_sub_grid_sweep(naive_field *n, int sub_grid)
{
    int *own = malloc((size_t)n->sites * sizeof *own);

    assert_non_null(own);
    for (int i = 0; i < n->sites; i++) {
        int colour;
        own[i] = naive_sub_grid(&n->m, i, &colour) == sub_grid ? colour : -1;
    }
    for (int local = 0; local < n->m.local_sweeps; local++)
        for (int c = 0; c < naive_tile_modulus(&n->m); c++)
            naive_visit(n, own, c, local);
    free(own);
}

static inline void naive_blocks(naive_field *n)
{
    for (int q = 0; q < 1 << n->m.dims; q++)
        naive_sub_grid_sweep(n, q);
}

/* ---- sweeps */

static inline void naive_colour_sweep(naive_field *n, latmc_update update, int colour)
{
    for (int i = 0; i < n->sites; i++) {
        if (n->colour[i] != colour)
            continue;
        if (update == LATMC_OVERRELAX)
            naive_reflect(n, i);
        else
            naive_hits(n, i, &(naive_draws){.index = i});
    }
}

static inline void naive_colours(naive_field *n, latmc_update update)
{
    for (int c = 0; c < n->colours; c++)
        naive_colour_sweep(n, update, c);
}

static inline void naive_field_sweep(naive_field *n, latmc_update update)
{
    n->accepted = 0;
    n->proposals = update == LATMC_OVERRELAX ? 1 : n->m.hits;
    if (update == LATMC_BLOCK_METROPOLIS) {
        n->proposals *= n->m.local_sweeps;
        naive_blocks(n);
    } else {
        naive_colours(n, update);
    }
    n->step++;
}

static inline double naive_acceptance(const naive_field *n)
{
    return (double)n->accepted / n->proposals / n->sites;
}

static inline void naive_tune(naive_field *n, latmc_update update, int sweeps, double target)
{
    for (int j = 0; j < sweeps; j++) {
        naive_field_sweep(n, update);
        const double q = fmin(fmax(naive_acceptance(n) / target, 0.5), 2.0);
        n->m.epsilon = n->m.epsilon * (1.0 + (q - 1.0) * 8.0 / (8.0 + j));
        n->m.epsilon = fmin(fmax(n->m.epsilon, 1e-6), 1e6);
    }
}

#endif
