/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of all models share: launches that follow each other, sums of warps, counts. */
#ifndef LM_CUDA_LAUNCH_CUH
#define LM_CUDA_LAUNCH_CUH

#include <cuda_runtime_api.h>

#include "backends/cuda/device.h"
#include "backends/cuda/disturb.cuh"
#include "lib/physics/lane_one.h"

/* Division of 64-bit numbers takes ten times as long as of 32-bit ones, and few need it. */
template <class T> LM_INLINE T lm_quotient(T a, T b)
{
    if (((uint64_t)a | (uint64_t)b) >> 32 == 0)
        return (uint32_t)a / (uint32_t)b;
    return a / b;
}

/*
 * Kernels of one stream may overlap: the next one may begin when all blocks of this one have, and
 * does not touch the lattice before this one has ended.
 *
 * Invariant: before it has returned from here no block reads what an earlier launch of the stream
 * writes, nor writes anything. Each kernel waits for all of the one before it, which has itself
 * waited: so the order holds over any number of launches. What is read before (parameters, bonds)
 * is written by copies of the same stream, and by kernels of tables and of exchanges, which have
 * waited for the kernels before them; the kernel after them does not overlap (lm_cuda_overlaps()),
 * and those that follow wait for it.
 */
LM_INLINE void lm_await_previous(void)
{
    lm_disturb(LM_BEFORE_LAUNCH);
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    lm_disturb(LM_BEFORE_WAIT);
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    lm_disturb(LM_AFTER_WAIT);
}

/* Launches a kernel that calls lm_await_previous(). overlaps: this device can do that; shared:
 * bytes of dynamic shared memory. */
static inline cudaError_t lm_launch_overlapping(const void *kernel, dim3 grid, unsigned block,
                                                void **arguments, int overlaps, cudaStream_t stream,
                                                size_t shared = 0)
{
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = overlaps ? 1 : 0;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

/* Blocks of a kernel that the device runs at once, as those must be that wait for each other; 0 if
 * it cannot. */
static inline int64_t lm_blocks_at_once(const void *kernel, int device, int block, size_t shared)
{
    int processors = 0, blocks = 0, cooperative = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
    if (!cooperative || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block,
                                                                      shared) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return (int64_t)processors * blocks;
}

/* Blocks of 256 threads that give every multiprocessor all that it can run, and no more: each ends
 * in additions to the same numbers. */
static inline int64_t lm_blocks_enough(void)
{
    return 8 * (int64_t)lm_cuda_processors();
}

LM_INLINE int lm_warp_sum(int n) /* every lane receives it */
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, n);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        n += __shfl_xor_sync(~0u, n, offset);
    return n;
#endif
}

/* A thread adds to a count. In PTX: for an atomicAdd() the compiler may gather first what other
 * threads of the warp have for the same address, with more instructions than this has, or wait for
 * a value that nobody wants, which takes longer than a sweep of a small lattice. */
LM_INLINE void lm_add_to_count(unsigned long long *count, int64_t n)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(count), "l"(n) : "memory");
}

/* All threads of a warp call it with the same numbers, and one of them adds. On a device of 9.0 it
 * is the hardware that says which, and nothing branches: the address is then reckoned while the
 * warp waits for its sum. */
LM_INLINE void lm_add_once(unsigned long long *count, uint32_t n)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred one; elect.sync _|one, 0xffffffff;"
                 " @one red.relaxed.gpu.global.add.u64 [%0], %1; }" ::"l"(count),
                 "l"((uint64_t)n)
                 : "memory");
#else
    if (threadIdx.x % 32u == 0)
        lm_add_to_count(count, n);
#endif
}

#endif
