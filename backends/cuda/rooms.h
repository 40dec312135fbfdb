/* SPDX-License-Identifier: BSD-3-Clause */
/* Where parts of a series of measurements wait for the host: two places, taken in turn. */
#ifndef LM_CUDA_ROOMS_H
#define LM_CUDA_ROOMS_H

#include <stdint.h>

#include <cuda_runtime_api.h>

typedef struct lm_cuda_room {
    void *device, *host; /* the host's is locked: copies to it run beside kernels, and are faster */
    cudaEvent_t made, here; /* the part is measured, is in host memory */
} lm_cuda_room;

typedef struct lm_cuda_rooms {
    lm_cuda_room room[2];
    int64_t bytes;      /* of each; 0: there are none */
    int count;          /* of rooms: one if a series has one part */
    cudaStream_t fetch; /* for copies of a part while the next one is made */
    void *raw;          /* device: of as many bytes, for what rooms are filled from; or NULL */
    int64_t raw_bytes;
} lm_cuda_rooms;

/* So many rooms of so many bytes, if there are not. Whatever comes of it, lm_cuda_rooms_end() gives
 * back what there is. */
cudaError_t lm_cuda_rooms_make(lm_cuda_rooms *rooms, int count, int64_t bytes);
cudaError_t lm_cuda_rooms_make_raw(lm_cuda_rooms *rooms, int64_t bytes);
/* Gives back the raw memory if it has more bytes. */
void lm_cuda_rooms_trim(lm_cuda_rooms *rooms, int64_t most);
void lm_cuda_rooms_end(lm_cuda_rooms *rooms);

/* Brings the part in a room to the host, once it has been measured by what is queued in `stream`;
 * and waits until it is here. */
cudaError_t lm_cuda_room_fetch(const lm_cuda_rooms *rooms, int which, cudaStream_t stream,
                               size_t bytes);
cudaError_t lm_cuda_room_await(const lm_cuda_rooms *rooms, int which);

#endif
