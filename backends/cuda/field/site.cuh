/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what the kernels of a field share: a site's bonds, counts of accepted proposals,
 * launches. The model's hooks (phi4.cuh) come first. */
#ifndef LM_CUDA_FIELD_SITE_CUH
#define LM_CUDA_FIELD_SITE_CUH

#include "backends/cuda/seam.cuh"
#include "backends/cuda/field/place.cuh"
#include "lib/physics/draws.h"
#include "lib/physics/element.h"
#include "lib/physics/geometry.h"
#include "lib/physics/hooks.h"

/* Returns a replica's sites, [component][N]. */
LM_INLINE lm_element *lm_field_sites(const lm_field_view &v, size_t replica)
{
    return (lm_element *)v.sites + replica * LM_HOOK_COMPONENTS * (size_t)v.count;
}

/* Returns the static values of the replica's sample, [static value][N]. If there are none the
 * result does not matter. */
LM_INLINE const lm_scalar *lm_field_fixed(const lm_field_view &v, uint32_t replica)
{
    return (const lm_scalar *)v.fixed +
           (size_t)(replica / v.sample_replicas) * (size_t)v.fixed_values * (size_t)v.count;
}

/* Returns the numbers of a plan's sites in the lattice. */
LM_INLINE lm_range lm_field_range(const lm_field_view &v)
{
    const lm_range range = {v.base, v.base_high, false};
    return range;
}

/* Returns where the neighbouring slab has, in its halo, the number at `place` of component 0 of
 * a replica. If planes are by colour, the place is in half `colour` of a plane. NULL: the
 * neighbour's halo does not have it. */
LM_INLINE lm_element *lm_field_beyond(const lm_field_view &v, int side, uint32_t replica,
                                      int colour, uint32_t place)
{
    const lm_field_far_halo &h = v.beyond[side];
    if (!h.sites || (place < h.bound) != (side == 0))
        return NULL;
    return (lm_element *)h.sites + (size_t)replica * LM_HOOK_COMPONENTS * (size_t)h.count +
           (colour ? h.half : 0u) + (place + h.shift);
}

/* Returns the number of the thread's block. Every other colour of a whole lattice goes
 * backwards, and so begins with what the previous colour has left in the cache. */
LM_INLINE uint32_t lm_field_block(const lm_cuda_field_pass &pass)
{
    return pass.backward ? gridDim.x - 1u - blockIdx.x : blockIdx.x;
}

/* Returns n divided by a number. */
LM_INLINE uint32_t lm_field_divide_by(uint32_t n, lm_field_divisor by)
{
    return (uint32_t)((uint64_t)n * by.factor >> by.shift);
}

/* Finds x[FIRST .. END - 1] of a number, as lm_coordinates() does, in 32 bits. An extent that
 * divides is at most 2^31, since the other axes have two sites or more. */
template <int FIRST, int END>
LM_INLINE void lm_field_coordinates(const lm_field_view &v, uint32_t number, uint32_t *x)
{
    LM_UNROLL
    for (int a = FIRST; a < END; a++) {
        const uint32_t extent = v.last[a] + 1u, above = a < END - 1 ? number / extent : 0u;
        x[a] = number - above * extent;
        number = above;
    }
}

/* Finds the coordinates along axes 1 .. from a row's number in memory, which is below 2^31. */
template <int D>
LM_INLINE void lm_field_row_coordinates(const lm_field_view &v, uint32_t row, uint32_t *x)
{
    LM_UNROLL
    for (int a = 1; a < D; a++) {
        const uint32_t above = a < D - 1 ? lm_field_divide_by(row, v.by[a]) : 0u;
        x[a] = row - above * (v.last[a] + 1u);
        row = above;
    }
}

/* Returns the bonds of a coordinate along its axis. */
LM_INLINE int lm_field_bonds(const lm_field_view &v, int axis, uint32_t x)
{
    return 2 - (v.open[axis] && x == 0) - (v.open[axis] && x == v.last[axis]);
}

/* Returns what a thread has accepted, below 2^23. The lowest bits of a float hold this integer
 * as it is; a conversion would wait for a slow unit. */
LM_INLINE int lm_count_of_tally(lm_tally n)
{
    return (int)n;
}

LM_INLINE int lm_count_of_tally(float n)
{
    return __float_as_int(n + 8388608.0f) - 0x4B000000;
}

/* Adds a warp's counts to one of a replica's tallies. All threads of the warp must call it. No
 * warp waits for another: a block's place is free as soon as its last warp has added. Additions
 * of blocks that end together go to several addresses. */
LM_INLINE void lm_field_count(const lm_field_view &v, uint32_t replica, int accepted)
{
    const uint32_t tally = blockIdx.x & (v.tallies - 1u);
    lm_add_once(&v.accepted[(size_t)replica * v.tallies + tally], (uint32_t)lm_warp_sum(accepted));
}

/* Returns a row's place among the rows of a launch. */
static inline int64_t lm_field_within(int64_t row, int64_t rows)
{
    return row < 0 ? 0 : row > rows ? rows : row;
}

/* Launches a kernel that calls lm_await_previous(), for the pass's replicas. */
static inline cudaError_t lm_field_launch(const lm_field_view *v, const void *kernel, dim3 grid,
                                          unsigned block, const lm_cuda_field_pass *pass,
                                          cudaStream_t stream)
{
    lm_field_view view = *v;
    lm_cuda_field_pass one = *pass;
    void *arguments[] = {&view, &one};
    cudaError_t e = cudaSuccess;
    const uint32_t end = pass->replicas ? pass->replica + pass->replicas : v->replicas;
    for (uint32_t r = pass->replica; e == cudaSuccess && r < end; r += LM_FIELD_REPLICAS) {
        one.replica = r;
        grid.y = end - r < LM_FIELD_REPLICAS ? end - r : LM_FIELD_REPLICAS;
        e = lm_launch_overlapping(kernel, grid, block, arguments, v->overlaps, stream);
        if (e == cudaSuccess)
            lm_seam_launched(&v->seam, grid.y);
    }
    return e;
}

/* Sets the blocks at the sides, for a launch by rows in which each row has some threads. */
static inline lm_field_view lm_field_with_seam(const lm_field_view *v,
                                               const lm_cuda_field_pass *pass, uint64_t threads,
                                               unsigned block)
{
    const int64_t layer = (int64_t)(lm_field_layer_sites(v) / (v->last[0] + 1u));
    const int64_t own = v->reach * layer, from = (int64_t)pass->row, rows = (int64_t)pass->rows;
    const int64_t lower = 2 * own - from, upper = v->layers * layer - from;
    lm_field_view view = *v;
    if (v->connected) {
        lm_seam_cut(&view.seam, 0, 0, (uint64_t)lm_field_within(lower, rows) * threads, block);
        lm_seam_cut(&view.seam, 1, (uint64_t)lm_field_within(upper, rows) * threads,
                    (uint64_t)rows * threads, block);
    }
    return view;
}

#endif
