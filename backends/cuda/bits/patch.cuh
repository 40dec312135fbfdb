/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides lattices into patches of words; kernels of large lattices give each thread one patch. A
 * patch has four words of each of two rows where rows divide so, or four words of one row where
 * there are few patches. Otherwise it has one word of each of four rows.
 */
#ifndef LM_CUDA_BITS_PATCH_CUH
#define LM_CUDA_BITS_PATCH_CUH

#include "backends/cuda/bits/folded.cuh"

enum { LM_PATCH_BLOCK = 256 }; /* threads */

/* The numbering of a lattice's patches: along the row fastest, then by their lowest row in the
 * plane, then by plane. */
typedef struct lm_patches {
    lm_divisor across, stacks, x2; /* patches side by side, on top of each other in a plane; L2 */
    uint32_t width, height, x3;    /* W, L1, L3 */
    uint32_t rows, patches;        /* rows of a patch; patches of the lattice or window */
    lm_count *changed;             /* the first replica's count of changed sites */
    uint32_t changed_step;         /* bytes from there to the next group's count */
    uint32_t first, high;          /* window: first row (D = 2) or plane; high bits of counters */
    uint32_t origin;               /* window: number of the layer below it, modulo 2^32 */
    uint32_t base; /* window: a word's number in the lattice less its number here, modulo 2^32 */
    uint32_t lower,
        upper; /* the slab's first layer ends, and its last layer begins, at these words */
} lm_patches;

/* Shapes of a patch. */
enum {
    LM_RAGGED = 0, /* four rows of one word; the last rows may be outside the plane */
    LM_COLUMN = 1, /* four rows of one word */
    LM_BRICK = 2,  /* two rows of four words; rows are multiples of four words */
    LM_LINE =
        3 /* one row of four words: half as many words a thread, and more instructions a word */
};

__host__ __device__ constexpr int lm_patch_rows(int shape)
{
    return shape == LM_BRICK ? 2 : shape == LM_LINE ? 1 : 4;
}

/* Says whether a patch has rows of four words. */
__host__ __device__ constexpr bool lm_by_fours(int shape)
{
    return shape >= LM_BRICK;
}

/* Returns the number of words of a patch. */
__host__ __device__ constexpr int lm_patch_words(int shape)
{
    return shape == LM_BRICK ? 8 : 4;
}

typedef struct lm_patch {
    uint32_t first;    /* first word, in the sublattice */
    uint32_t j, y;     /* of the first word: its number in the row; its row in the plane */
    int lean;          /* row y: 1 if its sites' second x-neighbours are at k + 1 */
    uint32_t aside[8]; /* [4 ..]: words below and above the first word along axes 2 and 3 */
} lm_patch;

/* Returns where a sublattice begins. In slabs, which have windows, this may be beyond 32 bits. */
template <int OF> LM_INLINE size_t lm_sublattice_at(const lm_bits_view &v, uint32_t g, int colour)
{
    if (OF == LM_OF_WINDOW)
        return (size_t)g * v.group_stride + (colour ? (size_t)v.sublattice_stride : 0);
    return g * (uint32_t)v.group_stride + (colour ? (uint32_t)v.sublattice_stride : 0);
}

/* The place of a patch: in its line, the line in the plane, the plane, and the plane's
 * coordinates along axes 2 and 3. In a window the axis that is cut has no ends and begins with
 * layer l.first. */
typedef struct lm_patch_place {
    uint32_t across, stack, plane, x2, x3;
} lm_patch_place;

template <int D, int OF>
LM_INLINE lm_patch_place lm_patch_place_of(const lm_patches &l, uint32_t number)
{
    constexpr bool CUT = OF == LM_OF_WINDOW;
    lm_patch_place at;
    const uint32_t line = lm_divide_by(number, l.across);
    const uint32_t above = CUT && D == 2 ? 0 : lm_divide_by(line, l.stacks);
    at.across = number - line * l.across.d;
    at.stack = line - above * l.stacks.d;
    at.plane = CUT && D > 2 ? l.first + above : above;
    at.x3 = D == 4 ? lm_divide_by(at.plane, l.x2) : 0;
    at.x2 = at.plane - at.x3 * l.x2.d;
    return at;
}

/* Returns the parity of the first row. Its y is left out where it is always even. It counts in
 * patches of one row, where it may be odd, and in windows of two dimensions, where it is odd. */
template <int D, int SHAPE, int OF>
LM_INLINE int lm_lean_of(const lm_patches &l, const lm_patch_place &at, uint32_t first_y)
{
    constexpr bool CUT = OF == LM_OF_WINDOW;
    const uint32_t before = !CUT ? 0u : D == 2 ? l.origin + 1u : l.origin;
    const uint32_t y = SHAPE != LM_LINE ? 0u : CUT && D == 2 ? first_y - 1u : first_y;
    return (int)((at.x2 + at.x3 + y + before) & 1u);
}

/* Finds the words below and above the first word along axes 2 and 3. */
template <int D, int OF>
LM_INLINE void lm_find_aside(const lm_patches &l, const lm_patch_place &at, lm_patch *p)
{
    constexpr bool CUT = OF == LM_OF_WINDOW;
    const uint32_t size = l.height * l.width, size2 = size * l.x2.d;
    if (D >= 3) {
        const bool ends = !CUT || D > 3;
        p->aside[4] = ends && at.x2 == 0 ? p->first + size2 - size : p->first - size;
        p->aside[5] = ends && at.x2 + 1 == l.x2.d ? p->first - size2 + size : p->first + size;
    }
    if (D == 4) {
        p->aside[6] = !CUT && at.x3 == 0 ? p->first + size2 * (l.x3 - 1) : p->first - size2;
        p->aside[7] = !CUT && at.x3 + 1 == l.x3 ? p->first - size2 * (l.x3 - 1) : p->first + size2;
    }
}

template <int D, int SHAPE, int OF = LM_OF_LATTICE>
LM_INLINE lm_patch lm_locate_patch(const lm_patches &l, uint32_t number, int colour)
{
    const lm_patch_place at = lm_patch_place_of<D, OF>(l, number);
    lm_patch p;
    p.j = at.across * (lm_by_fours(SHAPE) ? 4 : 1);
    p.y = at.stack * lm_patch_rows(SHAPE) + (OF == LM_OF_WINDOW && D == 2 ? l.first : 0);
    p.first = (at.plane * l.height + p.y) * l.width + p.j;
    p.lean = lm_lean_of<D, SHAPE, OF>(l, at, p.y) ^ colour;
    lm_find_aside<D, OF>(l, at, &p);
    return p;
}

/* Returns word m of a patch, counted from the first word; lm_in_patch() says whether it is in
 * the lattice. */
template <int SHAPE> LM_INLINE uint32_t lm_patch_offset(const lm_patches &l, int m)
{
    return lm_by_fours(SHAPE) ? m % 4 + m / 4 * l.width : m * l.width;
}

template <int SHAPE> LM_INLINE bool lm_in_patch(const lm_patches &l, const lm_patch &p, int m)
{
    return SHAPE != LM_RAGGED || p.y + m < l.height;
}

LM_INLINE void lm_load_four(const uint32_t *from, uint32_t *w)
{
    const uint4 four = *(const uint4 *)from;
    w[0] = four.x;
    w[1] = four.y;
    w[2] = four.z;
    w[3] = four.w;
}

/* Loads the words of the patch, or of the same shape from `first` on. */
template <int SHAPE>
LM_INLINE void lm_load_patch(const lm_patches &l, const lm_patch &p, const uint32_t *from,
                             uint32_t first, uint32_t *w)
{
    LM_UNROLL
    for (int r = 0; r < lm_patch_rows(SHAPE); r++) {
        if (lm_by_fours(SHAPE))
            lm_load_four(from + first + r * l.width, w + 4 * r);
        else
            w[r] = lm_in_patch<SHAPE>(l, p, r) ? from[first + r * l.width] : 0;
    }
}

/* Finds the neighbours' words, n[slot][m]. The words of a row get most of their bits from each
 * other. */
template <int D, int SHAPE, int N, int OF>
LM_INLINE void lm_around_brick(const lm_patches &l, const lm_patch &p, const uint32_t *other,
                               uint32_t n[2 * D][N])
{
    constexpr int ROWS = lm_patch_rows(SHAPE);
    constexpr bool ENDS = OF != LM_OF_WINDOW || D > 2; /* of axis 1 */
    const uint32_t line = p.first - p.j, size = l.height * l.width;
    const uint32_t next = p.j + 4 == l.width ? line : p.first + 4;
    const uint32_t last = p.j == 0 ? line + l.width - 1 : p.first - 1;
    lm_load_patch<SHAPE>(l, p, other, p.first, n[0]);
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
    lm_load_four(other + (ENDS && p.y == 0 ? p.first + size - l.width : p.first - l.width), n[2]);
    lm_load_four(other + (ENDS && p.y + ROWS == l.height ? p.first + ROWS * l.width - size
                                                         : p.first + ROWS * l.width),
                 n[3] + 4 * (ROWS - 1));
    LM_UNROLL
    for (int m = 0; m < N - 4; m++) {
        n[2][m + 4] = n[0][m];
        n[3][m] = n[0][m + 4];
    }
}

template <int D, int SHAPE, int OF>
LM_INLINE void lm_around_column(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                                const uint32_t *other, uint32_t n[2 * D][4])
{
    const uint32_t next = p.j + 1 == l.width ? p.first - p.j : p.first + 1;
    const uint32_t last = p.j == 0 ? p.first + l.width - 1 : p.first - 1;
    const uint32_t even = p.lean ? next : last, odd = p.lean ? last : next;
    const uint32_t bottom = p.first - p.y * l.width;
    lm_load_patch<SHAPE>(l, p, other, p.first, n[0]);
    LM_UNROLL
    for (int m = 0; m < 4; m++) {
        const uint32_t carry =
            lm_in_patch<SHAPE>(l, p, m) ? other[(m & 1 ? odd : even) + m * l.width] : 0;
        n[1][m] = (p.lean ^ m) & 1 ? lm_from_above(v, n[0][m], carry, p.j + 1 == l.width)
                                   : lm_from_below(v, n[0][m], carry, p.j == 0);
    }
    constexpr bool ENDS = OF != LM_OF_WINDOW || D > 2; /* of axis 1 */
    const uint32_t end = ENDS ? bottom : bottom + l.height * l.width;
    n[2][0] = other[ENDS && p.y == 0 ? bottom + (l.height - 1) * l.width : p.first - l.width];
    const uint32_t top = other[p.y + 4 < l.height ? p.first + 4 * l.width : end];
    LM_UNROLL
    for (int m = 1; m < 4; m++) {
        n[2][m] = n[0][m - 1];
        n[3][m - 1] =
            lm_in_patch<SHAPE>(l, p, m) ? n[0][m] : top; /* a plane may end inside a patch */
    }
    n[3][3] = top;
}

/* Returns a slot's words of the bonds of a sublattice: of their signs, or of those that are
 * missing. */
template <int SIGNS>
LM_INLINE const uint32_t *lm_bonds_of(const lm_bits_view &v, const uint32_t *bonds, uint32_t group,
                                      int colour, int slot)
{
    const size_t words = (size_t)v.rows * v.width;
    return bonds + (lm_bond_plane<SIGNS>(v, group, colour) * 2 * v.dims + slot) * words;
}

/* Finds the neighbours' spins times the bonds' signs, u[slot][m]. */
template <int D, int SIGNS, int SHAPE, int OF = LM_OF_LATTICE>
LM_INLINE void lm_around_patch(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                               uint32_t group, int colour, const uint32_t *other,
                               uint32_t u[2 * D][lm_patch_words(SHAPE)])
{
    constexpr int WORDS = lm_patch_words(SHAPE);
    if constexpr (lm_by_fours(SHAPE))
        lm_around_brick<D, SHAPE, WORDS, OF>(l, p, other, u);
    else
        lm_around_column<D, SHAPE, OF>(v, l, p, other, u);
    LM_UNROLL
    for (int i = 4; i < 2 * D; i++)
        lm_load_patch<SHAPE>(l, p, other, p.aside[i], u[i]);
    LM_UNROLL
    for (int i = 0; SIGNS && i < 2 * D; i++) {
        uint32_t sign[WORDS];
        lm_load_patch<SHAPE>(l, p, lm_bonds_of<SIGNS>(v, v.sign, group, colour, i), p.first, sign);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++)
            u[i][m] ^= sign[m];
    }
}

/* Counts changed sites. In rows of four words each word belongs to one replica, and its count
 * waits for lm_add_changed(). Otherwise the counts of shared words go to their replicas' sums at
 * once. */
template <int SHAPE>
LM_INLINE void lm_count_changed(const lm_bits_view &v, uint32_t g, int count, uint32_t word,
                                int *changed)
{
    if (lm_by_fours(SHAPE) || v.per_word == 1)
        *changed += __popc(word & (uint32_t)-count); /* a branch would double the kernel */
    else if (count)
        lm_add_bits(v, g, v.dims + 1, word);
}

/* Adds a thread's changes to the count. One multiplication finds the place; from the view's
 * members it would take as long as updating a word. */
LM_INLINE void lm_add_changed(const lm_patches &l, uint32_t g, int count, int changed)
{
    if (!count)
        return;
    const int n = lm_warp_sum(changed);
    if ((threadIdx.x & 31u) == 0)
        lm_add_to_count((lm_count *)((char *)l.changed + (uint64_t)g * l.changed_step), n);
}

/* Returns the sites of the words of a patch. In rows of four words all bits are sites. */
template <int SHAPE>
LM_INLINE uint32_t lm_valid_in(const lm_bits_view &v, const lm_patch &p, uint32_t g, bool inside)
{
    if (!inside)
        return 0;
    return lm_by_fours(SHAPE) ? ~0u : lm_valid(v, p.j) & v.replicas_mask[g];
}

/* Stores row r of a patch. */
template <int SHAPE>
LM_INLINE void lm_store_row(const lm_patches &l, const lm_patch &p, int r, const uint32_t *spins,
                            uint32_t *own)
{
    uint32_t *to = own + p.first + r * l.width;
    if (lm_by_fours(SHAPE))
        *(uint4 *)to =
            make_uint4(spins[4 * r], spins[4 * r + 1], spins[4 * r + 2], spins[4 * r + 3]);
    else if (lm_in_patch<SHAPE>(l, p, r))
        *to = spins[r];
}

template <int SHAPE>
LM_INLINE void lm_store_patch(const lm_patches &l, const lm_patch &p, const uint32_t *spins,
                              uint32_t *own)
{
    LM_UNROLL
    for (int r = 0; r < lm_patch_rows(SHAPE); r++)
        lm_store_row<SHAPE>(l, p, r, spins, own);
}

static inline int lm_patch_shape(const lm_bits_view *v)
{
    if (v->width % 4 == 0 && v->bits == 32)
        return LM_BRICK;
    return v->extents[1] % 4 == 0 ? LM_COLUMN : LM_RAGGED;
}

/* Returns patches of `rows` rows and `words` words a row. */
static inline lm_patches lm_patches_by(const lm_bits_view *v, uint32_t words, uint32_t rows)
{
    const uint32_t height = (uint32_t)v->extents[1];
    lm_patches l = {.across = lm_divisor_of(v->width / words),
                    .stacks = lm_divisor_of((height + rows - 1) / rows),
                    .x2 = lm_divisor_of(v->dims > 2 ? (uint32_t)v->extents[2] : 1),
                    .width = v->width,
                    .height = height,
                    .x3 = (uint32_t)v->extents[3],
                    .rows = rows,
                    .patches = 0,
                    .changed = v->counts + v->dims + 1,
                    .changed_step =
                        (uint32_t)((size_t)v->per_word * (v->dims + 2) * sizeof(lm_count)),
                    .first = 0,
                    .high = 0,
                    .origin = 0,
                    .base = 0,
                    .lower = 0,
                    .upper = 0};
    l.patches = l.across.d * l.stacks.d * (uint32_t)(v->rows / height);
    return l;
}

static inline lm_patches lm_patches_of(const lm_bits_view *v, int shape)
{
    return lm_patches_by(v, lm_by_fours(shape) ? 4 : 1, (uint32_t)lm_patch_rows(shape));
}

/* Returns a view of some groups, as if they were all. */
static inline lm_bits_view lm_view_of_groups(const lm_bits_view *v, int update, uint32_t first,
                                             uint32_t groups)
{
    const lm_rule_shape *shape = &v->shape[update];
    const size_t table = (size_t)(shape->heat_bath ? 1 : 2) * shape->classes * LM_RULE_STRIDE;
    const size_t bonds = (size_t)v->bond_step * 2 * v->dims * v->rows * v->width;
    lm_bits_view some = *v;
    some.groups = groups;
    some.first_group += first;
    some.sites += first * v->group_stride;
    some.sign = v->sign ? v->sign + first * bonds : NULL;
    some.gone = v->gone ? v->gone + first * bonds : NULL;
    some.replicas_mask += first;
    some.flip += first;
    some.uniform_planes += (size_t)first * 32 * v->dims;
    some.planes[update] += first * table;
    some.counts += (size_t)first * v->per_word * v->sums;
    return some;
}

/* Launches a kernel of patches on a whole lattice. The kernel finds the words of all groups by
 * 32-bit numbers. If there are too many words, it takes several launches. */
static inline cudaError_t lm_launch_patches(const void *kernel, const lm_bits_view *v,
                                            const lm_bits_pass *pass, lm_patches l,
                                            cudaStream_t stream)
{
    const uint32_t most = (uint32_t)(lm_bits_launch_words / (v->rows * v->width));
    cudaError_t e = cudaSuccess;
    for (uint32_t first = 0; e == cudaSuccess && first < v->groups; first += most) {
        const uint32_t rest = v->groups - first;
        lm_bits_view view = lm_view_of_groups(v, pass->update, first, rest < most ? rest : most);
        void *arguments[] = {&view, &l, (void *)pass};
        l.changed = view.counts + v->dims + 1;
        e = lm_launch_overlapping(
            kernel, dim3((l.patches + LM_PATCH_BLOCK - 1) / LM_PATCH_BLOCK, view.groups),
            LM_PATCH_BLOCK, arguments, v->overlaps, stream);
    }
    return e;
}

/* A table of kernels: [dimensions - 2][signs][whatever a row has] */
#define LM_PATCH_TABLE(ROW)                                                                        \
    {                                                                                              \
        {{ROW(2, 0)}, {ROW(2, 1)}, {ROW(2, 2)}}, {{ROW(3, 0)}, {ROW(3, 1)}, {ROW(3, 2)}},          \
            {{ROW(4, 0)}, {ROW(4, 1)}, {ROW(4, 2)}},                                               \
    }

#endif
