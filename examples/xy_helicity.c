/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-xy-helicity: the Kosterlitz-Thouless transition of the XY model in two dimensions by its
 * helicity modulus, which jumps from 2 T / pi to 0 (D. R. Nelson, J. M. Kosterlitz, Phys. Rev.
 * Lett. 39, 1201 (1977)); what finite lattices add to it is in xy.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lattice_flags.h"
#include "stop.h"
#include "xy.h"

typedef struct xy_flags {
    const char *device, *output;
    int64_t threads;
    cli_seed seed;
    double effort;
    int json;
} xy_flags;

#define AT(member) offsetof(xy_flags, member)

static const cli_option options[] = {
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"effort", CLI_REAL, AT(effort), "X",
     "factor on the number of rounds, at least 0.2 for errors to be trusted (1)", 0, 100000},
    {"output", CLI_TEXT, AT(output), "DIR", "where pictures and data go; made if it is missing (.)",
     0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-xy-helicity",
    "Kosterlitz-Thouless transition of the 2D XY model from its helicity modulus.",
    "Writes " XY_PICTURE " and, of the vortices in two configurations, " XY_VORTICES
    " (if gnuplot is there), and the data " XY_DATA ", in place of what has these names.\n"
    "Sizes 16, 32 and 64, periodic, cold start: temperatures from 0.7 to 1.1 are replicas of one "
    "lattice, which exchange them. A round is four sweeps of over-relaxation and one of heat bath, "
    "an exchange and a measurement, of the density of vortices, too. Where the helicity modulus of "
    "a size is 2 T / pi is above the transition; T_KT follows from all sizes with "
    "logarithmic corrections, whose uncertainty is in the error. A star marks an error that is not "
    "to be trusted.\n"
    "Results depend on --seed and --effort, and on nothing else: any device and any number of "
    "threads give the same numbers. A run that a signal stopped has the sizes that were done, but "
    "no T_KT and no pictures.",
    lattice_print_devices};

/* Rounds that are measured at effort 1; the least, for errors to be numbers. */
static const struct {
    int64_t size, rounds;
} plan[XY_SIZES] = {{16, 12000}, {32, 9000}, {64, 6000}};

static const double coldest = 0.7, hottest = 1.1;

enum { ROUNDS_MIN = 40, REFLECTIONS = 4, CHUNK = 1000 };

/* One run of the program. */
typedef struct study {
    char device[64];
    int done; /* sizes */
    xy_curve curves[XY_SIZES];
    xy_fit fit;
} study;

static uint64_t seed_of(const xy_flags *flags)
{
    return flags->seed.given ? flags->seed.value : 1;
}

static void plan_size(xy_curve *curve, int i, const xy_flags *flags)
{
    const double rounds = flags->effort * (double)plan[i].rounds;

    *curve = (xy_curve){.size = plan[i].size, .crossing = (double)NAN, .error = (double)NAN};
    /* Sizes must not share random numbers. */
    curve->seed = seed_of(flags) + ((uint64_t)plan[i].size << 32);
    curve->records = rounds < ROUNDS_MIN ? ROUNDS_MIN : (int64_t)rounds;
    curve->thermalize = curve->records / 10 + 200;
    for (int t = 0; t < XY_TEMPS; t++)
        curve->temperature[t] = coldest + (hottest - coldest) * t / (XY_TEMPS - 1);
}

static latmc_lattice *make(const xy_curve *curve, const xy_flags *flags)
{
    static const latmc_step steps[] = {
        {.size = sizeof steps[0], .update = LATMC_OVERRELAX, .sweeps = REFLECTIONS},
        {.size = sizeof steps[0], .update = LATMC_HEATBATH, .sweeps = 1, .exchanges = 1}};
    const int64_t extents[] = {curve->size, curve->size};
    double betas[XY_TEMPS];
    latmc_lattice *lattice;

    for (int t = 0; t < XY_TEMPS; t++)
        betas[t] = 1 / curve->temperature[t];
    cli_run(latmc_create(&lattice, LATMC_ONVECTOR, 2, extents));
    cli_run(latmc_set_replicas(lattice, XY_TEMPS));
    cli_run(latmc_set_seed(lattice, curve->seed));
    cli_run(latmc_set_params(lattice, LATMC_BETA, betas));
    cli_run(latmc_set_schedule(lattice, 2, steps));
    if (flags->threads)
        cli_setup(latmc_set_threads(lattice, (int)flags->threads), "threads");
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_set_progress(lattice, stop_progress, NULL));
    cli_run(latmc_start(lattice, LATMC_START_COLD));
    return lattice;
}

/* series[temperature][record] of the helicity, means over both axes, and behind it of vortices. 0
 * if a signal came. */
static int record(latmc_lattice *lattice, const xy_curve *curve, double *series)
{
    static const latmc_quantity wanted[] = {LATMC_QUANTITY(LATMC_HELICITY, 0),
                                            LATMC_QUANTITY(LATMC_HELICITY, 1),
                                            LATMC_QUANTITY(LATMC_VORTICES)};
    double *piece = cli_memory(3 * XY_TEMPS * CHUNK, sizeof *piece);
    double *const vortices = series + XY_TEMPS * curve->records;
    latmc_recording run = {.size = sizeof run,
                           .update = LATMC_SCHEDULE,
                           .order = LATMC_BY_SLOT,
                           .every = 1,
                           .quantity_count = 3,
                           .quantities = wanted,
                           .series = piece};
    int stopped = 0;

    for (int64_t done = 0, n; done < curve->records && !stopped; done += n) {
        n = curve->records - done < CHUNK ? curve->records - done : CHUNK;
        run.records = n;
        stopped = stop_after(latmc_record(lattice, &run, NULL));
        for (int t = 0; t < XY_TEMPS; t++)
            for (int64_t i = 0; i < n; i++) {
                const int64_t at = t * curve->records + done + i;

                series[at] = (piece[t * n + i] + piece[(XY_TEMPS + t) * n + i]) / 2;
                vortices[at] = piece[(2 * XY_TEMPS + t) * n + i];
            }
    }
    free(piece);
    return !stopped;
}

/* The least acceptance of all neighbours. */
static double least_exchanged(const latmc_lattice *lattice)
{
    int64_t offered[XY_TEMPS] = {0}, accepted[XY_TEMPS] = {0};
    double least = (double)NAN;

    cli_run(latmc_get_exchange_counts(lattice, offered, accepted));
    for (int t = 0; t + 1 < XY_TEMPS; t++)
        if (offered[t] > 0)
            least = fmin(least, (double)accepted[t] / (double)offered[t]);
    return least;
}

static void take_shown(latmc_lattice *lattice, xy_curve *curve)
{
    const int64_t numbers = 2 * curve->size * curve->size;
    const latmc_quantity vortices = LATMC_QUANTITY(LATMC_VORTICES);
    int64_t slots[XY_TEMPS];
    double density[XY_TEMPS]; /* by slot */

    cli_run(latmc_get_slots(lattice, slots));
    cli_run(latmc_observe(lattice, LATMC_BY_SLOT, 1, &vortices, density));
    for (int shown = 0; shown < XY_SHOWN; shown++)
        curve->count[shown] = llround(density[shown ? XY_TEMPS - 1 : 0] * (double)(numbers / 2));
    for (int shown = 0; shown < XY_SHOWN; shown++)
        for (int64_t r = 0; r < XY_TEMPS; r++)
            if (slots[r] == (shown ? XY_TEMPS - 1 : 0)) {
                curve->shown[shown] = cli_memory(numbers, sizeof *curve->shown[shown]);
                cli_run(latmc_get_sites(lattice, r, 1, LATMC_FLOAT32, curve->shown[shown],
                                        (size_t)numbers * sizeof *curve->shown[shown]));
            }
}

/* Means over XY_BLOCKS equal pieces of the records; the few that are left over are in none. */
static void take_blocks(xy_curve *curve, const double *series)
{
    const int64_t length = curve->records / XY_BLOCKS;

    for (int b = 0; b < XY_BLOCKS; b++)
        for (int t = 0; t < XY_TEMPS; t++) {
            const double *piece = series + t * curve->records + b * length;

            curve->block[b][t] = 0;
            for (int64_t i = 0; i < length; i++)
                curve->block[b][t] += piece[i] / (double)length;
        }
}

static void analyse(const double *series, int64_t records, latmc_estimate *estimate)
{
    estimate->size = sizeof *estimate;
    cli_run(latmc_analyse(series, records, estimate));
}

/* 0 if a signal came: a size of which a part is missing is worth nothing. */
static int run_size(xy_curve *curve, const xy_flags *flags)
{
    latmc_lattice *lattice = make(curve, flags);
    const int64_t length = XY_TEMPS * curve->records;
    double *series = cli_memory(2 * length, sizeof *series);
    const double begin = cli_clock();
    const int done = !stop_after(latmc_sweep(lattice, LATMC_SCHEDULE, curve->thermalize)) &&
                     record(lattice, curve, series);

    for (int t = 0; t < XY_TEMPS && done; t++) {
        analyse(series + t * curve->records, curve->records, &curve->helicity[t]);
        analyse(series + length + t * curve->records, curve->records, &curve->vortices[t]);
    }
    if (done) {
        take_blocks(curve, series);
        xy_cross(curve);
        curve->least_exchanged = least_exchanged(lattice);
        take_shown(lattice, curve);
    }
    curve->seconds = cli_clock() - begin;
    free(series);
    latmc_destroy(lattice);
    return done;
}

static void choose_device(study *s, const xy_flags *flags)
{
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_ONVECTOR, 2, (int64_t[]){8, 8}));
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_get_device(lattice, s->device, sizeof s->device));
    latmc_destroy(lattice);
}

static void run_sizes(study *s, const xy_flags *flags)
{
    if (!flags->json)
        printf("onvector, n = 2, periodic, cold start, seed %" PRIu64 ", effort %g, on %s\n\n",
               seed_of(flags), flags->effort, s->device);
    for (; s->done < XY_SIZES; s->done++) {
        xy_curve *curve = &s->curves[s->done];

        plan_size(curve, s->done, flags);
        if (!run_size(curve, flags))
            return;
        if (!flags->json)
            xy_print(curve);
    }
    s->fit = xy_fit_of(s->curves, s->done);
}

static void print_json(const study *s, const xy_flags *flags, double seconds)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "model", "onvector");
    json_integer(&j, "n", 2);
    json_text(&j, "start", "cold");
    json_text(&j, "device", s->device);
    json_integer(&j, "threads", flags->threads);
    json_unsigned(&j, "seed", seed_of(flags));
    json_real(&j, "effort", flags->effort);
    json_text(&j, "stopped_by", s->done == XY_SIZES ? NULL : stop_name());
    json_open(&j, "sizes", '[');
    for (int i = 0; i < s->done; i++)
        xy_curve_json(&s->curves[i], &j);
    json_close(&j, ']');
    xy_fit_json(&s->fit, &j);
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

/* After all has been printed: a file that cannot be written costs nothing else. */
static int write_files(const study *s, const xy_flags *flags, double begin)
{
    const char *folder = flags->output ? flags->output : ".";
    const int whole = s->done == XY_SIZES;
    const int written = s->done && xy_write_data(s->curves, s->done, &s->fit);
    const int drawn = written && whole ? xy_draw(s->curves, s->done, &s->fit) : 0;
    const int vortices = whole ? xy_draw_vortices(&s->curves[XY_SIZES - 1]) : 0;

    if (!flags->json && drawn > 0)
        printf("Picture: %s/" XY_PICTURE "\n", folder);
    if (!flags->json && vortices > 0)
        printf("Vortices: %s/" XY_VORTICES "\n", folder);
    if (!flags->json && !drawn && !vortices)
        printf("No pictures%s\n", whole ? " (is gnuplot installed?)" : "");
    if (!flags->json && written)
        printf("Data: %s/" XY_DATA " (%.1f s in all)\n", folder, cli_clock() - begin);
    return (s->done && !written) || drawn < 0 || vortices < 0;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {XY_PICTURE, XY_VORTICES, XY_DATA, NULL};
    xy_flags flags = {.effort = 1};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    int status = 0;

    cli_parse(&program, tables, argc, argv);
    s->fit = xy_fit_of(NULL, 0);
    choose_device(s, &flags);
    cli_enter(flags.output, files);
    stop_prepare();
    run_sizes(s, &flags);
    if (flags.json)
        print_json(s, &flags, cli_clock() - begin);
    else
        xy_print_fit(&s->fit);
    cli_flush();
    if (s->done < XY_SIZES) {
        cli_warn("stopped by %s after %d of %d sizes: there is no T_KT", stop_name(), s->done,
                 XY_SIZES);
        status = stop_status();
    }
    if (write_files(s, &flags, begin))
        status = CLI_FAILED;
    for (int i = 0; i < XY_SIZES; i++)
        for (int shown = 0; shown < XY_SHOWN; shown++)
            free(s->curves[i].shown[shown]);
    free(s);
    return cli_finish(status);
}
