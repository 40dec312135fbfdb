/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs of replicas of a field. */
#include "backends/cuda/field/pairs.h"

#include <string.h>

#include "backends/cuda/field/plan.h"

#include "lib/physics/sums.h"

/* The device memory for the partial sums of some pairs, unless one pair needs more. It is also
 * the most that stays after a call. */
#define PARTIAL_BYTES ((uint64_t)4 << 20)
#define KEPT_BYTES    ((int64_t)16 << 20)

/* A call makes some pairs at once. The partial sums of a pair take some bytes at first, and
 * their folded form takes bytes in the other buffer. The folded form has sums of blocks of
 * blocks; where a layer is one block, of blocks of layers. */
typedef struct field_summing {
    lm_cuda_field_plan *plan;
    lm_field_pairs pairs; /* complete except for the device's memory */
    int64_t most;
    uint64_t blocks_bytes, folded_bytes;
} field_summing;

static uint64_t at_least_one(uint64_t n)
{
    return n ? n : 1;
}

static field_summing summing_of(lm_cuda_field_plan *p, unsigned bundles, int64_t pairs)
{
    const lm_spec *spec = &p->spec;
    const uint64_t blocks = LM_SUMS_BLOCKS(lm_field_layer_sites(&p->view));
    field_summing s = {.plan = p,
                       .pairs = {.components = spec->components,
                                 .bytes = p->site_bytes,
                                 .bundles = bundles,
                                 .coupled = spec->couplings}};
    for (int g = 0; g < LM_PAIR_BUNDLES; g++) {
        s.pairs.begin[g] = s.pairs.sums;
        if (bundles >> g & 1u)
            s.pairs.sums += lm_pair_bundle_size(g, spec->dims, spec->components);
    }
    for (int a = 0; a < spec->dims; a++)
        s.pairs.wave[a] = p->pair_wave[a];
    const uint64_t each = (uint64_t)s.pairs.sums * sizeof(double), layers = p->view.layers;
    s.blocks_bytes = layers * blocks * each;
    s.folded_bytes = (blocks > 1 ? layers * LM_SUMS_BLOCKS(blocks) : LM_SUMS_BLOCKS(layers)) * each;
    s.most = (int64_t)at_least_one(PARTIAL_BYTES / (s.blocks_bytes + s.folded_bytes));
    s.most = s.most < pairs ? s.most : pairs;
    return s;
}

static size_t list_bytes(int64_t pairs)
{
    return (size_t)pairs * 2 * sizeof(int64_t);
}

static size_t result_bytes(const field_summing *s, int64_t pairs)
{
    return (size_t)(pairs * s->pairs.sums) * sizeof(double);
}

/* Takes memory for the partial sums, their folded form and the list, one after another. */
static cudaError_t take_memory(const field_summing *s)
{
    lm_cuda_buffers *const buffers = &s->plan->head.buffers;
    const size_t partial = (size_t)s->most * (size_t)(s->blocks_bytes + s->folded_bytes);
    const cudaError_t e = lm_cuda_buffers_make(buffers, 1, (int64_t)result_bytes(s, s->most));
    return e == cudaSuccess
               ? lm_cuda_buffers_make_raw(buffers, (int64_t)(partial + list_bytes(s->most)))
               : e;
}

/* Sums some pairs, and brings the sums to a buffer's host memory. */
static cudaError_t sum_some(const field_summing *s, int64_t pairs, const int64_t (*replicas)[2])
{
    lm_cuda_field_plan *p = s->plan;
    lm_cuda_buffers *const buffers = &p->head.buffers;
    char *const raw = buffers->raw;
    double *const sums[2] = {(void *)raw, (void *)(raw + (size_t)s->most * s->blocks_bytes)};
    char *const list = (char *)sums[1] + (size_t)s->most * s->folded_bytes;
    lm_field_pairs some = s->pairs;
    cudaError_t e = lm_cuda_send(&p->head, list, replicas, list_bytes(pairs));
    some.list = (const void *)list;
    some.pairs = (uint64_t)pairs;
    some.out = sums[0];
    if (e == cudaSuccess)
        e = lm_launch_field_pairs(&p->view, &some, p->head.stream);
    if (e == cudaSuccess)
        e = lm_cuda_field_fold_blocks(p, sums, some.sums, (uint64_t)pairs,
                                      buffers->buffer[0].device);
    if (e == cudaSuccess)
        e = lm_cuda_buffer_fetch(buffers, 0, p->head.stream, result_bytes(s, pairs));
    return e == cudaSuccess ? lm_cuda_buffer_await(buffers, 0) : e;
}

/* Copies a pair's bundles to where the caller has them. */
static void take_sums(const field_summing *s, int64_t pairs, double *sums)
{
    const lm_spec *spec = &s->plan->spec;
    const int each = lm_pair_bundle_begin(LM_PAIR_BUNDLES, spec->dims, spec->components);
    const double *from = s->plan->head.buffers.buffer[0].host;
    for (int64_t i = 0; i < pairs; i++, sums += each, from += s->pairs.sums)
        for (int g = 0; g < LM_PAIR_BUNDLES; g++)
            if (s->pairs.bundles >> g & 1u)
                memcpy(sums + lm_pair_bundle_begin(g, spec->dims, spec->components),
                       from + s->pairs.begin[g],
                       (size_t)lm_pair_bundle_size(g, spec->dims, spec->components) * sizeof *sums);
}

static latmc_status finish(lm_cuda_field_plan *p, cudaError_t e)
{
    if (e != cudaSuccess)
        cudaStreamSynchronize(p->head.stream); /* kernels in the queue may still write */
    lm_cuda_buffers_trim(&p->head.buffers, KEPT_BYTES);
    return lm_cuda_failed(p->head.device, e, "to compare replicas");
}

latmc_status lm_cuda_field_pairs(void *plan, unsigned bundles, int64_t pairs,
                                 const int64_t (*replicas)[2], double *sums)
{
    lm_cuda_field_plan *p = plan;
    const field_summing s = summing_of(p, bundles, pairs);
    const int each = lm_pair_bundle_begin(LM_PAIR_BUNDLES, p->spec.dims, p->spec.components);
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = lm_cuda_field_arrange(p, 0);
    if (e == cudaSuccess)
        e = take_memory(&s);
    for (int64_t done = 0; e == cudaSuccess && done < pairs; done += s.most) {
        const int64_t some = pairs - done < s.most ? pairs - done : s.most;
        e = sum_some(&s, some, replicas + done);
        if (e == cudaSuccess)
            take_sums(&s, some, sums + done * each);
    }
    return finish(p, e);
}

/* ---- spins by planes */

/* A call counts some pairs at once. */
typedef struct field_counting {
    lm_cuda_field_plan *plan;
    int planes;
    int64_t most;
} field_counting;

static size_t counts_bytes(const field_counting *c, int64_t pairs)
{
    return (size_t)(pairs * c->planes) * sizeof(int64_t);
}

static cudaError_t count_some(const field_counting *c, int64_t pairs, const int64_t (*replicas)[2])
{
    lm_cuda_field_plan *p = c->plan;
    lm_cuda_buffers *const buffers = &p->head.buffers;
    const lm_field_pairs some = {.list = buffers->raw, .pairs = (uint64_t)pairs};
    cudaError_t e = lm_cuda_send(&p->head, buffers->raw, replicas, list_bytes(pairs));
    if (e == cudaSuccess)
        e = lm_launch_field_pair_planes(&p->view, &some, c->planes, buffers->buffer[0].device,
                                        p->head.stream);
    if (e == cudaSuccess)
        e = lm_cuda_buffer_fetch(buffers, 0, p->head.stream, counts_bytes(c, pairs));
    return e == cudaSuccess ? lm_cuda_buffer_await(buffers, 0) : e;
}

latmc_status lm_cuda_field_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                       int64_t *apart)
{
    lm_cuda_field_plan *p = plan;
    lm_cuda_buffers *const buffers = &p->head.buffers;
    field_counting c = {.plan = p, .planes = (int)lm_all_planes(p->spec.dims, p->spec.extents)};
    c.most = (int64_t)at_least_one(PARTIAL_BYTES / counts_bytes(&c, 1));
    c.most = c.most < pairs ? c.most : pairs;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = lm_cuda_field_arrange(p, 0);
    if (e == cudaSuccess)
        e = lm_cuda_buffers_make(buffers, 1, (int64_t)counts_bytes(&c, c.most));
    if (e == cudaSuccess)
        e = lm_cuda_buffers_make_raw(buffers, (int64_t)list_bytes(c.most));
    for (int64_t done = 0; e == cudaSuccess && done < pairs; done += c.most) {
        const int64_t some = pairs - done < c.most ? pairs - done : c.most;
        e = count_some(&c, some, replicas + done);
        if (e == cudaSuccess)
            memcpy(apart + done * c.planes, buffers->buffer[0].host, counts_bytes(&c, some));
    }
    return finish(p, e);
}
