/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the keys of the ten rounds of Philox4x32-10: the seed's halves, raised by Weyl
 * constants.
 *
 * The counter's words c1 and c3 meet nothing but the first round's keys, in an exclusive or. So
 * what is the same in all counters of a plan can be in these keys and costs no instruction. This is
 * how groups beyond 2^16 get their bits of the counter (doc/trajectory.md, "Counters").
 */
#ifndef LM_PHILOX_KEYS_H
#define LM_PHILOX_KEYS_H

#include <stdint.h>

#include "lib/physics/specifiers.h"

#define LM_PHILOX_ROUNDS 10
#define LM_PHILOX_W0     0x9E3779B9u
#define LM_PHILOX_W1     0xBB67AE85u

/* The part of a group's number that stands in the counter's words themselves. Groups of one plan
 * agree in the rest (lib/divide/division.c). */
enum { LM_GROUP_BITS = 16, LM_GROUP_MASK = (1 << LM_GROUP_BITS) - 1 };

/* Returns the part of a group's number that stands in the words. */
LM_EVERYWHERE uint32_t lm_group_low(int64_t group)
{
    return (uint32_t)(group & LM_GROUP_MASK);
}

typedef struct lm_keys {
    uint32_t k[LM_PHILOX_ROUNDS][2];
} lm_keys;

/* Returns the keys of a seed, for this group and all that agree with it in group / 2^16. */
LM_EVERYWHERE lm_keys lm_keys_of(uint64_t seed, uint64_t group)
{
    const uint32_t high = (uint32_t)(group >> LM_GROUP_BITS);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    lm_keys keys;
    for (int round = 0; round < LM_PHILOX_ROUNDS; round++) {
        keys.k[round][0] = k0;
        keys.k[round][1] = k1;
        k0 += LM_PHILOX_W0;
        k1 += LM_PHILOX_W1;
    }
    keys.k[0][0] ^= (high >> 4 & 15) << 20 | high >> 8 << 24;
    keys.k[0][1] ^= (high & 15) << 28;
    return keys;
}

#endif
