/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defines the lane vocabulary for one 32-bit word at a time, in C and in CUDA C++. The scalar lane
 * uses it, and so does a thread of a GPU. All other lanes are checked against it. Together with the
 * access to memory in backends/cpu/lane_scalar.h, it lists what a lane must provide.
 *
 * A word (lm_word) is LM_LANES 32-bit numbers. Multiplication 32 x 32 -> 64 works on halves of a
 * word (lm_half). Half h of LM_HALVES holds the lanes i with i % LM_HALVES == h, each with room for
 * its 64-bit product (lm_prod).
 */
#ifndef LM_LANE_ONE_H
#define LM_LANE_ONE_H

#include <stdint.h>

#ifdef __CUDACC__
#define LM_INLINE      static __device__ __forceinline__
#define LM_UNROLL      _Pragma("unroll")
#define LM_POPCOUNT(a) __popc(a)
#else
#define LM_INLINE      static inline __attribute__((always_inline))
#define LM_UNROLL      _Pragma("GCC unroll 16")
#define LM_POPCOUNT(a) __builtin_popcount(a)
#endif
#define LM_LANES  1
#define LM_HALVES 1

typedef uint32_t lm_word;
typedef uint32_t lm_half;
typedef uint64_t lm_prod;

/* ---- bits */
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
LM_INLINE lm_word lm_andnot(lm_word a, lm_word b) /* not a, and b */
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
LM_INLINE lm_word lm_select(lm_word mask, lm_word a, lm_word b) /* mask ? a : b, bit by bit */
{
    return (mask & a) | (~mask & b);
}
/* Compares numbers bit by bit from the lowest bit up. lm_below() returns whether r < t, where
 * `below` is the answer so far. The other function returns which of the `tied` are still tied. */
LM_INLINE lm_word lm_below(lm_word r, lm_word t, lm_word below)
{
    return (t & ~r) | (below & ~(t ^ r));
}
LM_INLINE lm_word lm_tie(lm_word tied, lm_word r, lm_word t)
{
    return tied & ~(r ^ t);
}
LM_INLINE lm_word lm_shl(lm_word a, int n) /* 0 <= n < 32 */
{
    return a << n;
}
LM_INLINE lm_word lm_shr(lm_word a, int n)
{
    return a >> n;
}
LM_INLINE int lm_any(lm_word a) /* is any bit of any lane 1 */
{
    return a != 0;
}
LM_INLINE int64_t lm_popcount(lm_word a) /* bits that are 1, all lanes */
{
    return LM_POPCOUNT(a);
}

/* ---- halves */
LM_INLINE lm_half lm_half_set(uint32_t x)
{
    return x;
}
LM_INLINE lm_half lm_half_count(uint32_t first, int h) /* lane i holds first + i */
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
LM_INLINE lm_word lm_join(lm_half first, lm_half second) /* halves 0 and LM_HALVES - 1 */
{
    (void)second;
    return first;
}

/* ---- whole blocks of a half's counters, LM_BLOCKS at once
 *
 * They are for numbers that are taken in the order of blocks. Two of a block's numbers are in
 * LM_COUPLE words. */
#define LM_BLOCKS 1
#define LM_COUPLE 2
LM_INLINE lm_half lm_half_blocks(uint32_t first) /* first, first + 1, .. */
{
    return first;
}
LM_INLINE void lm_couple(lm_half x, lm_half y, lm_word out[LM_COUPLE])
{
    out[0] = x;
    out[1] = y;
}

#endif
