/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds what AVX2 and AVX-512 have alike of the vocabulary of reals, for floats and doubles.
 * real_avx2.h and real_avx512.h include it after their words of bits, add the words in which they
 * differ, and define before it:
 *
 *   lm_real, lm_mask    a vector of numbers, a yes or no for each
 *   LM_COMPARE          the intrinsic that compares two such vectors into a mask
 *   LM_MASK_BITS(m)     a mask as a number: lane i is bit i
 *   LM_LOAD_HALF(p)     LM_LANES / 2 numbers of 32 bits
 */
#ifndef LM_REAL_X86_H
#define LM_REAL_X86_H

#include "lib/physics/philox.h"

/* LM_OF_REAL(add) is _mm256_add_ps or .._pd, LM_OF_INT(add) is _mm256_add_epi32 or .._epi64. */
#if LM_REAL_BITS == 32
typedef float lm_scalar;
#define LM_REALS         LM_LANES
#define LM_REAL_WHOLE    12582912.0
#define LM_REAL_FRACTION 23 /* bits behind the point */
#define LM_OF_REAL(stem) LM_OF(stem##_ps)
#define LM_OF_INT(stem)  LM_OF(stem##_epi32)
#define LM_EXPONENTS     lm_set(0x7F800000)
#else
typedef double lm_scalar;
#define LM_REALS         (LM_LANES / 2)
#define LM_REAL_WHOLE    6755399441055744.0
#define LM_REAL_FRACTION 52
#define LM_OF_REAL(stem) LM_OF(stem##_pd)
#define LM_OF_INT(stem)  LM_OF(stem##_epi64)
#define LM_EXPONENTS     LM_SET_64(0x7FF0000000000000)
#endif
typedef lm_word lm_bits; /* of doubles: a number in the lower half of each 64 bits */

/* Returns the same bits. A cast between vectors converts no number. */
LM_INLINE lm_real lm_as_real(lm_bits u)
{
    return (lm_real)u;
}
LM_INLINE lm_bits lm_as_bits(lm_real a)
{
    return (lm_bits)a;
}

LM_INLINE lm_real lm_real_load(const lm_scalar *p)
{
    return LM_OF_REAL(loadu)(p);
}
LM_INLINE void lm_real_store(lm_scalar *p, lm_real v)
{
    LM_OF_REAL(storeu)(p, v);
}
LM_INLINE lm_real lm_real_set(double x)
{
    return LM_OF_REAL(set1)((lm_scalar)x);
}
/* It is an operator, so the compiler can make it a part of a fused multiplication that uses its
 * result. */
LM_INLINE lm_real lm_real_neg(lm_real a)
{
    return -a;
}
LM_INLINE lm_real lm_real_add(lm_real a, lm_real b)
{
    return LM_OF_REAL(add)(a, b);
}
LM_INLINE lm_real lm_real_sub(lm_real a, lm_real b)
{
    return LM_OF_REAL(sub)(a, b);
}
LM_INLINE lm_real lm_real_mul(lm_real a, lm_real b)
{
    return LM_OF_REAL(mul)(a, b);
}
LM_INLINE lm_real lm_real_div(lm_real a, lm_real b)
{
    return LM_OF_REAL(div)(a, b);
}
LM_INLINE lm_real lm_real_sqrt(lm_real a)
{
    return LM_OF_REAL(sqrt)(a);
}
LM_INLINE lm_real lm_real_fma(lm_real a, lm_real b, lm_real c)
{
    return LM_OF_REAL(fmadd)(a, b, c);
}
LM_INLINE lm_real lm_real_min(lm_real a, lm_real b)
{
    return LM_OF_REAL(min)(a, b);
}
LM_INLINE lm_real lm_real_max(lm_real a, lm_real b)
{
    return LM_OF_REAL(max)(a, b);
}
LM_INLINE lm_real lm_real_abs(lm_real a)
{
    return lm_as_real(lm_andnot(lm_as_bits(lm_real_set(-0.0)), lm_as_bits(a)));
}
LM_INLINE lm_real lm_real_signed(lm_real a, lm_real by)
{
    const lm_bits sign = lm_and(lm_as_bits(by), lm_as_bits(lm_real_set(-0.0)));
    return lm_as_real(lm_xor(lm_as_bits(a), sign));
}
LM_INLINE lm_mask lm_real_less(lm_real a, lm_real b)
{
    return LM_COMPARE(a, b, _CMP_LT_OQ);
}
LM_INLINE lm_mask lm_real_not_less(lm_real a, lm_real b)
{
    return LM_COMPARE(a, b, _CMP_GE_OQ);
}
LM_INLINE lm_mask lm_real_equal(lm_real a, lm_real b)
{
    return LM_COMPARE(a, b, _CMP_EQ_OQ);
}
LM_INLINE int lm_mask_any(lm_mask m)
{
    return LM_MASK_BITS(m) != 0;
}

typedef int64_t lm_tally;
LM_INLINE lm_tally lm_tally_zero(void)
{
    return 0;
}
LM_INLINE void lm_tally_add(lm_tally *t, lm_mask m)
{
    *t += __builtin_popcount(LM_MASK_BITS(m));
}
LM_INLINE int64_t lm_tally_sum(lm_tally t)
{
    return t;
}

LM_INLINE lm_bits lm_bits_add(lm_bits a, uint32_t b)
{
    return LM_OF(add_epi32)(a, lm_set(b));
}
LM_INLINE lm_bits lm_bits_set(uint32_t x)
{
    return lm_set(x);
}
LM_INLINE lm_bits lm_bits_times(lm_bits a, lm_bits b)
{
    const lm_bits even = LM_OF(srli_epi64)(LM_OF(mul_epu32)(a, b), 32);
#if LM_REAL_BITS == 32
    const lm_bits odd = LM_OF(mul_epu32)(LM_OF(srli_epi64)(a, 32), LM_OF(srli_epi64)(b, 32));
    return lm_or(even, lm_and(odd, LM_SET_64((long long)0xFFFFFFFF00000000u)));
#else
    return even;
#endif
}
LM_INLINE lm_bits lm_bits_of_whole(lm_real x) /* adding 2^23, or 2^52, has it in the low bits */
{
    const lm_bits low =
        lm_as_bits(lm_real_add(x, lm_real_set(LM_REAL_BITS == 32 ? 0x1p23 : 0x1p52)));
    return lm_and(low, lm_set(0x3FFFFF));
}
LM_INLINE lm_bits lm_bits_right(lm_bits a, int by)
{
    return LM_OF(srli_epi32)(a, by);
}
LM_INLINE lm_bits lm_bits_left(lm_bits a, int by)
{
    return LM_OF(slli_epi32)(a, by);
}
LM_INLINE void lm_bits_store(uint32_t *p, lm_bits a)
{
    lm_store(p, a);
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z)
{
    const lm_bits n = LM_OF_INT(slli)(lm_as_bits(z), LM_REAL_FRACTION);
    return lm_as_real(LM_OF_INT(add)(lm_as_bits(p), n));
}

LM_INLINE lm_real lm_real_unscaled(lm_real x, lm_real of)
{
    const lm_bits one = lm_as_bits(lm_real_set(1.0)), power = lm_and(lm_as_bits(of), LM_EXPONENTS);
    return lm_as_real(LM_OF_INT(add)(lm_as_bits(x), LM_OF_INT(sub)(one, power)));
}
LM_INLINE void lm_real_store_blocks(lm_scalar *p, const lm_real *first, const lm_real *last)
{
    const lm_word a = lm_as_bits(*first), b = lm_as_bits(*last);
    lm_store_blocks((uint32_t *)(void *)p, &a, &b);
}

#if LM_REAL_BITS == 32
LM_INLINE lm_real lm_real_one_and(lm_bits u)
{
    return lm_as_real(lm_or(LM_OF(srli_epi32)(u, 9), lm_as_bits(lm_real_set(1.0))));
}
LM_INLINE lm_real lm_real_with(lm_bits k, double base) /* base + k / 2^16 of its unit */
{
    return lm_as_real(lm_and_or(k, lm_set(0x7FFF80), lm_as_bits(lm_real_set(base))));
}
LM_INLINE lm_real lm_real_lower(lm_bits u)
{
    return lm_real_with(LM_OF(slli_epi32)(u, 7), 1.0);
}
LM_INLINE lm_real lm_real_upper(lm_bits u)
{
    return lm_real_with(LM_OF(srli_epi32)(u, 9), 65536.0);
}
LM_INLINE lm_real lm_real_of_31(lm_bits u)
{
    return LM_OF(cvtepi32_ps)(LM_OF(srli_epi32)(u, 1));
}
LM_INLINE lm_bits lm_bits_of_large(lm_real x)
{
    return LM_OF(cvttps_epi32)(x);
}
LM_INLINE lm_bits lm_bits_sum(lm_bits a, lm_bits b)
{
    return LM_OF(add_epi32)(a, b);
}
LM_INLINE lm_real lm_real_exponent(lm_real x)
{
    const lm_real biased = LM_OF(cvtepi32_ps)(LM_OF(srli_epi32)(lm_as_bits(x), 23));
    return lm_real_sub(biased, lm_real_set(127.0));
}
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return lm_load(p);
}
LM_INLINE void lm_random_wide(const lm_stream *s, lm_bits low, lm_bits high, uint32_t draw,
                              lm_bits out[4])
{
    lm_random_of(s, low, lm_or(high, lm_set(s->c1 | draw)), out);
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits low, uint32_t draw, lm_bits out[4])
{
    lm_random_at(s, low, draw, out);
}
#else
LM_INLINE lm_real lm_real_one_and(lm_bits u)
{
    const lm_bits in = LM_OF(slli_epi64)(u, 20);
    return lm_as_real(lm_and_or(in, LM_SET_64(0xFFFFFFFE00000), lm_as_bits(lm_real_set(1.0))));
}
LM_INLINE lm_real lm_real_with(lm_bits k, double base)
{
    const lm_bits in = LM_OF(slli_epi64)(lm_and(k, LM_SET_64(0xFFFF)), 36);
    return lm_as_real(lm_or(in, lm_as_bits(lm_real_set(base))));
}
LM_INLINE lm_real lm_real_lower(lm_bits u)
{
    return lm_real_with(u, 1.0);
}
LM_INLINE lm_real lm_real_upper(lm_bits u)
{
    return lm_real_with(LM_OF(srli_epi64)(u, 16), 65536.0);
}
LM_INLINE lm_real lm_real_of_31(lm_bits u)
{
    const lm_bits k = lm_and(LM_OF(srli_epi64)(u, 1), LM_SET_64(0x7FFFFFFF));
    const lm_real two52 = lm_real_set(4503599627370496.0);
    return lm_real_sub(lm_as_real(lm_or(k, lm_as_bits(two52))), two52);
}
LM_INLINE lm_real lm_real_of_couple(const lm_word *a)
{
    return lm_as_real(lm_or(LM_OF(srli_epi64)(*a, 12), lm_as_bits(lm_real_set(1.0))));
}
LM_INLINE lm_real lm_real_exponent(lm_real x)
{
    const lm_bits biased = LM_OF(srli_epi64)(lm_as_bits(x), 52);
    const lm_real two52 = lm_real_set(4503599627370496.0);
    return lm_real_sub(lm_as_real(lm_or(biased, lm_as_bits(two52))),
                       lm_real_set(4503599627370496.0 + 1023.0));
}
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return LM_OF(cvtepu32_epi64)(LM_LOAD_HALF(p));
}
LM_INLINE void lm_random_wide(const lm_stream *s, lm_bits low, lm_bits high, uint32_t draw,
                              lm_bits out[4])
{
    lm_philox(low, lm_or(high, lm_set(s->c1 | draw)), s->c2, s->c3, &s->keys, out);
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits low, uint32_t draw, lm_bits out[4])
{
    lm_philox_half(low, s->c1 | draw, s->c2, s->c3, &s->keys, out);
}
#endif

#endif
