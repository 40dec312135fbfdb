/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the inner loops of the Ising model, which are compiled for each lane. */
#ifndef LM_BITS_ISING_WORDS_H
#define LM_BITS_ISING_WORDS_H

#include "backends/cpu/bits/band.h"

typedef struct lm_ising_loops {
    lm_bits_loops head;
    /* Update consecutive bands of a group by one rule. `uniform` is Metropolis by the uniform rule,
     * in 2 to 4 dimensions. The other serves any rule, in 1 to 4 dimensions. */
    void (*uniform[3])(const lm_bits_band *bands, int count);
    void (*general[4])(const lm_bits_band *bands, int count);
    /* Adds the sum of J s s to bonds[replica of the word][axis], over the bonds that the sites of
     * some bands see (lm_bits_loops). It serves 1 to 4 dimensions. */
    void (*bond_sums[4])(const lm_bits_band *bands, int count, int64_t (*bonds)[LM_BITS_MAX_SUMS]);
    /* adds the number of spins +1 to ups[replica of the word] */
    void (*count_up)(const lm_bits_band *bands, int count, int64_t *ups);
} lm_ising_loops;

LM_DECLARE_LANES(lm_ising_loops, lm_ising_loops_, );

#endif
