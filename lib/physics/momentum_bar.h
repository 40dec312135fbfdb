/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a bar of 16 sites adds to a sum with a momentum: doc/trajectory.md, "Momenta". It serves C
 * and CUDA.
 */
#ifndef LM_MOMENTUM_BAR_H
#define LM_MOMENTUM_BAR_H

#include "lib/physics/specifiers.h"

enum {
    LM_MOMENTUM_BAR = 16,   /* sites of a bar */
    LM_MOMENTUM_HALF = 256, /* values that the bits of its even sites have, or of its odd ones */
    LM_MOMENTUM_KINDS = 2   /* of bars: whole ones, and those that a row's end cuts */
};

/* A complex number: a sum, or a factor (cosine, sine). */
typedef struct lm_wave_number {
    double re, im;
} __attribute__((aligned(16))) lm_wave_number;

LM_EVERYWHERE_INLINE lm_wave_number lm_wave_product(lm_wave_number a, lm_wave_number b)
{
    const lm_wave_number product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return product;
}

/* Adds eight products in pairs, again and again. */
LM_EVERYWHERE_INLINE double lm_momentum_eight(const double *p)
{
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/* Returns the element of a bar, from the sums of its even and of its odd sites, the factor of its
 * first site, and that of its row. */
LM_EVERYWHERE_INLINE lm_wave_number lm_momentum_element(lm_wave_number even, lm_wave_number odd,
                                                        lm_wave_number along, lm_wave_number outer)
{
    const lm_wave_number sum = {even.re + odd.re, even.im + odd.im};
    return lm_wave_product(lm_wave_product(sum, along), outer);
}

#endif
