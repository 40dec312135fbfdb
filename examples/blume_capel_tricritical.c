/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-blume-capel-tricritical: the quadrupole moment of the Blume-Capel model on the square
 * lattice, at a continuous transition and at one of first order, on either side of the tricritical
 * point.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "gnuplot.h"
#include "lattice_flags.h"
#include "results.h"
#include "stop.h"

#include <latmc/latmc.h>

#define PICTURE "blume-capel-tricritical.png"
#define DATA    "blume-capel-tricritical.dat"

enum { SIDE = 16, SITES = SIDE * SIDE, REPLICAS = 64, BIN = 8, BINS = SITES / BIN + 1 };
enum { RECORDS = 3000, RECORDS_MIN = 30, EVERY = 5 };

typedef struct flags {
    const char *device, *output;
    int64_t threads;
    cli_seed seed;
    double effort;
    int json;
} flags;

#define AT(member) offsetof(flags, member)

static const cli_option options[] = {
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"effort", CLI_REAL, AT(effort), "X",
     "factor on the number of sweeps, at least 0.1 for errors to be trusted (1)", 0, 100000},
    {"output", CLI_TEXT, AT(output), "DIR", "where picture and data go; made if it is missing (.)",
     0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of a table", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-blume-capel-tricritical",
    "Blume-Capel model: the share of spins that are not 0, above and below the tricritical point.",
    "Writes " PICTURE " (if gnuplot is there) and the data " DATA ", in place of what has these "
    "names.\n"
    "16 squared, periodic, heat bath, 64 replicas of which half begin hot and half cold, at two "
    "points close to the line of transitions: T = 0.8, D = 1.87879, where the transition is "
    "continuous, "
    "and T = 0.5, D = 1.98789, where it is of first order and two phases meet: there replicas stay "
    "in the phase that they "
    "began in, and the peaks are as high as that makes them. Means are over the replicas of a "
    "start, "
    "and so are their errors. The tricritical "
    "point between them is near T = 0.608, D = 1.966.\n"
    "Results depend on --seed and --effort, and on nothing else.",
    lattice_print_devices};

/* A point of the line, and how often each quadrupole moment was there. */
typedef struct point {
    const char *name;
    double temperature, crystal_field;
    latmc_estimate mean[2]; /* of replicas that began hot, cold */
    double count[BINS];
} point;

static latmc_lattice *make(const point *p, uint64_t seed, const flags *f)
{
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_BLUME_CAPEL, 2, (int64_t[]){SIDE, SIDE}));
    cli_run(latmc_set_replicas(lattice, REPLICAS / 2));
    cli_run(latmc_set_seed(lattice, seed));
    cli_run(latmc_set_param(lattice, LATMC_BETA, 1 / p->temperature));
    cli_run(latmc_set_param(lattice, LATMC_CRYSTAL_FIELD, p->crystal_field));
    if (f->threads)
        cli_setup(latmc_set_threads(lattice, (int)f->threads), "threads");
    cli_setup(latmc_set_device(lattice, f->device ? f->device : "auto"), "device");
    cli_run(latmc_set_progress(lattice, stop_progress, NULL));
    return lattice;
}

/* The mean over independent replicas, with the error of their spread. */
static latmc_estimate over_replicas(const double *series, int64_t records)
{
    enum { HALF = REPLICAS / 2 };
    double means[HALF] = {0}, square = 0;
    latmc_estimate e = LATMC_INIT(latmc_estimate);

    for (int r = 0; r < HALF; r++) {
        for (int64_t i = 0; i < records; i++)
            means[r] += series[r * records + i] / (double)records;
        e.value += means[r] / HALF;
    }
    for (int r = 0; r < HALF; r++)
        square += (means[r] - e.value) * (means[r] - e.value);
    e.error = sqrt(square / (HALF * (HALF - 1.0)));
    return e;
}

/* 0 if a signal came. */
static int run_half(point *p, int cold, uint64_t seed, int64_t records, const flags *f)
{
    const latmc_quantity quadrupole = LATMC_QUANTITY(LATMC_QUADRUPOLE);
    const int64_t all = REPLICAS / 2 * records;
    latmc_lattice *lattice = make(p, seed, f);
    double *series = cli_memory(all, sizeof *series);
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_HEATBATH,
                                 .every = EVERY,
                                 .records = records,
                                 .quantity_count = 1,
                                 .quantities = &quadrupole,
                                 .series = series};
    int done;

    cli_run(latmc_start(lattice, cold ? LATMC_START_COLD : LATMC_START_HOT));
    done = !stop_after(latmc_sweep(lattice, LATMC_HEATBATH, records)) &&
           !stop_after(latmc_record(lattice, &run, NULL));
    if (done)
        p->mean[cold] = over_replicas(series, records);
    for (int64_t i = 0; done && i < all; i++)
        p->count[llround(series[i] * SITES) / BIN] += 0.5 / (double)all;
    free(series);
    latmc_destroy(lattice);
    return done;
}

static int write_data(const point *points)
{
    outfile data = outfile_open(DATA);

    for (int i = 0; data.file && i < 2; i++) {
        fprintf(data.file, "%s# T = %g, D = %g: quadrupole moment, share of the measurements\n",
                i ? "\n\n" : "", points[i].temperature, points[i].crystal_field);
        for (int b = 0; b < BINS; b++)
            fprintf(data.file, "%.6f %.8f\n", (BIN * b + (BIN - 1) / 2.0) / SITES,
                    points[i].count[b]);
    }
    return outfile_close(&data, 1);
}

static int draw(const point *points)
{
    gnuplot g;

    if (!gnuplot_open(&g, PICTURE, 1200, 800))
        return 0;
    if (g.commands)
        fprintf(g.commands,
                "set grid lc rgb '#dddddd'\nset xlabel 'quadrupole moment (1/N) sum s^2'\n"
                "set ylabel 'share of the measurements'\nset xrange [0:1]\nset key top center\n"
                "set title 'Blume-Capel model, %d squared, on its line of transitions; half of the "
                "replicas begin hot, half cold'\n"
                "plot '" DATA "' index 0 using 1:2 with histeps lw 2 lc rgb '#4477aa' title "
                "'T = %g, D = %g: continuous', '' index 1 using 1:2 with histeps lw 2 lc rgb "
                "'#ee6677' title 'T = %g, D = %g: first order'\n",
                SIDE, points[0].temperature, points[0].crystal_field, points[1].temperature,
                points[1].crystal_field);
    return gnuplot_close(&g) ? 1 : -1;
}

static uint64_t seed_of(const flags *f)
{
    return f->seed.given ? f->seed.value : 1;
}

static void print_point(const point *p)
{
    char hot[PAGE_CELL], cold[PAGE_CELL];

    results_number(&p->mean[0], hot);
    results_number(&p->mean[1], cold);
    printf("%-12s  %.1f  %.5f  %-14s  %s\n", p->name, p->temperature, p->crystal_field, hot, cold);
}

static void point_json(const point *p, json *j)
{
    static const char *const starts[] = {"hot", "cold"};

    json_open(j, NULL, '{');
    json_text(j, "transition", p->name);
    json_real(j, "temperature", p->temperature);
    json_real(j, "crystal_field", p->crystal_field);
    for (int cold = 0; cold < 2; cold++) {
        json_open(j, starts[cold], '{');
        json_real(j, "quadrupole", p->mean[cold].value);
        json_real(j, "error", p->mean[cold].error);
        json_close(j, '}');
    }
    json_open(j, "histogram", '[');
    for (int b = 0; b < BINS; b++)
        json_real(j, NULL, p->count[b]);
    json_close(j, ']');
    json_close(j, '}');
}

static void print_json(const point *points, int done, int64_t records, const flags *f, double begin)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "model", "blume-capel");
    json_integer(&j, "size", SIDE);
    json_integer(&j, "replicas", REPLICAS);
    json_integer(&j, "records", records);
    json_integer(&j, "every", EVERY);
    json_integer(&j, "threads", f->threads);
    json_unsigned(&j, "seed", seed_of(f));
    json_real(&j, "effort", f->effort);
    json_text(&j, "stopped_by", done == 4 ? NULL : stop_name());
    json_open(&j, "points", '[');
    for (int i = 0; i < done / 2; i++)
        point_json(&points[i], &j);
    json_close(&j, ']');
    json_real(&j, "seconds", cli_clock() - begin);
    json_close(&j, '}');
}

/* How many of the four halves were done before a signal came. */
static int run_all(point *points, int64_t records, const flags *f)
{
    int done = 0;

    if (!f->json)
        printf("transition    T    D        quadrupole moment, from a hot and a cold start\n");
    for (; done < 4; done++) {
        const uint64_t seed = seed_of(f) + ((uint64_t)done << 32);

        if (!run_half(&points[done / 2], done % 2, seed, records, f))
            break;
        if (done % 2 && !f->json)
            print_point(&points[done / 2]);
    }
    return done;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {PICTURE, DATA, NULL};
    flags f = {.effort = 1};
    const cli_table tables[] = {{options, &f}, {NULL, NULL}};
    const double begin = cli_clock();
    point points[2] = {{.name = "continuous", .temperature = 0.8, .crystal_field = 1.87879},
                       {.name = "first order", .temperature = 0.5, .crystal_field = 1.98789}};
    int64_t records;
    int done, drawn, written;

    cli_parse(&program, tables, argc, argv);
    latmc_destroy(make(&points[0], 1, &f)); /* is there such a device? */
    cli_enter(f.output, files);
    stop_prepare();
    records = f.effort * RECORDS < RECORDS_MIN ? RECORDS_MIN : (int64_t)(f.effort * RECORDS);
    done = run_all(points, records, &f);
    if (f.json)
        print_json(points, done, records, &f, begin);
    cli_flush();
    if (done < 4) {
        cli_warn("stopped by %s: no files", stop_name());
        return cli_finish(stop_status());
    }
    written = write_data(points);
    drawn = written ? draw(points) : 0;
    if (drawn > 0 && !f.json)
        printf("Picture: %s/" PICTURE "\n", f.output ? f.output : ".");
    return cli_finish(written && drawn >= 0 ? 0 : CLI_FAILED);
}
