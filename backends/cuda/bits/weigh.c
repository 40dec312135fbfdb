/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps weights -1, 0 and +1 on a GPU, as bits, and makes sums of words with them. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/bits/plan.h"
#include "backends/cuda/bits/site_sums.h"
#include "lib/base/minmax.h"
#include "lib/base/memory.h"

/* ---- bits */

/* Returns the words of a group, which has the bits of all sites. */
static int64_t group_words(const lm_cuda_bits_plan *p)
{
    return p->words.sublattices * p->view.rows * p->words.width;
}

/* Weights of samples differ from group to group. */
static int64_t groups_of(const lm_cuda_bits_plan *p, const lm_sign_weights *set)
{
    return set->samples > 1 ? p->words.groups : 1;
}

/* Writes a replica's weights: the bits of those that are not 0, and of those that are -1, `apart`
 * words later. */
static void write_replica(const lm_cuda_bits_plan *p, int nth, const int8_t *signs, int64_t apart,
                          uint32_t *to)
{
    const int64_t extent = p->spec.extents[0], width = p->words.width;
    for (int64_t row = 0; row < p->view.rows; row++) {
        uint32_t *const own = to + row * width;
        uint32_t *const other = own + (p->words.sublattices - 1) * p->view.rows * width;
        const int8_t *const from = signs + row * extent;
        const int parity = lm_row_parity(&p->spec, p->view.first_row + row);
        lm_row_pack(&p->words, parity, nth, 0, from, extent, (uint32_t *const[]){own, other});
        lm_row_pack(&p->words, parity, nth, LM_NEGATIVE, from, extent,
                    (uint32_t *const[]){own + apart, other + apart});
    }
}

static void write_set(const lm_cuda_bits_plan *p, const lm_weight_order *order,
                      const lm_sign_weights *set, uint32_t *to)
{
    const int64_t each = group_words(p), apart = groups_of(p, set) * each;
    const int64_t extent = p->spec.extents[0], sites = p->words.rows * extent;
    const int8_t *const signs = set->signs + p->view.first_row * extent;
    const int64_t before = p->spec.first_replica % p->words.per_word;
    const int64_t places = groups_of(p, set) * p->words.per_word;
    for (int64_t i = 0; i < places; i++) {
        const int64_t replica = i - before;
        const int64_t sample = set->samples > 1 ? (order->first + replica) / order->each : 0;
        if (set->samples == 1 || (replica >= 0 && replica < p->spec.replicas))
            write_replica(p, (int)(i % p->words.per_word), signs + sample * sites, apart,
                          to + i / p->words.per_word * each);
    }
}

/* Device memory of all sets: their lm_bits_weights, and then their bits. */
static size_t words_at(const lm_weight_order *order)
{
    return (size_t)order->sets * sizeof(lm_bits_weights);
}

static cudaError_t send_sets(lm_cuda_bits_plan *p, const lm_weight_order *order, uint32_t *buffer)
{
    char *const memory = p->head.weights.memory;
    uint32_t *to = (uint32_t *)(memory + words_at(order));
    lm_bits_weights sets[LATMC_MAX_WEIGHTS];
    cudaError_t e = cudaSuccess;
    for (int i = 0; i < order->sets && e == cudaSuccess; i++) {
        const lm_sign_weights *const set = &order->set[i];
        const int64_t words = groups_of(p, set) * group_words(p);
        memset(buffer, 0, 2 * (size_t)words * sizeof *buffer);
        write_set(p, order, set, buffer);
        e = lm_cuda_copy(p->head.stream, to, buffer, 2 * (size_t)words * sizeof *buffer);
        sets[i] = (lm_bits_weights){to, to + words, set->samples > 1 ? group_words(p) : 0};
        to += 2 * words;
    }
    return e == cudaSuccess ? lm_cuda_copy(p->head.stream, memory, sets, words_at(order)) : e;
}

static latmc_status keep_sets(lm_cuda_bits_plan *p, const lm_weight_order *order)
{
    int64_t all = 0, most = 0;
    if (p->head.weights.mark == order->mark)
        return LATMC_OK;
    p->head.weights.mark = 0;
    for (int i = 0; i < order->sets; i++) {
        const int64_t words = 2 * groups_of(p, &order->set[i]) * group_words(p);
        all += words;
        most = lm_max(most, words);
    }
    uint32_t *const buffer = lm_unzeroed(NULL, "the bits of weights", most, sizeof *buffer);
    if (!buffer)
        return LATMC_ERROR_MEMORY;
    cudaFree(p->head.weights.memory);
    p->head.weights.memory = NULL;
    cudaError_t e =
        lm_cuda_take(&p->head.weights.memory, words_at(order) + (size_t)all * sizeof *buffer);
    if (e == cudaSuccess)
        e = send_sets(p, order, buffer);
    free(buffer);
    if (e == cudaSuccess)
        p->head.weights.mark = order->mark;
    return lm_cuda_failed(p->head.device, e, "to take weights");
}

/* ---- sums */

latmc_status lm_cuda_bits_weigh(void *plan, const lm_weight_order *order, int64_t *sums, int *made)
{
    lm_cuda_bits_plan *p = plan;
    *made = p->spec.dims > 1 || p->view.whole;
    if (!*made)
        return LATMC_OK;
    const size_t bytes = (size_t)(p->spec.replicas * order->sets * order->terms) * sizeof *sums;
    lm_cuda_buffers *const b = &p->head.cross;
    LM_ON_DEVICE(p->head.device);
    const latmc_status status = keep_sets(p, order);
    if (status)
        return status;
    cudaError_t e = lm_cuda_buffers_make(b, 1, (int64_t)bytes);
    const lm_bits_weighing w = {.home = lm_cuda_bits_home(p),
                                .groups = p->words.groups,
                                .replicas = p->spec.replicas,
                                .words = p->view.rows * p->words.width,
                                .sets = order->sets,
                                .terms = order->terms,
                                .set = p->head.weights.memory,
                                .sums = b->buffer[0].device};
    if (e == cudaSuccess)
        e = cudaMemsetAsync(b->buffer[0].device, 0, bytes, p->head.stream);
    if (e == cudaSuccess)
        e = lm_launch_weigh(&w, p->head.stream);
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(b->buffer[0].host, b->buffer[0].device, bytes, cudaMemcpyDeviceToHost,
                            p->head.stream);
    const cudaError_t waited = cudaStreamSynchronize(p->head.stream);
    if (e == cudaSuccess)
        e = waited;
    if (e == cudaSuccess)
        memcpy(sums, b->buffer[0].host, bytes);
    p->head.fresh = 1;
    return lm_cuda_failed(p->head.device, e, "to sum with weights");
}
