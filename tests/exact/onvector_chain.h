/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open chains of n = 2, 3, 4 components in a uniform field, by a transfer operator. A site is at
 * the angle theta from the field with the measure sin(theta)^(n - 2); its other angles matter by
 * the bonds alone, each of which comes to the mean of exp(x u), u being a component of a direction
 * in n - 1 dimensions and x = beta J sin(theta) sin(theta').
 */
#ifndef LM_TESTS_ONVECTOR_CHAIN_H
#define LM_TESTS_ONVECTOR_CHAIN_H

#include <math.h>

enum { CHAIN_NODES = 40 };

typedef struct vector_chain {
    int n, sites;
    double coupling, beta, field;
} vector_chain;

/* cosh x, I_0(x), sinh(x) / x. */
static inline double mean_across(int n, double x)
{
    double term = 1.0, sum = 1.0;

    for (int k = 1; k < 40; k++) {
        term *= x * x /
                (n == 2   ? (2.0 * k - 1.0) * 2.0 * k
                 : n == 3 ? 4.0 * k * k
                          : 2.0 * k * (2.0 * k + 1.0));
        sum += term;
    }
    return sum;
}

/* Gauss and Legendre's nodes in (0, pi), by Newton's method on the polynomial of that degree. */
static inline void chain_nodes(double *theta, double *weight)
{
    for (int i = 0; i < CHAIN_NODES; i++) {
        double x = cos(acos(-1.0) * (i + 0.75) / (CHAIN_NODES + 0.5)), slope = 1.0;

        for (int step = 0; step < 20; step++) {
            double p = x, before = 1.0;

            for (int k = 2; k <= CHAIN_NODES; k++) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = CHAIN_NODES * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        theta[i] = acos(-1.0) / 2.0 * (1.0 - x);
        weight[i] = acos(-1.0) / ((1.0 - x * x) * slope * slope);
    }
}

/* Of the sum over all states, but for a factor. */
static inline double chain_logarithm(const vector_chain *c)
{
    double theta[CHAIN_NODES], weight[CHAIN_NODES], v[CHAIN_NODES], sum = 0.0;

    chain_nodes(theta, weight);
    for (int i = 0; i < CHAIN_NODES; i++) {
        weight[i] *= pow(sin(theta[i]), c->n - 2) * exp(c->beta * c->field * cos(theta[i]));
        v[i] = weight[i];
    }
    for (int site = 1; site < c->sites; site++) {
        double next[CHAIN_NODES];

        for (int i = 0; i < CHAIN_NODES; i++) {
            next[i] = 0.0;
            for (int j = 0; j < CHAIN_NODES; j++) {
                const double k = c->beta * c->coupling;
                next[i] += weight[i] * v[j] * exp(k * cos(theta[i]) * cos(theta[j])) *
                           mean_across(c->n, k * sin(theta[i]) * sin(theta[j]));
            }
        }
        for (int i = 0; i < CHAIN_NODES; i++)
            v[i] = next[i];
    }
    for (int i = 0; i < CHAIN_NODES; i++)
        sum += v[i];
    return log(sum);
}

/* E and the component along the field, per site: derivatives of the logarithm. */
static inline double chain_energy(const vector_chain *c)
{
    const double step = 1e-4;
    vector_chain more = *c, less = *c;

    more.beta += step;
    less.beta -= step;
    return (chain_logarithm(&less) - chain_logarithm(&more)) / (2.0 * step) / c->sites;
}

static inline double chain_along(const vector_chain *c)
{
    const double step = 1e-4;
    vector_chain more = *c, less = *c;

    more.field += step;
    less.field -= step;
    return (chain_logarithm(&more) - chain_logarithm(&less)) / (2.0 * step) / c->beta / c->sites;
}

#endif
