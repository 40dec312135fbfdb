/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the Potts model of few states, in words, on GPUs. */

#include "backends/cuda/bits/plan.h"
#include "backends/cuda/bits/potts_words.h"
#include "backends/cuda/cuda.h"
#include "backends/potts_rules.h"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_words_shape.h"

enum { ANY, PLAIN, BATH, BLOCKS, SMALL, KERNELS };

/* Rates of the whole device, in sites per ns, and the least time of a group, in ns. */
static const double plain_rate = 800.0, field_rate = 500.0, plain_group_ns = 13.0;
static const double bath_rate = 400.0, bath_group_ns = 45.0;
/* Times of blocks were measured on an H200, and those of small lattices by other rules on an H100.
 * The heat bath was measured on an H200. */
static const lm_walk_times blocks_times = {1100.0, 150.0, 232.0};
static const lm_walk_times small_times = {1300.0, 310.0, 310.0};
static const lm_walk_times small_field_times = {1300.0, 450.0, 450.0};
static const lm_walk_times small_bath_times = {2800.0, 1400.0, 690.0};

static cudaError_t sweep_any(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_potts);
}

static int plain_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return update != LM_POTTS_HEATBATH && lm_potts_plain_serves(&p->view) &&
           lm_rules_are_even(&p->rules, update);
}

/* Says whether multiples of the coupling are exact. Up to four states the coupling is added bond
 * by bond, axis by axis, where the kernel takes a multiple. Both are the same if no multiple is
 * rounded. */
static int is_exact(const lm_cuda_bits_plan *p)
{
    const float coupling = (float)p->rules.coupling[0];
    for (int k = 1; k <= 2 * p->spec.dims; k++)
        if ((double)(float)((double)coupling * k) != (double)coupling * k)
            return 0;
    return !lm_rules_have_field(&p->rules);
}

static int bath_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return update == LM_POTTS_HEATBATH && lm_potts_bath_serves(&p->view) &&
           lm_rules_are_even(&p->rules, update) && (p->spec.states > 4 || is_exact(p));
}

static double plain_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    (void)job;
    return lm_cuda_bits_colours_cost(p, lm_rules_have_field(&p->rules) ? field_rate : plain_rate,
                                     plain_group_ns);
}

static double bath_cost(const void *plan, const lm_job *job)
{
    (void)job;
    return lm_cuda_bits_colours_cost(plan, bath_rate, bath_group_ns);
}

static cudaError_t sweep_plain(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_potts_plain);
}

static cudaError_t sweep_bath(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_potts_bath);
}

static int blocks_serve(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return lm_potts_blocks_serve(&p->view) && plain_serves(plan, update) &&
           !lm_rules_have_field(&p->rules);
}

static double blocks_cost(const void *plan, const lm_job *job)
{
    return lm_cuda_bits_walk_cost(plan, job, &blocks_times);
}

static cudaError_t sweep_in_blocks(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_walk_sweeps(plan, job, count, sums, lm_launch_potts_blocks);
}

static cudaError_t record_in_blocks(void *plan, const lm_job *job, int64_t records,
                                    unsigned bundles, void *sums)
{
    return lm_cuda_bits_walk_records(plan, job, records, bundles, sums, lm_launch_potts_blocks);
}

/* Says whether the update serves small lattices, by the rules for which blocks have no kernel. */
static int small_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return update == LM_POTTS_HEATBATH
               ? lm_potts_small_bath_serves(&p->view) && bath_serves(plan, update)
               : plain_serves(plan, update) &&
                     lm_potts_small_serves(&p->view, lm_rules_have_field(&p->rules));
}

static double small_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    if (job->update == LM_POTTS_HEATBATH)
        return lm_cuda_bits_walk_cost(plan, job, &small_bath_times);
    return lm_cuda_bits_walk_cost(
        plan, job, lm_rules_have_field(&p->rules) ? &small_field_times : &small_times);
}

static cudaError_t launch_small(const lm_bits_view *v, const lm_walk *w, cudaStream_t stream)
{
    return w->update == LM_POTTS_HEATBATH ? lm_launch_potts_small_bath(v, w, stream)
                                          : lm_launch_potts_small(v, w, stream);
}

static cudaError_t sweep_small(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_walk_sweeps(plan, job, count, sums, launch_small);
}

static cudaError_t record_small(void *plan, const lm_job *job, int64_t records, unsigned bundles,
                                void *sums)
{
    return lm_cuda_bits_walk_records(plan, job, records, bundles, sums, launch_small);
}

static const lm_cuda_kernel kernels[KERNELS] = {
    [ANY] = {.name = "potts words", .sweep = sweep_any},
    [PLAIN] = {.name = "potts plain", plain_serves, plain_cost, sweep_plain},
    [BATH] = {.name = "potts bath", bath_serves, bath_cost, sweep_bath},
    [BLOCKS] =
        {.name = "potts blocks", blocks_serve, blocks_cost, sweep_in_blocks, record_in_blocks},
    [SMALL] = {.name = "potts small", small_serves, small_cost, sweep_small, record_small},
};

const lm_cuda_kernels lm_cuda_potts_words_kernels = {kernels, KERNELS};

/* ---- the row, and what the engine asks of the model */

static cudaError_t measure(const lm_bits_view *v, unsigned bundles, cudaStream_t stream)
{
    return lm_potts_plain_measures(v) ? lm_launch_potts_plain_measure(v, bundles, stream)
                                      : lm_launch_potts_measure(v, bundles, stream);
}

static const lm_cuda_bits_rows rows[KERNELS] = {[ANY] = {.launch = lm_launch_potts},
                                                [PLAIN] = {.launch = lm_launch_potts_plain},
                                                [BATH] = {.launch = lm_launch_potts_bath}};

static const lm_cuda_bits_model model = {.kernels = &lm_cuda_potts_words_kernels,
                                         .rows = rows,
                                         .common = &lm_potts_words_model,
                                         .start = lm_launch_potts_start,
                                         .measure = measure,
                                         .exchange = lm_exchange_potts_words};

const lm_backend_model lm_cuda_potts_words = {.model = LATMC_POTTS,
                                              .kept = LM_IN_WORDS,
                                              .ops = &lm_cuda_bits_ops,
                                              .engine = &model,
                                              .open = lm_cuda_bits_open};
