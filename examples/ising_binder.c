/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latmc-ising-binder: the critical temperature of the 2D Ising model by finite-size scaling, as in
 * B. Block, P. Virnau and T. Preis, Comput. Phys. Commun. 181, 1549 (2010), section 3.
 * The statistics are those of binder.h and binder.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binder_plot.h"
#include "lattice_flags.h"
#include "page.h"
#include "stop.h"

typedef struct binder_flags {
    const char *device, *output;
    int64_t threads;
    cli_seed seed;
    double effort;
    int json;
} binder_flags;

#define AT(member) offsetof(binder_flags, member)

static const cli_option options[] = {
    {"device", CLI_TEXT, AT(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, AT(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {"effort", CLI_REAL, AT(effort), "X",
     "factor on the number of sweeps, at least 0.1 for errors to be trusted (1)", 0, 100000},
    {"output", CLI_TEXT, AT(output), "DIR",
     "where the picture and its data go; made if it is missing (.)", 0, 0},
    {"seed", CLI_SEED, AT(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of tables", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-ising-binder",
    "Critical temperature of the 2D Ising model from the crossing of Binder cumulants.",
    "Writes " BINDER_PICTURE " (if gnuplot is there) and " BINDER_DATA
    ", in place of what has these "
    "names. Every size is swept with Metropolis from a cold start, with periodic boundaries. On a "
    "GPU the lattices are larger. Results depend on --seed, --effort and the choice of sizes, and "
    "on nothing else: any device and any number of threads give the same numbers. A run that a "
    "signal stopped has the sizes that were done and where they cross, but no T_c, which follows "
    "from all of them, and no picture.",
    lattice_print_devices};

/* Onsager 1944: 2 / ln(1 + sqrt 2) */
static const double exact = 2.269185314213022;

/* Temperatures are T = centre (1 + x / L), |x| <= width, denser in the middle. */
static const double centre = 2.27, width = 0.5;

/* What a run does at effort 1. */
typedef struct plan {
    int count;
    int64_t sizes[BINDER_SIZES];
    double flips; /* of the largest size; smaller ones get less, in proportion to L^2 */
    double sites; /* that should be swept together, if the number of copies allows */
} plan;

static const plan cpu_plan = {4, {8, 16, 32, 64}, 3e11, 1e6};
static const plan gpu_plan = {5, {16, 32, 64, 128, 256}, 1.5e13, 1.6e7};

/* How a size is run: a block is one slice of one copy. */
typedef struct course {
    int64_t size, copies, slices, replicas;
    int64_t every, records; /* sweeps between measurements; measurements in a slice */
    int64_t thermalize;
    uint64_t seed;
    double seconds, rate;
} course;

/* Least number of copies: so many that time slices stay long, and more for small sizes. */
enum { COPIES_MIN = 8 };

/* Measurements in a slice, one every 1.5 autocorrelation times: the least, and those from which on
 * blocks are as good as independent. */
enum { RECORDS_MIN = 4, RECORDS_TRUSTED = 7 };

static uint64_t seed_of(const binder_flags *flags)
{
    return flags->seed.given ? flags->seed.value : 1;
}

static course plan_course(const plan *p, int i, const binder_flags *flags)
{
    const int64_t size = p->sizes[i], sites = size * size;
    const double share = pow((double)size / (double)p->sizes[p->count - 1], 2);
    const double flips = flags->effort * p->flips * share;
    course c = {.size = size, .copies = COPIES_MIN};

    /* Sizes must not share random numbers. */
    c.seed = seed_of(flags) + ((uint64_t)size << 32);

    while (c.copies < BINDER_BLOCKS && (double)(2 * c.copies * BINDER_TEMPS * sites) <= p->sites)
        c.copies *= 2;
    c.slices = BINDER_BLOCKS / c.copies;
    c.replicas = c.copies * BINDER_TEMPS;
    /* m^2 has an autocorrelation time of about 0.04 L^2 Metropolis sweeps at T_c. */
    c.every = sites / 16;
    c.thermalize = sites;
    c.records = (int64_t)(flips / (double)(c.replicas * sites * c.slices * c.every));
    if (c.records < RECORDS_MIN)
        c.records = RECORDS_MIN;
    return c;
}

static void set_temperatures(latmc_lattice *lattice, const course *c, binder_curve *curve)
{
    double *betas = cli_memory(c->replicas, sizeof *betas);

    curve->size = c->size;
    curve->centre = centre;
    for (int t = 0; t < BINDER_TEMPS; t++) {
        const double s = 2.0 * t / (BINDER_TEMPS - 1) - 1;

        curve->temperature[t] = centre * (1 + width * s * fabs(s) / (double)c->size);
        for (int64_t copy = 0; copy < c->copies; copy++)
            betas[t * c->copies + copy] = 1 / curve->temperature[t];
    }
    cli_run(latmc_set_params(lattice, LATMC_BETA, betas));
    free(betas);
}

static latmc_lattice *make(const course *c, const binder_flags *flags, binder_curve *curve)
{
    const int64_t extents[] = {c->size, c->size};
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_ISING, 2, extents));
    cli_run(latmc_set_replicas(lattice, c->replicas));
    cli_run(latmc_set_seed(lattice, c->seed));
    set_temperatures(lattice, c, curve);
    if (flags->threads)
        cli_setup(latmc_set_threads(lattice, (int)flags->threads), "threads");
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_set_progress(lattice, stop_progress, NULL));
    cli_run(latmc_start(lattice, LATMC_START_COLD));
    return lattice;
}

/* Adds the records of a piece of a slice to the moments of the blocks. */
static void add_moments(const course *c, int64_t slice, const double *series, int64_t records,
                        binder_curve *curve)
{
    for (int k = 0; k < 2; k++)
        for (int64_t r = 0; r < c->replicas; r++) {
            const double *x = series + (k * c->replicas + r) * records;
            const int64_t block = slice * c->copies + r % c->copies;

            for (int64_t i = 0; i < records; i++)
                curve->moments[block][r / c->copies][k] += x[i] / (double)c->records;
        }
}

static latmc_quantity moment(latmc_role role)
{
    const int place = lattice_place_of(LATMC_ISING, role);

    return (latmc_quantity)LATMC_QUANTITY(lattice_thing(LATMC_OBSERVABLES, LATMC_ISING, place).id);
}

/* 0 if a signal came. */
static int measure(latmc_lattice *lattice, const course *c, binder_curve *curve)
{
    const latmc_quantity moments[] = {moment(LATMC_ROLE_ORDER2), moment(LATMC_ROLE_ORDER4)};
    const int64_t room = (1 << 21) / c->replicas;
    const int64_t most = room < 1 ? 1 : room < c->records ? room : c->records;
    double *series = cli_memory(2 * c->replicas * most, sizeof *series);
    latmc_recording run = {.size = sizeof run,
                           .update = LATMC_METROPOLIS,
                           .every = c->every,
                           .quantity_count = 2,
                           .quantities = moments,
                           .series = series};
    int stopped = 0;

    for (int64_t slice = 0; slice < c->slices && !stopped; slice++)
        for (int64_t done = 0; done < c->records && !stopped;) {
            run.records = c->records - done < most ? c->records - done : most;
            stopped = stop_after(latmc_record(lattice, &run, NULL));
            add_moments(c, slice, series, run.records, curve);
            done += run.records;
        }
    free(series);
    return !stopped;
}

/* 0 if a signal came: a size of which a part is missing is worth nothing. */
static int run_size(course *c, const binder_flags *flags, binder_curve *curve)
{
    latmc_lattice *lattice = make(c, flags, curve);
    const double begin = cli_clock();
    int64_t sweeps;
    int done;

    curve->too_short = c->records < RECORDS_TRUSTED;
    done = !stop_after(latmc_sweep(lattice, LATMC_METROPOLIS, c->thermalize)) &&
           measure(lattice, c, curve);
    c->seconds = cli_clock() - begin;
    sweeps = c->thermalize + c->slices * c->records * c->every;
    c->rate = (double)(c->size * c->size * c->replicas) * (double)sweeps / c->seconds * 1e-9;
    latmc_destroy(lattice);
    if (done)
        binder_analyse(curve);
    return done;
}

static void print_course(const course *c, const binder_curve *curve)
{
    printf("%5" PRId64 " %9" PRId64 " %12" PRId64 " %9.5f %12.3f %10.1f %10.1f\n", c->size,
           c->replicas, c->slices * c->records * c->every, binder_value(curve, exact),
           curve->chi2 / (BINDER_TEMPS - BINDER_TERMS), c->rate, c->seconds);
    fflush(stdout);
}

/* In standard errors, positive if the result is too large. */
static double deviation(const binder_result *r)
{
    return (r->tc - exact) / r->error;
}

static void print_result(const binder_result *r)
{
    if (r->crossings)
        printf("\n%5s %5s %12s %10s %10s %10s\n", "L", "2L", "T_x", "error", "U4", "error");
    for (int i = 0; i < r->crossings; i++) {
        const binder_crossing *x = &r->crossing[i];

        printf("%5" PRId64 " %5" PRId64 " %12.6f %10.6f %10.5f %10.5f\n", x->size, x->larger,
               x->temperature, x->error, x->u4, x->u4_error);
    }
    if (!isfinite(r->tc))
        return;
    printf("\nT_x(L) = T_c + a L^(-11/4) with a = %.2f, chi2 = %.2f for %d degree%s of freedom\n",
           r->amplitude, r->chi2, r->crossings - 2, r->crossings == 3 ? "" : "s");
    printf("T_c = %.6f +- %.6f%s (statistical %.6f, corrections to scaling %.6f)\n", r->tc,
           r->error, r->too_short ? "*" : "", r->statistical, r->systematic);
    if (r->too_short)
        printf("* The run is too short: this error is not to be trusted\n");
    printf("Onsager's exact value is %.6f: this T_c is %+.1f standard errors away from it\n", exact,
           deviation(r));
}

static void curve_json(const course *c, const binder_curve *curve, json *j)
{
    json_open(j, NULL, '{');
    json_integer(j, "size", c->size);
    json_open(j, "extents", '[');
    json_integer(j, NULL, c->size);
    json_integer(j, NULL, c->size);
    json_close(j, ']');
    json_unsigned(j, "seed", c->seed);
    json_integer(j, "replicas", c->replicas);
    json_integer(j, "copies", c->copies);
    json_integer(j, "thermalize", c->thermalize);
    json_integer(j, "sweeps", c->slices * c->records * c->every);
    json_integer(j, "every", c->every);
    json_integer(j, "slices", c->slices);
    json_real(j, "seconds", c->seconds);
    json_real(j, "updates_per_ns", c->rate);
    json_real(j, "fit_chi2", curve->chi2);
    json_integer(j, "fit_degrees_of_freedom", BINDER_TEMPS - BINDER_TERMS);
    json_open(j, "points", '[');
    for (int t = 0; t < BINDER_TEMPS; t++) {
        json_open(j, NULL, '{');
        json_real(j, "temperature", curve->temperature[t]);
        json_real(j, "binder", curve->u4[t]);
        json_real(j, "error", curve->error[t]);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void result_json(const binder_result *r, json *j)
{
    json_open(j, "crossings", '[');
    for (int i = 0; i < r->crossings; i++) {
        const binder_crossing *x = &r->crossing[i];

        json_open(j, NULL, '{');
        json_integer(j, "size", x->size);
        json_integer(j, "larger_size", x->larger);
        json_real(j, "temperature", x->temperature);
        json_real(j, "error", x->error);
        json_real(j, "binder", x->u4);
        json_real(j, "binder_error", x->u4_error);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_real(j, "t_c", r->tc);
    json_real(j, "error", r->error);
    json_real(j, "statistical_error", r->statistical);
    json_real(j, "systematic_error", r->systematic);
    json_boolean(j, "too_short", r->too_short);
    json_real(j, "fit_chi2", r->chi2);
    json_integer(j, "fit_degrees_of_freedom", isfinite(r->tc) ? r->crossings - 2 : 0);
    json_real(j, "exact", exact);
    json_real(j, "deviation_in_errors", deviation(r));
}

/* One run of the program. */
typedef struct study {
    const plan *plan;
    char device[64];
    int done; /* sizes */
    course courses[BINDER_SIZES];
    binder_curve curves[BINDER_SIZES];
    binder_result result;
} study;

/* What all sizes share. */
static void inputs_json(const study *s, const binder_flags *flags, json *j)
{
    json_text(j, "model", "ising");
    json_open(j, "boundaries", '[');
    json_text(j, NULL, "periodic");
    json_text(j, NULL, "periodic");
    json_close(j, ']');
    json_open(j, "couplings", '{');
    json_text(j, "kind", "uniform");
    json_close(j, '}');
    json_text(j, "update", "metropolis");
    json_text(j, "start", "cold");
    json_text(j, "device", s->device);
    json_integer(j, "threads", flags->threads);
    json_unsigned(j, "seed", seed_of(flags));
    json_real(j, "effort", flags->effort);
}

static void print_json(const study *s, const binder_flags *flags, double seconds)
{
    const int whole = s->done == s->plan->count;
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    inputs_json(s, flags, &j);
    json_text(&j, "stopped_by", whole ? NULL : stop_name());
    json_open(&j, "sizes", '[');
    for (int i = 0; i < s->done; i++)
        curve_json(&s->courses[i], &s->curves[i], &j);
    json_close(&j, ']');
    result_json(&s->result, &j);
    json_real(&j, "seconds", seconds);
    json_close(&j, '}');
}

/* The device that will be used, which also decides about the sizes. */
static void choose_plan(study *s, const binder_flags *flags)
{
    latmc_lattice *lattice;

    cli_run(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){8, 8}));
    cli_setup(latmc_set_device(lattice, flags->device ? flags->device : "auto"), "device");
    cli_run(latmc_get_device(lattice, s->device, sizeof s->device));
    latmc_destroy(lattice);
    s->plan = strncmp(s->device, "cuda", 4) == 0 ? &gpu_plan : &cpu_plan;
}

static void run_sizes(study *s, const binder_flags *flags)
{
    if (!flags->json) {
        printf("ising, periodic, metropolis, cold start, seed %" PRIu64 ", effort %g, on %s",
               seed_of(flags), flags->effort, s->device);
        if (flags->threads)
            printf(" with %" PRId64 " thread%s", flags->threads, flags->threads == 1 ? "" : "s");
        printf("\n%5s %9s %12s %9s %12s %10s %10s\n", "L", "replicas", "sweeps", "U4(T_c)",
               "fit chi2/dof", "flips/ns", "seconds");
    }
    for (; s->done < s->plan->count; s->done++) {
        course *c = &s->courses[s->done];

        *c = plan_course(s->plan, s->done, flags);
        if (!run_size(c, flags, &s->curves[s->done]))
            return;
        if (!flags->json)
            print_course(c, &s->curves[s->done]);
    }
}

/* After all has been printed: a file that cannot be written costs nothing else. */
static int write_files(const study *s, const binder_flags *flags, double begin)
{
    const char *folder = flags->output ? flags->output : ".";
    const int whole = s->done == s->plan->count && isfinite(s->result.tc);
    const int written = s->done && binder_write_data(s->curves, s->done);
    const int drawn = written && whole ? binder_draw(s->curves, s->done, &s->result, exact) : 0;

    if (!flags->json && drawn > 0)
        printf("Picture: %s/" BINDER_PICTURE "\n", folder);
    if (!flags->json && !drawn)
        printf("No picture%s\n", written && whole ? " (is gnuplot installed?)" : "");
    if (!flags->json && written)
        printf("Data: %s/" BINDER_DATA " (%.1f s in all)\n", folder, cli_clock() - begin);
    return (s->done && !written) || drawn < 0;
}

int main(int argc, char **argv)
{
    static const char *const files[] = {BINDER_PICTURE, BINDER_DATA, NULL};
    binder_flags flags = {.effort = 1};
    const cli_table tables[] = {{options, &flags}, {NULL, NULL}};
    const double begin = cli_clock();
    study *s = cli_memory(1, sizeof *s);
    int status = 0, crossed;

    cli_parse(&program, tables, argc, argv);
    choose_plan(s, &flags);
    cli_enter(flags.output, files);
    stop_prepare();
    run_sizes(s, &flags);
    crossed = binder_combine(s->curves, s->done, s->done == s->plan->count, &s->result);
    if (flags.json)
        print_json(s, &flags, cli_clock() - begin);
    else
        print_result(&s->result);
    cli_flush();
    if (!crossed) {
        cli_warn("the curves of two sizes do not cross: give more --effort");
        status = CLI_FAILED;
    }
    if (s->done < s->plan->count) {
        cli_warn("stopped by %s after %d of %d sizes: there is no T_c", stop_name(), s->done,
                 s->plan->count);
        status = stop_status();
    }
    if (write_files(s, &flags, begin))
        status = CLI_FAILED;
    free(s);
    return cli_finish(status);
}
