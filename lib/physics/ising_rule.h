/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Acceptance probabilities of the Ising model, as integers.
 *
 * A site's neighbours make it a member of a class; a class has a threshold
 * T = round(2^32 p), and a uniform 32-bit number u gives the outcome "yes" iff u < T.
 * So p is realised to within 2^-33; a move that costs energy has T <= 2^32 - 1, which
 * makes that 2^-32 where p is within 2^-33 of 1.
 *
 * E = -sum_<ij> J_ij s_i s_j - h sum_i s_i (doc/physics.md). The local field of site i
 * is f_i = sum_j J_ij s_j, so flipping s_i costs dE = 2 s_i (f_i + h).
 */
#ifndef LM_ISING_RULE_H
#define LM_ISING_RULE_H

#include "lib/physics/ising_observe.h"
#include "lib/physics/mathfn.h"

/*
 * Sites that hardly feel a field flip in nearly every sweep, in step: on loose lattices
 * (doc/physics.md), where few others would disturb them, flips with |beta dE| below this are made
 * 15/16 as often, those back as well, which keeps detailed balance.
 */
#define LM_ISING_WEAK 0.125

/* Whether couplings make a replica's lattice loose: along the axis the bonds are hardly felt. */
static inline int lm_ising_is_weak(double beta, double coupling)
{
    const double x = 4.0 * beta * coupling;
    return x < LM_ISING_WEAK && x > -LM_ISING_WEAK;
}

/* Metropolis: the spin s flips with probability min(1, exp(-beta dE)), times 15/16 as said above.
 */
static inline uint64_t lm_ising_metropolis_threshold(int loose, double beta, int s, double local,
                                                     double h)
{
    const double half_cost = (beta < 0.0 ? -s : s) * (local + h);
    const double x = -2.0 * (beta < 0.0 ? -beta : beta) * half_cost;
    const int weak = loose && x < LM_ISING_WEAK && x > -LM_ISING_WEAK;
    const double p = half_cost > 0.0 ? lm_exp(x) : 1.0;
    const uint64_t t = lm_threshold(weak ? 0.9375 * p : p);
    return half_cost > 0.0 && t == LM_CERTAIN ? LM_CERTAIN - 1 : t;
}

/* Heat bath: the new spin is +1 with probability 1 / (1 + exp(-2 beta (f + h))). */
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
