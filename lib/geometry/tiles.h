/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tiles of block Metropolis: doc/trajectory.md, "Tiles". Along axis a the lattice is cut into
 * count[a] tiles, tile k from k L / count (rounded down) to before (k + 1) L / count. Tiles
 * of one sub-grid have no site within two steps of each other.
 */
#ifndef LM_TILES_H
#define LM_TILES_H

#include "backends/backend.h"

typedef struct lm_tiles {
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    int64_t count[LATMC_MAX_DIMS];
    int64_t largest[LATMC_MAX_DIMS]; /* extent of a tile; the others have one less */
    int phases;                      /* sub-grids */
} lm_tiles;

lm_tiles lm_tiles_of(const lm_spec *spec);

static inline int64_t lm_tile_begin(const lm_tiles *t, int axis, int64_t k)
{
    return k * t->extents[axis] / t->count[axis];
}

/* The sub-grid of the tile with coordinates k[]. */
int lm_tile_phase(const lm_tiles *t, const int64_t *k);

/* An axis that cannot be tiled: closed, with fewer than 4 sites; or -1. */
int lm_tiles_refuse(const lm_spec *spec);

#endif
