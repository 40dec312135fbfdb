/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the Blume-Capel model's parameters, updates and sums, and computes its observables, for
 * host and devices (doc/trajectory-blume-capel.md).
 */
#ifndef LM_BLUME_CAPEL_OBSERVE_H
#define LM_BLUME_CAPEL_OBSERVE_H

#include "lib/physics/specifiers.h"

/* The order of the model's parameters, and of its updates, in every array of them. */
enum {
    LM_BLUME_CAPEL_BETA,
    LM_BLUME_CAPEL_CRYSTAL_FIELD,
    LM_BLUME_CAPEL_FIELD,
    LM_BLUME_CAPEL_PARAMS
};
enum { LM_BLUME_CAPEL_METROPOLIS, LM_BLUME_CAPEL_HEATBATH, LM_BLUME_CAPEL_UPDATES };

/* Bundles: along each axis K s s' of the bonds upward; s and s^2; the number of sites that
 * the last sweep changed. */
enum { LM_BLUME_CAPEL_BONDS, LM_BLUME_CAPEL_SPINS, LM_BLUME_CAPEL_CHANGES, LM_BLUME_CAPEL_BUNDLES };

/* Returns the first sum of a bundle. For bundle LM_BLUME_CAPEL_BUNDLES it returns the number of
 * sums. */
LM_EVERYWHERE_INLINE int lm_blume_capel_bundle_begin(int bundle, int dims)
{
    return bundle == LM_BLUME_CAPEL_BONDS   ? 0
           : bundle == LM_BLUME_CAPEL_SPINS ? dims
                                            : dims + 2 + bundle - LM_BLUME_CAPEL_CHANGES;
}

/* Returns E = -(sum_a J_a B_a - D Q + h M) from the sums of bonds and of spins. */
LM_EVERYWHERE_INLINE double lm_blume_capel_energy(int dims, const double *type_coupling,
                                                  const double *params, const double *sums)
{
    double total = type_coupling[0] * sums[0];
    for (int a = 1; a < dims; a++)
        total = total + type_coupling[a] * sums[a];
    total = total - params[LM_BLUME_CAPEL_CRYSTAL_FIELD] * sums[dims + 1];
    total = total + params[LM_BLUME_CAPEL_FIELD] * sums[dims];
    /* 0 - x instead of -x: an energy of zero then has no sign. */
    return 0.0 - total;
}

/* Returns the action. The weight of the sites with these parameters is exp(-action). */
LM_EVERYWHERE_INLINE double lm_blume_capel_action(int dims, const double *type_coupling,
                                                  const double *params, const double *sums)
{
    return params[LM_BLUME_CAPEL_BETA] * lm_blume_capel_energy(dims, type_coupling, params, sums);
}

#endif
