/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernel sweeps, and series of measurements. */
#include "backends/cuda/bits/plan.h"

#include <stdlib.h>

#include "lib/memory.h"

/* Device memory for the sums of one part of a series. */
#define SERIES_BYTES ((int64_t)64 << 20)

/*
 * Times of a sweep in ns, as measured on an H200 (doc/performance.md): a launch, the same for
 * each kernel, a floor of the persistent kernel's barriers and of the resident kernel's walk,
 * and rates in spins per ns of the whole device and of one multiprocessor.
 */
static const double launch_ns = 3300.0, barriers_ns = 2000.0, walk_ns = 150.0;
static const double device_rate = 3000.0, processor_rate = 20.0;

static double spins_of(const lm_bits_view *v)
{
    return 64.0 * (double)v->rows * v->width; /* of a group, as many as its words have bits */
}

static int serves(const lm_cuda_bits_plan *p, lm_kernel kernel)
{
    switch (kernel) {
    case LM_KERNEL_LARGE:
        return lm_large_serves(&p->view);
    case LM_KERNEL_PERSISTENT:
        return p->tagged && lm_persistent_serves(&p->view, p->device);
    case LM_KERNEL_RESIDENT:
        return p->ahead && lm_resident_serves(&p->view, p->device);
    default:
        return 1;
    }
}

const char *const lm_kernel_names[LM_KERNELS] = {
    [LM_KERNEL_BEST] = "best",         [LM_KERNEL_GENERAL] = "general",
    [LM_KERNEL_LARGE] = "large",       [LM_KERNEL_PERSISTENT] = "persistent",
    [LM_KERNEL_RESIDENT] = "resident", [LM_KERNEL_COLOURS] = "phi4 colours",
    [LM_KERNEL_TILES] = "phi4 tiles",
};

int64_t lm_cuda_swept(const void *plan, lm_kernel kernel)
{
    return ((const lm_cuda_head *)plan)->swept[kernel];
}

int lm_cuda_use(void *plan, lm_kernel kernel)
{
    lm_cuda_bits_plan *p = plan;
    p->kernel = kernel;
    return serves(p, kernel);
}

static double sweep_ns(const lm_cuda_bits_plan *p, lm_kernel kernel, double launches)
{
    const double spins = spins_of(&p->view), groups = p->view.groups;
    const double turns = (double)((p->view.groups + p->processors - 1) / p->processors);
    switch (kernel) {
    case LM_KERNEL_LARGE:
        return 2 * launch_ns + groups * spins / device_rate;
    case LM_KERNEL_PERSISTENT:
        return launches * launch_ns + barriers_ns + spins / device_rate;
    default:
        return launches * launch_ns + turns * (walk_ns + spins / processor_rate);
    }
}

/* The kernel for a run of sweeps. */
static lm_kernel choose(const lm_cuda_bits_plan *p, const lm_job *job)
{
    static const lm_kernel fast[] = {LM_KERNEL_LARGE, LM_KERNEL_PERSISTENT, LM_KERNEL_RESIDENT};
    lm_kernel best = LM_KERNEL_GENERAL;
    double least = 0.0;
    if (!p->uniform[job->update])
        return best;
    if (p->kernel != LM_KERNEL_BEST)
        return serves(p, p->kernel) ? p->kernel : best;
    for (size_t i = 0; i < sizeof fast / sizeof fast[0]; i++) {
        const double ns = sweep_ns(p, fast[i], job->sweeps > 0 ? 1.0 / (double)job->sweeps : 1.0);
        if (serves(p, fast[i]) && (best == LM_KERNEL_GENERAL || ns < least)) {
            best = fast[i];
            least = ns;
        }
    }
    return best;
}

/* Sweeps by one launch for every colour. */
static cudaError_t sweep_by_colours(const lm_cuda_bits_plan *p, const lm_bits_view *v,
                                    const lm_job *job, int count, int large)
{
    cudaError_t e = cudaSuccess;
    for (int64_t i = 0; i < job->sweeps; i++)
        for (int c = 0; e == cudaSuccess && c < v->colours; c++) {
            const lm_bits_pass pass = {.update = job->update,
                                       .colour = c,
                                       .step = (uint64_t)(job->step + i),
                                       .last = v->rows,
                                       .count = count && i == job->sweeps - 1};
            e = large ? lm_launch_large(v, &pass, p->stream)
                      : lm_launch_update(v, &pass, p->stream);
        }
    return e;
}

/* The counters of the kernels that draw ahead, behind their buffer. */
static lm_count *counters_of(const lm_cuda_bits_plan *p)
{
    return (lm_count *)((char *)p->ahead + LM_AHEAD_BYTES);
}

/* Half sweeps are numbered on from launch to launch, in 32 bits: the numbers left in the words
 * from before must not come again while they are there. At most LM_ISING_COIN_SWEEPS sweeps. */
static cudaError_t persist(lm_cuda_bits_plan *p, const lm_bits_view *v, const lm_job *job,
                           int count)
{
    const uint64_t numbers = 2 * (uint64_t)job->sweeps + 1;
    cudaError_t e = cudaSuccess;
    if (p->tags + numbers + 1 > UINT32_MAX) {
        e = cudaMemsetAsync(p->tagged, 0, 2 * (size_t)v->rows * v->width * sizeof *p->tagged,
                            p->stream);
        p->tags = 0;
    }
    if (e == cudaSuccess)
        e = lm_launch_persistent(v, p->device, (uint64_t)job->step, job->sweeps, count, p->tagged,
                                 (uint32_t)p->tags + 1, p->stream);
    p->tags += numbers;
    return e;
}

/* The sweeps before the next one that tosses coins: 0 if that is the first. */
static int64_t without_coins(const lm_job *job)
{
    const int64_t since = job->step % LM_ISING_COIN_SWEEPS;
    const int64_t next = since > 0 ? LM_ISING_COIN_SWEEPS - since : 0;
    return job->sweeps < next ? job->sweeps : next;
}

/* The persistent kernel tosses no coins, since any code for them in its loop costs all sweeps 5 to
 * 10 %. The large one, which serves wherever it does, makes the few sweeps that do. */
static cudaError_t sweep_persistently(lm_cuda_bits_plan *p, const lm_bits_view *v,
                                      const lm_job *job, int count)
{
    cudaError_t e = cudaSuccess;
    lm_job rest = *job;
    while (e == cudaSuccess && rest.sweeps > 0) {
        const int64_t n = without_coins(&rest);
        lm_job next = rest;
        next.sweeps = n > 0 ? n : 1;
        rest.step += next.sweeps;
        rest.sweeps -= next.sweeps;
        p->head.swept[n > 0 ? LM_KERNEL_PERSISTENT : LM_KERNEL_LARGE] += next.sweeps;
        e = n > 0 ? persist(p, v, &next, count && rest.sweeps == 0)
                  : sweep_by_colours(p, v, &next, count && rest.sweeps == 0, 1);
    }
    return e;
}

/* Sweeps, or records of them, in one launch of the resident kernel. */
static cudaError_t walk(lm_cuda_bits_plan *p, const lm_bits_view *v, const lm_job *job,
                        int64_t records, int measures, int counting)
{
    const lm_walk w = {.step = (uint64_t)job->step,
                       .sweeps = job->sweeps,
                       .records = records,
                       .measures = measures,
                       .counting = counting};
    return lm_launch_resident(v, p->device, &w, p->ahead, counters_of(p), p->stream);
}

/* Queues a run of sweeps; changes in its last sweep are added to sums[] if count. */
cudaError_t lm_cuda_bits_sweep(lm_cuda_bits_plan *p, const lm_job *job, int count, lm_count *sums)
{
    const lm_kernel kernel = choose(p, job);
    lm_bits_view v = p->view;
    v.counts = sums;
    if (job->sweeps == 0)
        return cudaSuccess;
    if (kernel == LM_KERNEL_PERSISTENT)
        return sweep_persistently(p, &v, job, count);
    p->head.swept[kernel] += job->sweeps;
    if (kernel == LM_KERNEL_RESIDENT)
        return walk(p, &v, job, 1, 0, count ? LM_COUNT_LAST : LM_COUNT_NONE);
    return sweep_by_colours(p, &v, job, count, kernel == LM_KERNEL_LARGE);
}

/* One record's sums from the device's counts: bonds as they are, spins up to M. */
static void report(const lm_cuda_bits_plan *p, const lm_count *counts, double *sums)
{
    const int d = p->spec.dims, n = d + 2;
    const int64_t sites = p->view.rows * p->spec.extents[0];
    for (int64_t r = 0; r < p->spec.replicas; r++, sums += n) {
        const int64_t lane = p->spec.first_replica + r - p->words.first_group * p->words.pack;
        const lm_count *from = counts + lane * n;
        for (int k = 0; k < n; k++)
            sums[k] = (double)(int64_t)from[k];
        sums[d] = (double)(2 * (int64_t)from[d] - sites);
    }
}

static cudaError_t queue_records(lm_cuda_bits_plan *p, const lm_job *job, int64_t records, int all,
                                 int last, lm_count *sums)
{
    cudaError_t e = cudaSuccess;
    lm_bits_view v = p->view;
    lm_job one = *job;
    v.counts = sums;
    if (job->sweeps > 0 && choose(p, job) == LM_KERNEL_RESIDENT) {
        p->head.swept[LM_KERNEL_RESIDENT] += records * job->sweeps;
        return walk(p, &v, job, records, 1, all ? LM_COUNT_ALL : LM_COUNT_LAST);
    }
    for (int64_t i = 0; e == cudaSuccess && i < records; i++) {
        e = lm_cuda_bits_sweep(p, &one, all || (last && i == records - 1), v.counts);
        if (e == cudaSuccess)
            e = lm_large_measures(&v) ? lm_launch_large_measure(&v, p->stream)
                                      : lm_launch_measure(&v, p->stream);
        one.step += job->sweeps;
        v.counts += lm_cuda_bits_sums(p);
    }
    return e;
}

/* Queues a part of a series, waits for it and fetches its counts. */
static cudaError_t record_part(lm_cuda_bits_plan *p, const lm_job *job, int64_t records, int all,
                               int last, lm_count *device, lm_count *host)
{
    const size_t bytes = (size_t)(records * lm_cuda_bits_sums(p)) * sizeof *device;
    cudaError_t e = cudaMemsetAsync(device, 0, bytes, p->stream);
    if (e == cudaSuccess)
        e = queue_records(p, job, records, all, last, device);
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, p->stream);
    if (e == cudaSuccess && job->sweeps > 0)
        e = cudaMemcpyAsync(p->changed, device + (records - 1) * lm_cuda_bits_sums(p),
                            (size_t)lm_cuda_bits_sums(p) * sizeof *device, cudaMemcpyDeviceToDevice,
                            p->stream);
    return e == cudaSuccess ? cudaStreamSynchronize(p->stream) : e;
}

latmc_status lm_cuda_bits_record(lm_cuda_bits_plan *p, const lm_job *job, int64_t records,
                                 int accepted, double *sums)
{
    const int64_t each = lm_cuda_bits_sums(p), row = p->spec.replicas * (p->spec.dims + 2);
    int64_t part = SERIES_BYTES / (each * (int64_t)sizeof(lm_count));
    part = part < 1 ? 1 : part > records ? records : part;
    lm_count *device = NULL, *host = lm_zeroed(NULL, "a series", part * each, sizeof *host);
    if (!host)
        return LATMC_ERROR_MEMORY;
    lm_job now = *job;
    cudaError_t e = lm_cuda_take((void **)&device, (size_t)(part * each) * sizeof *device);
    for (int64_t done = 0; e == cudaSuccess && done < records; done += part) {
        const int64_t n = records - done < part ? records - done : part;
        e = record_part(p, &now, n, accepted, done + n == records, device, host);
        for (int64_t i = 0; e == cudaSuccess && i < n; i++)
            report(p, host + i * each, sums + (done + i) * row);
        now.step += n * job->sweeps;
    }
    cudaFree(device);
    free(host);
    return lm_cuda_bits_status(p, e, "to record a series");
}

/* Bonds and spins as they are now, changes as the last sweep left them. */
latmc_status lm_cuda_bits_measure(lm_cuda_bits_plan *p, double *sums)
{
    const int n = p->spec.dims + 2;
    const lm_job none = {.sweeps = 0};
    lm_count *changed = lm_zeroed(NULL, "a measurement", lm_cuda_bits_sums(p), sizeof *changed);
    if (!changed)
        return LATMC_ERROR_MEMORY;
    latmc_status status = lm_cuda_bits_record(p, &none, 1, 0, sums);
    if (status == LATMC_OK)
        status = lm_cuda_bits_status(p,
                                     cudaMemcpy(changed, p->changed,
                                                (size_t)lm_cuda_bits_sums(p) * sizeof *changed,
                                                cudaMemcpyDeviceToHost),
                                     "to fetch a measurement");
    const int64_t lane = p->spec.first_replica - p->words.first_group * p->words.pack;
    for (int64_t r = 0; status == LATMC_OK && r < p->spec.replicas; r++)
        sums[r * n + n - 1] = (double)changed[(lane + r) * n + n - 1];
    free(changed);
    return status;
}
