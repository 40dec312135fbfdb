/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bandwidth.h"
#include "calls.h"
#include "ranks.h"
#include "stop.h"

/* Seconds of a case from which on a signal is looked for inside a round. A progress callback cuts
 * a call into chunks, which the speed of small lattices on a GPU might show; so others are stopped
 * between rounds. */
enum { LONG_RUN = 5 };

/* Seconds of a case below which the memory's bandwidth, which takes longer to measure, is left out.
 */
static const double short_run = 0.1;

/* Memory for a series of so many numbers, or none. It has been written, as it is for whoever makes
 * more than one. */
static double *series_of(int64_t numbers)
{
    double *series = numbers ? cli_memory(numbers, sizeof *series) : NULL;

    if (series)
        memset(series, 1, (size_t)numbers * sizeof *series);
    return series;
}

static latmc_status make_steps(course *c, int64_t steps)
{
    c->run.records = steps;
    if (c->run.quantity_count || c->run.pair_quantity_count)
        return latmc_record(c->lattice, &c->run, NULL);
    return calls_sweep(c->lattice, c->way, steps, c->steps.sweeps);
}

/* Seconds of `steps` steps. */
static double timed(course *c, int64_t steps)
{
    latmc_recording *run = &c->run;
    double begin;

    run->series = series_of(run->quantity_count * lattice_info(c->lattice).replicas * steps);
    run->pair_series = series_of(run->pair_quantity_count * run->pair_count * steps);
    begin = cli_clock();
    c->stopped |= stop_after(make_steps(c, steps));
    begin = ranks_slowest(cli_clock() - begin);
    c->stopped |= stop_asked();
    free(run->pair_series);
    free(run->series);
    return begin;
}

/* The faster of two runs: in the first one of its length a GPU loads kernels, or a series finds
 * memory on its way, which takes longer than short rounds do. */
static double timed_twice(course *c, int64_t steps)
{
    const double first = timed(c, steps);

    return fmin(first, timed(c, steps));
}

/* Steps that take about `seconds`; warms up on the way. */
static int64_t calibrate(course *c, double seconds)
{
    int64_t steps = 1;
    double taken = timed_twice(c, steps);

    while (taken < seconds / 4 && !c->stopped) {
        steps *= 2;
        taken = timed_twice(c, steps);
    }
    if (c->stopped)
        return 1;
    steps = (int64_t)((double)steps * seconds / taken);
    return steps < 1 ? 1 : steps;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Bits of a number of a site and of a static value where it is swept: of one type, but where spins
 * are saved as a bit and have couplings or fields that are real numbers, which are floats. */
typedef struct widths {
    int site, value;
} widths;

static widths widths_of(const latmc_lattice_info *info, const lattice_flags *wish)
{
    const char *const bonds = wish->disorder[OF_BONDS].distribution;
    const int bits = lattice_type(info).bits;
    const int reals = lattice_draws(wish, OF_SITES) || (bonds && strcmp(bonds, "gaussian") == 0);

    return bits < 8 && reals ? (widths){8, 32} : (widths){bits, bits};
}

/* Sites are read once and read and written once more; drawn couplings by both of their ends, drawn
 * fields once. A byte a site has couplings with fields. */
static double bytes_per_sweep(const latmc_lattice_info *info, const lattice_flags *wish)
{
    const widths of = widths_of(info, wish);
    const int bytes = of.site == 8 && of.value == 32;
    const int bonds = lattice_draws(wish, OF_BONDS) || bytes ? 2 * info->dims : 0;
    const int fields = lattice_draws(wish, OF_SITES) ? 1 : 0;

    return (of.site * 3 * info->components + of.value * (bonds + fields)) / 8.0;
}

/* Measured once for the host and once for each GPU, since cases come device by device. Of several
 * GPUs it is the first one's for each. */
static double bandwidth_of(const char *device, int threads)
{
    static char known_place[SCALING_TEXT];
    static double known;
    const int gpu = strncmp(device, "cuda:", 5) == 0;
    const char *place = gpu ? device : "host";

    if (strcmp(place, known_place) == 0)
        return known;
    if (gpu)
        known = bandwidth_cuda(atoi(device + 5));
    else
        known = bandwidth_host(threads ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN));
    snprintf(known_place, sizeof known_place, "%s", place);
    return known;
}

/* As many as a list names, or 1. */
static int gpus_of(const char *device)
{
    int count = 1;

    for (const char *at = device; strncmp(device, "cuda", 4) == 0 && *at; at++)
        count += *at == ',';
    return count;
}

/* The rates of five rounds. */
static void time_rounds(course *c, double seconds, measurement *m)
{
    const latmc_lattice_info info = lattice_info(c->lattice);
    double rates[MEASURED_ROUNDS];

    m->sweeps = calibrate(c, seconds / MEASURED_ROUNDS);
    for (int round = 0; round < MEASURED_ROUNDS && !c->stopped; round++)
        rates[round] = (double)info.sites * (double)info.replicas * (double)m->sweeps *
                       c->steps.updates / timed(c, m->sweeps) * 1e-9;
    if (c->stopped)
        return;
    m->sweeps *= c->steps.sweeps;
    qsort(rates, MEASURED_ROUNDS, sizeof rates[0], ascending);
    m->slowest = rates[0];
    m->median = rates[MEASURED_ROUNDS / 2];
    m->fastest = rates[MEASURED_ROUNDS - 1];
}

int measure_case(const lattice_flags *wish, double seconds, course *c, measurement *m)
{
    const latmc_lattice_info info = lattice_info(c->lattice);

    *m = (measurement){.replicas = info.replicas};
    if (seconds > LONG_RUN)
        cli_run(latmc_set_progress(c->lattice, stop_progress, NULL));
    cli_run(latmc_start(c->lattice, LATMC_START_HOT));
    time_rounds(c, seconds, m);
    if (c->stopped)
        return 0;
    m->model = lattice_thing_of(LATMC_MODELS, 0, info.model).name;
    schedule_text(&c->steps, info.model, m->update, sizeof m->update);
    m->type = lattice_type(&info).name;
    m->hits = lattice_param(c->lattice, "hits", 1);
    m->local_sweeps = lattice_param(c->lattice, "local_sweeps", 1);
    m->bytes = bytes_per_sweep(&info, wish) * (double)c->steps.sweeps / c->steps.updates;
    lattice_extents_text(&info, m->extents, sizeof m->extents);
    cli_run(latmc_get_device(c->lattice, m->device, sizeof m->device));
    m->bandwidth = (double)NAN;
    if (seconds >= short_run)
        m->bandwidth = ranks_sum(bandwidth_of(m->device, (int)wish->threads)) * gpus_of(m->device);
    return 1;
}
