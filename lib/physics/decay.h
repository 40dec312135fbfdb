/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes 1 - e^(-2k) and -ln(1 - y) over lanes, accurate to some roundings even where they are
 * small: doc/trajectory-onvector.md, "Heat bath". Include a vocabulary of reals first.
 */
#ifndef LM_DECAY_H
#define LM_DECAY_H

#include "lib/physics/sincos.h"

#define LM_LN_2 0x1.62e42fefa39efp-1

/* The degrees of the last terms. The rest of the sum is below 2e-8 of it (floats) or 2e-17. */
#if LM_REAL_BITS == 32
#define LM_EXPM1_DEGREE 8
#define LM_ATANH_DEGREE 9
#else
#define LM_EXPM1_DEGREE 14
#define LM_ATANH_DEGREE 21
#endif

/* The functions below compute n results at once, step by step. n is known to the compiler. Each
 * step waits for the one before it, and steps of other numbers fill the time. */
enum { LM_DECAYS = 4 }; /* the most */

/* Makes one step of Horner's rule for n polynomials. */
LM_INLINE void lm_reals_fma(int n, lm_real *sum, const lm_real *by, lm_real plus)
{
    LM_UNROLL
    for (int i = 0; i < n; i++)
        sum[i] = lm_real_fma(sum[i], by[i], plus);
}

/* Computes 1 - e^(-2k), k > 0, by e^m = 2^j e^r, |r| <= ln(2)/2, and the series of e^r - 1. From k
 * = 40 on the result rounds to 1. */
LM_INLINE void lm_real_decayed(int n, const lm_real *k, lm_real *decayed)
{
    const lm_real whole = lm_real_set(LM_REAL_WHOLE), one = lm_real_set(1.0);
    lm_real p[LM_DECAYS], r[LM_DECAYS], sum[LM_DECAYS];
    LM_UNROLL
    for (int i = 0; i < n; i++) {
        const lm_real m = lm_real_mul(lm_real_min(k[i], lm_real_set(40.0)), lm_real_set(-2.0));
        const lm_real z = lm_real_add(lm_real_mul(m, lm_real_set(1.4426950408889634)), whole);
        const lm_real j = lm_real_sub(z, whole);
        p[i] = lm_real_scale(one, z);
        r[i] = lm_real_fma(lm_real_neg(j), lm_real_set(LM_LN_2), m);
        sum[i] = lm_inverse_factorial(LM_EXPM1_DEGREE);
    }
    LM_UNROLL
    for (int power = LM_EXPM1_DEGREE - 1; power >= 1; power--)
        lm_reals_fma(n, sum, r, lm_inverse_factorial(power));
    LM_UNROLL
    for (int i = 0; i < n; i++)
        decayed[i] =
            lm_real_fma(lm_real_neg(p[i]), lm_real_mul(sum[i], r[i]), lm_real_sub(one, p[i]));
}

/* Splits x = 2^f (1 + d) with sqrt(1/2) <= 1 + d < sqrt(2). x must be positive and not
 * subnormal. */
LM_INLINE lm_real lm_real_split(lm_real x, lm_real *f)
{
    const lm_real above = lm_real_mul(x, lm_real_set(0x1.6a09e667f3bcdp+0));
    *f = lm_real_exponent(above);
    return lm_real_sub(lm_real_unscaled(x, above), lm_real_set(1.0));
}

/* Computes -ln of 2^f (1 + d), as lm_real_split() gives f and d. It uses the series of ln(1 + d) =
 * 2 artanh(d / (2 + d)), with |d / (2 + d)| < 0.1716. */
LM_INLINE void lm_real_log_of(int n, const lm_real *f, const lm_real *d, lm_real *log)
{
    lm_real b[LM_DECAYS], v[LM_DECAYS], sum[LM_DECAYS];
    LM_UNROLL
    for (int i = 0; i < n; i++) {
        b[i] = lm_real_div(d[i], lm_real_add(lm_real_set(2.0), d[i]));
        v[i] = lm_real_mul(b[i], b[i]);
        sum[i] = lm_real_set(1.0 / LM_ATANH_DEGREE);
    }
    LM_UNROLL
    for (int power = LM_ATANH_DEGREE - 2; power >= 1; power -= 2)
        lm_reals_fma(n, sum, v, lm_real_set(1.0 / power));
    LM_UNROLL
    for (int i = 0; i < n; i++) {
        const lm_real rest = lm_real_mul(lm_real_add(b[i], b[i]), sum[i]);
        log[i] = lm_real_fma(lm_real_neg(f[i]), lm_real_set(LM_LN_2), lm_real_neg(rest));
    }
}

/* Computes -ln(1 - y), 0 < y < 1. If f = 0, d is -y itself, without rounding. */
LM_INLINE void lm_real_log_beyond(int n, const lm_real *y, lm_real *log)
{
    lm_real f[LM_DECAYS], d[LM_DECAYS];
    LM_UNROLL
    for (int i = 0; i < n; i++) {
        const lm_real up = lm_real_split(lm_real_sub(lm_real_set(1.0), y[i]), &f[i]);
        d[i] = lm_real_select(lm_real_less(f[i], lm_real_set(0.0)), up, lm_real_neg(y[i]));
    }
    lm_real_log_of(n, f, d, log);
}

#endif
