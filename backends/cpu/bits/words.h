/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds what the inner loops of all models of bits share: vectors, neighbours, active sites,
 * counts. Files that are compiled for each lane include it after the lane's vocabulary.
 */
#ifndef LM_BITS_WORDS_H
#define LM_BITS_WORDS_H

#include "backends/cpu/bits/band.h"
#include "lib/physics/philox.h"

#define PLAIN_DRAW_BLOCK ((uint64_t)1 << 32) /* the indices of one call must agree above this */

/* Returns the number of words to work on together next, at most LM_LANES. */
static inline int next_count(const lm_bits_band *b, int64_t t)
{
    const uint64_t index = b->index + (uint64_t)t;
    const uint64_t rest = PLAIN_DRAW_BLOCK - (index & (PLAIN_DRAW_BLOCK - 1));
    int64_t n = b->end - t < LM_LANES ? b->end - t : LM_LANES;
    if ((uint64_t)n > rest)
        n = (int64_t)rest;
    return (int)n;
}

static inline int64_t next_in_pattern(const lm_bits_band *b, int64_t in_pattern, int n)
{
    in_pattern += n;
    return in_pattern >= b->shape->period ? in_pattern - b->shape->period : in_pattern;
}

/* Gives site k the spin of site k - 1 of its row, and the first site that of the last. */
LM_INLINE lm_word from_below(const lm_row_patterns *s, const uint32_t *row, int64_t in_pattern)
{
    const lm_word v = lm_load(row);
    if (s->width == 1) {
        const lm_word first = lm_set(s->segment_first);
        return lm_or(lm_andnot(first, lm_shl(v, 1)), lm_and(first, lm_shr(v, s->bits - 1)));
    }
    const lm_word first = lm_load(s->first + in_pattern);
    const lm_word wrap = lm_and(lm_shr(lm_load(row - 1 + s->width), s->bits - 1), lm_set(1));
    return lm_or(lm_shl(v, 1), lm_select(first, wrap, lm_shr(lm_load(row - 1), 31)));
}

/* Gives site k the spin of site k + 1 of its row, and the last site that of the first. */
LM_INLINE lm_word from_above(const lm_row_patterns *s, const uint32_t *row, int64_t in_pattern)
{
    const lm_word v = lm_load(row);
    if (s->width == 1) {
        const lm_word first = lm_set(s->segment_first);
        const lm_word last = lm_shl(first, s->bits - 1);
        return lm_or(lm_andnot(last, lm_shr(v, 1)), lm_shl(lm_and(first, v), s->bits - 1));
    }
    const lm_word last = lm_load(s->last + in_pattern);
    const lm_word wrap = lm_shl(lm_and(lm_load(row + 1 - s->width), lm_set(1)), s->bits - 1);
    return lm_or(lm_shr(v, 1), lm_select(last, wrap, lm_shl(lm_load(row + 1), 31)));
}

/* Gives the second x-neighbours in folded rows. All sites of a row have them on the same side. */
LM_INLINE lm_word second_along(const lm_row_patterns *s, const uint32_t *row, int64_t in_pattern)
{
    const uint32_t *const upward = s->upward + in_pattern;
    if (s->width >= LM_LANES && upward[0] == upward[LM_LANES - 1])
        return upward[0] ? from_above(s, row, in_pattern) : from_below(s, row, in_pattern);
    return lm_select(lm_load(upward), from_above(s, row, in_pattern),
                     from_below(s, row, in_pattern));
}

/* Loads a digit of the neighbours' words, in the order of the bonds (backends/bonds.h). */
LM_INLINE void neighbours_of(const lm_bits_band *b, int d, int digit, int64_t t, int64_t in_pattern,
                             lm_word *v)
{
    const lm_row_patterns *s = b->shape;
    const int64_t at = t + digit * b->digit_stride;
    const uint32_t *row = b->other + at;
    if (s->folded) {
        v[0] = lm_load(row);
        v[1] = second_along(s, row, in_pattern);
    } else {
        v[0] = from_below(s, row, in_pattern);
        v[1] = from_above(s, row, in_pattern);
    }
    if (d >= 2) {
        v[2] = lm_load(row - s->width);
        v[3] = lm_load(row + s->width);
    }
    for (int a = 2; a < d; a++) {
        v[2 * a] = lm_load(b->down[a - 2] + at);
        v[2 * a + 1] = lm_load(b->up[a - 2] + at);
    }
}

LM_INLINE lm_stream stream_of(const lm_bits_band *b, lm_domain domain)
{
    return lm_stream_of(b->keys, domain, b->step, lm_group_low(b->group), b->colour);
}

#define FOUR_WORDS ~0u, ~0u, ~0u, ~0u
static const uint32_t first_words[2 * LM_MAX_LANES] = {FOUR_WORDS, FOUR_WORDS, FOUR_WORDS,
                                                       FOUR_WORDS};

/* Returns the first n words of a vector, with 0 in place of the others. */
LM_INLINE lm_word first_of(lm_word v, int n)
{
    return n == LM_LANES ? v : lm_and(v, lm_load(first_words + LM_MAX_LANES - n));
}

/* Returns the bits of replica 0 of a word. */
static inline uint32_t segment_mask(const lm_row_patterns *s)
{
    return s->segment == 32 ? ~0u : (1u << s->segment) - 1u;
}

/* Adds the one-bits of the first n words of v, replica by replica. */
static void count_bits(const lm_row_patterns *s, lm_word v, int n, int64_t *count)
{
    uint32_t word[LM_LANES];
    if (n == LM_LANES && s->per_word == 1) {
        *count += lm_popcount(v);
        return;
    }
    lm_store(word, v);
    const uint32_t mask = segment_mask(s);
    for (int i = 0; i < n; i++)
        for (int r = 0; r < s->per_word; r++)
            count[r] += __builtin_popcount(word[i] >> r * s->segment & mask);
}

/* Returns a replica's number of sites in a band. */
static inline int64_t sites_of(const lm_bits_band *b)
{
    const lm_row_patterns *s = b->shape;
    return (b->end - b->begin) / s->width * (32 * (s->width - 1) + s->bits);
}

LM_INLINE lm_word valid_at(const lm_bits_band *b, int64_t in_pattern)
{
    return lm_and(lm_load(b->shape->valid + in_pattern), lm_set(b->replicas_mask));
}

LM_INLINE lm_word active_at(const lm_bits_band *b, int64_t in_pattern)
{
    return lm_and(lm_load(b->active + in_pattern), lm_set(b->replicas_mask));
}

#endif
