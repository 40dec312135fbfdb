/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds what AVX2 and AVX-512 have alike of the lane vocabulary, with intrinsics of the same stems.
 * lane_avx2.h and lane_avx512.h include it, add the words in which they differ, and define before
 * it:
 *
 *   lm_word, LM_LANES   a vector, its 32-bit numbers
 *   LM_OF(stem)         an intrinsic of such vectors: LM_OF(add_epi32) is _mm256_add_epi32
 *   LM_OF_BITS(stem)    one that knows no lanes: LM_OF_BITS(xor) is _mm256_xor_si256
 *   LM_SET_64(x)        x in every 64 bits
 *   LM_COUNT            0, 1, 2, .. LM_LANES - 1
 *   LM_EVEN             0, 2, 4 .. LM_LANES - 2 in 64 bits each
 *   LM_BLOCK_ORDER      0, LM_LANES / 4, 1, LM_LANES / 4 + 1, .. in 64 bits each
 */
#ifndef LM_LANE_X86_H
#define LM_LANE_X86_H

#define LM_INLINE static inline __attribute__((always_inline))
#define LM_UNROLL _Pragma("GCC unroll 16")
#define LM_HALVES 2

typedef lm_word lm_half;
typedef lm_word lm_prod;

LM_INLINE lm_word lm_load(const uint32_t *p)
{
    return LM_OF_BITS(loadu)((const lm_word *)(const void *)p);
}
LM_INLINE void lm_store(uint32_t *p, lm_word v)
{
    LM_OF_BITS(storeu)((lm_word *)(void *)p, v);
}

/* Precedes the return of a function from the lane. Upper halves in use make older instructions,
 * such as the host's, wait for each other. gcc forgets to clear them if a function has vectors as
 * arguments. */
LM_INLINE void lm_leave(void)
{
    _mm256_zeroupper();
}

LM_INLINE lm_word lm_set(uint32_t x)
{
    return LM_OF(set1_epi32)((int)x);
}
LM_INLINE lm_word lm_and(lm_word a, lm_word b)
{
    return LM_OF_BITS(and)(a, b);
}
LM_INLINE lm_word lm_andnot(lm_word a, lm_word b)
{
    return LM_OF_BITS(andnot)(a, b);
}
LM_INLINE lm_word lm_or(lm_word a, lm_word b)
{
    return LM_OF_BITS(or)(a, b);
}
LM_INLINE lm_word lm_xor(lm_word a, lm_word b)
{
    return LM_OF_BITS(xor)(a, b);
}
LM_INLINE lm_word lm_shl(lm_word a, int n)
{
    return LM_OF(sll_epi32)(a, _mm_cvtsi32_si128(n));
}
LM_INLINE lm_word lm_shr(lm_word a, int n)
{
    return LM_OF(srl_epi32)(a, _mm_cvtsi32_si128(n));
}

/* Returns first, first + 1, .. */
LM_INLINE lm_word lm_count_from(uint32_t first)
{
    return LM_OF(add_epi32)(lm_set(first), LM_COUNT);
}

/* The upper halves of a half's lanes are never read, so they may hold anything. */
LM_INLINE lm_half lm_half_set(uint32_t x)
{
    return lm_set(x);
}
LM_INLINE lm_half lm_half_count(uint32_t first, int h)
{
    return LM_OF(add_epi32)(LM_EVEN, LM_SET_64((uint32_t)(first + (uint32_t)h)));
}
#define LM_INDEXED 1
LM_INLINE lm_half lm_half_of(lm_word index, int h) /* of words whose indices are a vector */
{
    return h ? LM_OF(srli_epi64)(index, 32) : index;
}
LM_INLINE lm_prod lm_mul(lm_half a, uint32_t b)
{
    return LM_OF(mul_epu32)(a, lm_set(b));
}
LM_INLINE lm_half lm_hi(lm_prod p)
{
    return LM_OF(srli_epi64)(p, 32);
}
LM_INLINE lm_half lm_lo(lm_prod p)
{
    return p;
}

/* A couple has 64 bits. A block goes to memory as two couples, one after the other. Such pairs are
 * made of every second 64 bits of a vector, so counters are placed where that sorts them. */
#define LM_BLOCKS (LM_LANES / 2)
#define LM_COUPLE 1
LM_INLINE lm_half lm_half_blocks(uint32_t first)
{
    return LM_OF(add_epi32)(LM_BLOCK_ORDER, lm_set(first));
}
LM_INLINE void lm_store_blocks(uint32_t *p, const lm_word *first, const lm_word *last)
{
    lm_store(p, LM_OF(unpacklo_epi64)(*first, *last));
    lm_store(p + LM_LANES, LM_OF(unpackhi_epi64)(*first, *last));
}

#endif
