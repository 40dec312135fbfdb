/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues measurements one by one, between sweeps and exchanges. They gather on the device as
 * those of a series do (series.c). The host reads one portion while the device makes the next. */
#include <string.h>

#include "backends/cuda/series.h"

#include "lib/physics/exchange_state.h"

/* The bytes of a portion. The device is idle while the host reads the last portion, so portions are
 * short. But they are long compared with a copy. */
#define NOTED_BYTES ((int64_t)1 << 20)

/* A measurement that is being queued. */
typedef struct queuing {
    lm_cuda_head *head;
    const lm_cuda_family *family;
    const lm_cuda_pairing *pairing;
    const lm_measure *out;
    int64_t all; /* measurements of the series */
    int wanted;  /* sums of a replica */
    size_t states, pairs,
        each; /* bytes before the states, before the pairs; of a measurement with both */
} queuing;

static queuing queuing_of(lm_cuda_head *h, const lm_cuda_family *family,
                          const lm_cuda_pairing *pairing, const lm_measure *out, int64_t all)
{
    queuing n = {.head = h, .family = family, .pairing = pairing, .out = out, .all = all};
    n.wanted = lm_cuda_wanted(family->spec, out->bundles);
    n.states =
        out->bundles ? (size_t)family->spec->replicas * (size_t)n.wanted * sizeof(double) : 0;
    n.pairs = n.states +
              (out->states ? LM_STATE_WALKS * (size_t)family->spec->replicas * sizeof(int64_t) : 0);
    n.each = n.pairs + (out->pairs.bundles ? (size_t)out->pairs.count * pairing->pair_bytes : 0);
    return n;
}

static cudaError_t begin(const queuing *n)
{
    const int64_t each = n->each ? (int64_t)n->each : 1, most = NOTED_BYTES / each;
    const int64_t portion = most < 1 ? 1 : most < n->all ? most : n->all;
    n->head->queued = (lm_cuda_queued){.portion = portion};
    return lm_cuda_buffers_make(&n->head->buffers, portion < n->all ? 2 : 1, portion * each);
}

/* Queues the sums of the measurement that stayed with the plan. */
static cudaError_t queue_sums(const queuing *n, void *to)
{
    const lm_cuda_series one = {.records = 1, .bundles = n->out->bundles, .last = 1};
    return n->family->sum_records(n->head, &one, n->wanted, n->head->slots.sums, to);
}

static cudaError_t queue_parts(const queuing *n, char *to)
{
    cudaError_t e = n->out->bundles ? queue_sums(n, to) : cudaSuccess;
    if (e == cudaSuccess && n->out->states)
        e = cudaMemcpyAsync(to + n->states, n->head->slots.state, n->pairs - n->states,
                            cudaMemcpyDeviceToDevice, n->head->stream);
    if (e == cudaSuccess && n->out->pairs.bundles)
        e = n->pairing->queue(n->head, n->out, to + n->pairs);
    return e;
}

/* Reports one measurement, from where the host has it. */
static void report(const queuing *n, const char *from, int64_t here)
{
    const lm_measure *out = n->out;
    const int64_t replicas = n->family->spec->replicas, each = lm_spec_sums(n->family->spec);
    const double *sums = (const void *)from;
    double *const to = out->sums + here * replicas * each;
    for (int64_t r = 0; r < replicas && out->bundles; r++)
        memcpy(to + r * each, sums + r * n->wanted, (size_t)n->wanted * sizeof *sums);
    if (out->states)
        memcpy(out->states + here * LM_STATE_WALKS * replicas, from + n->states,
               n->pairs - n->states);
    if (out->pairs.bundles)
        n->pairing->report(n->head, out, from + n->pairs,
                           out->pair_sums + here * out->pairs.count * n->pairing->pair_sums);
}

/* Hands over a portion that has arrived. The taker gets its measurements when there is no more
 * room, and after the last one. */
static cudaError_t hand_over(const queuing *n, int which, int64_t count, int ends)
{
    const lm_measure *out = n->out;
    const int each = lm_spec_sums(n->family->spec);
    const int64_t all = n->family->spec->replicas * each;
    const cudaError_t e = lm_cuda_buffer_await(&n->head->buffers, which);
    const char *from = n->head->buffers.buffer[which].host;
    int64_t *const here = &n->head->queued.here;
    for (int64_t i = 0; e == cudaSuccess && i < count; i++, from += n->each) {
        report(n, from, (*here)++);
        if (*here < out->capacity && !(ends && i == count - 1))
            continue;
        out->take(out->taker, &(lm_measured){.sums = out->sums,
                                             .count = *here,
                                             .step = all,
                                             .replica_step = each,
                                             .each = n->wanted,
                                             .pair_sums = out->pair_sums,
                                             .states = out->states});
        *here = 0;
    }
    return e;
}

/* Brings a buffer to the host if it is full or the series ends. The host reads the other buffer
 * meanwhile. */
static cudaError_t turn(const queuing *n, int ends)
{
    lm_cuda_queued *const queued = &n->head->queued;
    const int full = queued->which;
    cudaError_t e = lm_cuda_buffer_fetch(&n->head->buffers, full, n->head->stream,
                                         (size_t)queued->filled * n->each);
    if (e == cudaSuccess && queued->waiting)
        e = hand_over(n, 1 - full, queued->waiting, 0);
    queued->waiting = queued->filled;
    queued->filled = 0;
    queued->which = 1 - full;
    if (e == cudaSuccess && ends)
        e = hand_over(n, full, queued->waiting, 1);
    return e;
}

latmc_status lm_cuda_queue_measurement(void *plan, const lm_cuda_family *family,
                                       const lm_cuda_pairing *pairing, const lm_measure *out,
                                       int64_t number, int64_t all)
{
    lm_cuda_head *h = plan;
    const queuing n = queuing_of(h, family, pairing, out, all);
    const int ends = number == all - 1;
    LM_ON_DEVICE(h->device);
    cudaError_t e = number == 0 ? begin(&n) : cudaSuccess;
    lm_cuda_queued *const queued = &h->queued;
    if (e == cudaSuccess)
        e = queue_parts(&n, (char *)h->buffers.buffer[queued->which].device +
                                (size_t)queued->filled * n.each);
    if (e == cudaSuccess && (++queued->filled == queued->portion || ends))
        e = turn(&n, ends);
    if (e != cudaSuccess) {
        cudaStreamSynchronize(h->stream); /* kernels in the queue may still write */
        if (h->buffers.fetch)
            cudaStreamSynchronize(h->buffers.fetch);
    }
    return lm_cuda_failed(h->device, e, "to queue a measurement");
}
