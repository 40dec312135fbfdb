/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts numbers to little-endian bytes and back. Each call advances the pointer. */
#ifndef LM_BYTES_H
#define LM_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void lm_put_u32(uint8_t **to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *(*to)++ = (uint8_t)(value >> 8 * i);
}

static inline void lm_put_u64(uint8_t **to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        *(*to)++ = (uint8_t)(value >> 8 * i);
}

static inline void lm_put_f64(uint8_t **to, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    lm_put_u64(to, bits);
}

static inline uint64_t lm_get_u64(const uint8_t **from)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value |= (uint64_t) * (*from)++ << 8 * i;
    return value;
}

static inline uint32_t lm_get_u32(const uint8_t **from)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++)
        value |= (uint32_t) * (*from)++ << 8 * i;
    return value;
}

static inline double lm_get_f64(const uint8_t **from)
{
    uint64_t bits = lm_get_u64(from);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
