/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/team/split.h"

/* ---- apart or together */

/*
 * Apart, the last thread to end decides: it has done `longest` units, while others were idle at the
 * end. Together, nobody is idle, but threads wait for each other in every lap, and read what
 * other cores have written. Rounds are therefore taken to cost a quarter more.
 */
static const double price_of_laps = 1.25;

lm_team_split lm_team_split_of(int64_t units, int most, int together, double call)
{
    const int apart = lm_team_size(units < most ? (int)units : most, call, call);
    const int64_t longest = (units + apart - 1) / apart;
    const double laps = (double)units / together * (together > 1 ? price_of_laps : 1.0);
    lm_team_split s = {.apart = (double)longest <= laps, .most = most};
    s.threads = s.apart ? apart : together;
    return s;
}

typedef struct job {
    int64_t units;
    lm_team_work *work;
    const void *call;
} job;

/* Gives each unit to a team of one, unit after unit, so that it stays in a core's cache. */
static void work_on_some(lm_member *m, const void *shared)
{
    const job *j = shared;
    int64_t unit;
    lm_team one;
    lm_team_alone(&one, m->thread);
    while (lm_team_take(m, j->units, &unit))
        j->work(&one, j->call, unit, unit + 1);
}

void lm_team_do(int set, lm_team_split split, int64_t units, lm_team_work *work, const void *call)
{
    const job j = {.units = units, .work = work, .call = call};
    lm_team team;
    lm_team_gather(&team, set, split.most, split.threads);
    if (split.apart)
        lm_team_lap(&team, work_on_some, &j);
    else
        work(&team, call, 0, units);
    lm_team_dismiss(&team);
}

/* ---- rows */

enum { CHUNKS_PER_THREAD = 8 };

static void cut(lm_team_rows *r, int64_t chunk_rows)
{
    r->chunk_rows = chunk_rows < r->rows ? chunk_rows : r->rows;
    r->chunks = (r->rows + r->chunk_rows - 1) / r->chunk_rows;
}

/* Returns how many of at most `most` threads should share laps. */
static int cut_for_laps(lm_team_rows *r, int64_t units, int most, const lm_team_times *t)
{
    const int threads = lm_team_size(most, t->call, t->lap);
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const int64_t even = (r->rows + wanted - 1) / wanted;
    const int64_t least = (int64_t)(lm_worth.chunk / t->row);
    cut(r, even > least ? even : least + 1);
    return r->chunks * units < threads ? (int)(r->chunks * units) : threads;
}

lm_team_split lm_team_split_rows(lm_team_rows *r, int64_t units, int set, const lm_team_times *t)
{
    const int most = lm_team_most(set, t->call);
    const int together = cut_for_laps(r, units, most, t);
    const lm_team_split split = lm_team_split_of(units, most, together, t->call);
    if (split.apart)
        cut(r, r->rows);
    return split;
}

int lm_team_take_rows(lm_member *m, const lm_team_rows *r, int64_t first, int64_t last,
                      lm_team_range *p)
{
    int64_t chunk;
    if (!lm_team_take(m, (last - first) * r->chunks, &chunk))
        return 0;
    p->unit = first + chunk / r->chunks;
    p->first = chunk % r->chunks * r->chunk_rows;
    p->last = p->first + r->chunk_rows < r->rows ? p->first + r->chunk_rows : r->rows;
    return 1;
}
