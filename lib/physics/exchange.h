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

/* The bits of a double u = (1 + f) 2^e, read as a whole number, are 2^52 (1023 + e + f), and
 * ln u - (e + f) ln 2 = ln(1 + f) - f ln 2 is 0 to 0.05967: a bound from below, to within 1e-12. */
static inline double lm_exchange_ln_bound(const uint32_t words[2])
{
    const double u = (double)(lm_upper_53(words) + 1) * 0x1p-53;
    int64_t bits;

    memcpy(&bits, &u, sizeof bits);
    return ((double)bits * 0x1p-52 - 1023.0) * 0x1.62e42fefa39efp-1;
}

/* With probability min(1, exp(-cost)), to within 2^-53, by two words of random bits. A cost that is
 * not a number is too high. The logarithm is made where its bounds leave it open, which is seldom.
 */
static inline int lm_exchange_accepts(double cost, const uint32_t words[2])
{
    const double most = 0.0 - cost, bound = lm_exchange_ln_bound(words);

    if (bound > most + 1e-9)
        return 0;
    return bound + 0.0597 <= most || lm_ln_uniform(words) <= most;
}

#endif
