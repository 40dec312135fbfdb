/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the heat bath of O(n) vectors over lanes: doc/trajectory-onvector.md, "Heat bath". It is a
 * part of onvector.h, which includes it. n is LM_ONVECTOR_N.
 *
 * Let theta be the angle between the new vector and the local field, or the opposite field if beta
 * is negative. Its density is exp(k cos theta) sin(theta)^(n - 2). All directions across the field
 * have the same probability.
 */
#ifndef LM_ONVECTOR_HEATBATH_H
#define LM_ONVECTOR_HEATBATH_H

#include "lib/physics/accept.h"
#include "lib/physics/decay.h"
#include "lib/physics/sphere.h"
#include "lib/physics/vector.h"

/* The direction of the field, its strength k, and 1 / k. */
typedef struct lm_onvector_bath {
    lm_real e[LM_ONVECTOR_N], k, inverse;
} lm_onvector_bath;

/* Returns the bath of a field h. If the field is too short to have a direction, or too weak to
 * matter, k counts as 0. */
LM_INLINE lm_onvector_bath lm_onvector_bath_of(lm_real beta, const lm_real *h)
{
    const lm_real least = lm_real_set(0x1p-60), w = lm_vector_dot(LM_ONVECTOR_N, h, h);
    const lm_mask negative = lm_real_less(beta, lm_real_set(0.0));
    const lm_real k =
        lm_real_mul(lm_real_select(negative, lm_real_neg(beta), beta), lm_real_sqrt(w));
    const lm_mask felt =
        lm_mask_and(lm_real_not_less(w, lm_real_set(0x1p-100)), lm_real_not_less(k, least));
    lm_onvector_bath bath;
    bath.k = lm_real_select(felt, k, least);
    bath.inverse = lm_real_div(lm_real_set(1.0), bath.k);
    const lm_real by = lm_real_mul(beta, bath.inverse);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        bath.e[i] = lm_real_select(felt, lm_real_mul(by, h[i]),
                                   lm_real_set(i == LM_ONVECTOR_N - 1 ? 1.0 : 0.0));
    return bath;
}

#if LM_ONVECTOR_N == 3

enum { LM_ONVECTOR_TOGETHER = 4 };

/* Takes the site's own two words of a pair's block. The site with the lower number has the first
 * ones. */
LM_INLINE void lm_onvector_own_words(lm_bits number, const lm_bits *block, lm_bits *r)
{
    const lm_bits lower = lm_bits_add(lm_and(lm_bits_right(number, 1), lm_set(1)), ~0u);
    LM_UNROLL
    for (int i = 0; i < 2; i++)
        r[i] = lm_select(lower, block[i], block[2 + i]);
}

#ifndef __CUDACC__
/* Returns whether sites 0, 2, .. have the lower numbers of their pairs and each is followed by its
 * partner. */
LM_INLINE int lm_onvector_paired(int count, const lm_draws *draws)
{
    lm_bits apart = lm_set(0);
    LM_UNROLL
    for (int j = 0; j < count; j += 2) {
        const lm_bits lower = draws[j].index.low, other = draws[j + 1].index.low;
        apart = lm_or(apart, lm_and(lower, lm_set(LM_OTHER_OF_PAIR)));
        apart = lm_or(apart, lm_xor(lm_bits_add(lower, LM_OTHER_OF_PAIR), other));
    }
    return !lm_any(apart);
}

/* Draws words for several sites of one stream, which share the block's beginning and are not
 * wide. */
LM_INLINE void lm_onvector_words_together(int count, const lm_draws *draws, lm_bits (*r)[2])
{
    lm_bits block[4];
    if (lm_onvector_paired(count, draws)) {
        LM_UNROLL
        for (int j = 0; j < count; j += 2) {
            lm_random_sites(&draws->stream, draws[j].index.low, 0, block);
            LM_UNROLL
            for (int i = 0; i < 4; i++)
                r[j + i / 2][i % 2] = block[i];
        }
        return;
    }
    LM_UNROLL
    for (int j = 0; j < count; j++) {
        const lm_bits number = draws[j].index.low;
        lm_random_sites(&draws->stream, lm_and(number, lm_set(~LM_OTHER_OF_PAIR)), 0, block);
        lm_onvector_own_words(number, block, r[j]);
    }
}
#endif

/* Draws two words for each site, from block 0 of its pair. */
LM_INLINE void lm_onvector_words(int count, const lm_draws *draws, lm_bits (*r)[2])
{
#ifdef LM_DRAWS_PAIRS
    if (draws->pair) {
        lm_onvector_own_words(draws->index.low, draws->pair, r[0]);
        return;
    }
#endif
#ifndef __CUDACC__
    if (count > 1) {
        lm_onvector_words_together(count, draws, r);
        return;
    }
#endif
    lm_bits block[4];
    lm_draw_block_of_pair(draws, draws->index, 0, block);
    lm_onvector_own_words(draws->index.low, block, r[0]);
}

/* Computes 1 - cos(theta), by inversion of its distribution function. */
LM_INLINE void lm_onvector_heights(int count, const lm_onvector_bath *bath, const lm_bits (*r)[2],
                                   lm_real *t)
{
    lm_real k[LM_ONVECTOR_TOGETHER], y[LM_ONVECTOR_TOGETHER];
    LM_UNROLL
    for (int j = 0; j < count; j++)
        k[j] = bath[j].k;
    lm_real_decayed(count, k, y);
    LM_UNROLL
    for (int j = 0; j < count; j++)
        y[j] = lm_real_mul(lm_uniform(r[j][0]), y[j]);
    lm_real_log_beyond(count, y, t);
    LM_UNROLL
    for (int j = 0; j < count; j++)
        t[j] = lm_real_mul(t[j], bath[j].inverse);
}

/* Computes the components across the pole. */
LM_INLINE void lm_onvector_across(lm_real t, lm_bits u, lm_real *eta)
{
    const lm_real square = lm_real_mul(t, lm_real_sub(lm_real_set(2.0), t));
    const lm_real across = lm_real_sqrt(lm_real_max(square, lm_real_set(0.0)));
    lm_unit_circle(u, eta);
    LM_UNROLL
    for (int i = 0; i < 2; i++)
        eta[i] = lm_real_mul(across, eta[i]);
}

/* Draws new vectors of `count` >= 1 sites of one stream. `count` is known to the compiler. The
 * sites go step by step together, because each step of a site waits longer for the one before it
 * than its instructions take. */
LM_INLINE void lm_onvector_draw(int count, lm_real beta, const lm_hook_site *site,
                                lm_real (*s)[LM_ONVECTOR_N], const lm_draws *draws)
{
    lm_onvector_bath bath[LM_ONVECTOR_TOGETHER];
    lm_bits r[LM_ONVECTOR_TOGETHER][2];
    lm_real t[LM_ONVECTOR_TOGETHER], eta[LM_ONVECTOR_TOGETHER][2];
    LM_UNROLL
    for (int j = 0; j < count; j++)
        bath[j] = lm_onvector_bath_of(beta, site[j].h);
    lm_onvector_words(count, draws, r);
    lm_onvector_heights(count, bath, (const lm_bits(*)[2])r, t);
    LM_UNROLL
    for (int j = 0; j < count; j++)
        lm_onvector_across(t[j], r[j][1], eta[j]);
    LM_UNROLL
    for (int j = 0; j < count; j++)
        lm_turn_from_pole(3, bath[j].e, eta[j], lm_real_sub(lm_real_set(1.0), t[j]), s[j]);
    LM_UNROLL
    for (int j = 0; j < count; j++)
        lm_vector_unit(3, s[j]);
}

LM_CALLED void lm_onvector_heatbath(const lm_hook_common *common, const lm_hook_site *site,
                                    lm_real *s, const lm_draws *draws, lm_mask valid,
                                    lm_tally *accepted)
{
    lm_real to[1][LM_ONVECTOR_N];
    lm_onvector_draw(1, common->beta, site, to, draws);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        s[i] = to[0][i];
    lm_tally_add(accepted, valid);
}

#else

/* For rejection: words of a try, those for its direction first; tries in a block; the most
 * tries. */
enum {
    LM_TRY_DIRECTION = LM_ONVECTOR_N - 1,
    LM_TRY_WORDS = LM_ONVECTOR_N == 2 ? 2 : 4,
    LM_TRY_BLOCKS = 128 * LM_TRY_WORDS / 4
};

/* What all tries of a site share. */
typedef struct lm_onvector_map {
    lm_real b, above, twice; /* 1 + b, 2 sqrt(b) */
} lm_onvector_map;

LM_INLINE lm_onvector_map lm_onvector_map_of(lm_real k)
{
    const lm_real one = lm_real_set(1.0), most = lm_real_set(0x1p60);
    const lm_real l = lm_real_mul(lm_real_min(k, most), lm_real_set(2.0 / (LM_ONVECTOR_N - 1)));
    const lm_real root = lm_real_sqrt(lm_real_fma(l, l, one));
    lm_onvector_map map;
    map.b = lm_real_div(one, lm_real_add(l, root));
    map.above = lm_real_add(one, map.b);
    const lm_real g = lm_real_sqrt(map.b);
    map.twice = lm_real_add(g, g);
    return map;
}

/* Makes a vector about the pole, with the components across the pole first. Returns where it is
 * accepted. */
LM_INLINE lm_mask lm_onvector_try(const lm_onvector_map *map, const lm_bits *r, lm_real *y)
{
    const lm_real one = lm_real_set(1.0);
    lm_real x[LM_ONVECTOR_N];
    lm_sphere(LM_ONVECTOR_N, r, x);
    const lm_real up = lm_real_add(one, x[LM_ONVECTOR_N - 1]),
                  down = lm_real_sub(one, x[LM_ONVECTOR_N - 1]);
    const lm_real inverse = lm_real_div(one, lm_real_fma(map->b, down, up));
    const lm_real by = lm_real_mul(map->twice, inverse), v = lm_real_mul(map->above, inverse);
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N - 1; i++)
        y[i] = lm_real_mul(x[i], by);
    y[LM_ONVECTOR_N - 1] = lm_real_mul(lm_real_fma(lm_real_neg(map->b), down, up), inverse);
    lm_real share = lm_real_mul(
        v, lm_real_mul(lm_boltzmann_weight(lm_real_sub(one, v)), lm_real_set(1.0 / 65536.0)));
    if (LM_ONVECTOR_N == 4)
        share = lm_real_mul(lm_real_mul(share, share), share);
    return lm_real_less(lm_uniform(r[LM_TRY_DIRECTION]), share);
}

/* Lanes that wait for others draw with them and keep their accepted vector. So no lane depends on
 * another one. */
LM_CALLED void lm_onvector_heatbath(const lm_hook_common *common, const lm_hook_site *site,
                                    lm_real *s, const lm_draws *draws, lm_mask valid,
                                    lm_tally *accepted)
{
    const lm_onvector_bath bath = lm_onvector_bath_of(common->beta, site->h);
    const lm_onvector_map map = lm_onvector_map_of(bath.k);
    lm_mask left = valid;
    lm_real taken[LM_ONVECTOR_N], to[LM_ONVECTOR_N];
    LM_UNROLL
    for (int i = 0; i < LM_ONVECTOR_N; i++)
        taken[i] = lm_real_set(i == LM_ONVECTOR_N - 1 ? 1.0 : 0.0);
    for (uint32_t block = 0; block < LM_TRY_BLOCKS && lm_mask_any(left); block++) {
        lm_bits r[4];
        lm_draw_block(draws, draws->index, block, r);
        LM_UNROLL
        for (int w = 0; w < 4; w += LM_TRY_WORDS) {
            lm_real y[LM_ONVECTOR_N];
            const lm_mask yes = lm_onvector_try(&map, r + w, y), now = lm_mask_and(left, yes);
            lm_vector_select(LM_ONVECTOR_N, now, y, taken);
            left = lm_mask_andnot(now, left);
        }
    }
    const lm_mask done = lm_mask_andnot(left, valid);
    lm_turn_from_pole(LM_ONVECTOR_N, bath.e, taken, taken[LM_ONVECTOR_N - 1], to);
    lm_vector_unit(LM_ONVECTOR_N, to);
    lm_vector_select(LM_ONVECTOR_N, done, to, s);
    lm_tally_add(accepted, done);
}

#endif
#endif
