/* SPDX-License-Identifier: BSD-3-Clause */
/* What all updates of onvector_naive.h are made of: a replica, vectors of numbers of type T,
 * directions, and vectors about a direction. */
#ifndef LM_TESTS_ONVECTOR_NAIVE_DIRECTIONS_H
#define LM_TESTS_ONVECTOR_NAIVE_DIRECTIONS_H

#include "tests/models/onvector_plain.h"
#include "tests/models/phi4_naive_sweep.h"

/* One replica. */
typedef struct naive_vectors {
    naive_field f; /* all but its phi */
    int n;         /* components */
    double axis[LATMC_MAX_DIMS], beta, field;
    double *bonds, *fields; /* of type T: [axis][site] with the boundaries' factors, [site] */
    double *s;              /* [site][component] */
} naive_vectors;

static inline naive_vectors naive_vectors_of(const vector_model *m, latmc_type type, uint64_t seed,
                                             uint64_t replica)
{
    naive_vectors n = {.f = naive_field_of(&m->lattice, type, seed, replica),
                       .n = vector_components(m),
                       .beta = m->beta,
                       .field = m->field};
    const int sites = n.f.sites;

    memcpy(n.axis, m->axis, sizeof n.axis);
    n.bonds = malloc((size_t)(sites * m->lattice.dims) * sizeof *n.bonds);
    n.fields = malloc((size_t)sites * sizeof *n.fields);
    n.s = malloc((size_t)(sites * n.n) * sizeof *n.s);
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

    for (int c = 1; c < n->n; c++)
        sum = naive_fma(&n->f, a[c], b[c], sum);
    return sum;
}

/* In place. */
static inline void naive_unit(const naive_vectors *n, double *v)
{
    double r = -1.0;

    for (int c = 0; c < n->n; c++)
        r = naive_fma(&n->f, v[c], v[c], r);
    for (int c = 0; c < n->n; c++)
        v[c] = naive_fma(&n->f, v[c], -0.5 * r, v[c]);
}

/* H of site i. */
static inline void naive_local_field(const naive_vectors *n, int i, double *h)
{
    const naive_field *f = &n->f;

    for (int c = 0; c < n->n; c++) {
        h[c] = c < n->n - 1 ? 0.0 : naive_add(f, naive_t(f, n->field), n->fields[i]);
        for (int a = 0; a < f->m.dims; a++) {
            const int up = naive_beside(n, i, a, 1), down = naive_beside(n, i, a, -1);
            const double k_up = n->bonds[a * f->sites + i], k_down = n->bonds[a * f->sites + down];
            const double t = naive_fma(f, k_up, n->s[n->n * up + c],
                                       naive_mul(f, k_down, n->s[n->n * down + c]));
            h[c] = naive_fma(f, naive_t(f, n->axis[a]), t, h[c]);
        }
    }
}

/* ---- directions, and vectors about a direction */

/* U(u) */
static inline double naive_share(const naive_vectors *n, uint32_t u)
{
    return n->f.single ? ((u >> 9) + 0.5) / 0x1p23 : ((u >> 1) + 0.5) / 0x1p31;
}

static inline double naive_root(const naive_vectors *n, double x)
{
    return naive_t(&n->f, sqrt(x)); /* of a float: right, since 53 >= 2 24 + 2 bits */
}

static inline double naive_over(const naive_vectors *n, double a, double b)
{
    return naive_t(&n->f, a / b);
}

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

/* C and S of an angle. */
static inline void naive_arc(const naive_vectors *n, double y, double *s)
{
    const double v = naive_mul(&n->f, y, y);

    s[0] = naive_arc_series(n, v, n->f.single ? 10 : 18, 0);
    s[1] = naive_mul(&n->f, naive_arc_series(n, v, n->f.single ? 9 : 17, 1), y);
}

static inline void naive_circle_at(const naive_vectors *n, double share, double *s)
{
    const naive_field *f = &n->f;
    const double pi = 0x1.921fb54442d18p+1;

    naive_arc(n, naive_fma(f, share, naive_t(f, pi / 2), naive_t(f, -pi / 4)), s);
    for (int times = 0; times < 2; times++) {
        const double c = s[0];
        s[0] = naive_fma(f, c, c, -naive_mul(f, s[1], s[1]));
        s[1] = naive_mul(f, naive_add(f, c, c), s[1]);
    }
}

static inline void naive_circle(const naive_vectors *n, uint32_t u, double *s)
{
    naive_circle_at(n, naive_share(n, u), s);
}

/* In `dims` dimensions. */
static inline void naive_sphere(const naive_vectors *n, int dims, const uint32_t *u, double *s)
{
    const naive_field *f = &n->f;
    double q, r, other[2];

    if (dims == 2) {
        naive_circle(n, u[0], s);
        return;
    }
    naive_circle(n, u[1], s);
    if (dims == 3) {
        s[2] = naive_fma(f, 2.0, naive_share(n, u[0]), -1.0);
        q = naive_root(n, naive_fma(f, -s[2], s[2], 1.0));
    } else {
        q = naive_root(n, naive_add(f, 1.0, -naive_share(n, u[0])));
        r = naive_root(n, naive_share(n, u[0]));
        naive_circle(n, u[2], other);
        s[2] = naive_mul(f, r, other[0]);
        s[3] = naive_mul(f, r, other[1]);
    }
    s[0] = naive_mul(f, q, s[0]);
    s[1] = naive_mul(f, q, s[1]);
}

/* turn(e, eta, c), and unit of it */
static inline void naive_about(const naive_vectors *n, const double *e, const double *eta, double c,
                               double *to)
{
    const naive_field *f = &n->f;
    const int last = n->n - 1;
    double a = naive_mul(f, e[0], eta[0]), v[VECTOR_MOST];

    for (int i = 1; i < last; i++)
        a = naive_fma(f, e[i], eta[i], a);
    const double g = naive_add(f, c, -naive_over(n, a, naive_add(f, 1.0, fabs(e[last]))));
    for (int i = 0; i < last; i++)
        v[i] = naive_fma(f, e[i], g, eta[i]);
    v[last] = naive_fma(f, e[last], c, signbit(e[last]) ? a : -a);
    naive_unit(n, v);
    memcpy(to, v, (size_t)n->n * sizeof *to);
}

#endif
