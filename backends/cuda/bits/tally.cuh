/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures large whole folded lattices of a model M (digits.cuh) whose sites have digits and whose
 * bonds are all present and positive. All bonds are bonds of sublattice 0, and a thread counts the
 * bonds of four words.
 */
#ifndef LM_CUDA_BITS_TALLY_CUH
#define LM_CUDA_BITS_TALLY_CUH

#include "backends/cuda/bits/patch.cuh"
#include "lib/physics/digits.h"

/* Threads of a block, and blocks of a multiprocessor. Blocks are few, because each ends in
 * additions to the same numbers. */
enum { LM_TALLYING = 512, LM_TALLY_BLOCKS = 2 };

/* Four words, each with its own tallies. */
typedef struct lm_tally_four {
    uint32_t all[4], turned[4];
} lm_tally_four;

/* Adds the tallies of four words to sum number k of their replicas, or to *own if they have one
 * replica. */
template <bool FOURS>
LM_INLINE void lm_add_tallies(const lm_bits_view &v, uint32_t g, int k, const lm_tally_four &w,
                              int *own)
{
    if constexpr (!FOURS) {
        LM_UNROLL
        for (int m = 0; m < 4 && v.per_word > 1; m++)
            lm_add_signed_bits(v, g, k, w.all[m], w.turned[m]);
    }
    if (FOURS || v.per_word == 1)
        *own += lm_ones<4>(w.all) - 2 * lm_ones<4>(w.turned);
}

/* Counts the bonds along each axis, by slot, and the words' own digits, by word. */
template <class M, int D, int SHAPE>
LM_INLINE void lm_meet_patch(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                             uint32_t g, const uint32_t *own, const uint32_t *other,
                             lm_digit_count bond[2 * D][4], uint32_t s[4][M::DIGITS])
{
    LM_UNROLL
    for (int k = 0; k < M::DIGITS; k++) {
        uint32_t here[4], around[2 * D][4];
        lm_load_patch<SHAPE>(l, p, own + k * v.digit_stride, p.first, here);
        lm_around_patch<D, LM_NO_SIGNS, SHAPE>(v, l, p, g, 0, other + k * v.digit_stride, around);
        LM_UNROLL
        for (int m = 0; m < 4; m++) {
            s[m][k] = here[m];
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++)
                M::meet(k, here[m], around[i][m], &bond[i][m]);
        }
    }
}

/* Returns what sum number k counts of words of both sublattices. */
template <class M, int D, bool FOURS>
LM_INLINE void lm_tally_sites(const lm_bits_view &v, uint32_t g, int k, const uint32_t *valid,
                              const uint32_t s[4][M::DIGITS], const uint32_t t[4][M::DIGITS],
                              int *own)
{
    lm_tally_four of_s, of_t;
    LM_UNROLL
    for (int m = 0; m < 4; m++) {
        const lm_digit_count a = M::count(k, s[m]), b = M::count(k, t[m]);
        of_s.all[m] = valid[m] & a.all;
        of_s.turned[m] = valid[m] & a.turned;
        of_t.all[m] = valid[m] & b.all;
        of_t.turned[m] = valid[m] & b.turned;
    }
    lm_add_tallies<FOURS>(v, g, D + k, of_s, own);
    lm_add_tallies<FOURS>(v, g, D + k, of_t, own);
}

/* Makes the sums: of bonds by axis, then of sites. */
template <class M, int D, int SHAPE>
LM_INLINE void lm_tally_patch(const lm_bits_view &v, const lm_patches &l, unsigned wanted,
                              uint32_t g, uint32_t number, int *sums)
{
    constexpr bool FOURS = lm_by_fours(SHAPE);
    const bool inside = number < l.patches;
    const lm_patch p = lm_locate_patch<D, SHAPE>(l, inside ? number : 0, 0);
    const uint32_t all = lm_valid_in<SHAPE>(v, p, g, inside);
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride;
    lm_digit_count bond[2 * D][4];
    uint32_t s[4][M::DIGITS], t[4][M::DIGITS], valid[4];
    lm_meet_patch<M, D, SHAPE>(v, l, p, g, own, other, bond, s);
    LM_UNROLL
    for (int k = 0; k < M::DIGITS; k++) {
        uint32_t w[4];
        lm_load_patch<SHAPE>(l, p, other + k * v.digit_stride, p.first, w);
        LM_UNROLL
        for (int m = 0; m < 4; m++)
            t[m][k] = w[m];
    }
    LM_UNROLL
    for (int m = 0; m < 4; m++)
        valid[m] = lm_in_patch<SHAPE>(l, p, m) ? all : 0;
    LM_UNROLL
    for (int i = 0; i < 2 * D && M::wants_bonds(wanted); i++) {
        lm_tally_four four;
        LM_UNROLL
        for (int m = 0; m < 4; m++) {
            four.all[m] = valid[m] & bond[i][m].all;
            four.turned[m] = valid[m] & bond[i][m].turned;
        }
        lm_add_tallies<FOURS>(v, g, i / 2, four, sums + i / 2);
    }
    LM_UNROLL
    for (int k = 0; k < M::COUNTS; k++)
        if (M::wants(v, wanted, k))
            lm_tally_sites<M, D, FOURS>(v, g, k, valid, s, t, sums + D + k);
}

/* Adds the sums of a block of one replica, first in the block's own memory. */
template <int SUMS>
LM_INLINE void lm_finish_tally(const lm_bits_view &v, uint32_t g, const int (&sums)[SUMS])
{
    __shared__ int total[SUMS];
    if (threadIdx.x < SUMS)
        total[threadIdx.x] = 0;
    __syncthreads();
    LM_UNROLL
    for (int k = 0; k < SUMS; k++) {
        const int n = lm_warp_sum(sums[k]);
        if ((threadIdx.x & 31u) == 0 && n)
            atomicAdd(&total[k], n);
    }
    __syncthreads();
    if (threadIdx.x < SUMS && total[threadIdx.x])
        lm_add_to_count(v.counts + (size_t)g * v.sums + threadIdx.x, total[threadIdx.x]);
}

template <class M, int D, int SHAPE>
__global__ void __launch_bounds__(LM_TALLYING)
    lm_tally_kernel(lm_bits_view v, lm_patches l, unsigned wanted)
{
    const uint32_t g = blockIdx.y, stride = gridDim.x * LM_TALLYING;
    int sums[D + M::COUNTS] = {};
    lm_await_previous();
    for (uint32_t from = blockIdx.x * LM_TALLYING; from < l.patches; from += stride)
        lm_tally_patch<M, D, SHAPE>(v, l, wanted, g, from + threadIdx.x, sums);
    if (v.per_word == 1)
        lm_finish_tally(v, g, sums);
}

typedef void (*lm_tallier)(lm_bits_view, lm_patches, unsigned);

/* A model's kernels by shape, for some dimensions. */
#define LM_TALLY_SHAPES 3
#define LM_TALLY_OF(D, ...)                                                                        \
    {                                                                                              \
        lm_tally_kernel<__VA_ARGS__, D, LM_RAGGED>, lm_tally_kernel<__VA_ARGS__, D, LM_COLUMN>,    \
            lm_tally_kernel<__VA_ARGS__, D, LM_LINE>                                               \
    }

static inline int lm_tally_serves(const lm_bits_view *v)
{
    return lm_is_even(v) && !v->sign && !v->gone && v->groups < 65536;
}

static inline cudaError_t lm_launch_tally(const lm_tallier *talliers, const lm_bits_view *v,
                                          unsigned bundles, cudaStream_t stream)
{
    const int shape = lm_patch_shape(v);
    lm_patches l = lm_patches_of(v, shape == LM_BRICK ? LM_LINE : shape);
    const uint32_t blocks = (l.patches + LM_TALLYING - 1) / LM_TALLYING;
    const uint32_t most = LM_TALLY_BLOCKS * (uint32_t)lm_cuda_processors();
    void *arguments[] = {(void *)v, &l, &bundles};
    return lm_launch_overlapping((const void *)talliers[shape],
                                 dim3(blocks < most ? blocks : most, v->groups), LM_TALLYING,
                                 arguments, v->overlaps, stream);
}

#endif
