/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the kernels of the Potts model in words. */
#ifndef LM_CUDA_BITS_POTTS_WORDS_H
#define LM_CUDA_BITS_POTTS_WORDS_H

#include "backends/cuda/bits/view.h"
#include "backends/cuda/exchange.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Updates a colour of any lattice or slab (potts_words.cu). The next kernels update plain sites,
 * with a field (view.by_spin) or without, by Metropolis (potts_plain.cu). The others make the start
 * and the sums. */
cudaError_t lm_launch_potts(const lm_bits_view *view, const lm_bits_pass *pass,
                            cudaStream_t stream);
int lm_potts_plain_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_plain(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
/* Updates plain sites by the heat bath, with a field or without, with one replica a word. */
int lm_potts_bath_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_bath(const lm_bits_view *view, const lm_bits_pass *pass,
                                 cudaStream_t stream);
cudaError_t lm_launch_potts_start(const lm_bits_view *view, int hot, cudaStream_t stream);
cudaError_t lm_launch_potts_measure(const lm_bits_view *view, unsigned bundles,
                                    cudaStream_t stream);
/* Measures plain sites whose bonds are all present and positive (potts_measure.cu). */
int lm_potts_plain_measures(const lm_bits_view *view);
cudaError_t lm_launch_potts_plain_measure(const lm_bits_view *view, unsigned bundles,
                                          cudaStream_t stream);
/* Exchanges slots (potts_words.cu). */
lm_cuda_exchange_by lm_exchange_potts_words;

/* Walk plain sites (potts_plain.cu, potts_words.cu): by Metropolis, with a field or with more than
 * four states, or by the heat bath. */
int lm_potts_small_serves(const lm_bits_view *view, int field);
cudaError_t lm_launch_potts_small(const lm_bits_view *view, const lm_walk *walk,
                                  cudaStream_t stream);
int lm_potts_small_bath_serves(const lm_bits_view *view);
cudaError_t lm_launch_potts_small_bath(const lm_bits_view *view, const lm_walk *walk,
                                       cudaStream_t stream);
/* Walks plain sites by Metropolis, with up to four states and without a field
 * (potts_blocks.cu). */
int lm_potts_blocks_serve(const lm_bits_view *view);
cudaError_t lm_launch_potts_blocks(const lm_bits_view *view, const lm_walk *walk,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
