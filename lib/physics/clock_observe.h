/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the clock model's parameters and sums, and computes its observables, for host and devices
 * (doc/trajectory-clock.md). State k is a vector at the angle 2 pi k / q, whose components are in
 * the model's table.
 */
#ifndef LM_CLOCK_OBSERVE_H
#define LM_CLOCK_OBSERVE_H

#include "lib/physics/states_rule.h"
#include "lib/physics/structure.h"
#include "lib/physics/sums.h"

/* The table has LM_CLOCK_MOST cosines, then as many sines. */
enum { LM_CLOCK_LEAST = 2, LM_CLOCK_MOST = 64, LM_CLOCK_TABLE = 2 * LM_CLOCK_MOST };

/* The order of the model's parameters, and of its updates, in every array of them. */
enum { LM_CLOCK_BETA = LM_STATES_BETA, LM_CLOCK_FIELD = LM_STATES_FIELD };
enum { LM_CLOCK_METROPOLIS, LM_CLOCK_HEATBATH, LM_CLOCK_UPDATES };

/* Kinds of lattices (field.h) by their static values. The first ones are the bonds' own couplings,
 * one for each axis, if some are not 1 or are missing, as beyond an open end. The site's own field
 * follows. */
enum { LM_CLOCK_PLAIN, LM_CLOCK_COUPLED, LM_CLOCK_IN_FIELDS };

/* ---- measurements */

/* Bundles: along each axis K s . s' of the bonds upward, then G s_0 and s_0; of each
 * component along each axis cosine and sine; along each axis K s . s', then along each K s x s';
 * the number of sites in each state; the number of sites that the last sweep changed. */
enum {
    LM_CLOCK_BONDS,
    LM_CLOCK_WAVES,
    LM_CLOCK_TWISTS,
    LM_CLOCK_STATES,
    LM_CLOCK_CHANGES,
    LM_CLOCK_BUNDLES
};

/* Returns the first sum of a bundle. For the bundle after the last one it returns the number of
 * sums. */
LM_EVERYWHERE_INLINE int lm_clock_bundle_begin(int states, int bundle, int dims)
{
    return bundle == LM_CLOCK_BONDS    ? 0
           : bundle == LM_CLOCK_WAVES  ? dims + 2
           : bundle == LM_CLOCK_TWISTS ? 5 * dims + 2
           : bundle == LM_CLOCK_STATES ? 7 * dims + 2
                                       : 7 * dims + 2 + states + bundle - LM_CLOCK_CHANGES;
}

LM_EVERYWHERE_INLINE int lm_clock_bundle_reads(int bundle)
{
    return bundle == LM_CLOCK_WAVES ? LM_READS_WAVES : LM_READS_ABOVE | LM_READS_FIXED;
}

/* Returns s . s' of the bond upward along an axis, and s x s', where s is the site's own vector. */
LM_EVERYWHERE_INLINE double lm_clock_along(const lm_around *at, int axis)
{
    const double *const s = at->table + (int)at->own[0];
    const double *const up = at->table + (int)at->neighbour[2 * axis + 1];
    return s[0] * up[0] + s[LM_CLOCK_MOST] * up[LM_CLOCK_MOST];
}

LM_EVERYWHERE_INLINE double lm_clock_cross(const lm_around *at, int axis)
{
    const double *const s = at->table + (int)at->own[0];
    const double *const up = at->table + (int)at->neighbour[2 * axis + 1];
    return s[0] * up[LM_CLOCK_MOST] - s[LM_CLOCK_MOST] * up[0];
}

/* Computes what one site adds to the sums of a bundle. Bundles that the engine counts are left
 * out. */
LM_EVERYWHERE_INLINE void lm_clock_site_sums(int bundle, int dims, const lm_around *at, double *add)
{
    const double *const s = at->table + (int)at->own[0];
    double *const to = add + lm_clock_bundle_begin(0, bundle, dims);
    if (bundle == LM_CLOCK_WAVES) {
        for (int k = 0; k < 2 * dims; k++) {
            to[k] = s[0] * at->wave[k];
            to[2 * dims + k] = s[LM_CLOCK_MOST] * at->wave[k];
        }
        return;
    }
    for (int a = 0; a < dims; a++)
        to[a] = at->fixed[a] * lm_clock_along(at, a);
    if (bundle == LM_CLOCK_TWISTS) {
        for (int a = 0; a < dims; a++)
            to[dims + a] = at->fixed[a] * lm_clock_cross(at, a);
        return;
    }
    to[dims] = at->fixed[dims] * s[0];
    to[dims + 1] = s[0];
}

/* Returns E = -(sum_a J_a B_a + (h M_0 + F)) from the sums of bonds. */
LM_EVERYWHERE_INLINE double lm_clock_energy(int dims, const double *type_coupling, double field,
                                            const double *sums)
{
    double total = type_coupling[0] * sums[0];
    for (int a = 1; a < dims; a++)
        total = total + type_coupling[a] * sums[a];
    total = total + (field * sums[dims + 1] + sums[dims]);
    /* 0 - x instead of -x: an energy of zero then has no sign. */
    return 0.0 - total;
}

/* Returns the action. The weight of the sites with these parameters is exp(-action). */
LM_EVERYWHERE_INLINE double lm_clock_action(int dims, const double *type_coupling,
                                            const double *params, const double *sums)
{
    return params[LM_CLOCK_BETA] *
           lm_clock_energy(dims, type_coupling, params[LM_CLOCK_FIELD], sums);
}

#ifndef __CUDACC__

/* Returns a component of m from the number of sites in each state and the states' components. */
static inline double lm_clock_moment(int states, double sites, const double *count,
                                     const double *component)
{
    double sum = 0.0;
    for (int t = 0; t < states; t++)
        sum = sum + count[t] * component[t];
    return sum / sites;
}

/* Returns the quantity whose mean is the helicity modulus along an axis: S. Teitel and C.
 * Jayaprakash, Phys. Rev. B 27, 598 (1983). */
static inline double lm_clock_helicity(int dims, int axis, double type_coupling, double beta,
                                       double sites, const double *twists)
{
    if (axis >= dims)
        return 0.0;
    const double turn = type_coupling * twists[dims + axis];
    return (type_coupling * twists[axis] - beta * (turn * turn)) / sites;
}

#endif

#endif
