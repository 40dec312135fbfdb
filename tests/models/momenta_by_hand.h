/* SPDX-License-Identifier: BSD-3-Clause */
/* Structure factors of replicas and of pairs at any momenta from what latmc_get_sites() gives, one
 * bar after another: doc/trajectory.md, "Momenta". */
#ifndef LM_TESTS_MOMENTA_BY_HAND_H
#define LM_TESTS_MOMENTA_BY_HAND_H

#include "lib/settings/momenta.h"
#include "tests/models/pair_by_hand.h"

enum { HAND_BAR = 16 };

typedef struct hand_complex {
    double re, im;
} hand_complex;

static inline hand_complex hand_product(hand_complex a, hand_complex b)
{
    return (hand_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* exp(i pi n x / L) along an axis. */
static inline hand_complex hand_factor(const hand *h, int axis, int64_t n, int64_t x)
{
    const int64_t period = 2 * h->extents[axis];
    const double *waves = hand_waves(period, period);
    int64_t m = n * x % period;

    m = m < 0 ? m + period : m;
    return (hand_complex){waves[2 * m], waves[2 * m + 1]};
}

/* Neighbours of eight numbers, until one is left. */
static inline double hand_eight(double *x)
{
    for (int left = 4; left > 0; left /= 2)
        for (int i = 0; i < left; i++)
            x[i] = x[2 * i] + x[2 * i + 1];
    return x[0];
}

/* What a site adds: of some kind, to component k. */
typedef double hand_added(const hand *h, int k, int64_t i);

/* The element of the bar of sites from i on. */
static inline hand_complex hand_bar(const hand *h, hand_added *add, int k, const int64_t *n,
                                    int64_t i)
{
    double re[2][8] = {{0.0}}, im[2][8] = {{0.0}};
    const int64_t x = hand_coordinate(h, i, 0);
    hand_complex outer = {1.0, 0.0}, z;

    for (int64_t s = 0; s < HAND_BAR && x + s < h->extents[0]; s++) {
        const hand_complex factor = hand_factor(h, 0, n[0], s);
        const double term = add(h, k, i + s);

        re[s % 2][s / 2] = term * factor.re;
        im[s % 2][s / 2] = term * factor.im;
    }
    z.re = hand_eight(re[0]) + hand_eight(re[1]);
    z.im = hand_eight(im[0]) + hand_eight(im[1]);
    for (int a = 1; a < h->dims; a++)
        outer = hand_product(outer, hand_factor(h, a, n[a], hand_coordinate(h, i, a)));
    return hand_product(hand_product(z, hand_factor(h, 0, n[0], x)), outer);
}

/* The sum of a component with a momentum. */
static inline hand_complex hand_momentum_sum(const hand *h, hand_added *add, int k,
                                             const int64_t *n)
{
    const int64_t bars = (h->extents[0] + HAND_BAR - 1) / HAND_BAR;
    const int64_t all = h->sites / h->extents[0] * bars, each = all / h->layers;
    double *re = suite_room(all, sizeof *re), *im = suite_room(all, sizeof *im);
    hand_complex sum;

    for (int64_t g = 0; g < all; g++) {
        const hand_complex z =
            hand_bar(h, add, k, n, g / bars * h->extents[0] + g % bars * HAND_BAR);

        re[g] = z.re;
        im[g] = z.im;
    }
    for (int64_t l = 0; l < h->layers; l++) {
        re[l] = hand_shaped_sum(re + l * each, each);
        im[l] = hand_shaped_sum(im + l * each, each);
    }
    sum = (hand_complex){hand_shaped_sum(re, h->layers), hand_shaped_sum(im, h->layers)};
    free(re);
    free(im);
    return sum;
}

/* The same sum with the cosines of the C library, and without an order. */
static inline hand_complex hand_plain_sum(const hand *h, hand_added *add, int k, const int64_t *n)
{
    const double pi = 3.14159265358979323846;
    hand_complex sum = {0.0, 0.0};

    for (int64_t i = 0; i < h->sites; i++) {
        double angle = 0.0;

        for (int a = 0; a < h->dims; a++)
            angle += pi * (double)(n[a] * hand_coordinate(h, i, a)) / (double)h->extents[a];
        sum.re += add(h, k, i) * cos(angle);
        sum.im += add(h, k, i) * sin(angle);
    }
    return sum;
}

/* ---- the sites' own terms */

static inline double hand_own(const hand *h, int k, int64_t i)
{
    const double value = h->value[0][i * h->components + (h->states ? 0 : k)];

    return !h->states ? value : value == (double)k ? 1.0 : 0.0;
}

static inline double hand_structure_at(const hand *h, const int64_t *n)
{
    int64_t q = 2;
    hand_complex of[256], all = {0.0, 0.0};
    int terms = h->components;
    double sum = 0.0;

    if (h->states)
        ok(latmc_get_option(h->lattice, LATMC_Q, &q));
    terms = h->states ? (int)q : terms;
    for (int k = 0; k < terms; k++) {
        of[k] = hand_momentum_sum(h, hand_own, k, n);
        all.re += of[k].re;
        all.im += of[k].im;
    }
    for (int k = 0; k < terms; k++) {
        const double re = h->states ? (double)q * of[k].re - all.re : of[k].re;
        const double im = h->states ? (double)q * of[k].im - all.im : of[k].im;

        sum += re * re + im * im;
    }
    return sum / ((h->states ? (double)q * ((double)q - 1.0) : 1.0) *
                  ((double)h->sites * (double)h->sites));
}

/* ---- pairs */

static inline double hand_added_q(const hand *h, int k, int64_t i)
{
    (void)k;
    return hand_q(h, NULL, i);
}

static inline double hand_added_element(const hand *h, int k, int64_t i)
{
    return hand_element(h, &(hand_term){.mu = k / h->components, .nu = k % h->components}, i);
}

static inline double hand_added_chiral(const hand *h, int k, int64_t i)
{
    return hand_chiral(h, &(hand_term){.axis = k}, i);
}

static inline double hand_square_at(const hand *h, hand_added *add, int k, const int64_t *n)
{
    const hand_complex sum = hand_momentum_sum(h, add, k, n);

    return sum.re * sum.re + sum.im * sum.im;
}

static inline double hand_tensor_at(const hand *h, const int64_t *n)
{
    const int c = h->components;
    double sum = 0.0;

    for (int mu = 0; mu < c; mu++) {
        sum += hand_square_at(h, hand_added_element, mu * c + mu, n);
        for (int nu = mu + 1; nu < c; nu++)
            sum += hand_square_at(h, hand_added_element, mu * c + nu, n) +
                   hand_square_at(h, hand_added_element, nu * c + mu, n);
    }
    return sum;
}

/* Of a quantity of pairs with or without a momentum. */
static inline double hand_pair_value(const hand *h, latmc_quantity what)
{
    const int chiral = what.observable == LATMC_CHIRAL_STRUCTURE_AT;
    const int64_t *n = h->lattice->momenta
                           ? h->lattice->momenta->n + (chiral ? what.second : what.index) * h->dims
                           : NULL;
    const double squared = (double)h->sites * (double)h->sites;

    if (what.observable == LATMC_OVERLAP_STRUCTURE_AT)
        return hand_square_at(h, hand_added_q, 0, n) / squared;
    if (what.observable == LATMC_TENSOR_STRUCTURE_AT)
        return hand_tensor_at(h, n) / squared;
    return chiral ? hand_square_at(h, hand_added_chiral, what.index, n) / squared
                  : hand_value(h, what);
}

/* Sets two momenta that pairs can have. */
static inline void hand_set_pair_momenta(latmc_lattice *lattice)
{
    const latmc_lattice_info info = info_of(lattice);
    int64_t n[2 * LATMC_MAX_DIMS] = {-2};

    for (int a = 0; a < info.dims; a++)
        n[info.dims + a] = 2 * ((info.extents[a] + 1) / 3);
    ok(latmc_set_momenta(lattice, 2, n));
}

#endif
