/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes checksums: XXH64 with seed 0. */
#ifndef LM_CHECKSUM_H
#define LM_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct lm_checksum {
    uint64_t opaque[12];
} lm_checksum;

void lm_checksum_begin(lm_checksum *sum);
void lm_checksum_add(lm_checksum *sum, const void *data, size_t bytes);
uint64_t lm_checksum_value(const lm_checksum *sum);

/* Of what is all in one place. */
uint64_t lm_checksum_of(const void *data, size_t bytes);

enum { LM_SUM_BYTES = 8 };

/* Pieces of so many bytes, each with its sum behind it, are put together without the sums.
 * Returns how many have the right one before the first that has not. */
int64_t lm_checksum_take(uint8_t *to, const uint8_t *pieces, size_t bytes, int64_t count);

#endif
