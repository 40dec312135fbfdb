/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defines the vocabulary of real numbers for one site at a time, in C and in CUDA C++, for
 * LM_REAL_BITS 32 or 64. The scalar lane uses it, and so does a thread of a GPU. It is the
 * reference for all other lanes. Together with stores of some sites of a vector
 * (backends/cpu/real_scalar.h), it lists what they must provide. Every operation is rounded once,
 * to nearest. Compile without contraction, so that only operations named fma are fused. Energies
 * may overflow, and their difference may be a NaN. So lm_real_max(a, b) is b if a is a NaN. No
 * other operand of a minimum, maximum or comparison is ever a NaN. Two zeros of different sign
 * never meet there.
 *
 * lm_bits holds a 32-bit number for each of the LM_REALS sites, and lm_mask a yes or no.
 */
#ifndef LM_REAL_ONE_H
#define LM_REAL_ONE_H

#include "lib/physics/lane_one.h"
#include "lib/physics/philox.h"

#define LM_REALS 1

#if LM_REAL_BITS == 32
typedef float lm_scalar;
typedef uint32_t lm_pattern;
#define LM_REAL_WHOLE     12582912.0  /* adding it rounds to an integer, in the low bits */
#define LM_REAL_FRACTION  23          /* bits behind the point */
#define LM_REAL_EXPONENT  0x3F800000u /* the upper word of 1 */
#define LM_REAL_EXPONENTS 0x7F800000u /* where upper words have the exponent */
#define LM_REAL_BIAS      127
#define LM_REAL_(name)    name##f
#else
typedef double lm_scalar;
typedef uint64_t lm_pattern;
#define LM_REAL_WHOLE     6755399441055744.0
#define LM_REAL_FRACTION  52
#define LM_REAL_EXPONENT  0x3FF00000u
#define LM_REAL_EXPONENTS 0x7FF00000u
#define LM_REAL_BIAS      1023
#define LM_REAL_(name)    name
#endif

typedef lm_scalar lm_real;
typedef uint32_t lm_bits;

/* Types that C and CUDA define differently: a yes or no, a count of them, and the bits of a
 * number. */
#ifdef __CUDACC__
typedef bool lm_mask;
typedef int lm_tally; /* for one tile or one site, so below 2^31 */
#define LM_REAL_MIN(a, b) LM_REAL_(fmin)(a, b)
#define LM_REAL_MAX(a, b) LM_REAL_(fmax)(a, b)
#if LM_REAL_BITS == 32
#define LM_OF_UPPER_WORD(word)    __uint_as_float(word)
#define LM_UPPER_WORD_PLUS(x, by) __uint_as_float(__float_as_uint(x) + (by))
#define LM_LOW_WORD(x)            __float_as_uint(x)
#define LM_HIGH_WORD(x)           __float_as_uint(x)
#define LM_OF_PATTERN(bits)       __uint_as_float(bits)
#else
#define LM_OF_UPPER_WORD(word)    __hiloint2double((int)(word), 0)
#define LM_UPPER_WORD_PLUS(x, by) __hiloint2double(__double2hiint(x) + (int)(by), __double2loint(x))
#define LM_LOW_WORD(x)            (uint32_t) __double2loint(x)
#define LM_HIGH_WORD(x)           (uint32_t) __double2hiint(x)
#define LM_OF_PATTERN(bits)       __longlong_as_double((long long)(bits))
#endif
#else
#include <math.h>
#include <string.h>
typedef int lm_mask;
typedef int64_t lm_tally;
#define LM_REAL_MIN(a, b)         ((a) < (b) ? (a) : (b))
#define LM_REAL_MAX(a, b)         ((a) > (b) ? (a) : (b))
#define LM_UPPER_WORD(word)       ((lm_pattern)(word) << (LM_REAL_BITS - 32))
#define LM_OF_UPPER_WORD(word)    lm_real_of_bits(LM_UPPER_WORD(word))
#define LM_UPPER_WORD_PLUS(x, by) lm_real_of_bits(lm_bits_of_real(x) + LM_UPPER_WORD(by))
#define LM_LOW_WORD(x)            (uint32_t) lm_bits_of_real(x)
#define LM_HIGH_WORD(x)           (uint32_t)(lm_bits_of_real(x) >> (LM_REAL_BITS - 32))
#define LM_OF_PATTERN(bits)       lm_real_of_bits(bits)
LM_INLINE lm_real lm_real_of_bits(lm_pattern bits)
{
    lm_real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
LM_INLINE lm_pattern lm_bits_of_real(lm_real x)
{
    lm_pattern bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
#endif

LM_INLINE lm_real lm_real_load(const lm_scalar *p)
{
    return *p;
}
LM_INLINE void lm_real_store(lm_scalar *p, lm_real v)
{
    *p = v;
}
LM_INLINE lm_real lm_real_load_bytes(const int8_t *p) /* whole numbers kept as bytes */
{
    return (lm_real)*p;
}
LM_INLINE void lm_real_store_bytes(int8_t *p, lm_real v)
{
    *p = (int8_t)v;
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
LM_INLINE lm_real lm_real_div(lm_real a, lm_real b)
{
    return a / b;
}
LM_INLINE lm_real lm_real_sqrt(lm_real a) /* a >= 0 */
{
    return LM_REAL_(sqrt)(a);
}
LM_INLINE lm_real lm_real_fma(lm_real a, lm_real b, lm_real c) /* a b + c */
{
    return LM_REAL_(fma)(a, b, c);
}
LM_INLINE lm_real lm_real_min(lm_real a, lm_real b)
{
    return LM_REAL_MIN(a, b);
}
LM_INLINE lm_real lm_real_max(lm_real a, lm_real b)
{
    return LM_REAL_MAX(a, b);
}
LM_INLINE lm_real lm_real_abs(lm_real a)
{
    return LM_REAL_(fabs)(a);
}
LM_INLINE lm_real lm_real_signed(lm_real a, lm_real by) /* -a if `by` has a minus sign */
{
    return LM_UPPER_WORD_PLUS(a, LM_HIGH_WORD(by) & 0x80000000u);
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
LM_INLINE lm_mask lm_real_equal(lm_real a, lm_real b)
{
    return a == b;
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
LM_INLINE lm_mask lm_mask_any(lm_mask m)
{
    return m;
}
LM_INLINE lm_mask lm_mask_first(int n) /* lanes 0 .. n - 1 */
{
    return n > 0;
}

/* ---- a count of yeses: in every lane, or of all lanes */
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

/* ---- numbers made of bits
 *
 * The first two have 16 bits behind the leading one, all of them in the upper word. */
LM_INLINE lm_real lm_real_lower(lm_bits u) /* 1 + (u mod 2^16) / 2^16 */
{
    return LM_REAL_BITS == 32 ? LM_OF_UPPER_WORD((u << 7 & 0x7FFF80u) | LM_REAL_EXPONENT)
                              : LM_OF_UPPER_WORD((u << 4 & 0xFFFF0u) | LM_REAL_EXPONENT);
}
LM_INLINE lm_real lm_real_upper(lm_bits u) /* 2^16 + u / 2^16, rounded down */
{
    return LM_REAL_BITS == 32 ? LM_OF_UPPER_WORD((u >> 9 & 0x7FFF80u) | 0x47800000u)
                              : LM_OF_UPPER_WORD((u >> 12 & 0xFFFF0u) | 0x40F00000u);
}
/* Returns 1 + u / 2^32, rounded down to a multiple of 2^-23 (floats) or 2^-31. */
LM_INLINE lm_real lm_real_one_and(lm_bits u)
{
    return LM_REAL_BITS == 32
               ? LM_OF_UPPER_WORD(u >> 9 | LM_REAL_EXPONENT)
               : LM_OF_PATTERN((uint64_t)(u >> 1) << 21 | (uint64_t)LM_REAL_EXPONENT << 32);
}
LM_INLINE lm_real lm_real_of_31(lm_bits u) /* u / 2, rounded down, as a real */
{
    return (lm_real)(int32_t)(u >> 1);
}
#if LM_REAL_BITS == 64
LM_INLINE lm_real lm_real_of_couple(const lm_word *a) /* 1 + the upper 52 bits of the 64 / 2^52 */
{
    return LM_OF_PATTERN(((uint64_t)a[1] << 32 | a[0]) >> 12 | (uint64_t)LM_REAL_EXPONENT << 32);
}
#endif
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z) /* p 2^(low bits of z, signed) */
{
    return LM_UPPER_WORD_PLUS(p, LM_LOW_WORD(z) << (LM_REAL_FRACTION - (LM_REAL_BITS - 32)));
}
/* Returns x 2^-e, where e is lm_real_exponent(of). */
LM_INLINE lm_real lm_real_unscaled(lm_real x, lm_real of)
{
    return LM_UPPER_WORD_PLUS(x, LM_REAL_EXPONENT - (LM_HIGH_WORD(of) & LM_REAL_EXPONENTS));
}
/* Returns the whole number e with 2^e <= x < 2^(e + 1). x must be positive and not subnormal. */
LM_INLINE lm_real lm_real_exponent(lm_real x)
{
    return (lm_real)((int)(LM_HIGH_WORD(x) >> (LM_REAL_FRACTION - (LM_REAL_BITS - 32))) -
                     LM_REAL_BIAS);
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
LM_INLINE lm_bits lm_bits_set(uint32_t x)
{
    return x;
}
LM_INLINE lm_bits lm_bits_times(lm_bits a, lm_bits b) /* the upper half of the product */
{
    return (lm_bits)((uint64_t)a * b >> 32);
}
LM_INLINE lm_bits lm_bits_of_whole(lm_real x) /* a whole number, 0 <= x < 2^22 */
{
    return (lm_bits)x;
}
LM_INLINE lm_bits lm_bits_right(lm_bits a, int by) /* shifted, zeros from above */
{
    return a >> by;
}
LM_INLINE lm_bits lm_bits_left(lm_bits a, int by)
{
    return a << by;
}
LM_INLINE void lm_bits_store(uint32_t *p, lm_bits a)
{
    *p = a;
}
/* These are for floats only: */
#if LM_REAL_BITS == 32
LM_INLINE lm_bits lm_bits_of_large(lm_real x) /* 0 <= x < 2^31, rounded down */
{
    return (lm_bits)(int32_t)x;
}
LM_INLINE lm_bits lm_bits_sum(lm_bits a, lm_bits b)
{
    return a + b;
}
LM_INLINE lm_mask lm_bits_less(lm_bits a, lm_bits b) /* as signed numbers */
{
    return (int32_t)a < (int32_t)b;
}
LM_INLINE lm_real lm_real_look_up(const lm_scalar *table, lm_bits index)
{
    return table[index];
}
#endif
/* These make block number `draw` of each site: four numbers. The first takes the low halves of the
 * sites' numbers, and `high`, 2^24 times the high halves. For the second, the stream has the high
 * half, the same for all sites. */
LM_INLINE void lm_random_wide(const lm_stream *s, lm_bits low, lm_bits high, uint32_t draw,
                              lm_bits out[4])
{
    lm_philox(low, high | s->c1 | draw, s->c2, s->c3, &s->keys, out);
}
LM_INLINE void lm_random_sites(const lm_stream *s, lm_bits low, uint32_t draw, lm_bits out[4])
{
    lm_philox_half(low, s->c1 | draw, s->c2, s->c3, &s->keys, out);
}

#endif
