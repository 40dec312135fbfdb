/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what the Ising model's kernels of the uniform rule share: the first planes of thresholds in
 * registers, the draws that are compared with them, and draws ahead. */
#ifndef LM_CUDA_BITS_ISING_UNIFORM_CUH
#define LM_CUDA_BITS_ISING_UNIFORM_CUH

#include "backends/cuda/bits/folded.cuh"
#include "backends/cuda/bits/ising_words.h"

/* The first planes of the thresholds, for DRAWS draws, in registers. */
template <int D, int DRAWS = LM_ISING_HEAD> struct lm_head {
    uint32_t planes[4 * DRAWS * D];
};

template <int D, int DRAWS = LM_ISING_HEAD>
LM_INLINE lm_head<D, DRAWS> lm_load_head(const uint32_t *planes)
{
    lm_head<D, DRAWS> h;
    LM_UNROLL
    for (int i = 0; i < 4 * DRAWS * D; i += 4) {
        const uint4 four = __ldg((const uint4 *)(planes + i));
        h.planes[i] = four.x;
        h.planes[i + 1] = four.y;
        h.planes[i + 2] = four.z;
        h.planes[i + 3] = four.w;
    }
    return h;
}

/* Makes one more draw of a word's outcomes for every class (lm_ising_forecast). Returns the
 * sites that are still tied. */
template <int D>
LM_INLINE uint32_t lm_forecast_more(const uint32_t *planes, const lm_stream &stream, uint32_t index,
                                    int draw, lm_ballot *b)
{
    uint32_t r[4], t[4 * D];
    lm_random_words(&stream, index, draw, r);
    LM_UNROLL
    for (int i = 0; i < 4 * D; i++)
        t[i] = __ldg(planes + 4 * draw * D + i);
    return lm_ising_forecast(D, 4, r, t, b);
}

/* Makes the draws of a word that are compared with the first planes. */
LM_INLINE void lm_draw_head(const lm_stream &stream, uint32_t at, uint32_t *r)
{
    LM_UNROLL
    for (int draw = 0; draw < LM_ISING_HEAD; draw++)
        lm_random_words(&stream, at, draw, r + 4 * draw);
}

/* Draws now. Without the asm the compiler would draw after what follows. */
LM_INLINE void lm_draw_head_now(const lm_stream &stream, uint32_t at, uint32_t *r)
{
    lm_draw_head(stream, at, r);
    LM_UNROLL
    for (int k = 0; k < 4 * LM_ISING_HEAD; k++)
        asm volatile("" : "+r"(r[k]));
}

static inline int lm_is_uniform(const lm_bits_view *v)
{
    return v->uniform_planes && lm_is_even(v);
}

#endif
