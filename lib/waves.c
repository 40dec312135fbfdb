/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/waves.h"

/* Taylor series for 0 <= t <= pi / 4, where the next term is below 1e-17. */
static double cosine(double t)
{
    double sum = 1.0;
    for (int n = 18; n > 0; n -= 2)
        sum = 1.0 - sum * (t * t) / (double)(n * (n - 1));
    return sum;
}

static double sine(double t)
{
    double sum = 1.0;
    for (int n = 19; n > 1; n -= 2)
        sum = 1.0 - sum * (t * t) / (double)(n * (n - 1));
    return t * sum;
}

/* x / period of a turn, 0 <= x < period: folded into the first eighth. */
static void turn(int64_t x, int64_t period, double *c, double *s)
{
    const int64_t half = 2 * x > period ? period - x : x;               /* cos(-t) = cos t */
    const int64_t twice = 4 * half > period ? period - 2 * half : 2 * half; /* cos(pi - t) */
    const int swap = 4 * twice > period;                                /* t > pi / 4 */
    /* twice / period of half a turn; for the swap its complement to a quarter turn */
    const double pi = 3.14159265358979323846;
    const double t = swap ? pi * (double)(period - 2 * twice) / (2.0 * (double)period)
                          : pi * (double)twice / (double)period;
    const double a = swap ? sine(t) : cosine(t), b = swap ? cosine(t) : sine(t);
    *c = 4 * half > period ? -a : a;
    *s = 2 * x > period ? -b : b;
}

void lm_waves(int64_t period, int64_t count, double *wave)
{
    for (int64_t x = 0; x < count; x++)
        turn(x % period, period, &wave[2 * x], &wave[2 * x + 1]);
}
