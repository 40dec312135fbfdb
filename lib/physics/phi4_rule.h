/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the phi^4 model's numbers: doc/trajectory-phi4.md, "The phi^4 model". Everything but
 * their order is for the host only.
 *
 * As a function of one site's field, H is a2 phi^2 + g4 phi^4 + b phi, where b comes from the
 * neighbours. With K the adjacency and D the degrees, the lattice Laplacian is K - D. So the
 * coefficient of phi^2 / 2 is mu2 + D + inv_lambda (D^2 + D).
 */
#ifndef LM_PHI4_RULE_H
#define LM_PHI4_RULE_H

#include <math.h>
#include <stdint.h>

/* The order of the model's parameters in every array of them. */
enum {
    LM_PHI4_MU2 = 0,
    LM_PHI4_G = 1,
    LM_PHI4_INV_LAMBDA = 2,
    LM_PHI4_FIELD = 3,
    LM_PHI4_EPSILON = 4,
    LM_PHI4_HITS = 5,
    LM_PHI4_LOCAL_SWEEPS = 6
};

#ifndef __CUDACC__

/* The order of the model's updates, and what distinguishes them. */
enum { LM_PHI4_METROPOLIS, LM_PHI4_BLOCK_METROPOLIS, LM_PHI4_OVERRELAX, LM_PHI4_UPDATES };

typedef struct lm_phi4_update {
    int reflects; /* 1: the update makes one reflection instead of `hits` proposals */
    int tiles;    /* 1: the update goes tile by tile, not colour by colour */
} lm_phi4_update;

static inline lm_phi4_update lm_phi4_update_of(int update)
{
    static const lm_phi4_update all[LM_PHI4_UPDATES] = {
        [LM_PHI4_BLOCK_METROPOLIS] = {.tiles = 1},
        [LM_PHI4_OVERRELAX] = {.reflects = 1},
    };
    return all[update];
}

enum { LM_PHI4_MAX_DEGREE = 8, LM_PHI4_MAX_HITS = 64, LM_PHI4_MAX_LOCAL_SWEEPS = 255 };

/* Returns what an antiperiodic axis adds to the least eigenvalue of minus the Laplacian. It has no
 * constant mode. Other axes add 0. */
static inline double lm_phi4_least_momentum2(double extent)
{
    const double half = sin(acos(-1.0) / (2.0 * extent));
    return 4.0 * half * half;
}

/* Returns whether exp(-H) has an integral. k2 is the least eigenvalue of minus the Laplacian. */
static inline int lm_phi4_has_integral(const double *params, double k2)
{
    return params[LM_PHI4_G] > 0.0 ||
           params[LM_PHI4_MU2] + k2 + params[LM_PHI4_INV_LAMBDA] * k2 * k2 > 0.0;
}

/* Coefficients of one replica, in doubles. A device rounds them to its sites' type. */
typedef struct lm_phi4_rule {
    double epsilon, kappa, field; /* kappa = inv_lambda; field is h */
    double g4;                    /* g / 24 */
    /* These depend on the site's degree, its number of bonds: */
    double a2[LM_PHI4_MAX_DEGREE + 1];      /* half the coefficient of phi^2 / 2 */
    double s1[LM_PHI4_MAX_DEGREE + 1];      /* coefficient of the sum over the neighbours, without
                                               open axes */
    double s1_open[LM_PHI4_MAX_DEGREE + 1]; /* the same with open axes */
    double centre[LM_PHI4_MAX_DEGREE + 1];  /* the quadratic part's minimum is at centre b / 2 */
    int hits, local_sweeps;
} lm_phi4_rule;

/* Makes an lm_phi4_rule. values[p * stride] is parameter p of the replica. */
static inline void lm_phi4_make_rule(const double *values, int64_t stride,
                                     const double *type_coupling, int states, void *rule)
{
    (void)type_coupling;
    (void)states;
    const double mu2 = values[LM_PHI4_MU2 * stride], g = values[LM_PHI4_G * stride];
    lm_phi4_rule r = {.epsilon = values[LM_PHI4_EPSILON * stride],
                      .kappa = values[LM_PHI4_INV_LAMBDA * stride],
                      .field = values[LM_PHI4_FIELD * stride],
                      .g4 = g / 24.0,
                      .hits = (int)values[LM_PHI4_HITS * stride],
                      .local_sweeps = (int)values[LM_PHI4_LOCAL_SWEEPS * stride]};
    for (int d = 0; d <= LM_PHI4_MAX_DEGREE; d++) {
        const double a = mu2 + d + r.kappa * (d * d + d);
        r.a2[d] = a / 2.0;
        r.s1[d] = -(1.0 + 2.0 * r.kappa * d);
        r.s1_open[d] = -(1.0 + r.kappa * d);
        r.centre[d] = a != 0.0 ? -2.0 / a : 0.0;
    }
    *(lm_phi4_rule *)rule = r;
}

/* Returns the proposals for each site in a sweep. */
static inline double lm_phi4_proposals(const void *rule, int update)
{
    const lm_phi4_rule *r = rule;
    const lm_phi4_update u = lm_phi4_update_of(update);
    const double hits = r->hits;
    return u.reflects ? 1.0 : u.tiles ? hits * r->local_sweeps : hits;
}

#endif
#endif
