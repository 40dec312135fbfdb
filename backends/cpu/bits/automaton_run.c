/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes generations of cellular automata on all threads. With enough replicas each is worked on by
 * one thread; otherwise all threads work on one generation at a time.
 */
#include "backends/cpu/bits/automaton.h"
#include "backends/cpu/team/split.h"
#include "lib/devices/plan.h"

typedef struct cells_run {
    lm_automaton_plan *plan;
    int64_t step, sweeps, records; /* the first sweep's number; so many, as often */
    unsigned bundles;              /* of sums, which are taken after each; 0: none */
    double *sums;
    lm_team_rows rows; /* of a replica */
} cells_run;

/* Replicas [first, last), and the team that works on them. */
typedef struct cells_share {
    const cells_run *run;
    lm_team *team;
    int64_t first, last;
} cells_share;

enum { LIVING = 1 << LM_AUTOMATON_LIVING, CHANGES = 1 << LM_AUTOMATON_CHANGES };

/* A lap makes generation number `done` of the run, or measures after so many. */
typedef struct cells_lap {
    const cells_share *share;
    int64_t done;
    int count;
} cells_lap;

/* Returns the buffer that has the cells after so many generations. */
static int buffer_after(const cells_run *r, int64_t done)
{
    return (int)((r->plan->present + done) % 2);
}

static void update_some(lm_member *m, const void *shared)
{
    const cells_lap *t = shared;
    const cells_run *r = t->share->run;
    lm_team_range c;
    while (lm_team_take_rows(m, &r->rows, t->share->first, t->share->last, &c))
        lm_automaton_update(r->plan, c.unit, buffer_after(r, t->done), r->step + t->done, c.first,
                            c.last, t->count);
}

static void measure_some(lm_member *m, const void *shared)
{
    const cells_lap *t = shared;
    const cells_run *r = t->share->run;
    const lm_automaton_plan *p = r->plan;
    lm_team_range c;
    while (lm_team_take_rows(m, &r->rows, t->share->first, t->share->last, &c)) {
        const lm_automaton_band b =
            lm_automaton_band_of(p, c.unit, buffer_after(r, t->done), c.first, c.last);
        p->counts[c.unit * LM_AUTOMATON_BUNDLES + LM_AUTOMATON_LIVING] += p->lane->living(&b);
    }
}

static void clear(const cells_share *s, int bundle)
{
    for (int64_t r = s->first; r < s->last; r++)
        s->run->plan->counts[r * LM_AUTOMATON_BUNDLES + bundle] = 0;
}

static void sweep(const cells_share *s, int64_t done, int count)
{
    const cells_lap t = {.share = s, .done = done, .count = count};
    if (count)
        clear(s, LM_AUTOMATON_CHANGES);
    lm_team_lap(s->team, update_some, &t);
}

static void measure(const cells_share *s, int64_t done, double *sums)
{
    const cells_lap t = {.share = s, .done = done};
    if (s->run->bundles & LIVING) {
        clear(s, LM_AUTOMATON_LIVING);
        lm_team_lap(s->team, measure_some, &t);
    }
    for (int64_t i = s->first * LM_AUTOMATON_BUNDLES; i < s->last * LM_AUTOMATON_BUNDLES; i++)
        if (s->run->bundles >> i % LM_AUTOMATON_BUNDLES & 1)
            sums[i] = (double)s->run->plan->counts[i];
}

/* Replicas [first, last), from the first sweep to the last measurement. Changes are counted in the
 * last sweep before each measurement that asks for them, and in the last one of all. */
static void work(lm_team *team, const void *call, int64_t first, int64_t last)
{
    const cells_run *r = call;
    const cells_share s = {.run = r, .team = team, .first = first, .last = last};
    const int64_t each = r->plan->spec.replicas * LM_AUTOMATON_BUNDLES;
    for (int64_t record = 0; record < r->records; record++) {
        const int counts = r->bundles & CHANGES || record == r->records - 1;
        const int64_t done = record * r->sweeps;
        for (int64_t i = 0; i < r->sweeps; i++)
            sweep(&s, done + i, counts && i == r->sweeps - 1);
        if (r->bundles)
            measure(&s, done + r->sweeps, r->sums + record * each);
    }
}

/* Estimates the time that one thread takes for a row, in nanoseconds on a core of 2024: for
 * vectors of cells and for their noise. */
static double row_time(const cells_run *r)
{
    const lm_automaton_plan *p = r->plan;
    int noisy = 0;
    for (int64_t i = 0; i < p->spec.replicas; i++)
        noisy |= p->threshold[i] != 0;
    return 10.0 + (double)(p->padded / p->lane->words) * (noisy ? 60.0 : 5.0);
}

latmc_status lm_automaton_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                              int64_t budget, const lm_measure *out)
{
    lm_automaton_plan *p = plan;
    const int64_t replicas = p->spec.replicas;
    cells_run r = {.plan = p,
                   .step = budget ? cursor->sweep : 0,
                   .sweeps = out && budget ? out->every : budget,
                   .records = out ? lm_measure_count(out, budget) : 1,
                   .bundles = out ? out->bundles : 0,
                   .sums = out ? out->sums : NULL,
                   .rows = {.rows = p->rows}};
    (void)schedule; /* there is one update */
    lm_team_times times = {.row = row_time(&r)};
    times.lap = times.row * (double)(p->rows * replicas);
    times.call = times.lap * (double)(r.records * (r.sweeps + (r.bundles != 0)));
    const lm_team_split split = lm_team_split_rows(&r.rows, replicas, p->threads, &times);
    lm_team_do(p->threads, split, replicas, work, &r);
    p->present = buffer_after(&r, r.records * r.sweeps);
    return LATMC_OK;
}
