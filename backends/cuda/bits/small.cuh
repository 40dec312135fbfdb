/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes many sweeps and measurements of small lattices in one launch, by a rule R of plain sites
 * (plain.cuh), with the sums of its model M (digits.cuh). A block for each group of replicas keeps
 * its lattice in shared memory, draws for itself and waits for no other block. Its threads take the
 * words of a colour in turn.
 */
#ifndef LM_CUDA_BITS_SMALL_CUH
#define LM_CUDA_BITS_SMALL_CUH

#include "backends/cuda/bits/plain.cuh"
#include "backends/cuda/bits/walk.cuh"

/* A block's group: its lattice in shared memory, [colour][digit][word]. */
template <class R> struct lm_small_group {
    uint32_t g, words; /* the group; words of a colour */
    uint32_t *sites;
    lm_word_place<R::D>
        place; /* place of the thread's first word, or of the first word if it has none */
};

/* Returns the place of the thread's word of a lap, or of some other word if it has none. */
template <class R>
LM_INLINE lm_word_place<R::D> lm_small_place(const lm_bits_view &v, const lm_small_group<R> &p,
                                             uint32_t first)
{
    const uint32_t number = first + threadIdx.x;
    return first == 0 ? p.place : lm_word_place_of<R::D>(v, number < p.words ? number : 0);
}

template <class R> LM_INLINE uint32_t *lm_small_half(const lm_small_group<R> &p, int colour)
{
    return p.sites + colour * R::DIGITS * p.words;
}

/* Copies between the lattice's memory and the block's. */
template <bool IN, class R>
LM_INLINE void lm_small_move(const lm_bits_view &v, const lm_small_group<R> &p)
{
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < R::DIGITS; k++) {
            uint32_t *home = lm_sublattice_of(v, p.g, c) + k * v.digit_stride;
            uint32_t *here = lm_small_half(p, c) + k * p.words;
            for (uint32_t i = threadIdx.x; k < v.digits && i < p.words; i += blockDim.x)
                *(IN ? here + i : home + i) = *(IN ? home + i : here + i);
        }
}

/* Updates a colour, and ends with a barrier. changes: where its changed sites are counted, or
 * NULL. */
template <class R>
LM_INLINE void lm_small_colour(const lm_bits_view &v, const lm_small_group<R> &p,
                               const lm_bits_pass &pass, const typename R::table &table,
                               lm_count *changes)
{
    uint32_t *own = lm_small_half(p, pass.colour);
    const uint32_t *other = lm_small_half(p, !pass.colour);
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + p.g, pass.colour);
    for (uint32_t first = 0; first < p.words; first += blockDim.x) {
        lm_word changed = 0;
        if (first + threadIdx.x < p.words) {
            const lm_word_place<R::D> s = lm_small_place(v, p, first);
            lm_digit_sites at;
            lm_word to[LM_MAX_DIGITS];
            lm_load_plain<R::DIGITS, R::D>(own, other, p.words, s, pass.colour, &at);
            changed = R::update(v, pass, table, at, lm_valid(v, s.j) & v.replicas_mask[p.g],
                                &stream, s.at, to);
            LM_UNROLL
            for (int k = 0; k < R::DIGITS; k++)
                own[k * p.words + s.at] = lm_select(changed, to[k], at.own[k]);
        }
        if (changes)
            lm_add_bits_to(v, changes, changed);
    }
    __syncthreads();
}

/* Adds what a word of sublattice 0 knows to the sums at `to`, or to the thread's `sums`: all of
 * its bonds, and the sites at its place of both sublattices. These are all bonds of the lattice. */
template <class R, class M>
LM_INLINE void lm_small_sum(const lm_bits_view &v, const lm_digit_sites &at, uint32_t valid,
                            unsigned wanted, lm_count *to, int *sums)
{
    LM_UNROLL
    for (int i = 0; i < 2 * R::D && M::wants_bonds(wanted); i++) {
        lm_digit_count bond;
        LM_UNROLL
        for (int k = 0; k < R::DIGITS; k++)
            M::meet(k, at.own[k], at.around[i][k], &bond);
        lm_add_tally(v, to + i / 2, {valid & bond.all, valid & bond.turned}, sums + i / 2);
    }
    LM_UNROLL
    for (int k = 0; k < M::COUNTS; k++)
        for (int c = 0; c < 2 && M::wants(v, wanted, k); c++) {
            const lm_digit_count t = M::count(k, c ? at.around[0] : at.own);
            lm_add_tally(v, to + R::D + k, {valid & t.all, valid & t.turned}, sums + R::D + k);
        }
}

/* Measures after the last sweep of a record. All threads must meet before the next sweep. */
template <class M, class R>
LM_INLINE void lm_small_measure(const lm_bits_view &v, const lm_small_group<R> &p, unsigned wanted,
                                lm_count *to)
{
    int sums[R::D + M::COUNTS] = {};
    for (uint32_t first = 0; first < p.words; first += blockDim.x) {
        const bool inside = first + threadIdx.x < p.words;
        const lm_word_place<R::D> s = lm_small_place(v, p, first);
        lm_digit_sites at;
        lm_load_plain<R::DIGITS, R::D>(lm_small_half(p, 0), lm_small_half(p, 1), p.words, s, 0,
                                       &at);
        lm_small_sum<R, M>(v, at, inside ? lm_valid(v, s.j) & v.replicas_mask[p.g] : 0, wanted, to,
                           sums);
    }
    LM_UNROLL
    for (int k = 0; k < R::D + M::COUNTS; k++) {
        const int n = v.per_word == 1 ? lm_warp_sum(sums[k]) : 0;
        if ((threadIdx.x & 31u) == 0 && n)
            lm_add_to_count(to + k, n);
    }
}

template <class R, class M>
__global__ void __launch_bounds__(LM_SPOT_BLOCK)
    lm_small_kernel(lm_bits_view v, lm_walk_times t, lm_bits_pass pass)
{
    extern __shared__ uint4 shared[];
    typename R::table &table = lm_table_in<R>(shared);
    uint32_t *lattice = reinterpret_cast<uint32_t *>(shared) +
                        lm_table_bytes(lm_table_size_of<R>(), v.per_word) / sizeof(uint32_t);
    const uint32_t words = (uint32_t)v.rows * v.width;
    const lm_small_group<R> p = {blockIdx.x, words, lattice,
                                 lm_word_place_of<R::D>(v, threadIdx.x < words ? threadIdx.x : 0)};
    lm_count *to = lm_counts_of(v, p.g);
    R::load(v, pass.update, p.g, &table, blockDim.x);
    lm_small_move<true>(v, p);
    __syncthreads();
    for (uint64_t record = 0; record < t.records; record++) {
        const bool counts =
            t.counting == LM_COUNT_ALL || (t.counting == LM_COUNT_LAST && record + 1 == t.records);
        for (uint64_t left = t.record; left > 0; left--, pass.step++)
            for (pass.colour = 0; pass.colour < 2; pass.colour++)
                lm_small_colour(v, p, pass, table, counts && left == 1 ? to + v.sums - 1 : NULL);
        if (t.bundles) {
            lm_small_measure<M>(v, p, t.bundles, to);
            __syncthreads();
        }
        to += lm_walk_step(v, t);
    }
    lm_small_move<false>(v, p);
}

/* A rule's kernel; NULL if there is none. */
typedef struct lm_small_text {
    void (*run)(lm_bits_view, lm_walk_times, lm_bits_pass);
    int digits;
    lm_table_size table;
} lm_small_text;

template <class R, class M> constexpr lm_small_text lm_small_text_of()
{
    return {lm_small_kernel<R, M>, R::DIGITS, lm_table_size_of<R>()};
}

/* Says whether the kernel serves a lattice like this one. */
static inline int lm_small_serves(const lm_bits_view *v)
{
    return lm_walk_serves(v) && lm_plain_serves(v);
}

static inline size_t lm_small_bytes(const lm_small_text *text, const lm_bits_view *v)
{
    return lm_table_bytes(text->table, v->per_word) +
           2 * (size_t)text->digits * (size_t)(v->rows * v->width) * sizeof(uint32_t);
}

static inline cudaError_t lm_launch_small(const lm_small_text *text, const lm_bits_view *v,
                                          const lm_walk *w, cudaStream_t stream)
{
    const uint32_t words = (uint32_t)(v->rows * v->width), padded = (words + 31) / 32 * 32;
    const uint32_t threads = padded < LM_SPOT_BLOCK ? padded : (uint32_t)LM_SPOT_BLOCK;
    lm_bits_pass pass = {};
    pass.update = w->update;
    pass.step = w->step;
    text->run<<<v->groups, threads, lm_small_bytes(text, v), stream>>>(*v, lm_walk_times_of(w),
                                                                       pass);
    return cudaGetLastError();
}

#endif
