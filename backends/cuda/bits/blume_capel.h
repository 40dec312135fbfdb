/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the kernels of the Blume-Capel model (blume_capel.cu). */
#ifndef LM_CUDA_BITS_BLUME_CAPEL_H
#define LM_CUDA_BITS_BLUME_CAPEL_H

#include "backends/cuda/bits/view.h"
#include "backends/cuda/exchange.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Updates a colour of any lattice or slab. The next kernel updates plain sites by Metropolis. The
 * others make the start and the sums. */
cudaError_t lm_launch_blume_capel(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
int lm_blume_capel_plain_serves(const lm_bits_view *view);
cudaError_t lm_launch_blume_capel_plain(const lm_bits_view *view, const lm_bits_pass *pass,
                                        cudaStream_t stream);
cudaError_t lm_launch_blume_capel_start(const lm_bits_view *view, int hot, cudaStream_t stream);
cudaError_t lm_launch_blume_capel_measure(const lm_bits_view *view, unsigned bundles,
                                          cudaStream_t stream);
/* Walks plain sites by Metropolis. */
int lm_blume_capel_small_serves(const lm_bits_view *view);
cudaError_t lm_launch_blume_capel_small(const lm_bits_view *view, const lm_walk *walk,
                                        cudaStream_t stream);
/* Exchanges slots. */
lm_cuda_exchange_by lm_exchange_blume_capel;

#ifdef __cplusplus
}
#endif

#endif
