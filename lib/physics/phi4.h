/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phi^4 model over the lanes of a device: one site in each lane, its neighbours' sum b
 * being known. doc/trajectory-phi4.md, "The phi^4 model", is the contract; every operation here is
 * rounded once, and fused where it says fma.
 *
 * Include a vocabulary of words and one of reals (backends/cpu/real_*.h) first.
 */
#ifndef LM_PHI4_H
#define LM_PHI4_H

#include "lib/physics/field.h"

/* 2^f on [-1/2, 1/2] as a polynomial with value 1 at 0; Chebyshev nodes. */
LM_INLINE double lm_exp2_coefficient(int i)
{
#if LM_REAL_BITS == 32
    const double c[] = {1.0, 0x1.62e430p-1, 0x1.ebfa4cp-3, 0x1.c6afeep-5, 0x1.3cbf60p-7,
                        0x1.5ec866p-10};
#else
    const double c[] = {1.0,
                        0x1.62e42fefa39efp-1,
                        0x1.ebfbdff82c598p-3,
                        0x1.c6b08d704a0c2p-5,
                        0x1.3b2ab6fba1ddap-7,
                        0x1.5d87fe78a5276p-10,
                        0x1.430913096fd9fp-13,
                        0x1.ffcbfc670dcd4p-17,
                        0x1.62bfd47773353p-20,
                        0x1.b524fae627834p-24,
                        0x1.e6063f7217bc6p-28,
                        0x1.e9d3fe3952179p-32};
#endif
    return c[i];
}

#if LM_REAL_BITS == 32
#define LM_EXP2_DEGREE 5
#else
#define LM_EXP2_DEGREE 11
#endif

/* Powers of two below 2^LOWEST are not told apart: as a weight they are NEVER, which is refused. */
#define LM_PHI4_LOWEST -64.0
#define LM_PHI4_NEVER  0x1p-48

/* Draws from here on settle ties. */
#define LM_PHI4_TIES 32768u

/* What a site's update needs beside its field: H = a2 phi^2 + g4 phi^4 + b phi. */
typedef struct lm_phi4_site {
    lm_real a2, g4, b;
} lm_phi4_site;

/* Sums over a site's neighbours: one step, two steps along one axis, one along each of two. */
typedef struct lm_phi4_sums {
    lm_real one, two, diagonal;
} lm_phi4_sums;

/* b = kappa (two + 2 diagonal) + s1 one - h, without open axes. */
LM_INLINE lm_real lm_phi4_slope(const lm_phi4_sums *s, lm_real kappa, lm_real s1, lm_real field)
{
    const lm_real far = lm_real_fma(lm_real_set(2.0), s->diagonal, s->two);
    return lm_real_fma(kappa, far, lm_real_fma(s1, s->one, lm_real_neg(field)));
}

/* The same where neighbours differ in degree; `weighted` is the sum of degree times field. */
LM_INLINE lm_real lm_phi4_slope_open(const lm_phi4_sums *s, lm_real weighted, lm_real kappa,
                                     lm_real s1, lm_real field)
{
    const lm_real far =
        lm_real_sub(lm_real_fma(lm_real_set(2.0), s->diagonal, s->two), weighted);
    return lm_real_fma(kappa, far, lm_real_fma(s1, s->one, lm_real_neg(field)));
}

LM_INLINE lm_real lm_phi4_energy(const lm_phi4_site *s, lm_real phi)
{
    const lm_real quadratic = lm_real_fma(s->g4, lm_real_mul(phi, phi), s->a2);
    return lm_real_mul(lm_real_fma(quadratic, phi, s->b), phi);
}

/* 2^16 min(1, e^x), roughly 2^17 at most and LM_PHI4_NEVER at least; relative error 2e-7 (float) or
 * 1e-15. x = -dH; the least also if x is a NaN. */
LM_INLINE lm_real lm_phi4_weight(lm_real x)
{
    const lm_real log2_e = lm_real_set(1.4426950408889634);
    const lm_real y = lm_real_min(lm_real_max(lm_real_mul(x, log2_e), lm_real_set(LM_PHI4_LOWEST)),
                                  lm_real_set(1.0));
    const lm_real z = lm_real_add(y, lm_real_set(LM_REAL_WHOLE)); /* y rounded, in its low bits */
    const lm_real f = lm_real_sub(y, lm_real_sub(z, lm_real_set(LM_REAL_WHOLE)));
    lm_real p = lm_real_set(65536.0 * lm_exp2_coefficient(LM_EXP2_DEGREE));
    LM_UNROLL
    for (int i = LM_EXP2_DEGREE - 1; i >= 0; i--)
        p = lm_real_fma(p, f, lm_real_set(65536.0 * lm_exp2_coefficient(i)));
    return lm_real_scale(p, z);
}

/* Is the move of dH = -x accepted? The upper half of `bits` decides but for one case in 65536,
 * in which the site draws once more: block number `tie`. */
LM_INLINE lm_mask lm_phi4_accepts(lm_real x, lm_bits bits, const lm_stream *stream,
                                  lm_bits index, uint32_t tie)
{
    /* d = weight - the upper half: >= 1 yes, <= NEVER no, otherwise yes with probability d */
    const lm_real upper = lm_real_sub(lm_real_upper(bits), lm_real_set(65536.0));
    const lm_real d = lm_real_sub(lm_phi4_weight(x), upper);
    const lm_mask yes = lm_real_not_less(d, lm_real_set(1.0));
    const lm_mask tied = lm_mask_andnot(yes, lm_real_less(lm_real_set(LM_PHI4_NEVER), d));
    if (lm_mask_any(tied)) {
        lm_bits r[4];
        lm_random_sites(stream, index, LM_PHI4_TIES + tie, r);
        const lm_real u = lm_real_mul(lm_real_of_31(r[0]), lm_real_set(1.0 / 2147483648.0));
        return lm_mask_or(yes, lm_mask_and(tied, lm_real_less(u, d)));
    }
    return yes;
}

/* The numbers of local sweep l of a tile, for a colour: with one hit four colours share a block,
 * with two hits two. */
LM_INLINE void lm_phi4_tile_draws(lm_draws *draws, int hits, int colour, int l)
{
    const int log = hits == 1 ? 2 : hits == 2 ? 1 : 0;
    draws->block = (uint32_t)(colour >> log) << 16 | (uint32_t)(l * ((hits + 3) / 4));
    draws->word = (colour & ((1 << log) - 1)) * hits;
    draws->tie = (uint32_t)(l * hits);
}

/* `hits` proposals; adds the accepted ones among `valid` to *accepted. Returns the new field. */
LM_INLINE lm_real lm_phi4_hits(const lm_phi4_site *s, lm_real phi, lm_real epsilon, int hits,
                               const lm_draws *draws, lm_mask valid, lm_tally *accepted)
{
    lm_real energy = lm_phi4_energy(s, phi);
    uint32_t block = draws->block;
    for (int first = 0; first < hits; first += 4, block++) {
        lm_bits r[4];
        lm_random_sites(&draws->stream, draws->index, block, r);
        for (int w = draws->word; w > 0; w--) { /* word w comes first */
            r[0] = r[1];
            r[1] = r[2];
            r[2] = r[3];
        }
        LM_UNROLL
        for (int h = 0; h < 4; h++) {
            if (first + h >= hits)
                break;
            /* odd multiples of 2^-16 in (-1, 1) */
            const lm_real step =
                lm_real_fma(lm_real_lower(r[h]), lm_real_set(2.0),
                            lm_real_set(-3.0 + 1.0 / 65536.0));
            const lm_real moved = lm_real_fma(epsilon, step, phi);
            const lm_real after = lm_phi4_energy(s, moved);
            const lm_mask yes = lm_phi4_accepts(lm_real_sub(energy, after), r[h], &draws->stream,
                                                draws->site, draws->tie + (uint32_t)(first + h));
            phi = lm_real_select(yes, moved, phi);
            energy = lm_real_select(yes, after, energy);
            lm_tally_add(accepted, lm_mask_and(yes, valid));
        }
    }
    return phi;
}

/* The reflection about the quadratic part's minimum, centre b / 2. */
LM_INLINE lm_real lm_phi4_overrelax(const lm_phi4_site *s, lm_real phi, lm_real centre,
                                    const lm_draws *draws, lm_mask valid, lm_tally *accepted)
{
    const lm_real moved = lm_real_fma(centre, s->b, lm_real_neg(phi));
    const lm_real x = lm_real_sub(lm_phi4_energy(s, phi), lm_phi4_energy(s, moved));
    lm_bits r[4];
    lm_random_sites(&draws->stream, draws->index, 0, r);
    const lm_mask yes = lm_phi4_accepts(x, r[0], &draws->stream, draws->site, 0);
    lm_tally_add(accepted, lm_mask_and(yes, valid));
    return lm_real_select(yes, moved, phi);
}

#endif
