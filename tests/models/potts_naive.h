/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the Potts model once more, after doc/trajectory-potts.md and without a line of
 * the library, one site at a time. Bonds and fields of the sites, and what moves numbers, are those
 * of onvector_naive.h; s has one number a site, its state.
 */
#ifndef LM_TESTS_POTTS_NAIVE_H
#define LM_TESTS_POTTS_NAIVE_H

#include "tests/models/onvector_naive_sums.h"

enum { POTTS_AROUND = 2 * LATMC_MAX_DIMS + 1, POTTS_STATES = 256 };

/* One replica. */
typedef struct naive_potts {
    naive_vectors v;
    int q, in_words; /* states; whether sites are kept so (potts_naive_words.h) */
} naive_potts;

/* What is around a site: state 0 with the field, then down and up along each axis. */
typedef struct naive_around {
    int count, state[POTTS_AROUND];
    double weight[POTTS_AROUND];
} naive_around;

static inline int naive_potts_state(const naive_potts *n, int i)
{
    return (int)n->v.s[i];
}

static inline naive_around naive_potts_around(const naive_potts *n, int i)
{
    const naive_vectors *v = &n->v;
    const naive_field *f = &v->f;
    naive_around at = {.count = 1};

    at.weight[0] = naive_add(f, naive_t(f, v->field), v->fields[i]);
    for (int a = 0; a < f->m.dims; a++)
        for (int by = -1; by <= 1; by += 2) {
            double sign = 1.0;
            const int j = field_step(&f->m, i, a, by, &sign), lower = by < 0 ? j : i;
            at.state[at.count] = j < 0 ? 0 : naive_potts_state(n, j);
            at.weight[at.count++] =
                j < 0 ? 0.0 : naive_mul(f, naive_t(f, v->axis[a]), v->bonds[a * f->sites + lower]);
        }
    return at;
}

static inline double naive_potts_gain(const naive_potts *n, const naive_around *at, int state)
{
    double gain = 0.0;

    for (int k = 0; k < at->count; k++)
        if (at->state[k] == state)
            gain = naive_add(&n->v.f, gain, at->weight[k]);
    return gain;
}

static inline int naive_potts_uniform(uint32_t u, int count)
{
    return (int)((uint64_t)u * (uint64_t)count >> 32);
}

static inline int naive_potts_metropolis(naive_potts *n, int i, latmc_update update)
{
    naive_field *f = &n->v.f;
    const naive_around at = naive_potts_around(n, i);
    const int other = update == LATMC_METROPOLIS_OTHER, s = naive_potts_state(n, i);
    int t = naive_potts_uniform(naive_word(f, i, 0, 1, NAIVE_UPDATE), n->q - other);
    double by;

    t += other && t >= s;
    by = naive_add(f, naive_potts_gain(n, &at, t), -naive_potts_gain(n, &at, s));
    if (!naive_accepts(f, i, naive_mul(f, naive_t(f, n->v.beta), by),
                       naive_word(f, i, 0, 0, NAIVE_UPDATE), 0))
        return s;
    return other && n->q == 2 && naive_word(f, i, 0, 2, NAIVE_UPDATE) % 65536 < 4096 ? s : t;
}

/* 65536 2^y for y = x log2(e) within [-64, 1] */
static inline double naive_potts_weight(const naive_field *f, double x)
{
    const double y = fmin(fmax(naive_mul(f, x, naive_t(f, 1.4426950408889634)), -64.0), 1.0);
    const double whole = rint(y);

    return ldexp(naive_exp2(f, naive_add(f, y, -whole)), (int)whole);
}

/* The choices of the heat bath, the last of which is the rest; sums from each on. */
static inline void naive_potts_choices(const naive_potts *n, const naive_around *at, int rest,
                                       double *weight, double *sum)
{
    const naive_field *f = &n->v.f;
    const double beta = naive_t(f, n->v.beta);
    double most = rest ? 0.0 : -INFINITY;

    for (int k = 0; k < at->count; k++)
        most = fmax(most, (beta < 0.0 ? -1.0 : 1.0) * naive_potts_gain(n, at, at->state[k]));
    for (int k = 0; k <= at->count; k++) {
        const double gain = k < at->count ? naive_potts_gain(n, at, at->state[k]) : 0.0;
        const double x = naive_mul(f, fabs(beta), naive_add(f, beta < 0.0 ? -gain : gain, -most));
        weight[k] = naive_potts_weight(f, x);
        for (int j = 0; j < k && k < at->count; j++)
            if (at->state[j] == at->state[k])
                weight[k] = 0.0;
    }
    weight[at->count] = naive_mul(f, rest, weight[at->count]);
    sum[at->count] = weight[at->count];
    for (int k = at->count - 1; k >= 0; k--)
        sum[k] = naive_add(f, weight[k], sum[k + 1]);
}

static inline int naive_potts_chosen(const naive_potts *n, int i, int k, double weight, double sum)
{
    const naive_field *f = &n->v.f;
    const uint32_t word = naive_word(f, i, k / 8, k / 2 % 4, NAIVE_UPDATE);
    const double u = k % 2 ? word % 65536 : word >> 16;
    const double one = sum / 65536.0, d = naive_fma(f, -u, one, weight);
    uint32_t again;

    if (d >= one || d <= 0x1p-48)
        return d >= one;
    again = naive_word(f, i, 32768 + k, 0, NAIVE_UPDATE);
    return naive_mul(f, naive_t(f, again >> 1) / 0x1p31, one) < d;
}

static inline int naive_potts_heatbath(const naive_potts *n, int i)
{
    const naive_around at = naive_potts_around(n, i);
    int there[POTTS_STATES] = {0}, rest = n->q, j;
    double weight[POTTS_AROUND + 1], sum[POTTS_AROUND + 1];

    for (int k = 0; k < at.count; k++) {
        rest -= !there[at.state[k]];
        there[at.state[k]] = 1;
    }
    naive_potts_choices(n, &at, rest, weight, sum);
    for (int k = 0; k < at.count; k++)
        if (naive_potts_chosen(n, i, k, weight[k], sum[k]))
            return at.state[k];
    j = naive_potts_uniform(
        naive_word(&n->v.f, i, (at.count + 1) / 8, (at.count + 1) / 2 % 4, NAIVE_UPDATE), rest);
    for (int t = 0; t < n->q; t++)
        if (!there[t] && j-- == 0)
            return t;
    fail_msg("no state is left");
    return -1;
}

/* Kept as bytes. */
static inline int naive_potts_byte(naive_potts *n, int i, latmc_update update)
{
    return update == LATMC_HEATBATH ? naive_potts_heatbath(n, i)
                                    : naive_potts_metropolis(n, i, update);
}

static inline int naive_potts_byte_start(const naive_potts *n, int i)
{
    return naive_potts_uniform(naive_word(&n->v.f, i, 0, 0, NAIVE_START), n->q);
}

/* ---- a sweep and a start, whose sites are updated and begin as they are kept */

typedef int naive_potts_update(naive_potts *n, int i, latmc_update update);

static inline void naive_potts_sweep(naive_potts *n, latmc_update update, naive_potts_update *site)
{
    naive_field *f = &n->v.f;

    f->accepted = 0;
    f->proposals = 1;
    for (int c = 0; c < f->colours; c++)
        for (int i = 0; i < f->sites; i++)
            if (f->colour[i] == c) {
                const int t = site(n, i, update);
                f->accepted += t != naive_potts_state(n, i);
                n->v.s[i] = t;
            }
    f->step++;
}

static inline void naive_potts_start(naive_potts *n, latmc_start_mode mode,
                                     int (*hot)(const naive_potts *n, int i))
{
    for (int i = 0; i < n->v.f.sites; i++)
        n->v.s[i] = mode == LATMC_START_COLD ? 0.0 : hot(n, i);
    n->v.f.step = 0;
    n->v.f.accepted = 0;
}

/* ---- measurements: bonds along each axis, fields of the sites, how many are in each state */

enum { POTTS_FIELDS = LATMC_MAX_DIMS, POTTS_COUNTS, POTTS_SUMS = POTTS_COUNTS + POTTS_STATES };

static inline double naive_potts_adds(const naive_potts *n, int i, int kind)
{
    const naive_vectors *v = &n->v;

    if (kind == POTTS_FIELDS)
        return naive_potts_state(n, i) == 0 ? v->fields[i] : 0.0;
    return naive_potts_state(n, i) == naive_potts_state(n, naive_beside(v, i, kind, 1))
               ? v->bonds[kind * v->f.sites + i]
               : 0.0;
}

static inline void naive_potts_sums(const naive_potts *n, double *sums)
{
    const naive_field *f = &n->v.f;
    double *add = malloc((size_t)f->sites * sizeof *add);

    assert_non_null(add);
    memset(sums, 0, POTTS_SUMS * sizeof *sums);
    for (int kind = 0; kind <= POTTS_FIELDS; kind++) {
        if (kind < POTTS_FIELDS && kind >= f->m.dims)
            continue;
        for (int i = 0; i < f->sites; i++)
            add[i] = naive_potts_adds(n, i, kind);
        sums[kind] = naive_layers_sum(f, add);
    }
    for (int i = 0; i < f->sites; i++)
        sums[POTTS_COUNTS + naive_potts_state(n, i)] += 1.0;
    free(add);
}

static inline double naive_potts_energy(const naive_potts *n, const double *sums)
{
    double t = 0.0;

    for (int a = 0; a < n->v.f.m.dims; a++)
        t = t + n->v.axis[a] * sums[a];
    t = t + n->v.field * sums[POTTS_COUNTS];
    return (0.0 - (t + sums[POTTS_FIELDS])) / n->v.f.sites;
}

static inline double naive_potts_order(const naive_potts *n, const double *sums)
{
    const double sites = n->v.f.sites;
    double most = 0.0;

    for (int a = 0; a < n->q; a++)
        most = fmax(most, sums[POTTS_COUNTS + a]);
    return (n->q * most - sites) / ((n->q - 1) * sites);
}

static inline double naive_potts_square(const naive_potts *n, const double *sums)
{
    const double sites = n->v.f.sites;
    double square = 0.0;

    for (int a = 0; a < n->q; a++) {
        const double x = (n->q * sums[POTTS_COUNTS + a] - sites) / sites;
        square = square + x * x;
    }
    return square / (n->q * (n->q - 1));
}

static inline double naive_potts_observable(const naive_potts *n, const double *sums,
                                            latmc_quantity what)
{
    const double e = naive_potts_energy(n, sums), p = naive_potts_order(n, sums),
                 m2 = naive_potts_square(n, sums);

    switch (what.observable) {
    case LATMC_ENERGY:
        return e;
    case LATMC_ENERGY2:
        return e * e;
    case LATMC_ENERGY4:
        return e * e * (e * e);
    case LATMC_OCCUPATION:
        return sums[POTTS_COUNTS + what.index] / n->v.f.sites;
    case LATMC_ORDER_PARAMETER:
        return p;
    case LATMC_ORDER_PARAMETER2:
        return p * p;
    case LATMC_ORDER_PARAMETER4:
        return p * p * (p * p);
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
