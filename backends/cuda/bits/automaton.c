/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs cellular automata on GPUs: memory, generations, measurements, slabs. */
#include <stdlib.h>

#include "backends/cuda/bits/automaton_plan.h"
#include "backends/cuda/bits/counts.h"
#include "backends/cuda/cuda.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"

/* The most words: words of a row, and quads of rows, are counted in 32 bits. */
#define MOST_WORDS ((int64_t)1 << 31)

static int64_t sums_of(const lm_cuda_automaton_plan *p)
{
    return p->spec.replicas * LM_AUTOMATON_BUNDLES;
}

/* ---- memory */

static void close_plan(void *plan)
{
    lm_cuda_automaton_plan *p = plan;
    lm_cuda_end(&p->head);
    free(p->noise);
    free(p);
}

static void make_view(lm_cuda_automaton_plan *p)
{
    const int64_t words = lm_automaton_words(p->spec.extents[0]);
    lm_automaton_view *v = &p->view;
    v->rows = p->spec.layers;
    v->first_row = p->spec.first_layer;
    v->words = (uint32_t)words;
    v->stride = (uint32_t)((words + LM_AUTOMATON_QUAD - 1) / LM_AUTOMATON_QUAD * LM_AUTOMATON_QUAD);
    v->replica_stride = (v->rows + 2) * v->stride;
    v->extent = p->spec.extents[0];
    v->wraps = p->spec.layers == p->spec.extents[1] && p->spec.boundaries[1] == LATMC_PERIODIC;
    v->joined = p->spec.boundaries[0] == LATMC_PERIODIC;
    v->rule = lm_automaton_rule_of(p->spec.options);
    v->keys = lm_keys_of(p->spec.seed, (uint64_t)p->spec.first_replica);
    v->first_replica = lm_group_low(p->spec.first_replica);
    v->replicas = (uint32_t)p->spec.replicas;
}

static latmc_status make_memory(lm_cuda_automaton_plan *p)
{
    const size_t replicas = (size_t)p->spec.replicas;
    const size_t buffer = replicas * (size_t)p->view.replica_stride * sizeof(uint32_t);
    const lm_cuda_allocation allocations[] = {
        {(void **)&p->memory[0], buffer},
        {(void **)&p->memory[1], buffer},
        {(void **)&p->threshold, replicas * sizeof *p->threshold},
        {(void **)&p->changed, (size_t)sums_of(p) * sizeof *p->changed},
    };
    p->noise = lm_zeroed(NULL, "the noise of all replicas", p->spec.replicas, sizeof *p->noise);
    if (!p->noise)
        return LATMC_ERROR_MEMORY;
    const latmc_status status =
        lm_cuda_begin(&p->head, allocations, (int)(sizeof allocations / sizeof allocations[0]));
    p->view.threshold = p->threshold;
    return status;
}

static latmc_status open_plan(const lm_spec *spec, const void *engine, int device, void **plan)
{
    (void)engine;
    if (lm_automaton_words(spec->extents[0]) > MOST_WORDS)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "the first axis has %lld cells; on a GPU a row has at most %lld",
                       (long long)spec->extents[0], 32 * (long long)MOST_WORDS);
    lm_cuda_automaton_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->head.kernels = &lm_cuda_automaton_kernels;
    p->head.device = device;
    p->head.sketch = spec->sketch;
    p->spec = *spec;
    make_view(p);
    const latmc_status status = make_memory(p);
    if (status)
        close_plan(p);
    else
        *plan = p;
    return status;
}

static void take_noise(lm_cuda_automaton_plan *p, const lm_parameters *parameters)
{
    p->view.noisy = 0;
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        p->noise[r] = lm_automaton_threshold(lm_parameters_of(parameters, r)[LM_AUTOMATON_NOISE]);
        p->view.noisy |= p->noise[r] != 0;
    }
}

static latmc_status sketch(void *plan, const lm_parameters *parameters, int update, lm_sketch *to)
{
    lm_cuda_automaton_plan *p = plan;
    const int whole = p->spec.layers == p->spec.extents[1];
    take_noise(p, parameters);
    to->kernel = lm_cuda_likely(p, update, whole ? LM_CUDA_TYPICAL_SWEEPS : 1);
    to->host_bytes = (int64_t)(sizeof *p + (size_t)p->spec.replicas * sizeof *p->noise);
    to->device_bytes = (int64_t)p->head.bytes;
    return LATMC_OK;
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_cuda_automaton_plan *p = plan;
    const int64_t replicas = p->spec.replicas;
    take_noise(p, parameters);
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(
        p->head.device,
        lm_cuda_send(&p->head, p->threshold, p->noise, (size_t)replicas * sizeof *p->noise),
        "to take the noise");
}

/* ---- generations and measurements */

/* Makes the job's sweeps from number `from` on. */
static cudaError_t sweep_from(lm_cuda_automaton_plan *p, const lm_job *job, int64_t from, int count,
                              void *sums)
{
    cudaError_t e = cudaSuccess;
    for (int64_t i = from; e == cudaSuccess && i < job->sweeps; i++) {
        const int counts = count && i == job->sweeps - 1;
        const lm_automaton_view v = lm_cuda_automaton_from(p, p->present, counts ? sums : NULL);
        e = lm_launch_generation(&v, (uint64_t)(job->first_sweep + i), 0, v.rows, p->head.stream);
        p->present = 1 - p->present;
    }
    return e;
}

static cudaError_t sweep(void *plan, const lm_job *job, int count, void *sums)
{
    return sweep_from(plan, job, 0, count, sums);
}

/* Returns the time of a launch and of its cells, which depends on noise. */
static double generation_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_automaton_plan *p = plan;
    const double words = (double)p->spec.replicas * (double)p->view.rows * p->view.words;
    (void)job;
    return LM_CUDA_LAUNCH_NS + 32.0 * words / (p->view.noisy ? 1450.0 : 6500.0);
}

static int is_whole(const lm_cuda_automaton_plan *p)
{
    return p->spec.layers == p->spec.extents[1];
}

static int tiles_serve(const void *plan, int update)
{
    const lm_cuda_automaton_plan *p = plan;
    (void)update;
    return is_whole(p) && lm_tiles_serve(&p->view);
}

static double tiles_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_automaton_plan *p = plan;
    return lm_tiles_ns(&p->view, job->sweeps, p->head.processors);
}

/* Makes all sweeps by tiles, except a last one that counts. */
static cudaError_t sweep_tiles(void *plan, const lm_job *job, int count, void *sums)
{
    lm_cuda_automaton_plan *p = plan;
    cudaError_t e = cudaSuccess;
    int64_t done = 0, made = 0, all = job->sweeps - (count != 0);
    for (; e == cudaSuccess && done < all; done += made) {
        const lm_automaton_view v = lm_cuda_automaton_from(p, p->present, NULL);
        e = lm_launch_tiles(&v, all - done, p->head.processors, &made, p->head.stream);
        p->present = 1 - p->present;
    }
    return e == cudaSuccess ? sweep_from(p, job, all, count, sums) : e;
}

static int blocks_serve(const void *plan, int update)
{
    const lm_cuda_automaton_plan *p = plan;
    (void)update;
    return is_whole(p) && lm_automaton_blocks_serve(&p->view);
}

/* Returns the time by the words that a multiprocessor has. */
static double blocks_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_automaton_plan *p = plan;
    const double turns = (double)p->spec.replicas / p->head.processors;
    const double words = (double)p->view.rows * p->view.words * (turns < 1.0 ? 1.0 : turns);
    return LM_CUDA_LAUNCH_NS / (double)job->sweeps + 100.0 + words * (p->view.noisy ? 1.2 : 0.2);
}

static cudaError_t walk(lm_cuda_automaton_plan *p, const lm_walk *w, void *sums)
{
    const lm_automaton_view v = lm_cuda_automaton_from(p, p->present, sums);
    p->head.fresh = 1;
    p->present = 1 - p->present;
    return lm_launch_automaton_blocks(&v, w, p->head.stream);
}

static cudaError_t sweep_in_blocks(void *plan, const lm_job *job, int count, void *sums)
{
    const lm_walk w = lm_walk_of(job, count);
    return walk(plan, &w, sums);
}

static cudaError_t record_in_blocks(void *plan, const lm_job *job, int64_t records,
                                    unsigned bundles, void *sums)
{
    const lm_walk w = lm_walk_of_records(job, records, bundles & 1u << LM_AUTOMATON_LIVING,
                                         bundles >> LM_AUTOMATON_CHANGES & 1);
    return walk(plan, &w, sums);
}

static const lm_cuda_kernel kernels[] = {
    {.name = "generation", .cost = generation_cost, .sweep = sweep},
    {.name = "tiles of cells", tiles_serve, tiles_cost, .sweep = sweep_tiles},
    {.name = "blocks of cells", blocks_serve, blocks_cost, sweep_in_blocks, record_in_blocks}};
const lm_cuda_kernels lm_cuda_automaton_kernels = {kernels, sizeof kernels / sizeof kernels[0]};

static cudaError_t measure(void *plan, unsigned bundles, lm_count *counts)
{
    lm_cuda_automaton_plan *p = plan;
    if (!(bundles >> LM_AUTOMATON_LIVING & 1))
        return cudaSuccess;
    const lm_automaton_view v = lm_cuda_automaton_from(p, p->present, counts);
    return lm_launch_living(&v, p->head.stream);
}

static cudaError_t queue_records(void *plan, const lm_cuda_series *s, void *device)
{
    lm_cuda_automaton_plan *p = plan;
    const lm_counts counts = {.spec = &p->spec,
                              .replicas = p->spec.replicas,
                              .sums = LM_AUTOMATON_BUNDLES,
                              .changed = p->changed,
                              .measure = measure};
    p->head.fresh = 1; /* before the first sweep, counts are set to 0 */
    const cudaError_t e = lm_counts_queue(p, &counts, s, device);
    p->head.fresh = 1;
    return e;
}

static cudaError_t clear_changes(lm_cuda_automaton_plan *p)
{
    p->head.fresh = 1;
    return cudaMemsetAsync(p->changed, 0, (size_t)sums_of(p) * sizeof *p->changed, p->head.stream);
}

static cudaError_t queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor from,
                                int64_t sweeps)
{
    lm_cuda_automaton_plan *p = plan;
    const cudaError_t e = clear_changes(p);
    return e == cudaSuccess ? lm_cuda_queue_sweeps(p, schedule, &from, sweeps, 1, p->changed) : e;
}

static void report(const void *plan, unsigned bundles, const void *record, double *sums)
{
    const lm_cuda_automaton_plan *p = plan;
    const lm_count *from = record;
    for (int64_t i = 0; i < sums_of(p); i++)
        if (bundles >> i % LM_AUTOMATON_BUNDLES & 1)
            sums[i] = (double)from[i];
}

static lm_cuda_family family_of(const lm_cuda_automaton_plan *p)
{
    return (lm_cuda_family){.record_bytes = (size_t)sums_of(p) * sizeof(lm_count),
                            .spec = &p->spec,
                            .sweep = queue_sweeps,
                            .queue = queue_records,
                            .report = report};
}

static latmc_status prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                            const lm_measure *out)
{
    const lm_cuda_family family = family_of(plan);
    (void)schedule;
    return lm_cuda_prepare(plan, &family, budget, out);
}

static latmc_status run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_measure *out)
{
    const lm_cuda_family family = family_of(plan);
    return lm_cuda_run(plan, &family, schedule, cursor, budget, out);
}

/* ---- slabs */

static int phases(const void *plan, int update)
{
    (void)plan;
    (void)update;
    return 1;
}

static latmc_status begin(void *plan, int update, int counts)
{
    lm_cuda_automaton_plan *p = plan;
    (void)update;
    p->updated = 0;
    p->counting = counts;
    if (!counts)
        return LATMC_OK;
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(p->head.device, clear_changes(p), "to begin a sweep");
}

static cudaError_t update_rows(lm_cuda_automaton_plan *p, int64_t step, int64_t first, int64_t last)
{
    if (first >= last)
        return cudaSuccess;
    const lm_automaton_view v =
        lm_cuda_automaton_from(p, p->present, p->counting ? p->changed : NULL);
    return lm_launch_generation(&v, (uint64_t)step, first, last, p->head.stream);
}

/* Updates a part. The next generation becomes the present one when all of its parts are there. */
static latmc_status update_phase(void *plan, int update, int64_t step, int phase, lm_part part)
{
    lm_cuda_automaton_plan *p = plan;
    const int64_t rows = p->view.rows;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = cudaSuccess;
    (void)update;
    (void)phase;
    if (part & LM_BOUNDARY) {
        lm_cuda_ferry_leaves(&p->head);
        e = update_rows(p, step, 0, 1);
    }
    if (e == cudaSuccess && part & LM_BOUNDARY && rows > 1)
        e = update_rows(p, step, rows - 1, rows);
    if (e == cudaSuccess && part & LM_BULK)
        e = update_rows(p, step, 1, rows - 1);
    p->updated |= (int)part;
    if (p->updated == LM_WHOLE) {
        p->present = 1 - p->present;
        p->updated = 0;
    }
    return lm_cuda_failed(p->head.device, e, "to make a generation");
}

static const lm_slab_ops slabs = {
    .phases = phases,
    .halo_bytes = lm_cuda_automaton_halo_bytes,
    .begin = begin,
    .update = update_phase,
    .pack = lm_cuda_automaton_pack,
    .packed = lm_cuda_packed,
    .take_buffer = lm_cuda_take_buffer,
    .give_buffer = lm_cuda_give_buffer,
    .unpack = lm_cuda_automaton_unpack,
};

static const lm_plan_ops ops = {
    .close = close_plan,
    .put_parameters = put_parameters,
    .sketch = sketch,
    .start = lm_cuda_automaton_start,
    .put_sites = lm_cuda_automaton_put_sites,
    .get_sites = lm_cuda_automaton_get_sites,
    .crosses = lm_cuda_automaton_crosses,
    .cross = lm_cuda_automaton_cross,
    .copy = lm_cuda_automaton_copy,
    .run = run,
    .prepare = prepare,
    .wait = lm_cuda_wait,
    .streams = 1,
    .slabs = &slabs,
};

const lm_backend_model lm_cuda_automaton = {
    .model = LATMC_AUTOMATON, .kept = LM_IN_WORDS, .ops = &ops, .open = open_plan};
