/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that serve every shape, rule and slab: one thread a word. Simple first; whole
 * lattices have kernels of their own for most rules, those of the uniform rule for each size.
 */
#include "backends/cuda/bits/lattice.cuh"

enum { BLOCK = 256 };

typedef struct place {
    int64_t row;  /* in the slab */
    uint32_t j;   /* word of the row */
    int64_t x[4]; /* x[1 .. 3], in the whole lattice */
} place;

LM_INLINE place place_of(const lm_bits_view &v, int64_t number)
{
    place p;
    p.row = lm_quotient<int64_t>(number, v.width);
    p.j = (uint32_t)(number - p.row * v.width);
    int64_t rest = p.row + v.first_row;
    for (int a = 1; a < v.dims; a++) {
        const int64_t above = a < v.dims - 1 ? lm_quotient(rest, v.extents[a]) : 0;
        p.x[a] = rest - above * v.extents[a];
        rest = above;
    }
    return p;
}

/* The row below (step -1) or above (+1) along an axis; a ghost row beyond a slab's ends. */
LM_INLINE int64_t next_row(const lm_bits_view &v, const place &p, int axis, int step)
{
    int64_t stride = 1;
    for (int a = 1; a < axis; a++)
        stride *= v.extents[a];
    const bool wraps = v.whole || axis < v.dims - 1;
    if (wraps && step < 0 && p.x[axis] == 0)
        return p.row + stride * (v.extents[axis] - 1);
    if (wraps && step > 0 && p.x[axis] == v.extents[axis] - 1)
        return p.row - stride * (v.extents[axis] - 1);
    return p.row + step * stride;
}

LM_INLINE int row_parity(const lm_bits_view &v, const place &p)
{
    int64_t sum = 0;
    for (int a = 1; a < v.dims; a++)
        sum += p.x[a];
    return (int)(sum & 1);
}

LM_INLINE uint32_t below(const lm_bits_view &v, const uint32_t *row, uint32_t j)
{
    return lm_from_below(v, row[j], row[j == 0 ? v.width - 1 : j - 1], j == 0);
}

LM_INLINE uint32_t above(const lm_bits_view &v, const uint32_t *row, uint32_t j)
{
    return lm_from_above(v, row[j], row[j == v.width - 1 ? 0 : j + 1], j == v.width - 1);
}

LM_INLINE uint32_t *sublattice_of(const lm_bits_view &v, uint32_t group, int c)
{
    return v.sites + group * v.group_stride + c * v.sublattice_stride;
}

/* Word of the bonds' arrays for a slot. */
LM_INLINE int64_t bond_at(const lm_bits_view &v, uint32_t group, int c, int slot, const place &p)
{
    const int64_t plane = group * v.bond_step + c;
    return ((plane * 2 * v.dims + slot) * v.rows + p.row) * v.width + p.j;
}

/* up[slot]: J s of the neighbour is +1. */
LM_INLINE void neighbours(const lm_bits_view &v, uint32_t group, int c, const place &p,
                          uint32_t *up)
{
    const uint32_t *other = sublattice_of(v, group, v.folded ? 1 - c : 0);
    const uint32_t *row = other + p.row * v.width;
    if (v.folded) {
        up[0] = row[p.j];
        up[1] = (c ^ row_parity(v, p)) ? above(v, row, p.j) : below(v, row, p.j);
    } else {
        up[0] = below(v, row, p.j);
        up[1] = above(v, row, p.j);
    }
    for (int a = 1; a < v.dims; a++)
        for (int side = 0; side < 2; side++)
            up[2 * a + side] = other[next_row(v, p, a, 2 * side - 1) * v.width + p.j];
    if (v.sign)
        for (int i = 0; i < 2 * v.dims; i++)
            up[i] ^= v.sign[bond_at(v, group, c, i, p)];
}

/* What the coordinates of a natural row add to its sites' colours. */
LM_INLINE int row_colour(const lm_bits_view &v, const place &p)
{
    int sum = 0;
    for (int a = 1; a < v.dims; a++)
        sum += lm_colour_at(v, a, p.x[a]);
    return sum;
}

/* A new word of a boundary layer to the slabs beyond (backends/cuda/connect.h). */
LM_INLINE void hand_on(const lm_bits_view &v, uint32_t group, int c, const place &p, uint32_t word)
{
    for (int side = 0; side < 2; side++) {
        const lm_bits_halo &h = v.beyond[side];
        if (h.sites && (side ? p.row >= v.rows - v.layer_rows : p.row < v.layer_rows))
            h.sites[group * h.group_stride + c * h.sublattice_stride + (p.row + h.shift) * v.width +
                    p.j] = word;
    }
}

__global__ void __launch_bounds__(BLOCK) update_kernel(lm_bits_view v, lm_bits_pass pass)
{
    const int64_t number = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    const bool inside = number < (pass.last - pass.first) * v.width;
    lm_disturb(LM_AT_START);
    const place p = place_of(v, (inside ? number : 0) + pass.first * v.width);
    const int c = v.folded ? pass.colour : 0;
    const lm_ising_shape &shape = v.shape[pass.update];
    const size_t table = (size_t)(shape.heat_bath ? 1 : 2) * shape.classes * LM_ISING_STRIDE;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        uint32_t up[8], gone[8];
        neighbours(v, g, c, p, up);
        for (int i = 0; i < 2 * v.dims; i++)
            gone[i] = v.gone ? v.gone[bond_at(v, g, c, i, p)] : 0;
        uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0;
        if (!v.folded)
            valid &= lm_colour_bits(v, p.j, pass.colour, row_colour(v, p));
        uint32_t *own = sublattice_of(v, g, c) + p.row * v.width + p.j;
        const lm_ising_rule rule = {shape, v.planes[pass.update] + g * table};
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
        const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
        const uint32_t s = *own;
        const uint32_t now =
            lm_ising_general(&rule, s, up, gone, valid, lm_ising_tosses(pass.step), &stream, index);
        if (inside) {
            *own = now; /* whole: other threads may be reading bits of other colours */
            hand_on(v, g, c, p, now);
        }
        if (pass.count)
            lm_add_bits(v, g, v.dims + 1, s ^ now);
    }
}

__global__ void __launch_bounds__(BLOCK) start_kernel(lm_bits_view v, int hot)
{
    const int64_t number = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (number >= v.rows * v.width)
        return;
    const place p = place_of(v, number);
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y)
        for (int c = 0; c < v.sublattices; c++) {
            const lm_stream stream =
                lm_stream_of(&v.keys, LM_DOMAIN_START, 0, v.first_group + g, c);
            uint32_t r[4] = {~0u};
            if (hot)
                lm_random_words(&stream, (uint64_t)(p.row + v.first_row) * v.width + p.j, 0, r);
            sublattice_of(v, g, c)[number] = r[0] & lm_valid(v, p.j) & v.lanes[g];
        }
}

/* Folded: the bonds of sublattice 0 are all there are. Natural: those upward. */
LM_INLINE void measure_word(const lm_bits_view &v, unsigned wanted, uint32_t g, int64_t number,
                            lm_bits_sums *sums)
{
    const bool inside = number < v.rows * v.width;
    const place p = place_of(v, inside ? number : 0);
    const int64_t at = p.row * v.width + p.j;
    const uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0;
    if (wanted & LM_SUMS_BONDS) {
        const uint32_t s = sublattice_of(v, g, 0)[at];
        uint32_t nb[8];
        neighbours(v, g, 0, p, nb);
        for (int i = v.folded ? 0 : 1; i < 2 * v.dims; i += v.folded ? 1 : 2) {
            const uint32_t present = v.gone ? valid & ~v.gone[bond_at(v, g, 0, i, p)] : valid;
            lm_sum_bonds(v, g, i / 2, present, present & (nb[i] ^ s), sums);
        }
    }
    for (int c = 0; c < v.sublattices && wanted & LM_SUMS_SPINS; c++)
        lm_sum_spins(v, g, sublattice_of(v, g, c)[at] & valid, sums);
}

__global__ void __launch_bounds__(BLOCK) measure_kernel(lm_bits_view v, unsigned wanted)
{
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * BLOCK;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        lm_bits_sums sums = {{0, 0, 0, 0}, 0};
        for (int64_t first = (int64_t)blockIdx.x * BLOCK; first < words; first += stride)
            measure_word(v, wanted, g, first + threadIdx.x, &sums);
        lm_finish_sums<4>(v, g, sums);
    }
}

static dim3 grid_of(const lm_bits_view *v, int64_t words)
{
    return dim3((unsigned)((words + BLOCK - 1) / BLOCK), v->groups < 65535 ? v->groups : 65535);
}

extern "C" cudaError_t lm_launch_update(const lm_bits_view *v, const lm_bits_pass *pass,
                                        cudaStream_t stream)
{
    if (pass->first >= pass->last)
        return cudaSuccess;
    update_kernel<<<grid_of(v, (pass->last - pass->first) * v->width), BLOCK, 0, stream>>>(*v,
                                                                                           *pass);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_start(const lm_bits_view *v, int hot, cudaStream_t stream)
{
    start_kernel<<<grid_of(v, v->rows * v->width), BLOCK, 0, stream>>>(*v, hot);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_measure(const lm_bits_view *v, unsigned sums, cudaStream_t stream)
{
    enum { MOST_BLOCKS = 1056 }; /* enough for every multiprocessor, few enough atomics */
    dim3 grid = grid_of(v, v->rows * v->width);
    if (grid.x > MOST_BLOCKS)
        grid.x = MOST_BLOCKS;
    measure_kernel<<<grid, BLOCK, 0, stream>>>(*v, sums);
    return cudaGetLastError();
}
