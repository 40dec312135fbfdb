/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/buffers.h"

#include "backends/cuda/device.h"

static cudaError_t make_buffer(lm_cuda_buffer *buffer, int64_t bytes)
{
    const unsigned flags = cudaEventDisableTiming;
    cudaError_t e = lm_cuda_take(&buffer->device, (size_t)bytes);
    if (e == cudaSuccess)
        e = cudaMallocHost(&buffer->host, (size_t)bytes);
    if (e == cudaSuccess)
        e = cudaEventCreateWithFlags(&buffer->made, flags);
    return e == cudaSuccess ? cudaEventCreateWithFlags(&buffer->here, flags) : e;
}

static void end_buffer(lm_cuda_buffer *buffer)
{
    if (buffer->made)
        cudaEventDestroy(buffer->made);
    if (buffer->here)
        cudaEventDestroy(buffer->here);
    cudaFreeHost(buffer->host);
    cudaFree(buffer->device);
}

cudaError_t lm_cuda_buffers_make(lm_cuda_buffers *buffers, int count, int64_t bytes)
{
    cudaError_t e = cudaSuccess;
    if (count <= buffers->count && bytes <= buffers->bytes)
        return cudaSuccess;
    /* A caller that needs less at times finds as much as there was. */
    count = count > buffers->count ? count : buffers->count;
    bytes = bytes > buffers->bytes ? bytes : buffers->bytes;
    lm_cuda_buffers_end(buffers);
    if (count > 1)
        e = cudaStreamCreateWithFlags(&buffers->fetch, cudaStreamNonBlocking);
    for (int i = 0; e == cudaSuccess && i < count; i++)
        e = make_buffer(&buffers->buffer[i], bytes);
    if (e == cudaSuccess) {
        buffers->bytes = bytes;
        buffers->count = count;
    }
    return e;
}

void lm_cuda_buffers_trim(lm_cuda_buffers *buffers, int64_t most)
{
    if (buffers->raw_bytes <= most)
        return;
    cudaFree(buffers->raw);
    buffers->raw = NULL;
    buffers->raw_bytes = 0;
}

cudaError_t lm_cuda_buffers_make_raw(lm_cuda_buffers *buffers, int64_t bytes)
{
    if (bytes <= buffers->raw_bytes)
        return cudaSuccess;
    cudaFree(buffers->raw);
    buffers->raw = NULL;
    const cudaError_t e = lm_cuda_take(&buffers->raw, (size_t)bytes);
    buffers->raw_bytes = e == cudaSuccess ? bytes : 0;
    return e;
}

void lm_cuda_buffers_end(lm_cuda_buffers *buffers)
{
    cudaFree(buffers->raw);
    if (buffers->fetch)
        cudaStreamDestroy(buffers->fetch);
    for (int i = 0; i < 2; i++)
        end_buffer(&buffers->buffer[i]);
    *buffers = (lm_cuda_buffers){0};
}

cudaError_t lm_cuda_buffer_fetch(const lm_cuda_buffers *buffers, int which, cudaStream_t stream,
                                 size_t bytes)
{
    const lm_cuda_buffer *buffer = &buffers->buffer[which];
    const cudaStream_t by = buffers->fetch ? buffers->fetch : stream;
    cudaError_t e = cudaSuccess;
    if (by != stream) {
        e = cudaEventRecord(buffer->made, stream);
        if (e == cudaSuccess)
            e = cudaStreamWaitEvent(by, buffer->made, 0);
    }
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(buffer->host, buffer->device, bytes, cudaMemcpyDeviceToHost, by);
    return e == cudaSuccess ? cudaEventRecord(buffer->here, by) : e;
}

cudaError_t lm_cuda_buffer_await(const lm_cuda_buffers *buffers, int which)
{
    return cudaEventSynchronize(buffers->buffer[which].here);
}
