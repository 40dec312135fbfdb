/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the Ising model by kernels that serve every shape, rule and slab, with a thread for each
 * word. These kernels are simple. Whole lattices have kernels of their own for most rules, and the
 * uniform rule has kernels for each size.
 */
#include "backends/cuda/exchange.cuh"

#include "backends/cuda/bits/ising_words.h"
#include "backends/cuda/bits/spots.cuh"

__global__ void __launch_bounds__(LM_SPOT_BLOCK) update_kernel(lm_bits_view v, lm_bits_pass pass)
{
    const uint32_t block = lm_seam_block(v.seam), sides = lm_seam_sides_here(v.seam);
    const int64_t number = (int64_t)block * LM_SPOT_BLOCK + threadIdx.x;
    const bool inside = number < (pass.last - pass.first) * v.width;
    lm_disturb(LM_AT_START);
    lm_seam_await(v.seam, sides);
    const lm_spot p = lm_spot_of(v, v.dims, (inside ? number : 0) + pass.first * v.width);
    const int c = v.folded ? pass.colour : 0;
    const lm_rule_shape &shape = v.shape[pass.update];
    const size_t table = (size_t)(shape.heat_bath ? 1 : 2) * shape.classes * LM_RULE_STRIDE;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        uint32_t up[8], gone[8];
        lm_neighbours(v, v.dims, g, c, p, up);
        for (int i = 0; i < 2 * v.dims; i++)
            gone[i] = v.gone ? v.gone[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
        uint32_t valid = inside ? lm_valid(v, p.j) & v.replicas_mask[g] : 0;
        if (!v.folded)
            valid &= lm_colour_bits(v, p.j, pass.colour, lm_spot_colour(v, p));
        uint32_t *own = lm_sublattice_of(v, g, c) + p.row * v.width + p.j;
        const lm_word_rule rule = {shape, v.planes[pass.update] + g * table};
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
        const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
        const uint32_t s = *own;
        const uint32_t now = lm_ising_general(&rule, s, up, gone, valid, &stream, index);
        if (inside) {
            *own =
                now; /* words are written whole, since other threads may be reading other colours */
            if (sides)
                lm_hand_on(v, g, c, 0, p, now);
        }
        if (pass.count)
            lm_add_bits(v, g, v.dims + 1, s ^ now);
    }
    lm_seam_post(v.seam, sides);
}

__global__ void __launch_bounds__(LM_SPOT_BLOCK) start_kernel(lm_bits_view v, int hot)
{
    const int64_t number = (int64_t)blockIdx.x * LM_SPOT_BLOCK + threadIdx.x;
    if (number >= v.rows * v.width)
        return;
    const lm_spot p = lm_spot_of(v, v.dims, number);
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y)
        for (int c = 0; c < v.sublattices; c++) {
            const lm_stream stream =
                lm_stream_of(&v.keys, LM_DOMAIN_START, 0, v.first_group + g, c);
            uint32_t r[4] = {~0u};
            if (hot)
                lm_random_words(&stream, (uint64_t)(p.row + v.first_row) * v.width + p.j, 0, r);
            lm_sublattice_of(v, g, c)[number] = r[0] & lm_valid(v, p.j) & v.replicas_mask[g];
        }
}

/* Measures a word. Folded: the bonds of sublattice 0 are all bonds. Natural: the upward bonds
 * count. */
LM_INLINE void measure_word(const lm_bits_view &v, unsigned bundles, uint32_t g, int64_t number,
                            lm_bits_sums *sums)
{
    const bool inside = number < v.rows * v.width;
    const lm_spot p = lm_spot_of(v, v.dims, inside ? number : 0);
    const int64_t at = p.row * v.width + p.j;
    const uint32_t valid = inside ? lm_valid(v, p.j) & v.replicas_mask[g] : 0;
    if (bundles & LM_ISING_BONDS_BUNDLE) {
        const uint32_t s = lm_sublattice_of(v, g, 0)[at];
        uint32_t nb[8];
        lm_neighbours(v, v.dims, g, 0, p, nb);
        for (int i = v.folded ? 0 : 1; i < 2 * v.dims; i += v.folded ? 1 : 2) {
            const uint32_t present =
                v.gone ? valid & ~v.gone[lm_bond_at(v, v.dims, g, 0, i, p)] : valid;
            lm_sum_bonds(v, g, i / 2, present, present & (nb[i] ^ s), sums);
        }
    }
    for (int c = 0; c < v.sublattices && bundles & LM_ISING_SPINS_BUNDLE; c++)
        lm_sum_spins(v, g, lm_sublattice_of(v, g, c)[at] & valid, sums);
}

__global__ void __launch_bounds__(LM_SPOT_BLOCK) measure_kernel(lm_bits_view v, unsigned bundles)
{
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * LM_SPOT_BLOCK;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        lm_bits_sums sums = {{0, 0, 0, 0}, 0};
        for (int64_t first = (int64_t)blockIdx.x * LM_SPOT_BLOCK; first < words; first += stride)
            measure_word(v, bundles, g, first + threadIdx.x, &sums);
        lm_finish_sums<4>(v, g, sums);
    }
}

extern "C" cudaError_t lm_launch_ising_update(const lm_bits_view *v, const lm_bits_pass *pass,
                                              cudaStream_t stream)
{
    return lm_launch_spots(update_kernel, v, pass, stream);
}

extern "C" cudaError_t lm_launch_ising_start(const lm_bits_view *v, int hot, cudaStream_t stream)
{
    start_kernel<<<lm_spot_grid(v, v->rows * v->width), LM_SPOT_BLOCK, 0, stream>>>(*v, hot);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_ising_measure(const lm_bits_view *v, unsigned bundles,
                                               cudaStream_t stream)
{
    enum { MOST_BLOCKS = 1056 }; /* enough for every multiprocessor, few enough atomics */
    dim3 grid = lm_spot_grid(v, v->rows * v->width);
    if (grid.x > MOST_BLOCKS)
        grid.x = MOST_BLOCKS;
    measure_kernel<<<grid, LM_SPOT_BLOCK, 0, stream>>>(*v, bundles);
    return cudaGetLastError();
}

/* ---- exchanges */

struct weight {
    enum { PARAMS = LM_ISING_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const int64_t *counts = lm_exchange_counts(x, replica);
        double bonds[4];
        lm_exchange_convert(counts, x.dims, bonds);
        return lm_ising_action(x.dims, x.coupling, params, bonds,
                               (double)(2 * counts[x.dims] - x.sites), NULL);
    }
};

extern "C" cudaError_t lm_exchange_ising_words(const lm_cuda_exchange *x, int overlaps,
                                               cudaStream_t stream)
{
    return lm_exchange_by<weight>(x, overlaps, stream);
}
