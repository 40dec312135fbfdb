/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts sites in which two replicas differ, or spins +1 of one replica, by planes x_a = constant
 * of each axis. With short rows, a block has counts of all planes, and adds to them word by word,
 * for axis 0 bit by bit. With long rows, a warp stays with 32 words of a row and goes on from row
 * to row. Each of its threads counts the ones of all 32 bits of its word at once, in numbers whose
 * digits are words.
 */
#include "backends/cuda/bits/twins.cuh"

enum {
    WARPS = 8,
    BLOCK = 32 * WARPS,
    MOST_COUNTS = 8192, /* counts that a block has */
    LONG = 4,           /* words of a row from which on it is long */
    DIGITS = 6,
    MOST_ROWS = (1 << DIGITS) - 1 /* rows that the digits can count */
};

/* Returns a word of q, or the replica's own word. */
LM_INLINE uint32_t word_at(const lm_bits_view &v, const twin (&of)[2], bool alone, int c,
                           int64_t at)
{
    const uint32_t a = lm_sublattice_of(v, of[0].group, c)[at];
    return alone ? a >> of[0].shift
                 : apart(of[0], of[1], a, lm_sublattice_of(v, of[1].group, c)[at]);
}

/* ---- short rows */

/* Adds the ones of a sublattice's word to a block's counts, in the planes where they are. */
template <int D>
LM_INLINE void count_planes(const lm_bits_view &v, const lm_spot &p, int c, uint32_t q, int *planes)
{
    const int odd = v.folded ? c ^ lm_spot_parity(D, p) : 0, step = v.folded ? 2 : 1;
    int begin = (int)v.extents[0];
    for (int a = 1; a < D; a++) {
        if (q)
            atomicAdd(&planes[begin + (int)p.x[a]], __popc(q));
        begin += (int)v.extents[a];
    }
    for (; q; q &= q - 1)
        atomicAdd(&planes[step * (32 * (int)p.j + __ffs((int)q) - 1) + odd], 1);
}

template <int D>
__global__ void __launch_bounds__(BLOCK)
    words_kernel(const __grid_constant__ lm_bits_view v, const __grid_constant__ lm_bits_counting t,
                 int all)
{
    extern __shared__ int planes[]; /* `all` numbers */
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * BLOCK;
    for (int64_t p = blockIdx.y; p < t.pairs; p += gridDim.y) {
        const twin of[2] = {twin_of_pair(v, t, p, 0), twin_of_pair(v, t, p, 1)};
        for (int i = threadIdx.x; i < all; i += BLOCK)
            planes[i] = 0;
        __syncthreads();
        for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < words; i += stride) {
            const lm_spot at = lm_spot_of(v, D, i);
            const uint32_t bits = lm_valid(v, at.j) & lm_replica_mask(v);
            for (int c = 0; c < v.sublattices; c++)
                count_planes<D>(v, at, c, word_at(v, of, !t.replicas, c, i) & bits, planes);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < all; i += BLOCK)
            hand_in(t.counts + p * all + i, planes[i]);
        __syncthreads(); /* the next pair begins after this */
    }
}

/* ---- long rows */

/* Counts of each bit over the words that were added, at most MOST_ROWS words. */
struct planes_column {
    uint32_t digit[DIGITS];

    __device__ __forceinline__ void clear(void)
    {
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++)
            digit[k] = 0;
    }

    __device__ __forceinline__ void add(uint32_t carry)
    {
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++) {
            const uint32_t both = digit[k] & carry;
            digit[k] ^= carry;
            carry = both;
        }
    }

    __device__ __forceinline__ int of_bit(int bit) const
    {
        int n = 0;
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++)
            n += (int)(digit[k] >> bit & 1u) << k;
        return n;
    }
};

/* A block's counts for axis 0: sites of even and of odd x_0, if words have only one kind. */
typedef int window_counts[2][32][32]; /* [odd][bit][thread] */

LM_INLINE void empty(planes_column (&of)[2], window_counts &window)
{
    LM_UNROLL
    for (int odd = 0; odd < 2; odd++) {
        LM_ROLLED
        for (int bit = 0; bit < 32; bit++) {
            const int n = of[odd].of_bit(bit);
            if (n)
                atomicAdd(&window[odd][bit][threadIdx.x % 32], n);
        }
    }
}

/* What a warp has counted in consecutive rows with the same x_2 and x_3. */
template <int D> struct far_axes {
    int64_t x[4];
    int n;

    __device__ __forceinline__ void hand_over(const lm_bits_view &v, lm_count *to)
    {
        int64_t begin = v.extents[0] + (D > 1 ? v.extents[1] : 0);
        LM_UNROLL
        for (int a = 2; a < D; a++) {
            if (n && threadIdx.x % 32 == 0)
                lm_add_to_count(to + begin + x[a], n);
            begin += v.extents[a];
        }
        n = 0;
    }

    __device__ __forceinline__ void add(const lm_bits_view &v, const lm_spot &at, int of_row,
                                        lm_count *to)
    {
        bool same = true;
        LM_UNROLL
        for (int a = 2; a < D; a++)
            same = same && x[a] == at.x[a];
        if (!same)
            hand_over(v, to);
        LM_UNROLL
        for (int a = 2; a < D; a++)
            x[a] = at.x[a];
        n += of_row;
    }
};

/* Counts rows [first, last) for one warp, which has every WARPS-th of them. Its threads have
 * neighbouring words of a row; this thread has word j. `window` receives the counts along x0, and
 * `to` those along the other axes. */
template <int D>
LM_INLINE void count_rows_of_warp(const lm_bits_view &v, const twin (&of)[2], bool alone,
                                  uint32_t j, int64_t first, int64_t last, window_counts &window,
                                  lm_count *to)
{
    const bool here = j < v.width;
    const uint32_t bits = here ? lm_valid(v, j) & lm_replica_mask(v) : 0;
    planes_column columns[2];
    far_axes<D> far = {{0, 0, 0, 0}, 0};
    columns[0].clear();
    columns[1].clear();
    for (int64_t row = first + threadIdx.x / 32; row < last; row += WARPS) {
        const int64_t at = row * v.width + (here ? j : 0);
        const lm_spot spot = lm_spot_of(v, D, at);
        const bool turned = v.folded && lm_spot_parity(D, spot);
        const uint32_t own = word_at(v, of, alone, 0, at) & bits;
        const uint32_t other = v.folded ? word_at(v, of, alone, 1, at) & bits : 0;
        const int n = lm_warp_sum(__popc(own) + __popc(other));
        columns[0].add(turned ? other : own);
        columns[1].add(turned ? own : other);
        if (D > 1 && n && threadIdx.x % 32 == 0)
            lm_add_to_count(to + v.extents[0] + spot.x[1], n);
        far.add(v, spot, n, to);
    }
    empty(columns, window);
    far.hand_over(v, to);
}

/* Counts long rows. Blocks along x are windows of 32 words, with some rows each. */
template <int D>
__global__ void __launch_bounds__(BLOCK)
    rows_kernel(const __grid_constant__ lm_bits_view v, const __grid_constant__ lm_bits_counting t,
                int64_t all, int64_t rows)
{
    __shared__ window_counts window;
    int *const flat = &window[0][0][0];
    const uint32_t windows = (v.width + 31u) / 32u, first_word = blockIdx.x % windows * 32u;
    const int64_t first = blockIdx.x / windows * rows;
    const int64_t last = first + rows < v.rows ? first + rows : v.rows;
    const int step = v.folded ? 2 : 1;
    for (int64_t p = blockIdx.y; p < t.pairs; p += gridDim.y) {
        const twin of[2] = {twin_of_pair(v, t, p, 0), twin_of_pair(v, t, p, 1)};
        lm_count *const to = t.counts + p * all;
        for (int i = threadIdx.x; i < 2 * 32 * 32; i += BLOCK)
            flat[i] = 0;
        __syncthreads();
        count_rows_of_warp<D>(v, of, !t.replicas, first_word + threadIdx.x % 32u, first, last,
                              window, to);
        __syncthreads();
        for (int i = threadIdx.x; i < 2 * 32 * 32; i += BLOCK) {
            const int64_t bit = i / 32 % 32, word = first_word + i % 32;
            if (flat[i])
                lm_add_to_count(to + step * (32 * word + bit) + i / 1024, flat[i]);
        }
        __syncthreads(); /* the next pair begins after this */
    }
}

/* ---- launches */

static cudaError_t launch_words(const lm_bits_view *v, const lm_bits_counting *t, int64_t all,
                                cudaStream_t stream)
{
    static void (*const kernels[])(lm_bits_view, lm_bits_counting, int) = {
        words_kernel<1>, words_kernel<2>, words_kernel<3>, words_kernel<4>};
    const dim3 grid = lm_pairs_grid(v->rows * v->width, 2 * BLOCK, t->pairs);
    const cudaError_t e = lm_pairs_clear(grid, t->counts, t->pairs * all, stream);
    if (e == cudaSuccess)
        kernels[v->dims - 1]<<<grid, BLOCK, (size_t)all * sizeof(int), stream>>>(*v, *t, (int)all);
    return e == cudaSuccess ? cudaGetLastError() : e;
}

/* Launches many blocks, but gives each so many rows that its counts are few beside them. */
static cudaError_t launch_rows(const lm_bits_view *v, const lm_bits_counting *t, int64_t all,
                               cudaStream_t stream)
{
    static void (*const kernels[])(lm_bits_view, lm_bits_counting, int64_t, int64_t) = {
        rows_kernel<1>, rows_kernel<2>, rows_kernel<3>, rows_kernel<4>};
    const int64_t windows = (v->width + 31) / 32, least = 8 * WARPS, most = MOST_ROWS * WARPS;
    const unsigned y = (unsigned)(t->pairs < 65535 ? t->pairs : 65535);
    const int64_t share = v->rows * windows * (int64_t)y / lm_blocks_enough();
    const int64_t rows = share < least ? least : share < most ? share : most;
    const int64_t blocks = windows * ((v->rows + rows - 1) / rows);
    const cudaError_t e =
        cudaMemsetAsync(t->counts, 0, (size_t)(t->pairs * all) * sizeof *t->counts, stream);
    if (e == cudaSuccess)
        kernels[v->dims - 1]<<<dim3((unsigned)blocks, y), BLOCK, 0, stream>>>(*v, *t, all, rows);
    return e == cudaSuccess ? cudaGetLastError() : e;
}

extern "C" cudaError_t lm_launch_planes(const lm_bits_view *v, const lm_bits_counting *t,
                                        cudaStream_t stream)
{
    const int64_t all = lm_all_planes(v->dims, v->extents);
    return (v->width < LONG && all <= MOST_COUNTS ? launch_words : launch_rows)(v, t, all, stream);
}
