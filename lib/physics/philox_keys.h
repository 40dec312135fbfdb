/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of the ten rounds of Philox4x32-10: the seed's halves, raised by Weyl constants. */
#ifndef LM_PHILOX_KEYS_H
#define LM_PHILOX_KEYS_H

#include <stdint.h>

#define LM_PHILOX_ROUNDS 10
#define LM_PHILOX_W0     0x9E3779B9u
#define LM_PHILOX_W1     0xBB67AE85u

typedef struct lm_keys {
    uint32_t k[LM_PHILOX_ROUNDS][2];
} lm_keys;

#ifdef __CUDACC__
__host__ __device__
#endif
    static inline lm_keys
    lm_keys_of(uint64_t seed)
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    lm_keys keys;
    for (int round = 0; round < LM_PHILOX_ROUNDS; round++) {
        keys.k[round][0] = k0;
        keys.k[round][1] = k1;
        k0 += LM_PHILOX_W0;
        k1 += LM_PHILOX_W1;
    }
    return keys;
}

#endif
