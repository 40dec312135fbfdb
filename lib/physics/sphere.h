/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uniform numbers and directions over lanes, and vectors turned from the pole (0, .., 0, 1) to
 * another: doc/trajectory-onvector.md, "Uniform numbers and directions". n is known to the
 * compiler. Include a vocabulary of reals first.
 */
#ifndef LM_SPHERE_H
#define LM_SPHERE_H

#include "lib/physics/sincos.h"

/* Returns a number in (0, 1), an odd multiple of 2^-24 (floats) or 2^-32. The result is exact, and
 * so is the contract's fma. */
LM_INLINE lm_real lm_uniform(lm_bits u)
{
    return lm_real_sub(lm_real_one_and(u),
                       lm_real_set(LM_REAL_BITS == 32 ? 1.0 - 0x1p-24 : 1.0 - 0x1p-32));
}

/* Computes cosine and sine of the angle (2 u - 1) pi, 0 < u < 1. The angle is four times one for
 * which the series holds. */
LM_INLINE void lm_circle_at(lm_real u, lm_real *s)
{
    const lm_real pi = lm_real_set(0x1.921fb54442d18p+1);
    const lm_real quarter =
        lm_real_fma(u, lm_real_mul(pi, lm_real_set(0.5)), lm_real_mul(pi, lm_real_set(-0.25)));
    lm_real x = lm_real_cos(quarter), y = lm_real_sin(quarter);
    LM_UNROLL
    for (int twice = 0; twice < 2; twice++) {
        const lm_real doubled = lm_real_fma(x, x, lm_real_neg(lm_real_mul(y, y)));
        y = lm_real_mul(lm_real_add(x, x), y);
        x = doubled;
    }
    s[0] = x;
    s[1] = y;
}

LM_INLINE void lm_unit_circle(lm_bits u, lm_real *s)
{
    lm_circle_at(lm_uniform(u), s);
}

/* Makes a uniform direction in n = 2, 3, 4 dimensions from u[0 .. n - 2]. */
LM_INLINE void lm_sphere(int n, const lm_bits *u, lm_real *s)
{
    const lm_real one = lm_real_set(1.0);
    lm_real across;
    if (n == 2) {
        lm_unit_circle(u[0], s);
        return;
    }
    lm_unit_circle(u[1], s);
    if (n == 3) {
        s[2] = lm_real_fma(lm_real_set(2.0), lm_uniform(u[0]), lm_real_set(-1.0));
        across = lm_real_sqrt(lm_real_fma(lm_real_neg(s[2]), s[2], one));
    } else {
        const lm_real v = lm_uniform(u[0]), along = lm_real_sqrt(v);
        across = lm_real_sqrt(lm_real_sub(one, v));
        lm_unit_circle(u[2], s + 2);
        s[2] = lm_real_mul(along, s[2]);
        s[3] = lm_real_mul(along, s[3]);
    }
    s[0] = lm_real_mul(across, s[0]);
    s[1] = lm_real_mul(across, s[1]);
}

/* Turns a vector to the pole e, |e| = 1. The vector has the components eta[0 .. n - 2] across the
 * pole and c along it. The function applies the reflection that takes the pole to -e or e,
 * whichever is further away. It follows T. Duff and others, J. Comput. Graph. Tech. 6 (1), 1
 * (2017), who treat n = 3. */
LM_INLINE void lm_turn_from_pole(int n, const lm_real *e, const lm_real *eta, lm_real c,
                                 lm_real *to)
{
    const lm_real last = e[n - 1];
    lm_real a = lm_real_mul(e[0], eta[0]);
    LM_UNROLL
    for (int i = 1; i < n - 1; i++)
        a = lm_real_fma(e[i], eta[i], a);
    const lm_real g =
        lm_real_sub(c, lm_real_div(a, lm_real_add(lm_real_set(1.0), lm_real_abs(last))));
    LM_UNROLL
    for (int i = 0; i < n - 1; i++)
        to[i] = lm_real_fma(e[i], g, eta[i]);
    to[n - 1] = lm_real_fma(last, c, lm_real_neg(lm_real_signed(a, last)));
}

#endif
