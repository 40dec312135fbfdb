/* SPDX-License-Identifier: BSD-3-Clause */
/* The vocabulary of reals (backends/cpu/real_scalar.h) in AVX2 with FMA: 8 floats or 4 doubles. */
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
