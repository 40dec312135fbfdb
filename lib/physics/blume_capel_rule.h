/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the probabilities of the Blume-Capel model as integers:
 * doc/trajectory-blume-capel.md. */
#ifndef LM_BLUME_CAPEL_RULE_H
#define LM_BLUME_CAPEL_RULE_H

#include "lib/physics/blume_capel_shape.h"
#include "lib/physics/mathfn.h"

/* A slot's parameters. The field along a spin is the sum of its neighbours and h. */
typedef struct lm_blume_capel_slot {
    double beta, crystal_field, field;
} lm_blume_capel_slot;

/* Returns the threshold of a move, which is accepted with probability min(1, exp(-beta dE)). */
static inline uint64_t lm_blume_capel_threshold(const lm_blume_capel_slot *slot, int move,
                                                double local)
{
    static const struct {
        int step, nonzero; /* t - s, t^2 - s^2 */
    } moves[LM_BLUME_CAPEL_MOVES] = {
        [LM_BLUME_CAPEL_TO_UP] = {1, 1},     [LM_BLUME_CAPEL_TO_DOWN] = {-1, 1},
        [LM_BLUME_CAPEL_FROM_UP] = {-1, -1}, [LM_BLUME_CAPEL_FROM_DOWN] = {1, -1},
        [LM_BLUME_CAPEL_UP_DOWN] = {-2, 0},  [LM_BLUME_CAPEL_DOWN_UP] = {2, 0}};
    const double cost = (0.0 - moves[move].step * (local + slot->field)) +
                        moves[move].nonzero * slot->crystal_field;
    const double x = 0.0 - slot->beta * cost;
    if (!(x < 0.0))
        return LM_CERTAIN;
    const uint64_t t = lm_threshold(lm_exp(x));
    return t == LM_CERTAIN ? LM_CERTAIN - 1 : t;
}

/* Returns 1 / (1 + e^-x / by), by > 0: the share of e^x by beside 1. */
static inline double lm_blume_capel_logistic(double x, double by)
{
    if (x > 0.0)
        return 1.0 / (1.0 + lm_exp(0.0 - x) / by);
    const double odds = lm_exp(x) * by;
    return odds / (1.0 + odds);
}

/* Returns the heat bath's threshold that the new spin is not 0, or that it is -1 if it is not 0. */
static inline uint64_t lm_blume_capel_choice(const lm_blume_capel_slot *slot, int choice,
                                             double local)
{
    const double x = slot->beta * (local + slot->field), y = slot->beta * slot->crystal_field;
    const double along = x < 0.0 ? 0.0 - x : x;
    if (choice == LM_BLUME_CAPEL_NEGATIVE)
        return lm_threshold(lm_blume_capel_logistic(0.0 - 2.0 * x, 1.0));
    return lm_threshold(lm_blume_capel_logistic(along - y, 1.0 + lm_exp(0.0 - 2.0 * along)));
}

#endif
