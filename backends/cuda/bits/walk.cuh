/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds what kernels share that make many sweeps and measurements of small lattices in one launch.
 * Each block keeps one lattice in shared memory. This file says where a word's neighbours are
 * there, and when to count and to measure.
 */
#ifndef LM_CUDA_BITS_WALK_CUH
#define LM_CUDA_BITS_WALK_CUH

#include "backends/cuda/bits/folded.cuh"

/* Says when to count and to measure (lm_walk). */
typedef struct lm_walk_times {
    uint64_t record, records; /* sweeps of a record; number of records */
    int counting, measures;
    unsigned bundles;
} lm_walk_times;

static inline lm_walk_times lm_walk_times_of(const lm_walk *w)
{
    return {(uint64_t)w->sweeps, (uint64_t)w->records, w->counting, w->measures, w->bundles};
}

/* The most words of a colour: a block has a thread for each word. */
enum { LM_WALK_MOST = 1024 };

static inline int lm_walk_serves(const lm_bits_view *v)
{
    return lm_is_even(v) && v->rows * v->width <= LM_WALK_MOST;
}

/* A block's place in its launch. */
typedef struct lm_walk_place {
    uint64_t record, left; /* number of the record; its sweeps that are still to be made */
    lm_count *sums;        /* the sums of the record's group */
} lm_walk_place;

/* Returns the step from one record's sums to the next record's. */
LM_INLINE uint32_t lm_walk_step(const lm_bits_view &v, const lm_walk_times &t)
{
    return t.measures ? v.groups * (uint32_t)(v.per_word * v.sums) : 0;
}

LM_INLINE lm_walk_place lm_walk_place_of(const lm_bits_view &v, const lm_walk_times &t, uint32_t g,
                                         uint64_t sweep)
{
    const uint64_t record = sweep / t.record;
    return {record, t.record - sweep % t.record,
            v.counts + record * lm_walk_step(v, t) + g * (uint32_t)(v.per_word * v.sums)};
}

/* Finds the neighbours of a word's sites, u[slot], in the other sublattice. */
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
    u[1] = lm_second_x_neighbours<D>(s, lean, u[0], carry);
}

/* Adds the warp's sum of each number n[k] to to[k], if bit k of `wanted` is set. Thread k adds
 * number k. */
template <int N> LM_INLINE void lm_add_sums(const int (&n)[N], uint32_t wanted, lm_count *to)
{
    const int in_warp = threadIdx.x & 31;
    int own = 0;
    LM_UNROLL
    for (int k = 0; k < N; k++) {
        const int sum = lm_warp_sum(n[k]);
        own = in_warp == k ? sum : own;
    }
    if (own && wanted >> in_warp & 1)
        lm_add_to_count(to + in_warp, own);
}

/* What is to be added up after a sweep, and where to. */
typedef struct lm_walk_due {
    unsigned bundles;
    bool changes;
    lm_count *to; /* the sums of the group's first replica */
} lm_walk_due;

/* Returns the bits of replica r in a word. */
LM_INLINE uint32_t lm_walk_mask(const lm_bits_view &v, int r)
{
    return lm_replica_mask(v) << r * v.segment;
}

/* Returns what is due after the last sweep of a record. */
LM_INLINE lm_walk_due lm_walk_due_of(const lm_walk_times &t, const lm_walk_place &p)
{
    return {t.bundles,
            t.counting == LM_COUNT_ALL ||
                (t.counting == LM_COUNT_LAST && p.record + 1 == t.records),
            p.sums};
}

/* Moves the place on after a sweep. */
LM_INLINE void lm_walk_on(const lm_bits_view &v, const lm_walk_times &t, lm_walk_place *p)
{
    if (--p->left == 0)
        *p = {p->record + 1, t.record, p->sums + lm_walk_step(v, t)};
}

#endif
