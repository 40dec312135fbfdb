/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables of a pair of replicas from what latmc_get_sites() gives, one site after another:
 * doc/trajectory.md, "Sums over pairs". */
#ifndef LM_TESTS_PAIR_BY_HAND_H
#define LM_TESTS_PAIR_BY_HAND_H

#include <string.h>

#include "tests/inside.h"
#include "tests/models/phi4_naive_sums.h"
#include "tests/models/suite.h"

enum { HAND_BLOCK = 1024, HAND_STRIDE = 32 };

typedef struct hand {
    const latmc_lattice *lattice;
    int dims, components, whole, states; /* whole: spins; states: of Potts */
    int64_t sites, layers, extents[LATMC_MAX_DIMS];
    double *value[2]; /* [site][component] */
    double *bonds[2]; /* own couplings, [axis][site]; NULL: all 1 */
    const double *waves[LATMC_MAX_DIMS];
} hand;

/* Which sum. */
typedef struct hand_term {
    double (*add)(const hand *h, const struct hand_term *term, int64_t i);
    int axis, mu, nu, part;
} hand_term;

/* Blocks, of each by 32 partial sums, until one number is left; the numbers are overwritten. */
static inline double hand_shaped_sum(double *x, int64_t n)
{
    while (n > 1) {
        int64_t blocks = 0;

        for (int64_t first = 0; first < n; first += HAND_BLOCK) {
            double part[HAND_STRIDE] = {0.0};

            for (int64_t i = 0; i < HAND_BLOCK && first + i < n; i++)
                part[i % HAND_STRIDE] += x[first + i];
            for (int half = HAND_STRIDE / 2; half > 0; half /= 2)
                for (int j = 0; j < half; j++)
                    part[j] += part[j + half];
            x[blocks++] = part[0];
        }
        n = blocks;
    }
    return x[0];
}

static inline double hand_sum(const hand *h, const hand_term *term)
{
    const int64_t each = h->sites / h->layers;
    double *x = suite_room(h->sites, sizeof *x), sum;

    for (int64_t i = 0; i < h->sites; i++)
        x[i] = term->add(h, term, i);
    for (int64_t l = 0; l < h->layers; l++)
        x[l] = hand_shaped_sum(x + l * each, each);
    sum = hand_shaped_sum(x, h->layers);
    free(x);
    return sum;
}

/* ---- sites */

/* Sites as doubles, [site][component]. */
static inline double *hand_sites(latmc_lattice *lattice, int64_t replica)
{
    const latmc_lattice_info info = info_of(lattice);
    const latmc_type type = (latmc_type)info.type;
    const int64_t count = info.sites * info.components;
    void *sites = suite_room(count, suite_bytes(type));
    double *numbers = suite_room(count, sizeof *numbers);

    ok(get_replica(lattice, replica, type, sites, count));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = suite_site(type, sites, i);
    free(sites);
    return numbers;
}

static inline int64_t hand_coordinate(const hand *h, int64_t i, int axis)
{
    for (int a = 0; a < axis; a++)
        i /= h->extents[a];
    return i % h->extents[axis];
}

/* One step up, around the end. */
static inline int64_t hand_up(const hand *h, int64_t i, int axis)
{
    int64_t step = 1;

    for (int a = 0; a < axis; a++)
        step *= h->extents[a];
    return hand_coordinate(h, i, axis) + 1 < h->extents[axis] ? i + step
                                                              : i + step - step * h->extents[axis];
}

static inline double hand_dot(const hand *h, int which, int64_t i, int other, int64_t j)
{
    const double *x = h->value[which] + i * h->components, *y = h->value[other] + j * h->components;
    double dot = x[0] * y[0];

    if (h->states)
        return x[0] == y[0] ? 1.0 : 0.0;
    for (int c = 1; c < h->components; c++)
        dot += x[c] * y[c];
    return dot;
}

/* ---- terms */

static inline double hand_q(const hand *h, const hand_term *term, int64_t i)
{
    (void)term;
    return hand_dot(h, 0, i, 1, i);
}

static inline double hand_element(const hand *h, const hand_term *term, int64_t i)
{
    return h->value[0][i * h->components + term->mu] * h->value[1][i * h->components + term->nu];
}

static inline double hand_wave(const hand *h, const hand_term *term, int64_t i)
{
    return h->waves[term->axis][2 * hand_coordinate(h, i, term->axis) + term->part];
}

static inline double hand_q_wave(const hand *h, const hand_term *term, int64_t i)
{
    return hand_q(h, term, i) * hand_wave(h, term, i);
}

static inline double hand_element_wave(const hand *h, const hand_term *term, int64_t i)
{
    return hand_element(h, term, i) * hand_wave(h, term, i);
}

static inline double hand_counts(const hand *h, const hand_term *term, int64_t i)
{
    const int a = term->axis;

    if (h->lattice->boundaries[a] == LATMC_OPEN && hand_coordinate(h, i, a) == h->extents[a] - 1)
        return 0.0;
    for (int which = 0; which < 2; which++)
        if (h->bonds[which] && h->bonds[which][a * h->sites + i] == 0.0)
            return 0.0;
    return 1.0;
}

static inline double hand_link(const hand *h, const hand_term *term, int64_t i)
{
    const int64_t j = hand_up(h, i, term->axis);

    return hand_counts(h, term, i) != 0.0 ? hand_dot(h, 0, i, 0, j) * hand_dot(h, 1, i, 1, j) : 0.0;
}

/* s(up) . (s x s(down)), 0 at open ends. */
static inline double hand_kappa(const hand *h, int which, int axis, int64_t i)
{
    const int64_t x = hand_coordinate(h, i, axis), last = h->extents[axis] - 1;
    int64_t down = i;
    double kappa = 0.0;

    if (h->lattice->boundaries[axis] == LATMC_OPEN && (x == 0 || x == last))
        return 0.0;
    for (int64_t k = 0; k < last; k++)
        down = hand_up(h, down, axis);
    const double *u = h->value[which] + 3 * hand_up(h, i, axis), *s = h->value[which] + 3 * i,
                 *d = h->value[which] + 3 * down;
    for (int c = 0; c < 3; c++) {
        const int e = (c + 1) % 3, f = (c + 2) % 3;
        const double left = s[e] * d[f], right = s[f] * d[e];
        kappa = c == 0 ? (left - right) * u[0] : kappa + (left - right) * u[c];
    }
    return kappa;
}

static inline double hand_chiral(const hand *h, const hand_term *term, int64_t i)
{
    return hand_kappa(h, 0, term->axis, i) * hand_kappa(h, 1, term->axis, i);
}

static inline double hand_chiral_wave(const hand *h, const hand_term *term, int64_t i)
{
    return hand_chiral(h, term, i) * hand_wave(h, term, i);
}

/* ---- observables */

static inline double hand_link_overlap(const hand *h)
{
    double sum = 0.0, bonds = 0.0;

    for (int a = 0; a < h->dims; a++)
        if (h->lattice->type_couplings[a] != 0.0) {
            sum += hand_sum(h, &(hand_term){hand_link, .axis = a});
            bonds += hand_sum(h, &(hand_term){hand_counts, .axis = a});
        }
    return bonds > 0.0 ? sum / bonds : 0.0;
}

/* Spins: plane by plane. */
static inline double hand_planes(const hand *h, int axis, int part)
{
    double *plane = suite_room(h->extents[axis], sizeof *plane), sum;

    for (int64_t i = 0; i < h->sites; i++)
        plane[hand_coordinate(h, i, axis)] += hand_q(h, NULL, i);
    for (int64_t x = 0; x < h->extents[axis]; x++)
        plane[x] *= h->waves[axis][2 * x + part];
    sum = hand_shaped_sum(plane, h->extents[axis]);
    free(plane);
    return sum;
}

static inline double hand_structure(const hand *h, int axis)
{
    double part[2];

    if (axis >= h->dims)
        return 0.0;
    for (int p = 0; p < 2; p++)
        part[p] = h->whole ? hand_planes(h, axis, p)
                           : hand_sum(h, &(hand_term){hand_q_wave, .axis = axis, .part = p});
    return (part[0] * part[0] + part[1] * part[1]) / ((double)h->sites * (double)h->sites);
}

/* |T|^2 of an element, or of its wave along an axis >= 0. */
static inline double hand_square(const hand *h, int axis, int mu, int nu)
{
    double square = 0.0;

    for (int p = 0; p < (axis < 0 ? 1 : 2); p++) {
        const hand_term term = {axis < 0 ? hand_element : hand_element_wave, axis < 0 ? 0 : axis,
                                mu, nu, p};
        const double x = hand_sum(h, &term);

        square += x * x;
    }
    return square;
}

static inline double hand_tensor2(const hand *h, int axis)
{
    double sum = 0.0;

    if (axis >= h->dims)
        return 0.0;
    for (int mu = 0; mu < h->components; mu++) {
        sum += hand_square(h, axis, mu, mu);
        for (int nu = mu + 1; nu < h->components; nu++)
            sum += hand_square(h, axis, mu, nu) + hand_square(h, axis, nu, mu);
    }
    return sum / ((double)h->sites * (double)h->sites);
}

static inline double hand_chiral2(const hand *h, int axis)
{
    const double q = h->components == 3 && axis < h->dims
                         ? hand_sum(h, &(hand_term){hand_chiral, .axis = axis}) / (double)h->sites
                         : 0.0;
    return q * q;
}

static inline double hand_chiral_structure(const hand *h, int axis)
{
    double square = 0.0;

    for (int p = 0; p < 2 && h->components == 3 && axis < h->dims; p++) {
        const double x = hand_sum(h, &(hand_term){hand_chiral_wave, .axis = axis, .part = p});
        square += x * x;
    }
    return square / ((double)h->sites * (double)h->sites);
}

static inline double hand_value(const hand *h, latmc_quantity what)
{
    const int id = what.observable;

    if (id == LATMC_LINK_OVERLAP)
        return hand_link_overlap(h);
    if (id == LATMC_OVERLAP_STRUCTURE)
        return hand_structure(h, what.index);
    if (id == LATMC_TENSOR_OVERLAP2)
        return hand_tensor2(h, -1);
    if (id == LATMC_TENSOR_OVERLAP4)
        return hand_tensor2(h, -1) * hand_tensor2(h, -1);
    if (id == LATMC_CHIRAL_STRUCTURE)
        return hand_chiral_structure(h, what.index);
    if (id == LATMC_CHIRAL_OVERLAP2)
        return hand_chiral2(h, what.index);
    if (id == LATMC_TENSOR_STRUCTURE)
        return hand_tensor2(h, what.index);
    return hand_sum(h, &(hand_term){.add = hand_q}) / (double)h->sites;
}

/* ---- a pair */

static inline double *hand_bonds(latmc_lattice *lattice, int64_t replica)
{
    const latmc_lattice_info info = info_of(lattice);
    double *bonds = suite_room(info.dims * info.sites, sizeof *bonds);

    ok(latmc_get_bond_couplings(lattice, replica / (info.replicas / lattice->samples), bonds));
    for (int64_t i = 0; i < info.dims * info.sites && info.type != LATMC_FLOAT64; i++)
        bonds[i] = (float)bonds[i];
    return bonds;
}

/* Cosines and sines of x / period turns, [x][2], which are there from then on: those of a long axis
 * take a second, and are the same for all pairs and models. */
static inline const double *hand_waves(int64_t extent, int64_t period)
{
    typedef struct table {
        struct table *next;
        int64_t extent, period;
        double *waves;
    } table;
    static table *tables;
    table *t = tables;

    while (t && (t->extent != extent || t->period != period))
        t = t->next;
    if (t)
        return t->waves;
    t = suite_room(1, sizeof *t);
    *t = (table){tables, extent, period, suite_room(extent, 2 * sizeof *t->waves)};
    for (int64_t x = 0; x < extent; x++)
        naive_wave(x, period, &t->waves[2 * x], &t->waves[2 * x + 1]);
    tables = t;
    return t->waves;
}

/* The states of a clock become vectors in the plane. */
static inline void hand_turn(hand *h)
{
    int64_t q;

    ok(latmc_get_option(h->lattice, LATMC_Q, &q));
    h->components = 2;
    h->states = 0;
    for (int k = 0; k < 2; k++) {
        double *vectors = suite_room(2 * h->sites, sizeof *vectors);

        for (int64_t i = 0; i < h->sites; i++)
            naive_wave((int64_t)h->value[k][i], q, &vectors[2 * i], &vectors[2 * i + 1]);
        free(h->value[k]);
        h->value[k] = vectors;
    }
}

/* To be freed. Replicas by number. */
static inline hand hand_of(latmc_lattice *lattice, int64_t a, int64_t b)
{
    const latmc_lattice_info info = info_of(lattice);
    hand h = {.lattice = lattice,
              .dims = info.dims,
              .components = info.components,
              .whole = info.type == LATMC_INT8,
              .states = info.type == LATMC_UINT8,
              .sites = info.sites,
              .layers = info.dims == 1 ? 1 : info.extents[info.dims - 1]};

    h.value[0] = hand_sites(lattice, a);
    h.value[1] = hand_sites(lattice, b);
    if (info.model == LATMC_CLOCK)
        hand_turn(&h);
    for (int i = 0; i < 2 && lattice->model->couplings; i++)
        h.bonds[i] = hand_bonds(lattice, i ? b : a);
    for (int k = 0; k < h.dims; k++) {
        h.extents[k] = info.extents[k];
        h.waves[k] = hand_waves(h.extents[k], h.extents[k]);
    }
    return h;
}

static inline void hand_free(hand *h)
{
    for (int i = 0; i < 2; i++) {
        free(h->value[i]);
        free(h->bonds[i]);
    }
}

#endif
