/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the later stages of a measurement of a field, which are the same for all types of sites. */
#include "backends/cuda/field/tree.cuh"
#include "backends/cuda/field/view.h"
#include "backends/cuda/launch.cuh"

enum { WARPS = 32 }; /* warps of a block that has all layers */

/* Adds up numbers that are `stride` apart, at most a block of LM_SUMS_BLOCK, by a warp. */
static __device__ double add(const double *in, uint64_t count, uint64_t stride)
{
    double total = 0.0;
    for (uint64_t e = threadIdx.x % 32; e < LM_SUMS_BLOCK && e < count; e += LM_SUMS_STRIDE)
        total = total + in[e * stride];
    __syncwarp();
    return lm_warp_tree(total);
}

/* Adds up a block of a list by a warp. */
static __global__ void __launch_bounds__(32 * LM_SUMS_WARPS)
    fold(const __grid_constant__ lm_field_fold f)
{
    lm_await_previous();
    const uint64_t warp = (uint64_t)blockIdx.x * LM_SUMS_WARPS + threadIdx.x / 32;
    const uint64_t blocks = LM_SUMS_BLOCKS(f.count);
    if (warp >= f.outer * blocks)
        return;
    const uint64_t list = warp / blocks, first = (warp - list * blocks) * LM_SUMS_BLOCK;
    const double *const in = f.in + (list * f.count + first) * (uint64_t)f.sums;
    for (int k = 0; k < f.sums; k++) {
        const double total = add(in + k, f.count - first, (uint64_t)f.sums);
        if (threadIdx.x % 32 == 0)
            f.out[warp * (uint64_t)f.pitch + (uint64_t)k] = total;
    }
}

/* Makes both stages for few numbers: a block's warps add the lists of all layers, and one warp
 * adds these sums. */
static __global__ void __launch_bounds__(32 * WARPS)
    fold_layers(const __grid_constant__ lm_field_fold f, uint64_t layers)
{
    __shared__ double layer[LM_FOLDED_LAYERS];
    const uint32_t warp = threadIdx.x / 32, in_warp = threadIdx.x % 32;
    const uint64_t sums = (uint64_t)f.sums;
    lm_await_previous();
    for (uint64_t k = 0; k < sums; k++) {
        for (uint64_t l = warp; l < layers; l += WARPS) {
            const double total =
                add(f.in + (blockIdx.x * layers + l) * f.count * sums + k, f.count, sums);
            if (in_warp == 0)
                layer[l] = total;
        }
        __syncthreads();
        const double total = warp ? 0.0 : add(layer, layers, 1);
        if (threadIdx.x == 0)
            f.out[blockIdx.x * (uint64_t)f.pitch + k] = total;
        __syncthreads();
    }
}

extern "C" cudaError_t lm_launch_field_fold(const lm_field_fold *f, cudaStream_t stream)
{
    const uint64_t warps = f->outer * LM_SUMS_BLOCKS(f->count);
    lm_field_fold own = *f;
    void *arguments[] = {&own};
    return lm_launch_overlapping((const void *)fold,
                                 dim3((unsigned)((warps + LM_SUMS_WARPS - 1) / LM_SUMS_WARPS)),
                                 32 * LM_SUMS_WARPS, arguments, f->overlaps, stream);
}

extern "C" cudaError_t lm_launch_field_fold_layers(const lm_field_fold *f, uint64_t layers,
                                                   cudaStream_t stream)
{
    lm_field_fold own = *f;
    void *arguments[] = {&own, &layers};
    return lm_launch_overlapping((const void *)fold_layers, dim3((unsigned)f->outer), 32 * WARPS,
                                 arguments, f->overlaps, stream);
}
