/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of the O(n) vector model after doc/trajectory-onvector.md. */
#ifndef LM_TESTS_ONVECTOR_NAIVE_SUMS_H
#define LM_TESTS_ONVECTOR_NAIVE_SUMS_H

#include "tests/models/onvector_naive.h"
#include "tests/models/phi4_naive_sums.h"

/* Bonds along each axis, fields of the sites, components, for n = 2 twists along each axis. */
enum {
    V_BONDS,
    V_FIELDS = LATMC_MAX_DIMS,
    V_VECTOR,
    V_TWISTS = V_VECTOR + VECTOR_MOST,
    V_SUMS = V_TWISTS + LATMC_MAX_DIMS
};

/* Of what the sites add, layer by layer; x is used up. */
static inline double naive_layers_sum(const naive_field *f, double *x)
{
    const int layers = f->m.dims > 1 ? (int)f->m.extents[f->m.dims - 1] : 1;
    const int layer = f->sites / layers;

    for (int l = 0; l < layers; l++)
        x[l] = naive_sum(x + (size_t)l * (size_t)layer, layer);
    return naive_sum(x, layers);
}

static inline double naive_vector_adds(const naive_vectors *n, int i, int kind)
{
    const double *s = n->s + (size_t)(n->n * i);
    double product;

    if (kind >= V_TWISTS) {
        const int axis = kind - V_TWISTS;
        const double *to = n->s + 2 * (size_t)naive_beside(n, i, axis, 1);
        const double left = s[0] * to[1], right = s[1] * to[0];
        return n->bonds[axis * n->f.sites + i] * (left - right);
    }
    if (kind >= V_VECTOR)
        return s[kind - V_VECTOR];
    if (kind == V_FIELDS)
        return n->fields[i] * s[n->n - 1];
    const double *up = n->s + (size_t)(n->n * naive_beside(n, i, kind, 1));
    product = s[0] * up[0];
    for (int c = 1; c < n->n; c++)
        product = product + s[c] * up[c];
    return n->bonds[kind * n->f.sites + i] * product;
}

static inline void naive_vectors_sums(const naive_vectors *n, double *sums)
{
    double *add = malloc((size_t)n->f.sites * sizeof *add);

    assert_non_null(add);
    for (int kind = 0; kind < V_SUMS; kind++) {
        const int there = kind >= V_TWISTS   ? n->n == 2 && kind - V_TWISTS < n->f.m.dims
                          : kind >= V_FIELDS ? kind < V_VECTOR + n->n
                                             : kind < n->f.m.dims;
        for (int i = 0; i < n->f.sites && there; i++)
            add[i] = naive_vector_adds(n, i, kind);
        sums[kind] = there ? naive_layers_sum(&n->f, add) : 0.0;
    }
    free(add);
}

static inline double naive_vectors_energy(const naive_vectors *n, const double *sums)
{
    double bonds = n->axis[0] * sums[V_BONDS];

    for (int a = 1; a < n->f.m.dims; a++)
        bonds = bonds + n->axis[a] * sums[V_BONDS + a];
    bonds = bonds + n->field * sums[V_VECTOR + n->n - 1];
    return (0.0 - (bonds + sums[V_FIELDS])) / n->f.sites;
}

static inline double naive_helicity(const naive_vectors *n, const double *sums, int axis)
{
    const double j = axis < n->f.m.dims ? n->axis[axis] : 0.0;
    const double stiff = j * sums[V_BONDS + axis], twist = j * sums[V_TWISTS + axis];

    return n->n == 2 ? (stiff - n->beta * (twist * twist)) / n->f.sites : 0.0;
}

static inline double naive_vectors_observable(const naive_vectors *n, const double *sums,
                                              latmc_observable what)
{
    const double e = naive_vectors_energy(n, sums);
    double m[VECTOR_MOST], m2 = 0.0;

    for (int c = 0; c < VECTOR_MOST; c++) {
        m[c] = sums[V_VECTOR + c] / n->f.sites;
        m2 = c == 0 ? m[c] * m[c] : m2 + m[c] * m[c];
    }

    switch ((int)what) {
    case LATMC_ENERGY:
        return e;
    case LATMC_ENERGY2:
        return e * e;
    case LATMC_ENERGY4:
        return e * e * (e * e);
    case LATMC_MAGNETIZATION_0:
        return m[0];
    case LATMC_MAGNETIZATION_1:
        return m[1];
    case LATMC_MAGNETIZATION_2:
        return m[2];
    case LATMC_MAGNETIZATION_3:
        return m[3];
    case LATMC_ABS_MAGNETIZATION:
        return sqrt(m2);
    case LATMC_M2:
        return m2;
    case LATMC_M4:
        return m2 * m2;
    case LATMC_HELICITY_0:
    case LATMC_HELICITY_1:
    case LATMC_HELICITY_2:
    case LATMC_HELICITY_3:
        return naive_helicity(n, sums, (int)what - LATMC_HELICITY_0);
    default:
        return naive_acceptance(&n->f);
    }
}

#endif
