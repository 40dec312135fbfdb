/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One colour of a large lattice by the uniform rule. A thread takes a patch of words of the
 * sublattice: four words of two rows where rows divide so, otherwise one word of four rows.
 *
 * After the head of 8 planes one word in ten still has a tied site, so that nearly every warp
 * would draw again for every word, for the sake of three threads. Instead the block
 * queues its tied words, and as many threads as there are of them settle one each.
 */
#include "backends/cuda/bits/uniform.cuh"

enum { BLOCK = 256, BLOCKS_AT_ONCE = 3 };

/* Blocks that measure: as few and as large as possible, because each ends in atomic additions
 * to the same numbers. */
static const uint32_t MEASURING = 1024, MEASURING_BLOCKS = 132;

/* How the patches of a lattice are numbered: along the row fastest, then by their lowest row
 * in the plane, then by plane. */
typedef struct layout {
    lm_divisor across, stacks, x2; /* patches beside and above each other in a plane, L2 */
    uint32_t width, height, x3;    /* W, L1, L3 */
    uint32_t patches;
} layout;

/* Shapes of a patch. */
enum {
    RAGGED = 0, /* four rows of one word, of which the last of a plane may be missing */
    COLUMN = 1, /* four rows of one word */
    BRICK = 2   /* two rows of four words, rows being multiples of four words */
};

__host__ __device__ constexpr int rows_of(int shape)
{
    return shape == BRICK ? 2 : 4;
}

/* Words of a patch. */
__host__ __device__ constexpr int words_of(int shape)
{
    return shape == BRICK ? 8 : 4;
}

typedef struct patch {
    uint32_t first;    /* word of the sublattice */
    uint32_t j, y;     /* of the first: word of the row, row of the plane */
    int lean;          /* of row y: 1 if its sites' second x-neighbours are at k + 1 */
    uint32_t aside[8]; /* [4 ..]: words below and above the first along axes 2 and 3 */
} patch;

template <int D, int SHAPE> LM_INLINE patch locate(const layout &l, uint32_t number, int colour)
{
    patch p;
    const uint32_t line = lm_over(number, l.across), plane = lm_over(line, l.stacks);
    const uint32_t x3 = D == 4 ? lm_over(plane, l.x2) : 0, x2 = plane - x3 * l.x2.d;
    const uint32_t size = l.height * l.width, size2 = size * l.x2.d;
    p.j = (number - line * l.across.d) * (SHAPE == BRICK ? 4 : 1);
    p.y = (line - plane * l.stacks.d) * rows_of(SHAPE);
    p.first = (plane * l.height + p.y) * l.width + p.j;
    p.lean = (int)((x2 + x3) & 1u) ^ colour; /* y is even */
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

/* Word m of a patch, counted from its first; and whether it is in the lattice. */
template <int SHAPE> LM_INLINE uint32_t offset(const layout &l, int m)
{
    return SHAPE == BRICK ? m % 4 + m / 4 * l.width : m * l.width;
}

template <int SHAPE> LM_INLINE bool exists(const layout &l, const patch &p, int m)
{
    return SHAPE != RAGGED || p.y + m < l.height;
}

LM_INLINE void load_four(const uint32_t *from, uint32_t *w)
{
    const uint4 four = *(const uint4 *)from;
    w[0] = four.x;
    w[1] = four.y;
    w[2] = four.z;
    w[3] = four.w;
}

/* The words of the patch, or of the one that begins at `first`. */
template <int SHAPE>
LM_INLINE void load(const layout &l, const patch &p, const uint32_t *from, uint32_t first,
                    uint32_t *w)
{
    LM_UNROLL
    for (int r = 0; r < rows_of(SHAPE); r++) {
        if (SHAPE == BRICK)
            load_four(from + first + r * l.width, w + 4 * r);
        else
            w[r] = exists<SHAPE>(l, p, r) ? from[first + r * l.width] : 0;
    }
}

/* n[slot][m]: the neighbours' words. The words of a row hand most of their bits to each other. */
template <int D, int N>
LM_INLINE void neighbours_of_brick(const layout &l, const patch &p, const uint32_t *other,
                                   uint32_t n[2 * D][N])
{
    constexpr int ROWS = rows_of(BRICK);
    const uint32_t line = p.first - p.j, size = l.height * l.width;
    const uint32_t next = p.j + 4 == l.width ? line : p.first + 4;
    const uint32_t last = p.j == 0 ? line + l.width - 1 : p.first - 1;
    load<BRICK>(l, p, other, p.first, n[0]);
    LM_UNROLL
    for (int r = 0; r < ROWS; r++) {
        const bool up = (p.lean ^ r) & 1;
        const uint32_t carry = other[(up ? next : last) + r * l.width], *w = n[0] + 4 * r;
        const uint32_t s[5] = {up ? w[0] : carry, up ? w[1] : w[0], up ? w[2] : w[1],
                               up ? w[3] : w[2], up ? carry : w[3]};
        LM_UNROLL
        for (int m = 0; m < 4; m++)
            n[1][4 * r + m] = __funnelshift_l(s[m], s[m + 1], up ? 31 : 1);
    }
    load_four(other + (p.y == 0 ? p.first + size - l.width : p.first - l.width), n[2]);
    load_four(other + (p.y + ROWS == l.height ? p.first + ROWS * l.width - size
                                              : p.first + ROWS * l.width),
              n[3] + 4 * (ROWS - 1));
    LM_UNROLL
    for (int m = 0; m < N - 4; m++) {
        n[2][m + 4] = n[0][m];
        n[3][m] = n[0][m + 4];
    }
}

template <int D, int SHAPE>
LM_INLINE void neighbours_of_column(const lm_bits_view &v, const layout &l, const patch &p,
                                    const uint32_t *other, uint32_t n[2 * D][4])
{
    const uint32_t next = p.j + 1 == l.width ? p.first - p.j : p.first + 1;
    const uint32_t last = p.j == 0 ? p.first + l.width - 1 : p.first - 1;
    const uint32_t even = p.lean ? next : last, odd = p.lean ? last : next;
    const uint32_t bottom = p.first - p.y * l.width;
    load<SHAPE>(l, p, other, p.first, n[0]);
    LM_UNROLL
    for (int m = 0; m < 4; m++) {
        const uint32_t carry =
            exists<SHAPE>(l, p, m) ? other[(m & 1 ? odd : even) + m * l.width] : 0;
        n[1][m] = (p.lean ^ m) & 1 ? lm_from_above(v, n[0][m], carry, p.j + 1 == l.width)
                                   : lm_from_below(v, n[0][m], carry, p.j == 0);
    }
    n[2][0] = other[p.y == 0 ? bottom + (l.height - 1) * l.width : p.first - l.width];
    const uint32_t top = other[p.y + 4 < l.height ? p.first + 4 * l.width : bottom];
    LM_UNROLL
    for (int m = 1; m < 4; m++) {
        n[2][m] = n[0][m - 1];
        n[3][m - 1] = exists<SHAPE>(l, p, m) ? n[0][m] : top; /* a plane may end in a patch */
    }
    n[3][3] = top;
}

/* u[slot][m]: the neighbours' spins times the bonds' signs. */
template <int D, int SIGNS, int SHAPE>
LM_INLINE void neighbours(const lm_bits_view &v, const layout &l, const patch &p, uint32_t group,
                          int colour, const uint32_t *other, uint32_t u[2 * D][words_of(SHAPE)])
{
    constexpr int WORDS = words_of(SHAPE);
    if constexpr (SHAPE == BRICK)
        neighbours_of_brick<D, WORDS>(l, p, other, u);
    else
        neighbours_of_column<D, SHAPE>(v, l, p, other, u);
    LM_UNROLL
    for (int i = 4; i < 2 * D; i++)
        load<SHAPE>(l, p, other, p.aside[i], u[i]);
    const size_t words = (size_t)v.rows * v.width;
    LM_UNROLL
    for (int i = 0; SIGNS && i < 2 * D; i++) {
        uint32_t sign[WORDS];
        load<SHAPE>(l, p, v.sign + (lm_bond_plane<SIGNS>(v, group, colour) * 2 * D + i) * words,
                    p.first, sign);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++)
            u[i][m] ^= sign[m];
    }
}

/* Counts changed sites. Words of four to a row belong to one replica each, and wait for
 * add_changed(); others may go to their replicas' sums at once. */
template <int SHAPE>
LM_INLINE void count_changed(const lm_bits_view &v, uint32_t g, int count, uint32_t word,
                             int *changed)
{
    if (SHAPE == BRICK || v.pack == 1)
        *changed += __popc(word & (uint32_t)-count); /* a branch would double the kernel */
    else if (count)
        lm_add_bits(v, g, v.dims + 1, word);
}

LM_INLINE void add_changed(const lm_bits_view &v, uint32_t g, int count, int changed)
{
    if (!count)
        return;
    const int n = lm_warp_sum(changed);
    if ((threadIdx.x & 31u) == 0 && n)
        atomicAdd(v.counts + (size_t)g * v.pack * (v.dims + 2) + v.dims + 1, (lm_count)n);
}

/* A word with tied sites, as the block's queue keeps it. */
typedef uint4 entry; /* word of the sublattice, tied sites, and their class */

/* Threads of the block settle the queued words, one each. */
template <int D, int SHAPE, bool TOSS>
LM_INLINE void settle(const lm_bits_view &v, uint32_t g, const uint32_t *planes,
                      const lm_stream &stream, const entry *queue, uint32_t queued, uint32_t *own,
                      int count, int *changed)
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
            if (TOSS)
                b.yes = lm_ising_toss(b.yes, &stream, e.x);
            own[e.x] ^= b.yes;
        }
        count_changed<SHAPE>(v, g, count, b.yes, changed);
    }
}

/* The sites of the words of a patch; four words of a row have no bits to spare. */
template <int SHAPE>
LM_INLINE uint32_t valid_of(const lm_bits_view &v, const patch &p, uint32_t g, bool inside)
{
    if (!inside)
        return 0;
    return SHAPE == BRICK ? ~0u : lm_valid(v, p.j) & v.lanes[g];
}

LM_INLINE void draw_head(const lm_stream &stream, uint32_t at, uint32_t *r)
{
    LM_UNROLL
    for (int draw = 0; draw < LM_ISING_HEAD; draw++)
        lm_random_words(&stream, at, draw, r + 4 * draw);
}

/* Draws now: otherwise the compiler does so after what follows. */
LM_INLINE void draw_head_now(const lm_stream &stream, uint32_t at, uint32_t *r)
{
    draw_head(stream, at, r);
    LM_UNROLL
    for (int k = 0; k < 4 * LM_ISING_HEAD; k++)
        asm volatile("" : "+r"(r[k]));
}

template <int SHAPE>
LM_INLINE void store_patch(const layout &l, const patch &p, const uint32_t *spins, uint32_t *own)
{
    LM_UNROLL
    for (int r = 0; r < rows_of(SHAPE); r++) {
        uint32_t *to = own + p.first + r * l.width;
        if (SHAPE == BRICK)
            *(uint4 *)to =
                make_uint4(spins[4 * r], spins[4 * r + 1], spins[4 * r + 2], spins[4 * r + 3]);
        else if (exists<SHAPE>(l, p, r))
            *to = spins[r];
    }
}

/* TOSS: coins are tossed in this sweep. */
template <int D, int SIGNS, int SHAPE, bool TOSS>
__global__ void __launch_bounds__(BLOCK, BLOCKS_AT_ONCE)
    large_kernel(lm_bits_view v, layout l, lm_bits_pass pass)
{
    constexpr int WORDS = words_of(SHAPE);
    __shared__ entry queue[BLOCK * WORDS];
    __shared__ uint32_t queued;
    const uint32_t number = blockIdx.x * BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: they settle together */
    const uint32_t group = g * (uint32_t)v.group_stride, half = (uint32_t)v.sublattice_stride;
    uint32_t *own = v.sites + (group + (pass.colour ? half : 0));
    const uint32_t *other = v.sites + (group + (pass.colour ? 0 : half));
    const uint32_t *planes = v.uniform_planes + g * 32 * D;
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const patch p = locate<D, SHAPE>(l, inside ? number : 0, pass.colour);
    uint32_t spins[WORDS], u[2 * D][WORDS];
    int changed = 0;
    if (threadIdx.x == 0)
        queued = 0;
    /* What needs no spins is done while the previous colour ends. */
    const lm_head<D> head = lm_load_head<D>(planes);
    const uint32_t valid = valid_of<SHAPE>(v, p, g, inside), flip = v.flip[g];
    uint32_t r[4 * LM_ISING_HEAD];
    draw_head_now(stream, p.first, r); /* the first word's */
    lm_await_previous();
    load<SHAPE>(l, p, own, p.first, spins);
    neighbours<D, SIGNS, SHAPE>(v, l, p, g, pass.colour, other, u);
    __syncthreads();
    LM_UNROLL
    for (int m = 0; m < WORDS; m++) {
        const uint32_t at = p.first + offset<SHAPE>(l, m);
        uint32_t bonds[2 * D];
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++)
            bonds[i] = u[i][m] ^ spins[m] ^ flip;
        if (m > 0)
            draw_head(stream, at, r);
        const lm_ising_class c = lm_ising_classify(D, bonds);
        lm_ballot b = lm_ising_head(D, &c, head.planes, r, exists<SHAPE>(l, p, m) ? valid : 0);
        if (TOSS)
            b.yes = lm_ising_toss(b.yes, &stream, at);
        spins[m] ^= b.yes;
        if (b.tied)
            queue[atomicAdd(&queued, 1)] = make_uint4(at, b.tied, c.n0, c.n1);
        count_changed<SHAPE>(v, g, pass.count, b.yes, &changed);
    }
    if (inside)
        store_patch<SHAPE>(l, p, spins, own);
    __syncthreads();
    settle<D, SHAPE, TOSS>(v, g, planes, stream, queue, queued, own, pass.count, &changed);
    add_changed(v, g, pass.count, changed);
}

/* The sums of four words to a row, all of whose bits are sites of one replica. */
template <int D, int N>
LM_INLINE void sum_brick(const uint32_t *spins, const uint32_t *others, uint32_t u[2 * D][N],
                         lm_bits_sums *sums)
{
    uint32_t w[2 * N];
    LM_UNROLL
    for (int axis = 0; axis < D; axis++) {
        LM_UNROLL
        for (int m = 0; m < N; m++) {
            w[m] = u[2 * axis][m] ^ spins[m];
            w[N + m] = u[2 * axis + 1][m] ^ spins[m];
        }
        sums->bonds[axis] += 2 * (32 * N - lm_ones<2 * N>(w));
    }
    LM_UNROLL
    for (int m = 0; m < N; m++) {
        w[m] = spins[m];
        w[N + m] = others[m];
    }
    sums->up += lm_ones<2 * N>(w);
}

/* The sums of a whole lattice: all bonds are bonds of sublattice 0. Whoever adds up these has read
 * all spins, so that their sum is made too, asked for or not. */
template <int D, int SIGNS, int SHAPE>
__global__ void __launch_bounds__(MEASURING) measure_kernel(lm_bits_view v, layout l)
{
    constexpr int WORDS = words_of(SHAPE);
    const uint32_t g = blockIdx.y;
    const uint32_t *own = v.sites + g * v.group_stride, *other = own + v.sublattice_stride;
    lm_bits_sums sums = {{0, 0, 0, 0}, 0};
    lm_await_previous();
    for (uint32_t from = blockIdx.x * blockDim.x; from < l.patches;
         from += gridDim.x * blockDim.x) {
        const bool inside = from + threadIdx.x < l.patches;
        const patch p = locate<D, SHAPE>(l, inside ? from + threadIdx.x : 0, 0);
        uint32_t spins[WORDS], others[WORDS], u[2 * D][WORDS];
        load<SHAPE>(l, p, own, p.first, spins);
        load<SHAPE>(l, p, other, p.first, others);
        neighbours<D, SIGNS, SHAPE>(v, l, p, g, 0, other, u);
        if (SHAPE == BRICK) {
            if (inside)
                sum_brick<D, WORDS>(spins, others, u, &sums);
            continue;
        }
        const uint32_t valid = valid_of<SHAPE>(v, p, g, inside);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++) {
            const uint32_t here = exists<SHAPE>(l, p, m) ? valid : 0;
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++)
                lm_sum_bonds(v, g, i / 2, here, here & (u[i][m] ^ spins[m]), &sums);
            lm_sum_spins(v, g, spins[m] & here, &sums);
            lm_sum_spins(v, g, others[m] & here, &sums);
        }
    }
    lm_finish_sums<D>(v, g, sums);
}

enum { SPIN_WORDS = 8 };

/* The sum of the spins alone. A thread takes so many words, of a BRICK lattice beside each other.
 */
template <bool BRICKS> __global__ void __launch_bounds__(MEASURING) spins_kernel(lm_bits_view v)
{
    const uint32_t g = blockIdx.y;
    const uint64_t words = 2 * (uint64_t)v.rows * v.width, block = blockDim.x * SPIN_WORDS;
    const uint32_t *sites = v.sites + g * v.group_stride; /* sublattices follow each other */
    lm_bits_sums sums = {{0, 0, 0, 0}, 0};
    lm_await_previous();
    for (uint64_t from = blockIdx.x * block; from < words; from += gridDim.x * block) {
        uint32_t w[SPIN_WORDS];
        if constexpr (BRICKS) {
            const uint64_t at = from + threadIdx.x * SPIN_WORDS;
            if (at >= words)
                continue;
            load_four(sites + at, w);
            load_four(sites + at + 4, w + 4);
            sums.up += lm_ones<SPIN_WORDS>(w);
        } else {
            LM_UNROLL
            for (int m = 0; m < SPIN_WORDS; m++) {
                const uint64_t at = from + (uint32_t)m * blockDim.x + threadIdx.x;
                const uint32_t valid = lm_valid(v, (uint32_t)at % v.width) & v.lanes[g];
                w[m] = at < words ? sites[at] & valid : 0;
            }
            LM_UNROLL
            for (int m = 0; m < SPIN_WORDS; m++)
                lm_sum_spins(v, g, w[m], &sums);
        }
    }
    lm_finish_sums<0>(v, g, sums);
}

typedef void (*kernel)(lm_bits_view, layout, lm_bits_pass);
typedef void (*measurer)(lm_bits_view, layout);

/* [dimensions - 2][signs][shape] */
#define TABLE(ROW)                                                                                 \
    {                                                                                              \
        {{ROW(2, 0)}, {ROW(2, 1)}, {ROW(2, 2)}}, {{ROW(3, 0)}, {ROW(3, 1)}, {ROW(3, 2)}},          \
            {{ROW(4, 0)}, {ROW(4, 1)}, {ROW(4, 2)}},                                               \
    }
#define SWEEP(D, S)                                                                                \
    large_kernel<D, S, RAGGED, false>, large_kernel<D, S, COLUMN, false>,                          \
        large_kernel<D, S, BRICK, false>
#define MEASURE(D, S)                                                                              \
    measure_kernel<D, S, RAGGED>, measure_kernel<D, S, COLUMN>, measure_kernel<D, S, BRICK>
static const kernel kernels[3][LM_SIGN_KINDS][3] = TABLE(SWEEP);
static const measurer measurers[3][LM_SIGN_KINDS][3] = TABLE(MEASURE);

/* Coins are tossed in few sweeps, for which the shape that serves all lattices will do. */
#define TOSS(D, S) large_kernel<D, S, RAGGED, true>
static const kernel tossers[3][LM_SIGN_KINDS][1] = TABLE(TOSS);

static int shape_of(const lm_bits_view *v)
{
    if (v->width % 4 == 0 && v->bits == 32)
        return BRICK;
    return v->extents[1] % 4 == 0 ? COLUMN : RAGGED;
}

static layout layout_of(const lm_bits_view *v, int shape)
{
    layout l = {lm_divisor_of(v->width), {1, 0, 0}, {1, 0, 0}, v->width, 1, 1, 0};
    const uint32_t rows = (uint32_t)rows_of(shape);
    if (shape == BRICK)
        l.across = lm_divisor_of(v->width / 4);
    l.height = (uint32_t)v->extents[1];
    l.stacks = lm_divisor_of((l.height + rows - 1) / rows);
    if (v->dims > 2)
        l.x2 = lm_divisor_of((uint32_t)v->extents[2]);
    l.x3 = (uint32_t)v->extents[3];
    l.patches = l.across.d * l.stacks.d * (uint32_t)(v->rows / l.height);
    return l;
}

extern "C" int lm_large_serves(const lm_bits_view *v)
{
    return lm_is_uniform(v) && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_large(const lm_bits_view *v, const lm_bits_pass *pass,
                                       cudaStream_t stream)
{
    const int tosses = lm_ising_tosses(pass->step);
    const int shape = tosses ? RAGGED : shape_of(v);
    const kernel k = tosses ? tossers[v->dims - 2][lm_signs_of(v)][0]
                            : kernels[v->dims - 2][lm_signs_of(v)][shape];
    layout l = layout_of(v, shape);
    void *arguments[] = {(void *)v, &l, (void *)pass};
    return lm_launch_overlapping((const void *)k, dim3((l.patches + BLOCK - 1) / BLOCK, v->groups),
                                 BLOCK, arguments, v->overlaps, stream);
}

extern "C" int lm_large_measures(const lm_bits_view *v)
{
    return v->dims > 1 && v->folded && v->whole && !v->gone && v->groups < 65536 &&
           v->rows * v->width * (int64_t)v->groups < (int64_t)1 << 31;
}

static cudaError_t launch_spins(const lm_bits_view *v, cudaStream_t stream)
{
    const uint64_t threads = (2 * (uint64_t)v->rows * v->width + SPIN_WORDS - 1) / SPIN_WORDS;
    const uint32_t block = threads < MEASURING ? (uint32_t)(threads + 31) / 32 * 32 : MEASURING;
    const uint64_t blocks = (threads + block - 1) / block;
    const void *const k =
        shape_of(v) == BRICK ? (const void *)spins_kernel<true> : (const void *)spins_kernel<false>;
    void *arguments[] = {(void *)v};
    return lm_launch_overlapping(
        k, dim3(blocks < MEASURING_BLOCKS ? (uint32_t)blocks : MEASURING_BLOCKS, v->groups), block,
        arguments, v->overlaps, stream);
}

extern "C" cudaError_t lm_launch_large_measure(const lm_bits_view *v, unsigned sums,
                                               cudaStream_t stream)
{
    if (!(sums & LM_SUMS_BONDS))
        return launch_spins(v, stream);
    layout l = layout_of(v, shape_of(v));
    const uint32_t block = l.patches < MEASURING ? (l.patches + 31) / 32 * 32 : MEASURING;
    const uint32_t blocks = (l.patches + block - 1) / block;
    void *arguments[] = {(void *)v, &l};
    return lm_launch_overlapping(
        (const void *)measurers[v->dims - 2][lm_signs_of(v)][shape_of(v)],
        dim3(blocks < MEASURING_BLOCKS ? blocks : MEASURING_BLOCKS, v->groups), block, arguments,
        v->overlaps, stream);
}
