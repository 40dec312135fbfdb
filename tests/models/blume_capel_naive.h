/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory of the Blume-Capel model once more, after doc/trajectory-blume-capel.md and
 * without a line of the library: one site at a time, numbers put together bit by bit, probabilities
 * from the C library's exp. Lattices, and where a site's bits are, are those of ising_naive.h.
 */
#ifndef LM_TESTS_BLUME_CAPEL_NAIVE_H
#define LM_TESTS_BLUME_CAPEL_NAIVE_H

#include "tests/models/ising_naive.h"

/* One replica. */
typedef struct naive_blume_capel {
    naive n;
    double crystal;
} naive_blume_capel;

/* Bit number w of a site's own, of an update (colour >= 0) or of the start. */
static inline int naive_blume_capel_bit(const naive_blume_capel *c, int site, int colour, int w)
{
    request q = {.seed = c->n.seed, .draw = (uint32_t)(w / 4), .domain = NAIVE_START};
    const int bit = naive_place(&c->n, site, &q);
    uint32_t block[4];

    if (colour >= 0) {
        q.domain = NAIVE_UPDATE;
        q.step = c->n.step;
        q.stage = (uint32_t)colour;
    } else if (c->n.folded)
        q.stage = (uint32_t)plain_colour(&c->n.p, site);
    naive_block(&q, block);
    return block[w % 4] >> bit & 1;
}

/* Bits first .. last - 1, the first one the most significant. */
static inline uint32_t naive_blume_capel_number(const naive_blume_capel *c, int site, int colour,
                                                int first, int last)
{
    uint32_t u = 0;

    for (int w = first; w < last; w++)
        u = u << 1 | (uint32_t)naive_blume_capel_bit(c, site, colour, w);
    return u;
}

/* What a site feels: the sum of its neighbours by axes, and the field. */
static inline double naive_blume_capel_local(const naive_blume_capel *c, int i)
{
    const plain *p = &c->n.p;
    int equal = 1, all = 0;
    double local = 0.0;

    for (int a = 0; a < p->dims; a++) {
        double sum = 0.0;
        for (int b = 2 * a; b < 2 * a + 2; b++)
            if (p->axis[a] != 0.0)
                sum += p->coupling[i][b] / p->axis[a] * c->n.s[p->neighbour[i][b]];
        equal &= p->axis[a] == p->axis[0];
        all += (int)sum;
        local = local + p->axis[a] * sum;
    }
    return (equal ? p->axis[0] * all : local) + p->field;
}

static inline int8_t naive_blume_capel_metropolis(const naive_blume_capel *c, int i, int colour)
{
    const int s = c->n.s[i], r = naive_blume_capel_bit(c, i, colour, 0);
    const int t = s == 0 ? (r ? -1 : 1) : r ? -s : 0;
    const double cost =
        (0.0 - (t - s) * naive_blume_capel_local(c, i)) + (t * t - s * s) * c->crystal;
    const double x = 0.0 - c->n.p.beta * cost;
    double threshold = 4294967296.0;

    if (x < 0.0)
        threshold = fmin(naive_threshold(exp(x)), 4294967295.0);
    return (int8_t)(naive_blume_capel_number(c, i, colour, 1, 32) < floor(threshold / 2.0) ? t : s);
}

static inline int8_t naive_blume_capel_heat_bath(const naive_blume_capel *c, int i, int colour)
{
    const double x = c->n.p.beta * naive_blume_capel_local(c, i), y = c->n.p.beta * c->crystal;
    const double most = fmax(fabs(x) - y, 0.0);
    const double zero = exp(-most), up = exp(x - y - most), down = exp(-x - y - most);
    const double negative = 1.0 / (1.0 + exp(2.0 * x));

    if (naive_blume_capel_number(c, i, colour, 0, 32) >=
        naive_threshold((up + down) / (up + down + zero)))
        return 0;
    return naive_blume_capel_number(c, i, colour, 32, 64) < naive_threshold(negative) ? -1 : 1;
}

static inline void naive_blume_capel_sweep(naive_blume_capel *c, latmc_update update)
{
    naive *n = &c->n;

    n->changed = 0;
    for (int colour = 0; colour < n->colours; colour++)
        for (int i = 0; i < n->p.sites; i++) {
            if (plain_colour(&n->p, i) != colour)
                continue;
            const int8_t s = update == LATMC_HEATBATH ? naive_blume_capel_heat_bath(c, i, colour)
                                                      : naive_blume_capel_metropolis(c, i, colour);
            n->changed += s != n->s[i];
            n->s[i] = s;
        }
    n->step++;
}

/* The first pair of bits that are not both 1, of 16: 0, +1 of 1 0, -1 of 0 1. */
static inline int8_t naive_blume_capel_hot(const naive_blume_capel *c, int i)
{
    for (int w = 0; w < 32; w += 2) {
        const int low = naive_blume_capel_bit(c, i, -1, w),
                  high = naive_blume_capel_bit(c, i, -1, w + 1);
        if (!low || !high)
            return (int8_t)(low - high);
    }
    return 0;
}

static inline void naive_blume_capel_start(naive_blume_capel *c, latmc_start_mode mode)
{
    for (int i = 0; i < c->n.p.sites; i++)
        c->n.s[i] = mode == LATMC_START_COLD ? 1 : naive_blume_capel_hot(c, i);
    c->n.step = 0;
    c->n.changed = 0;
}

/* ---- measurements */

static inline double naive_blume_capel_energy(const naive_blume_capel *c, int magnetization,
                                              int quadrupole)
{
    const plain *p = &c->n.p;
    double total = 0.0;

    for (int a = 0; a < p->dims; a++) {
        double bonds = 0.0;
        for (int i = 0; i < p->sites && p->axis[a] != 0.0; i++)
            bonds += p->coupling[i][2 * a + 1] / p->axis[a] * c->n.s[i] *
                     c->n.s[p->neighbour[i][2 * a + 1]];
        total = a ? total + p->axis[a] * bonds : p->axis[a] * bonds;
    }
    total = total - c->crystal * quadrupole;
    total = total + p->field * magnetization;
    return (0.0 - total) / p->sites;
}

static inline double naive_blume_capel_observable(const naive_blume_capel *c, latmc_quantity what)
{
    const double sites = c->n.p.sites;
    int sum = 0, squares = 0;

    for (int i = 0; i < c->n.p.sites; i++) {
        sum += c->n.s[i];
        squares += c->n.s[i] * c->n.s[i];
    }
    const double e = naive_blume_capel_energy(c, sum, squares), m = sum / sites,
                 q = squares / sites;
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
    case LATMC_QUADRUPOLE:
        return q;
    case LATMC_QUADRUPOLE2:
        return q * q;
    case LATMC_QUADRUPOLE4:
        return q * q * (q * q);
    default:
        return c->n.changed / sites;
    }
}

#endif
