/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the Ising model with couplings and site fields that are real numbers, with one spin in a
 * lane, kept as a byte. doc/trajectory-ising.md, "One site kept as a byte", is the contract.
 * Arithmetic is in floats. Every operation here is rounded once, and fused where it says fma.
 *
 * The first half is for host and devices: parameters, sums. The second half has the update over
 * lanes and the hooks of lib/physics/field.h. It is there only if a vocabulary of reals was
 * included before.
 */
#ifndef LM_ISING_BYTES_H
#define LM_ISING_BYTES_H

#include <stdint.h>

#include "lib/physics/ising_observe.h"
#include "lib/physics/ising_rule.h"
#include "lib/physics/states_rule.h"
#include "lib/physics/sums.h"

/* Kinds of lattices (field.h) by their static values: the bonds' own couplings, one for each axis;
 * then the site's own field. */
enum { LM_ISING_COUPLED = 1, LM_ISING_IN_FIELDS = 2 };

/* Coefficients of a replica: in doubles, and in CUDA also rounded to floats. */
#define LM_ISING_BYTES_RULE_OF(T, name)                                                            \
    typedef struct name {                                                                          \
        T beta, field, coupling[4];                                                                \
    } name
LM_ISING_BYTES_RULE_OF(double, lm_ising_bytes_rule);

/* ---- measurements
 *
 * The bundles are those of ising_observe.h. The bundle of bonds ends with the sum of G s. */

/* Returns the first sum of a bundle. For the bundle after the last one it returns the number of
 * sums. */
LM_EVERYWHERE_INLINE int lm_ising_bytes_bundle_begin(int bundle, int dims)
{
    return bundle == LM_ISING_BONDS   ? 0
           : bundle == LM_ISING_SPINS ? dims + 1
           : bundle == LM_ISING_WAVES ? dims + 2
                                      : 3 * dims + 2 + bundle - LM_ISING_CHANGES;
}

LM_EVERYWHERE_INLINE int lm_ising_bytes_bundle_reads(int bundle)
{
    return bundle == LM_ISING_BONDS   ? LM_READS_ABOVE | LM_READS_FIXED
           : bundle == LM_ISING_WAVES ? LM_READS_WAVES
                                      : 0;
}

/* Computes what one site adds to the sums of a bundle, except LM_ISING_CHANGES. A neighbour
 * beyond an open end must be 0. */
LM_EVERYWHERE_INLINE void lm_ising_bytes_site_sums(int bundle, int dims, const lm_around *at,
                                                   double *add)
{
    if (bundle == LM_ISING_SPINS) {
        add[dims + 1] = at->own[0];
        return;
    }
    if (bundle == LM_ISING_WAVES) {
        for (int k = 0; k < 2 * dims; k++)
            add[dims + 2 + k] = at->own[0] * at->wave[k];
        return;
    }
    for (int a = 0; a < dims; a++)
        add[a] = at->fixed[a] * (at->own[0] * at->neighbour[2 * a + 1]);
    add[dims] = at->fixed[dims] * at->own[0];
}

#ifndef __CUDACC__

/* Makes an lm_ising_bytes_rule. values[p * stride] is parameter p of the replica. */
static inline void lm_ising_bytes_make_rule(const double *values, int64_t stride,
                                            const double *type_coupling, int states, void *rule)
{
    (void)states;
    lm_ising_bytes_rule *r = rule;
    *r = (lm_ising_bytes_rule){.beta = values[LM_ISING_BETA * stride],
                               .field = values[LM_ISING_FIELD * stride]};
    for (int a = 0; a < 4; a++)
        r->coupling[a] = type_coupling[a];
}

#endif

#ifdef LM_REALS

#include "lib/physics/accept.h"
#include "lib/physics/field.h"

#define LM_HOOK_COMPONENTS       1
#define LM_HOOK_HAS(reach, kind) ((reach) == 1 && (kind) > 0)
#define LM_HOOK_SUMS(dims)       (3 * (dims) + 2)
#define LM_HOOK_RARE_BUNDLES     (1u << LM_ISING_WAVES)
#define LM_HOOK_EVERY_BUNDLE(DO) DO(LM_ISING_BONDS) DO(LM_ISING_SPINS) DO(LM_ISING_WAVES)
#define lm_hook_bundle_begin     lm_ising_bytes_bundle_begin
#define lm_hook_bundle_reads     lm_ising_bytes_bundle_reads
#define lm_hook_site_sums        lm_ising_bytes_site_sums
#define lm_hook_first            lm_ising_bytes_first

#define LM_HOOK_PARAMS (LM_ISING_FIELD + 1)
#define lm_hook_action(dims, coupling, params, sums, count)                                        \
    lm_ising_action(dims, coupling, params, sums, (sums)[(dims) + 1], (sums) + (dims))

#define lm_hook_prepare(rule, table, update, dims)    lm_ising_bytes_prepare(rule, update, dims)
#define lm_hook_load(common, read, dims, reach, kind) lm_ising_bytes_load(common, read, dims, kind)
#define lm_hook_update                                lm_ising_bytes_update

#ifdef __CUDACC__
LM_ISING_BYTES_RULE_OF(lm_scalar, lm_hook_rule);
#else
typedef lm_ising_bytes_rule lm_hook_rule;
#endif

typedef struct lm_hook_common {
    int heat_bath;
    lm_real beta2, field, coupling[4]; /* beta2: 2 beta */
} lm_hook_common;

typedef struct lm_hook_site {
    lm_real h; /* the local field: E = - h s */
} lm_hook_site;

LM_INLINE lm_hook_common lm_ising_bytes_prepare(const lm_hook_rule *r, int update, int dims)
{
    lm_hook_common c = {.heat_bath = update == LM_ISING_HEATBATH,
                        .beta2 = lm_real_mul(lm_real_set(r->beta), lm_real_set(2.0)),
                        .field = lm_real_set(r->field)};
    LM_UNROLL
    for (int a = 0; a < dims; a++)
        c.coupling[a] = lm_real_set(r->coupling[a]);
    return c;
}

LM_ANY_READER
LM_INLINE lm_hook_site lm_ising_bytes_load(const lm_hook_common *c, const lm_reader *read, int dims,
                                           int kind)
{
    lm_hook_site site = {kind == LM_ISING_IN_FIELDS
                             ? lm_real_add(lm_reader_fixed(read, dims, 0, 0), c->field)
                             : c->field};
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        const lm_real below = lm_reader_fixed(read, a, a, -1),
                      above = lm_reader_fixed(read, a, 0, 0);
        const lm_real down = lm_reader_one(read, 0, a, -1), up = lm_reader_one(read, 0, a, 1);
        site.h =
            lm_real_fma(c->coupling[a], lm_real_fma(above, up, lm_real_mul(below, down)), site.h);
    }
    return site;
}

/* Returns the sites that flip. Free flips (ising_rule.h) are put off once in 16 times, and so are
 * the flips back. Otherwise these sites would flip in step for ever. */
LM_INLINE lm_mask lm_ising_bytes_flips(const lm_hook_common *c, const lm_hook_site *site, lm_real s,
                                       const lm_bits *r, const lm_draws *draws)
{
    const lm_real x = lm_real_neg(lm_real_mul(c->beta2, lm_real_mul(s, site->h)));
    const lm_mask is_free = lm_mask_and(lm_real_less(x, lm_real_set(LM_ISING_FREE)),
                                        lm_real_less(lm_real_set(-LM_ISING_FREE), x));
    const lm_mask put_off =
        lm_mask_and(is_free, lm_real_less(lm_real_lower(r[0]), lm_real_set(1.0 + 1.0 / 16.0)));
    return lm_mask_andnot(put_off, lm_accepts(x, r[0], draws, 0));
}

/* Draws the new spins. A spin is against the local field with probability w / (1 + w), w = exp(-2
 * |beta h|). */
LM_INLINE lm_real lm_ising_bytes_drawn(const lm_hook_common *c, const lm_hook_site *site,
                                       const lm_bits *r, const lm_draws *draws)
{
    const lm_real one = lm_real_set(1.0), whole = lm_real_set(65536.0);
    const lm_real y = lm_real_mul(c->beta2, site->h);
    const lm_mask down = lm_real_less(y, lm_real_set(0.0));
    const lm_real w = lm_boltzmann_weight(lm_real_select(down, y, lm_real_neg(y)));
    const lm_real p = lm_real_div(lm_real_mul(whole, w), lm_real_add(whole, w));
    const lm_real along = lm_real_select(down, lm_real_neg(one), one);
    const lm_real d = lm_real_sub(p, lm_real_sub(lm_real_upper(r[0]), whole));
    return lm_real_select(lm_settled(d, draws, 0), lm_real_neg(along), along);
}

/* Updates sites. Adds the sites that change among `valid` to *changed. */
LM_INLINE void lm_ising_bytes_update(const lm_hook_common *c, const lm_hook_site *site, lm_real *s,
                                     const lm_draws *draws, lm_mask valid, lm_tally *changed)
{
    lm_bits r[4];
    lm_mask flips;
    lm_draw_block(draws, draws->index, 0, r);
    if (c->heat_bath)
        flips = lm_real_less(lm_real_mul(lm_ising_bytes_drawn(c, site, r, draws), s[0]),
                             lm_real_set(0.0));
    else
        flips = lm_ising_bytes_flips(c, site, s[0], r, draws);
    s[0] = lm_real_select(flips, lm_real_neg(s[0]), s[0]);
    lm_tally_add(changed, lm_mask_and(flips, valid));
}

/* Makes the first spin: +1, or if hot a spin by the highest bit. */
LM_INLINE void lm_ising_bytes_first(const lm_bits block[4], int hot, lm_real *s)
{
    const lm_real one = lm_real_set(1.0);
    const lm_mask up = lm_real_not_less(lm_real_upper(block[0]), lm_real_set(98304.0));
    s[0] = hot ? lm_real_select(up, one, lm_real_neg(one)) : one;
}

#endif
#endif
