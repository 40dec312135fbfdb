/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums sites with weights -1, 0 and +1. A warp has some words of a group, a set and a term. */
#include "backends/cuda/bits/site_sums.h"
#include "backends/cuda/launch.cuh"

enum { WARPS = 8, WORDS_OF_WARP = 32 * 8 };

/* Sites whose term is not 0, and those of them whose term is -1. */
struct site_terms {
    uint32_t some, minus;
};

template <int NUMBERS>
LM_INLINE site_terms terms_of(const lm_bits_home &h, const uint32_t *word, int term)
{
    if (NUMBERS == LM_TWO_SPINS)
        return {~0u, ~*word};
    if (NUMBERS == LM_THREE_SPINS)
        return {word[0], word[h.digit_stride]};
    uint32_t some = ~0u;
    for (int k = 0; k < h.digits; k++)
        some &= word[k * h.digit_stride] ^ (term >> k & 1 ? 0u : ~0u);
    return {some, 0u};
}

/* Sums the replica's bits of every `step`-th word of a sublattice. */
template <int NUMBERS>
LM_INLINE int sum_words(const lm_bits_weighing &w, const uint32_t *sites, const uint32_t *some,
                        const uint32_t *minus, int term, uint32_t mask, int64_t first, int64_t step)
{
    int sum = 0;
#pragma unroll 4
    for (int64_t i = first; i < w.words; i += step) {
        const site_terms t = terms_of<NUMBERS>(w.home, sites + i, term);
        const uint32_t own = t.some & some[i] & mask;
        sum += __popc(own) - 2 * __popc(own & (t.minus ^ minus[i]));
    }
    return sum;
}

template <int NUMBERS>
__global__ void __launch_bounds__(32 * WARPS)
    weigh(const __grid_constant__ lm_bits_weighing w, int64_t slices)
{
    const int64_t warp = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
    const int64_t group = lm_quotient<uint64_t>(warp, slices), slice = warp - group * slices;
    const int number = blockIdx.y, term = blockIdx.z;
    const lm_bits_home &h = w.home;
    if (group >= w.groups)
        return;
    const lm_bits_weights set = w.set[number];
    for (int nth = 0; nth < h.per_word; nth++) {
        const int64_t replica = group * h.per_word + nth - h.first_nth;
        const uint32_t mask = (h.segment == 32 ? ~0u : (1u << h.segment) - 1u) << nth * h.segment;
        int sum = 0;
        if (replica < 0 || replica >= w.replicas)
            continue;
        for (int c = 0; c < h.sublattices; c++) {
            const int64_t at = group * set.group_stride + c * w.words;
            sum += sum_words<NUMBERS>(w, h.sites + group * h.group_stride + c * h.sublattice_stride,
                                      set.some + at, set.minus + at, term, mask,
                                      32 * slice + threadIdx.x % 32, 32 * slices);
        }
        sum = lm_warp_sum(sum);
        if (threadIdx.x % 32 == 0)
            lm_add_to_count(w.sums + (replica * w.sets + number) * w.terms + term, sum);
    }
}

extern "C" cudaError_t lm_launch_weigh(const lm_bits_weighing *w, cudaStream_t stream)
{
    static void (*const kernels[])(lm_bits_weighing,
                                   int64_t) = {[LM_STATES] = weigh<LM_STATES>,
                                               [LM_TWO_SPINS] = weigh<LM_TWO_SPINS>,
                                               [LM_THREE_SPINS] = weigh<LM_THREE_SPINS>};
    const int64_t most = (WARPS * lm_blocks_enough() + w->groups - 1) / w->groups;
    const int64_t wanted = (w->words + WORDS_OF_WARP - 1) / WORDS_OF_WARP;
    const int64_t slices = wanted < most ? wanted : most;
    const int64_t blocks = (w->groups * slices + WARPS - 1) / WARPS;
    kernels[w->home.numbers]<<<dim3((unsigned)blocks, w->sets, w->terms), 32 * WARPS, 0, stream>>>(
        *w, slices);
    return cudaGetLastError();
}
