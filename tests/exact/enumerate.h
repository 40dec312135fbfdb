/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over all states of a small lattice. */
#ifndef LM_TESTS_ENUMERATE_H
#define LM_TESTS_ENUMERATE_H

#include "tests/exact/ensemble.h"

typedef struct exact_means {
    double mean[QUANTITIES];      /* but for the acceptance */
    double metropolis, heat_bath; /* expected share of sites that one sweep changes */
} exact_means;

static inline void state_spins(unsigned state, int sites, int8_t *s)
{
    for (int i = 0; i < sites; i++)
        s[i] = state >> i & 1 ? 1 : -1;
}

/*
 * At equilibrium every colour's update leaves the distribution as it is, so that each site
 * is offered its change in an equilibrium state: the share of changes is the mean of the
 * probability.
 */
static inline void enumerate_state(const plain *p, unsigned state, double *weight, double *x,
                                   double *rates)
{
    int8_t s[32];
    int up = 0;

    state_spins(state, p->sites, s);
    for (int i = 0; i < p->sites; i++)
        up += s[i];
    x[ENERGY] = plain_energy(p, s) / p->sites;
    x[ENERGY2] = x[ENERGY] * x[ENERGY];
    x[ENERGY4] = x[ENERGY2] * x[ENERGY2];
    x[MAGNETIZATION] = (double)up / p->sites;
    x[ABSOLUTE] = fabs(x[MAGNETIZATION]);
    x[SQUARE] = x[MAGNETIZATION] * x[MAGNETIZATION];
    x[FOURTH] = x[SQUARE] * x[SQUARE];
    *weight = exp(-p->beta * p->sites * x[ENERGY]);
    rates[0] = rates[1] = 0.0;
    for (int i = 0; i < p->sites; i++) {
        const double f = plain_local(p, s, i) + p->field;
        rates[0] +=
            change_probability(LATMC_METROPOLIS, plain_is_loose(p), p->beta, s[i], f) / p->sites;
        rates[1] +=
            change_probability(LATMC_HEATBATH, plain_is_loose(p), p->beta, s[i], f) / p->sites;
    }
}

static inline exact_means enumerate(const plain *p)
{
    exact_means all = {{0}, 0.0, 0.0};
    double z = 0.0;

    assert_true(p->sites <= 20);
    for (unsigned state = 0; state < 1u << p->sites; state++) {
        double weight, x[QUANTITIES], rates[2];
        enumerate_state(p, state, &weight, x, rates);
        z += weight;
        for (int q = 0; q < ACCEPTANCE; q++)
            all.mean[q] += weight * x[q];
        all.metropolis += weight * rates[0];
        all.heat_bath += weight * rates[1];
    }
    for (int q = 0; q < ACCEPTANCE; q++)
        all.mean[q] /= z;
    all.metropolis /= z;
    all.heat_bath /= z;
    return all;
}

#endif
