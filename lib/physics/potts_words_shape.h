/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes sites of the Potts model in words, for code that makes tables for them. */
#ifndef LM_POTTS_WORDS_SHAPE_H
#define LM_POTTS_WORDS_SHAPE_H

#include "lib/physics/specifiers.h"

/* The most states that are kept in words. */
#define LM_POTTS_BORDER 16

/* Kinds of sites, by what a proposal loses of the field: -h, 0, h. */
enum { LM_POTTS_NO_FIELD = 1, LM_POTTS_KINDS = 3 };

/* Blocks of u and of the planes before it; the first block of pairs of bits, and their number. */
enum { LM_POTTS_DRAWS = 8, LM_POTTS_PAIR_DRAW = 8, LM_POTTS_PAIR_DRAWS = 8 };

/* The most blocks of numbers, one number each, for five and more states. */
enum { LM_POTTS_NUMBER_DRAWS = 32 };

/* What a slot has in the table of the heat bath: the bits of two floats. */
enum { LM_POTTS_OF_BETA, LM_POTTS_OF_FIELD, LM_POTTS_OF_SLOT };

/* Returns the binary digits of numbers below `states`. */
LM_EVERYWHERE int lm_potts_digits(int states)
{
    return states > 8 ? 4 : states > 4 ? 3 : states > 2 ? 2 : 1;
}

/* Returns the most numbers that are drawn for a step to another state, for five and more states. If
 * any state may be proposed, the number suffices for p^k <= 1/q. So nothing is proposed at most as
 * often as the present state should be. */
LM_EVERYWHERE int lm_potts_tries(int states, int other)
{
    const int all = 1 << lm_potts_digits(states - 1), refused = all - (states - 1);
    int tries = 1;
    if (other)
        return LM_POTTS_NUMBER_DRAWS;
    for (int left = refused, of = all; left * states > of; left *= refused, of *= all)
        tries++;
    return tries;
}

/* What a replica's sites draw by in the heat bath: |beta|, and its sign times field and
 * couplings. */
typedef struct lm_potts_bath {
    float beta, field, coupling[4];
} lm_potts_bath;

LM_EVERYWHERE lm_potts_bath lm_potts_bath_of(float beta, float field, const double *coupling)
{
    const float sign = beta < 0.0f ? -1.0f : 1.0f;
    lm_potts_bath bath = {sign * beta, sign * field, {0.0f, 0.0f, 0.0f, 0.0f}};
    for (int a = 0; a < 4; a++)
        bath.coupling[a] = sign * (float)coupling[a];
    return bath;
}

/* Returns how many planes a proposal takes before those of u, for up to four states. */
LM_EVERYWHERE int lm_potts_first_bit_planes(int states, int other)
{
    return states == 3 ? 1 : states == 4 && !other ? 2 : 0;
}

#endif
