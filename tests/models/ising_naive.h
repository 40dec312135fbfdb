/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trajectory once more, after doc/trajectory.md and doc/trajectory-ising.md and without a line
 * of the library: one site at a time, u put together bit by bit, probabilities from the C
 * library's exp.
 */
#ifndef LM_TESTS_ISING_NAIVE_H
#define LM_TESTS_ISING_NAIVE_H

#include "tests/models/ising_plain.h"

enum { NAIVE_UPDATE = 0, NAIVE_START = 1, NAIVE_COUPLINGS = 2 };

/* What a block is asked for by. */
typedef struct request {
    uint64_t seed, index, step;
    uint32_t draw, stage, group, domain;
} request;

static inline void naive_block(const request *q, uint32_t x[4])
{
    const uint32_t high = q->group / 65536;
    uint32_t k0 = (uint32_t)q->seed, k1 = (uint32_t)(q->seed >> 32);

    x[0] = (uint32_t)q->index;
    x[1] = q->draw + (q->stage << 16) + (high / 16 % 16 << 20) +
           (((uint32_t)(q->index >> 32) + high / 256) << 24);
    x[2] = (uint32_t)q->step;
    x[3] = (uint32_t)(q->step >> 32) + (q->group % 65536 << 8) + (q->domain << 24) +
           (high % 16 << 28);
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = 0xD2511F53ull * x[0], p1 = 0xCD9E8D57ull * x[2];
        const uint32_t x1 = x[1], x3 = x[3];
        x[0] = (uint32_t)(p1 >> 32) ^ x1 ^ k0;
        x[1] = (uint32_t)p1;
        x[2] = (uint32_t)(p0 >> 32) ^ x3 ^ k1;
        x[3] = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

/* One replica. */
typedef struct naive {
    plain p;
    int folded, colours;
    uint64_t seed, step, replica; /* replica of the ensemble */
    int changed;                  /* sites, in the last sweep */
    int8_t *s;
} naive;

/* Where a site's random bits are: sets index and group, returns the bit. */
static inline int naive_place(const naive *n, int site, request *q)
{
    const int x = site % n->p.extents[0], row = site / n->p.extents[0];
    const int k = n->folded ? x / 2 : x;
    const int h = n->folded ? n->p.extents[0] / 2 : n->p.extents[0];
    int s = 1;

    while (s < h && s < 32)
        s *= 2;
    q->index = (uint64_t)(row * ((h + 31) / 32) + k / 32);
    q->group = (uint32_t)(n->replica / (unsigned)(32 / s));
    return k % 32 + (int)(n->replica % (unsigned)(32 / s)) * s;
}

static inline uint32_t naive_uniform(const naive *n, int site, int colour)
{
    request q = {
        .seed = n->seed, .step = n->step, .stage = (uint32_t)colour, .domain = NAIVE_UPDATE};
    const int bit = naive_place(n, site, &q);
    uint32_t u = 0;

    for (int k = 0; k < 32; k++) {
        uint32_t block[4];
        q.draw = (uint32_t)k / 4;
        naive_block(&q, block);
        u = u << 1 | (block[k % 4] >> bit & 1);
    }
    return u;
}

static inline double naive_threshold(double probability)
{
    return floor(probability * 4294967296.0 + 0.5);
}

static inline int8_t naive_metropolis(const naive *n, int8_t s, double field, uint32_t u)
{
    const double cost = 2.0 * n->p.beta * s * field;
    const double share = plain_share(plain_is_loose(&n->p), cost);
    double threshold = share * 4294967296.0;

    if ((n->p.beta < 0.0 ? -s : s) * field > 0.0)
        threshold = fmin(naive_threshold(share * exp(-cost)), 4294967295.0);
    return (int8_t)(u < threshold ? -s : s);
}

static inline int8_t naive_heat_bath(const naive *n, double field, uint32_t u)
{
    return u < naive_threshold(1.0 / (1.0 + exp(-2.0 * n->p.beta * field))) ? 1 : -1;
}

static inline int8_t naive_site(const naive *n, int i, int colour, latmc_update update)
{
    const double field = plain_local(&n->p, n->s, i) + n->p.field;
    const uint32_t u = naive_uniform(n, i, colour);

    if (update == LATMC_HEATBATH)
        return naive_heat_bath(n, field, u);
    return naive_metropolis(n, n->s[i], field, u);
}

static inline void naive_sweep(naive *n, latmc_update update)
{
    n->changed = 0;
    for (int c = 0; c < n->colours; c++)
        for (int i = 0; i < n->p.sites; i++) {
            if (plain_colour(&n->p, i) != c)
                continue;
            const int8_t s = naive_site(n, i, c, update);
            n->changed += s != n->s[i];
            n->s[i] = s;
        }
    n->step++;
}

static inline void naive_start(naive *n)
{
    for (int i = 0; i < n->p.sites; i++) {
        request q = {.seed = n->seed, .domain = NAIVE_START};
        uint32_t block[4];
        const int bit = naive_place(n, i, &q);
        q.stage = n->folded ? (uint32_t)plain_colour(&n->p, i) : 0;
        naive_block(&q, block);
        n->s[i] = block[0] >> bit & 1 ? 1 : -1;
    }
    n->step = 0;
}

/* [axis][site] */
static inline void naive_drawn(uint64_t seed, const model *m, double *bonds)
{
    const int sites = model_sites(m), preset = m->plus == 0.0 && m->missing == 0.0;
    const double gone = naive_threshold(m->missing);
    const double more = naive_threshold((1.0 - m->missing) * (preset ? 0.5 : m->plus));

    for (int a = 0; a < m->dims; a++)
        for (int i = 0; i < sites; i++) {
            const request q = {.seed = seed,
                               .index = (uint64_t)i / 4,
                               .stage = (uint32_t)a,
                               .group = (uint32_t)m->sample,
                               .domain = NAIVE_COUPLINGS};
            uint32_t block[4], u;
            naive_block(&q, block);
            u = block[i % 4];
            bonds[a * sites + i] = u < gone ? 0.0 : u < gone + more ? 1.0 : -1.0;
        }
}

#endif
