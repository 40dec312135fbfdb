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

/* n / d for n < 2^31 by a multiplication (Granlund and Montgomery, PLDI 1994). */
typedef struct divisor {
    uint32_t d, factor, shift;
} divisor;

static divisor divisor_of(uint32_t d)
{
    uint32_t log = 0;
    while (((uint64_t)1 << log) < d)
        log++;
    divisor v = {d, 0, 0};
    if (d > 1) {
        v.factor = (uint32_t)((((uint64_t)1 << (31 + log)) + d - 1) / d);
        v.shift = log - 1;
    }
    return v;
}

LM_INLINE uint32_t over(uint32_t n, const divisor &v)
{
    return v.d == 1 ? n : __umulhi(n, v.factor) >> v.shift;
}

/* How columns of ROWS words are numbered: word of the row fastest, then the place in the
 * plane, then the plane. */
typedef struct layout {
    divisor width, stacks, x2; /* W, columns above each other in a plane, L2 */
    uint32_t height, x3;       /* L1, L3 */
    uint32_t columns;
} layout;

template <int D> struct column {
    uint32_t first;                /* word of the sublattice, of the lowest row */
    uint32_t j, y;                 /* word of the row, lowest row in its plane */
    int lean;                      /* of row y: 1 if its second x-neighbours are at k + 1 */
    uint32_t aside[2 * D];         /* [4 ..]: words below and above `first` along axes 2 and 3 */
    uint32_t word[rows_of(D) + 2]; /* of the other sublattice, and those below and above */
    uint32_t carry[rows_of(D)];    /* which the second x-neighbours come over from */
};

template <int D> LM_INLINE column<D> locate(const layout &l, uint32_t number, int colour)
{
    column<D> c;
    const uint32_t line = over(number, l.width), plane = over(line, l.stacks);
    const uint32_t x3 = D == 4 ? over(plane, l.x2) : 0, x2 = plane - x3 * l.x2.d;
    const uint32_t size = l.height * l.width.d, size2 = size * l.x2.d;
    c.j = number - line * l.width.d;
    c.y = (line - plane * l.stacks.d) * rows_of(D);
    c.first = (plane * l.height + c.y) * l.width.d + c.j;
    c.lean = (int)((x2 + x3) & 1u) ^ colour;
    if (D >= 3) {
        c.aside[4] = x2 == 0 ? c.first + size2 - size : c.first - size;
        c.aside[5] = x2 + 1 == l.x2.d ? c.first - size2 + size : c.first + size;
    }
    if (D == 4) {
        c.aside[6] = x3 == 0 ? c.first + size2 * (l.x3 - 1) : c.first - size2;
        c.aside[7] = x3 + 1 == l.x3 ? c.first - size2 * (l.x3 - 1) : c.first + size2;
    }
    return c;
}

/* Is row m of the column in the lattice: always, if all columns are WHOLE. */
template <int D, bool WHOLE> LM_INLINE bool exists(const layout &l, const column<D> &c, int m)
{
    return WHOLE || c.y + m < l.height;
}

template <int D, bool WHOLE>
LM_INLINE void load_column(const layout &l, const uint32_t *other, column<D> *c)
{
    constexpr int ROWS = rows_of(D);
    const uint32_t w = l.width.d;
    const uint32_t next = c->j + 1 == w ? c->first - c->j : c->first + 1;
    const uint32_t last = c->j == 0 ? c->first + w - 1 : c->first - 1;
    const uint32_t even = c->lean ? next : last, odd = c->lean ? last : next;
    LM_UNROLL
    for (int m = 0; m < ROWS; m++) {
        const bool is = exists<D, WHOLE>(l, *c, m);
        c->word[m + 1] = is ? other[c->first + m * w] : 0;
        c->carry[m] = is ? other[(m & 1 ? odd : even) + m * w] : 0;
    }
    if (D == 1)
        return;
    const uint32_t bottom = c->first - c->y * w;
    c->word[0] = other[c->y == 0 ? bottom + (l.height - 1) * w : c->first - w];
    const uint32_t top = other[c->y + ROWS < l.height ? c->first + ROWS * w : bottom];
    c->word[ROWS + 1] = top;
    LM_UNROLL
    for (int m = 1; m < ROWS; m++) /* the plane may end within the column */
        if (!exists<D, WHOLE>(l, *c, m) && exists<D, WHOLE>(l, *c, m - 1))
            c->word[m + 1] = top;
}

/* Words of the neighbours of row m of the column, by slot. */
template <int D>
LM_INLINE void neighbours(const lm_view &v, const layout &l, const column<D> &c,
                          const uint32_t *other, int m, uint32_t *u)
{
    u[0] = c.word[m + 1];
    u[1] = (c.lean ^ m) & 1 ? lm_from_above(v, c.word[m + 1], c.carry[m], c.j + 1 == l.width.d)
                            : lm_from_below(v, c.word[m + 1], c.carry[m], c.j == 0);
    if (D > 1) {
        u[2] = c.word[m];
        u[3] = c.word[m + 2];
    }
    LM_UNROLL
    for (int i = 4; i < 2 * D; i++)
        u[i] = other[c.aside[i] + m * l.width.d];
}

/* Draws on until no row of the column is tied. */
template <int D>
LM_INLINE void settle(const uint32_t *planes, const lm_stream &stream, uint32_t index,
                      uint32_t width, const lm_ising_class *c, lm_ballot *b)
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
        lm_ising_more(D, &one, &of, planes, &stream, index + which * width, draw);
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

template <int D, bool SIGNS, bool WHOLE>
__global__ void __launch_bounds__(BLOCK, BLOCKS_AT_ONCE)
    plain_kernel(lm_view v, layout l, lm_pass pass)
{
    constexpr int ROWS = rows_of(D);
    const uint32_t number = blockIdx.x * BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.columns; /* warps stay together: no thread leaves early */
    uint32_t *own = v.sites + g * v.group_stride + pass.colour * v.sublattice_stride;
    const uint32_t *other = v.sites + g * v.group_stride + (1 - pass.colour) * v.sublattice_stride;
    const uint32_t *planes = v.plain_planes + g * 32 * D;
    const uint32_t *signs = v.sign + (size_t)(pass.colour * 2 * D) * v.rows * v.width;
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const lm_head<D> head = lm_load_head<D>(planes);
    column<D> c = locate<D>(l, inside ? number : 0, pass.colour);
    load_column<D, WHOLE>(l, other, &c);
    const uint32_t valid = inside ? lm_valid(v, c.j) & v.lanes[g] : 0, flip = v.flip[g];
    uint32_t spins[ROWS];
    lm_ising_class kind[ROWS];
    lm_ballot ballot[ROWS];
    LM_UNROLL
    for (int m = 0; m < ROWS; m++) {
        const bool is = exists<D, WHOLE>(l, c, m);
        const uint32_t at = is ? c.first + m * l.width.d : c.first;
        uint32_t u[2 * D], r[4 * LM_ISING_HEAD];
        spins[m] = own[at];
        neighbours<D>(v, l, c, other, is ? m : 0, u);
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            u[i] ^= spins[m] ^ flip;
            if (SIGNS)
                u[i] ^= __ldg(signs + (size_t)i * v.rows * v.width + at);
        }
        LM_UNROLL
        for (int draw = 0; draw < LM_ISING_HEAD; draw++)
            lm_random_words(&stream, at, draw, r + 4 * draw);
        kind[m] = lm_ising_classify(D, u);
        ballot[m] = lm_ising_head(D, &kind[m], head.planes, r, is ? valid : 0);
    }
    settle<D>(planes, stream, c.first, l.width.d, kind, ballot);
    LM_UNROLL
    for (int m = 0; m < ROWS; m++) {
        if (inside && exists<D, WHOLE>(l, c, m))
            own[c.first + m * l.width.d] = spins[m] ^ ballot[m].yes;
        if (pass.count)
            lm_add_bits(v, g, v.dims + 1, ballot[m].yes);
    }
}

/* The sums of a whole lattice: all bonds are bonds of sublattice 0. */
template <int D, bool SIGNS>
__global__ void __launch_bounds__(BLOCK) measure_kernel(lm_view v, layout l)
{
    constexpr int ROWS = rows_of(D);
    const uint32_t g = blockIdx.y;
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride;
    lm_sums sums = {{0, 0, 0, 0}, 0};
    for (uint32_t from = blockIdx.x * BLOCK; from < l.columns; from += gridDim.x * BLOCK) {
        const bool inside = from + threadIdx.x < l.columns;
        column<D> c = locate<D>(l, inside ? from + threadIdx.x : 0, 0);
        load_column<D, false>(l, other, &c);
        LM_UNROLL
        for (int m = 0; m < ROWS; m++) {
            const bool is = inside && exists<D, false>(l, c, m);
            const uint32_t at = is ? c.first + m * l.width.d : c.first;
            const uint32_t valid = is ? lm_valid(v, c.j) & v.lanes[g] : 0, s = own[at];
            uint32_t u[2 * D];
            neighbours<D>(v, l, c, other, is ? m : 0, u);
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

typedef void (*kernel)(lm_view, layout, lm_pass);
typedef void (*measurer)(lm_view, layout);

/* [dimensions - 1][signs][whole columns] */
#define KERNELS(D)                                                                                 \
    {                                                                                              \
        {plain_kernel<D, false, false>, plain_kernel<D, false, true>},                             \
        {                                                                                          \
            plain_kernel<D, true, false>, plain_kernel<D, true, true>                              \
        }                                                                                          \
    }
static const kernel kernels[4][2][2] = {KERNELS(1), KERNELS(2), KERNELS(3), KERNELS(4)};

static const measurer measurers[4][2] = {{measure_kernel<1, false>, measure_kernel<1, true>},
                                         {measure_kernel<2, false>, measure_kernel<2, true>},
                                         {measure_kernel<3, false>, measure_kernel<3, true>},
                                         {measure_kernel<4, false>, measure_kernel<4, true>}};

static layout layout_of(const lm_view *v)
{
    layout l = {divisor_of(v->width), {1, 0, 0}, {1, 0, 0}, 1, 1, 0};
    const uint32_t each = (uint32_t)rows_of(v->dims);
    if (v->dims > 1) {
        l.height = (uint32_t)v->extents[1];
        l.stacks = divisor_of((l.height + each - 1) / each);
    }
    if (v->dims > 2)
        l.x2 = divisor_of((uint32_t)v->extents[2]);
    l.x3 = (uint32_t)v->extents[3];
    l.columns = v->width * l.stacks.d * (uint32_t)(v->rows / l.height);
    return l;
}

extern "C" int lm_plain_serves(const lm_view *v)
{
    return lm_is_plain(v) && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_plain(const lm_view *v, const lm_pass *pass, cudaStream_t stream)
{
    const layout l = layout_of(v);
    const dim3 grid((l.columns + BLOCK - 1) / BLOCK, v->groups);
    const bool whole = l.height % (uint32_t)rows_of(v->dims) == 0;
    kernels[v->dims - 1][v->sign != NULL][whole]<<<grid, BLOCK, 0, stream>>>(*v, l, *pass);
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
    const layout l = layout_of(v);
    const uint32_t blocks = (l.columns + BLOCK - 1) / BLOCK;
    const dim3 grid(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, v->groups);
    measurers[v->dims - 1][v->sign != NULL]<<<grid, BLOCK, 0, stream>>>(*v, l);
    return cudaGetLastError();
}
