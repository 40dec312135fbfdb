/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fills arrays of random numbers over a lane: floats or doubles if LM_REAL_BITS is defined,
 * otherwise words. Only the table at the end is visible outside the object.
 */
#ifdef LM_REAL_BITS
#include LM_REAL_HEADER
#else
#include LM_LANE_HEADER
typedef uint32_t lm_scalar;
#endif

#include <string.h>

#include "backends/cpu/random/loops.h"
#include "lib/physics/random.h"

/* TIMES LM_BLOCKS blocks are made at once. */
#ifndef TIMES
enum { TIMES = LM_LANES > 1 ? LM_BLOCKS_MOST : 1 };
#endif

/* Numbers of LM_BLOCKS blocks, and of all blocks that are made at once. */
enum {
    EACH = LM_RANDOM_BLOCK_BYTES / sizeof(lm_scalar),
    SOME = EACH * LM_BLOCKS,
    ALL = SOME * TIMES
};

/* Writes TIMES LM_BLOCKS blocks to memory. */
typedef void maker(const lm_stream *s, uint32_t block, lm_scalar *to);

/* Whole blocks go to their place. If the fill begins or ends within blocks, these are made in a
 * buffer. */
LM_INLINE void fill(maker *make, const lm_stream *stream, uint64_t first, int64_t count,
                    lm_scalar *to)
{
    const lm_stream s = *stream;
    uint32_t block = (uint32_t)(first / EACH);
    lm_scalar beside[ALL];
    const int64_t skip = (int64_t)(first % EACH);
    if (skip) {
        const int64_t n = ALL - skip < count ? ALL - skip : count;
        make(&s, block, beside);
        memcpy(to, beside + skip, (size_t)n * sizeof *to);
        block += TIMES * LM_BLOCKS;
        to += n;
        count -= n;
    }
    for (; count >= ALL; count -= ALL, to += ALL, block += TIMES * LM_BLOCKS)
        make(&s, block, to);
    if (count > 0) {
        make(&s, block, beside);
        memcpy(to, beside, (size_t)count * sizeof *to);
    }
    lm_leave();
}

#ifdef LM_REAL_BITS

LM_INLINE void make_uniform(const lm_stream *s, uint32_t block, lm_scalar *to)
{
    lm_word first[TIMES][LM_COUPLE], last[TIMES][LM_COUPLE];
    lm_random_blocks(TIMES, s, block, first, last);
    LM_UNROLL
    for (int i = 0; i < TIMES; i++) {
        lm_real u[LM_COUPLE_REALS], v[LM_COUPLE_REALS];
        lm_couple_uniform(first[i], u);
        lm_couple_uniform(last[i], v);
        lm_real_store_blocks(to + i * SOME, u, v);
    }
}

LM_INLINE void make_gaussian(const lm_stream *s, uint32_t block, lm_scalar *to)
{
    lm_word first[TIMES][LM_COUPLE], last[TIMES][LM_COUPLE];
    lm_random_blocks(TIMES, s, block, first, last);
    LM_UNROLL
    for (int i = 0; i < TIMES; i++) {
        lm_real cosines[LM_COUPLE_REALS], sines[LM_COUPLE_REALS];
        lm_couple_gaussian(first[i], last[i], cosines, sines);
        lm_real_store_blocks(to + i * SOME, cosines, sines);
    }
}

static void uniform(const lm_stream *s, uint64_t first, int64_t count, void *to)
{
    fill(make_uniform, s, first, count, to);
}

static void gaussian(const lm_stream *s, uint64_t first, int64_t count, void *to)
{
    fill(make_gaussian, s, first, count, to);
}

#if LM_REAL_BITS == 32
const lm_random_loops LM_LANE_NAME(lm_random_loops_, _32) = {
#else
const lm_random_loops LM_LANE_NAME(lm_random_loops_, _64) = {
#endif
    .uniform = uniform, .gaussian = gaussian};

#else

LM_INLINE void make_words(const lm_stream *s, uint32_t block, lm_scalar *to)
{
    lm_word first[TIMES][LM_COUPLE], last[TIMES][LM_COUPLE];
    lm_random_blocks(TIMES, s, block, first, last);
    LM_UNROLL
    for (int i = 0; i < TIMES; i++)
        lm_store_blocks(to + i * SOME, first[i], last[i]);
}

static void words(const lm_stream *s, uint64_t first, int64_t count, void *to)
{
    fill(make_words, s, first, count, to);
}

const lm_random_loops LM_LANE_NAME(lm_random_loops_, _words) = {.words = words};

#endif
