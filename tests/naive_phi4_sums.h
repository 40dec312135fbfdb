/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of the phi^4 model after doc/trajectory.md, in the order that it gives. */
#ifndef LM_TESTS_NAIVE_PHI4_SUMS_H
#define LM_TESTS_NAIVE_PHI4_SUMS_H

#include "tests/naive_phi4_sweep.h"

enum { S_GRADIENT, S_SQUARE, S_FOURTH, S_CUTOFF, S_FIELD, S_WAVES, S_SUMS = S_WAVES + 8 };

/* Cosine and sine of 2 pi part / whole: within an eighth of a turn by the C library, the rest by
 * symmetry, so that quarters are exact. */
static inline void naive_wave(int64_t part, int64_t whole, double *cosine, double *sine)
{
    const int64_t eighth = 8 * part / whole % 8, rest = 8 * part - 8 * part / whole * whole;
    const int64_t into = eighth % 2 ? whole - rest : rest; /* of whole / 8, from the axis */
    const long double angle =
        0.785398163397448309615660845819875721L * (long double)into / (long double)whole;
    const double near = (double)cosl(angle), far = (double)sinl(angle);
    const int quarter = (int)((eighth + 1) / 2 % 4), before = (int)(eighth % 2);
    const double y = before ? -far : far; /* above or below the axis that is near */

    *cosine = quarter == 0 ? near : quarter == 1 ? -y : quarter == 2 ? -near : y;
    *sine = quarter == 0 ? y : quarter == 1 ? near : quarter == 2 ? -y : -near;
}

/* What site i adds to the sums. */
static inline void naive_site_sums(const naive_field *n, int i, double *add)
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
        const int turns = n->m.boundaries[a] == A ? 2 : 1;
        double cosine, sine;
        naive_wave(field_coordinate(&n->m, i, a), turns * n->m.extents[a], &cosine, &sine);
        add[S_WAVES + 2 * a] = phi * cosine;
        add[S_WAVES + 2 * a + 1] = phi * sine;
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
    double *add = malloc((size_t)n->sites * S_SUMS * sizeof *add);

    assert_non_null(add);
    for (int i = 0; i < n->sites; i++) {
        double one[S_SUMS];
        naive_site_sums(n, i, one);
        for (int k = 0; k < kinds; k++)
            add[(size_t)k * (size_t)n->sites + (size_t)i] = one[k];
    }
    for (int k = 0; k < kinds; k++) {
        double *x = add + (size_t)k * (size_t)n->sites;
        for (int l = 0; l < layers; l++)
            x[l] = naive_sum(x + (size_t)l * (size_t)layer, layer);
        sums[k] = naive_sum(x, layers);
    }
    free(add);
}

static inline double naive_observable(const naive_field *n, const double *s, latmc_observable what)
{
    const field_model *m = &n->m;
    const double volume = n->sites, phi = s[S_FIELD] / volume;
    const double square = m->mu2 / 2.0 * s[S_SQUARE], fourth = m->g / 24.0 * s[S_FOURTH];
    const double cutoff = m->kappa / 2.0 * s[S_CUTOFF], field = m->field * s[S_FIELD];
    const int axis = (int)what - LATMC_STRUCTURE_0;

    switch ((int)what) {
    case LATMC_ENERGY:
        return ((((s[S_GRADIENT] + square) + fourth) + cutoff) - field) / volume;
    case LATMC_ENERGY_GRADIENT:
        return s[S_GRADIENT] / volume;
    case LATMC_ENERGY_POTENTIAL:
        return ((square + fourth) - field) / volume;
    case LATMC_ENERGY_CUTOFF:
        return cutoff / volume;
    case LATMC_PHI:
        return phi;
    case LATMC_ABS_PHI:
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
