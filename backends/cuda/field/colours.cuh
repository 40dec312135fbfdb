/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the first configuration, and updates a colour of a lattice in natural order with a
 * thread for each site. */
#ifndef LM_CUDA_FIELD_COLOURS_CUH
#define LM_CUDA_FIELD_COLOURS_CUH

#include "backends/cuda/field/neighbours.cuh"
#include "backends/cuda/field/tile_shape.cuh"
#if LM_HOOK_BY_COLOUR
#include "backends/cuda/field/checkerboard.cuh"
#endif
#if LM_HOOK_BY_CLASS
#include "backends/cuda/field/classes.cuh"
#endif

enum { LM_FIELD_BLOCK = 256 };

/* Blocks of a multiprocessor for which a colour's kernel leaves registers. */
#ifndef LM_HOOK_COLOUR_BLOCKS
#define LM_HOOK_COLOUR_BLOCKS (lm_field_at_once<1>(LM_FIELD_BLOCK))
#endif

static __global__ void __launch_bounds__(LM_FIELD_BLOCK)
    field_start(const __grid_constant__ lm_field_view v,
                const __grid_constant__ lm_cuda_field_pass pass)
{
    const uint32_t replica = pass.replica + blockIdx.y;
    const uint64_t place = (uint64_t)blockIdx.x * LM_FIELD_BLOCK + threadIdx.x;
    lm_element *const sites = lm_field_sites(v, replica);
    lm_await_previous();
    if (place >= (uint64_t)v.count)
        return;
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_START, 0, v.first_replica + replica, 0);
    lm_bits r[4];
    lm_real s[LM_HOOK_COMPONENTS];
    const uint32_t number =
        v.base + (LM_HOOK_BY_COLOUR ? lm_number_at(v, (uint32_t)place) : (uint32_t)place);
    lm_random_sites(&stream, number, lm_high_in(lm_field_range(v), number), r);
    lm_hook_first(r, pass.phase, s);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        lm_element_store(&sites[(size_t)c * (size_t)v.count + place], s[c]);
}

/* Finds the site of thread number n of a launch. Returns false if there is none. Two colours
 * need no table: its three loads would follow one another, and small lattices would wait for
 * them. */
template <int D, int REACH>
LM_INLINE bool lm_field_site_of_thread(const lm_field_view &v, const lm_cuda_field_pass &pass,
                                       uint64_t n, lm_field_neighbours<D, false> *at)
{
    const lm_field_colours &c = v.colours;
    const uint64_t row = lm_quotient<uint64_t>(n, c.most);
    const uint32_t j = (uint32_t)(n - row * c.most);
    if (row >= (uint64_t)pass.rows)
        return false;
    lm_field_coordinates<1, D>(v, pass.row + (uint32_t)row, at->x);
    at->index = 0;
    LM_UNROLL
    for (int a = 1; a < D; a++)
        at->index += at->x[a] * v.stride[a];
    if (D > 1)
        at->x[D - 1] += v.origin[D - 1];
    if (REACH == 1 && c.parity) {
        uint32_t sum = (uint32_t)pass.phase;
        LM_UNROLL
        for (int a = 1; a < D; a++)
            sum += at->x[a];
        at->x[0] = 2u * j + (sum & 1u);
        at->index += at->x[0];
        return at->x[0] <= v.last[0];
    }
    const int k = lm_class_in_row(D, c.modulus, c.far_numbers, c.sum, c.far, pass.phase, at->x);
    if (k < 0 || j >= c.begin[k + 1] - c.begin[k])
        return false;
    at->x[0] = c.list[c.begin[k] + j];
    at->index += at->x[0];
    return true;
}

/* Stores the thread's site, which has just been updated, in the neighbouring slabs' halos
 * (backends/cuda/connect.h). It is a function that finds the site again. Otherwise it would cost
 * whole lattices registers. */
template <int D, int REACH>
static __device__ __noinline__ void lm_field_hand_on(const lm_field_view &v,
                                                     const lm_cuda_field_pass &pass)
{
    const uint32_t replica = pass.replica + blockIdx.y;
    const uint64_t n = (uint64_t)lm_seam_block(v.seam) * LM_FIELD_BLOCK + threadIdx.x;
    const lm_element *const sites = lm_field_sites(v, replica);
    lm_field_neighbours<D, false> at;
    if (!lm_field_site_of_thread<D, REACH>(v, pass, n, &at))
        return;
    for (int side = 0; side < 2; side++) {
        const lm_field_far_halo &h = v.beyond[side];
        lm_element *const to = lm_field_beyond(v, side, replica, 0, at.index);
        for (int c = 0; to && c < LM_HOOK_COMPONENTS; c++) {
            const lm_element s = sites[(size_t)c * (size_t)v.count + at.index];
            to[(size_t)c * (size_t)h.count] = h.negative ? (lm_element)-s : s;
        }
    }
}

/* SLAB: its sites' numbers may pass 2^32, and its neighbours may need its layers. Whole lattices
 * pay for neither. */
template <int D, int REACH, bool SLAB>
static __global__ void __launch_bounds__(LM_FIELD_BLOCK, LM_HOOK_COLOUR_BLOCKS)
    field_colour(const __grid_constant__ lm_field_view v,
                 const __grid_constant__ lm_cuda_field_pass pass)
{
    const uint32_t replica = pass.replica + blockIdx.y;
    const lm_hook_rule &rule = ((const lm_hook_rule *)v.rules)[replica];
    const uint32_t block = SLAB ? lm_seam_block(v.seam) : lm_field_block(pass);
    const uint64_t n = (uint64_t)block * LM_FIELD_BLOCK + threadIdx.x;
    lm_element *const sites = lm_field_sites(v, replica);
    lm_field_neighbours<D, false> at;
    lm_hook_tally accepted = 0;
    at.sites = sites;
    at.fixed = lm_field_fixed(v, replica);
    const bool active = lm_field_site_of_thread<D, REACH>(v, pass, n, &at);
    lm_await_previous();
    if constexpr (SLAB)
        lm_seam_await(v.seam, lm_seam_sides_here(v.seam));
    if (active) {
        lm_field_find_neighbours(v, &at);
        const lm_hook_site site = lm_site_load<D, REACH>(rule, &at, v.kind);
        const lm_range below_2_32 = {0, 0, true};
        const lm_draws draws = {
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_replica + replica, 0),
            SLAB ? lm_field_range(v) : below_2_32,
            {at.index + v.base},
            {at.index + v.base},
            0,
            0,
            0};
        lm_real s[LM_HOOK_COMPONENTS];
        LM_UNROLL
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
            s[c] = lm_element_load(&sites[(size_t)c * (size_t)v.count + at.index]);
        lm_site_update(rule, site, s, pass.variant, draws, &accepted);
        LM_UNROLL
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
            lm_element_store(&sites[(size_t)c * (size_t)v.count + at.index], s[c]);
    }
    if (pass.count)
        lm_field_count(v, replica, lm_count_of_tally(accepted));
    if constexpr (SLAB) {
        const uint32_t sides = lm_seam_sides_here(v.seam);
        if (sides) {
            lm_field_hand_on<D, REACH>(v, pass);
            lm_seam_post(v.seam, sides);
        }
    }
}

static unsigned lm_field_blocks(uint64_t threads)
{
    return (unsigned)((threads + LM_FIELD_BLOCK - 1) / LM_FIELD_BLOCK);
}

static int fixed_values(int dims, int kind)
{
    (void)dims;
    (void)kind;
    return LM_HOOK_FIXED(dims, kind);
}

static cudaError_t launch_start(const lm_field_view *v, int hot, cudaStream_t stream)
{
    lm_cuda_field_pass pass = {};
    pass.phase = hot;
    return lm_field_launch(v, (const void *)field_start, dim3(lm_field_blocks((uint64_t)v->count)),
                           LM_FIELD_BLOCK, &pass, stream);
}

/* Returns a kernel, or NULL. There is none for a reach that the model does not have, and none
 * for cut chains. Where rows go by class there is none for whole lattices: lattices whose rows
 * are too long for classes go as slabs. */
template <int D, int REACH, bool SLAB> static const void *colour_kernel(void)
{
    if constexpr (LM_HOOK_HAS(REACH, 1) && (LM_HOOK_BY_CLASS ? SLAB : D > 1 || !SLAB))
        return (const void *)field_colour<D, REACH, SLAB>;
    return NULL;
}

#define LM_COLOUR_KERNELS(D)                                                                       \
    {                                                                                              \
        {colour_kernel<D, 1, false>(), colour_kernel<D, 1, true>()},                               \
        {                                                                                          \
            colour_kernel<D, 2, false>(), colour_kernel<D, 2, true>()                              \
        }                                                                                          \
    }

static cudaError_t launch_colour(const lm_field_view *v, const lm_cuda_field_pass *pass,
                                 cudaStream_t stream)
{
#if LM_HOOK_BY_COLOUR
    if (v->by_colour)
        return launch_checkerboard(v, pass, stream);
#endif
#if LM_HOOK_BY_CLASS
    if (v->by_class)
        return launch_classes(v, pass, stream);
#endif
    const void *const kernels[4][2][2] = {LM_COLOUR_KERNELS(1), LM_COLOUR_KERNELS(2),
                                          LM_COLOUR_KERNELS(3), LM_COLOUR_KERNELS(4)};
    const uint64_t threads = (uint64_t)pass->rows * v->colours.most;
    const lm_field_view view = lm_field_with_seam(v, pass, v->colours.most, LM_FIELD_BLOCK);
    return lm_field_launch(&view, kernels[v->dims - 1][v->reach - 1][v->slab || LM_HOOK_BY_CLASS],
                           dim3(lm_field_blocks(threads)), LM_FIELD_BLOCK, pass, stream);
}

#endif
