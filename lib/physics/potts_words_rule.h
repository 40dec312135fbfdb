/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes acceptance probabilities of the Potts model in words, as integers:
 * doc/trajectory-potts.md, "Sites in words". */
#ifndef LM_POTTS_WORDS_RULE_H
#define LM_POTTS_WORDS_RULE_H

#include "lib/physics/mathfn.h"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_words_shape.h"

/* Returns the probability that a step to another state is drawn. */
static inline double lm_potts_offered(int states, int update)
{
    const int all = 1 << lm_potts_digits(states - 1);
    double none = 1.0;
    if (states <= 4)
        return 1.0;
    for (int k = lm_potts_tries(states, update == LM_POTTS_OTHER); k > 0; k--)
        none = none * ((double)(all - (states - 1)) / (double)all);
    return 1.0 - none;
}

/* Returns the factor of the acceptance. It is below 1 for proposals that are made more often than
 * they should be. It is also below 1 for two states, because the other state would always be taken
 * in step if nothing speaks against it. */
static inline double lm_potts_share(int states, int update)
{
    if (update == LM_POTTS_OTHER)
        return states == 2 ? 15.0 / 16.0 : 1.0;
    return states == 4 ? 1.0
                       : (double)(states - 1) / (double)states / lm_potts_offered(states, update);
}

/* Returns the threshold of a move that costs energy. It is accepted with probability share min(1,
 * exp(-beta cost)). */
static inline uint64_t lm_potts_threshold(double share, double beta, double cost)
{
    const double x = 0.0 - beta * cost;
    if (!(x < 0.0))
        return lm_threshold(share);
    const uint64_t t = lm_threshold(share * lm_exp(x));
    return t == LM_CERTAIN ? LM_CERTAIN - 1 : t;
}

#endif
