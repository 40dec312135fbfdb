/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides whether two replicas exchange their parameters: K. Hukushima and K. Nemoto, J. Phys. Soc.
 * Jpn. 65, 1604 (1996); doc/trajectory.md, "Slots and exchanges", "Walks". It serves C and CUDA.
 */
#ifndef LM_EXCHANGE_RULE_H
#define LM_EXCHANGE_RULE_H

#include "lib/physics/exchange_state.h"
#include "lib/physics/gauss.h"

/* Returns the growth of the sum of the two actions. `own` has the actions with the replicas' own
 * parameters, and `other` those with each other's. */
LM_EVERYWHERE_INLINE double lm_exchange_cost(const double own[2], const double other[2])
{
    return (other[0] + other[1]) - (own[0] + own[1]);
}

/* Returns a lower bound of ln u, up to a rounding error of 1e-12. The bits of a double u = (1 + f)
 * 2^e, read as a whole number, are 2^52 (1023 + e + f). ln u - (e + f) ln 2 = ln(1 + f) - f ln 2 is
 * between 0 and 0.05967. */
LM_EVERYWHERE_INLINE double lm_exchange_ln_bound(const uint32_t words[2])
{
    const double u = (double)(lm_upper_53(words) + 1) * 0x1p-53;
    int64_t bits;

    memcpy(&bits, &u, sizeof bits);
    return ((double)bits * 0x1p-52 - 1023.0) * 0x1.62e42fefa39efp-1;
}

/* Accepts with probability min(1, exp(-cost)), to within 2^-53, by two words of random bits. A cost
 * that is a NaN is refused. The logarithm is computed only if its bounds do not decide, which is
 * seldom. */
LM_EVERYWHERE_INLINE int lm_exchange_accepts(double cost, const uint32_t words[2])
{
    const double most = 0.0 - cost, bound = lm_exchange_ln_bound(words);

    if (bound > most + 1e-9)
        return 0;
    return bound + 0.0597 <= most || lm_ln_uniform(words) <= most;
}

/* Exchanges the replicas of a slot and the next one if `yes`. The state has `slots` slots. */
LM_EVERYWHERE_INLINE void lm_exchange_pair(int64_t *state, int64_t slots, int64_t slot, int yes)
{
    int64_t *of = state + LM_STATE_SLOTS * slots, *holders = state + LM_STATE_HOLDERS * slots;
    int64_t *walks = state + LM_STATE_WALKS * slots;
    const int64_t a = holders[slot], b = holders[slot + 1];

    walks[LM_OFFERED * slots + slot]++;
    walks[LM_ACCEPTED * slots + slot] += yes;
    if (!yes)
        return;
    holders[slot] = b;
    holders[slot + 1] = a;
    of[a] = slot + 1;
    of[b] = slot;
}

/* Returns the state of a replica's walk after it has come to a place among its sample's slots. */
LM_EVERYWHERE_INLINE int64_t lm_walk_end(int64_t before, int64_t place, int64_t each)
{
    if (each > 1 && place == 0)
        return LM_AT_FIRST;
    if (each > 1 && place == each - 1)
        return before == LM_AT_FIRST || before == LM_ON_RETURN ? LM_ON_RETURN : LM_AT_LAST;
    return before;
}

/* Brings walks up to date after an exchange of a sample's slots, `each` > 1 slots from `first` on.
 * The replicas at both ends have arrived there. */
LM_EVERYWHERE_INLINE void lm_walks_turn(int64_t *state, int64_t slots, int64_t first, int64_t each)
{
    const int64_t *holders = state + LM_STATE_HOLDERS * slots;
    int64_t *walks = state + LM_STATE_WALKS * slots, *ends = walks + LM_ENDS * slots;
    const int64_t a = holders[first], b = holders[first + each - 1];

    walks[LM_ROUND_TRIPS * slots + a] += ends[a] == LM_ON_RETURN;
    ends[a] = lm_walk_end(ends[a], 0, each);
    ends[b] = lm_walk_end(ends[b], each - 1, each);
}

/* Counts, for a slot, from which end its replica comes. It follows lm_walks_turn(). */
LM_EVERYWHERE_INLINE void lm_walks_count(int64_t *state, int64_t slots, int64_t slot)
{
    int64_t *walks = state + LM_STATE_WALKS * slots;
    const int64_t end = walks[LM_ENDS * slots + state[LM_STATE_HOLDERS * slots + slot]];

    walks[LM_FROM_FIRST * slots + slot] += end == LM_AT_FIRST;
    walks[LM_FROM_LAST * slots + slot] += end > LM_AT_FIRST;
}

#endif
