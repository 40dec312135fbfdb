/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the calls to a GPU that plans of all models make. */
#ifndef LM_CUDA_DEVICE_H
#define LM_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include <latmc/latmc.h>

/* The time of one launch among others in a stream, in ns. It was measured on an H200, and is the
 * same for each kernel (doc/performance.md). */
#define LM_CUDA_LAUNCH_NS 3300.0

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of multiprocessors of the calling thread's device; 0 if the device does not
 * say. Each device is asked once. */
int lm_cuda_processors(void);

#ifdef __cplusplus
}
#endif

/* Makes the device the calling thread's, and the one before again. */
int lm_cuda_enter_device(int device);
void lm_cuda_leave(const int *before);

/* Makes the device the calling thread's until the end of the block, however the block ends. */
#define LM_ON_DEVICE(device)                                                                       \
    __attribute__((cleanup(lm_cuda_leave), unused)) const int lm_before =                          \
        lm_cuda_enter_device(device)

/* Calls cudaMalloc(). The message of a failure will say how many bytes were asked for. */
cudaError_t lm_cuda_take(void **memory, size_t bytes);

/* Returns LATMC_OK, or the error as the user should read it. */
latmc_status lm_cuda_failed(int device, cudaError_t error, const char *doing);

/* Copies in the plan's stream and waits for the copy. The default stream would not do: a copy
 * from pageable memory may return before the device has all of it, and the plan's stream does
 * not wait for the default one. */
cudaError_t lm_cuda_copy(cudaStream_t stream, void *to, const void *from, size_t bytes);

#endif
