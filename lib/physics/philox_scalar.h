/* SPDX-License-Identifier: BSD-3-Clause */
/* Philox4x32-10 for one counter, for the host's own small needs. The scalar lane. */
#ifndef LM_PHILOX_SCALAR_H
#define LM_PHILOX_SCALAR_H

#include "lib/physics/lane_one.h"
#include "lib/physics/philox.h"

static inline void lm_philox_scalar(const uint32_t counter[4], const uint32_t key[2],
                                    uint32_t out[4])
{
    const lm_keys keys = lm_keys_of((uint64_t)key[1] << 32 | key[0]);
    lm_philox_half(counter[0], counter[1], counter[2], counter[3], &keys, out);
}

#endif
