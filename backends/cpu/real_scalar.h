/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the vocabulary of real numbers in plain C: one site, from lib/physics/real_one.h, and
 * what only vectors in a CPU's memory need. These are masks for partial stores, and lanes in
 * another order. */
#ifndef LM_REAL_H
#define LM_REAL_H

#include "backends/cpu/lane_scalar.h"
#include "lib/physics/real_one.h"

LM_INLINE void lm_real_store_some(lm_scalar *p, lm_real v, lm_mask m) /* the others: no write */
{
    if (m)
        *p = v;
}
LM_INLINE void lm_real_store_some_bytes(int8_t *p, lm_real v, lm_mask m)
{
    if (m)
        *p = (int8_t)v;
}
/* Stores numbers made of blocks, in their order: `first` has each block's first couple, and `last`
 * its last couple. */
LM_INLINE void lm_real_store_blocks(lm_scalar *p, const lm_real *first, const lm_real *last)
{
    for (int i = 0; i < 64 / LM_REAL_BITS; i++) {
        p[i] = first[i];
        p[64 / LM_REAL_BITS + i] = last[i];
    }
}
LM_INLINE lm_real lm_real_permute(lm_real v, const int32_t *from) /* lane i: lane from[i] of v */
{
    (void)from;
    return v;
}
LM_INLINE lm_mask lm_mask_of(uint32_t bits) /* lane i: bit i */
{
    return (int)(bits & 1);
}

#endif
