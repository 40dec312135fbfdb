/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The O(n) vector model, n = 2, 3, 4: doc/trajectory-onvector.md is the contract; every operation
 * here is rounded once, and fused where it says fma.
 *
 * The first half is for everyone: parameters, sums, observables. Define LM_SUMS_INLINE as for
 * lib/physics/sums.h. The second half, the update over lanes and the hooks of lib/physics/field.h,
 * is there if a vocabulary of reals was included before, for n = LM_ONVECTOR_N.
 */
#ifndef LM_ONVECTOR_H
#define LM_ONVECTOR_H

#include <stdint.h>

#include "lib/physics/structure.h"
#include "lib/physics/sums.h"

enum { LM_ONVECTOR_LEAST = 2, LM_ONVECTOR_MOST = 4, LM_ONVECTOR_MAX_HITS = 64 };

/* The order of the model's parameters, and of its updates, wherever they come as an array. */
enum { LM_ONVECTOR_BETA, LM_ONVECTOR_FIELD, LM_ONVECTOR_EPSILON, LM_ONVECTOR_HITS };
enum { LM_ONVECTOR_METROPOLIS, LM_ONVECTOR_OVERRELAX, LM_ONVECTOR_HEATBATH, LM_ONVECTOR_UPDATES };

/* Kinds of lattices (field.h) by their static values: the bonds' own couplings, one an axis; then
 * the site's own field. */
enum { LM_ONVECTOR_PLAIN, LM_ONVECTOR_COUPLED, LM_ONVECTOR_IN_FIELDS };

/* Coefficients of a replica: in doubles, in CUDA also rounded to the type of the sites. */
#define LM_ONVECTOR_RULE_OF(T, name)                                                               \
    typedef struct name {                                                                          \
        T beta, field, epsilon, coupling[4];                                                       \
        int hits;                                                                                  \
    } name
LM_ONVECTOR_RULE_OF(double, lm_onvector_rule);

/* ---- measurements */

/* Groups of sums: along each axis K s.s' of the bonds upward, and G s_last; the components; of each
 * along each axis cosine and sine; for n = 2, along each axis K s x s' of the bonds upward, and in
 * two dimensions plaquettes with a vortex; for n = 3, along each axis moduli of chiralities;
 * accepted proposals. */
enum {
    LM_ONVECTOR_BONDS,
    LM_ONVECTOR_MOMENTS,
    LM_ONVECTOR_WAVES,
    LM_ONVECTOR_TWISTS,
    LM_ONVECTOR_VORTICES,
    LM_ONVECTOR_CHIRALITY,
    LM_ONVECTOR_ACCEPTED,
    LM_ONVECTOR_GROUPS
};

/* The first sum of a group; behind the last group, how many sums there are. */
LM_SUMS_INLINE int lm_onvector_group_begin(int n, int group, int dims)
{
    const int twists = dims + 1 + n * (2 * dims + 1), vortices = twists + (n == 2 ? dims : 0);
    const int chirality = vortices + (n == 2 && dims == 2);
    return group == LM_ONVECTOR_BONDS      ? 0
           : group == LM_ONVECTOR_MOMENTS  ? dims + 1
           : group == LM_ONVECTOR_WAVES    ? dims + 1 + n
           : group == LM_ONVECTOR_TWISTS   ? twists
           : group == LM_ONVECTOR_VORTICES ? vortices
           : group == LM_ONVECTOR_CHIRALITY
               ? chirality
               : chirality + (n == 3 ? dims : 0) + group - LM_ONVECTOR_ACCEPTED;
}

LM_SUMS_INLINE int lm_onvector_group_reads(int group)
{
    return group == LM_ONVECTOR_BONDS || group == LM_ONVECTOR_TWISTS
               ? LM_READS_ABOVE | LM_READS_FIXED
           : group == LM_ONVECTOR_WAVES     ? LM_READS_WAVES
           : group == LM_ONVECTOR_VORTICES  ? LM_READS_ABOVE | LM_READS_CORNER
           : group == LM_ONVECTOR_CHIRALITY ? LM_READS_BELOW | LM_READS_ABOVE
                                            : 0;
}

/* s x s' of the bond upward along an axis, for n = 2. */
LM_SUMS_INLINE double lm_onvector_cross(int dims, const lm_around *at, int axis)
{
    const double *up = at->neighbour + 2 * axis + 1;
    return at->own[0] * up[2 * dims] - at->own[1] * up[0];
}

/* How often the shorter arc from s to t passes the negative half of axis 0, for n = 2: 1
 * counterclockwise, -1 clockwise. No arc between opposite vectors does. */
LM_SUMS_INLINE int lm_onvector_passes(const double *s, const double *t)
{
    const double turn = s[0] * t[1] - s[1] * t[0];
    return ((s[1] >= 0.0) & (t[1] < 0.0) & (turn > 0.0)) -
           ((s[1] < 0.0) & (t[1] >= 0.0) & (turn < 0.0));
}

/* Does the plaquette above a site have a vortex, for n = 2 in two dimensions? Where a corner is
 * beyond an open end, and 0, there is none. */
LM_SUMS_INLINE double lm_onvector_vortex(const lm_around *at)
{
    const double *up = at->neighbour, right[2] = {up[1], up[5]}, above[2] = {up[3], up[7]};
    const int turns = lm_onvector_passes(at->own, right) + lm_onvector_passes(right, at->corner) +
                      lm_onvector_passes(at->corner, above) + lm_onvector_passes(above, at->own);
    const int there =
        ((right[0] != 0.0) | (right[1] != 0.0)) & ((above[0] != 0.0) | (above[1] != 0.0));
    return (turns != 0) & there ? 1.0 : 0.0;
}

/* u . (s x d), for n = 3. */
LM_SUMS_INLINE double lm_onvector_kappa(const double *d, const double *s, const double *u)
{
    return ((s[1] * d[2] - s[2] * d[1]) * u[0] + (s[2] * d[0] - s[0] * d[2]) * u[1]) +
           (s[0] * d[1] - s[1] * d[0]) * u[2];
}

/* |s(x + a) . (s(x) x s(x - a))| */
LM_SUMS_INLINE double lm_onvector_chirality(int dims, const lm_around *at, int axis)
{
    const double *by = at->neighbour + 2 * axis;
    const double d[3] = {by[0], by[2 * dims], by[4 * dims]};
    const double u[3] = {by[1], by[2 * dims + 1], by[4 * dims + 1]};
    const double kappa = lm_onvector_kappa(d, at->own, u);
    return kappa < 0.0 ? 0.0 - kappa : kappa;
}

/* The sums of groups that lattices of one n have. */
LM_SUMS_INLINE void lm_onvector_turn_sums(int n, int group, int dims, const lm_around *at,
                                          double *add)
{
    double *const to = add + lm_onvector_group_begin(n, group, dims);
    if (group == LM_ONVECTOR_VORTICES) {
        if (n == 2 && dims == 2)
            to[0] = lm_onvector_vortex(at);
        return;
    }
    for (int a = 0; a < dims; a++)
        if (group == LM_ONVECTOR_TWISTS && n == 2)
            to[a] = at->fixed[a] * lm_onvector_cross(dims, at, a);
        else if (group == LM_ONVECTOR_CHIRALITY && n == 3)
            to[a] = lm_onvector_chirality(dims, at, a);
}

/* What one site adds to the sums of a group, all but LM_ONVECTOR_ACCEPTED. A neighbour beyond an
 * open end is to be 0. */
LM_SUMS_INLINE void lm_onvector_site_sums(int n, int group, int dims, const lm_around *at,
                                          double *add)
{
    if (group == LM_ONVECTOR_MOMENTS) {
        for (int c = 0; c < n; c++)
            add[dims + 1 + c] = at->own[c];
        return;
    }
    if (group == LM_ONVECTOR_WAVES) {
        for (int c = 0; c < n; c++)
            for (int k = 0; k < 2 * dims; k++)
                add[dims + 1 + n + 2 * dims * c + k] = at->own[c] * at->wave[k];
        return;
    }
    if (group != LM_ONVECTOR_BONDS) {
        lm_onvector_turn_sums(n, group, dims, at, add);
        return;
    }
    for (int a = 0; a < dims; a++) {
        double dot = at->own[0] * at->neighbour[2 * a + 1];
        for (int c = 1; c < n; c++)
            dot = dot + at->own[c] * at->neighbour[2 * dims * c + 2 * a + 1];
        add[a] = at->fixed[a] * dot;
    }
    add[dims] = at->fixed[dims] * at->own[n - 1];
}

/* E = -(sum_a J_a B_a + h M_last + F) */
LM_SUMS_INLINE double lm_onvector_energy(int n, int dims, const double *axis_coupling, double field,
                                         const double *sums)
{
    double total = axis_coupling[0] * sums[0];
    for (int a = 1; a < dims; a++)
        total = total + axis_coupling[a] * sums[a];
    total = total + field * sums[dims + n];
    total = total + sums[dims];
    /* 0 - x instead of -x: an energy of zero has no sign. */
    return 0.0 - total;
}

/* The action: exp(-action) is the weight of the vectors with these parameters. */
LM_SUMS_INLINE double lm_onvector_action(int n, int dims, const double *axis_coupling,
                                         const double *params, const double *sums)
{
    return params[LM_ONVECTOR_BETA] *
           lm_onvector_energy(n, dims, axis_coupling, params[LM_ONVECTOR_FIELD], sums);
}

#ifndef __CUDACC__

/* A component that the vectors have not is 0. */
static inline double lm_onvector_moment(int n, int dims, int component, double sites,
                                        const double *sums)
{
    return component < n ? sums[dims + 1 + component] / sites : 0.0;
}

/* m . m */
static inline double lm_onvector_square(int n, int dims, double sites, const double *sums)
{
    double square = 0.0;
    for (int c = 0; c < n; c++) {
        const double m = lm_onvector_moment(n, dims, c, sites, sums);
        square = square + m * m;
    }
    return square;
}

/* Over the components, of |(1/N) sum s_c exp(i k x_axis)|^2. */
static inline double lm_onvector_structure(int n, int dims, int axis, double sites,
                                           const double *sums)
{
    const double *wave = sums + lm_onvector_group_begin(n, LM_ONVECTOR_WAVES, dims) + 2 * axis;
    double square = 0.0;
    for (int c = 0; c < n && axis < dims; c++)
        square = square + lm_wave_square(wave + 2 * dims * c);
    return square / (sites * sites);
}

/* What the helicity modulus along an axis is the mean of: S. Teitel and C. Jayaprakash, Phys. Rev.
 * B 27, 598 (1983). */
static inline double lm_onvector_helicity(int n, int dims, int axis, double axis_coupling,
                                          double beta, double sites, const double *sums)
{
    const int twists = lm_onvector_group_begin(n, LM_ONVECTOR_TWISTS, dims);
    double twist;

    if (n != 2 || axis >= dims)
        return 0.0;
    twist = axis_coupling * sums[twists + axis];
    return (axis_coupling * sums[axis] - beta * (twist * twist)) / sites;
}

/* Vortices per site, which are none but for n = 2 in two dimensions. */
static inline double lm_onvector_vortices(int n, int dims, double sites, const double *sums)
{
    return n == 2 && dims == 2
               ? sums[lm_onvector_group_begin(n, LM_ONVECTOR_VORTICES, dims)] / sites
               : 0.0;
}

/* The mean modulus of the chirality along axes first .. last - 1 that there are, for n = 3. */
static inline double lm_onvector_mean_chirality(int n, int dims, int first, int last, double sites,
                                                const double *sums)
{
    const double *moduli = sums + lm_onvector_group_begin(n, LM_ONVECTOR_CHIRALITY, dims);
    double sum = 0.0;
    for (int a = first; a < last && a < dims && n == 3; a++)
        sum = sum + moduli[a];
    return sum / ((last - first) * sites);
}

/* An lm_onvector_rule; values[p * stride]: parameter p of the replica. */
static inline void lm_onvector_make_rule(const double *values, int64_t stride,
                                         const double *axis_coupling, void *rule)
{
    lm_onvector_rule *r = rule;
    *r = (lm_onvector_rule){.beta = values[LM_ONVECTOR_BETA * stride],
                            /* + 0: a field of -0 is 0. */
                            .field = values[LM_ONVECTOR_FIELD * stride] + 0.0,
                            .epsilon = values[LM_ONVECTOR_EPSILON * stride],
                            .hits = (int)values[LM_ONVECTOR_HITS * stride]};
    for (int a = 0; a < 4; a++)
        r->coupling[a] = axis_coupling[a];
}

/* For each site in a sweep. */
static inline double lm_onvector_proposals(const void *rule, int update)
{
    return update == LM_ONVECTOR_METROPOLIS ? ((const lm_onvector_rule *)rule)->hits : 1.0;
}

#endif

#ifdef LM_REALS

#include "lib/physics/accept.h"
#include "lib/physics/field.h"
#include "lib/physics/sphere.h"
#include "lib/physics/vector.h"

#define LM_HOOK_COMPONENTS        LM_ONVECTOR_N
#define LM_HOOK_FIXED(dims, kind) ((kind) ? (dims) + (kind)-1 : 0)
#define LM_HOOK_HAS(reach, kind)  ((reach) == 1)
#define LM_HOOK_TILES             0
#define LM_HOOK_TOGETHER          (LM_ONVECTOR_N == 3 ? 4 : 0)
#define LM_HOOK_TEXTS             3
#define LM_HOOK_DRAWS(update)     ((update) != LM_ONVECTOR_OVERRELAX)
#define LM_HOOK_SUMS(dims)                                                                         \
    ((dims) + 1 + LM_ONVECTOR_N * (2 * (dims) + 1) +                                               \
     (LM_ONVECTOR_N == 2   ? (dims) + 1                                                            \
      : LM_ONVECTOR_N == 3 ? (dims)                                                                \
                           : 0))
#define LM_HOOK_RARE_GROUPS                                                                        \
    (1u << LM_ONVECTOR_WAVES | 1u << LM_ONVECTOR_TWISTS | 1u << LM_ONVECTOR_VORTICES |             \
     1u << LM_ONVECTOR_CHIRALITY)
#define LM_HOOK_SUM_FIXED(dims)       ((dims) + 1)
#define lm_hook_fixed_preset(k, dims) ((k) < (dims) ? 1.0 : 0.0)
#define LM_HOOK_BEYOND(own)           ((void)(own), 0.0)
#define LM_HOOK_EVERY_GROUP(DO)                                                                    \
    DO(LM_ONVECTOR_BONDS)                                                                          \
    DO(LM_ONVECTOR_MOMENTS)                                                                        \
    DO(LM_ONVECTOR_WAVES)                                                                          \
    DO(LM_ONVECTOR_TWISTS) DO(LM_ONVECTOR_VORTICES) DO(LM_ONVECTOR_CHIRALITY)
#define lm_hook_group_reads              lm_onvector_group_reads
#define lm_hook_first                    lm_onvector_first
#define lm_hook_group_begin(group, dims) lm_onvector_group_begin(LM_ONVECTOR_N, group, dims)
#define lm_hook_site_sums(group, dims, at, add)                                                    \
    lm_onvector_site_sums(LM_ONVECTOR_N, group, dims, at, add)

#ifdef __CUDACC__
LM_ONVECTOR_RULE_OF(lm_scalar, lm_hook_rule);
#else
typedef lm_onvector_rule lm_hook_rule;
#define lm_hook_prepare                               lm_onvector_prepare
#define lm_hook_load(common, read, dims, reach, kind) lm_onvector_load(common, read, dims, kind)
#define lm_hook_update                                lm_onvector_update
#endif

typedef struct lm_hook_common {
    int update, hits;
    lm_real beta, field, epsilon, coupling[4];
} lm_hook_common;

typedef struct lm_hook_site {
    lm_real h[LM_ONVECTOR_N]; /* the local field: E = - h . s */
} lm_hook_site;

#include "lib/physics/onvector_heatbath.h"

LM_INLINE lm_hook_common lm_onvector_prepare(const lm_hook_rule *r, int update, int dims)
{
    lm_hook_common c = {.update = update,
                        .hits = r->hits,
                        .beta = lm_real_set(r->beta),
                        .field = lm_real_set(r->field),
                        .epsilon = lm_real_set(r->epsilon)};
    LM_UNROLL
    for (int a = 0; a < dims; a++)
        c.coupling[a] = lm_real_set(r->coupling[a]);
    return c;
}

LM_ANY_READER
LM_INLINE lm_hook_site lm_onvector_load(const lm_hook_common *c, const lm_reader *read, int dims,
                                        int kind)
{
    lm_hook_site site;
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        site.h[i] = i < LM_ONVECTOR_N - 1 ? lm_real_set(0.0)
                    : kind == LM_ONVECTOR_IN_FIELDS
                        ? lm_real_add(c->field, lm_reader_fixed(read, dims, 0, 0))
                        : c->field;
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        const lm_real below = kind ? lm_reader_fixed(read, a, a, -1) : lm_real_set(1.0);
        const lm_real above = kind ? lm_reader_fixed(read, a, 0, 0) : lm_real_set(1.0);
        LM_UNROLL
        for (int i = 0; i < LM_ONVECTOR_N; i++) {
            const lm_real down = lm_reader_one(read, i, a, -1), up = lm_reader_one(read, i, a, 1);
            const lm_real both =
                kind ? lm_real_fma(above, up, lm_real_mul(below, down)) : lm_real_add(down, up);
            site.h[i] = lm_real_fma(c->coupling[a], both, site.h[i]);
        }
    }
    return site;
}

LM_INLINE void lm_onvector_take(lm_real *s, const lm_real *to, lm_mask yes, lm_mask valid,
                                lm_tally *accepted)
{
    lm_vector_select(LM_ONVECTOR_N, yes, to, s);
    lm_tally_add(accepted, lm_mask_and(yes, valid));
}

/* s' = 2 (s . h) h / (h . h) - s, where h is not too short to have a direction. */
LM_INLINE void lm_onvector_overrelax(const lm_hook_site *site, lm_real *s, lm_mask valid,
                                     lm_tally *accepted)
{
    const lm_real w = lm_vector_dot(LM_ONVECTOR_N, site->h, site->h),
                  p = lm_vector_dot(LM_ONVECTOR_N, s, site->h);
    const lm_real f = lm_real_div(lm_real_add(p, p), w);
    lm_real to[LM_ONVECTOR_N];
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        to[i] = lm_real_fma(f, site->h[i], lm_real_neg(s[i]));
    lm_vector_unit(LM_ONVECTOR_N, to);
    lm_onvector_take(s, to, lm_real_not_less(w, lm_real_set(0x1p-100)), valid, accepted);
}

/* Cosine and sine of 2 arctan(t). */
LM_INLINE void lm_onvector_angle(lm_real t, lm_real *cosine, lm_real *sine)
{
    const lm_real one = lm_real_set(1.0), v = lm_real_div(one, lm_real_fma(t, t, one));
    *cosine = lm_real_mul(lm_real_fma(lm_real_neg(t), t, one), v);
    *sine = lm_real_mul(lm_real_add(t, t), v);
}

#if LM_ONVECTOR_N == 2

enum { LM_HITS_OF_BLOCK = 4 };

/* A turn by 2 arctan(epsilon step), from the lower half of the bits. */
LM_INLINE void lm_onvector_propose(const lm_hook_common *c, const lm_bits *bits, const lm_real *s,
                                   lm_real *to)
{
    lm_real p, q;
    lm_onvector_angle(lm_real_mul(c->epsilon, lm_step(bits[0])), &p, &q);
    to[0] = lm_real_fma(p, s[0], lm_real_neg(lm_real_mul(q, s[1])));
    to[1] = lm_real_fma(p, s[1], lm_real_mul(q, s[0]));
    lm_vector_unit(LM_ONVECTOR_N, to);
}

#else

enum { LM_HITS_OF_BLOCK = 1 };

/* A point of the ball of radius epsilon about s, seen from its opposite: as far from the centre as
 * the greatest of n - 1 uniform numbers, in a direction of n - 1 dimensions. */
LM_INLINE void lm_onvector_propose(const lm_hook_common *c, const lm_bits *bits, const lm_real *s,
                                   lm_real *to)
{
    const lm_bits direction[2] = {LM_ONVECTOR_N == 4 ? bits[2] : bits[1], bits[1]};
    lm_real most = lm_real_max(lm_real_lower(bits[0]), lm_real_lower(bits[3]));
    lm_real eta[LM_ONVECTOR_N - 1], cosine, sine;
    if (LM_ONVECTOR_N == 4)
        most = lm_real_max(most, lm_real_lower(lm_bits_right(bits[3], 16)));
    const lm_real rho = lm_real_sub(most, lm_real_set(1.0 - 0x1p-17));
    lm_onvector_angle(lm_real_mul(c->epsilon, rho), &cosine, &sine);
    lm_sphere(LM_ONVECTOR_N - 1, direction, eta);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N - 1; i++)
        eta[i] = lm_real_mul(sine, eta[i]);
    lm_turn(LM_ONVECTOR_N, s, eta, cosine, to);
    lm_vector_unit(LM_ONVECTOR_N, to);
}

#endif

/* One proposal; the first bits decide about it. */
LM_INLINE void lm_onvector_hit(const lm_hook_common *c, const lm_hook_site *site, lm_real *s,
                               const lm_bits *bits, const lm_draws *draws, uint32_t tie,
                               lm_mask valid, lm_tally *accepted)
{
    lm_real to[LM_ONVECTOR_N], by[LM_ONVECTOR_N];
    lm_onvector_propose(c, bits, s, to);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        by[i] = lm_real_sub(to[i], s[i]);
    const lm_real x = lm_real_mul(c->beta, lm_vector_dot(LM_ONVECTOR_N, by, site->h));
    lm_onvector_take(s, to, lm_accepts(x, bits[0], draws, tie), valid, accepted);
}

/* `hits` proposals. */
LM_LONG void lm_onvector_metropolis(const lm_hook_common *c, const lm_hook_site *site, lm_real *s,
                                    const lm_draws *draws, lm_mask valid, lm_tally *accepted)
{
    const uint32_t each = LM_HITS_OF_BLOCK, hits = (uint32_t)c->hits;
    for (uint32_t block = 0; each * block < hits; block++) {
        lm_bits r[4];
        lm_draw_block(draws, draws->index, block, r);
        LM_UNROLL
        for (uint32_t w = 0; w < LM_HITS_OF_BLOCK; w++)
            if (each * block + w < hits)
                lm_onvector_hit(c, site, s, r + w, draws, each * block + w, valid, accepted);
    }
}

/* By copies: where the heat bath is a function of its own, what other updates have in registers
 * would have to be in memory for it. */
LM_INLINE void lm_onvector_heatbath_apart(const lm_hook_common *c, const lm_hook_site *site,
                                          lm_real *s, const lm_draws *draws, lm_mask valid,
                                          lm_tally *accepted)
{
    const lm_hook_common common = *c;
    const lm_hook_site field = *site;
    const lm_draws own = *draws;
    lm_tally tally = *accepted;
    lm_real to[LM_ONVECTOR_N];
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        to[i] = s[i];
    lm_onvector_heatbath(&common, &field, to, &own, valid, &tally);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        s[i] = to[i];
    *accepted = tally;
}

/* Adds what is accepted among `valid` to *accepted. */
LM_INLINE void lm_onvector_update(const lm_hook_common *c, const lm_hook_site *site, lm_real *s,
                                  const lm_draws *draws, lm_mask valid, lm_tally *accepted)
{
    if (c->update == LM_ONVECTOR_OVERRELAX)
        lm_onvector_overrelax(site, s, valid, accepted);
    else if (c->update == LM_ONVECTOR_HEATBATH)
        lm_onvector_heatbath_apart(c, site, s, draws, valid, accepted);
    else
        lm_onvector_metropolis(c, site, s, draws, valid, accepted);
}

#if LM_HOOK_TOGETHER && !defined(__CUDACC__)

static inline int lm_hook_together(const lm_hook_rule *rule, int update)
{
    (void)rule;
    return update == LM_ONVECTOR_HEATBATH;
}

/* The draws are not wide, and differ in the sites' numbers only. */
LM_INLINE void lm_hook_update_together(const lm_hook_common *c, const lm_hook_site *site,
                                       lm_real (*s)[LM_HOOK_COMPONENTS], const lm_draws *draws,
                                       const lm_mask *valid, lm_tally *accepted)
{
    lm_onvector_draw(LM_HOOK_TOGETHER, c->beta, site, s, draws);
    LM_UNROLL
    for (int i = 0; i < LM_HOOK_TOGETHER; i++)
        lm_tally_add(accepted, valid[i]);
}

#endif

#if LM_ONVECTOR_N == 2
/* An angle of a quarter of the circle, and which quarter. */
LM_INLINE void lm_onvector_hot(const lm_bits block[4], lm_real *s)
{
    const lm_real pi = lm_real_set(0x1.921fb54442d18p+1), half = lm_real_set(1073741824.0);
    const lm_real angle =
        lm_real_fma(lm_real_of_31(lm_bits_right(block[0], 7)),
                    lm_real_mul(pi, lm_real_set(0x1p-25)), lm_real_mul(pi, lm_real_set(-0.25)));
    const lm_mask swap = lm_real_less(lm_real_of_31(block[1]), half);
    const lm_mask minus = lm_real_less(lm_real_of_31(block[2]), half);
    const lm_real along = lm_real_cos(angle), across = lm_real_sin(angle);
    const lm_real x = lm_real_select(swap, across, along), y = lm_real_select(swap, along, across);
    s[0] = lm_real_select(minus, lm_real_neg(x), x);
    s[1] = lm_real_select(minus, lm_real_neg(y), y);
}
#else
LM_INLINE void lm_onvector_hot(const lm_bits block[4], lm_real *s)
{
    lm_sphere(LM_ONVECTOR_N, block, s);
}
#endif

/* In any direction, or along the last axis. */
LM_INLINE void lm_onvector_first(const lm_bits block[4], int hot, lm_real *s)
{
    lm_onvector_hot(block, s);
    lm_vector_unit(LM_ONVECTOR_N, s);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N && !hot; i++)
        s[i] = lm_real_set(i == LM_ONVECTOR_N - 1 ? 1.0 : 0.0);
}

#endif
#endif
