/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a Gaussian number from four words of random bits, by the method of G. E. P. Box and M. E.
 * Muller, Ann. Math. Stat. 29, 610 (1958): doc/trajectory.md, "A Gaussian number". It uses only
 * correctly rounded operations, as mathfn.h does. The logarithm is for C and CUDA. The rest is for
 * the host.
 */
#ifndef LM_GAUSS_H
#define LM_GAUSS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lib/physics/specifiers.h"

/*
 * Returns ln u for 0 < u <= 1, not subnormal. u = m 2^e with sqrt(1/2) <= m < sqrt(2). ln m = 2
 * artanh s is a series in s = (m - 1) / (m + 1), |s| < 0.172, whose relative rest is below 2e-18.
 * ln 2 is split so that e times its upper part is exact.
 */
LM_EVERYWHERE_INLINE double lm_ln(double u)
{
    const double root = 0x1.6a09e667f3bcdp+0; /* sqrt(2) */
    const double ln2_upper = 0x1.62e42fefa0000p-1, ln2_lower = 0x1.cf79abc9e3b3ap-40;
    uint64_t bits;
    double m, s, v, sum = 1.0 / 21.0;
    int e;

    memcpy(&bits, &u, sizeof bits);
    e = (int)(bits >> 52) - 1023;
    bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
    memcpy(&m, &bits, sizeof m);
    if (m >= root) {
        m *= 0.5;
        e++;
    }
    s = (m - 1.0) / (m + 1.0);
    v = s * s;
    for (int i = 19; i >= 1; i -= 2)
        sum = sum * v + 1.0 / i;
    return e * ln2_upper + (2.0 * s * sum + e * ln2_lower);
}

/* Returns 1/n! - v (1/(n - 2)! ..), down to 1/first!. The series of cos has `first` = 0, and that
 * of sin has `first` = 1. */
static inline double lm_circle_series(int first, int last, double v)
{
    double factorial = 1.0, sum;

    for (int i = 2; i <= last; i++)
        factorial *= i;
    sum = 1.0 / factorial;
    for (int i = last; i > first; i -= 2) {
        factorial /= (double)i * (i - 1); /* exact, like all factorials up to 18! */
        sum = 1.0 / factorial - sum * v;
    }
    return sum;
}

/* Returns cos(2 pi w) for 0 <= w < 1. The angle from the nearest quarter of a turn is |x| <= pi /
 * 4. */
static inline double lm_cos_turn(double w)
{
    const int k = (int)(4.0 * w + 0.5);
    const double x = (w - k / 4.0) * 0x1.921fb54442d18p+2, v = x * x;
    const double value = k % 2 == 0 ? lm_circle_series(0, 18, v) : lm_circle_series(1, 17, v) * x;

    return k == 1 || k == 2 ? -value : value;
}

/* Returns the upper 53 bits of two words. */
LM_EVERYWHERE_INLINE uint64_t lm_upper_53(const uint32_t words[2])
{
    return ((uint64_t)words[1] << 32 | words[0]) >> 11;
}

/* Returns ln u of a u that is uniform in (0, 1]. */
LM_EVERYWHERE_INLINE double lm_ln_uniform(const uint32_t words[2])
{
    return lm_ln((double)(lm_upper_53(words) + 1) * 0x1p-53);
}

static inline double lm_gaussian(const uint32_t words[4])
{
    const double radius = sqrt(-2.0 * lm_ln_uniform(words));

    return radius * lm_cos_turn((double)lm_upper_53(words + 2) * 0x1p-53);
}

#endif
