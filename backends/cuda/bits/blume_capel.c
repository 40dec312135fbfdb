/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the Blume-Capel model on GPUs. */
#include "backends/blume_capel_rules.h"
#include "backends/cuda/bits/blume_capel.h"
#include "backends/cuda/bits/plan.h"
#include "backends/cuda/cuda.h"
#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/blume_capel_shape.h"

enum { ANY, PLAIN, SMALL, KERNELS };

/* Rates of the whole device, in sites per ns, and the least time of a group, in ns. */
static const double plain_rate = 800.0, field_rate = 500.0, plain_group_ns = 17.0;
/* Times of small lattices were measured on an H200, and in a field on an H100. */
static const lm_walk_times small_times = {1370.0, 100.0, 260.0};
static const lm_walk_times small_field_times = {1000.0, 440.0, 440.0};

static cudaError_t sweep_any(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_blume_capel);
}

static int plain_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return update == LM_BLUME_CAPEL_METROPOLIS && lm_blume_capel_plain_serves(&p->view) &&
           lm_rules_are_even(&p->rules, update);
}

static double plain_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    (void)job;
    return lm_cuda_bits_colours_cost(p, lm_rules_have_field(&p->rules) ? field_rate : plain_rate,
                                     plain_group_ns);
}

static cudaError_t sweep_plain(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums,
                                   lm_launch_blume_capel_plain);
}

static int small_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return lm_blume_capel_small_serves(&p->view) && plain_serves(plan, update);
}

static double small_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    return lm_cuda_bits_walk_cost(
        plan, job, lm_rules_have_field(&p->rules) ? &small_field_times : &small_times);
}

static cudaError_t sweep_small(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_walk_sweeps(plan, job, count, sums, lm_launch_blume_capel_small);
}

static cudaError_t record_small(void *plan, const lm_job *job, int64_t records, unsigned bundles,
                                void *sums)
{
    return lm_cuda_bits_walk_records(plan, job, records, bundles, sums,
                                     lm_launch_blume_capel_small);
}

static const lm_cuda_kernel kernels[KERNELS] = {
    [ANY] = {.name = "blume-capel", .sweep = sweep_any},
    [PLAIN] = {.name = "blume-capel plain", plain_serves, plain_cost, sweep_plain},
    [SMALL] = {.name = "blume-capel small", small_serves, small_cost, sweep_small, record_small},
};

const lm_cuda_kernels lm_cuda_blume_capel_kernels = {kernels, KERNELS};

/* ---- the row, and what the engine asks of the model */

static const lm_cuda_bits_rows rows[KERNELS] = {
    [ANY] = {.launch = lm_launch_blume_capel}, [PLAIN] = {.launch = lm_launch_blume_capel_plain}};

static const lm_cuda_bits_model model = {.kernels = &lm_cuda_blume_capel_kernels,
                                         .rows = rows,
                                         .common = &lm_blume_capel_words_model,
                                         .start = lm_launch_blume_capel_start,
                                         .measure = lm_launch_blume_capel_measure,
                                         .exchange = lm_exchange_blume_capel};

const lm_backend_model lm_cuda_blume_capel = {.model = LATMC_BLUME_CAPEL,
                                              .kept = LM_IN_WORDS,
                                              .ops = &lm_cuda_bits_ops,
                                              .engine = &model,
                                              .open = lm_cuda_bits_open};
