/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes block Metropolis updates. A thread block takes one or four tiles and their surroundings
 * into shared memory, sweeps them there `local_sweeps` times, and writes them back.
 */
#ifndef LM_CUDA_FIELD_TILES_CUH
#define LM_CUDA_FIELD_TILES_CUH

#include "backends/cuda/field/tile_memory.cuh"

static_assert(LM_HOOK_COMPONENTS == 1, "a tile's box has one number a site");

/* ---- what a site sees in the box */

template <int D, int REACH, int TILES> struct lm_tile_reader {
    typedef lm_tile_shape<D, REACH, TILES> shape;
    const lm_scalar *centre;
    const uint8_t (*along)[shape::width]; /* bonds by the coordinate in the box */
    const int *x;                         /* coordinates in the tile */

    __device__ __forceinline__ int bonds(int a, int s = 0) const
    {
        return along[a][x[a] + REACH + s];
    }
};

template <int D, int REACH, int TILES>
LM_INLINE lm_real lm_reader_one(const lm_tile_reader<D, REACH, TILES> *read, int, int a, int s)
{
    return read->centre[s * lm_tile_shape<D, REACH, TILES>::stride(a)];
}

template <int D, int REACH, int TILES>
LM_INLINE lm_real lm_reader_two(const lm_tile_reader<D, REACH, TILES> *read, int, int a, int s,
                                int b, int t)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    return read->centre[s * shape::stride(a) + t * shape::stride(b)];
}

template <int D, int REACH, int TILES>
LM_INLINE lm_real lm_reader_degree(const lm_tile_reader<D, REACH, TILES> *read, int a, int s)
{
    int degree = read->bonds(a, s);
    LM_UNROLL
    for (int b = 0; b < D; b++)
        degree += b == a ? 0 : read->bonds(b);
    return (lm_real)degree;
}

/*
 * What a thread keeps that goes along a row: the row itself, from two steps below to two above, and
 * the crosses from one step below to one above. Invariant: nobody else changes any of it before it
 * is used. Rows beside this one have other shifts. None of their sites is visited while it is
 * within one step of the thread's place, or the two sites would not have different colours. The
 * same holds for two steps on the row itself, whose other runs keep in step with this one.
 */
typedef struct lm_row_window {
    lm_real row[5], cross[3];
} lm_row_window;

template <int D, class READER> LM_INLINE void lm_window_fill(const READER *read, lm_row_window *s)
{
    LM_UNROLL
    for (int i = 0; i < 5; i++)
        s->row[i] = lm_reader_one(read, 0, 0, i - 2);
    LM_UNROLL
    for (int i = 0; i < 3; i++)
        s->cross[i] = lm_hook_cross(read, D, i - 1);
}

/* Moves the window when the place has moved one step up. */
template <int D, class READER> LM_INLINE void lm_window_slide(const READER *read, lm_row_window *s)
{
    LM_UNROLL
    for (int i = 0; i < 4; i++)
        s->row[i] = s->row[i + 1];
    s->row[4] = lm_reader_one(read, 0, 0, 2);
    s->cross[0] = s->cross[1];
    s->cross[1] = s->cross[2];
    s->cross[2] = lm_hook_cross(read, D, 1);
}

LM_INLINE lm_hook_line lm_window_line(const lm_row_window &s)
{
    const lm_hook_line line = {
        s.row[1] + s.row[3], s.row[0] + s.row[4], {s.cross[0], s.cross[1], s.cross[2]}};
    return line;
}

/* ---- segments */

typedef struct lm_row_segment {
    int tile, x[4]; /* the run's first site in the tile */
    int place;      /* place of the run's first visit: (- shift) % modulus */
    int extent;     /* extent of the run; 0 or less if the tile has no such run */
    int at;         /* place in the box of the run's first site */
    uint32_t index; /* number of this site in the lattice, modulo 2^32 */
} lm_row_segment;

template <int D, int TILES> LM_INLINE void lm_segment_among_tiles(lm_row_segment *s)
{
    const int warp = (int)threadIdx.x / 32, in_warp = (int)threadIdx.x % 32, rest = in_warp / TILES;
    s->tile = in_warp % TILES;
    if constexpr (D == 2) { /* 2 y = 2 warp, modulo 8 */
        s->x[0] = rest % 2 * 8;
        s->x[1] = warp + 4 * (rest / 2);
    } else { /* 2 y + 3 z = warp, modulo 8 */
        s->x[0] = 0;
        s->x[2] = warp % 2 + 2 * (rest % 4);
        s->x[1] = ((warp - 3 * s->x[2]) / 2 & 3) + 4 * (rest / 4);
    }
}

template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE lm_row_segment lm_segment_of(const lm_field_view &v,
                                       const lm_tile_memory<D, REACH, OPEN, TILES> &memory)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    lm_row_segment s = {};
    if constexpr (TILES > 1) {
        lm_segment_among_tiles<D, TILES>(&s);
    } else {
        const int row = (int)threadIdx.x / shape::per_row;
        s.x[0] = (int)threadIdx.x % shape::per_row * shape::modulus;
        LM_UNROLL
        for (int a = 1; a < D; a++)
            s.x[a] = row >> (a - 1) * shape::log & (shape::most - 1);
    }
    const lm_tile &t = memory.tiles[s.tile];
    int shift = 0;
    s.extent = (int)t.extent[0] - s.x[0];
    s.at = s.x[0] + REACH;
    s.index = t.index + (uint32_t)s.x[0];
    LM_UNROLL
    for (int a = 1; a < D; a++) {
        shift += LM_TILE_COEFFICIENT(a, REACH) * s.x[a];
        s.at += (s.x[a] + REACH) * shape::stride(a);
        s.index += (uint32_t)s.x[a] * v.stride[a];
        if (s.x[a] >= (int)t.extent[a])
            s.extent = 0;
    }
    s.place = (shape::modulus - shift % shape::modulus) % shape::modulus;
    return s;
}

/* ---- local sweeps */

/* What all visits of a thread have in common, and the thread's place. */
template <int D, int REACH, bool OPEN, int TILES> struct lm_tile_cursor {
    const lm_hook_rule *rule;
    lm_tile_memory<D, REACH, OPEN, TILES> *memory;
    lm_row_segment segment;
    lm_row_window window;
    lm_draws draws;
    lm_scalar *centre; /* the site's place in the box */
    int place;         /* the site's place in its run */
    lm_hook_tally accepted;

    __device__ __forceinline__ lm_tile_reader<D, REACH, TILES> reader()
    {
        const lm_tile_reader<D, REACH, TILES> read = {centre, memory->bonds, segment.x};
        return read;
    }
};

/* Moves to the place of the next colour. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_cursor_advance(lm_tile_cursor<D, REACH, OPEN, TILES> *w)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    const bool back = w->place == shape::modulus - 1;
    const int step = back ? 1 - shape::modulus : 1;
    w->place += step;
    w->centre += step;
    if constexpr (shape::slides) {
        const auto read = w->reader();
        if (back)
            lm_window_fill<D>(&read, &w->window);
        else
            lm_window_slide<D>(&read, &w->window);
    }
}

/* Updates the site of a colour: `hits` proposals with numbers that are drawn now, or with the
 * numbers at u. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_cursor_visit(lm_tile_cursor<D, REACH, OPEN, TILES> *w, int hits,
                               const uint32_t *u)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    const auto read = w->reader();
    lm_row_segment *const segment = &w->segment;
    if (w->place >= segment->extent)
        return;
    if constexpr (OPEN)
        segment->x[0] += w->place;
    const lm_hook_line line =
        shape::slides ? lm_window_line(w->window) : lm_hook_line_of(&read, D, REACH);
    const lm_hook_site site = lm_hook_load_line<D, REACH, OPEN>(*w->rule, &read, &line);
    if constexpr (OPEN)
        segment->x[0] -= w->place;
    const lm_real phi = shape::slides ? w->window.row[2] : *read.centre;
    w->draws.site.low = segment->index + (uint32_t)w->place;
    w->window.row[2] =
        u ? lm_hook_propose_drawn(site, phi, w->rule->epsilon, hits, w->draws, u, &w->accepted)
          : lm_hook_propose(site, phi, w->rule->epsilon, hits, w->draws, &w->accepted);
    *w->centre = w->window.row[2];
}

/* Makes local sweep l of few hits. Colours that share a block of random numbers draw it once.
 * (This is for floats: doubles gain little.) */
template <int HITS, int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_sweep_sharing(lm_tile_cursor<D, REACH, OPEN, TILES> *w, int l)
{
    constexpr int modulus = lm_tile_shape<D, REACH, TILES>::modulus;
    constexpr int sharing = 4 / HITS < modulus ? 4 / HITS : modulus;
#pragma unroll 1
    for (int first = 0; first < modulus; first += sharing) {
        uint32_t u[4];
        lm_hook_tile_draws(&w->draws, HITS, first, l);
        lm_draw_block(&w->draws, w->draws.index, w->draws.block, u);
        LM_UNROLL
        for (int j = 0; j < sharing; j++) {
            if (modulus % sharing != 0 && first + j == modulus)
                break;
            w->draws.word = j * HITS;
            lm_cursor_visit(w, HITS, u + j * HITS);
            __syncthreads();
            lm_cursor_advance(w);
        }
    }
}

/* HITS: the number of hits, or 0 for any number. */
template <int HITS, int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_sweep_each(lm_tile_cursor<D, REACH, OPEN, TILES> *w, int any, int l)
{
    const int hits = HITS ? HITS : any;
#pragma unroll 1
    for (int colour = 0; colour < lm_tile_shape<D, REACH, TILES>::modulus; colour++) {
        lm_hook_tile_draws(&w->draws, hits, colour, l);
        lm_cursor_visit(w, hits, NULL);
        __syncthreads();
        lm_cursor_advance(w);
    }
}

template <int HITS, int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_sweeps(lm_tile_cursor<D, REACH, OPEN, TILES> *w, int hits, int local_sweeps)
{
    for (int l = 0; l < local_sweeps; l++) {
        if constexpr (LM_REAL_BITS == 32 && (HITS == 1 || HITS == 2))
            lm_tile_sweep_sharing<HITS>(w, l);
        else
            lm_tile_sweep_each<HITS>(w, hits, l);
    }
}

/* Chooses code for the number of hits. A known number is shorter: with eight hits a visit takes
 * a tenth fewer instructions. But each number needs its own code, so the tiles of small lattices
 * have few of them. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_sweep(lm_tile_cursor<D, REACH, OPEN, TILES> *w, int hits, int local_sweeps)
{
    constexpr bool floats = LM_REAL_BITS == 32, slides = lm_tile_shape<D, REACH, TILES>::slides;
    if constexpr (slides) {
        const auto read = w->reader();
        lm_window_fill<D>(&read, &w->window);
    }
    if (floats && hits == 1)
        lm_tile_sweeps<1>(w, hits, local_sweeps);
    else if (floats && hits == 2)
        lm_tile_sweeps<2>(w, hits, local_sweeps);
    else if (floats && slides && hits == 4)
        lm_tile_sweeps<4>(w, hits, local_sweeps);
    else if (floats && slides && hits == 8)
        lm_tile_sweeps<8>(w, hits, local_sweeps);
    else
        lm_tile_sweeps<0>(w, hits, local_sweeps);
}

/* Writes each thread's segment, 16 bytes at a time where alignment allows. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_store(const lm_tile_cursor<D, REACH, OPEN, TILES> &w, lm_scalar *to)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    struct alignas(16) bytes16 {
        lm_scalar phi[16 / sizeof(lm_scalar)];
    };
    constexpr int bundle = shape::modulus < shape::most ? shape::modulus : shape::most;
    constexpr int length = 16 / sizeof(lm_scalar);
    const lm_scalar *const from = w.centre - w.place;
    const int extent = w.segment.extent;
    if (bundle % length == 0 && extent >= bundle && (uintptr_t)to % 16 == 0) {
        LM_UNROLL
        for (int i = 0; i < bundle / length; i++) {
            bytes16 p;
            LM_UNROLL
            for (int k = 0; k < length; k++)
                p.phi[k] = from[i * length + k];
            ((bytes16 *)to)[i] = p;
        }
        return;
    }
    for (int i = 0; i < bundle && i < extent; i++)
        to[i] = from[i];
}

/* Stores the thread's segment in the neighbouring slabs' halos, as in colours.cuh. */
template <int D, int REACH, bool OPEN, int TILES>
static __device__ __noinline__ void
lm_tile_hand_on(const lm_field_view &v, const lm_cuda_field_pass &pass,
                const lm_tile_memory<D, REACH, OPEN, TILES> &memory)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    constexpr int bundle = shape::modulus < shape::most ? shape::modulus : shape::most;
    const uint32_t replica = pass.replica + blockIdx.y;
    const auto s = lm_segment_of(v, memory);
    const lm_scalar *const from = &memory.box[s.tile][s.at];
    for (int side = 0; side < 2; side++) {
        const bool negative = v.beyond[side].negative;
        lm_scalar *const to = lm_field_beyond(v, side, replica, 0, s.index - v.base);
        for (int i = 0; to && i < bundle && i < s.extent; i++)
            to[i] = negative ? -from[i] : from[i];
    }
}

/* SLAB: its sites' numbers may pass 2^32, and its neighbours may need its layers. Whole lattices
 * pay for neither. */
template <int D, int REACH, bool OPEN, int TILES, bool SLAB>
static __global__ void
    __launch_bounds__((lm_tile_shape<D, REACH, TILES>::threads),
                      (lm_field_at_once<TILES>(lm_tile_shape<D, REACH, TILES>::threads)))
        field_tiles(const __grid_constant__ lm_field_view v,
                    const __grid_constant__ lm_cuda_field_pass pass)
{
    __shared__ lm_tile_memory<D, REACH, OPEN, TILES> memory;
    const uint32_t replica = pass.replica + blockIdx.y;
    const lm_hook_rule &all = ((const lm_hook_rule *)v.rules)[replica];
    lm_scalar *sites = lm_field_sites(v, replica);
    asm("" : "+l"(sites)); /* otherwise the compiler adds up the three for every site */
    __builtin_assume(__isGlobal(sites));
    lm_tile_set_up(v, pass.phase, &memory);
    lm_await_previous();
    if (SLAB && v.connected)
        lm_seam_await(v.seam, lm_seam_sides(v.seam, lm_tile_block(pass.phase)));
    lm_tile_fetch(sites, &memory);
    const lm_hook_rule one = lm_hook_of_degree<D>(all);
    lm_tile_cursor<D, REACH, OPEN, TILES> w;
    w.rule = OPEN ? &all : &one;
    w.memory = &memory;
    w.segment = lm_segment_of(v, memory);
    w.place = w.segment.place;
    w.centre = &memory.box[w.segment.tile][w.segment.at + w.place];
    w.accepted = 0;
    w.draws.stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_replica + replica, 0);
    if (SLAB)
        w.draws.stream.c1 |= lm_high_in(lm_field_range(v), w.segment.index);
    w.draws.range = {SLAB ? w.segment.index : 0u, 0, true};
    w.draws.index.low = w.segment.index;
    lm_tile_receive(&memory);
    lm_tile_sweep(&w, all.hits, all.local_sweeps);
    lm_tile_store(w, sites + (w.segment.index - v.base));
    if (pass.count)
        lm_field_count(v, replica, lm_count_of_tally(w.accepted));
    const uint32_t sides = SLAB ? lm_seam_sides(v.seam, lm_tile_block(pass.phase)) : 0u;
    if (sides) {
        lm_tile_hand_on(v, pass, memory);
        lm_seam_post(v.seam, sides);
    }
}

/* ---- launching */

typedef struct lm_tile_kernel {
    const void *kernel[2];   /* [slab] */
    unsigned tiles, threads; /* tiles and threads of a block */
} lm_tile_kernel;

/* Returns a kernel, or NULL: chains are not cut. */
template <int D, int REACH, bool OPEN, int TILES, bool SLAB> static const void *tile_kernel(void)
{
    if constexpr (D > 1 || !SLAB)
        return (const void *)field_tiles<D, REACH, OPEN, TILES, SLAB>;
    return NULL;
}

#define LM_TILE_KERNEL(D, R, O, T)                                                                 \
    {                                                                                              \
        {tile_kernel<D, R, O, T, false>(), tile_kernel<D, R, O, T, true>()}, T,                    \
            (unsigned)lm_tile_shape<D, R, T>::threads                                              \
    }
/* [many]: kernels for few tiles, for many tiles */
#define LM_TILE_KERNELS(D, R, O)                                                                   \
    {                                                                                              \
        LM_TILE_KERNEL(D, R, O, 1), LM_TILE_KERNEL(D, R, O, (lm_field_tiles_of_block<D, R, O>()))  \
    }
#define LM_TILE_KERNELS_OF(D)                                                                      \
    {                                                                                              \
        {LM_TILE_KERNELS(D, 1, false), LM_TILE_KERNELS(D, 1, true)},                               \
        {                                                                                          \
            LM_TILE_KERNELS(D, 2, false), LM_TILE_KERNELS(D, 2, true)                              \
        }                                                                                          \
    }

/* Sets the launch's tiles at side s. They have consecutive numbers, in one parity's half of the
 * launch's numbers or in the other half. */
static void lm_tile_cut_side(const lm_field_view *v, const lm_cuda_field_pass *pass, int s,
                             unsigned each, lm_seam *seam)
{
    const int axis = v->dims - 1;
    const uint32_t k = s ? v->tiles[axis] - 1u : 0u;
    const int others = (int)(k & 1u) != (pass->phase >> axis & 1);
    const int parity = others ? ~pass->phase : pass->phase;
    const uint64_t before = others ? lm_tiles_of_parity(*v, pass->phase) : 0u;
    uint64_t plane = 1;
    for (int a = 0; a < axis; a++)
        plane *= lm_tiles_along(*v, parity, a);
    if (pass->ends >> s & 1 && (!others || LM_TILE_PAIRS(v->dims)))
        lm_seam_cut(seam, s, before + k / 2u * plane, before + (k / 2u + 1u) * plane, each);
}

static cudaError_t launch_tiles(const lm_field_view *v, const lm_cuda_field_pass *pass,
                                cudaStream_t stream)
{
    const lm_tile_kernel kernels[4][2][2][2] = {LM_TILE_KERNELS_OF(1), LM_TILE_KERNELS_OF(2),
                                                LM_TILE_KERNELS_OF(3), LM_TILE_KERNELS_OF(4)};
    const uint32_t tiles = lm_tiles_of_parity(*v, pass->phase) +
                           (LM_TILE_PAIRS(v->dims) ? lm_tiles_of_parity(*v, ~pass->phase) : 0u);
    const int many = (uint64_t)tiles * v->replicas >= LM_FIELD_MANY_TILES * (uint64_t)v->processors;
    const lm_tile_kernel *const k = &kernels[v->dims - 1][v->reach - 1][v->any_open != 0][many];
    lm_field_view view = *v;
    if (tiles == 0)
        return cudaSuccess;
    for (int s = 0; s < 2; s++)
        lm_tile_cut_side(v, pass, s, k->tiles, &view.seam);
    return lm_field_launch(&view, k->kernel[v->slab], dim3((tiles + k->tiles - 1) / k->tiles),
                           k->threads, pass, stream);
}

#endif
