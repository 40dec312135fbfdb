/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills device memory with public streams of random numbers. */
#include "backends/cuda/random/random.h"

#include "backends/cuda/device.h"
#include "lib/base/status.h"

/* Refuses memory that kernels cannot write to. Kernels that write to memory of others end the
 * process's use of the device. */
static latmc_status check_memory(int device, const void *to)
{
    struct cudaPointerAttributes is;
    const cudaError_t e = cudaPointerGetAttributes(&is, to);

    if (e != cudaSuccess)
        return lm_cuda_failed(device, e, "asking whose memory numbers is");
    if (is.type == cudaMemoryTypeManaged ||
        (is.type == cudaMemoryTypeDevice && is.device == device))
        return LATMC_OK;
    if (is.type == cudaMemoryTypeDevice)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "numbers is memory of cuda:%d; it must be that of cuda:%d", is.device,
                       device);
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "numbers is memory of the host; it must be that of cuda:%d", device);
}

static latmc_status fill(int device, const lm_numbers *order, void *to)
{
    latmc_status status = check_memory(device, to);
    cudaError_t e;

    if (status)
        return status;
    e = lm_random_bytes(order->kind) == 8 ? lm_cuda_random_64(order, to)
                                          : lm_cuda_random_32(order, to);
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(NULL);
    return lm_cuda_failed(device, e, "making random numbers");
}

latmc_status lm_cuda_random(int device, int threads, const lm_numbers *order, void *to)
{
    LM_ON_DEVICE(device);
    (void)threads;
    return fill(device, order, to);
}
