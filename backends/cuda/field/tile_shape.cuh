/* SPDX-License-Identifier: BSD-3-Clause */
/* Says a tile's extents, its threads and its place in shared memory, all known to the compiler. */
#ifndef LM_CUDA_FIELD_TILE_SHAPE_CUH
#define LM_CUDA_FIELD_TILE_SHAPE_CUH

#include "lib/physics/geometry.h"

/*
 * TILES full tiles, which one thread block has in shared memory. Each tile is in a box with REACH
 * more sites at each end. A thread has a segment: a run of `modulus` sites in a row of a tile,
 * one of each colour. It visits them in the colours' order, (colour - shift) % modulus; the shift
 * is that of its row: 2 y + 3 z.
 *
 * With one tile a warp has 32 neighbouring rows, whatever their shifts. With four tiles it has rows
 * of one shift, 8 of each tile. Then all of its threads are at the same place of their rows, and go
 * one step to the right from one visit to the next. Most of what a site's sums need is known from
 * the visit before. Only the last step, back to the row's beginning, needs all of it. Four tiles
 * pay where there are tiles enough to fill the device.
 *
 * stride() and box_numbers() keep the 32 sites of a warp, and so their neighbours, in different
 * banks in three dimensions. With one tile the sites are 8 y's of 4 z's with x = (colour - 2 y - 3
 * z) % 8, or four x's of a row and 8 y's. With four tiles they are four z's, two apart, each with
 * two y's, four apart, of each tile. In two dimensions two of four tiles meet in a bank.
 */
template <int D, int REACH, int TILES> struct lm_tile_shape {
    static constexpr int log = LM_TILE_LOG(D);
    static constexpr int most = 1 << log;
    static constexpr int modulus = LM_TILE_COLOURS(D, REACH);
    static constexpr int per_row = (most + modulus - 1) / modulus;
    static constexpr int segments = per_row << (D - 1) * log; /* segments of a tile */
    static constexpr int threads = TILES * segments;
    static constexpr bool slides = REACH == 2 && (D == 1 || TILES == 4);
    static constexpr int width = most + 2 * REACH;

    static constexpr __host__ __device__ int stride(int a)
    {
        return a == 0   ? 1
               : D == 2 ? (REACH == 1 ? 24 : 20)
               : D == 3 ? (a == 1       ? 12
                           : REACH == 1 ? 120
                           : TILES == 1 ? 150
                                        : 148)
               : D == 4 ? (a == 1   ? width
                           : a == 2 ? width * width
                                    : width * width * width)
                        : 1;
    }
    static constexpr __host__ __device__ int box_numbers() /* numbers of a box */
    {
        int last = 0;
        for (int a = 0; a < D; a++)
            last += (width - 1) * stride(a);
        return TILES == 1 ? last + 1 : (last + 31) / 32 * 32 + 1;
    }
    static constexpr __host__ __device__ int
    lines() /* lines of a box along the last axis, for each x */
    {
        int n = 1;
        for (int a = 1; a < D - 1; a++)
            n *= width;
        return n;
    }
};

/* Returns the threads that a multiprocessor must be able to hold, which bounds their registers:
 * 48, or 64 with what a thread of four tiles keeps. Doubles have 128. A Turing GPU has at most
 * 1024 threads. */
template <int TILES> constexpr int lm_field_resident()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return LM_REAL_BITS == 32 ? 1024 : 512;
#else
    return LM_REAL_BITS == 64 ? 512 : TILES > 1 ? 1024 : 1280;
#endif
}

/* Returns the blocks of `threads` threads at once; at most 24 or 16. */
template <int TILES> constexpr int lm_field_at_once(int threads)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    const int most = 16;
#else
    const int most = 24;
#endif
    const int fit = lm_field_resident<TILES>() / threads;
    return fit < most ? fit : most;
}

/* Returns the tiles of a thread block where there are many tiles. */
template <int D, int REACH, bool OPEN> constexpr int lm_field_tiles_of_block()
{
    return LM_REAL_BITS == 32 && REACH == 2 && !OPEN && (D == 2 || D == 3) ? 4 : 1;
}

#endif
