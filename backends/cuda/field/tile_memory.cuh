/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings the tiles of a thread block to shared memory and back, and says which tiles they are. */
#ifndef LM_CUDA_FIELD_TILE_MEMORY_CUH
#define LM_CUDA_FIELD_TILE_MEMORY_CUH

#include <cuda_pipeline_primitives.h>

#include "backends/cuda/field/tile_shape.cuh"
#include "backends/cuda/field/site.cuh"

typedef struct lm_tile {
    uint32_t begin[4], extent[4]; /* extents are 0 where no tiles are left */
    uint32_t index;               /* number of its first site in the lattice, modulo 2^32 */
} lm_tile;

/* What a block keeps in shared memory. */
template <int D, int REACH, bool OPEN, int TILES> struct lm_tile_memory {
    typedef lm_tile_shape<D, REACH, TILES> shape;
    lm_scalar box[TILES][shape::box_numbers()];
    lm_tile tiles[TILES];
    /* Coordinate i of a box is begin - REACH + i of the lattice. The arrays have its part of a
     * site's number in memory, and its flags (below). Both are added up over the axes. */
    alignas(16) uint32_t offset[TILES][D][(shape::width + 3) / 4 * 4];
    uint32_t flags[TILES][D][shape::width];
    uint8_t bonds[OPEN ? D : 1][shape::width];
    int marked; /* 1: some sites are missing or have the other sign */
};

#define LM_TILE_STEPS    0xFFu /* bits 0 .. 7: steps from the tile; 8 ..: MISSING; 31: NEGATIVE */
#define LM_TILE_MISSING  0x100u
#define LM_TILE_NEGATIVE 0x80000000u
#define LM_TILE_BEYOND   50u /* steps: the box of this tile ends before it */

/* Returns the number of tiles of one parity along an axis. */
static inline __host__ __device__ uint32_t lm_tiles_along(const lm_field_view &v, int parity, int a)
{
    return (v.tiles[a] + 1u - (parity >> a & 1)) / 2u;
}

/* Returns the tiles of a sub-grid: those of the parity and, in three and four dimensions, those
 * of its complement. */
static inline __host__ __device__ uint32_t lm_tiles_of_parity(const lm_field_view &v, int parity)
{
    uint32_t tiles = 1;
    for (int a = 0; a < v.dims; a++)
        tiles *= lm_tiles_along(v, parity, a);
    return tiles;
}

/* Returns tile number n of a sub-grid (lm_tile_phase of lib/geometry/tiles.c). */
template <int D> LM_INLINE lm_tile lm_tile_locate(const lm_field_view &v, int parity, uint32_t n)
{
    uint32_t first = 1, second = LM_TILE_PAIRS(D) ? 1u : 0u;
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        first *= lm_tiles_along(v, parity, a);
        second *= lm_tiles_along(v, ~parity, a);
    }
    lm_tile t = {};
    if (n >= first + second)
        return t;
    if (n >= first) {
        n -= first;
        parity ^= (1 << D) - 1;
    }
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        const uint32_t along = lm_tiles_along(v, parity, a);
        const uint32_t above = a < D - 1 ? n / along : 0u;
        const uint32_t k = 2u * (n - above * along) + (uint32_t)(parity >> a & 1);
        n = above;
        t.begin[a] = v.tile_begin[a][k];
        t.extent[a] = v.tile_begin[a][k + 1] - t.begin[a];
        t.index += t.begin[a] * v.stride[a];
    }
    return t;
}

/* Fills in coordinate i of a tile's box along axis a. */
template <int REACH>
LM_INLINE void lm_tile_edge_of(const lm_field_view &v, const lm_tile &t, int a, int i,
                               uint32_t *offset, uint32_t *flags)
{
    const uint32_t last = v.last[a], begin = t.begin[a], extent = t.extent[a];
    const int from_low = REACH - i, from_high = i - (int)extent - REACH + 1;
    *flags = from_low > 0 ? (uint32_t)from_low : from_high > 0 ? (uint32_t)from_high : 0u;
    *offset = 0;
    if (from_high > REACH) {
        *flags = LM_TILE_BEYOND;
        return;
    }
    /* The result is modulo 2^32, so it also serves a chain of 2^32 sites. */
    uint32_t x = begin + (uint32_t)(i - REACH) - v.origin[a];
    const bool below = from_low > 0 && begin < (uint32_t)from_low;
    const bool above = from_high > 0 && last - (begin + extent - 1u) < (uint32_t)from_high;
    if (below || above) {
        x += below ? v.around[a] : 0u - v.around[a];
        *flags |= v.open[a] ? LM_TILE_MISSING : v.negative[a] ? LM_TILE_NEGATIVE : 0u;
    }
    *offset = x * v.stride[a];
}

/* Returns the tiles' block. Sub-grids are gone through forward and backward in turn, so that the
 * next one begins with what the previous one has left in the cache. */
LM_INLINE uint32_t lm_tile_block(int phase)
{
    return phase & 1 ? gridDim.x - 1u - blockIdx.x : blockIdx.x;
}

/* Finds which tiles the block has, and where their boxes are in the lattice. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_set_up(const lm_field_view &v, int phase,
                              lm_tile_memory<D, REACH, OPEN, TILES> *memory)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    const uint32_t block = lm_tile_block(phase);
    if (threadIdx.x < TILES)
        memory->tiles[threadIdx.x] = lm_tile_locate<D>(v, phase, block * TILES + threadIdx.x);
    if (threadIdx.x == 0)
        memory->marked = 0;
    __syncthreads();
    for (int e = (int)threadIdx.x; e < TILES * D * shape::width; e += shape::threads) {
        const int i = e % shape::width, a = e / shape::width % D, t = e / shape::width / D;
        uint32_t *const flags = &memory->flags[t][a][i];
        lm_tile_edge_of<REACH>(v, memory->tiles[t], a, i, &memory->offset[t][a][i], flags);
        if (*flags & (LM_TILE_MISSING | LM_TILE_NEGATIVE))
            atomicOr(&memory->marked, 1);
        if constexpr (OPEN)
            memory->bonds[a][i] =
                (uint8_t)lm_field_bonds(v, a, memory->tiles[t].begin[a] + (uint32_t)(i - REACH));
    }
    __syncthreads();
}

/* A line along the last axis in a box, for one thread. */
typedef struct lm_tile_column {
    int tile, at;           /* tile; the line's place 0 in the tile's box */
    uint32_t offset, flags; /* sums over the other axes */
} lm_tile_column;

template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE lm_tile_column lm_tile_column_of(const lm_tile_memory<D, REACH, OPEN, TILES> &memory,
                                           int q)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    int rest = q / shape::width;
    lm_tile_column f = {rest / shape::lines(), q % shape::width, 0, 0};
    rest %= shape::lines();
    f.offset = memory.offset[f.tile][0][f.at];
    f.flags = memory.flags[f.tile][0][f.at];
    LM_UNROLL
    for (int a = 1; a < D - 1; a++) {
        const int y = a < D - 2 ? rest % shape::width : rest;
        rest /= shape::width;
        f.offset += memory.offset[f.tile][a][y];
        f.flags += memory.flags[f.tile][a][y];
        f.at += y * shape::stride(a);
    }
    return f;
}

/* Sets missing sites to 0, and gives sites beyond an antiperiodic end their signs. Each thread
 * corrects what it has brought itself. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_correct(lm_tile_memory<D, REACH, OPEN, TILES> *memory)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    constexpr int length = D > 1 ? shape::width : 1;
    for (int q = (int)threadIdx.x; q < TILES * shape::lines() * shape::width; q += shape::threads) {
        const lm_tile_column f = lm_tile_column_of(*memory, q);
        for (int z = 0; z < length; z++) {
            const uint32_t flags = f.flags + (D > 1 ? memory->flags[f.tile][D - 1][z] : 0u);
            lm_scalar *const phi = &memory->box[f.tile][f.at + z * shape::stride(D - 1)];
            if ((flags & ~LM_TILE_NEGATIVE) >= LM_TILE_MISSING)
                *phi = 0;
            else if (flags & LM_TILE_NEGATIVE)
                *phi = -*phi;
        }
    }
}

/* Returns sites + offset as a number that the compiler does not take apart. Otherwise it would
 * add up the parts for every site. */
LM_INLINE const lm_scalar *lm_field_address(const lm_scalar *sites, uint32_t offset)
{
    const lm_scalar *p = sites + offset;
    asm("" : "+l"(p));
    __builtin_assume(__isGlobal(p));
    return p;
}

/* Asks for the boxes. Places further from a tile than REACH are brought with the others where
 * testing would cost more. They are not used: another block may be changing them. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_fetch(const lm_scalar *sites, lm_tile_memory<D, REACH, OPEN, TILES> *memory)
{
    typedef lm_tile_shape<D, REACH, TILES> shape;
    constexpr int length = D > 1 ? shape::width : 1;
    for (int q = (int)threadIdx.x; q < TILES * shape::lines() * shape::width; q += shape::threads) {
        const lm_tile_column f = lm_tile_column_of(*memory, q);
        lm_scalar *const to = &memory->box[f.tile][f.at];
        const lm_scalar *const from = lm_field_address(sites, f.offset);
        uint32_t offset[length];
        if ((f.flags & LM_TILE_STEPS) > (uint32_t)REACH)
            continue;
        LM_UNROLL
        for (int z = 0; z < length; z++)
            offset[z] = D > 1 ? memory->offset[f.tile][D - 1][z] : 0u;
        LM_UNROLL
        for (int z = 0; z < length; z++)
            __pipeline_memcpy_async(&to[z * shape::stride(D - 1)], &from[offset[z]],
                                    sizeof(lm_scalar));
    }
    __pipeline_commit();
}

/* Waits for the boxes. */
template <int D, int REACH, bool OPEN, int TILES>
LM_INLINE void lm_tile_receive(lm_tile_memory<D, REACH, OPEN, TILES> *memory)
{
    __pipeline_wait_prior(0);
    if (memory->marked)
        lm_tile_correct(memory);
    __syncthreads();
}

#endif
