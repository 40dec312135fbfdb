/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares what the inner loops of the Potts model in words need, and their tables. */
#ifndef LM_BITS_POTTS_WORDS_H
#define LM_BITS_POTTS_WORDS_H

#include "backends/cpu/bits/digit_loops.h"

struct lm_potts_bath;

/* lm_bits_band.more */
typedef struct lm_potts_more {
    int other_state; /* 1: another state is proposed */
    /* For the heat bath: the sets of bonds (lib/physics/potts_words.h), and what replicas draw by.
     */
    int sets;
    const struct lm_potts_bath *bath;
} lm_potts_more;

LM_DECLARE_LANES(lm_digit_loops, lm_potts_words_loops_, );

#endif
