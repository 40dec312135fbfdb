/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stop.h"

/* The share of accepted proposals that tuning aims at. */
static const double tune_target = 0.5;

static int progressed(void *user, int64_t done, int64_t total)
{
    progress *p = user;
    const double now = cli_clock(), share = (double)(p->base + done) / (double)p->total;
    char bar[41] = "";

    (void)total;
    if (!p->shown || now - p->drawn < 0.1)
        return stop_asked();
    p->drawn = now;
    memset(bar, '#', (size_t)(40 * fmin(share, 1)));
    fprintf(stderr, "\r[%-40s] %3.0f %%", bar, 100 * share);
    return stop_asked();
}

void simulation_begin(simulation *s, int bar, int64_t total_sweeps)
{
    s->bar.shown = bar;
    s->bar.total = total_sweeps;
    cli_run(latmc_set_progress(s->lattice, progressed, &s->bar));
}

void simulation_end(const simulation *s)
{
    if (s->bar.shown)
        fprintf(stderr, "\r%50s\r", "");
}

/* Takes note of `sweeps` that were asked for. */
static void note(simulation *s, latmc_status status, int64_t sweeps)
{
    s->stopped |= stop_after(status);
    s->bar.base += sweeps;
}

void simulation_tune(simulation *s, int64_t sweeps)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; sweeps && i < s->steps.count; i++) {
        status = latmc_tune(s->lattice, s->steps.parts[i].update, sweeps, tune_target);
        if (status == LATMC_OK || status == LATMC_CANCELLED)
            break;
    }
    if (status != LATMC_CANCELLED)
        cli_setup(status, "tune");
    note(s, status, sweeps);
}

static void sweep_part(simulation *s, int part, int64_t times)
{
    const int64_t sweeps = times * s->steps.parts[part].sweeps;

    if (!s->stopped)
        note(s, latmc_sweep(s->lattice, s->steps.parts[part].update, sweeps), sweeps);
}

void simulation_sweep(simulation *s, int64_t steps)
{
    if (s->steps.count == 1)
        sweep_part(s, 0, steps);
    else
        for (int64_t step = 0; step < steps && !s->stopped; step++)
            for (int i = 0; i < s->steps.count; i++)
                sweep_part(s, i, 1);
}

/* One call of latmc_record() into `series`; returns how many of the records were reached. */
static int64_t record(simulation *s, int part, int64_t every, int64_t records, results *r,
                      double *series)
{
    const int64_t before = lattice_info(s->lattice).sweeps;
    latmc_lattice_info info;

    note(s,
         latmc_record(s->lattice, s->steps.parts[part].update, every, records, r->observables,
                      r->ids, series),
         every * records);
    info = lattice_info(s->lattice);
    r->not_ergodic |= info.not_ergodic;
    return (info.sweeps - before) / every;
}

/* Several updates: each record's last part is swept and measured by itself. */
static void record_mixed(simulation *s, int64_t every, int64_t records, results *r)
{
    const int last = s->steps.count - 1;
    const int64_t lines = r->observables * r->info.replicas;
    double *now = cli_memory(lines, sizeof *now);

    while (r->records < records) {
        simulation_sweep(s, every - 1);
        for (int i = 0; i < last; i++)
            sweep_part(s, i, 1);
        if (s->stopped || !record(s, last, s->steps.parts[last].sweeps, 1, r, now))
            break;
        for (int64_t i = 0; i < lines; i++)
            r->series[i * r->room + r->records] = now[i];
        r->records++;
    }
    free(now);
}

void simulation_record(simulation *s, int64_t every, int64_t records, results *r)
{
    if (!records || s->stopped)
        return;
    if (s->steps.count == 1)
        r->records = record(s, 0, every * s->steps.sweeps, records, r, r->series);
    else
        record_mixed(s, every, records, r);
}
