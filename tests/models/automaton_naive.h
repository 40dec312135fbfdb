/* SPDX-License-Identifier: BSD-3-Clause */
/* Cellular automata after doc/trajectory-automaton.md, cell by cell and without a line of the
 * library. */
#ifndef LM_TESTS_AUTOMATON_NAIVE_H
#define LM_TESTS_AUTOMATON_NAIVE_H

#include "tests/models/ising_naive.h"

/* One replica. */
typedef struct cells {
    int64_t extents[2];
    int open[2];
    int birth, survival;
    double noise;
    uint64_t seed, replica;
    int64_t sweeps, changed;
    int8_t *s, *next;
} cells;

static inline int64_t cells_count(const cells *c)
{
    return c->extents[0] * c->extents[1];
}

static inline void cells_open(cells *c)
{
    c->s = calloc((size_t)cells_count(c), 1);
    c->next = calloc((size_t)cells_count(c), 1);
    assert_true(c->s && c->next);
}

static inline void cells_close(const cells *c)
{
    free(c->s);
    free(c->next);
}

/* A cell's bit in a word of a block of its word. */
static inline uint32_t cells_bit(const cells *c, int64_t x, int64_t y, uint32_t domain,
                                 uint32_t number)
{
    const request q = {.seed = c->seed,
                       .index = (uint64_t)(y * ((c->extents[0] + 31) / 32) + x / 32),
                       .step = domain == NAIVE_START ? 0 : (uint64_t)c->sweeps,
                       .draw = number / 4,
                       .group = (uint32_t)c->replica,
                       .domain = domain};
    uint32_t block[4];

    naive_block(&q, block);
    return block[number % 4] >> x % 32 & 1;
}

static inline void cells_hot(cells *c)
{
    for (int64_t i = 0; i < cells_count(c); i++)
        c->s[i] = (int8_t)cells_bit(c, i % c->extents[0], i / c->extents[0], NAIVE_START, 0);
    c->sweeps = c->changed = 0;
}

static inline int cells_at(const cells *c, int64_t x, int64_t y)
{
    const int64_t *e = c->extents;

    if ((c->open[0] && (x < 0 || x >= e[0])) || (c->open[1] && (y < 0 || y >= e[1])))
        return 0;
    return c->s[(y + e[1]) % e[1] * e[0] + (x + e[0]) % e[0]];
}

static inline int cells_is_noisy(const cells *c, int64_t x, int64_t y)
{
    const double threshold = floor(c->noise * 4294967296.0 + 0.5);
    uint32_t u = 0;

    if (threshold == 0.0)
        return 0;
    for (uint32_t j = 0; j < 32; j++)
        u = u << 1 | cells_bit(c, x, y, NAIVE_UPDATE, j);
    return (double)u < threshold;
}

static inline void cells_sweep(cells *c)
{
    int8_t *old = c->s;

    c->changed = 0;
    for (int64_t i = 0; i < cells_count(c); i++) {
        const int64_t x = i % c->extents[0], y = i / c->extents[0];
        int alive = -cells_at(c, x, y);

        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++)
                alive += cells_at(c, x + dx, y + dy);
        c->next[i] = (int8_t)((c->s[i] ? c->survival : c->birth) >> alive & 1);
        c->next[i] = (int8_t)(c->next[i] ^ cells_is_noisy(c, x, y));
        c->changed += c->next[i] != c->s[i];
    }
    c->s = c->next;
    c->next = old;
    c->sweeps++;
}

static inline double cells_density(const cells *c)
{
    int64_t living = 0;

    for (int64_t i = 0; i < cells_count(c); i++)
        living += c->s[i];
    return (double)living / (double)cells_count(c);
}

#endif
