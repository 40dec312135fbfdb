/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes acceptance probabilities of the Ising model, as integers.
 *
 * A site's neighbours determine its class. A class has a threshold T = round(2^32 p). A uniform
 * 32-bit number u gives the outcome "yes" if u < T. So p is realised to within 2^-33. A move that
 * costs energy has T <= 2^32 - 1, so its error is 2^-32 if p is within 2^-33 of 1.
 *
 * E = -sum_<ij> J_ij s_i s_j - h sum_i s_i (doc/physics-ising.md). The local field of site i is
 * f_i = sum_j J_ij s_j, so flipping s_i costs dE = 2 s_i (f_i + h).
 */
#ifndef LM_ISING_RULE_H
#define LM_ISING_RULE_H

#include "lib/physics/ising_observe.h"
#include "lib/physics/mathfn.h"

/*
 * A flip is free if it hardly changes the energy: |beta dE| < limit. Free flips would be made in
 * nearly every sweep, and whole clusters would flip in step. So Metropolis puts some of them off:
 * it makes them with `factor` of their probability. The flip back has the same |beta dE|, so that
 * detailed balance holds. On loose lattices (doc/physics-ising.md) little else disturbs the sites
 * with free flips. There `limit` is larger and `factor` smaller.
 */
#define LM_ISING_FREE 0.125

/* Returns the factor of a flip's probability, for x = -beta dE. It is 1 unless the flip is free. */
static inline double lm_ising_free_factor(int loose, double x)
{
    static const struct {
        double limit, factor;
    } of[2] = {{1.0 / 64.0, 1.0 - 1.0 / (1 << LM_ISING_PUT_OFF)}, {LM_ISING_FREE, 15.0 / 16.0}};
    return x < of[loose].limit && x > -of[loose].limit ? of[loose].factor : 1.0;
}

/* Returns whether couplings make a replica's lattice loose, because the bonds along the axis are
 * hardly felt. */
static inline int lm_ising_makes_loose(double beta, double coupling)
{
    const double x = 4.0 * beta * coupling;
    return x < LM_ISING_FREE && x > -LM_ISING_FREE;
}

/* Returns Metropolis' threshold. The spin s flips with probability min(1, exp(-beta dE))
 * times lm_ising_free_factor(). */
static inline uint64_t lm_ising_metropolis_threshold(int loose, double beta, int s, double local,
                                                     double h)
{
    const double half_cost = (beta < 0.0 ? -s : s) * (local + h);
    const double x = -2.0 * (beta < 0.0 ? -beta : beta) * half_cost;
    const double p = half_cost > 0.0 ? lm_exp(x) : 1.0;
    const uint64_t t = lm_threshold(lm_ising_free_factor(loose, x) * p);
    return half_cost > 0.0 && t == LM_CERTAIN ? LM_CERTAIN - 1 : t;
}

/* Returns the heat bath's threshold. The new spin is +1 with probability 1 / (1 + exp(-2 beta (f +
 * h))). */
static inline uint64_t lm_ising_heatbath_threshold(double beta, double local, double h)
{
    const double exponent = 2.0 * beta * (local + h);
    if (exponent <= 0.0) {
        const double weight = lm_exp(exponent);
        return lm_threshold(weight / (1.0 + weight));
    }
    return lm_threshold(1.0 / (1.0 + lm_exp(-exponent)));
}

#endif
