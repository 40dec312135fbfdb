/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, with a thread for every word, where the word is and where its neighbours are, in
 * lattices and slabs of any shape. `d` is the number of axes, view.dims. A kernel that knows it
 * when it is compiled passes a constant. */
#ifndef LM_CUDA_BITS_SPOTS_CUH
#define LM_CUDA_BITS_SPOTS_CUH

#include "backends/cuda/bits/lattice.cuh"
#include "backends/cuda/seam.cuh"

enum { LM_SPOT_BLOCK = 256 }; /* threads */

typedef struct lm_spot {
    int64_t row;  /* row in the slab */
    uint32_t j;   /* word of the row */
    int64_t x[4]; /* x[1 .. 3], in the whole lattice */
} lm_spot;

LM_INLINE lm_spot lm_spot_of(const lm_bits_view &v, int d, int64_t number)
{
    lm_spot p;
    p.row = lm_quotient<int64_t>(number, v.width);
    p.j = (uint32_t)(number - p.row * v.width);
    int64_t rest = p.row + v.first_row;
    for (int a = 1; a < d; a++) {
        const int64_t above = a < d - 1 ? lm_quotient(rest, v.extents[a]) : 0;
        p.x[a] = rest - above * v.extents[a];
        rest = above;
    }
    return p;
}

/* Returns the row below (step -1) or above (+1) along an axis; beyond a slab's ends this is a
 * ghost row. */
LM_INLINE int64_t lm_next_row(const lm_bits_view &v, int d, const lm_spot &p, int axis, int step)
{
    int64_t stride = 1;
    for (int a = 1; a < axis; a++)
        stride *= v.extents[a];
    const bool wraps = v.whole || axis < d - 1;
    if (wraps && step < 0 && p.x[axis] == 0)
        return p.row + stride * (v.extents[axis] - 1);
    if (wraps && step > 0 && p.x[axis] == v.extents[axis] - 1)
        return p.row - stride * (v.extents[axis] - 1);
    return p.row + step * stride;
}

LM_INLINE int lm_spot_parity(int d, const lm_spot &p)
{
    int64_t sum = 0;
    for (int a = 1; a < d; a++)
        sum += p.x[a];
    return (int)(sum & 1);
}

LM_INLINE uint32_t lm_word_below(const lm_bits_view &v, const uint32_t *row, uint32_t j)
{
    return lm_from_below(v, row[j], row[j == 0 ? v.width - 1 : j - 1], j == 0);
}

LM_INLINE uint32_t lm_word_above(const lm_bits_view &v, const uint32_t *row, uint32_t j)
{
    return lm_from_above(v, row[j], row[j == v.width - 1 ? 0 : j + 1], j == v.width - 1);
}

LM_INLINE uint32_t *lm_sublattice_of(const lm_bits_view &v, uint32_t group, int c)
{
    return v.sites + group * v.group_stride + c * v.sublattice_stride;
}

/* Returns the word of the bonds' arrays for a slot. */
LM_INLINE int64_t lm_bond_at(const lm_bits_view &v, int d, uint32_t group, int c, int slot,
                             const lm_spot &p)
{
    const int64_t plane = group * v.bond_step + c;
    return ((plane * 2 * d + slot) * v.rows + p.row) * v.width + p.j;
}

/* Finds the neighbours' words of a digit of the sites, around[slot]. */
LM_INLINE void lm_words_around(const lm_bits_view &v, int d, uint32_t group, int c, int digit,
                               const lm_spot &p, uint32_t *around)
{
    const uint32_t *other =
        lm_sublattice_of(v, group, v.folded ? 1 - c : 0) + digit * v.digit_stride;
    const uint32_t *row = other + p.row * v.width;
    if (v.folded) {
        around[0] = row[p.j];
        around[1] =
            (c ^ lm_spot_parity(d, p)) ? lm_word_above(v, row, p.j) : lm_word_below(v, row, p.j);
    } else {
        around[0] = lm_word_below(v, row, p.j);
        around[1] = lm_word_above(v, row, p.j);
    }
    for (int a = 1; a < d; a++)
        for (int side = 0; side < 2; side++)
            around[2 * a + side] = other[lm_next_row(v, d, p, a, 2 * side - 1) * v.width + p.j];
}

/* Finds up[slot]: J s of the neighbour is +1. */
LM_INLINE void lm_neighbours(const lm_bits_view &v, int d, uint32_t group, int c, const lm_spot &p,
                             uint32_t *up)
{
    lm_words_around(v, d, group, c, 0, p, up);
    if (v.sign)
        for (int i = 0; i < 2 * d; i++)
            up[i] ^= v.sign[lm_bond_at(v, d, group, c, i, p)];
}

/* Returns what the coordinates of a natural row add to its sites' colours. */
LM_INLINE int lm_spot_colour(const lm_bits_view &v, const lm_spot &p)
{
    int sum = 0;
    for (int a = 1; a < v.dims; a++)
        sum += lm_colour_at(v, a, p.x[a]);
    return sum;
}

/* Stores a digit's new word of a boundary layer in the neighbouring slabs' halos
 * (backends/cuda/connect.h). */
LM_INLINE void lm_hand_on(const lm_bits_view &v, uint32_t group, int c, int digit, const lm_spot &p,
                          uint32_t word)
{
    for (int side = 0; side < 2; side++) {
        const lm_bits_far_halo &h = v.beyond[side];
        if (h.sites && (side ? p.row >= v.rows - v.layer_rows : p.row < v.layer_rows))
            h.sites[group * h.group_stride + c * h.sublattice_stride + digit * h.digit_stride +
                    (p.row + h.shift) * v.width + p.j] = word;
    }
}

static inline dim3 lm_spot_grid(const lm_bits_view *v, int64_t words)
{
    return dim3((unsigned)((words + LM_SPOT_BLOCK - 1) / LM_SPOT_BLOCK),
                v->groups < 65535 ? v->groups : 65535);
}

static inline uint64_t lm_rows_within(int64_t row, const lm_bits_pass *pass)
{
    return (uint64_t)(row < pass->first  ? 0
                      : row > pass->last ? pass->last - pass->first
                                         : row - pass->first);
}

/* Sets the blocks that have words of the boundary layers. */
static inline void lm_spot_cut_seam(const lm_bits_view *v, const lm_bits_pass *pass, lm_seam *seam)
{
    const uint64_t width = v->width, rows = (uint64_t)(pass->last - pass->first);
    if (v->whole)
        return;
    lm_seam_cut(seam, 0, 0, lm_rows_within(v->layer_rows, pass) * width, LM_SPOT_BLOCK);
    lm_seam_cut(seam, 1, lm_rows_within(v->rows - v->layer_rows, pass) * width, rows * width,
                LM_SPOT_BLOCK);
}

/* Launches a kernel on any lattice: each thread has a word, and blocks at a slab's sides store
 * sites in the neighbouring slabs' halos. */
typedef void (*lm_spot_kernel)(lm_bits_view, lm_bits_pass);

static inline cudaError_t lm_launch_spots(lm_spot_kernel kernel, const lm_bits_view *v,
                                          const lm_bits_pass *pass, cudaStream_t stream)
{
    if (pass->first >= pass->last)
        return cudaSuccess;
    const dim3 grid = lm_spot_grid(v, (pass->last - pass->first) * v->width);
    lm_bits_view view = *v;
    lm_spot_cut_seam(v, pass, &view.seam);
    kernel<<<grid, LM_SPOT_BLOCK, 0, stream>>>(view, *pass);
    const cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
        lm_seam_launched(&view.seam, grid.y);
    return e;
}

#endif
