/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the sums with momenta of blocks and of layers. */
#include "backends/cuda/launch.cuh"
#include "backends/cuda/momenta.h"
#include "lib/physics/sums.h"

enum { FOLDING = LM_SUMS_STRIDE * LM_OCTET_SUMS };

/* A block of threads adds a block of a list's numbers, for LM_OCTET_SUMS sums. */
static __global__ void __launch_bounds__(FOLDING)
    fold(int64_t count, int64_t blocks, int width, const double *in, double *out)
{
    __shared__ double partial[LM_SUMS_STRIDE][LM_OCTET_SUMS];
    const int64_t list = lm_quotient<uint64_t>(blockIdx.x, blocks);
    const int64_t first = (blockIdx.x - list * blocks) * LM_SUMS_BLOCK, left = count - first;
    const int j = threadIdx.x / LM_OCTET_SUMS, k = threadIdx.x % LM_OCTET_SUMS;
    const int sum = blockIdx.y * LM_OCTET_SUMS + k;
    const double *const from = in + (list * count + first) * width + sum;
    double total = 0.0;
    LM_UNROLL
    for (int i = j; i < LM_SUMS_BLOCK; i += LM_SUMS_STRIDE)
        total = total + (i < left ? from[(int64_t)i * width] : 0.0);
    partial[j][k] = total;
    LM_UNROLL
    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (j < half)
            partial[j][k] = partial[j][k] + partial[j + half][k];
    }
    if (j == 0)
        out[(int64_t)blockIdx.x * width + sum] = partial[0][k];
}

extern "C" cudaError_t lm_launch_momenta_fold(int64_t lists, int64_t count, int width,
                                              const double *in, double *out, cudaStream_t stream)
{
    const int64_t blocks = LM_SUMS_BLOCKS(count);
    fold<<<dim3((unsigned)(lists * blocks), (unsigned)(width / LM_OCTET_SUMS)), FOLDING, 0,
           stream>>>(count, blocks, width, in, out);
    return cudaGetLastError();
}
