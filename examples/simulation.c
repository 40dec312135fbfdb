/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulation.h"

#include <math.h>
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
        return stop_came();
    p->drawn = now;
    memset(bar, '#', (size_t)(40 * fmin(share, 1)));
    fprintf(stderr, "\r[%-40s] %3.0f %%", bar, 100 * share);
    return stop_came();
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

void simulation_sweep(simulation *s, int64_t steps)
{
    if (!s->stopped)
        note(s, latmc_sweep(s->lattice, LATMC_SCHEDULE, steps / s->steps.passes),
             steps * s->steps.sweeps);
}

void simulation_record(simulation *s, int64_t every, int64_t records, results *r)
{
    const int64_t length = every * s->steps.sweeps;
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_SCHEDULE,
                                 /* results are for parameters, whichever replica has them */
                                 .order = LATMC_BY_SLOT,
                                 .every = every / s->steps.passes,
                                 .records = records,
                                 .quantity_count = r->observables,
                                 .quantities = r->measured,
                                 .series = r->series + r->records,
                                 .stride = r->room};
    latmc_recorded made = LATMC_INIT(latmc_recorded);

    if (!records || s->stopped)
        return;
    note(s, latmc_record(s->lattice, &run, &made), length * records);
    r->not_ergodic |= made.not_ergodic;
    r->records += made.records;
}
