/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of the O(n) vector model after doc/trajectory-onvector.md. */
#ifndef LM_TESTS_ONVECTOR_NAIVE_SUMS_H
#define LM_TESTS_ONVECTOR_NAIVE_SUMS_H

#include "tests/models/onvector_naive.h"
#include "tests/models/phi4_naive_sums.h"

/* Bonds, fields of the sites, components, for n = 2 products and twists along each axis, in two
 * dimensions vortices, for n = 3 moduli of chiralities along each axis. */
enum {
    V_BONDS,
    V_FIELDS,
    V_VECTOR,
    V_ALONG = V_VECTOR + VECTOR_MOST,
    V_TWISTS = V_ALONG + LATMC_MAX_DIMS,
    V_VORTICES = V_TWISTS + LATMC_MAX_DIMS,
    V_CHIRALITY,
    V_SUMS = V_CHIRALITY + LATMC_MAX_DIMS
};

/* Leaves of 256 numbers, those beside each other first; then the leaves. x is used up. */
static inline double naive_leaves_sum(double *x, int count)
{
    const int leaves = (count + 255) / 256;

    for (int l = 0; l < leaves; l++) {
        double leaf[256] = {0.0};
        for (int i = 0; i < 256 && 256 * l + i < count; i++)
            leaf[i] = x[256 * l + i];
        for (int by = 1; by < 256; by *= 2)
            for (int i = 0; i < 256; i += 2 * by)
                leaf[i] = leaf[i] + leaf[i + by];
        x[l] = leaf[0];
    }
    return naive_sum(x, leaves);
}

/* Of what the sites add, layer by layer; x is used up. */
static inline double naive_layers_sum_by(const naive_field *f, double *x,
                                         double (*sum)(double *x, int count))
{
    const int layers = f->m.dims > 1 ? (int)f->m.extents[f->m.dims - 1] : 1;
    const int layer = f->sites / layers;

    for (int l = 0; l < layers; l++)
        x[l] = sum(x + (size_t)l * (size_t)layer, layer);
    return naive_sum(x, layers);
}

static inline double naive_layers_sum(const naive_field *f, double *x)
{
    return naive_layers_sum_by(f, x, naive_sum);
}

/* Their angle from s to t, which is pi or -pi if they are opposite: not by the negative half of
 * axis 0, to whose upper side a second component of 0 belongs. */
static inline double naive_arc_between(const double *s, const double *t)
{
    const double left = s[0] * t[1], right = s[1] * t[0], turn = left - right;
    const double pi = acos(-1.0), cosine = s[0] * t[0] + s[1] * t[1];
    const int below = s[1] < 0.0 || t[1] < 0.0; /* one of them */

    if (turn != 0.0 || cosine > 0.0)
        return atan2(turn, cosine);
    return below ? (s[1] < 0.0 ? pi : -pi) : (s[0] > 0.0 ? pi : -pi);
}

/* The vector of a site, its sign changed once more for each antiperiodic end on the way there;
 * 0: it is beyond an open end. */
static inline int naive_vector_at(const naive_vectors *n, int i, const int *axes, int steps, int by,
                                  double *s)
{
    double sign = 1.0;

    for (int k = 0; k < steps && i >= 0; k++)
        i = field_step(&n->f.m, i, axes[k], by, &sign);
    for (int c = 0; c < n->n && i >= 0; c++)
        s[c] = sign * n->s[n->n * i + c];
    return i >= 0;
}

static inline double naive_vortex(const naive_vectors *n, int i)
{
    static const int axes[4][2] = {{0, 0}, {0, 0}, {0, 1}, {1, 0}}, steps[] = {0, 1, 2, 1};
    double corner[4][2], angle = 0.0;

    for (int k = 0; k < 4; k++)
        if (!naive_vector_at(n, i, axes[k], steps[k], 1, corner[k]))
            return 0.0;
    for (int k = 0; k < 4; k++)
        angle += naive_arc_between(corner[k], corner[(k + 1) % 4]);
    return lround(angle / acos(-1.0)) != 0 ? 1.0 : 0.0;
}

static inline double naive_chirality(const naive_vectors *n, int i, int axis)
{
    const double *s = n->s + (size_t)(3 * i);
    double above[3], below[3], kappa = 0.0;

    if (!naive_vector_at(n, i, &axis, 1, 1, above) || !naive_vector_at(n, i, &axis, 1, -1, below))
        return 0.0;
    for (int c = 0; c < 3; c++) {
        const double left = s[(c + 1) % 3] * below[(c + 2) % 3];
        const double right = s[(c + 2) % 3] * below[(c + 1) % 3];
        const double product = (left - right) * above[c];
        kappa = c == 0 ? product : kappa + product;
    }
    return fabs(kappa);
}

/* s . b of sites of the second colour of two; of more, the bonds upward of all sites. */
static inline double naive_bonds(const naive_vectors *n, int i)
{
    const naive_field *f = &n->f;
    const int upward = f->colours > 2;
    double b[VECTOR_MOST] = {0.0};

    if (!upward && f->colour[i] == 0)
        return 0.0;
    for (int a = 0; a < f->m.dims; a++)
        for (int c = 0; c < n->n; c++) {
            const int up = naive_beside(n, i, a, 1), down = naive_beside(n, i, a, -1);
            const double above = n->s[n->n * up + c], below = n->s[n->n * down + c];
            const double k = n->bonds[a * f->sites + i], k_down = n->bonds[a * f->sites + down];
            const double t = upward ? naive_mul(f, k, above)
                                    : naive_fma(f, k, above, naive_mul(f, k_down, below));
            b[c] = naive_fma(f, naive_t(f, n->axis[a]), t, b[c]);
        }
    return naive_dot(n, n->s + (size_t)(n->n * i), b);
}

static inline double naive_vector_adds(const naive_vectors *n, int i, int kind)
{
    const double *s = n->s + (size_t)(n->n * i);

    if (kind >= V_CHIRALITY)
        return naive_chirality(n, i, kind - V_CHIRALITY);
    if (kind == V_VORTICES)
        return naive_vortex(n, i);
    if (kind >= V_TWISTS) {
        const int axis = kind - V_TWISTS;
        const double *to = n->s + 2 * (size_t)naive_beside(n, i, axis, 1);
        const double left = s[0] * to[1], right = s[1] * to[0];
        return n->bonds[axis * n->f.sites + i] * (left - right);
    }
    if (kind >= V_ALONG) {
        const int axis = kind - V_ALONG;
        const double *to = n->s + 2 * (size_t)naive_beside(n, i, axis, 1);
        const double first = s[0] * to[0], second = s[1] * to[1];
        return n->bonds[axis * n->f.sites + i] * (first + second);
    }
    if (kind >= V_VECTOR)
        return s[kind - V_VECTOR];
    return kind == V_FIELDS ? n->fields[i] * s[n->n - 1] : naive_bonds(n, i);
}

static inline void naive_vectors_sums(const naive_vectors *n, double *sums)
{
    double *add = malloc((size_t)n->f.sites * sizeof *add);

    assert_non_null(add);
    for (int kind = 0; kind < V_SUMS; kind++) {
        const int dims = n->f.m.dims;
        const int there = kind >= V_CHIRALITY  ? n->n == 3 && kind - V_CHIRALITY < dims
                          : kind == V_VORTICES ? n->n == 2 && dims == 2
                          : kind >= V_TWISTS   ? n->n == 2 && kind - V_TWISTS < dims
                          : kind >= V_ALONG    ? n->n == 2 && kind - V_ALONG < dims
                                               : kind < V_VECTOR + n->n;
        for (int i = 0; i < n->f.sites && there; i++)
            add[i] = naive_vector_adds(n, i, kind);
        sums[kind] =
            there ? naive_layers_sum_by(&n->f, add, kind == V_BONDS ? naive_leaves_sum : naive_sum)
                  : 0.0;
    }
    free(add);
}

static inline double naive_vectors_energy(const naive_vectors *n, const double *sums)
{
    const double fields = sums[V_FIELDS] + n->field * sums[V_VECTOR + n->n - 1];

    return (0.0 - (sums[V_BONDS] + fields)) / n->f.sites;
}

static inline double naive_helicity(const naive_vectors *n, const double *sums, int axis)
{
    const double j = axis < n->f.m.dims ? n->axis[axis] : 0.0;
    const double stiff = j * sums[V_ALONG + axis], twist = j * sums[V_TWISTS + axis];

    return n->n == 2 ? (stiff - n->beta * (twist * twist)) / n->f.sites : 0.0;
}

static inline double naive_mean_chirality(const naive_vectors *n, const double *sums)
{
    double sum = 0.0;

    for (int a = 0; a < n->f.m.dims; a++)
        sum = sum + sums[V_CHIRALITY + a];
    return sum / (n->f.m.dims * n->f.sites);
}

static inline double naive_vectors_observable(const naive_vectors *n, const double *sums,
                                              latmc_quantity what)
{
    const double e = naive_vectors_energy(n, sums);
    double m[VECTOR_MOST], m2 = 0.0;

    for (int c = 0; c < VECTOR_MOST; c++) {
        m[c] = sums[V_VECTOR + c] / n->f.sites;
        m2 = c == 0 ? m[c] * m[c] : m2 + m[c] * m[c];
    }

    switch (what.observable) {
    case LATMC_ENERGY:
        return e;
    case LATMC_ENERGY2:
        return e * e;
    case LATMC_ENERGY4:
        return e * e * (e * e);
    case LATMC_MAGNETIZATION:
        return m[what.index];
    case LATMC_ABS_MAGNETIZATION:
        return sqrt(m2);
    case LATMC_M2:
        return m2;
    case LATMC_M4:
        return m2 * m2;
    case LATMC_HELICITY:
        return naive_helicity(n, sums, what.index);
    case LATMC_VORTICES:
        return sums[V_VORTICES] / n->f.sites;
    case LATMC_MEAN_CHIRALITY:
        return naive_mean_chirality(n, sums);
    case LATMC_CHIRALITY:
        return sums[V_CHIRALITY + what.index] / n->f.sites;
    default:
        return naive_acceptance(&n->f);
    }
}

#endif
