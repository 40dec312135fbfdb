// SPDX-License-Identifier: BSD-3-Clause
// The library's random words on a GPU beside cuRAND's, and beside what storing alone takes, in
// turns. By hand, with cuRAND's headers; -DHOST_API -lcurand also asks that library's own
// generator:
//
//     nvcc -O3 -arch=native -Iinclude tests/cuda/curand.cu -o curand -Lbuild -llatmc
//     LD_LIBRARY_PATH=build ./curand
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <latmc/latmc.h>

#include "tests/fill.h"

#include <algorithm>
#include <cstdio>
#ifdef HOST_API
#include <curand.h>
static curandGenerator_t generator;
#endif

enum { ROUNDS = 15, FILLS = 20, BLOCK = 256 };
static const size_t COUNT = (size_t)1 << 28; // words
static uint32_t *words;
static unsigned grid;

// cuRAND's device functions: a state a thread, four words a call, stored at once.
__global__ void curand_words(uint4 *to, size_t count)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x,
                 i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(1, i, 0, &state);
    for (size_t k = i; k < count; k += stride)
        to[k] = curand4(&state);
}

__global__ void store_words(uint4 *to, size_t count)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += stride)
        __stcs(to + k, make_uint4(1, 2, 3, (unsigned)k));
}

static int latmc(int i)
{
    return random_fill("cuda:0", 0, LATMC_RANDOM_WORDS, 1, 0, (int64_t)(i * COUNT), COUNT, words);
}
static int device_functions(int)
{
    curand_words<<<grid, BLOCK>>>((uint4 *)words, COUNT / 4);
    return cudaDeviceSynchronize();
}
static int stores(int)
{
    store_words<<<grid, BLOCK>>>((uint4 *)words, COUNT / 4);
    return cudaDeviceSynchronize();
}
static int memset_words(int i)
{
    cudaMemset(words, i, 4 * COUNT);
    return cudaDeviceSynchronize();
}
#ifdef HOST_API
static int host_api(int)
{
    const int failed = curandGenerate(generator, words, COUNT);
    return failed ? failed : cudaDeviceSynchronize();
}
#endif

static const struct {
    const char *name;
    int (*fill)(int);
} ways[] = {{"liblatmc", latmc},
            {"cuRAND, device functions", device_functions},
#ifdef HOST_API
            {"cuRAND, host API", host_api},
#endif
            {"stores alone", stores},
            {"cudaMemset", memset_words}};
enum { WAYS = sizeof ways / sizeof ways[0] };

int main()
{
    static double rates[WAYS][ROUNDS];
    int processors = 0;
    cudaEvent_t begin, end;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    grid = 8 * processors;
    if (cudaMalloc(&words, 4 * COUNT) || cudaEventCreate(&begin) || cudaEventCreate(&end))
        return 1;
#ifdef HOST_API
    if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10))
        return 1;
#endif
    for (int round = -1; round < ROUNDS; round++)
        for (int w = 0; w < WAYS; w++) {
            float ms = 0;
            int failed = 0;
            cudaEventRecord(begin);
            for (int i = 0; i < FILLS; i++)
                failed |= ways[w].fill(i);
            cudaEventRecord(end);
            cudaEventSynchronize(end);
            cudaEventElapsedTime(&ms, begin, end);
            if (failed)
                return printf("%s failed: %d\n", ways[w].name, failed), 1;
            if (round >= 0)
                rates[w][round] = (double)COUNT * FILLS / ms * 1e-6;
        }
    for (int w = 0; w < WAYS; w++) {
        std::sort(rates[w], rates[w] + ROUNDS);
        printf("%-26s %7.1f words/ns (%.1f to %.1f), %6.0f GB/s\n", ways[w].name,
               rates[w][ROUNDS / 2], rates[w][0], rates[w][ROUNDS - 1], 4 * rates[w][ROUNDS / 2]);
    }
    return 0;
}
