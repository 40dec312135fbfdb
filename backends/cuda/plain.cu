/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One colour of a large lattice by the plain rule. A thread takes four words of the
 * sublattice: four in a row where rows divide so, otherwise one in each of four rows.
 *
 * After the head of 8 planes one word in ten still has a tied site, so that nearly every warp
 * would draw again for every word, for the sake of three threads. Instead the block
 * queues its tied words, and as many threads as there are of them settle one each.
 */
#include "backends/cuda/plain.cuh"

enum { BLOCK = 256, BLOCKS_AT_ONCE = 4, EACH = 4 /* words of a thread */ };

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

/* How the patches of a lattice are numbered: along the row fastest, then by their lowest row
 * in the plane, then by plane. */
typedef struct layout {
    divisor across, stacks, x2; /* patches beside and above each other in a plane, L2 */
    uint32_t width, height, x3; /* W, L1, L3 */
    uint32_t patches;
} layout;

/* Shapes of a patch. */
enum {
    RAGGED = 0, /* four rows of one word, of which the last of a plane may be missing */
    COLUMN = 1, /* four rows of one word */
    ROW = 2     /* four words of one row, which is a multiple of four words */
};

typedef struct patch {
    uint32_t first, step; /* word m of the patch is word first + m step of the sublattice */
    uint32_t j, y;        /* of the first: word of the row, row of the plane */
    int lean;             /* of row y: 1 if its sites' second x-neighbours are at k + 1 */
    uint32_t aside[8];    /* [4 ..]: words below and above the first along axes 2 and 3 */
} patch;

template <int D, int SHAPE> LM_INLINE patch locate(const layout &l, uint32_t number, int colour)
{
    patch p;
    const uint32_t line = over(number, l.across), plane = over(line, l.stacks);
    const uint32_t x3 = D == 4 ? over(plane, l.x2) : 0, x2 = plane - x3 * l.x2.d;
    const uint32_t size = l.height * l.width, size2 = size * l.x2.d;
    const uint32_t y = line - plane * l.stacks.d;
    p.j = (number - line * l.across.d) * (SHAPE == ROW ? EACH : 1);
    p.y = SHAPE == ROW ? y : y * EACH;
    p.step = SHAPE == ROW ? 1 : l.width;
    p.first = (plane * l.height + p.y) * l.width + p.j;
    p.lean = (int)((p.y + x2 + x3) & 1u) ^ colour;
    if (D >= 3) {
        p.aside[4] = x2 == 0 ? p.first + size2 - size : p.first - size;
        p.aside[5] = x2 + 1 == l.x2.d ? p.first - size2 + size : p.first + size;
    }
    if (D == 4) {
        p.aside[6] = x3 == 0 ? p.first + size2 * (l.x3 - 1) : p.first - size2;
        p.aside[7] = x3 + 1 == l.x3 ? p.first - size2 * (l.x3 - 1) : p.first + size2;
    }
    return p;
}

/* Is word m of a patch in the lattice. */
template <int SHAPE> LM_INLINE bool exists(const layout &l, const patch &p, int m)
{
    return SHAPE != RAGGED || p.y + m < l.height;
}

/* Four words of the patch, or of the patch that begins at `first`. */
template <int SHAPE>
LM_INLINE void load(const layout &l, const patch &p, const uint32_t *from, uint32_t first,
                    uint32_t *w)
{
    if (SHAPE == ROW) {
        const uint4 four = *(const uint4 *)(from + first);
        w[0] = four.x;
        w[1] = four.y;
        w[2] = four.z;
        w[3] = four.w;
    } else {
        LM_UNROLL
        for (int m = 0; m < EACH; m++)
            w[m] = exists<SHAPE>(l, p, m) ? from[first + m * p.step] : 0;
    }
}

/* n[slot][m]: the neighbours' words. Four words of a row hand most of their bits to each other. */
template <int D>
LM_INLINE void neighbours_of_row(const layout &l, const patch &p, const uint32_t *other,
                                 uint32_t n[2 * D][EACH])
{
    const uint32_t line = p.first - p.j, size = l.height * l.width;
    const uint32_t next = p.j + EACH == l.width ? line : p.first + EACH;
    const uint32_t last = p.j == 0 ? line + l.width - 1 : p.first - 1;
    const uint32_t carry = other[p.lean ? next : last];
    uint32_t s[EACH + 1];
    load<ROW>(l, p, other, p.first, n[0]);
    if (D > 1) {
        load<ROW>(l, p, other, p.y == 0 ? p.first + size - l.width : p.first - l.width, n[2]);
        load<ROW>(l, p, other, p.y + 1 == l.height ? p.first - size + l.width : p.first + l.width,
                  n[3]);
    }
    LM_UNROLL
    for (int i = 0; i <= EACH; i++) /* the row's words from which pairs of bits 31, 0 are taken */
        s[i] = p.lean ? (i < EACH ? n[0][i < EACH ? i : 0] : carry)
                      : (i > 0 ? n[0][i > 0 ? i - 1 : 0] : carry);
    LM_UNROLL
    for (int m = 0; m < EACH; m++)
        n[1][m] = __funnelshift_l(s[m], s[m + 1], p.lean ? 31 : 1);
}

template <int D, int SHAPE>
LM_INLINE void neighbours_of_column(const lm_view &v, const layout &l, const patch &p,
                                    const uint32_t *other, uint32_t n[2 * D][EACH])
{
    const uint32_t next = p.j + 1 == l.width ? p.first - p.j : p.first + 1;
    const uint32_t last = p.j == 0 ? p.first + l.width - 1 : p.first - 1;
    const uint32_t even = p.lean ? next : last, odd = p.lean ? last : next;
    const uint32_t bottom = p.first - p.y * l.width;
    load<SHAPE>(l, p, other, p.first, n[0]);
    LM_UNROLL
    for (int m = 0; m < EACH; m++) {
        const uint32_t carry =
            exists<SHAPE>(l, p, m) ? other[(m & 1 ? odd : even) + m * l.width] : 0;
        n[1][m] = (p.lean ^ m) & 1 ? lm_from_above(v, n[0][m], carry, p.j + 1 == l.width)
                                   : lm_from_below(v, n[0][m], carry, p.j == 0);
    }
    if (D == 1)
        return;
    n[2][0] = other[p.y == 0 ? bottom + (l.height - 1) * l.width : p.first - l.width];
    const uint32_t top = other[p.y + EACH < l.height ? p.first + EACH * l.width : bottom];
    LM_UNROLL
    for (int m = 1; m < EACH; m++) {
        n[2][m] = n[0][m - 1];
        n[3][m - 1] = exists<SHAPE>(l, p, m) ? n[0][m] : top; /* a plane may end in a patch */
    }
    n[3][EACH - 1] = top;
}

/* u[slot][m]: the neighbours' spins times the bonds' signs. */
template <int D, bool SIGNS, int SHAPE>
LM_INLINE void neighbours(const lm_view &v, const layout &l, const patch &p, int colour,
                          const uint32_t *other, uint32_t u[2 * D][EACH])
{
    if (SHAPE == ROW)
        neighbours_of_row<D>(l, p, other, u);
    else
        neighbours_of_column<D, SHAPE>(v, l, p, other, u);
    LM_UNROLL
    for (int i = 4; i < 2 * D; i++)
        load<SHAPE>(l, p, other, p.aside[i], u[i]);
    const size_t words = (size_t)v.rows * v.width;
    LM_UNROLL
    for (int i = 0; SIGNS && i < 2 * D; i++) {
        uint32_t sign[EACH];
        load<SHAPE>(l, p, v.sign + (colour * 2 * D + i) * words, p.first, sign);
        LM_UNROLL
        for (int m = 0; m < EACH; m++)
            u[i][m] ^= sign[m];
    }
}

/* A word with tied sites, as the block's queue keeps it. */
typedef uint4 entry; /* word of the sublattice, tied sites, and their class */

/* Threads of the block settle the queued words, one each. */
template <int D>
LM_INLINE void settle(const lm_view &v, uint32_t g, const uint32_t *planes, const lm_stream &stream,
                      const entry *queue, uint32_t queued, uint32_t *own, int count)
{
    for (uint32_t from = 0; from < queued; from += BLOCK) {
        const uint32_t i = from + threadIdx.x;
        lm_ballot b = {0, 0};
        if (i < queued) {
            const entry e = queue[i];
            const lm_ising_class c = {e.z, e.w, 0};
            b.tied = e.y;
            for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && b.tied; draw++)
                lm_ising_more(D, &b, &c, planes, &stream, e.x, draw);
            own[e.x] ^= b.yes;
        }
        if (count)
            lm_add_bits(v, g, v.dims + 1, b.yes);
    }
}

template <int D, bool SIGNS, int SHAPE>
__global__ void __launch_bounds__(BLOCK, BLOCKS_AT_ONCE)
    plain_kernel(lm_view v, layout l, lm_pass pass)
{
    __shared__ entry queue[BLOCK * EACH];
    __shared__ uint32_t queued;
    const uint32_t number = blockIdx.x * BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: they settle together */
    uint32_t *own = v.sites + g * v.group_stride + pass.colour * v.sublattice_stride;
    const uint32_t *other = v.sites + g * v.group_stride + (1 - pass.colour) * v.sublattice_stride;
    const uint32_t *planes = v.plain_planes + g * 32 * D;
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const patch p = locate<D, SHAPE>(l, inside ? number : 0, pass.colour);
    uint32_t spins[EACH], u[2 * D][EACH];
    if (threadIdx.x == 0)
        queued = 0;
    load<SHAPE>(l, p, own, p.first, spins);
    neighbours<D, SIGNS, SHAPE>(v, l, p, pass.colour, other, u);
    const lm_head<D> head = lm_load_head<D>(planes);
    const uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0, flip = v.flip[g];
    __syncthreads();
    LM_UNROLL
    for (int m = 0; m < EACH; m++) {
        const uint32_t at = p.first + m * p.step;
        uint32_t bonds[2 * D], r[4 * LM_ISING_HEAD];
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++)
            bonds[i] = u[i][m] ^ spins[m] ^ flip;
        LM_UNROLL
        for (int draw = 0; draw < LM_ISING_HEAD; draw++)
            lm_random_words(&stream, at, draw, r + 4 * draw);
        const lm_ising_class c = lm_ising_classify(D, bonds);
        const lm_ballot b =
            lm_ising_head(D, &c, head.planes, r, exists<SHAPE>(l, p, m) ? valid : 0);
        spins[m] ^= b.yes;
        if (b.tied)
            queue[atomicAdd(&queued, 1)] = make_uint4(at, b.tied, c.n0, c.n1);
        if (pass.count)
            lm_add_bits(v, g, v.dims + 1, b.yes);
    }
    if (SHAPE == ROW && inside)
        *(uint4 *)(own + p.first) = make_uint4(spins[0], spins[1], spins[2], spins[3]);
    LM_UNROLL
    for (int m = 0; SHAPE != ROW && m < EACH; m++)
        if (inside && exists<SHAPE>(l, p, m))
            own[p.first + m * p.step] = spins[m];
    __syncthreads();
    settle<D>(v, g, planes, stream, queue, queued, own, pass.count);
}

/* The sums of a whole lattice: all bonds are bonds of sublattice 0. */
template <int D, bool SIGNS, int SHAPE>
__global__ void __launch_bounds__(BLOCK) measure_kernel(lm_view v, layout l)
{
    const uint32_t g = blockIdx.y, lanes = v.lanes[g];
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride;
    lm_sums sums = {{0, 0, 0, 0}, 0};
    for (uint32_t from = blockIdx.x * BLOCK; from < l.patches; from += gridDim.x * BLOCK) {
        const bool inside = from + threadIdx.x < l.patches;
        const patch p = locate<D, SHAPE>(l, inside ? from + threadIdx.x : 0, 0);
        uint32_t spins[EACH], u[2 * D][EACH];
        load<SHAPE>(l, p, own, p.first, spins);
        neighbours<D, SIGNS, SHAPE>(v, l, p, 0, other, u);
        const uint32_t valid = inside ? lm_valid(v, p.j) & lanes : 0;
        LM_UNROLL
        for (int m = 0; m < EACH; m++) {
            const uint32_t here = exists<SHAPE>(l, p, m) ? valid : 0;
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++)
                lm_sum_bonds(v, g, i / 2, here, here & (u[i][m] ^ spins[m]), &sums);
            lm_sum_spins(v, g, spins[m] & here, &sums);
        }
        LM_UNROLL
        for (int m = 0; m < EACH; m++) /* the other sublattice's spins are slot 0's */
            lm_sum_spins(v, g,
                         (SIGNS && inside && exists<SHAPE>(l, p, m) ? other[p.first + m * p.step]
                                                                    : u[0][m]) &
                             (exists<SHAPE>(l, p, m) ? valid : 0),
                         &sums);
    }
    lm_finish_sums(v, g, sums);
}

typedef void (*kernel)(lm_view, layout, lm_pass);
typedef void (*measurer)(lm_view, layout);

/* [dimensions - 1][signs][shape] */
#define SHAPES(K, D, S) K<D, S, RAGGED>, K<D, S, COLUMN>, K<D, S, ROW>
#define TABLE(K)                                                                                   \
    {                                                                                              \
        {{SHAPES(K, 1, false)}, {SHAPES(K, 1, true)}},                                             \
            {{SHAPES(K, 2, false)}, {SHAPES(K, 2, true)}},                                         \
            {{SHAPES(K, 3, false)}, {SHAPES(K, 3, true)}},                                         \
        {                                                                                          \
            {SHAPES(K, 4, false)},                                                                 \
            {                                                                                      \
                SHAPES(K, 4, true)                                                                 \
            }                                                                                      \
        }                                                                                          \
    }
static const kernel kernels[4][2][3] = TABLE(plain_kernel);
static const measurer measurers[4][2][3] = TABLE(measure_kernel);

static int shape_of(const lm_view *v)
{
    if (v->width % EACH == 0 && v->bits == 32)
        return ROW;
    return v->dims > 1 && v->extents[1] % EACH == 0 ? COLUMN : RAGGED;
}

static layout layout_of(const lm_view *v)
{
    layout l = {divisor_of(v->width), {1, 0, 0}, {1, 0, 0}, v->width, 1, 1, 0};
    const bool rows = shape_of(v) == ROW;
    if (rows)
        l.across = divisor_of(v->width / EACH);
    if (v->dims > 1) {
        l.height = (uint32_t)v->extents[1];
        l.stacks = divisor_of(rows ? l.height : (l.height + EACH - 1) / EACH);
    }
    if (v->dims > 2)
        l.x2 = divisor_of((uint32_t)v->extents[2]);
    l.x3 = (uint32_t)v->extents[3];
    l.patches = l.across.d * l.stacks.d * (uint32_t)(v->rows / l.height);
    return l;
}

extern "C" int lm_plain_serves(const lm_view *v)
{
    return lm_is_plain(v) && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_plain(const lm_view *v, const lm_pass *pass, cudaStream_t stream)
{
    const layout l = layout_of(v);
    const dim3 grid((l.patches + BLOCK - 1) / BLOCK, v->groups);
    kernels[v->dims - 1][v->sign != NULL][shape_of(v)]<<<grid, BLOCK, 0, stream>>>(*v, l, *pass);
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
    const uint32_t blocks = (l.patches + BLOCK - 1) / BLOCK;
    const dim3 grid(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, v->groups);
    measurers[v->dims - 1][v->sign != NULL][shape_of(v)]<<<grid, BLOCK, 0, stream>>>(*v, l);
    return cudaGetLastError();
}
