/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accepts or refuses Metropolis proposals of models of real numbers. The lower half of 32 random
 * bits gives a step, and the upper half decides about it: doc/trajectory-phi4.md, "Random numbers".
 *
 * Include a vocabulary of words and one of reals first.
 */
#ifndef LM_ACCEPT_H
#define LM_ACCEPT_H

#include "lib/physics/draws.h"

/* Returns coefficient i of a polynomial for 2^f on [-1/2, 1/2]. Its value at 0 is 1. It
 * interpolates at Chebyshev nodes. */
LM_INLINE double lm_exp2_coefficient(int i)
{
#if LM_REAL_BITS == 32
    const double c[] = {1.0,           0x1.62e430p-1, 0x1.ebfa4cp-3,
                        0x1.c6afeep-5, 0x1.3cbf60p-7, 0x1.5ec866p-10};
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

/* Powers of two below 2^LOWEST all count as the weight NEVER, which is refused. */
#define LM_LOWEST_POWER -64.0
#define LM_NEVER        0x1p-48

/* Draws from this number on settle ties. */
#define LM_TIES 32768u

/* Returns an odd multiple of 2^-16 in (-1, 1). */
LM_INLINE lm_real lm_proposal_step(lm_bits bits)
{
    return lm_real_fma(lm_real_lower(bits), lm_real_set(2.0), lm_real_set(-3.0 + 1.0 / 65536.0));
}

/* Returns 2^16 min(1, e^x), at most about 2^17 and at least LM_NEVER, where x = -dH. The relative
 * error is 2e-7 (float) or 1e-15. If x is a NaN, the result is LM_NEVER. */
LM_INLINE lm_real lm_boltzmann_weight(lm_real x)
{
    const lm_real log2_e = lm_real_set(1.4426950408889634);
    const lm_real y = lm_real_min(lm_real_max(lm_real_mul(x, log2_e), lm_real_set(LM_LOWEST_POWER)),
                                  lm_real_set(1.0));
    const lm_real z =
        lm_real_add(y, lm_real_set(LM_REAL_WHOLE)); /* y rounded, in the low bits of z */
    const lm_real f = lm_real_sub(y, lm_real_sub(z, lm_real_set(LM_REAL_WHOLE)));
    lm_real p = lm_real_set(65536.0 * lm_exp2_coefficient(LM_EXP2_DEGREE));
    LM_UNROLL
    for (int i = LM_EXP2_DEGREE - 1; i >= 0; i--)
        p = lm_real_fma(p, f, lm_real_set(65536.0 * lm_exp2_coefficient(i)));
    return lm_real_scale(p, z);
}

/* Decides by d, the weight minus the upper half of 32 bits, in units of `one`. d >= 1 means yes,
 * and d <= NEVER means no. Otherwise the answer is yes with probability d, and the site draws block
 * number `tie`. That happens once in 65536 times. */
LM_INLINE lm_mask lm_settled_in(lm_real d, lm_real one, const lm_draws *draws, uint32_t tie)
{
    const lm_mask yes = lm_real_not_less(d, one);
    const lm_mask tied = lm_mask_andnot(yes, lm_real_less(lm_real_set(LM_NEVER), d));
    if (lm_mask_any(tied)) {
        lm_bits r[4];
        lm_draw_block(draws, draws->site, LM_TIES + tie, r);
        const lm_real u = lm_real_mul(lm_real_of_31(r[0]), lm_real_set(1.0 / 2147483648.0));
        return lm_mask_or(yes, lm_mask_and(tied, lm_real_less(lm_real_mul(u, one), d)));
    }
    return yes;
}

LM_INLINE lm_mask lm_settled(lm_real d, const lm_draws *draws, uint32_t tie)
{
    return lm_settled_in(d, lm_real_set(1.0), draws, tie);
}

/* Returns whether the move with dH = -x is accepted. */
LM_INLINE lm_mask lm_accepts(lm_real x, lm_bits bits, const lm_draws *draws, uint32_t tie)
{
    const lm_real upper = lm_real_sub(lm_real_upper(bits), lm_real_set(65536.0));
    const lm_real d = lm_real_sub(lm_boltzmann_weight(x), upper);
    return lm_settled(d, draws, tie);
}

#endif
