/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes series of measurements that are counts. */
#include "backends/cuda/bits/counts.h"

static cudaStream_t stream_of(const void *plan)
{
    return ((const lm_cuda_head *)plan)->stream;
}

/* Copies changes from one record to another. */
static cudaError_t copy_changes(const void *plan, const lm_counts *c, lm_count *to,
                                const lm_count *from)
{
    const size_t n = (size_t)c->sums, row = n * sizeof *to;
    return cudaMemcpy2DAsync(to + n - 1, row, from + n - 1, row, sizeof *to, (size_t)c->replicas,
                             cudaMemcpyDeviceToDevice, stream_of(plan));
}

/* Makes one measurement after the other, each after its sweeps. */
static cudaError_t one_by_one(void *plan, const lm_counts *c, const lm_cuda_series *s,
                              lm_count *record)
{
    const int all = (s->bundles & lm_changes_of(c->spec)) != 0;
    cudaError_t e = cudaSuccess;
    lm_cursor at = s->from;
    for (int64_t i = 0; e == cudaSuccess && i < s->records; i++, record += c->replicas * c->sums) {
        e = lm_cuda_queue_sweeps(plan, s->schedule, &at, s->sweeps,
                                 all || (s->last && i == s->records - 1), record);
        if (e == cudaSuccess)
            e = c->measure(plan, s->bundles, record);
    }
    return e;
}

static cudaError_t sweep_and_measure(void *plan, const lm_counts *c, const lm_cuda_series *s,
                                     lm_count *records)
{
    lm_job job;
    const lm_cuda_kernel *kernel =
        lm_cuda_one_update(s, &job) ? lm_cuda_recorder(plan, &job, s->records) : NULL;
    return kernel ? kernel->record(plan, &job, s->records, s->bundles, records)
                  : one_by_one(plan, c, s, records);
}

cudaError_t lm_counts_queue(void *plan, const lm_counts *c, const lm_cuda_series *s,
                            lm_count *records)
{
    const int64_t each = c->replicas * c->sums;
    lm_count *const end = records + (s->records - 1) * each;
    cudaError_t e =
        cudaMemsetAsync(records, 0, (size_t)(s->records * each) * sizeof *records, stream_of(plan));
    if (e == cudaSuccess)
        e = sweep_and_measure(plan, c, s, records);
    if (e == cudaSuccess)
        e = s->sweeps > 0 ? copy_changes(plan, c, c->changed, end)
                          : copy_changes(plan, c, end, c->changed);
    return e;
}

lm_walk lm_walk_of(const lm_job *job, int count)
{
    return (lm_walk){.update = job->update,
                     .step = (uint64_t)job->first_sweep,
                     .sweeps = job->sweeps,
                     .records = 1,
                     .counting = count ? LM_COUNT_LAST : LM_COUNT_NONE};
}

lm_walk lm_walk_of_records(const lm_job *job, int64_t records, unsigned bundles, int all)
{
    return (lm_walk){.update = job->update,
                     .step = (uint64_t)job->first_sweep,
                     .sweeps = job->sweeps,
                     .records = records,
                     .measures = 1,
                     .bundles = bundles,
                     .counting = all ? LM_COUNT_ALL : LM_COUNT_LAST};
}
