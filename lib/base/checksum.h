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

/* Returns the sum of data that are all in one place. */
uint64_t lm_checksum_of(const void *data, size_t bytes);

enum { LM_SUM_BYTES = 8 };

/* Copies `count` blocks of `bytes` bytes without the sums, each of which follows its block. Returns
 * the number of blocks before the first wrong sum. */
int64_t lm_checksum_take(uint8_t *to, const uint8_t *blocks, size_t bytes, int64_t count);

#endif
