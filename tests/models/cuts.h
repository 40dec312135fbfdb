/* SPDX-License-Identifier: BSD-3-Clause */
/* Where tests cut lattices. */
#ifndef LM_TESTS_CUTS_H
#define LM_TESTS_CUTS_H

#include "lib/divide/slabs.h"
#include "lib/geometry/tiles.h"
#include "tests/inside.h"

/* Where tiles begin, in as many slabs as there are layers of tiles, or as wanted. */
static inline lm_cuts cuts_between_tiles(const lm_spec *spec, int slabs)
{
    const int axis = spec->dims - 1;
    const lm_tiles t = lm_tiles_of(spec);
    const int count = t.count[axis] < slabs ? (int)t.count[axis] : slabs;
    lm_cuts cuts = {.count = count - 1};

    for (int k = 1; k < count; k++)
        cuts.layer[k - 1] = lm_tile_begin(&t, axis, k * t.count[axis] / count);
    return cuts;
}

/* Slabs of unequal layers, the last of them as thin as may be; none if there are too few. */
static inline lm_cuts cuts_unequal(const lm_spec *spec, int slabs)
{
    const int64_t layers = spec->extents[spec->dims - 1], least = spec->reach;
    lm_cuts cuts = {.count = slabs - 1};

    if (layers < slabs * least)
        return (lm_cuts){0};
    for (int k = 1; k < slabs; k++)
        cuts.layer[k - 1] = k * (least + (layers - slabs * least) * (k + 1) / (slabs * slabs));
    cuts.layer[slabs - 2] = layers - least;
    return cuts;
}

/* Number k of the slabs. */
static inline lm_spec cuts_slab(const lm_spec *spec, const lm_cuts *cuts, int k)
{
    lm_spec slab = *spec;

    slab.first_layer = k ? cuts->layer[k - 1] : 0;
    slab.layers =
        (k < cuts->count ? cuts->layer[k] : spec->extents[spec->dims - 1]) - slab.first_layer;
    return slab;
}

/* Are tiles of an update cut? */
static inline int cuts_tiles(const lm_spec *spec, const lm_cuts *cuts, int update)
{
    int cut = 0;

    for (int k = 0; k <= cuts->count; k++) {
        const lm_spec slab = cuts_slab(spec, cuts, k);

        cut |= lm_slab_serves(&slab, update) != LATMC_OK;
    }
    return cut;
}

#endif
