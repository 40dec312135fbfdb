/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates two-dimensional life-like cellular automata over words of cells, 32 cells of a row in
 * each: doc/trajectory-automaton.md. The eight neighbours are counted by adding bits of all cells
 * of a word at once. The sum of three neighbours in a row is computed once, and serves the rows
 * above and below it.
 *
 * Include a vocabulary of words first.
 */
#ifndef LM_AUTOMATON_H
#define LM_AUTOMATON_H

#include "lib/physics/automaton_rule.h"
#include "lib/physics/philox.h"

/* The cells of a row. `three0` and `three1` count the living ones among three cells in a row, in
 * two bits. `two0` and `two1` count the two beside a cell. */
typedef struct lm_automaton_triple {
    lm_word here, three0, three1, two0, two1;
} lm_automaton_triple;

LM_INLINE lm_automaton_triple lm_automaton_triple_of(lm_word left, lm_word here, lm_word right)
{
    lm_automaton_triple c;
    c.here = here;
    c.three0 = lm_xor3(left, here, right);
    c.three1 = lm_majority(left, here, right);
    c.two0 = lm_xor(left, right);
    c.two1 = lm_and(left, right);
    return c;
}

/* The number of living neighbours, in four bits. The last bit is 1 only for all eight. `four` says
 * whether the twos of three rows make a four. Where n[1] is 1, n[2] equals `four`. */
typedef struct lm_alive {
    lm_word n[4], four;
} lm_alive;

LM_INLINE lm_alive lm_alive_of(const lm_automaton_triple *above, const lm_automaton_triple *here,
                               const lm_automaton_triple *below)
{
    const lm_word carry = lm_majority(above->three0, here->two0, below->three0);
    const lm_word twos = lm_xor3(above->three1, here->two1, below->three1);
    const lm_word more = lm_and(twos, carry);
    lm_alive a;
    a.four = lm_majority(above->three1, here->two1, below->three1);
    a.n[0] = lm_xor3(above->three0, here->two0, below->three0);
    a.n[1] = lm_xor(twos, carry);
    a.n[2] = lm_xor(a.four, more);
    a.n[3] = lm_and(a.four, more);
    return a;
}

/* Applies Conway's Life: a cell lives with three neighbours, or with two if it lives. Of the counts
 * with n[1], only six and seven have a four. */
LM_INLINE lm_word lm_automaton_life(const lm_alive *a, lm_word here)
{
    return lm_and(lm_andnot(a->four, a->n[1]), lm_or(a->n[0], here));
}

/* Applies any rule. For k = 0 .. 3 it finds the new state of cells with 2k or 2k + 1 neighbours by
 * the lowest bit. Then it selects by k. */
LM_INLINE lm_word lm_automaton_ruled(const lm_automaton_rule *rule, const lm_alive *a, lm_word here)
{
    lm_word of[4];
    LM_UNROLL
    for (int k = 0; k < 4; k++) {
        const uint32_t *r = rule->lives + 4 * k;
        of[k] = lm_select(here, lm_select(a->n[0], lm_set(r[3]), lm_set(r[2])),
                          lm_select(a->n[0], lm_set(r[1]), lm_set(r[0])));
    }
    const lm_word low = lm_select(a->n[1], of[1], of[0]), high = lm_select(a->n[1], of[3], of[2]);
    const lm_word eight = lm_select(here, lm_set(rule->lives[18]), lm_set(rule->lives[16]));
    return lm_select(a->n[3], eight, lm_select(a->n[2], high, low));
}

/* Returns bits that are 1 with probability threshold / 2^32, for the words of a vector. It compares
 * u < threshold from the highest of 32 planes of random bits down, as far as is needed. */
LM_INLINE lm_word lm_automaton_noise(const lm_stream *s, uint64_t index, uint64_t threshold)
{
    lm_word yes = lm_set(0), tied = lm_set(~0u), r[4];
    if (threshold >> 32)
        return tied;
    for (uint32_t draw = 0; draw < 8; draw++) {
        lm_random_words(s, index, draw, r);
        LM_UNROLL
        for (int j = 0; j < 4; j++) {
            if (threshold >> (31 - 4 * draw - j) & 1) {
                yes = lm_or(yes, lm_andnot(r[j], tied));
                tied = lm_and(tied, r[j]);
            } else {
                tied = lm_andnot(r[j], tied);
            }
        }
        if ((uint32_t)(threshold << (4 * draw + 4)) == 0 || !lm_any(tied))
            break;
    }
    return yes;
}

#endif
