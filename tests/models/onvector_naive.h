/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the O(n) vector model once more, after doc/trajectory.md and
 * doc/trajectory-onvector.md and without a line of the library, one site at a time. Numbers of the
 * sites' type T are kept as doubles and rounded after each operation, as in phi4_naive.h, which has
 * what the models of fields share.
 */
#ifndef LM_TESTS_ONVECTOR_NAIVE_H
#define LM_TESTS_ONVECTOR_NAIVE_H

#include "tests/models/onvector_naive_directions.h"

/* ---- Metropolis */

/* s turned by 2 arctan(epsilon step), in the plane */
static inline void naive_turn(const naive_vectors *n, double step, const double *s, double *turned)
{
    const naive_field *f = &n->f;
    const double t = naive_mul(f, naive_t(f, f->m.epsilon), step);
    const double v = naive_t(f, 1.0 / naive_fma(f, t, t, 1.0));
    const double p = naive_mul(f, naive_fma(f, -t, t, 1.0), v);
    const double q = naive_mul(f, naive_add(f, t, t), v);

    turned[0] = naive_fma(f, p, s[0], -naive_mul(f, q, s[1]));
    turned[1] = naive_fma(f, p, s[1], naive_mul(f, q, s[0]));
    naive_unit(n, turned);
}

/* In more dimensions, from a block. */
static inline void naive_cone(const naive_vectors *n, const uint32_t *u, const double *s,
                              double *turned)
{
    const naive_field *f = &n->f;
    const uint32_t halves[] = {u[0] % 65536, u[3] % 65536, n->n == 4 ? u[3] / 65536 : 0};
    const uint32_t direction[] = {n->n == 4 ? u[2] : u[1], u[1]};
    uint32_t most = 0;
    double eta[VECTOR_MOST];

    for (int i = 0; i < 3; i++)
        most = halves[i] > most ? halves[i] : most;
    const double rho = (most + 0.5) / 65536.0;
    const double t = naive_mul(f, naive_t(f, f->m.epsilon), rho);
    const double v = naive_over(n, 1.0, naive_fma(f, t, t, 1.0));
    const double q = naive_mul(f, naive_add(f, t, t), v);
    naive_sphere(n, n->n - 1, direction, eta);
    for (int i = 0; i < n->n - 1; i++)
        eta[i] = naive_mul(f, q, eta[i]);
    naive_about(n, s, eta, naive_mul(f, naive_fma(f, -t, t, 1.0), v), turned);
}

/* The new vector of a hit, and the number that decides about it. */
static inline uint32_t naive_proposal(const naive_vectors *n, int i, int hit, const double *s,
                                      double *turned)
{
    const naive_field *f = &n->f;
    uint32_t u[4];

    if (n->n == 2) {
        const uint32_t one = naive_word(f, i, hit / 4, hit % 4, NAIVE_UPDATE);
        const double share = naive_t(f, 1.0 + (one & 65535) / 65536.0);
        naive_turn(n, naive_fma(f, share, 2.0, -3.0 + 1.0 / 65536.0), s, turned);
        return one;
    }
    for (int w = 0; w < 4; w++)
        u[w] = naive_word(f, i, hit, w, NAIVE_UPDATE);
    naive_cone(n, u, s, turned);
    return u[0];
}

static inline void naive_vector_hits(naive_vectors *n, int i)
{
    naive_field *f = &n->f;
    double h[VECTOR_MOST], *s = n->s + (size_t)(n->n * i);

    naive_local_field(n, i, h);
    for (int hit = 0; hit < f->m.hits; hit++) {
        double turned[VECTOR_MOST], change[VECTOR_MOST];
        const uint32_t u = naive_proposal(n, i, hit, s, turned);

        for (int c = 0; c < n->n; c++)
            change[c] = naive_add(f, turned[c], -s[c]);
        const double x = naive_mul(f, naive_t(f, n->beta), naive_dot(n, change, h));
        if (naive_accepts(f, i, x, u, hit)) {
            memcpy(s, turned, (size_t)n->n * sizeof *s);
            f->accepted++;
        }
    }
}

/* ---- over-relaxation */

static inline void naive_vector_reflect(naive_vectors *n, int i)
{
    naive_field *f = &n->f;
    double h[VECTOR_MOST], *s = n->s + (size_t)(n->n * i);

    naive_local_field(n, i, h);
    const double w = naive_dot(n, h, h), along = naive_dot(n, s, h);
    if (!(w >= 0x1p-100))
        return;
    const double factor = naive_t(f, naive_add(f, along, along) / w);
    for (int c = 0; c < n->n; c++)
        s[c] = naive_fma(f, factor, h[c], -s[c]);
    naive_unit(n, s);
    f->accepted++;
}

/* ---- heat bath */

/* 1 - e^(-2k) */
static inline double naive_decayed(const naive_vectors *n, double k)
{
    const naive_field *f = &n->f;
    const int first = f->single ? 8 : 14;
    const double m = fmin(k, 40.0) * -2.0;
    const double j = rint(naive_mul(f, m, naive_t(f, 1.4426950408889634)));
    const double r = naive_fma(f, -j, naive_t(f, 0x1.62e42fefa39efp-1), m);
    double sum = 0.0;

    for (int i = first; i >= 1; i--) {
        double factorial = 1.0;
        for (int q = 2; q <= i; q++)
            factorial *= q;
        const double term = naive_t(f, 1.0 / factorial);
        sum = i == first ? term : naive_fma(f, sum, r, term);
    }
    return naive_fma(f, -ldexp(1.0, (int)j), naive_mul(f, sum, r),
                     naive_add(f, 1.0, -ldexp(1.0, (int)j)));
}

/* -ln(2^e (1 + d)) */
static inline double naive_log_of(const naive_vectors *n, double e, double d)
{
    const naive_field *f = &n->f;
    const int first = f->single ? 9 : 21;
    const double b = naive_over(n, d, naive_add(f, 2.0, d)), v = naive_mul(f, b, b);
    double sum = naive_t(f, 1.0 / first);

    for (int i = first - 2; i >= 1; i -= 2)
        sum = naive_fma(f, sum, v, naive_t(f, 1.0 / i));
    return naive_fma(f, -e, naive_t(f, 0x1.62e42fefa39efp-1),
                     -naive_mul(f, naive_add(f, b, b), sum));
}

/* The whole number e with 2^e <= x sqrt(2) < 2^(e + 1) */
static inline double naive_exponent(const naive_vectors *n, double x)
{
    return floor(log2(naive_mul(&n->f, x, naive_t(&n->f, 0x1.6a09e667f3bcdp+0))));
}

/* -ln(1 - y) */
static inline double naive_log_beyond(const naive_vectors *n, double y)
{
    const double x = naive_add(&n->f, 1.0, -y), e = naive_exponent(n, x);

    return naive_log_of(n, e, e == 0.0 ? -y : naive_add(&n->f, ldexp(x, -(int)e), -1.0));
}

/* eta and c for n = 3, from two words. */
static inline void naive_inverse(const naive_vectors *n, double k, double r, const uint32_t *u,
                                 double *y)
{
    const naive_field *f = &n->f;
    const double share = naive_mul(f, naive_share(n, u[0]), naive_decayed(n, k));
    const double t = naive_mul(f, naive_log_beyond(n, share), r);
    const double across = naive_root(n, fmax(naive_mul(f, t, naive_add(f, 2.0, -t)), 0.0));

    naive_circle(n, u[1], y);
    y[0] = naive_mul(f, across, y[0]);
    y[1] = naive_mul(f, across, y[1]);
    y[2] = naive_add(f, 1.0, -t);
}

/* 65536 min(1, e^x), as far as it is looked at */
static inline double naive_vector_weight(const naive_vectors *n, double x)
{
    const naive_field *f = &n->f;
    const double log2_e = naive_t(f, 1.4426950408889634);
    const double y = fmin(fmax(naive_mul(f, x, log2_e), -64.0), 1.0), whole = rint(y);

    return ldexp(naive_exp2(f, naive_add(f, y, -whole)), (int)whole);
}

/* A try for n = 2, 4: eta and c, if they are taken. */
static inline int naive_try(const naive_vectors *n, double k, const uint32_t *u, double *y)
{
    const naive_field *f = &n->f;
    const int last = n->n - 1;
    const double l = naive_mul(f, fmin(k, 0x1p60), naive_t(f, 2.0 / last));
    const double b = naive_over(n, 1.0, naive_add(f, l, naive_root(n, naive_fma(f, l, l, 1.0))));
    const double g = naive_root(n, b);
    double x[VECTOR_MOST];

    naive_sphere(n, n->n, u, x);
    const double low = naive_add(f, 1.0, -x[last]), high = naive_add(f, 1.0, x[last]);
    const double h = naive_over(n, 1.0, naive_fma(f, b, low, high));
    const double v = naive_mul(f, naive_add(f, 1.0, b), h);
    double chance = naive_mul(f, v, naive_vector_weight(n, naive_add(f, 1.0, -v)) / 65536.0);

    if (n->n == 4)
        chance = naive_mul(f, naive_mul(f, chance, chance), chance);
    for (int i = 0; i < last; i++)
        y[i] = naive_mul(f, x[i], naive_mul(f, naive_add(f, g, g), h));
    y[last] = naive_mul(f, naive_fma(f, -b, low, high), h);
    return naive_share(n, u[n->n == 4 ? 3 : 1]) < chance;
}

/* Words of try j, or the two that n = 3 takes. */
static inline void naive_try_words(const naive_vectors *n, int i, int j, uint32_t *u)
{
    const int second = i / 2 % 2; /* of the pair that has a block for n = 3 */

    for (int w = 0; w < 4; w++)
        u[w] = n->n == 2   ? naive_word(&n->f, i, j / 2, 2 * (j % 2) + w % 2, NAIVE_UPDATE)
               : n->n == 3 ? naive_word(&n->f, i - 2 * second, 0, 2 * second + w % 2, NAIVE_UPDATE)
                           : naive_word(&n->f, i, j, w, NAIVE_UPDATE);
}

static inline void naive_vector_bath(naive_vectors *n, int i)
{
    naive_field *f = &n->f;
    double h[VECTOR_MOST], y[VECTOR_MOST], e[VECTOR_MOST] = {0.0};
    double *s = n->s + (size_t)(n->n * i);
    const double beta = naive_t(f, n->beta);
    uint32_t u[4];
    int j = 0;

    naive_local_field(n, i, h);
    const double w = naive_dot(n, h, h), strength = naive_mul(f, fabs(beta), naive_root(n, w));
    const int felt = w >= 0x1p-100 && strength >= 0x1p-60;
    const double k = felt ? strength : 0x1p-60, r = naive_over(n, 1.0, k);
    e[n->n - 1] = 1.0;
    for (int c = 0; c < n->n && felt; c++)
        e[c] = naive_mul(f, naive_mul(f, beta, r), h[c]);
    naive_try_words(n, i, 0, u);
    if (n->n == 3)
        naive_inverse(n, k, r, u, y);
    else
        while (!naive_try(n, k, u, y)) {
            assert_true(++j < 128);
            naive_try_words(n, i, j, u);
        }
    naive_about(n, e, y, y[n->n - 1], s);
    f->accepted++;
}

/* ---- sweeps */

static inline void naive_vectors_colour(naive_vectors *n, latmc_update update, int colour)
{
    for (int i = 0; i < n->f.sites; i++)
        if (n->f.colour[i] == colour && update == LATMC_OVERRELAX)
            naive_vector_reflect(n, i);
        else if (n->f.colour[i] == colour && update == LATMC_HEATBATH)
            naive_vector_bath(n, i);
        else if (n->f.colour[i] == colour)
            naive_vector_hits(n, i);
}

static inline void naive_vectors_sweep(naive_vectors *n, latmc_update update)
{
    naive_field *f = &n->f;

    f->accepted = 0;
    f->proposals = update == LATMC_METROPOLIS ? f->m.hits : 1;
    for (int c = 0; c < f->colours; c++)
        naive_vectors_colour(n, update, c);
    f->step++;
}

static inline void naive_vectors_tune(naive_vectors *n, latmc_update update, int sweeps,
                                      double target)
{
    for (int j = 0; j < sweeps; j++) {
        naive_vectors_sweep(n, update);
        const double q = fmin(fmax(naive_acceptance(&n->f) / target, 0.5), 2.0);
        n->f.m.epsilon = n->f.m.epsilon * (1.0 + (q - 1.0) * 8.0 / (8.0 + j));
        n->f.m.epsilon = fmin(fmax(n->f.m.epsilon, 1e-6), 1.0);
    }
}

/* ---- the first configuration */

/* n = 2 */
static inline void naive_hot_vector(const naive_vectors *n, int i, double *s)
{
    const naive_field *f = &n->f;
    const double pi = 0x1.921fb54442d18p+1;
    const double share = (double)(naive_word(f, i, 0, 0, NAIVE_START) >> 8);
    const double y = naive_fma(f, share, naive_t(f, pi * 0x1p-25), naive_t(f, -pi / 4.0));
    const double half = 0x1p30;
    double arc[2];
    const int swapped = naive_t(f, naive_word(f, i, 0, 1, NAIVE_START) >> 1) < half;
    const double sign = naive_t(f, naive_word(f, i, 0, 2, NAIVE_START) >> 1) < half ? -1.0 : 1.0;

    naive_arc(n, y, arc);
    s[0] = sign * arc[swapped];
    s[1] = sign * arc[!swapped];
    naive_unit(n, s);
}

static inline void naive_vectors_start(naive_vectors *n, latmc_start_mode mode)
{
    for (int i = 0; i < n->f.sites; i++) {
        double *s = n->s + (size_t)(n->n * i);
        uint32_t u[3];
        for (int c = 0; c < n->n; c++)
            s[c] = c == n->n - 1 ? 1.0 : 0.0;
        if (mode != LATMC_START_HOT)
            continue;
        for (int w = 0; w < 3; w++)
            u[w] = naive_word(&n->f, i, 0, w, NAIVE_START);
        if (n->n == 2) {
            naive_hot_vector(n, i, s);
            continue;
        }
        naive_sphere(n, n->n, u, s);
        naive_unit(n, s);
    }
    n->f.step = 0;
    n->f.accepted = 0;
}

#endif
