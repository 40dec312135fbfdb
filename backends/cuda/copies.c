/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/copies.h"

#include "lib/base/minmax.h"

/* The bytes of the buffer, unless there are more units than that. The plan's buffers for crossings
 * serve: the first one for `from`, and the second for slices. */
#define BUFFER_BYTES ((int64_t)8 << 20)

static int64_t slice_of(const lm_cuda_units *c)
{
    const int64_t fit = BUFFER_BYTES / c->bytes / c->count;
    return lm_min(lm_max(fit, 1), c->numbers);
}

static cudaError_t make_buffers(lm_cuda_head *h, const lm_cuda_units *arrays, int count)
{
    int64_t bytes = arrays[0].replicas * (int64_t)sizeof(int32_t);
    for (int i = 0; i < count; i++)
        bytes = lm_max(bytes, slice_of(&arrays[i]) * arrays[i].count * arrays[i].bytes);
    return lm_cuda_buffers_make(&h->cross, 2, bytes);
}

static cudaError_t send_from(const lm_cuda_head *h, const int64_t *from, int64_t replicas)
{
    int32_t *const here = h->cross.buffer[0].host;
    for (int64_t r = 0; r < replicas; r++)
        here[r] = (int32_t)from[r];
    return cudaMemcpyAsync(h->cross.buffer[0].device, here, (size_t)replicas * sizeof *here,
                           cudaMemcpyHostToDevice, h->stream);
}

static cudaError_t copy_array(const lm_cuda_head *h, lm_cuda_units *c)
{
    const int64_t slice = slice_of(c);
    cudaError_t e = cudaSuccess;
    c->from = h->cross.buffer[0].device;
    for (int64_t first = 0; e == cudaSuccess && first < c->numbers; first += slice)
        e = lm_launch_copies(c, first, lm_min(slice, c->numbers - first), h->cross.buffer[1].device,
                             h->stream);
    return e;
}

latmc_status lm_cuda_copy_replicas(void *plan, lm_cuda_units *arrays, int count,
                                   const int64_t *from)
{
    lm_cuda_head *h = plan;
    LM_ON_DEVICE(h->device);
    cudaError_t e = make_buffers(h, arrays, count);
    if (e == cudaSuccess && from) {
        e = send_from(h, from, arrays[0].replicas);
        for (int i = 0; e == cudaSuccess && i < count; i++)
            e = copy_array(h, &arrays[i]);
        if (e == cudaSuccess)
            e = cudaStreamSynchronize(h->stream);
        h->fresh = 1;
    }
    return lm_cuda_failed(h->device, e, "to copy replicas");
}
