/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a word's neighbours and moves bits along a row, for all kernels of words. */
#ifndef LM_CUDA_BITS_LATTICE_CUH
#define LM_CUDA_BITS_LATTICE_CUH

#include "backends/cuda/launch.cuh"
#include "backends/cuda/bits/view.h"
#include "lib/physics/ising_words.h"

/* Returns the bits of word j of a row that are sites. */
LM_INLINE uint32_t lm_valid(const lm_bits_view &v, uint32_t j)
{
    if (j != v.width - 1 || v.bits == 32)
        return ~0u;
    return v.width > 1 ? (1u << v.bits) - 1u : v.segment_first * ((1u << v.bits) - 1u);
}

/* Moves spins up: site k receives the spin of site k - 1 of its row. `carry` is the word before;
 * for the row's first word it is the last. */
LM_INLINE uint32_t lm_from_below(const lm_bits_view &v, uint32_t word, uint32_t carry,
                                 bool is_first)
{
    if (v.width == 1) {
        const uint32_t first = v.segment_first;
        return (word << 1 & ~first) | (word >> (v.bits - 1) & first);
    }
    return __funnelshift_l(carry << (is_first ? 32 - v.bits : 0), word, 1);
}

/* Moves spins down: site k receives the spin of site k + 1. `carry` is the word after; for the
 * row's last word it is the first. Bits of no site may come out as anything. */
LM_INLINE uint32_t lm_from_above(const lm_bits_view &v, uint32_t word, uint32_t carry, bool is_last)
{
    if (v.width == 1) {
        const uint32_t first = v.segment_first, last = first << (v.bits - 1);
        return (word >> 1 & ~last) | (word & first) << (v.bits - 1);
    }
    const uint32_t only = is_last && v.bits < 32 ? 1u : 0u; /* beyond the last site's bit */
    return __funnelshift_r(word | (carry & only) << (v.bits & 31), carry, 1);
}

/* Returns what a coordinate adds to the colour of the sites of a natural lattice
 * (lib/geometry/colouring.h). */
LM_INLINE int lm_colour_at(const lm_bits_view &v, int axis, int64_t x)
{
    return v.odd_ring[axis] && x == v.extents[axis] - 1 ? 2 : (int)(x & 1);
}

/* Returns the bits of a colour's sites in word j of a natural row (lib/geometry/siteword.h). The
 * other coordinates add `sum`, at most 6, to the colour. There are two or three colours. */
LM_INLINE uint32_t lm_colour_bits(const lm_bits_view &v, uint32_t j, int colour, int sum)
{
    const uint32_t c =
        v.colours == 3 ? (uint32_t)(colour + 9 - sum) % 3u : (uint32_t)(colour + sum) & 1u;
    uint32_t bits = c == 0 ? 0x55555555u : c == 1 ? 0xAAAAAAAAu : 0u;
    if (v.odd_ring[0] && j == v.width - 1) {
        const uint32_t end = (v.width > 1 ? 1u : v.segment_first) << (v.bits - 1);
        bits = c == 2 ? end : bits & ~end;
    }
    return bits;
}

LM_INLINE uint32_t lm_mask_of(int segment)
{
    return segment == 32 ? ~0u : (1u << segment) - 1u;
}

LM_INLINE uint32_t lm_replica_mask(const lm_bits_view &v)
{
    return lm_mask_of(v.segment);
}

/* Counts the ones of N words. Full adders make two words of three, because counting the bits of
 * a word costs as much as four logical instructions. */
template <int N> LM_INLINE int lm_ones(const uint32_t *w)
{
    if constexpr (N < 3) {
        return N == 0 ? 0 : __popc(w[0]) + (N == 2 ? __popc(w[N - 1]) : 0);
    } else {
        uint32_t sum[N / 3 + N % 3], carry[N / 3];
        LM_UNROLL
        for (int i = 0; i < N / 3; i++) {
            sum[i] = lm_xor3(w[3 * i], w[3 * i + 1], w[3 * i + 2]);
            carry[i] = lm_majority(w[3 * i], w[3 * i + 1], w[3 * i + 2]);
        }
        LM_UNROLL
        for (int i = 0; i < N % 3; i++)
            sum[N / 3 + i] = w[N - N % 3 + i];
        return lm_ones<N / 3 + N % 3>(sum) + 2 * lm_ones<N / 3>(carry);
    }
}

/* Keeps loops over the replicas of a word rolled; the compiler would otherwise unroll them. */
#define LM_ROLLED _Pragma("unroll 1")

/* Returns the sums of a group's first replica; the other replicas' sums follow. */
LM_INLINE lm_count *lm_counts_of(const lm_bits_view &v, uint32_t group)
{
    return v.counts + (size_t)group * v.per_word * v.sums;
}

/* Adds the ones of the warp's words, minus twice those of other words, to the sums of the
 * replicas that share them. `at` is the first replica's sum. All 32 threads must call it, for
 * one group. */
LM_INLINE void lm_add_signed_to(const lm_bits_view &v, lm_count *at, uint32_t word, uint32_t turned)
{
    LM_ROLLED
    for (int r = 0; r < v.per_word; r++) {
        const uint32_t mask = lm_replica_mask(v) << r * v.segment;
        const int n = lm_warp_sum(__popc(word & mask) - 2 * __popc(turned & mask));
        if ((threadIdx.x & 31u) == 0 && n)
            lm_add_to_count(at + r * v.sums, n);
    }
}

/* Adds ones without other words. */
LM_INLINE void lm_add_bits_to(const lm_bits_view &v, lm_count *at, uint32_t word)
{
    LM_ROLLED
    for (int r = 0; r < v.per_word; r++) {
        const int n = lm_warp_sum(__popc(word >> r * v.segment & lm_replica_mask(v)));
        if ((threadIdx.x & 31u) == 0 && n)
            lm_add_to_count(at + r * v.sums, n);
    }
}

/* Adds to sum number k. */
LM_INLINE void lm_add_signed_bits(const lm_bits_view &v, uint32_t group, int k, uint32_t word,
                                  uint32_t turned)
{
    lm_add_signed_to(v, lm_counts_of(v, group) + k, word, turned);
}

LM_INLINE void lm_add_bits(const lm_bits_view &v, uint32_t group, int k, uint32_t word)
{
    lm_add_bits_to(v, lm_counts_of(v, group) + k, word);
}

/* What a thread has counted: bonds by axis (present ones minus twice the broken ones), and spins
 * +1. Words of several replicas go to the sums at once; other counts wait for lm_finish_sums. */
typedef struct lm_bits_sums {
    int bonds[4], up;
} lm_bits_sums;

LM_INLINE void lm_sum_bonds(const lm_bits_view &v, uint32_t group, int axis, uint32_t present,
                            uint32_t broken, lm_bits_sums *sums)
{
    if (v.per_word == 1) {
        sums->bonds[axis] += __popc(present) - 2 * __popc(broken);
        return;
    }
    lm_add_signed_bits(v, group, axis, present, broken);
}

LM_INLINE void lm_sum_spins(const lm_bits_view &v, uint32_t group, uint32_t spins,
                            lm_bits_sums *sums)
{
    if (v.per_word == 1)
        sums->up += __popc(spins);
    else
        lm_add_bits(v, group, v.dims, spins);
}

/* Adds the sums of one block, for bonds along D axes. All threads of the block must call it. */
template <int D>
LM_INLINE void lm_finish_sums(const lm_bits_view &v, uint32_t group, const lm_bits_sums &sums)
{
    __shared__ int total[D + 1];
    if (threadIdx.x <= D)
        total[threadIdx.x] = 0;
    __syncthreads();
    LM_UNROLL
    for (int k = 0; k <= D; k++) {
        const int n = lm_warp_sum(k < D ? sums.bonds[k] : sums.up);
        if ((threadIdx.x & 31u) == 0 && n)
            atomicAdd(&total[k], n);
    }
    __syncthreads();
    const int k = (int)threadIdx.x < D ? (int)threadIdx.x : v.dims;
    if (v.per_word == 1 && threadIdx.x <= D && total[threadIdx.x])
        lm_add_to_count(v.counts + (size_t)group * (v.dims + 2) + k, total[threadIdx.x]);
    __syncthreads();
}

#endif
