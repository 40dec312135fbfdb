/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/plan.h"

#include <stdlib.h>

#include "lib/memory.h"
#include "lib/plan.h"

static cudaError_t find_properties(lm_cuda_head *h)
{
    int major = 0;
    cudaError_t e =
        cudaDeviceGetAttribute(&h->processors, cudaDevAttrMultiProcessorCount, h->device);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, h->device);
    h->overlaps = major >= 9;
    return e;
}

latmc_status lm_cuda_begin(lm_cuda_head *h, const lm_cuda_piece *pieces, int count)
{
    const int before = lm_cuda_enter_device(h->device);
    cudaError_t e = find_properties(h);
    if (e == cudaSuccess)
        e = cudaStreamCreateWithFlags(&h->stream, cudaStreamNonBlocking);
    for (int i = 0; e == cudaSuccess && i < count; i++)
        if (pieces[i].bytes) {
            e = lm_cuda_take(&h->pieces[i], pieces[i].bytes);
            if (e == cudaSuccess)
                e = cudaMemsetAsync(h->pieces[i], 0, pieces[i].bytes, h->stream);
            *pieces[i].memory = h->pieces[i];
        }
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(h->stream);
    lm_cuda_leave(before);
    return lm_cuda_failed(h->device, e, "to take memory for the lattice");
}

static void free_room(lm_cuda_room *room)
{
    cudaFree(room->device);
    free(room->host);
    *room = (lm_cuda_room){0};
}

void lm_cuda_end(lm_cuda_head *h)
{
    const int before = lm_cuda_enter_device(h->device);
    if (h->stream) {
        cudaStreamSynchronize(h->stream);
        cudaStreamDestroy(h->stream);
    }
    lm_cuda_end_joint(h);
    for (int i = 0; i < LM_CUDA_MAX_PIECES; i++)
        cudaFree(h->pieces[i]);
    cudaFree(h->tables);
    free_room(&h->kept);
    lm_cuda_leave(before);
}

/* From pageable memory, which the call has copied when it returns. */
cudaError_t lm_cuda_send(lm_cuda_head *h, void *to, const void *from, size_t bytes)
{
    h->fresh = 1;
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, h->stream);
}

latmc_status lm_cuda_wait(void *plan)
{
    const lm_cuda_head *h = plan;
    const int before = lm_cuda_enter_device(h->device);
    const cudaError_t e = cudaStreamSynchronize(h->stream);
    lm_cuda_leave(before);
    return lm_cuda_failed(h->device, e, "while sweeping");
}

/* Device memory for one part of a series. */
#define PART_BYTES ((int64_t)64 << 20)
/* It is kept for the next one if it is not more than this: to take it and to give it back takes as
 * long as hundreds of small sweeps. */
#define KEPT_BYTES ((int64_t)4 << 20)

cudaError_t lm_cuda_queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor *at,
                                 int64_t sweeps, int count, void *sums)
{
    cudaError_t e = cudaSuccess;
    while (e == cudaSuccess && sweeps > 0) {
        const lm_job job = lm_schedule_next(schedule, at, sweeps);
        sweeps -= job.sweeps;
        e = lm_cuda_choose(plan, &job)->sweep(plan, &job, count && sweeps == 0, sums);
    }
    return e;
}

int lm_cuda_one_update(const lm_cuda_series *series, lm_job *job)
{
    const int64_t all = series->sweeps * series->records;
    lm_cursor at = series->from;
    if (all == 0)
        return 0;
    *job = lm_schedule_next(series->schedule, &at, all);
    if (job->sweeps < all)
        return 0;
    job->sweeps = series->sweeps;
    return 1;
}

static cudaError_t record_parts(lm_cuda_head *h, const lm_cuda_family *family,
                                const lm_cuda_series *all, int64_t part, void *device, char *host,
                                double *sums)
{
    cudaError_t e = cudaSuccess;
    lm_cuda_series some = *all;
    for (int64_t done = 0; e == cudaSuccess && done < all->records; done += part) {
        const int64_t n = all->records - done < part ? all->records - done : part;
        some.records = n;
        some.last = done + n == all->records;
        e = family->queue(h, &some, device);
        if (e == cudaSuccess)
            e = lm_cuda_copy(h->stream, host, device, (size_t)n * family->record_bytes);
        for (int64_t i = 0; e == cudaSuccess && i < n; i++)
            family->report(h, all->groups, host + (size_t)i * family->record_bytes,
                           sums + (done + i) * family->record_sums);
        if (some.sweeps > 0)
            lm_cursor_move(all->schedule, &some.from, n * some.sweeps);
    }
    return e;
}

/* LATMC_ERROR_MEMORY, or what the device says. */
static latmc_status make_room(lm_cuda_head *h, lm_cuda_room *room, int64_t bytes)
{
    if (bytes <= room->bytes)
        return LATMC_OK;
    free_room(room);
    room->host = lm_zeroed(NULL, "a series", bytes, 1);
    if (!room->host)
        return LATMC_ERROR_MEMORY;
    const cudaError_t e = lm_cuda_take(&room->device, (size_t)bytes);
    room->bytes = e == cudaSuccess ? bytes : 0;
    return lm_cuda_failed(h->device, e, "to record a series");
}

static latmc_status record(lm_cuda_head *h, const lm_cuda_family *family,
                           const lm_cuda_series *series, double *sums)
{
    const int64_t most = PART_BYTES / (int64_t)family->record_bytes;
    const int64_t part = most < 1 ? 1 : most > series->records ? series->records : most;
    const int64_t bytes = part * (int64_t)family->record_bytes;
    lm_cuda_room own = {0}, *room = bytes <= KEPT_BYTES ? &h->kept : &own;
    const int before = lm_cuda_enter_device(h->device);
    latmc_status status = make_room(h, room, bytes);
    if (status == LATMC_OK) {
        cudaError_t e = lm_cuda_await_halo(h);
        if (e == cudaSuccess)
            e = record_parts(h, family, series, part, room->device, room->host, sums);
        if (e != cudaSuccess)
            cudaStreamSynchronize(h->stream); /* what is queued may still write */
        status = lm_cuda_failed(h->device, e, "to record a series");
    }
    free_room(&own);
    lm_cuda_leave(before);
    return status;
}

latmc_status lm_cuda_run(void *plan, const lm_cuda_family *family, const lm_schedule *schedule,
                         const lm_cursor *cursor, int64_t budget, const lm_out *out)
{
    lm_cuda_head *h = plan;
    if (out) {
        const lm_cuda_series series = {.schedule = schedule,
                                       .from = *cursor,
                                       .sweeps = budget ? out->every : 0,
                                       .records = lm_out_count(out, budget),
                                       .groups = out->groups};
        return record(h, family, &series, out->sums);
    }
    if (budget == 0)
        return LATMC_OK;
    const int before = lm_cuda_enter_device(h->device);
    const cudaError_t e = family->sweep(plan, schedule, *cursor, budget);
    lm_cuda_leave(before);
    return lm_cuda_failed(h->device, e, "to sweep");
}
