/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs of replicas of numbers, as the kernels see them. */
#ifndef LM_CUDA_FIELD_PAIRS_H
#define LM_CUDA_FIELD_PAIRS_H

#include "backends/cuda/field/view.h"
#include "lib/physics/pair_sums.h"

/* The first stage, as of a measurement: the blocks of all layers of all pairs. */
typedef struct lm_field_pairs {
    const int64_t *list; /* device: [pair][2], numbers of replicas */
    uint64_t pairs;
    int components;
    size_t bytes; /* of a number: 1, whose sites are spins, 4, 8 */
    unsigned bundles;
    /* Where the sums of a bundle begin among those that are asked for, and how many these are. */
    int begin[LM_PAIR_BUNDLES], sums;
    int coupled;           /* the first static values are the bonds' own couplings */
    const double *wave[4]; /* cosine and sine by coordinate, which see no boundary */
    double *out;           /* [pair][layer][block][sum] */
} lm_field_pairs;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t lm_launch_field_pairs(const lm_field_view *view, const lm_field_pairs *pairs,
                                  cudaStream_t stream);
/* counts[pair][plane] of lm_plan_ops.pair_planes, `planes` of them, which a block of threads has at
 * hand; of the pairs only the list. */
enum { LM_FIELD_MAX_PLANES = 8192 };
cudaError_t lm_launch_field_pair_planes(const lm_field_view *view, const lm_field_pairs *pairs,
                                        int planes, int64_t *counts, cudaStream_t stream);
#ifdef __cplusplus
}
#endif

#endif
