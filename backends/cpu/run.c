/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps on all threads. With enough groups of replicas each group is one task, which
 * needs no barrier and stays in a core's cache. Otherwise all threads work on one colour
 * of the lattice at a time, in chunks that they take from a common counter: a thread that
 * the host has put to sleep holds up one chunk and not its share of the lattice.
 */
#include "backends/cpu/plan.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "backends/cpu/barrier.h"

enum { CHUNKS_PER_THREAD = 8, CHUNK_WORDS = 1024 };

typedef struct run {
    lm_cpu_plan *plan;
    const lm_job *job;
    int64_t records;
    int accepted;
    double *sums;
    int64_t chunks, chunk_rows, rows;
    _Atomic int64_t next;
    lm_barrier barrier;
} run;

static int threads_of(const lm_cpu_plan *p)
{
#ifdef _OPENMP
    return p->threads > 0 ? p->threads : omp_get_max_threads();
#else
    (void)p;
    return 1;
#endif
}

static int64_t step_of(const run *r, int64_t record, int64_t sweep)
{
    return r->job->step + record * r->job->sweeps + sweep;
}

/* Are changes counted in this sweep: in the last one before a measurement that asks
 * for it, and in the last one of all. */
static int counts(const run *r, int64_t record, int64_t sweep)
{
    return sweep == r->job->sweeps - 1 && (r->accepted || record == r->records - 1);
}

static void clear(lm_cpu_plan *p, int64_t group, int first, int last)
{
    for (int lane = 0; lane < p->words.pack; lane++)
        for (int k = first; k < last; k++)
            p->counts[(group * p->words.pack + lane) * (p->spec.dims + 2) + k] = 0;
}

/* The replicas' sums of a group to the caller's array. */
static void report(lm_cpu_plan *p, int64_t group, double *sums)
{
    const int count = p->spec.dims + 2;
    for (int lane = 0; lane < p->words.pack; lane++) {
        const int64_t number = group * p->words.pack + lane;
        const int64_t r = p->words.first_group * p->words.pack + number - p->spec.first_replica;
        for (int k = 0; r >= 0 && r < p->spec.replicas && k < count; k++)
            sums[r * count + k] = (double)p->counts[number * count + k];
    }
}

static double *record_of(const run *r, int64_t record)
{
    return r->sums + record * r->plan->spec.replicas * (r->plan->spec.dims + 2);
}

static void run_group(const run *r, int64_t group)
{
    lm_cpu_plan *p = r->plan;
    for (int64_t record = 0; record < r->records; record++) {
        for (int64_t sweep = 0; sweep < r->job->sweeps; sweep++) {
            const int count = counts(r, record, sweep);
            if (count)
                clear(p, group, p->spec.dims + 1, p->spec.dims + 2);
            for (int c = 0; c < p->words.colours; c++)
                lm_cpu_update_rows(p, r->job->update, step_of(r, record, sweep), group, c, 0,
                                   r->rows, count);
        }
        if (r->sums) {
            clear(p, group, 0, p->spec.dims + 1);
            lm_cpu_measure_rows(p, group, 0, r->rows);
            report(p, group, record_of(r, record));
        }
    }
}

/* Every thread: takes chunks until there are none, then waits for the others. Chunks are
 * numbered on and on, `base` being the first of this round. */
static int take(run *r, int64_t base, int64_t *group, int64_t *first, int64_t *last)
{
    int64_t chunk = atomic_load_explicit(&r->next, memory_order_relaxed);
    do {
        if (chunk >= base + r->chunks)
            return 0;
    } while (!atomic_compare_exchange_weak(&r->next, &chunk, chunk + 1));
    chunk -= base;
    const int64_t per_group = r->chunks / r->plan->words.groups;
    *group = chunk / per_group;
    *first = chunk % per_group * r->chunk_rows;
    *last = *first + r->chunk_rows < r->rows ? *first + r->chunk_rows : r->rows;
    return 1;
}

static void clear_all(run *r, int first, int last)
{
    for (int64_t g = 0; g < r->plan->words.groups; g++)
        clear(r->plan, g, first, last);
}

static void run_together(run *r, int leader)
{
    lm_cpu_plan *p = r->plan;
    int64_t base = 0, group, first, last;
    for (int64_t record = 0; record < r->records; record++) {
        for (int64_t sweep = 0; sweep < r->job->sweeps; sweep++) {
            const int count = counts(r, record, sweep);
            if (count) {
                if (leader)
                    clear_all(r, p->spec.dims + 1, p->spec.dims + 2);
                lm_barrier_wait(&r->barrier);
            }
            for (int c = 0; c < p->words.colours; c++, base += r->chunks) {
                while (take(r, base, &group, &first, &last))
                    lm_cpu_update_rows(p, r->job->update, step_of(r, record, sweep), group, c,
                                       first, last, count);
                lm_barrier_wait(&r->barrier);
            }
        }
        if (!r->sums)
            continue;
        if (leader)
            clear_all(r, 0, p->spec.dims + 1);
        lm_barrier_wait(&r->barrier);
        while (take(r, base, &group, &first, &last))
            lm_cpu_measure_rows(p, group, first, last);
        base += r->chunks;
        lm_barrier_wait(&r->barrier);
        for (int64_t g = 0; leader && g < p->words.groups; g++)
            report(p, g, record_of(r, record));
    }
}

static void make_chunks(run *r, int threads)
{
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const int64_t smallest = CHUNK_WORDS / r->plan->words.width + 1;
    r->chunk_rows = (r->rows + wanted - 1) / wanted;
    if (r->chunk_rows < smallest)
        r->chunk_rows = smallest;
    r->chunks = (r->rows + r->chunk_rows - 1) / r->chunk_rows * r->plan->words.groups;
}

/* Group by group, each from the first sweep to the last. */
static void run_groups(const run *r, int threads)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t g = 0; g < r->plan->words.groups; g++)
        run_group(r, g);
}

void lm_cpu_run(lm_cpu_plan *p, const lm_job *job, int64_t records, int accepted, double *sums)
{
    const int threads = threads_of(p);
    run r = {.plan = p, .job = job, .records = records, .accepted = accepted, .sums = sums};
    r.rows = p->planes * p->plane_rows;
    make_chunks(&r, threads);
    /* A colour of too few chunks costs more at its barrier than a second thread saves. */
    const int together = r.chunks < threads ? (int)r.chunks : threads;
    if (together == 1 || p->words.groups >= 4 * threads) {
        run_groups(&r, together == 1 ? 1 : threads);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(together)
    {
#pragma omp single
        r.barrier.threads = omp_get_num_threads();
        run_together(&r, omp_get_thread_num() == 0);
    }
#endif
}
