/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>

#include "backends/cuda/plan.h"
#include "lib/base/status.h"

static cudaError_t make(lm_cuda_ferry *f)
{
    cudaEvent_t *const events[] = {&f->updated, &f->unpacked};
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < 2 && e == cudaSuccess; i++)
        if (!*events[i])
            e = cudaEventCreateWithFlags(events[i], cudaEventDisableTiming);
    if (e == cudaSuccess && !f->stream)
        e = cudaStreamCreateWithFlags(&f->stream, cudaStreamNonBlocking);
    return e;
}

/* Makes the ferry's stream wait for all that the plan's stream has. */
static cudaError_t follow(lm_cuda_head *h)
{
    lm_cuda_ferry *f = &h->ferry;
    cudaError_t e = make(f);
    if (e == cudaSuccess)
        e = cudaEventRecord(f->updated, h->stream);
    if (e == cudaSuccess)
        e = cudaStreamWaitEvent(f->stream, f->updated, 0);
    f->follows = e == cudaSuccess;
    return e;
}

cudaError_t lm_cuda_begin_pack(lm_cuda_head *h, cudaStream_t *stream)
{
    const cudaError_t e = follow(h);
    *stream = h->ferry.stream;
    return e;
}

cudaError_t lm_cuda_begin_unpack(lm_cuda_head *h, cudaStream_t *stream)
{
    const cudaError_t e = h->ferry.follows ? cudaSuccess : follow(h);
    *stream = h->ferry.stream;
    return e;
}

/* Makes the plan's stream wait for the copies, since its next work reads the halo. */
cudaError_t lm_cuda_end_unpack(lm_cuda_head *h)
{
    const cudaError_t e = cudaEventRecord(h->ferry.unpacked, h->ferry.stream);
    h->fresh = 1;
    return e == cudaSuccess ? cudaStreamWaitEvent(h->stream, h->ferry.unpacked, 0) : e;
}

/* A copy of two dimensions takes a pitch below 2^31. */
cudaError_t lm_cuda_copy_layers(const lm_cuda_layers *l, void *halo, int in, cudaStream_t stream)
{
    char *const device = l->first, *const host = halo;
    cudaError_t e = cudaSuccess;
    if (l->pitch <= INT_MAX)
        return in ? cudaMemcpy2DAsync(device, l->pitch, host, l->bytes, l->bytes, l->ranges,
                                      cudaMemcpyDefault, stream)
                  : cudaMemcpy2DAsync(host, l->bytes, device, l->pitch, l->bytes, l->ranges,
                                      cudaMemcpyDefault, stream);
    for (size_t i = 0; e == cudaSuccess && i < l->ranges; i++) {
        char *const here = device + i * l->pitch, *const there = host + i * l->bytes;
        e = cudaMemcpyAsync(in ? here : there, in ? there : here, l->bytes, cudaMemcpyDefault,
                            stream);
    }
    return e;
}

latmc_status lm_cuda_pack_layers(lm_cuda_head *h, const lm_cuda_layers *layers, void *halo)
{
    LM_ON_DEVICE(h->device);
    cudaStream_t stream;
    cudaError_t e = lm_cuda_begin_pack(h, &stream);
    if (e == cudaSuccess)
        e = lm_cuda_copy_layers(layers, halo, 0, stream);
    return lm_cuda_failed(h->device, e, "to give boundary layers");
}

latmc_status lm_cuda_unpack_layers(lm_cuda_head *h, const lm_cuda_layers *layers, void *halo)
{
    LM_ON_DEVICE(h->device);
    cudaStream_t stream;
    cudaError_t e = lm_cuda_begin_unpack(h, &stream);
    if (e == cudaSuccess)
        e = lm_cuda_copy_layers(layers, halo, 1, stream);
    if (e == cudaSuccess)
        e = lm_cuda_end_unpack(h);
    return lm_cuda_failed(h->device, e, "to take boundary layers");
}

void lm_cuda_ferry_leaves(lm_cuda_head *h)
{
    h->ferry.follows = 0;
}

void lm_cuda_end_ferry(lm_cuda_head *h)
{
    cudaEvent_t const events[] = {h->ferry.updated, h->ferry.unpacked};
    if (h->ferry.stream) {
        cudaStreamSynchronize(h->ferry.stream);
        cudaStreamDestroy(h->ferry.stream);
    }
    for (int i = 0; i < 2; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
}

/* Waits for all that the ferry's stream has. Earlier copies into the halo have then arrived,
 * too, so others may bring layers to the same halo. */
latmc_status lm_cuda_packed(void *plan)
{
    const lm_cuda_head *h = plan;
    if (!h->ferry.stream)
        return LATMC_OK;
    LM_ON_DEVICE(h->device);
    return lm_cuda_failed(h->device, cudaStreamSynchronize(h->ferry.stream),
                          "to give boundary layers");
}

/* Takes memory that copies of any device can reach directly. */
void *lm_cuda_take_buffer(void *plan, size_t bytes)
{
    const lm_cuda_head *h = plan;
    LM_ON_DEVICE(h->device);
    void *buffer = NULL;
    const cudaError_t e = cudaHostAlloc(&buffer, bytes, cudaHostAllocPortable);
    if (e == cudaSuccess)
        return buffer;
    cudaGetLastError();
    lm_fail(LATMC_ERROR_MEMORY, "no memory for the transfer of boundary layers, %zu bytes", bytes);
    return NULL;
}

void lm_cuda_give_buffer(void *plan, void *buffer)
{
    const lm_cuda_head *h = plan;
    if (h->ferry.stream)
        cudaStreamSynchronize(h->ferry.stream);
    cudaFreeHost(buffer);
}
