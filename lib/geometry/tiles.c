/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/geometry/tiles.h"

#include "lib/physics/geometry.h"

/* Returns an even number, so that tiles alternate also around the end. No tile has fewer than 2
 * sites. */
static int64_t count_of(int64_t extent, int64_t most)
{
    return extent >= 4 ? 2 * ((extent + 2 * most - 1) / (2 * most)) : 1;
}

lm_tiles lm_tiles_of(const lm_spec *spec)
{
    lm_tiles t = {.dims = spec->dims, .phases = 1 << (spec->dims - LM_TILE_PAIRS(spec->dims))};
    const int64_t most = 1 << LM_TILE_LOG(spec->dims);
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        t.extents[a] = a < spec->dims ? spec->extents[a] : 1;
        t.count[a] = a < spec->dims ? count_of(t.extents[a], most) : 1;
        t.largest[a] = (t.extents[a] + t.count[a] - 1) / t.count[a];
    }
    return t;
}

int lm_tile_phase(const lm_tiles *t, const int64_t *k)
{
    int parity = 0;
    for (int a = 0; a < t->dims; a++)
        parity |= (int)(k[a] % 2) << a;
    if (LM_TILE_PAIRS(t->dims) && parity >> (t->dims - 1))
        parity ^= (1 << t->dims) - 1;
    return parity;
}

int lm_tiles_refuse(const lm_spec *spec)
{
    for (int a = 0; a < spec->dims; a++)
        if (spec->boundaries[a] != LATMC_OPEN && spec->extents[a] < 4)
            return a;
    return -1;
}
