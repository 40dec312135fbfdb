/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes sine and cosine of small angles over lanes, by their series: doc/trajectory-onvector.md,
 * "First configuration". Include a vocabulary of reals first.
 */
#ifndef LM_SINCOS_H
#define LM_SINCOS_H

#include "lib/physics/factorials.h"

/* The power of the last term. For |angle| <= pi/4 the rest is below 1e-9 (floats) or 1e-19. */
#if LM_REAL_BITS == 32
#define LM_SINCOS_DEGREE 10
#else
#define LM_SINCOS_DEGREE 18
#endif

/* Returns 1/i!. */
LM_INLINE lm_real lm_inverse_factorial(int i)
{
    const double c[] = {LM_INVERSE_FACTORIALS};
    return lm_real_set(c[i]);
}

/* Returns 1/first! - v/(first + 2)! + .., where v is the angle's square. */
LM_INLINE lm_real lm_sincos_series(lm_real v, int first)
{
    const lm_real minus = lm_real_neg(v);
    lm_real sum = lm_inverse_factorial(LM_SINCOS_DEGREE - first);
    LM_UNROLL
    for (int i = LM_SINCOS_DEGREE - first - 2; i >= first; i -= 2)
        sum = lm_real_fma(minus, sum, lm_inverse_factorial(i));
    return sum;
}

LM_INLINE lm_real lm_real_cos(lm_real angle)
{
    return lm_sincos_series(lm_real_mul(angle, angle), 0);
}

LM_INLINE lm_real lm_real_sin(lm_real angle)
{
    return lm_real_mul(lm_sincos_series(lm_real_mul(angle, angle), 1), angle);
}

#endif
