/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/plan.h"

#include <stdlib.h>

#include "lib/devices/plan.h"

static cudaError_t find_properties(lm_cuda_head *h)
{
    int major = 0;
    cudaError_t e = cudaDeviceGetAttribute(&h->cache, cudaDevAttrL2CacheSize, h->device);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, h->device);
    h->overlaps = major >= 9;
    h->processors = lm_cuda_processors();
    return e;
}

/* Pointers become the head's, since kernels ask whether there is memory. */
static void sketch_memory(lm_cuda_head *h, const lm_cuda_allocation *allocations, int count)
{
    for (int i = 0; i < count; i++)
        *allocations[i].memory = allocations[i].bytes ? h : NULL;
}

static cudaError_t take_memory(lm_cuda_head *h, const lm_cuda_allocation *allocations, int count)
{
    cudaError_t e = cudaStreamCreateWithFlags(&h->stream, cudaStreamNonBlocking);
    for (int i = 0; e == cudaSuccess && i < count; i++)
        if (allocations[i].bytes) {
            e = lm_cuda_take(&h->allocations[i], allocations[i].bytes);
            if (e == cudaSuccess)
                e = cudaMemsetAsync(h->allocations[i], 0, allocations[i].bytes, h->stream);
            *allocations[i].memory = h->allocations[i];
        }
    return e == cudaSuccess ? cudaStreamSynchronize(h->stream) : e;
}

latmc_status lm_cuda_begin(lm_cuda_head *h, const lm_cuda_allocation *allocations, int count)
{
    LM_ON_DEVICE(h->device);
    cudaError_t e = find_properties(h);
    for (int i = 0; i < count; i++)
        h->bytes += allocations[i].bytes;
    if (h->sketch)
        sketch_memory(h, allocations, count);
    else if (e == cudaSuccess)
        e = take_memory(h, allocations, count);
    return lm_cuda_failed(h->device, e, "to take memory for the lattice");
}

void lm_cuda_end(lm_cuda_head *h)
{
    LM_ON_DEVICE(h->device);
    if (h->stream) {
        cudaStreamSynchronize(h->stream);
        cudaStreamDestroy(h->stream);
    }
    lm_cuda_end_ferry(h);
    lm_cuda_end_joint(h);
    for (int i = 0; i < LM_CUDA_MAX_ALLOCATIONS; i++)
        cudaFree(h->allocations[i]);
    cudaFree(h->tables);
    cudaFree(h->momenta.memory);
    cudaFree(h->weights.memory);
    cudaFree(h->slots.sums);
    cudaFreeHost(h->slots.fetched);
    free(h->slots.here);
    lm_cuda_buffers_end(&h->buffers);
    lm_cuda_buffers_end(&h->cross);
}

/* Copies from pageable memory. When the call returns, it has copied the data. */
cudaError_t lm_cuda_send(lm_cuda_head *h, void *to, const void *from, size_t bytes)
{
    h->fresh = 1;
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, h->stream);
}

latmc_status lm_cuda_wait(void *plan)
{
    const lm_cuda_head *h = plan;
    LM_ON_DEVICE(h->device);
    cudaError_t e = cudaStreamSynchronize(h->stream);
    if (e == cudaSuccess && h->buffers.fetch) /* of a series that was not ended */
        e = cudaStreamSynchronize(h->buffers.fetch);
    return lm_cuda_failed(h->device, e, "while sweeping");
}

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
