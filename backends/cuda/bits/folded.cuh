/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where a word of a whole folded lattice, or of a window (window.cuh), has its neighbours,
 * and says which signs the bonds have. Kernels of large and of small lattices of all models use it.
 */
#ifndef LM_CUDA_BITS_FOLDED_CUH
#define LM_CUDA_BITS_FOLDED_CUH

#include "backends/cuda/bits/lattice.cuh"

/* Signs of bonds, as kernels are made for them: no signs, the same in all groups, each group its
 * own. */
enum { LM_NO_SIGNS = 0, LM_SHARED_SIGNS = 1, LM_OWN_SIGNS = 2, LM_SIGN_KINDS = 3 };

static inline int lm_signs_of(const lm_bits_view *v)
{
    if (!v->sign)
        return LM_NO_SIGNS;
    return v->bond_step && v->groups > 1 ? LM_OWN_SIGNS : LM_SHARED_SIGNS;
}

/* Returns the number of sublattice `colour` of a group's bonds among those of all groups. */
template <int SIGNS> LM_INLINE int lm_bond_plane(const lm_bits_view &v, uint32_t group, int colour)
{
    return SIGNS == LM_OWN_SIGNS ? (int)(group * v.bond_step) + colour : colour;
}

/* What a launch serves: a whole lattice, or a window, which is some layers of a slab
 * (window.cuh). In a window the words' neighbours lie as numbers say, without ends of the last
 * axis. */
enum { LM_OF_LATTICE = 0, LM_OF_WINDOW = 1 };

/* Divides n < 2^31 by d with a multiplication (Granlund and Montgomery, PLDI 1994). */
typedef struct lm_divisor {
    uint32_t d, factor, shift;
} lm_divisor;

static inline lm_divisor lm_divisor_of(uint32_t d)
{
    uint32_t log = 0;
    while (((uint64_t)1 << log) < d)
        log++;
    lm_divisor v = {d, 0, 0};
    if (d > 1) {
        v.factor = (uint32_t)((((uint64_t)1 << (31 + log)) + d - 1) / d);
        v.shift = log - 1;
    }
    return v;
}

LM_INLINE uint32_t lm_divide_by(uint32_t n, const lm_divisor &v)
{
    return v.d == 1 ? n : __umulhi(n, v.factor) >> v.shift;
}

/* Finds the rows of a row's neighbours along the axes >= 1: [2 (a - 1)] below, [2 (a - 1) + 1]
 * above. */
template <int D, int OF>
LM_INLINE void lm_neighbour_rows(const lm_bits_view &v, uint32_t row, uint32_t *next, int *parity)
{
    uint32_t rest = row, stride = 1;
    int sum = 0;
    LM_UNROLL
    for (int a = 1; a < D; a++) {
        const uint32_t extent = (uint32_t)v.extents[a];
        const uint32_t x = a < D - 1 ? rest % extent : rest;
        const bool ends = a < D - 1 || OF == LM_OF_LATTICE;
        next[2 * (a - 1)] = !ends || x > 0 ? row - stride : row + stride * (extent - 1);
        next[2 * (a - 1) + 1] =
            !ends || x < extent - 1 ? row + stride : row - stride * (extent - 1);
        sum += (int)x;
        rest /= extent;
        stride *= extent;
    }
    *parity = sum & 1;
}

/* A word of a sublattice, and where its neighbours are in the other one. Its sites' second
 * x-neighbours are at k - 1 (lean 0) or k + 1 (lean 1) of the row. All of them but those at the
 * edge are in the word at the same place. */
template <int D> struct lm_word_place {
    uint32_t at, j;       /* the word in its sublattice, in its row */
    uint32_t carry[2];    /* the words before and after this word in its row */
    uint32_t edge[2];     /* the sites whose second x-neighbour is in the carry word */
    uint32_t turn[2];     /* bits by which the carry word is rotated to bring them there */
    uint32_t next[2 * D]; /* [2 ..]: words below and above along axes 1 .. */
    int parity;           /* parity of the row */
};

/* Finds the place of a word. A window's first layer has number `origin` in the lattice. */
template <int D, int OF = LM_OF_LATTICE>
LM_INLINE lm_word_place<D> lm_word_place_of(const lm_bits_view &v, uint32_t number,
                                            uint32_t origin = 0)
{
    uint32_t next[2 * D];
    lm_word_place<D> s;
    s.at = number;
    const uint32_t row = s.at / v.width, bits = (uint32_t)v.bits;
    s.j = s.at - row * v.width;
    const bool first = s.j == 0, last = s.j + 1 == v.width, alone = v.width == 1;
    s.carry[0] = first ? s.at + v.width - 1 : s.at - 1;
    s.carry[1] = last ? s.at + 1 - v.width : s.at + 1;
    s.edge[0] = alone ? v.segment_first : 1u;
    s.edge[1] = (alone ? v.segment_first : 1u) << (last ? bits - 1 : 31);
    s.turn[0] = first ? 33 - bits : 1;
    s.turn[1] = last ? bits - 1 : 31;
    lm_neighbour_rows<D, OF>(v, row, next, &s.parity);
    s.parity ^= (int)(origin & 1u);
    LM_UNROLL
    for (int i = 2; i < 2 * D; i++)
        s.next[i] = next[i - 2] * v.width + s.j;
    return s;
}

/* Returns the second x-neighbours, given the words at the same place and the carry word. */
template <int D>
LM_INLINE uint32_t lm_second_x_neighbours(const lm_word_place<D> &s, int lean, uint32_t mate,
                                          uint32_t carry)
{
    const uint32_t edge = lean ? s.edge[1] : s.edge[0], turn = lean ? s.turn[1] : s.turn[0];
    return lm_select(edge, __funnelshift_l(carry, carry, turn),
                     __funnelshift_l(mate, mate, lean ? 31 : 1));
}

/* Says whether a whole lattice is so small that a word's number, by which it draws, has 31 bits. */
static inline int lm_is_counted(const lm_bits_view *v)
{
    return v->dims > 1 && v->whole && v->rows * v->width < (int64_t)1 << 31;
}

static inline int lm_is_even(const lm_bits_view *v)
{
    return v->folded && lm_is_counted(v);
}

#endif
