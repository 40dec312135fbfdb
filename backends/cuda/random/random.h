/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes public streams of random numbers on a GPU. */
#ifndef LM_CUDA_RANDOM_H
#define LM_CUDA_RANDOM_H

#include <cuda_runtime_api.h>

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Implements the operation `random` of an lm_backend, in memory of the device. */
latmc_status lm_cuda_random(int device, int threads, const lm_numbers *order, void *to);

/* Queue an order in the default stream of the present device: words and numbers made of floats;
 * numbers made of doubles. */
cudaError_t lm_cuda_random_32(const lm_numbers *order, void *to);
cudaError_t lm_cuda_random_64(const lm_numbers *order, void *to);

#ifdef __cplusplus
}
#endif

#endif
