/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes sites of several digits, over words. Word k has digit k of the word's sites. Models of
 * such sites (Potts, Blume-Capel) share this beside ballots (ballot.h).
 */
#ifndef LM_DIGITS_H
#define LM_DIGITS_H

#include "lib/physics/ballot.h"

enum { LM_DIGIT_SLOTS = 8, LM_MAX_DIGITS = 4 };

/* A word's sites and their surroundings: the digits, and for each bond the digits of the site
 * beyond it, whether its coupling is turned, and whether the bond is missing. */
typedef struct lm_digit_sites {
    lm_word own[LM_MAX_DIGITS], around[LM_DIGIT_SLOTS][LM_MAX_DIGITS];
    lm_word sign[LM_DIGIT_SLOTS], gone[LM_DIGIT_SLOTS];
} lm_digit_sites;

/* A count for sums: the one-bits of `all`, minus twice the one-bits of `turned`. `turned` is a part
 * of `all`. */
typedef struct lm_digit_count {
    lm_word all, turned;
} lm_digit_count;

/* Returns the count of a bond, with its coupling's sign and gap. */
LM_INLINE lm_digit_count lm_digit_bond(lm_digit_count t, lm_word sign, lm_word gone)
{
    const lm_word all = lm_andnot(gone, t.all);
    const lm_digit_count there = {all, lm_and(all, lm_xor(t.turned, sign))};
    return there;
}

/* Sets by_level[l] to the sites of `some` whose level is l < levels. `levels` is known to the
 * compiler. */
LM_INLINE void lm_plain_by_level(int levels, const lm_word count[LM_LEVEL_DIGITS], lm_word some,
                                 lm_word *by_level)
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
        by_level[l] = lm_and(low[l % 4], high[l / 4]);
}

#endif
