/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a GPU, and memory of the host that its driver locks, that cannot be had when
 * must_fail() says so, which the program defines before this. It is linked with --wrap for these
 * functions. */
#ifndef LM_TESTS_CUDA_ALLOCATIONS_H
#define LM_TESTS_CUDA_ALLOCATIONS_H

#include <cuda_runtime_api.h>

cudaError_t __real_cudaMalloc(void **memory, size_t bytes);
cudaError_t __real_cudaMallocHost(void **memory, size_t bytes);
cudaError_t __real_cudaHostAlloc(void **memory, size_t bytes, unsigned flags);
cudaError_t __wrap_cudaMalloc(void **memory, size_t bytes);
cudaError_t __wrap_cudaMallocHost(void **memory, size_t bytes);
cudaError_t __wrap_cudaHostAlloc(void **memory, size_t bytes, unsigned flags);

static size_t gpu_bytes; /* of all memory of a GPU that was asked for */

cudaError_t __wrap_cudaMalloc(void **memory, size_t bytes)
{
    gpu_bytes += bytes;
    return must_fail() ? cudaErrorMemoryAllocation : __real_cudaMalloc(memory, bytes);
}

cudaError_t __wrap_cudaMallocHost(void **memory, size_t bytes)
{
    return must_fail() ? cudaErrorMemoryAllocation : __real_cudaMallocHost(memory, bytes);
}

cudaError_t __wrap_cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    return must_fail() ? cudaErrorMemoryAllocation : __real_cudaHostAlloc(memory, bytes, flags);
}

#endif
