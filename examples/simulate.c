/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-simulate: any model of the library by flags. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results.h"

typedef struct run_flags {
    const char *start, *load, *save, *csv;
    int64_t tune, thermalize, sweeps, every;
    int json;
} run_flags;

/* The share of accepted proposals that --tune aims at. */
static const double tune_target = 0.5;

#define MOST_SWEEPS (INT64_C(1) << 40)
#define AT(member)  offsetof(run_flags, member)

static const cli_option run_options[] = {
    {"start", CLI_TEXT, AT(start), "NAME", "first configuration, hot or cold (hot)", 0, 0},
    {"tune", CLI_INTEGER, AT(tune), "N",
     "sweeps before all others that set epsilon for an acceptance of 1/2 (0)", 0, MOST_SWEEPS},
    {"thermalize", CLI_INTEGER, AT(thermalize), "N", "steps before the first measurement (0)", 0,
     MOST_SWEEPS},
    {"sweeps", CLI_INTEGER, AT(sweeps), "N", "steps with measurements (1000)", 0, MOST_SWEEPS},
    {"every", CLI_INTEGER, AT(every), "K", "steps from one measurement to the next (1)", 1,
     MOST_SWEEPS},
    {"load", CLI_TEXT, AT(load), "FILE", "continue a saved lattice", 0, 0},
    {"save", CLI_TEXT, AT(save), "FILE", "save the lattice at the end", 0, 0},
    {"csv", CLI_TEXT, AT(csv), "FILE", "write the time series", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of a table", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-simulate",
    "Monte Carlo simulation of a lattice model: means, errors and autocorrelation times.",
    "A step is one pass through the list of --update; with one update of one sweep, as preset,\n"
    "it is one sweep. Steps left over after the last multiple of --every are done as well.\n"
    "--tune makes sweeps of the first update of the list that has an epsilon.\n"
    "--load takes model, extents, replicas, precision,\n"
    "boundaries, couplings and seeds from the file.\n"
    "Errors are one standard error, autocorrelation included; tau_int is 1/2 for independent\n"
    "measurements. Exit status: 0, 1 if the run failed, 2 if a flag was wrong.",
    lattice_print_models};

/* How far the run has come, for the bar. */
typedef struct progress {
    int shown;
    int64_t base, total; /* sweeps */
    double drawn;        /* when */
} progress;

static int draw(void *user, int64_t done, int64_t total)
{
    progress *p = user;
    const double now = cli_clock(), share = (double)(p->base + done) / (double)p->total;
    char bar[41] = "";

    (void)total;
    if (!p->shown || now - p->drawn < 0.1)
        return 0;
    p->drawn = now;
    memset(bar, '#', (size_t)(40 * fmin(share, 1)));
    fprintf(stderr, "\r[%-40s] %3.0f %%", bar, 100 * share);
    return 0;
}

static void erase(const progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r%50s\r", "");
}

/* One simulation under way. */
typedef struct simulation {
    latmc_lattice *lattice;
    schedule steps;
    progress bar;
} simulation;

/* `passes` steps, the last of them but for the last part of the schedule if `but_last`. */
static void sweep(simulation *s, int64_t passes, int but_last)
{
    if (s->steps.count == 1) {
        const int64_t sweeps = (passes - but_last) * s->steps.parts[0].sweeps;

        cli_run(latmc_sweep(s->lattice, s->steps.parts[0].update, sweeps));
        s->bar.base += sweeps;
        return;
    }
    for (int64_t pass = 0; pass < passes; pass++)
        for (int i = 0; i < s->steps.count - (but_last && pass == passes - 1); i++) {
            cli_run(latmc_sweep(s->lattice, s->steps.parts[i].update, s->steps.parts[i].sweeps));
            s->bar.base += s->steps.parts[i].sweeps;
        }
}

/* Several updates: each record's last part is swept and measured by itself. */
static void record_mixed(simulation *s, int64_t every, results *r)
{
    const int last = s->steps.count - 1;
    const int64_t lines = r->observables * r->info.replicas;
    double *now = cli_memory(lines, sizeof *now);

    for (int64_t t = 0; t < r->records; t++) {
        sweep(s, every, 1);
        cli_run(latmc_record(s->lattice, s->steps.parts[last].update, s->steps.parts[last].sweeps,
                             1, r->observables, r->ids, now));
        s->bar.base += s->steps.parts[last].sweeps;
        for (int64_t i = 0; i < lines; i++)
            r->series[i * r->records + t] = now[i];
    }
    free(now);
}

static void measure_once(simulation *s, results *r)
{
    for (int o = 0; o < r->observables; o++)
        cli_run(latmc_observe(s->lattice, r->ids[o], r->series + o * r->info.replicas));
}

/* All measurements; returns how many seconds the sweeps took. */
static double record(simulation *s, const run_flags *flags, results *r)
{
    const int64_t records = flags->sweeps / flags->every;
    const double begin = cli_clock();

    if (records && s->steps.count == 1) {
        cli_run(latmc_record(s->lattice, s->steps.parts[0].update,
                             flags->every * s->steps.parts[0].sweeps, records, r->observables,
                             r->ids, r->series));
        s->bar.base += records * flags->every * s->steps.sweeps;
    } else if (records)
        record_mixed(s, flags->every, r);
    if (flags->sweeps % flags->every)
        sweep(s, flags->sweeps % flags->every, 0);
    if (!records)
        measure_once(s, r);
    return cli_clock() - begin;
}

/* What a saved lattice has fixed cannot be given with it. */
static void refuse_with_load(const lattice_flags *lattice, const run_flags *run)
{
    const struct {
        const char *flag;
        int given;
    } fixed[] = {
        {"model", lattice->model != NULL},
        {"extents", lattice->extents != NULL},
        {"replicas", lattice->replicas != 0},
        {"precision", lattice->precision != NULL},
        {"boundary", lattice->boundary != NULL},
        {"couplings", lattice->couplings != NULL},
        {"coupling-seed", lattice->coupling_seed.given},
        {"seed", lattice->seed.given},
        {"start", run->start != NULL},
    };

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (fixed[i].given)
            cli_refuse("--%s cannot be given with --load: the saved lattice has its own",
                       fixed[i].flag);
}

static latmc_lattice *prepare(const lattice_flags *flags, const run_flags *run)
{
    latmc_lattice *lattice;
    int start;

    if (run->load) {
        refuse_with_load(flags, run);
        cli_setup(latmc_load(&lattice, run->load), "load");
        lattice_configure(flags, lattice);
        return lattice;
    }
    lattice = lattice_make(flags);
    lattice_configure(flags, lattice);
    cli_setup(latmc_find(LATMC_START_MODES, (latmc_model)lattice_info(lattice).model,
                         run->start ? run->start : "hot", &start),
              "start");
    cli_run(latmc_start(lattice, (latmc_start_mode)start));
    return lattice;
}

/* The first update that can be tuned is. */
static void tune(const simulation *s, int64_t sweeps)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; sweeps && i < s->steps.count; i++) {
        status = latmc_tune(s->lattice, s->steps.parts[i].update, sweeps, tune_target);
        if (!status)
            break;
    }
    cli_setup(status, "tune");
}

/* What is true of the whole run. */
typedef struct summary {
    char device[64], extents[128], hash[24];
    double seconds, rate;
} summary;

static summary summarize(const simulation *s, const run_flags *flags, double seconds)
{
    const latmc_lattice_info info = lattice_info(s->lattice);
    const double updates = (double)flags->sweeps * s->steps.updates;
    summary out = {.seconds = seconds};
    uint64_t hash;

    cli_run(latmc_get_device(s->lattice, out.device, sizeof out.device));
    cli_run(latmc_state_hash(s->lattice, &hash));
    lattice_extents_text(&info, out.extents, sizeof out.extents);
    snprintf(out.hash, sizeof out.hash, "%016" PRIx64, hash);
    out.rate = updates > 0 ? (double)info.sites * (double)info.replicas * updates / seconds * 1e-9
                           : (double)NAN;
    return out;
}

static void print_schedule_json(const simulation *s, int model, json *j)
{
    json_open(j, "update", '[');
    for (int i = 0; i < s->steps.count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "name", lattice_thing_of(LATMC_UPDATES, model, s->steps.parts[i].update).name);
        json_integer(j, "sweeps", s->steps.parts[i].sweeps);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void print_json(const simulation *s, const run_flags *flags, const results *r,
                       const summary *about)
{
    const latmc_lattice_info info = lattice_info(s->lattice);
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "model", lattice_thing_of(LATMC_MODELS, 0, info.model).name);
    json_text(&j, "extents", about->extents);
    json_open(&j, "boundaries", '[');
    for (int axis = 0; axis < info.dims; axis++)
        json_text(&j, NULL,
                  lattice_thing_of(LATMC_BOUNDARIES, info.model, info.boundaries[axis]).name);
    json_close(&j, ']');
    if (lattice_precision(&info))
        json_text(&j, "precision", lattice_precision(&info));
    json_text(&j, "device", about->device);
    json_unsigned(&j, "seed", info.seed);
    print_schedule_json(s, info.model, &j);
    if (flags->tune)
        json_integer(&j, "tune", flags->tune);
    json_integer(&j, "thermalize", flags->thermalize);
    json_integer(&j, "sweeps", flags->sweeps);
    json_integer(&j, "every", flags->every);
    json_integer(&j, "records", flags->sweeps / flags->every);
    json_integer(&j, "sweeps_since_start", info.sweeps);
    json_real(&j, "seconds", about->seconds);
    json_real(&j, "updates_per_ns", about->rate);
    json_text(&j, "state_hash", about->hash);
    results_json(r, &j);
    json_close(&j, '}');
}

static void print_table(const simulation *s, const run_flags *flags, const results *r,
                        const summary *about)
{
    const latmc_lattice_info info = lattice_info(s->lattice);

    printf("%s %s, %" PRId64 " replica%s, on %s\n",
           lattice_thing_of(LATMC_MODELS, 0, info.model).name, about->extents, info.replicas,
           info.replicas == 1 ? "" : "s", about->device);
    printf("%" PRId64 " steps to thermalize, %" PRId64 " steps measured every %" PRId64 ", %" PRId64
           " sweeps since the start\n",
           flags->thermalize, flags->sweeps, flags->every, info.sweeps);
    if (isfinite(about->rate))
        printf("%.3g s, %.4g updates/ns\n", about->seconds, about->rate);
    printf("state_hash %s\n\n", about->hash);
    results_table(r, stdout);
}

static void write_csv(const char *path, FILE *file, const results *r, int64_t records)
{
    results empty = *r;

    empty.records = 0;
    results_csv(records ? r : &empty, file);
    if (ferror(file) | fclose(file))
        cli_fail("--csv: %s could not be written", path);
}

/* Before the run, so that its results are not lost for a wrong path. */
static void check_save(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    if (access(folder, W_OK) != 0)
        cli_fail("--save: no file can be written in %s", folder);
}

int main(int argc, char **argv)
{
    lattice_flags wish = {0};
    run_flags flags = {.sweeps = 1000, .every = 1};
    const cli_table tables[] = {{lattice_options, &wish}, {run_options, &flags}, {NULL, NULL}};
    simulation s = {0};
    results r;
    summary about;
    FILE *csv = NULL;

    cli_parse(&program, tables, argc, argv);
    s.lattice = prepare(&wish, &flags);
    s.steps = lattice_schedule(&wish, s.lattice);
    if (flags.thermalize + flags.sweeps > MOST_SWEEPS / s.steps.sweeps)
        cli_refuse("--thermalize and --sweeps come to more than 2^40 sweeps");
    if (flags.save)
        check_save(flags.save);
    if (flags.csv && !(csv = fopen(flags.csv, "w")))
        cli_fail("--csv: %s could not be opened for writing", flags.csv);
    s.bar.shown = !flags.json && isatty(STDERR_FILENO);
    s.bar.total = (flags.thermalize + flags.sweeps) * s.steps.sweeps;
    cli_run(latmc_set_progress(s.lattice, draw, &s.bar));

    tune(&s, flags.tune);
    r = results_prepare(s.lattice, flags.sweeps / flags.every);
    sweep(&s, flags.thermalize, 0);
    about = summarize(&s, &flags, record(&s, &flags, &r));
    erase(&s.bar);
    if (csv)
        write_csv(flags.csv, csv, &r, flags.sweeps / flags.every);
    results_analyse(&r);
    (flags.json ? print_json : print_table)(&s, &flags, &r, &about);
    if (flags.save)
        cli_run(latmc_save(s.lattice, flags.save));
    results_free(&r);
    latmc_destroy(s.lattice);
    return cli_finish();
}
