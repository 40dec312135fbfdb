/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes the tiles of block Metropolis: doc/trajectory.md, "Tiles". Along axis a the lattice has
 * count[a] tiles. Tile k has the coordinates from k L / count (rounded down) to just before (k + 1)
 * L / count. Tiles of one sub-grid have no sites within two steps of each other.
 */
#ifndef LM_TILES_H
#define LM_TILES_H

#include "lib/geometry/spec.h"

typedef struct lm_tiles {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    int64_t count[LATMC_MAX_DIMS];
    int64_t largest[LATMC_MAX_DIMS]; /* the largest extent of a tile; other tiles have one site less
                                      */
    int phases;                      /* number of sub-grids */
} lm_tiles;

lm_tiles lm_tiles_of(const lm_spec *spec);

static inline int64_t lm_tile_begin(const lm_tiles *t, int axis, int64_t k)
{
    return k * t->extents[axis] / t->count[axis];
}

/* Returns the sub-grid of the tile with coordinates k[]. */
int lm_tile_phase(const lm_tiles *t, const int64_t *k);

/* Returns an axis that cannot have tiles, because it is closed with fewer than 4 sites, or -1. */
int lm_tiles_refuse(const lm_spec *spec);

#endif
