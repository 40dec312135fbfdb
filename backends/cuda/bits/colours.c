/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps whole lattices and slabs by one launch for every colour. */
#include "backends/cuda/bits/plan.h"

/* Makes sweeps by one launch for every colour. Each launch reads this table. */
cudaError_t lm_cuda_bits_by_colours(lm_cuda_bits_plan *p, int table, const lm_job *job, int count,
                                    lm_count *sums, lm_bits_launch *launch)
{
    cudaError_t e = lm_cuda_bits_send_table(p, table);
    lm_bits_view v = p->view;
    v.counts = sums;
    v.by_spin = p->rules.tables[table].by_spin;
    for (int64_t i = 0; e == cudaSuccess && i < job->sweeps; i++)
        for (int c = 0; e == cudaSuccess && c < v.colours; c++) {
            const lm_bits_pass pass = {.update = job->update,
                                       .colour = c,
                                       .step = (uint64_t)(job->first_sweep + i),
                                       .last = v.rows,
                                       .count = count && i == job->sweeps - 1};
            v.overlaps = lm_cuda_overlaps(&p->head);
            e = launch(&v, &pass, p->head.stream);
        }
    return e;
}

static int phases(const void *plan, int update)
{
    (void)update;
    return ((const lm_cuda_bits_plan *)plan)->words.colours;
}

/* Chooses the kernel for all phases of a sweep. */
static latmc_status begin(void *plan, int update, int counts)
{
    lm_cuda_bits_plan *p = plan;
    const lm_job job = {.update = update, .sweeps = 1};
    p->phases = lm_cuda_choose(p, &job);
    p->counts = counts;
    if (!counts)
        return LATMC_OK;
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(p->head.device,
                          cudaMemsetAsync(p->changed, 0,
                                          (size_t)lm_cuda_bits_sums(p) * sizeof *p->changed,
                                          p->head.stream),
                          "to begin a sweep");
}

/* Returns what serves slabs: the kernel by colours, and the table that it reads. */
static const lm_cuda_bits_rows *rows_by(const lm_cuda_bits_plan *p)
{
    return &p->model->rows[p->phases - p->head.kernels->list];
}

static int table_of(const lm_cuda_bits_plan *p, int update)
{
    return rows_by(p)->uniform ? LM_UNIFORM_RULE : update;
}

/* Sends the tables. The large kernel leaves some layers to the general one, which has its own
 * table. */
static cudaError_t send_tables(lm_cuda_bits_plan *p, int update)
{
    cudaError_t e = lm_cuda_bits_send_bonds(p);
    if (e == cudaSuccess)
        e = lm_cuda_bits_send_table(p, update);
    return e == cudaSuccess ? lm_cuda_bits_send_table(p, table_of(p, update)) : e;
}

static cudaError_t update_rows(lm_cuda_bits_plan *p, lm_bits_pass pass, int64_t first, int64_t last)
{
    lm_bits_view view = p->view;
    view.counts = p->changed;
    view.by_spin = p->rules.tables[table_of(p, pass.update)].by_spin;
    view.overlaps = lm_cuda_overlaps(&p->head) && lm_cuda_flows(&p->head.joint);
    pass.first = first;
    pass.last = last;
    return rows_by(p)->launch(&view, &pass, p->head.stream);
}

/* Updates parts. The whole slab is one launch; a slab may have one layer. */
static cudaError_t update_parts(lm_cuda_bits_plan *p, const lm_bits_pass *pass, lm_part part)
{
    const int64_t rows = p->view.rows, layer = p->view.layer_rows;
    cudaError_t e = cudaSuccess;
    if (part == LM_WHOLE)
        return update_rows(p, *pass, 0, rows);
    if (part == LM_BULK)
        return update_rows(p, *pass, layer, rows - layer);
    e = update_rows(p, *pass, 0, layer);
    return e == cudaSuccess && rows > layer ? update_rows(p, *pass, rows - layer, rows) : e;
}

static latmc_status update_phase(void *plan, int update, int64_t step, int colour, lm_part part)
{
    lm_cuda_bits_plan *p = plan;
    const lm_bits_pass pass = {
        .update = update, .colour = colour, .step = (uint64_t)step, .count = p->counts};
    const lm_cuda_phase phase = {.step = step, .number = colour};
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = send_tables(p, update);
    if (e == cudaSuccess && part & LM_BOUNDARY)
        e = lm_cuda_begin_phase(&p->head, phase, &p->view.seam);
    if (e == cudaSuccess)
        e = update_parts(p, &pass, part);
    if (e == cudaSuccess && part & LM_BULK)
        e = lm_cuda_end_phase(&p->head, phase);
    return lm_cuda_failed(p->head.device, e, "to update a colour");
}

const lm_slab_ops lm_cuda_bits_slabs = {
    .phases = phases,
    .halo_bytes = lm_cuda_bits_halo_bytes,
    .begin = begin,
    .update = update_phase,
    .pack = lm_cuda_bits_pack,
    .packed = lm_cuda_packed,
    .take_buffer = lm_cuda_take_buffer,
    .give_buffer = lm_cuda_give_buffer,
    .unpack = lm_cuda_bits_unpack,
    .connect = lm_cuda_bits_connect,
    .queues = 1,
};
