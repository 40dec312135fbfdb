/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ising model on CPUs. */
#include "backends/cpu/cpu.h"

#include <string.h>

#include "backends/bonds.h"
#include "backends/cpu/bits/plan.h"
#include "lib/status.h"

static latmc_status open_ising(const lm_spec *spec, int device, void **plan)
{
    static const lm_bits_loops *const lanes[] = {LM_EVERY_LANE(lm_ising_loops_, )};
    return lm_bits_open(spec, lanes[device], (lm_bits_plan **)plan);
}

static void close_plan(void *plan)
{
    lm_bits_close(plan);
}

static void set_threads(void *plan, int threads)
{
    ((lm_bits_plan *)plan)->threads = threads;
}

/* The row's number in the slab, or -1. */
static int64_t own_row(const lm_bits_plan *p, int64_t row)
{
    row -= lm_bits_first_row(p);
    return row >= 0 && row < p->planes * p->plane_rows ? row : -1;
}

static void put_bond(void *user, const lm_bond_end *end)
{
    lm_bits_plan *p = user;
    const int64_t row = own_row(p, end->row);
    if (row < 0)
        return;
    const int64_t slot = end->sublattice * 2 * p->spec.dims + end->slot;
    const int64_t at = (slot * p->planes * p->plane_rows + row) * p->words.width + end->k / 32;
    const uint32_t bits = lm_replicate(&p->words, 1u << end->k % 32);
    p->sign[at] = end->value < 0 ? p->sign[at] | bits : p->sign[at] & ~bits;
    if (p->gone)
        p->gone[at] = end->value == 0 ? p->gone[at] | bits : p->gone[at] & ~bits;
}

static latmc_status put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                              const int8_t *bonds)
{
    lm_bits_plan *p = plan;
    if (p->sign)
        lm_bonds_visit(&p->spec, &p->words, axis, first_row, rows, bonds, put_bond, p);
    return LATMC_OK;
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_bits_plan *p = plan;
    lm_ising_rules rules;
    const latmc_status status = lm_ising_rules_make(&p->spec, &p->words, parameters, &rules);
    if (status != LATMC_OK)
        return status;
    lm_ising_rules_free(&p->rules);
    p->rules = rules;
    return LATMC_OK;
}

static latmc_status start(void *plan, latmc_start_mode mode)
{
    lm_bits_plan *p = plan;
    for (int64_t g = 0; g < p->words.groups; g++)
        lm_bits_start_rows(p, mode, g, 0, p->planes * p->plane_rows);
    return LATMC_OK;
}

static latmc_status refuse_rows(const lm_bits_plan *p, int64_t first_row, int64_t rows)
{
    if (own_row(p, first_row) >= 0 && own_row(p, first_row + rows - 1) >= 0)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT, "rows %lld to %lld are not all in this slab",
                   (long long)first_row, (long long)(first_row + rows - 1));
}

/* Group of a replica, and its place in the group's words. */
static int64_t group_of(const lm_bits_plan *p, int64_t replica, int *lane)
{
    const int64_t number = p->spec.first_replica + replica;
    *lane = (int)(number % p->words.pack);
    return number / p->words.pack - p->words.first_group;
}

static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    lm_bits_plan *p = plan;
    const latmc_status status = refuse_rows(p, first_row, rows);
    int lane;
    const int64_t group = group_of(p, replica, &lane), extent = p->spec.extents[0];
    const int8_t *from = sites;
    for (int64_t i = 0; status == LATMC_OK && i < rows; i++) {
        const int64_t row = own_row(p, first_row + i), plane = row / p->plane_rows;
        uint32_t *const to[2] = {lm_bits_row(p, group, 0, row),
                                 lm_bits_row(p, group, p->words.sublattices - 1, row)};
        lm_row_pack(&p->words, lm_row_parity(&p->spec, first_row + i), lane, from + i * extent,
                    extent, to);
        for (int c = 0; c < p->words.sublattices; c++)
            lm_bits_refresh(p, group, c, plane, row % p->plane_rows, row % p->plane_rows + 1);
    }
    return status;
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    lm_bits_plan *p = plan;
    const latmc_status status = refuse_rows(p, first_row, rows);
    int lane;
    const int64_t group = group_of(p, replica, &lane), extent = p->spec.extents[0];
    int8_t *to = sites;
    for (int64_t i = 0; status == LATMC_OK && i < rows; i++) {
        const int64_t row = own_row(p, first_row + i);
        const uint32_t *const from[2] = {lm_bits_row(p, group, 0, row),
                                         lm_bits_row(p, group, p->words.sublattices - 1, row)};
        lm_row_unpack(&p->words, lm_row_parity(&p->spec, first_row + i), lane, to + i * extent,
                      extent, from);
    }
    return status;
}

static latmc_status sweep(void *plan, const lm_job *job)
{
    lm_bits_run(plan, job, 1, 0, NULL);
    return LATMC_OK;
}

static latmc_status measure(void *plan, double *sums)
{
    const lm_job none = {.sweeps = 0};
    lm_bits_run(plan, &none, 1, 0, sums);
    return LATMC_OK;
}

static latmc_status record(void *plan, const lm_job *job, int64_t records, int accepted,
                           double *sums)
{
    lm_bits_run(plan, job, records, accepted, sums);
    return LATMC_OK;
}

static int colours(const void *plan)
{
    return ((const lm_bits_plan *)plan)->words.colours;
}

static latmc_status update(void *plan, int update, int64_t step, int colour, lm_part part)
{
    lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows, layer = p->layer_rows;
    const int64_t inner = rows > 2 * layer ? rows - layer : layer;
    for (int64_t g = 0; g < p->words.groups; g++) {
        if (part & LM_BOUNDARY) {
            lm_bits_update_rows(p, update, step, g, colour, 0, layer, 0);
            if (rows > layer)
                lm_bits_update_rows(p, update, step, g, colour, rows - layer, rows, 0);
        }
        if (part & LM_BULK)
            lm_bits_update_rows(p, update, step, g, colour, layer, inner, 0);
    }
    return LATMC_OK;
}

static size_t halo_bytes(const void *plan)
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

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows;
    move_layer(p, side == LM_LOWER ? 0 : rows - p->layer_rows, halo, 0);
    return LATMC_OK;
}

static latmc_status unpack(void *plan, lm_side side, const void *halo)
{
    lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows;
    move_layer(p, side == LM_LOWER ? -p->layer_rows : rows, (uint32_t *)halo, 1);
    return LATMC_OK;
}

static const lm_slab_ops slabs = {
    .colours = colours,
    .halo_bytes = halo_bytes,
    .update = update,
    .pack = pack,
    .unpack = unpack,
};

static const lm_plan_ops ops = {
    .close = close_plan,
    .set_threads = set_threads,
    .put_bonds = put_bonds,
    .put_parameters = put_parameters,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .sweep = sweep,
    .measure = measure,
    .record = record,
    .slabs = &slabs,
};

const lm_backend_model lm_cpu_ising = {.model = LATMC_ISING, .ops = &ops, .open = open_ising};
