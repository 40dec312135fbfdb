/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/cross.h"

#include <string.h>

#include "lib/base/minmax.h"

/* The bytes of a buffer, unless a layer is larger; those that a thread of the host copies at once,
 * and their time. */
#define PORTION_BYTES ((int64_t)8 << 20)
#define PIECE_BYTES   ((int64_t)256 << 10)
#define BYTE_NS       0.1

/* ---- whose memory an array is */

typedef enum kind { HOST, LOCKED, OWN, OTHERS } kind;

/* Returns the device that has the memory, or `device` if it is managed or the host's. */
static kind kind_of(int device, const void *memory, int *owner)
{
    struct cudaPointerAttributes is;
    const cudaError_t e = cudaPointerGetAttributes(&is, memory);
    cudaGetLastError();
    *owner = device;
    if (e != cudaSuccess || is.type == cudaMemoryTypeUnregistered)
        return HOST;
    if (is.type == cudaMemoryTypeHost)
        return LOCKED;
    if (is.type == cudaMemoryTypeManaged || is.device == device)
        return OWN;
    *owner = is.device;
    return OTHERS;
}

/* The host could read managed memory, but does not. */
int lm_cuda_owns(int device, const void *memory)
{
    LM_ON_DEVICE(device);
    int owner;
    return kind_of(device, memory, &owner) >= OWN;
}

/* Waits for the default stream of the device that has the memory. */
static cudaError_t await_user(int owner)
{
    LM_ON_DEVICE(owner);
    return cudaStreamSynchronize(NULL);
}

latmc_status lm_cuda_copy_user(int device, void *to, const void *from, size_t bytes)
{
    LM_ON_DEVICE(device);
    int owner;
    if (kind_of(device, to, &owner) < OWN)
        kind_of(device, from, &owner);
    cudaError_t e = await_user(owner);
    if (e == cudaSuccess)
        e = cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(NULL);
    return lm_cuda_failed(device, e, "to copy sites");
}

/* ---- portions of an array */

typedef struct way {
    void *plan;
    lm_cuda_head *head;
    lm_cuda_cross_kernels *kernels;
    const lm_crossing *c;
    kind array;
    int64_t layers;           /* of a replica */
    int64_t replicas_at_once; /* of a portion; 1 if it has some layers */
    int64_t layers_at_once;
    int64_t portions_each; /* of a replica */
    int64_t portions;
} way;

static void divide(way *w)
{
    const lm_crossing *c = w->c;
    const int64_t replica = c->rows / c->layer_rows * c->layer_bytes;
    w->layers = c->rows / c->layer_rows;
    w->replicas_at_once = lm_min(lm_max(PORTION_BYTES / replica, 1), c->replicas);
    if (c->pitch > INT32_MAX) /* of copies with gaps */
        w->replicas_at_once = 1;
    w->layers_at_once =
        replica <= PORTION_BYTES ? w->layers : lm_max(PORTION_BYTES / c->layer_bytes, 1);
    w->portions_each = (w->layers + w->layers_at_once - 1) / w->layers_at_once;
    w->portions = w->layers_at_once < w->layers
                      ? w->portions_each * c->replicas
                      : (c->replicas + w->replicas_at_once - 1) / w->replicas_at_once;
}

static lm_crossing portion_of(const way *w, int64_t number)
{
    const lm_crossing *c = w->c;
    const int64_t first = number / w->portions_each * w->replicas_at_once;
    const int64_t layer = number % w->portions_each * w->layers_at_once;
    return lm_crossing_part(c, c->replica + first, lm_min(w->replicas_at_once, c->replicas - first),
                            c->first_row + layer * c->layer_rows,
                            lm_min(w->layers_at_once, w->layers - layer) * c->layer_rows);
}

/* Returns the bytes of a portion's replica. */
static int64_t replica_bytes(const lm_crossing *part)
{
    return part->rows / part->layer_rows * part->layer_bytes;
}

/* Returns the same portion in a buffer, without gaps between replicas. */
static lm_crossing in_buffer(const lm_crossing *part, char *buffer)
{
    lm_crossing own = *part;
    own.pitch = replica_bytes(part);
    own.in = part->in ? buffer : NULL;
    own.out = part->out ? buffer : NULL;
    return own;
}

/* ---- copies by the host */

typedef struct copies {
    const lm_crossing *part;
    char *buffer;
    int64_t each; /* pieces of a replica */
} copies;

static void copy_piece(void *user, int thread, int64_t i)
{
    const copies *c = user;
    const int64_t replica = i / c->each, at = i % c->each * PIECE_BYTES;
    const int64_t bytes = replica_bytes(c->part);
    const size_t some = (size_t)lm_min(PIECE_BYTES, bytes - at);
    char *const own = c->buffer + replica * bytes + at;
    (void)thread;
    if (c->part->in)
        memcpy(own, c->part->in + replica * c->part->pitch + at, some);
    else
        memcpy(c->part->out + replica * c->part->pitch + at, own, some);
}

/* Copies a portion between the array and a locked buffer. Small replicas that follow each other
 * are one. */
static void copy_by_host(const lm_crossing *part, char *buffer)
{
    lm_crossing all = *part;
    const int joined = part->pitch == replica_bytes(part);
    if (joined) {
        all.replicas = 1;
        all.rows = part->rows * part->replicas;
    }
    const int64_t bytes = replica_bytes(&all);
    copies c = {.part = &all, .buffer = buffer, .each = (bytes + PIECE_BYTES - 1) / PIECE_BYTES};
    const int workers = all.workers(0, BYTE_NS * (double)(bytes * all.replicas));
    all.share(0, workers, c.each * all.replicas, copy_piece, &c);
}

/* ---- copies by the device */

/* Queues the copy of a portion between a buffer of the device and the array, or the locked buffer
 * in its place. */
static cudaError_t queue_copy(const way *w, const lm_crossing *part, const lm_cuda_buffer *b)
{
    const cudaStream_t by = w->head->cross.fetch;
    const size_t each = (size_t)replica_bytes(part), rows = (size_t)part->replicas;
    const int staged = w->array == HOST;
    const size_t pitch = staged ? each : (size_t)part->pitch;
    const void *const from = part->out ? b->device : staged ? b->host : part->in;
    void *const to = part->in ? b->device : staged ? b->host : part->out;
    if (rows == 1 || pitch == each)
        return cudaMemcpyAsync(to, from, rows * each, cudaMemcpyDefault, by);
    return cudaMemcpy2DAsync(to, part->in ? each : pitch, from, part->in ? pitch : each, each, rows,
                             cudaMemcpyDefault, by);
}

/* Makes the stream `then` wait for what is queued in `first`. */
static cudaError_t follow(cudaStream_t first, cudaEvent_t event, cudaStream_t then)
{
    const cudaError_t e = cudaEventRecord(event, first);
    return e == cudaSuccess ? cudaStreamWaitEvent(then, event, 0) : e;
}

static cudaError_t begin_out(const way *w, const lm_crossing *part, const lm_cuda_buffer *b)
{
    const lm_crossing own = in_buffer(part, b->device);
    cudaError_t e = w->kernels(w->plan, &own);
    if (e == cudaSuccess)
        e = follow(w->head->stream, b->made, w->head->cross.fetch);
    if (e == cudaSuccess)
        e = queue_copy(w, part, b);
    return e == cudaSuccess ? cudaEventRecord(b->here, w->head->cross.fetch) : e;
}

static cudaError_t begin_in(const way *w, const lm_crossing *part, const lm_cuda_buffer *b)
{
    const lm_crossing own = in_buffer(part, b->device);
    if (w->array == HOST)
        copy_by_host(part, b->host);
    cudaError_t e = queue_copy(w, part, b);
    if (e == cudaSuccess)
        e = follow(w->head->cross.fetch, b->made, w->head->stream);
    if (e == cudaSuccess)
        e = w->kernels(w->plan, &own);
    return e == cudaSuccess ? cudaEventRecord(b->here, w->head->stream) : e;
}

/* Waits until a buffer is free again. What came out then goes to the array. */
static cudaError_t finish(const way *w, int64_t number, const lm_cuda_buffer *b)
{
    const cudaError_t e = cudaEventSynchronize(b->here);
    const lm_crossing part = portion_of(w, number);
    if (e == cudaSuccess && part.out && w->array == HOST)
        copy_by_host(&part, b->host);
    return e;
}

static cudaError_t cross_portions(const way *w)
{
    const lm_cuda_buffer *const b = w->head->cross.buffer;
    cudaError_t e = cudaSuccess;
    for (int64_t i = 0; e == cudaSuccess && i < w->portions + 2; i++) {
        if (i >= 2)
            e = finish(w, i - 2, &b[i % 2]);
        if (e == cudaSuccess && i < w->portions) {
            const lm_crossing part = portion_of(w, i);
            e = (part.in ? begin_in : begin_out)(w, &part, &b[i % 2]);
        }
    }
    return e;
}

static cudaError_t cross_staged(way *w)
{
    lm_crossing first;
    divide(w);
    first = portion_of(w, 0);
    const cudaError_t e =
        lm_cuda_buffers_make(&w->head->cross, 2, replica_bytes(&first) * first.replicas);
    return e == cudaSuccess && !w->c->prepares ? cross_portions(w) : e;
}

/* Waits for all that is queued, also after a failure: nothing may touch the array later. */
static cudaError_t ended(const lm_cuda_head *h, cudaError_t e)
{
    const cudaError_t own = cudaStreamSynchronize(h->stream);
    const cudaError_t copies = h->cross.fetch ? cudaStreamSynchronize(h->cross.fetch) : cudaSuccess;
    return e != cudaSuccess ? e : own != cudaSuccess ? own : copies;
}

/* Kernels need numbers at multiples of their size. Copies do not. */
static int is_aligned(const lm_crossing *c, const char *array)
{
    return c->bits < 8 || (uintptr_t)array % (uintptr_t)(c->bits / 8) == 0;
}

latmc_status lm_cuda_cross(void *plan, const lm_crossing *c, lm_cuda_cross_kernels *kernels)
{
    const char *const array = c->in ? c->in : c->out;
    way w = {.plan = plan, .head = plan, .kernels = kernels, .c = c};
    int owner;
    LM_ON_DEVICE(w.head->device);
    w.array = kind_of(w.head->device, array, &owner);
    if (w.array == OWN && !is_aligned(c, array))
        w.array = OTHERS;
    cudaError_t e = w.array >= OWN ? await_user(owner) : cudaSuccess;
    if (e == cudaSuccess)
        e = w.array == OWN && c->prepares ? cudaSuccess
            : w.array == OWN              ? kernels(plan, c)
                                          : cross_staged(&w);
    e = ended(w.head, e);
    w.head->fresh = 1;
    return lm_cuda_failed(w.head->device, e, "to move sites");
}
