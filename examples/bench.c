/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-bench: updates per nanosecond, beside what the memory would allow. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bandwidth.h"
#include "calls.h"
#include "lattice_flags.h"
#include "page.h"
#include "random_fills.h"
#include "ranks.h"
#include "scaling.h"
#include "stop.h"

enum { ROUNDS = 5, MEASURED_MAX = 32 };

/* Seconds of a case from which on a signal is looked for inside a round. A progress callback cuts
 * a call into chunks, which the speed of small lattices on a GPU might show; so others are stopped
 * between rounds. */
enum { LONG_RUN = 5 };

/* Seconds of a case below which the memory's bandwidth, which takes longer to measure, is left out.
 */
static const double short_run = 0.1;

typedef struct bench_flags {
    double seconds;
    const char *observe, *calls, *scaling, *random;
    int measure, json, mpi;
} bench_flags;

#define AT(member) offsetof(bench_flags, member)

static const cli_option copies_option[] = {
    {"copies", CLI_INTEGER, offsetof(lattice_flags, copies), "N", COPIES_HELP " (1)", 1,
     COPIES_MAX},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_option bench_options[] = {
    {"seconds", CLI_REAL, AT(seconds), "S", "time of the measured sweeps of each case (1)", 0,
     1000000},
    {"measure", CLI_SWITCH, AT(measure), NULL,
     "measure the energy and the order parameter after every step", 0, 0},
    {"observe", CLI_TEXT, AT(observe), "NAME,..",
     "measure these observables after every step, such as acceptance, or with --copies overlap", 0,
     0},
    {"calls", CLI_TEXT, AT(calls), "WAY", CALLS_HELP, 0, 0},
    {"scaling", CLI_TEXT, AT(scaling), "KIND", SCALING_HELP, 0, 0},
    {"random", CLI_TEXT, AT(random), "KIND", RANDOM_FILLS_HELP, 0, 0},
    {"mpi", CLI_SWITCH, AT(mpi), NULL, RANKS_HELP, 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of a table", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-bench", "Speed of the lattice models: updates per nanosecond.",
    "Without --extents a set of standard cases runs on every usable device, or on that of "
    "--device; "
    "flags that describe a lattice need --extents with them. A case warms up and is then timed in "
    "five rounds; the median counts, and the spread is that from the slowest to the fastest round. "
    "Bytes per update are the least that a sweep over a lattice larger than all caches moves, "
    "colour by colour: each site once in, once out, once in as a neighbour, and each drawn "
    "coupling "
    "once for either colour, all of it divided by the proposals that a sweep makes at a site: "
    "every "
    "proposal is an update. The memory's limit is the measured bandwidth over these bytes: a share "
    "far below 100 % means that arithmetic is the limit, and a lattice that fits a cache is not "
    "bound by it at all; with --seconds below 0.1 the bandwidth is not measured. Behind an update "
    "stand its hits and, after an x, its local sweeps. A "
    "signal ends the run with the cases that are done.",
    lattice_print_models};

#define TC_2D  "beta=0.4406867935"
#define TC_3D  "beta=0.221654626"
#define PHI4   "inv_lambda=0.25", "mu2=-0.5", "g=3", "epsilon=1"
#define TILES  PHI4, "hits=8", "local_sweeps=50"
#define CUTOFF "cutoff=1"

enum { SETS_MAX = 6 };

/* The standard cases; the largest are for GPUs alone. Without an update: the model's first, or
 * that of --update. */
static const struct {
    const char *model, *extents, *couplings, *update, *option;
    int64_t replicas;
    int gpu_only;
    const char *set[SETS_MAX];
} standard[] = {
    {"ising", "2048x2048", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "1000x1000", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "1024x1024", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "8192x8192", NULL, NULL, NULL, 1, 0, {TC_2D}},
    {"ising", "32768x32768", NULL, NULL, NULL, 1, 1, {TC_2D}},
    {"ising", "128x128x128", NULL, NULL, NULL, 1, 0, {TC_3D}},
    {"ising", "128x128x128", "pm1", NULL, NULL, 1, 0, {"beta=0.909"}},
    {"ising", "512x512x512", NULL, NULL, NULL, 1, 1, {TC_3D}},
    {"ising", "64x64", NULL, NULL, NULL, 45, 0, {"beta=0.38:0.5"}},
    {"ising", "24x24x24", NULL, NULL, NULL, 64, 0, {"beta=0.2:0.24"}},
    {"phi4", "64x64x64", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=8"}},
    {"phi4", "64x64x64", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=1"}},
    {"phi4", "64x64x64", NULL, "block_metropolis", CUTOFF, 1, 0, {TILES}},
    {"phi4", "128x128x128", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=8"}},
    {"phi4", "128x128x128", NULL, "metropolis", CUTOFF, 1, 0, {PHI4, "hits=1"}},
    {"phi4", "128x128x128", NULL, "block_metropolis", CUTOFF, 1, 0, {TILES}},
    {"phi4", "256x256x256", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=8"}},
    {"phi4", "256x256x256", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=1"}},
    {"phi4", "256x256x256", NULL, "block_metropolis", CUTOFF, 1, 1, {TILES}},
    {"phi4", "512x512x512", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=8"}},
    {"phi4", "512x512x512", NULL, "metropolis", CUTOFF, 1, 1, {PHI4, "hits=1"}},
    {"phi4", "512x512x512", NULL, "block_metropolis", CUTOFF, 1, 1, {TILES}},
};

typedef struct measurement {
    char device[SCALING_TEXT], extents[128], update[512];
    const char *model, *type;  /* of the sites */
    double hits, local_sweeps; /* 1 if the model has no such parameters */
    int64_t replicas, sweeps;  /* of one round */
    double median, slowest, fastest;
    double bytes;     /* per update; NaN if unknown */
    double bandwidth; /* bytes per nanosecond; NaN if unknown */
} measurement;

/* One case under way. */
typedef struct course {
    latmc_lattice *lattice;
    schedule steps;
    int count; /* of observables; 0: do not measure */
    latmc_observable observables[MEASURED_MAX];
    latmc_pair_series pairs; /* count 0: nor pairs of replicas */
    latmc_observable of_pairs[MEASURED_MAX];
    int way;     /* in which they are called */
    int stopped; /* by a signal: nothing that was measured counts */
} course;

/* Those that --observe names, of replicas or, where there are copies, of pairs. */
static void take_observables(course *c, const char *names, int model, int64_t copies)
{
    char name[NAME_BYTES];
    int id = 0;

    while (names) {
        if (c->count + c->pairs.count == MEASURED_MAX || !cli_next(&names, ',', name, sizeof name))
            cli_refuse("--observe takes at most %d short names with commas between them",
                       MEASURED_MAX);
        if (copies > 1 && !latmc_find(LATMC_PAIR_OBSERVABLES, (latmc_model)model, name, &id)) {
            c->of_pairs[c->pairs.count++] = (latmc_observable)id;
        } else {
            cli_setup(latmc_find(LATMC_OBSERVABLES, (latmc_model)model, name, &id), "observe");
            c->observables[c->count++] = (latmc_observable)id;
        }
    }
}

/* Which pairs they are. */
static void take_pairs(course *c, int64_t copies)
{
    int64_t(*of)[2] = NULL;

    if (!c->pairs.count)
        return;
    c->pairs.size = sizeof c->pairs;
    c->pairs.pairs = lattice_pairs(c->lattice, copies, &of);
    c->pairs.replicas = of[0];
    c->pairs.observables = c->of_pairs;
}

static void choose_observables(course *c, const lattice_flags *wish, const bench_flags *flags,
                               int model)
{
    static const latmc_role roles[] = {LATMC_ROLE_ENERGY, LATMC_ROLE_ORDER};

    if (flags->measure && flags->observe)
        cli_refuse("--measure and --observe do not go together");
    if (flags->calls)
        cli_refuse("--calls does not go with --measure or --observe, which record");
    if (flags->observe)
        take_observables(c, flags->observe, model, wish->copies);
    take_pairs(c, wish->copies);
    for (size_t i = 0; flags->measure && i < sizeof roles / sizeof roles[0]; i++) {
        const int place = lattice_place_of(model, roles[i]);

        if (place >= 0)
            c->observables[c->count++] =
                (latmc_observable)lattice_thing(LATMC_OBSERVABLES, model, place).id;
    }
}

/* Memory for a series of so many numbers, or none. It has been written, as it is for whoever makes
 * more than one. */
static double *series_of(int64_t numbers)
{
    double *series = numbers ? cli_memory(numbers, sizeof *series) : NULL;

    if (series)
        memset(series, 1, (size_t)numbers * sizeof *series);
    return series;
}

static latmc_status make_steps(course *c, int64_t steps, double *series)
{
    if (c->pairs.count)
        return latmc_record_pairs(c->lattice, LATMC_SCHEDULE, 1, steps, c->count, c->observables,
                                  series, &c->pairs);
    if (c->count)
        return latmc_record(c->lattice, LATMC_SCHEDULE, 1, steps, c->count, c->observables, series);
    return calls_sweep(c->lattice, c->way, steps, c->steps.sweeps);
}

/* Seconds of `steps` steps. */
static double timed(course *c, int64_t steps)
{
    double *series = series_of(c->count * lattice_info(c->lattice).replicas * steps);
    double begin;

    c->pairs.series = series_of(c->pairs.count * c->pairs.pairs * steps);
    begin = cli_clock();
    c->stopped |= stop_after(make_steps(c, steps, series));
    begin = ranks_slowest(cli_clock() - begin);
    c->stopped |= stop_asked();
    free(c->pairs.series);
    free(series);
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
    double rates[ROUNDS];

    m->sweeps = calibrate(c, seconds / ROUNDS);
    for (int round = 0; round < ROUNDS && !c->stopped; round++)
        rates[round] = (double)info.sites * (double)info.replicas * (double)m->sweeps *
                       c->steps.updates / timed(c, m->sweeps) * 1e-9;
    if (c->stopped)
        return;
    m->sweeps *= c->steps.sweeps;
    qsort(rates, ROUNDS, sizeof rates[0], ascending);
    m->slowest = rates[0];
    m->median = rates[ROUNDS / 2];
    m->fastest = rates[ROUNDS - 1];
}

/* 0 if a signal came before the case was done. */
static int measure(const lattice_flags *wish, const bench_flags *flags, course *c, measurement *m)
{
    const latmc_lattice_info info = lattice_info(c->lattice);

    *m = (measurement){.replicas = info.replicas};
    if (flags->seconds > LONG_RUN)
        cli_run(latmc_set_progress(c->lattice, stop_progress, NULL));
    cli_run(latmc_start(c->lattice, LATMC_START_HOT));
    time_rounds(c, flags->seconds, m);
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
    if (flags->seconds >= short_run)
        m->bandwidth = ranks_sum(bandwidth_of(m->device, (int)wish->threads)) * gpus_of(m->device);
    return 1;
}

static void print_row(const lattice_flags *wish, const measurement *m)
{
    const double share = 100 * m->median * m->bytes / m->bandwidth;
    char update[sizeof m->update + 64], percent[32] = "-", line[2048];
    size_t used = (size_t)snprintf(update, sizeof update, "%s", m->update);

    if (m->hits > 1 || m->local_sweeps > 1)
        used += (size_t)snprintf(update + used, sizeof update - used, " %.0f", m->hits);
    if (m->local_sweeps > 1)
        snprintf(update + used, sizeof update - used, "x%.0f", m->local_sweeps);
    if (isfinite(share))
        snprintf(percent, sizeof percent, "%.1f %%", share);
    snprintf(line, sizeof line, "%-10s %-5s %-11s %8" PRId64 " %-9s %10.4g %5.1f %% %8s  %s",
             m->device, m->model, m->extents, m->replicas,
             wish->disorder[OF_BONDS].distribution ? wish->disorder[OF_BONDS].distribution
                                                   : "uniform",
             m->median, 100 * (m->fastest - m->slowest) / m->median, percent, update);
    page_text(stdout, 4, line);
    cli_flush();
}

static void print_case(const lattice_flags *wish, const bench_flags *flags, const course *c,
                       const measurement *m, json *j)
{
    json_open(j, NULL, '{');
    lattice_json(wish, c->lattice, j);
    json_open(j, "set", '[');
    for (int i = 0; i < wish->set.count; i++)
        json_text(j, NULL, wish->set.items[i]);
    json_close(j, ']');
    schedule_json(&c->steps, lattice_info(c->lattice).model, j);
    json_integer(j, "hits", (int64_t)m->hits);
    json_integer(j, "local_sweeps", (int64_t)m->local_sweeps);
    json_text(j, "calls", flags->calls ? flags->calls : "all");
    json_integer(j, "copies", wish->copies ? wish->copies : 1);
    json_open(j, "observables", '[');
    for (int o = 0; o < c->count; o++)
        json_text(j, NULL,
                  lattice_thing_of(LATMC_OBSERVABLES, lattice_info(c->lattice).model,
                                   (int)c->observables[o])
                      .name);
    for (int o = 0; o < c->pairs.count; o++)
        json_text(j, NULL,
                  lattice_thing_of(LATMC_PAIR_OBSERVABLES, lattice_info(c->lattice).model,
                                   (int)c->of_pairs[o])
                      .name);
    json_close(j, ']');
    json_real(j, "seconds_wanted", flags->seconds);
    json_real(j, "updates_per_ns", m->median);
    json_real(j, "slowest", m->slowest);
    json_real(j, "fastest", m->fastest);
    json_integer(j, "rounds", ROUNDS);
    json_integer(j, "sweeps_per_round", m->sweeps);
    json_real(j, "bytes_per_update", m->bytes);
    json_real(j, "bandwidth_bytes_per_ns", m->bandwidth);
    json_real(j, "share_of_memory_limit", m->median * m->bytes / m->bandwidth);
    json_close(j, '}');
}

/* What stands above the first case; nothing does if a flag proves wrong. */
static void print_head(const bench_flags *flags, json *j)
{
    static int done;

    if (done++)
        return;
    if (flags->json) {
        json_open(j, NULL, '{');
        json_text(j, "version", latmc_version());
        json_open(j, "cases", '[');
    } else
        printf("%-10s %-5s %-11s %8s %-9s %10s %7s %8s  %s\n", "device", "model", "extents",
               "replicas", "couplings", "updates/ns", "spread", "of limit", "update");
}

/* What a row has no room for. */
static void print_inputs(const lattice_flags *wish, const course *c)
{
    char line[1024];
    size_t used;

    lattice_text(wish, c->lattice, line, sizeof line);
    used = strlen(line);
    for (int i = 0; i < wish->set.count && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, ", %s", wish->set.items[i]);
    page_text(stdout, 2, line);
}

/* The median of its rates; 0 if a signal came before. */
static double run_case(const lattice_flags *wish, const bench_flags *flags, int standard_case,
                       json *j)
{
    double rate = 0;
    course c = {.lattice = lattice_make(wish), .way = calls_way(flags->calls)};
    measurement m;

    lattice_configure(wish, c.lattice);
    c.steps = lattice_schedule(wish, c.lattice);
    if (flags->measure || flags->observe)
        choose_observables(&c, wish, flags, lattice_info(c.lattice).model);
    if (measure(wish, flags, &c, &m)) {
        rate = m.median;
        if (!standard_case && !flags->json)
            print_inputs(wish, &c);
        print_head(flags, j);
        if (flags->json)
            print_case(wish, flags, &c, &m, j);
        else
            print_row(wish, &m);
    }
    free((void *)c.pairs.replicas);
    latmc_destroy(c.lattice);
    return rate;
}

/* Whether the model of a standard case has all options that are given. */
static int has_options(const lattice_flags *wish, int model)
{
    for (int i = 0; i < wish->option.count; i++) {
        const char *rest = wish->option.items[i];
        char name[NAME_BYTES];
        int id;

        if (!cli_next(&rest, '=', name, sizeof name) ||
            latmc_find(LATMC_OPTIONS, (latmc_model)model, name, &id))
            return 0;
    }
    return 1;
}

/* Whether a standard case is one of those that --option and --update leave. */
static int wanted(const lattice_flags *wish, size_t i)
{
    const char *rest = wish->update;
    char name[NAME_BYTES];
    int model, id;

    cli_run(latmc_find(LATMC_MODELS, (latmc_model)0, standard[i].model, &model));
    if (!has_options(wish, model))
        return 0;
    if (!rest)
        return 1;
    if (standard[i].update)
        return strcmp(wish->update, standard[i].update) == 0;
    return cli_next(&rest, strchr(rest, ':') ? ':' : ',', name, sizeof name) &&
           !latmc_find(LATMC_UPDATES, (latmc_model)model, name, &id);
}

static void run_standard(const lattice_flags *wish, const bench_flags *flags, const char *device,
                         json *j)
{
    const int gpu = strncmp(device, "cuda", 4) == 0;

    for (size_t i = 0; i < sizeof standard / sizeof standard[0] && !stop_asked(); i++) {
        lattice_flags one = *wish;

        if ((standard[i].gpu_only && !gpu) || !wanted(wish, i))
            continue;
        one.model = standard[i].model;
        one.extents = standard[i].extents;
        one.disorder[OF_BONDS].distribution = standard[i].couplings;
        one.replicas = standard[i].replicas;
        if (standard[i].update)
            one.update = standard[i].update;
        one.set = (cli_list){0};
        while (one.set.count < SETS_MAX && standard[i].set[one.set.count]) {
            one.set.items[one.set.count] = standard[i].set[one.set.count];
            one.set.count++;
        }
        if (standard[i].option && one.option.count < CLI_LIST_MAX)
            one.option.items[one.option.count++] = standard[i].option;
        one.device = device;
        run_case(&one, flags, 1, j);
    }
}

static void run_scaling(const lattice_flags *wish, const bench_flags *flags, scaling *s, json *j)
{
    for (int i = 0; i < s->count && !stop_asked(); i++) {
        lattice_flags one = *wish;

        one.device = s->rows[i].device;
        one.extents = s->rows[i].extents;
        if (ranks_among(s->rows[i].devices))
            s->rows[i].rate = run_case(&one, flags, i > 0, j);
        ranks_among(0);
    }
}

static void run_all(const lattice_flags *wish, const bench_flags *flags, json *j)
{
    if (wish->extents)
        run_case(wish, flags, 0, j);
    else if (wish->device)
        run_standard(wish, flags, wish->device, j);
    else
        for (int i = 0; i < latmc_device_count() && !stop_asked(); i++) {
            latmc_device_info device = {.size = sizeof device};

            cli_run(latmc_device_describe(i, &device));
            if (device.usable)
                run_standard(wish, flags, device.name, j);
        }
}

int main(int argc, char **argv)
{
    lattice_flags wish = {.start = "hot", .create = ranks_create};
    bench_flags flags = {.seconds = 1};
    const cli_table tables[] = {{lattice_options, &wish},
                                {lattice_disorder_options(), &wish},
                                {copies_option, &wish},
                                {bench_options, &flags},
                                {NULL, NULL}};
    json j = {.file = stdout};
    scaling s = {0};

    ranks_begin(program.name, argc, argv);
    cli_parse(&program, tables, argc, argv);
    if (!wish.extents && (wish.model || wish.replicas || wish.copies || wish.set.count ||
                          wish.boundary || wish.axis_couplings || lattice_disorder_flag(&wish)))
        cli_refuse(
            "flags that describe a lattice need --extents with them, such as --extents 256x256");
    if (flags.random) {
        if (wish.extents || flags.scaling || flags.calls || flags.mpi || flags.measure ||
            flags.observe)
            cli_refuse("--random goes with --device, --threads, --seconds and --json alone");
        random_fills(flags.random, wish.device, (int)wish.threads, flags.seconds,
                     flags.json ? &j : NULL);
        return cli_finish(0);
    }
    wish.device = ranks_device(wish.device);
    if (flags.scaling)
        s = scaling_plan(flags.scaling, &wish);
    stop_prepare();
    if (flags.scaling)
        run_scaling(&wish, &flags, &s, &j);
    else
        run_all(&wish, &flags, &j);
    if (flags.json) {
        print_head(&flags, &j);
        json_close(&j, ']');
        if (flags.scaling)
            scaling_json(&s, &j);
        json_text(&j, "stopped_by", stop_asked() ? stop_name() : NULL);
        json_close(&j, '}');
    }
    if (flags.scaling && !flags.json)
        scaling_table(&s);
    if (stop_asked())
        cli_warn("stopped by %s: the cases above are those that were done", stop_name());
    return ranks_end(cli_finish(stop_asked() ? stop_status() : 0));
}
