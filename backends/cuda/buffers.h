/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps portions of a series until the host reads them, in two places that are used in turn. */
#ifndef LM_CUDA_BUFFERS_H
#define LM_CUDA_BUFFERS_H

#include <stdint.h>

#include <cuda_runtime_api.h>

typedef struct lm_cuda_buffer {
    void *device,
        *host; /* the host's memory is locked: copies to it run beside kernels, and are faster */
    cudaEvent_t made, here; /* the portion has been measured; it is in host memory */
} lm_cuda_buffer;

typedef struct lm_cuda_buffers {
    lm_cuda_buffer buffer[2];
    int64_t bytes;      /* bytes of each buffer; 0: there are no buffers */
    int count;          /* number of buffers: one if a series has one portion */
    cudaStream_t fetch; /* copies a portion while the next one is made */
    void *raw;          /* device: as many bytes, from which buffers are filled; or NULL */
    int64_t raw_bytes;
} lm_cuda_buffers;

/* Makes `count` buffers of `bytes` bytes, unless there are such. After success and after failure,
 * lm_cuda_buffers_end() frees what there is. */
cudaError_t lm_cuda_buffers_make(lm_cuda_buffers *buffers, int count, int64_t bytes);
cudaError_t lm_cuda_buffers_make_raw(lm_cuda_buffers *buffers, int64_t bytes);
/* Frees the raw memory if it has more bytes. */
void lm_cuda_buffers_trim(lm_cuda_buffers *buffers, int64_t most);
void lm_cuda_buffers_end(lm_cuda_buffers *buffers);

/* Brings the portion in a buffer to the host, once the queue of `stream` has measured it. The call
 * waits until the portion is here. */
cudaError_t lm_cuda_buffer_fetch(const lm_cuda_buffers *buffers, int which, cudaStream_t stream,
                                 size_t bytes);
cudaError_t lm_cuda_buffer_await(const lm_cuda_buffers *buffers, int which);

#endif
