/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites in which the two replicas of a pair differ: many pairs in one launch, whole lattices of any
 * shape. */
#include "backends/cuda/bits/lattice.cuh"

enum { BLOCK = 256 };

/* Word 0 of a replica's group, and where in its words the replica has its bits. */
typedef struct twin {
    const uint32_t *words;
    int shift;
} twin;

LM_INLINE twin twin_of(const lm_bits_view &v, int64_t number)
{
    const int64_t group = lm_quotient<int64_t>(number, v.pack);
    return {v.sites + (group - v.first_group) * v.group_stride,
            (int)(number - group * v.pack) * v.segment};
}

/* A block's threads, all of them; thread 0 receives it. */
LM_INLINE lm_count block_sum(int n)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    n = lm_warp_sum(n);
    if ((threadIdx.x & 31u) == 0 && n)
        atomicAdd(&total, n);
    __syncthreads();
    const int sum = total;
    __syncthreads(); /* before the next pair's is begun */
    return (lm_count)sum;
}

__global__ void __launch_bounds__(BLOCK) apart_kernel(lm_bits_view v, int64_t first, int64_t pairs,
                                                      const int64_t *replicas, lm_count *apart)
{
    const int64_t words = v.rows * v.width * v.sublattices, stride = (int64_t)gridDim.x * BLOCK;
    const bool ends = v.width > 1 && v.bits < 32; /* rows end within a word */
    for (int64_t p = blockIdx.y; p < pairs; p += gridDim.y) {
        const twin a = twin_of(v, first + replicas[2 * p]);
        const twin b = twin_of(v, first + replicas[2 * p + 1]);
        int n = 0;
#pragma unroll 4
        for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < words; i += stride) {
            const int64_t j = ends ? i - lm_quotient<int64_t>(i, v.width) * v.width : 0;
            const uint32_t bits = lm_valid(v, (uint32_t)j) & lm_replica_mask(v);
            n += __popc((a.words[i] >> a.shift ^ b.words[i] >> b.shift) & bits);
        }
        const lm_count sum = block_sum(n);
        if (threadIdx.x == 0 && sum)
            atomicAdd(apart + p, sum);
    }
}

extern "C" cudaError_t lm_launch_apart(const lm_bits_view *v, int64_t first, int64_t pairs,
                                       const int64_t *replicas, lm_count *apart,
                                       cudaStream_t stream)
{
    /* As in general.cu; and words of a thread, where there are many. */
    const int64_t most = 1056, each = 4;
    const int64_t words = v->rows * v->width * v->sublattices;
    const int64_t blocks = (words + BLOCK * each - 1) / (BLOCK * each);
    const dim3 grid((unsigned)(blocks < most ? blocks : most),
                    (unsigned)(pairs < 65535 ? pairs : 65535));
    apart_kernel<<<grid, BLOCK, 0, stream>>>(*v, first, pairs, replicas, apart);
    return cudaGetLastError();
}
