/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns the least and the greatest of two numbers. */
#ifndef LM_MINMAX_H
#define LM_MINMAX_H

#include <stdint.h>

static inline int64_t lm_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t lm_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
