/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what kernels of the Potts model in words share. */
#ifndef LM_CUDA_BITS_POTTS_WORDS_CUH
#define LM_CUDA_BITS_POTTS_WORDS_CUH

#include "backends/cuda/bits/potts_words.h"
#include "lib/physics/lane_one.h"

#include "lib/physics/potts_words.h"

/* The digits of kernels of up to Q states. Up to four states kernels know the number of states;
 * for more they know the most digits. */
template <int Q> constexpr int lm_digits_of = Q > 8 ? 4 : Q > 4 ? 3 : Q > 2 ? 2 : 1;
template <int Q> LM_INLINE int lm_states_of(const lm_bits_view &v)
{
    return Q <= 4 ? Q : v.states;
}

/* What sums count (digits.cuh). After the sums of bonds come the sum of fields, of which there
 * are none, the sum of sites in state 0, and those of sites in each state. */
template <int OF> struct lm_potts_counts {
    static constexpr int DIGITS = OF, COUNTS = 2 + (1 << OF);

    LM_INLINE void meet(int digit, lm_word s, lm_word t, lm_digit_count *bond)
    {
        lm_potts_meet(digit, s, t, bond);
    }
    LM_INLINE bool wants_bonds(unsigned bundles)
    {
        return bundles >> LM_POTTS_BONDS & 1;
    }
    LM_INLINE bool wants(const lm_bits_view &v, unsigned bundles, int k)
    {
        return k < 2 ? k == 1 && wants_bonds(bundles)
                     : bundles >> LM_POTTS_STATES & 1 && k - 2 < v.states;
    }
    LM_INLINE lm_digit_count count(int k, const lm_word *s)
    {
        return lm_potts_sum(DIGITS, k < 2 ? 0 : k - 2, s);
    }
};

#endif
