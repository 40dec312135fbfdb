/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps, measurements and series of them, of a field. */
#include "backends/cuda/field/plan.h"

#include <stdlib.h>

#include "backends/cuda/device.h"
#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"
#include "lib/status.h"

/* Device memory for the sums of one part of a series. */
#define SERIES_BYTES ((int64_t)64 << 20)

static cudaError_t launch_colours(const lm_cuda_field_plan *p, lm_cuda_field_pass *pass)
{
    cudaError_t e = cudaSuccess;
    int colours = 0;
    for (int i = 0; i < 2; i++)
        if (p->reaches[i] && p->view.colours[i].colours > colours)
            colours = p->view.colours[i].colours;
    for (pass->part = 0; e == cudaSuccess && pass->part < colours; pass->part++)
        e = p->launch->colour(&p->view, pass, p->stream);
    return e;
}

static cudaError_t launch_tiles(const lm_cuda_field_plan *p, lm_cuda_field_pass *pass)
{
    cudaError_t e = cudaSuccess;
    for (pass->part = 0; pass->part < p->tiles.phases; pass->part++)
        for (pass->reach = 1; e == cudaSuccess && pass->reach <= 2; pass->reach++)
            if (p->reaches[pass->reach - 1])
                e = p->launch->tiles(&p->view, pass, p->stream);
    return e;
}

/* Queues a run of sweeps; if count, p->share becomes that of the last one. */
static cudaError_t sweep_by(lm_cuda_field_plan *p, const lm_job *job, int count,
                            cudaError_t (*launch)(const lm_cuda_field_plan *, lm_cuda_field_pass *))
{
    cudaError_t e = cudaSuccess;
    const uint32_t replicas = p->view.replicas;
    for (int64_t i = 0; e == cudaSuccess && i < job->sweeps; i++) {
        lm_cuda_field_pass pass = {.step = (uint64_t)(job->step + i),
                                   .variant = p->model->variant(job->update),
                                   .count = count && i == job->sweeps - 1};
        if (pass.count)
            e = cudaMemsetAsync(p->view.accepted, 0, replicas * sizeof *p->view.accepted,
                                p->stream);
        if (e == cudaSuccess)
            e = launch(p, &pass);
        if (e == cudaSuccess && pass.count)
            e = lm_launch_field_share(p->view.accepted, p->offers + (size_t)job->update * replicas,
                                      p->share, replicas, p->stream);
    }
    return e;
}

cudaError_t lm_cuda_field_by_colours(void *plan, const lm_job *job, int count, void *sums)
{
    lm_cuda_field_plan *p = plan;
    (void)sums;
    p->head.swept[LM_FIELD_BY_COLOURS] += job->sweeps;
    return sweep_by(p, job, count, launch_colours);
}

cudaError_t lm_cuda_field_by_tiles(void *plan, const lm_job *job, int count, void *sums)
{
    lm_cuda_field_plan *p = plan;
    (void)sums;
    p->head.swept[LM_FIELD_BY_TILES] += job->sweeps;
    return sweep_by(p, job, count, launch_tiles);
}

cudaError_t lm_cuda_field_queue(lm_cuda_field_plan *p, const lm_job *job, int count)
{
    return job->sweeps > 0 ? lm_cuda_choose(p, job)->sweep(p, job, count, NULL) : cudaSuccess;
}

/* Folds lists into one number each; *in is the buffer that has them, and then has the result. */
static cudaError_t fold(const lm_cuda_field_plan *p, uint64_t outer, uint64_t count, int *in)
{
    cudaError_t e = cudaSuccess;
    while (e == cudaSuccess && count > 1) {
        const lm_field_fold f = {outer, count, p->fold[*in], p->fold[1 - *in], p->sums};
        e = lm_launch_field_fold(&f, p->stream);
        count = LM_SUMS_BLOCKS(count);
        *in = 1 - *in;
    }
    return e;
}

/* Queues a measurement of all replicas, p->part of them at once. */
static cudaError_t queue_measurement(const lm_cuda_field_plan *p, double *sums)
{
    const uint64_t layers = p->spec.dims == 1 ? 1u : (uint64_t)p->spec.extents[p->spec.dims - 1];
    const uint64_t sites = (uint64_t)p->view.count / layers;
    cudaError_t e = cudaSuccess;
    for (uint32_t r = 0; e == cudaSuccess && r < p->view.replicas; r += p->part) {
        const uint32_t n = p->view.replicas - r < p->part ? p->view.replicas - r : p->part;
        int in = 0;
        e = p->launch->sums(&p->view, r, n, p->fold[0], p->stream);
        if (e == cudaSuccess)
            e = fold(p, n * layers, LM_SUMS_BLOCKS(sites), &in);
        if (e == cudaSuccess)
            e = fold(p, n, layers, &in);
        if (e == cudaSuccess)
            e = lm_launch_field_report(p->fold[in], p->share + r,
                                       sums + (size_t)r * (size_t)(p->sums + 1), n, p->sums,
                                       p->stream);
    }
    return e;
}

/* Queues a part of a series, waits for it and fetches its sums. */
static cudaError_t record_part(lm_cuda_field_plan *p, const lm_job *job, int64_t records, int all,
                               int last, double *device, double *host)
{
    const int64_t each = (int64_t)p->view.replicas * (p->sums + 1);
    cudaError_t e = cudaSuccess;
    lm_job one = *job;
    for (int64_t i = 0; e == cudaSuccess && i < records; i++) {
        e = lm_cuda_field_queue(p, &one, all || (last && i == records - 1));
        if (e == cudaSuccess)
            e = queue_measurement(p, device + i * each);
        one.step += job->sweeps;
    }
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(host, device, (size_t)(records * each) * sizeof *host,
                            cudaMemcpyDeviceToHost, p->stream);
    return e == cudaSuccess ? cudaStreamSynchronize(p->stream) : e;
}

latmc_status lm_cuda_field_series(lm_cuda_field_plan *p, const lm_job *job, int64_t records,
                                  int accepted, double *sums)
{
    const int64_t each = (int64_t)p->view.replicas * (p->sums + 1);
    int64_t part = SERIES_BYTES / (each * (int64_t)sizeof(double));
    part = part < 1 ? 1 : part > records ? records : part;
    double *device = NULL;
    lm_job now = *job;
    cudaError_t e = lm_cuda_take((void **)&device, (size_t)(part * each) * sizeof *device);
    for (int64_t done = 0; e == cudaSuccess && done < records; done += part) {
        const int64_t n = records - done < part ? records - done : part;
        e = record_part(p, &now, n, accepted, done + n == records, device, sums + done * each);
        now.step += n * job->sweeps;
    }
    if (e != cudaSuccess)
        cudaStreamSynchronize(p->stream); /* what is queued may still write */
    cudaFree(device);
    return lm_cuda_failed(p->device, e, "to record a series");
}
