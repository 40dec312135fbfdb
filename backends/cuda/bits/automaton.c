/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs cellular automata on GPUs: memory, cells in and out, generations, measurements, slabs. */
#include "backends/cuda/bits/automaton.h"

#include <stdlib.h>

#include "backends/cuda/cuda.h"
#include "backends/cuda/plan.h"
#include "backends/cuda/series.h"
#include "lib/base/cells.h"
#include "lib/base/memory.h"
#include "lib/divide/slabs.h"
#include "lib/base/status.h"

/* The most words: words of a row, and quads of rows, are counted in 32 bits. */
#define MOST_WORDS ((int64_t)1 << 31)

typedef struct lm_cuda_cells_plan {
    lm_cuda_head head;
    lm_spec spec;
    lm_cells_view view;      /* its buffers, counts and noise are set for the next launch */
    uint32_t *memory[2];     /* device: two buffers with ghost rows */
    int present;             /* the buffer that has the cells */
    int updated;             /* slab: parts of the next generation that the other buffer has */
    int counting;            /* slab: 1: their changes are counted */
    uint64_t *threshold;     /* device: [replica] */
    uint64_t *noise;         /* host: [replica] */
    lm_cells_count *changed; /* device: changes of the last sweep that counted */
} lm_cuda_cells_plan;

static int64_t sums_of(const lm_cuda_cells_plan *p)
{
    return p->spec.replicas * LM_AUTOMATON_BUNDLES;
}

/* Returns word 0 of a row of a buffer's first replica. */
static uint32_t *row_of(const lm_cuda_cells_plan *p, int which, int64_t row)
{
    return p->memory[which] + (row + 1) * p->view.stride;
}

/* Returns the view for the next launch, from a buffer to the other one. */
static lm_cells_view view_from(lm_cuda_cells_plan *p, int which, lm_cells_count *counts)
{
    lm_cells_view v = p->view;
    v.from = row_of(p, which, 0);
    v.to = row_of(p, 1 - which, 0);
    v.counts = counts;
    v.overlaps = lm_cuda_overlaps(&p->head);
    return v;
}

/* ---- memory */

static void close_plan(void *plan)
{
    lm_cuda_cells_plan *p = plan;
    lm_cuda_end(&p->head);
    free(p->noise);
    free(p);
}

static void make_view(lm_cuda_cells_plan *p)
{
    const int64_t words = lm_automaton_words(p->spec.extents[0]);
    lm_cells_view *v = &p->view;
    v->rows = p->spec.layers;
    v->first_row = p->spec.first_layer;
    v->words = (uint32_t)words;
    v->stride = (uint32_t)((words + LM_CELLS_QUAD - 1) / LM_CELLS_QUAD * LM_CELLS_QUAD);
    v->replica_stride = (v->rows + 2) * v->stride;
    v->extent = p->spec.extents[0];
    v->wraps = p->spec.layers == p->spec.extents[1] && p->spec.boundaries[1] == LATMC_PERIODIC;
    v->joined = p->spec.boundaries[0] == LATMC_PERIODIC;
    v->rule = lm_automaton_rule_of(p->spec.options);
    v->keys = lm_keys_of(p->spec.seed);
    v->first_replica = (uint32_t)p->spec.first_replica;
    v->replicas = (uint32_t)p->spec.replicas;
}

static latmc_status make_memory(lm_cuda_cells_plan *p)
{
    const size_t replicas = (size_t)p->spec.replicas;
    const size_t buffer = replicas * (size_t)p->view.replica_stride * sizeof(uint32_t);
    const lm_cuda_piece pieces[] = {
        {(void **)&p->memory[0], buffer},
        {(void **)&p->memory[1], buffer},
        {(void **)&p->threshold, replicas * sizeof *p->threshold},
        {(void **)&p->changed, (size_t)sums_of(p) * sizeof *p->changed},
    };
    p->noise = lm_zeroed(NULL, "the noise of all replicas", p->spec.replicas, sizeof *p->noise);
    if (!p->noise)
        return LATMC_ERROR_MEMORY;
    const latmc_status status =
        lm_cuda_begin(&p->head, pieces, (int)(sizeof pieces / sizeof pieces[0]));
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
    lm_cuda_cells_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->head.kernels = &lm_cuda_automaton_kernels;
    p->head.device = device;
    p->spec = *spec;
    make_view(p);
    const latmc_status status = make_memory(p);
    if (status)
        close_plan(p);
    else
        *plan = p;
    return status;
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_cuda_cells_plan *p = plan;
    const int64_t replicas = p->spec.replicas;
    p->view.noisy = 0;
    for (int64_t r = 0; r < replicas; r++) {
        p->noise[r] = lm_automaton_threshold(lm_parameters_of(parameters, r)[LM_AUTOMATON_NOISE]);
        p->view.noisy |= p->noise[r] != 0;
    }
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(
        p->head.device,
        lm_cuda_send(&p->head, p->threshold, p->noise, (size_t)replicas * sizeof *p->noise),
        "to take the noise");
}

/* ---- cells in and out */

static latmc_status start(void *plan, latmc_start_mode mode)
{
    lm_cuda_cells_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = cudaSuccess;
    if (mode == LATMC_START_HOT) {
        const lm_cells_view v = view_from(p, 1 - p->present, NULL);
        e = lm_launch_hot(&v, p->head.stream);
    } else {
        e = cudaMemsetAsync(p->memory[p->present], 0,
                            (size_t)(p->spec.replicas * p->view.replica_stride) * sizeof(uint32_t),
                            p->head.stream);
        p->head.fresh = 1;
    }
    return lm_cuda_failed(p->head.device, e, "to start the lattice");
}

/* Copies rows of a replica to or from a buffer of words. */
static latmc_status move_rows(lm_cuda_cells_plan *p, int64_t replica, int64_t row, int64_t rows,
                              uint32_t *words, int to_device)
{
    uint32_t *device = row_of(p, p->present, row) + replica * p->view.replica_stride;
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e =
        lm_cuda_copy(p->head.stream, to_device ? device : words, to_device ? words : device,
                     (size_t)(rows * p->view.stride) * sizeof *words);
    p->head.fresh = 1;
    return lm_cuda_failed(p->head.device, e, "to move sites");
}

/* Packs cells that go in, or unpacks cells that come out. */
static latmc_status move_cells(lm_cuda_cells_plan *p, int64_t replica, int64_t first_row,
                               int64_t rows, int8_t *out, const int8_t *in)
{
    const int64_t extent = p->spec.extents[0], stride = p->view.stride;
    latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    uint32_t *words =
        status ? NULL : lm_zeroed(NULL, "some rows of sites", rows * stride, sizeof *words);
    if (!words)
        return status ? status : LATMC_ERROR_MEMORY;
    for (int64_t i = 0; in && i < rows; i++)
        lm_cells_pack(in + i * extent, extent, words + i * stride);
    status = move_rows(p, replica, first_row - p->spec.first_layer, rows, words, in != NULL);
    for (int64_t i = 0; out && !status && i < rows; i++)
        lm_cells_unpack(words + i * stride, extent, out + i * extent);
    free(words);
    return status;
}

static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    return move_cells(plan, replica, first_row, rows, NULL, sites);
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    return move_cells(plan, replica, first_row, rows, sites, NULL);
}

/* ---- generations and measurements */

/* Makes the job's sweeps from number `from` on. */
static cudaError_t sweep_from(lm_cuda_cells_plan *p, const lm_job *job, int64_t from, int count,
                              void *sums)
{
    cudaError_t e = cudaSuccess;
    for (int64_t i = from; e == cudaSuccess && i < job->sweeps; i++) {
        const int counts = count && i == job->sweeps - 1;
        const lm_cells_view v = view_from(p, p->present, counts ? sums : NULL);
        e = lm_launch_generation(&v, (uint64_t)(job->step + i), 0, v.rows, p->head.stream);
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
    const lm_cuda_cells_plan *p = plan;
    const double words = (double)p->spec.replicas * (double)p->view.rows * p->view.words;
    (void)job;
    return LM_CUDA_LAUNCH_NS + 32.0 * words / (p->view.noisy ? 1450.0 : 6500.0);
}

static int is_whole(const lm_cuda_cells_plan *p)
{
    return p->spec.layers == p->spec.extents[1];
}

static int tiles_serve(const void *plan, int update)
{
    const lm_cuda_cells_plan *p = plan;
    (void)update;
    return is_whole(p) && lm_tiles_serve(&p->view);
}

static double tiles_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_cells_plan *p = plan;
    return lm_tiles_ns(&p->view, job->sweeps, p->head.processors);
}

/* Makes all sweeps by tiles, except a last one that counts. */
static cudaError_t sweep_tiles(void *plan, const lm_job *job, int count, void *sums)
{
    lm_cuda_cells_plan *p = plan;
    cudaError_t e = cudaSuccess;
    int64_t done = 0, made = 0, all = job->sweeps - (count != 0);
    for (; e == cudaSuccess && done < all; done += made) {
        const lm_cells_view v = view_from(p, p->present, NULL);
        e = lm_launch_tiles(&v, all - done, p->head.processors, &made, p->head.stream);
        p->present = 1 - p->present;
    }
    return e == cudaSuccess ? sweep_from(p, job, all, count, sums) : e;
}

static int blocks_serve(const void *plan, int update)
{
    const lm_cuda_cells_plan *p = plan;
    (void)update;
    return is_whole(p) && lm_cells_blocks_serve(&p->view);
}

/* Returns the time by the words that a multiprocessor has. */
static double blocks_cost(const void *plan, const lm_job *job)
{
    const lm_cuda_cells_plan *p = plan;
    const double turns = (double)p->spec.replicas / p->head.processors;
    const double words = (double)p->view.rows * p->view.words * (turns < 1.0 ? 1.0 : turns);
    return LM_CUDA_LAUNCH_NS / (double)job->sweeps + 100.0 + words * (p->view.noisy ? 1.2 : 0.2);
}

static cudaError_t walk(lm_cuda_cells_plan *p, const lm_walk *w, void *sums)
{
    const lm_cells_view v = view_from(p, p->present, sums);
    p->head.fresh = 1;
    p->present = 1 - p->present;
    return lm_launch_cells_blocks(&v, w, p->head.stream);
}

static cudaError_t sweep_in_blocks(void *plan, const lm_job *job, int count, void *sums)
{
    const lm_walk w = {.step = (uint64_t)job->step,
                       .sweeps = job->sweeps,
                       .records = 1,
                       .counting = count ? LM_COUNT_LAST : LM_COUNT_NONE};
    return walk(plan, &w, sums);
}

static cudaError_t record_in_blocks(void *plan, const lm_job *job, int64_t records,
                                    unsigned bundles, void *sums)
{
    const lm_walk w = {.step = (uint64_t)job->step,
                       .sweeps = job->sweeps,
                       .records = records,
                       .measures = 1,
                       .sums = bundles & 1u << LM_AUTOMATON_LIVING,
                       .counting =
                           bundles >> LM_AUTOMATON_CHANGES & 1 ? LM_COUNT_ALL : LM_COUNT_LAST};
    return walk(plan, &w, sums);
}

static const lm_cuda_kernel kernels[] = {
    {.name = "generation", .cost = generation_cost, .sweep = sweep},
    {.name = "tiles of cells", tiles_serve, tiles_cost, .sweep = sweep_tiles},
    {.name = "blocks of cells", blocks_serve, blocks_cost, sweep_in_blocks, record_in_blocks}};
const lm_cuda_kernels lm_cuda_automaton_kernels = {kernels, sizeof kernels / sizeof kernels[0]};

/* Copies changes from one record to another. */
static cudaError_t copy_changes(const lm_cuda_cells_plan *p, lm_cells_count *to,
                                const lm_cells_count *from)
{
    const size_t row = LM_AUTOMATON_BUNDLES * sizeof *to;
    return cudaMemcpy2DAsync(to + LM_AUTOMATON_CHANGES, row, from + LM_AUTOMATON_CHANGES, row,
                             sizeof *to, (size_t)p->spec.replicas, cudaMemcpyDeviceToDevice,
                             p->head.stream);
}

/* Makes one measurement after the other, each after its sweeps. */
static cudaError_t one_by_one(lm_cuda_cells_plan *p, const lm_cuda_series *s, lm_cells_count *sums)
{
    const int all = s->bundles >> LM_AUTOMATON_CHANGES & 1;
    cudaError_t e = cudaSuccess;
    lm_cursor at = s->from;
    for (int64_t i = 0; e == cudaSuccess && i < s->records; i++, sums += sums_of(p)) {
        e = lm_cuda_queue_sweeps(p, s->schedule, &at, s->sweeps,
                                 all || (s->last && i == s->records - 1), sums);
        if (e == cudaSuccess && s->bundles >> LM_AUTOMATON_LIVING & 1) {
            const lm_cells_view v = view_from(p, p->present, sums);
            e = lm_launch_living(&v, p->head.stream);
        }
    }
    return e;
}

static cudaError_t sweep_and_measure(lm_cuda_cells_plan *p, const lm_cuda_series *s,
                                     lm_cells_count *sums)
{
    lm_job job;
    const lm_cuda_kernel *kernel =
        lm_cuda_one_update(s, &job) ? lm_cuda_recorder(p, &job, s->records) : NULL;
    return kernel ? kernel->record(p, &job, s->records, s->bundles, sums) : one_by_one(p, s, sums);
}

/* Queues records. A record without sweeps has the changes of the last sweep that was made. */
static cudaError_t queue_records(void *plan, const lm_cuda_series *s, void *device)
{
    lm_cuda_cells_plan *p = plan;
    lm_cells_count *sums = device, *end = sums + (s->records - 1) * sums_of(p);
    cudaError_t e =
        cudaMemsetAsync(sums, 0, (size_t)(s->records * sums_of(p)) * sizeof *sums, p->head.stream);
    p->head.fresh = 1;
    if (e == cudaSuccess)
        e = sweep_and_measure(p, s, sums);
    if (e == cudaSuccess)
        e = s->sweeps > 0 ? copy_changes(p, p->changed, end) : copy_changes(p, end, p->changed);
    p->head.fresh = 1;
    return e;
}

static cudaError_t clear_changes(lm_cuda_cells_plan *p)
{
    p->head.fresh = 1;
    return cudaMemsetAsync(p->changed, 0, (size_t)sums_of(p) * sizeof *p->changed, p->head.stream);
}

static cudaError_t queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor from,
                                int64_t sweeps)
{
    lm_cuda_cells_plan *p = plan;
    const cudaError_t e = clear_changes(p);
    return e == cudaSuccess ? lm_cuda_queue_sweeps(p, schedule, &from, sweeps, 1, p->changed) : e;
}

static void report(const void *plan, unsigned bundles, const void *record, double *sums)
{
    const lm_cuda_cells_plan *p = plan;
    const lm_cells_count *from = record;
    for (int64_t i = 0; i < sums_of(p); i++)
        if (bundles >> i % LM_AUTOMATON_BUNDLES & 1)
            sums[i] = (double)from[i];
}

static lm_cuda_family family_of(const lm_cuda_cells_plan *p)
{
    return (lm_cuda_family){.record_bytes = (size_t)sums_of(p) * sizeof(lm_cells_count),
                            .spec = &p->spec,
                            .sweep = queue_sweeps,
                            .queue = queue_records,
                            .report = report};
}

static latmc_status prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                            const lm_out *out)
{
    const lm_cuda_family family = family_of(plan);
    (void)schedule;
    return lm_cuda_prepare(plan, &family, budget, out);
}

static latmc_status run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_out *out)
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

static size_t halo_bytes(const void *plan)
{
    const lm_cuda_cells_plan *p = plan;
    return (size_t)(p->spec.replicas * p->view.stride) * sizeof(uint32_t);
}

static latmc_status begin(void *plan, int update, int counts)
{
    lm_cuda_cells_plan *p = plan;
    (void)update;
    p->updated = 0;
    p->counting = counts;
    if (!counts)
        return LATMC_OK;
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(p->head.device, clear_changes(p), "to begin a sweep");
}

static cudaError_t update_rows(lm_cuda_cells_plan *p, int64_t step, int64_t first, int64_t last)
{
    if (first >= last)
        return cudaSuccess;
    const lm_cells_view v = view_from(p, p->present, p->counting ? p->changed : NULL);
    return lm_launch_generation(&v, (uint64_t)step, first, last, p->head.stream);
}

/* Updates a part. The next generation becomes the present one when all of its parts are there. */
static latmc_status update(void *plan, int update, int64_t step, int phase, lm_part part)
{
    lm_cuda_cells_plan *p = plan;
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

/* Copies a row of all replicas to or from a halo. */
static cudaError_t move_layer(uint32_t *device, const lm_cuda_cells_plan *p, void *halo, int in,
                              cudaStream_t stream)
{
    const size_t bytes = (size_t)p->view.stride * sizeof *device;
    const size_t apart = (size_t)p->view.replica_stride * sizeof *device;
    const size_t replicas = (size_t)p->spec.replicas;
    return in ? cudaMemcpy2DAsync(device, apart, halo, bytes, bytes, replicas, cudaMemcpyDefault,
                                  stream)
              : cudaMemcpy2DAsync(halo, bytes, device, apart, bytes, replicas, cudaMemcpyDefault,
                                  stream);
}

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    lm_cuda_cells_plan *p = plan;
    const int latest = p->updated ? 1 - p->present : p->present;
    uint32_t *row = row_of(p, latest, side == LM_LOWER ? 0 : p->view.rows - 1);
    LM_ON_DEVICE(p->head.device);
    cudaStream_t stream;
    cudaError_t e = lm_cuda_begin_pack(&p->head, &stream);
    if (e == cudaSuccess)
        e = move_layer(row, p, halo, 0, stream);
    return lm_cuda_failed(p->head.device, e, "to give a boundary layer");
}

/* Fills a halo. Beyond an open end all cells are dead. */
static latmc_status unpack(void *plan, lm_side side, void *halo)
{
    lm_cuda_cells_plan *p = plan;
    const int at_end = side == LM_LOWER ? p->spec.first_layer == 0
                                        : p->spec.first_layer + p->view.rows == p->spec.extents[1];
    if (p->spec.boundaries[1] != LATMC_PERIODIC && at_end)
        return LATMC_OK;
    uint32_t *row = row_of(p, p->present, side == LM_LOWER ? -1 : p->view.rows);
    LM_ON_DEVICE(p->head.device);
    cudaStream_t stream;
    cudaError_t e = lm_cuda_begin_unpack(&p->head, &stream);
    if (e == cudaSuccess)
        e = move_layer(row, p, halo, 1, stream);
    if (e == cudaSuccess)
        e = lm_cuda_end_unpack(&p->head);
    return lm_cuda_failed(p->head.device, e, "to take a boundary layer");
}

static const lm_slab_ops slabs = {
    .phases = phases,
    .halo_bytes = halo_bytes,
    .begin = begin,
    .update = update,
    .pack = pack,
    .packed = lm_cuda_packed,
    .take_room = lm_cuda_take_room,
    .give_room = lm_cuda_give_room,
    .unpack = unpack,
};

static const lm_plan_ops ops = {
    .close = close_plan,
    .put_parameters = put_parameters,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .run = run,
    .prepare = prepare,
    .wait = lm_cuda_wait,
    .streams = 1,
    .slabs = &slabs,
};

const lm_backend_model lm_cuda_automaton = {
    .model = LATMC_AUTOMATON, .kept = LM_IN_WORDS, .ops = &ops, .open = open_plan};
