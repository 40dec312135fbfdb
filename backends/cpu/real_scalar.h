/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vocabulary of real numbers in plain C, one site at a time, for LM_REAL_BITS 32 or 64: the
 * reference for all other lanes, and the list of what they must provide. Every operation is
 * rounded once, to nearest. Energies may overflow and their difference be a NaN: lm_real_max(a, b)
 * is b where a is a NaN, and no other operand of a minimum, maximum or comparison ever is one.
 *
 * lm_bits holds a 32-bit number for each of the LM_REALS sites, lm_mask a yes or no.
 */
#ifndef LM_REAL_H
#define LM_REAL_H

#include <math.h>
#include <string.h>

#include "backends/cpu/lane_scalar.h"
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
typedef int lm_mask;

LM_INLINE lm_real lm_real_load(const lm_scalar *p)
{
    return *p;
}
LM_INLINE void lm_real_store(lm_scalar *p, lm_real v)
{
    *p = v;
}
LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m) /* the others: no write */
{
    if (m)
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
    return fmaf(a, b, c);
#else
    return fma(a, b, c);
#endif
}
LM_INLINE lm_real lm_real_min(lm_real a, lm_real b)
{
    return a < b ? a : b;
}
LM_INLINE lm_real lm_real_max(lm_real a, lm_real b)
{
    return a > b ? a : b;
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
    return a & b;
}
LM_INLINE lm_mask lm_mask_or(lm_mask a, lm_mask b)
{
    return a | b;
}
LM_INLINE lm_mask lm_mask_andnot(lm_mask a, lm_mask b) /* not a, and b */
{
    return (a ^ 1) & b;
}
LM_INLINE int lm_mask_any(lm_mask m)
{
    return m;
}
LM_INLINE lm_mask lm_mask_first(int n) /* lanes 0 .. n - 1 */
{
    return n > 0;
}
LM_INLINE lm_mask lm_mask_of(uint32_t bits) /* lane i: bit i */
{
    return (int)(bits & 1);
}

/* A count of yeses: in every lane, or of all lanes. */
typedef int64_t lm_tally;
LM_INLINE lm_tally lm_tally_zero(void)
{
    return 0;
}
LM_INLINE void lm_tally_add(lm_tally *t, lm_mask m)
{
    *t += m;
}
LM_INLINE int64_t lm_tally_sum(lm_tally t)
{
    return t;
}

/* ---- numbers made of bits */
LM_INLINE lm_real lm_real_of_pattern(lm_pattern bits)
{
    lm_real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
LM_INLINE lm_pattern lm_pattern_of(lm_real x)
{
    lm_pattern bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
LM_INLINE lm_real lm_real_lower(lm_bits u) /* 1 + (u mod 2^16) / 2^16 */
{
    return lm_real_of_pattern((lm_pattern)(u & 0xFFFFu) << (LM_REAL_FRACTION - 16) |
                              lm_pattern_of((lm_real)1.0));
}
LM_INLINE lm_real lm_real_upper(lm_bits u) /* 2^16 + u / 2^16, rounded down */
{
    return lm_real_of_pattern((lm_pattern)(u >> 16) << (LM_REAL_FRACTION - 16) |
                              lm_pattern_of((lm_real)65536.0));
}
LM_INLINE lm_real lm_real_of_31(lm_bits u) /* u / 2, rounded down, as a real */
{
    return (lm_real)(int32_t)(u >> 1);
}
LM_INLINE lm_real lm_real_scale(lm_real p, lm_real z) /* p 2^(low bits of z, signed) */
{
    return lm_real_of_pattern(lm_pattern_of(p) + (lm_pattern_of(z) << LM_REAL_FRACTION));
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
