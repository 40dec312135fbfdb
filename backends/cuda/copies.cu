/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies replicas: a thread gathers one number, or one word of a group. */
#include "backends/cuda/copies.h"
#include "backends/cuda/launch.cuh"

enum { BLOCK = 256 };

/* The slice of a launch, and its numbers over all units. */
struct slice {
    uint64_t first, each, all;
};

template <class T>
static __global__ void __launch_bounds__(BLOCK)
    gather(const __grid_constant__ lm_cuda_units c, const slice s, T *buffer)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= s.all)
        return;
    const uint64_t unit = lm_quotient<uint64_t>(i, s.each), number = i - unit * s.each;
    const T *const from = (const T *)c.units + (int64_t)c.from[unit] * c.pitch;
    buffer[i] = from[s.first + number];
}

/* Bits of no replica stay as they are. */
static __global__ void __launch_bounds__(BLOCK)
    gather_shared(const __grid_constant__ lm_cuda_units c, const slice s, uint32_t *buffer)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= s.all)
        return;
    const uint64_t unit = lm_quotient<uint64_t>(i, s.each), at = s.first + (i - unit * s.each);
    const uint32_t *const words = (const uint32_t *)c.units;
    const uint32_t bits = (1u << c.segment) - 1u, per_word = (uint32_t)c.per_word;
    uint32_t word = words[(int64_t)unit * c.pitch + (int64_t)at];
    for (uint32_t nth = 0; nth < per_word; nth++) {
        const int64_t r = (int64_t)unit * c.per_word + nth - c.first_nth;
        if (r < 0 || r >= c.replicas)
            continue;
        const uint64_t number = (uint64_t)(c.first_nth + c.from[r]);
        const uint64_t group = number / per_word;
        const uint32_t there = (uint32_t)(number - group * per_word) * (uint32_t)c.segment;
        const uint32_t here = nth * (uint32_t)c.segment;
        const uint32_t own = words[(int64_t)group * c.pitch + (int64_t)at] >> there & bits;
        word = (word & ~(bits << here)) | own << here;
    }
    buffer[i] = word;
}

template <class T>
static __global__ void __launch_bounds__(BLOCK)
    give(const __grid_constant__ lm_cuda_units c, const slice s, const T *buffer)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= s.all)
        return;
    const uint64_t unit = lm_quotient<uint64_t>(i, s.each), number = i - unit * s.each;
    ((T *)c.units)[(int64_t)unit * c.pitch + (int64_t)(s.first + number)] = buffer[i];
}

template <class T>
static cudaError_t launch(const lm_cuda_units &c, const slice &s, void *buffer, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((s.all + BLOCK - 1) / BLOCK);
    if (c.per_word > 1)
        gather_shared<<<blocks, BLOCK, 0, stream>>>(c, s, (uint32_t *)buffer);
    else
        gather<T><<<blocks, BLOCK, 0, stream>>>(c, s, (T *)buffer);
    give<T><<<blocks, BLOCK, 0, stream>>>(c, s, (const T *)buffer);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_copies(const lm_cuda_units *c, int64_t first, int64_t each,
                                        void *buffer, cudaStream_t stream)
{
    const slice s = {(uint64_t)first, (uint64_t)each, (uint64_t)(each * c->count)};
    return c->bytes == 8   ? launch<uint64_t>(*c, s, buffer, stream)
           : c->bytes == 4 ? launch<uint32_t>(*c, s, buffer, stream)
                           : launch<uint8_t>(*c, s, buffer, stream);
}
