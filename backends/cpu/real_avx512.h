/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the vocabulary of reals (lib/physics/real_one.h) in AVX-512, with 16 floats or 8
 * doubles in a vector. */
#ifndef LM_REAL_H
#define LM_REAL_H

#include "backends/cpu/lane_avx512.h"

#if LM_REAL_BITS == 32
typedef __m512 lm_real;
typedef __mmask16 lm_mask;
#define LM_COMPARE _mm512_cmp_ps_mask
#else
typedef __m512d lm_real;
typedef __mmask8 lm_mask;
#define LM_COMPARE _mm512_cmp_pd_mask
#endif
#define LM_MASK_BITS(m) (m)
#define LM_LOAD_HALF(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))

#include "backends/cpu/real_x86.h"

LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m)
{
    LM_OF_REAL(mask_storeu)(p, m, v);
}
#if LM_REAL_BITS == 32
LM_INLINE lm_mask lm_bits_less(lm_bits a, lm_bits b)
{
    return _mm512_cmplt_epi32_mask(a, b);
}
LM_INLINE lm_real lm_real_look_up(const lm_scalar *table, lm_bits index)
{
    return _mm512_i32gather_ps(index, table, sizeof *table);
}
LM_INLINE lm_real lm_real_load_bytes(const int8_t *p)
{
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
LM_INLINE void lm_real_store_bytes(int8_t *p, lm_real v)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(v)));
}
LM_INLINE void lm_real_store_some_bytes(int8_t *p, lm_real v, lm_mask m)
{
    _mm512_mask_cvtepi32_storeu_epi8(p, m, _mm512_cvtps_epi32(v));
}
#endif
LM_INLINE lm_real lm_real_permute(lm_real v, const int32_t *from)
{
#if LM_REAL_BITS == 32
    return _mm512_permutexvar_ps(_mm512_loadu_si512(from), v);
#else
    return _mm512_permutexvar_pd(_mm512_cvtepi32_epi64(LM_LOAD_HALF(from)), v);
#endif
}
LM_INLINE lm_real lm_real_select(lm_mask m, lm_real a, lm_real b)
{
    return LM_OF_REAL(mask_blend)(m, b, a);
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
LM_INLINE lm_mask lm_mask_first(int n)
{
    return (lm_mask)(n >= LM_REALS ? ~0u : (1u << n) - 1u);
}
LM_INLINE lm_mask lm_mask_of(uint32_t bits)
{
    return (lm_mask)bits;
}

#endif
