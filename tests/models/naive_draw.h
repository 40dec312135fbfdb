/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings of bonds and fields of sites, drawn after doc/trajectory.md, "Drawn couplings" and "A
 * Gaussian number", without a line of the library. */
#ifndef LM_TESTS_NAIVE_DRAW_H
#define LM_TESTS_NAIVE_DRAW_H

#include "tests/models/ising_naive.h"

enum { NAIVE_SITE_FIELDS = 3 };

/* A distribution with its arguments. */
typedef struct naive_drawing {
    int gaussian; /* or +-1 */
    double plus, missing, mean, width;
} naive_drawing;

/* 0 < u <= 1 */
static inline double naive_ln(double u)
{
    int e;
    double m = frexp(u, &e), sum = 1.0 / 21.0;

    if (m < 0x1.6a09e667f3bcdp-1) {
        m = 2.0 * m;
        e = e - 1;
    }
    const double s = (m - 1.0) / (m + 1.0), v = s * s;
    for (int i = 19; i >= 1; i -= 2)
        sum = sum * v + 1.0 / i;
    const double high = e * 0x1.62e42fefa0000p-1, low = e * 0x1.cf79abc9e3b3ap-40;
    return high + (2.0 * s * sum + low);
}

static inline double naive_alternating(double v, int first, int last)
{
    double sum = 0.0;

    for (int i = first; i >= last; i -= 2) {
        double factorial = 1.0;
        for (int k = 2; k <= i; k++)
            factorial *= k;
        sum = i == first ? 1.0 / factorial : 1.0 / factorial - sum * v;
    }
    return sum;
}

/* cos(2 pi w), 0 <= w < 1 */
static inline double naive_cos_turn(double w)
{
    const int k = (int)(4.0 * w + 0.5);
    const double x = (w - 0.25 * k) * 0x1.921fb54442d18p+2, v = x * x;
    const double cosine = naive_alternating(v, 18, 0), sine = naive_alternating(v, 17, 1) * x;

    return k % 4 == 0 ? cosine : k == 1 ? -sine : k == 2 ? -cosine : sine;
}

/* Number i of a sample: of bonds along an axis, or of the sites, with axis 0. */
static inline double naive_draw(const naive_drawing *how, uint64_t seed, int domain, int axis,
                                int64_t sample, int i)
{
    request q = {.seed = seed,
                 .index = (uint64_t)i / 4,
                 .stage = (uint32_t)axis,
                 .group = (uint32_t)sample,
                 .domain = (uint32_t)domain};
    const double gone = naive_threshold(how->missing);
    uint32_t x[4];

    naive_block(&q, x);
    const uint32_t u = x[i % 4];
    if (u < gone)
        return 0.0;
    if (!how->gaussian)
        return u < gone + naive_threshold((1.0 - how->missing) * how->plus) ? 1.0 : -1.0;
    q.index = (uint64_t)i;
    q.draw = 1;
    naive_block(&q, x);
    const double a = (double)(((uint64_t)x[1] << 32 | x[0]) >> 11);
    const double b = (double)(((uint64_t)x[3] << 32 | x[2]) >> 11);
    const double z = sqrt(-2.0 * naive_ln((a + 1.0) * 0x1p-53)) * naive_cos_turn(b * 0x1p-53);
    return how->mean + how->width * z;
}

#endif
