/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what the kernels of all models share: overlapping launches, sums over a warp, counts. */
#ifndef LM_CUDA_LAUNCH_CUH
#define LM_CUDA_LAUNCH_CUH

#include <cuda_runtime_api.h>

#include "backends/cuda/device.h"
#include "backends/cuda/disturb.cuh"
#include "lib/physics/lane_one.h"

/* Divides 64-bit numbers by a 32-bit division if both fit. A 64-bit division takes ten times as
 * long, and few divisions need it. */
template <class T> LM_INLINE T lm_quotient(T a, T b)
{
    if (((uint64_t)a | (uint64_t)b) >> 32 == 0)
        return (uint32_t)a / (uint32_t)b;
    return a / b;
}

/*
 * Waits for the previous launch of the stream. Kernels of one stream may overlap: the next kernel
 * may begin when all blocks of this one have begun. It does not touch the lattice before this
 * kernel has ended.
 *
 * Invariant: before a block returns from here, it writes nothing, and it reads nothing that an
 * earlier launch of the stream writes. Each kernel waits for all of the kernel before it, which has
 * itself waited. So the order holds over any number of launches.
 *
 * Blocks may read parameters and bonds before they return from here. Copies in the same stream
 * write these, and so do kernels of tables and of exchanges, which have waited for the kernels
 * before them. The kernel after such a write does not overlap (lm_cuda_overlaps()), and the kernels
 * that follow wait for this kernel.
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

/* Launches a kernel that calls lm_await_previous(). overlaps: the device can overlap kernels of
 * a stream. shared: bytes of dynamic shared memory. */
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

/* Returns the number of blocks of a kernel that the device runs at once; 0 if it has no
 * cooperative launches. Blocks that wait for each other must all run at once. */
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

/* Returns the number of blocks of 256 threads that fill every multiprocessor. More blocks would
 * cost time, since each block ends in additions to the same numbers. */
static inline int64_t lm_blocks_enough(void)
{
    return 8 * (int64_t)lm_cuda_processors();
}

/* Returns the grid of a kernel that counts pairs of replicas. A block has `each` elements, or more
 * where blocks would be more than enough. A row of blocks has one pair, or several in turn. */
static inline dim3 lm_pairs_grid(int64_t elements, int64_t each, int64_t pairs)
{
    const int64_t blocks = (elements + each - 1) / each, most = lm_blocks_enough();
    return dim3((unsigned)(blocks < most ? blocks : most),
                (unsigned)(pairs < 65535 ? pairs : 65535));
}

/* Clears counts to which several blocks of a row add. One block alone stores them. */
static inline cudaError_t lm_pairs_clear(dim3 grid, void *counts, int64_t number,
                                         cudaStream_t stream)
{
    return grid.x > 1 ? cudaMemsetAsync(counts, 0, (size_t)number * sizeof(int64_t), stream)
                      : cudaSuccess;
}

LM_INLINE int lm_warp_sum(int n) /* every thread of the warp receives the sum */
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, n);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        n += __shfl_xor_sync(~0u, n, offset);
    return n;
#endif
}

/* Adds n to a count. It is PTX because of what the compiler makes of an atomicAdd(). The
 * compiler may gather what other threads of the warp add to the same address, which takes more
 * instructions. Or it may wait for a value that nobody uses, which takes longer than a sweep of
 * a small lattice. */
LM_INLINE void lm_add_to_count(unsigned long long *count, int64_t n)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(count), "l"(n) : "memory");
}

/* One thread of the warp adds n to a count. All threads of the warp must call it with the same
 * numbers. On a device of compute capability 9.0 the hardware elects the thread, and nothing
 * branches. The address is then computed while the warp waits for its sum. */
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
