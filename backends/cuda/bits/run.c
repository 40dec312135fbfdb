/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sweeps, measurements, series of them and exchanges, on a lattice of words. */
#include <math.h>
#include <string.h>

#include "backends/cuda/bits/plan.h"
#include "backends/cuda/exchange.h"
#include "backends/cuda/series.h"

static cudaError_t settle(void *plan, const lm_cuda_series *s, int each, const void *records,
                          double *sums)
{
    const lm_cuda_bits_plan *p = plan;
    const int *begin = p->spec.bundle_begin;
    lm_bits_settling t = {.counts = records,
                          .record = lm_cuda_bits_sums(p),
                          .sums = sums,
                          .lane = p->spec.first_replica - p->words.first_group * p->words.pack,
                          .replicas = p->spec.replicas,
                          .records = s->records,
                          .each = each,
                          .counted = p->view.sums,
                          .sites = p->view.rows * p->spec.extents[0],
                          .spins = p->model->spins < 0 ? -1 : begin[p->model->spins]};
    for (int g = 0; g < p->spec.bundles; g++)
        for (int k = begin[g]; s->bundles >> g & 1 && k < begin[g + 1]; k++)
            t.wanted |= (uint64_t)1 << k;
    return lm_launch_settle(&t, p->head.stream);
}

/* Copies changes, the last of a replica's sums, from one record to another. */
static cudaError_t copy_changes(const lm_cuda_bits_plan *p, lm_count *to, const lm_count *from)
{
    const size_t n = (size_t)p->view.sums, row = n * sizeof *to;
    return cudaMemcpy2DAsync(to + n - 1, row, from + n - 1, row, sizeof *to,
                             (size_t)lm_cuda_bits_sums(p) / n, cudaMemcpyDeviceToDevice,
                             p->head.stream);
}

static cudaError_t measure(const lm_cuda_bits_plan *p, const lm_bits_view *v, unsigned bundles)
{
    return bundles & p->model->bundles ? p->model->measure(v, bundles, p->head.stream)
                                       : cudaSuccess;
}

cudaError_t lm_cuda_bits_measure(lm_cuda_bits_plan *p, unsigned bundles, lm_count *sums)
{
    const size_t bytes = (size_t)lm_cuda_bits_sums(p) * sizeof *sums;
    lm_bits_view v = p->view;
    v.counts = sums;
    cudaError_t e = lm_cuda_bits_send_bonds(p);
    if (e == cudaSuccess)
        e = cudaMemsetAsync(sums, 0, bytes, p->head.stream);
    return e == cudaSuccess ? measure(p, &v, bundles) : e;
}

/* Makes one measurement after the other, each after its sweeps. */
static cudaError_t one_by_one(lm_cuda_bits_plan *p, const lm_cuda_series *s, lm_count *sums)
{
    const int all = (s->bundles & lm_changes_of(&p->spec)) != 0;
    cudaError_t e = cudaSuccess;
    lm_bits_view v = p->view;
    lm_cursor at = s->from;
    v.counts = sums;
    for (int64_t i = 0; e == cudaSuccess && i < s->records; i++) {
        e = lm_cuda_queue_sweeps(p, s->schedule, &at, s->sweeps,
                                 all || (s->last && i == s->records - 1), v.counts);
        if (e == cudaSuccess)
            e = measure(p, &v, s->bundles);
        v.counts += lm_cuda_bits_sums(p);
    }
    return e;
}

static cudaError_t sweep_and_measure(lm_cuda_bits_plan *p, const lm_cuda_series *s, lm_count *sums)
{
    lm_job job;
    const lm_cuda_kernel *kernel =
        lm_cuda_one_update(s, &job) ? lm_cuda_recorder(p, &job, s->records) : NULL;
    return kernel ? kernel->record(p, &job, s->records, s->bundles, sums) : one_by_one(p, s, sums);
}

/* Queues records. A record without sweeps has the changes of the last sweep that was made. */
static cudaError_t queue_records(void *plan, const lm_cuda_series *s, void *device)
{
    lm_cuda_bits_plan *p = plan;
    const int64_t each = lm_cuda_bits_sums(p);
    lm_count *sums = device, *end = sums + (s->records - 1) * each;
    cudaError_t e = lm_cuda_bits_send_bonds(p);
    if (e == cudaSuccess)
        e = cudaMemsetAsync(sums, 0, (size_t)(s->records * each) * sizeof *sums, p->head.stream);
    if (e == cudaSuccess)
        e = sweep_and_measure(p, s, sums);
    if (e == cudaSuccess)
        e = s->sweeps > 0 ? copy_changes(p, p->changed, end) : copy_changes(p, end, p->changed);
    return e;
}

static cudaError_t queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor from,
                                int64_t sweeps)
{
    lm_cuda_bits_plan *p = plan;
    const cudaError_t e = lm_cuda_bits_send_bonds(p);
    p->clear = 1;
    return e == cudaSuccess ? lm_cuda_queue_sweeps(p, schedule, &from, sweeps, 1, p->changed) : e;
}

lm_walk lm_cuda_bits_walk(const lm_job *job, int count)
{
    return (lm_walk){.update = job->update,
                     .step = (uint64_t)job->step,
                     .sweeps = job->sweeps,
                     .records = 1,
                     .counting = count ? LM_COUNT_LAST : LM_COUNT_NONE};
}

lm_walk lm_cuda_bits_walk_and_measure(const lm_cuda_bits_plan *p, const lm_job *job,
                                      int64_t records, unsigned bundles)
{
    return (lm_walk){.update = job->update,
                     .step = (uint64_t)job->step,
                     .sweeps = job->sweeps,
                     .records = records,
                     .measures = 1,
                     .metering = p->view.groups <= (uint32_t)p->head.processors,
                     .sums = bundles & p->model->bundles,
                     .counting = bundles & lm_changes_of(&p->spec) ? LM_COUNT_ALL : LM_COUNT_LAST};
}

double lm_cuda_bits_walk_cost(const lm_cuda_bits_plan *p, const lm_job *job, double least_ns,
                              double warp_ns)
{
    const double warps = ceil((double)p->view.rows * p->view.width / 32.0);
    const double turns = ceil((double)p->view.groups / p->head.processors);
    return LM_CUDA_LAUNCH_NS / (double)job->sweeps + least_ns + warp_ns * turns * warps;
}

static cudaError_t walk(lm_cuda_bits_plan *p, const lm_walk *w, lm_count *sums,
                        lm_walk_launch *launch)
{
    const cudaError_t e = lm_cuda_bits_send_table(p, w->update);
    lm_bits_view v = p->view;
    v.counts = sums;
    v.apart = p->rules.tables[w->update].apart;
    return e == cudaSuccess ? launch(&v, w, p->head.stream) : e;
}

cudaError_t lm_cuda_bits_walk_sweeps(lm_cuda_bits_plan *p, const lm_job *job, int count,
                                     lm_count *sums, lm_walk_launch *launch)
{
    const lm_walk w = lm_cuda_bits_walk(job, count);
    return walk(p, &w, sums, launch);
}

cudaError_t lm_cuda_bits_walk_records(lm_cuda_bits_plan *p, const lm_job *job, int64_t records,
                                      unsigned bundles, lm_count *sums, lm_walk_launch *launch)
{
    const lm_walk w = lm_cuda_bits_walk_and_measure(p, job, records, bundles);
    return walk(p, &w, sums, launch);
}

/* ---- exchanges */

static cudaError_t measure_for_exchange(void *plan, unsigned bundles, void *device)
{
    return lm_cuda_bits_measure(plan, bundles, device);
}

/* Prepares for moved slots. Tables are made for the new slots when a sweep asks for them. */
static cudaError_t ready(void *plan, unsigned bundles, const void *device, lm_cuda_exchange *x)
{
    lm_cuda_bits_plan *p = plan;
    const int64_t first = p->spec.first_replica - p->words.first_group * p->words.pack;
    (void)bundles;
    x->sums_each = p->view.sums;
    x->sums = (const lm_count *)device + first * x->sums_each;
    memset(p->spread, 0, sizeof p->spread);
    return cudaSuccess;
}

int lm_cuda_bits_exchanges(const void *plan)
{
    (void)plan;
    return 1;
}

latmc_status lm_cuda_bits_exchange(void *plan, const lm_exchange_order *order)
{
    const lm_cuda_bits_plan *p = plan;
    const lm_cuda_exchanger family = {.exchange = p->model->exchange,
                                      .sums_bytes = (size_t)lm_cuda_bits_sums(p) * sizeof(lm_count),
                                      .measure = measure_for_exchange,
                                      .ready = ready};
    return lm_cuda_exchange_slots(plan, &p->spec, &family, order);
}

/* ---- the plan's operations */

lm_cuda_family lm_cuda_bits_family(const lm_cuda_bits_plan *p)
{
    return (lm_cuda_family){.record_bytes = (size_t)lm_cuda_bits_sums(p) * sizeof(lm_count),
                            .spec = &p->spec,
                            .sweep = queue_sweeps,
                            .queue = queue_records,
                            .settle = settle};
}

latmc_status lm_cuda_bits_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                  const lm_out *out)
{
    const lm_cuda_bits_plan *p = plan;
    const lm_cuda_family family = lm_cuda_bits_family(plan);
    const cudaError_t e = lm_cuda_bits_threshold_rooms(plan, schedule);
    const latmc_status status =
        lm_cuda_failed(p->head.device, e, "to take memory for the parameters");
    return status ? status : lm_cuda_prepare(plan, &family, budget, out);
}

latmc_status lm_cuda_bits_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                              int64_t budget, const lm_out *out)
{
    const lm_cuda_family family = lm_cuda_bits_family(plan);
    return lm_cuda_run(plan, &family, schedule, cursor, budget, out);
}

const lm_plan_ops lm_cuda_bits_ops = {
    .close = lm_cuda_bits_close,
    .put_bonds = lm_cuda_bits_put_bonds,
    .put_parameters = lm_cuda_bits_put_parameters,
    .put_slots = lm_cuda_bits_put_slots,
    .start = lm_cuda_bits_start,
    .put_sites = lm_cuda_bits_put_sites,
    .get_sites = lm_cuda_bits_get_sites,
    .put_replicas = lm_cuda_bits_put_replicas,
    .get_replicas = lm_cuda_bits_get_replicas,
    .run = lm_cuda_bits_run,
    .prepare = lm_cuda_bits_prepare,
    .streams = 1,
    .wait = lm_cuda_wait,
    .exchanges = lm_cuda_bits_exchanges,
    .exchange = lm_cuda_bits_exchange,
    .exchanged = lm_cuda_exchanged,
    .slabs = &lm_cuda_bits_slabs,
};
