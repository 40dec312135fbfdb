/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to a GPU that plans of all models make. */
#ifndef LM_CUDA_DEVICE_H
#define LM_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include <latmc/latmc.h>

/* What a launch takes, in ns, where kernels follow each other in a stream: measured on an H200, the
 * same for each kernel (doc/performance.md). */
#define LM_CUDA_LAUNCH_NS 3300.0

#ifdef __cplusplus
extern "C" {
#endif

/* Multiprocessors of the calling thread's device, which is asked once; 0 if it does not say. */
int lm_cuda_processors(void);

#ifdef __cplusplus
}
#endif

/* The device becomes the calling thread's; returns the one before, for lm_cuda_leave(). */
int lm_cuda_enter_device(int device);
void lm_cuda_leave(int before);

/* cudaMalloc(); a failure's message will say how many bytes were asked for. */
cudaError_t lm_cuda_take(void **memory, size_t bytes);

/* LATMC_OK, or the error as the user should read it. */
latmc_status lm_cuda_failed(int device, cudaError_t error, const char *doing);

/* Copies from pageable memory may return before the device has all of it, and a plan's stream does
 * not wait for the default one: so every copy is made, and waited for, in the plan's stream. */
cudaError_t lm_cuda_copy(cudaStream_t stream, void *to, const void *from, size_t bytes);

#endif
