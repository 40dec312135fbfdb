/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes elementary functions by correctly rounded operations only, so that all devices and C
 * libraries agree on every bit. Compile with -ffp-contract=off.
 */
#ifndef LM_MATHFN_H
#define LM_MATHFN_H

#include <stdint.h>
#include <string.h>

#include "lib/physics/factorials.h"

/*
 * Returns e^x for x <= 0, with a relative error below 3e-16. It returns 0 for x < -700, where e^x <
 * 1e-304. x = k ln 2 + r with |r| <= ln(2)/2. The Taylor polynomial in r has degree 13, and its
 * remainder is below 4e-18. ln 2 is split so that k times its upper part is exact.
 */
static inline double lm_exp(double x)
{
    const double inverse[] = {LM_INVERSE_FACTORIALS};
    const double ln2_upper = 0x1.62e42fefa0000p-1, ln2_lower = 0x1.cf79abc9e3b3ap-40;
    if (x < -700.0)
        return 0.0;
    const int k = (int)(x * 1.4426950408889634 - 0.5);
    const double r = (x - k * ln2_upper) - k * ln2_lower;
    double sum = inverse[13];
    for (int i = 12; i >= 0; i--)
        sum = sum * r + inverse[i];
    const uint64_t bits = (uint64_t)(1023 + k) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

#define LM_CERTAIN ((uint64_t)1 << 32) /* the threshold of p = 1 */

/* Returns 2^32 p, rounded. A uniform 32-bit number u is below it with probability p, to within
 * 2^-33. */
static inline uint64_t lm_threshold(double p)
{
    return (uint64_t)(p * 4294967296.0 + 0.5);
}

#endif
