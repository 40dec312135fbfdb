/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors of n numbers over lanes: doc/trajectory-onvector.md. Include a vocabulary of reals first.
 */
#ifndef LM_VECTOR_H
#define LM_VECTOR_H

/* a_0 b_0, then fused with the other components in turn. */
LM_INLINE lm_real lm_vector_dot(int n, const lm_real *a, const lm_real *b)
{
    lm_real sum = lm_real_mul(a[0], b[0]);
    LM_UNROLL
    for (int i = 1; i < n; i++)
        sum = lm_real_fma(a[i], b[i], sum);
    return sum;
}

/* A step of Newton's method towards |s| = 1, for s that is there but for roundings. */
LM_INLINE void lm_vector_unit(int n, lm_real *s)
{
    const lm_real by = lm_real_fma(lm_real_set(-0.5), lm_vector_dot(n, s, s), lm_real_set(1.5));
    LM_UNROLL
    for (int i = 0; i < n; i++)
        s[i] = lm_real_mul(s[i], by);
}

LM_INLINE void lm_vector_select(int n, lm_mask yes, const lm_real *a, lm_real *s)
{
    LM_UNROLL
    for (int i = 0; i < n; i++)
        s[i] = lm_real_select(yes, a[i], s[i]);
}

#endif
