/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ising model on GPUs. */
#include "backends/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

#include "backends/bonds.h"
#include "backends/cuda/bits/plan.h"
#include "lib/memory.h"
#include "lib/status.h"

static latmc_status open_plan(const lm_spec *spec, int device, void **plan)
{
    return lm_cuda_bits_open(spec, device, (lm_cuda_bits_plan **)plan);
}

static void close_plan(void *plan)
{
    lm_cuda_bits_close(plan);
}

/* The row's number in the slab, or -1. */
static int64_t own_row(const lm_cuda_bits_plan *p, int64_t row)
{
    row -= p->view.first_row;
    return row >= 0 && row < p->view.rows ? row : -1;
}

static void put_bond(void *user, const lm_bond_end *end)
{
    lm_cuda_bits_plan *p = user;
    const int64_t row = own_row(p, end->row);
    if (row < 0)
        return;
    const int64_t slot = end->sublattice * 2 * p->spec.dims + end->slot;
    const int64_t at = (slot * p->view.rows + row) * p->words.width + end->k / 32;
    const uint32_t bits = lm_replicate(&p->words, 1u << end->k % 32);
    p->host_sign[at] = end->value < 0 ? p->host_sign[at] | bits : p->host_sign[at] & ~bits;
    if (p->host_gone)
        p->host_gone[at] = end->value == 0 ? p->host_gone[at] | bits : p->host_gone[at] & ~bits;
}

static latmc_status put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                              const int8_t *bonds)
{
    lm_cuda_bits_plan *p = plan;
    if (p->host_sign)
        lm_bonds_visit(&p->spec, &p->words, axis, first_row, rows, bonds, put_bond, p);
    return LATMC_OK;
}

/* The bonds go to the device when all have been put: before anything that reads them. */
static cudaError_t send_bonds(lm_cuda_bits_plan *p)
{
    uint32_t **host[2] = {&p->host_sign, &p->host_gone}, *device[2] = {p->sign, p->gone};
    const size_t bytes = (size_t)p->words.sublattices * 2 * (size_t)p->spec.dims *
                         (size_t)p->view.rows * (size_t)p->words.width * sizeof(uint32_t);
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < 2 && e == cudaSuccess; i++)
        if (*host[i]) {
            e = lm_cuda_copy(p->stream, device[i], *host[i], bytes);
            if (e == cudaSuccess) {
                free(*host[i]);
                *host[i] = NULL;
            }
        }
    return e;
}

/* The tables of thresholds, one after another in one piece of device memory. */
enum { TABLES = 4 };

static cudaError_t send_rules(lm_cuda_bits_plan *p, const lm_ising_rules *rules)
{
    const size_t groups = (size_t)p->words.groups;
    /* The uniform planes come first because kernels load four of their words at a time. */
    const size_t words[TABLES] = {groups * 32 * (size_t)p->spec.dims, groups,
                                  groups * lm_ising_rule_words(&rules->shape[0]),
                                  groups * lm_ising_rule_words(&rules->shape[1])};
    const uint32_t *from[TABLES] = {rules->uniform_planes, rules->flip, rules->planes[0],
                                    rules->planes[1]};
    uint32_t *device = NULL, *to[TABLES];
    size_t all = 0;
    for (int i = 0; i < TABLES; i++)
        all += words[i];
    cudaError_t e = lm_cuda_take((void **)&device, all * sizeof *device);
    uint32_t *at = device;
    for (int i = 0; i < TABLES && e == cudaSuccess; at += words[i++]) {
        to[i] = at;
        e = lm_cuda_copy(p->stream, at, from[i], words[i] * sizeof *at);
    }
    if (e != cudaSuccess) {
        cudaFree(device);
        return e;
    }
    cudaFree(p->rules);
    p->rules = device;
    memcpy(p->uniform, rules->uniform, sizeof p->uniform);
    p->view.uniform_planes = rules->uniform[LM_ISING_METROPOLIS] ? to[0] : NULL;
    p->view.flip = to[1];
    for (int i = 0; i < 2; i++) {
        p->view.planes[i] = to[2 + i];
        p->view.shape[i] = rules->shape[i];
    }
    return cudaSuccess;
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_cuda_bits_plan *p = plan;
    lm_ising_rules rules;
    const latmc_status status = lm_ising_rules_make(&p->spec, &p->words, parameters, &rules);
    if (status != LATMC_OK)
        return status;
    const int before = lm_cuda_bits_enter(p);
    cudaError_t e = cudaStreamSynchronize(p->stream); /* which may still read the old ones */
    if (e == cudaSuccess)
        e = send_rules(p, &rules);
    lm_cuda_leave(before);
    lm_ising_rules_free(&rules);
    return lm_cuda_bits_status(p, e, "to take the parameters");
}

static latmc_status start(void *plan, latmc_start_mode mode)
{
    lm_cuda_bits_plan *p = plan;
    const int before = lm_cuda_bits_enter(p);
    const cudaError_t e = lm_launch_start(&p->view, mode == LATMC_START_HOT, p->stream);
    lm_cuda_leave(before);
    return lm_cuda_bits_status(p, e, "to start the lattice");
}

static latmc_status refuse_rows(const lm_cuda_bits_plan *p, int64_t first_row, int64_t rows)
{
    if (own_row(p, first_row) >= 0 && own_row(p, first_row + rows - 1) >= 0)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT, "rows %lld to %lld are not all in this slab",
                   (long long)first_row, (long long)(first_row + rows - 1));
}

/* Rows of a replica's group, both sublattices: to the host's buffer, or from it. */
static cudaError_t move_rows(lm_cuda_bits_plan *p, int64_t group, int64_t row, int64_t rows,
                             uint32_t *buffer, int to_device)
{
    const size_t words = (size_t)(rows * p->words.width);
    cudaError_t e = cudaSuccess;
    for (int c = 0; e == cudaSuccess && c < p->words.sublattices; c++) {
        uint32_t *device = p->view.sites + group * p->view.group_stride +
                           c * p->view.sublattice_stride + row * p->words.width;
        uint32_t *host = buffer + (size_t)c * words;
        e = lm_cuda_copy(p->stream, to_device ? device : host, to_device ? host : device,
                         words * sizeof(uint32_t));
    }
    return e;
}

/* Packs or unpacks rows of a replica through a buffer of words. */
static latmc_status move_sites(lm_cuda_bits_plan *p, int64_t replica, int64_t first_row,
                               int64_t rows, int8_t *out, const int8_t *in)
{
    const int64_t number = p->spec.first_replica + replica, extent = p->spec.extents[0];
    const int64_t group = number / p->words.pack - p->words.first_group;
    const int64_t row = own_row(p, first_row), words = rows * p->words.width;
    const int lane = (int)(number % p->words.pack);
    const latmc_status status = refuse_rows(p, first_row, rows);
    if (status != LATMC_OK)
        return status;
    uint32_t *buffer =
        lm_zeroed(NULL, "some rows of sites", words * p->words.sublattices, sizeof *buffer);
    if (!buffer)
        return LATMC_ERROR_MEMORY;
    const int before = lm_cuda_bits_enter(p);
    cudaError_t e = move_rows(p, group, row, rows, buffer, 0);
    for (int64_t i = 0; e == cudaSuccess && i < rows; i++) {
        uint32_t *const at[2] = {buffer + i * p->words.width,
                                 buffer + (p->words.sublattices - 1) * words + i * p->words.width};
        const int parity = lm_row_parity(&p->spec, first_row + i);
        if (in)
            lm_row_pack(&p->words, parity, lane, in + i * extent, extent, at);
        else
            lm_row_unpack(&p->words, parity, lane, out + i * extent, extent,
                          (const uint32_t *const *)at);
    }
    if (e == cudaSuccess && in)
        e = move_rows(p, group, row, rows, buffer, 1);
    lm_cuda_leave(before);
    free(buffer);
    return lm_cuda_bits_status(p, e, "to move sites");
}

static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    return move_sites(plan, replica, first_row, rows, NULL, sites);
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    return move_sites(plan, replica, first_row, rows, sites, NULL);
}

static latmc_status sweep(void *plan, const lm_job *job)
{
    lm_cuda_bits_plan *p = plan;
    const int before = lm_cuda_bits_enter(p);
    cudaError_t e = send_bonds(p);
    if (e == cudaSuccess && job->sweeps > 0)
        e = cudaMemsetAsync(p->changed, 0, (size_t)lm_cuda_bits_sums(p) * sizeof *p->changed,
                            p->stream);
    if (e == cudaSuccess)
        e = lm_cuda_bits_sweep(p, job, 1, p->changed);
    lm_cuda_leave(before);
    return lm_cuda_bits_status(p, e, "to sweep");
}

static latmc_status measure(void *plan, double *sums)
{
    const int before = lm_cuda_bits_enter(plan);
    latmc_status status = lm_cuda_bits_status(plan, send_bonds(plan), "to take the bonds");
    if (status == LATMC_OK)
        status = lm_cuda_bits_measure(plan, sums);
    lm_cuda_leave(before);
    return status;
}

static latmc_status record(void *plan, const lm_job *job, int64_t records, int accepted,
                           double *sums)
{
    const int before = lm_cuda_bits_enter(plan);
    latmc_status status = lm_cuda_bits_status(plan, send_bonds(plan), "to take the bonds");
    if (status == LATMC_OK)
        status = lm_cuda_bits_record(plan, job, records, accepted, sums);
    lm_cuda_leave(before);
    return status;
}

static latmc_status wait(void *plan)
{
    lm_cuda_bits_plan *p = plan;
    const int before = lm_cuda_bits_enter(p);
    const cudaError_t e = cudaStreamSynchronize(p->stream);
    lm_cuda_leave(before);
    return lm_cuda_bits_status(p, e, "while sweeping");
}

static int colours(const void *plan)
{
    return ((const lm_cuda_bits_plan *)plan)->words.colours;
}

static latmc_status update(void *plan, int update, int64_t step, int colour, lm_part part)
{
    lm_cuda_bits_plan *p = plan;
    const int64_t rows = p->view.rows, layer = p->view.layer_rows;
    lm_bits_pass pass = {.update = update, .colour = colour, .step = (uint64_t)step};
    const int64_t parts[3][2] = {
        {0, layer}, {rows > layer ? rows - layer : rows, rows}, {layer, rows - layer}};
    const int before = lm_cuda_bits_enter(p);
    cudaError_t e = send_bonds(p);
    for (int i = 0; e == cudaSuccess && i < 3; i++)
        if (part & (i < 2 ? LM_BOUNDARY : LM_BULK)) {
            pass.first = parts[i][0];
            pass.last = parts[i][1];
            e = lm_launch_update(&p->view, &pass, p->stream);
        }
    lm_cuda_leave(before);
    return lm_cuda_bits_status(p, e, "to update a colour");
}

static size_t halo_bytes(const void *plan)
{
    const lm_cuda_bits_plan *p = plan;
    return (size_t)(p->words.groups * p->words.sublattices * p->view.layer_rows * p->words.width) *
           sizeof(uint32_t);
}

/* A layer beginning at row `row`, of all groups and sublattices, to or from a halo. */
static latmc_status move_layer(lm_cuda_bits_plan *p, int64_t row, void *halo, int in)
{
    const size_t bytes = (size_t)(p->view.layer_rows * p->words.width) * sizeof(uint32_t);
    const size_t stride = (size_t)p->view.sublattice_stride * sizeof(uint32_t);
    const size_t pieces = (size_t)(p->words.groups * p->words.sublattices);
    uint32_t *device = p->view.sites + row * p->words.width;
    const int before = lm_cuda_bits_enter(p);
    cudaError_t e = in ? cudaMemcpy2DAsync(device, stride, halo, bytes, bytes, pieces,
                                           cudaMemcpyDefault, p->stream)
                       : cudaMemcpy2DAsync(halo, bytes, device, stride, bytes, pieces,
                                           cudaMemcpyDefault, p->stream);
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(p->stream);
    lm_cuda_leave(before);
    return lm_cuda_bits_status(p, e, "to move a boundary layer");
}

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    lm_cuda_bits_plan *p = plan;
    return move_layer(p, side == LM_LOWER ? 0 : p->view.rows - p->view.layer_rows, halo, 0);
}

static latmc_status unpack(void *plan, lm_side side, const void *halo)
{
    lm_cuda_bits_plan *p = plan;
    if (p->view.whole)
        return LATMC_OK; /* its kernels find the neighbours across the boundary themselves */
    return move_layer(p, side == LM_LOWER ? -p->view.layer_rows : p->view.rows, (void *)halo, 1);
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
    .put_bonds = put_bonds,
    .put_parameters = put_parameters,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .sweep = sweep,
    .measure = measure,
    .record = record,
    .wait = wait,
    .slabs = &slabs,
};

const lm_backend_model lm_cuda_ising = {.model = LATMC_ISING, .ops = &ops, .open = open_plan};
