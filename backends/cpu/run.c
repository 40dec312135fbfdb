/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps on all threads. With enough groups of replicas each group is worked on by one thread;
 * otherwise all threads work on one colour of the lattices at a time.
 */
#include "backends/cpu/plan.h"
#include "backends/cpu/team.h"

enum { CHUNKS_PER_THREAD = 8, CHUNK_WORDS = 1024 };

typedef struct run {
    lm_cpu_plan *plan;
    const lm_job *job;
    int64_t records;
    int accepted;
    double *sums;
    int64_t rows, chunk_rows, group_chunks; /* of a group: rows, rows in a chunk, chunks */
} run;

/* Groups [first, last), and a thread that works on them with others. */
typedef struct share {
    const run *run;
    lm_member *member;
    int64_t first, last;
} share;

/* Are changes counted in this sweep: in the last one before a measurement that asks
 * for it, and in the last one of all. */
static int counts(const run *r, int64_t record, int64_t sweep)
{
    return sweep == r->job->sweeps - 1 && (r->accepted || record == r->records - 1);
}

/* Sets counts [first, last) of all replicas to 0. */
static void clear(const share *s, int first, int last)
{
    lm_cpu_plan *p = s->run->plan;
    const int64_t pack = p->words.pack;
    for (int64_t i = s->first * pack; s->member->leader && i < s->last * pack; i++)
        for (int k = first; k < last; k++)
            p->counts[i * (p->spec.dims + 2) + k] = 0;
    lm_team_meet(s->member);
}

/* The replicas' sums to the caller's array. */
static void report(const share *s, double *sums)
{
    const lm_cpu_plan *p = s->run->plan;
    const int count = p->spec.dims + 2;
    const int64_t pack = p->words.pack;
    for (int64_t i = s->first * pack; s->member->leader && i < s->last * pack; i++) {
        const int64_t r = p->words.first_group * pack + i - p->spec.first_replica;
        for (int k = 0; r >= 0 && r < p->spec.replicas && k < count; k++)
            sums[r * count + k] = (double)p->counts[i * count + k];
    }
}

/* Some rows of a group that nobody else has taken in this round. */
typedef struct piece {
    int64_t group, first, last;
} piece;

static int take(const share *s, piece *p)
{
    const run *r = s->run;
    int64_t chunk;
    if (!lm_team_take(s->member, (s->last - s->first) * r->group_chunks, &chunk))
        return 0;
    p->group = s->first + chunk / r->group_chunks;
    p->first = chunk % r->group_chunks * r->chunk_rows;
    p->last = p->first + r->chunk_rows < r->rows ? p->first + r->chunk_rows : r->rows;
    return 1;
}

static void sweep(const share *s, int64_t step, int count)
{
    lm_cpu_plan *p = s->run->plan;
    piece rows;
    if (count)
        clear(s, p->spec.dims + 1, p->spec.dims + 2);
    for (int c = 0; c < p->words.colours; c++) {
        while (take(s, &rows))
            lm_cpu_update_rows(p, s->run->job->update, step, rows.group, c, rows.first, rows.last,
                               count);
        lm_team_meet(s->member);
    }
}

static void measure(const share *s, double *sums)
{
    lm_cpu_plan *p = s->run->plan;
    piece rows;
    clear(s, 0, p->spec.dims + 1);
    while (take(s, &rows))
        lm_cpu_measure_rows(p, rows.group, rows.first, rows.last);
    lm_team_meet(s->member);
    report(s, sums);
}

/* Groups [first, last), from the first sweep to the last measurement. */
static void work(lm_member *m, const void *shared, int64_t first, int64_t last)
{
    const run *r = shared;
    const share s = {r, m, first, last};
    const int64_t sweeps = r->job->sweeps, sums = r->plan->spec.replicas * (r->plan->spec.dims + 2);
    for (int64_t record = 0; record < r->records; record++) {
        for (int64_t k = 0; k < sweeps; k++)
            sweep(&s, r->job->step + record * sweeps + k, counts(r, record, k));
        if (r->sums)
            measure(&s, r->sums + record * sums);
    }
}

static void cut(run *r, int64_t chunk_rows)
{
    r->chunk_rows = chunk_rows < r->rows ? chunk_rows : r->rows;
    r->group_chunks = (r->rows + r->chunk_rows - 1) / r->chunk_rows;
}

void lm_cpu_run(lm_cpu_plan *p, const lm_job *job, int64_t records, int accepted, double *sums)
{
    const int threads = lm_team_threads(p->threads);
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const int64_t smallest = CHUNK_WORDS / p->words.width + 1;
    run r = {.plan = p, .job = job, .records = records, .accepted = accepted, .sums = sums};
    r.rows = p->planes * p->plane_rows;
    const int64_t even = (r.rows + wanted - 1) / wanted;
    cut(&r, even > smallest ? even : smallest);
    /* A colour of too few chunks costs more at its barrier than a second thread saves. */
    const int64_t chunks = r.group_chunks * p->words.groups;
    const int together = chunks < threads ? (int)chunks : threads;
    if (together > 1 && p->words.groups < 4 * threads) {
        lm_team_together(together, p->words.groups, work, &r);
        return;
    }
    cut(&r, r.rows);
    lm_team_apart(together == 1 ? 1 : threads, p->words.groups, work, &r);
}
