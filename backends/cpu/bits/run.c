/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps on all threads. With enough groups of replicas each group is worked on by one thread;
 * otherwise all threads work on one colour of the lattices at a time.
 */
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/devices/plan.h"

enum { CHUNKS_PER_THREAD = 8 };

typedef struct run {
    lm_bits_plan *plan;
    const lm_schedule *schedule;
    lm_cursor from;
    int64_t sweeps, records; /* so many sweeps, as often */
    unsigned groups;         /* of sums, which are taken after each; 0: none */
    double *sums;
    int64_t rows, chunk_rows, group_chunks; /* of a group: rows, rows in a chunk, chunks */
} run;

/* Groups [first, last), and the team that works on them. */
typedef struct share {
    const run *run;
    lm_team *team;
    int64_t first, last;
} share;

/* Are changes counted in the last sweep before this measurement: where it asks for them, and in the
 * last one of all. */
static int counts(const run *r, int64_t record)
{
    return r->groups & lm_changes_of(&r->plan->spec) || record == r->records - 1;
}

/* Sets counts [first, last) of all replicas to 0. */
static void clear(const share *s, int first, int last)
{
    lm_bits_plan *p = s->run->plan;
    const int64_t pack = p->words.pack;
    for (int64_t i = s->first * pack; i < s->last * pack; i++)
        for (int k = first; k < last; k++)
            atomic_store_explicit(&p->counts[i * p->sums + k], 0, memory_order_relaxed);
}

/* The replicas' sums to the caller's array. */
static void report(const share *s, double *sums)
{
    const lm_bits_plan *p = s->run->plan;
    const int count = p->sums;
    const int64_t pack = p->words.pack;
    for (int64_t i = s->first * pack; i < s->last * pack; i++) {
        const int64_t r = p->words.first_group * pack + i - p->spec.first_replica;
        for (int g = 0; r >= 0 && r < p->spec.replicas && g < p->spec.groups; g++)
            for (int k = p->spec.group_begin[g];
                 s->run->groups >> g & 1 && k < p->spec.group_begin[g + 1]; k++)
                sums[r * count + k] = (double)p->counts[i * count + k];
    }
}

/* Some rows of a group that nobody else has taken in this round. */
typedef struct piece {
    int64_t group, first, last;
} piece;

static int take(lm_member *m, const share *s, piece *p)
{
    const run *r = s->run;
    int64_t chunk;
    if (!lm_team_take(m, (s->last - s->first) * r->group_chunks, &chunk))
        return 0;
    p->group = s->first + chunk / r->group_chunks;
    p->first = chunk % r->group_chunks * r->chunk_rows;
    p->last = p->first + r->chunk_rows < r->rows ? p->first + r->chunk_rows : r->rows;
    return 1;
}

/* A round of updates. */
typedef struct turn {
    const share *share;
    int64_t step;
    int update, colour, count;
} turn;

static void update_some(lm_member *m, const void *shared)
{
    const turn *t = shared;
    const run *r = t->share->run;
    piece rows;
    while (take(m, t->share, &rows))
        lm_bits_update_rows(r->plan, t->update, t->step, rows.group, t->colour, rows.first,
                            rows.last, t->count);
}

static void measure_some(lm_member *m, const void *shared)
{
    const share *s = shared;
    piece rows;
    while (take(m, s, &rows))
        lm_bits_measure_rows(s->run->plan, s->run->groups, rows.group, rows.first, rows.last);
}

static void sweep(const share *s, const lm_job *job, int count)
{
    lm_bits_plan *p = s->run->plan;
    if (count)
        clear(s, p->sums - 1, p->sums);
    for (int c = 0; c < p->words.colours; c++) {
        const turn t = {
            .share = s, .step = job->step, .update = job->update, .colour = c, .count = count};
        lm_team_round(s->team, update_some, &t);
    }
}

static void measure(const share *s, double *sums)
{
    if (s->run->groups & s->run->plan->model->groups) {
        clear(s, 0, s->run->plan->sums - 1);
        lm_team_round(s->team, measure_some, s);
    }
    report(s, sums);
}

/* The sweeps before a measurement; moves the cursor on. */
static void sweep_all(const share *s, lm_cursor *at, int count)
{
    for (int64_t left = s->run->sweeps; left > 0;) {
        lm_job job = lm_schedule_next(s->run->schedule, at, left);
        left -= job.sweeps;
        for (; job.sweeps > 0; job.sweeps--, job.step++)
            sweep(s, &job, count && left == 0 && job.sweeps == 1);
    }
}

/* From the first sweep to the last measurement. */
static void work(const share *s)
{
    const run *r = s->run;
    const int64_t sums = r->plan->spec.replicas * r->plan->sums;
    lm_cursor at = r->from;
    for (int64_t record = 0; record < r->records; record++) {
        sweep_all(s, &at, counts(r, record));
        if (r->groups)
            measure(s, r->sums + record * sums);
    }
}

/* One group after another, each by a team of one, which stays in a core's cache. */
static void work_on_some(lm_member *m, const void *shared)
{
    const run *r = shared;
    lm_team one;
    share s = {.run = r, .team = &one};
    lm_team_alone(&one, m->thread);
    while (lm_team_take(m, r->plan->words.groups, &s.first)) {
        s.last = s.first + 1;
        work(&s);
    }
}

/* ---- how many threads, and which way */

/* What one thread takes, in nanoseconds: for a word, of the mean sweep or of a measurement, and for
 * a colour or a measurement of a group. On a core of 2024; another differs, but as much as the
 * price of waking threads does. */
static double word_time(const run *r)
{
    const lm_schedule *s = r->schedule;
    const double uniform = 1.5 + 32.0 / r->plan->lane->lanes;
    double sum = 0.0;
    if (r->sweeps == 0)
        return uniform / 2.0;
    for (int i = 0; i < s->count; i++)
        sum += r->plan->model->work(r->plan, s->steps[i].update) * uniform *
               (double)s->steps[i].sweeps;
    return sum / (double)s->round;
}

static double round_time(const run *r)
{
    const lm_words *w = &r->plan->words;
    const double group =
        60.0 * (double)r->plan->planes + (double)(r->rows * w->width) * word_time(r);
    return group * (double)w->groups;
}

static double call_time(const run *r)
{
    const double rounds =
        (double)r->sweeps * r->plan->words.colours + ((r->groups & r->plan->model->groups) != 0);
    return (double)r->records * rounds * round_time(r);
}

static void cut(run *r, int64_t chunk_rows)
{
    r->chunk_rows = chunk_rows < r->rows ? chunk_rows : r->rows;
    r->group_chunks = (r->rows + r->chunk_rows - 1) / r->chunk_rows;
}

/* Cuts the rows for at most `most` threads that share them in rounds; returns how many should. */
static int cut_for_rounds(run *r, int most)
{
    const lm_words *w = &r->plan->words;
    const int threads = lm_team_size(most, call_time(r), round_time(r));
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const double row = (double)w->width * word_time(r);
    const int64_t even = (r->rows + wanted - 1) / wanted, least = (int64_t)(lm_worth.chunk / row);
    cut(r, even > least ? even : least + 1);
    return r->group_chunks * w->groups < threads ? (int)(r->group_chunks * w->groups) : threads;
}

latmc_status lm_bits_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                         int64_t budget, const lm_out *out)
{
    lm_bits_plan *p = plan;
    const int64_t all = p->words.groups;
    run r = {.plan = p,
             .schedule = schedule,
             .from = *cursor,
             .sweeps = out && budget ? out->every : budget,
             .records = out ? lm_out_count(out, budget) : 1,
             .groups = out ? out->groups : 0,
             .sums = out ? out->sums : NULL};
    lm_team team;
    for (int i = 0; budget && i < schedule->count; i++)
        lm_bits_make_rule(p, schedule->steps[i].update);
    r.rows = p->planes * p->plane_rows;
    const int most = lm_team_most(p->threads, call_time(&r));
    const int together = cut_for_rounds(&r, most);
    const int room = all < most ? (int)all : most;
    const int apart = lm_team_size(room, call_time(&r), call_time(&r));
    const int64_t longest = (all + apart - 1) / apart; /* what the last to end apart has done */
    if (together == 1 || all >= 4 * most || all >= together * longest) {
        cut(&r, r.rows);
        lm_team_gather(&team, p->threads, most, apart);
        lm_team_round(&team, work_on_some, &r);
    } else {
        const share whole = {.run = &r, .team = &team, .last = all};
        lm_team_gather(&team, p->threads, most, together);
        work(&whole);
    }
    lm_team_dismiss(&team);
    return LATMC_OK;
}
