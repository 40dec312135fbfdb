/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of the phi^4 model after doc/trajectory-phi4.md, in the order that it gives. */
#ifndef LM_TESTS_PHI4_NAIVE_SUMS_H
#define LM_TESTS_PHI4_NAIVE_SUMS_H

#include <float.h>

#include "tests/models/phi4_naive_sweep.h"

enum { S_GRADIENT, S_SQUARE, S_FOURTH, S_CUTOFF, S_FIELD, S_WAVES, S_SUMS = S_WAVES + 8 };

/* The page wants numbers of 64 significant bits, which the x87 unit has. Elsewhere long double has
 * 113, and naive_short() rounds them. */
typedef long double naive_long;

#if LDBL_MANT_DIG == 64
static inline naive_long naive_short(naive_long x)
{
    return x;
}
#else
/* To 64 significant bits: 49 of the 113 go. */
static inline naive_long naive_short(naive_long x)
{
    uint64_t half[2];

    memcpy(half, &x, sizeof half);
    const uint64_t gone = half[0] & (((uint64_t)1 << 49) - 1), middle = (uint64_t)1 << 48;
    const uint64_t up = gone > middle || (gone == middle && half[0] >> 49 & 1);
    half[0] -= gone;
    half[1] += up && half[0] + (up << 49) < half[0];
    half[0] += up << 49;
    memcpy(&x, half, sizeof half);
    return x;
}
#endif

/* 1 - t^2 / ((last - 1) last) (1 - ..), from the innermost bracket on */
static inline naive_long naive_series(naive_long t, int last)
{
    const naive_long square = naive_short(t * t);
    naive_long s = 1;

    for (int n = last; n >= 2; n -= 2) {
        const naive_long term = naive_short(s * square);
        s = naive_short(1 - naive_short(term / (n * (n - 1))));
    }
    return s;
}

/* Cosine and sine of 2 pi x / whole, by the eighth of a turn that it is in. */
static inline void naive_wave_made(int64_t x, int64_t whole, double *cosine, double *sine)
{
    const naive_long pi = (naive_long)0xC90FDAA22168C235u / ((uint64_t)1 << 62);
    const int left = whole < 4 * x && 4 * x<3 * whole, below = 2 * x> whole;
    int64_t w = 2 * (below ? whole - x : x); /* w / whole of half a turn, from the nearer end */

    w = left ? whole - w : w;
    const int steep = 4 * w > whole; /* nearer to the y axis */
    const naive_long turned = naive_short(pi * (steep ? whole - 2 * w : w));
    const naive_long t = naive_short(turned / (steep ? 2 * whole : whole));
    const double near = (double)naive_series(t, 22);
    const double far = (double)naive_short(t * naive_series(t, 23));
    *cosine = (left ? -1.0 : 1.0) * (steep ? far : near);
    *sine = (below ? -1.0 : 1.0) * (steep ? near : far);
}

/* The same. Where the whole is small its numbers are kept, since each costs two series in
 * long doubles. */
static inline void naive_wave(int64_t x, int64_t whole, double *cosine, double *sine)
{
    enum { KEPT = 129 };
    static double kept[KEPT][KEPT][2];
    double own[2], *turn = whole < KEPT ? kept[whole][x] : own;

    if (turn == own || (turn[0] == 0.0 && turn[1] == 0.0))
        naive_wave_made(x, whole, &turn[0], &turn[1]);
    *cosine = turn[0];
    *sine = turn[1];
}

/* Cosine and sine by the coordinate along an axis. */
static inline double *naive_waves(const naive_field *n, int axis)
{
    const int64_t extent = n->m.extents[axis], turns = n->m.boundaries[axis] == A ? 2 : 1;
    double *wave = malloc((size_t)extent * 2 * sizeof *wave);

    assert_non_null(wave);
    for (int64_t x = 0; x < extent; x++)
        naive_wave(x, turns * extent, &wave[2 * x], &wave[2 * x + 1]);
    return wave;
}

/* What site i adds to the sums. */
static inline void naive_site_sums(const naive_field *n, int i, double *const *waves, double *add)
{
    const double phi = n->phi[i];
    double gradient = 0.0, laplacian = 0.0;

    for (int a = 0; a < n->m.dims; a++) {
        double step[2];
        for (int up = 0; up < 2; up++) {
            double sign = 1.0;
            const int j = field_step(&n->m, i, a, 2 * up - 1, &sign);
            step[up] = j < 0 ? 0.0 : sign * n->phi[j] - phi;
        }
        gradient = gradient + step[1] * step[1];
        laplacian = laplacian + (step[0] + step[1]);
    }
    add[S_GRADIENT] = 0.5 * gradient;
    add[S_SQUARE] = phi * phi;
    add[S_FOURTH] = add[S_SQUARE] * add[S_SQUARE];
    add[S_CUTOFF] = laplacian * laplacian;
    add[S_FIELD] = phi;
    for (int a = 0; a < n->m.dims; a++) {
        const double *wave = waves[a] + 2 * field_coordinate(&n->m, i, a);
        add[S_WAVES + 2 * a] = phi * wave[0];
        add[S_WAVES + 2 * a + 1] = phi * wave[1];
    }
}

static inline double naive_block_sum(const double *x, int count)
{
    double p[32] = {0};

    for (int i = 0; i < count; i++)
        p[i % 32] = p[i % 32] + x[i];
    for (int half = 16; half >= 1; half /= 2)
        for (int j = 0; j < half; j++)
            p[j] = p[j] + p[j + half];
    return p[0];
}

/* In place. */
static inline double naive_sum(double *x, int count)
{
    do {
        const int blocks = (count + 1023) / 1024;
        for (int b = 0; b < blocks; b++)
            x[b] = naive_block_sum(x + 1024 * b, b < blocks - 1 ? 1024 : count - 1024 * b);
        count = blocks;
    } while (count > 1);
    return x[0];
}

static inline void naive_sums(const naive_field *n, double *sums)
{
    const int layers = n->m.dims > 1 ? (int)n->m.extents[n->m.dims - 1] : 1;
    const int layer = n->sites / layers, kinds = S_WAVES + 2 * n->m.dims;
    double *add = malloc((size_t)n->sites * S_SUMS * sizeof *add), *waves[LATMC_MAX_DIMS];

    assert_non_null(add);
    for (int a = 0; a < n->m.dims; a++)
        waves[a] = naive_waves(n, a);
    for (int i = 0; i < n->sites; i++) {
        double one[S_SUMS];
        naive_site_sums(n, i, waves, one);
        for (int k = 0; k < kinds; k++)
            add[(size_t)k * (size_t)n->sites + (size_t)i] = one[k];
    }
    for (int k = 0; k < kinds; k++) {
        double *x = add + (size_t)k * (size_t)n->sites;
        for (int l = 0; l < layers; l++)
            x[l] = naive_sum(x + (size_t)l * (size_t)layer, layer);
        sums[k] = naive_sum(x, layers);
    }
    for (int a = 0; a < n->m.dims; a++)
        free(waves[a]);
    free(add);
}

static inline double naive_observable(const naive_field *n, const double *s, latmc_quantity what)
{
    const field_model *m = &n->m;
    const double volume = n->sites, phi = s[S_FIELD] / volume;
    const double square = m->mu2 / 2.0 * s[S_SQUARE], fourth = m->g / 24.0 * s[S_FOURTH];
    const double cutoff = m->kappa > 0.0 ? m->kappa / 2.0 * s[S_CUTOFF] : 0.0,
                 field = m->field * s[S_FIELD];
    const int axis = what.index;

    switch (what.observable) {
    case LATMC_ENERGY:
        return ((((s[S_GRADIENT] + square) + fourth) + cutoff) - field) / volume;
    case LATMC_ENERGY_GRADIENT:
        return s[S_GRADIENT] / volume;
    case LATMC_ENERGY_POTENTIAL:
        return ((square + fourth) - field) / volume;
    case LATMC_ENERGY_CUTOFF:
        return cutoff / volume;
    case LATMC_MAGNETIZATION:
        return phi;
    case LATMC_ABS_MAGNETIZATION:
        return fabs(phi);
    case LATMC_M2:
        return phi * phi;
    case LATMC_M4:
        return phi * phi * (phi * phi);
    case LATMC_PHI_SQUARED:
        return s[S_SQUARE] / volume;
    case LATMC_PHI_FOURTH:
        return s[S_FOURTH] / volume;
    case LATMC_ACCEPTANCE:
        return naive_acceptance(n);
    default:
        if (axis >= m->dims)
            return 0.0;
        s += S_WAVES + 2 * axis;
        return (s[0] * s[0] + s[1] * s[1]) / (volume * volume);
    }
}

#endif
