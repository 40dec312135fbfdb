/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sums of the counts of a series, in the order in which the host reads them. */
#include "backends/cuda/launch.cuh"

#include "backends/cuda/bits/view.h"

enum { BLOCK = 256 };

static __global__ void __launch_bounds__(BLOCK)
    sum_records_kernel(const __grid_constant__ lm_bits_record_sums s, uint64_t numbers)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= numbers)
        return;
    const uint64_t row = lm_quotient(i, (uint64_t)s.each), k = i - row * (uint64_t)s.each;
    const uint64_t r = lm_quotient(row, (uint64_t)s.records);
    const uint64_t m = row - r * (uint64_t)s.records;
    const int64_t n =
        (int64_t)s.counts[m * (uint64_t)s.record + (s.nth + r) * (uint64_t)s.counted + k];
    if (s.wanted >> k & 1)
        s.sums[i] = (double)((int)k == s.spins ? 2 * n - s.sites : n);
}

extern "C" cudaError_t lm_launch_sum_records(const lm_bits_record_sums *s, cudaStream_t stream)
{
    const uint64_t numbers = (uint64_t)(s->replicas * s->records * s->each);
    sum_records_kernel<<<(unsigned)((numbers + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(*s,
                                                                                        numbers);
    return cudaGetLastError();
}
