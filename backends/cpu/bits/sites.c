/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of bits in and out: bonds, rows of replicas, and the halos of slabs. */
#include <string.h>

#include "backends/bonds.h"
#include "backends/cpu/bits/plan.h"
#include "lib/slabs.h"

latmc_status lm_bits_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                               int64_t rows, const int8_t *bonds)
{
    const lm_bits_plan *p = plan;
    const lm_bond_bits to = {.spec = &p->spec,
                             .words = &p->words,
                             .first_row = lm_bits_first_row(p),
                             .rows = p->planes * p->plane_rows,
                             .sign = p->sign,
                             .gone = p->gone};
    lm_bonds_put(&to, sample, axis, first_row, rows, bonds);
    return LATMC_OK;
}

latmc_status lm_bits_start(void *plan, latmc_start_mode mode)
{
    lm_bits_plan *p = plan;
    for (int64_t g = 0; g < p->words.groups; g++)
        lm_bits_start_rows(p, mode, g, 0, p->planes * p->plane_rows);
    return LATMC_OK;
}

int64_t lm_bits_group_of(const lm_bits_plan *p, int64_t replica, int *lane)
{
    const int64_t number = p->spec.first_replica + replica;
    *lane = (int)(number % p->words.pack);
    return number / p->words.pack - p->words.first_group;
}

latmc_status lm_bits_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                               const void *sites)
{
    lm_bits_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    int lane;
    const int64_t group = lm_bits_group_of(p, replica, &lane), extent = p->spec.extents[0];
    const int8_t *from = sites;
    for (int64_t i = 0; status == LATMC_OK && i < rows; i++) {
        const int64_t row = first_row + i - lm_bits_first_row(p), plane = row / p->plane_rows;
        uint32_t *const to[2] = {lm_bits_row(p, group, 0, row),
                                 lm_bits_row(p, group, p->words.sublattices - 1, row)};
        lm_row_pack(&p->words, lm_row_parity(&p->spec, first_row + i), lane, from + i * extent,
                    extent, to);
        for (int c = 0; c < p->words.sublattices; c++)
            lm_bits_refresh(p, group, c, plane, row % p->plane_rows, row % p->plane_rows + 1);
    }
    return status;
}

latmc_status lm_bits_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                               void *sites)
{
    lm_bits_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    int lane;
    const int64_t group = lm_bits_group_of(p, replica, &lane), extent = p->spec.extents[0];
    int8_t *to = sites;
    for (int64_t i = 0; status == LATMC_OK && i < rows; i++) {
        const int64_t row = first_row + i - lm_bits_first_row(p);
        const uint32_t *const from[2] = {lm_bits_row(p, group, 0, row),
                                         lm_bits_row(p, group, p->words.sublattices - 1, row)};
        lm_row_unpack(&p->words, lm_row_parity(&p->spec, first_row + i), lane, to + i * extent,
                      extent, from);
    }
    return status;
}

/* ---- halos */

size_t lm_bits_halo_bytes(const void *plan)
{
    const lm_bits_plan *p = plan;
    return (size_t)(p->words.groups * p->words.sublattices * p->layer_rows * p->words.width) *
           sizeof(uint32_t);
}

/* Copies a layer of rows, the first being row `row` of the slab (ghosts included), to or
 * from a halo. */
static void move_layer(lm_bits_plan *p, int64_t row, uint32_t *halo, int in)
{
    const int64_t w = p->words.width;
    const size_t bytes = (size_t)w * sizeof(uint32_t);
    for (int64_t g = 0; g < p->words.groups; g++)
        for (int c = 0; c < p->words.sublattices; c++)
            for (int64_t i = 0; i < p->layer_rows; i++, halo += w) {
                const int64_t r = row + i; /* in two dimensions row -1 is the ghost row */
                uint32_t *at =
                    p->spec.dims <= 2
                        ? lm_bits_plane(p, g, c, 0) + r * w
                        : lm_bits_plane(p, g, c,
                                        (r + p->layer_rows) / p->plane_rows - p->layer_planes) +
                              i % p->plane_rows * w;
                memcpy(in ? at : halo, in ? halo : at, bytes);
            }
}

latmc_status lm_bits_pack(void *plan, lm_side side, void *halo)
{
    lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows;
    move_layer(p, side == LM_LOWER ? 0 : rows - p->layer_rows, halo, 0);
    return LATMC_OK;
}

latmc_status lm_bits_unpack(void *plan, lm_side side, void *halo)
{
    lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows;
    move_layer(p, side == LM_LOWER ? -p->layer_rows : rows, (uint32_t *)halo, 1);
    return LATMC_OK;
}
