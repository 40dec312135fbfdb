/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates of the clock model of q states, with one state in a lane, kept as a byte:
 * doc/trajectory-clock.md is the contract. They compute in floats. Every operation here is rounded
 * once, and fused where it says fma. Include a vocabulary of reals first.
 */
#ifndef LM_CLOCK_H
#define LM_CLOCK_H

#include "lib/physics/accept.h"
#include "lib/physics/clock_observe.h"
#include "lib/physics/field.h"
#include "lib/physics/states_hooks.h"

#define LM_HOOK_COMPONENTS                 1
#define LM_HOOK_SUMS(dims)                 (7 * (dims) + 2)
#define LM_HOOK_COUNTED                    LM_CLOCK_STATES
#define LM_HOOK_RARE_BUNDLES               (1u << LM_CLOCK_WAVES | 1u << LM_CLOCK_TWISTS)
#define LM_HOOK_EVERY_BUNDLE(DO)           DO(LM_CLOCK_BONDS) DO(LM_CLOCK_WAVES) DO(LM_CLOCK_TWISTS)
#define lm_hook_bundle_begin(bundle, dims) lm_clock_bundle_begin(0, bundle, dims)
#define lm_hook_bundle_reads               lm_clock_bundle_reads
#define lm_hook_site_sums                  lm_clock_site_sums
#define lm_hook_first                      lm_clock_first

#define LM_HOOK_PARAMS (LM_CLOCK_FIELD + 1)
#define lm_hook_action(dims, coupling, params, sums, count)                                        \
    lm_clock_action(dims, coupling, params, sums)

#define lm_hook_prepare                               lm_states_prepare
#define lm_hook_load(common, read, dims, reach, kind) lm_clock_load(common, read, dims, kind)
#define lm_hook_update                                lm_clock_update

#ifdef __CUDACC__
#define lm_hook_keep(site, common) ((site)->table = (common)->table)
#endif

/* The local field with the sign of beta. State t gains x cos t + y sin t. */
typedef struct lm_hook_site {
    lm_real x, y;
#ifdef __CUDACC__
    const lm_scalar *table;
#endif
} lm_hook_site;

/* Adds J (K' s' + K'' s'') to a component of the field. The neighbour below comes first. */
LM_INLINE lm_real lm_clock_add(lm_real coupling, lm_real below, lm_real above, lm_real down,
                               lm_real up, lm_real sum)
{
    return lm_real_fma(coupling, lm_real_fma(above, up, lm_real_mul(below, down)), sum);
}

LM_ANY_READER
LM_INLINE lm_hook_site lm_clock_load(const lm_hook_common *c, const lm_reader *read, int dims,
                                     int kind)
{
    const lm_scalar *const sines = c->table + LM_CLOCK_MOST;
    lm_hook_site site;
    site.x = c->field;
    site.y = lm_real_set(0.0);
    if (kind == LM_CLOCK_IN_FIELDS)
        site.x = lm_real_fma(c->sign, lm_reader_fixed(read, dims, 0, 0), c->field);
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        const lm_bits down = lm_bits_of_whole(lm_reader_one(read, 0, a, -1));
        const lm_bits up = lm_bits_of_whole(lm_reader_one(read, 0, a, 1));
        lm_real bonds[2] = {lm_real_set(1.0), lm_real_set(1.0)};
        if (kind != LM_CLOCK_PLAIN) {
            bonds[0] = lm_reader_fixed(read, a, a, -1);
            bonds[1] = lm_reader_fixed(read, a, 0, 0);
        }
        site.x = lm_clock_add(c->coupling[a], bonds[0], bonds[1], lm_real_look_up(c->table, down),
                              lm_real_look_up(c->table, up), site.x);
        site.y = lm_clock_add(c->coupling[a], bonds[0], bonds[1], lm_real_look_up(sines, down),
                              lm_real_look_up(sines, up), site.y);
    }
    return site;
}

LM_INLINE lm_real lm_clock_gain(const lm_hook_site *site, lm_real cosine, lm_real sine)
{
    return lm_real_fma(site->y, sine, lm_real_mul(site->x, cosine));
}

/* Returns one of `count` states by 32 bits. */
LM_INLINE lm_real lm_clock_uniform(lm_bits u, int count)
{
    return lm_real_of_31(lm_bits_times(u, lm_bits_set(2u * (uint32_t)count)));
}

LM_INLINE lm_real lm_clock_gain_of(const lm_hook_common *c, const lm_hook_site *site, lm_real state)
{
    const lm_bits k = lm_bits_of_whole(state);
    return lm_clock_gain(site, lm_real_look_up(c->table, k),
                         lm_real_look_up(c->table + LM_CLOCK_MOST, k));
}

/* Proposes one of all states, including the present one. */
LM_INLINE lm_real lm_clock_metropolis(const lm_hook_common *c, const lm_hook_site *site, lm_real s,
                                      const lm_bits *r, const lm_draws *draws)
{
    const lm_real t = lm_clock_uniform(r[1], c->states);
    const lm_real gain = lm_real_sub(lm_clock_gain_of(c, site, t), lm_clock_gain_of(c, site, s));
    return lm_real_select(lm_accepts(lm_real_mul(c->beta, gain), r[0], draws, 0), t, s);
}

/* Weights are whole numbers, at most 2^24, so their sum stays below 2^31. */
#define LM_CLOCK_SCALE 256.0

/* Returns how many partial sums of weights are not above a random number below the whole sum. */
LM_CALLED lm_real lm_clock_heatbath(const lm_scalar *table, int states, lm_real beta, lm_real x,
                                    lm_real y, lm_bits u)
{
    lm_hook_site site;
    site.x = x;
    site.y = y;
    lm_real gain[LM_CLOCK_MOST], most = lm_real_set(0.0), t = most;
    lm_bits sum[LM_CLOCK_MOST], all = lm_bits_set(0);
    for (int k = 0; k < states; k++) {
        gain[k] =
            lm_clock_gain(&site, lm_real_set(table[k]), lm_real_set(table[LM_CLOCK_MOST + k]));
        most = k ? lm_real_max(most, gain[k]) : gain[0];
    }
    for (int k = 0; k < states; k++) {
        const lm_real w = lm_boltzmann_weight(lm_real_mul(beta, lm_real_sub(gain[k], most)));
        all = lm_bits_sum(all, lm_bits_of_large(lm_real_mul(w, lm_real_set(LM_CLOCK_SCALE))));
        sum[k] = all;
    }
    const lm_bits at = lm_bits_times(u, all);
    for (int k = 0; k < states; k++) {
        const lm_mask beyond = lm_bits_less(lm_bits_add(sum[k], (uint32_t)-1), at);
        t = lm_real_add(t, lm_real_select(beyond, lm_real_set(1.0), lm_real_set(0.0)));
    }
    return t;
}

/* Updates sites. Adds the sites that change among `valid` to *changed. */
LM_INLINE void lm_clock_update(const lm_hook_common *c, const lm_hook_site *site, lm_real *s,
                               const lm_draws *draws, lm_mask valid, lm_tally *changed)
{
    lm_bits r[4];
    lm_draw_block(draws, draws->index, 0, r);
    const lm_real t = c->update == LM_CLOCK_HEATBATH
                          ? lm_clock_heatbath(c->table, c->states, c->beta, site->x, site->y, r[0])
                          : lm_clock_metropolis(c, site, s[0], r, draws);
    lm_tally_add(changed, lm_mask_andnot(lm_real_equal(t, s[0]), valid));
    s[0] = t;
}

/* Makes the first state: 0, or if hot one of `hot` states. */
LM_INLINE void lm_clock_first(const lm_bits block[4], int hot, lm_real *s)
{
    s[0] = lm_clock_uniform(block[0], hot);
}

#endif
