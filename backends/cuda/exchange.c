/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/exchange.h"

#include <string.h>

#include "backends/cuda/plan.h"
#include "lib/base/memory.h"

/* Return the slots and the parameters as the caller put them. One allocation has both: the
 * parameters are doubles behind the slots, which have 64 bits, too. */
static int64_t *slots_of(const lm_cuda_head *h)
{
    return h->slots.here;
}

static double *params_of(const lm_cuda_head *h, int64_t replicas)
{
    return (double *)(h->slots.here + replicas);
}

latmc_status lm_cuda_exchange_begin(void *plan, const lm_spec *spec, int params)
{
    lm_cuda_head *h = plan;
    h->slots.param_count = params;
    h->slots.here = lm_zeroed(NULL, "the slots of all replicas", (1 + params) * spec->replicas,
                              sizeof *h->slots.here);
    return h->slots.here ? LATMC_OK : LATMC_ERROR_MEMORY;
}

void lm_cuda_put_params(void *plan, const lm_spec *spec, const lm_parameters *parameters)
{
    lm_cuda_head *h = plan;
    memcpy(h->slots.coupling, parameters->type_coupling, (size_t)spec->dims * sizeof(double));
    memcpy(params_of(h, spec->replicas), parameters->values,
           (size_t)h->slots.param_count * (size_t)spec->replicas * sizeof(double));
    h->slots.params_sent = 0;
}

cudaError_t lm_cuda_put_slots(void *plan, const lm_spec *spec, const lm_parameters *parameters)
{
    lm_cuda_head *h = plan;
    const size_t bytes = (size_t)spec->replicas * sizeof *h->slots.here;
    int64_t *own = slots_of(h);
    int same = h->slots.sent;
    for (int64_t r = 0; r < spec->replicas; r++) {
        const int64_t slot = parameters->slots ? parameters->slots[r] : r;
        same &= own[r] == slot;
        own[r] = slot;
    }
    const cudaError_t e = same ? cudaSuccess : lm_cuda_send(h, h->slots.state, own, bytes);
    h->slots.sent = e == cudaSuccess;
    return e;
}

/* Sends what the kernel that exchanges reads. */
static cudaError_t send(lm_cuda_head *h, const lm_spec *spec, const int64_t *state)
{
    const size_t bytes = (size_t)h->slots.param_count * (size_t)spec->replicas * sizeof(double);
    cudaError_t e = cudaSuccess;
    if (!h->slots.params_sent)
        e = lm_cuda_send(h, h->slots.params, params_of(h, spec->replicas), bytes);
    h->slots.params_sent = e == cudaSuccess;
    if (e == cudaSuccess && state)
        e = lm_cuda_send(h, h->slots.state, state, h->slots.state_bytes);
    h->slots.sent = 0; /* the slots are about to change */
    return e;
}

static lm_cuda_exchange exchange_of(const lm_cuda_head *h, const lm_spec *spec,
                                    const lm_exchange_order *order)
{
    lm_cuda_exchange x = {.state = h->slots.state,
                          .params = h->slots.params,
                          .slots = spec->replicas,
                          .each = order->each,
                          .ladders = order->ladders,
                          .first_ladder = order->first_ladder,
                          .sites = 1,
                          .odd = (int)(order->number % 2),
                          .number = (uint64_t)order->number,
                          .sample = (uint32_t)order->first_sample,
                          .replica = (uint32_t)spec->first_replica,
                          .keys = lm_keys_of(spec->seed, 0),
                          .dims = spec->dims,
                          .components = spec->components};
    memcpy(x.coupling, h->slots.coupling, sizeof x.coupling);
    for (int a = 0; a < spec->dims; a++)
        x.sites *= spec->extents[a];
    return x;
}

cudaError_t lm_cuda_exchange_room(void *plan, size_t bytes)
{
    lm_cuda_slots *const s = &((lm_cuda_head *)plan)->slots;
    if (s->sums_bytes >= bytes)
        return cudaSuccess;
    cudaFree(s->sums);
    s->sums = NULL;
    s->sums_bytes = 0;
    const cudaError_t e = lm_cuda_take(&s->sums, bytes);
    s->sums_bytes = e == cudaSuccess ? bytes : 0;
    return e;
}

latmc_status lm_cuda_exchange_slots(void *plan, const lm_spec *spec,
                                    const lm_cuda_exchanger *family, const lm_exchange_order *order)
{
    lm_cuda_head *h = plan;
    lm_cuda_exchange x = exchange_of(h, spec, order);
    LM_ON_DEVICE(h->device);
    h->slots.state_bytes = LM_STATE_ROWS * (size_t)spec->replicas * sizeof *h->slots.state;
    cudaError_t e = order->measured ? cudaSuccess : lm_cuda_exchange_room(h, family->sums_bytes);
    if (e == cudaSuccess && !h->slots.fetched) /* the first exchange of the plan */
        e = cudaHostAlloc((void **)&h->slots.fetched, h->slots.state_bytes, cudaHostAllocDefault);
    if (e == cudaSuccess)
        e = send(h, spec, order->state);
    if (e == cudaSuccess && !order->measured)
        e = family->measure(plan, order->bundles, h->slots.sums);
    if (e == cudaSuccess)
        e = family->ready(plan, order->bundles, h->slots.sums, &x);
    if (e == cudaSuccess)
        e = family->exchange(&x, lm_cuda_overlaps(h), h->stream);
    h->fresh = 1; /* sweeps read rules before they wait */
    return lm_cuda_failed(h->device, e, "to exchange slots");
}

latmc_status lm_cuda_exchanged(void *plan, int64_t *state)
{
    lm_cuda_head *h = plan;
    LM_ON_DEVICE(h->device);
    cudaError_t e = cudaMemcpyAsync(h->slots.fetched, h->slots.state, h->slots.state_bytes,
                                    cudaMemcpyDeviceToHost, h->stream);
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(h->stream);
    if (e == cudaSuccess)
        memcpy(state, h->slots.fetched, h->slots.state_bytes);
    return lm_cuda_failed(h->device, e, "to exchange slots");
}
