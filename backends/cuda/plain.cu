/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One colour of a large lattice by the plain rule. A thread takes ROWS rows of one column
 * of words: they share the loads of the column, and they share the rare draws beyond the
 * head. After the head of 8 planes one word in ten still has a tied site, so that nearly
 * every warp would draw again for each of its words; with the tied words of a thread
 * in one queue, a warp draws about 2.3 times for four words instead of four times.
 */
#include "backends/cuda/plain.cuh"

enum { BLOCK = 256, BLOCKS_AT_ONCE = 3 };

/* Rows of a thread; a chain has only one. */
__host__ __device__ constexpr int rows_of(int dims)
{
    return dims > 1 ? 4 : 1;
}

/* The words below and above a column of ROWS rows, and the column. */
template <int D> struct column {
    uint32_t word[rows_of(D) + 2];
    uint32_t carry[rows_of(D)]; /* the word that the row's second x-neighbour comes over from */
};

typedef struct work {
    uint32_t j, y, plane; /* word of the row, first row of the plane, plane */
    int lean;             /* of row y: 1 if its sites' second x-neighbour is at k + 1 */
} work;

template <int D> LM_INLINE work work_of(const lm_view &v, uint32_t number, int colour)
{
    constexpr int ROWS = rows_of(D);
    work w;
    const uint32_t blocks = D > 1 ? ((uint32_t)v.extents[1] + ROWS - 1) / ROWS : 1;
    const uint32_t line = number / v.width;
    w.j = number - line * v.width;
    w.plane = line / blocks;
    w.y = (line - w.plane * blocks) * ROWS;
    const uint32_t sum =
        D < 4 ? w.plane : w.plane / (uint32_t)v.extents[2] + w.plane % (uint32_t)v.extents[2];
    w.lean = (int)(sum & 1u) ^ colour;
    return w;
}

template <int D>
LM_INLINE column<D> load_column(const lm_view &v, const work &w, const uint32_t *other)
{
    const uint32_t height = D > 1 ? (uint32_t)v.extents[1] : 1;
    const uint32_t next = w.j + 1 == v.width ? 0 : w.j + 1, last = w.j == 0 ? v.width - 1 : w.j - 1;
    const uint32_t *plane = other + (size_t)w.plane * height * v.width;
    constexpr int ROWS = rows_of(D);
    column<D> c;
    LM_UNROLL
    for (int m = 0; m < ROWS; m++) {
        const uint32_t y = w.y + m < height ? w.y + m : height - 1;
        c.word[m + 1] = plane[(size_t)y * v.width + w.j];
        c.carry[m] = plane[(size_t)y * v.width + ((w.lean ^ m) & 1 ? next : last)];
    }
    if (D > 1) {
        const uint32_t under = w.y == 0 ? height - 1 : w.y - 1;
        const uint32_t over = w.y + ROWS < height ? w.y + ROWS : 0;
        c.word[0] = plane[(size_t)under * v.width + w.j];
        c.word[ROWS + 1] = plane[(size_t)over * v.width + w.j];
        LM_UNROLL
        for (int m = 0; m < ROWS; m++) /* the plane may end within the column */
            if (w.y + m + 1 == height)
                c.word[m + 2] = plane[w.j];
    }
    return c;
}

/* Words of the neighbours of row m of the column, by slot. */
template <int D>
LM_INLINE void neighbours(const lm_view &v, const work &w, const column<D> &c,
                          const uint32_t *const *planes, uint32_t at, int m, uint32_t *u)
{
    u[0] = c.word[m + 1];
    u[1] = (w.lean ^ m) & 1 ? lm_from_above(v, c.word[m + 1], c.carry[m], w.j + 1 == v.width)
                            : lm_from_below(v, c.word[m + 1], c.carry[m], w.j == 0);
    if (D > 1) {
        u[2] = c.word[m];
        u[3] = c.word[m + 2];
    }
    LM_UNROLL
    for (int i = 0; i < 2 * (D - 2); i++)
        u[4 + i] = planes[i][at];
}

/* Planes next to this one along axes 2 and 3. */
template <int D>
LM_INLINE void find_planes(const lm_view &v, uint32_t plane, const uint32_t *other,
                           const uint32_t **planes)
{
    const size_t words = (size_t)v.extents[1] * v.width;
    const uint32_t l2 = (uint32_t)v.extents[2], l3 = (uint32_t)v.extents[3];
    const uint32_t x3 = D == 4 ? plane / l2 : 0, x2 = plane - x3 * l2;
    if (D >= 3) {
        planes[0] = other + words * (x3 * l2 + (x2 == 0 ? l2 - 1 : x2 - 1));
        planes[1] = other + words * (x3 * l2 + (x2 + 1 == l2 ? 0 : x2 + 1));
    }
    if (D == 4) {
        planes[2] = other + words * ((x3 == 0 ? l3 - 1 : x3 - 1) * l2 + x2);
        planes[3] = other + words * ((x3 + 1 == l3 ? 0 : x3 + 1) * l2 + x2);
    }
}

/* Draws on until no row of the column is tied. */
template <int D>
LM_INLINE void settle(const lm_view &v, const uint32_t *planes, const lm_stream &stream,
                      uint32_t index, const lm_ising_class *c, lm_ballot *b)
{
    constexpr int ROWS = rows_of(D);
    for (int draw = LM_ISING_HEAD;;) {
        lm_ballot one = {0, 0};
        lm_ising_class of = {0, 0, 0};
        int which = 0;
        LM_UNROLL
        for (int m = 0; m < ROWS; m++)
            if (b[m].tied) {
                one.tied = b[m].tied;
                of = c[m];
                which = m;
            }
        if (!one.tied)
            return;
        lm_ising_more(D, &one, &of, planes, &stream, index + which * v.width, draw);
        if (draw == LM_ISING_DRAWS - 1)
            one.tied = 0;
        draw = one.tied ? draw + 1 : LM_ISING_HEAD;
        LM_UNROLL
        for (int m = 0; m < ROWS; m++)
            if (m == which) {
                b[m].yes |= one.yes;
                b[m].tied = one.tied;
            }
    }
}

template <int D, bool SIGNS>
__global__ void __launch_bounds__(BLOCK, BLOCKS_AT_ONCE) plain_kernel(lm_view v, lm_pass pass)
{
    constexpr int ROWS = rows_of(D);
    const uint32_t height = D > 1 ? (uint32_t)v.extents[1] : 1, g = blockIdx.y;
    work w = work_of<D>(v, blockIdx.x * BLOCK + threadIdx.x, pass.colour);
    const bool inside = w.plane * height < v.rows; /* the last warp has no one leave early */
    if (!inside)
        w.plane = 0;
    const uint32_t first = (w.plane * height + w.y) * v.width + w.j;
    uint32_t *own = v.sites + g * v.group_stride + pass.colour * v.sublattice_stride;
    const uint32_t *other = v.sites + g * v.group_stride + (1 - pass.colour) * v.sublattice_stride;
    const uint32_t *planes = v.plain_planes + g * 32 * D, *next[4];
    const lm_head<D> head = lm_load_head<D>(planes);
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const column<D> c = load_column<D>(v, w, other);
    find_planes<D>(v, w.plane, other, next);
    const uint32_t valid = inside ? lm_valid(v, w.j) & v.lanes[g] : 0, flip = v.flip[g];
    uint32_t spins[ROWS];
    lm_ising_class kind[ROWS];
    lm_ballot ballot[ROWS];
    LM_UNROLL
    for (int m = 0; m < ROWS; m++) {
        const uint32_t at = first + m * v.width;
        const bool exists = w.y + m < height;
        uint32_t u[2 * D];
        spins[m] = exists ? own[at] : 0;
        neighbours<D>(v, w, c, next, (w.y + (exists ? m : 0)) * v.width + w.j, m, u);
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            u[i] ^= spins[m] ^ flip;
            if (SIGNS && exists)
                u[i] ^= __ldg(v.sign + (size_t)(pass.colour * 2 * D + i) * v.rows * v.width + at);
        }
        uint32_t r[4 * LM_ISING_HEAD];
        LM_UNROLL
        for (int draw = 0; draw < LM_ISING_HEAD; draw++)
            lm_random_words(&stream, at, draw, r + 4 * draw);
        kind[m] = lm_ising_classify(D, u);
        ballot[m] = lm_ising_head(D, &kind[m], head.planes, r, exists ? valid : 0);
    }
    settle<D>(v, planes, stream, first, kind, ballot);
    LM_UNROLL
    for (int m = 0; m < ROWS; m++) {
        if (inside && w.y + m < height)
            own[first + m * v.width] = spins[m] ^ ballot[m].yes;
        if (pass.count)
            lm_add_bits(v, g, v.dims + 1, ballot[m].yes);
    }
}

/* The sums of a whole lattice: all bonds are bonds of sublattice 0. */
template <int D, bool SIGNS>
__global__ void __launch_bounds__(BLOCK) measure_kernel(lm_view v, uint32_t columns)
{
    constexpr int ROWS = rows_of(D);
    const uint32_t height = D > 1 ? (uint32_t)v.extents[1] : 1, g = blockIdx.y;
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride,
                   *next[4];
    lm_sums sums = {{0, 0, 0, 0}, 0};
    for (uint32_t from = blockIdx.x * BLOCK; from < columns; from += gridDim.x * BLOCK) {
        const bool inside = from + threadIdx.x < columns;
        const work w = work_of<D>(v, inside ? from + threadIdx.x : 0, 0);
        const uint32_t first = (w.plane * height + w.y) * v.width + w.j;
        const column<D> c = load_column<D>(v, w, other);
        find_planes<D>(v, w.plane, other, next);
        LM_UNROLL
        for (int m = 0; m < ROWS; m++) {
            const bool exists = inside && w.y + m < height;
            const uint32_t at = exists ? first + m * v.width : 0;
            const uint32_t valid = exists ? lm_valid(v, w.j) & v.lanes[g] : 0, s = own[at];
            uint32_t u[2 * D];
            neighbours<D>(v, w, c, next, (w.y + (exists ? m : 0)) * v.width + w.j, m, u);
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++) {
                u[i] ^= s;
                if (SIGNS)
                    u[i] ^= __ldg(v.sign + (size_t)i * v.rows * v.width + at);
                lm_sum_bonds(v, g, i / 2, valid, valid & u[i], &sums);
            }
            lm_sum_spins(v, g, s & valid, &sums);
            lm_sum_spins(v, g, other[at] & valid, &sums);
        }
    }
    lm_finish_sums(v, g, sums);
}

typedef void (*kernel)(lm_view, lm_pass);

static const kernel kernels[4][2] = {{plain_kernel<1, false>, plain_kernel<1, true>},
                                     {plain_kernel<2, false>, plain_kernel<2, true>},
                                     {plain_kernel<3, false>, plain_kernel<3, true>},
                                     {plain_kernel<4, false>, plain_kernel<4, true>}};

typedef void (*measurer)(lm_view, uint32_t);

static const measurer measurers[4][2] = {{measure_kernel<1, false>, measure_kernel<1, true>},
                                         {measure_kernel<2, false>, measure_kernel<2, true>},
                                         {measure_kernel<3, false>, measure_kernel<3, true>},
                                         {measure_kernel<4, false>, measure_kernel<4, true>}};

extern "C" int lm_plain_serves(const lm_view *v)
{
    return lm_is_plain(v) && v->groups < 65536;
}

/* Threads that a colour takes. */
static uint32_t columns_of(const lm_view *v)
{
    const int64_t height = v->dims > 1 ? v->extents[1] : 1, each = rows_of(v->dims);
    return (uint32_t)((height + each - 1) / each * (v->rows / height) * v->width);
}

extern "C" cudaError_t lm_launch_plain(const lm_view *v, const lm_pass *pass, cudaStream_t stream)
{
    const dim3 grid((columns_of(v) + BLOCK - 1) / BLOCK, v->groups);
    kernels[v->dims - 1][v->sign != NULL]<<<grid, BLOCK, 0, stream>>>(*v, *pass);
    return cudaGetLastError();
}

extern "C" int lm_plain_measures(const lm_view *v)
{
    return v->folded && v->whole && !v->gone && v->groups < 65536 &&
           v->rows * v->width * (int64_t)v->groups < (int64_t)1 << 31;
}

extern "C" cudaError_t lm_launch_plain_measure(const lm_view *v, cudaStream_t stream)
{
    enum { MOST_BLOCKS = 528 }; /* enough for every multiprocessor, few enough atomics */
    const uint32_t blocks = (columns_of(v) + BLOCK - 1) / BLOCK;
    const dim3 grid(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, v->groups);
    measurers[v->dims - 1][v->sign != NULL]<<<grid, BLOCK, 0, stream>>>(*v, columns_of(v));
    return cudaGetLastError();
}
