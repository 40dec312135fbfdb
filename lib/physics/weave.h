/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weaves the words of two sublattices into bits in natural order, and takes them apart again
 * (doc/trajectory.md, "Site words"). A vocabulary, or backends/cuda/launch.cuh, is included before.
 */
#ifndef LM_WEAVE_H
#define LM_WEAVE_H

#include <stdint.h>

/* Exchanges the bits of a word that `mask` has with those that lie `by` bits higher. */
LM_INLINE uint64_t lm_bits_exchanged(uint64_t x, int by, uint64_t mask)
{
    const uint64_t differ = (x ^ x >> by) & mask;
    return x ^ differ ^ differ << by;
}

/* Puts the low half at the even bits, and the high half at the odd ones. */
LM_INLINE uint64_t lm_weave(uint64_t halves)
{
    uint64_t x = lm_bits_exchanged(halves, 16, 0x00000000ffff0000u);
    x = lm_bits_exchanged(x, 8, 0x0000ff000000ff00u);
    x = lm_bits_exchanged(x, 4, 0x00f000f000f000f0u);
    x = lm_bits_exchanged(x, 2, 0x0c0c0c0c0c0c0c0cu);
    return lm_bits_exchanged(x, 1, 0x2222222222222222u);
}

/* Is the inverse of lm_weave(). */
LM_INLINE uint64_t lm_unweave(uint64_t bits)
{
    uint64_t x = lm_bits_exchanged(bits, 1, 0x2222222222222222u);
    x = lm_bits_exchanged(x, 2, 0x0c0c0c0c0c0c0c0cu);
    x = lm_bits_exchanged(x, 4, 0x00f000f000f000f0u);
    x = lm_bits_exchanged(x, 8, 0x0000ff000000ff00u);
    return lm_bits_exchanged(x, 16, 0x00000000ffff0000u);
}

#endif
