/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the parameters and sums of the O(n) vector model, n = 2, 3, 4, and computes its
 * observables, for host and devices. Every operation is rounded once (doc/trajectory-onvector.md).
 */
#ifndef LM_ONVECTOR_OBSERVE_H
#define LM_ONVECTOR_OBSERVE_H

#include <stdint.h>

#include "lib/physics/pair_sums.h"
#include "lib/physics/sums.h"

enum { LM_ONVECTOR_LEAST = 2, LM_ONVECTOR_MOST = 4, LM_ONVECTOR_MAX_HITS = 64 };

/* The order of the model's parameters, and of its updates, in every array of them. */
enum { LM_ONVECTOR_BETA, LM_ONVECTOR_FIELD, LM_ONVECTOR_EPSILON, LM_ONVECTOR_HITS };
enum { LM_ONVECTOR_METROPOLIS, LM_ONVECTOR_OVERRELAX, LM_ONVECTOR_HEATBATH, LM_ONVECTOR_UPDATES };

/* Kinds of lattices (field.h) by their static values: the bonds' own couplings, one for each axis;
 * then the site's own field. */
enum { LM_ONVECTOR_PLAIN, LM_ONVECTOR_COUPLED, LM_ONVECTOR_IN_FIELDS };

/* Coefficients of a replica: in doubles, and in CUDA also rounded to the sites' type. */
#define LM_ONVECTOR_RULE_OF(T, name)                                                               \
    typedef struct name {                                                                          \
        T beta, field, epsilon, coupling[4];                                                       \
        int hits;                                                                                  \
    } name
LM_ONVECTOR_RULE_OF(double, lm_onvector_rule);

/* ---- measurements */

/* Bundles: J K s.s' of all bonds (lm_onvector_bonds() of onvector.h); G s_last, and s_last;
 * the components; of each along each axis cosine and sine; for n = 2, along each axis K s.s', then
 * along each K s x s' of the bonds upward, and in two dimensions plaquettes with a vortex; for n =
 * 3, along each axis moduli of chiralities; accepted proposals. */
enum {
    LM_ONVECTOR_BONDS,
    LM_ONVECTOR_FIELDS,
    LM_ONVECTOR_MOMENTS,
    LM_ONVECTOR_WAVES,
    LM_ONVECTOR_TWISTS,
    LM_ONVECTOR_VORTICES,
    LM_ONVECTOR_CHIRALITY,
    LM_ONVECTOR_ACCEPTED,
    LM_ONVECTOR_BUNDLES
};

/* Returns the first sum of a bundle. For the bundle after the last one it returns the number of
 * sums. */
LM_EVERYWHERE_INLINE int lm_onvector_bundle_begin(int n, int bundle, int dims)
{
    const int twists = 3 + n * (2 * dims + 1), vortices = twists + (n == 2 ? 2 * dims : 0);
    const int chirality = vortices + (n == 2 && dims == 2);
    return bundle == LM_ONVECTOR_BONDS      ? 0
           : bundle == LM_ONVECTOR_FIELDS   ? 1
           : bundle == LM_ONVECTOR_MOMENTS  ? 3
           : bundle == LM_ONVECTOR_WAVES    ? 3 + n
           : bundle == LM_ONVECTOR_TWISTS   ? twists
           : bundle == LM_ONVECTOR_VORTICES ? vortices
           : bundle == LM_ONVECTOR_CHIRALITY
               ? chirality
               : chirality + (n == 3 ? dims : 0) + bundle - LM_ONVECTOR_ACCEPTED;
}

LM_EVERYWHERE_INLINE int lm_onvector_bundle_reads(int bundle)
{
    return bundle == LM_ONVECTOR_FIELDS      ? LM_READS_FIXED
           : bundle == LM_ONVECTOR_TWISTS    ? LM_READS_ABOVE | LM_READS_FIXED
           : bundle == LM_ONVECTOR_WAVES     ? LM_READS_WAVES
           : bundle == LM_ONVECTOR_VORTICES  ? LM_READS_ABOVE | LM_READS_CORNER
           : bundle == LM_ONVECTOR_CHIRALITY ? LM_READS_BELOW | LM_READS_ABOVE
                                             : 0;
}

/* Returns s.s' of the bond upward along an axis, and s x s', for n = 2. */
LM_EVERYWHERE_INLINE double lm_onvector_along(int dims, const lm_around *at, int axis)
{
    const double *up = at->neighbour + 2 * axis + 1;
    return at->own[0] * up[0] + at->own[1] * up[2 * dims];
}

LM_EVERYWHERE_INLINE double lm_onvector_cross(int dims, const lm_around *at, int axis)
{
    const double *up = at->neighbour + 2 * axis + 1;
    return at->own[0] * up[2 * dims] - at->own[1] * up[0];
}

/* Returns how often the shorter arc from s to t passes the negative half of axis 0, for n = 2: 1
 * counterclockwise, -1 clockwise. An arc between opposite vectors never does. */
LM_EVERYWHERE_INLINE int lm_onvector_passes(const double *s, const double *t)
{
    const double turn = s[0] * t[1] - s[1] * t[0];
    return ((s[1] >= 0.0) & (t[1] < 0.0) & (turn > 0.0)) -
           ((s[1] < 0.0) & (t[1] >= 0.0) & (turn < 0.0));
}

/* Returns whether the plaquette above a site has a vortex, for n = 2 in two dimensions. If a corner
 * is beyond an open end, and 0, there is no vortex. */
LM_EVERYWHERE_INLINE double lm_onvector_vortex(const lm_around *at)
{
    const double *up = at->neighbour, right[2] = {up[1], up[5]}, above[2] = {up[3], up[7]};
    const int turns = lm_onvector_passes(at->own, right) + lm_onvector_passes(right, at->corner) +
                      lm_onvector_passes(at->corner, above) + lm_onvector_passes(above, at->own);
    const int there =
        ((right[0] != 0.0) | (right[1] != 0.0)) & ((above[0] != 0.0) | (above[1] != 0.0));
    return (turns != 0) & there ? 1.0 : 0.0;
}

/* Returns |s(x + a) . (s(x) x s(x - a))|. */
LM_EVERYWHERE_INLINE double lm_onvector_chirality(int dims, const lm_around *at, int axis)
{
    const double *by = at->neighbour + 2 * axis;
    const double d[3] = {by[0], by[2 * dims], by[4 * dims]};
    const double u[3] = {by[1], by[2 * dims + 1], by[4 * dims + 1]};
    const double kappa = lm_triple_product(d, at->own, u);
    return kappa < 0.0 ? 0.0 - kappa : kappa;
}

/* Computes the sums of bundles that only some n have: vortices and twists of n = 2, chirality of
 * n = 3. */
LM_EVERYWHERE_INLINE void lm_onvector_sums_of_one_n(int n, int bundle, int dims,
                                                    const lm_around *at, double *add)
{
    double *const to = add + lm_onvector_bundle_begin(n, bundle, dims);
    if (bundle == LM_ONVECTOR_VORTICES) {
        if (n == 2 && dims == 2)
            to[0] = lm_onvector_vortex(at);
        return;
    }
    for (int a = 0; a < dims; a++)
        if (bundle == LM_ONVECTOR_TWISTS && n == 2) {
            to[a] = at->fixed[a] * lm_onvector_along(dims, at, a);
            to[dims + a] = at->fixed[a] * lm_onvector_cross(dims, at, a);
        } else if (bundle == LM_ONVECTOR_CHIRALITY && n == 3)
            to[a] = lm_onvector_chirality(dims, at, a);
}

/* Computes what one site adds to the sums of a bundle, except LM_ONVECTOR_BONDS and
 * LM_ONVECTOR_ACCEPTED. A neighbour beyond an open end must be 0. */
LM_EVERYWHERE_INLINE void lm_onvector_site_sums(int n, int bundle, int dims, const lm_around *at,
                                                double *add)
{
    if (bundle == LM_ONVECTOR_MOMENTS) {
        for (int c = 0; c < n; c++)
            add[3 + c] = at->own[c];
        return;
    }
    if (bundle == LM_ONVECTOR_WAVES) {
        for (int c = 0; c < n; c++)
            for (int k = 0; k < 2 * dims; k++)
                add[3 + n + 2 * dims * c + k] = at->own[c] * at->wave[k];
        return;
    }
    if (bundle == LM_ONVECTOR_FIELDS) {
        add[1] = at->fixed[dims] * at->own[n - 1];
        add[2] = at->own[n - 1];
        return;
    }
    lm_onvector_sums_of_one_n(n, bundle, dims, at, add);
}

/* Returns E = -(B + (F + h M_last)) from the sums of bonds and of fields. The sums of fields matter
 * only if there are fields. */
LM_EVERYWHERE_INLINE double lm_onvector_energy(double field, double bonds, const double *fields)
{
    double total = bonds;
    if (fields)
        total = total + (fields[0] + field * fields[1]);
    /* 0 - x instead of -x: an energy of zero then has no sign. */
    return 0.0 - total;
}

/* Returns the action. The weight of the vectors with these parameters is exp(-action). */
LM_EVERYWHERE_INLINE double lm_onvector_action(const double *params, double bonds,
                                               const double *fields)
{
    return params[LM_ONVECTOR_BETA] * lm_onvector_energy(params[LM_ONVECTOR_FIELD], bonds, fields);
}

#ifndef __CUDACC__

/* Returns a component of m. */
static inline double lm_onvector_moment(int n, int dims, int component, double sites,
                                        const double *sums)
{
    return sums[lm_onvector_bundle_begin(n, LM_ONVECTOR_MOMENTS, dims) + component] / sites;
}

/* Returns m . m. */
static inline double lm_onvector_square(int n, int dims, double sites, const double *sums)
{
    double square = 0.0;
    for (int c = 0; c < n; c++) {
        const double m = lm_onvector_moment(n, dims, c, sites, sums);
        square = square + m * m;
    }
    return square;
}

/* Returns the sum over the components c of |(1/N) sum s_c exp(i k x_axis)|^2. */
static inline double lm_onvector_structure(int n, int dims, int axis, double sites,
                                           const double *sums)
{
    const double *wave = sums + lm_onvector_bundle_begin(n, LM_ONVECTOR_WAVES, dims) + 2 * axis;
    double square = 0.0;
    for (int c = 0; c < n; c++)
        square = square + lm_wave_square(wave + 2 * dims * c);
    return square / (sites * sites);
}

/* Returns the quantity whose mean is the helicity modulus along an axis: S. Teitel and C.
 * Jayaprakash, Phys. Rev. B 27, 598 (1983). */
static inline double lm_onvector_helicity(int n, int dims, int axis, double type_coupling,
                                          double beta, double sites, const double *sums)
{
    const double *of = sums + lm_onvector_bundle_begin(n, LM_ONVECTOR_TWISTS, dims) + axis;
    const double twist = type_coupling * of[dims];

    return (type_coupling * of[0] - beta * (twist * twist)) / sites;
}

/* Returns the vortices per site. */
static inline double lm_onvector_vortices(int n, int dims, double sites, const double *sums)
{
    return sums[lm_onvector_bundle_begin(n, LM_ONVECTOR_VORTICES, dims)] / sites;
}

/* Returns the mean modulus of the chirality along the axes first .. last - 1, for n = 3. */
static inline double lm_onvector_mean_chirality(int n, int dims, int first, int last, double sites,
                                                const double *sums)
{
    const double *moduli = sums + lm_onvector_bundle_begin(n, LM_ONVECTOR_CHIRALITY, dims);
    double sum = 0.0;
    for (int a = first; a < last; a++)
        sum = sum + moduli[a];
    return sum / ((last - first) * sites);
}

/* Makes an lm_onvector_rule. values[p * stride] is parameter p of the replica. */
static inline void lm_onvector_make_rule(const double *values, int64_t stride,
                                         const double *type_coupling, int states, void *rule)
{
    (void)states;
    lm_onvector_rule *r = rule;
    *r = (lm_onvector_rule){.beta = values[LM_ONVECTOR_BETA * stride],
                            /* + 0 turns a field of -0 into 0. */
                            .field = values[LM_ONVECTOR_FIELD * stride] + 0.0,
                            .epsilon = values[LM_ONVECTOR_EPSILON * stride],
                            .hits = (int)values[LM_ONVECTOR_HITS * stride]};
    for (int a = 0; a < 4; a++)
        r->coupling[a] = type_coupling[a];
}

/* Returns the proposals for each site in a sweep. */
static inline double lm_onvector_proposals(const void *rule, int update)
{
    return update == LM_ONVECTOR_METROPOLIS ? ((const lm_onvector_rule *)rule)->hits : 1.0;
}

#endif

#endif
