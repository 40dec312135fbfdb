/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generations on all threads. With enough replicas each is worked on by one thread; otherwise all
 * threads work on one generation at a time.
 */
#include "backends/cpu/bits/automaton.h"
#include "backends/cpu/team/team.h"
#include "lib/devices/plan.h"

enum { CHUNKS_PER_THREAD = 8 };

typedef struct run {
    lm_cells_plan *plan;
    int64_t step, sweeps, records; /* the first sweep's number; so many, as often */
    unsigned groups;               /* of sums, which are taken after each; 0: none */
    double *sums;
    int64_t chunk_rows, chunks; /* of a replica */
} run;

/* Replicas [first, last), and the team that works on them. */
typedef struct share {
    const run *run;
    lm_team *team;
    int64_t first, last;
} share;

enum { LIVING = 1 << LM_AUTOMATON_LIVING, CHANGES = 1 << LM_AUTOMATON_CHANGES };

/* A round: of generation number `done` of the run, or a measurement after so many. */
typedef struct turn {
    const share *share;
    int64_t done;
    int count;
} turn;

/* Which buffer has the cells after so many generations. */
static int buffer_after(const run *r, int64_t done)
{
    return (int)((r->plan->present + done) % 2);
}

/* Some rows of a replica that nobody else has taken in this round. */
typedef struct piece {
    int64_t replica, first, last;
} piece;

static int take(lm_member *m, const share *s, piece *p)
{
    const run *r = s->run;
    int64_t chunk;
    if (!lm_team_take(m, (s->last - s->first) * r->chunks, &chunk))
        return 0;
    p->replica = s->first + chunk / r->chunks;
    p->first = chunk % r->chunks * r->chunk_rows;
    p->last = p->first + r->chunk_rows < r->plan->rows ? p->first + r->chunk_rows : r->plan->rows;
    return 1;
}

static void update_some(lm_member *m, const void *shared)
{
    const turn *t = shared;
    const run *r = t->share->run;
    piece c;
    while (take(m, t->share, &c))
        lm_cells_update(r->plan, c.replica, buffer_after(r, t->done), r->step + t->done, c.first,
                        c.last, t->count);
}

static void measure_some(lm_member *m, const void *shared)
{
    const turn *t = shared;
    const lm_cells_plan *p = t->share->run->plan;
    piece c;
    while (take(m, t->share, &c)) {
        const lm_cells_band b =
            lm_cells_band_of(p, c.replica, buffer_after(t->share->run, t->done), c.first, c.last);
        p->counts[c.replica * LM_AUTOMATON_GROUPS + LM_AUTOMATON_LIVING] += p->lane->living(&b);
    }
}

static void clear(const share *s, int group)
{
    for (int64_t r = s->first; r < s->last; r++)
        s->run->plan->counts[r * LM_AUTOMATON_GROUPS + group] = 0;
}

static void sweep(const share *s, int64_t done, int count)
{
    const turn t = {.share = s, .done = done, .count = count};
    if (count)
        clear(s, LM_AUTOMATON_CHANGES);
    lm_team_round(s->team, update_some, &t);
}

static void measure(const share *s, int64_t done, double *sums)
{
    const turn t = {.share = s, .done = done};
    if (s->run->groups & LIVING) {
        clear(s, LM_AUTOMATON_LIVING);
        lm_team_round(s->team, measure_some, &t);
    }
    for (int64_t i = s->first * LM_AUTOMATON_GROUPS; i < s->last * LM_AUTOMATON_GROUPS; i++)
        if (s->run->groups >> i % LM_AUTOMATON_GROUPS & 1)
            sums[i] = (double)s->run->plan->counts[i];
}

/* From the first sweep to the last measurement. Changes are counted in the last sweep before each
 * measurement that asks for them, and in the last one of all. */
static void work(const share *s)
{
    const run *r = s->run;
    const int64_t each = r->plan->spec.replicas * LM_AUTOMATON_GROUPS;
    for (int64_t record = 0; record < r->records; record++) {
        const int counts = r->groups & CHANGES || record == r->records - 1;
        const int64_t first = record * r->sweeps;
        for (int64_t i = 0; i < r->sweeps; i++)
            sweep(s, first + i, counts && i == r->sweeps - 1);
        if (r->groups)
            measure(s, first + r->sweeps, r->sums + record * each);
    }
}

/* One replica after another, each by a team of one, which stays in a core's cache. */
static void work_on_some(lm_member *m, const void *shared)
{
    const run *r = shared;
    lm_team one;
    share s = {.run = r, .team = &one};
    lm_team_alone(&one, m->thread);
    while (lm_team_take(m, r->plan->spec.replicas, &s.first)) {
        s.last = s.first + 1;
        work(&s);
    }
}

/* ---- how many threads, and which way */

/* What one thread takes for a row, in nanoseconds: on a core of 2024, of vectors and of their
 * noise. */
static double row_time(const run *r)
{
    const lm_cells_plan *p = r->plan;
    int noisy = 0;
    for (int64_t i = 0; i < p->spec.replicas; i++)
        noisy |= p->threshold[i] != 0;
    return 10.0 + (double)(p->padded / p->lane->lanes) * (noisy ? 60.0 : 5.0);
}

static void cut(run *r, int64_t chunk_rows)
{
    r->chunk_rows = chunk_rows < r->plan->rows ? chunk_rows : r->plan->rows;
    r->chunks = (r->plan->rows + r->chunk_rows - 1) / r->chunk_rows;
}

/* Cuts the rows for at most `most` threads that share them in rounds; returns how many should. */
static int cut_for_rounds(run *r, int most, double call, double round, double row)
{
    const int threads = lm_team_size(most, call, round);
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const int64_t even = (r->plan->rows + wanted - 1) / wanted;
    const int64_t least = (int64_t)(lm_worth.chunk / row);
    cut(r, even > least ? even : least + 1);
    const int64_t all = r->chunks * r->plan->spec.replicas;
    return all < threads ? (int)all : threads;
}

latmc_status lm_cells_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                          int64_t budget, const lm_out *out)
{
    lm_cells_plan *p = plan;
    const int64_t replicas = p->spec.replicas;
    run r = {.plan = p,
             .step = budget ? cursor->sweep : 0,
             .sweeps = out && budget ? out->every : budget,
             .records = out ? lm_out_count(out, budget) : 1,
             .groups = out ? out->groups : 0,
             .sums = out ? out->sums : NULL};
    lm_team team;
    (void)schedule; /* there is one update */
    const double row = row_time(&r), round = row * (double)(p->rows * replicas);
    const double call = round * (double)(r.records * (r.sweeps + (r.groups != 0)));
    const int most = lm_team_most(p->threads, call);
    const int together = cut_for_rounds(&r, most, call, round, row);
    const int apart = lm_team_size(replicas < most ? (int)replicas : most, call, call);
    const int64_t longest = (replicas + apart - 1) / apart;
    if (together == 1 || replicas >= 4 * most || replicas >= together * longest) {
        cut(&r, p->rows);
        lm_team_gather(&team, p->threads, most, apart);
        lm_team_round(&team, work_on_some, &r);
    } else {
        const share whole = {.run = &r, .team = &team, .last = replicas};
        lm_team_gather(&team, p->threads, most, together);
        work(&whole);
    }
    lm_team_dismiss(&team);
    p->present = buffer_after(&r, r.records * r.sweeps);
    return LATMC_OK;
}
