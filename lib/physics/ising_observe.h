/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Observables of the Ising model from the sums that a device takes over one replica:
 *
 *   sums[a], a < dims   B_a = sum over the bonds along axis a of sign * s_i * s_j,
 *                       sign being the bond's own coupling with the boundary's sign
 *   sums[dims]          M = sum_i s_i
 *   sums[dims + 1]      number of sites that the last sweep changed
 *
 * All sums are integers below 2^53, so that every device gives the same doubles, and the
 * operations below have one order.
 */
#ifndef LM_ISING_OBSERVE_H
#define LM_ISING_OBSERVE_H

static inline int lm_ising_sums(int dims)
{
    return dims + 2;
}

/* e = -(sum_a J_a B_a + h M) / N */
static inline double lm_ising_energy(int dims, const double *axis_coupling, double field,
                                     double sites, const double *sums)
{
    double total = 0.0;

    for (int a = 0; a < dims; a++)
        total += axis_coupling[a] * sums[a];
    total += field * sums[dims];
    /* 0 - x instead of -x: an energy of zero has no sign. */
    return (0.0 - total) / sites;
}

/* m = M / N */
static inline double lm_ising_magnetization(int dims, double sites, const double *sums)
{
    return sums[dims] / sites;
}

/* The share of sites that the last sweep changed. */
static inline double lm_ising_acceptance(int dims, double sites, const double *sums)
{
    return sums[dims + 1] / sites;
}

#endif
