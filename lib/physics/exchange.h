/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of the parameters of two replicas: K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65,
 * 1604 (1996); doc/trajectory.md, "Slots and exchanges", "Walks". C and CUDA, where LM_SUMS_INLINE
 * are the specifiers of functions that both have.
 *
 * A state of exchanges is LM_STATE_ROWS rows of as many whole numbers as there are slots.
 */
#ifndef LM_EXCHANGE_H
#define LM_EXCHANGE_H

#include "lib/physics/gauss.h"

/* Row by row: */
enum {
    LM_STATE_SLOTS,   /* [replica]: the slot whose parameters it has */
    LM_STATE_HOLDERS, /* [slot]: the replica that has it */
    LM_STATE_WALKS    /* from here on those of lm_walk_row */
};

/* What exchanges have come to since counting began: of each slot, what it was offered with the next
 * one, what came of it, and how often it had a replica that was at the first slot last, or at the
 * last one; of each replica, its round trips, and where its walk is, an lm_end. */
typedef enum lm_walk_row {
    LM_OFFERED,
    LM_ACCEPTED,
    LM_FROM_FIRST,
    LM_FROM_LAST,
    LM_ROUND_TRIPS,
    LM_ENDS, /* behind all counts */
    LM_WALKS
} lm_walk_row;

enum { LM_STATE_ROWS = LM_STATE_WALKS + LM_WALKS };

/* The end of its sample's slots that a replica was at last. */
typedef enum lm_end {
    LM_AT_NONE,
    LM_AT_FIRST,
    LM_AT_LAST,
    LM_ON_RETURN /* at the last one, and at the first one before */
} lm_end;

/* What the sum of the two actions grows by: own are the actions of the sites with the parameters
 * that they have, other those with each other's. */
LM_SUMS_INLINE double lm_exchange_cost(const double own[2], const double other[2])
{
    return (other[0] + other[1]) - (own[0] + own[1]);
}

/* The bits of a double u = (1 + f) 2^e, read as a whole number, are 2^52 (1023 + e + f), and
 * ln u - (e + f) ln 2 = ln(1 + f) - f ln 2 is 0 to 0.05967: a bound from below, to within 1e-12. */
LM_SUMS_INLINE double lm_exchange_ln_bound(const uint32_t words[2])
{
    const double u = (double)(lm_upper_53(words) + 1) * 0x1p-53;
    int64_t bits;

    memcpy(&bits, &u, sizeof bits);
    return ((double)bits * 0x1p-52 - 1023.0) * 0x1.62e42fefa39efp-1;
}

/* With probability min(1, exp(-cost)), to within 2^-53, by two words of random bits. A cost that is
 * not a number is too high. The logarithm is made where its bounds leave it open, which is seldom.
 */
LM_SUMS_INLINE int lm_exchange_accepts(double cost, const uint32_t words[2])
{
    const double most = 0.0 - cost, bound = lm_exchange_ln_bound(words);

    if (bound > most + 1e-9)
        return 0;
    return bound + 0.0597 <= most || lm_ln_uniform(words) <= most;
}

/* A slot and the next one, of a state of so many, change replicas if `yes`. */
LM_SUMS_INLINE void lm_exchange_pair(int64_t *state, int64_t slots, int64_t slot, int yes)
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

/* Where a replica's walk is after it has come to a place among the slots of its sample. */
LM_SUMS_INLINE int64_t lm_walk_end(int64_t before, int64_t place, int64_t each)
{
    if (each > 1 && place == 0)
        return LM_AT_FIRST;
    if (each > 1 && place == each - 1)
        return before == LM_AT_FIRST || before == LM_ON_RETURN ? LM_ON_RETURN : LM_AT_LAST;
    return before;
}

/* After an exchange of a sample's slots, `each` > 1 of them from `first` on: the replicas at both
 * ends have come there. */
LM_SUMS_INLINE void lm_walks_turn(int64_t *state, int64_t slots, int64_t first, int64_t each)
{
    const int64_t *holders = state + LM_STATE_HOLDERS * slots;
    int64_t *walks = state + LM_STATE_WALKS * slots, *ends = walks + LM_ENDS * slots;
    const int64_t a = holders[first], b = holders[first + each - 1];

    walks[LM_ROUND_TRIPS * slots + a] += ends[a] == LM_ON_RETURN;
    ends[a] = lm_walk_end(ends[a], 0, each);
    ends[b] = lm_walk_end(ends[b], each - 1, each);
}

/* Then every slot counts where its replica comes from. */
LM_SUMS_INLINE void lm_walks_count(int64_t *state, int64_t slots, int64_t slot)
{
    int64_t *walks = state + LM_STATE_WALKS * slots;
    const int64_t end = walks[LM_ENDS * slots + state[LM_STATE_HOLDERS * slots + slot]];

    walks[LM_FROM_FIRST * slots + slot] += end == LM_AT_FIRST;
    walks[LM_FROM_LAST * slots + slot] += end > LM_AT_FIRST;
}

#endif
