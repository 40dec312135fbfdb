/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps of the phi^4 model on all threads: replicas side by side if there are enough of them,
 * otherwise all threads on one replica, a colour (or a sub-grid of tiles) at a time, in
 * chunks that they take from a common counter (run.c does the same for the Ising model).
 */
#include "backends/cpu/phi4_plan.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#define LM_SUMS_INLINE static inline
#include "backends/cpu/barrier.h"
#include "lib/physics/phi4_sums.h"

#define FEW_VISITS 1e5 /* a call with less work than that is over before threads have met */

enum {
    PARTS = 64,
    CHUNKS_PER_THREAD = 24,
    CHUNK_SITES = 256,
    FEW_SITES = 4096 /* of a replica: barriers cost more than threads gain */
};

/* The chunks of a round are divided into parts, one for each thread, which it takes first: what a
 * core has in its cache it meets again. Then it helps the others. */
typedef struct part {
    _Alignas(
        64) _Atomic uint64_t next; /* upper half: the round; lower: the next chunk of the part */
} part;

/* Threads that work together on some replicas. */
typedef struct team {
    lm_phi4_plan *plan;
    const lm_job *job;
    int64_t records, first_replica, last_replica;
    double *sums;
    int part_count;
    part parts[PARTS];
    lm_barrier barrier;
} team;

/* One of them. */
typedef struct member {
    team *team;
    int leader, thread; /* thread: which buffer for tiles */
    uint32_t round;     /* from 1 on; every member counts them alike */
} member;

static int take_from(part *p, uint32_t round, int64_t count, int64_t *chunk)
{
    uint64_t now = atomic_load_explicit(&p->next, memory_order_relaxed);
    uint64_t next;
    do {
        next = now >> 32 == round ? now & 0xFFFFFFFFu : 0; /* else the part is not begun */
        if ((int64_t)next >= count)
            return 0;
    } while (!atomic_compare_exchange_weak(&p->next, &now, (uint64_t)round << 32 | (next + 1)));
    *chunk = (int64_t)next;
    return 1;
}

static int take(const member *m, int64_t chunks, int64_t *chunk)
{
    team *t = m->team;
    for (int k = 0; k < t->part_count; k++) {
        const int p = (m->thread + k) % t->part_count;
        const int64_t first = p * chunks / t->part_count;
        const int64_t count = (p + 1) * chunks / t->part_count - first;
        if (take_from(&t->parts[p], m->round, count, chunk)) {
            *chunk += first;
            return 1;
        }
    }
    return 0;
}

static void finish(member *m)
{
    m->round++;
    lm_barrier_wait(&m->team->barrier);
}

/* ---- sweeps */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Copies what rows [first, last) of all colours one after another have beyond the nodes. */
static void refresh(const lm_phi4_plan *p, const lm_phi4_box *box, int64_t first, int64_t last)
{
    const lm_phi4_ghosts *g = &p->ghosts[box->reach - 1];
    p->lane->refresh(box, p->shifts, g->list + g->begin[first], g->begin[last] - g->begin[first]);
}

static void refresh_all(member *m, const lm_phi4_box *box)
{
    int64_t colour;
    while (take(m, box->colouring->colours, &colour))
        refresh(m->team->plan, box, colour * box->rows, (colour + 1) * box->rows);
    finish(m);
}

static lm_phi4_pass pass_of(const lm_phi4_plan *p, const lm_job *job, int64_t replica, int64_t step)
{
    const lm_phi4_pass pass = {.update = job->update,
                               .rule = &p->rules[replica],
                               .keys = &p->keys,
                               .step = (uint64_t)step,
                               .group = (uint32_t)(p->spec.first_replica + replica)};
    return pass;
}

static void sweep_colours(member *m, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = m->team->plan;
    const lm_phi4_box box = lm_phi4_box_of(p, replica);
    const int64_t row_sites = box.extents[0] * box.nodes / box.colouring->colours + 1;
    const int64_t smallest = (CHUNK_SITES + row_sites - 1) / row_sites;
    const int64_t wanted = (int64_t)m->team->barrier.threads * CHUNKS_PER_THREAD;
    const int64_t even = (box.rows + wanted - 1) / wanted;
    const int64_t rows = even > smallest ? even : smallest;
    const int64_t chunks = (box.rows + rows - 1) / rows;
    const int colours = box.colouring->colours;
    int64_t accepted = 0, chunk;
    if (p->stale[replica])
        refresh_all(m, &box);
    for (int colour = 0; colour < colours; colour++) {
        lm_phi4_pass pass = pass_of(p, m->team->job, replica, step);
        const int64_t above = colour * box.rows;
        pass.colour = colour;
        while (take(m, chunks, &chunk)) {
            pass.first_row = chunk * rows;
            pass.last_row = least(pass.first_row + rows, box.rows);
            accepted += p->lane->update(&box, &pass);
            refresh(p, &box, above + pass.first_row, above + pass.last_row);
        }
        if (colour == colours - 1)
            atomic_fetch_add(&p->counted[replica], accepted);
        finish(m);
        if (m->leader)
            p->stale[replica] = 0; /* all have read it */
    }
}

/* One bundle of tiles: in, swept, out. */
static int64_t sweep_bundle(const member *m, const lm_phi4_bundle *b, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = m->team->plan;
    const int reach = 1 + (p->rules[replica].kappa > 0.0);
    const lm_phi4_box box = lm_phi4_tile_box(p, b, reach, m->thread);
    lm_phi4_pass pass = pass_of(p, m->team->job, replica, step);
    int64_t accepted = 0;
    pass.last_row = box.rows;
    for (int i = 0; i < b->count; i++) {
        p->lane->load_tile(&p->map, lm_phi4_field(p, replica), b->begin[i], &box, i);
        if (box.open) {
            lm_phi4_map plain = p->map;
            lm_phi4_box degree = box;
            for (int a = 0; a < plain.dims; a++)
                plain.boundaries[a] = LATMC_PERIODIC;
            degree.field = (void *)(uintptr_t)box.degree;
            p->lane->load_tile(&plain, p->box.degree, b->begin[i], &degree, i);
        }
    }
    for (int l = 0; l < p->rules[replica].local_sweeps; l++)
        for (int colour = 0; colour < box.colouring->colours; colour++) {
            pass.local_sweep = l;
            pass.colour = colour;
            accepted += p->lane->update(&box, &pass);
        }
    for (int i = 0; i < b->count; i++)
        p->lane->store_tile(&p->map, lm_phi4_field(p, replica), b->begin[i], &box, i);
    return accepted;
}

static void sweep_tiles(member *m, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = m->team->plan;
    const lm_phi4_tiling *t = &p->tiling;
    int64_t accepted = 0, chunk;
    for (int phase = 0; phase < t->tiles.phases; phase++) {
        const int64_t first = t->phase_begin[phase];
        const int64_t chunks = t->phase_begin[phase + 1] - first;
        while (take(m, chunks, &chunk))
            accepted += sweep_bundle(m, &t->bundles[first + chunk], replica, step);
        finish(m);
    }
    if (m->leader)
        p->stale[replica] = 1;
    atomic_fetch_add(&p->counted[replica], accepted);
    lm_barrier_wait(&m->team->barrier);
}

static void sweep(member *m, int64_t replica, int64_t step)
{
    lm_phi4_plan *p = m->team->plan;
    const latmc_update update = m->team->job->update;
    if (m->leader) {
        p->counted[replica] = 0;
        p->offers[replica] = lm_phi4_proposals(&p->rules[replica], update == LATMC_BLOCK_METROPOLIS,
                                               update == LATMC_OVERRELAX);
    }
    lm_barrier_wait(&m->team->barrier);
    if (update == LATMC_BLOCK_METROPOLIS)
        sweep_tiles(m, replica, step);
    else
        sweep_colours(m, replica, step);
}

/* ---- measurement */

static void measure(member *m, int64_t replica, double *sums)
{
    lm_phi4_plan *p = m->team->plan;
    double *layers = p->layer_sums + replica * p->sums * p->layers;
    double *work = p->work + replica * p->layers * p->sums * p->layer_blocks;
    int64_t layer;
    while (take(m, p->layers, &layer)) {
        double out[LM_PHI4_MAX_SUMS];
        p->lane->layer_sums(&p->map, lm_phi4_field(p, replica), layer,
                            work + layer * p->sums * p->layer_blocks, out);
        for (int k = 0; k < p->sums; k++)
            layers[k * p->layers + layer] = out[k];
    }
    finish(m);
    if (m->leader) {
        for (int k = 0; k < p->sums; k++)
            sums[k] = lm_sums_tree(layers + k * p->layers, p->layers);
        sums[p->sums] =
            p->offers[replica] > 0.0 ? (double)p->counted[replica] / p->offers[replica] : 0.0;
    }
    lm_barrier_wait(&m->team->barrier);
}

static void work(member *m)
{
    const team *t = m->team;
    const int count = t->plan->sums + 1;
    for (int64_t record = 0; record < t->records; record++) {
        for (int64_t s = 0; s < t->job->sweeps; s++)
            for (int64_t r = t->first_replica; r < t->last_replica; r++)
                sweep(m, r, t->job->step + record * t->job->sweeps + s);
        for (int64_t r = t->first_replica; t->sums && r < t->last_replica; r++)
            measure(m, r, t->sums + (record * t->plan->spec.replicas + r) * count);
    }
}

static int threads_of(const lm_phi4_plan *p)
{
#ifdef _OPENMP
    return p->threads > 0 ? p->threads : omp_get_max_threads();
#else
    (void)p;
    return 1;
#endif
}

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static void set_threads(team *t, int threads)
{
    t->barrier.threads = threads;
    t->part_count = threads < PARTS ? threads : PARTS;
}

static void run_together(team *t, int threads)
{
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#ifdef _OPENMP
#pragma omp single
        set_threads(t, omp_get_num_threads());
#else
        set_threads(t, 1);
#endif
        member m = {t, thread_number() == 0, thread_number(), 1};
        work(&m);
    }
}

/* Every replica by one thread, from the first sweep to the last. */
static void run_apart(const team *all, int threads)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t r = 0; r < all->last_replica; r++) {
        team one = *all;
        member m = {.team = &one, .leader = 1, .thread = thread_number(), .round = 1};
        one.barrier.threads = one.part_count = 1;
        one.first_replica = r;
        one.last_replica = r + 1;
        work(&m);
    }
}

latmc_status lm_phi4_run(lm_phi4_plan *p, const lm_job *job, int64_t records, double *sums)
{
    const double visits = (double)p->sites * (double)p->spec.replicas * (double)records *
                          (double)(job->sweeps > 0 ? job->sweeps : 1);
    const int threads = visits < FEW_VISITS ? 1 : threads_of(p);
    const latmc_status status = job->update == LATMC_BLOCK_METROPOLIS && job->sweeps > 0
                                    ? lm_phi4_tiling_make(p, threads)
                                    : LATMC_OK;
    team all = {
        .plan = p, .job = job, .records = records, .last_replica = p->spec.replicas, .sums = sums};
    if (status)
        return status;
    if (p->spec.replicas >= 2 * threads || p->sites < FEW_SITES)
        run_apart(&all, threads);
    else
        run_together(&all, threads);
    return LATMC_OK;
}
