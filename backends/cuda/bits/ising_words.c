/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses between the Ising model's kernels on GPUs. */
#include <math.h>

#include "backends/cuda/bits/counts.h"
#include "backends/cuda/bits/ising_words.h"
#include "backends/cuda/bits/plan.h"
#include "backends/cuda/cuda.h"
#include "backends/ising_rules.h"
#include "lib/physics/pair_sums.h"

/* ---- kernels */

enum {
    GENERAL,
    LARGE,
    LINES,
    RULED,
    NATURAL,
    NATURAL_UNIFORM,
    PERSISTENT,
    ALONE,
    RESIDENT,
    KERNELS
};

/* Figures of an H200 (doc/performance.md): the least time of the persistent kernel's barriers,
 * in ns, and a rate of the whole device, in spins per ns. */
static const double barriers_ns = 2000.0, device_rate = 3000.0;

/* These are the times of blocks that draw for themselves, in two dimensions. Each further dimension
 * adds to the time of a warp. The general rule takes longer by a factor. */
static const lm_walk_times alone_times = {750.0, 132.0, 140.0};
static const double alone_dim_ns = 28.0, alone_general = 1.3;

/* The whole device draws the outcomes of a block's warp ahead in this time for a colour, in two
 * dimensions, in ns. Each further dimension adds to it. Outcomes take longer where blocks of many
 * warps walk beside. */
static const double outcome_ns = 0.46, outcome_dim_ns = 0.077, outcome_crowded = 1.3;

/* The large kernel has room for three blocks on each multiprocessor. Below this share of them,
 * more blocks of fewer words are faster: by 27 % at 0.65. At 0.97 they are 5 % slower. */
static const double full = 0.8;

/* The least time of a sweep of one group of the large kernel, whose blocks begin one after another,
 * and a rate at which it grows with the group's spins: 21 ns from 8^2 to 64^2, 33 ns with 32^3 on
 * an H200. */
static const double large_group_ns = 20.0, large_group_rate = 5000.0;

static double spins_of(const lm_bits_view *v)
{
    return 64.0 * (double)v->rows * v->width; /* a group has as many sites as its words have bits */
}

static cudaError_t sweep_general(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_ising_update);
}

static int large_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return p->rules.uniform[update] && lm_ising_large_serves(&p->view);
}

static double large_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    (void)job;
    return lm_cuda_bits_colours_cost(p, device_rate,
                                     large_group_ns + spins_of(&p->view) / large_group_rate);
}

static cudaError_t sweep_large(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, LM_UNIFORM_RULE, job, count, sums, lm_launch_ising_large);
}

static int lines_serve(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return p->rules.uniform[update] && lm_ising_lines_serve(&p->view);
}

/* Returns the cost of lines. The large kernel needs fewer instructions where its blocks fill the
 * device. */
static double lines_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    const double brick_blocks = p->view.groups * spins_of(&p->view) / (2.0 * 8 * 32 * 256);
    return brick_blocks < full * 3 * p->head.processors ? 0.8 * large_cost(plan, job) : HUGE_VAL;
}

static cudaError_t sweep_lines(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, LM_UNIFORM_RULE, job, count, sums, lm_launch_ising_lines);
}

static int ruled_serves(const void *plan, int update)
{
    return lm_ising_ruled_serves(&((const lm_cuda_bits_plan *)plan)->view, update);
}

/* Returns the cost of the general rule's kernel. The other kernels come first where they serve. */
static double ruled_cost(const void *plan, const lm_job *job)
{
    return 2 * large_cost(plan, job);
}

static cudaError_t sweep_ruled(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_ising_ruled);
}

static int natural_serves(const void *plan, int update)
{
    return lm_ising_natural_serves(&((const lm_cuda_bits_plan *)plan)->view, update);
}

static cudaError_t sweep_natural(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, job->update, job, count, sums, lm_launch_ising_natural);
}

static int natural_uniform_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return p->rules.uniform[update] && lm_ising_natural_uniform_serves(&p->view);
}

/* Returns a cost below the natural kernel's. */
static double natural_uniform_cost(const void *plan, const lm_job *job)
{
    return 0.8 * ruled_cost(plan, job);
}

static cudaError_t sweep_natural_uniform(void *plan, const lm_job *job, int count, void *sums)
{
    return lm_cuda_bits_by_colours(plan, LM_UNIFORM_RULE, job, count, sums,
                                   lm_launch_ising_natural_uniform);
}

static int persistent_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return p->rules.uniform[update] && p->tagged &&
           lm_ising_persistent_serves(&p->view, p->head.device);
}

static double persistent_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    return LM_CUDA_LAUNCH_NS / (double)job->sweeps + barriers_ns + spins_of(&p->view) / device_rate;
}

/* The most sweeps of a persistent launch. Half sweeps are numbered on from launch to launch, in
 * 32 bits. The numbers that words still have from before must not come again while they are
 * there. */
enum { MOST_PERSISTENT = 1 << 20 };

static cudaError_t persist(lm_cuda_bits_plan *p, const lm_job *job, int count, lm_count *sums)
{
    const uint64_t numbers = 2 * (uint64_t)job->sweeps + 1;
    cudaError_t e = lm_cuda_bits_send_table(p, LM_UNIFORM_RULE);
    lm_bits_view v = p->view;
    v.counts = sums;
    if (e == cudaSuccess && p->tags + numbers + 1 > UINT32_MAX) {
        e = cudaMemsetAsync(p->tagged, 0, 2 * (size_t)v.rows * v.width * sizeof *p->tagged,
                            p->head.stream);
        p->tags = 0;
    }
    if (e == cudaSuccess)
        e = lm_launch_ising_persistent(&v, p->head.device, (uint64_t)job->first_sweep, job->sweeps,
                                       count, p->tagged, (uint32_t)p->tags + 1, p->head.stream);
    p->tags += numbers;
    return e;
}

static cudaError_t sweep_persistent(void *plan, const lm_job *job, int count, void *sums)
{
    lm_cuda_bits_plan *p = plan;
    cudaError_t e = cudaSuccess;
    lm_job rest = *job;
    while (e == cudaSuccess && rest.sweeps > 0) {
        lm_job next = rest;
        next.sweeps = rest.sweeps < MOST_PERSISTENT ? rest.sweeps : MOST_PERSISTENT;
        rest.first_sweep += next.sweeps;
        rest.sweeps -= next.sweeps;
        e = persist(p, &next, count && rest.sweeps == 0, sums);
    }
    return e;
}

static int alone_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return lm_ising_alone_serves(&p->view, update, p->rules.uniform[update]);
}

static double alone_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    const double rule = p->rules.uniform[job->update] ? 1.0 : alone_general;
    const double warp = alone_times.warp + alone_dim_ns * (p->view.dims - 2);
    return lm_cuda_bits_walk_cost(
        p, job,
        &(lm_walk_times){rule * alone_times.block, rule * alone_times.block_warp, rule * warp});
}

static cudaError_t walk_alone(lm_cuda_bits_plan *p, const lm_walk *w, lm_count *sums)
{
    const int uniform = p->rules.uniform[w->update];
    const int table = uniform ? LM_UNIFORM_RULE : w->update;
    const cudaError_t e = lm_cuda_bits_send_table(p, table);
    lm_bits_view v = p->view;
    v.counts = sums;
    v.by_spin = p->rules.tables[table].by_spin;
    return e == cudaSuccess ? lm_launch_ising_alone(&v, w, uniform, p->head.stream) : e;
}

static cudaError_t sweep_alone(void *plan, const lm_job *job, int count, void *sums)
{
    const lm_walk w = lm_walk_of(job, count);
    return walk_alone(plan, &w, sums);
}

static cudaError_t record_alone(void *plan, const lm_job *job, int64_t records, unsigned bundles,
                                void *sums)
{
    const lm_walk w = lm_cuda_bits_walk_and_measure(plan, job, records, bundles);
    return walk_alone(plan, &w, sums);
}

static int resident_serves(const void *plan, int update)
{
    const lm_cuda_bits_plan *p = plan;
    return p->rules.uniform[update] && p->ahead_blocks;
}

/* Returns the cost of walking with drawers. Both work at the same time. A block's outcomes take as
 * long as those of one more warp. */
static double resident_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_bits_plan *p = plan;
    const double warps = (double)p->view.rows * p->view.width / 32.0;
    const double turns = ceil((double)p->view.groups / p->head.processors);
    const double walk = turns * (LM_WALK_NS + LM_WALK_WARP_NS * warps);
    const double each = outcome_ns + outcome_dim_ns * (p->view.dims - 2);
    const int crowded = warps >= 8.0 && p->view.groups * warps > 12.0 * p->head.processors;
    const double draw = 2 * p->view.groups * (warps + 1.0) * each;
    return LM_CUDA_LAUNCH_NS / (double)job->sweeps +
           fmax(walk, crowded ? outcome_crowded * draw : draw);
}

static cudaError_t walk_resident(lm_cuda_bits_plan *p, const lm_walk *w, lm_count *sums)
{
    void *const outcomes = (lm_count *)p->ahead + LM_AHEAD_COUNTERS;
    const cudaError_t e = lm_cuda_bits_send_table(p, LM_UNIFORM_RULE);
    lm_bits_view v = p->view;
    v.counts = sums;
    return e == cudaSuccess ? lm_launch_ising_resident(&v, p->ahead_blocks, w, outcomes, p->ahead,
                                                       p->head.stream)
                            : e;
}

static cudaError_t sweep_resident(void *plan, const lm_job *job, int count, void *sums)
{
    const lm_walk w = lm_walk_of(job, count);
    return walk_resident(plan, &w, sums);
}

static cudaError_t record_resident(void *plan, const lm_job *job, int64_t records, unsigned bundles,
                                   void *sums)
{
    const lm_walk w = lm_cuda_bits_walk_and_measure(plan, job, records, bundles);
    return walk_resident(plan, &w, sums);
}

static const lm_cuda_kernel kernels[KERNELS] = {
    [GENERAL] = {.name = "general", .sweep = sweep_general},
    [LARGE] = {.name = "large", large_serves, large_cost, sweep_large},
    [LINES] = {.name = "lines", lines_serve, lines_cost, sweep_lines},
    [RULED] = {.name = "ruled", ruled_serves, ruled_cost, sweep_ruled},
    [NATURAL] = {.name = "natural", natural_serves, ruled_cost, sweep_natural},
    [NATURAL_UNIFORM] = {.name = "uniform natural",
                         natural_uniform_serves,
                         natural_uniform_cost,
                         sweep_natural_uniform},
    [PERSISTENT] = {.name = "persistent", persistent_serves, persistent_cost, sweep_persistent},
    [ALONE] = {.name = "alone", alone_serves, alone_cost, sweep_alone, record_alone},
    [RESIDENT] =
        {.name = "resident", resident_serves, resident_cost, sweep_resident, record_resident},
};

_Static_assert((int)KERNELS <= (int)LM_CUDA_MAX_KERNELS, "sweeps of each are counted");

const lm_cuda_kernels lm_cuda_ising_words_kernels = {kernels, KERNELS};

/* ---- the row, and what the engine asks of the model */

static cudaError_t measure(const lm_bits_view *v, unsigned bundles, cudaStream_t stream)
{
    return lm_ising_large_measures(v) ? lm_launch_ising_large_measure(v, bundles, stream)
                                      : lm_launch_ising_measure(v, bundles, stream);
}

/* The kernel's counters are before its outcomes. */
static size_t ahead_bytes(const lm_bits_view *v)
{
    const size_t outcomes = lm_ising_resident_bytes(v);
    return outcomes ? LM_AHEAD_COUNTERS * sizeof(lm_count) + outcomes : 0;
}

static const lm_cuda_bits_rows rows[KERNELS] = {
    [GENERAL] = {.launch = lm_launch_ising_update},
    [LARGE] = {lm_launch_ising_large, .uniform = 1},
    [LINES] = {lm_launch_ising_lines, .uniform = 1},
    [RULED] = {.launch = lm_launch_ising_ruled},
    [NATURAL] = {.launch = lm_launch_ising_natural},
    [NATURAL_UNIFORM] = {lm_launch_ising_natural_uniform, .uniform = 1}};

static const lm_cuda_bits_model model = {.kernels = &lm_cuda_ising_words_kernels,
                                         .rows = rows,
                                         .common = &lm_ising_words_model,
                                         .start = lm_launch_ising_start,
                                         .measure = measure,
                                         .counts_up = LM_ISING_SPINS_BUNDLE,
                                         .exchange = lm_exchange_ising_words,
                                         .ahead = ahead_bytes,
                                         .ahead_blocks = lm_ising_resident_blocks,
                                         .tags = 1};

static const lm_plan_ops ops = {
    LM_CUDA_BITS_OPS,
    .pair_bundles = 1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_LINKS,
    .pairs = lm_cuda_bits_pairs,
    .queue_measurement = lm_cuda_bits_queue_measurement,
    .most_planes = LM_MAX_PLANES,
    .pair_planes = lm_cuda_bits_pair_planes,
    .spin_planes = lm_cuda_bits_spin_planes,
};

const lm_backend_model lm_cuda_ising_words = {.model = LATMC_ISING,
                                              .kept = LM_IN_WORDS,
                                              .ops = &ops,
                                              .most_sites = LM_CUDA_BITS_SITES,
                                              .engine = &model,
                                              .open = lm_cuda_bits_open};
