/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words in which some site is still tied with its threshold after the draws that all words make
 * (lib/physics/ising.h). Of a vector of 512 sites one or two are, nearly always: drawing once more
 * for all of it would be the third part of an update's work. So such words are set aside while the
 * vectors go on, and settled together, a whole vector of them at a time. Each word has its own
 * counter, so it does not matter when it draws; and nothing in this colour reads what it flips.
 *
 * For lanes that can store picked words side by side (LM_PICKS). Included by lane.c alone.
 */
#ifndef LM_BITS_TIES_H
#define LM_BITS_TIES_H

/* The most that wait; words of a band from which on they are worth it. */
enum { LM_TIES = 1024, LM_WORTH_TIES = 4 * LM_LANES };

typedef struct ties {
    int count;
    uint32_t high; /* of all counters' indices; their low halves: */
    uint32_t at[LM_TIES + LM_LANES];
    uint32_t tied[LM_TIES + LM_LANES];                       /* sites */
    uint32_t n0[LM_TIES + LM_LANES], n1[LM_TIES + LM_LANES]; /* lm_ising_class */
} ties;

/* Words with ties become numbers `count` and following; returns how many there are then. */
LM_INLINE int put_ties(ties *q, int count, int d, lm_word at, lm_word tied, const lm_ising_class *c)
{
    const unsigned picks = lm_picks(tied);
    lm_store_picks(q->at + count, at, picks);
    lm_store_picks(q->tied + count, tied, picks);
    lm_store_picks(q->n0 + count, c->n0, picks);
    if (d > 2)
        lm_store_picks(q->n1 + count, c->n1, picks);
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
}

/* One more draw for a vector of words. */
LM_INLINE void settle_some(ties *q, int first, int *kept, const lm_bits_band *b, int d,
                           const lm_stream *stream, int draw)
{
    const lm_word at = lm_load(q->at + first);
    const lm_ising_class c = {lm_load(q->n0 + first), d > 2 ? lm_load(q->n1 + first) : lm_set(0),
                              lm_set(0)};
    lm_ballot v = {lm_set(0), lm_load(q->tied + first)};
    lm_word r[4];
    lm_random_at(stream, at, (uint32_t)draw, r);
    lm_ising_more_by(d, &v, &c, b->planes, r, draw);
    flip_words(b, q->high, at, v.yes);
    if (b->changed)
        count_bits(b->shape, v.yes, LM_LANES, b->changed, 1);
    *kept = put_ties(q, *kept, d, at, v.tied, &c);
}

/* Draw by draw. What is kept overwrites nothing that is still to be read. */
LM_INLINE void settle(ties *q, const lm_bits_band *b, int d, const lm_stream *stream)
{
    lm_stream of_block = *stream;
    of_block.c1 |= q->high << 24;
    for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && q->count > 0; draw++) {
        int kept = 0;
        lm_store(q->tied + q->count, lm_set(0));      /* beyond the last there is nothing, */
        lm_store(q->at + q->count, lm_set(q->at[0])); /* of a word that there is */
        for (int i = 0; i < q->count; i += LM_LANES)
            settle_some(q, i, &kept, b, d, &of_block, draw);
        q->count = kept;
    }
    q->count = 0; /* ties to the end do not flip */
}

#endif
