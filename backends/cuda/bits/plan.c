/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/bits/plan.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/exchange.h"
#include "lib/geometry/colouring.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"

static void make_view(lm_cuda_bits_plan *p)
{
    const lm_words *w = &p->words;
    const int64_t *e = p->spec.extents;
    const int d = p->spec.dims;
    lm_bits_view *v = &p->view;
    v->whole = p->spec.layers == e[d - 1];
    v->layer_rows = d == 1 ? 1 : w->rows / e[d - 1];
    v->rows = d == 1 ? 1 : v->layer_rows * p->spec.layers;
    v->first_row = d == 1 ? 0 : v->layer_rows * p->spec.first_layer;
    p->ghost_rows = v->whole ? 0 : v->layer_rows;
    v->digits = lm_digits_of(p->model->common, &p->spec);
    v->sums = lm_spec_sums(&p->spec);
    v->states = p->spec.states;
    v->replicas = p->spec.replicas;
    v->digit_stride = (v->rows + 2 * p->ghost_rows) * w->width;
    v->sublattice_stride = v->digit_stride * v->digits;
    v->group_stride = v->sublattice_stride * w->sublattices;
    memcpy(v->extents, e, sizeof v->extents);
    for (int a = 0; a < d; a++)
        v->odd_ring[a] = lm_near_colour(&p->spec, a, e[a] - 1) == 2;
    v->dims = d;
    v->folded = w->folded;
    v->sublattices = w->sublattices;
    v->colours = w->colours;
    v->per_word = w->per_word;
    v->segment = w->segment;
    v->bits = (int)((w->bits - 1) % 32) + 1;
    v->width = (uint32_t)w->width;
    v->segment_first = lm_replicate(w, 1u);
    v->keys = lm_keys_of(p->spec.seed, (uint64_t)w->first_group);
    v->first_group = lm_group_low(w->first_group);
    v->first_replica = p->spec.first_replica - (w->first_group - v->first_group) * w->per_word;
    v->groups = (uint32_t)w->groups;
    v->bond_step = p->spec.samples > 1 ? (uint32_t)w->sublattices : 0;
}

int64_t lm_bits_launch_words = INT32_MAX;

/* Lattices above this size keep the device busy without the persistent kernel. */
#define MOST_TAGGED ((size_t)64 << 20)

static size_t tagged_bytes(const lm_cuda_bits_plan *p)
{
    return 2 * (size_t)p->view.rows * (size_t)p->words.width * sizeof *p->tagged;
}

static latmc_status make_memory(lm_cuda_bits_plan *p)
{
    const size_t groups = (size_t)p->words.groups;
    const int fast =
        p->model->tags && p->view.whole && p->view.folded && tagged_bytes(p) <= MOST_TAGGED;
    const size_t ahead = p->spec.missing || !p->model->ahead ? 0 : p->model->ahead(&p->view);
    const lm_cuda_allocation allocations[] = {
        {(void **)&p->sites, groups * (size_t)p->view.group_stride * sizeof(uint32_t)},
        {(void **)&p->replicas_mask, groups * sizeof(uint32_t)},
        {(void **)&p->changed, (size_t)lm_cuda_bits_sums(p) * sizeof(lm_count)},
        {(void **)&p->tagged, fast ? tagged_bytes(p) : 0},
        {(void **)&p->sign, p->spec.signs ? lm_cuda_bits_bond_bytes(p) : 0},
        {(void **)&p->gone, p->spec.missing ? lm_cuda_bits_bond_bytes(p) : 0},
        {(void **)&p->pairs.device, LM_PAIRS_AT_ONCE * sizeof *p->pairs.device},
        {&p->ahead, ahead},
        {(void **)&p->loose, (size_t)p->spec.replicas},
        LM_CUDA_STATE_ALLOCATIONS(&p->head, &p->spec, p->model->common->parameters),
    };
    _Static_assert(sizeof allocations / sizeof allocations[0] <= LM_CUDA_MAX_ALLOCATIONS,
                   "no room for the last");
    const latmc_status status =
        lm_cuda_begin(&p->head, allocations, (int)(sizeof allocations / sizeof allocations[0]));
    p->view.overlaps = p->head.overlaps;
    p->view.sites = p->sites + p->ghost_rows * p->words.width;
    p->view.replicas_mask = p->replicas_mask;
    p->view.loose = p->loose;
    p->view.sign = p->sign;
    p->view.gone = p->gone;
    return status;
}

/* Finds the grid once, since the answer takes some microseconds, as long as a launch. */
static void find_blocks(lm_cuda_bits_plan *p)
{
    LM_ON_DEVICE(p->head.device);
    p->ahead_blocks = p->ahead ? p->model->ahead_blocks(&p->view, p->head.device) : 0;
}

/* Sends the replicas that exist, group by group. */
static latmc_status put_lanes(lm_cuda_bits_plan *p)
{
    const int64_t groups = p->words.groups;
    uint32_t *replicas_mask =
        lm_zeroed(NULL, "the replicas of each word", groups, sizeof *replicas_mask);
    if (!replicas_mask)
        return LATMC_ERROR_MEMORY;
    for (int64_t g = 0; g < groups; g++)
        replicas_mask[g] = lm_replicas_mask(&p->words, &p->spec, g);
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e = lm_cuda_copy(p->head.stream, p->replicas_mask, replicas_mask,
                                       (size_t)groups * sizeof *replicas_mask);
    free(replicas_mask);
    return lm_cuda_failed(p->head.device, e, "to take the replicas");
}

static latmc_status make_host_bonds(lm_cuda_bits_plan *p)
{
    if (p->spec.signs)
        p->host_sign = lm_zeroed(NULL, "the signs of the bonds", 1, lm_cuda_bits_bond_bytes(p));
    if (p->host_sign && p->spec.missing)
        p->host_gone = lm_zeroed(NULL, "the missing bonds", 1, lm_cuda_bits_bond_bytes(p));
    return (!p->spec.signs || p->host_sign) && (!p->spec.missing || p->host_gone)
               ? LATMC_OK
               : LATMC_ERROR_MEMORY;
}

static latmc_status fill(lm_cuda_bits_plan *p)
{
    latmc_status status = lm_cuda_exchange_begin(p, &p->spec, p->model->common->parameters);
    if (status == LATMC_OK)
        status = put_lanes(p);
    return status == LATMC_OK ? make_host_bonds(p) : status;
}

/* Refuses a lattice that is too large. Words of a row are counted in 32 bits. */
static latmc_status check(const lm_cuda_bits_plan *p)
{
    if (p->words.width <= UINT32_MAX)
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "the first axis has %lld sites, which are %lld words a row; on a GPU a row has "
                   "fewer than 2^32",
                   (long long)p->spec.extents[0], (long long)p->words.width);
}

latmc_status lm_cuda_bits_open(const lm_spec *spec, const void *engine, int device, void **plan)
{
    const lm_cuda_bits_model *const model = engine;
    lm_cuda_bits_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->model = model;
    p->head.kernels = model->kernels;
    p->spec = *spec;
    p->head.device = device;
    p->head.sketch = spec->sketch;
    p->words = lm_words_of(spec);
    p->bundles = lm_bundles_of_sites(spec);
    make_view(p);
    latmc_status status = check(p);
    if (status == LATMC_OK)
        status = make_memory(p);
    if (status == LATMC_OK && !spec->sketch)
        status = fill(p);
    if (status != LATMC_OK) {
        lm_cuda_bits_close(p);
        return status;
    }
    p->phases = &model->kernels->list[0];
    find_blocks(p);
    *plan = p;
    return LATMC_OK;
}

void lm_cuda_bits_close(void *plan)
{
    lm_cuda_bits_plan *p = plan;
    lm_cuda_end(&p->head);
    lm_cuda_bits_free_thresholds(p);
    free(p->host_sign);
    free(p->host_gone);
    free(p->pairs.host);
    lm_rules_free(&p->rules);
    free(p);
}
