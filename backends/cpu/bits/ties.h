/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets aside words in which some site is still tied with its threshold after the draws that all
 * words make (lib/physics/ballot.h). In a vector of 512 sites one or two are tied nearly always.
 * Drawing once more for all of it would take a third of an update's time. So such words are set
 * aside while the vectors go on, through all bands of a call. They are settled together, a whole
 * vector of them at a time. Each word has its own counter, so it does not matter when it draws.
 * Nothing in this colour reads what it flips. Counters grow from word to word and from band to
 * band, and so they do in the queue.
 *
 * This is for lanes that can store picked words side by side (LM_PICKS). Only ising_words_lane.c
 * includes it.
 */
#ifndef LM_BITS_TIES_H
#define LM_BITS_TIES_H

enum {
    LM_TIES = 512,                /* the most words that wait */
    LM_TIE_HINTS = 7,             /* words kept with each word, from which its sites' thresholds can
                                     be told */
    LM_WORTH_TIES = 4 * LM_LANES, /* the least words of all bands for which the queue is worth it */
};

typedef struct ties {
    int count;
    uint32_t high; /* of all counters' indices; `low` has their low halves */
    uint32_t at[LM_TIES + LM_LANES];
    uint32_t tied[LM_TIES + LM_LANES]; /* tied sites of each word */
    uint32_t hint[LM_TIE_HINTS][LM_TIES + LM_LANES];
} ties;

/* Makes draw number `draw` for words that have tied sites. Returns the sites that flip. */
typedef lm_word tie_draw(const void *rule, const lm_bits_band *b, const lm_word *hint,
                         lm_word *tied, const lm_word *r, int draw);
/* Updates a vector and puts its ties into the queue. The first n words belong to the band. */
typedef void tie_update(const void *rule, const lm_bits_band *b, int64_t t, int64_t in_pattern,
                        int n, const lm_stream *stream, ties *q);

/* A rule: its update, the further draws for ties, and how many hints a tie waits with. */
typedef struct tie_rule {
    tie_update *update;
    tie_draw *more;
    const void *rule;
    int hints;
} tie_rule;

/* Adds words with ties as numbers `count` and following. Returns how many words there are then. */
LM_INLINE int put_ties(ties *q, int count, lm_word at, lm_word tied, const lm_word *hint, int hints)
{
    const unsigned picks = lm_picks(tied);
    lm_store_picks(q->at + count, at, picks);
    lm_store_picks(q->tied + count, tied, picks);
    for (int i = 0; i < hints; i++)
        lm_store_picks(q->hint[i] + count, hint[i], picks);
    return count + __builtin_popcount(picks);
}

/* Returns the band that has a word. */
static inline const lm_bits_band *band_of(const lm_bits_band *b, uint64_t number)
{
    while (number >= b->index + (uint64_t)b->end)
        b++;
    return b;
}

/* Flips sites of words. *band is the first band in which the words may lie, and then the last one.
 * Half of the words flip something, so testing costs more than writing them all. */
LM_INLINE void flip_words(const lm_bits_band **band, uint32_t high, lm_word at, lm_word flips)
{
    const uint64_t above = (uint64_t)high << 32;
    uint32_t low[LM_LANES], bits[LM_LANES];
    lm_store(low, at);
    lm_store(bits, flips);
    const lm_bits_band *b = band_of(*band, above | low[0]);
    const lm_bits_band *const last = band_of(b, above | low[LM_LANES - 1]);
    uint32_t *const own = b->own + (int64_t)(above - b->index);
    LM_UNROLL
    for (int k = 0; k < LM_LANES && b == last; k++)
        own[low[k]] ^= bits[k];
    for (int k = 0; k < LM_LANES && b != last; k++) {
        const lm_bits_band *const of = band_of(b, above | low[k]);
        of->own[(int64_t)((above | low[k]) - of->index)] ^= bits[k];
    }
    *band = last;
    if (b->changed)
        count_bits(b->shape, flips, LM_LANES, b->changed);
}

/* Makes one more draw for a vector of words and keeps those that are still tied. */
LM_INLINE void settle_vector(ties *q, int first, int *kept, const lm_bits_band **band,
                             const lm_stream *stream, int draw, const tie_rule *how)
{
    const lm_bits_band *const b = *band;
    const lm_word at = lm_load(q->at + first);
    lm_word tied = lm_load(q->tied + first), hint[LM_TIE_HINTS], r[4];
    for (int i = 0; i < how->hints; i++)
        hint[i] = lm_load(q->hint[i] + first);
    lm_random_at(stream, at, (uint32_t)draw, r);
    flip_words(band, q->high, at, how->more(how->rule, b, hint, &tied, r, draw));
    *kept = put_ties(q, *kept, at, tied, hint, how->hints);
}

/* Makes one draw after another, from number `draw` on. Words that are kept never overwrite words
 * that are still to be read. */
LM_INLINE void settle_ties(ties *q, const lm_bits_band *bands, const lm_stream *stream, int draw,
                           const tie_rule *how)
{
    lm_stream of_block = *stream;
    of_block.c1 |= q->high << 24;
    for (; draw < LM_BIT_PLANES / 4 && q->count > 0; draw++) {
        const lm_bits_band *band = bands;
        int kept = 0;
        /* Beyond the last word there is nothing to settle_ties. */
        lm_store(q->tied + q->count, lm_set(0));
        lm_store(q->at + q->count, lm_set(q->at[q->count - 1]));
        for (int i = 0; i < q->count; i += LM_LANES)
            settle_vector(q, i, &kept, &band, &of_block, draw, how);
        q->count = kept;
    }
    q->count = 0;
}

/* ---- from vector to vector of all bands */

/* Returns the sites of a vector that may change. n of its words belong to the band. */
LM_INLINE lm_word active_in(const lm_bits_band *b, int64_t in_pattern, int n)
{
    return first_of(active_at(b, in_pattern), n);
}

LM_INLINE void store_words(uint32_t *to, lm_word v, int n)
{
    if (n == LM_LANES)
        lm_store(to, v);
    else
        lm_store_first(to, v, n);
}

LM_INLINE int are_worth_ties(const lm_bits_band *bands, int count)
{
    int64_t words = 0;
    for (int i = 0; i < count; i++)
        words += bands[i].end - bands[i].begin;
    return words >= LM_WORTH_TIES;
}

/* Returns the end of the band, or of its words from t on whose counters have one high half. */
static inline int64_t end_of_half(const lm_bits_band *b, int64_t t)
{
    const uint64_t low = (b->index + (uint64_t)t) % PLAIN_DRAW_BLOCK;
    const int64_t rest = (int64_t)(PLAIN_DRAW_BLOCK - low);
    return b->end - t < rest ? b->end : t + rest;
}

static inline uint32_t high_of(const lm_bits_band *b, int64_t t)
{
    return (uint32_t)((b->index + (uint64_t)t) >> 32);
}

LM_INLINE int words_until(int64_t t, int64_t end)
{
    return end - t < LM_LANES ? (int)(end - t) : LM_LANES;
}

LM_INLINE void update_bands(const lm_bits_band *bands, int count, const lm_stream *stream,
                            const tie_rule *how)
{
    ties q; /* too large to be set to 0 */
    q.count = 0;
    q.high = high_of(bands, bands->begin);
    for (const lm_bits_band *b = bands; b < bands + count; b++) {
        int64_t in_pattern = b->in_pattern, t = b->begin;
        while (t < b->end) {
            const int64_t end = end_of_half(b, t);
            const uint32_t high = high_of(b, t);
            for (int n; t < end; t += n, in_pattern = next_in_pattern(b, in_pattern, n)) {
                n = words_until(t, end);
                if (q.count > LM_TIES - LM_LANES || q.high != high)
                    settle_ties(&q, bands, stream, LM_ISING_HEAD, how);
                q.high = high;
                how->update(how->rule, b, t, in_pattern, n, stream, &q);
            }
        }
    }
    settle_ties(&q, bands, stream, LM_ISING_HEAD, how);
}

#endif
