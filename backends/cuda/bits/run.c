/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps, measurements and series of them, of a lattice of bits. */
#include "backends/cuda/bits/plan.h"

#include <stdlib.h>

#include "lib/memory.h"

/* Device memory for the sums of one part of a series. */
#define SERIES_BYTES ((int64_t)64 << 20)

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
    const lm_cuda_kernel *kernel = job->sweeps > 0 ? lm_cuda_choose(p, job) : NULL;
    cudaError_t e = cudaSuccess;
    lm_bits_view v = p->view;
    lm_job one = *job;
    v.counts = sums;
    if (kernel && kernel->record)
        return kernel->record(p, job, records, all, sums);
    for (int64_t i = 0; e == cudaSuccess && i < records; i++) {
        if (kernel)
            e = kernel->sweep(p, &one, all || (last && i == records - 1), v.counts);
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

static latmc_status record_series(lm_cuda_bits_plan *p, const lm_job *job, int64_t records,
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
    return lm_cuda_failed(p->device, e, "to record a series");
}

/* ---- the plan's operations */

latmc_status lm_cuda_bits_sweep(void *plan, const lm_job *job)
{
    lm_cuda_bits_plan *p = plan;
    const int before = lm_cuda_enter_device(p->device);
    cudaError_t e = lm_cuda_bits_send_bonds(p);
    if (e == cudaSuccess && job->sweeps > 0)
        e = cudaMemsetAsync(p->changed, 0, (size_t)lm_cuda_bits_sums(p) * sizeof *p->changed,
                            p->stream);
    if (e == cudaSuccess && job->sweeps > 0)
        e = lm_cuda_choose(p, job)->sweep(p, job, 1, p->changed);
    lm_cuda_leave(before);
    return lm_cuda_failed(p->device, e, "to sweep");
}

latmc_status lm_cuda_bits_record(void *plan, const lm_job *job, int64_t records, int accepted,
                                 double *sums)
{
    lm_cuda_bits_plan *p = plan;
    const int before = lm_cuda_enter_device(p->device);
    latmc_status status =
        lm_cuda_failed(p->device, lm_cuda_bits_send_bonds(p), "to take the bonds");
    if (status == LATMC_OK)
        status = record_series(p, job, records, accepted, sums);
    lm_cuda_leave(before);
    return status;
}

/* Bonds and spins as they are now, changes as the last sweep left them. */
latmc_status lm_cuda_bits_measure(void *plan, double *sums)
{
    lm_cuda_bits_plan *p = plan;
    const lm_job none = {.sweeps = 0};
    const int n = p->spec.dims + 2;
    const int64_t all = lm_cuda_bits_sums(p);
    const int64_t lane = p->spec.first_replica - p->words.first_group * p->words.pack;
    lm_count *changed = lm_zeroed(NULL, "a measurement", all, sizeof *changed);
    latmc_status status = changed ? lm_cuda_bits_record(p, &none, 1, 0, sums) : LATMC_ERROR_MEMORY;
    if (status == LATMC_OK) {
        const int before = lm_cuda_enter_device(p->device);
        const cudaError_t e =
            lm_cuda_copy(p->stream, changed, p->changed, (size_t)all * sizeof *changed);
        lm_cuda_leave(before);
        status = lm_cuda_failed(p->device, e, "to fetch a measurement");
    }
    for (int64_t r = 0; status == LATMC_OK && r < p->spec.replicas; r++)
        sums[r * n + n - 1] = (double)changed[(lane + r) * n + n - 1];
    free(changed);
    return status;
}

latmc_status lm_cuda_bits_wait(void *plan)
{
    lm_cuda_bits_plan *p = plan;
    const int before = lm_cuda_enter_device(p->device);
    const cudaError_t e = cudaStreamSynchronize(p->stream);
    lm_cuda_leave(before);
    return lm_cuda_failed(p->device, e, "while sweeping");
}
