/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas: a link is the bond of two sites of q (twins.cuh). The neighbours in
 * q are made of the neighbours in both replicas. Moving bits along a row and comparing them give
 * the same in either order.
 */
#include "backends/cuda/bits/twins.cuh"

/* Threads of a block, and blocks of a multiprocessor: as many as leave every number of three
 * dimensions in a register. */
enum { BLOCK = 256, AT_ONCE = 3 };

/* Counts a thread's share of the sites that differ. */
LM_INLINE int count_sites(const lm_bits_view &v, const twin &a, const twin &b)
{
    const int64_t words = v.rows * v.width * v.sublattices, stride = (int64_t)gridDim.x * BLOCK;
    const uint32_t *of_a = lm_sublattice_of(v, a.group, 0), *of_b = lm_sublattice_of(v, b.group, 0);
    const bool ends = v.width > 1 && v.bits < 32; /* rows end within a word */
    int n = 0;
#pragma unroll 4
    for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < words; i += stride) {
        const int64_t j = ends ? i - lm_quotient<int64_t>(i, v.width) * v.width : 0;
        const uint32_t bits = lm_valid(v, (uint32_t)j) & lm_replica_mask(v);
        n += __popc(apart(a, b, of_a[i], of_b[i]) & bits);
    }
    return n;
}

/* Returns the bonds that are missing in either replica. */
LM_INLINE uint32_t missing(const lm_bits_view &v, int d, const twin &a, const twin &b, int slot,
                           const lm_spot &p)
{
    return v.gone ? v.gone[lm_bond_at(v, d, a.group, 0, slot, p)] >> a.shift |
                        v.gone[lm_bond_at(v, d, b.group, 0, slot, p)] >> b.shift
                  : 0;
}

/* Counts, by axis, a word's bonds and those whose sites differ in q. Folded: the bonds of
 * sublattice 0 are all bonds. Natural: the upward bonds count. */
template <int D>
LM_INLINE void count_bonds(const lm_bits_view &v, const twin &a, const twin &b, const lm_spot &p,
                           int *n)
{
    const int64_t at = p.row * v.width + p.j;
    const uint32_t bits = lm_valid(v, p.j) & lm_replica_mask(v);
    const uint32_t q =
        apart(a, b, lm_sublattice_of(v, a.group, 0)[at], lm_sublattice_of(v, b.group, 0)[at]);
    uint32_t of_a[2 * D], of_b[2 * D];
    lm_neighbours(v, D, a.group, 0, p, of_a);
    lm_neighbours(v, D, b.group, 0, p, of_b);
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++) {
        const uint32_t here = v.folded || i % 2 ? bits & ~missing(v, D, a, b, i, p) : 0;
        n[2 * (i / 2)] += __popc(here & (q ^ apart(a, b, of_a[i], of_b[i])));
        n[2 * (i / 2) + 1] += __popc(here);
    }
}

template <int D>
LM_INLINE void count_links(const lm_bits_view &v, const twin &a, const twin &b, int *n)
{
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * BLOCK;
    for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < words; i += stride)
        count_bonds<D>(v, a, b, lm_spot_of(v, D, i), n);
}

/* Adds the counts of a block's threads to those of a pair. All threads must call it. */
template <int N> LM_INLINE void finish_counts(const int (&n)[N], lm_count *to)
{
    __shared__ int total[N];
    if (threadIdx.x < N)
        total[threadIdx.x] = 0;
    __syncthreads();
    LM_UNROLL
    for (int k = 0; k < N; k++) {
        const int sum = lm_warp_sum(n[k]);
        if ((threadIdx.x & 31u) == 0 && sum)
            atomicAdd(&total[k], sum);
    }
    __syncthreads();
    if (threadIdx.x < N)
        hand_in(to + threadIdx.x, total[threadIdx.x]);
    __syncthreads(); /* the next pair begins after this */
}

/* Counts pairs. D: the axes whose links are counted; 0: none. */
template <int D>
__global__ void __launch_bounds__(BLOCK, AT_ONCE)
    pairs_kernel(lm_bits_view v, int64_t first, int64_t pairs, const int64_t *replicas,
                 const int64_t *holders, lm_count *counts)
{
    for (int64_t p = blockIdx.y; p < pairs; p += gridDim.y) {
        const twin a = twin_at(v, first, holders, replicas[2 * p]);
        const twin b = twin_at(v, first, holders, replicas[2 * p + 1]);
        int n[1 + 2 * D] = {count_sites(v, a, b)};
        if constexpr (D > 0)
            count_links<D>(v, a, b, n + 1);
        finish_counts(n, counts + p * (1 + 2 * D));
    }
}

extern "C" cudaError_t lm_launch_pairs(const lm_bits_view *v, int links, const lm_bits_counting *t,
                                       cudaStream_t stream)
{
    static void (*const kernels[])(lm_bits_view, int64_t, int64_t, const int64_t *, const int64_t *,
                                   lm_count *) = {pairs_kernel<0>, pairs_kernel<1>, pairs_kernel<2>,
                                                  pairs_kernel<3>, pairs_kernel<4>};
    const int64_t each = 4 * BLOCK; /* words of a block, where there are many */
    const dim3 grid = lm_pairs_grid(v->rows * v->width * v->sublattices, each, t->pairs);
    const int axes = links ? v->dims : 0;
    const cudaError_t e = lm_pairs_clear(grid, t->counts, t->pairs * (1 + 2 * axes), stream);
    if (e == cudaSuccess)
        kernels[axes]<<<grid, BLOCK, 0, stream>>>(*v, t->first, t->pairs, t->replicas, t->holders,
                                                  t->counts);
    return e == cudaSuccess ? cudaGetLastError() : e;
}
