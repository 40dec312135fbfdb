/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes a lattice of bits: bonds, rows of replicas, and the halos of slabs. */
#include <string.h>

#include "backends/bonds.h"
#include "backends/cpu/bits/plan.h"
#include "lib/divide/slabs.h"

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

static uint32_t *digit_row(const lm_bits_plan *p, int64_t group, int sublattice, int64_t row, int k)
{
    return lm_bits_row(p, group, sublattice, row) + k * p->digit_stride;
}

latmc_status lm_bits_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                               const void *sites)
{
    lm_bits_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    int nth;
    const int64_t group = lm_bits_group_of(p, replica, &nth), extent = p->spec.extents[0];
    const int8_t *from = sites;
    for (int64_t i = 0; status == LATMC_OK && i < rows; i++) {
        const int64_t row = first_row + i - lm_bits_first_row(p), plane = row / p->plane_rows;
        for (int k = 0; k < p->digits; k++) {
            uint32_t *const to[2] = {digit_row(p, group, 0, row, k),
                                     digit_row(p, group, p->words.sublattices - 1, row, k)};
            lm_row_pack(&p->words, lm_row_parity(&p->spec, first_row + i), nth,
                        lm_digit_of(p->model->common->numbers, k), from + i * extent, extent, to);
        }
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
    int nth;
    const int64_t group = lm_bits_group_of(p, replica, &nth), extent = p->spec.extents[0];
    int8_t *to = sites;
    for (int64_t i = 0; status == LATMC_OK && i < rows; i++) {
        const int64_t row = first_row + i - lm_bits_first_row(p);
        for (int k = 0; k < p->digits; k++) {
            const uint32_t *const from[2] = {digit_row(p, group, 0, row, k),
                                             digit_row(p, group, p->words.sublattices - 1, row, k)};
            lm_row_unpack(&p->words, lm_row_parity(&p->spec, first_row + i), nth,
                          lm_digit_of(p->model->common->numbers, k), to + i * extent, extent, from);
        }
    }
    return status;
}

/* ---- halos */

size_t lm_bits_halo_bytes(const void *plan)
{
    const lm_bits_plan *p = plan;
    return (size_t)(p->words.groups * p->words.sublattices * p->digits * p->layer_rows *
                    p->words.width) *
           sizeof(uint32_t);
}

/* Returns row `row` of a layer that begins with row `first` of the slab, of digit 0. The layer may
 * be in the halo. In two dimensions row -1 is the ghost row. */
static uint32_t *layer_row(const lm_bits_plan *p, int64_t group, int sublattice, int64_t first,
                           int64_t row)
{
    const int64_t w = p->words.width;
    if (p->spec.dims <= 2)
        return lm_bits_plane(p, group, sublattice, 0) + (first + row) * w;
    const int64_t plane = (first + row + p->layer_rows) / p->plane_rows - p->layer_planes;
    return lm_bits_plane(p, group, sublattice, plane) + row % p->plane_rows * w;
}

/* These return the first row of the boundary layer at a side, and of the halo there. */
static int64_t boundary(const lm_bits_plan *p, lm_side side)
{
    return side == LM_LOWER ? 0 : p->planes * p->plane_rows - p->layer_rows;
}

static int64_t beyond(const lm_bits_plan *p, lm_side side)
{
    return side == LM_LOWER ? -p->layer_rows : p->planes * p->plane_rows;
}

/* Copies a layer to or from a halo. */
static void move_layer(const lm_bits_plan *p, int64_t first, uint32_t *halo, int in)
{
    const int64_t w = p->words.width;
    for (int64_t g = 0; g < p->words.groups; g++)
        for (int64_t k = 0; k < p->words.sublattices * p->digits; k++)
            for (int64_t i = 0; i < p->layer_rows; i++, halo += w) {
                uint32_t *at = layer_row(p, g, 0, first, i) + k * p->digit_stride;
                memcpy(in ? at : halo, in ? halo : at, (size_t)w * sizeof *at);
            }
}

latmc_status lm_bits_pack(void *plan, lm_side side, void *halo)
{
    move_layer(plan, boundary(plan, side), halo, 0);
    return LATMC_OK;
}

latmc_status lm_bits_unpack(void *plan, lm_side side, void *halo)
{
    move_layer(plan, beyond(plan, side), (uint32_t *)halo, 1);
    return LATMC_OK;
}

/* Signs across the lattice's ends belong to the bonds. */
int lm_bits_connect(void *plan, lm_side side, void *peer)
{
    ((lm_bits_plan *)plan)->peers[side] = peer;
    return peer != NULL;
}

void lm_bits_bring(const lm_bits_plan *p, int colour)
{
    const int sublattice = p->words.folded ? colour : 0;
    const size_t bytes = (size_t)p->words.width * sizeof(uint32_t);
    for (lm_side side = LM_LOWER; side <= LM_UPPER; side++) {
        const lm_bits_plan *to = p->peers[side];
        const int64_t first = boundary(p, side);
        const int64_t place = to ? beyond(to, lm_other_side(side)) : 0;
        for (int64_t g = 0; to && g < p->words.groups; g++)
            for (int64_t i = 0; i < p->digits * p->layer_rows; i++) {
                const int64_t row = i % p->layer_rows, k = i / p->layer_rows;
                memcpy(layer_row(to, g, sublattice, place, row) + k * to->digit_stride,
                       layer_row(p, g, sublattice, first, row) + k * p->digit_stride, bytes);
            }
    }
}
