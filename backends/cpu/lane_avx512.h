/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lane vocabulary (lib/physics/lane_one.h) in AVX-512F, with sixteen words in a
 * vector. */
#ifndef LM_LANE_H
#define LM_LANE_H

#include <immintrin.h>
#include <stdint.h>

typedef __m512i lm_word;
#define LM_LANES         16
#define LM_OF(stem)      _mm512_##stem
#define LM_OF_BITS(stem) _mm512_##stem##_si512
#define LM_SET_64(x)     _mm512_set1_epi64(x)
#define LM_COUNT         _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define LM_EVEN          _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0)
#define LM_BLOCK_ORDER   _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0)

#include "backends/cpu/lane_x86.h"
#include "lib/physics/philox_keys.h"

LM_INLINE void lm_store_first(uint32_t *p, lm_word v, int n)
{
    _mm512_mask_storeu_epi32(p, (__mmask16)((1u << n) - 1u), v);
}

/* Set 64 bytes to -1 where the bit is 1, otherwise to 0; return the highest bits of 64 bytes. */
#define LM_SPREAD_BYTES
LM_INLINE void lm_spread_bytes(uint64_t bits, int8_t bytes[64])
{
    _mm512_storeu_si512(bytes, _mm512_movm_epi8(bits));
}
LM_INLINE uint64_t lm_high_bits(const int8_t bytes[64])
{
    return _mm512_movepi8_mask(_mm512_loadu_si512(bytes));
}

/* The truth table of a three-input operation is its value on these three columns. */
#define LM_A 0xF0
#define LM_B 0xCC
#define LM_C 0xAA
LM_INLINE lm_word lm_not(lm_word a)
{
    return _mm512_ternarylogic_epi32(a, a, a, 0xFF & ~LM_A);
}
LM_INLINE lm_word lm_xor3(lm_word a, lm_word b, lm_word c)
{
    return _mm512_ternarylogic_epi32(a, b, c, LM_A ^ LM_B ^ LM_C);
}
LM_INLINE lm_word lm_majority(lm_word a, lm_word b, lm_word c)
{
    return _mm512_ternarylogic_epi32(a, b, c, (LM_A & LM_B) | (LM_C & (LM_A | LM_B)));
}
LM_INLINE lm_word lm_select(lm_word mask, lm_word a, lm_word b)
{
    return _mm512_ternarylogic_epi32(mask, a, b, (LM_A & LM_B) | ((0xFF & ~LM_A) & LM_C));
}
LM_INLINE lm_word lm_below(lm_word r, lm_word t, lm_word below)
{
    return _mm512_ternarylogic_epi32(r, t, below, (LM_B & ~LM_A) | (LM_C & ~(LM_A ^ LM_B)));
}
LM_INLINE lm_word lm_tie(lm_word tied, lm_word r, lm_word t)
{
    return _mm512_ternarylogic_epi32(tied, r, t, LM_A & ~(LM_B ^ LM_C));
}
LM_INLINE lm_word lm_and_or(lm_word a, lm_word b, lm_word c) /* a and b, or c: for real_x86.h */
{
    return _mm512_ternarylogic_epi32(a, b, c, (LM_A & LM_B) | LM_C);
}
LM_INLINE int lm_any(lm_word a)
{
    return _mm512_test_epi32_mask(a, a) != 0;
}
/* lm_picks() returns the lanes that are not 0, a bit for each. The other function stores only these
 * lanes, from p on, where a whole vector must fit. */
#define LM_PICKS 1
LM_INLINE unsigned lm_picks(lm_word a)
{
    return _mm512_test_epi32_mask(a, a);
}
LM_INLINE void lm_store_picks(uint32_t *p, lm_word v, unsigned picks)
{
    lm_store(p, _mm512_maskz_compress_epi32((__mmask16)picks, v));
}
LM_INLINE int64_t lm_popcount(lm_word a)
{
    uint64_t q[8];
    int64_t n = 0;
    _mm512_storeu_si512(q, a);
    for (int i = 0; i < 8; i++)
        n += __builtin_popcountll(q[i]);
    return n;
}

LM_INLINE lm_half lm_half_xor3(lm_half a, lm_half b, lm_half c)
{
    return lm_xor3(a, b, c);
}
LM_INLINE lm_word lm_join(lm_half first, lm_half second)
{
    return _mm512_mask_shuffle_epi32(first, 0xAAAA, second, 0xA0);
}
LM_INLINE lm_word lm_join_hi(lm_prod first, lm_prod second)
{
    return _mm512_mask_shuffle_epi32(second, 0x5555, first, 0xF5);
}
/* Instructions read a number for all lanes from memory. In registers, the keys would leave no room
 * for the blocks. */
LM_INLINE const lm_keys *lm_keys_at(const lm_keys *keys)
{
    __asm__("" : "+r"(keys));
    return keys;
}

LM_INLINE void lm_couple(lm_half x, lm_half y, lm_word *out)
{
    *out = lm_join(x, y);
}

#endif
