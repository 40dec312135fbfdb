/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lane vocabulary (lib/physics/lane_one.h) in AVX2, with eight words in a vector. */
#ifndef LM_LANE_H
#define LM_LANE_H

#include <immintrin.h>
#include <stdint.h>

typedef __m256i lm_word;
#define LM_LANES         8
#define LM_OF(stem)      _mm256_##stem
#define LM_OF_BITS(stem) _mm256_##stem##_si256
#define LM_SET_64(x)     _mm256_set1_epi64x(x)
#define LM_COUNT         _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)
#define LM_EVEN          _mm256_set_epi64x(6, 4, 2, 0)
#define LM_BLOCK_ORDER   _mm256_set_epi64x(3, 1, 2, 0)

#include "backends/cpu/lane_x86.h"
#include "lib/physics/philox_keys.h"

LM_INLINE void lm_store_first(uint32_t *p, lm_word v, int n)
{
    const __m256i lane = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    _mm256_maskstore_epi32((int *)(void *)p, _mm256_cmpgt_epi32(_mm256_set1_epi32(n), lane), v);
}

/* Set 64 bytes to -1 where the bit is 1, otherwise to 0; return the highest bits of 64 bytes. */
#define LM_SPREAD_BYTES
LM_INLINE void lm_spread_bytes(uint64_t bits, int8_t bytes[64])
{
    const __m256i own = _mm256_set1_epi64x((int64_t)0x8040201008040201u);
    const __m256i place =
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    for (int i = 0; i < 2; i++) {
        const __m256i copies = _mm256_set1_epi32((int32_t)(uint32_t)(bits >> 32 * i));
        const __m256i bit = _mm256_and_si256(_mm256_shuffle_epi8(copies, place), own);
        _mm256_storeu_si256((__m256i *)(void *)(bytes + 32 * i), _mm256_cmpeq_epi8(bit, own));
    }
}
LM_INLINE uint64_t lm_high_bits(const int8_t bytes[64])
{
    const __m256i *const from = (const __m256i *)(const void *)bytes;
    const uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256(from));
    return low | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256(from + 1)) << 32;
}

LM_INLINE lm_word lm_not(lm_word a)
{
    return _mm256_xor_si256(a, _mm256_set1_epi32(-1));
}
LM_INLINE lm_word lm_xor3(lm_word a, lm_word b, lm_word c)
{
    return lm_xor(lm_xor(a, b), c);
}
LM_INLINE lm_word lm_select(lm_word mask, lm_word a, lm_word b)
{
    return lm_xor(b, lm_and(mask, lm_xor(a, b)));
}
LM_INLINE lm_word lm_majority(lm_word a, lm_word b, lm_word c)
{
    return lm_select(lm_xor(a, b), c, a);
}
LM_INLINE lm_word lm_below(lm_word r, lm_word t, lm_word below)
{
    return lm_select(lm_xor(r, t), t, below);
}
LM_INLINE lm_word lm_tie(lm_word tied, lm_word r, lm_word t)
{
    return lm_andnot(lm_xor(r, t), tied);
}
LM_INLINE lm_word lm_and_or(lm_word a, lm_word b, lm_word c) /* a and b, or c: for real_x86.h */
{
    return lm_or(lm_and(a, b), c);
}
LM_INLINE int lm_any(lm_word a)
{
    return !_mm256_testz_si256(a, a);
}
/* lm_picks() returns the lanes that are not 0, a bit for each. The other function stores only these
 * lanes, from p on, where a whole vector must fit. lm_picked has the numbers of the lanes for every
 * choice of them. */
#define LM_PICKS 1
LM_INLINE unsigned lm_picks(lm_word a)
{
    const __m256i none = _mm256_cmpeq_epi32(a, _mm256_setzero_si256());
    return 0xFFu & ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(none));
}
#define LM_PICKED_BIT(i, b, n) ((i) >> (b)&1 ? (uint64_t)(b) << 8 * (n) : 0)
#define LM_PICKED_COUNT(i, b)  __builtin_popcount((i) & ((1 << (b)) - 1))
#define LM_PICKED_AT(i, b)     LM_PICKED_BIT(i, b, LM_PICKED_COUNT(i, b))
#define LM_PICKED(i)                                                                               \
    (LM_PICKED_AT(i, 0) | LM_PICKED_AT(i, 1) | LM_PICKED_AT(i, 2) | LM_PICKED_AT(i, 3) |           \
     LM_PICKED_AT(i, 4) | LM_PICKED_AT(i, 5) | LM_PICKED_AT(i, 6) | LM_PICKED_AT(i, 7))
#define LM_PICKED4(i)  LM_PICKED(i), LM_PICKED((i) + 1), LM_PICKED((i) + 2), LM_PICKED((i) + 3)
#define LM_PICKED16(i) LM_PICKED4(i), LM_PICKED4((i) + 4), LM_PICKED4((i) + 8), LM_PICKED4((i) + 12)
#define LM_PICKED64(i)                                                                             \
    LM_PICKED16(i), LM_PICKED16((i) + 16), LM_PICKED16((i) + 32), LM_PICKED16((i) + 48)
static const uint64_t lm_picked[256] = {LM_PICKED64(0), LM_PICKED64(64), LM_PICKED64(128),
                                        LM_PICKED64(192)};
LM_INLINE void lm_store_picks(uint32_t *p, lm_word v, unsigned picks)
{
    const __m256i lanes =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)&lm_picked[picks]));
    lm_store(p, _mm256_permutevar8x32_epi32(v, lanes));
}
LM_INLINE int64_t lm_popcount(lm_word a)
{
    uint64_t q[4];
    lm_store((uint32_t *)(void *)q, a);
    return __builtin_popcountll(q[0]) + __builtin_popcountll(q[1]) + __builtin_popcountll(q[2]) +
           __builtin_popcountll(q[3]);
}

LM_INLINE lm_half lm_half_xor3(lm_half a, lm_half b, lm_half c)
{
    return lm_xor3(a, b, c);
}
LM_INLINE lm_word lm_join(lm_half first, lm_half second)
{
    return _mm256_blend_epi32(first, _mm256_slli_epi64(second, 32), 0xAA);
}
LM_INLINE lm_word lm_join_hi(lm_prod first, lm_prod second)
{
    return _mm256_blend_epi32(_mm256_srli_epi64(first, 32), second, 0xAA);
}
LM_INLINE const lm_keys *lm_keys_at(const lm_keys *keys)
{
    return keys;
}

LM_INLINE void lm_couple(lm_half x, lm_half y, lm_word *out)
{
    *out = lm_join(x, y);
}

#endif
