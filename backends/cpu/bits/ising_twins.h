/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the inner loops over pairs of replicas, a part of ising_words_lane.c. The sites in which
 * two replicas differ are again a lattice of spins. A link is the bond of two of its sites.
 */
#ifndef LM_BITS_ISING_TWINS_H
#define LM_BITS_ISING_TWINS_H

/* Counts the one-bits of words, eight words at a time. It has words that wait for others, and bits
 * with the weights 1, 2 and 4 that earlier words left. */
typedef struct counter {
    lm_word waiting[8], ones, twos, fours;
    int64_t eights;
    int count, begun; /* words that wait; 1: earlier words have left bits */
} counter;

/* Is a full adder of bits. *sum keeps the low bit, and the high bit is returned. */
LM_INLINE lm_word carry_of(lm_word *sum, lm_word a, lm_word b)
{
    const lm_word carry = lm_majority(*sum, a, b);
    *sum = lm_xor3(*sum, a, b);
    return carry;
}

LM_INLINE void count_eight(counter *c)
{
    const lm_word *v = c->waiting;
    const lm_word t0 = carry_of(&c->ones, v[0], v[1]), t1 = carry_of(&c->ones, v[2], v[3]);
    const lm_word f0 = carry_of(&c->twos, t0, t1);
    const lm_word t2 = carry_of(&c->ones, v[4], v[5]), t3 = carry_of(&c->ones, v[6], v[7]);
    const lm_word f1 = carry_of(&c->twos, t2, t3);
    c->eights += lm_popcount(carry_of(&c->fours, f0, f1));
    c->count = 0;
    c->begun = 1;
}

LM_INLINE void count_word(counter *c, lm_word v)
{
    c->waiting[c->count++] = v;
    if (c->count == 8)
        count_eight(c);
}

static int64_t total_of(const counter *c)
{
    int64_t total = 0;
    if (c->begun)
        total = 8 * c->eights + 4 * lm_popcount(c->fours) + 2 * lm_popcount(c->twos) +
                lm_popcount(c->ones);
    for (int i = 0; i < c->count; i++)
        total += lm_popcount(c->waiting[i]);
    return total;
}

static void count_none(counter *c)
{
    const lm_word none = lm_set(0);
    c->ones = c->twos = c->fours = none;
    c->eights = 0;
    c->count = c->begun = 0;
}

/* ---- pairs */

/* Returns the sites that are +1 in exactly one replica, at the bits of the lowest replica. It
 * serves sites, and neighbours that were found in each replica first. */
LM_INLINE lm_word apart(const lm_bits_twins *w, lm_word a, lm_word b)
{
    return lm_xor(lm_shr(a, w->shift_a), lm_shr(b, w->shift_b));
}

/* Sets the first LM_LANES - i words from some + i on to ones. */
static void fill_some(uint32_t some[2 * LM_LANES])
{
    lm_store(some, lm_set(~0u));
    lm_store(some + LM_LANES, lm_set(0));
}

static int64_t count_apart(const lm_bits_twins *w)
{
    const lm_word bits = lm_set(w->bits);
    uint32_t some[2 * LM_LANES];
    counter c;
    int64_t left = w->end - w->begin, t = w->begin % w->plane_words;
    int64_t at = w->begin / w->plane_words * w->plane_stride;
    count_none(&c);
    fill_some(some);
    for (; left > 0; at += w->plane_stride, t = 0) {
        const int64_t end = left < w->plane_words - t ? t + left : w->plane_words;
        left -= end - t;
        for (; t < end; t += LM_LANES) {
            lm_word v = lm_and(apart(w, lm_load(w->a + at + t), lm_load(w->b + at + t)), bits);
            if (end - t < LM_LANES)
                v = lm_and(v, lm_load(some + LM_LANES - (end - t)));
            count_word(&c, v);
        }
    }
    const int64_t total = total_of(&c);
    lm_leave();
    return total;
}

/* Returns these sites' bonds that are missing in neither replica. */
LM_INLINE lm_word bonds_there(const lm_bits_band *a, const lm_bits_band *b, const lm_bits_twins *w,
                              int number, int64_t t, lm_word sites)
{
    const lm_word of_a = lm_shr(lm_load(a->gone[number] + t), w->shift_a);
    const lm_word of_b = lm_shr(lm_load(b->gone[number] + t), w->shift_b);
    return lm_andnot(lm_or(of_a, of_b), sites);
}

/* Counts the bonds that a vector's sites see, as in bond_sums(). */
LM_INLINE void count_vector(const lm_bits_band *a, const lm_bits_band *b, const lm_bits_twins *w,
                            int d, int64_t t, int64_t in_pattern, lm_word sites, counter (*c)[2])
{
    const lm_word q = apart(w, lm_load(a->own + t), lm_load(b->own + t));
    const int folded = a->shape->folded;
    lm_word of_a[LM_MAX_BONDS], of_b[LM_MAX_BONDS];
    neighbours(a, d, t, in_pattern, of_a);
    neighbours(b, d, t, in_pattern, of_b);
    for (int i = folded ? 0 : 1; i < 2 * d; i += folded ? 1 : 2) {
        lm_word here = sites;
        if (a->gone[i]) {
            here = bonds_there(a, b, w, i, t, sites);
            count_word(&c[i / 2][1], here);
        }
        count_word(&c[i / 2][0], lm_and(here, lm_xor(q, apart(w, of_a[i], of_b[i]))));
    }
}

LM_INLINE void count_links(const lm_bits_band *a, const lm_bits_band *b, const lm_bits_twins *w,
                           int d, int64_t (*links)[2])
{
    const lm_word bits = lm_set(w->bits);
    uint32_t some[2 * LM_LANES];
    counter c[LM_MAX_BONDS / 2][2];
    int64_t in_pattern = a->in_pattern;
    fill_some(some);
    for (int i = 0; i < d; i++)
        for (int k = 0; k < 2; k++)
            count_none(&c[i][k]);
    for (int64_t t = a->begin; t < a->end; t += LM_LANES) {
        lm_word sites = lm_and(lm_load(a->shape->valid + in_pattern), bits);
        if (a->end - t < LM_LANES)
            sites = lm_and(sites, lm_load(some + LM_LANES - (a->end - t)));
        count_vector(a, b, w, d, t, in_pattern, sites, c);
        in_pattern = next_in_pattern(a, in_pattern, LM_LANES);
    }
    for (int i = 0; i < d; i++)
        for (int k = 0; k < 2; k++)
            links[i][k] += total_of(&c[i][k]);
    lm_leave();
}

#define LM_COUNT_LINKS(d)                                                                          \
    static void count_links##d(const lm_bits_band *a, const lm_bits_band *b,                       \
                               const lm_bits_twins *w, int64_t(*links)[2])                         \
    {                                                                                              \
        count_links(a, b, w, d, links);                                                            \
    }
LM_COUNT_LINKS(1)
LM_COUNT_LINKS(2)
LM_COUNT_LINKS(3)
LM_COUNT_LINKS(4)

#endif
