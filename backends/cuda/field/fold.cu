/* SPDX-License-Identifier: BSD-3-Clause */
/* The later stages of a measurement of a field, the same for either type of sites. */
#include "backends/cuda/field/tree.cuh"
#include "backends/cuda/field/view.h"
#include "backends/cuda/launch.cuh"

/* A warp adds a block of a list. */
static __global__ void __launch_bounds__(32 * LM_SUMS_WARPS)
    fold(const __grid_constant__ lm_field_fold f)
{
    lm_await_previous();
    const uint64_t warp = (uint64_t)blockIdx.x * LM_SUMS_WARPS + threadIdx.x / 32;
    const uint64_t blocks = LM_SUMS_BLOCKS(f.count);
    if (warp >= f.outer * blocks)
        return;
    const uint64_t list = warp / blocks, first = (warp - list * blocks) * LM_SUMS_BLOCK;
    const double *const in = f.in + list * f.count * (uint64_t)f.sums;
    for (int k = 0; k < f.sums; k++) {
        double total = 0.0;
        for (uint64_t e = first + threadIdx.x % 32; e < first + LM_SUMS_BLOCK && e < f.count;
             e += LM_SUMS_STRIDE)
            total = total + in[e * (uint64_t)f.sums + (uint64_t)k];
        __syncwarp();
        total = lm_warp_tree(total);
        if (threadIdx.x % 32 == 0)
            f.out[warp * (uint64_t)f.pitch + (uint64_t)k] = total;
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
