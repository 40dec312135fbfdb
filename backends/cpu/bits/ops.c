/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the operations that plans of all models of bits on CPUs share. */
#include "backends/cpu/bits/plan.h"

void lm_bits_set_threads(void *plan, int threads)
{
    ((lm_bits_plan *)plan)->threads = threads;
}

latmc_status lm_bits_put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_bits_plan *p = plan;
    return lm_rules_put(p->model->common, &p->spec, &p->words, parameters, &p->rules);
}

latmc_status lm_bits_put_slots(void *plan, const lm_parameters *parameters)
{
    lm_rules_put_slots(parameters, &((lm_bits_plan *)plan)->rules);
    return LATMC_OK;
}

latmc_status lm_bits_sketch(void *plan, const lm_parameters *parameters, int update,
                            lm_sketch *sketch)
{
    lm_bits_plan *p = plan;
    const latmc_status status = lm_bits_put_parameters(p, parameters);
    if (status != LATMC_OK)
        return status;
    sketch->kernel = p->rules.uniform[update] ? "uniform rule" : "general rule";
    sketch->host_bytes = lm_bits_bytes(p) + lm_rules_bytes(&p->rules);
    return LATMC_OK;
}

static int phases(const void *plan, int update)
{
    (void)update;
    return ((const lm_bits_plan *)plan)->words.colours;
}

static latmc_status begin(void *plan, int update, int counts)
{
    lm_bits_plan *p = plan;
    (void)counts; /* the plan counts in every sweep */
    const int64_t replicas = p->words.groups * p->words.per_word;
    lm_bits_make_rule(p, update);
    for (int64_t i = 1; i <= replicas; i++)
        p->counts[i * p->sums - 1] = 0;
    return LATMC_OK;
}

static latmc_status update_phase(void *plan, int update, int64_t step, int colour, lm_part part)
{
    lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows, layer = p->layer_rows;
    const int64_t inner = rows > 2 * layer ? rows - layer : layer;
    for (int64_t g = 0; g < p->words.groups; g++) {
        if (part & LM_BOUNDARY) {
            lm_bits_update_rows(p, update, step, g, colour, 0, layer, 1);
            if (rows > layer)
                lm_bits_update_rows(p, update, step, g, colour, rows - layer, rows, 1);
        }
        if (part & LM_BULK)
            lm_bits_update_rows(p, update, step, g, colour, layer, inner, 1);
    }
    if (part & LM_BOUNDARY)
        lm_bits_bring(p, colour);
    return LATMC_OK;
}

const lm_slab_ops lm_bits_slabs = {
    .phases = phases,
    .halo_bytes = lm_bits_halo_bytes,
    .begin = begin,
    .update = update_phase,
    .pack = lm_bits_pack,
    .unpack = lm_bits_unpack,
    .connect = lm_bits_connect,
};

const lm_plan_ops lm_bits_ops = {LM_BITS_OPS};
