/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Observables of the Ising model from the sums that a device takes over one replica:
 *
 *   sums[a], a < dims   B_a = sum over the bonds along axis a of sign * s_i * s_j,
 *                       sign being the bond's own coupling with the boundary's sign
 *   sums[dims]          M = sum_i s_i
 *   sums[dims + 1]      number of sites that the last sweep changed
 *
 * Each of these lines is a bundle (lm_model.bundle_begin). Lattices that are kept as bytes
 * (ising_bytes.h) have more sums. Their first bundle ends with the sum of the sites' own fields.
 * Before the changes they have the waves, [axis]: sum_i s_i cos(k x_i), sum_i s_i sin(k x_i). For
 * lattices in words, waves are made of planes (lib/sums/plane_waves.c). This serves C and CUDA.
 * In words all sums are integers below 2^53, and the operations below have one order. So every
 * device gives the same doubles.
 */
#ifndef LM_ISING_OBSERVE_H
#define LM_ISING_OBSERVE_H

#include "lib/physics/specifiers.h"

/* The order of the model's parameters, and of its updates, in every array of them. */
enum { LM_ISING_BETA = 0, LM_ISING_FIELD = 1 };
enum { LM_ISING_METROPOLIS, LM_ISING_HEATBATH, LM_ISING_UPDATES };

/* A spin that may flip freely rests in one of 2^LM_ISING_PUT_OFF cases (ising_rule.h). */
#define LM_ISING_PUT_OFF 6

enum { LM_ISING_BONDS, LM_ISING_SPINS, LM_ISING_WAVES, LM_ISING_CHANGES, LM_ISING_BUNDLES };

/* Returns the first sum of a bundle. For the bundle after the last one it returns the number of
 * sums. */
static inline int lm_ising_bundle_begin(int bundle, int dims)
{
    return bundle == LM_ISING_BONDS   ? 0
           : bundle == LM_ISING_SPINS ? dims
                                      : dims + 1 + (bundle == LM_ISING_BUNDLES);
}

/* Returns E = -(sum_a J_a B_a + h M + F). `fields` is F, the sum over the sites' own fields, or
 * NULL. */
LM_EVERYWHERE_INLINE double lm_ising_energy(int dims, const double *type_coupling, double field,
                                            const double *bonds, double spins, const double *fields)
{
    double total = 0.0;

    for (int a = 0; a < dims; a++)
        total += type_coupling[a] * bonds[a];
    total += field * spins;
    if (fields)
        total += *fields;
    /* 0 - x instead of -x: an energy of zero then has no sign. */
    return 0.0 - total;
}

/* Returns the action. The weight of the sites with these parameters is exp(-action). */
LM_EVERYWHERE_INLINE double lm_ising_action(int dims, const double *type_coupling,
                                            const double *params, const double *bonds, double spins,
                                            const double *fields)
{
    return params[LM_ISING_BETA] *
           lm_ising_energy(dims, type_coupling, params[LM_ISING_FIELD], bonds, spins, fields);
}

#endif
