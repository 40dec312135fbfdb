/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the Ising model with one spin kept as a byte once more, after
 * doc/trajectory-ising.md and without a line of the library, one site at a time. Bonds and fields
 * of the sites, and what moves numbers, are those of onvector_naive.h; s has one number a site.
 */
#ifndef LM_TESTS_ISING_FIELD_NAIVE_H
#define LM_TESTS_ISING_FIELD_NAIVE_H

#include "tests/models/onvector_naive_sums.h"

static inline double naive_spin_field(const naive_vectors *n, int i)
{
    const naive_field *f = &n->f;
    double h = naive_add(f, naive_t(f, n->field), n->fields[i]);

    for (int a = 0; a < f->m.dims; a++) {
        const int up = naive_beside(n, i, a, 1), down = naive_beside(n, i, a, -1);
        const double t = naive_fma(f, n->bonds[a * f->sites + i], n->s[up],
                                   naive_mul(f, n->bonds[a * f->sites + down], n->s[down]));
        h = naive_fma(f, naive_t(f, n->axis[a]), t, h);
    }
    return h;
}

/* 65536 2^y for y = x log2(e) within [-64, 1] */
static inline double naive_spin_weight(const naive_field *f, double x)
{
    const double y = fmin(fmax(naive_mul(f, x, naive_t(f, 1.4426950408889634)), -64.0), 1.0);
    const double whole = rint(y);

    return ldexp(naive_exp2(f, naive_add(f, y, -whole)), (int)whole);
}

static inline int naive_spin_flips(naive_vectors *n, int i, double two_beta, double h)
{
    naive_field *f = &n->f;
    const uint32_t u = naive_word(f, i, 0, 0, NAIVE_UPDATE);
    const double x = -naive_mul(f, two_beta, n->s[i] * h);
    int flips = naive_accepts(f, i, x, u, 0);

    if (fabs(x) < 0.125 && u % 65536 < 4096)
        flips = 0;
    return flips;
}

/* The spin of the heat bath. */
static inline double naive_spin_drawn(const naive_vectors *n, int i, double two_beta, double h)
{
    const naive_field *f = &n->f;
    const double y = naive_mul(f, two_beta, h), along = y < 0.0 ? -1.0 : 1.0;
    const double w = naive_spin_weight(f, -fabs(y));
    const double p = naive_t(f, naive_mul(f, 65536.0, w) / naive_add(f, 65536.0, w));
    const double d = naive_add(f, p, -(double)(naive_word(f, i, 0, 0, NAIVE_UPDATE) >> 16));

    if (d >= 1.0 || d <= 0x1p-48)
        return d >= 1.0 ? -along : along;
    const uint32_t again = naive_word(f, i, 32768, 0, NAIVE_UPDATE);
    return naive_t(f, (double)(again >> 1)) / 2147483648.0 < d ? -along : along;
}

static inline void naive_spin_update(naive_vectors *n, int i, latmc_update update)
{
    const double two_beta = 2.0 * naive_t(&n->f, n->beta), h = naive_spin_field(n, i);
    double s = n->s[i];

    if (update == LATMC_HEATBATH)
        s = naive_spin_drawn(n, i, two_beta, h);
    else if (naive_spin_flips(n, i, two_beta, h))
        s = -s;
    n->f.accepted += s != n->s[i];
    n->s[i] = s;
}

static inline void naive_spins_colour(naive_vectors *n, latmc_update update, int colour)
{
    for (int i = 0; i < n->f.sites; i++)
        if (n->f.colour[i] == colour)
            naive_spin_update(n, i, update);
}

static inline void naive_spins_sweep(naive_vectors *n, latmc_update update)
{
    n->f.accepted = 0;
    n->f.proposals = 1;
    for (int c = 0; c < n->f.colours; c++)
        naive_spins_colour(n, update, c);
    n->f.step++;
}

static inline void naive_spins_start(naive_vectors *n, latmc_start_mode mode)
{
    for (int i = 0; i < n->f.sites; i++)
        n->s[i] = mode == LATMC_START_COLD || naive_word(&n->f, i, 0, 0, NAIVE_START) >= 0x80000000u
                      ? 1.0
                      : -1.0;
    n->f.step = 0;
    n->f.accepted = 0;
}

/* ---- measurements: bonds along each axis, fields of the sites, spins */

enum { N_BONDS, N_FIELDS = LATMC_MAX_DIMS, N_SPINS, N_SUMS };

static inline double naive_spin_adds(const naive_vectors *n, int i, int kind)
{
    if (kind == N_SPINS)
        return n->s[i];
    if (kind == N_FIELDS)
        return n->fields[i] * n->s[i];
    return n->bonds[kind * n->f.sites + i] * (n->s[i] * n->s[naive_beside(n, i, kind, 1)]);
}

static inline void naive_spins_sums(const naive_vectors *n, double *sums)
{
    double *add = malloc((size_t)n->f.sites * sizeof *add);

    assert_non_null(add);
    for (int kind = 0; kind < N_SUMS; kind++) {
        const int there = kind >= N_FIELDS || kind < n->f.m.dims;
        for (int i = 0; i < n->f.sites && there; i++)
            add[i] = naive_spin_adds(n, i, kind);
        sums[kind] = there ? naive_layers_sum(&n->f, add) : 0.0;
    }
    free(add);
}

static inline double naive_spins_energy(const naive_vectors *n, const double *sums)
{
    double t = 0.0;

    for (int a = 0; a < n->f.m.dims; a++)
        t = t + n->axis[a] * sums[N_BONDS + a];
    t = t + n->field * sums[N_SPINS];
    return (0.0 - (t + sums[N_FIELDS])) / n->f.sites;
}

static inline double naive_spins_observable(const naive_vectors *n, const double *sums,
                                            latmc_quantity what)
{
    const double m = sums[N_SPINS] / n->f.sites, e = naive_spins_energy(n, sums);

    switch (what.observable) {
    case LATMC_ENERGY:
        return e;
    case LATMC_ENERGY2:
        return e * e;
    case LATMC_ENERGY4:
        return e * e * (e * e);
    case LATMC_MAGNETIZATION:
        return m;
    case LATMC_ABS_MAGNETIZATION:
        return fabs(m);
    case LATMC_M2:
        return m * m;
    case LATMC_M4:
        return m * m * (m * m);
    default:
        return naive_acceptance(&n->f);
    }
}

#endif
