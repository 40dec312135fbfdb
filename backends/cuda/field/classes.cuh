/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates a colour of a whole lattice whose rows go by class (place.cuh). A thread has some
 * sites of a row, and what it finds of the row serves all of them. */
#ifndef LM_CUDA_FIELD_CLASSES_CUH
#define LM_CUDA_FIELD_CLASSES_CUH

#include "backends/cuda/field/neighbours.cuh"

enum { LM_CLASS_BLOCK = 128 };

/* The sides of a brick along axes 1 and 2. In three dimensions with reach 2 rows are taken in
 * bricks, where these sides divide the extents. Then 14 of a site's 24 neighbours lie in the
 * brick on average, and so in the cache of the block's multiprocessor. */
#define LM_BRICK_1 4u
#define LM_BRICK_2 2u

template <int D, int REACH>
static __host__ __device__ inline bool lm_has_bricks(const lm_field_view &v)
{
    return D == 3 && REACH == 2 && (v.last[1] + 1u) % LM_BRICK_1 == 0 &&
           (v.last[2] + 1u) % LM_BRICK_2 == 0;
}

/* Finds x[1 ..] of row number n of a launch, or with bricks of its strip. */
template <int D, int REACH>
LM_INLINE void lm_class_row(const lm_field_view &v, const lm_cuda_field_pass &pass, uint32_t n,
                            uint32_t *x)
{
    if (lm_has_bricks<D, REACH>(v)) {
        const uint32_t brick = n / (LM_BRICK_1 * LM_BRICK_2), in = n % (LM_BRICK_1 * LM_BRICK_2);
        const uint32_t above = lm_field_divide_by(brick * LM_BRICK_1, pass.by_1);
        x[1] = pass.first_1 + brick * LM_BRICK_1 - above * pass.rows_1 + in % LM_BRICK_1;
        x[2] = above * LM_BRICK_2 + in / LM_BRICK_1;
        return;
    }
    lm_field_row_coordinates<D>(v, n, x);
}

/* Finds where the sites of the pass's colour begin in the row with coordinates x[1 ..], and how
 * many there are. Two colours need no table: its loads would follow one another, and small
 * lattices would wait for them. */
template <int D, int REACH>
LM_INLINE uint32_t lm_class_begin(const lm_field_view &v, int colour, const uint32_t *x,
                                  uint32_t *count)
{
    const lm_field_colours &c = v.colours;
    if (REACH == 1 && c.parity) {
        uint32_t sum = (uint32_t)colour;
        LM_UNROLL
        for (int a = 1; a < D; a++)
            sum += x[a];
        *count = (v.last[0] + 2u - (sum & 1u)) / 2u;
        return lm_place_by_parity(v, sum & 1u);
    }
    const int k = lm_class_in_row(D, c.modulus, c.far_numbers, c.sum, c.far, colour, x);
    const uint32_t begin = k < 0 ? 0u : c.begin[k];
    *count = k < 0 ? 0u : c.begin[k + 1] - begin;
    return begin;
}

/* Returns the coordinate at place number `place` of a row. */
template <int REACH> LM_INLINE uint32_t lm_class_coordinate(const lm_field_view &v, uint32_t place)
{
    const uint32_t half = v.last[0] / 2u + 1u;
    if (REACH == 1 && v.colours.parity)
        return place < half ? 2u * place : 2u * (place - half) + 1u;
    return v.colours.list[place];
}

/* Finds the neighbours along axes 1 .. of a site whose at->x and at->in_row are set. Its row
 * begins at number `row` of the memory. */
template <int D, int REACH, bool ENDS>
LM_INLINE void lm_class_update(const lm_field_view &v, const lm_cuda_field_pass &pass,
                               uint32_t replica, lm_element *sites, uint32_t row,
                               lm_field_neighbours<D, false> *at, lm_hook_tally *accepted)
{
    const lm_hook_rule &rule = ((const lm_hook_rule *)v.rules)[replica];
    const uint32_t number = row + at->x[0];
    const lm_range below_2_32 = {0, 0, true};
    const lm_draws draws = {
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_replica + replica, 0),
        below_2_32,
        {number},
        {number},
        0,
        0,
        0};
    lm_real s[LM_HOOK_COMPONENTS];
    at->index = row + at->in_row;
    lm_field_find_along<ENDS>(v, at, 0);
    lm_field_find_in_row<D, REACH>(v, at);
    const lm_hook_site site = lm_site_load<D, REACH>(rule, at, ENDS ? v.kind : 0);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        s[c] = lm_element_load(&sites[(size_t)c * (size_t)v.count + at->index]);
    lm_site_update(rule, site, s, pass.variant, draws, accepted);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        lm_element_store(&sites[(size_t)c * (size_t)v.count + at->index], s[c]);
}

/* ENDS: some axis is open or antiperiodic. */
template <int D, int REACH, bool ENDS>
static __global__ void __launch_bounds__(LM_CLASS_BLOCK, LM_REAL_BITS == 64 ? 4 : 8)
    field_classes(const __grid_constant__ lm_field_view v,
                  const __grid_constant__ lm_cuda_field_pass pass)
{
    const uint32_t replica = pass.replica + blockIdx.y;
    const uint32_t n = lm_field_block(pass) * LM_CLASS_BLOCK + threadIdx.x;
    const uint32_t row = lm_field_divide_by(n, pass.by_threads);
    lm_element *sites = lm_field_sites(v, replica);
    asm("" : "+l"(sites)); /* otherwise the compiler computes it again for each neighbour */
    __builtin_assume(__isGlobal(sites));
    lm_field_neighbours<D, false> at;
    lm_hook_tally accepted = 0;
    uint32_t j = n - row * pass.threads, first = 0, begin = 0, count = 0;
    at.view = &v;
    at.sites = sites;
    at.fixed = NULL;
    if (row < pass.rows) {
        lm_class_row<D, REACH>(v, pass, pass.row + row, at.x);
        LM_UNROLL
        for (int a = 1; a < D; a++)
            first += at.x[a] * v.stride[a];
        begin = lm_class_begin<D, REACH>(v, pass.phase, at.x, &count);
        LM_UNROLL
        for (int a = 1; a < D; a++)
            lm_field_find_along<ENDS>(v, &at, a);
    }
    lm_await_previous();
    for (; j < count; j += pass.threads) {
        at.in_row = begin + j;
        at.x[0] = lm_class_coordinate<REACH>(v, at.in_row);
        lm_class_update<D, REACH, ENDS>(v, pass, replica, sites, first, &at, &accepted);
    }
    if (pass.count)
        lm_field_count(v, replica, lm_count_of_tally(accepted));
}

/* ---- launching */

/* The most sites of a thread, and the fewest threads for each multiprocessor with more than one
 * site. */
enum { LM_CLASS_SITES = 2, LM_CLASS_THREADS = 2048 };

/* Returns the threads of a row. */
static uint32_t class_threads(const lm_field_view *v, const lm_cuda_field_pass *pass)
{
    const uint64_t enough = (uint64_t)LM_CLASS_THREADS * (uint64_t)v->processors;
    uint32_t sites = LM_CLASS_SITES, threads;
    do {
        threads = (v->colours.most + sites - 1) / sites;
        sites /= 2;
    } while (sites > 0 && (uint64_t)pass->rows * v->replicas * threads < enough);
    return threads;
}

template <int D, int REACH, bool ENDS> static const void *class_kernel(void)
{
    if constexpr (LM_HOOK_HAS(REACH, 1))
        return (const void *)field_classes<D, REACH, ENDS>;
    return NULL;
}

#define LM_CLASS_KERNELS(D)                                                                        \
    {                                                                                              \
        {class_kernel<D, 1, false>(), class_kernel<D, 1, true>()},                                 \
        {                                                                                          \
            class_kernel<D, 2, false>(), class_kernel<D, 2, true>()                                \
        }                                                                                          \
    }

/*
 * The bytes of a plane above which a colour goes strip by strip. A site reads five planes. The L2
 * cache does not keep five planes that are larger, and each plane would come from memory more than
 * once a colour. So a colour goes through the lattice in strips, each of all planes with so many
 * bytes of each. Strips are launches, so that no other lattice's threads pay for them
 * (doc/performance-fields.md).
 */
#ifdef LM_DISTURB
#define LM_PLANE_BYTES 4096u /* for tests, whose small lattices must have strips, too */
#define LM_STRIP_BYTES 1024u
#else
#define LM_PLANE_BYTES (4u << 20)
#define LM_STRIP_BYTES (1u << 20)
#endif

/* Returns the rows along axis 1 of a strip. */
static uint32_t strip_rows(const lm_field_view *v)
{
    const uint64_t rows = v->last[1] + 1u, row = (v->last[0] + 1u) * (uint64_t)sizeof(lm_element);
    if (v->dims != 3 || v->reach != 2 || !lm_has_bricks<3, 2>(*v) || rows * row <= LM_PLANE_BYTES)
        return (uint32_t)rows;
    const uint32_t strip = (uint32_t)(LM_STRIP_BYTES / row) / LM_BRICK_1 * LM_BRICK_1;
    return strip > LM_BRICK_1 ? strip : LM_BRICK_1;
}

/* Launches `all` rows from number `first` on, of the lattice or of the pass's strip. */
static cudaError_t launch_rows(const lm_field_view *v, lm_cuda_field_pass *pass, uint32_t first,
                               uint32_t all, cudaStream_t stream)
{
    const void *const kernels[4][2][2] = {LM_CLASS_KERNELS(1), LM_CLASS_KERNELS(2),
                                          LM_CLASS_KERNELS(3), LM_CLASS_KERNELS(4)};
    const uint32_t most = LM_FIELD_DIVISOR_END / pass->threads;
    cudaError_t e = cudaSuccess;
    for (uint32_t done = 0; e == cudaSuccess && done < all; done += pass->rows) {
        pass->row = first + done;
        pass->rows = all - done < most ? all - done : most;
        const uint64_t threads = (uint64_t)pass->rows * pass->threads;
        e = lm_field_launch(v, kernels[v->dims - 1][v->reach - 1][lm_field_has_ends(v)],
                            dim3((unsigned)((threads + LM_CLASS_BLOCK - 1) / LM_CLASS_BLOCK)),
                            LM_CLASS_BLOCK, pass, stream);
    }
    return e;
}

static cudaError_t launch_classes(const lm_field_view *v, const lm_cuda_field_pass *whole,
                                  cudaStream_t stream)
{
    lm_cuda_field_pass pass = *whole;
    pass.threads = class_threads(v, whole);
    pass.by_threads = lm_field_divisor_of(pass.threads);
    const uint32_t rows = v->dims > 1 ? v->last[1] + 1u : 1u;
    const uint32_t strip = v->dims > 1 ? strip_rows(v) : rows;
    const uint32_t strips = (rows + strip - 1) / strip;
    cudaError_t e = cudaSuccess;
    for (uint32_t i = 0; e == cudaSuccess && i < strips; i++) {
        pass.first_1 = strip * (whole->backward ? strips - 1 - i : i);
        pass.rows_1 = rows - pass.first_1 < strip ? rows - pass.first_1 : strip;
        pass.by_1 = lm_field_divisor_of(pass.rows_1);
        e = strips > 1 ? launch_rows(v, &pass, 0, pass.rows_1 * (v->last[2] + 1u), stream)
                       : launch_rows(v, &pass, whole->row, whole->rows, stream);
    }
    return e;
}

#endif
