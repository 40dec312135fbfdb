/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/plan.h"

#include <stdlib.h>

#include "lib/memory.h"

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

void lm_cuda_end(lm_cuda_head *h)
{
    const int before = lm_cuda_enter_device(h->device);
    if (h->stream) {
        cudaStreamSynchronize(h->stream);
        cudaStreamDestroy(h->stream);
    }
    for (int i = 0; i < LM_CUDA_MAX_PIECES; i++)
        cudaFree(h->pieces[i]);
    cudaFree(h->tables);
    lm_cuda_leave(before);
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

static cudaError_t record_parts(lm_cuda_head *h, const lm_cuda_records *how, const lm_job *job,
                                int64_t records, int64_t part, unsigned groups, void *device,
                                char *host, double *sums)
{
    cudaError_t e = cudaSuccess;
    lm_job now = *job;
    for (int64_t done = 0; e == cudaSuccess && done < records; done += part) {
        const int64_t n = records - done < part ? records - done : part;
        e = how->queue(h, &now, n, groups, done + n == records, device);
        if (e == cudaSuccess)
            e = lm_cuda_copy(h->stream, host, device, (size_t)n * how->bytes);
        for (int64_t i = 0; e == cudaSuccess && i < n; i++)
            how->report(h, groups, host + (size_t)i * how->bytes, sums + (done + i) * how->sums);
        now.step += n * job->sweeps;
    }
    return e;
}

latmc_status lm_cuda_record(void *plan, const lm_cuda_records *how, const lm_job *job,
                            int64_t records, unsigned groups, double *sums)
{
    lm_cuda_head *h = plan;
    const int64_t most = PART_BYTES / (int64_t)how->bytes;
    const int64_t part = most < 1 ? 1 : most > records ? records : most;
    void *device = NULL, *host = lm_zeroed(NULL, "a series", part, how->bytes);
    if (!host)
        return LATMC_ERROR_MEMORY;
    const int before = lm_cuda_enter_device(h->device);
    cudaError_t e = lm_cuda_take(&device, (size_t)part * how->bytes);
    if (e == cudaSuccess)
        e = record_parts(h, how, job, records, part, groups, device, host, sums);
    if (e != cudaSuccess)
        cudaStreamSynchronize(h->stream); /* what is queued may still write */
    cudaFree(device);
    lm_cuda_leave(before);
    free(host);
    return lm_cuda_failed(h->device, e, "to record a series");
}
