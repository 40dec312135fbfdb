/* SPDX-License-Identifier: BSD-3-Clause */
/* The least and the greatest of two numbers. */
#ifndef LM_LEAST_H
#define LM_LEAST_H

#include <stdint.h>

static inline int64_t lm_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t lm_greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
