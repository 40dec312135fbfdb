/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes with vectors of n numbers over lanes: doc/trajectory-onvector.md. Include a vocabulary
 * of reals first.
 */
#ifndef LM_VECTOR_H
#define LM_VECTOR_H

/* Computes a . b. It begins with a_0 b_0 and fuses the other components in turn. */
LM_INLINE lm_real lm_vector_dot(int n, const lm_real *a, const lm_real *b)
{
    lm_real sum = lm_real_mul(a[0], b[0]);
    LM_UNROLL
    for (int i = 1; i < n; i++)
        sum = lm_real_fma(a[i], b[i], sum);
    return sum;
}

/* Makes a step of Newton's method towards |s| = 1, for s that has this length except for roundings.
 * The step is s - s r / 2 with r = s.s - 1. So the correction is rounded. A factor near 1 would
 * have roundings with one sign more often than the other. Lengths, and with them energies, would
 * then drift. */
LM_INLINE void lm_vector_unit(int n, lm_real *s)
{
    lm_real r = lm_real_set(-1.0);
    LM_UNROLL
    for (int i = 0; i < n; i++)
        r = lm_real_fma(s[i], s[i], r);
    r = lm_real_mul(r, lm_real_set(-0.5));
    LM_UNROLL
    for (int i = 0; i < n; i++)
        s[i] = lm_real_fma(s[i], r, s[i]);
}

LM_INLINE void lm_vector_select(int n, lm_mask yes, const lm_real *a, lm_real *s)
{
    LM_UNROLL
    for (int i = 0; i < n; i++)
        s[i] = lm_real_select(yes, a[i], s[i]);
}

#endif
