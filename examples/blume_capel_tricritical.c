/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blume-capel-tricritical: the quadrupole moment of the Blume-Capel model on the square lattice, at
 * a continuous transition and at one of first order, on either side of the tricritical point.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "gnuplot.h"
#include "lattice_flags.h"
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
} flags;

#define AT(member) offsetof(flags, member)

static const cli_option options[] = {
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"effort", CLI_REAL, AT(effort), "X", "factor on the number of sweeps (1)", 0, 100000},
    {"output", CLI_TEXT, AT(output), "DIR", "where picture and data go; made if it is missing (.)",
     0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "blume-capel-tricritical",
    "Blume-Capel model: the share of spins that are not 0, above and below the tricritical point.",
    "Writes " PICTURE " (if gnuplot is there) and the data " DATA ", in place of what has these "
    "names.\n"
    "16 squared, periodic, heat bath, 64 replicas of which half begin hot and half cold, at two "
    "points close to the line of transitions: T = 0.8, D = 1.87879, where the transition is continuous, "
    "and T = 0.5, D = 1.98789, where it is of first order and two phases meet: there replicas stay "
    "in the phase that they "
    "began in, and the peaks are as high as that makes them. The tricritical "
    "point between them is near T = 0.608, D = 1.966.\n"
    "Results depend on --seed and --effort, and on nothing else.",
    lattice_print_devices};

/* A point of the line, and how often each quadrupole moment was there. */
typedef struct point {
    const char *name;
    double temperature, crystal_field;
    double mean[2]; /* of replicas that began hot, cold */
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

/* 0 if a signal came. */
static int run_half(point *p, int cold, uint64_t seed, int64_t records, const flags *f)
{
    const latmc_observable quadrupole = LATMC_QUADRUPOLE;
    const int64_t all = REPLICAS / 2 * records;
    latmc_lattice *lattice = make(p, seed, f);
    double *series = cli_memory(all, sizeof *series);
    int done;

    cli_run(latmc_start(lattice, cold ? LATMC_START_COLD : LATMC_START_HOT));
    done =
        !stop_after(latmc_sweep(lattice, LATMC_HEATBATH, records)) &&
        !stop_after(latmc_record(lattice, LATMC_HEATBATH, EVERY, records, 1, &quadrupole, series));
    for (int64_t i = 0; done && i < all; i++) {
        p->mean[cold] += series[i] / (double)all;
        p->count[llround(series[i] * SITES) / BIN] += 0.5 / (double)all;
    }
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
                "set title 'Blume-Capel model, %d squared, on its line of transitions'\n"
                "plot '" DATA "' index 0 using 1:2 with histeps lw 2 lc rgb '#4477aa' title "
                "'T = %g, D = %g: continuous', '' index 1 using 1:2 with histeps lw 2 lc rgb "
                "'#ee6677' title 'T = %g, D = %g: first order'\n",
                SIDE, points[0].temperature, points[0].crystal_field, points[1].temperature,
                points[1].crystal_field);
    return gnuplot_close(&g) ? 1 : -1;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {PICTURE, DATA, NULL};
    flags f = {.effort = 1};
    const cli_table tables[] = {{options, &f}, {NULL, NULL}};
    point points[2] = {{.name = "continuous", .temperature = 0.8, .crystal_field = 1.87879},
                       {.name = "first order", .temperature = 0.5, .crystal_field = 1.98789}};
    int done = 0, drawn = 0, written = 0;

    cli_parse(&program, tables, argc, argv);
    latmc_destroy(make(&points[0], 1, &f)); /* is there such a device? */
    cli_enter(f.output, files);
    stop_prepare();
    const int64_t records =
        f.effort * RECORDS < RECORDS_MIN ? RECORDS_MIN : (int64_t)(f.effort * RECORDS);
    const uint64_t seed = f.seed.given ? f.seed.value : 1;
    printf("transition    T    D        quadrupole moment, from a hot and a cold start\n");
    for (; done < 4; done++) {
        point *p = &points[done / 2];
        if (!run_half(p, done % 2, seed + ((uint64_t)done << 32), records, &f))
            break;
        if (done % 2)
            printf("%-12s  %.1f  %.5f  %.4f  %.4f\n", p->name, p->temperature, p->crystal_field,
                   p->mean[0], p->mean[1]);
    }
    cli_flush();
    if (done < 4) {
        cli_warn("stopped by %s: no files", stop_name());
        return cli_finish(stop_status());
    }
    written = write_data(points);
    drawn = written ? draw(points) : 0;
    if (drawn > 0)
        printf("Picture: %s/" PICTURE "\n", f.output ? f.output : ".");
    return cli_finish(written && drawn >= 0 ? 0 : CLI_FAILED);
}
