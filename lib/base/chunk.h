/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals many things in chunks, so many at a time. */
#ifndef LM_CHUNK_H
#define LM_CHUNK_H

#include <stdint.h>

/* Some of many things that are dealt with so many at a time; {0} stands before the first. */
typedef struct lm_chunk {
    int64_t first, count;
} lm_chunk;

/* Moves on to the next `most` of `all`, or to those that are left; 0: there are none. */
static inline int lm_next_chunk(lm_chunk *chunk, int64_t all, int64_t most)
{
    const int64_t next = chunk->first + chunk->count;
    const int64_t left = all - next;

    *chunk = (lm_chunk){next, left < most ? left : most};
    return left > 0;
}

#endif
