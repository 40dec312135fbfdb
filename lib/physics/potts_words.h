/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the Potts model of few states, over words. Word k has digit k of the sites' states.
 * doc/trajectory-potts.md is the contract, "Sites in words".
 *
 * Metropolis uses classes and ballots (ballot.h). A proposal is also made of planes of random bits.
 * Its law is the same in both directions. If it leaves out some states more often than it should,
 * the thresholds contain a factor for that. One example is a proposal of another state instead of
 * any state.
 *
 * `digits` is known to the compiler and may be larger than the number of a state's digits. The
 * further digits are 0.
 *
 * The heat bath treats single sites. It is there only if a vocabulary of reals of 32 bits was
 * included before.
 */
#ifndef LM_POTTS_WORDS_H
#define LM_POTTS_WORDS_H

#include "lib/physics/digits.h"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_words_shape.h"

enum { LM_POTTS_DIGITS = LM_MAX_DIGITS };

/* How an update is made. `plain` is known to the compiler if it is 1. No bond is then turned or
 * missing, all bonds have one coupling, and there is no field unless `field` is 1. `field` is 1
 * only for plain sites. `fours`: the table has only what plain sites need, with planes in fours, as
 * blocks bring them. */
typedef struct lm_potts_way {
    int states, digits, dims, plain, field, fours, other;
    lm_word_rule rule;
} lm_potts_way;

/* Returns the sites whose states differ. */
LM_INLINE lm_word lm_potts_apart(int digits, const lm_word *a, const lm_word *b)
{
    lm_word apart = lm_xor(a[0], b[0]);
    LM_UNROLL
    for (int k = 1; k < digits; k++)
        apart = lm_or(apart, lm_xor(a[k], b[k]));
    return apart;
}

/* Returns a digit of a number, the same for all sites. */
LM_INLINE lm_word lm_potts_all(int number, int digit)
{
    return lm_set(number >> digit & 1 ? 0xFFFFFFFFu : 0u);
}

/* Returns the sites in state a. */
LM_INLINE lm_word lm_potts_in_state(int digits, const lm_word *s, int a)
{
    lm_word apart = lm_xor(s[0], lm_potts_all(a, 0));
    LM_UNROLL
    for (int k = 1; k < digits; k++)
        apart = lm_or(apart, lm_xor(s[k], lm_potts_all(a, k)));
    return lm_not(apart);
}

/* Turns a state of three: to the next state where r is 0, otherwise to the one before,
 * cyclically. */
LM_INLINE void lm_potts_turn(const lm_word *s, lm_word r, lm_word *t)
{
    const lm_word zero = lm_not(lm_or(s[0], s[1]));
    t[0] = lm_select(r, s[1], zero);
    t[1] = lm_select(r, zero, s[0]);
}

/* Finds the first pair of bits that is not `refused`, from the planes of at most 16 blocks from
 * `draw` on. If there is none, the pair is 0. */
LM_INLINE void lm_potts_pairs(lm_word refused, lm_word among, const lm_stream *stream,
                              uint64_t index, uint32_t draw, lm_word *pair)
{
    lm_word open = among;
    pair[0] = pair[1] = lm_set(0);
    for (uint32_t k = 0; k < LM_POTTS_PAIR_DRAWS && lm_any(open); k++) {
        lm_word r[4];
        lm_random_words(stream, index, draw + k, r);
        LM_UNROLL
        for (int i = 0; i < 4; i += 2) {
            const lm_word bad = lm_not(lm_or(lm_xor(r[i], refused), lm_xor(r[i + 1], refused)));
            const lm_word now = lm_andnot(bad, open);
            pair[0] = lm_or(pair[0], lm_and(now, r[i]));
            pair[1] = lm_or(pair[1], lm_and(now, r[i + 1]));
            open = lm_and(open, bad);
        }
    }
}

/* Finds the first number below `limit` among the numbers of `tries` blocks from `draw` on, one
 * number in each block. Returns the sites that have such a number. */
LM_INLINE lm_word lm_potts_numbers(int digits, int limit, int tries, uint32_t draw, lm_word among,
                                   const lm_stream *stream, uint64_t index, lm_word *number)
{
    const int drawn = lm_potts_digits(limit);
    lm_word open = among;
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        number[k] = lm_set(0);
    for (int i = 0; i < tries && lm_any(open); i++) {
        lm_word r[4], below = lm_set(0xFFFFFFFFu); /* or the last number */
        lm_random_words(stream, index, draw + (uint32_t)i, r);
        LM_UNROLL
        for (int k = 0; k < digits; k++) {
            r[k] = k < drawn ? r[k] : lm_set(0);
            below = lm_below(r[k], lm_potts_all(limit - 1, k), below);
        }
        LM_UNROLL
        for (int k = 0; k < digits; k++)
            number[k] = lm_or(number[k], lm_and(lm_and(open, below), r[k]));
        open = lm_andnot(below, open);
    }
    return lm_andnot(open, among);
}

/* Computes t = (s + 1 + j) % states, for s < states and j < states - 1. */
LM_INLINE void lm_potts_step(int digits, int states, const lm_word *s, const lm_word *j, lm_word *t)
{
    lm_word sum[LM_POTTS_DIGITS + 1], less[LM_POTTS_DIGITS + 1];
    lm_word carry = lm_set(0xFFFFFFFFu), beyond = carry;
    LM_UNROLL
    for (int k = 0; k < digits; k++) {
        sum[k] = lm_xor3(s[k], j[k], carry);
        carry = lm_majority(s[k], j[k], carry);
    }
    sum[digits] = carry;
    LM_UNROLL
    for (int k = 0; k <= digits; k++) {
        less[k] = lm_xor3(sum[k], lm_potts_all(~states, k), beyond);
        beyond = lm_majority(sum[k], lm_potts_all(~states, k), beyond);
    }
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        t[k] = lm_select(beyond, less[k], sum[k]);
}

/* Proposes states t by the first planes r[0 .. lm_potts_first_bit_planes() - 1], or by draws of its
 * own. Returns the sites that have a proposal. */
LM_INLINE lm_word lm_potts_propose(const lm_potts_way *way, const lm_word *s, const lm_word *r,
                                   lm_word valid, const lm_stream *stream, uint64_t index,
                                   lm_word *t)
{
    if (way->digits > 2) {
        lm_word j[LM_POTTS_DIGITS];
        const int tries = lm_potts_tries(way->states, way->other);
        const lm_word offered = lm_potts_numbers(way->digits, way->states - 1, tries,
                                                 LM_POTTS_DRAWS, valid, stream, index, j);
        lm_potts_step(way->digits, way->states, s, j, t);
        return offered;
    }
    if (way->states == 2) {
        t[0] = lm_not(s[0]);
        t[1] = lm_set(0);
    } else if (way->states == 3) {
        lm_potts_turn(s, r[0], t);
    } else {
        lm_word by[2] = {r[0], r[1]};
        if (way->other)
            lm_potts_pairs(lm_set(0), valid, stream, index, LM_POTTS_PAIR_DRAW, by);
        t[0] = lm_xor(s[0], by[0]);
        t[1] = lm_xor(s[1], by[1]);
    }
    return lm_and(valid, lm_potts_apart(way->digits, s, t));
}

/* Counts the level of a set: the bonds that the move breaks, minus the bonds that it makes, by the
 * signs of their couplings, plus the number of bonds. */
LM_INLINE void lm_potts_level(const lm_potts_way *way, const lm_digit_sites *at, const lm_word *t,
                              int first, int last, lm_word count[LM_LEVEL_DIGITS])
{
    LM_UNROLL
    for (int j = 0; j < LM_LEVEL_DIGITS; j++)
        count[j] = lm_set(0);
    LM_UNROLL
    for (int b = first; b < last; b++) {
        lm_word is = lm_not(lm_potts_apart(way->digits, at->own, at->around[b]));
        lm_word not_then = lm_potts_apart(way->digits, t, at->around[b]);
        if (!way->plain) {
            is = lm_andnot(at->gone[b], lm_xor(is, at->sign[b]));
            not_then = lm_or(at->gone[b], lm_xor(not_then, at->sign[b]));
        }
        lm_count_two(count, is, not_then);
    }
}

/* Returns the number of rows of plain sites: the levels of each kind that there is. In a table by
 * fours, the rows of the certain follow. */
LM_EVERYWHERE int lm_potts_rows(int dims, int field)
{
    return (field ? LM_POTTS_KINDS : 1) * (4 * dims + 1);
}

/* Returns where plane k of a row is in the general table. In a table by fours it returns the row's
 * place, where k counts all planes that blocks bring. */
LM_EVERYWHERE int lm_potts_row_at(int dims, int field, int row, int k)
{
    return (row + (field ? 0 : LM_POTTS_NO_FIELD * (4 * dims + 1))) * LM_RULE_STRIDE + k;
}

LM_EVERYWHERE int lm_potts_four_at(int dims, int field, int row, int k)
{
    return (k / 4 * lm_potts_rows(dims, field) + row) * 4 + k % 4;
}

/* Returns how many planes of a block do not belong to u. */
LM_INLINE int lm_potts_before(const lm_potts_way *way)
{
    return way->digits > 2 ? 0 : lm_potts_first_bit_planes(way->states, way->other);
}

/* Returns bit k of the threshold of a row of plain sites, and whether the row is certain. */
LM_INLINE lm_word lm_potts_plain_bit(const lm_potts_way *way, int row, int k)
{
    const int at = way->fours
                       ? lm_potts_four_at(way->dims, way->field, row, k + lm_potts_before(way))
                       : lm_potts_row_at(way->dims, way->field, row, k);
    return lm_set(way->rule.planes[at]);
}

LM_INLINE lm_word lm_potts_plain_certain(const lm_potts_way *way, int row)
{
    const int at = way->fours ? 4 * LM_POTTS_DRAWS * lm_potts_rows(way->dims, way->field) + row
                              : lm_potts_row_at(way->dims, way->field, row, LM_BIT_PLANES);
    return lm_set(way->rule.planes[at]);
}

/* The classes of a word's sites. */
typedef struct lm_potts_classes {
    lm_word by_level[LM_MAX_LEVELS];
    lm_word kind[LM_POTTS_KINDS]; /* by what the sites lose of the field: -h, 0, h */
} lm_potts_classes;

LM_INLINE void lm_potts_classify(const lm_potts_way *way, const lm_digit_sites *at,
                                 const lm_word *t, lm_potts_classes *c)
{
    lm_word count[LM_LEVEL_DIGITS];
    const lm_rule_shape *shape = &way->rule.shape;
    if (way->plain) {
        lm_potts_level(way, at, t, 0, 2 * way->dims, count);
        lm_plain_by_level(4 * way->dims + 1, count, lm_set(0xFFFFFFFFu), c->by_level);
        if (!way->field)
            return;
    }
    for (int set = 0; !way->plain && set < shape->sets; set++) {
        lm_potts_level(way, at, t, set * shape->bonds, (set + 1) * shape->bonds, count);
        lm_sites_by_level(shape, count, c->by_level + set * shape->levels);
    }
    const lm_word was = lm_potts_in_state(way->digits, at->own, 0);
    const lm_word is = lm_potts_in_state(way->digits, t, 0);
    c->kind[0] = lm_andnot(was, is);
    c->kind[1] = lm_not(lm_xor(was, is));
    c->kind[2] = lm_andnot(is, was);
}

/* Returns the sites of `kind` whose threshold has 1 as bit k, or which are certain for k =
 * LM_BIT_PLANES. */
LM_INLINE lm_word lm_potts_plain_bit_plane(const lm_potts_way *way, const lm_word *by_level,
                                           int kind, int k)
{
    const int levels = 4 * way->dims + 1;
    lm_word t = lm_set(0);
    LM_UNROLL
    for (int l = 0; l < levels; l++)
        t = lm_or(t, lm_and(by_level[l], k == LM_BIT_PLANES
                                             ? lm_potts_plain_certain(way, kind * levels + l)
                                             : lm_potts_plain_bit(way, kind * levels + l, k)));
    return t;
}

/* Does the same for all sites. */
LM_INLINE lm_word lm_potts_field_bit_plane(const lm_potts_way *way, const lm_potts_classes *c,
                                           int k)
{
    lm_word t = lm_set(0);
    LM_UNROLL
    for (int kind = 0; kind < LM_POTTS_KINDS; kind++)
        t = lm_or(t, lm_and(c->kind[kind], lm_potts_plain_bit_plane(way, c->by_level, kind, k)));
    return t;
}

/* Sets t[0 .. n-1] to bits first .. first + n - 1 of every site's threshold. */
LM_INLINE void lm_potts_bit_planes(const lm_potts_way *way, const lm_potts_classes *c, int first,
                                   int n, lm_word *t)
{
    if (!way->plain) {
        lm_gather_bit_planes(&way->rule, c->by_level, c->kind, LM_POTTS_KINDS, first, n, t);
        return;
    }
    LM_UNROLL
    for (int k = 0; k < n; k++)
        t[k] = way->field ? lm_potts_field_bit_plane(way, c, first + k)
                          : lm_potts_plain_bit_plane(way, c->by_level, 0, first + k);
}

/* Votes by the planes of one block. `draw` counts the blocks of u and of the planes before it. */
LM_INLINE void lm_potts_vote(const lm_potts_way *way, const lm_potts_classes *c, int draw,
                             const lm_word *r, lm_ballot *b)
{
    const int before = lm_potts_before(way);
    lm_word t[4];
    if (draw == 0 && before > 0) {
        LM_UNROLL
        for (int skip = 1; skip <= 2; skip++)
            if (before == skip) {
                lm_potts_bit_planes(way, c, 0, 4 - skip, t);
                lm_ballot_bit_planes(b, 4 - skip, r + skip, t);
            }
    } else {
        lm_potts_bit_planes(way, c, 4 * draw - before, 4, t);
        lm_ballot_bit_planes(b, 4, r, t);
    }
}

/* Returns the sites that change, and proposes their states. It uses the first `count` >= 2 blocks
 * of random words, and draws further blocks as needed. The ballot ends after 32 planes of u, in
 * whole blocks. Sites that are still tied do not change. */
LM_INLINE lm_word lm_potts_metropolis_by(const lm_potts_way *way, const lm_digit_sites *at,
                                         lm_word valid, const lm_word *drawn, int count,
                                         const lm_stream *stream, uint64_t index, lm_word *t)
{
    lm_potts_classes c;
    lm_word certain;
    const lm_word offered = lm_potts_propose(way, at->own, drawn, valid, stream, index, t);
    lm_potts_classify(way, at, t, &c);
    lm_potts_bit_planes(way, &c, LM_BIT_PLANES, 1, &certain);
    lm_ballot b = {lm_and(offered, certain), lm_andnot(certain, offered)};
    LM_UNROLL
    for (int draw = 0; draw < count; draw++)
        lm_potts_vote(way, &c, draw, drawn + 4 * draw, &b);
    for (int tail = count; tail < LM_POTTS_DRAWS && lm_any(b.tied); tail++) {
        lm_word r[4];
        lm_random_words(stream, index, (uint32_t)tail, r);
        lm_potts_vote(way, &c, tail, r, &b);
    }
    return b.yes;
}

LM_INLINE lm_word lm_potts_metropolis(const lm_potts_way *way, const lm_digit_sites *at,
                                      lm_word valid, const lm_stream *stream, uint64_t index,
                                      lm_word *t)
{
    lm_word r[8];
    lm_random_words(stream, index, 0, r);
    lm_random_words(stream, index, 1, r + 4);
    return lm_potts_metropolis_by(way, at, valid, r, 2, stream, index, t);
}

/* Counts bonds between sites in one state, digit by digit, from digit 0 on. */
LM_INLINE void lm_potts_meet(int digit, lm_word s, lm_word t, lm_digit_count *bond)
{
    const lm_word alike = lm_not(lm_xor(s, t));
    bond->all = digit ? lm_and(bond->all, alike) : alike;
    bond->turned = lm_set(0);
}

/* Counts the sites in state a. */
LM_INLINE lm_digit_count lm_potts_sum(int digits, int a, const lm_word *s)
{
    const lm_digit_count c = {lm_potts_in_state(digits, s, a), lm_set(0)};
    return c;
}

/* Gives every state the same probability. */
LM_INLINE void lm_potts_hot(int states, lm_word valid, const lm_stream *stream, uint64_t index,
                            lm_word *s)
{
    lm_word r[4];
    s[2] = s[3] = lm_set(0);
    if (states > 4) {
        lm_potts_numbers(LM_POTTS_DIGITS, states, LM_POTTS_NUMBER_DRAWS, 0, valid, stream, index,
                         s);
        return;
    }
    if (states == 3) {
        lm_potts_pairs(lm_set(0xFFFFFFFFu), valid, stream, index, 0, s);
        return;
    }
    lm_random_words(stream, index, 0, r);
    s[0] = lm_and(r[0], valid);
    s[1] = states == 2 ? lm_set(0) : lm_and(r[1], valid);
}

#endif
