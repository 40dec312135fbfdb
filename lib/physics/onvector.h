/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the O(n) vector model, for n = LM_ONVECTOR_N, over lanes, and has its hooks of
 * lib/physics/field.h. doc/trajectory-onvector.md is the contract. Every operation is rounded once,
 * and fused where it says fma. Include a vocabulary of reals first.
 */
#ifndef LM_ONVECTOR_H
#define LM_ONVECTOR_H

#include "lib/physics/accept.h"
#include "lib/physics/field.h"
#include "lib/physics/onvector_observe.h"
#include "lib/physics/sphere.h"
#include "lib/physics/vector.h"

#define LM_HOOK_COMPONENTS     LM_ONVECTOR_N
#define LM_HOOK_TOGETHER       (LM_ONVECTOR_N == 3 ? 4 : 0)
#define LM_HOOK_ACROSS(update) ((update) != LM_ONVECTOR_METROPOLIS)
#define LM_HOOK_TEXTS          3
#define LM_HOOK_DRAWS(update)  ((update) != LM_ONVECTOR_OVERRELAX)
#define LM_HOOK_PAIRS(update)  (LM_ONVECTOR_N == 3 && (update) == LM_ONVECTOR_HEATBATH)
#define LM_HOOK_STEPS(update)  ((update) == LM_ONVECTOR_OVERRELAX)
#define LM_HOOK_SUMS(dims)                                                                         \
    (3 + LM_ONVECTOR_N * (2 * (dims) + 1) +                                                        \
     (LM_ONVECTOR_N == 2   ? 2 * (dims) + 1                                                        \
      : LM_ONVECTOR_N == 3 ? (dims)                                                                \
                           : 0))
#define LM_HOOK_RARE_BUNDLES                                                                       \
    (1u << LM_ONVECTOR_WAVES | 1u << LM_ONVECTOR_TWISTS | 1u << LM_ONVECTOR_VORTICES |             \
     1u << LM_ONVECTOR_CHIRALITY)
#define LM_HOOK_BONDS LM_ONVECTOR_BONDS
#define lm_hook_bonds lm_onvector_bonds
#define LM_HOOK_EVERY_BUNDLE(DO)                                                                   \
    DO(LM_ONVECTOR_FIELDS)                                                                         \
    DO(LM_ONVECTOR_MOMENTS)                                                                        \
    DO(LM_ONVECTOR_WAVES)                                                                          \
    DO(LM_ONVECTOR_TWISTS) DO(LM_ONVECTOR_VORTICES) DO(LM_ONVECTOR_CHIRALITY)
#define lm_hook_bundle_reads               lm_onvector_bundle_reads
#define lm_hook_first                      lm_onvector_first
#define lm_hook_bundle_begin(bundle, dims) lm_onvector_bundle_begin(LM_ONVECTOR_N, bundle, dims)
#define lm_hook_site_sums(bundle, dims, at, add)                                                   \
    lm_onvector_site_sums(LM_ONVECTOR_N, bundle, dims, at, add)

#define LM_HOOK_PARAMS (LM_ONVECTOR_FIELD + 1)
#define lm_hook_action(dims, coupling, params, sums, count)                                        \
    lm_onvector_action(params, (sums)[0], (count) > 1 ? (sums) + 1 : NULL)

#define lm_hook_prepare(rule, table, update, dims)    lm_onvector_prepare(rule, update, dims)
#define lm_hook_load(common, read, dims, reach, kind) lm_onvector_load(common, read, dims, kind)
#define lm_hook_update                                lm_onvector_update

#ifdef __CUDACC__
LM_ONVECTOR_RULE_OF(lm_scalar, lm_hook_rule);
#else
typedef lm_onvector_rule lm_hook_rule;
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

/* Adds J K s of a site's neighbours along an axis to `to`: both neighbours or, if `upward`, the
 * upper one. */
LM_ANY_READER
LM_INLINE void lm_onvector_add_axis(const lm_hook_common *c, const lm_reader *read, int a, int kind,
                                    int upward, lm_real *to)
{
    const lm_real below = kind && !upward ? lm_reader_fixed(read, a, a, -1) : lm_real_set(1.0);
    const lm_real above = kind ? lm_reader_fixed(read, a, 0, 0) : lm_real_set(1.0);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++) {
        const lm_real up = lm_reader_one(read, i, a, 1);
        const lm_real down = upward ? lm_real_set(0.0) : lm_reader_one(read, i, a, -1);
        const lm_real both = upward ? (kind ? lm_real_mul(above, up) : up)
                             : kind ? lm_real_fma(above, up, lm_real_mul(below, down))
                                    : lm_real_add(down, up);
        to[i] = lm_real_fma(c->coupling[a], both, to[i]);
    }
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
    for (int a = 0; a < dims; a++)
        lm_onvector_add_axis(c, read, a, kind, 0, site.h);
    return site;
}

/* Computes b, where a site s adds s . b to the sum of bonds. It counts the bonds to all neighbours,
 * or those upward. */
LM_ANY_READER
LM_INLINE void lm_onvector_bonds(const lm_hook_common *c, const lm_reader *read, int dims, int kind,
                                 int upward, lm_real *b)
{
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        b[i] = lm_real_set(0.0);
    LM_UNROLL
    for (int a = 0; a < dims; a++)
        lm_onvector_add_axis(c, read, a, kind, upward, b);
}

LM_INLINE void lm_onvector_take(lm_real *s, const lm_real *to, lm_mask yes, lm_mask valid,
                                lm_tally *accepted)
{
    lm_vector_select(LM_ONVECTOR_N, yes, to, s);
    lm_tally_add(accepted, lm_mask_and(yes, valid));
}

/* Over-relaxation, s' = 2 (s . h) h / (h . h) - s, unless h is too short to have a direction. The
 * first step goes up to the division. The second step uses the quotient. */
typedef struct lm_hook_begun {
    lm_real h[LM_ONVECTOR_N], w, f; /* h . h and 2 (s . h) / (h . h) */
} lm_hook_begun;

LM_INLINE lm_hook_begun lm_hook_begin(const lm_hook_site *site, const lm_real *s)
{
    const lm_real p = lm_vector_dot(LM_ONVECTOR_N, s, site->h);
    lm_hook_begun b;
    b.w = lm_vector_dot(LM_ONVECTOR_N, site->h, site->h);
    b.f = lm_real_div(lm_real_add(p, p), b.w);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        b.h[i] = site->h[i];
    return b;
}

LM_INLINE void lm_hook_finish(const lm_hook_begun *b, lm_real *s, lm_mask valid, lm_tally *accepted)
{
    lm_real to[LM_ONVECTOR_N];
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        to[i] = lm_real_fma(b->f, b->h[i], lm_real_neg(s[i]));
    lm_vector_unit(LM_ONVECTOR_N, to);
    lm_onvector_take(s, to, lm_real_not_less(b->w, lm_real_set(0x1p-100)), valid, accepted);
}

LM_INLINE void lm_onvector_overrelax(const lm_hook_site *site, lm_real *s, lm_mask valid,
                                     lm_tally *accepted)
{
    const lm_hook_begun b = lm_hook_begin(site, s);
    lm_hook_finish(&b, s, valid, accepted);
}

/* Computes cosine and sine of 2 arctan(t). */
LM_INLINE void lm_onvector_angle(lm_real t, lm_real *cosine, lm_real *sine)
{
    const lm_real one = lm_real_set(1.0), v = lm_real_div(one, lm_real_fma(t, t, one));
    *cosine = lm_real_mul(lm_real_fma(lm_real_neg(t), t, one), v);
    *sine = lm_real_mul(lm_real_add(t, t), v);
}

#if LM_ONVECTOR_N == 2

enum { LM_HITS_OF_BLOCK = 4 };

/* Proposes a turn by 2 arctan(epsilon step), from the lower half of the bits. */
LM_INLINE void lm_onvector_propose(const lm_hook_common *c, const lm_bits *bits, const lm_real *s,
                                   lm_real *to)
{
    lm_real p, q;
    lm_onvector_angle(lm_real_mul(c->epsilon, lm_proposal_step(bits[0])), &p, &q);
    to[0] = lm_real_fma(p, s[0], lm_real_neg(lm_real_mul(q, s[1])));
    to[1] = lm_real_fma(p, s[1], lm_real_mul(q, s[0]));
    lm_vector_unit(LM_ONVECTOR_N, to);
}

#else

enum { LM_HITS_OF_BLOCK = 1 };

/* Proposes a point of the ball of radius epsilon about s, projected from the point opposite s. Its
 * distance from the centre is that of the greatest of n - 1 uniform numbers. Its direction has n -
 * 1 dimensions. */
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
    lm_turn_from_pole(LM_ONVECTOR_N, s, eta, cosine, to);
    lm_vector_unit(LM_ONVECTOR_N, to);
}

#endif

/* Makes one proposal. The first bits decide about it. */
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

/* Makes `hits` proposals. */
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

/* Calls the heat bath with copies. The heat bath is a function of its own. With addresses, other
 * updates would have their registers in memory. */
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

/* Updates sites. Adds the accepted proposals among `valid` to *accepted. */
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

/* The draws must not be wide, and may differ only in the sites' numbers. */
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
/* Draws an angle in a quarter of the circle, and which quarter. */
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

/* Makes the first vector: in any direction if hot, otherwise along the last axis. */
LM_INLINE void lm_onvector_first(const lm_bits block[4], int hot, lm_real *s)
{
    lm_onvector_hot(block, s);
    lm_vector_unit(LM_ONVECTOR_N, s);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N && !hot; i++)
        s[i] = lm_real_set(i == LM_ONVECTOR_N - 1 ? 1.0 : 0.0);
}

#endif
