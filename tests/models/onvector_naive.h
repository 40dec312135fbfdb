/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the O(n) vector model with n = 2 once more, after doc/trajectory.md and
 * doc/trajectory-onvector.md and without a line of the library, one site at a time. Numbers of the
 * sites' type T are kept as doubles and rounded after each operation, as in phi4_naive.h, which has
 * what the models of fields share.
 */
#ifndef LM_TESTS_ONVECTOR_NAIVE_H
#define LM_TESTS_ONVECTOR_NAIVE_H

#include "tests/models/onvector_plain.h"
#include "tests/models/phi4_naive_sweep.h"

/* One replica. */
typedef struct naive_vectors {
    naive_field f; /* all but its phi */
    double axis[LATMC_MAX_DIMS], beta, field;
    double *bonds, *fields; /* of type T: [axis][site] with the boundaries' factors, [site] */
    double *s;              /* [site][component] */
} naive_vectors;

static inline naive_vectors naive_vectors_of(const vector_model *m, latmc_type type, uint64_t seed,
                                             uint64_t replica)
{
    naive_vectors n = {
        .f = naive_field_of(&m->lattice, type, seed, replica), .beta = m->beta, .field = m->field};
    const int sites = n.f.sites;

    memcpy(n.axis, m->axis, sizeof n.axis);
    n.bonds = malloc((size_t)(sites * m->lattice.dims) * sizeof *n.bonds);
    n.fields = malloc((size_t)sites * sizeof *n.fields);
    n.s = malloc((size_t)sites * VECTOR * sizeof *n.s);
    assert_true(n.bonds && n.fields && n.s);
    for (int a = 0; a < m->lattice.dims; a++)
        for (int i = 0; i < sites; i++) {
            double sign = 1.0;
            const int open = field_step(&m->lattice, i, a, 1, &sign) < 0;
            const double k = m->bonds ? m->bonds[a * sites + i] : 1.0;
            n.bonds[a * sites + i] = naive_t(&n.f, (open ? 0.0 : sign) * k);
        }
    for (int i = 0; i < sites; i++)
        n.fields[i] = m->fields ? naive_t(&n.f, m->fields[i]) : 0.0;
    return n;
}

static inline void naive_vectors_free(naive_vectors *n)
{
    naive_field_free(&n->f);
    free(n->bonds);
    free(n->fields);
    free(n->s);
}

/* The site beside i, around the end if need be: what lies beyond an end the bond has. */
static inline int naive_beside(const naive_vectors *n, int i, int axis, int by)
{
    const int extent = (int)n->f.m.extents[axis], x = field_coordinate(&n->f.m, i, axis);
    int stride = 1;

    for (int a = 0; a < axis; a++)
        stride *= (int)n->f.m.extents[a];
    return i + ((x + by + extent) % extent - x) * stride;
}

/* ---- vectors of numbers of type T */

static inline double naive_dot(const naive_vectors *n, const double *a, const double *b)
{
    double sum = naive_mul(&n->f, a[0], b[0]);

    for (int c = 1; c < VECTOR; c++)
        sum = naive_fma(&n->f, a[c], b[c], sum);
    return sum;
}

/* In place. */
static inline void naive_unit(const naive_vectors *n, double *v)
{
    double r = -1.0;

    for (int c = 0; c < VECTOR; c++)
        r = naive_fma(&n->f, v[c], v[c], r);
    for (int c = 0; c < VECTOR; c++)
        v[c] = naive_fma(&n->f, v[c], -0.5 * r, v[c]);
}

/* H of site i. */
static inline void naive_local_field(const naive_vectors *n, int i, double *h)
{
    const naive_field *f = &n->f;

    for (int c = 0; c < VECTOR; c++) {
        h[c] = c < VECTOR - 1 ? 0.0 : naive_add(f, naive_t(f, n->field), n->fields[i]);
        for (int a = 0; a < f->m.dims; a++) {
            const int up = naive_beside(n, i, a, 1), down = naive_beside(n, i, a, -1);
            const double k_up = n->bonds[a * f->sites + i], k_down = n->bonds[a * f->sites + down];
            const double t = naive_fma(f, k_up, n->s[VECTOR * up + c],
                                       naive_mul(f, k_down, n->s[VECTOR * down + c]));
            h[c] = naive_fma(f, naive_t(f, n->axis[a]), t, h[c]);
        }
    }
}

/* ---- updates */

/* s turned by 2 arctan(epsilon step) */
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

static inline void naive_vector_hits(naive_vectors *n, int i)
{
    naive_field *f = &n->f;
    double h[VECTOR], *s = n->s + (size_t)VECTOR * (size_t)i;

    naive_local_field(n, i, h);
    for (int hit = 0; hit < f->m.hits; hit++) {
        const uint32_t u = naive_word(f, i, hit / 4, hit % 4, NAIVE_UPDATE);
        const double share = naive_t(f, 1.0 + (u & 65535) / 65536.0);
        const double step = naive_fma(f, share, 2.0, -3.0 + 1.0 / 65536.0);
        double turned[VECTOR], change[VECTOR];

        naive_turn(n, step, s, turned);
        for (int c = 0; c < VECTOR; c++)
            change[c] = naive_add(f, turned[c], -s[c]);
        const double x = naive_mul(f, naive_t(f, n->beta), naive_dot(n, change, h));
        if (naive_accepts(f, i, x, u, hit)) {
            memcpy(s, turned, sizeof turned);
            f->accepted++;
        }
    }
}

static inline void naive_vector_reflect(naive_vectors *n, int i)
{
    naive_field *f = &n->f;
    double h[VECTOR], *s = n->s + (size_t)VECTOR * (size_t)i;

    naive_local_field(n, i, h);
    const double w = naive_dot(n, h, h), along = naive_dot(n, s, h);
    if (!(w >= 0x1p-100))
        return;
    const double factor = naive_t(f, naive_add(f, along, along) / w);
    for (int c = 0; c < VECTOR; c++)
        s[c] = naive_fma(f, factor, h[c], -s[c]);
    naive_unit(n, s);
    f->accepted++;
}

static inline void naive_vectors_colour(naive_vectors *n, latmc_update update, int colour)
{
    for (int i = 0; i < n->f.sites; i++)
        if (n->f.colour[i] == colour && update == LATMC_OVERRELAX)
            naive_vector_reflect(n, i);
        else if (n->f.colour[i] == colour)
            naive_vector_hits(n, i);
}

static inline void naive_vectors_sweep(naive_vectors *n, latmc_update update)
{
    naive_field *f = &n->f;

    f->accepted = 0;
    f->proposals = update == LATMC_OVERRELAX ? 1 : f->m.hits;
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

/* 1/first! - v (1/(first - 2)! - ..) in the other direction: down to 1/last!. */
static inline double naive_arc_series(const naive_vectors *n, double v, int first, int last)
{
    double sum = 0.0;

    for (int i = first; i >= last; i -= 2) {
        double factorial = 1.0;
        for (int k = 2; k <= i; k++)
            factorial *= k;
        const double term = naive_t(&n->f, 1.0 / factorial);
        sum = i == first ? term : naive_fma(&n->f, -v, sum, term);
    }
    return sum;
}

static inline void naive_hot_vector(const naive_vectors *n, int i, double *s)
{
    const naive_field *f = &n->f;
    const double pi = 0x1.921fb54442d18p+1;
    const double share = (double)(naive_word(f, i, 0, 0, NAIVE_START) >> 8);
    const double y = naive_fma(f, share, naive_t(f, pi * 0x1p-25), naive_t(f, -pi / 4.0));
    const double v = naive_mul(f, y, y);
    const double cosine = naive_arc_series(n, v, f->single ? 10 : 18, 0);
    const double sine = naive_mul(f, naive_arc_series(n, v, f->single ? 9 : 17, 1), y);
    const double half = 0x1p30;
    const int swapped = naive_t(f, naive_word(f, i, 0, 1, NAIVE_START) >> 1) < half;
    const double sign = naive_t(f, naive_word(f, i, 0, 2, NAIVE_START) >> 1) < half ? -1.0 : 1.0;

    s[0] = sign * (swapped ? sine : cosine);
    s[1] = sign * (swapped ? cosine : sine);
    naive_unit(n, s);
}

static inline void naive_vectors_start(naive_vectors *n, latmc_start_mode mode)
{
    for (int i = 0; i < n->f.sites; i++) {
        double *s = n->s + (size_t)VECTOR * (size_t)i;
        s[0] = 0.0;
        s[1] = 1.0;
        if (mode == LATMC_START_HOT)
            naive_hot_vector(n, i, s);
    }
    n->f.step = 0;
    n->f.accepted = 0;
}

#endif
