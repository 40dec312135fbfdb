/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the static values of the sites: the model's, given ones, and their copies beyond the nodes.
 */
#include <stdlib.h>

#include "backends/cpu/field/plan.h"
#include "lib/base/memory.h"

lm_field_box lm_field_fixed_box(const lm_field_layout *l, const lm_field_box *box)
{
    lm_field_box b = *box;
    b.field = (void *)(uintptr_t)box->fixed;
    b.planes = l->fixed_map.planes;
    return b;
}

void *lm_field_fixed_of(const lm_field_layout *l, int64_t sample)
{
    const int64_t place0 = sample / l->per_vector * l->numbers + l->box.place0;
    const int64_t lane = sample % l->per_vector * l->box.nodes;
    return l->fixed ? l->fixed + (size_t)(l->fixed_map.planes * place0 + lane) * l->value_bytes
                    : NULL;
}

/* Writes a row of the lattice to its place in `map`, also in the halo of a slab. Values beyond open
 * ends are 0. */
static void put_row(const lm_field_layout *l, const lm_field_map *map, void *field, int64_t row,
                    const void *values)
{
    const int last = map->dims - 1;
    const int64_t stride = lm_row_stride(map->extents, last), rows = map->lattice_layers * stride;
    const int64_t count = (last > 0 ? map->extents[last] : 1) * stride;
    for (int turn = -1; turn <= 1; turn++) { /* around the lattice's end */
        const int64_t at = row + turn * rows;
        const int none = turn != 0 && l->map.boundaries[last] == LATMC_OPEN;
        if (!none && at >= map->first_row && at < map->first_row + count)
            l->lane->values.put(map, field, at, 1, values);
    }
}

/* Writes the rows of the lattice that are here, with those of a slab's halo. */
static int fill(const lm_field_layout *l)
{
    const lm_field_map *map = &l->fixed_map;
    const int last = map->dims - 1;
    const int64_t stride = lm_row_stride(map->extents, last);
    const int64_t rows = last > 0 ? map->lattice_layers * stride : 1;
    const int64_t here = last > 0 ? map->extents[last] * stride : 1;
    void *values = lm_zeroed(NULL, "a row of static values", l->spec->extents[0] * map->planes,
                             l->value_bytes);
    for (int64_t i = 0; values && i < here && i < rows; i++) {
        const int64_t r = (map->first_row + rows + i) % rows;
        lm_fixed_row(l->spec, l->fixed_value, map->planes, l->value_bytes == sizeof(double), r,
                     values);
        for (int64_t sample = 0; sample < l->samples; sample++)
            put_row(l, map, lm_field_fixed_of(l, sample), r, values);
    }
    free(values);
    return values != NULL;
}

int lm_field_fixed_make(lm_field_layout *l)
{
    l->fixed_memory = lm_zeroed(NULL, "the static values of the sites",
                                (l->samples + l->per_vector - 1) / l->per_vector *
                                        l->fixed_map.planes * l->numbers +
                                    LM_CACHE_LINE,
                                l->value_bytes);
    if (!l->fixed_memory)
        return 0;
    l->fixed = lm_align_to_cache_line(l->fixed_memory);
    l->box.fixed = lm_field_fixed_of(l, 0);
    l->fixed_stale = 1;
    return fill(l);
}

/* ---- given values */

/* Sets static value k of one sample, for the rows that are here or beside a slab. */
latmc_status lm_field_put_values(void *plan, int64_t sample, int k, int64_t first_row, int64_t rows,
                                 const double *values)
{
    lm_field_plan *p = plan;
    lm_field_layout *l = &p->layout;
    const int64_t width = p->spec.extents[0];
    const size_t skipped = (size_t)(k * l->lane->reals) * l->value_bytes;
    lm_field_map one = l->fixed_map;
    one.planes = 1;
    void *row = lm_zeroed(NULL, "a row of values", width, (int64_t)l->value_bytes);
    for (int64_t r = first_row; row && r < first_row + rows; r++, values += width) {
        lm_fixed_round_row(&p->spec, k, r, values, l->value_bytes == sizeof(double), row);
        put_row(l, &one, (char *)lm_field_fixed_of(l, sample) + skipped, r, row);
    }
    l->fixed_stale = 1;
    free(row);
    return row ? LATMC_OK : LATMC_ERROR_MEMORY;
}

/* ---- copies beyond the nodes */

void lm_field_fixed_refresh(lm_field_layout *l)
{
    lm_field_box box = lm_field_fixed_box(l, &l->box);
    for (int64_t sample = 0; l->fixed_stale && sample < l->samples; sample++) {
        box.field = lm_field_fixed_of(l, sample);
        l->lane->values.refresh(&box, l->halo.orders, l->halo.moves, l->halo.buckets.count, 1);
    }
    l->fixed_stale = 0;
}
