/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers the CUDA backend, whose devices are NVIDIA's GPUs. */
#include "backends/cuda/cuda.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdio.h>

#include "backends/cuda/cross.h"
#include "backends/cuda/device.h"
#include "backends/cuda/random/random.h"

/* Counts the devices that the driver shows. If it shows none, there is one entry that says why. */
static int count(void)
{
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess)
        n = 0;
    cudaGetLastError();
    return n > 0 ? n : 1;
}

static void describe(int device, latmc_device_info *info)
{
    struct cudaDeviceProp prop;
    int n = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    info->usable = 0;
    info->reserved = 0;
    snprintf(info->name, sizeof info->name, "cuda:%d", device);
    if (e == cudaSuccess && n > device)
        e = cudaGetDeviceProperties(&prop, device);
    else if (e == cudaSuccess)
        e = cudaErrorNoDevice;
    cudaGetLastError();
    if (e == cudaErrorInsufficientDriver)
        snprintf(info->text, sizeof info->text, "no NVIDIA driver, or one too old for CUDA %d.%d",
                 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    else if (e != cudaSuccess)
        snprintf(info->text, sizeof info->text, "%s", cudaGetErrorString(e));
    else if (10 * prop.major + prop.minor < 75)
        snprintf(info->text, sizeof info->text,
                 "%.120s has compute capability %d.%d; 7.5 is the least", prop.name, prop.major,
                 prop.minor);
    else {
        info->usable = 1;
        snprintf(info->text, sizeof info->text,
                 "%.120s, %d multiprocessors, %.0f GiB, compute capability %d.%d", prop.name,
                 prop.multiProcessorCount, (double)prop.totalGlobalMem / 1073741824.0, prop.major,
                 prop.minor);
    }
}

static void versions(char *text, size_t bytes)
{
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cudaGetLastError();
    snprintf(text, bytes, "CUDA runtime %d.%d, driver for %d.%d", runtime / 1000,
             runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

#define ENTRIES(name, count) LM_ROW_ENTRIES_##count(lm_cuda_##name),
static const lm_backend_model *const models[] = {LM_EVERY_ROW(ENTRIES) NULL};

const lm_backend lm_cuda_backend = {.name = "cuda",
                                    .count = count,
                                    .describe = describe,
                                    .versions = versions,
                                    .models = models,
                                    .random = lm_cuda_random,
                                    .owns = lm_cuda_owns,
                                    .copy = lm_cuda_copy_user};
