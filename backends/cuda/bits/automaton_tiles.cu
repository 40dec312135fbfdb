// SPDX-License-Identifier: BSD-3-Clause
// Many generations of a whole lattice in a launch: a tile of cells stays in registers, a thread
// having a word of every row.
//
// A generation makes cells wrong from the edges of a tile inwards, one row and one cell further
// each time, since what is beyond an edge is unknown. So a tile makes words that have one more on
// either side, and rows that have as many more as there are generations. Rows and words beyond the
// ends of a periodic axis are those at the other end; beyond those of an open one all cells are
// dead in every generation. Tiles know nothing of each other, and nobody waits.
//
// Where rows are short several tiles are in a warp: what one hands to the next is wrong in words
// that are at an edge anyway.
#include <math.h>

#include "backends/cuda/bits/automaton.h"
#include "backends/cuda/launch.cuh"
#include "lib/physics/automaton.h"

namespace
{
enum { BLOCK = 128, WARP = 32, MOST_BLOCKS_Y = 32768 };
enum { LOW = 32, HIGH = 64 }; // rows of a tile

// How a lattice is cut.
struct tiling {
    int rows, generations;   // of a tile
    uint32_t strips, across; // tiles beside each other; words that each makes at most
    uint32_t tall;           // rows that each makes at most,
    uint64_t tiles;          // of a replica
    uint32_t beside;         // tiles in a warp
    double ns;               // of a generation
};

// A thread's word of every row.
struct cells_tile_column {
    uint32_t word, shift; // where its first cell is,
    uint32_t left;        // after which there are so many to the end of the row, or 32
    uint32_t keep;        // the bits that are not beyond an open end
};

// A tile and a thread of it.
struct cells_tile_place {
    int64_t row;      // the first one that the tile makes,
    int64_t word;     // and the thread's, beyond the ends of a row without regard to them;
    int tall;         // rows that it makes,
    bool makes;       // and whether the thread's word is one that it makes
    int first, alive; // rows of the tile that are not beyond an open end
};

LM_INLINE cells_tile_place place_of(const lm_automaton_view &v, const tiling &t, uint64_t tile,
                                    uint32_t in_warp)
{
    const uint64_t band = lm_quotient(tile, (uint64_t)t.strips);
    const int64_t word = (int64_t)(tile - band * t.strips) * t.across;
    const int64_t across = min((int64_t)t.across, v.words - word);
    cells_tile_place p;
    p.row = (int64_t)band * t.tall;
    p.tall = (int)min((int64_t)t.tall, v.rows - p.row);
    p.word = word - 1 + min((int64_t)in_warp, across + 1);
    p.makes = in_warp > 0 && in_warp <= across;
    const int64_t lowest = p.row - t.generations;
    p.first = !v.wraps && lowest < 0 ? (int)-lowest : 0;
    p.alive = v.wraps ? t.rows : (int)min((int64_t)t.rows, v.rows - lowest) - p.first;
    return p;
}

LM_INLINE cells_tile_column column_of(const lm_automaton_view &v, int64_t word)
{
    const bool below = word < 0, above = word >= v.words;
    const int64_t end = v.extent - 32 * word; // cells to the end of the row
    cells_tile_column c = {0, 0, 32, ~0u};
    int64_t x = 32 * word;
    if (v.joined)
        x = below ? v.extent - 32 : above ? x - v.extent : x;
    else if (below || above)
        x = 0, c.keep = 0;
    else if (end < 32)
        c.keep = (1u << end) - 1;
    c.word = (uint32_t)(x / 32);
    c.shift = (uint32_t)(x % 32);
    if (v.joined && v.extent - x < 32)
        c.left = (uint32_t)(v.extent - x);
    return c;
}

// 32 cells of a row. PLAIN: the lattice has whole words and no open ends.
template <bool PLAIN> LM_INLINE uint32_t cells_at(const cells_tile_column &c, const uint32_t *row)
{
    const uint32_t low = row[c.word];
    if (PLAIN)
        return low;
    const uint32_t cells = __funnelshift_r(low, row[c.word + 1], c.shift);
    return c.keep & (c.left == 32 ? cells : (cells & ((1u << c.left) - 1)) | row[0] << c.left);
}

// Rows that follow each other.
template <int ROWS, bool PLAIN>
LM_INLINE void load_inner(const lm_automaton_view &v, const uint32_t *row,
                          const cells_tile_column &c, uint32_t *w)
{
    LM_UNROLL
    for (int r = 0; r < ROWS; r++)
        w[r] = cells_at<PLAIN>(c, row + (uint64_t)(uint32_t)r * v.stride);
}

template <int ROWS, bool PLAIN>
LM_INLINE void load(const lm_automaton_view &v, const uint32_t *from, const cells_tile_column &c,
                    int64_t y, uint32_t *w)
{
    if (y >= 0 && y + ROWS <= v.rows)
        return load_inner<ROWS, PLAIN>(v, from + y * v.stride, c, w);
    if (v.wraps)
        y = (y + ROWS * v.rows) % v.rows; // of what is not negative
    LM_UNROLL
    for (int r = 0; r < ROWS; r++) {
        const bool inside = PLAIN || (uint64_t)y < (uint64_t)v.rows;
        w[r] = inside ? cells_at<PLAIN>(c, from + y * v.stride) : 0;
        y = v.wraps && y + 1 == v.rows ? 0 : y + 1;
    }
}

LM_INLINE lm_automaton_triple around(uint32_t here)
{
    const uint32_t below = __shfl_up_sync(~0u, here, 1), above = __shfl_down_sync(~0u, here, 1);
    lm_automaton_triple c = lm_automaton_triple_of(__funnelshift_l(below, here, 1), here,
                                                   __funnelshift_r(here, above, 1));
    return c;
}

// The next generation in the place of the present one.
template <int ROWS, bool LIFE, bool PLAIN>
LM_INLINE void generation(const lm_automaton_view &v, const cells_tile_place &p, uint32_t keep,
                          uint32_t *w)
{
    lm_automaton_triple below = around(w[0]), here = below;
    LM_UNROLL
    for (int r = 0; r < ROWS; r++) {
        const lm_automaton_triple above = r + 1 < ROWS ? around(w[r + 1]) : here;
        const lm_alive alive = lm_alive_of(&below, &here, &above);
        const uint32_t next = LIFE ? lm_automaton_life(&alive, here.here)
                                   : lm_automaton_ruled(&v.rule, &alive, here.here);
        w[r] = PLAIN ? next : (uint32_t)(r - p.first) < (uint32_t)p.alive ? next & keep : 0;
        below = here;
        here = above;
    }
}

template <int ROWS, bool LIFE, bool PLAIN>
__global__ void __launch_bounds__(BLOCK) tile_kernel(const lm_automaton_view v, const tiling t)
{
    const uint32_t in_warp = threadIdx.x % WARP, wide = t.across + 2, which = in_warp / wide;
    const uint64_t warp = ((uint64_t)blockIdx.x * BLOCK + threadIdx.x) / WARP;
    const uint64_t tile = warp * t.beside + which;
    const bool exists = which < t.beside && tile < t.tiles;
    lm_await_previous();
    if (warp * t.beside >= t.tiles)
        return;
    const cells_tile_place p = place_of(v, t, exists ? tile : 0, in_warp - which * wide);
    const cells_tile_column c = column_of(v, p.word);
    const uint32_t tall = exists && p.makes ? (uint32_t)p.tall : 0;
    for (uint32_t r = blockIdx.y; r < v.replicas; r += gridDim.y) {
        uint32_t w[ROWS];
        uint32_t *to = v.to + r * v.replica_stride + (p.row - t.generations) * v.stride + p.word;
        load<ROWS, PLAIN>(v, v.from + r * v.replica_stride, c, p.row - t.generations, w);
        _Pragma("unroll 1") for (int i = 0; i < t.generations; i++)
            generation<ROWS, LIFE, PLAIN>(v, p, c.keep, w);
        LM_UNROLL
        for (int i = 0; i < ROWS; i++, to += v.stride)
            if ((uint32_t)(i - t.generations) < tall)
                *to = w[i];
    }
}

// What a generation takes in ns: a row of a tile, for which a warp that is alone waits, or the
// warps of a quarter of a multiprocessor in turn, and a launch (doc/performance-words.md).
double ns_of(const lm_automaton_view *v, const tiling *t, int processors)
{
    const double launch = 800.0, alone = v->rule.life ? 27.0 : 50.0;
    const double in_turn = v->rule.life ? 22.0 : 46.0;
    const double warps = (double)((t->tiles + t->beside - 1) / t->beside) * v->replicas;
    const double row = fmax(alone, warps / (4.0 * processors) * in_turn);
    return launch / t->generations + t->rows * row * (1.0 + 1.5 / t->generations);
}

tiling cut(const lm_automaton_view *v, int rows, int generations, uint32_t strips, int processors)
{
    const int64_t most = rows - 2 * generations, bands = (v->rows + most - 1) / most;
    tiling t = {rows, generations, strips, (v->words + strips - 1) / strips, 0, 0, 0, 0.0};
    t.strips = (v->words + t.across - 1) / t.across; // without empty ones
    t.tall = (uint32_t)((v->rows + bands - 1) / bands);
    t.tiles = (uint64_t)t.strips * (uint64_t)((v->rows + t.tall - 1) / t.tall);
    t.beside = WARP / (t.across + 2);
    t.ns = ns_of(v, &t, processors);
    return t;
}

// The best way to make at most so many generations in a launch.
tiling best_of(const lm_automaton_view *v, int64_t most, int processors)
{
    static const int generations[] = {1, 2, 3, 4, 6, 8};
    const uint32_t least = (v->words + WARP - 3) / (WARP - 2);
    tiling best = cut(v, LOW, 1, least, processors);
    for (int rows = LOW; rows <= HIGH; rows += HIGH - LOW)
        for (int g : generations)
            for (uint32_t strips = least; strips <= least + 3 && strips <= v->words; strips++) {
                const tiling t = cut(v, rows, g, strips, processors);
                if (g <= most && t.ns < best.ns)
                    best = t;
            }
    return best;
}

template <int ROWS, bool LIFE> const void *kernel_of(const lm_automaton_view *v)
{
    return v->wraps && v->joined && v->extent % 32 == 0
               ? (const void *)tile_kernel<ROWS, LIFE, true>
               : (const void *)tile_kernel<ROWS, LIFE, false>;
}

cudaError_t launch(const lm_automaton_view *v, const tiling *t, cudaStream_t stream)
{
    const void *const kernels[2][2] = {{kernel_of<LOW, false>(v), kernel_of<LOW, true>(v)},
                                       {kernel_of<HIGH, false>(v), kernel_of<HIGH, true>(v)}};
    const uint64_t warps = (t->tiles + t->beside - 1) / t->beside;
    const dim3 grid((unsigned)((warps * WARP + BLOCK - 1) / BLOCK),
                    v->replicas < MOST_BLOCKS_Y ? v->replicas : (unsigned)MOST_BLOCKS_Y);
    void *arguments[] = {(void *)v, (void *)t};
    return lm_launch_overlapping(kernels[t->rows == HIGH][v->rule.life], grid, BLOCK, arguments,
                                 v->overlaps, stream);
}

} // namespace

extern "C" int lm_tiles_serve(const lm_automaton_view *v)
{
    return !v->noisy && v->extent >= WARP;
}

extern "C" double lm_tiles_ns(const lm_automaton_view *v, int64_t most, int processors)
{
    return best_of(v, most, processors).ns;
}

extern "C" cudaError_t lm_launch_tiles(const lm_automaton_view *v, int64_t most, int processors,
                                       int64_t *made, cudaStream_t stream)
{
    const tiling t = best_of(v, most, processors);
    *made = t.generations;
    return launch(v, &t, stream);
}
