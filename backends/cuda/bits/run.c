/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sweeps, measurements, series of them and exchanges, on a lattice of words. */
#include <math.h>
#include <string.h>

#include "backends/cuda/bits/counts.h"
#include "backends/cuda/bits/plan.h"
#include "backends/cuda/exchange.h"
#include "backends/cuda/series.h"

/* Returns the sum of spins, whose count is that of spins +1, or -1 if the model has none. */
static int sum_of_spins(const lm_cuda_bits_plan *p)
{
    int g = 0;
    while (g < p->spec.bundles && !(p->model->counts_up >> g & 1))
        g++;
    return g < p->spec.bundles ? p->spec.bundle_begin[g] : -1;
}

static cudaError_t sum_records(void *plan, const lm_cuda_series *s, int each, const void *records,
                               double *sums)
{
    const lm_cuda_bits_plan *p = plan;
    const int *begin = p->spec.bundle_begin;
    lm_bits_record_sums t = {.counts = records,
                             .record = lm_cuda_bits_sums(p),
                             .sums = sums,
                             .nth =
                                 p->spec.first_replica - p->words.first_group * p->words.per_word,
                             .replicas = p->spec.replicas,
                             .records = s->records,
                             .each = each,
                             .counted = p->view.sums,
                             .sites = p->view.rows * p->spec.extents[0],
                             .spins = sum_of_spins(p)};
    for (int g = 0; g < p->spec.bundles; g++)
        for (int k = begin[g]; s->bundles >> g & 1 && k < begin[g + 1]; k++)
            t.wanted |= (uint64_t)1 << k;
    return lm_launch_sum_records(&t, p->head.stream);
}

static cudaError_t measure(const lm_cuda_bits_plan *p, const lm_bits_view *v, unsigned bundles)
{
    return bundles & p->bundles ? p->model->measure(v, bundles, p->head.stream) : cudaSuccess;
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

/* Adds the counts of a record. */
static cudaError_t measure_record(void *plan, unsigned bundles, lm_count *record)
{
    const lm_cuda_bits_plan *p = plan;
    lm_bits_view v = p->view;
    v.counts = record;
    return measure(p, &v, bundles);
}

static cudaError_t queue_records(void *plan, const lm_cuda_series *s, void *device)
{
    lm_cuda_bits_plan *p = plan;
    const lm_counts counts = {.spec = &p->spec,
                              .replicas = p->words.groups * p->words.per_word,
                              .sums = p->view.sums,
                              .changed = p->changed,
                              .measure = measure_record};
    const cudaError_t e = lm_cuda_bits_send_bonds(p);
    return e == cudaSuccess ? lm_counts_queue(p, &counts, s, device) : e;
}

static cudaError_t queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor from,
                                int64_t sweeps)
{
    lm_cuda_bits_plan *p = plan;
    const cudaError_t e = lm_cuda_bits_send_bonds(p);
    p->clear = 1;
    return e == cudaSuccess ? lm_cuda_queue_sweeps(p, schedule, &from, sweeps, 1, p->changed) : e;
}

lm_walk lm_cuda_bits_walk_and_measure(const lm_cuda_bits_plan *p, const lm_job *job,
                                      int64_t records, unsigned bundles)
{
    lm_walk w = lm_walk_of_records(job, records, bundles & p->bundles,
                                   (bundles & lm_changes_of(&p->spec)) != 0);
    w.metering = p->view.groups <= (uint32_t)p->head.processors;
    return w;
}

double lm_cuda_bits_walk_cost(const lm_cuda_bits_plan *p, const lm_job *job,
                              const lm_walk_times *times)
{
    const double warps = ceil((double)p->view.rows * p->view.width / 32.0);
    const double turns = ceil((double)p->view.groups / p->head.processors);
    return LM_CUDA_LAUNCH_NS / (double)job->sweeps +
           fmax(times->block + times->block_warp * warps, times->warp * warps * turns);
}

double lm_cuda_bits_colours_cost(const lm_cuda_bits_plan *p, double rate, double group_ns)
{
    const double sites = 64.0 * p->view.rows * p->view.width; /* as many as a group has bits */
    return 2 * LM_CUDA_LAUNCH_NS + p->view.groups * fmax(sites / rate, group_ns);
}

static cudaError_t walk(lm_cuda_bits_plan *p, const lm_walk *w, lm_count *sums,
                        lm_walk_launch *launch)
{
    const cudaError_t e = lm_cuda_bits_send_table(p, w->update);
    lm_bits_view v = p->view;
    v.counts = sums;
    v.by_spin = p->rules.tables[w->update].by_spin;
    return e == cudaSuccess ? launch(&v, w, p->head.stream) : e;
}

cudaError_t lm_cuda_bits_walk_sweeps(lm_cuda_bits_plan *p, const lm_job *job, int count,
                                     lm_count *sums, lm_walk_launch *launch)
{
    const lm_walk w = lm_walk_of(job, count);
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
    const int64_t first = p->spec.first_replica - p->words.first_group * p->words.per_word;
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
                            .sum_records = sum_records};
}

latmc_status lm_cuda_bits_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                  const lm_measure *out)
{
    const lm_cuda_bits_plan *p = plan;
    const lm_cuda_family family = lm_cuda_bits_family(plan);
    const cudaError_t e = lm_cuda_bits_make_thresholds(plan, schedule);
    const latmc_status status =
        lm_cuda_failed(p->head.device, e, "to take memory for the parameters");
    return status ? status : lm_cuda_prepare(plan, &family, budget, out);
}

latmc_status lm_cuda_bits_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                              int64_t budget, const lm_measure *out)
{
    const lm_cuda_family family = lm_cuda_bits_family(plan);
    return lm_cuda_run(plan, &family, schedule, cursor, budget, out);
}

const lm_plan_ops lm_cuda_bits_ops = {LM_CUDA_BITS_OPS};
