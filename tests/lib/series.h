/* SPDX-License-Identifier: BSD-3-Clause */
/* Random series whose autocorrelations are known. */
#ifndef SERIES_H
#define SERIES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* splitmix64 of Steele, Lea and Flood (OOPSLA 2014), to a uniform number in (0, 1). */
static inline double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static inline double normal(uint64_t *state)
{
    const double r = sqrt(-2 * log(uniform(state)));

    return r * cos(2 * acos(-1.0) * uniform(state));
}

/* x' = a x + sqrt(1 - a^2) g: mean 0, variance 1, rho(t) = a^t,
 * tau_int = 1/2 (1 + a) / (1 - a). */
static inline double *autoregressive(double a, int64_t count, uint64_t seed)
{
    double *x = malloc((size_t)count * sizeof *x);

    if (!x)
        abort();
    x[0] = normal(&seed);
    for (int64_t t = 1; t < count; t++)
        x[t] = a * x[t - 1] + sqrt(1 - a * a) * normal(&seed);
    return x;
}

#endif
