/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts spins, bytes -1 or +1, to bits and back, eight at a time. A bit 1 means +1. Also
 * converts digits of numbers that are bytes. */
#ifndef LM_SIGNS_H
#define LM_SIGNS_H

#include "lib/base/bytes.h"

#define LM_EACH_BYTE 0x0101010101010101u

/* Returns the bits of 1 to 64 spins, from the lowest bit on. */
static inline uint64_t lm_bits_of_signs(const int8_t *spins, int count)
{
    const uint8_t *from = (const uint8_t *)spins;
    uint64_t bits = 0;
    int i = 0;

    /* Eight inverted sign bits are gathered in the highest byte. */
    for (; i + 8 <= count; i += 8) {
        const uint64_t signs = ~lm_get_u64(&from) >> 7 & LM_EACH_BYTE;

        bits |= (signs * 0x0102040810204080u >> 56) << i;
    }
    for (; i < count; i++)
        bits |= (uint64_t)(~*from++ >> 7 & 1) << i;
    return bits;
}

/* Returns digit number `digit` of 1 to 64 numbers, from the lowest bit on. */
static inline uint64_t lm_bits_of_digits(const int8_t *numbers, int count, int digit)
{
    const uint8_t *from = (const uint8_t *)numbers;
    uint64_t bits = 0;
    int i = 0;

    for (; i + 8 <= count; i += 8)
        bits |= ((lm_get_u64(&from) >> digit & LM_EACH_BYTE) * 0x0102040810204080u >> 56) << i;
    for (; i < count; i++)
        bits |= (uint64_t)(*from++ >> digit & 1) << i;
    return bits;
}

/* Returns eight bits as bytes 0 or 1, the lowest first. Each byte first keeps a bit at another
 * place, which then moves to the lowest place. */
static inline uint64_t lm_bytes_of_bits(uint64_t bits)
{
    const uint64_t apart = (bits & 0xff) * LM_EACH_BYTE & 0x8040201008040201u;

    return (apart + 0x7f * LM_EACH_BYTE) >> 7 & LM_EACH_BYTE;
}

/* Is the inverse of lm_bits_of_signs(). */
static inline void lm_signs_of_bits(uint64_t bits, int8_t *spins, int count)
{
    uint8_t *to = (uint8_t *)spins;
    int i = 0;

    for (; i + 8 <= count; i += 8, bits >>= 8)
        lm_put_u64(&to, ~(lm_bytes_of_bits(bits) * 0xfe));
    for (; i < count; i++, bits >>= 1)
        *to++ = bits & 1 ? 1 : 0xff;
}

/* Sets digit number `digit` of the numbers. Digit 0 sets all higher digits to 0. */
static inline void lm_digits_of_bits(uint64_t bits, int8_t *numbers, int count, int digit)
{
    for (int i = 0; i < count; i++, bits >>= 1)
        numbers[i] = (int8_t)((digit ? numbers[i] : 0) | (int)(bits & 1) << digit);
}

/* Negates the numbers whose bit is 1. */
static inline void lm_negate_by_bits(uint64_t bits, int8_t *numbers, int count)
{
    for (int i = 0; i < count; i++, bits >>= 1)
        numbers[i] = (int8_t)(bits & 1 ? -numbers[i] : numbers[i]);
}

#endif
