/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-ising-glass: the three-dimensional Ising spin glass with couplings of -1 and +1, by
 * parallel tempering of two copies of each sample. What is reckoned is in glass.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glass.h"
#include "page.h"
#include "stop.h"

typedef struct glass_flags {
    const char *sizes, *temperatures, *device, *output;
    int64_t samples, steps, sweeps, threads;
    double effort;
    cli_seed seed;
    int json;
} glass_flags;

#define AT(member) offsetof(glass_flags, member)

static const cli_option options[] = {
    {"sizes", CLI_TEXT, AT(sizes), "L,L,...", "up to 6 sizes, rising (4,6,8; on a GPU 6,8,10,12)",
     0, 0},
    {"samples", CLI_INTEGER, AT(samples), "N",
     "samples of couplings of each size (512, 384, 256; on a GPU 512)", 4, 1 << 20},
    {"temperatures", CLI_TEXT, AT(temperatures), "FROM:TO", "range of T (0.95:2)", 0, 0},
    {"steps", CLI_INTEGER, AT(steps), "N",
     "temperatures, evenly spaced in the range (12; on a GPU 24)", 4, GLASS_STEPS},
    {"sweeps", CLI_INTEGER, AT(sweeps), "N",
     "sweeps of each size, made up to 10 times a power of two (2560, 5120, 10240; on a GPU "
     "327680)",
     40, INT64_C(1) << 30},
    {"effort", CLI_REAL, AT(effort), "X",
     "factor on the preset number of samples, at least 0.25 for errors to be trusted (1)", 0, 1000},
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"seed", CLI_SEED, AT(seed), "N", "seed of couplings and random numbers (1)", 0, 0},
    {"output", CLI_TEXT, AT(output), "DIR",
     "where the picture and its data go; made if it is missing (.)", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-ising-glass",
    "The 3D Ising spin glass with couplings of -1 and +1: overlaps, correlation length, crossing.",
    "Each size has many samples of couplings, -1 and +1 with equal shares, and of each sample two "
    "copies of a ladder of temperatures whose replicas are exchanged; hot start, periodic "
    "boundaries, ten sweeps of Metropolis and two exchanges between measurements. Results are "
    "means over the second half of a run, errors those of the samples (bootstrap). Whether a run "
    "was long enough is tested with bins that double: the last two must agree at the lowest "
    "temperature.\n"
    "Writes " GLASS_PICTURE " (if gnuplot is there), xi/L and g against T, and " GLASS_DATA
    ", in place of what has these names.\n"
    "The literature has T_c = 1.1019(29), from sizes of up to 40 (M. Baity-Jesi and others, Phys. "
    "Rev. B 88, 224416 (2013)). Small sizes cross elsewhere, since corrections to scaling are "
    "large, and the errors given here are statistical alone. Lowest energies found are upper "
    "bounds of those of the ground states, which per spin are about -1.787 on average in large "
    "lattices.\n"
    "Results depend on the flags about sizes, samples, temperatures, sweeps and seed, and on no "
    "device nor number of threads. Of a size that a signal stopped results are those of the last "
    "whole bin; then there is no picture.",
    lattice_print_devices};

/* What a run does if no flag says otherwise. */
typedef struct plan {
    int count;
    int64_t sizes[GLASS_SIZES], samples[GLASS_SIZES], records[GLASS_SIZES];
    int steps;
} plan;

static const plan cpu_plan = {3, {4, 6, 8}, {512, 384, 256}, {256, 512, 1024}, 12};
static const plan gpu_plan = {
    4, {6, 8, 10, 12}, {512, 512, 512, 512}, {32768, 32768, 32768, 32768}, 24};

enum { REPLICAS_MAX = 1 << 22 }; /* of a lattice, as latmc_set_replicas() has it */

static const double preset_from = 0.95, preset_to = 2.0;

/* One run of the program. */
typedef struct study {
    char device[64];
    int count, done; /* sizes; those with results, of which the last may have been stopped */
    int at;          /* the last that was begun */
    int stopped;
    glass_size sizes[GLASS_SIZES];
    glass_crossing crossings[GLASS_SIZES];
} study;

/* ------------------------------------------------------------------------ flags */

static uint64_t seed_of(const glass_flags *flags)
{
    return flags->seed.given ? flags->seed.value : 1;
}

static void read_sizes(const char *list, plan *p)
{
    const char *rest = list;
    char piece[NAME_BYTES];

    for (p->count = 0; rest && *rest; p->count++)
        if (p->count == GLASS_SIZES || !cli_next(&rest, ',', piece, sizeof piece) ||
            !cli_integer(piece, 2, 1024, &p->sizes[p->count]) ||
            (p->count && p->sizes[p->count] <= p->sizes[p->count - 1]))
            cli_refuse("--sizes is \"%s\"; up to %d rising whole numbers from 2 to 1024, with "
                       "commas between them, are needed",
                       list, GLASS_SIZES);
    if (!p->count)
        cli_refuse("--sizes is \"\"; at least one size is needed");
    for (int i = 0; i < p->count; i++) {
        p->samples[i] = p->samples[0];
        p->records[i] = p->records[0];
    }
}

static void read_temperatures(const char *range, double *from, double *to)
{
    const char *rest = range;
    char piece[NAME_BYTES];

    if (!cli_next(&rest, ':', piece, sizeof piece) || !rest || !cli_real(piece, from) ||
        !cli_real(rest, to) || !(*from > 0 && *to > *from))
        cli_refuse("--temperatures is \"%s\"; a range FROM:TO with 0 < FROM < TO is needed", range);
}

/* Measurements that so many sweeps are at least, a power of two. */
static int64_t measurements(const glass_size *g, int64_t sweeps)
{
    int64_t records = 1;

    while (records * g->every < sweeps)
        records *= 2;
    return records;
}

static void plan_size(const plan *p, int i, const glass_flags *flags, glass_size *g)
{
    double from = preset_from, to = preset_to;

    if (flags->temperatures)
        read_temperatures(flags->temperatures, &from, &to);
    g->size = p->sizes[i];
    g->sites = g->size * g->size * g->size;
    g->steps = flags->steps ? (int)flags->steps : p->steps;
    g->samples = flags->samples ? flags->samples
                                : (int64_t)fmax(4, round(flags->effort * (double)p->samples[i]));
    if (2 * g->steps * g->samples > REPLICAS_MAX)
        cli_refuse("--samples: %" PRId64 " samples with two copies of %d temperatures are %" PRId64
                   " replicas; a lattice has at most %d",
                   g->samples, g->steps, 2 * g->steps * g->samples, REPLICAS_MAX);
    /* Sizes must not share random numbers. */
    g->seed = seed_of(flags) + ((uint64_t)g->size << 32);
    for (int t = 0; t < g->steps; t++)
        g->temperature[t] = from + (to - from) * t / (g->steps - 1);
    glass_prepare(g);
    g->wanted = flags->sweeps ? measurements(g, flags->sweeps) : p->records[i];
}

static void plan_all(study *s, const glass_flags *flags)
{
    latmc_lattice *lattice;
    plan p;

    cli_run(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){8, 8}));
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_get_device(lattice, s->device, sizeof s->device));
    latmc_destroy(lattice);
    p = strncmp(s->device, "cuda", 4) == 0 ? gpu_plan : cpu_plan;
    if (flags->sizes)
        read_sizes(flags->sizes, &p);
    s->count = p.count;
    for (int i = 0; i < s->count; i++)
        plan_size(&p, i, flags, &s->sizes[i]);
}

/* ------------------------------------------------------------------------- a run */

static void print_inputs(const study *s, const glass_flags *flags)
{
    char line[512];

    snprintf(line, sizeof line,
             "ising, 3D, periodic, couplings pm1 with equal shares, metropolis with exchanges of "
             "two copies, hot start, seed %" PRIu64 ", on %s",
             seed_of(flags), s->device);
    page_text(stdout, 2, line);
    printf("\n");
    cli_flush();
}

static void run_sizes(study *s, const glass_flags *flags)
{
    for (int i = 0; i < s->count && !s->stopped; i++) {
        glass_size *g = &s->sizes[i];
        latmc_lattice *lattice = glass_make(g, flags->device, flags->threads);

        s->at = i;
        s->stopped = glass_run(g, lattice);
        latmc_destroy(lattice);
        if (glass_bins(g) < 2) /* nothing to say of it */
            break;
        glass_analyse(g);
        s->done++;
        if (!flags->json)
            glass_print(g);
        if (i)
            s->crossings[i - 1] = glass_cross(g - 1, g);
    }
}

/* ------------------------------------------------------------------------ output */

static void print_crossings(const study *s)
{
    for (int i = 0; i + 1 < s->done; i++)
        glass_print_crossing(&s->crossings[i]);
    if (s->done > 1)
        page_text(stdout, 2,
                  "The literature has T_c = 1.1019(29), from sizes of up to 40 (Phys. Rev. B 88, "
                  "224416). Small sizes cross elsewhere: corrections to scaling are not in these "
                  "errors.");
}

static void print_json(const study *s, const glass_flags *flags, double seconds)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "model", "ising");
    json_text(&j, "boundaries", "periodic");
    json_open(&j, "couplings", '{');
    json_text(&j, "kind", "pm1");
    json_real(&j, "plus", 0.5);
    json_close(&j, '}');
    json_text(&j, "update", "metropolis");
    json_text(&j, "start", "hot");
    json_text(&j, "device", s->device);
    json_integer(&j, "threads", flags->threads);
    json_unsigned(&j, "seed", seed_of(flags));
    json_real(&j, "effort", flags->effort);
    json_text(&j, "stopped_by", s->stopped ? stop_name() : NULL);
    json_open(&j, "sizes", '[');
    for (int i = 0; i < s->done; i++)
        glass_json(&s->sizes[i], &j);
    json_close(&j, ']');
    json_open(&j, "crossings", '[');
    for (int i = 0; i + 1 < s->done; i++)
        glass_crossing_json(&s->crossings[i], &j);
    json_close(&j, ']');
    json_open(&j, "literature", '{');
    json_real(&j, "t_c", GLASS_TC);
    json_real(&j, "t_c_error", GLASS_TC_ERROR);
    json_close(&j, '}');
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

/* After all has been printed: a file that cannot be written costs nothing else. Returns whether
 * one could not. */
static int write_files(const study *s, const glass_flags *flags, double begin)
{
    const char *folder = flags->output ? flags->output : ".";
    const int written = s->done && glass_write_data(s->sizes, s->done, s->crossings);
    const int drawn = written && !s->stopped ? glass_draw(s->sizes, s->done, s->crossings) : 0;

    if (!flags->json && drawn > 0)
        printf("Picture: %s/" GLASS_PICTURE "\n", folder);
    if (!flags->json && !drawn)
        printf("No picture%s\n", written && !s->stopped ? " (is gnuplot installed?)" : "");
    if (!flags->json && written)
        printf("Data: %s/" GLASS_DATA " (%.1f s in all)\n", folder, cli_clock() - begin);
    return (s->done && !written) || drawn < 0;
}

/* The exit status of the run itself. */
static int judge(const study *s)
{
    const glass_size *last = &s->sizes[s->at];

    if (s->stopped) {
        cli_warn("stopped by %s after %" PRId64 " of %" PRId64 " measurements of size %d of %d",
                 stop_name(), last->records, last->wanted, s->at + 1, s->count);
        return stop_status();
    }
    for (int i = 0; i < s->done; i++)
        if (!s->sizes[i].thermalized)
            cli_warn("L = %" PRId64 " is not in equilibrium: give more --sweeps", s->sizes[i].size);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {GLASS_PICTURE, GLASS_DATA, NULL};
    glass_flags flags = {.effort = 1};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    int status;

    cli_parse(&program, tables, argc, argv);
    plan_all(s, &flags);
    cli_enter(flags.output, files);
    stop_prepare();
    if (!flags.json)
        print_inputs(s, &flags);
    run_sizes(s, &flags);
    if (flags.json)
        print_json(s, &flags, cli_clock() - begin);
    else
        print_crossings(s);
    cli_flush();
    status = judge(s);
    if (write_files(s, &flags, begin))
        status = CLI_FAILED;
    for (int i = 0; i < s->count; i++)
        glass_free(&s->sizes[i]);
    free(s);
    return cli_finish(status);
}
