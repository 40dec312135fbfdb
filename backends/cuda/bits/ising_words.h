/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the kernels of the Ising model. */
#ifndef LM_CUDA_BITS_ISING_WORDS_H
#define LM_CUDA_BITS_ISING_WORDS_H

#include "backends/cuda/bits/view.h"
#include "backends/cuda/exchange.h"
#include "lib/physics/ising_observe.h"

/* Masks of bundles. */
#define LM_ISING_BONDS_BUNDLE (1u << LM_ISING_BONDS)
#define LM_ISING_SPINS_BUNDLE (1u << LM_ISING_SPINS)

/* The time of a sweep of a block that walks with outcomes drawn ahead: the least time, and more
 * for each warp. In ns on an H200 (doc/performance.md). */
#define LM_WALK_NS      150.0
#define LM_WALK_WARP_NS 22.0

/* Walks by the uniform rule (ising_resident.cu). LM_AHEAD_BYTES is the most that its buffer has;
 * the number of its counters follows. */
#define LM_AHEAD_BYTES    ((size_t)128 << 20)
#define LM_AHEAD_RING     2 /* rations in the buffer; with 4 shorter ones it lost 10 % */
#define LM_AHEAD_COUNTERS (2 * LM_AHEAD_RING)

#ifdef __cplusplus
extern "C" {
#endif

/* Updates a colour by any rule, in any shape, with a thread for each word; makes the start
 * (ising_general.cu). */
cudaError_t lm_launch_ising_update(const lm_bits_view *view, const lm_bits_pass *pass,
                                   cudaStream_t stream);
cudaError_t lm_launch_ising_start(const lm_bits_view *view, int hot, cudaStream_t stream);
/* Adds to counts[..][0 .. dims] of all groups, which must be 0 before. `bundles` has
 * some of the two bundles. */
cudaError_t lm_launch_ising_measure(const lm_bits_view *view, unsigned bundles,
                                    cudaStream_t stream);
/* Exchanges slots (ising_general.cu). */
lm_cuda_exchange_by lm_exchange_ising_words;

/* Kernels of large lattices follow; all but the natural one need folded lattices. ising_large.cu
 * updates a colour by the uniform rule. */
int lm_ising_large_serves(const lm_bits_view *view);
cudaError_t lm_launch_ising_large(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
/* Updates a colour by the uniform rule, without signs, for lattices that do not fill a device
 * with patches of two rows. */
int lm_ising_lines_serve(const lm_bits_view *view);
cudaError_t lm_launch_ising_lines(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
/* Updates a colour by the general rule (ising_ruled.cu). */
int lm_ising_ruled_serves(const lm_bits_view *view, int update);
cudaError_t lm_launch_ising_ruled(const lm_bits_view *view, const lm_bits_pass *pass,
                                  cudaStream_t stream);
/* Updates a colour of a lattice in natural order by the general rule (ising_natural.cu). */
int lm_ising_natural_serves(const lm_bits_view *view, int update);
cudaError_t lm_launch_ising_natural(const lm_bits_view *view, const lm_bits_pass *pass,
                                    cudaStream_t stream);
/* Updates a colour of a lattice in natural order by the uniform rule (ising_natural.cu). */
int lm_ising_natural_uniform_serves(const lm_bits_view *view);
cudaError_t lm_launch_ising_natural_uniform(const lm_bits_view *view, const lm_bits_pass *pass,
                                            cudaStream_t stream);
/* Measures as lm_launch_ising_measure() does, whatever the rule (ising_measure.cu). */
int lm_ising_large_measures(const lm_bits_view *view);
cudaError_t lm_launch_ising_large_measure(const lm_bits_view *view, unsigned bundles,
                                          cudaStream_t stream);

/* Makes many sweeps of a lattice of medium size in one launch, with all multiprocessors together
 * (ising_persistent.cu). tagged: 2 rows W numbers, none of whose upper halves is in base .. base +
 * 2 sweeps. */
int lm_ising_persistent_serves(const lm_bits_view *view, int device);
cudaError_t lm_launch_ising_persistent(const lm_bits_view *view, int device, uint64_t step,
                                       int64_t sweeps, int count, uint64_t *tagged, uint32_t base,
                                       cudaStream_t stream);

/* Walks by any rule, or by the uniform Metropolis rule (ising_alone.cu). */
int lm_ising_alone_serves(const lm_bits_view *view, int update, int uniform);
cudaError_t lm_launch_ising_alone(const lm_bits_view *view, const lm_walk *walk, int uniform,
                                  cudaStream_t stream);
/* Returns the bytes of the buffer for lattices like this; 0 if the kernel does not serve them. */
size_t lm_ising_resident_bytes(const lm_bits_view *view);
/* Returns the number of the kernel's blocks, at most half of which walk. It returns 0 if the kernel
 * does not serve lattices like this. */
unsigned lm_ising_resident_blocks(const lm_bits_view *view, int device);
cudaError_t lm_launch_ising_resident(const lm_bits_view *view, unsigned blocks, const lm_walk *walk,
                                     void *buffer, lm_count *counters, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
