/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs of replicas of a lattice of words. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/bits/plan.h"
#include "backends/cuda/series.h"
#include "lib/base/memory.h"

#include "lib/physics/exchange_state.h"
#include "lib/physics/pair_sums.h"

enum { COUNTS_AT_ONCE = 1 << 19 }; /* 4 MB */

/* Sends these pairs unless the device has them. Most callers have the same pairs time and again. */
static cudaError_t send_pairs(lm_cuda_bits_plan *p, int64_t pairs, const int64_t (*replicas)[2])
{
    lm_cuda_pairs *const known = &p->pairs;
    const size_t bytes = (size_t)pairs * sizeof *replicas;
    if (known->count >= pairs && memcmp(known->host, replicas, bytes) == 0)
        return cudaSuccess;
    known->count = 0;
    const cudaError_t e = lm_cuda_send(&p->head, known->device, replicas, bytes);
    if (e == cudaSuccess) {
        memcpy(known->host, replicas, bytes);
        known->count = pairs;
    }
    return e;
}

/* What is to be counted, how many numbers that is for each pair, and for which pairs. NULL: each
 * replica by itself, from number `first` on. */
typedef struct bits_counting {
    enum { SITES, LINKS, PLANES } what;
    int64_t each;
    const int64_t (*replicas)[2];
    int64_t first;
} bits_counting;

static int64_t at_once(const bits_counting *c)
{
    const int64_t fit = COUNTS_AT_ONCE / c->each;
    return fit > LM_PAIRS_AT_ONCE ? LM_PAIRS_AT_ONCE : fit > 1 ? fit : 1;
}

/* Queues the counts of some pairs from number `done` on, at most at_once(). If there are
 * holders, the pairs are of slots. */
static cudaError_t queue_pairs(lm_cuda_bits_plan *p, const bits_counting *c, int64_t done,
                               int64_t pairs, const int64_t *holders, lm_count *counts)
{
    const lm_bits_counting twins = {.first =
                                        p->view.first_replica + (c->replicas ? 0 : c->first + done),
                                    .pairs = pairs,
                                    .replicas = c->replicas ? p->pairs.device[0] : NULL,
                                    .holders = holders,
                                    .counts = counts};
    lm_bits_view v = p->view;
    v.sign = NULL; /* in a product of two spins of a pair the sign stands twice */
    const cudaError_t e = c->replicas ? send_pairs(p, pairs, c->replicas + done) : cudaSuccess;
    if (e != cudaSuccess)
        return e;
    return c->what == PLANES ? lm_launch_planes(&v, &twins, p->head.stream)
                             : lm_launch_pairs(&v, c->what == LINKS, &twins, p->head.stream);
}

/* Counts some pairs, and brings the counts to a buffer's host memory. */
static cudaError_t count_pairs(lm_cuda_bits_plan *p, const bits_counting *c, int64_t done,
                               int64_t pairs)
{
    const size_t bytes = (size_t)(pairs * c->each) * sizeof(lm_count);
    lm_cuda_buffers *const buffers = &p->head.buffers;
    cudaError_t e = lm_cuda_bits_send_bonds(p);
    if (e == cudaSuccess)
        e = lm_cuda_buffers_make(buffers, 1, (int64_t)bytes);
    if (e == cudaSuccess)
        e = queue_pairs(p, c, done, pairs, NULL, buffers->buffer[0].device);
    if (e == cudaSuccess)
        e = lm_cuda_buffer_fetch(buffers, 0, p->head.stream, bytes);
    return e == cudaSuccess ? lm_cuda_buffer_await(buffers, 0) : e;
}

/* Makes the list that send_pairs() compares with. */
static int has_list(lm_cuda_bits_plan *p)
{
    if (!p->pairs.host)
        p->pairs.host =
            lm_zeroed(NULL, "some pairs of replicas", LM_PAIRS_AT_ONCE, sizeof *p->pairs.host);
    return p->pairs.host != NULL;
}

/* Takes the counts of some pairs, from number `first` on. */
typedef void taking(const lm_cuda_bits_plan *p, const void *request, int64_t first, int64_t pairs,
                    const int64_t *counts);

static latmc_status count_all(lm_cuda_bits_plan *p, const bits_counting *c, int64_t pairs,
                              taking *take, const void *request)
{
    const int64_t most = at_once(c);
    cudaError_t e = cudaSuccess;
    if (c->replicas && !has_list(p))
        return LATMC_ERROR_MEMORY;
    LM_ON_DEVICE(p->head.device);
    for (int64_t done = 0; e == cudaSuccess && done < pairs; done += most) {
        const int64_t left = pairs - done, n = left < most ? left : most;
        e = count_pairs(p, c, done, n);
        if (e == cudaSuccess)
            take(p, request, done, n, p->head.buffers.buffer[0].host);
    }
    if (e != cudaSuccess)
        cudaStreamSynchronize(p->head.stream); /* kernels in the queue may still write */
    return lm_cuda_failed(p->head.device, e, "to compare replicas");
}

/* ---- sums */

typedef struct bits_summing {
    unsigned bundles;
    double *sums;
} bits_summing;

static void take_sums(const lm_cuda_bits_plan *p, const void *request, int64_t first, int64_t pairs,
                      const int64_t *counts)
{
    const bits_summing *s = request;
    const int dims = p->spec.dims, each = lm_pair_bundle_begin(LM_PAIR_BUNDLES, dims, 1);
    const int step = lm_pair_counts(s->bundles, dims);
    const int64_t sites = p->view.rows * p->spec.extents[0];
    for (int64_t i = 0; i < pairs; i++)
        lm_pair_of_counts(s->bundles, dims, sites, counts + i * step, s->sums + (first + i) * each);
}

static bits_counting counting_of(const lm_cuda_bits_plan *p, unsigned bundles,
                                 const int64_t (*replicas)[2])
{
    return (bits_counting){.what = bundles >> LM_PAIR_LINKS & 1u ? LINKS : SITES,
                           .each = lm_pair_counts(bundles, p->spec.dims),
                           .replicas = replicas};
}

latmc_status lm_cuda_bits_pairs(void *plan, unsigned bundles, int64_t pairs,
                                const int64_t (*replicas)[2], double *sums)
{
    lm_cuda_bits_plan *p = plan;
    const bits_summing s = {bundles, sums};
    const bits_counting c = counting_of(p, bundles, replicas);
    return count_all(p, &c, pairs, take_sums, &s);
}

/* ---- among measurements that are queued */

static cudaError_t queue_noted(void *plan, const lm_measure *out, void *device)
{
    lm_cuda_bits_plan *p = plan;
    const bits_counting c = counting_of(p, out->pairs.bundles, out->pairs.of);
    const int64_t most = at_once(&c);
    const int64_t *const holders =
        out->pairs.by_slot ? p->head.slots.state + LM_STATE_HOLDERS * p->spec.replicas : NULL;
    cudaError_t e = lm_cuda_bits_send_bonds(p);
    for (int64_t done = 0; e == cudaSuccess && done < out->pairs.count; done += most) {
        const int64_t left = out->pairs.count - done;
        e = queue_pairs(p, &c, done, left < most ? left : most, holders,
                        (lm_count *)device + done * c.each);
    }
    return e;
}

static void report_noted(const void *plan, const lm_measure *out, const void *counts, double *sums)
{
    const bits_summing s = {out->pairs.bundles, sums};
    take_sums(plan, &s, 0, out->pairs.count, counts);
}

latmc_status lm_cuda_bits_queue_measurement(void *plan, const lm_measure *out, int64_t number,
                                            int64_t all)
{
    lm_cuda_bits_plan *p = plan;
    const int dims = p->spec.dims;
    const lm_cuda_family family = lm_cuda_bits_family(p);
    const lm_cuda_pairing pairing = {
        .pair_bytes = (size_t)lm_pair_counts(out->pairs.bundles, dims) * sizeof(lm_count),
        .pair_sums = lm_pair_bundle_begin(LM_PAIR_BUNDLES, dims, 1),
        .queue = queue_noted,
        .report = report_noted};
    return has_list(p) ? lm_cuda_queue_measurement(plan, &family, &pairing, out, number, all)
                       : LATMC_ERROR_MEMORY;
}

/* ---- planes */

static void take_planes(const lm_cuda_bits_plan *p, const void *request, int64_t first,
                        int64_t pairs, const int64_t *counts)
{
    const int64_t each = lm_all_planes(p->spec.dims, p->spec.extents);
    int64_t *const *apart = request;
    memcpy(*apart + first * each, counts, (size_t)(pairs * each) * sizeof *counts);
}

latmc_status lm_cuda_bits_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                      int64_t *apart)
{
    lm_cuda_bits_plan *p = plan;
    const bits_counting c = {
        .what = PLANES, .each = lm_all_planes(p->spec.dims, p->spec.extents), .replicas = replicas};
    return count_all(p, &c, pairs, take_planes, &apart);
}

latmc_status lm_cuda_bits_spin_planes(void *plan, int64_t first, int64_t count, int64_t *up)
{
    lm_cuda_bits_plan *p = plan;
    const bits_counting c = {
        .what = PLANES, .each = lm_all_planes(p->spec.dims, p->spec.extents), .first = first};
    return count_all(p, &c, count, take_planes, &up);
}
