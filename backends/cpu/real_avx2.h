/* SPDX-License-Identifier: BSD-3-Clause */
/* The vocabulary of reals (backends/cpu/real_scalar.h) in AVX2 with FMA: 8 floats or 4 doubles. */
#ifndef LM_REAL_H
#define LM_REAL_H

#include "backends/cpu/lane_avx2.h"
#include "lib/physics/philox.h"

#if LM_REAL_BITS == 32
#define LM_REALS      8
#define LM_REAL_WHOLE 12582912.0
#define LM_OF(name)   _mm256_##name##_ps
typedef float lm_scalar;
typedef __m256 lm_real;
#else
#define LM_REALS      4
#define LM_REAL_WHOLE 6755399441055744.0
#define LM_OF(name)   _mm256_##name##_pd
typedef double lm_scalar;
typedef __m256d lm_real;
#endif
typedef lm_real lm_mask; /* all bits of a lane */
typedef __m256i lm_bits; /* of doubles: a number in the lower half of each 64 bits */

LM_INLINE lm_real lm_real_load(const lm_scalar *p)
{
    return LM_OF(loadu)(p);
}
LM_INLINE void lm_real_store(lm_scalar *p, lm_real v)
{
    LM_OF(storeu)(p, v);
}
LM_INLINE lm_real lm_real_set(double x)
{
    return LM_OF(set1)((lm_scalar)x);
}
LM_INLINE lm_real lm_real_neg(lm_real a)
{
    return LM_OF(xor)(a, lm_real_set(-0.0));
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
LM_INLINE lm_mask lm_real_less(lm_real a, lm_real b)
{
    return LM_OF(cmp)(a, b, _CMP_LT_OQ);
}
LM_INLINE lm_mask lm_real_not_less(lm_real a, lm_real b)
{
    return LM_OF(cmp)(a, b, _CMP_GE_OQ);
}
LM_INLINE lm_real lm_real_select(lm_mask m, lm_real a, lm_real b)
{
    return LM_OF(blendv)(b, a, m);
}
LM_INLINE lm_mask lm_mask_and(lm_mask a, lm_mask b)
{
    return LM_OF(and)(a, b);
}
LM_INLINE lm_mask lm_mask_or(lm_mask a, lm_mask b)
{
    return LM_OF(or)(a, b);
}
LM_INLINE lm_mask lm_mask_andnot(lm_mask a, lm_mask b)
{
    return LM_OF(andnot)(a, b);
}
LM_INLINE int lm_mask_any(lm_mask m)
{
    return LM_OF(movemask)(m) != 0;
}

typedef int64_t lm_tally;
LM_INLINE lm_tally lm_tally_zero(void)
{
    return 0;
}
LM_INLINE void lm_tally_add(lm_tally *t, lm_mask m)
{
    *t += __builtin_popcount((unsigned)LM_OF(movemask)(m));
}
LM_INLINE int64_t lm_tally_sum(lm_tally t)
{
    return t;
}

LM_INLINE lm_bits lm_bits_add(lm_bits a, uint32_t b)
{
    return _mm256_add_epi32(a, _mm256_set1_epi32((int)b));
}

#if LM_REAL_BITS == 32
LM_INLINE lm_mask lm_mask_of(uint32_t bits)
{
    const __m256i bit = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi32((int)bits), bit);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, bit));
}
LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m)
{
    _mm256_maskstore_ps(p, _mm256_castps_si256(m), v);
}
LM_INLINE lm_mask lm_mask_first(int n)
{
    const __m256i lane = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(n), lane));
}
LM_INLINE lm_real lm_real_with(lm_bits k, float base) /* base + k / 2^16 of its unit */
{
    const __m256i in = _mm256_and_si256(k, _mm256_set1_epi32(0x7FFF80));
    return _mm256_castsi256_ps(_mm256_or_si256(in, _mm256_castps_si256(_mm256_set1_ps(base))));
}
LM_INLINE lm_real lm_real_lower(lm_bits u)
{
    return lm_real_with(_mm256_slli_epi32(u, 7), 1.0f);
}
LM_INLINE lm_real lm_real_upper(lm_bits u)
{
    return lm_real_with(_mm256_srli_epi32(u, 9), 65536.0f);
}
LM_INLINE lm_real lm_real_of_31(lm_bits u)
{
    return _mm256_cvtepi32_ps(_mm256_srli_epi32(u, 1));
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z)
{
    const __m256i n = _mm256_slli_epi32(_mm256_castps_si256(z), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), n));
}
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits index, uint32_t draw, lm_bits out[4])
{
    lm_half even[4], odd[4];
    lm_philox_half(index, s->c1 | draw, s->c2, s->c3, &s->keys, even);
    lm_philox_half(_mm256_srli_epi64(index, 32), s->c1 | draw, s->c2, s->c3, &s->keys, odd);
    LM_UNROLL
    for (int j = 0; j < 4; j++)
        out[j] = lm_join(even[j], odd[j]);
}
#else
LM_INLINE lm_mask lm_mask_of(uint32_t bits)
{
    const __m256i bit = _mm256_set_epi64x(8, 4, 2, 1);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi64x(bits), bit);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(set, bit));
}
LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m)
{
    _mm256_maskstore_pd(p, _mm256_castpd_si256(m), v);
}
LM_INLINE lm_mask lm_mask_first(int n)
{
    const __m256i lane = _mm256_set_epi64x(3, 2, 1, 0);
    return _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x(n), lane));
}
LM_INLINE lm_real lm_real_with(lm_bits k, double base)
{
    const __m256i in = _mm256_slli_epi64(_mm256_and_si256(k, _mm256_set1_epi64x(0xFFFF)), 36);
    return _mm256_castsi256_pd(_mm256_or_si256(in, _mm256_castpd_si256(_mm256_set1_pd(base))));
}
LM_INLINE lm_real lm_real_lower(lm_bits u)
{
    return lm_real_with(u, 1.0);
}
LM_INLINE lm_real lm_real_upper(lm_bits u)
{
    return lm_real_with(_mm256_srli_epi64(u, 16), 65536.0);
}
LM_INLINE lm_real lm_real_of_31(lm_bits u)
{
    const __m256i k = _mm256_and_si256(_mm256_srli_epi64(u, 1), _mm256_set1_epi64x(0x7FFFFFFF));
    const __m256d two52 = _mm256_set1_pd(4503599627370496.0);
    return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(k, _mm256_castpd_si256(two52))),
                         two52);
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z)
{
    const __m256i n = _mm256_slli_epi64(_mm256_castpd_si256(z), 52);
    return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(p), n));
}
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)p));
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits index, uint32_t draw, lm_bits out[4])
{
    lm_philox_half(index, s->c1 | draw, s->c2, s->c3, &s->keys, out);
}
#endif

#endif
