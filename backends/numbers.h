/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares orders for numbers of public streams. */
#ifndef LM_NUMBERS_H
#define LM_NUMBERS_H

#include <latmc/latmc.h>

/* An order for numbers of a public stream: doc/trajectory.md, "Public streams". */
typedef struct lm_numbers {
    latmc_random_kind kind;
    uint64_t seed, stream;
    int64_t first, count; /* their sum fits an int64_t */
} lm_numbers;

/* Returns the bytes of a number, or 0 for an unknown kind. */
static inline int lm_random_bytes(latmc_random_kind kind)
{
    switch (kind) {
    case LATMC_RANDOM_WORDS:
    case LATMC_RANDOM_UNIFORM_FLOAT:
    case LATMC_RANDOM_GAUSSIAN_FLOAT:
        return 4;
    case LATMC_RANDOM_UNIFORM_DOUBLE:
    case LATMC_RANDOM_GAUSSIAN_DOUBLE:
        return 8;
    }
    return 0;
}

#endif
