/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Observables of the Ising model from the sums that a device takes over one replica:
 *
 *   sums[a], a < dims   B_a = sum over the bonds along axis a of sign * s_i * s_j,
 *                       sign being the bond's own coupling with the boundary's sign
 *   sums[dims]          M = sum_i s_i
 *   sums[dims + 1]      number of sites that the last sweep changed
 *
 * Each of these lines is a group (lm_model.group_begin). Of a lattice that is kept as bytes
 * (ising_field.h) the first one ends with the sum of the sites' own fields, and before the changes
 * come the waves, [axis]: sum_i s_i cos(k x_i), sum_i s_i sin(k x_i). Of one that is kept in words
 * these are made of planes (lib/measure/plane_waves.c).
 * C and CUDA, where LM_SUMS_INLINE are the specifiers of functions that both have.
 * In words all sums are integers below 2^53, so that every device gives the same doubles, and the
 * operations below have one order.
 */
#ifndef LM_ISING_OBSERVE_H
#define LM_ISING_OBSERVE_H

#ifndef LM_SUMS_INLINE
#define LM_SUMS_INLINE static inline
#endif

/* The order of the model's parameters wherever they come as an array. */
enum { LM_ISING_BETA = 0, LM_ISING_FIELD = 1 };

enum { LM_ISING_BONDS, LM_ISING_SPINS, LM_ISING_WAVES, LM_ISING_CHANGES, LM_ISING_GROUPS };

/* The first sum of a group; behind the last group, how many sums there are. */
static inline int lm_ising_group_begin(int group, int dims)
{
    return group == LM_ISING_BONDS   ? 0
           : group == LM_ISING_SPINS ? dims
                                     : dims + 1 + (group == LM_ISING_GROUPS);
}

/* E = -(sum_a J_a B_a + h M + F); fields: F, the sum over the sites' own ones, or NULL */
LM_SUMS_INLINE double lm_ising_energy(int dims, const double *axis_coupling, double field,
                                      const double *bonds, double spins, const double *fields)
{
    double total = 0.0;

    for (int a = 0; a < dims; a++)
        total += axis_coupling[a] * bonds[a];
    total += field * spins;
    if (fields)
        total += *fields;
    /* 0 - x instead of -x: an energy of zero has no sign. */
    return 0.0 - total;
}

/* The action: exp(-action) is the weight of the sites with these parameters. */
LM_SUMS_INLINE double lm_ising_action(int dims, const double *axis_coupling, const double *params,
                                      const double *bonds, double spins, const double *fields)
{
    return params[LM_ISING_BETA] *
           lm_ising_energy(dims, axis_coupling, params[LM_ISING_FIELD], bonds, spins, fields);
}

#endif
