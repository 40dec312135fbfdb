/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies a lattice of words to and from a GPU: bonds, rows of replicas, and the halos of slabs. */
#include "backends/bonds.h"
#include "backends/cuda/bits/cross.h"
#include "backends/cuda/bits/plan.h"
#include "backends/cuda/copies.h"
#include "backends/cuda/cross.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/divide/slabs.h"

/* ---- bonds, which gather on the host first */

latmc_status lm_cuda_bits_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                    int64_t rows, const int8_t *bonds)
{
    const lm_cuda_bits_plan *p = plan;
    const lm_bond_bits to = {.spec = &p->spec,
                             .words = &p->words,
                             .first_row = p->view.first_row,
                             .rows = p->view.rows,
                             .sign = p->host_sign,
                             .gone = p->host_gone};
    lm_bonds_put(&to, sample, axis, first_row, rows, bonds);
    return LATMC_OK;
}

/* Sends the bonds when all have been put, before anything reads them. */
cudaError_t lm_cuda_bits_send_bonds(lm_cuda_bits_plan *p)
{
    uint32_t **host[2] = {&p->host_sign, &p->host_gone}, *device[2] = {p->sign, p->gone};
    const size_t bytes = lm_cuda_bits_bond_bytes(p);
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < 2 && e == cudaSuccess; i++)
        if (*host[i]) {
            e = lm_cuda_copy(p->head.stream, device[i], *host[i], bytes);
            if (e == cudaSuccess) {
                free(*host[i]);
                *host[i] = NULL;
            }
        }
    return e;
}

/* ---- sites */

latmc_status lm_cuda_bits_start(void *plan, latmc_start_mode mode)
{
    lm_cuda_bits_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(p->head.device,
                          p->model->start(&p->view, mode == LATMC_START_HOT, p->head.stream),
                          "to start the lattice");
}

/* Copies rows of a replica's group, all digits of both sublattices, to the host's buffer or from
 * it. */
static cudaError_t move_rows(lm_cuda_bits_plan *p, int64_t group, int64_t row, int64_t rows,
                             uint32_t *buffer, int to_device)
{
    const size_t words = (size_t)(rows * p->words.width);
    cudaError_t e = cudaSuccess;
    for (int k = 0; e == cudaSuccess && k < p->words.sublattices * p->view.digits; k++) {
        uint32_t *device = p->view.sites + group * p->view.group_stride + k * p->view.digit_stride +
                           row * p->words.width;
        uint32_t *host = buffer + (size_t)k * words;
        e = lm_cuda_copy(p->head.stream, to_device ? device : host, to_device ? host : device,
                         words * sizeof(uint32_t));
    }
    return e;
}

/* Moves row number i of the host's buffer of `words` words, all digits. */
static void move_row(const lm_cuda_bits_plan *p, uint32_t *buffer, int64_t words, int64_t i,
                     int64_t row, int nth, int8_t *out, const int8_t *in)
{
    const int parity = lm_row_parity(&p->spec, row), digits = p->view.digits;
    const int64_t extent = p->spec.extents[0];
    for (int k = 0; k < digits; k++) {
        uint32_t *const first = buffer + k * words + i * p->words.width;
        uint32_t *const at[2] = {first, first + (p->words.sublattices - 1) * digits * words};
        const int digit = lm_digit_of(p->model->common->numbers, k);
        if (in)
            lm_row_pack(&p->words, parity, nth, digit, in, extent, at);
        else
            lm_row_unpack(&p->words, parity, nth, digit, out, extent, (const uint32_t *const *)at);
    }
}

/* Packs or unpacks rows of a replica through a buffer of words. */
static latmc_status move_sites(lm_cuda_bits_plan *p, int64_t replica, int64_t first_row,
                               int64_t rows, int8_t *out, const int8_t *in)
{
    const int64_t number = p->spec.first_replica + replica, extent = p->spec.extents[0];
    const int64_t group = number / p->words.per_word - p->words.first_group;
    const int64_t row = first_row - p->view.first_row, words = rows * p->words.width;
    const int nth = (int)(number % p->words.per_word);
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    if (status != LATMC_OK)
        return status;
    uint32_t *buffer = lm_zeroed(NULL, "some rows of sites",
                                 words * p->words.sublattices * p->view.digits, sizeof *buffer);
    if (!buffer)
        return LATMC_ERROR_MEMORY;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = move_rows(p, group, row, rows, buffer, 0);
    for (int64_t i = 0; e == cudaSuccess && i < rows; i++)
        move_row(p, buffer, words, i, first_row + i, nth, in ? NULL : out + i * extent,
                 in ? in + i * extent : NULL);
    if (e == cudaSuccess && in)
        e = move_rows(p, group, row, rows, buffer, 1);
    free(buffer);
    return lm_cuda_failed(p->head.device, e, "to move sites");
}

latmc_status lm_cuda_bits_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                    const void *sites)
{
    return move_sites(plan, replica, first_row, rows, NULL, sites);
}

latmc_status lm_cuda_bits_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                    void *sites)
{
    return move_sites(plan, replica, first_row, rows, sites, NULL);
}

/* ---- many replicas */

lm_bits_home lm_cuda_bits_home(const lm_cuda_bits_plan *p)
{
    const lm_bits_view *v = &p->view;
    lm_bits_home h = {.sites = v->sites,
                      .group_stride = v->group_stride,
                      .sublattice_stride = v->sublattice_stride,
                      .digit_stride = v->digit_stride,
                      .row_stride = v->width,
                      .width = v->width,
                      .sublattices = v->sublattices,
                      .digits = v->digits,
                      .per_word = v->per_word,
                      .segment = v->segment,
                      .bits = v->bits,
                      .dims = v->dims,
                      .first_row = v->first_row,
                      .first_nth = p->spec.first_replica % v->per_word,
                      .numbers = p->model->common->numbers};
    memcpy(h.extents, v->extents, sizeof h.extents);
    return h;
}

static cudaError_t cross_kernels(void *plan, const lm_crossing *c)
{
    const lm_cuda_bits_plan *p = plan;
    const lm_bits_home home = lm_cuda_bits_home(p);
    const lm_bits_array array =
        lm_bits_array_of(c, home.extents[0], c->first_row - p->view.first_row);
    return lm_launch_cross(&home, &array, p->head.stream);
}

latmc_status lm_cuda_bits_cross(void *plan, const lm_crossing *crossing)
{
    return lm_cuda_cross(plan, crossing, cross_kernels);
}

unsigned lm_cuda_bits_crosses(const void *plan)
{
    (void)plan;
    return LM_CROSS_BITS | LM_CROSS_DEVICE;
}

/* Copies words with their ghosts, and the counts of changes. */
latmc_status lm_cuda_bits_copy(void *plan, const int64_t *from)
{
    lm_cuda_bits_plan *p = plan;
    const int64_t place = p->spec.first_replica % p->view.per_word;
    lm_cuda_units arrays[] = {{.units = p->sites,
                               .count = p->words.groups,
                               .pitch = p->view.group_stride,
                               .numbers = p->view.group_stride,
                               .bytes = sizeof *p->sites,
                               .per_word = p->view.per_word,
                               .segment = p->view.segment,
                               .first_nth = place,
                               .replicas = p->spec.replicas},
                              {.units = p->changed + (place + 1) * p->view.sums - 1,
                               .count = p->spec.replicas,
                               .pitch = p->view.sums,
                               .numbers = 1,
                               .bytes = sizeof *p->changed,
                               .per_word = 1,
                               .replicas = p->spec.replicas}};
    return lm_cuda_copy_replicas(plan, arrays, 2, from);
}

/* ---- halos */

/* Returns a layer from row `row` on, of all groups, sublattices and digits. */
static lm_cuda_layers layer_of(const lm_cuda_bits_plan *p, int64_t row)
{
    return (lm_cuda_layers){
        .first = p->view.sites + row * p->words.width,
        .ranges = (size_t)(p->words.groups * p->words.sublattices * p->view.digits),
        .bytes = (size_t)(p->view.layer_rows * p->words.width) * sizeof(uint32_t),
        .pitch = (size_t)p->view.digit_stride * sizeof(uint32_t)};
}

size_t lm_cuda_bits_halo_bytes(const void *plan)
{
    const lm_cuda_layers layer = layer_of(plan, 0);
    return layer.ranges * layer.bytes;
}

latmc_status lm_cuda_bits_pack(void *plan, lm_side side, void *halo)
{
    lm_cuda_bits_plan *p = plan;
    const lm_cuda_layers layer =
        layer_of(p, side == LM_LOWER ? 0 : p->view.rows - p->view.layer_rows);
    return lm_cuda_pack_layers(&p->head, &layer, halo);
}

/* The kernels of a whole lattice find the neighbours across the boundary themselves. */
latmc_status lm_cuda_bits_unpack(void *plan, lm_side side, void *halo)
{
    lm_cuda_bits_plan *p = plan;
    const lm_cuda_layers layer = layer_of(p, side == LM_LOWER ? -p->view.layer_rows : p->view.rows);
    return p->view.whole ? LATMC_OK : lm_cuda_unpack_layers(&p->head, &layer, halo);
}

/* Connects slabs. Signs at the lattice's ends are part of the bonds. */
int lm_cuda_bits_connect(void *plan, lm_side side, void *peer)
{
    lm_cuda_bits_plan *p = plan, *to = peer;
    const int can = !p->view.whole && lm_cuda_connect(&p->head, side, to ? &to->head : NULL);
    p->view.beyond[side] = (lm_bits_far_halo){.sites = NULL};
    if (can)
        p->view.beyond[side] =
            (lm_bits_far_halo){.sites = to->view.sites,
                               .sublattice_stride = to->view.sublattice_stride,
                               .group_stride = to->view.group_stride,
                               .digit_stride = to->view.digit_stride,
                               .shift = side == LM_LOWER ? to->view.rows : -p->view.rows};
    return can;
}
