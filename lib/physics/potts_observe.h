/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the Potts model's parameters, updates and sums, and computes its observables, for host and
 * devices, in every representation (doc/trajectory-potts.md).
 */
#ifndef LM_POTTS_OBSERVE_H
#define LM_POTTS_OBSERVE_H

#include <stdint.h>

#include "lib/physics/specifiers.h"
#include "lib/physics/states_rule.h"

enum { LM_POTTS_LEAST = 2, LM_POTTS_MOST = 256 };

/* The order of the model's parameters, and of its updates, in every array of them. */
enum { LM_POTTS_BETA = LM_STATES_BETA, LM_POTTS_FIELD = LM_STATES_FIELD };
enum { LM_POTTS_METROPOLIS, LM_POTTS_OTHER, LM_POTTS_HEATBATH, LM_POTTS_UPDATES };

/* Bundles: along each axis K delta(s, s') of the bonds upward, then G delta(s, 0) and
 * delta(s, 0); the number of sites in each state; the number of sites that the last sweep
 * changed. */
enum { LM_POTTS_BONDS, LM_POTTS_STATES, LM_POTTS_CHANGES, LM_POTTS_BUNDLES };

/* Returns the first sum of a bundle. For bundle LM_POTTS_BUNDLES it returns the number of
 * sums. */
LM_EVERYWHERE_INLINE int lm_potts_bundle_begin(int states, int bundle, int dims)
{
    return bundle == LM_POTTS_BONDS    ? 0
           : bundle == LM_POTTS_STATES ? dims + 2
                                       : dims + 2 + states + bundle - LM_POTTS_CHANGES;
}

/* Returns E = -(sum_a J_a B_a + h N_0 + F) from the sums of bonds. */
LM_EVERYWHERE_INLINE double lm_potts_energy(int dims, const double *type_coupling, double field,
                                            const double *sums)
{
    const double *fields = sums + dims; /* the sum of own fields, then the number of sites that the
                                           uniform field acts on */
    double total = type_coupling[0] * sums[0];
    for (int a = 1; a < dims; a++)
        total = total + type_coupling[a] * sums[a];
    total = total + field * fields[1];
    total = total + fields[0];
    /* 0 - x instead of -x: an energy of zero then has no sign. */
    return 0.0 - total;
}

/* Returns the action. The weight of the sites with these parameters is exp(-action). */
LM_EVERYWHERE_INLINE double lm_potts_action(int dims, const double *type_coupling,
                                            const double *params, const double *sums)
{
    return params[LM_POTTS_BETA] *
           lm_potts_energy(dims, type_coupling, params[LM_POTTS_FIELD], sums);
}

#ifndef __CUDACC__

/* count[a] is the number of sites in state a, of `sites`. The functions below use q count[a] - N,
 * which is not rounded. */

/* Returns (q max_a rho_a - 1) / (q - 1). */
static inline double lm_potts_order(int states, double sites, const double *count)
{
    double most = count[0];
    for (int a = 1; a < states; a++)
        most = count[a] > most ? count[a] : most;
    return ((double)states * most - sites) / ((double)(states - 1) * sites);
}

/* Returns sum_a (q rho_a - 1)^2 / (q (q - 1)), the square of the mean of vectors to the corners of
 * a simplex. */
static inline double lm_potts_square(int states, double sites, const double *count)
{
    double square = 0.0;
    for (int a = 0; a < states; a++) {
        const double x = ((double)states * count[a] - sites) / sites;
        square = square + x * x;
    }
    return square / (double)(states * (states - 1));
}

#endif
#endif
