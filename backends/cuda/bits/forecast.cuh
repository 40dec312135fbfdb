/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A word's outcomes for every class that its sites may turn out to be in, drawn before its spins
 * are known (lm_ising_forecast): for kernels that wait for spins or prepare them for others.
 */
#ifndef LM_CUDA_BITS_FORECAST_CUH
#define LM_CUDA_BITS_FORECAST_CUH

#include "backends/cuda/bits/uniform.cuh"

/* The draws of the head; returns the sites that are tied in some class. */
template <int D, int HEAD>
LM_INLINE uint32_t lm_forecast_head(const lm_head<D, HEAD> &head, const lm_stream &stream,
                                    uint32_t index, uint32_t valid, lm_ballot *b)
{
    uint32_t r[4 * HEAD];
    LM_UNROLL
    for (int draw = 0; draw < HEAD; draw++)
        lm_random_words(&stream, index, draw, r + 4 * draw);
    LM_UNROLL
    for (int n = 0; n < D; n++)
        b[n] = {0, valid};
    return lm_ising_forecast(D, 4 * HEAD, r, head.planes, b);
}

/* One more draw; returns the sites that are still tied. */
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

/*
 * The draws after the head for M words of a thread, given by their numbers: more(number, draw,
 * b) makes one. The tied words of a thread have one queue, so that a warp draws as often as its
 * busiest thread needs for all its words, and not as the busiest needs for the first, then for the
 * second. A word is copied out and back, because registers have no index.
 */
template <int D, int M, int HEAD, class MORE>
LM_INLINE void lm_forecast_tied(const uint32_t (&number)[M], uint32_t (&tied)[M],
                                lm_ballot (&b)[M][D], MORE more)
{
    for (int draw = HEAD;;) {
        lm_ballot one[D];
        uint32_t at = 0;
        int which = -1;
        LM_UNROLL
        for (int m = 0; m < M; m++)
            if (tied[m]) {
                which = m;
                at = number[m];
                LM_UNROLL
                for (int n = 0; n < D; n++)
                    one[n] = b[m][n];
            }
        if (which < 0)
            return;
        const uint32_t open = more(at, draw, one);
        const bool over = !open || draw == LM_ISING_DRAWS - 1;
        draw = over ? HEAD : draw + 1;
        LM_UNROLL
        for (int m = 0; m < M; m++)
            if (m == which) {
                tied[m] = over ? 0 : open;
                LM_UNROLL
                for (int n = 0; n < D; n++)
                    b[m][n] = one[n];
            }
    }
}

#endif
