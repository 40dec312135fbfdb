/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the Blume-Capel model over words. Bit 0 of a site says that its spin is not 0, and bit 1
 * that its spin is -1. doc/trajectory-blume-capel.md is the contract.
 *
 * Both updates use classes and ballots (ballot.h). The level of a set of bonds is the sum of K s
 * over its neighbours, plus one for each bond.
 */
#ifndef LM_BLUME_CAPEL_H
#define LM_BLUME_CAPEL_H

#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/blume_capel_shape.h"
#include "lib/physics/digits.h"

/* How an update is made. `plain` is known to the compiler if it is 1. No bond is then turned or
 * missing, all bonds have one coupling, and there is no field unless `field` is 1. `field` is 1
 * only for plain sites. `fours`: the table has only what plain sites need, with planes in fours, as
 * blocks bring them. */
typedef struct lm_blume_capel_way {
    int dims, plain, field, fours;
    lm_word_rule rule;
} lm_blume_capel_way;

/* Returns the number of rows of plain sites. The rows are the levels of PAIR_UP, and then the
 * levels of TURN above the middle. With a field they are all levels of both pairs and of TURN. */
LM_EVERYWHERE int lm_blume_capel_rows(int dims, int field)
{
    return field ? 3 * (4 * dims + 1) : 6 * dims + 1;
}

/* Returns where plane k of a row is, in the general table and in one by fours. k = -1 means no
 * plane. */
LM_EVERYWHERE int lm_blume_capel_row_at(int dims, int field, int row, int k)
{
    const int levels = 4 * dims + 1, beyond = field || row < levels ? 0 : levels + 2 * dims + 1;
    return (LM_BLUME_CAPEL_PAIR_UP * levels + row + beyond) * LM_RULE_STRIDE + k;
}

LM_EVERYWHERE int lm_blume_capel_four_at(int dims, int field, int row, int k)
{
    return ((k + 1) / 4 * lm_blume_capel_rows(dims, field) + row) * 4 + (k + 1) % 4;
}

/* Returns the same for the rows of the certain, which follow the rows of a table by fours. They
 * belong to a spin that comes and to one that goes, by levels. Then follow those of a spin that
 * turns against and with its neighbours. With a field they belong to each move, by levels. */
LM_EVERYWHERE int lm_blume_capel_certain_at(int dims, int field, int i)
{
    const int levels = 4 * dims + 1, middle = 2 * dims;
    const int row = field        ? i
                    : i < levels ? LM_BLUME_CAPEL_TO_UP * levels + i
                    : i < 2 * levels
                        ? (LM_BLUME_CAPEL_FROM_UP - 1) * levels + i
                        : LM_BLUME_CAPEL_UP_DOWN * levels + middle + (i > 2 * levels ? 1 : -1);
    return row * LM_RULE_STRIDE + LM_BIT_PLANES;
}

LM_INLINE lm_word lm_blume_capel_certain(const lm_blume_capel_way *way, int i)
{
    const int four = 4 * LM_BLUME_CAPEL_DRAWS * lm_blume_capel_rows(way->dims, way->field) + i;
    return lm_set(
        way->rule.planes[way->fours ? four : lm_blume_capel_certain_at(way->dims, way->field, i)]);
}

/* The classes of a word's sites. For plain sites without a field, by_level[l], l <= 4 dims, has the
 * spins that come or go. turn[k] has the spins that turn against or with a sum of magnitude k + 1.
 * With a field, by_level[l] has all sites by the sum of their neighbours, and kind[m] has the sites
 * of move m. */
typedef struct lm_blume_capel_classes {
    lm_word by_level[LM_MAX_LEVELS];
    lm_word kind[LM_BLUME_CAPEL_MOVES];
    lm_word turn[LM_DIGIT_SLOTS];
} lm_blume_capel_classes;

/* Proposes another spin: +1 or -1 by r if the spin is 0, otherwise 0 or the opposite spin. */
LM_INLINE void lm_blume_capel_propose(const lm_word *s, lm_word r, lm_word *t)
{
    t[0] = lm_or(lm_not(s[0]), r);
    t[1] = lm_andnot(s[1], r);
}

/* Counts the level of a set. Spins and couplings count as they are. Where `turned` is 1, all of
 * them count with the opposite sign. */
LM_INLINE void lm_blume_capel_level(const lm_digit_sites *at, int plain, lm_word turned, int first,
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

/* Sets by_level[set][level] for the sets of a general rule. */
LM_INLINE void lm_blume_capel_by_level(const lm_rule_shape *shape, const lm_digit_sites *at,
                                       lm_word *by_level)
{
    for (int set = 0; set < shape->sets; set++) {
        lm_word count[LM_LEVEL_DIGITS];
        lm_blume_capel_level(at, 0, lm_set(0), set * shape->bonds, (set + 1) * shape->bonds, count);
        lm_sites_by_level(shape, count, by_level + set * shape->levels);
    }
}

/* Classifies plain sites by the sum of the neighbours times the spin, the one before or after the
 * move, or both. */
LM_INLINE void lm_blume_capel_classify_plain(const lm_blume_capel_way *way,
                                             const lm_digit_sites *at, const lm_word *t,
                                             lm_blume_capel_classes *c, lm_word *certain)
{
    const int levels = 4 * way->dims + 1, middle = 2 * way->dims;
    const lm_word turns = lm_and(at->own[0], t[0]);
    lm_word count[LM_LEVEL_DIGITS], by_level[LM_MAX_LEVELS];
    lm_word with = lm_set(0), against = lm_set(0), coming = lm_set(0), going = lm_set(0);
    lm_blume_capel_level(at, 1, lm_select(at->own[0], at->own[1], t[1]), 0, 2 * way->dims, count);
    lm_plain_by_level(levels, count, turns, by_level);
    LM_UNROLL
    for (int k = 0; k < middle; k++) {
        with = lm_or(with, by_level[middle + 1 + k]);
        against = lm_or(against, by_level[middle - 1 - k]);
        c->turn[k] = lm_or(by_level[middle + 1 + k], by_level[middle - 1 - k]);
    }
    *certain = lm_or(by_level[middle], /* and either of the other sums, or both */
                     lm_or(lm_and(against, lm_blume_capel_certain(way, 2 * levels)),
                           lm_and(with, lm_blume_capel_certain(way, 2 * levels + 1))));
    lm_plain_by_level(levels, count, lm_not(turns), c->by_level);
    LM_UNROLL
    for (int l = 0; l < levels; l++) {
        coming = lm_or(coming, lm_and(c->by_level[l], lm_blume_capel_certain(way, l)));
        going = lm_or(going, lm_and(c->by_level[l], lm_blume_capel_certain(way, levels + l)));
    }
    *certain = lm_or(*certain, lm_select(at->own[0], going, coming));
}

/* Finds the sites of each move. */
LM_INLINE void lm_blume_capel_moves(const lm_word *s, const lm_word *t, lm_word *kind)
{
    kind[LM_BLUME_CAPEL_TO_UP] = lm_andnot(lm_or(s[0], t[1]), t[0]);
    kind[LM_BLUME_CAPEL_TO_DOWN] = lm_andnot(s[0], t[1]);
    kind[LM_BLUME_CAPEL_FROM_UP] = lm_andnot(lm_or(t[0], s[1]), s[0]);
    kind[LM_BLUME_CAPEL_FROM_DOWN] = lm_andnot(t[0], s[1]);
    kind[LM_BLUME_CAPEL_UP_DOWN] = lm_and(lm_andnot(s[1], s[0]), t[1]);
    kind[LM_BLUME_CAPEL_DOWN_UP] = lm_and(lm_andnot(t[1], t[0]), s[1]);
}

LM_INLINE void lm_blume_capel_classify_in_field(const lm_blume_capel_way *way,
                                                const lm_digit_sites *at, const lm_word *t,
                                                lm_blume_capel_classes *c, lm_word *certain)
{
    const int levels = 4 * way->dims + 1;
    lm_word count[LM_LEVEL_DIGITS];
    lm_blume_capel_level(at, 1, lm_set(0), 0, 2 * way->dims, count);
    lm_plain_by_level(levels, count, lm_set(0xFFFFFFFFu), c->by_level);
    lm_blume_capel_moves(at->own, t, c->kind);
    *certain = lm_set(0);
    LM_UNROLL
    for (int move = 0; move < LM_BLUME_CAPEL_MOVES; move++) {
        lm_word of = lm_set(0);
        LM_UNROLL
        for (int l = 0; l < levels; l++)
            of = lm_or(of, lm_and(c->by_level[l], lm_blume_capel_certain(way, move * levels + l)));
        *certain = lm_or(*certain, lm_and(c->kind[move], of));
    }
}

LM_INLINE void lm_blume_capel_classify(const lm_blume_capel_way *way, const lm_digit_sites *at,
                                       const lm_word *t, lm_blume_capel_classes *c,
                                       lm_word *certain)
{
    if (way->plain && way->field) {
        lm_blume_capel_classify_in_field(way, at, t, c, certain);
    } else if (way->plain) {
        lm_blume_capel_classify_plain(way, at, t, c, certain);
    } else {
        lm_blume_capel_by_level(&way->rule.shape, at, c->by_level);
        lm_blume_capel_moves(at->own, t, c->kind);
        lm_gather_bit_planes(&way->rule, c->by_level, c->kind, LM_BLUME_CAPEL_MOVES, LM_BIT_PLANES,
                             1, certain);
    }
}

/* Adds the same planes of consecutive rows of a plain table, from row `from` on. in[0 ..] has the
 * rows' sites. */
LM_INLINE void lm_blume_capel_row_bit_planes(const lm_blume_capel_way *way, const lm_word *in,
                                             int from, int rows, int first, int n, lm_word *t)
{
    const int dims = way->dims, field = way->field;
    LM_UNROLL
    for (int row = from; row < from + rows; row++) {
        const uint32_t *planes =
            way->rule.planes + (way->fours ? lm_blume_capel_four_at(dims, field, row, first)
                                           : lm_blume_capel_row_at(dims, field, row, first));
        LM_UNROLL
        for (int k = 0; k < n; k++)
            t[k] = lm_or(t[k], lm_and(in[row - from], lm_set(planes[k])));
    }
}

/* Sets t[0 .. n-1] to bits first .. first + n - 1 of the threshold of every site that is not
 * certain. */
LM_INLINE void lm_blume_capel_bit_planes(const lm_blume_capel_way *way,
                                         const lm_blume_capel_classes *c, int first, int n,
                                         lm_word *t)
{
    const int levels = 4 * way->dims + 1;
    if (!way->plain) {
        lm_gather_bit_planes(&way->rule, c->by_level, c->kind, LM_BLUME_CAPEL_MOVES, first, n, t);
        return;
    }
    LM_UNROLL
    for (int k = 0; k < n; k++)
        t[k] = lm_set(0);
    if (!way->field) {
        lm_blume_capel_row_bit_planes(way, c->by_level, 0, levels, first, n, t);
        lm_blume_capel_row_bit_planes(way, c->turn, levels, 2 * way->dims, first, n, t);
        return;
    }
    const lm_word of_pair[3] = {
        lm_or(c->kind[LM_BLUME_CAPEL_TO_UP], c->kind[LM_BLUME_CAPEL_FROM_UP]),
        lm_or(c->kind[LM_BLUME_CAPEL_TO_DOWN], c->kind[LM_BLUME_CAPEL_FROM_DOWN]),
        lm_or(c->kind[LM_BLUME_CAPEL_UP_DOWN], c->kind[LM_BLUME_CAPEL_DOWN_UP])};
    LM_UNROLL
    for (int pair = 0; pair < 3; pair++) {
        lm_word of[4] = {lm_set(0), lm_set(0), lm_set(0), lm_set(0)};
        lm_blume_capel_row_bit_planes(way, c->by_level, pair * levels, levels, first, n, of);
        LM_UNROLL
        for (int k = 0; k < n; k++)
            t[k] = lm_or(t[k], lm_and(of_pair[pair], of[k]));
    }
}

/* Returns the sites that change, and proposes their spins. Plane 0 of the first block proposes. The
 * other 31 planes are those of u. The ballot ends after them, and sites that are still tied do not
 * change. */
LM_INLINE lm_word lm_blume_capel_metropolis(const lm_blume_capel_way *way, const lm_digit_sites *at,
                                            lm_word valid, const lm_stream *stream, uint64_t index,
                                            lm_word *to)
{
    lm_blume_capel_classes c;
    lm_word r[8], t[4], certain;
    lm_random_words(stream, index, 0, r);
    lm_random_words(stream, index, 1, r + 4);
    lm_blume_capel_propose(at->own, r[0], to);
    lm_blume_capel_classify(way, at, to, &c, &certain);
    lm_ballot b = {lm_and(valid, certain), lm_andnot(certain, valid)};
    lm_blume_capel_bit_planes(way, &c, 0, 3, t);
    lm_ballot_bit_planes(&b, 3, r + 1, t);
    lm_blume_capel_bit_planes(way, &c, 3, 4, t);
    lm_ballot_bit_planes(&b, 4, r + 4, t);
    for (int next = 2; next < LM_BLUME_CAPEL_DRAWS && lm_any(b.tied); next++) {
        lm_random_words(stream, index, (uint32_t)next, r);
        lm_blume_capel_bit_planes(way, &c, 4 * next - 1, 4, t);
        lm_ballot_bit_planes(&b, 4, r, t);
    }
    return b.yes;
}

/* Returns the sites of `some` that say yes, by one kind of the heat bath's thresholds. */
LM_INLINE lm_word lm_blume_capel_choose(const lm_word_rule *rule, const lm_word *by_level,
                                        int choice, lm_word some, const lm_stream *stream,
                                        uint64_t index, int draw)
{
    const lm_word_rule of = {rule->shape,
                             rule->planes + choice * rule->shape.classes * LM_RULE_STRIDE};
    lm_word r[4], t[4], certain;
    lm_gather_bit_planes(&of, by_level, &some, 1, LM_BIT_PLANES, 1, &certain);
    lm_ballot b = {lm_and(some, certain), lm_andnot(certain, some)};
    for (int k = 0; k < LM_BLUME_CAPEL_DRAWS && lm_any(b.tied); k++) {
        lm_random_words(stream, index, (uint32_t)(draw + k), r);
        lm_gather_bit_planes(&of, by_level, &some, 1, 4 * k, 4, t);
        lm_ballot_bit_planes(&b, 4, r, t);
    }
    return b.yes;
}

/* Returns the sites that change, and draws their spins. */
LM_INLINE lm_word lm_blume_capel_heatbath(const lm_word_rule *rule, const lm_digit_sites *at,
                                          lm_word valid, const lm_stream *stream, uint64_t index,
                                          lm_word *to)
{
    lm_word by_level[LM_MAX_LEVELS];
    lm_blume_capel_by_level(&rule->shape, at, by_level);
    to[0] = lm_blume_capel_choose(rule, by_level, LM_BLUME_CAPEL_NOT_ZERO, valid, stream, index, 0);
    to[1] = lm_blume_capel_choose(rule, by_level, LM_BLUME_CAPEL_NEGATIVE, to[0], stream, index,
                                  LM_BLUME_CAPEL_SECOND_DRAW);
    return lm_and(valid, lm_or(lm_xor(to[0], at->own[0]), lm_xor(to[1], at->own[1])));
}

/* Counts bonds between spins that are not 0, digit by digit. Bonds between different spins are
 * turned. */
LM_INLINE void lm_blume_capel_meet(int digit, lm_word s, lm_word t, lm_digit_count *bond)
{
    if (digit == 0)
        bond->all = lm_and(s, t);
    bond->turned = digit == 0 ? lm_set(0) : lm_and(bond->all, lm_xor(s, t));
}

/* Returns the sums over sites: of the spins, and of their squares. */
LM_INLINE lm_digit_count lm_blume_capel_sum(int k, const lm_word *s)
{
    const lm_digit_count c = {s[0], k == 0 ? s[1] : lm_set(0)};
    return c;
}

/* Gives each spin the same probability. The first pair of planes that are not both 1 decides. */
LM_INLINE void lm_blume_capel_hot(lm_word valid, const lm_stream *stream, uint64_t index,
                                  lm_word *s)
{
    lm_word open = valid;
    s[0] = s[1] = lm_set(0);
    for (int k = 0; k < LM_BLUME_CAPEL_DRAWS && lm_any(open); k++) {
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
