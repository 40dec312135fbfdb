/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vocabulary of real numbers (backends/cpu/real_scalar.h) for one CUDA thread: one site, for
 * LM_REAL_BITS 32 or 64. Compile with --fmad=false, so that only what says fma is fused.
 */
#ifndef LM_REAL_H
#define LM_REAL_H

#include "lib/physics/lane_one.h"
#include "lib/physics/philox.h"

#define LM_REALS 1

#if LM_REAL_BITS == 32
typedef float lm_scalar;
typedef uint32_t lm_pattern;
#define LM_REAL_WHOLE    12582912.0 /* adding it rounds to an integer, in the low bits */
#define LM_REAL_FRACTION 23         /* bits behind the point */
#else
typedef double lm_scalar;
typedef uint64_t lm_pattern;
#define LM_REAL_WHOLE    6755399441055744.0
#define LM_REAL_FRACTION 52
#endif

typedef lm_scalar lm_real;
typedef uint32_t lm_bits;
typedef bool lm_mask;

LM_INLINE lm_real lm_real_load(const lm_scalar *p)
{
    return *p;
}
LM_INLINE void lm_real_store(lm_scalar *p, lm_real v)
{
    *p = v;
}
LM_INLINE lm_real lm_real_set(double x)
{
    return (lm_real)x;
}
LM_INLINE lm_real lm_real_neg(lm_real a)
{
    return -a;
}
LM_INLINE lm_real lm_real_add(lm_real a, lm_real b)
{
    return a + b;
}
LM_INLINE lm_real lm_real_sub(lm_real a, lm_real b)
{
    return a - b;
}
LM_INLINE lm_real lm_real_mul(lm_real a, lm_real b)
{
    return a * b;
}
LM_INLINE lm_real lm_real_fma(lm_real a, lm_real b, lm_real c) /* a b + c */
{
#if LM_REAL_BITS == 32
    return __fmaf_rn(a, b, c);
#else
    return __fma_rn(a, b, c);
#endif
}
LM_INLINE lm_real lm_real_min(lm_real a, lm_real b) /* never of zeros of both signs */
{
#if LM_REAL_BITS == 32
    return fminf(a, b);
#else
    return fmin(a, b);
#endif
}
LM_INLINE lm_real lm_real_max(lm_real a, lm_real b)
{
#if LM_REAL_BITS == 32
    return fmaxf(a, b);
#else
    return fmax(a, b);
#endif
}

/* ---- yes and no */
LM_INLINE lm_mask lm_real_less(lm_real a, lm_real b)
{
    return a < b;
}
LM_INLINE lm_mask lm_real_not_less(lm_real a, lm_real b)
{
    return a >= b;
}
LM_INLINE lm_real lm_real_select(lm_mask m, lm_real a, lm_real b) /* m ? a : b */
{
    return m ? a : b;
}
LM_INLINE lm_mask lm_mask_and(lm_mask a, lm_mask b)
{
    return a && b;
}
LM_INLINE lm_mask lm_mask_or(lm_mask a, lm_mask b)
{
    return a || b;
}
LM_INLINE lm_mask lm_mask_andnot(lm_mask a, lm_mask b) /* not a, and b */
{
    return !a && b;
}
LM_INLINE bool lm_mask_any(lm_mask m)
{
    return m;
}
LM_INLINE lm_mask lm_mask_first(int n) /* lanes 0 .. n - 1 */
{
    return n > 0;
}

/* A thread's count of yeses: of one tile or one site, hence below 2^31. */
typedef int lm_tally;
LM_INLINE lm_tally lm_tally_zero(void)
{
    return 0;
}
LM_INLINE void lm_tally_add(lm_tally *t, lm_mask m)
{
    *t += m ? 1 : 0;
}
LM_INLINE int64_t lm_tally_sum(lm_tally t)
{
    return t;
}

/* ---- numbers made of bits */
LM_INLINE lm_real lm_real_of_pattern(lm_pattern bits)
{
#if LM_REAL_BITS == 32
    return __uint_as_float(bits);
#else
    return __longlong_as_double((long long)bits);
#endif
}
LM_INLINE lm_pattern lm_pattern_of(lm_real x)
{
#if LM_REAL_BITS == 32
    return __float_as_uint(x);
#else
    return (lm_pattern)__double_as_longlong(x);
#endif
}
/* The upper word of a real with 16 bits behind the leading one, in the upper bits of `u` below
 * its sign and exponent: one shift and one LOP3 for either type. */
LM_INLINE lm_real lm_real_of_upper_word(uint32_t word)
{
#if LM_REAL_BITS == 32
    return __uint_as_float(word);
#else
    return __hiloint2double((int)word, 0);
#endif
}
LM_INLINE lm_real lm_real_lower(lm_bits u) /* 1 + (u mod 2^16) / 2^16 */
{
#if LM_REAL_BITS == 32
    return lm_real_of_upper_word((u << 7 & 0x7FFF80u) | 0x3F800000u);
#else
    return lm_real_of_upper_word((u << 4 & 0xFFFF0u) | 0x3FF00000u);
#endif
}
LM_INLINE lm_real lm_real_upper(lm_bits u) /* 2^16 + u / 2^16, rounded down */
{
#if LM_REAL_BITS == 32
    return lm_real_of_upper_word((u >> 9 & 0x7FFF80u) | 0x47800000u);
#else
    return lm_real_of_upper_word((u >> 12 & 0xFFFF0u) | 0x40F00000u);
#endif
}
LM_INLINE lm_real lm_real_of_31(lm_bits u) /* u / 2, rounded down, as a real */
{
#if LM_REAL_BITS == 32
    return __int2float_rn((int)(u >> 1));
#else
    return __int2double_rn((int)(u >> 1));
#endif
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z) /* p 2^(low bits of z, signed) */
{
#if LM_REAL_BITS == 32
    return __uint_as_float(__float_as_uint(p) + (__float_as_uint(z) << 23));
#else
    /* the shift by 52 bits leaves nothing in the lower word */
    const uint32_t upper = (uint32_t)__double2hiint(p) + ((uint32_t)__double2loint(z) << 20);
    return __hiloint2double((int)upper, __double2loint(p));
#endif
}

/* ---- one counter for each site */
LM_INLINE lm_bits lm_bits_load(const uint32_t *p)
{
    return *p;
}
LM_INLINE lm_bits lm_bits_add(lm_bits a, uint32_t b)
{
    return a + b;
}
/* Block number `draw` of each site: four numbers. */
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits index, uint32_t draw, lm_bits out[4])
{
    lm_philox_half(index, s->c1 | draw, s->c2, s->c3, &s->keys, out);
}

#endif
