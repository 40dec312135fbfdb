/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps on all threads. With enough groups of replicas each group is worked on by one thread;
 * otherwise all threads work on one colour of the lattices at a time.
 */
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/split.h"
#include "lib/devices/plan.h"

typedef struct bits_run {
    lm_bits_plan *plan;
    const lm_schedule *schedule;
    lm_cursor from;
    int64_t sweeps, records; /* so many sweeps, as often */
    unsigned bundles;        /* of sums, which are taken after each; 0: none */
    double *sums;
    lm_team_rows rows; /* of a group */
} bits_run;

/* Groups [first, last), and the team that works on them. */
typedef struct bits_share {
    const bits_run *run;
    lm_team *team;
    int64_t first, last;
} bits_share;

/* Returns whether the last sweep before this measurement counts changes. It does if the
 * measurement asks for them, and before the last measurement. */
static int counts(const bits_run *r, int64_t record)
{
    return r->bundles & lm_changes_of(&r->plan->spec) || record == r->records - 1;
}

/* Sets counts [first, last) of all replicas to 0. */
static void clear_counts(const bits_share *s, int first, int last)
{
    lm_bits_plan *p = s->run->plan;
    const int64_t per_word = p->words.per_word;
    for (int64_t i = s->first * per_word; i < s->last * per_word; i++)
        for (int k = first; k < last; k++)
            atomic_store_explicit(&p->counts[i * p->sums + k], 0, memory_order_relaxed);
}

/* Writes the replicas' sums to the caller's array. */
static void report(const bits_share *s, double *sums)
{
    const lm_bits_plan *p = s->run->plan;
    const int count = p->sums;
    const int64_t per_word = p->words.per_word;
    for (int64_t i = s->first * per_word; i < s->last * per_word; i++) {
        const int64_t r = p->words.first_group * per_word + i - p->spec.first_replica;
        for (int g = 0; r >= 0 && r < p->spec.replicas && g < p->spec.bundles; g++)
            for (int k = p->spec.bundle_begin[g];
                 s->run->bundles >> g & 1 && k < p->spec.bundle_begin[g + 1]; k++)
                sums[r * count + k] = (double)p->counts[i * count + k];
    }
}

/* A lap of updates. */
typedef struct colour_lap {
    const bits_share *share;
    int64_t step;
    int update, colour, count;
} colour_lap;

static void update_some(lm_member *m, const void *shared)
{
    const colour_lap *t = shared;
    const bits_run *r = t->share->run;
    lm_team_range p;
    while (lm_team_take_rows(m, &r->rows, t->share->first, t->share->last, &p))
        lm_bits_update_rows(r->plan, t->update, t->step, p.unit, t->colour, p.first, p.last,
                            t->count);
}

static void measure_some(lm_member *m, const void *shared)
{
    const bits_share *s = shared;
    const bits_run *r = s->run;
    lm_team_range p;
    while (lm_team_take_rows(m, &r->rows, s->first, s->last, &p))
        lm_bits_measure_rows(r->plan, r->bundles, p.unit, p.first, p.last);
}

static void sweep(const bits_share *s, const lm_job *job, int count)
{
    lm_bits_plan *p = s->run->plan;
    if (count)
        clear_counts(s, p->sums - 1, p->sums);
    for (int c = 0; c < p->words.colours; c++) {
        const colour_lap t = {.share = s,
                              .step = job->first_sweep,
                              .update = job->update,
                              .colour = c,
                              .count = count};
        lm_team_lap(s->team, update_some, &t);
    }
}

static void measure(const bits_share *s, double *sums)
{
    if (s->run->bundles & s->run->plan->bundles) {
        clear_counts(s, 0, s->run->plan->sums - 1);
        lm_team_lap(s->team, measure_some, s);
    }
    report(s, sums);
}

/* The sweeps before a measurement; moves the cursor on. */
static void sweep_all(const bits_share *s, lm_cursor *at, int count)
{
    for (int64_t left = s->run->sweeps; left > 0;) {
        lm_job job = lm_schedule_next(s->run->schedule, at, left);
        left -= job.sweeps;
        for (; job.sweeps > 0; job.sweeps--, job.first_sweep++)
            sweep(s, &job, count && left == 0 && job.sweeps == 1);
    }
}

/* Groups [first, last), from the first sweep to the last measurement. */
static void work(lm_team *team, const void *call, int64_t first, int64_t last)
{
    const bits_run *r = call;
    const bits_share s = {.run = r, .team = team, .first = first, .last = last};
    const int64_t sums = r->plan->spec.replicas * r->plan->sums;
    lm_cursor at = r->from;
    for (int64_t record = 0; record < r->records; record++) {
        sweep_all(&s, &at, counts(r, record));
        if (r->bundles)
            measure(&s, r->sums + record * sums);
    }
}

/* ---- what it takes */

/* Estimates the time that one thread takes for a word, in nanoseconds on a core of 2024. It is
 * the mean over the sweeps of a round, or that of a measurement without sweeps. Other cores
 * differ, but so does the price of waking threads. */
static double word_time(const bits_run *r)
{
    const lm_schedule *s = r->schedule;
    const double uniform = 1.5 + 32.0 / r->plan->lane->words;
    double sum = 0.0;
    if (r->sweeps == 0)
        return uniform / 2.0;
    for (int i = 0; i < s->count; i++)
        sum += r->plan->model->work(r->plan, s->steps[i].update) * uniform *
               (double)s->steps[i].sweeps;
    return sum / (double)s->round;
}

static lm_team_times times_of(const bits_run *r)
{
    const lm_words *w = &r->plan->words;
    const double row = (double)w->width * word_time(r);
    const double group = 60.0 * (double)r->plan->planes + (double)r->rows.rows * row;
    const double laps = (double)r->sweeps * w->colours + ((r->bundles & r->plan->bundles) != 0);
    const double lap = group * (double)w->groups;
    return (lm_team_times){.call = (double)r->records * laps * lap, .lap = lap, .row = row};
}

latmc_status lm_bits_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                         int64_t budget, const lm_measure *out)
{
    lm_bits_plan *p = plan;
    const int64_t groups = p->words.groups;
    bits_run r = {.plan = p,
                  .schedule = schedule,
                  .from = *cursor,
                  .sweeps = out && budget ? out->every : budget,
                  .records = out ? lm_measure_count(out, budget) : 1,
                  .bundles = out ? out->bundles : 0,
                  .sums = out ? out->sums : NULL,
                  .rows = {.rows = p->planes * p->plane_rows}};
    for (int i = 0; budget && i < schedule->count; i++)
        lm_bits_make_rule(p, schedule->steps[i].update);
    const lm_team_times times = times_of(&r);
    const lm_team_split split = lm_team_split_rows(&r.rows, groups, p->threads, &times);
    lm_team_do(p->threads, split, groups, work, &r);
    return LATMC_OK;
}
