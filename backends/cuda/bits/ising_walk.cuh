/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds up what the Ising model's kernels of small lattices measure after a sweep (walk.cuh). It is
 * counted by the threads that have updated the words, or by meters (meters.cuh).
 */
#ifndef LM_CUDA_BITS_ISING_WALK_CUH
#define LM_CUDA_BITS_ISING_WALK_CUH

#include "backends/cuda/bits/ising_words.h"
#include "backends/cuda/bits/meters.cuh"

/* A word of the second colour that has been updated, with what its thread knows. */
template <int D> struct lm_ising_walk_word {
    uint32_t
        seen[2 * D]; /* unsatisfied bonds before the update; where `flip` is set, satisfied ones */
    uint32_t spins, mate;    /* the word; the word at the same place of the first colour */
    uint32_t change, before; /* sites that flipped in this word; in `mate` */
    static constexpr uint32_t VARIES = 2 * D + 4; /* words so far; the next ones never vary: */
    uint32_t valid, flip; /* the bits that are sites; bits where `seen` is inverted */
};

/* Says which of a word's bonds are present. */
template <int D> struct lm_ising_walk_bonds {
    uint32_t present[2 * D];
};

template <int D> LM_INLINE lm_ising_walk_bonds<D> lm_ising_walk_all_bonds(void)
{
    lm_ising_walk_bonds<D> b;
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++)
        b.present[i] = ~0u;
    return b;
}

/* Sums over words: bonds by axis, spins that are up, changes. */
template <int D> struct lm_ising_walk_sums {
    int n[D + 2];
};

/* Sums what words of the second colour know when a sweep has ended. They know all of their
 * bonds, and so half of every site's bonds, and all spins at their places. `mask`: the sites of
 * one replica. CHANGES: changes are due. */
template <int D, bool CHANGES, int N>
LM_INLINE void lm_ising_sum_walk(uint32_t mask, const lm_ising_walk_word<D> (&w)[N],
                                 const lm_ising_walk_bonds<D> &bonds, lm_ising_walk_sums<D> *sums)
{
    uint32_t up[2 * N], changed[2 * N];
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        uint32_t present[2 * N], broken[2 * N];
        LM_UNROLL
        for (int i = 0; i < 2 * N; i++) {
            const lm_ising_walk_word<D> &one = w[i / 2];
            present[i] = mask & one.valid & bonds.present[2 * a + i % 2];
            broken[i] = present[i] & (one.seen[2 * a + i % 2] ^ one.change ^ one.flip);
        }
        sums->n[a] += lm_ones<2 * N>(present) - 2 * lm_ones<2 * N>(broken);
    }
    LM_UNROLL
    for (int i = 0; i < 2 * N; i++) {
        const lm_ising_walk_word<D> &one = w[i / 2];
        up[i] = mask & one.valid & (i % 2 ? one.spins : one.mate);
        changed[i] = mask & one.valid & (i % 2 ? one.change : one.before);
    }
    sums->n[D] += lm_ones<2 * N>(up);
    sums->n[D + 1] += CHANGES ? lm_ones<2 * N>(changed) : 0;
}

/* Adds what is due of a warp's sums to the sums of replica r. */
template <int D>
LM_INLINE void lm_ising_walk_put(const lm_walk_due &due, const lm_ising_walk_sums<D> &sums, int r)
{
    const uint32_t wanted = (due.bundles & LM_ISING_BONDS_BUNDLE ? (1u << D) - 1 : 0) |
                            (due.bundles & LM_ISING_SPINS_BUNDLE ? 1u << D : 0) |
                            (due.changes ? 2u << D : 0);
    if (wanted)
        lm_add_sums<D + 2>(sums.n, wanted, due.to + r * (D + 2));
}

template <int D>
LM_INLINE void lm_ising_walk_count(const lm_bits_view &v, const lm_walk_due &due,
                                   const lm_ising_walk_word<D> &w,
                                   const lm_ising_walk_bonds<D> &bonds)
{
    LM_ROLLED
    for (int r = 0; r < v.per_word; r++) {
        lm_ising_walk_sums<D> sums = {};
        lm_ising_sum_walk<D, true>(lm_walk_mask(v, r), {w}, bonds, &sums);
        lm_ising_walk_put<D>(due, sums, r);
    }
}

/* Counts as meters do (meters.cuh). */
template <int D> struct lm_ising_walk_counter {
    typedef lm_ising_walk_word<D> word;
    typedef lm_ising_walk_sums<D> sums;
    template <bool CHANGES, int N> LM_INLINE void add(uint32_t mask, const word (&w)[N], sums *s)
    {
        lm_ising_sum_walk<D, CHANGES>(mask, w, lm_ising_walk_all_bonds<D>(), s);
    }
    LM_INLINE void put(const lm_bits_view &, const lm_walk_due &due, const sums &s, int r)
    {
        lm_ising_walk_put<D>(due, s, r);
    }
};

/* Returns the meters for the Ising model's words. */
static inline lm_meters lm_ising_meters_of(const lm_bits_view *v, uint32_t walking,
                                           const lm_meter_limits *limits)
{
    return v->dims == 2   ? lm_meters_of<lm_ising_walk_word<2>>(v, walking, limits)
           : v->dims == 3 ? lm_meters_of<lm_ising_walk_word<3>>(v, walking, limits)
                          : lm_meters_of<lm_ising_walk_word<4>>(v, walking, limits);
}

#endif
