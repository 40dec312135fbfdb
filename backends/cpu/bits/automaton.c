/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds cellular automata in memory, reads and writes their cells, and serves their slabs. */
#include "backends/cpu/bits/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "lib/models/automaton_cells.h"
#include "lib/base/memory.h"
#include "lib/divide/slabs.h"

enum { CACHE_LINE = 64 };

/* ---- memory */

static void close_plan(void *plan)
{
    lm_automaton_plan *p = plan;
    free(p->memory);
    free(p->valid);
    free(p->threshold);
    free(p->counts);
    free(p->room.words);
    free(p);
}

/* Allocates zeroed memory at the begin of a cache line. */
static uint32_t *zeros(const char *what, int64_t words)
{
    void *memory = NULL;
    const size_t bytes = (size_t)words * sizeof(uint32_t);
    if ((uint64_t)words > SIZE_MAX / 8 || posix_memalign(&memory, CACHE_LINE, bytes) != 0) {
        lm_no_memory(NULL, what, (double)words * sizeof(uint32_t));
        return NULL;
    }
    return memset(memory, 0, bytes);
}

static void measure_out(lm_automaton_plan *p)
{
    p->words = lm_automaton_words(p->spec.extents[0]);
    p->padded = (p->words + LM_AUTOMATON_LEAD - 1) / LM_AUTOMATON_LEAD * LM_AUTOMATON_LEAD;
    p->stride = LM_AUTOMATON_LEAD + p->padded;
}

static int64_t buffer_words(const lm_automaton_plan *p)
{
    return p->spec.replicas * 2 * (p->rows + 2) * p->stride + LM_AUTOMATON_LEAD;
}

static latmc_status make_memory(lm_automaton_plan *p)
{
    const int64_t replicas = p->spec.replicas, extent = p->spec.extents[0];
    p->valid = zeros("the words of a row", p->padded);
    p->threshold = lm_zeroed(NULL, "the noise of all replicas", replicas, sizeof *p->threshold);
    p->counts = lm_zeroed(NULL, "the sums of all replicas", replicas * LM_AUTOMATON_BUNDLES,
                          sizeof *p->counts);
    if (!p->valid || !p->threshold || !p->counts)
        return LATMC_ERROR_MEMORY;
    p->memory = zeros("two buffers of cells", buffer_words(p));
    for (int64_t x = 0; x < extent; x++)
        p->valid[x / 32] |= 1u << x % 32;
    return p->memory ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static latmc_status open_plan(const lm_spec *spec, const void *engine, int device, void **plan)
{
    (void)engine;
    static const lm_automaton_loops *const lanes[] = {LM_EVERY_LANE(lm_automaton_loops_, )};
    lm_automaton_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->spec = *spec;
    p->rule = lm_automaton_rule_of(spec->options);
    p->lane = lanes[device];
    p->cross = lm_cross_loops_of(device);
    p->whole = spec->layers == spec->extents[1];
    p->rows = spec->layers;
    p->keys = lm_keys_of(spec->seed, (uint64_t)spec->first_replica);
    measure_out(p);
    const latmc_status status = spec->sketch ? LATMC_OK : make_memory(p);
    if (status)
        close_plan(p);
    else
        *plan = p;
    return status;
}

static void set_threads(void *plan, int threads)
{
    ((lm_automaton_plan *)plan)->threads = threads;
}

static latmc_status sketch(void *plan, const lm_parameters *parameters, int update, lm_sketch *to)
{
    const lm_automaton_plan *p = plan;
    (void)parameters;
    (void)update;
    to->kernel = "cells";
    to->host_bytes = (int64_t)sizeof *p + buffer_words(p) * (int64_t)sizeof *p->memory;
    return LATMC_OK;
}

static latmc_status put_parameters(void *plan, const lm_parameters *parameters)
{
    lm_automaton_plan *p = plan;
    for (int64_t r = 0; r < p->spec.replicas; r++)
        p->threshold[r] =
            lm_automaton_threshold(lm_parameters_of(parameters, r)[LM_AUTOMATON_NOISE]);
    return LATMC_OK;
}

/* ---- rows and what lies beside them */

/* Puts the last cell before the first one, and the first cell after the last. */
static void dress_row(const lm_automaton_plan *p, uint32_t *row)
{
    const int64_t extent = p->spec.extents[0];
    const int bit = (int)(extent % 32), last = (int)((extent - 1) % 32);
    const int joined = p->spec.boundaries[0] == LATMC_PERIODIC;
    const uint32_t beyond = joined ? row[0] & 1 : 0;
    row[-1] = joined ? row[p->words - 1] >> last << 31 : 0;
    if (bit)
        row[p->words - 1] = (row[p->words - 1] & ((1u << bit) - 1)) | beyond << bit;
    else
        row[p->words] = beyond;
}

/* Copies the cells of a row with what lies beside them. */
static void copy_row(const lm_automaton_plan *p, const uint32_t *from, uint32_t *to)
{
    memcpy(to - 1, from - 1, (size_t)(p->words + 2) * sizeof *to);
}

void lm_automaton_dress(const lm_automaton_plan *p, int64_t replica, int which, int64_t first,
                        int64_t last)
{
    const int joined = p->whole && p->spec.boundaries[1] == LATMC_PERIODIC;
    for (int64_t y = first; y < last; y++)
        dress_row(p, lm_automaton_row(p, replica, which, y));
    if (joined && first == 0)
        copy_row(p, lm_automaton_row(p, replica, which, 0),
                 lm_automaton_row(p, replica, which, p->rows));
    if (joined && last == p->rows)
        copy_row(p, lm_automaton_row(p, replica, which, p->rows - 1),
                 lm_automaton_row(p, replica, which, -1));
}

lm_automaton_band lm_automaton_band_of(const lm_automaton_plan *p, int64_t replica, int which,
                                       int64_t first, int64_t last)
{
    return (lm_automaton_band){
        .from = lm_automaton_row(p, replica, which, first),
        .to = lm_automaton_row(p, replica, 1 - which, first),
        .stride = p->stride,
        .rows = last - first,
        .words = p->words,
        .padded = p->padded,
        .valid = p->valid,
        .rule = &p->rule,
        .threshold = p->threshold[replica],
        .keys = &p->keys,
        .index = (uint64_t)((p->spec.first_layer + first) * p->words),
        .group = lm_group_low(p->spec.first_replica + replica),
    };
}

void lm_automaton_update(lm_automaton_plan *p, int64_t replica, int which, int64_t generation,
                         int64_t first, int64_t last, int count)
{
    lm_automaton_band b = lm_automaton_band_of(p, replica, which, first, last);
    b.step = (uint64_t)generation;
    p->lane->update(&b);
    lm_automaton_dress(p, replica, 1 - which, first, last);
    if (count)
        p->counts[replica * LM_AUTOMATON_BUNDLES + LM_AUTOMATON_CHANGES] += p->lane->changed(&b);
}

/* ---- reading and writing cells */

static latmc_status start(void *plan, latmc_start_mode mode)
{
    lm_automaton_plan *p = plan;
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        const lm_automaton_band b = lm_automaton_band_of(p, r, 1 - p->present, 0, p->rows);
        if (mode == LATMC_START_HOT)
            p->lane->hot(&b);
        else
            for (int64_t y = 0; y < p->rows; y++)
                memset(lm_automaton_row(p, r, p->present, y), 0, (size_t)p->padded * sizeof *b.to);
        lm_automaton_dress(p, r, p->present, 0, p->rows);
    }
    return LATMC_OK;
}

static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    lm_automaton_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    const int64_t extent = p->spec.extents[0], first = first_row - p->spec.first_layer;
    if (status)
        return status;
    for (int64_t i = 0; i < rows; i++)
        lm_automaton_pack((const int8_t *)sites + i * extent, extent,
                          lm_automaton_row(p, replica, p->present, first + i));
    lm_automaton_dress(p, replica, p->present, first, first + rows);
    return LATMC_OK;
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    const lm_automaton_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    const int64_t extent = p->spec.extents[0], first = first_row - p->spec.first_layer;
    for (int64_t i = 0; !status && i < rows; i++)
        lm_automaton_unpack(lm_automaton_row(p, replica, p->present, first + i), extent,
                            (int8_t *)sites + i * extent);
    return status;
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
    const lm_automaton_plan *p = plan;
    return (size_t)(p->spec.replicas * p->words) * sizeof(uint32_t);
}

static latmc_status begin(void *plan, int update, int counts)
{
    lm_automaton_plan *p = plan;
    (void)update;
    p->updated = 0;
    p->counting = counts;
    for (int64_t r = 0; r < p->spec.replicas; r++)
        p->counts[r * LM_AUTOMATON_BUNDLES + LM_AUTOMATON_CHANGES] = 0;
    return LATMC_OK;
}

/* Updates a part. When all parts of the next generation are there, it becomes the present one. */
static latmc_status update_phase(void *plan, int update, int64_t step, int phase, lm_part part)
{
    lm_automaton_plan *p = plan;
    const int64_t end = p->rows - 1, rows[3][2] = {{0, 1}, {1, end}, {end, p->rows}};
    (void)update;
    (void)phase;
    for (int64_t r = 0; r < p->spec.replicas; r++)
        for (int i = 0; i < 3; i++)
            if (part & (i == 1 ? LM_BULK : LM_BOUNDARY) && rows[i][0] < rows[i][1] &&
                (i < 2 || end > 0))
                lm_automaton_update(p, r, p->present, step, rows[i][0], rows[i][1], p->counting);
    p->updated |= (int)part;
    if (p->updated == LM_WHOLE) {
        p->present = 1 - p->present;
        p->updated = 0;
    }
    return LATMC_OK;
}

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    const lm_automaton_plan *p = plan;
    const int which = p->updated ? 1 - p->present : p->present;
    uint32_t *to = halo;
    for (int64_t r = 0; r < p->spec.replicas; r++, to += p->words)
        memcpy(to, lm_automaton_row(p, r, which, side == LM_LOWER ? 0 : p->rows - 1),
               (size_t)p->words * sizeof *to);
    return LATMC_OK;
}

/* Beyond an open end all cells are dead. */
static latmc_status unpack(void *plan, lm_side side, void *halo)
{
    const lm_automaton_plan *p = plan;
    const int at_end = side == LM_LOWER ? p->spec.first_layer == 0
                                        : p->spec.first_layer + p->rows == p->spec.extents[1];
    const uint32_t *from = halo;
    if (at_end && p->spec.boundaries[1] != LATMC_PERIODIC)
        return LATMC_OK;
    for (int64_t r = 0; r < p->spec.replicas; r++, from += p->words) {
        uint32_t *row = lm_automaton_row(p, r, p->present, side == LM_LOWER ? -1 : p->rows);
        memcpy(row, from, (size_t)p->words * sizeof *row);
        dress_row(p, row);
    }
    return LATMC_OK;
}

static const lm_slab_ops slabs = {
    .phases = phases,
    .halo_bytes = halo_bytes,
    .begin = begin,
    .update = update_phase,
    .pack = pack,
    .unpack = unpack,
};

static const lm_plan_ops ops = {
    .close = close_plan,
    .set_threads = set_threads,
    .put_parameters = put_parameters,
    .sketch = sketch,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .crosses = lm_automaton_crosses,
    .cross = lm_automaton_cross,
    .copy = lm_automaton_copy,
    .run = lm_automaton_run,
    .slabs = &slabs,
};

const lm_backend_model lm_cpu_automaton = {
    .model = LATMC_AUTOMATON, .kept = LM_IN_WORDS, .ops = &ops, .open = open_plan};
