/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the Potts model with one state in a lane, kept as a byte: doc/trajectory-potts.md is the
 * contract. Arithmetic is in floats. Every operation here is rounded once, and fused where it says
 * fma.
 *
 * A byte is read as a whole number from -128 to 127, so states from 128 on are read as 256 less.
 * States are compared as they are read. They are converted only where their order matters.
 *
 * The first half is for host and devices: parameters, sums. The second half has the update over
 * lanes and the hooks of lib/physics/field.h. It is there only if a vocabulary of reals was
 * included before.
 */
#ifndef LM_POTTS_BYTES_H
#define LM_POTTS_BYTES_H

#include "lib/physics/potts_observe.h"
#include "lib/physics/states_rule.h"
#include "lib/physics/sums.h"

/* Kinds of lattices (field.h) by their static values. The first ones are the bonds' own couplings,
 * one for each axis, if some are not 1 or are missing, as beyond an open end. The site's own field
 * follows. */
enum { LM_POTTS_PLAIN, LM_POTTS_COUPLED, LM_POTTS_IN_FIELDS };

LM_EVERYWHERE_INLINE int lm_potts_bundle_reads(int bundle)
{
    return bundle == LM_POTTS_BONDS ? LM_READS_ABOVE | LM_READS_FIXED : 0;
}

/* Returns 1.0 or 0.0 without a branch. With a branch, a measurement takes as long as several
 * sweeps. */
LM_EVERYWHERE_INLINE double lm_potts_same(int s, int t)
{
    return (double)(1 - (int)((unsigned)((s ^ t) | -(s ^ t)) >> 31));
}

/* Computes what one site adds to the sums of bonds. The engine counts the states. */
LM_EVERYWHERE_INLINE void lm_potts_site_sums(int bundle, int dims, const lm_around *at, double *add)
{
    const double zero = lm_potts_same((int)at->own[0], 0);
    (void)bundle;
    for (int a = 0; a < dims; a++)
        add[a] = at->fixed[a] * lm_potts_same((int)at->own[0], (int)at->neighbour[2 * a + 1]);
    add[dims] = at->fixed[dims] * zero;
    add[dims + 1] = zero;
}

#ifdef LM_REALS

#include "lib/physics/accept.h"
#include "lib/physics/field.h"
#include "lib/physics/states_hooks.h"

#define LM_HOOK_COMPONENTS                 1
#define LM_HOOK_SUMS(dims)                 ((dims) + 2)
#define LM_HOOK_COUNTED                    LM_POTTS_STATES
#define LM_HOOK_EVERY_BUNDLE(DO)           DO(LM_POTTS_BONDS)
#define lm_hook_bundle_begin(bundle, dims) lm_potts_bundle_begin(0, bundle, dims)
#define lm_hook_bundle_reads               lm_potts_bundle_reads
#define lm_hook_site_sums                  lm_potts_site_sums
#define lm_hook_first                      lm_potts_first

#define LM_HOOK_PARAMS (LM_POTTS_FIELD + 1)
#define lm_hook_action(dims, coupling, params, sums, count)                                        \
    lm_potts_action(dims, coupling, params, sums)
#define LM_HOOK_COLOUR_BLOCKS 3
#define LM_HOOK_ONE_LOAD

#define lm_hook_prepare(rule, table, update, dims)    lm_states_prepare(rule, NULL, update, dims)
#define lm_hook_load(common, read, dims, reach, kind) lm_potts_load(common, read, dims, kind)
#define lm_hook_update                                lm_potts_update

/* The states that a site may gain from: state 0, which the field favours, and the neighbours'. */
enum { LM_POTTS_AROUND = 9 };

typedef struct lm_hook_site {
    int around;                     /* 2 dims + 1, known to the compiler */
    lm_real value[LM_POTTS_AROUND]; /* as they are read */
    lm_real weight[LM_POTTS_AROUND];
} lm_hook_site;

/* Computes weights from the lattice's own couplings and fields. */
LM_ANY_READER
LM_INLINE void lm_potts_weigh(const lm_hook_common *c, const lm_reader *read, int dims, int kind,
                              lm_hook_site *site)
{
    if (kind == LM_POTTS_IN_FIELDS)
        site->weight[0] =
            lm_real_add(c->field, lm_real_mul(c->sign, lm_reader_fixed(read, dims, 0, 0)));
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        lm_real *const weight = site->weight + 2 * a + 1;
        weight[0] = lm_real_mul(c->coupling[a], lm_reader_fixed(read, a, a, -1));
        weight[1] = lm_real_mul(c->coupling[a], lm_reader_fixed(read, a, 0, 0));
    }
}

LM_ANY_READER
LM_INLINE lm_hook_site lm_potts_load(const lm_hook_common *c, const lm_reader *read, int dims,
                                     int kind)
{
    lm_hook_site site;
    site.around = 2 * dims + 1;
    site.value[0] = lm_real_set(0.0);
    site.weight[0] = c->field;
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        site.value[2 * a + 1] = lm_reader_one(read, 0, a, -1);
        site.value[2 * a + 2] = lm_reader_one(read, 0, a, 1);
        site.weight[2 * a + 1] = site.weight[2 * a + 2] = c->coupling[a];
    }
    if (kind != LM_POTTS_PLAIN)
        lm_potts_weigh(c, read, dims, kind, &site);
    return site;
}

/* Convert a state to the number as which its byte is read, and back. */
LM_INLINE lm_real lm_potts_read(lm_real state)
{
    return lm_real_select(lm_real_less(state, lm_real_set(128.0)), state,
                          lm_real_sub(state, lm_real_set(256.0)));
}
LM_INLINE lm_real lm_potts_state(lm_real read)
{
    return lm_real_select(lm_real_less(read, lm_real_set(0.0)),
                          lm_real_add(read, lm_real_set(256.0)), read);
}

/* Returns one of `count` states by 32 bits. Each site has its own count. */
LM_INLINE lm_real lm_potts_uniform(lm_bits u, lm_bits twice)
{
    return lm_real_of_31(lm_bits_times(u, twice));
}

/* Returns what a site with this value gains: the weights of all equal values, added in their
 * order. */
LM_INLINE lm_real lm_potts_gain(int around, const lm_hook_site *site, lm_real value)
{
    const lm_real zero = lm_real_set(0.0);
    lm_real g = lm_real_select(lm_real_equal(value, site->value[0]), site->weight[0], zero);
    LM_UNROLL
    for (int k = 1; k < around; k++)
        g = lm_real_add(
            g, lm_real_select(lm_real_equal(value, site->value[k]), site->weight[k], zero));
    return g;
}

/* ---- Metropolis */

/* Proposes a state as it is read: any state, or any but the present one. */
LM_INLINE lm_real lm_potts_proposal(const lm_hook_common *c, lm_real s, lm_bits u)
{
    if (c->update == LM_POTTS_METROPOLIS)
        return lm_potts_read(lm_potts_uniform(u, lm_bits_set(2u * (uint32_t)c->states)));
    const lm_real t = lm_potts_uniform(u, lm_bits_set(2u * (uint32_t)(c->states - 1)));
    return lm_potts_read(
        lm_real_select(lm_real_less(t, lm_potts_state(s)), t, lm_real_add(t, lm_real_set(1.0))));
}

/* Makes a Metropolis step. With two states, the other state would always be taken in step if
 * nothing speaks against it. So a site then rests once in 16 times. */
LM_INLINE lm_real lm_potts_metropolis(int around, const lm_hook_common *c, const lm_hook_site *site,
                                      lm_real s, const lm_draws *draws)
{
    lm_bits r[4];
    lm_draw_block(draws, draws->index, 0, r);
    const lm_real t = lm_potts_proposal(c, s, r[1]);
    const lm_real x = lm_real_mul(
        c->beta, lm_real_sub(lm_potts_gain(around, site, t), lm_potts_gain(around, site, s)));
    lm_mask yes = lm_accepts(x, r[0], draws, 0);
    if (c->update == LM_POTTS_OTHER && c->states == 2)
        yes = lm_mask_and(yes, lm_real_not_less(lm_real_lower(r[2]), lm_real_set(1.0625)));
    return lm_real_select(yes, t, s);
}

/* Passes the number of dimensions again. It is known where a site is loaded, but some compilers
 * unroll before they see it. */
LM_INLINE lm_real lm_potts_proposed(const lm_hook_common *c, const lm_hook_site *site, lm_real s,
                                    const lm_draws *draws)
{
    return site->around == 5   ? lm_potts_metropolis(5, c, site, s, draws)
           : site->around == 7 ? lm_potts_metropolis(7, c, site, s, draws)
           : site->around == 3 ? lm_potts_metropolis(3, c, site, s, draws)
                               : lm_potts_metropolis(9, c, site, s, draws);
}

/* ---- heat bath
 *
 * At most 2 d + 1 of all q states are around a site and have gains of their own. The other states
 * have no gain, and together they are one more choice. */

/* Sorts states in ascending order. */
LM_INLINE void lm_potts_sort(int around, const lm_real *value, lm_real *sorted)
{
    LM_UNROLL
    for (int k = 0; k < around; k++)
        sorted[k] = lm_potts_state(value[k]);
    LM_UNROLL
    for (int end = around - 1; end > 0; end--)
        LM_UNROLL
    for (int k = 0; k < end; k++) {
        const lm_real lower = lm_real_min(sorted[k], sorted[k + 1]);
        sorted[k + 1] = lm_real_max(sorted[k], sorted[k + 1]);
        sorted[k] = lower;
    }
}

/* Returns how many of all states are not among these. */
LM_INLINE lm_real lm_potts_rest(int around, int states, const lm_real *sorted)
{
    const lm_real one = lm_real_set(1.0);
    lm_real rest = lm_real_set(states - 1);
    LM_UNROLL
    for (int k = 1; k < around; k++)
        rest = lm_real_select(lm_real_less(sorted[k - 1], sorted[k]), lm_real_sub(rest, one), rest);
    return rest;
}

/* Returns state number j of those that are not among these. */
LM_INLINE lm_real lm_potts_other(int around, const lm_real *sorted, lm_real j)
{
    LM_UNROLL
    for (int k = 0; k < around; k++) {
        const lm_real next = lm_real_add(j, lm_real_set(1.0));
        lm_mask above = lm_real_not_less(j, sorted[k]);
        if (k > 0)
            above = lm_mask_and(above, lm_real_less(sorted[k - 1], sorted[k]));
        j = lm_real_select(above, next, j);
    }
    return j;
}

/* Computes the gain of each state around a site. A state that came before gets no gain, and is
 * marked in `again`. */
LM_INLINE void lm_potts_gains(int around, const lm_hook_site *site, lm_real *gain, lm_mask *again)
{
    const lm_real zero = lm_real_set(0.0);
    LM_UNROLL
    for (int k = 0; k < around; k++) {
        gain[k] = zero;
        again[k] = lm_mask_first(0);
        LM_UNROLL
        for (int j = 0; j < k; j++) {
            const lm_mask same = lm_real_equal(site->value[j], site->value[k]);
            gain[j] = lm_real_add(gain[j], lm_real_select(same, site->weight[k], zero));
            gain[k] = lm_real_add(gain[k], lm_real_select(same, site->weight[j], zero));
            again[k] = lm_mask_or(again[k], same);
        }
        gain[k] = lm_real_add(gain[k], site->weight[k]);
    }
}

/* Computes 2^16 exp(|beta| (gain - the greatest)). The weight of the rest is multiplied by the
 * number of its states. */
LM_INLINE void lm_potts_weights(int around, const lm_hook_common *c, const lm_hook_site *site,
                                lm_real rest, lm_real *weight)
{
    const lm_real zero = lm_real_set(0.0);
    lm_mask again[LM_POTTS_AROUND];
    lm_real gain[LM_POTTS_AROUND];
    lm_potts_gains(around, site, gain, again);
    lm_real most = gain[0];
    LM_UNROLL
    for (int k = 1; k < around; k++)
        most = lm_real_max(most, gain[k]);
    most = lm_real_select(lm_real_less(zero, rest), lm_real_max(most, zero), most);
    LM_UNROLL
    for (int k = 0; k < around; k++) {
        const lm_real w = lm_boltzmann_weight(lm_real_mul(c->beta, lm_real_sub(gain[k], most)));
        weight[k] = lm_real_select(again[k], zero, w);
    }
    weight[around] =
        lm_real_mul(rest, lm_boltzmann_weight(lm_real_mul(c->beta, lm_real_sub(zero, most))));
}

/* Returns whether this state is chosen. Its weight is a part of `sum`. 16 bits decide, and after a
 * tie 31 more. */
LM_INLINE lm_mask lm_potts_chosen(lm_real weight, lm_real sum, lm_real bits, const lm_draws *draws,
                                  uint32_t tie)
{
    const lm_real one = lm_real_mul(sum, lm_real_set(1.0 / 65536.0));
    return lm_settled_in(lm_real_fma(lm_real_neg(bits), one, weight), one, draws, tie);
}

/* Returns number k of the halves of words, as a whole number. */
LM_INLINE lm_real lm_potts_half(const lm_bits *words, int k)
{
    const lm_real whole = lm_real_set(65536.0);
    return k % 2 == 0 ? lm_real_sub(lm_real_upper(words[k / 2]), whole)
                      : lm_real_fma(lm_real_lower(words[k / 2]), whole, lm_real_neg(whole));
}

/* Tries the states around a site one after another, then the rest. */
LM_INLINE lm_real lm_potts_drawn(int around, const lm_hook_common *c, const lm_hook_site *site,
                                 const lm_draws *draws)
{
    lm_real sorted[LM_POTTS_AROUND], weight[LM_POTTS_AROUND + 1], sum[LM_POTTS_AROUND + 1];
    lm_bits words[8];
    lm_draw_block(draws, draws->index, 0, words);
    if (around > 5)
        lm_draw_block(draws, draws->index, 1, words + 4);
    lm_potts_sort(around, site->value, sorted);
    const lm_real rest = lm_potts_rest(around, c->states, sorted);
    lm_potts_weights(around, c, site, rest, weight);
    sum[around] = weight[around];
    LM_UNROLL
    for (int k = around - 1; k >= 0; k--)
        sum[k] = lm_real_add(weight[k], sum[k + 1]);
    lm_mask open = lm_mask_first(LM_REALS);
    lm_real t = site->value[0];
    LM_UNROLL
    for (int k = 0; k < around; k++) {
        const lm_mask yes = lm_mask_and(
            open, lm_potts_chosen(weight[k], sum[k], lm_potts_half(words, k), draws, (uint32_t)k));
        t = lm_real_select(yes, site->value[k], t);
        open = lm_mask_andnot(yes, open);
    }
    if (!lm_mask_any(open))
        return t;
    const lm_bits twice = lm_bits_of_whole(lm_real_add(rest, rest));
    const lm_real j = lm_potts_uniform(words[(around + 1) / 2], twice);
    return lm_real_select(open, lm_potts_read(lm_potts_other(around, sorted, j)), t);
}

/* Its code exists four times, for all lattices. */
LM_CALLED lm_real lm_potts_bytes_heatbath(const lm_hook_common *c, const lm_hook_site *site,
                                          const lm_draws *draws)
{
    return site->around == 5   ? lm_potts_drawn(5, c, site, draws)
           : site->around == 7 ? lm_potts_drawn(7, c, site, draws)
           : site->around == 3 ? lm_potts_drawn(3, c, site, draws)
                               : lm_potts_drawn(9, c, site, draws);
}

/* Calls the heat bath with copies. If the function got addresses, Metropolis would also have these
 * values in memory. */
LM_INLINE lm_real lm_potts_heatbath_apart(const lm_hook_common *c, const lm_hook_site *site,
                                          const lm_draws *draws)
{
    const lm_hook_common common = *c;
    const lm_draws own = *draws;
    lm_hook_site around;
    around.around = site->around;
    LM_UNROLL
    for (int k = 0; k < LM_POTTS_AROUND; k++) {
        around.value[k] = k < site->around ? site->value[k] : site->value[0];
        around.weight[k] = k < site->around ? site->weight[k] : site->weight[0];
    }
    return lm_potts_bytes_heatbath(&common, &around, &own);
}

/* Updates sites. Adds the sites that change among `valid` to *changed. */
LM_INLINE void lm_potts_update(const lm_hook_common *c, const lm_hook_site *site, lm_real *s,
                               const lm_draws *draws, lm_mask valid, lm_tally *changed)
{
    const lm_real t = c->update == LM_POTTS_HEATBATH ? lm_potts_heatbath_apart(c, site, draws)
                                                     : lm_potts_proposed(c, site, s[0], draws);
    lm_tally_add(changed, lm_mask_andnot(lm_real_equal(t, s[0]), valid));
    s[0] = t;
}

/* Makes the first state: 0, or if hot one of `hot` states. */
LM_INLINE void lm_potts_first(const lm_bits block[4], int hot, lm_real *s)
{
    s[0] = lm_potts_read(lm_potts_uniform(block[0], lm_bits_set(2u * (uint32_t)hot)));
}

#endif
#endif
