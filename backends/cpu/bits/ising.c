/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ising model on CPUs. */
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/cpu.h"
#include "lib/physics/pair_sums.h"

static latmc_status open_ising(const lm_spec *spec, int device, void **plan)
{
    static const lm_bits_loops *const lanes[] = {LM_EVERY_LANE(lm_ising_loops_, )};
    return lm_bits_open(spec, lanes[device], (lm_bits_plan **)plan);
}

static void set_threads(void *plan, int threads)
{
    ((lm_bits_plan *)plan)->threads = threads;
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_bits_plan *p = plan;
    return lm_ising_rules_put(&p->spec, &p->words, parameters, &p->rules);
}

static latmc_status put_slots(void *plan, const lm_parameters *parameters)
{
    lm_ising_rules_put_slots(parameters, &((lm_bits_plan *)plan)->rules);
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
    (void)counts; /* it does so in every sweep */
    const int64_t replicas = p->words.groups * p->words.pack;
    lm_bits_make_rule(p, update);
    for (int64_t i = 1; i <= replicas; i++)
        p->counts[i * (p->spec.dims + 2) - 1] = 0;
    return LATMC_OK;
}

static latmc_status update(void *plan, int update, int64_t step, int colour, lm_part part)
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

static const lm_slab_ops slabs = {
    .phases = phases,
    .halo_bytes = lm_bits_halo_bytes,
    .begin = begin,
    .update = update,
    .pack = lm_bits_pack,
    .unpack = lm_bits_unpack,
    .connect = lm_bits_connect,
};

static const lm_plan_ops ops = {
    .close = lm_bits_close,
    .set_threads = set_threads,
    .put_bonds = lm_bits_put_bonds,
    .put_parameters = put_parameters,
    .put_slots = put_slots,
    .start = lm_bits_start,
    .put_sites = lm_bits_put_sites,
    .get_sites = lm_bits_get_sites,
    .run = lm_bits_run,
    .pair_groups = 1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_LINKS,
    .pairs = lm_bits_pairs,
    .pair_planes = lm_bits_pair_planes,
    .slabs = &slabs,
};

const lm_backend_model lm_cpu_ising = {
    .model = LATMC_ISING, .kept = LM_IN_WORDS, .ops = &ops, .open = open_ising};
