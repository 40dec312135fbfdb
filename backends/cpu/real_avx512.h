/* SPDX-License-Identifier: BSD-3-Clause */
/* The vocabulary of reals (backends/cpu/real_scalar.h) in AVX-512: 16 floats or 8 doubles. */
#ifndef LM_REAL_H
#define LM_REAL_H

#include "backends/cpu/lane_avx512.h"
#include "lib/physics/philox.h"

#if LM_REAL_BITS == 32
#define LM_REALS      16
#define LM_REAL_WHOLE 12582912.0
#define LM_OF(name)   _mm512_##name##_ps
typedef float lm_scalar;
typedef __m512 lm_real;
typedef __mmask16 lm_mask;
#else
#define LM_REALS      8
#define LM_REAL_WHOLE 6755399441055744.0
#define LM_OF(name)   _mm512_##name##_pd
typedef double lm_scalar;
typedef __m512d lm_real;
typedef __mmask8 lm_mask;
#endif
typedef __m512i lm_bits; /* of doubles: a number in the lower half of each 64 bits */

LM_INLINE lm_real lm_real_load(const lm_scalar *p)
{
    return LM_OF(loadu)(p);
}
LM_INLINE void lm_real_store(lm_scalar *p, lm_real v)
{
    LM_OF(storeu)(p, v);
}
LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m)
{
    LM_OF(mask_storeu)(p, m, v);
}
LM_INLINE lm_real lm_real_set(double x)
{
    return LM_OF(set1)((lm_scalar)x);
}
LM_INLINE lm_real lm_real_add(lm_real a, lm_real b)
{
    return LM_OF(add)(a, b);
}
LM_INLINE lm_real lm_real_sub(lm_real a, lm_real b)
{
    return LM_OF(sub)(a, b);
}
LM_INLINE lm_real lm_real_mul(lm_real a, lm_real b)
{
    return LM_OF(mul)(a, b);
}
LM_INLINE lm_real lm_real_fma(lm_real a, lm_real b, lm_real c)
{
    return LM_OF(fmadd)(a, b, c);
}
LM_INLINE lm_real lm_real_min(lm_real a, lm_real b)
{
    return LM_OF(min)(a, b);
}
LM_INLINE lm_real lm_real_max(lm_real a, lm_real b)
{
    return LM_OF(max)(a, b);
}
LM_INLINE lm_real lm_real_select(lm_mask m, lm_real a, lm_real b)
{
    return LM_OF(mask_blend)(m, b, a);
}

LM_INLINE lm_mask lm_mask_and(lm_mask a, lm_mask b)
{
    return (lm_mask)(a & b);
}
LM_INLINE lm_mask lm_mask_or(lm_mask a, lm_mask b)
{
    return (lm_mask)(a | b);
}
LM_INLINE lm_mask lm_mask_andnot(lm_mask a, lm_mask b)
{
    return (lm_mask)(~a & b);
}
LM_INLINE int lm_mask_any(lm_mask m)
{
    return m != 0;
}
LM_INLINE lm_mask lm_mask_first(int n)
{
    return (lm_mask)(n >= LM_REALS ? ~0u : (1u << n) - 1u);
}
LM_INLINE lm_mask lm_mask_of(uint32_t bits)
{
    return (lm_mask)bits;
}

typedef int64_t lm_tally;
LM_INLINE lm_tally lm_tally_zero(void)
{
    return 0;
}
LM_INLINE void lm_tally_add(lm_tally *t, lm_mask m)
{
    *t += __builtin_popcount(m);
}
LM_INLINE int64_t lm_tally_sum(lm_tally t)
{
    return t;
}

LM_INLINE lm_bits lm_bits_add(lm_bits a, uint32_t b)
{
    return _mm512_add_epi32(a, _mm512_set1_epi32((int)b));
}

#if LM_REAL_BITS == 32
LM_INLINE lm_real lm_real_neg(lm_real a)
{
    return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f));
}
LM_INLINE lm_mask lm_real_less(lm_real a, lm_real b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
LM_INLINE lm_mask lm_real_not_less(lm_real a, lm_real b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
LM_INLINE lm_real lm_real_lower(lm_bits u)
{
    const __m512i in = _mm512_slli_epi32(u, 7), mask = _mm512_set1_epi32(0x7FFF80);
    /* (in and mask) or one */
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(in, mask, _mm512_castps_si512(_mm512_set1_ps(1.0f)), 0xEA));
}
LM_INLINE lm_real lm_real_upper(lm_bits u)
{
    const __m512i in = _mm512_srli_epi32(u, 9), mask = _mm512_set1_epi32(0x7FFF80);
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(in, mask, _mm512_castps_si512(_mm512_set1_ps(65536.0f)), 0xEA));
}
LM_INLINE lm_real lm_real_of_31(lm_bits u)
{
    return _mm512_cvtepi32_ps(_mm512_srli_epi32(u, 1));
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z)
{
    const __m512i n = _mm512_slli_epi32(_mm512_castps_si512(z), 23);
    return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(p), n));
}
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return _mm512_loadu_si512(p);
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits index, uint32_t draw, lm_bits out[4])
{
    lm_half even[4], odd[4];
    lm_philox_half(index, s->c1 | draw, s->c2, s->c3, &s->keys, even);
    lm_philox_half(_mm512_srli_epi64(index, 32), s->c1 | draw, s->c2, s->c3, &s->keys, odd);
    LM_UNROLL
    for (int j = 0; j < 4; j++)
        out[j] = lm_join(even[j], odd[j]);
}
#else
LM_INLINE lm_real lm_real_neg(lm_real a)
{
    return _mm512_xor_pd(a, _mm512_set1_pd(-0.0));
}
LM_INLINE lm_mask lm_real_less(lm_real a, lm_real b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
LM_INLINE lm_mask lm_real_not_less(lm_real a, lm_real b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ);
}
LM_INLINE lm_real lm_real_lower(lm_bits u)
{
    const __m512i k = _mm512_and_si512(u, _mm512_set1_epi64(0xFFFF));
    return _mm512_castsi512_pd(
        _mm512_or_si512(_mm512_slli_epi64(k, 36), _mm512_castpd_si512(_mm512_set1_pd(1.0))));
}
LM_INLINE lm_real lm_real_upper(lm_bits u)
{
    const __m512i k = _mm512_and_si512(_mm512_srli_epi64(u, 16), _mm512_set1_epi64(0xFFFF));
    return _mm512_castsi512_pd(
        _mm512_or_si512(_mm512_slli_epi64(k, 36), _mm512_castpd_si512(_mm512_set1_pd(65536.0))));
}
LM_INLINE lm_real lm_real_of_31(lm_bits u)
{
    const __m512i k = _mm512_and_si512(_mm512_srli_epi64(u, 1), _mm512_set1_epi64(0x7FFFFFFF));
    const __m512d two52 = _mm512_set1_pd(4503599627370496.0);
    return _mm512_sub_pd(_mm512_castsi512_pd(_mm512_or_si512(k, _mm512_castpd_si512(two52))),
                         two52);
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z)
{
    const __m512i n = _mm512_slli_epi64(_mm512_castpd_si512(z), 52);
    return _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(p), n));
}
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits index, uint32_t draw, lm_bits out[4])
{
    lm_philox_half(index, s->c1 | draw, s->c2, s->c3, &s->keys, out);
}
#endif

#endif
