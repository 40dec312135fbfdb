/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words in which some site is still tied with its threshold after the draws that all words make
 * (lib/physics/ballot.h). Of a vector of 512 sites one or two are, nearly always: drawing once more
 * for all of it would be the third part of an update's work. So such words are set aside while the
 * vectors go on, and settled together, a whole vector of them at a time. Each word has its own
 * counter, so it does not matter when it draws; and nothing in this colour reads what it flips.
 *
 * For lanes that can store picked words side by side (LM_PICKS). Included by lane.c alone.
 */
#ifndef LM_BITS_TIES_H
#define LM_BITS_TIES_H

enum {
    LM_TIES = 512,                /* the most that wait */
    LM_TIE_NOTES = 7,             /* words about each, of which its sites' thresholds can be told */
    LM_WORTH_TIES = 4 * LM_LANES, /* words of a band from which on they are worth it */
};

typedef struct ties {
    int count;
    uint32_t high; /* of all counters' indices; their low halves: */
    uint32_t at[LM_TIES + LM_LANES];
    uint32_t tied[LM_TIES + LM_LANES]; /* sites */
    uint32_t note[LM_TIE_NOTES][LM_TIES + LM_LANES];
} ties;

/* One more draw, number `draw`, for words of which some sites are tied; returns those that flip. */
typedef lm_word tie_draw(const void *rule, const lm_bits_band *b, const lm_word *note,
                         lm_word *tied, const lm_word *r, int draw);

/* Words with ties become numbers `count` and following; returns how many there are then. */
LM_INLINE int put_ties(ties *q, int count, lm_word at, lm_word tied, const lm_word *note, int notes)
{
    const unsigned picks = lm_picks(tied);
    lm_store_picks(q->at + count, at, picks);
    lm_store_picks(q->tied + count, tied, picks);
    for (int i = 0; i < notes; i++)
        lm_store_picks(q->note[i] + count, note[i], picks);
    return count + __builtin_popcount(picks);
}

/* Half of the words flip something, so that asking which costs more than to write them all. */
LM_INLINE void flip_words(const lm_bits_band *b, uint32_t high, lm_word at, lm_word flips)
{
    uint32_t index[LM_LANES], bits[LM_LANES];
    lm_store(index, at);
    lm_store(bits, flips);
    LM_UNROLL
    for (int k = 0; k < LM_LANES; k++)
        b->own[(int64_t)(((uint64_t)high << 32 | index[k]) - b->index)] ^= bits[k];
    if (b->changed)
        count_bits(b->shape, flips, LM_LANES, b->changed, 1);
}

/* One more draw for a vector of words, of which those that are still tied are kept. */
LM_INLINE void settle_some(ties *q, int first, int *kept, const lm_bits_band *b,
                           const lm_stream *stream, int draw, tie_draw *more, const void *rule,
                           int notes)
{
    const lm_word at = lm_load(q->at + first);
    lm_word tied = lm_load(q->tied + first), note[LM_TIE_NOTES], r[4];
    for (int i = 0; i < notes; i++)
        note[i] = lm_load(q->note[i] + first);
    lm_random_at(stream, at, (uint32_t)draw, r);
    flip_words(b, q->high, at, more(rule, b, note, &tied, r, draw));
    *kept = put_ties(q, *kept, at, tied, note, notes);
}

/* Draw by draw from number `draw` on. What is kept overwrites nothing that is still to be read. */
LM_INLINE void settle(ties *q, const lm_bits_band *b, const lm_stream *stream, int draw,
                      tie_draw *more, const void *rule, int notes)
{
    lm_stream of_block = *stream;
    of_block.c1 |= q->high << 24;
    for (; draw < LM_PLANES / 4 && q->count > 0; draw++) {
        int kept = 0;
        lm_store(q->tied + q->count, lm_set(0));      /* beyond the last there is nothing, */
        lm_store(q->at + q->count, lm_set(q->at[0])); /* of a word that there is */
        for (int i = 0; i < q->count; i += LM_LANES)
            settle_some(q, i, &kept, b, &of_block, draw, more, rule, notes);
        q->count = kept;
    }
    q->count = 0;
}

#endif
