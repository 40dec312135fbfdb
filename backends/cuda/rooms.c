/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/rooms.h"

#include "backends/cuda/device.h"

static cudaError_t make_room(lm_cuda_room *room, int64_t bytes)
{
    const unsigned flags = cudaEventDisableTiming;
    cudaError_t e = lm_cuda_take(&room->device, (size_t)bytes);
    if (e == cudaSuccess)
        e = cudaMallocHost(&room->host, (size_t)bytes);
    if (e == cudaSuccess)
        e = cudaEventCreateWithFlags(&room->made, flags);
    return e == cudaSuccess ? cudaEventCreateWithFlags(&room->here, flags) : e;
}

static void end_room(lm_cuda_room *room)
{
    if (room->made)
        cudaEventDestroy(room->made);
    if (room->here)
        cudaEventDestroy(room->here);
    cudaFreeHost(room->host);
    cudaFree(room->device);
}

cudaError_t lm_cuda_rooms_make(lm_cuda_rooms *rooms, int count, int64_t bytes)
{
    cudaError_t e = cudaSuccess;
    if (count <= rooms->count && bytes <= rooms->bytes)
        return cudaSuccess;
    /* A caller that needs less at times finds as much as there was. */
    count = count > rooms->count ? count : rooms->count;
    bytes = bytes > rooms->bytes ? bytes : rooms->bytes;
    lm_cuda_rooms_end(rooms);
    if (count > 1)
        e = cudaStreamCreateWithFlags(&rooms->fetch, cudaStreamNonBlocking);
    for (int i = 0; e == cudaSuccess && i < count; i++)
        e = make_room(&rooms->room[i], bytes);
    if (e == cudaSuccess) {
        rooms->bytes = bytes;
        rooms->count = count;
    }
    return e;
}

void lm_cuda_rooms_trim(lm_cuda_rooms *rooms, int64_t most)
{
    if (rooms->raw_bytes <= most)
        return;
    cudaFree(rooms->raw);
    rooms->raw = NULL;
    rooms->raw_bytes = 0;
}

cudaError_t lm_cuda_rooms_make_raw(lm_cuda_rooms *rooms, int64_t bytes)
{
    if (bytes <= rooms->raw_bytes)
        return cudaSuccess;
    cudaFree(rooms->raw);
    rooms->raw = NULL;
    const cudaError_t e = lm_cuda_take(&rooms->raw, (size_t)bytes);
    rooms->raw_bytes = e == cudaSuccess ? bytes : 0;
    return e;
}

void lm_cuda_rooms_end(lm_cuda_rooms *rooms)
{
    cudaFree(rooms->raw);
    if (rooms->fetch)
        cudaStreamDestroy(rooms->fetch);
    for (int i = 0; i < 2; i++)
        end_room(&rooms->room[i]);
    *rooms = (lm_cuda_rooms){0};
}

cudaError_t lm_cuda_room_fetch(const lm_cuda_rooms *rooms, int which, cudaStream_t stream,
                               size_t bytes)
{
    const lm_cuda_room *room = &rooms->room[which];
    const cudaStream_t by = rooms->fetch ? rooms->fetch : stream;
    cudaError_t e = cudaSuccess;
    if (by != stream) {
        e = cudaEventRecord(room->made, stream);
        if (e == cudaSuccess)
            e = cudaStreamWaitEvent(by, room->made, 0);
    }
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(room->host, room->device, bytes, cudaMemcpyDeviceToHost, by);
    return e == cudaSuccess ? cudaEventRecord(room->here, by) : e;
}

cudaError_t lm_cuda_room_await(const lm_cuda_rooms *rooms, int which)
{
    return cudaEventSynchronize(rooms->room[which].here);
}
