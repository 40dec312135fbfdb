/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the sites of words with momenta and with weights, as their kernels see them. */
#ifndef LM_CUDA_BITS_SITE_SUMS_H
#define LM_CUDA_BITS_SITE_SUMS_H

#include "backends/cuda/bits/cross.h"
#include "backends/cuda/momenta.h"

/* Numbers of an octet's table of bits, for a kind of bars. */
enum { LM_OCTET_BITS = 2 * LM_MOMENTUM_HALF * LM_OCTET };

/* A set of weights -1, 0 and +1: bits that say which are not 0, and which are -1, each
 * [group][sublattice][row][word]. */
typedef struct lm_bits_weights {
    const uint32_t *some, *minus;
    int64_t group_stride; /* 0: all groups have the same weights */
} lm_bits_weights;

typedef struct lm_bits_weighing {
    lm_bits_home home;
    int64_t groups, replicas, words; /* words: of a sublattice */
    int sets, terms;
    const lm_bits_weights *set; /* device */
    unsigned long long *sums;   /* [replica][set][term], zeros before */
} lm_bits_weighing;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t lm_launch_words_momenta(const lm_bits_home *home, const lm_cuda_momenta *momenta,
                                    cudaStream_t stream);
cudaError_t lm_launch_weigh(const lm_bits_weighing *weighing, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
