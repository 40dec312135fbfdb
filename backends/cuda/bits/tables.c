/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the tables of thresholds for a GPU's kernels. Thresholds belong to slots; planes of them
 * belong to the words of the replicas that have these slots. */
#include <string.h>

#include "backends/cuda/bits/plan.h"

/* Allocates the tables of these parameters. Sweeps that are queued may still read the old
 * ones. */
static cudaError_t make_tables(lm_cuda_bits_plan *p, const lm_parameters *parameters)
{
    const int64_t words = lm_rules_words(p->model->common, &p->spec, &p->words, parameters);
    void *device = NULL;
    if (words <= p->table_words)
        return cudaSuccess;
    cudaError_t e = lm_cuda_take(&device, (size_t)words * sizeof(uint32_t));
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(p->head.stream);
    if (e != cudaSuccess) {
        cudaFree(device);
        return e;
    }
    cudaFree(p->head.tables);
    p->head.tables = device;
    p->table_words = words;
    return cudaSuccess;
}

/* Places the tables. Their contents are sent when a kernel needs them. */
static void place_tables(lm_cuda_bits_plan *p)
{
    const uint32_t *at = p->head.tables;
    const lm_rule_table *uniform = &p->rules.tables[LM_UNIFORM_RULE];
    p->view.uniform_planes = p->rules.uniform[0] ? at : NULL;
    at +=
        uniform->words; /* it is the first table, since kernels load four of its words at a time */
    p->view.flip = at - p->words.groups;
    for (int i = 0; i < p->model->common->updates; i++) {
        p->view.planes[i] = at;
        p->view.shape[i] = p->rules.shape[i];
        at += p->rules.tables[i].words;
    }
    memcpy(p->view.coupling, p->rules.coupling, sizeof p->view.coupling);
    p->view.slots = p->head.slots.state;
    memset(p->known, 0, sizeof p->known);
    memset(p->spread, 0, sizeof p->spread);
}

latmc_status lm_cuda_bits_put_slots(void *plan, const lm_parameters *parameters)
{
    lm_cuda_bits_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e = lm_cuda_put_slots(plan, &p->spec, parameters);
    memset(p->spread, 0, sizeof p->spread);
    return lm_cuda_failed(p->head.device, e, "to take the slots");
}

static int has_loose(const lm_cuda_bits_plan *p, const uint8_t *loose)
{
    return p->rules.loose && memcmp(p->rules.loose, loose, (size_t)p->spec.replicas) == 0;
}

latmc_status lm_cuda_bits_put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_cuda_bits_plan *p = plan;
    p->loose_sent = p->loose_sent && has_loose(p, parameters->loose);
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e = make_tables(p, parameters);
    latmc_status status = lm_cuda_failed(p->head.device, e, "to take the parameters");
    if (status == LATMC_OK)
        status = lm_rules_put(p->model->common, &p->spec, &p->words, parameters, &p->rules);
    if (p->rules.spec)
        place_tables(p);
    if (status != LATMC_OK)
        return status;
    lm_cuda_put_params(plan, &p->spec, parameters);
    return lm_cuda_bits_put_slots(plan, parameters);
}

static int64_t threshold_count(const lm_cuda_bits_plan *p, int which)
{
    return 2 * p->spec.replicas * p->rules.tables[which].each;
}

/* Says whether the thresholds go with the launch that makes planes of them. The uniform rule's
 * can: no replica is loose, and nothing else reads them. A copy would be one more thing to wait
 * for. */
static int are_few(const lm_cuda_bits_plan *p, int which)
{
    return which == LM_UNIFORM_RULE &&
           p->spec.replicas * p->rules.tables[which].each <= LM_FEW_THRESHOLDS;
}

/* Returns the bytes on the device of all tables, and of the thresholds that an update needs. */
static int64_t rule_bytes(const lm_cuda_bits_plan *p, const lm_parameters *parameters, int update)
{
    const int64_t words = lm_rules_words(p->model->common, &p->spec, &p->words, parameters);
    const int64_t uniform = are_few(p, LM_UNIFORM_RULE) ? 0 : threshold_count(p, LM_UNIFORM_RULE);
    return words * (int64_t)sizeof(uint32_t) +
           (uniform + threshold_count(p, update)) * (int64_t)sizeof(uint64_t);
}

latmc_status lm_cuda_bits_sketch(void *plan, const lm_parameters *parameters, int update,
                                 lm_sketch *sketch)
{
    lm_cuda_bits_plan *p = plan;
    const latmc_status status =
        lm_rules_put(p->model->common, &p->spec, &p->words, parameters, &p->rules);
    if (status != LATMC_OK)
        return status;
    p->head.tables = p; /* they would be somewhere */
    place_tables(p);
    p->head.tables = NULL;
    const int bonds = p->spec.signs + p->spec.missing;
    sketch->kernel = lm_cuda_likely(p, update, p->view.whole ? LM_CUDA_TYPICAL_SWEEPS : 1);
    sketch->host_bytes = (int64_t)sizeof *p + lm_rules_bytes(&p->rules) +
                         bonds * (int64_t)lm_cuda_bits_bond_bytes(p);
    sketch->device_bytes = (int64_t)p->head.bytes + rule_bytes(p, parameters, update);
    return LATMC_OK;
}

/* Allocates the thresholds of a table. Sweeps that are queued do not read them. */
static cudaError_t make_thresholds(lm_cuda_bits_plan *p, int which)
{
    const int64_t count = threshold_count(p, which);
    void *device = NULL;
    if (count <= p->threshold_capacity[which])
        return cudaSuccess;
    const cudaError_t e = lm_cuda_take(&device, (size_t)count * sizeof(uint64_t));
    if (e != cudaSuccess)
        return e;
    cudaFree(p->thresholds[which]);
    p->thresholds[which] = device;
    p->threshold_capacity[which] = count;
    return cudaSuccess;
}

void lm_cuda_bits_free_thresholds(lm_cuda_bits_plan *p)
{
    LM_ON_DEVICE(p->head.device);
    for (int i = 0; i < LM_RULE_TABLES; i++)
        cudaFree(p->thresholds[i]);
}

cudaError_t lm_cuda_bits_make_thresholds(lm_cuda_bits_plan *p, const lm_schedule *schedule)
{
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = are_few(p, LM_UNIFORM_RULE) ? cudaSuccess : make_thresholds(p, LM_UNIFORM_RULE);
    for (int i = 0; e == cudaSuccess && i < schedule->count; i++)
        e = make_thresholds(p, schedule->steps[i].update);
    return e;
}

/* Sends which replicas are loose. This depends on bonds, which seldom change where parameters
 * do. */
static cudaError_t send_loose(lm_cuda_bits_plan *p)
{
    cudaError_t e = cudaSuccess;
    if (!p->loose_sent)
        e = lm_cuda_send(&p->head, p->loose, p->rules.loose, (size_t)p->spec.replicas);
    p->loose_sent = e == cudaSuccess;
    return e;
}

static cudaError_t send_thresholds(lm_cuda_bits_plan *p, int which)
{
    const lm_rule_table *table = lm_rules_thresholds(&p->rules, which);
    cudaError_t e = make_thresholds(p, which);
    if (e == cudaSuccess)
        e = lm_cuda_send(&p->head, p->thresholds[which], table->thresholds,
                         (size_t)threshold_count(p, which) * sizeof *table->thresholds);
    if (e == cudaSuccess)
        e = send_loose(p);
    p->known[which] = e == cudaSuccess;
    if (which < LM_RULE_UPDATES)
        p->view.thresholds[which] = p->thresholds[which];
    return e;
}

static lm_bits_spread spread_of(const lm_cuda_bits_plan *p, int which)
{
    const lm_rule_form form = lm_rules_form(&p->rules, which);
    const int uniform = which == LM_UNIFORM_RULE;
    uint32_t *const planes = uniform ? p->head.tables : (uint32_t *)p->view.planes[which];
    return (lm_bits_spread){.thresholds = p->thresholds[which],
                            .slots = p->head.slots.state,
                            .loose = p->loose,
                            .planes = planes,
                            .flips = uniform ? (uint32_t *)p->view.flip : NULL,
                            .replicas = p->spec.replicas,
                            .each = p->rules.tables[which].each,
                            .group_words = form.group_words,
                            .stride = form.stride,
                            .step = form.step,
                            .certain = form.certain,
                            .first_group = p->words.first_group,
                            .groups = p->words.groups,
                            .first_replica = p->spec.first_replica,
                            .per_word = p->words.per_word,
                            .segment = p->words.segment};
}

cudaError_t lm_cuda_bits_send_table(lm_cuda_bits_plan *p, int which)
{
    const size_t counts = (size_t)lm_cuda_bits_sums(p);
    const int clear = p->clear;
    if (p->spread[which]) {
        p->clear = 0;
        return clear ? cudaMemsetAsync(p->changed, 0, counts * sizeof *p->changed, p->head.stream)
                     : cudaSuccess;
    }
    const int few = are_few(p, which);
    cudaError_t e = few || p->known[which] ? cudaSuccess : send_thresholds(p, which);
    if (e != cudaSuccess)
        return e;
    lm_bits_spread spread = spread_of(p, which);
    if (few) {
        spread.few = lm_rules_thresholds(&p->rules, which)->thresholds;
        spread.loose = NULL;
    }
    if (clear) {
        spread.clear = p->changed;
        spread.clears = (int64_t)counts;
    }
    p->clear = 0;
    p->spread[which] = 1;
    e = lm_launch_spread(&spread, lm_cuda_overlaps(&p->head), p->head.stream);
    p->head.fresh = 1; /* sweeps read tables before they wait */
    return e;
}
