/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of large whole folded lattices of the Potts model in words, whose bonds are all there and
 * positive. All bonds are bonds of sublattice 0, and a thread counts those of four words.
 */
#include "backends/cuda/bits/patch.cuh"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_shape.h"

/* Threads of a block, and blocks: few, because each ends in additions to the same numbers. */
enum { MEASURING = 512, MEASURING_BLOCKS = 264 };
enum { MOST_DIGITS = 4 };
static_assert(1 << MOST_DIGITS >= LM_POTTS_BORDER, "states of words");

/* What a thread has counted of words of one replica. */
template <int D, int DIGITS> struct potts_sums {
    int bonds[D], zero, state[1 << DIGITS];
};

/* The sites in state a. */
template <int DIGITS> LM_INLINE uint32_t in_state(const uint32_t *s, int a)
{
    uint32_t in = ~0u;
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++)
        in &= a >> k & 1 ? s[k] : ~s[k];
    return in;
}

/* Adds the one-bits of four words to sum number k of their replicas, or to *own of the one. */
template <bool FOURS>
LM_INLINE void add_words(const lm_bits_view &v, uint32_t g, int k, const uint32_t *w, int *own)
{
    if constexpr (!FOURS) {
        LM_UNROLL
        for (int m = 0; m < 4 && v.pack > 1; m++)
            lm_add_bits(v, g, k, w[m]);
    }
    if (FOURS || v.pack == 1)
        *own += lm_ones<4>(w);
}

/* Where the neighbours along each axis have another state; and the words' own states, by word. */
template <int D, int DIGITS, int SHAPE>
LM_INLINE void compare(const lm_bits_view &v, const lm_patches &l, const lm_patch &p, uint32_t g,
                       const uint32_t *own, const uint32_t *other, uint32_t apart[2 * D][4],
                       uint32_t s[4][DIGITS])
{
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++) {
        uint32_t spins[4], around[2 * D][4];
        lm_load_patch<SHAPE>(l, p, own + k * v.digit_stride, p.first, spins);
        lm_around_patch<D, LM_NO_SIGNS, SHAPE>(v, l, p, g, 0, other + k * v.digit_stride, around);
        LM_UNROLL
        for (int m = 0; m < 4; m++) {
            s[m][k] = spins[m];
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++)
                apart[i][m] = (k ? apart[i][m] : 0) | (around[i][m] ^ spins[m]);
        }
    }
}

/* The sites of `valid` in state a of words of both sublattices, counted. */
template <int DIGITS, bool FOURS>
LM_INLINE void add_state(const lm_bits_view &v, uint32_t g, int k, int a, const uint32_t *valid,
                         const uint32_t s[4][DIGITS], const uint32_t t[4][DIGITS], int *own)
{
    uint32_t w[4], u[4];
    LM_UNROLL
    for (int m = 0; m < 4; m++) {
        w[m] = valid[m] & in_state<DIGITS>(s[m], a);
        u[m] = valid[m] & in_state<DIGITS>(t[m], a);
    }
    add_words<FOURS>(v, g, k, w, own);
    add_words<FOURS>(v, g, k, u, own);
}

template <int D, int DIGITS, int SHAPE>
LM_INLINE void measure_patch(const lm_bits_view &v, const lm_patches &l, unsigned wanted,
                             uint32_t g, uint32_t number, potts_sums<D, DIGITS> *sums)
{
    constexpr bool FOURS = lm_by_fours(SHAPE);
    const bool inside = number < l.patches;
    const lm_patch p = lm_locate<D, SHAPE>(l, inside ? number : 0, 0);
    const uint32_t all = lm_valid_in<SHAPE>(v, p, g, inside);
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride;
    uint32_t apart[2 * D][4], s[4][DIGITS], t[4][DIGITS], valid[4];
    compare<D, DIGITS, SHAPE>(v, l, p, g, own, other, apart, s);
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++) {
        uint32_t w[4];
        lm_load_patch<SHAPE>(l, p, other + k * v.digit_stride, p.first, w);
        LM_UNROLL
        for (int m = 0; m < 4; m++)
            t[m][k] = w[m];
    }
    LM_UNROLL
    for (int m = 0; m < 4; m++)
        valid[m] = lm_in_patch<SHAPE>(l, p, m) ? all : 0;
    if (wanted >> LM_POTTS_BONDS & 1) {
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            LM_UNROLL
            for (int m = 0; m < 4; m++)
                apart[i][m] = valid[m] & ~apart[i][m];
            add_words<FOURS>(v, g, i / 2, apart[i], &sums->bonds[i / 2]);
        }
        add_state<DIGITS, FOURS>(v, g, D + 1, 0, valid, s, t, &sums->zero);
    }
    if (wanted >> LM_POTTS_STATES & 1) {
        LM_UNROLL
        for (int a = 0; a < 1 << DIGITS; a++)
            if (a < v.states)
                add_state<DIGITS, FOURS>(v, g, D + 2 + a, a, valid, s, t, &sums->state[a]);
    }
}

/* The sums of a block of one replica: each first in the block's own memory. */
template <int D, int DIGITS>
LM_INLINE void finish(const lm_bits_view &v, uint32_t g, const potts_sums<D, DIGITS> &sums)
{
    enum { SUMS = D + 2 + (1 << DIGITS) };
    __shared__ int total[SUMS];
    const int *of[SUMS], none = 0;
    LM_UNROLL
    for (int k = 0; k < SUMS; k++)
        of[k] = k < D        ? &sums.bonds[k < D ? k : 0]
                : k == D     ? &none
                : k == D + 1 ? &sums.zero
                             : &sums.state[k > D + 1 ? k - D - 2 : 0];
    if (threadIdx.x < SUMS)
        total[threadIdx.x] = 0;
    __syncthreads();
    LM_UNROLL
    for (int k = 0; k < SUMS; k++) {
        const int n = lm_warp_sum(*of[k]);
        if ((threadIdx.x & 31u) == 0 && n)
            atomicAdd(&total[k], n);
    }
    __syncthreads();
    if (threadIdx.x < SUMS && total[threadIdx.x])
        lm_add_to_count(v.counts + (size_t)g * v.sums + threadIdx.x, total[threadIdx.x]);
}

template <int D, int DIGITS, int SHAPE>
__global__ void __launch_bounds__(MEASURING)
    potts_measure_kernel(lm_bits_view v, lm_patches l, unsigned wanted)
{
    const uint32_t g = blockIdx.y, stride = gridDim.x * MEASURING;
    potts_sums<D, DIGITS> sums = {};
    lm_await_previous();
    for (uint32_t from = blockIdx.x * MEASURING; from < l.patches; from += stride)
        measure_patch<D, DIGITS, SHAPE>(v, l, wanted, g, from + threadIdx.x, &sums);
    if (v.pack == 1)
        finish<D, DIGITS>(v, g, sums);
}

typedef void (*measurer)(lm_bits_view, lm_patches, unsigned);

#define SHAPES(D, DIGITS)                                                                          \
    {                                                                                              \
        potts_measure_kernel<D, DIGITS, LM_RAGGED>, potts_measure_kernel<D, DIGITS, LM_COLUMN>,    \
            potts_measure_kernel<D, DIGITS, LM_LINE>                                               \
    }
#define EVERY_DIGITS(D)                                                                            \
    {                                                                                              \
        SHAPES(D, 1), SHAPES(D, 2), SHAPES(D, 3), SHAPES(D, 4)                                     \
    }
static const measurer measurers[3][MOST_DIGITS][3] = {EVERY_DIGITS(2), EVERY_DIGITS(3),
                                                      EVERY_DIGITS(4)};

extern "C" int lm_potts_plain_measures(const lm_bits_view *v)
{
    return lm_is_even(v) && !v->sign && !v->gone && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_potts_plain_measure(const lm_bits_view *v, unsigned groups,
                                                     cudaStream_t stream)
{
    const int shape = lm_patch_shape(v);
    lm_patches l = lm_patches_of(v, shape == LM_BRICK ? LM_LINE : shape);
    const uint32_t blocks = (l.patches + MEASURING - 1) / MEASURING;
    void *arguments[] = {(void *)v, &l, &groups};
    return lm_launch_overlapping(
        (const void *)measurers[v->dims - 2][v->digits - 1][shape],
        dim3(blocks < MEASURING_BLOCKS ? blocks : MEASURING_BLOCKS, v->groups), MEASURING,
        arguments, v->overlaps, stream);
}
