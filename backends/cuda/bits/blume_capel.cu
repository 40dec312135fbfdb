/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Blume-Capel model: one thread a word. Kernels that serve every shape, rule and slab, and
 * those of plain sites (lib/physics/blume_capel.h) of whole folded lattices, for which all that is
 * the same for all words is known to the compiler, with thresholds in shared memory.
 */
#include "backends/cuda/bits/spots.cuh"
#include "backends/cuda/bits/uniform.cuh"
#include "lib/physics/blume_capel.h"

/* ---- every shape */

LM_INLINE void load_sites(const lm_bits_view &v, uint32_t g, int c, const lm_spot &p,
                          const uint32_t *own, lm_capel_sites *at)
{
    LM_UNROLL
    for (int k = 0; k < LM_CAPEL_DIGITS; k++) {
        uint32_t around[LM_CAPEL_SLOTS];
        at->own[k] = own[k * v.digit_stride];
        lm_words_around(v, v.dims, g, c, k, p, around);
        for (int i = 0; i < 2 * v.dims; i++)
            at->around[i][k] = around[i];
    }
    for (int i = 0; i < 2 * v.dims; i++) {
        at->sign[i] = v.sign ? v.sign[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
        at->gone[i] = v.gone ? v.gone[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
    }
}

/* What all words of a launch have alike. */
LM_INLINE lm_capel_way way_of(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g)
{
    const lm_rule_shape &shape = v.shape[pass.update];
    const size_t table = (size_t)shape.kinds * shape.classes * LM_RULE_STRIDE;
    return {v.dims, 0, 0, {shape, v.planes[pass.update] + g * table}};
}

template <bool BATH>
__global__ void __launch_bounds__(LM_SPOT_BLOCK) any_kernel(lm_bits_view v, lm_bits_pass pass)
{
    const uint32_t block = lm_seam_block(v.seam), sides = lm_seam_sides_here(v.seam);
    const int64_t number = (int64_t)block * LM_SPOT_BLOCK + threadIdx.x;
    const bool inside = number < (pass.last - pass.first) * v.width;
    lm_disturb(LM_AT_START);
    lm_seam_await(v.seam, sides);
    const lm_spot p = lm_spot_of(v, v.dims, (inside ? number : 0) + pass.first * v.width);
    const int c = v.folded ? pass.colour : 0;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0;
        if (!v.folded)
            valid &= lm_colour_bits(v, p.j, pass.colour, lm_spot_colour(v, p));
        uint32_t *own = lm_sublattice_of(v, g, c) + p.row * v.width + p.j;
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
        const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
        const lm_capel_way way = way_of(v, pass, g);
        lm_capel_sites at;
        lm_word to[LM_CAPEL_DIGITS];
        load_sites(v, g, c, p, own, &at);
        const lm_word changes = BATH ? lm_capel_heatbath(&way.rule, &at, valid, &stream, index, to)
                                     : lm_capel_metropolis(&way, &at, valid, &stream, index, to);
        LM_UNROLL
        for (int k = 0; inside && k < LM_CAPEL_DIGITS; k++) {
            const uint32_t now = lm_select(changes, to[k], at.own[k]);
            own[k * v.digit_stride] = now; /* whole, as others may be reading other colours */
            if (sides)
                lm_hand_on(v, g, c, k, p, now);
        }
        if (pass.count)
            lm_add_bits(v, g, v.sums - 1, changes);
    }
    lm_seam_post(v.seam, sides);
}

typedef void (*kernel)(lm_bits_view, lm_bits_pass);

extern "C" cudaError_t lm_launch_capel(const lm_bits_view *v, const lm_bits_pass *pass,
                                       cudaStream_t stream)
{
    static const kernel kernels[LM_CAPEL_UPDATES] = {any_kernel<false>, any_kernel<true>};
    if (pass->first >= pass->last)
        return cudaSuccess;
    const dim3 grid = lm_spot_grid(v, (pass->last - pass->first) * v->width);
    lm_bits_view view = *v;
    lm_spot_cut_seam(v, pass, &view.seam);
    kernels[pass->update]<<<grid, LM_SPOT_BLOCK, 0, stream>>>(view, *pass);
    const cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
        lm_seam_launched(&view.seam, grid.y);
    return e;
}

/* ---- plain sites of whole folded lattices */

/* The group's thresholds, by fours. */
template <int D> LM_INLINE void load_table(const lm_bits_view &v, uint32_t g, uint32_t *table)
{
    constexpr int ROWS = 6 * D + 1, PLANES = 4 * LM_CAPEL_DRAWS * ROWS;
    const uint32_t *from =
        v.planes[LM_CAPEL_METROPOLIS] + (size_t)g * LM_CAPEL_KINDS * (4 * D + 1) * LM_RULE_STRIDE;
    for (int i = (int)threadIdx.x; i < lm_capel_four_words(D); i += LM_SPOT_BLOCK) {
        const int plane = i / (4 * ROWS) * 4 + i % 4 - 1;
        table[i] = i >= PLANES ? from[lm_capel_certain_at(D, i - PLANES)]
                   : plane < 0 ? 0
                               : from[lm_capel_row_at(D, i / 4 % ROWS, plane)];
    }
    __syncthreads();
}

/* A word's spins and those around it. */
template <int D>
LM_INLINE void load_plain(const lm_bits_view &v, const uint32_t *own, const uint32_t *other,
                          const lm_word_place<D> &s, int colour, lm_capel_sites *at)
{
    const int lean = s.parity ^ colour;
    LM_UNROLL
    for (int k = 0; k < LM_CAPEL_DIGITS; k++) {
        const uint32_t *from = other + k * v.digit_stride;
        at->own[k] = own[k * v.digit_stride + s.at];
        LM_UNROLL
        for (int i = 2; i < 2 * D; i++)
            at->around[i][k] = from[s.next[i]];
        at->around[0][k] = from[s.at];
        at->around[1][k] =
            lm_second<D>(s, lean, at->around[0][k], from[lean ? s.carry[1] : s.carry[0]]);
    }
}

template <int D>
__global__ void __launch_bounds__(LM_SPOT_BLOCK) plain_kernel(lm_bits_view v, lm_bits_pass pass)
{
    __shared__ alignas(16) uint32_t table[4 * LM_CAPEL_DRAWS * (6 * D + 1) + 2 * (4 * D + 1) + 2];
    const uint32_t number = blockIdx.x * LM_SPOT_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < (uint32_t)v.rows * v.width;
    uint32_t *own = lm_sublattice_of(v, g, pass.colour);
    const uint32_t *other = lm_sublattice_of(v, g, !pass.colour);
    /* What needs no spins is done while the previous colour ends. */
    load_table<D>(v, g, table);
    const lm_word_place<D> s = lm_word_place_of<D>(v, inside ? number : 0);
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const uint32_t valid = inside ? lm_valid(v, s.j) & v.lanes[g] : 0;
    const lm_capel_way way = {D, 1, 1, {v.shape[pass.update], table}};
    lm_capel_sites at;
    lm_word to[LM_CAPEL_DIGITS];
    lm_await_previous();
    load_plain<D>(v, own, other, s, pass.colour, &at);
    const uint32_t changes = lm_capel_metropolis(&way, &at, valid, &stream, s.at, to);
    LM_UNROLL
    for (int k = 0; inside && k < LM_CAPEL_DIGITS; k++)
        own[k * v.digit_stride + s.at] = lm_select(changes, to[k], at.own[k]);
    if (pass.count)
        lm_add_bits(v, g, v.sums - 1, changes);
}

extern "C" int lm_capel_plain_serves(const lm_bits_view *v)
{
    return lm_is_even(v) && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_capel_plain(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    static const kernel kernels[3] = {plain_kernel<2>, plain_kernel<3>, plain_kernel<4>};
    void *arguments[] = {(void *)v, (void *)pass};
    return lm_launch_overlapping((const void *)kernels[v->dims - 2],
                                 lm_spot_grid(v, v->rows * v->width), LM_SPOT_BLOCK, arguments,
                                 v->overlaps, stream);
}

/* ---- start and measurement of any shape */

static __global__ void __launch_bounds__(LM_SPOT_BLOCK) start_kernel(lm_bits_view v, int hot)
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
            const uint32_t valid = lm_valid(v, p.j) & v.lanes[g];
            lm_word s[LM_CAPEL_DIGITS] = {valid, 0};
            if (hot)
                lm_capel_hot(valid, &stream, index, s);
            for (int k = 0; k < LM_CAPEL_DIGITS; k++)
                lm_sublattice_of(v, g, c)[k * v.digit_stride + number] = s[k];
        }
}

/* The most sums: of bonds and of spins. */
enum { MOST_SUMS = 4 + 2 };

/* Adds the one-bits of a word, less those of another one twice, to sum number k of its replicas. */
LM_INLINE void add_words(const lm_bits_view &v, uint32_t g, int k, uint32_t all, uint32_t less,
                         int *sums)
{
    if (v.pack == 1)
        sums[k] += __popc(all) - 2 * __popc(less);
    else
        lm_add_signed_bits(v, g, k, all, less);
}

LM_INLINE void measure_bonds(const lm_bits_view &v, uint32_t g, const lm_spot &p, uint32_t valid,
                             int *sums)
{
    const int step = v.folded ? 1 : 2;
    const uint32_t *own = lm_sublattice_of(v, g, 0) + p.row * v.width + p.j;
    lm_capel_sites at;
    load_sites(v, g, 0, p, own, &at);
    LM_UNROLL
    for (int a = 0; a < 4; a++)
        for (int i = 2 * a + step - 1; a < v.dims && i < 2 * a + 2; i += step) {
            const uint32_t both = valid & ~at.gone[i] & at.own[0] & at.around[i][0];
            add_words(v, g, a, both, both & (at.own[1] ^ at.around[i][1] ^ at.sign[i]), sums);
        }
}

LM_INLINE void measure_word(const lm_bits_view &v, unsigned wanted, uint32_t g, int64_t number,
                            int *sums, int *spins)
{
    const bool inside = number < v.rows * v.width;
    const lm_spot p = lm_spot_of(v, v.dims, inside ? number : 0);
    const uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0;
    if (wanted >> LM_CAPEL_BONDS & 1)
        measure_bonds(v, g, p, valid, sums);
    for (int c = 0; c < v.sublattices && wanted >> LM_CAPEL_SPINS & 1; c++) {
        const uint32_t *own = lm_sublattice_of(v, g, c) + p.row * v.width + p.j;
        const uint32_t there = valid & own[0], negative = valid & own[v.digit_stride];
        if (v.pack == 1) {
            spins[0] += __popc(there) - 2 * __popc(negative);
            spins[1] += __popc(there);
        } else {
            lm_add_signed_bits(v, g, v.dims, there, negative);
            lm_add_bits(v, g, v.dims + 1, there);
        }
    }
}

static __global__ void __launch_bounds__(LM_SPOT_BLOCK)
    measure_kernel(lm_bits_view v, unsigned wanted)
{
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * LM_SPOT_BLOCK;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        int sums[MOST_SUMS] = {0};
        for (int64_t first = (int64_t)blockIdx.x * LM_SPOT_BLOCK; first < words; first += stride)
            measure_word(v, wanted, g, first + threadIdx.x, sums, sums + 4);
        LM_UNROLL
        for (int k = 0; k < MOST_SUMS; k++) {
            const int n = v.pack == 1 ? lm_warp_sum(sums[k]) : 0;
            if ((threadIdx.x & 31u) == 0 && n)
                lm_add_to_count(v.counts + (size_t)g * v.sums + (k < 4 ? k : v.dims + k - 4), n);
        }
    }
}

extern "C" cudaError_t lm_launch_capel_start(const lm_bits_view *v, int hot, cudaStream_t stream)
{
    start_kernel<<<lm_spot_grid(v, v->rows * v->width), LM_SPOT_BLOCK, 0, stream>>>(*v, hot);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_capel_measure(const lm_bits_view *v, unsigned groups,
                                               cudaStream_t stream)
{
    enum { MOST_BLOCKS = 1056 };
    dim3 grid = lm_spot_grid(v, v->rows * v->width);
    if (grid.x > MOST_BLOCKS)
        grid.x = MOST_BLOCKS;
    measure_kernel<<<grid, LM_SPOT_BLOCK, 0, stream>>>(*v, groups);
    return cudaGetLastError();
}
