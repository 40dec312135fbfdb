/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/device.h"

#include <stdatomic.h>

#include "lib/base/status.h"

enum { MOST_DEVICES = 64 }; /* devices whose answers are kept */

int lm_cuda_processors(void)
{
    static _Atomic int known[MOST_DEVICES];
    int device = 0, count = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        return 0;
    if (device < MOST_DEVICES)
        count = atomic_load_explicit(&known[device], memory_order_relaxed);
    if (count || cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device))
        return count;
    if (device < MOST_DEVICES)
        atomic_store_explicit(&known[device], count, memory_order_relaxed);
    return count;
}

int lm_cuda_enter_device(int device)
{
    int before = 0;
    if (cudaGetDevice(&before) != cudaSuccess)
        before = device;
    cudaSetDevice(device);
    return before;
}

void lm_cuda_leave(const int *before)
{
    cudaSetDevice(*before);
}

static _Thread_local size_t asked; /* bytes of the last call of lm_cuda_take() */

cudaError_t lm_cuda_take(void **memory, size_t bytes)
{
    asked = bytes;
    return cudaMalloc(memory, bytes);
}

latmc_status lm_cuda_failed(int device, cudaError_t error, const char *doing)
{
    if (error == cudaSuccess)
        return LATMC_OK;
    cudaGetLastError(); /* a failed call leaves its error for the next call to find */
    if (error == cudaErrorMemoryAllocation)
        return lm_fail(LATMC_ERROR_DEVICE_MEMORY,
                       "cuda:%d failed %s: %s (the last memory asked for: %zu bytes)", device,
                       doing, cudaGetErrorString(error), asked);
    return lm_fail(LATMC_ERROR_DEVICE, "cuda:%d failed %s: %s", device, doing,
                   cudaGetErrorString(error));
}

cudaError_t lm_cuda_copy(cudaStream_t stream, void *to, const void *from, size_t bytes)
{
    const cudaError_t e = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
    return e == cudaSuccess ? cudaStreamSynchronize(stream) : e;
}
