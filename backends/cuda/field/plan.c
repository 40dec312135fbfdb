/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes plans of a lattice with one or more numbers a site. */
#include "backends/cuda/field/plan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/geometry/colouring.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "backends/cuda/field/pairs.h"
#include "lib/physics/pair_sums.h"
#include "lib/physics/sums.h"

/* The device memory for the partial sums of a measurement, unless one replica needs more. */
#define FOLD_BYTES ((uint64_t)256 << 20)

/* Sites that cross to or from the host at once, if they have to be put in another order. */
enum { STAGED = 1 << 20 };

/* The most tallies of a replica, and the sites for each tally of a smaller lattice. */
enum { MOST_TALLIES = 128, SITES_OF_TALLY = 2048 };

static void close_plan(void *plan)
{
    lm_cuda_field_plan *p = plan;
    lm_cuda_end(&p->head);
    free(p->rule);
    free(p->rules);
    free(p->offers);
    free(p->offered);
    free(p->slab_sums);
    free(p->tallies);
    free(p);
}

/* Chooses the order of planes (place.cuh), if the model's kernels have a choice. */
static void choose_order(lm_cuda_field_plan *p)
{
    const lm_spec *s = &p->spec;
    lm_field_view *v = &p->view;
    v->colours.parity = s->reach == 1 && lm_near_colours(s) == 2;
    v->by_colour =
        p->launch->by_colour && s->dims > 1 && v->colours.parity && s->extents[0] % 2 == 0;
    v->half = (uint32_t)(v->count / 2);
    v->by[0] = lm_field_divisor_of((uint64_t)(s->extents[0] + 1) / 2);
    for (int a = 1; a < s->dims; a++)
        v->by[a] = lm_field_divisor_of((uint64_t)s->extents[a]);
    p->classes = p->launch->by_class && !lm_field_is_slab(s) &&
                 (uint64_t)s->extents[0] * p->site_bytes <= LM_FIELD_ROW_BYTES;
}

/* Sets where sites are, and what lies beyond the ends. */
static void make_geometry(lm_cuda_field_plan *p)
{
    const lm_spec *s = &p->spec;
    const int cut = lm_field_is_slab(s) ? s->dims - 1 : -1;
    lm_field_view *v = &p->view;
    v->count = 1;
    v->dims = s->dims;
    v->reach = s->reach;
    v->first_layer = s->dims == 1 ? 0 : (uint32_t)s->first_layer;
    v->layers = s->dims == 1 ? 1 : (uint32_t)s->layers;
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        const int64_t extent = a < s->dims ? s->extents[a] : 1;
        const int64_t first = a == cut ? lm_field_first_layer(s) : 0;
        v->last[a] = (uint32_t)(extent - 1);
        v->stride[a] = (uint32_t)v->count;
        v->around[a] = a == cut ? 0 : (uint32_t)extent;
        v->origin[a] = (uint32_t)first;
        v->open[a] = a < s->dims && s->boundaries[a] == LATMC_OPEN;
        v->negative[a] = a < s->dims && a != cut && s->boundaries[a] == LATMC_ANTIPERIODIC;
        v->any_open |= v->open[a];
        p->first_number += first * v->count;
        v->count *= a == cut ? s->layers + 2 * s->reach : extent;
    }
    v->slab = lm_field_is_slab(s);
    v->base = (uint32_t)p->first_number;
    v->base_high = (uint32_t)(p->first_number >> 32) << 24;
}

/* Returns the tallies of a replica. There are more where more warps add to them at the same
 * time. */
static uint32_t tallies_of(int64_t sites)
{
    uint32_t tallies = 1;
    while (tallies < MOST_TALLIES && sites / SITES_OF_TALLY > tallies)
        tallies *= 2;
    return tallies;
}

static void make_view(lm_cuda_field_plan *p)
{
    const lm_spec *s = &p->spec;
    lm_field_view *v = &p->view;
    make_geometry(p);
    v->tallies = tallies_of(v->count);
    v->first_replica = lm_group_low(s->first_replica);
    v->replicas = (uint32_t)s->replicas;
    v->keys = lm_keys_of(s->seed, (uint64_t)s->first_replica);
    p->tiles = lm_tiles_of(s);
    p->sums = lm_spec_sums(s) - 1;
    p->launch = p->model->launch[s->kept == LM_AS_BYTES ? LM_FIELD_BYTES
                                 : p->doubles           ? LM_FIELD_DOUBLES
                                                        : LM_FIELD_FLOATS];
    p->number_bytes = p->doubles ? sizeof(double) : sizeof(float);
    p->site_bytes = s->kept == LM_AS_BYTES ? 1 : p->number_bytes;
    choose_order(p);
    const size_t rule =
        (size_t)p->model->rule_reals * p->number_bytes + (size_t)p->model->rule_ints * sizeof(int);
    p->rule_bytes = (rule + p->number_bytes - 1) / p->number_bytes * p->number_bytes;
    v->kind = p->model->kind ? p->model->kind(s) : 0;
    v->fixed_values = p->launch->fixed(s->dims, v->kind);
    p->samples = v->fixed_values && (s->couplings || s->site_fields) ? s->samples : 1;
    v->sample_replicas = (uint32_t)(s->replicas / p->samples);
}

/* Returns the bytes of one replica's partial sums. A later stage has at most as many as an
 * earlier one. */
static uint64_t fold_bytes(const lm_cuda_field_plan *p)
{
    const uint64_t sites = lm_field_layer_sites(&p->view);
    return p->view.layers * LM_SUMS_BLOCKS(sites) * (uint64_t)p->sums * sizeof(double);
}

static latmc_status make_memory(lm_cuda_field_plan *p)
{
    const uint64_t leaves = LM_SUMS_LEAVES(lm_field_layer_sites(&p->view));
    const size_t layers =
        p->launch->leaves ? (size_t)p->view.replicas * p->view.layers * sizeof(double) : 0;
    const size_t replicas = p->view.replicas, count = (size_t)p->view.count, all = replicas * count;
    const int fixed = p->view.fixed_values;
    const uint64_t planes = (uint64_t)(p->spec.components > fixed ? p->spec.components : fixed);
    const uint64_t each = fold_bytes(p);
    const uint64_t fit = each > FOLD_BYTES ? 1 : FOLD_BYTES / each;
    p->portion = fit < replicas ? (uint32_t)fit : p->view.replicas;
    if (p->spec.components > 1 || fixed || p->view.by_colour)
        p->staged = planes * (uint64_t)(all < STAGED ? all : STAGED);
    const lm_cuda_allocation allocations[] = {
        {&p->view.sites, replicas * (size_t)p->spec.components * count * p->site_bytes},
        {(void **)&p->view.fixed, (size_t)(p->samples * fixed) * count * p->number_bytes},
        {&p->staging, p->staged * p->number_bytes},
        {(void **)&p->view.rules, replicas * p->rule_bytes},
        {&p->rules_there, replicas * p->rule_bytes},
        {(void **)&p->view.accepted, lm_cuda_field_tally_bytes(p)},
        {(void **)&p->spare, lm_cuda_field_tally_bytes(p)},
        {(void **)&p->fold[0], p->portion * each},
        {(void **)&p->fold[1], p->portion * each},
        {(void **)&p->leaves[0], layers * leaves},
        {(void **)&p->leaves[1], layers * LM_SUMS_BLOCKS(leaves)},
        LM_CUDA_STATE_ALLOCATIONS(&p->head, &p->spec, (size_t)p->model->params)};
    _Static_assert(sizeof allocations / sizeof allocations[0] <= LM_CUDA_MAX_ALLOCATIONS,
                   "no room for the last");
    return lm_cuda_begin(&p->head, allocations, (int)(sizeof allocations / sizeof allocations[0]));
}

static latmc_status make_host_memory(lm_cuda_field_plan *p)
{
    static const char what[] = "the parameters of all replicas";
    const int64_t replicas = p->spec.replicas, layers = p->portion * (int64_t)p->view.layers;
    p->rule = lm_zeroed(NULL, what, 1, p->model->rule_bytes);
    p->rules = p->rule ? lm_zeroed(NULL, what, 2 * replicas, p->rule_bytes) : NULL;
    p->offers =
        p->rules ? lm_zeroed(NULL, what, p->model->updates * replicas, sizeof *p->offers) : NULL;
    p->offered = p->offers ? lm_zeroed(NULL, what, replicas, sizeof *p->offered) : NULL;
    p->slab_sums = p->offered ? lm_zeroed(NULL, "sums of layers",
                                          lm_field_is_slab(&p->spec) ? layers * p->sums : 0,
                                          sizeof *p->slab_sums)
                              : NULL;
    p->tallies = p->slab_sums
                     ? lm_zeroed(NULL, "counts of what is accepted",
                                 lm_field_is_slab(&p->spec) ? replicas * p->view.tallies : 0,
                                 sizeof *p->tallies)
                     : NULL;
    return p->tallies ? lm_cuda_exchange_begin(p, &p->spec, p->model->params) : LATMC_ERROR_MEMORY;
}

/* Refuses a lattice that is too large: places and coordinates have 32 bits. */
static latmc_status check(const lm_cuda_field_plan *p)
{
    const int64_t layers = p->spec.extents[p->spec.dims - 1];
    if (p->view.count > LM_CUDA_FIELD_SITES)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "a plan on a GPU would have %lld sites with its halo; 2^32 are the most",
                       (long long)p->view.count);
    if (layers > LM_CUDA_FIELD_SITES)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "the last axis has %lld sites; 2^32 are the most on a GPU",
                       (long long)layers);
    return LATMC_OK;
}

/* Chooses what should stay in the L2 cache. Static values are read once a colour by all replicas
 * that share them. A replica reads its sites several times. So with one replica the cache should
 * keep its sites, as far as it can. With several replicas it should keep the static values, if
 * it can. */
static int keeps(const lm_cuda_field_plan *p)
{
    const lm_field_view *v = &p->view;
    const double plane = (double)v->count * (double)p->number_bytes, cache = p->head.cache;
    if (!v->fixed_values)
        return LM_KEEPS_NOTHING;
    return v->sample_replicas > 1 && plane * v->fixed_values < 0.5 * cache ? LM_KEEPS_FIXED
                                                                           : LM_KEEPS_SITES;
}

static latmc_status fill(lm_cuda_field_plan *p)
{
    latmc_status status = check(p);
    if (status == LATMC_OK)
        status = make_memory(p);
    p->view.processors = p->head.processors;
    p->view.overlaps = p->head.overlaps;
    p->view.keeps = keeps(p);
    if (status == LATMC_OK && p->spec.sketch)
        return LATMC_OK;
    if (status == LATMC_OK)
        status = lm_cuda_field_tables(p);
    if (status == LATMC_OK && p->model->fixed_value && p->view.fixed_values)
        status = lm_cuda_field_fill_fixed(p);
    if (status != LATMC_OK)
        return status;
    return make_host_memory(p);
}

latmc_status lm_cuda_field_open(const lm_spec *spec, const void *engine, int device, void **plan)
{
    const lm_cuda_field_model *const model = engine;
    lm_cuda_field_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->head.kernels = model->kernels;
    p->model = model;
    p->spec = *spec;
    p->doubles = spec->kept == LM_AS_DOUBLES;
    p->head.device = device;
    p->head.sketch = spec->sketch;
    make_view(p);
    const latmc_status status = fill(p);
    if (status != LATMC_OK) {
        close_plan(p);
        return status;
    }
    *plan = p;
    return LATMC_OK;
}

/* Takes a slot's rule as kernels have it, and the number of its proposals. */
static void take_rule(lm_cuda_field_plan *p, const lm_parameters *parameters, size_t slot)
{
    const lm_cuda_field_model *m = p->model;
    const size_t slots = p->view.replicas, reals = (size_t)m->rule_reals;
    char *to = p->rules + slot * p->rule_bytes;
    m->make_rule(parameters->values + slot, (int64_t)slots, parameters->type_coupling,
                 p->spec.states, p->rule);
    lm_fixed_round(p->rule, m->rule_reals, p->doubles, to);
    memcpy(to + reals * p->number_bytes, p->rule + reals, (size_t)m->rule_ints * sizeof(int));
    for (size_t u = 0; u < (size_t)m->updates; u++) {
        p->offers[u * slots + slot] = m->proposals(p->rule, (int)u);
        p->even &= p->offers[u * slots + slot] == p->offers[u * slots];
    }
}

/* Hands out rules slot by slot, from what the host has. */
static cudaError_t hand_out(lm_cuda_field_plan *p)
{
    const size_t replicas = p->view.replicas;
    char *to = p->rules + replicas * p->rule_bytes;
    for (size_t r = 0; r < replicas; r++)
        memcpy(to + r * p->rule_bytes, p->rules + (size_t)p->head.slots.here[r] * p->rule_bytes,
               p->rule_bytes);
    return lm_cuda_send(&p->head, (void *)p->view.rules, to, replicas * p->rule_bytes);
}

static latmc_status put_slots(void *plan, const lm_parameters *parameters)
{
    lm_cuda_field_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = lm_cuda_put_slots(plan, &p->spec, parameters);
    if (e == cudaSuccess)
        e = hand_out(p);
    return lm_cuda_failed(p->head.device, e, "to take the slots");
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_cuda_field_plan *p = plan;
    p->even = 1;
    p->rules_sent = 0;
    for (size_t s = 0; s < p->view.replicas; s++)
        take_rule(p, parameters, s);
    lm_cuda_put_params(plan, &p->spec, parameters);
    return put_slots(plan, parameters);
}

static latmc_status sketch(void *plan, const lm_parameters *parameters, int update, lm_sketch *to)
{
    const lm_cuda_field_plan *p = plan;
    const size_t offers = (size_t)(p->model->updates + 1) * sizeof *p->offers;
    (void)parameters;
    to->kernel = lm_cuda_likely(p, update, p->view.slab ? 1 : LM_CUDA_TYPICAL_SWEEPS);
    to->host_bytes = (int64_t)(sizeof *p + p->view.replicas * (2 * p->rule_bytes + offers));
    to->device_bytes = (int64_t)p->head.bytes;
    return LATMC_OK;
}

/* ---- exchanges */

/* Says whether the plan exchanges. It does not if replicas propose different numbers, which the
 * host would not know afterwards. */
static int exchanges(const void *plan)
{
    return ((const lm_cuda_field_plan *)plan)->even;
}

static cudaError_t ready(void *plan, unsigned bundles, const void *record, lm_cuda_exchange *x)
{
    lm_cuda_field_plan *p = plan;
    cudaError_t e = cudaSuccess;
    if (!p->rules_sent)
        e = lm_cuda_send(&p->head, p->rules_there, p->rules, p->view.replicas * p->rule_bytes);
    p->rules_sent = e == cudaSuccess;
    x->sums = (const char *)record + lm_cuda_field_tally_bytes(p);
    x->sums_each = lm_cuda_field_sums_of(p, bundles);
    x->rules = p->rules_there;
    x->to = (uint32_t *)p->view.rules;
    x->words = (int64_t)(p->rule_bytes / sizeof(uint32_t));
    x->clear = p->spare;
    x->clears = (int64_t)(lm_cuda_field_tally_bytes(p) / sizeof *p->spare);
    p->spare_clear = 1;
    return e;
}

static latmc_status exchange(void *plan, const lm_exchange_order *order)
{
    const lm_cuda_field_plan *p = plan;
    const lm_cuda_exchanger family = {.exchange = p->launch->exchange,
                                      .sums_bytes = lm_cuda_field_record_bytes(p, ~0u),
                                      .measure = lm_cuda_field_measure,
                                      .ready = ready};
    return lm_cuda_exchange_slots(plan, &p->spec, &family, order);
}

#define OF_ALL                                                                                     \
    .close = close_plan, .sketch = sketch, .put_parameters = put_parameters,                       \
    .put_slots = put_slots, .start = lm_cuda_field_start, .put_sites = lm_cuda_field_put_sites,    \
    .get_sites = lm_cuda_field_get_sites, .crosses = lm_cuda_field_crosses,                        \
    .cross = lm_cuda_field_cross, .copy = lm_cuda_field_copy,                                      \
    .put_values = lm_cuda_field_put_values, .run = lm_cuda_field_run,                              \
    .prepare = lm_cuda_field_prepare, .streams = 1, .wait = lm_cuda_wait, .exchanges = exchanges,  \
    .exchange = exchange, .exchanged = lm_cuda_exchanged, .momenta = lm_cuda_field_momenta,        \
    .slabs = &lm_cuda_field_slabs

#define OF_SPINS   (1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_LINKS)
#define OF_NUMBERS (OF_SPINS | 1u << LM_PAIR_WAVES)

const lm_plan_ops lm_cuda_states_ops = {OF_ALL};
const lm_plan_ops lm_cuda_spins_ops = {
    OF_ALL, .pair_bundles = OF_SPINS, .pairs = lm_cuda_field_pairs,
    .most_planes = LM_FIELD_MAX_PLANES, .pair_planes = lm_cuda_field_pair_planes};
const lm_plan_ops lm_cuda_numbers_ops = {OF_ALL, .pair_bundles = OF_NUMBERS,
                                         .pairs = lm_cuda_field_pairs};
const lm_plan_ops lm_cuda_vectors_ops = {OF_ALL, .pair_bundles = (1u << LM_PAIR_BUNDLES) - 1u,
                                         .pairs = lm_cuda_field_pairs};
