/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the phi^4 model over the lanes of a device. Each lane has one site, and its neighbours'
 * sum b is known. doc/trajectory-phi4.md, "The phi^4 model", is the contract. Every operation here
 * is rounded once, and fused where it says fma.
 *
 * Include a vocabulary of words and one of reals (backends/cpu/real_*.h) first.
 */
#ifndef LM_PHI4_H
#define LM_PHI4_H

#include "lib/physics/accept.h"
#include "lib/physics/field.h"

/* What a site's update needs besides its field: H = a2 phi^2 + g4 phi^4 + b phi. */
typedef struct lm_phi4_site {
    lm_real a2, g4, b;
} lm_phi4_site;

/* Sums over a site's neighbours: one step away, two steps along one axis, one step along each of
 * two axes. */
typedef struct lm_phi4_sums {
    lm_real one, two, diagonal;
} lm_phi4_sums;

/* Returns b = kappa (two + 2 diagonal) + s1 one - h, for lattices without open axes. */
LM_INLINE lm_real lm_phi4_slope(const lm_phi4_sums *s, lm_real kappa, lm_real s1, lm_real field)
{
    const lm_real far = lm_real_fma(lm_real_set(2.0), s->diagonal, s->two);
    return lm_real_fma(kappa, far, lm_real_fma(s1, s->one, lm_real_neg(field)));
}

/* Returns b where neighbours differ in degree. `weighted` is the sum of degree times field. */
LM_INLINE lm_real lm_phi4_slope_open(const lm_phi4_sums *s, lm_real weighted, lm_real kappa,
                                     lm_real s1, lm_real field)
{
    const lm_real far = lm_real_sub(lm_real_fma(lm_real_set(2.0), s->diagonal, s->two), weighted);
    return lm_real_fma(kappa, far, lm_real_fma(s1, s->one, lm_real_neg(field)));
}

LM_INLINE lm_real lm_phi4_energy(const lm_phi4_site *s, lm_real phi)
{
    const lm_real quadratic = lm_real_fma(s->g4, lm_real_mul(phi, phi), s->a2);
    return lm_real_mul(lm_real_fma(quadratic, phi, s->b), phi);
}

/* Sets the numbers of local sweep l of a tile, for a colour. With one hit four colours share a
 * block, and with two hits two colours. */
LM_INLINE void lm_phi4_tile_draws(lm_draws *draws, int hits, int colour, int l)
{
    const int log = hits == 1 ? 2 : hits == 2 ? 1 : 0;
    draws->block = (uint32_t)(colour >> log) << 16 | (uint32_t)(l * ((hits + 3) / 4));
    draws->word = (colour & ((1 << log) - 1)) * hits;
    draws->tie = (uint32_t)(l * hits);
}

/* Makes the first configuration: 1, or if hot a multiple of 2^-22 in [-1, 1) from the first number
 * of a site's block. */
LM_INLINE void lm_phi4_first(const lm_bits block[4], int hot, lm_real *phi)
{
    const lm_real u = lm_real_of_31(lm_bits_right(block[0], 8));
    *phi = hot ? lm_real_fma(u, lm_real_set(1.0 / 4194304.0), lm_real_set(-1.0)) : lm_real_set(1.0);
}

/* Draws a block. Its words from draws->word on come first. */
LM_INLINE void lm_phi4_block(const lm_draws *draws, uint32_t block, lm_bits r[4])
{
    lm_draw_block(draws, draws->index, block, r);
    for (int w = draws->word; w > 0; w--) {
        r[0] = r[1];
        r[1] = r[2];
        r[2] = r[3];
    }
}

/* Makes proposal number `hit` of a site by these bits. Returns where it is accepted. */
LM_INLINE lm_mask lm_phi4_hit(const lm_phi4_site *s, lm_real epsilon, int hit, lm_bits bits,
                              const lm_draws *draws, lm_real *phi, lm_real *energy)
{
    const lm_real moved = lm_real_fma(epsilon, lm_proposal_step(bits), *phi);
    const lm_real after = lm_phi4_energy(s, moved);
    const lm_mask yes =
        lm_accepts(lm_real_sub(*energy, after), bits, draws, draws->tie + (uint32_t)hit);
    *phi = lm_real_select(yes, moved, *phi);
    *energy = lm_real_select(yes, after, *energy);
    return yes;
}

/* The number of sites whose hits CPUs make in turn. Two leave gaps, and four do not fit in
 * registers. */
#define LM_PHI4_TOGETHER 3

/* Makes `hits` proposals at each of n sites, 1 .. LM_PHI4_TOGETHER. n is known to the compiler.
 * Adds the accepted ones among `valid` to *accepted. The sites' draws differ only in `site` and
 * `index`. */
LM_LONG void lm_phi4_hits(int n, const lm_phi4_site *s, lm_real *phi, lm_real epsilon, int hits,
                          const lm_draws *draws, const lm_mask *valid, lm_tally *accepted)
{
    lm_real energy[LM_PHI4_TOGETHER];
    lm_bits r[LM_PHI4_TOGETHER][4];
    uint32_t block = draws->block;
    LM_UNROLL
    for (int k = 0; k < n; k++)
        energy[k] = lm_phi4_energy(&s[k], phi[k]);
    for (int first = 0; first < hits; first += 4, block++) {
        LM_UNROLL
        for (int k = 0; k < n; k++)
            lm_phi4_block(&draws[k], block, r[k]);
        LM_UNROLL
        for (int h = 0; h < 4; h++) {
            if (first + h >= hits)
                break;
            LM_UNROLL
            for (int k = 0; k < n; k++) {
                const lm_mask yes =
                    lm_phi4_hit(&s[k], epsilon, first + h, r[k][h], &draws[k], &phi[k], &energy[k]);
                lm_tally_add(accepted, lm_mask_and(yes, valid[k]));
            }
        }
    }
}

/* Reflects about the minimum of the quadratic part, centre b / 2. */
LM_LONG lm_real lm_phi4_overrelax(const lm_phi4_site *s, lm_real phi, lm_real centre,
                                  const lm_draws *draws, lm_mask valid, lm_tally *accepted)
{
    const lm_real moved = lm_real_fma(centre, s->b, lm_real_neg(phi));
    const lm_real x = lm_real_sub(lm_phi4_energy(s, phi), lm_phi4_energy(s, moved));
    lm_bits r[4];
    lm_draw_block(draws, draws->index, 0, r);
    const lm_mask yes = lm_accepts(x, r[0], draws, 0);
    lm_tally_add(accepted, lm_mask_and(yes, valid));
    return lm_real_select(yes, moved, phi);
}

#endif
