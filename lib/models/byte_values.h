/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for bytes that no site of a model may have. */
#ifndef LM_BYTE_VALUES_H
#define LM_BYTE_VALUES_H

#include <stdint.h>

/* A byte is allowed if it is at most `most` after `least` is subtracted, and then has no bit of
 * `never`. */
typedef struct lm_byte_values {
    uint8_t least, most, never;
} lm_byte_values;

static inline uint8_t lm_byte_is_strange(lm_byte_values of, uint8_t byte)
{
    const uint8_t value = (uint8_t)(byte - of.least);

    return (uint8_t)((value > of.most) | (value & of.never));
}

/* Returns the index of the first byte that is not allowed, or `count`. Compilers make vectors of
 * the loop over a block. */
static inline int64_t lm_first_strange(lm_byte_values of, const void *bytes, int64_t count)
{
    enum { BLOCK = 256 };
    const uint8_t *b = bytes;
    int64_t i = 0;

    for (uint8_t strange = 0; i + BLOCK <= count; i += BLOCK) {
        for (int j = 0; j < BLOCK; j++)
            strange = (uint8_t)(strange | lm_byte_is_strange(of, b[i + j]));
        if (strange)
            break;
    }
    while (i < count && !lm_byte_is_strange(of, b[i]))
        i++;
    return i;
}

#endif
