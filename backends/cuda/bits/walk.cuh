/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels share that make many sweeps and measurements of small lattices in one launch, of
 * which each block keeps one in shared memory: where a word's neighbours are there, and when to
 * count and to measure.
 */
#ifndef LM_CUDA_BITS_WALK_CUH
#define LM_CUDA_BITS_WALK_CUH

#include "backends/cuda/bits/uniform.cuh"

/* When to count and to measure (lm_walk). */
typedef struct lm_walk_times {
    uint64_t record, records; /* sweeps of a record; records */
    int counting, measures;
    unsigned sums;
} lm_walk_times;

static inline lm_walk_times lm_walk_times_of(const lm_walk *w)
{
    return {(uint64_t)w->sweeps, (uint64_t)w->records, w->counting, w->measures, w->sums};
}

/* Whether a block can have a thread for each word of a colour. */
enum { LM_WALK_MOST = 1024 };

static inline int lm_walk_serves(const lm_bits_view *v)
{
    return lm_is_even(v) && v->rows * v->width <= LM_WALK_MOST;
}

/* Where a block is in its launch. */
typedef struct lm_walk_place {
    uint64_t record, left; /* number of the record, sweeps of it that are not made */
} lm_walk_place;

LM_INLINE lm_walk_place lm_walk_place_of(const lm_walk_times &t, uint64_t sweep)
{
    return {sweep / t.record, t.record - sweep % t.record};
}

/* A word that has been updated. */
template <int D> struct lm_walk_word {
    uint32_t spins, mate,
        change;              /* it, the one at the same place of the other colour; what flipped */
    uint32_t broken[2 * D];  /* its unsatisfied bonds */
    uint32_t present[2 * D]; /* its bonds */
};

/* u[slot]: the neighbours of a word's sites, in the other sublattice. */
template <int D>
LM_INLINE void lm_around_word(const uint32_t *other, const lm_word_place<D> &s, int colour,
                              uint32_t *u)
{
    const int lean = s.parity ^ colour;
    const uint32_t carry = other[lean ? s.carry[1] : s.carry[0]];
    u[0] = other[s.at];
    LM_UNROLL
    for (int i = 2; i < 2 * D; i++)
        u[i] = other[s.next[i]];
    u[1] = lm_second<D>(s, lean, u[0], carry);
}

/* What a word of the second colour knows when a sweep has ended: all of its bonds, which are half
 * of those of every site, and all spins at its place. */
template <int D>
LM_INLINE void lm_sum_walk(const lm_bits_view &v, unsigned wanted, uint32_t g, uint32_t valid,
                           const lm_walk_word<D> &w)
{
    lm_bits_sums sums = {{0, 0, 0, 0}, 0};
    if (wanted & LM_SUMS_BONDS) {
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++)
            lm_sum_bonds(v, g, i / 2, valid & w.present[i], valid & w.broken[i], &sums);
    }
    if (wanted & LM_SUMS_SPINS) {
        lm_sum_spins(v, g, w.mate & valid, &sums);
        lm_sum_spins(v, g, w.spins & valid, &sums);
    }
    lm_finish_warp<D>(v, g, sums);
}

/* After a half sweep: counts and measures if it is time to, and goes on. */
template <int D>
LM_INLINE void lm_walk_on(const lm_bits_view &v, const lm_walk_times &t, uint32_t g, int colour,
                          uint32_t valid, const lm_walk_word<D> &w, lm_walk_place *p)
{
    if (p->left == 1) {
        lm_bits_view at = v;
        if (t.measures)
            at.counts += p->record * v.groups * v.pack * (v.dims + 2);
        if (t.counting == LM_COUNT_ALL ||
            (t.counting == LM_COUNT_LAST && p->record + 1 == t.records))
            lm_add_bits(at, g, v.dims + 1, w.change);
        if (colour && t.sums)
            lm_sum_walk<D>(at, t.sums, g, valid, w);
    }
    if (colour && --p->left == 0)
        *p = {p->record + 1, t.record};
}

#endif
