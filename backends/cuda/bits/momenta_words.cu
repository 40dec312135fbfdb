/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums words with momenta. A bar's sums are looked up by its bits: those of its even sites, and
 * those of its odd ones. Sites of three values are multiplied with their factors. */
#include "backends/cuda/bits/site_sums.h"
#include "backends/cuda/momenta.cuh"

enum { WARPS = 24, THREE_WARPS = 8, THREE_BLOCKS = 4, EIGHT = LM_MOMENTUM_BAR / 2 };

/* Returns bits 0, 2, .. 14. */
LM_INLINE uint32_t every_second(uint32_t bits)
{
    bits &= 0x5555u;
    bits = (bits | bits >> 1) & 0x3333u;
    bits = (bits | bits >> 2) & 0x0f0fu;
    return (bits | bits >> 4) & 0xffu;
}

/* Where a thread is. MANY_ROWS: layers have more than one row. */
template <bool MANY_ROWS, bool FOLDED> struct words_row {
    const lm_wave_number *near; /* shared: the first numbers of the octet's tables */
    lm_momentum_row in;
    const lm_bits_home &h;
    int64_t layer, row;         /* row: of the layer */
    int64_t entered;            /* the row to which `in` and the members below belong */
    uint32_t bar;               /* of the row */
    int shift, term;            /* shift: to the replica's bits */
    const uint32_t *group;      /* the group's sites */
    const uint32_t *even, *odd; /* the words that have the row's even sites, and the odd ones */

    __device__ __forceinline__ void enter(const lm_cuda_momenta &m)
    {
        in.enter<MANY_ROWS>(m, layer, row);
        const int own = FOLDED ? (int)(in.sum & 1u) : 0;
        const uint32_t *const words = group + (layer * m.layer_rows + row) * h.row_stride;
        even = words + own * h.sublattice_stride;
        odd = words + (1 - own) * h.sublattice_stride;
        entered = row;
    }

    __device__ __forceinline__ void begin(const lm_cuda_momenta &m, const lm_bar_block &b)
    {
        const uint64_t nth = (uint64_t)(h.first_nth + b.replica);
        const uint64_t number = nth / (uint32_t)h.per_word;
        group = h.sites + (int64_t)number * h.group_stride;
        shift = (int)(nth - number * (uint32_t)h.per_word) * h.segment;
        layer = b.layer;
        entered = -1;
        if (!MANY_ROWS)
            enter(m);
    }

    /* Finds the bar's bits among those that `word` makes of a place: of its even sites and of its
     * odd ones. */
    template <class WORD>
    __device__ __forceinline__ void find_bits(WORD word, uint32_t &e, uint32_t &o) const
    {
        if (FOLDED) {
            const uint32_t by = bar % 4u * 8u + (uint32_t)shift;
            e = word(even + bar / 4u) >> by & 0xffu;
            o = word(odd + bar / 4u) >> by & 0xffu;
        } else {
            const uint32_t bits = word(even + bar / 2u) >> (bar % 2u * 16u + (uint32_t)shift);
            e = every_second(bits);
            o = every_second(bits >> 1);
        }
    }
};

/* CUT: rows have whole bars, and one that their end cuts. STATES: sites have states, otherwise two
 * spins. A bar's sums are looked up. */
template <bool MANY_ROWS, bool FOLDED, bool CUT, bool STATES>
struct bits_way : words_row<MANY_ROWS, FOLDED> {
    __device__ __forceinline__ lm_wave_number element(const lm_cuda_momenta &m)
    {
        uint32_t e, o;
        if (MANY_ROWS && this->row != this->entered)
            this->enter(m);
        this->find_bits(
            [this](const uint32_t *at) {
                if (!STATES)
                    return *at;
                uint32_t has = ~0u;
                for (int k = 0; k < this->h.digits; k++)
                    has &= at[k * this->h.digit_stride] ^ (this->term >> k & 1 ? 0u : ~0u);
                return has;
            },
            e, o);
        const lm_wave_number *from = this->near;
        if (CUT && this->bar >= m.whole_bars)
            from = this->in.table + LM_OCTET_BITS;
        return lm_momentum_element(from[e * LM_OCTET], from[(LM_MOMENTUM_HALF + o) * LM_OCTET],
                                   this->in.table[m.axis_at[0] + (int64_t)this->bar * LM_OCTET],
                                   this->in.outer);
    }
};

/* Sites have three values. `near` has the factors of a bar's sites. */
template <bool MANY_ROWS, bool FOLDED> struct three_way : words_row<MANY_ROWS, FOLDED> {
    /* Returns the sum of every second site of the bar. */
    __device__ __forceinline__ lm_wave_number half(uint32_t some, uint32_t minus, int odd) const
    {
        double re[EIGHT], im[EIGHT];
        LM_UNROLL
        for (int i = 0; i < EIGHT; i++) {
            const lm_wave_number factor = this->near[(2 * i + odd) * LM_OCTET];
            const double t = some >> i & 1u ? (minus >> i & 1u ? -1.0 : 1.0) : 0.0;
            re[i] = t * factor.re;
            im[i] = t * factor.im;
        }
        return {lm_momentum_eight(re), lm_momentum_eight(im)};
    }

    __device__ __forceinline__ lm_wave_number element(const lm_cuda_momenta &m)
    {
        uint32_t e, o, even_minus, odd_minus;
        if (MANY_ROWS && this->row != this->entered)
            this->enter(m);
        this->find_bits([](const uint32_t *at) { return *at; }, e, o);
        this->find_bits([this](const uint32_t *at) { return at[this->h.digit_stride]; }, even_minus,
                        odd_minus);
        if (this->bar >= m.whole_bars) {
            const uint32_t left = (uint32_t)m.extents[0] % LM_MOMENTUM_BAR;
            e &= (1u << (left + 1u) / 2u) - 1u;
            o &= (1u << left / 2u) - 1u;
        }
        return lm_momentum_element(half(e, even_minus, 0), half(o, odd_minus, 1),
                                   this->in.table[m.axis_at[0] + (int64_t)this->bar * LM_OCTET],
                                   this->in.outer);
    }
};

template <bool MANY_ROWS, bool FOLDED, bool CUT, bool STATES>
__global__ void __launch_bounds__(32 * WARPS)
    bits_momenta(const __grid_constant__ lm_cuda_momenta m, const __grid_constant__ lm_bits_home h)
{
    extern __shared__ lm_wave_number numbers[]; /* LM_OCTET_BITS */
    bits_way<MANY_ROWS, FOLDED, CUT, STATES> w = {{nullptr, {}, h}};
    lm_own_columns sum;
    w.term = blockIdx.z;
    lm_sum_momenta<MANY_ROWS>(m, w, sum, numbers, m.whole_bars ? 0 : LM_OCTET_BITS, LM_OCTET_BITS);
}

template <bool MANY_ROWS, bool FOLDED>
__global__ void __launch_bounds__(32 * THREE_WARPS)
    three_momenta(const __grid_constant__ lm_cuda_momenta m, const __grid_constant__ lm_bits_home h)
{
    extern __shared__ lm_wave_number numbers[]; /* LM_OCTET_SITES, then the columns */
    three_way<MANY_ROWS, FOLDED> w = {{nullptr, {}, h}};
    lm_shared_columns sum = {numbers + LM_OCTET_SITES};
    lm_sum_momenta<MANY_ROWS>(m, w, sum, numbers, 0, LM_OCTET_SITES);
}

#define OF_STATES(MANY, FOLDED, CUT)                                                               \
    {                                                                                              \
        (const void *)bits_momenta<MANY, FOLDED, CUT, false>,                                      \
            (const void *)bits_momenta<MANY, FOLDED, CUT, true>                                    \
    }
#define OF_CUT(MANY, FOLDED)                                                                       \
    {                                                                                              \
        OF_STATES(MANY, FOLDED, false), OF_STATES(MANY, FOLDED, true)                              \
    }
#define OF_FOLDED(MANY)                                                                            \
    {                                                                                              \
        OF_CUT(MANY, false), OF_CUT(MANY, true)                                                    \
    }

static cudaError_t launch_three(const lm_bits_home *h, const lm_cuda_momenta *m, void **arguments,
                                cudaStream_t stream)
{
    /* [many rows][folded] */
    static const void *const kernels[2][2] = {
        {(const void *)three_momenta<false, false>, (const void *)three_momenta<false, true>},
        {(const void *)three_momenta<true, false>, (const void *)three_momenta<true, true>}};
    const int numbers = LM_OCTET_SITES + LM_OCTET_COLUMNS * 32 * THREE_WARPS;
    return lm_launch_momenta(kernels[m->dims > 2][h->sublattices == 2], m, THREE_WARPS,
                             THREE_BLOCKS, numbers * (int)sizeof(lm_wave_number), arguments,
                             stream);
}

extern "C" cudaError_t lm_launch_words_momenta(const lm_bits_home *h, const lm_cuda_momenta *m,
                                               cudaStream_t stream)
{
    /* [many rows][folded][cut][states] */
    static const void *const kernels[2][2][2][2] = {OF_FOLDED(false), OF_FOLDED(true)};
    void *arguments[] = {(void *)m, (void *)h};
    if (h->numbers == LM_THREE_SPINS)
        return launch_three(h, m, arguments, stream);
    return lm_launch_momenta(
        kernels[m->dims > 2][h->sublattices == 2][m->whole_bars > 0 && m->whole_bars < m->row_bars]
               [h->numbers == LM_STATES],
        m, WARPS, 1, LM_OCTET_BITS * (int)sizeof(lm_wave_number), arguments, stream);
}
