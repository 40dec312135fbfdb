/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/waves.h"

/* Taylor series for 0 <= t <= pi / 4, where the next term is below 1e-20. More digits than a double
 * has, so that all machines round to the same one. */
static long double cosine(long double t)
{
    long double sum = 1.0L;
    for (int n = 22; n > 0; n -= 2)
        sum = 1.0L - sum * (t * t) / (long double)(n * (n - 1));
    return sum;
}

static long double sine(long double t)
{
    long double sum = 1.0L;
    for (int n = 23; n > 1; n -= 2)
        sum = 1.0L - sum * (t * t) / (long double)(n * (n - 1));
    return t * sum;
}

/* x / period of a turn, 0 <= x < period: folded into the first eighth. */
static void turn(int64_t x, int64_t period, double *c, double *s)
{
    const int64_t half = 2 * x > period ? period - x : x;               /* cos(-t) = cos t */
    const int64_t twice = 4 * half > period ? period - 2 * half : 2 * half; /* cos(pi - t) */
    const int swap = 4 * twice > period;                                /* t > pi / 4 */
    /* twice / period of half a turn; for the swap its complement to a quarter turn */
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double t =
        swap ? pi * (long double)(period - 2 * twice) / (2.0L * (long double)period)
             : pi * (long double)twice / (long double)period;
    const double a = (double)(swap ? sine(t) : cosine(t));
    const double b = (double)(swap ? cosine(t) : sine(t));
    *c = 4 * half > period ? -a : a;
    *s = 2 * x > period ? -b : b;
}

void lm_waves(int64_t period, int64_t count, double *wave)
{
    for (int64_t x = 0; x < count; x++)
        turn(x % period, period, &wave[2 * x], &wave[2 * x + 1]);
}
