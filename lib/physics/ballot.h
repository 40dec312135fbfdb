/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides yes or no for all sites of a word at once, over the lanes of a device. Sites are put into
 * classes, and each class has a threshold. Every site has a random number u of 32 bits. It is
 * compared with the threshold of the site's class, bit by bit.
 *
 * The bonds of a site fall into sets of equal coupling: one set, or one per axis. Each set has a
 * level, a number that the model counts in binary. The levels of all sets make a class. The first
 * set's level varies fastest. Sites may also be of several kinds, by their own state.
 */
#ifndef LM_BALLOT_H
#define LM_BALLOT_H

#include "lib/physics/philox.h"
#include "lib/physics/rule_shape.h"

#define LM_BIT_PLANES 32 /* bits of u and of a threshold */

/* The outcome so far: sites that said yes, and sites that are still tied with their threshold. */
typedef struct lm_ballot {
    lm_word yes;
    lm_word tied;
} lm_ballot;

/* Compares `planes` more bits of u. r and t have the bits, the most significant first. Going from
 * the lowest bit up, the highest bit that differs decides. */
LM_INLINE void lm_ballot_bit_planes(lm_ballot *b, int planes, const lm_word *r, const lm_word *t)
{
    lm_word below = lm_set(0), tied = b->tied;
    LM_UNROLL
    for (int k = planes - 1; k >= 0; k--) {
        below = lm_below(r[k], t[k], below);
        tied = lm_tie(tied, r[k], t[k]);
    }
    b->yes = lm_or(b->yes, lm_and(b->tied, below));
    b->tied = tied;
}

#define LM_MAX_LEVELS 20 /* for all sets together: 4 sets of 5, or 1 of 17 */

typedef struct lm_word_rule {
    lm_rule_shape shape;
    const uint32_t
        *planes; /* [kind][class][33]: the threshold's bits from the top, then "certain" */
} lm_word_rule;

#define LM_RULE_STRIDE (LM_BIT_PLANES + 1)

#define LM_LEVEL_DIGITS 5 /* binary digits of a level */

/* Adds two bits to a number. */
LM_INLINE void lm_count_two(lm_word count[LM_LEVEL_DIGITS], lm_word a, lm_word b)
{
    lm_word rest = lm_majority(count[0], a, b);
    count[0] = lm_xor3(count[0], a, b);
    LM_UNROLL
    for (int j = 1; j < LM_LEVEL_DIGITS; j++) {
        const lm_word carry = lm_and(count[j], rest);
        count[j] = lm_xor(count[j], rest);
        rest = carry;
    }
}

/* Sets by_level[l] to the sites whose level is l. */
LM_INLINE void lm_sites_by_level(const lm_rule_shape *shape, const lm_word count[LM_LEVEL_DIGITS],
                                 lm_word *by_level)
{
    for (int l = 0; l < shape->levels; l++) {
        lm_word m = lm_set(0xFFFFFFFFu);
        LM_UNROLL
        for (int j = 0; j < LM_LEVEL_DIGITS; j++)
            m = l >> j & 1 ? lm_and(m, count[j]) : lm_andnot(count[j], m);
        by_level[l] = m;
    }
}

/* Returns the sites, among `some`, whose class has the number q after the level of the first set is
 * removed. */
LM_INLINE lm_word lm_classes_beyond(const lm_rule_shape *shape, const lm_word *by_level, int q,
                                    lm_word some)
{
    for (int set = 1; set < shape->sets; set++) {
        some = lm_and(some, by_level[set * shape->levels + q % shape->levels]);
        q /= shape->levels;
    }
    return some;
}

/* Returns the sites of class q, among `some`. */
LM_INLINE lm_word lm_class_of(const lm_rule_shape *shape, const lm_word *by_level, int q,
                              lm_word some)
{
    const int beyond = q / shape->levels, level = q % shape->levels;
    return lm_and(lm_classes_beyond(shape, by_level, beyond, some), by_level[level]);
}

/* Sets t[0 .. n-1] to bits first .. first + n - 1 of every site's threshold. kind[k] has the sites
 * of kind k. There are `kinds` kinds, whose planes begin at number 0. */
LM_INLINE void lm_gather_bit_planes(const lm_word_rule *rule, const lm_word *by_level,
                                    const lm_word *kind, int kinds, int first, int n, lm_word *t)
{
    const uint32_t *planes = rule->planes + first;
    for (int k = 0; k < n; k++)
        t[k] = lm_set(0);
    const int beyond = rule->shape.classes / rule->shape.levels;
    for (int own = 0; own < kinds; own++)
        for (int q = 0; q < beyond; q++) {
            const lm_word some = lm_classes_beyond(&rule->shape, by_level, q, kind[own]);
            for (int l = 0; l < rule->shape.levels; l++, planes += LM_RULE_STRIDE) {
                const lm_word m = lm_and(some, by_level[l]);
                for (int k = 0; k < n; k++)
                    t[k] = lm_or(t[k], lm_and(m, lm_set(planes[k])));
            }
        }
}

#endif
