/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the clock model once more, after doc/trajectory-clock.md and without a line of
 * the library, one site at a time. What states share is in potts_naive.h, waves in
 * phi4_naive_sums.h.
 */
#ifndef LM_TESTS_CLOCK_NAIVE_H
#define LM_TESTS_CLOCK_NAIVE_H

#include "tests/models/potts_naive.h"

enum { CLOCK_MOST = 64 };

/* A state's vector, in doubles. */
static inline void clock_vector(const naive_potts *n, int state, double *v)
{
    naive_wave(state, n->q, &v[0], &v[1]);
}

/* The local field of a site. */
static inline void clock_field(const naive_potts *n, int i, double *h)
{
    const naive_vectors *v = &n->v;
    const naive_field *f = &v->f;

    h[0] = naive_add(f, naive_t(f, v->field), v->fields[i]);
    h[1] = 0.0;
    for (int a = 0; a < f->m.dims; a++) {
        const int below = naive_beside(v, i, a, -1), above = naive_beside(v, i, a, 1);
        const double k = v->bonds[a * f->sites + below], l = v->bonds[a * f->sites + i];
        double down[2], up[2];

        clock_vector(n, naive_potts_state(n, below), down);
        clock_vector(n, naive_potts_state(n, above), up);
        for (int c = 0; c < 2; c++) {
            const double both =
                naive_fma(f, l, naive_t(f, up[c]), naive_mul(f, k, naive_t(f, down[c])));
            h[c] = naive_fma(f, naive_t(f, v->axis[a]), both, h[c]);
        }
    }
}

static inline double clock_gain(const naive_potts *n, const double *h, int state)
{
    const naive_field *f = &n->v.f;
    double v[2];

    clock_vector(n, state, v);
    return naive_fma(f, h[1], naive_t(f, v[1]), naive_mul(f, h[0], naive_t(f, v[0])));
}

static inline int clock_metropolis(naive_potts *n, int i, const double *h)
{
    naive_field *f = &n->v.f;
    const int s = naive_potts_state(n, i);
    const int t = naive_potts_uniform(naive_word(f, i, 0, 1, NAIVE_UPDATE), n->q);
    const double by = naive_add(f, clock_gain(n, h, t), -clock_gain(n, h, s));
    const double x = naive_mul(f, naive_t(f, n->v.beta), by);

    return naive_accepts(f, i, x, naive_word(f, i, 0, 0, NAIVE_UPDATE), 0) ? t : s;
}

static inline int clock_heatbath(const naive_potts *n, int i, const double *h)
{
    const naive_field *f = &n->v.f;
    const double beta = naive_t(f, n->v.beta), sign = beta < 0.0 ? -1.0 : 1.0;
    uint64_t sum[CLOCK_MOST], all = 0, at;
    double most = -INFINITY;
    int t = 0;

    for (int k = 0; k < n->q; k++)
        most = fmax(most, sign * clock_gain(n, h, k));
    for (int k = 0; k < n->q; k++) {
        const double x = naive_mul(f, fabs(beta), naive_add(f, sign * clock_gain(n, h, k), -most));
        all += (uint64_t)(256.0 * naive_potts_weight(f, x));
        sum[k] = all;
    }
    at = naive_word(f, i, 0, 0, NAIVE_UPDATE) * all >> 32;
    while (sum[t] <= at)
        t++;
    return t;
}

static inline int clock_site(naive_potts *n, int i, latmc_update update)
{
    double h[2];

    clock_field(n, i, h);
    return update == LATMC_HEATBATH ? clock_heatbath(n, i, h) : clock_metropolis(n, i, h);
}

/* ---- measurements: bonds along each axis, fields of the sites, first components, products and
 * twists along each axis, waves of both components, how many sites are in each state */

enum {
    C_FIELDS = LATMC_MAX_DIMS,
    C_FIRST,
    C_TWISTS,
    C_WAVES = C_TWISTS + LATMC_MAX_DIMS,
    C_COUNTS = C_WAVES + 4 * LATMC_MAX_DIMS,
    C_SUMS = C_COUNTS + CLOCK_MOST
};

static inline double clock_along(const naive_potts *n, int i, int axis, int turned)
{
    double s[2], t[2];

    clock_vector(n, naive_potts_state(n, i), s);
    clock_vector(n, naive_potts_state(n, naive_beside(&n->v, i, axis, 1)), t);
    return n->v.bonds[axis * n->v.f.sites + i] *
           (turned ? s[0] * t[1] - s[1] * t[0] : s[0] * t[0] + s[1] * t[1]);
}

static inline double clock_adds(const naive_potts *n, int i, int kind, double *const *waves)
{
    double s[2];

    clock_vector(n, naive_potts_state(n, i), s);
    if (kind < C_FIELDS)
        return clock_along(n, i, kind, 0);
    if (kind == C_FIELDS)
        return n->v.fields[i] * s[0];
    if (kind == C_FIRST)
        return s[0];
    if (kind < C_WAVES)
        return clock_along(n, i, kind - C_TWISTS, 1);
    kind -= C_WAVES; /* [axis][component][part] */
    return s[kind / 2 % 2] *
           waves[kind / 4][2 * field_coordinate(&n->v.f.m, i, kind / 4) + kind % 2];
}

/* The axis that a sum belongs to, or 0. */
static inline int clock_axis(int kind)
{
    return kind < C_FIELDS   ? kind
           : kind < C_TWISTS ? 0
           : kind < C_WAVES  ? kind - C_TWISTS
                             : (kind - C_WAVES) / 4;
}

static inline void clock_sums(const naive_potts *n, double *sums)
{
    const naive_field *f = &n->v.f;
    double *add = malloc((size_t)f->sites * sizeof *add), *waves[LATMC_MAX_DIMS] = {NULL};

    assert_non_null(add);
    memset(sums, 0, C_SUMS * sizeof *sums);
    for (int a = 0; a < f->m.dims; a++)
        waves[a] = naive_waves(f, a);
    for (int kind = 0; kind < C_COUNTS; kind++) {
        if (clock_axis(kind) >= f->m.dims)
            continue;
        for (int i = 0; i < f->sites; i++)
            add[i] = clock_adds(n, i, kind, waves);
        sums[kind] = naive_layers_sum(f, add);
    }
    for (int i = 0; i < f->sites; i++)
        sums[C_COUNTS + naive_potts_state(n, i)] += 1.0;
    for (int a = 0; a < f->m.dims; a++)
        free(waves[a]);
    free(add);
}

static inline double clock_energy(const naive_potts *n, const double *sums)
{
    double t = 0.0;

    for (int a = 0; a < n->v.f.m.dims; a++)
        t = t + n->v.axis[a] * sums[a];
    return (0.0 - (t + (n->v.field * sums[C_FIRST] + sums[C_FIELDS]))) / n->v.f.sites;
}

static inline double clock_moment(const naive_potts *n, const double *sums, int component)
{
    double m = 0.0, s[2];

    for (int k = 0; k < n->q; k++) {
        clock_vector(n, k, s);
        m = m + sums[C_COUNTS + k] * s[component];
    }
    return m / n->v.f.sites;
}

static inline double clock_structure(const naive_potts *n, const double *sums, int axis)
{
    const double *w = sums + C_WAVES + 4 * axis, sites = n->v.f.sites;

    return axis < n->v.f.m.dims
               ? ((w[0] * w[0] + w[1] * w[1]) + (w[2] * w[2] + w[3] * w[3])) / (sites * sites)
               : 0.0;
}

static inline double clock_helicity(const naive_potts *n, const double *sums, int axis)
{
    const double j = axis < n->v.f.m.dims ? n->v.axis[axis] : 0.0;
    const double turn = j * sums[C_TWISTS + axis];

    return axis < n->v.f.m.dims ? (j * sums[axis] - n->v.beta * (turn * turn)) / n->v.f.sites : 0.0;
}

static inline double clock_observable(const naive_potts *n, const double *sums, latmc_quantity what)
{
    const double e = clock_energy(n, sums), m0 = clock_moment(n, sums, 0),
                 m1 = clock_moment(n, sums, 1), m2 = m0 * m0 + m1 * m1;

    switch (what.observable) {
    case LATMC_ENERGY:
        return e;
    case LATMC_ENERGY2:
        return e * e;
    case LATMC_ENERGY4:
        return e * e * (e * e);
    case LATMC_MAGNETIZATION:
        return what.index ? m1 : m0;
    case LATMC_STRUCTURE:
        return clock_structure(n, sums, what.index);
    case LATMC_HELICITY:
        return clock_helicity(n, sums, what.index);
    case LATMC_OCCUPATION:
        return sums[C_COUNTS + what.index] / n->v.f.sites;
    case LATMC_ABS_MAGNETIZATION:
        return sqrt(m2);
    case LATMC_M2:
        return m2;
    case LATMC_M4:
        return m2 * m2;
    default:
        return naive_acceptance(&n->v.f);
    }
}

#endif
