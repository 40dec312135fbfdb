/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies sites of several components between the host's order and planes, and gives sites beyond
 * a lattice's ends their signs. */
#include "backends/cuda/field/place.cuh"
#include "backends/cuda/launch.cuh"

enum { BLOCK = 256 };

/* Moves a number by each thread. Numbers that a warp touches lie side by side in the sites'
 * order. */
template <class T>
static __global__ void __launch_bounds__(BLOCK)
    transfer(const __grid_constant__ lm_field_view v, const __grid_constant__ lm_field_transfer t)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= t.numbers)
        return;
    const uint64_t number = lm_quotient<uint64_t>(i, t.count), c = i - number * t.count;
    const uint64_t of_all = t.first + number, count = (uint64_t)v.count;
    const uint64_t replica = lm_quotient<uint64_t>(of_all, count);
    T *const site = (T *)t.sites + i;
    T *const plane = (T *)t.planes + (replica * t.count + c) * count +
                     lm_place_of(v, (uint32_t)(of_all - replica * count));
    if (t.in)
        *plane = *site;
    else
        *site = *plane;
}

extern "C" cudaError_t lm_launch_field_transfer(const lm_field_view *v, const lm_field_transfer *t,
                                                cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((t->numbers + BLOCK - 1) / BLOCK);
    if (t->bytes == sizeof(double))
        transfer<double><<<blocks, BLOCK, 0, stream>>>(*v, *t);
    else if (t->bytes == 1)
        transfer<int8_t><<<blocks, BLOCK, 0, stream>>>(*v, *t);
    else
        transfer<float><<<blocks, BLOCK, 0, stream>>>(*v, *t);
    return cudaGetLastError();
}

/* Rearranges rows; a block has one row or several. */
template <class T>
static __global__ void __launch_bounds__(BLOCK)
    arrange(const __grid_constant__ lm_field_rows r, uint32_t each)
{
    __shared__ T row[LM_FIELD_ROW_BYTES / sizeof(T)];
    const uint64_t first = (uint64_t)blockIdx.x * each;
    const uint32_t rows = r.rows - first < each ? (uint32_t)(r.rows - first) : each;
    T *const numbers = (T *)r.numbers + first * r.width;
    for (uint32_t i = threadIdx.x; i < rows * r.width; i += BLOCK)
        row[i / r.width * r.width + r.to[i % r.width]] = numbers[i];
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < rows * r.width; i += BLOCK)
        numbers[i] = row[i];
}

extern "C" cudaError_t lm_launch_field_arrange(const lm_field_rows *r, cudaStream_t stream)
{
    const uint32_t most = LM_FIELD_ROW_BYTES / 4 / (uint32_t)r->bytes;
    const uint32_t each = r->width < most ? most / r->width : 1;
    const unsigned blocks = (unsigned)((r->rows + each - 1) / each);
    if (r->bytes == sizeof(double))
        arrange<double><<<blocks, BLOCK, 0, stream>>>(*r, each);
    else
        arrange<float><<<blocks, BLOCK, 0, stream>>>(*r, each);
    return cudaGetLastError();
}

template <class T>
static __global__ void __launch_bounds__(BLOCK) scale(const __grid_constant__ lm_field_scale s)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= s.length * s.ranges)
        return;
    T *const at = (T *)s.numbers + i / s.length * s.pitch + i % s.length;
    *at = s.factor == 0 ? (T)0 : (T) - *at;
}

extern "C" cudaError_t lm_launch_field_scale(const lm_field_scale *s, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((s->length * s->ranges + BLOCK - 1) / BLOCK);
    if (s->bytes == sizeof(double))
        scale<double><<<blocks, BLOCK, 0, stream>>>(*s);
    else if (s->bytes == 1)
        scale<int8_t><<<blocks, BLOCK, 0, stream>>>(*s);
    else
        scale<float><<<blocks, BLOCK, 0, stream>>>(*s);
    return cudaGetLastError();
}
