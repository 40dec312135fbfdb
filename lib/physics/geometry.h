/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says where sites are, once for C and CUDA: numbers and coordinates, ends, colours in a row,
 * tiles. Sites are numbered x0 + L0 (x1 + L1 (x2 + ..)). Rows, the lines of sites along axis 0, are
 * numbered x1 + L1 (x2 + ..): doc/trajectory.md, "Sites and rows".
 */
#ifndef LM_GEOMETRY_H
#define LM_GEOMETRY_H

#include <stdint.h>

#include "lib/physics/specifiers.h"

#ifdef __CUDACC__
typedef uint32_t lm_coordinate; /* a coordinate that a kernel works with */
#else
typedef int64_t lm_coordinate;
#endif
#ifdef __CUDA_ARCH__
#define LM_GEOMETRY_LOOP _Pragma("unroll")
#else
#define LM_GEOMETRY_LOOP
#endif

/* ---- numbers and coordinates */

/* Finds x[first ..] of number = x[first] + extents[first] (x[first + 1] + ..). Rows have `first`
 * 1. */
LM_EVERYWHERE_INLINE void lm_coordinates(int64_t number, int first, int dims,
                                         const int64_t *extents, int64_t *x)
{
    for (int a = first; a < dims; a++) {
        x[a] = number % extents[a];
        number /= extents[a];
    }
}

/* Returns the number of rows from a row to its neighbour along axis >= 1. */
LM_EVERYWHERE_INLINE int64_t lm_row_stride(const int64_t *extents, int axis)
{
    int64_t stride = 1;
    for (int a = 1; a < axis; a++)
        stride *= extents[a];
    return stride;
}

/* ---- ends */

/* Folds a coordinate back that may be beyond one or several ends. Returns the factor of the site
 * there. `end` is the factor of one end: lm_end_factor() of lib/geometry/spec.h. */
LM_EVERYWHERE_INLINE int lm_fold(int end, int64_t extent, int64_t *x)
{
    int factor = 1;
    for (; *x < 0 || *x >= extent; *x += *x < 0 ? extent : -extent)
        factor *= end;
    return factor;
}

/* ---- colours (lib/geometry/colouring.h) */

/* Returns the class along axis 0, sum + modulus far, of a colour's sites in the row with
 * coordinates x[1 ..]. It returns -1 if the row has none. Sums are below the modulus, and most axes
 * have one far number. So there are few divisions, which are slow, and rows are many. */
LM_EVERYWHERE_INLINE int lm_class_in_row(int dims, int modulus, const int *far_numbers,
                                         const uint8_t *const *sum, const uint8_t *const *far,
                                         int colour, const lm_coordinate *x)
{
    const int number = colour < modulus ? 0 : colour / modulus;
    int left = colour - number * modulus, rest = number, own = 0;
    if (far_numbers[0] > 1) {
        own = rest % far_numbers[0];
        rest /= far_numbers[0];
    }
    LM_GEOMETRY_LOOP
    for (int a = 1; a < dims; a++) {
        if (far_numbers[a] > 1) {
            if (rest % far_numbers[a] != far[a][x[a]])
                return -1;
            rest /= far_numbers[a];
        }
        left -= sum[a][x[a]];
        left += left < 0 ? modulus : 0;
    }
    return left + modulus * own;
}

/* ---- tiles (lib/geometry/tiles.h) */

/* The base-2 logarithm of the most sites of a tile along an axis. Such a tile is large enough to be
 * swept more than once each time it is loaded. It is small enough for a small lattice to have many
 * tiles. */
#define LM_TILE_LOG(dims) ((dims) == 1 ? 8 : (dims) == 2 ? 4 : (dims) == 3 ? 3 : 2)

/* The colours of a tile. A power of two divides the tile evenly, which is worth more than one
 * colour less. */
#define LM_TILE_COLOURS(dims, reach) ((reach) == 1 ? 2 : (dims) == 1 ? 4 : (dims) == 4 ? 9 : 8)

/* The coefficient of axis a in the sum that gives a site's colour in a tile. */
#define LM_TILE_COEFFICIENT(a, reach) ((reach) == 1 ? 1 : (a) + 1)

/* Tiles of opposite parity along three or four axes meet only in corners, and their sites are three
 * steps apart. So they share a sub-grid. */
#define LM_TILE_PAIRS(dims) ((dims) >= 3)

#endif
