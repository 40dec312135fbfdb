/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the Ising model, one bit per spin (1 is +1), over the lanes of a device: all 32 spins of
 * a word at once, or 32 LM_LANES.
 *
 * Every site of a word draws a number u of 32 bits, the most significant bit first. Bit k of u for
 * all sites of the word is word k % 4 of draw k / 4 (lm_random_words). u is compared with the
 * threshold of the site's class (ising_rule.h) plane by plane from the top. Drawing stops when no
 * site is tied with its threshold: after 8 planes, one site in 256 still is. Bits that are never
 * drawn cannot matter, so any number of planes may be drawn at a time.
 *
 * Bits outside `valid`, and bits of other colours, are never offered a change.
 */
#ifndef LM_ISING_WORDS_H
#define LM_ISING_WORDS_H

#include "lib/physics/ballot.h"
#include "lib/physics/ising_observe.h"

#define LM_ISING_DRAWS (LM_BIT_PLANES / 4)
#define LM_ISING_HEAD  2 /* draws that are always made */

/* ------------------------------------ Metropolis without a field, 2 to 4 dimensions
 *
 * All couplings have one magnitude |J|, and h = 0. So dE = 2 |J| (2d - 2 n), where n is the number
 * of the site's unsatisfied bonds. A site with n > d always flips. A site with n = d flips in 63 of
 * 64 cases (ising_rule.h). n < d is the class of a site. */

/* The class of every site. It has n in binary, and whether n = d, and n >= d. */
typedef struct lm_ising_class {
    lm_word n0, n1; /* the two low bits of n < d <= 4 */
    lm_word free, certain;
} lm_ising_class;

/* Of a site's k bonds with J s_j = +1, either k or 2d - k are unsatisfied: 2d - k if the site's
 * spin is +1, k if it is -1. `most` says that k > d, for sites that are not free. */
LM_INLINE lm_word lm_ising_is_certain(lm_word free, lm_word most, lm_word aligned)
{
    return lm_or(free, lm_xor(most, aligned));
}

/* Classifies sites. up[0 .. 2d-1] has a word for each bond, J s_j = +1 if J > 0. `aligned` has the
 * site's own spins. Full adders make k: the sum is xor3, the carry is the majority. */
LM_INLINE lm_ising_class lm_ising_classify(int d, const lm_word *up, lm_word aligned)
{
    lm_ising_class c = {lm_set(0), lm_set(0), lm_set(0), lm_set(0)};
    const lm_word s0 = lm_xor3(up[0], up[1], up[2]), c0 = lm_majority(up[0], up[1], up[2]);
    if (d == 2) {
        c.n0 = lm_xor(s0, up[3]);
        c.free = lm_andnot(c.n0, lm_xor(s0, c0));
        c.certain = lm_ising_is_certain(c.free, c0, aligned);
        return c;
    }
    const lm_word s1 = lm_xor3(up[3], up[4], up[5]), c1 = lm_majority(up[3], up[4], up[5]);
    if (d == 3) {
        const lm_word c2 = lm_and(s0, s1), k1 = lm_xor3(c0, c1, c2);
        c.n0 = lm_xor(s0, s1);
        c.n1 = lm_xor(k1, lm_andnot(c.n0, aligned));
        c.free = lm_and(c.n0, k1);
        c.certain = lm_ising_is_certain(c.free, lm_majority(c0, c1, c2), aligned);
        return c;
    }
    const lm_word s2 = lm_xor(up[6], up[7]), c2 = lm_and(up[6], up[7]);
    const lm_word c3 = lm_majority(s0, s1, s2), t = lm_xor3(c0, c1, c2), k1 = lm_xor(t, c3);
    const lm_word fours = lm_majority(c0, c1, c2);
    c.n0 = lm_xor3(s0, s1, s2);
    c.n1 = lm_xor(k1, lm_and(c.n0, aligned));
    c.free = lm_andnot(lm_or(c.n0, k1), lm_xor(t, fours));
    c.certain = lm_ising_is_certain(c.free, lm_or(lm_and(t, c3), fours), aligned);
    return c;
}

/* Returns the sites that put a free flip off, because u begins with so many ones: u / 2^32 is at
 * least 63/64. r has the head's random words. */
LM_INLINE lm_word lm_ising_put_off(const lm_word *r)
{
    lm_word all = r[0];
    LM_UNROLL
    for (int k = 1; k < LM_ISING_PUT_OFF; k++)
        all = lm_and(all, r[k]);
    return all;
}

/* Returns bit k of every site's threshold. planes[k * d + n] is bit k of class n. */
LM_INLINE lm_word lm_ising_threshold(int d, const lm_ising_class *c, const uint32_t *planes)
{
    lm_word t = lm_select(c->n0, lm_set(planes[1]), lm_set(planes[0]));
    if (d == 3)
        t = lm_select(c->n1, lm_set(planes[2]), t);
    if (d == 4)
        t = lm_select(c->n1, lm_select(c->n0, lm_set(planes[3]), lm_set(planes[2])), t);
    return t;
}

/* Returns the flips. `yes` is the outcome for sites whose flip costs energy. */
LM_INLINE lm_word lm_ising_outcome(const lm_ising_class *c, lm_word put_off, lm_word yes)
{
    return lm_select(c->certain, lm_not(lm_and(c->free, put_off)), yes);
}

/* Makes the head of the ballot with random words r[0 .. 4 LM_ISING_HEAD - 1]. */
LM_INLINE lm_ballot lm_ising_head(int d, const lm_ising_class *c, const uint32_t *planes,
                                  const lm_word *r, lm_word valid)
{
    lm_word t[4 * LM_ISING_HEAD];
    lm_ballot b = {lm_set(0), lm_set(~0u)};
    LM_UNROLL
    for (int k = 0; k < 4 * LM_ISING_HEAD; k++)
        t[k] = lm_ising_threshold(d, c, planes + k * d);
    lm_ballot_bit_planes(&b, 4 * LM_ISING_HEAD, r, t);
    b.yes = lm_and(valid, lm_ising_outcome(c, lm_ising_put_off(r), b.yes));
    b.tied = lm_and(valid, lm_andnot(c->certain, b.tied));
    return b;
}

/* Makes draw number `draw` for the tied sites. The first function takes its random words. */
LM_INLINE void lm_ising_more_by(int d, lm_ballot *b, const lm_ising_class *c,
                                const uint32_t *planes, const lm_word *r, int draw)
{
    lm_word t[4];
    LM_UNROLL
    for (int j = 0; j < 4; j++)
        t[j] = lm_ising_threshold(d, c, planes + (4 * draw + j) * d);
    lm_ballot_bit_planes(b, 4, r, t);
}

LM_INLINE void lm_ising_more(int d, lm_ballot *b, const lm_ising_class *c, const uint32_t *planes,
                             const lm_stream *stream, uint64_t index, int draw)
{
    lm_word r[4];
    lm_random_words(stream, index, (uint32_t)draw, r);
    lm_ising_more_by(d, b, c, planes, r, draw);
}

/* Returns the ballot after the draws that are always made. */
LM_INLINE lm_ballot lm_ising_first(int d, const lm_ising_class *c, const uint32_t *planes,
                                   lm_word valid, const lm_stream *stream, uint64_t index)
{
    lm_word r[4 * LM_ISING_HEAD];
    LM_UNROLL
    for (int draw = 0; draw < LM_ISING_HEAD; draw++)
        lm_random_words(stream, index, (uint32_t)draw, r + 4 * draw);
    return lm_ising_head(d, c, planes, r, valid);
}

/* Returns the sites that flip. */
LM_INLINE lm_word lm_ising_metropolis(int d, const lm_word *up, lm_word aligned,
                                      const uint32_t *planes, lm_word valid,
                                      const lm_stream *stream, uint64_t index)
{
    const lm_ising_class c = lm_ising_classify(d, up, aligned);
    lm_ballot b = lm_ising_first(d, &c, planes, valid, stream, index);
    for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && lm_any(b.tied); draw++)
        lm_ising_more(d, &b, &c, planes, stream, index, draw);
    return b.yes;
}

/*
 * These make the same ballot for a device that draws before it knows the spins. b[n] is the outcome
 * for every class n. thresholds[k * d + n] is bit k of class n. The returned sites are tied in some
 * class.
 *
 * A site that says yes for class n also does for the classes above it. A site that puts its flip
 * off says no for all classes. So yes for class 0 and no for class 1 has no meaning of its own, and
 * stands for "put off".
 */
LM_INLINE void lm_ising_begin_forecast(int d, lm_word valid, const lm_word *r, lm_ballot *b)
{
    LM_UNROLL
    for (int n = 0; n < d; n++)
        b[n] = (lm_ballot){n == 0 ? lm_and(valid, lm_ising_put_off(r)) : lm_set(0), valid};
}

LM_INLINE lm_word lm_ising_forecast(int d, int planes, const lm_word *r, const uint32_t *thresholds,
                                    lm_ballot *b)
{
    lm_word any = lm_set(0);
    LM_UNROLL
    for (int n = 0; n < d; n++) {
        lm_word t[LM_BIT_PLANES];
        LM_UNROLL
        for (int k = 0; k < planes; k++)
            t[k] = lm_set(thresholds[k * d + n]);
        lm_ballot_bit_planes(&b[n], planes, r, t);
        any = lm_or(any, b[n].tied);
    }
    return any;
}

/* Returns the sites that flip, given the outcome for every class. A site that says yes for class 0
 * also says yes for class 1, or it puts its flip off. */
LM_INLINE lm_word lm_ising_choose(int d, const lm_ising_class *c, const lm_word *yes)
{
    const lm_word put_off = lm_andnot(yes[1], yes[0]);
    lm_word t = lm_and(yes[1], lm_or(c->n0, yes[0]));
    if (d == 3)
        t = lm_select(c->n1, yes[2], t);
    if (d == 4)
        t = lm_select(c->n1, lm_select(c->n0, yes[3], yes[2]), t);
    return lm_ising_outcome(c, put_off, t);
}

/* ------------------------------------------------------------------ any rule
 *
 * This part serves a field, the heat bath, couplings that differ between the axes, and missing
 * bonds. The bonds of a site fall into sets of equal coupling: one set, or one per axis. A set's
 * level is the number of its bonds with J_ij s_j = +1. If bonds may be missing, the level is twice
 * this number plus the number of missing bonds. A class is made of the levels of all sets, where
 * the first set's level varies fastest. For Metropolis the site's own spin also belongs to the
 * class, and varies slowest. */
/* Counts the level of a set, in binary. A set has an even number of bonds. */
LM_INLINE void lm_ising_level(const lm_rule_shape *shape, int set, const lm_word *up,
                              const lm_word *missing, lm_word count[LM_LEVEL_DIGITS])
{
    const int first = set * shape->bonds, last = first + shape->bonds;
    LM_UNROLL
    for (int j = 0; j < LM_LEVEL_DIGITS; j++)
        count[j] = lm_set(0);
    if (shape->missing)
        for (int b = first; b < last; b++)
            lm_count_two(count, lm_or(up[b], missing[b]), lm_andnot(missing[b], up[b]));
    else
        for (int b = first; b < last; b += 2)
            lm_count_two(count, up[b], up[b + 1]);
}

/* Sets by_level[set * levels + l] to the sites whose level of the set is l. */
LM_INLINE void lm_ising_levels(const lm_word_rule *rule, const lm_word *up, const lm_word *missing,
                               lm_word *by_level)
{
    for (int set = 0; set < rule->shape.sets; set++) {
        lm_word count[LM_LEVEL_DIGITS];
        lm_ising_level(&rule->shape, set, up, missing, count);
        lm_sites_by_level(&rule->shape, count, by_level + set * rule->shape.levels);
    }
}

/* Sets t[0 .. n-1] to bits first .. first + n - 1 of every site's threshold. */
LM_INLINE void lm_ising_gather(const lm_word_rule *rule, const lm_word *by_level, lm_word s,
                               int first, int n, lm_word *t)
{
    const int heat_bath = rule->shape.heat_bath;
    const lm_word kind[2] = {heat_bath ? lm_set(0xFFFFFFFFu) : lm_not(s), s};
    lm_gather_bit_planes(rule, by_level, kind, heat_bath ? 1 : 2, first, n, t);
}

/* Returns the sites that change, among those whose outcome is known. The heat bath's outcome is the
 * new spin. Metropolis' outcome is whether to flip. */
LM_INLINE lm_word lm_ising_changes(int heat_bath, lm_word s, lm_word yes, lm_word known)
{
    return lm_and(known, heat_bath ? lm_xor(yes, s) : yes);
}

/* Returns the new spins. up[b]: J s = +1 on bond b. missing[b] is read only if
 * rule->shape.missing. */
LM_INLINE lm_word lm_ising_general(const lm_word_rule *rule, lm_word s, const lm_word *up,
                                   const lm_word *missing, lm_word valid, const lm_stream *stream,
                                   uint64_t index)
{
    lm_word by_level[LM_MAX_LEVELS], t[4], r[4];
    lm_ising_levels(rule, up, missing, by_level);
    lm_ising_gather(rule, by_level, s, LM_BIT_PLANES, 1, t);
    lm_ballot b = {lm_and(valid, t[0]), lm_andnot(t[0], valid)};
    for (int draw = 0; draw < LM_ISING_DRAWS && lm_any(b.tied); draw++) {
        lm_random_words(stream, index, (uint32_t)draw, r);
        lm_ising_gather(rule, by_level, s, 4 * draw, 4, t);
        lm_ballot_bit_planes(&b, 4, r, t);
    }
    return lm_xor(s, lm_ising_changes(rule->shape.heat_bath, s, b.yes, valid));
}

#endif
