/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the inner loops that fill arrays with random numbers, which are compiled once for each
 * lane. */
#ifndef LM_RANDOM_LOOPS_H
#define LM_RANDOM_LOOPS_H

#include <stdint.h>

#include "backends/cpu/lanes.h"

enum { LM_RANDOM_BLOCK_BYTES = 16 };

struct lm_stream;

/* Writes `count` > 0 numbers from number `first` on. All of their blocks must have the same number
 * / 2^32, which the stream has. */
typedef void lm_random_loop(const struct lm_stream *stream, uint64_t first, int64_t count,
                            void *to);

/* Loops for words, for floats and for doubles. NULL: the lane has none. */
typedef struct lm_random_loops {
    lm_random_loop *words, *uniform, *gaussian;
} lm_random_loops;

LM_DECLARE_LANES(lm_random_loops, lm_random_loops_, _words);
LM_DECLARE_LANES(lm_random_loops, lm_random_loops_, _32);
LM_DECLARE_LANES(lm_random_loops, lm_random_loops_, _64);

#endif
