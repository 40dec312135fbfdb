/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds kernels that serve every shape, rule and slab of models whose sites have digits
 * (lib/physics/digits.h), with a thread for each word. They are an update by a rule R, and start
 * and sums of a model M.
 *
 * R::DIGITS are at least as many as sites have. R::update(view, pass, group, sites, valid, stream,
 * index, to) writes new sites and returns the sites that change.
 *
 * M has, for sums, R's DIGITS and COUNTS sums of sites, which follow the sums of bonds. meet(digit,
 * s, t, bond) is as lm_potts_meet() and lm_blume_capel_meet(), of words of the ends of bonds.
 * wants_bonds(bundles) and wants(view, bundles, k) say whether bonds and sum k are among
 * these bundles. count(k, s) is what sum k counts of sites. first(view, hot, valid, stream,
 * index, s) makes the sites of a start.
 */
#ifndef LM_CUDA_BITS_DIGITS_CUH
#define LM_CUDA_BITS_DIGITS_CUH

#include "backends/cuda/bits/spots.cuh"
#include "lib/physics/digits.h"

template <int DIGITS>
LM_INLINE void lm_load_digits(const lm_bits_view &v, const uint32_t *own, lm_word *s)
{
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++)
        s[k] = k < v.digits ? own[k * v.digit_stride] : 0;
}

template <int DIGITS>
LM_INLINE void lm_load_sites(const lm_bits_view &v, uint32_t g, int c, const lm_spot &p,
                             const uint32_t *own, lm_digit_sites *at)
{
    lm_load_digits<DIGITS>(v, own, at->own);
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++) {
        uint32_t around[LM_DIGIT_SLOTS];
        if (k < v.digits)
            lm_words_around(v, v.dims, g, c, k, p, around);
        for (int i = 0; i < 2 * v.dims; i++)
            at->around[i][k] = k < v.digits ? around[i] : 0;
    }
    for (int i = 0; i < 2 * v.dims; i++) {
        at->sign[i] = v.sign ? v.sign[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
        at->gone[i] = v.gone ? v.gone[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
    }
}

/* Returns the general table of a group. */
LM_INLINE lm_word_rule lm_digit_rule(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g)
{
    const lm_rule_shape &shape = v.shape[pass.update];
    const size_t table = (size_t)shape.kinds * shape.classes * LM_RULE_STRIDE;
    return {shape, v.planes[pass.update] + g * table};
}

template <class R>
__global__ void __launch_bounds__(LM_SPOT_BLOCK)
    lm_digit_any_kernel(lm_bits_view v, lm_bits_pass pass)
{
    const uint32_t block = lm_seam_block(v.seam), sides = lm_seam_sides_here(v.seam);
    const int64_t number = (int64_t)block * LM_SPOT_BLOCK + threadIdx.x;
    const bool inside = number < (pass.last - pass.first) * v.width;
    lm_disturb(LM_AT_START);
    lm_seam_await(v.seam, sides);
    const lm_spot p = lm_spot_of(v, v.dims, (inside ? number : 0) + pass.first * v.width);
    const int c = v.folded ? pass.colour : 0;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        uint32_t valid = inside ? lm_valid(v, p.j) & v.replicas_mask[g] : 0;
        if (!v.folded)
            valid &= lm_colour_bits(v, p.j, pass.colour, lm_spot_colour(v, p));
        uint32_t *own = lm_sublattice_of(v, g, c) + p.row * v.width + p.j;
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
        const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
        lm_digit_sites at;
        lm_word to[LM_MAX_DIGITS];
        lm_load_sites<R::DIGITS>(v, g, c, p, own, &at);
        const lm_word changes = R::update(v, pass, g, at, valid, &stream, index, to);
        LM_UNROLL
        for (int k = 0; k < R::DIGITS; k++) {
            const uint32_t now = lm_select(changes, to[k], at.own[k]);
            if (!inside || k >= v.digits)
                continue;
            own[k * v.digit_stride] =
                now; /* words are written whole, since other threads may be reading other colours */
            if (sides)
                lm_hand_on(v, g, c, k, p, now);
        }
        if (pass.count)
            lm_add_bits(v, g, v.sums - 1, changes);
    }
    lm_seam_post(v.seam, sides);
}

/* ---- start */

template <class M>
__global__ void __launch_bounds__(LM_SPOT_BLOCK) lm_digit_start_kernel(lm_bits_view v, int hot)
{
    const int64_t number = (int64_t)blockIdx.x * LM_SPOT_BLOCK + threadIdx.x;
    if (number >= v.rows * v.width)
        return;
    const lm_spot p = lm_spot_of(v, v.dims, number);
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y)
        for (int c = 0; c < v.sublattices; c++) {
            const lm_stream stream =
                lm_stream_of(&v.keys, LM_DOMAIN_START, 0, v.first_group + g, c);
            const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
            lm_word s[LM_MAX_DIGITS];
            M::first(v, hot, lm_valid(v, p.j) & v.replicas_mask[g], &stream, index, s);
            LM_UNROLL
            for (int k = 0; k < M::DIGITS; k++)
                if (k < v.digits)
                    lm_sublattice_of(v, g, c)[k * v.digit_stride + number] = s[k];
        }
}

template <class M>
static inline cudaError_t lm_launch_digits_start(const lm_bits_view *v, int hot,
                                                 cudaStream_t stream)
{
    const dim3 grid = lm_spot_grid(v, v->rows * v->width);
    lm_digit_start_kernel<M><<<grid, LM_SPOT_BLOCK, 0, stream>>>(*v, hot);
    return cudaGetLastError();
}

/* ---- sums. A thread has four sums of bonds, by axis, then the sums of sites. */

/* Adds a tally. Words of several replicas go to their places at once, the first one's at `to`. */
LM_INLINE void lm_add_tally(const lm_bits_view &v, lm_count *to, const lm_digit_count &t, int *own)
{
    if (v.per_word == 1)
        *own += __popc(t.all) - 2 * __popc(t.turned);
    else
        lm_add_signed_to(v, to, t.all, t.turned);
}

/* Sums sites and bonds: the bonds of sublattice 0 if the lattice is folded, otherwise the upward
 * bonds. Counts of turned bonds are negative, modulo 2^64. */
template <class M>
LM_INLINE void lm_measure_bonds(const lm_bits_view &v, uint32_t g, const lm_spot &p, uint32_t valid,
                                int *sums)
{
    const int step = v.folded ? 1 : 2;
    const uint32_t *own = lm_sublattice_of(v, g, 0) + p.row * v.width + p.j;
    lm_digit_sites at;
    lm_load_sites<M::DIGITS>(v, g, 0, p, own, &at);
    LM_UNROLL
    for (int a = 0; a < 4; a++)
        for (int i = 2 * a + step - 1; a < v.dims && i < 2 * a + 2; i += step) {
            lm_digit_count bond;
            LM_UNROLL
            for (int k = 0; k < M::DIGITS; k++)
                M::meet(k, at.own[k], at.around[i][k], &bond);
            lm_add_tally(v, lm_counts_of(v, g) + a,
                         lm_digit_bond(bond, at.sign[i], at.gone[i] | ~valid), sums + a);
        }
}

template <class M>
LM_INLINE void lm_measure_word(const lm_bits_view &v, unsigned wanted, uint32_t g, int64_t number,
                               int *sums)
{
    const bool inside = number < v.rows * v.width;
    const lm_spot p = lm_spot_of(v, v.dims, inside ? number : 0);
    const uint32_t valid = inside ? lm_valid(v, p.j) & v.replicas_mask[g] : 0;
    if (M::wants_bonds(wanted))
        lm_measure_bonds<M>(v, g, p, valid, sums);
    for (int c = 0; c < v.sublattices; c++) {
        lm_word s[LM_MAX_DIGITS];
        lm_load_digits<M::DIGITS>(v, lm_sublattice_of(v, g, c) + p.row * v.width + p.j, s);
        LM_UNROLL
        for (int k = 0; k < M::COUNTS; k++) {
            if (!M::wants(v, wanted, k))
                continue;
            const lm_digit_count t = M::count(k, s);
            lm_add_tally(v, lm_counts_of(v, g) + v.dims + k, {valid & t.all, valid & t.turned},
                         sums + 4 + k);
        }
    }
}

template <class M>
__global__ void __launch_bounds__(LM_SPOT_BLOCK)
    lm_digit_sums_kernel(lm_bits_view v, unsigned wanted)
{
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * LM_SPOT_BLOCK;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        int sums[4 + M::COUNTS] = {0};
        for (int64_t first = (int64_t)blockIdx.x * LM_SPOT_BLOCK; first < words; first += stride)
            lm_measure_word<M>(v, wanted, g, first + threadIdx.x, sums);
        LM_UNROLL
        for (int k = 0; k < 4 + M::COUNTS; k++) {
            const int n = v.per_word == 1 ? lm_warp_sum(sums[k]) : 0;
            if ((threadIdx.x & 31u) == 0 && n)
                lm_add_to_count(v.counts + (size_t)g * v.sums + (k < 4 ? k : v.dims + k - 4), n);
        }
    }
}

template <class M>
static inline cudaError_t lm_launch_digits_sums(const lm_bits_view *v, unsigned bundles,
                                                cudaStream_t stream)
{
    const unsigned most = (unsigned)lm_blocks_enough();
    dim3 grid = lm_spot_grid(v, v->rows * v->width);
    if (grid.x > most)
        grid.x = most;
    lm_digit_sums_kernel<M><<<grid, LM_SPOT_BLOCK, 0, stream>>>(*v, bundles);
    return cudaGetLastError();
}

#endif
