/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public streams of random numbers once more, after doc/trajectory.md and
 * doc/trajectory-onvector.md and without a line of the library. Include tests/support.h first.
 */
#ifndef LM_TESTS_STREAMS_H
#define LM_TESTS_STREAMS_H

#include <math.h>

#include "tests/models/onvector_naive.h"
#include "tests/fill.h"

enum { KINDS = 5, MOST = 5000 };

static const struct {
    latmc_random_kind kind;
    int words; /* of a number */
    const char *name;
} kinds[KINDS] = {{LATMC_RANDOM_WORDS, 1, "words"},
                  {LATMC_RANDOM_UNIFORM_FLOAT, 1, "uniform floats"},
                  {LATMC_RANDOM_UNIFORM_DOUBLE, 2, "uniform doubles"},
                  {LATMC_RANDOM_GAUSSIAN_FLOAT, 1, "Gaussian floats"},
                  {LATMC_RANDOM_GAUSSIAN_DOUBLE, 2, "Gaussian doubles"}};

typedef struct stream {
    uint64_t seed, number;
} stream;

static inline size_t bytes_of(int k)
{
    return 4 * (size_t)kinds[k].words;
}

static inline void fill(const char *device, int threads, int k, stream s, int64_t first,
                        int64_t count, void *to)
{
    ok(random_fill(device, threads, kinds[k].kind, s.seed, s.number, first, count, to));
}

/* U(x), or U'(x, y) */
static inline double hand_uniform(int words, const uint32_t *x)
{
    return words == 1 ? ((x[0] >> 9) + 0.5) / 0x1p23
                      : ((double)(((uint64_t)x[1] << 32 | x[0]) >> 12) + 0.5) / 0x1p52;
}

/* R of a radius' words and its angle's. */
static inline double hand_radius(const naive_vectors *n, const uint32_t *x, const uint32_t *angle)
{
    const naive_field *f = &n->f;
    double u = hand_uniform(2, x);

    if (f->single) {
        const double t = naive_fma(f, angle[0] / 2 % 256, 0x1p-8, 0x1p-9);
        u = naive_mul(f, naive_add(f, naive_t(f, x[0] / 2), t), 0x1p-31);
        u = u > 1.0 - 0x1p-24 ? 1.0 - 0x1p-24 : u;
    }
    const double e = naive_exponent(n, u);
    const double log = naive_log_of(n, e, naive_add(f, ldexp(u, -(int)e), -1.0));
    return naive_root(n, naive_add(f, log, log));
}

/* Number i of a block. */
static inline double hand_gaussian(int words, const uint32_t *x, int i)
{
    const naive_vectors n = {.f = {.single = words == 1}};
    const int which = words == 1 ? i % 2 : 0;
    double s[2];

    naive_circle_at(&n, hand_uniform(words, x + 2 + which), s);
    return naive_mul(&n.f, hand_radius(&n, x + which, x + 2 + which), s[i >= (words == 1 ? 2 : 1)]);
}

/* Number i of a stream. */
static inline void by_hand(int k, stream s, uint64_t i, void *to)
{
    const int words = kinds[k].words, place = (int)(i % (unsigned)(4 / words));
    const uint64_t block = i / (unsigned)(4 / words);
    const request q = {.seed = s.seed,
                       .index = block % 0x100000000u + (block >> 56 << 32),
                       .draw = (uint32_t)(block >> 32) & 0xFFFFu,
                       .stage = (uint32_t)(block >> 48) & 0xFFu,
                       .step = s.number & 0xFFFFFFFFFFu,
                       .group = (uint32_t)(s.number >> 40),
                       .domain = 7};
    uint32_t x[4];

    naive_block(&q, x);
    const double value =
        k < 3 ? hand_uniform(words, x + words * place) : hand_gaussian(words, x, place);
    const float single = (float)value;
    if (k == 0)
        memcpy(to, &x[place], 4);
    else
        memcpy(to, words == 1 ? (const void *)&single : &value, bytes_of(k));
}

#endif
