/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares the inner loops of a model whose sites have digits (lib/physics/digits.h), which are
 * compiled for each lane. The .c file of the model's lane includes digits.h, which makes them.
 */
#ifndef LM_BITS_DIGIT_LOOPS_H
#define LM_BITS_DIGIT_LOOPS_H

#include "backends/cpu/bits/band.h"

typedef struct lm_digit_loops {
    lm_bits_loops head;
    void (*metropolis)(const lm_bits_band *band);
    void (*heat_bath)(const lm_bits_band *band);
    /* Add sums of some bands by replicas of the word: of bonds; `wanted` sums of sites, from number
     * `first` of the sums on. */
    void (*bonds)(const lm_bits_band *bands, int count, int64_t (*sums)[LM_BITS_MAX_SUMS]);
    void (*sites)(const lm_bits_band *bands, int count, int first, int wanted,
                  int64_t (*sums)[LM_BITS_MAX_SUMS]);
} lm_digit_loops;

#endif
