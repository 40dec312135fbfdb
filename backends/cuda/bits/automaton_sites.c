/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies cells to and from a GPU: starts, rows of replicas, and the halos of slabs. */
#include <stdlib.h>

#include "backends/cuda/bits/automaton_plan.h"
#include "backends/cuda/bits/cross.h"
#include "backends/cuda/copies.h"
#include "backends/cuda/cross.h"
#include "lib/models/automaton_cells.h"
#include "lib/base/memory.h"
#include "lib/divide/slabs.h"

/* ---- cells in and out */

latmc_status lm_cuda_automaton_start(void *plan, latmc_start_mode mode)
{
    lm_cuda_automaton_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = cudaSuccess;
    if (mode == LATMC_START_HOT) {
        const lm_automaton_view v = lm_cuda_automaton_from(p, 1 - p->present, NULL);
        e = lm_launch_hot(&v, p->head.stream);
    } else {
        e = cudaMemsetAsync(p->memory[p->present], 0,
                            (size_t)(p->spec.replicas * p->view.replica_stride) * sizeof(uint32_t),
                            p->head.stream);
        p->head.fresh = 1;
    }
    return lm_cuda_failed(p->head.device, e, "to start the lattice");
}

/* Copies rows of a replica to or from a buffer of words. */
static latmc_status move_rows(lm_cuda_automaton_plan *p, int64_t replica, int64_t row, int64_t rows,
                              uint32_t *words, int to_device)
{
    uint32_t *device = lm_cuda_automaton_row(p, p->present, row) + replica * p->view.replica_stride;
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e =
        lm_cuda_copy(p->head.stream, to_device ? device : words, to_device ? words : device,
                     (size_t)(rows * p->view.stride) * sizeof *words);
    p->head.fresh = 1;
    return lm_cuda_failed(p->head.device, e, "to move sites");
}

/* Packs cells that go in, or unpacks cells that come out. */
static latmc_status move_cells(lm_cuda_automaton_plan *p, int64_t replica, int64_t first_row,
                               int64_t rows, int8_t *out, const int8_t *in)
{
    const int64_t extent = p->spec.extents[0], stride = p->view.stride;
    latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    uint32_t *words =
        status ? NULL : lm_zeroed(NULL, "some rows of sites", rows * stride, sizeof *words);
    if (!words)
        return status ? status : LATMC_ERROR_MEMORY;
    for (int64_t i = 0; in && i < rows; i++)
        lm_automaton_pack(in + i * extent, extent, words + i * stride);
    status = move_rows(p, replica, first_row - p->spec.first_layer, rows, words, in != NULL);
    for (int64_t i = 0; out && !status && i < rows; i++)
        lm_automaton_unpack(words + i * stride, extent, out + i * extent);
    free(words);
    return status;
}

latmc_status lm_cuda_automaton_put_sites(void *plan, int64_t replica, int64_t first_row,
                                         int64_t rows, const void *sites)
{
    return move_cells(plan, replica, first_row, rows, NULL, sites);
}

latmc_status lm_cuda_automaton_get_sites(void *plan, int64_t replica, int64_t first_row,
                                         int64_t rows, void *sites)
{
    return move_cells(plan, replica, first_row, rows, sites, NULL);
}

/* ---- many replicas */

static cudaError_t cross_kernels(void *plan, const lm_crossing *c)
{
    const lm_cuda_automaton_plan *p = plan;
    const lm_automaton_view *v = &p->view;
    const lm_bits_home home = {.sites = lm_cuda_automaton_row(p, p->present, 0),
                               .group_stride = v->replica_stride,
                               .row_stride = v->stride,
                               .width = v->words,
                               .sublattices = 1,
                               .digits = 1,
                               .per_word = 1,
                               .segment = 32,
                               .bits = (int)((v->extent - 1) % 32) + 1,
                               .dims = 2,
                               .extents = {v->extent, p->spec.extents[1], 1, 1},
                               .first_row = v->first_row,
                               .numbers = LM_STATES};
    const lm_bits_array array = lm_bits_array_of(c, v->extent, c->first_row - v->first_row);
    return lm_launch_cross(&home, &array, p->head.stream);
}

latmc_status lm_cuda_automaton_cross(void *plan, const lm_crossing *crossing)
{
    return lm_cuda_cross(plan, crossing, cross_kernels);
}

unsigned lm_cuda_automaton_crosses(const void *plan)
{
    (void)plan;
    return LM_CROSS_BITS | LM_CROSS_DEVICE;
}

/* Copies the present cells with their ghosts, and the counts of changes. */
latmc_status lm_cuda_automaton_copy(void *plan, const int64_t *from)
{
    lm_cuda_automaton_plan *p = plan;
    lm_cuda_units arrays[] = {{.units = p->memory[p->present],
                               .count = p->spec.replicas,
                               .pitch = p->view.replica_stride,
                               .numbers = p->view.replica_stride,
                               .bytes = sizeof *p->memory[0],
                               .per_word = 1,
                               .replicas = p->spec.replicas},
                              {.units = p->changed + LM_AUTOMATON_CHANGES,
                               .count = p->spec.replicas,
                               .pitch = LM_AUTOMATON_BUNDLES,
                               .numbers = 1,
                               .bytes = sizeof *p->changed,
                               .per_word = 1,
                               .replicas = p->spec.replicas}};
    return lm_cuda_copy_replicas(plan, arrays, 2, from);
}

/* ---- halos */

/* Returns a row of all replicas. */
static lm_cuda_layers layer_of(const lm_cuda_automaton_plan *p, int which, int64_t row)
{
    return (lm_cuda_layers){.first = lm_cuda_automaton_row(p, which, row),
                            .ranges = (size_t)p->spec.replicas,
                            .bytes = (size_t)p->view.stride * sizeof(uint32_t),
                            .pitch = (size_t)p->view.replica_stride * sizeof(uint32_t)};
}

size_t lm_cuda_automaton_halo_bytes(const void *plan)
{
    const lm_cuda_layers layer = layer_of(plan, 0, 0);
    return layer.ranges * layer.bytes;
}

latmc_status lm_cuda_automaton_pack(void *plan, lm_side side, void *halo)
{
    lm_cuda_automaton_plan *p = plan;
    const int latest = p->updated ? 1 - p->present : p->present;
    const lm_cuda_layers layer = layer_of(p, latest, side == LM_LOWER ? 0 : p->view.rows - 1);
    return lm_cuda_pack_layers(&p->head, &layer, halo);
}

/* Beyond an open end all cells are dead. */
latmc_status lm_cuda_automaton_unpack(void *plan, lm_side side, void *halo)
{
    lm_cuda_automaton_plan *p = plan;
    const int at_end = side == LM_LOWER ? p->spec.first_layer == 0
                                        : p->spec.first_layer + p->view.rows == p->spec.extents[1];
    const lm_cuda_layers layer = layer_of(p, p->present, side == LM_LOWER ? -1 : p->view.rows);
    return p->spec.boundaries[1] != LATMC_PERIODIC && at_end
               ? LATMC_OK
               : lm_cuda_unpack_layers(&p->head, &layer, halo);
}
