/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of the parameters of two replicas: K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65,
 * 1604 (1996); doc/trajectory.md, "Slots and exchanges". For the host.
 */
#ifndef LM_EXCHANGE_H
#define LM_EXCHANGE_H

#include "lib/physics/gauss.h"

/* What the sum of the two actions grows by: own are the actions of the sites with the parameters
 * that they have, other those with each other's. */
static inline double lm_exchange_cost(const double own[2], const double other[2])
{
    return (other[0] + other[1]) - (own[0] + own[1]);
}

/* Whatever the random bits are: ln u <= 0 for every u in (0, 1]. */
static inline int lm_exchange_is_sure(double cost)
{
    return cost <= 0.0;
}

/* With probability min(1, exp(-cost)), to within 2^-53, by two words of random bits. A cost that is
 * not a number is too high. */
static inline int lm_exchange_accepts(double cost, const uint32_t words[2])
{
    return lm_ln_uniform(words) <= 0.0 - cost;
}

#endif
