/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes cosine and sine by integers alone. They are the same on every machine, whatever its
 * floating-point unit and rounding: doc/trajectory-phi4.md, "Cosine and sine".
 */
#include "lib/geometry/waves.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* The number m 2^e. m has 64 significant bits, of which the first is 1, or m = 0. */
typedef struct number {
    uint64_t m;
    int e;
} number;

/* Returns the number of zeros above the first 1 of v. v must not be 0. */
static int zeros(wide v)
{
    const uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;

    return high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
}

/* Rounds v 2^e to nearest, ties to even. `more` says that the number is a little larger. v must
 * then be wider than 65 bits. */
static number rounded(wide v, int e, int more)
{
    const uint64_t half = (uint64_t)1 << 63;
    const int up = v ? zeros(v) : 0;
    const uint64_t rest = (uint64_t)(v << up);
    number n = {(uint64_t)(v << up >> 64), e + 64 - up};

    if (!v)
        return (number){0, 0};
    if (rest > half || (rest == half && (more || (n.m & 1))))
        n.m++;
    return n.m ? n : (number){half, n.e + 1};
}

static number whole(int64_t n)
{
    return rounded((wide)n, 0, 0);
}

static number product(number a, number b)
{
    return rounded((wide)a.m * b.m, a.e + b.e, 0);
}

static number quotient(number a, int64_t by)
{
    const wide v = (wide)a.m << 64;

    return rounded(v / (wide)by, a.e - 64, v % (wide)by != 0);
}

/* Returns 1 - a for 0 <= a < 1, in units of 2^-127. */
static number one_minus(number a)
{
    const int up = 127 + a.e;
    const wide one = (wide)1 << 127, v = a.m;

    if (up >= 0)
        return rounded(one - (v << up), -127, 0);
    if (up <= -64)
        return rounded(one - (a.m != 0), -127, a.m != 0);
    return rounded(one - (v >> -up) - ((v >> -up) << -up != v), -127, (v >> -up) << -up != v);
}

/* Rounds to the nearest double. The number must be at most 1 and must not be tiny. */
static double nearest(number n)
{
    const uint64_t low = n.m & 0x7FF, up = low > 0x400 || (low == 0x400 && (n.m >> 11 & 1));
    const uint64_t bits = n.m ? ((uint64_t)(n.e + 1085) << 52) + (n.m >> 11) + up : 0;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Computes a Taylor series for 0 <= t <= pi / 4. The next term is below 1e-20. The terms go down
 * from `last`, two by two. */
static number series(number t, int last)
{
    const number square = product(t, t);
    number sum = whole(1);

    for (int n = last; n > 1; n -= 2)
        sum = one_minus(quotient(product(sum, square), n * (n - 1)));
    return sum;
}

static double cosine(number t)
{
    return nearest(series(t, 22));
}

static double sine(number t)
{
    return nearest(product(t, series(t, 23)));
}

/* Computes x / period of a turn, 0 <= x < period, folded into the first eighth. */
static void turn(int64_t x, int64_t period, double *c, double *s)
{
    const number pi = {0xC90FDAA22168C235u, -62};
    const int64_t half = 2 * x > period ? period - x : x;                   /* cos(-t) = cos t */
    const int64_t twice = 4 * half > period ? period - 2 * half : 2 * half; /* cos(pi - t) */
    const int swap = 4 * twice > period;                                    /* t > pi / 4 */
    /* twice / period of half a turn; if swapped, its complement to a quarter turn */
    const number t = swap ? quotient(product(pi, whole(period - 2 * twice)), 2 * period)
                          : quotient(product(pi, whole(twice)), period);
    const double a = swap ? sine(t) : cosine(t);
    const double b = swap ? cosine(t) : sine(t);

    *c = 4 * half > period ? -a : a;
    *s = 2 * x > period ? -b : b;
}

/* Returns the first turn whose cosine and sine equal this turn's except for signs: -t, and pi - t
 * if the period is even. */
static int64_t alike(int64_t x, int64_t period)
{
    const int64_t half = 2 * x > period ? period - x : x;

    return period % 2 == 0 && 4 * half > period ? period / 2 - half : half;
}

/* Computing a turn is slow, and an axis may have 2^32 sites. So turns that differ only in signs are
 * copied. */
void lm_waves(int64_t period, int64_t count, double *wave)
{
    for (int64_t x = 0; x < count; x++) {
        const int64_t first = alike(x % period, period);
        const int cosine_changes = period % 2 == 0 && 4 * x > period && 4 * (period - x) > period;

        if (first == x) {
            turn(x, period, &wave[2 * x], &wave[2 * x + 1]);
        } else {
            wave[2 * x] = cosine_changes ? -wave[2 * first] : wave[2 * first];
            wave[2 * x + 1] = 2 * x > period ? -wave[2 * first + 1] : wave[2 * first + 1];
        }
    }
}

int64_t lm_modulo_period(int64_t n, int64_t x, int64_t period)
{
    const int64_t least = n % period;

    return (int64_t)((wide)(least < 0 ? least + period : least) * (wide)x % (wide)period);
}
