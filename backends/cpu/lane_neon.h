/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lane vocabulary (lib/physics/lane_one.h) in NEON (AArch64), with four words in a
 * vector. */
#ifndef LM_LANE_H
#define LM_LANE_H

#include <arm_neon.h>
#include <stdint.h>

#include "lib/physics/philox_keys.h"

#define LM_INLINE static inline __attribute__((always_inline))
#define LM_UNROLL _Pragma("GCC unroll 16")
#define LM_LANES  4
#define LM_HALVES 2

typedef uint32x4_t lm_word;
typedef uint32x2_t lm_half; /* NEON multiplies two packed numbers into two products */
typedef uint64x2_t lm_prod;

LM_INLINE lm_word lm_load(const uint32_t *p)
{
    return vld1q_u32(p);
}
LM_INLINE void lm_store(uint32_t *p, lm_word v)
{
    vst1q_u32(p, v);
}
LM_INLINE void lm_store_first(uint32_t *p, lm_word v, int n)
{
    uint32_t lane[LM_LANES];
    vst1q_u32(lane, v);
    for (int i = 0; i < n; i++)
        p[i] = lane[i];
}
LM_INLINE void lm_leave(void)
{
}

LM_INLINE lm_word lm_set(uint32_t x)
{
    return vdupq_n_u32(x);
}
LM_INLINE lm_word lm_not(lm_word a)
{
    return vmvnq_u32(a);
}
LM_INLINE lm_word lm_and(lm_word a, lm_word b)
{
    return vandq_u32(a, b);
}
LM_INLINE lm_word lm_andnot(lm_word a, lm_word b)
{
    return vbicq_u32(b, a);
}
LM_INLINE lm_word lm_or(lm_word a, lm_word b)
{
    return vorrq_u32(a, b);
}
LM_INLINE lm_word lm_xor(lm_word a, lm_word b)
{
    return veorq_u32(a, b);
}
LM_INLINE lm_word lm_xor3(lm_word a, lm_word b, lm_word c)
{
    return veorq_u32(veorq_u32(a, b), c);
}
LM_INLINE lm_word lm_select(lm_word mask, lm_word a, lm_word b)
{
    return vbslq_u32(mask, a, b);
}
LM_INLINE lm_word lm_majority(lm_word a, lm_word b, lm_word c)
{
    return vbslq_u32(veorq_u32(a, b), c, a);
}
LM_INLINE lm_word lm_below(lm_word r, lm_word t, lm_word below)
{
    return lm_select(lm_xor(r, t), t, below);
}
LM_INLINE lm_word lm_tie(lm_word tied, lm_word r, lm_word t)
{
    return lm_andnot(lm_xor(r, t), tied);
}
LM_INLINE lm_word lm_shl(lm_word a, int n)
{
    return vshlq_u32(a, vdupq_n_s32(n));
}
LM_INLINE lm_word lm_shr(lm_word a, int n)
{
    return vshlq_u32(a, vdupq_n_s32(-n));
}
LM_INLINE int lm_any(lm_word a)
{
    return vmaxvq_u32(a) != 0;
}
LM_INLINE int64_t lm_popcount(lm_word a)
{
    return vaddlvq_u8(vcntq_u8(vreinterpretq_u8_u32(a)));
}

LM_INLINE lm_half lm_half_set(uint32_t x)
{
    return vdup_n_u32(x);
}
LM_INLINE lm_half lm_half_count(uint32_t first, int h)
{
    const uint32_t f = first + (uint32_t)h;
    return vset_lane_u32(f + 2, vdup_n_u32(f), 1);
}
LM_INLINE lm_prod lm_mul(lm_half a, uint32_t b)
{
    return vmull_n_u32(a, b);
}
LM_INLINE lm_half lm_hi(lm_prod p)
{
    return vshrn_n_u64(p, 32);
}
LM_INLINE lm_half lm_lo(lm_prod p)
{
    return vmovn_u64(p);
}
LM_INLINE lm_half lm_half_xor3(lm_half a, lm_half b, lm_half c)
{
    return veor_u32(veor_u32(a, b), c);
}
LM_INLINE lm_word lm_join(lm_half first, lm_half second)
{
    return vcombine_u32(vzip1_u32(first, second), vzip2_u32(first, second));
}
LM_INLINE lm_word lm_join_hi(lm_prod first, lm_prod second)
{
    return lm_join(lm_hi(first), lm_hi(second));
}
LM_INLINE const lm_keys *lm_keys_at(const lm_keys *keys)
{
    return keys;
}

#define LM_BLOCKS 2
#define LM_COUPLE 1
LM_INLINE lm_half lm_half_blocks(uint32_t first)
{
    return vset_lane_u32(first + 1, vdup_n_u32(first), 1);
}
LM_INLINE void lm_couple(lm_half x, lm_half y, lm_word *out)
{
    *out = lm_join(x, y);
}
LM_INLINE void lm_store_blocks(uint32_t *p, const lm_word *first, const lm_word *last)
{
    const uint64x2_t a = vreinterpretq_u64_u32(*first), b = vreinterpretq_u64_u32(*last);
    lm_store(p, vreinterpretq_u32_u64(vzip1q_u64(a, b)));
    lm_store(p + LM_LANES, vreinterpretq_u32_u64(vzip2q_u64(a, b)));
}

#endif
