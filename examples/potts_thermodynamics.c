/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-potts-thermodynamics: the Potts model with two states beside what is known of Ising spins,
 * and with ten states where an ordered and a disordered phase meet.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "potts.h"
#include "results.h"
#include "stop.h"

typedef struct potts_flags {
    const char *device, *output;
    int64_t threads;
    cli_seed seed;
    double effort;
    int json;
} potts_flags;

#define AT(member) offsetof(potts_flags, member)

static const cli_option options[] = {
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"effort", CLI_REAL, AT(effort), "X",
     "factor on sweeps, of ten states on replicas; at least 0.5 for errors to be trusted (1)", 0,
     100000},
    {"output", CLI_TEXT, AT(output), "DIR", "where pictures and data go; made if it is missing (.)",
     0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-potts-thermodynamics",
    "Potts model: two states beside exact curves of Ising spins, the latent heat of ten.",
    "Writes " POTTS_CURVES " and " POTTS_PEAKS " (if gnuplot is there), and the data " POTTS_DATA
    " and " POTTS_HISTOGRAM ", in place of what has these names.\n"
    "Two states, periodic, cold start, Metropolis, 45 temperatures as replicas: 4 to 64 squared "
    "and "
    "2 to 16 cubed. With delta(s, t) = (1 + s t) / 2 the energy of Ising spins at T is 2 E/N + d "
    "of "
    "the Potts model at beta = 2 / T; specific heat and Binder cumulant are the same.\n"
    "Ten states, heat bath, at T = 1 / ln(1 + sqrt 10): the histogram of energies of 20 squared, "
    "which "
    "goes from one phase to the other, and the energies of 96 squared from a cold and a hot start, "
    "which stays where it is.\n"
    "Results depend on --seed and --effort, and on nothing else: any device and any number of "
    "threads give the same numbers. A run that a signal stopped has the curves that were done.",
    lattice_print_devices};

static const struct {
    int dims;
    int64_t size;
} plan[POTTS_SIZES] = {{2, 4}, {2, 8}, {2, 16}, {2, 32}, {2, 64}, {3, 2}, {3, 4}, {3, 8}, {3, 16}};

/* Sweeps at effort 1, the least, and those before the first measurement. Of the phases effort
 * scales the replicas, not the sweeps: droplets of the other phase live so long that a replica sees
 * few. */
enum { RECORDS = 4000, RECORDS_MIN = 40, THERMALIZE = 1000, LEVEL_RECORDS = 2000, LEVEL_EVERY = 3 };
enum { PHASE_RECORDS = 100, PHASE_EVERY = 3, PHASE_THERMALIZE = 1000 };
enum { LEVEL_REPLICAS = 32, PHASE_REPLICAS = 128, REPLICAS_MIN = 4 };

/* One run of the program. */
typedef struct study {
    char device[64];
    int done, phases_done; /* curves */
    potts_curve curves[POTTS_SIZES];
    potts_phases phases;
} study;

static uint64_t seed_of(const potts_flags *flags)
{
    return flags->seed.given ? flags->seed.value : 1;
}

static int64_t scaled(const potts_flags *flags, int preset, int least)
{
    const double wanted = flags->effort * preset;

    return wanted < least ? least : (int64_t)wanted;
}

static latmc_lattice *make(int states, int dims, int64_t size, int64_t replicas, uint64_t seed,
                           const potts_flags *flags)
{
    const int64_t extents[] = {size, size, size};
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_POTTS, dims, extents));
    cli_run(latmc_set_option(lattice, LATMC_Q, states));
    cli_run(latmc_set_replicas(lattice, replicas));
    cli_run(latmc_set_seed(lattice, seed));
    if (flags->threads)
        cli_setup(latmc_set_threads(lattice, (int)flags->threads), "threads");
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_set_progress(lattice, stop_progress, NULL));
    return lattice;
}

/* ---- two states */

/* Ising spins have beta / 2, and twice the energy with d more. */
static void take_curve(potts_curve *c, const results *r)
{
    static const int what[POTTS_QUANTITIES] = {LATMC_ROLE_ENERGY, RESULT_SPECIFIC_HEAT,
                                               RESULT_BINDER};

    for (int t = 0; t < POTTS_TEMPS; t++) {
        for (int q = 0; q < POTTS_QUANTITIES; q++) {
            c->found[q][t] = *results_find(r, t, what[q]);
            c->exact[q][t] = (double)NAN;
        }
        c->found[POTTS_ENERGY][t].value = 2 * c->found[POTTS_ENERGY][t].value + c->dims;
        c->found[POTTS_ENERGY][t].error *= 2;
    }
}

static void take_exact(potts_curve *c)
{
    for (int t = 0; t < POTTS_TEMPS; t++)
        if (c->size == 2) {
            double values[POTTS_QUANTITIES];

            potts_enumerate(c->dims, c->temperature[t], values);
            for (int q = 0; q < POTTS_QUANTITIES; q++)
                c->exact[q][t] = values[q];
        } else if (c->dims == 2) {
            potts_kaufman(c->size, c->temperature[t], &c->exact[POTTS_ENERGY][t],
                          &c->exact[POTTS_HEAT][t]);
        }
}

/* 0 if a signal came. */
static int run_curve(potts_curve *c, int i, const potts_flags *flags)
{
    const double begin = cli_clock();
    latmc_recording run = {.size = sizeof run, .update = LATMC_METROPOLIS, .every = 1};
    double betas[POTTS_TEMPS];
    latmc_lattice *lattice;
    results r;
    int done;

    /* Sizes must not share random numbers. */
    *c = (potts_curve){.dims = plan[i].dims,
                       .size = plan[i].size,
                       .records = scaled(flags, RECORDS, RECORDS_MIN),
                       .seed = seed_of(flags) + ((uint64_t)(i + 1) << 32)};
    for (int t = 0; t < POTTS_TEMPS; t++) {
        c->temperature[t] = (c->dims == 2 ? 0.8 : 2.3) + 0.1 * t;
        betas[t] = 2 / c->temperature[t];
    }
    lattice = make(2, c->dims, c->size, POTTS_TEMPS, c->seed, flags);
    cli_run(latmc_set_params(lattice, LATMC_BETA, betas));
    cli_run(latmc_start(lattice, LATMC_START_COLD));
    r = results_prepare(lattice, c->records, 0, NULL);
    run.records = c->records;
    run.quantity_count = r.observables;
    run.quantities = r.measured;
    run.series = r.series;
    done = !stop_after(latmc_sweep(lattice, LATMC_METROPOLIS, THERMALIZE)) &&
           !stop_after(latmc_record(lattice, &run, NULL));
    if (done) {
        r.records = c->records;
        results_analyse(&r, lattice);
        take_curve(c, &r);
        take_exact(c);
    }
    c->seconds = cli_clock() - begin;
    results_free(&r);
    latmc_destroy(lattice);
    return done;
}

/* ---- ten states */

/* How ten states are run. */
typedef struct phase_plan {
    int64_t size, replicas, thermalize, every, records;
    latmc_start_mode start;
    uint64_t number; /* of the seed */
} phase_plan;

/* series[replica][record] of the energy, to be freed; NULL if a signal came. */
static double *energies(const phase_plan *of, const potts_flags *flags)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lattice =
        make(POTTS_STATES, 2, of->size, of->replicas, seed_of(flags) + (of->number << 32), flags);
    double *series = cli_memory(of->replicas * of->records, sizeof *series);
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_HEATBATH,
                                 .every = of->every,
                                 .records = of->records,
                                 .quantity_count = 1,
                                 .quantities = &energy,
                                 .series = series};

    cli_run(latmc_set_param(lattice, LATMC_BETA, log(1 + sqrt(POTTS_STATES))));
    cli_run(latmc_start(lattice, of->start));
    if (stop_after(latmc_sweep(lattice, LATMC_HEATBATH, of->thermalize)) ||
        stop_after(latmc_record(lattice, &run, NULL))) {
        free(series);
        series = NULL;
    }
    latmc_destroy(lattice);
    return series;
}

static int run_histogram(potts_phases *p, const potts_flags *flags)
{
    const phase_plan of = {.size = POTTS_SIDE,
                           .replicas = LEVEL_REPLICAS,
                           .thermalize = p->records,
                           .every = LEVEL_EVERY,
                           .records = p->records,
                           .start = LATMC_START_HOT,
                           .number = 101};
    double *series = energies(&of, flags);
    const int done = series != NULL;

    for (int64_t i = 0; done && i < of.replicas * of.records; i++)
        p->count[llround(-series[i] * POTTS_SIDE * POTTS_SIDE) / POTTS_BIN] += 1;
    p->replicas = of.replicas;
    free(series);
    return done;
}

/* Replicas are independent, so that their spread is the mean's error. */
static void take_phase(potts_phases *p, int phase, const double *series, const phase_plan *of)
{
    const double n = (double)of->replicas;
    double *mean = cli_memory(of->replicas, sizeof *mean), square = 0;

    for (int64_t r = 0; r < of->replicas; r++) {
        mean[r] = 0;
        for (int64_t i = 0; i < of->records; i++)
            mean[r] += series[r * of->records + i] / (double)of->records;
        p->energy[phase] += mean[r] / n;
    }
    for (int64_t r = 0; r < of->replicas; r++)
        square += (mean[r] - p->energy[phase]) * (mean[r] - p->energy[phase]);
    p->error[phase] = sqrt(square / (n * (n - 1)));
    free(mean);
}

/* Duality maps each phase to the other, so that their energies fluctuate alike, but for 2 %. One
 * error for both does not miss the rare droplets that one of them had none of. */
static void join_errors(potts_phases *p)
{
    p->latent_error = hypot(p->error[0], p->error[1]);
    p->error[0] = p->error[1] = p->latent_error / sqrt(2);
}

static int run_phase(potts_phases *p, int phase, const potts_flags *flags)
{
    const phase_plan of = {.size = POTTS_WIDE,
                           .replicas = scaled(flags, PHASE_REPLICAS, REPLICAS_MIN),
                           .thermalize = PHASE_THERMALIZE,
                           .every = PHASE_EVERY,
                           .records = PHASE_RECORDS,
                           .start = phase ? LATMC_START_HOT : LATMC_START_COLD,
                           .number = (uint64_t)(102 + phase)};
    double *series = energies(&of, flags);
    const int done = series != NULL;

    if (done)
        take_phase(p, phase, series, &of);
    free(series);
    return done;
}

static int run_phases(potts_phases *p, const potts_flags *flags)
{
    const double begin = cli_clock();
    int done;

    p->records = scaled(flags, LEVEL_RECORDS, RECORDS_MIN);
    done = run_histogram(p, flags) && run_phase(p, 0, flags) && run_phase(p, 1, flags);
    p->latent = p->energy[1] - p->energy[0];
    join_errors(p);
    p->seconds = cli_clock() - begin;
    return done;
}

/* ---- all of it */

static void choose_device(study *s, const potts_flags *flags)
{
    latmc_lattice *lattice = make(2, 2, 8, 1, 1, flags);

    cli_run(latmc_get_device(lattice, s->device, sizeof s->device));
    latmc_destroy(lattice);
}

static void run_all(study *s, const potts_flags *flags)
{
    if (!flags->json)
        printf("potts, periodic, seed %" PRIu64 ", effort %g, on %s\n\nd    L     sweeps\n",
               seed_of(flags), flags->effort, s->device);
    for (; s->done < POTTS_SIZES; s->done++) {
        if (!run_curve(&s->curves[s->done], s->done, flags))
            return;
        if (!flags->json)
            potts_print_curve(&s->curves[s->done]);
    }
    s->phases_done = run_phases(&s->phases, flags);
    if (!flags->json && s->phases_done)
        potts_print_phases(&s->phases);
}

static void print_json(const study *s, const potts_flags *flags, double seconds)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    json_text(&j, "model", "potts");
    json_text(&j, "device", s->device);
    json_integer(&j, "threads", flags->threads);
    json_unsigned(&j, "seed", seed_of(flags));
    json_real(&j, "effort", flags->effort);
    json_text(&j, "stopped_by", s->phases_done ? NULL : stop_name());
    json_open(&j, "two_states", '[');
    for (int i = 0; i < s->done; i++)
        potts_curve_json(&s->curves[i], &j);
    json_close(&j, ']');
    if (s->phases_done)
        potts_phases_json(&s->phases, &j);
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

/* After all has been printed: a file that cannot be written costs nothing else. */
static int write_files(const study *s, const potts_flags *flags, double begin)
{
    const char *folder = flags->output ? flags->output : ".";
    const int curves = s->done && potts_write_curves(s->curves, s->done);
    const int histogram = s->phases_done && potts_write_histogram(&s->phases);
    const int drawn = curves && s->done == POTTS_SIZES ? potts_draw_curves(s->curves, s->done) : 0;
    const int peaks = histogram ? potts_draw_histogram(&s->phases) : 0;

    if (!flags->json && drawn > 0)
        printf("Picture: %s/" POTTS_CURVES "\n", folder);
    if (!flags->json && peaks > 0)
        printf("Picture: %s/" POTTS_PEAKS "\n", folder);
    if (!flags->json && !drawn && !peaks)
        printf("No pictures%s\n", s->phases_done ? " (is gnuplot installed?)" : "");
    if (!flags->json && curves)
        printf("Data: %s/" POTTS_DATA " (%.1f s in all)\n", folder, cli_clock() - begin);
    return (s->done && !curves) || (s->phases_done && !histogram) || drawn < 0 || peaks < 0;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {POTTS_CURVES, POTTS_DATA, POTTS_PEAKS, POTTS_HISTOGRAM,
                                        NULL};
    potts_flags flags = {.effort = 1};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    int status = 0;

    *s = (study){.done = 0};
    cli_parse(&program, tables, argc, argv);
    choose_device(s, &flags);
    cli_enter(flags.output, files);
    stop_prepare();
    run_all(s, &flags);
    if (flags.json)
        print_json(s, &flags, cli_clock() - begin);
    cli_flush();
    if (!s->phases_done) {
        cli_warn("stopped by %s after %d of %d curves", stop_name(), s->done, POTTS_SIZES);
        status = stop_status();
    }
    if (write_files(s, &flags, begin))
        status = CLI_FAILED;
    free(s);
    return cli_finish(status);
}
