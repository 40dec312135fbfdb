/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the vocabulary of reals (lib/physics/real_one.h) in AVX2 with FMA, with 8 floats or 4
 * doubles in a vector. */
#ifndef LM_REAL_H
#define LM_REAL_H

#include "backends/cpu/lane_avx2.h"

#if LM_REAL_BITS == 32
typedef __m256 lm_real;
#define LM_SET_SITE(x) lm_set((uint32_t)(x))
#define LM_SITES       _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)
#define LM_SITE_BITS   _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1)
#else
typedef __m256d lm_real;
#define LM_SET_SITE(x) LM_SET_64(x)
#define LM_SITES       _mm256_set_epi64x(3, 2, 1, 0)
#define LM_SITE_BITS   _mm256_set_epi64x(8, 4, 2, 1)
#endif
typedef lm_real lm_mask; /* all bits of a lane */
#define LM_COMPARE      LM_OF_REAL(cmp)
#define LM_MASK_BITS(m) ((unsigned)LM_OF_REAL(movemask)(m))
#define LM_LOAD_HALF(p) _mm_loadu_si128((const __m128i *)(const void *)(p))

#include "backends/cpu/real_x86.h"

LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m)
{
    LM_OF_REAL(maskstore)(p, lm_as_bits(m), v);
}
#if LM_REAL_BITS == 32
LM_INLINE lm_mask lm_bits_less(lm_bits a, lm_bits b)
{
    return lm_as_real(_mm256_cmpgt_epi32(b, a));
}
LM_INLINE lm_real lm_real_look_up(const lm_scalar *table, lm_bits index)
{
    return _mm256_i32gather_ps(table, index, sizeof *table);
}
LM_INLINE lm_real lm_real_load_bytes(const int8_t *p)
{
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
LM_INLINE void lm_real_store_bytes(int8_t *p, lm_real v)
{
    const __m256i k = _mm256_cvtps_epi32(v);
    const __m128i halves =
        _mm_packs_epi32(_mm256_castsi256_si128(k), _mm256_extracti128_si256(k, 1));
    _mm_storel_epi64((__m128i *)(void *)p, _mm_packs_epi16(halves, halves));
}
/* No instruction stores some bytes through the caches. */
LM_INLINE void lm_real_store_some_bytes(int8_t *p, lm_real v, lm_mask m)
{
    int8_t all[LM_REALS];
    lm_real_store_bytes(all, v);
    for (unsigned left = LM_MASK_BITS(m); left; left &= left - 1)
        p[__builtin_ctz(left)] = all[__builtin_ctz(left)];
}
#endif
LM_INLINE lm_real lm_real_permute(lm_real v, const int32_t *from)
{
#if LM_REAL_BITS == 32
    const __m256i lane = _mm256_loadu_si256((const __m256i *)(const void *)from);
    return _mm256_permutevar8x32_ps(v, lane);
#else
    /* a double's two halves: 2 lane and 2 lane + 1 */
    const __m256i lane = _mm256_slli_epi64(_mm256_cvtepu32_epi64(LM_LOAD_HALF(from)), 1);
    const __m256i upper = _mm256_slli_epi64(_mm256_add_epi64(lane, _mm256_set1_epi64x(1)), 32);
    return _mm256_castps_pd(
        _mm256_permutevar8x32_ps(_mm256_castpd_ps(v), _mm256_or_si256(lane, upper)));
#endif
}
LM_INLINE lm_real lm_real_select(lm_mask m, lm_real a, lm_real b)
{
    return LM_OF_REAL(blendv)(b, a, m);
}
LM_INLINE lm_mask lm_mask_and(lm_mask a, lm_mask b)
{
    return LM_OF_REAL(and)(a, b);
}
LM_INLINE lm_mask lm_mask_or(lm_mask a, lm_mask b)
{
    return LM_OF_REAL(or)(a, b);
}
LM_INLINE lm_mask lm_mask_andnot(lm_mask a, lm_mask b)
{
    return LM_OF_REAL(andnot)(a, b);
}
LM_INLINE lm_mask lm_mask_first(int n)
{
    return lm_as_real(LM_OF_INT(cmpgt)(LM_SET_SITE(n), LM_SITES));
}
LM_INLINE lm_mask lm_mask_of(uint32_t bits)
{
    return lm_as_real(LM_OF_INT(cmpeq)(lm_and(LM_SET_SITE(bits), LM_SITE_BITS), LM_SITE_BITS));
}

#endif
