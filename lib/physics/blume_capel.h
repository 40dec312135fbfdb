/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Blume-Capel model over words: bit 0 of a site says that its spin is not 0, bit 1 that it is
 * -1. doc/trajectory-blume-capel.md is the contract.
 *
 * Both updates go by classes and ballots (ballot.h). The level of a set of bonds is the sum of K s
 * of the neighbours, and one more for each bond.
 */
#ifndef LM_BLUME_CAPEL_H
#define LM_BLUME_CAPEL_H

#include "lib/physics/ballot.h"
#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/blume_capel_shape.h"

enum { LM_CAPEL_SLOTS = 8 };

/* A word's sites and what is around them: spins, and of each bond the spin beyond it, whether its
 * coupling is turned, and whether it is missing. */
typedef struct lm_capel_sites {
    lm_word own[LM_CAPEL_DIGITS], around[LM_CAPEL_SLOTS][LM_CAPEL_DIGITS];
    lm_word sign[LM_CAPEL_SLOTS], gone[LM_CAPEL_SLOTS];
} lm_capel_sites;

/* What an update is made by. `plain`, known to the compiler where it is 1: no bond is turned or
 * missing, all have one coupling, no field. `fours`: of plain sites the table has what they need
 * alone, planes by fours as blocks bring them (lm_capel_row). */
typedef struct lm_capel_way {
    int dims, plain, fours;
    lm_word_rule rule;
} lm_capel_way;

/* Rows of plain sites: levels of PAIR, then of TURN those above the middle; and words of a table by
 * fours, at whose end are the certain ones: of a spin that comes, of one that goes, by levels, then
 * of one that turns, against and with its neighbours. */
LM_CAPEL_EVERYWHERE int lm_capel_rows(int dims)
{
    return 6 * dims + 1;
}

LM_CAPEL_EVERYWHERE int lm_capel_four_words(int dims)
{
    return 4 * LM_CAPEL_DRAWS * lm_capel_rows(dims) + 2 * (4 * dims + 1) + 2;
}

/* Where plane k of a row is in the general table, and in one by fours; k = -1 is none. */
LM_CAPEL_EVERYWHERE int lm_capel_row_at(int dims, int row, int k)
{
    const int levels = 4 * dims + 1, beyond = row < levels ? 0 : 2 * dims + 1;
    return (LM_CAPEL_PAIR * levels + row + beyond) * LM_RULE_STRIDE + k;
}

LM_CAPEL_EVERYWHERE int lm_capel_four_at(int dims, int row, int k)
{
    return ((k + 1) / 4 * lm_capel_rows(dims) + row) * 4 + (k + 1) % 4;
}

/* The same of the certain ones, i counting as they stand at the end. */
LM_CAPEL_EVERYWHERE int lm_capel_certain_at(int dims, int i)
{
    const int levels = 4 * dims + 1, middle = 2 * dims;
    const int row = i < levels ? LM_CAPEL_TO_UP * levels + i
                    : i < 2 * levels
                        ? (LM_CAPEL_FROM_UP - 1) * levels + i
                        : LM_CAPEL_UP_DOWN * levels + middle + (i > 2 * levels ? 1 : -1);
    return row * LM_RULE_STRIDE + LM_PLANES;
}

LM_INLINE lm_word lm_capel_certain(const lm_capel_way *way, int i)
{
    const int four = 4 * LM_CAPEL_DRAWS * lm_capel_rows(way->dims) + i;
    return lm_set(way->rule.planes[way->fours ? four : lm_capel_certain_at(way->dims, i)]);
}

/* The classes of a word's sites. Of plain ones member[l], l <= 4 dims, is of spins that come or go,
 * turn[k] of those that turn against or with a sum of k + 1 in magnitude. */
typedef struct lm_capel_classes {
    lm_word member[LM_MAX_LEVELS];
    lm_word kind[LM_CAPEL_MOVES];
    lm_word turn[LM_CAPEL_SLOTS];
} lm_capel_classes;

/* The other spins: from 0 by r to +1 or -1, from others to 0 or to the opposite one. */
LM_INLINE void lm_capel_propose(const lm_word *s, lm_word r, lm_word *t)
{
    t[0] = lm_or(lm_not(s[0]), r);
    t[1] = lm_andnot(s[1], r);
}

/* Level of a set; spins and couplings as they are, or all turned where `turned`. */
LM_INLINE void lm_capel_level(const lm_capel_sites *at, int plain, lm_word turned, int first,
                              int last, lm_word count[LM_LEVEL_DIGITS])
{
    LM_UNROLL
    for (int j = 0; j < LM_LEVEL_DIGITS; j++)
        count[j] = lm_set(0);
    LM_UNROLL
    for (int b = first; b < last; b++) {
        lm_word there = at->around[b][0];
        lm_word negative = lm_xor(at->around[b][1], turned);
        if (!plain) {
            there = lm_andnot(at->gone[b], there);
            negative = lm_xor(negative, at->sign[b]);
        }
        lm_count_two(count, lm_andnot(negative, there), lm_not(lm_and(there, negative)));
    }
}

/* member[set][level], of sets of a general rule. */
LM_INLINE void lm_capel_members(const lm_rule_shape *shape, const lm_capel_sites *at,
                                lm_word *member)
{
    for (int set = 0; set < shape->sets; set++) {
        lm_word count[LM_LEVEL_DIGITS];
        lm_capel_level(at, 0, lm_set(0), set * shape->bonds, (set + 1) * shape->bonds, count);
        lm_level_members(shape, count, member + set * shape->levels);
    }
}

/* member[l]: those of `some` whose level is l < levels, which is known to the compiler. */
LM_INLINE void lm_capel_plain_members(int levels, const lm_word count[LM_LEVEL_DIGITS],
                                      lm_word some, lm_word *member)
{
    lm_word low[4], high[5];
    LM_UNROLL
    for (int i = 0; i < 4; i++)
        low[i] = lm_and(i & 1 ? count[0] : lm_not(count[0]), i & 2 ? count[1] : lm_not(count[1]));
    LM_UNROLL
    for (int i = 0; i < 4; i++)
        high[i] = lm_and(lm_andnot(count[4], some), lm_and(i & 1 ? count[2] : lm_not(count[2]),
                                                           i & 2 ? count[3] : lm_not(count[3])));
    high[4] = lm_and(count[4], some);
    LM_UNROLL
    for (int l = 0; l < levels; l++)
        member[l] = lm_and(low[l % 4], high[l / 4]);
}

/* The sum of the neighbours times the spin that is there before or after the move, or both. */
LM_INLINE void lm_capel_classify_plain(const lm_capel_way *way, const lm_capel_sites *at,
                                       const lm_word *t, lm_capel_classes *c, lm_word *certain)
{
    const int levels = 4 * way->dims + 1, middle = 2 * way->dims;
    const lm_word turns = lm_and(at->own[0], t[0]);
    lm_word count[LM_LEVEL_DIGITS], member[LM_MAX_LEVELS];
    lm_word with = lm_set(0), against = lm_set(0), coming = lm_set(0), going = lm_set(0);
    lm_capel_level(at, 1, lm_select(at->own[0], at->own[1], t[1]), 0, 2 * way->dims, count);
    lm_capel_plain_members(levels, count, turns, member);
    LM_UNROLL
    for (int k = 0; k < middle; k++) {
        with = lm_or(with, member[middle + 1 + k]);
        against = lm_or(against, member[middle - 1 - k]);
        c->turn[k] = lm_or(member[middle + 1 + k], member[middle - 1 - k]);
    }
    *certain = lm_or(member[middle], /* and either of the others, or both */
                     lm_or(lm_and(against, lm_capel_certain(way, 2 * levels)),
                           lm_and(with, lm_capel_certain(way, 2 * levels + 1))));
    lm_capel_plain_members(levels, count, lm_not(turns), c->member);
    LM_UNROLL
    for (int l = 0; l < levels; l++) {
        coming = lm_or(coming, lm_and(c->member[l], lm_capel_certain(way, l)));
        going = lm_or(going, lm_and(c->member[l], lm_capel_certain(way, levels + l)));
    }
    *certain = lm_or(*certain, lm_select(at->own[0], going, coming));
}

LM_INLINE void lm_capel_classify(const lm_capel_way *way, const lm_capel_sites *at,
                                 const lm_word *t, lm_capel_classes *c, lm_word *certain)
{
    if (way->plain) {
        lm_capel_classify_plain(way, at, t, c, certain);
        return;
    }
    const lm_word *s = at->own;
    lm_capel_members(&way->rule.shape, at, c->member);
    c->kind[LM_CAPEL_TO_UP] = lm_andnot(lm_or(s[0], t[1]), t[0]);
    c->kind[LM_CAPEL_TO_DOWN] = lm_andnot(s[0], t[1]);
    c->kind[LM_CAPEL_FROM_UP] = lm_andnot(lm_or(t[0], s[1]), s[0]);
    c->kind[LM_CAPEL_FROM_DOWN] = lm_andnot(t[0], s[1]);
    c->kind[LM_CAPEL_UP_DOWN] = lm_and(lm_andnot(s[1], s[0]), t[1]);
    c->kind[LM_CAPEL_DOWN_UP] = lm_and(lm_andnot(t[1], t[0]), s[1]);
    lm_gather_planes(&way->rule, c->member, c->kind, LM_CAPEL_MOVES, LM_PLANES, 1, certain);
}

/* t[0 .. n-1]: bits first .. first + n - 1 of the threshold of every site that is not certain. */
LM_INLINE void lm_capel_planes(const lm_capel_way *way, const lm_capel_classes *c, int first, int n,
                               lm_word *t)
{
    if (!way->plain) {
        lm_gather_planes(&way->rule, c->member, c->kind, LM_CAPEL_MOVES, first, n, t);
        return;
    }
    const int levels = 4 * way->dims + 1;
    LM_UNROLL
    for (int k = 0; k < n; k++)
        t[k] = lm_set(0);
    LM_UNROLL
    for (int row = 0; row < lm_capel_rows(way->dims); row++) {
        const lm_word in = row < levels ? c->member[row] : c->turn[row - levels];
        const uint32_t *planes =
            way->rule.planes + (way->fours ? lm_capel_four_at(way->dims, row, first)
                                           : lm_capel_row_at(way->dims, row, first));
        LM_UNROLL
        for (int k = 0; k < n; k++)
            t[k] = lm_or(t[k], lm_and(in, lm_set(planes[k])));
    }
}

/* The sites that change, and the spins that are proposed. Plane 0 of the first block proposes, the
 * other 31 are those of u; a ballot is over after them, and those tied then do not change. */
LM_INLINE lm_word lm_capel_metropolis(const lm_capel_way *way, const lm_capel_sites *at,
                                      lm_word valid, const lm_stream *stream, uint64_t index,
                                      lm_word *to)
{
    lm_capel_classes c;
    lm_word r[8], t[4], certain;
    lm_random_words(stream, index, 0, r);
    lm_random_words(stream, index, 1, r + 4);
    lm_capel_propose(at->own, r[0], to);
    lm_capel_classify(way, at, to, &c, &certain);
    lm_ballot b = {lm_and(valid, certain), lm_andnot(certain, valid)};
    lm_capel_planes(way, &c, 0, 3, t);
    lm_ballot_planes(&b, 3, r + 1, t);
    lm_capel_planes(way, &c, 3, 4, t);
    lm_ballot_planes(&b, 4, r + 4, t);
    for (int next = 2; next < LM_CAPEL_DRAWS && lm_any(b.tied); next++) {
        lm_random_words(stream, index, (uint32_t)next, r);
        lm_capel_planes(way, &c, 4 * next - 1, 4, t);
        lm_ballot_planes(&b, 4, r, t);
    }
    return b.yes;
}

/* Those of `some` that say yes, by a kind of the heat bath's thresholds. */
LM_INLINE lm_word lm_capel_choose(const lm_word_rule *rule, const lm_word *member, int choice,
                                  lm_word some, const lm_stream *stream, uint64_t index, int draw)
{
    const lm_word_rule of = {rule->shape,
                             rule->planes + choice * rule->shape.classes * LM_RULE_STRIDE};
    lm_word r[4], t[4], certain;
    lm_gather_planes(&of, member, &some, 1, LM_PLANES, 1, &certain);
    lm_ballot b = {lm_and(some, certain), lm_andnot(certain, some)};
    for (int k = 0; k < LM_CAPEL_DRAWS && lm_any(b.tied); k++) {
        lm_random_words(stream, index, (uint32_t)(draw + k), r);
        lm_gather_planes(&of, member, &some, 1, 4 * k, 4, t);
        lm_ballot_planes(&b, 4, r, t);
    }
    return b.yes;
}

/* The sites that change, and the spins that are drawn. */
LM_INLINE lm_word lm_capel_heatbath(const lm_word_rule *rule, const lm_capel_sites *at,
                                    lm_word valid, const lm_stream *stream, uint64_t index,
                                    lm_word *to)
{
    lm_word member[LM_MAX_LEVELS];
    lm_capel_members(&rule->shape, at, member);
    to[0] = lm_capel_choose(rule, member, LM_CAPEL_NOT_ZERO, valid, stream, index, 0);
    to[1] = lm_capel_choose(rule, member, LM_CAPEL_NEGATIVE, to[0], stream, index,
                            LM_CAPEL_SECOND_DRAW);
    return lm_and(valid, lm_or(lm_xor(to[0], at->own[0]), lm_xor(to[1], at->own[1])));
}

/* Each spin with the same probability: by the first pair of planes that are not both 1. */
LM_INLINE void lm_capel_hot(lm_word valid, const lm_stream *stream, uint64_t index, lm_word *s)
{
    lm_word open = valid;
    s[0] = s[1] = lm_set(0);
    for (int k = 0; k < LM_CAPEL_DRAWS && lm_any(open); k++) {
        lm_word r[4];
        lm_random_words(stream, index, (uint32_t)k, r);
        LM_UNROLL
        for (int i = 0; i < 4; i += 2) {
            const lm_word both = lm_and(r[i], r[i + 1]), now = lm_andnot(both, open);
            s[0] = lm_or(s[0], lm_and(now, lm_or(r[i], r[i + 1])));
            s[1] = lm_or(s[1], lm_and(now, r[i + 1]));
            open = lm_and(open, both);
        }
    }
}

#endif
