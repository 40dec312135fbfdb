/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures large whole folded lattices, whatever the rule. */
#include "backends/cuda/bits/ising_words.h"
#include "backends/cuda/bits/patch.cuh"

/* Threads of a block that measures. Blocks are as few and as large as possible, one for each
 * multiprocessor, because each ends in atomic additions to the same numbers. */
static const uint32_t MEASURING = 1024;

/* Sums the words of a row of four, all of whose bits are sites of one replica. */
template <int D, int N>
LM_INLINE void sum_brick(const uint32_t *spins, const uint32_t *others, uint32_t u[2 * D][N],
                         lm_bits_sums *sums)
{
    uint32_t w[2 * N];
    LM_UNROLL
    for (int axis = 0; axis < D; axis++) {
        LM_UNROLL
        for (int m = 0; m < N; m++) {
            w[m] = u[2 * axis][m] ^ spins[m];
            w[N + m] = u[2 * axis + 1][m] ^ spins[m];
        }
        sums->bonds[axis] += 2 * (32 * N - lm_ones<2 * N>(w));
    }
    LM_UNROLL
    for (int m = 0; m < N; m++) {
        w[m] = spins[m];
        w[N + m] = others[m];
    }
    sums->up += lm_ones<2 * N>(w);
}

/* Sums a whole lattice. All bonds are bonds of sublattice 0. A thread that adds up bonds has
 * read all spins, so the sum of spins is made too, asked for or not. */
template <int D, int SIGNS, int SHAPE>
__global__ void __launch_bounds__(MEASURING) measure_kernel(lm_bits_view v, lm_patches l)
{
    constexpr int WORDS = lm_patch_words(SHAPE);
    const uint32_t g = blockIdx.y;
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride;
    lm_bits_sums sums = {{0, 0, 0, 0}, 0};
    lm_await_previous();
    for (uint32_t from = blockIdx.x * blockDim.x; from < l.patches;
         from += gridDim.x * blockDim.x) {
        const bool inside = from + threadIdx.x < l.patches;
        const lm_patch p = lm_locate_patch<D, SHAPE>(l, inside ? from + threadIdx.x : 0, 0);
        uint32_t spins[WORDS], others[WORDS], u[2 * D][WORDS];
        lm_load_patch<SHAPE>(l, p, own, p.first, spins);
        lm_load_patch<SHAPE>(l, p, other, p.first, others);
        lm_around_patch<D, SIGNS, SHAPE>(v, l, p, g, 0, other, u);
        if (SHAPE == LM_BRICK) {
            if (inside)
                sum_brick<D, WORDS>(spins, others, u, &sums);
            continue;
        }
        const uint32_t valid = lm_valid_in<SHAPE>(v, p, g, inside);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++) {
            const uint32_t here = lm_in_patch<SHAPE>(l, p, m) ? valid : 0;
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++)
                lm_sum_bonds(v, g, i / 2, here, here & (u[i][m] ^ spins[m]), &sums);
            lm_sum_spins(v, g, spins[m] & here, &sums);
            lm_sum_spins(v, g, others[m] & here, &sums);
        }
    }
    lm_finish_sums<D>(v, g, sums);
}

enum { SPIN_WORDS = 8 };

/* Sums the spins alone. A thread takes several words, which are side by side in a LM_BRICK
 * lattice. */
template <bool BRICKS> __global__ void __launch_bounds__(MEASURING) spins_kernel(lm_bits_view v)
{
    const uint32_t g = blockIdx.y;
    const uint64_t words = 2 * (uint64_t)v.rows * v.width, block = blockDim.x * SPIN_WORDS;
    const uint32_t *sites = v.sites + g * v.group_stride; /* sublattices follow each other */
    lm_bits_sums sums = {{0, 0, 0, 0}, 0};
    lm_await_previous();
    for (uint64_t from = blockIdx.x * block; from < words; from += gridDim.x * block) {
        uint32_t w[SPIN_WORDS];
        if constexpr (BRICKS) {
            const uint64_t at = from + threadIdx.x * SPIN_WORDS;
            if (at >= words)
                continue;
            lm_load_four(sites + at, w);
            lm_load_four(sites + at + 4, w + 4);
            sums.up += lm_ones<SPIN_WORDS>(w);
        } else {
            LM_UNROLL
            for (int m = 0; m < SPIN_WORDS; m++) {
                const uint64_t at = from + (uint32_t)m * blockDim.x + threadIdx.x;
                const uint32_t valid = lm_valid(v, (uint32_t)at % v.width) & v.replicas_mask[g];
                w[m] = at < words ? sites[at] & valid : 0;
            }
            LM_UNROLL
            for (int m = 0; m < SPIN_WORDS; m++)
                lm_sum_spins(v, g, w[m], &sums);
        }
    }
    lm_finish_sums<0>(v, g, sums);
}

typedef void (*measurer)(lm_bits_view, lm_patches);

#define MEASURE(D, S)                                                                              \
    measure_kernel<D, S, LM_RAGGED>, measure_kernel<D, S, LM_COLUMN>, measure_kernel<D, S, LM_BRICK>
static const measurer measurers[3][LM_SIGN_KINDS][3] = LM_PATCH_TABLE(MEASURE);

extern "C" int lm_ising_large_measures(const lm_bits_view *v)
{
    return lm_is_even(v) && !v->gone && v->groups < 65536;
}

static cudaError_t launch_spins(const lm_bits_view *v, cudaStream_t stream)
{
    const uint64_t threads = (2 * (uint64_t)v->rows * v->width + SPIN_WORDS - 1) / SPIN_WORDS;
    const uint32_t block = threads < MEASURING ? (uint32_t)(threads + 31) / 32 * 32 : MEASURING;
    const uint64_t blocks = (threads + block - 1) / block, most = (uint64_t)lm_cuda_processors();
    const void *const k = lm_patch_shape(v) == LM_BRICK ? (const void *)spins_kernel<true>
                                                        : (const void *)spins_kernel<false>;
    void *arguments[] = {(void *)v};
    return lm_launch_overlapping(k, dim3((uint32_t)(blocks < most ? blocks : most), v->groups),
                                 block, arguments, v->overlaps, stream);
}

extern "C" cudaError_t lm_launch_ising_large_measure(const lm_bits_view *v, unsigned bundles,
                                                     cudaStream_t stream)
{
    if (!(bundles & LM_ISING_BONDS_BUNDLE))
        return launch_spins(v, stream);
    lm_patches l = lm_patches_of(v, lm_patch_shape(v));
    const uint32_t block = l.patches < MEASURING ? (l.patches + 31) / 32 * 32 : MEASURING;
    const uint32_t blocks = (l.patches + block - 1) / block;
    const uint32_t most = (uint32_t)lm_cuda_processors();
    void *arguments[] = {(void *)v, &l};
    return lm_launch_overlapping(
        (const void *)measurers[v->dims - 2][lm_signs_of(v)][lm_patch_shape(v)],
        dim3(blocks < most ? blocks : most, v->groups), block, arguments, v->overlaps, stream);
}
