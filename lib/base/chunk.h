/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides many things into chunks. */
#ifndef LM_CHUNK_H
#define LM_CHUNK_H

#include <stdint.h>

/* A chunk of many things. {0} stands before the first chunk. */
typedef struct lm_chunk {
    int64_t first, count;
} lm_chunk;

/* Advances to the next `most` of `all` things, or to those that are left. Returns 0 if there are
 * none. */
static inline int lm_next_chunk(lm_chunk *chunk, int64_t all, int64_t most)
{
    const int64_t next = chunk->first + chunk->count;
    const int64_t left = all - next;

    *chunk = (lm_chunk){next, left < most ? left : most};
    return left > 0;
}

#endif
