/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates a site of the phi^4 model in a thread of a GPU, in the stages that lib/physics/field.h
 * lists.
 */
#ifndef LM_CUDA_PHI4_CUH
#define LM_CUDA_PHI4_CUH

#include "lib/physics/phi4.h"
#include "lib/physics/phi4_observe.h"
#include "lib/physics/phi4_stencil.h"
#include "lib/physics/phi4_hooks.h"

#define LM_HOOK_FIXED(dims, kind)                           0 /* degrees need no memory */
#define LM_HOOK_HAS(reach, kind)                            ((kind) < 2)
#define LM_HOOK_TILES                                       1
#define LM_HOOK_BY_CLASS                                    1
#define LM_HOOK_PARAMS                                      (LM_PHI4_FIELD + 1)
#define lm_hook_action(dims, coupling, params, sums, count) lm_phi4_action(params, sums)

/* lm_phi4_rule, rounded to the type of the sites. The engine needs `hits` and `local_sweeps` of
 * it. */
typedef struct lm_hook_rule {
    lm_scalar epsilon, kappa, field, g4;
    lm_scalar a2[9], s1[9], s1_open[9], centre[9]; /* [degree] */
    int hits, local_sweeps;
} lm_hook_rule;

typedef struct lm_hook_site {
    lm_phi4_site energy;
    int degree;
} lm_hook_site;
typedef lm_phi4_line lm_hook_line;

#define lm_hook_line_of    lm_phi4_line_of
#define lm_hook_cross      lm_phi4_cross
#define lm_hook_tile_draws lm_phi4_tile_draws

/* ---- what a site sees */

/* Returns the one static value. */
template <class READER> LM_INLINE lm_real lm_reader_fixed(const READER *read, int, int a, int s)
{
    return lm_reader_degree(read, a, s);
}

/* Reads the surroundings of a site whose line is known. READER::bonds(a) is what it has of bonds
 * along axis a; it is called only if OPEN. */
template <int D, int REACH, bool OPEN, class READER>
LM_INLINE lm_hook_site lm_hook_load_line(const lm_hook_rule &rule, const READER *read,
                                         const lm_hook_line *line)
{
    const lm_phi4_sums sums = lm_phi4_sums_of(read, line, D, REACH);
    int bonds = 2 * D;
    lm_hook_site site;
    if constexpr (OPEN) {
        bonds = 0;
        LM_UNROLL
        for (int a = 0; a < D; a++)
            bonds += read->bonds(a);
        site.energy.b = lm_phi4_slope_open(&sums, lm_phi4_weighted(read, D), rule.kappa,
                                           rule.s1_open[bonds], rule.field);
    } else {
        site.energy.b = lm_phi4_slope(&sums, rule.kappa, rule.s1[bonds], rule.field);
    }
    site.energy.a2 = rule.a2[bonds];
    site.energy.g4 = rule.g4;
    site.degree = bonds;
    return site;
}

template <int D, int REACH, class READER>
LM_INLINE lm_hook_site lm_site_load(const lm_hook_rule &rule, const READER *read, int kind)
{
    const lm_hook_line line = lm_phi4_line_of(read, D, REACH);
    return kind ? lm_hook_load_line<D, REACH, true>(rule, read, &line)
                : lm_hook_load_line<D, REACH, false>(rule, read, &line);
}

/* Returns the rule where all sites have degree 2 D: it needs few registers. */
template <int D> LM_INLINE lm_hook_rule lm_hook_of_degree(const lm_hook_rule &all)
{
    lm_hook_rule one;
    one.kappa = all.kappa;
    one.field = all.field;
    one.epsilon = all.epsilon;
    one.g4 = all.g4;
    one.a2[2 * D] = all.a2[2 * D];
    one.s1[2 * D] = all.s1[2 * D];
    return one;
}

/* ---- proposals */

#if LM_REAL_BITS == 32

/* A thread's accepted proposals, far below 2^24 in a tile; adding floats is faster. */
typedef float lm_hook_tally;

/*
 * Makes the same proposals as lm_phi4_hits, faster. It first asks the device's own 2^x whether a
 * proposal is accepted. Let t be its value and w the contract's weight. Then |t - w| < 1/4 wherever
 * w is at most 2^16. w itself has relative error 2e-7. t = 2^(16 + x log2 e) is made by one fma and
 * ex2.approx. The result of the fma is at most 16 in magnitude and therefore off by at most 2^-20.
 * ex2.approx is off by 2^-22 of the result. In all this is 9e-7 of 2^16 or less, that is 0.06.
 * Where x is so low that t underflows, w is at most 2^-48. Beyond 2^16, w and t both accept.
 *
 * So the outcome is known unless -1/4 < t - (u >> 16) < 5/4. This happens once in 44,000 times.
 * Then the hits are made again as the contract has them.
 */
LM_INLINE float lm_phi4_guess(float x)
{
    float t;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(__fmaf_rn(x, 1.44269504f, 16.0f)));
    return t;
}

typedef struct lm_phi4_state {
    float phi, energy;
    float margin; /* distance of the closest case from t - (u >> 16) = 1/2 */
    float accepted;
} lm_phi4_state;

LM_INLINE void lm_phi4_try(const lm_phi4_site &site, float epsilon, uint32_t u, lm_phi4_state *s)
{
    /* Integers below 2^16 are in the lowest bits of a float between 2^23 and 2^24. */
    const float lower = __uint_as_float(__byte_perm(u, 0x4B00u, 0x5410)) - 8388608.0f;
    const float upper_half = __uint_as_float(__byte_perm(u, 0x4B00u, 0x5432)) - 8388607.5f;
    /* This is exact: lm_phi4_hits has it as fma(1 + lower / 2^16, 2, 2^-16 - 3). */
    const float step = __fmaf_rn(lower, 1.0f / 32768.0f, -1.0f + 1.0f / 65536.0f);
    const float moved = __fmaf_rn(epsilon, step, s->phi);
    const float after = lm_phi4_energy(&site, moved);
    const float d = lm_phi4_guess(s->energy - after) - upper_half;
    const bool yes = d > 0.0f;
    s->margin = fminf(s->margin, fabsf(d));
    s->phi = yes ? moved : s->phi;
    s->energy = yes ? after : s->energy;
    if (yes)
        s->accepted += 1.0f;
}

/* Makes hits as the contract has them, for cases that are too close to call. It is seldom
 * needed. So it is short, one hit at a time, and a function of its own that does not disturb the
 * other code. */
static __device__ __noinline__ float2 lm_phi4_settle(lm_phi4_site site, float phi, float epsilon,
                                                     int hits, lm_draws draws)
{
    const lm_mask valid = true;
    lm_tally accepted = lm_tally_zero();
#pragma unroll 1
    for (; hits > 0; hits--, draws.tie++) {
        lm_phi4_hits(1, &site, &phi, epsilon, 1, &draws, &valid, &accepted);
        draws.word++;
        draws.block += (uint32_t)draws.word / 4u;
        draws.word &= 3;
    }
    return make_float2(phi, (float)accepted);
}

/* Takes hits back if one of them was too close, and makes them again. */
LM_INLINE void lm_phi4_check(const lm_phi4_site &site, float epsilon, int hits,
                             const lm_draws &draws, float phi, float accepted, lm_phi4_state *s)
{
    if (__builtin_expect(s->margin < 0.75f, 0)) {
        const float2 again = lm_phi4_settle(site, phi, epsilon, hits, draws);
        s->phi = again.x;
        s->energy = lm_phi4_energy(&site, s->phi);
        s->accepted = accepted + again.y;
        s->margin = 1.0f;
    }
}

/* Makes 4 BLOCKS hits. All blocks are drawn first: where few warps share a scheduler, one warp
 * draws while another warp's hits wait for each other. */
template <int BLOCKS>
LM_INLINE void lm_phi4_hit_blocks(const lm_phi4_site &site, float epsilon, lm_draws *draws,
                                  lm_phi4_state *s)
{
    const float before = s->phi;
    const float count = s->accepted;
    uint32_t u[BLOCKS][4];
    LM_UNROLL
    for (int b = 0; b < BLOCKS; b++)
        lm_draw_block(draws, draws->index, draws->block + (uint32_t)b, u[b]);
    LM_UNROLL
    for (int h = 0; h < 4 * BLOCKS; h++)
        lm_phi4_try(site, epsilon, u[h / 4][h % 4], s);
    lm_phi4_check(site, epsilon, 4 * BLOCKS, *draws, before, count, s);
    draws->block += BLOCKS;
    draws->tie += 4 * BLOCKS;
}

/* Makes fewer than four hits with numbers that have been drawn, from the draws' block and word
 * on. */
LM_INLINE void lm_phi4_few_hits(const lm_phi4_site &site, float epsilon, int hits,
                                const lm_draws &draws, const uint32_t *u, lm_phi4_state *s)
{
    const float before = s->phi;
    const float count = s->accepted;
    lm_phi4_try(site, epsilon, u[0], s);
    if (hits > 1)
        lm_phi4_try(site, epsilon, u[1], s);
    if (hits > 2)
        lm_phi4_try(site, epsilon, u[2], s);
    lm_phi4_check(site, epsilon, hits, draws, before, count, s);
}

LM_INLINE lm_phi4_state lm_phi4_begin(const lm_phi4_site &site, float phi, float accepted)
{
    const lm_phi4_state s = {phi, lm_phi4_energy(&site, phi), 1.0f, accepted};
    return s;
}

/* Makes one or two hits whose numbers have been drawn. */
LM_INLINE lm_real lm_hook_propose_drawn(const lm_hook_site &site, lm_real phi, lm_real epsilon,
                                        int hits, const lm_draws &draws, const uint32_t *u,
                                        lm_hook_tally *accepted)
{
    lm_phi4_state s = lm_phi4_begin(site.energy, phi, *accepted);
    lm_phi4_few_hits(site.energy, epsilon, hits, draws, u, &s);
    *accepted = s.accepted;
    return s.phi;
}

/* Makes hits whose draws begin with word 0. */
LM_INLINE lm_real lm_hook_propose(const lm_hook_site &site, lm_real phi, lm_real epsilon, int hits,
                                  lm_draws draws, lm_hook_tally *accepted)
{
    lm_phi4_state s = lm_phi4_begin(site.energy, phi, *accepted);
    uint32_t u[4];
    for (; hits >= 8; hits -= 8)
        lm_phi4_hit_blocks<2>(site.energy, epsilon, &draws, &s);
    if (hits >= 4) {
        lm_phi4_hit_blocks<1>(site.energy, epsilon, &draws, &s);
        hits -= 4;
    }
    if (hits > 0) {
        lm_draw_block(&draws, draws.index, draws.block, u);
        lm_phi4_few_hits(site.energy, epsilon, hits, draws, u, &s);
    }
    *accepted = s.accepted;
    return s.phi;
}

#else

typedef lm_tally lm_hook_tally;

LM_INLINE lm_real lm_hook_propose(const lm_hook_site &site, lm_real phi, lm_real epsilon, int hits,
                                  const lm_draws &draws, lm_hook_tally *accepted)
{
    const lm_mask valid = true;
    lm_phi4_hits(1, &site.energy, &phi, epsilon, hits, &draws, &valid, accepted);
    return phi;
}

LM_INLINE lm_real lm_hook_propose_drawn(const lm_hook_site &site, lm_real phi, lm_real epsilon,
                                        int hits, const lm_draws &draws, const uint32_t *,
                                        lm_hook_tally *accepted)
{
    return lm_hook_propose(site, phi, epsilon, hits, draws, accepted);
}

#endif

/* Updates the site of a colour. `reflects`: the update's variant. */
LM_INLINE void lm_site_update(const lm_hook_rule &rule, const lm_hook_site &site, lm_real *phi,
                              int reflects, const lm_draws &draws, lm_hook_tally *accepted)
{
    if (reflects) {
        lm_tally reflections = lm_tally_zero();
        *phi = lm_phi4_overrelax(&site.energy, *phi, rule.centre[site.degree], &draws, true,
                                 &reflections);
        *accepted += (lm_hook_tally)reflections;
    } else {
        *phi = lm_hook_propose(site, *phi, rule.epsilon, rule.hits, draws, accepted);
    }
}

#endif
