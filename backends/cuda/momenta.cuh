/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a warp sums a block of LM_SUMS_BLOCK bars of a layer, at the momenta of an octet. A thread
 * has one momentum and eight of the block's 32 partial sums: thread t has partial sums t / 8, t / 8
 * + 4, and so on, at momentum t % 8. Eight threads with the same bar read eight numbers of shared
 * memory that follow each other, so no bank is asked twice.
 *
 * A WAY is a thread's way through the bars of a layer. It has `row` and `bar`, in the sense of
 * doc/trajectory.md, and element(), which returns what the bar adds.
 */
#ifndef LM_CUDA_MOMENTA_CUH
#define LM_CUDA_MOMENTA_CUH

#include "backends/cuda/launch.cuh"
#include "backends/cuda/momenta.h"
#include "lib/physics/sums.h"

enum {
    LM_OCTET_BARS = 32 / LM_OCTET,                    /* bars that a warp has at once */
    LM_OCTET_COLUMNS = LM_SUMS_STRIDE / LM_OCTET_BARS /* partial sums of a thread */
};

/* Where a row is, and its factor. */
struct lm_momentum_row {
    const lm_wave_number *table; /* the octet's tables, from the thread's momentum on */
    uint64_t sum;                /* of the coordinates x1, x2, x3 */
    lm_wave_number outer;

    __device__ __forceinline__ void turn(const lm_cuda_momenta &m, int axis, int64_t x)
    {
        outer = lm_wave_product(outer, table[m.axis_at[axis] + x * LM_OCTET]);
        sum += (uint64_t)x;
    }

    /* MANY_ROWS: layers have more than one row. */
    template <bool MANY_ROWS>
    __device__ __forceinline__ void enter(const lm_cuda_momenta &m, int64_t layer, int64_t row)
    {
        sum = 0;
        outer = {1.0, 0.0};
        if (MANY_ROWS && m.dims == 3)
            turn(m, 1, row);
        if (MANY_ROWS && m.dims == 4) {
            const int64_t x = (int64_t)lm_quotient<uint64_t>(row, m.extents[1]);
            turn(m, 1, row - x * m.extents[1]);
            turn(m, 2, x);
        }
        if (m.dims > 1)
            turn(m, m.dims - 1, m.first_layer + layer);
    }
};

LM_INLINE lm_wave_number lm_wave_sum(lm_wave_number a, lm_wave_number b)
{
    const lm_wave_number sum = {a.re + b.re, a.im + b.im};
    return sum;
}

/* The steps to the bar that comes next for a thread. */
struct lm_bar_step {
    int64_t rows;
    uint32_t bars;
};

/* A thread's partial sums in registers, or in the block's shared memory. The latter are for a WAY
 * with long code, which then stands once. */
struct lm_own_columns {
    enum { UNROLL = LM_OCTET_COLUMNS };
    lm_wave_number column[UNROLL];

    __device__ __forceinline__ lm_wave_number &operator[](int k)
    {
        return column[k];
    }
};
struct lm_shared_columns {
    enum { UNROLL = 1 };
    lm_wave_number *column; /* of the block's first thread: [8][thread] */

    __device__ __forceinline__ lm_wave_number &operator[](int k)
    {
        return column[(uint32_t)k * blockDim.x + threadIdx.x];
    }
};

/* Adds the next 32 bars, or those of `left` that are for this thread. */
template <bool ALL, bool MANY_ROWS, class WAY, class SUM>
LM_INLINE void lm_add_bars(const lm_cuda_momenta &m, WAY &w, int left, const lm_bar_step &step,
                           SUM &sum)
{
#pragma unroll(SUM::UNROLL)
    for (int k = 0; k < LM_OCTET_COLUMNS; k++) {
        if (ALL || k * LM_OCTET_BARS < left)
            sum[k] = lm_wave_sum(sum[k], w.element(m));
        w.bar += step.bars;
        if (MANY_ROWS) {
            w.row += step.rows;
            if (w.bar >= m.row_bars) {
                w.bar -= m.row_bars;
                w.row++;
            }
        }
    }
}

/* Adds up the partial sums of all threads with the same momentum: p_j = p_j + p_(j+16), then 8, 4,
 * 2, 1. Threads below LM_OCTET have the result. */
template <class SUM> LM_INLINE lm_wave_number lm_fold_columns(SUM &sum)
{
    LM_UNROLL
    for (int half = LM_OCTET_COLUMNS / 2; half > 0; half /= 2)
        LM_UNROLL
    for (int k = 0; k < half; k++)
        sum[k] = lm_wave_sum(sum[k], sum[k + half]);
    lm_wave_number all = sum[0];
    LM_UNROLL
    for (int half = LM_OCTET_BARS / 2; half > 0; half /= 2) {
        const lm_wave_number other = {__shfl_down_sync(~0u, all.re, half * LM_OCTET),
                                      __shfl_down_sync(~0u, all.im, half * LM_OCTET)};
        all = lm_wave_sum(all, other);
    }
    return all;
}

/* A block of bars: of a replica's layer, from bar number `first` of the layer on. */
struct lm_bar_block {
    int64_t replica, layer, first;
};

LM_INLINE lm_bar_block lm_bar_block_of(const lm_cuda_momenta &m, uint64_t task)
{
    const uint64_t of_layer = lm_quotient<uint64_t>(task, m.blocks);
    const uint64_t replica = lm_quotient<uint64_t>(of_layer, m.layers);
    return {m.replica + (int64_t)replica, (int64_t)(of_layer - replica * m.layers),
            (int64_t)(task - of_layer * m.blocks) * LM_SUMS_BLOCK};
}

/* Sums a block of bars by a warp. */
template <bool MANY_ROWS, class WAY, class SUM>
LM_INLINE void lm_sum_bars(const lm_cuda_momenta &m, WAY &w, SUM &sum, const lm_bar_block &b,
                           double *to)
{
    const uint32_t thread = threadIdx.x % 32, own = thread / LM_OCTET;
    const int64_t first = b.first + own, left = m.layer_rows * m.row_bars - first;
    const int64_t rows = LM_OCTET_BARS / m.row_bars;
    const lm_bar_step step = {rows, LM_OCTET_BARS - (uint32_t)rows * m.row_bars};
    int count = left < LM_SUMS_BLOCK - own ? (int)left : LM_SUMS_BLOCK - own;

    LM_UNROLL
    for (int k = 0; k < LM_OCTET_COLUMNS; k++)
        sum[k] = {0.0, 0.0};
    w.row = MANY_ROWS ? (int64_t)lm_quotient<uint64_t>(first, m.row_bars) : 0;
    w.bar = (uint32_t)(first - w.row * m.row_bars);
    w.begin(m, b);
    for (; SUM::UNROLL > 1 && count > LM_SUMS_STRIDE - LM_OCTET_BARS; count -= LM_SUMS_STRIDE)
        lm_add_bars<true, MANY_ROWS>(m, w, count, step, sum);
    for (; count > 0; count -= LM_SUMS_STRIDE)
        lm_add_bars<false, MANY_ROWS>(m, w, count, step, sum);
    const lm_wave_number all = lm_fold_columns(sum);
    if (thread < LM_OCTET) {
        to[thread] = all.re;
        to[LM_OCTET + thread] = all.im;
    }
}

/* Sums all blocks of bars of a launch: the grid's y are octets, its z are terms. The block's shared
 * memory has `count` numbers of the octet's tables, from number `at` on. */
template <bool MANY_ROWS, class WAY, class SUM>
LM_INLINE void lm_sum_momenta(const lm_cuda_momenta &m, WAY &w, SUM &sum, lm_wave_number *shared,
                              int64_t at, int count)
{
    const uint32_t warps = blockDim.x / 32;
    const lm_wave_number *const tables = m.tables + blockIdx.y * m.octet_numbers;
    const uint64_t tasks = (uint64_t)(m.replicas * m.layers * m.blocks);
    const int64_t number = (int64_t)blockIdx.z * m.octets + blockIdx.y;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        shared[i] = tables[at + i];
    __syncthreads();
    w.near = shared + threadIdx.x % LM_OCTET;
    w.in.table = tables + threadIdx.x % LM_OCTET;
    for (uint64_t task = (uint64_t)blockIdx.x * warps + threadIdx.x / 32; task < tasks;
         task += (uint64_t)gridDim.x * warps)
        lm_sum_bars<MANY_ROWS>(m, w, sum, lm_bar_block_of(m, task),
                               m.sums + (int64_t)task * m.width + number * LM_OCTET_SUMS);
}

/* Launches a kernel of so many warps a block, one block for each multiprocessor at most. */
static inline cudaError_t lm_launch_momenta(const void *kernel, const lm_cuda_momenta *m,
                                            unsigned warps, int64_t blocks_of_processor, int shared,
                                            void **arguments, cudaStream_t stream)
{
    const int64_t blocks = (m->replicas * m->layers * m->blocks + warps - 1) / warps;
    const int64_t most = blocks_of_processor * lm_cuda_processors();
    const dim3 grid((unsigned)(blocks < most ? blocks : most), (unsigned)m->octets,
                    (unsigned)m->terms);
    const cudaError_t e =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    return e != cudaSuccess ? e
                            : cudaLaunchKernel(kernel, grid, dim3(32 * warps), arguments,
                                               (size_t)shared, stream);
}

#endif
