/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane vocabulary (backends/cpu/lane_scalar.h) for one CUDA thread: one word. */
#ifndef LM_LANE_H
#define LM_LANE_H

#include <stdint.h>

#define LM_INLINE static __device__ __forceinline__
#define LM_UNROLL _Pragma("unroll")
#define LM_LANES  1
#define LM_HALVES 1

typedef uint32_t lm_word;
typedef uint32_t lm_half;
typedef uint64_t lm_prod;

LM_INLINE lm_word lm_set(uint32_t x)
{
    return x;
}
LM_INLINE lm_word lm_not(lm_word a)
{
    return ~a;
}
LM_INLINE lm_word lm_and(lm_word a, lm_word b)
{
    return a & b;
}
LM_INLINE lm_word lm_andnot(lm_word a, lm_word b)
{
    return ~a & b;
}
LM_INLINE lm_word lm_or(lm_word a, lm_word b)
{
    return a | b;
}
LM_INLINE lm_word lm_xor(lm_word a, lm_word b)
{
    return a ^ b;
}
LM_INLINE lm_word lm_xor3(lm_word a, lm_word b, lm_word c)
{
    return a ^ b ^ c;
}
LM_INLINE lm_word lm_majority(lm_word a, lm_word b, lm_word c)
{
    return (a & b) | (c & (a | b));
}
LM_INLINE lm_word lm_select(lm_word mask, lm_word a, lm_word b)
{
    return (mask & a) | (~mask & b);
}
LM_INLINE lm_word lm_below(lm_word r, lm_word t, lm_word below)
{
    return (t & ~r) | (below & ~(t ^ r));
}
LM_INLINE lm_word lm_tie(lm_word tied, lm_word r, lm_word t)
{
    return tied & ~(r ^ t);
}
LM_INLINE lm_word lm_shl(lm_word a, int n)
{
    return a << n;
}
LM_INLINE lm_word lm_shr(lm_word a, int n)
{
    return a >> n;
}
LM_INLINE int lm_any(lm_word a)
{
    return a != 0;
}
LM_INLINE int64_t lm_popcount(lm_word a)
{
    return __popc(a);
}

LM_INLINE lm_half lm_half_set(uint32_t x)
{
    return x;
}
LM_INLINE lm_half lm_half_count(uint32_t first, int h)
{
    (void)h;
    return first;
}
LM_INLINE lm_prod lm_mul(lm_half a, uint32_t b)
{
    return (uint64_t)a * b;
}
LM_INLINE lm_half lm_hi(lm_prod p)
{
    return (uint32_t)(p >> 32);
}
LM_INLINE lm_half lm_lo(lm_prod p)
{
    return (uint32_t)p;
}
LM_INLINE lm_half lm_half_xor3(lm_half a, lm_half b, lm_half c)
{
    return a ^ b ^ c;
}
LM_INLINE lm_word lm_join(lm_half first, lm_half second)
{
    (void)second;
    return first;
}

#endif
