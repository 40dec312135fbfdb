/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds what kernels share that make many sweeps and measurements of small lattices in one launch.
 * Each block keeps one lattice in shared memory. This file says where a word's neighbours are
 * there, and when to count and to measure.
 */
#ifndef LM_CUDA_BITS_WALK_CUH
#define LM_CUDA_BITS_WALK_CUH

#include "backends/cuda/bits/uniform.cuh"

/* Says when to count and to measure (lm_walk). */
typedef struct lm_walk_times {
    uint64_t record, records; /* sweeps of a record; number of records */
    int counting, measures;
    unsigned sums;
} lm_walk_times;

static inline lm_walk_times lm_walk_times_of(const lm_walk *w)
{
    return {(uint64_t)w->sweeps, (uint64_t)w->records, w->counting, w->measures, w->sums};
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

/* A word of the second colour that has been updated, with what its thread knows. */
template <int D> struct lm_walk_word {
    uint32_t
        seen[2 * D]; /* unsatisfied bonds before the update; where `flip` is set, satisfied ones */
    uint32_t spins, mate;    /* the word; the word at the same place of the first colour */
    uint32_t change, before; /* sites that flipped in this word; in `mate` */
    static constexpr uint32_t VARIES = 2 * D + 4; /* words so far; the next ones never vary: */
    uint32_t valid, flip; /* the bits that are sites; bits where `seen` is inverted */
};

/* Which of a word's bonds are present. */
template <int D> struct lm_walk_bonds {
    uint32_t present[2 * D];
};

template <int D> LM_INLINE lm_walk_bonds<D> lm_walk_all_bonds(void)
{
    lm_walk_bonds<D> b;
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++)
        b.present[i] = ~0u;
    return b;
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
    u[1] = lm_second<D>(s, lean, u[0], carry);
}

/* Adds the warp's sum of each number n[k] to to[k], if bit k of `wanted` is set. Thread k adds
 * number k. */
template <int N> LM_INLINE void lm_add_sums(const int (&n)[N], uint32_t wanted, lm_count *to)
{
    const int lane = threadIdx.x & 31;
    int own = 0;
    LM_UNROLL
    for (int k = 0; k < N; k++) {
        const int sum = lm_warp_sum(n[k]);
        own = lane == k ? sum : own;
    }
    if (own && wanted >> lane & 1)
        lm_add_to_count(to + lane, own);
}

/* What is to be added up after a sweep, and where to. */
typedef struct lm_walk_due {
    unsigned sums;
    bool changes;
    lm_count *to; /* the sums of the group's first replica */
} lm_walk_due;

/* Returns the bits of replica r in a word. */
LM_INLINE uint32_t lm_walk_mask(const lm_bits_view &v, int r)
{
    return lm_replica_mask(v) << r * v.segment;
}

/* Sums over words: bonds by axis, spins that are up, changes. */
template <int D> struct lm_walk_sums {
    int n[D + 2];
};

/* Sums what words of the second colour know when a sweep has ended. They know all of their
 * bonds, and so half of every site's bonds, and all spins at their places. `mask`: the sites of
 * one replica. CHANGES: changes are due. */
template <int D, bool CHANGES, int N>
LM_INLINE void lm_sum_walk(uint32_t mask, const lm_walk_word<D> (&w)[N],
                           const lm_walk_bonds<D> &bonds, lm_walk_sums<D> *sums)
{
    uint32_t up[2 * N], changed[2 * N];
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        uint32_t present[2 * N], broken[2 * N];
        LM_UNROLL
        for (int i = 0; i < 2 * N; i++) {
            const lm_walk_word<D> &one = w[i / 2];
            present[i] = mask & one.valid & bonds.present[2 * a + i % 2];
            broken[i] = present[i] & (one.seen[2 * a + i % 2] ^ one.change ^ one.flip);
        }
        sums->n[a] += lm_ones<2 * N>(present) - 2 * lm_ones<2 * N>(broken);
    }
    LM_UNROLL
    for (int i = 0; i < 2 * N; i++) {
        const lm_walk_word<D> &one = w[i / 2];
        up[i] = mask & one.valid & (i % 2 ? one.spins : one.mate);
        changed[i] = mask & one.valid & (i % 2 ? one.change : one.before);
    }
    sums->n[D] += lm_ones<2 * N>(up);
    sums->n[D + 1] += CHANGES ? lm_ones<2 * N>(changed) : 0;
}

/* Adds what is due of a warp's sums to the sums of replica r. */
template <int D>
LM_INLINE void lm_walk_put(const lm_walk_due &due, const lm_walk_sums<D> &sums, int r)
{
    const uint32_t wanted = (due.sums & LM_SUMS_BONDS ? (1u << D) - 1 : 0) |
                            (due.sums & LM_SUMS_SPINS ? 1u << D : 0) | (due.changes ? 2u << D : 0);
    if (wanted)
        lm_add_sums<D + 2>(sums.n, wanted, due.to + r * (D + 2));
}

template <int D>
LM_INLINE void lm_walk_count(const lm_bits_view &v, const lm_walk_due &due,
                             const lm_walk_word<D> &w, const lm_walk_bonds<D> &bonds)
{
    LM_ROLLED
    for (int r = 0; r < v.per_word; r++) {
        lm_walk_sums<D> sums = {};
        lm_sum_walk<D, true>(lm_walk_mask(v, r), {w}, bonds, &sums);
        lm_walk_put<D>(due, sums, r);
    }
}

/* Counts as meters do (meters.cuh). */
template <int D> struct lm_walk_counter {
    typedef lm_walk_word<D> word;
    typedef lm_walk_sums<D> sums;
    template <bool CHANGES, int N> LM_INLINE void add(uint32_t mask, const word (&w)[N], sums *s)
    {
        lm_sum_walk<D, CHANGES>(mask, w, lm_walk_all_bonds<D>(), s);
    }
    LM_INLINE void put(const lm_bits_view &, const lm_walk_due &due, const sums &s, int r)
    {
        lm_walk_put<D>(due, s, r);
    }
};

/* Returns what is due after the last sweep of a record. */
LM_INLINE lm_walk_due lm_walk_due_of(const lm_walk_times &t, const lm_walk_place &p)
{
    return {t.sums,
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
