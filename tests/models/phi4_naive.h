/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the phi^4 model once more, after doc/trajectory.md and doc/trajectory-phi4.md
 * and without a line of the library, one site at a time. Numbers of the sites' type T are kept as
 * doubles and rounded after each operation: for floats a sum or product rounded to double first is
 * right, since 53 >= 2 24 + 2 bits; fused ones come from fmaf.
 */
#ifndef LM_TESTS_PHI4_NAIVE_H
#define LM_TESTS_PHI4_NAIVE_H

#include "tests/models/phi4_plain.h"
#include "tests/models/ising_naive.h"

/* One replica. */
typedef struct naive_field {
    field_model m;
    int sites, single;
    int64_t first; /* number of site 0 in a lattice of which these are some layers; else 0 */
    uint64_t seed, step, replica; /* replica of the ensemble */
    int colours, *colour;         /* [site] */
    long accepted;                /* in the last sweep */
    int proposals;                /* of each site in it */
    long infinite, undefined;     /* changes of H, ever */
    double *phi;
} naive_field;

/* Through memory: gcc 12 leaves out the rounding where two numbers side by side go to float and
 * back (as vectors of two, -O2 and up). */
static inline double naive_t(const naive_field *n, double x)
{
    const volatile float rounded = (float)x;

    return n->single ? (double)rounded : x;
}

static inline double naive_add(const naive_field *n, double a, double b)
{
    return naive_t(n, a + b);
}

static inline double naive_mul(const naive_field *n, double a, double b)
{
    return naive_t(n, a * b);
}

static inline double naive_fma(const naive_field *n, double a, double b, double c)
{
    return n->single ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

/* `draw` may have a stage in bits 16 and up. */
static inline uint32_t naive_word(const naive_field *n, int site, int draw, int word, int domain)
{
    const request q = {.seed = n->seed,
                       .index = (uint64_t)(n->first + site),
                       .step = domain == NAIVE_UPDATE ? n->step : 0,
                       .draw = (uint32_t)draw % 65536,
                       .stage = (uint32_t)draw / 65536,
                       .group = (uint32_t)n->replica,
                       .domain = (uint32_t)domain};
    uint32_t block[4];

    naive_block(&q, block);
    return block[word];
}

/* ---- one site: H = a2 phi^2 + g4 phi^4 + b phi */

typedef struct naive_site_terms {
    double a2, g4, b, centre;
} naive_site_terms;

static inline double naive_pair(const naive_field *n, int i, int axis, int steps)
{
    return naive_add(n, field_at(&n->m, n->phi, i, axis, -steps, axis, 0),
                     field_at(&n->m, n->phi, i, axis, steps, axis, 0));
}

/* The neighbours along axes 1 .. of the place s steps along axis 0. */
static inline double naive_cross(const naive_field *n, int i, int s)
{
    double sum = 0.0;

    for (int a = 1; a < n->m.dims; a++) {
        const double pair = naive_add(n, field_at(&n->m, n->phi, i, 0, s, a, -1),
                                      field_at(&n->m, n->phi, i, 0, s, a, 1));
        sum = a == 1 ? pair : naive_add(n, sum, pair);
    }
    return sum;
}

static inline double naive_one(const naive_field *n, int i)
{
    const double pair = naive_pair(n, i, 0, 1);

    return n->m.dims > 1 ? naive_add(n, pair, naive_cross(n, i, 0)) : pair;
}

static inline double naive_two(const naive_field *n, int i)
{
    double sum = naive_pair(n, i, 0, 2);

    for (int a = 1; a < n->m.dims; a++)
        sum = naive_add(n, sum, naive_pair(n, i, a, 2));
    return sum;
}

static inline double naive_diagonal(const naive_field *n, int i)
{
    double sum = 0.0;

    if (n->m.dims > 1)
        sum = naive_add(n, naive_cross(n, i, -1), naive_cross(n, i, 1));
    for (int b = 2; b < n->m.dims; b++)
        for (int a = 1; a < b; a++) {
            const double below = naive_add(n, field_at(&n->m, n->phi, i, a, -1, b, -1),
                                           field_at(&n->m, n->phi, i, a, 1, b, -1));
            const double above = naive_add(n, field_at(&n->m, n->phi, i, a, -1, b, 1),
                                           field_at(&n->m, n->phi, i, a, 1, b, 1));
            sum = naive_add(n, sum, naive_add(n, below, above));
        }
    return sum;
}

/* The neighbours' degrees times their fields. */
static inline double naive_weighted(const naive_field *n, int i)
{
    double w = 0.0;

    for (int a = 0; a < n->m.dims; a++)
        for (int by = -1; by <= 1; by += 2) {
            double sign = 1.0;
            const int j = field_step(&n->m, i, a, by, &sign);
            if (j >= 0)
                w = naive_fma(n, field_degree(&n->m, j), sign * n->phi[j], w);
        }
    return w;
}

static inline double naive_slope(const naive_field *n, int i)
{
    const int open = field_has_open_axis(&n->m), d = field_degree(&n->m, i);
    const double kappa = n->m.kappa, h = naive_t(n, n->m.field);
    const double s1 = naive_t(n, -(1.0 + (open ? 1.0 : 2.0) * kappa * d));
    const double two = field_has_cutoff(&n->m) ? naive_two(n, i) : 0.0;
    const double diagonal = field_has_cutoff(&n->m) ? naive_diagonal(n, i) : 0.0;
    double far = naive_fma(n, 2.0, diagonal, two);

    if (open)
        far = naive_add(n, far, -naive_weighted(n, i));
    return naive_fma(n, naive_t(n, kappa), far, naive_fma(n, s1, naive_one(n, i), -h));
}

static inline naive_site_terms naive_terms(const naive_field *n, int i)
{
    const double d = field_degree(&n->m, i);
    const double a2 = (n->m.mu2 + d + n->m.kappa * (d * d + d)) / 2.0;

    return (naive_site_terms){naive_t(n, a2), naive_t(n, n->m.g / 24.0), naive_slope(n, i),
                              naive_t(n, a2 != 0.0 ? -2.0 / (2.0 * a2) : 0.0)};
}

static inline double naive_e(const naive_field *n, const naive_site_terms *t, double phi)
{
    const double inner = naive_fma(n, t->g4, naive_mul(n, phi, phi), t->a2);

    return naive_mul(n, naive_fma(n, inner, phi, t->b), phi);
}

/* ---- accepting */

/* 65536 2^f */
static inline double naive_exp2(const naive_field *n, double f)
{
    static const double floats[] = {1.0,           0x1.62e430p-1, 0x1.ebfa4cp-3,
                                    0x1.c6afeep-5, 0x1.3cbf60p-7, 0x1.5ec866p-10};
    static const double doubles[] = {
        1.0,
        0x1.62e42fefa39efp-1,
        0x1.ebfbdff82c598p-3,
        0x1.c6b08d704a0c2p-5,
        0x1.3b2ab6fba1ddap-7,
        0x1.5d87fe78a5276p-10,
        0x1.430913096fd9fp-13,
        0x1.ffcbfc670dcd4p-17,
        0x1.62bfd47773353p-20,
        0x1.b524fae627834p-24,
        0x1.e6063f7217bc6p-28,
        0x1.e9d3fe3952179p-32,
    };
    const double *c = n->single ? floats : doubles;
    const int degree = (int)(n->single ? ALL(floats) : ALL(doubles)) - 1;
    double p = naive_t(n, 65536.0 * c[degree]);

    for (int i = degree - 1; i >= 0; i--)
        p = naive_fma(n, p, f, naive_t(n, 65536.0 * c[i]));
    return p;
}

/* fmax() of a NaN is the other number: an undefined x counts as the lowest. */
static inline int naive_accepts(naive_field *n, int site, double x, uint32_t u, int tie)
{
    const double log2_e = naive_t(n, 1.4426950408889634);
    const double y = fmin(fmax(naive_mul(n, x, log2_e), -64.0), 1.0);
    const double whole = rint(y);
    const double t = ldexp(naive_exp2(n, naive_add(n, y, -whole)), (int)whole);
    const double d = naive_add(n, t, -(double)(u >> 16));
    uint32_t again;

    n->infinite += isinf(x) != 0;
    n->undefined += isnan(x) != 0;
    if (d >= 1.0 || d <= 0x1p-48)
        return d >= 1.0;
    again = naive_word(n, site, 32768 + tie, 0, NAIVE_UPDATE);
    return naive_t(n, (double)(again >> 1)) / 2147483648.0 < d;
}

/* Where a visit's random numbers are: the blocks of `index` from `block` on, beginning with word
 * `word`; ties from number `tie` on. */
typedef struct naive_draws {
    int index, block, word, tie;
} naive_draws;

static inline void naive_hits(naive_field *n, int i, const naive_draws *d)
{
    const naive_site_terms t = naive_terms(n, i);

    for (int h = 0; h < n->m.hits; h++) {
        const uint32_t u = naive_word(n, d->index, d->block + h / 4, d->word + h % 4, NAIVE_UPDATE);
        const double share = naive_t(n, 1.0 + (u & 65535) / 65536.0);
        const double step = naive_fma(n, share, 2.0, -3.0 + 1.0 / 65536.0);
        const double moved = naive_fma(n, naive_t(n, n->m.epsilon), step, n->phi[i]);
        const double x = naive_add(n, naive_e(n, &t, n->phi[i]), -naive_e(n, &t, moved));
        if (naive_accepts(n, i, x, u, d->tie + h)) {
            n->phi[i] = moved;
            n->accepted++;
        }
    }
}

static inline void naive_reflect(naive_field *n, int i)
{
    const naive_site_terms t = naive_terms(n, i);
    const double moved = naive_fma(n, t.centre, t.b, -n->phi[i]);
    const double x = naive_add(n, naive_e(n, &t, n->phi[i]), -naive_e(n, &t, moved));

    if (naive_accepts(n, i, x, naive_word(n, i, 0, 0, NAIVE_UPDATE), 0)) {
        n->phi[i] = moved;
        n->accepted++;
    }
}

#endif
