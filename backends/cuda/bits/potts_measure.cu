/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures large lattices of the Potts model in words whose bonds are all present and positive. */
#include "backends/cuda/bits/tally.cuh"
#include "backends/cuda/bits/potts_words.cuh"

static_assert(1 << LM_POTTS_DIGITS >= LM_POTTS_BORDER, "states of words");

#define DIGITS(D)                                                                                  \
    {                                                                                              \
        LM_TALLY_OF(D, lm_potts_counts<1>), LM_TALLY_OF(D, lm_potts_counts<2>),                    \
            LM_TALLY_OF(D, lm_potts_counts<3>), LM_TALLY_OF(D, lm_potts_counts<4>)                 \
    }

extern "C" int lm_potts_plain_measures(const lm_bits_view *v)
{
    return lm_tally_serves(v);
}

extern "C" cudaError_t lm_launch_potts_plain_measure(const lm_bits_view *v, unsigned bundles,
                                                     cudaStream_t stream)
{
    static const lm_tallier talliers[3][LM_POTTS_DIGITS][LM_TALLY_SHAPES] = {DIGITS(2), DIGITS(3),
                                                                             DIGITS(4)};
    return lm_launch_tally(talliers[v->dims - 2][v->digits - 1], v, bundles, stream);
}
