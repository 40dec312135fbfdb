/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums sites with momenta. A warp has a block of LM_SUMS_BLOCK bars of a layer, at the momenta of
 * an octet. A thread has one momentum and eight of the block's 32 partial sums: thread t has
 * partial sums t / 8, t / 8 + 4, and so on, at momentum t % 8. Eight threads with the same bar read
 * eight numbers of shared memory that follow each other, so no bank is asked twice.
 */
#include "backends/cuda/bits/site_sums.h"
#include "backends/cuda/launch.cuh"
#include "lib/physics/sums.h"

enum {
    WARPS = 24,
    BARS = 32 / LM_OCTET,            /* bars that a warp has at once */
    COLUMNS = LM_SUMS_STRIDE / BARS, /* partial sums of a thread */
    FOLDING = LM_SUMS_STRIDE * LM_OCTET_SUMS
};

/* Returns bits 0, 2, .. 14. */
LM_INLINE uint32_t every_second(uint32_t bits)
{
    bits &= 0x5555u;
    bits = (bits | bits >> 1) & 0x3333u;
    bits = (bits | bits >> 2) & 0x0f0fu;
    return (bits | bits >> 4) & 0xffu;
}

LM_INLINE lm_wave_number add(lm_wave_number a, lm_wave_number b)
{
    const lm_wave_number sum = {a.re + b.re, a.im + b.im};
    return sum;
}

/* A thread's way through the bars of a layer. MANY_ROWS: layers have more than one row. CUT: rows
 * have whole bars, and one that their end cuts. STATES: sites have states, otherwise two spins. */
template <bool MANY_ROWS, bool FOLDED, bool CUT, bool STATES> struct way {
    const lm_wave_number *whole; /* shared: sums of bars by their bits */
    const lm_wave_number *table; /* the octet's tables, from the thread's momentum on */
    int64_t layer, row;          /* row: of the layer */
    int64_t entered;             /* the row of which the members below are */
    uint32_t bar;                /* of the row */
    int shift, term;             /* shift: to the replica's bits */
    const uint32_t *group;       /* the group's sites */
    const uint32_t *even, *odd;  /* the words that have the row's even sites, and the odd ones */
    lm_wave_number outer;        /* the row's factor */

    __device__ __forceinline__ void turn(const lm_bits_momenta &m, int axis, int64_t x,
                                         uint64_t &sum)
    {
        outer = lm_wave_product(outer, table[m.axis_at[axis] + x * LM_OCTET]);
        sum += (uint64_t)x;
    }

    /* Begins with a bar of a layer, which may be beyond its end. */
    __device__ __forceinline__ void begin(const lm_bits_momenta &m, uint64_t of_layer,
                                          int64_t first)
    {
        const lm_bits_home &h = m.home;
        const uint64_t replica = lm_quotient<uint64_t>(of_layer, m.layers);
        const uint64_t nth = (uint64_t)(h.first_nth + m.replica) + replica;
        const uint64_t in = nth / (uint32_t)h.per_word;
        group = h.sites + (int64_t)in * h.group_stride;
        shift = (int)(nth - in * (uint32_t)h.per_word) * h.segment;
        layer = (int64_t)(of_layer - replica * m.layers);
        row = MANY_ROWS ? (int64_t)lm_quotient<uint64_t>(first, m.row_bars) : 0;
        bar = (uint32_t)(first - row * m.row_bars);
        entered = -1;
        if (!MANY_ROWS)
            enter(m);
    }

    __device__ __forceinline__ void enter(const lm_bits_momenta &m)
    {
        const lm_bits_home &h = m.home;
        uint64_t sum = 0;
        outer = {1.0, 0.0};
        if (MANY_ROWS && h.dims == 3)
            turn(m, 1, row, sum);
        if (MANY_ROWS && h.dims == 4) {
            const int64_t x = (int64_t)lm_quotient<uint64_t>(row, h.extents[1]);
            turn(m, 1, row - x * h.extents[1], sum);
            turn(m, 2, x, sum);
        }
        if (h.dims > 1)
            turn(m, h.dims - 1, m.first_layer + layer, sum);
        const int own = FOLDED ? (int)(sum & 1u) : 0;
        const uint32_t *const words = group + (layer * m.layer_rows + row) * h.row_stride;
        even = words + own * h.sublattice_stride;
        odd = words + (1 - own) * h.sublattice_stride;
        entered = row;
    }

    __device__ __forceinline__ void advance(const lm_bits_momenta &m, uint32_t step_bars,
                                            int64_t step_rows)
    {
        bar += step_bars;
        if (MANY_ROWS) {
            row += step_rows;
            if (bar >= m.row_bars) {
                bar -= m.row_bars;
                row++;
            }
        }
    }

    __device__ __forceinline__ uint32_t word(const lm_bits_home &h, const uint32_t *at) const
    {
        if (!STATES)
            return *at;
        uint32_t has = ~0u;
        for (int k = 0; k < h.digits; k++)
            has &= at[k * h.digit_stride] ^ (term >> k & 1 ? 0u : ~0u);
        return has;
    }

    /* Returns what the bar adds. */
    __device__ __forceinline__ lm_wave_number element(const lm_bits_momenta &m)
    {
        uint32_t e, o;
        if (MANY_ROWS && row != entered)
            enter(m);
        if (FOLDED) {
            const uint32_t by = bar % 4u * 8u + (uint32_t)shift;
            e = word(m.home, even + bar / 4u) >> by & 0xffu;
            o = word(m.home, odd + bar / 4u) >> by & 0xffu;
        } else {
            const uint32_t bits =
                word(m.home, even + bar / 2u) >> (bar % 2u * 16u + (uint32_t)shift);
            e = every_second(bits);
            o = every_second(bits >> 1);
        }
        const lm_wave_number *from = whole;
        if (CUT && bar >= m.whole_bars)
            from = table + LM_OCTET_BITS;
        return lm_momentum_element(from[e * LM_OCTET], from[(LM_MOMENTUM_HALF + o) * LM_OCTET],
                                   table[m.axis_at[0] + (int64_t)bar * LM_OCTET], outer);
    }
};

/* Adds the next 32 bars, or fewer. */
template <bool ALL, class WAY>
LM_INLINE void add_bars(const lm_bits_momenta &m, WAY &w, int left, uint32_t step_bars,
                        int64_t step_rows, lm_wave_number (&sum)[COLUMNS])
{
    LM_UNROLL
    for (int k = 0; k < COLUMNS; k++) {
        if (ALL || k * BARS < left)
            sum[k] = add(sum[k], w.element(m));
        w.advance(m, step_bars, step_rows);
    }
}

/* Adds up the partial sums of all threads with the same momentum: p_j = p_j + p_(j+16), then 8, 4,
 * 2, 1. Threads below LM_OCTET have the result. */
LM_INLINE lm_wave_number fold_columns(lm_wave_number (&sum)[COLUMNS])
{
    LM_UNROLL
    for (int half = COLUMNS / 2; half > 0; half /= 2)
        LM_UNROLL
    for (int k = 0; k < half; k++)
        sum[k] = add(sum[k], sum[k + half]);
    LM_UNROLL
    for (int half = BARS / 2; half > 0; half /= 2) {
        const lm_wave_number other = {__shfl_down_sync(~0u, sum[0].re, half * LM_OCTET),
                                      __shfl_down_sync(~0u, sum[0].im, half * LM_OCTET)};
        sum[0] = add(sum[0], other);
    }
    return sum[0];
}

/* Sums one block of bars by a warp. */
template <class WAY>
LM_INLINE void sum_block(const lm_bits_momenta &m, WAY &w, uint64_t task, double *to)
{
    const uint32_t thread = threadIdx.x % 32, own = thread / LM_OCTET;
    const uint64_t of_layer = lm_quotient<uint64_t>(task, m.blocks);
    const int64_t first = (int64_t)(task - of_layer * m.blocks) * LM_SUMS_BLOCK + own;
    const int64_t left = m.layer_rows * m.row_bars - first;
    const int64_t step_rows = BARS / m.row_bars;
    const uint32_t step_bars = BARS - (uint32_t)step_rows * m.row_bars;
    int count = left < LM_SUMS_BLOCK - own ? (int)left : LM_SUMS_BLOCK - own;
    lm_wave_number sum[COLUMNS];

    LM_UNROLL
    for (int k = 0; k < COLUMNS; k++)
        sum[k] = {0.0, 0.0};
    w.begin(m, of_layer, first);
    for (; count > LM_SUMS_STRIDE - BARS; count -= LM_SUMS_STRIDE)
        add_bars<true>(m, w, count, step_bars, step_rows, sum);
    if (count > 0)
        add_bars<false>(m, w, count, step_bars, step_rows, sum);
    sum[0] = fold_columns(sum);
    if (thread < LM_OCTET) {
        to[thread] = sum[0].re;
        to[LM_OCTET + thread] = sum[0].im;
    }
}

template <bool MANY_ROWS, bool FOLDED, bool CUT, bool STATES>
__global__ void __launch_bounds__(32 * WARPS) momenta(const __grid_constant__ lm_bits_momenta m)
{
    extern __shared__ lm_wave_number whole[]; /* LM_OCTET_BITS */
    const lm_wave_number *const tables = m.tables + blockIdx.y * m.octet_numbers;
    const uint64_t tasks = (uint64_t)(m.replicas * m.layers * m.blocks);
    const int64_t number = (int64_t)blockIdx.z * m.octets + blockIdx.y;
    way<MANY_ROWS, FOLDED, CUT, STATES> w;
    for (int i = threadIdx.x; i < LM_OCTET_BITS; i += 32 * WARPS)
        whole[i] = tables[i + (m.whole_bars ? 0 : LM_OCTET_BITS)];
    __syncthreads();
    w.whole = whole + threadIdx.x % LM_OCTET;
    w.table = tables + threadIdx.x % LM_OCTET;
    w.term = blockIdx.z;
    for (uint64_t task = (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32; task < tasks;
         task += (uint64_t)gridDim.x * WARPS)
        sum_block(m, w, task, m.sums + (int64_t)task * m.width + number * LM_OCTET_SUMS);
}

/* ---- later blocks */

/* A block of threads adds a block of a list's numbers, for LM_OCTET_SUMS sums. */
static __global__ void __launch_bounds__(FOLDING)
    fold(int64_t count, int64_t blocks, int sums, const double *in, double *out)
{
    __shared__ double partial[LM_SUMS_STRIDE][LM_OCTET_SUMS];
    const int64_t list = lm_quotient<uint64_t>(blockIdx.x, blocks);
    const int64_t first = (blockIdx.x - list * blocks) * LM_SUMS_BLOCK, left = count - first;
    const int j = threadIdx.x / LM_OCTET_SUMS, k = threadIdx.x % LM_OCTET_SUMS;
    const int sum = blockIdx.y * LM_OCTET_SUMS + k;
    const double *const from = in + (list * count + first) * sums + sum;
    double total = 0.0;
    LM_UNROLL
    for (int i = j; i < LM_SUMS_BLOCK; i += LM_SUMS_STRIDE)
        total = total + (i < left ? from[(int64_t)i * sums] : 0.0);
    partial[j][k] = total;
    LM_UNROLL
    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (j < half)
            partial[j][k] = partial[j][k] + partial[j + half][k];
    }
    if (j == 0)
        out[(int64_t)blockIdx.x * sums + sum] = partial[0][k];
}

/* ---- launches */

typedef void (*kernel)(lm_bits_momenta);

#define OF_STATES(MANY, FOLDED, CUT)                                                               \
    {                                                                                              \
        momenta<MANY, FOLDED, CUT, false>, momenta<MANY, FOLDED, CUT, true>                        \
    }
#define OF_CUT(MANY, FOLDED)                                                                       \
    {                                                                                              \
        OF_STATES(MANY, FOLDED, false), OF_STATES(MANY, FOLDED, true)                              \
    }
#define OF_FOLDED(MANY)                                                                            \
    {                                                                                              \
        OF_CUT(MANY, false), OF_CUT(MANY, true)                                                    \
    }
/* [many rows][folded][cut][states] */
static const kernel kernels[2][2][2][2] = {OF_FOLDED(false), OF_FOLDED(true)};

extern "C" cudaError_t lm_launch_momenta(const lm_bits_momenta *m, cudaStream_t stream)
{
    const kernel k =
        kernels[m->home.dims > 2][m->home.sublattices == 2]
               [m->whole_bars > 0 && m->whole_bars < m->row_bars][m->home.numbers == LM_STATES];
    const int shared = LM_OCTET_BITS * (int)sizeof(lm_wave_number);
    const int64_t blocks = (m->replicas * m->layers * m->blocks + WARPS - 1) / WARPS;
    const int64_t most = lm_cuda_processors();
    const dim3 grid((unsigned)(blocks < most ? blocks : most), (unsigned)m->octets,
                    (unsigned)m->terms);
    const cudaError_t e =
        cudaFuncSetAttribute((const void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    if (e != cudaSuccess)
        return e;
    k<<<grid, 32 * WARPS, shared, stream>>>(*m);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_momenta_fold(int64_t lists, int64_t count, int sums,
                                              const double *in, double *out, cudaStream_t stream)
{
    const int64_t blocks = LM_SUMS_BLOCKS(count);
    fold<<<dim3((unsigned)(lists * blocks), (unsigned)(sums / LM_OCTET_SUMS)), FOLDING, 0,
           stream>>>(count, blocks, sums, in, out);
    return cudaGetLastError();
}
