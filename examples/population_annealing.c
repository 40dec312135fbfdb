/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-population-annealing: energy and free energy of an Ising lattice by population annealing.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "lattice_flags.h"
#include "population.h"
#include "results.h"
#include "stop.h"

enum { STEPS_MAX = 100000, REPLICAS_MIN = 10 * POPULATION_GROUPS };

typedef struct annealing_flags {
    double beta;
    int64_t steps, sweeps;
    int json;
} annealing_flags;

#define AT(member) offsetof(annealing_flags, member)
#define OF(member) offsetof(lattice_flags, member)

static const cli_option lattice_rows[] = {
    {"extents", CLI_TEXT, OF(extents), "8x8", "sites along each axis (8x8)", 0, 0},
    {"replicas", CLI_INTEGER, OF(replicas), "N", "size of the population (10000)", REPLICAS_MIN,
     INT64_MAX},
    {"boundary", CLI_TEXT, OF(boundary), "NAME", "boundary of all axes, or a list (periodic)", 0,
     0},
    {"couplings", CLI_TEXT, OF(disorder[OF_BONDS].distribution), "NAME",
     "uniform, pm1 or gaussian (uniform)", 0, 0},
    {"coupling-seed", CLI_SEED, OF(disorder[OF_BONDS].seed), "N",
     "seed of the couplings that --couplings draws (1)", 0, 0},
    {"seed", CLI_SEED, OF(seed), "N", "seed of the random numbers (1)", 0, 0},
    {"device", CLI_TEXT, OF(device), "NAME", CLI_DEVICE_HELP, 0, 0},
    {"threads", CLI_INTEGER, OF(threads), "N", CLI_THREADS_HELP, 0, 4096},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_option annealing_rows[] = {
    {"beta", CLI_REAL, AT(beta), "B", "last inverse temperature; the first is 0 (0.5)", 0, 1000},
    {"steps", CLI_INTEGER, AT(steps), "N", "steps of equal length to get there (25)", 1, STEPS_MAX},
    {"sweeps", CLI_INTEGER, AT(sweeps), "N", "Metropolis sweeps at each step (10)", 0, 1000000000},
    {"json", CLI_SWITCH, AT(json), NULL, "print one JSON object instead of a table", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    "latmc-population-annealing",
    "Energy and free energy of an Ising lattice by population annealing.",
    "A population of replicas begins at infinite temperature. At each step the weight of a replica "
    "is exp(-(b' - b) E). The population is resampled by these weights, and swept at the next "
    "inverse temperature b'. The logarithms of the mean weights add up to ln Z, and the free "
    "energy "
    "is F = -ln Z / beta.\n"
    "A family is what descends from one replica of the first population, its founder. rho is the "
    "mean over all founders of the squared number of descendants: with rho about 1 nearly all "
    "replicas are independent, and replicas / rho says how many families count. A mark * says that "
    "fewer than 100 count. Such a row needs more replicas, steps or sweeps.\n"
    "Errors come from the spread between 100 groups of families. Results depend on the flags about "
    "the lattice and its random numbers, and never on the device or the threads.",
    lattice_print_devices};

static double free_energy(const population *p, const population_step *s, double ln_z)
{
    return -ln_z / (s->beta * (double)p->sites);
}

static void print_step(const population *p, const population_step *s)
{
    latmc_estimate f = s->ln_z;
    char energy[PAGE_CELL], of_f[PAGE_CELL];

    f.value = free_energy(p, s, s->ln_z.value);
    f.error = fabs(free_energy(p, s, s->ln_z.error));
    results_number(&s->energy, energy);
    results_number(&f, of_f);
    printf("%9.6g  %11.6g  %-14s  %-16s  %8" PRId64 "  %8.4g\n", s->beta, 1 / s->beta, energy, of_f,
           s->families, s->rho);
}

static void print_head(const lattice_flags *wish, const latmc_lattice *lattice)
{
    char line[1024];

    lattice_text(wish, lattice, line, sizeof line);
    page_text(stdout, 2, line);
    printf("\n     beta  temperature  energy          free energy       families       rho\n");
}

static void step_json(const population *p, const population_step *s, json *j)
{
    json_open(j, NULL, '{');
    json_real(j, "beta", s->beta);
    json_real(j, "energy", s->energy.value);
    json_real(j, "energy_error", s->energy.error);
    json_real(j, "ln_z", s->ln_z.value);
    json_real(j, "ln_z_error", s->ln_z.error);
    json_real(j, "free_energy", free_energy(p, s, s->ln_z.value));
    json_real(j, "free_energy_error", fabs(free_energy(p, s, s->ln_z.error)));
    json_integer(j, "families", s->families);
    json_real(j, "rho", s->rho);
    json_boolean(j, "too_short", s->ln_z.too_short);
    json_close(j, '}');
}

static void print_json(const lattice_flags *wish, const annealing_flags *f, const population *p,
                       const population_step *steps, int64_t done, double begin)
{
    json j = {.file = stdout};

    json_open(&j, NULL, '{');
    json_text(&j, "version", latmc_version());
    lattice_json(wish, p->lattice, &j);
    json_integer(&j, "sweeps", f->sweeps);
    json_text(&j, "stopped_by", done == f->steps ? NULL : stop_name());
    json_open(&j, "steps", '[');
    for (int64_t k = 0; k < done; k++)
        step_json(p, &steps[k], &j);
    json_close(&j, ']');
    json_real(&j, "seconds", cli_clock() - begin);
    json_close(&j, '}');
}

/* How many steps were made before a signal came. */
static int64_t anneal(population *p, const annealing_flags *f, population_step *steps)
{
    int64_t k = 0;

    for (; k < f->steps; k++) {
        const double beta = f->beta * (double)(k + 1) / (double)f->steps;

        if (!population_step_to(p, k, beta, f->sweeps, &steps[k]))
            break;
        if (!f->json)
            print_step(p, &steps[k]);
    }
    return k;
}

int main(int argc, char **argv)
{
    lattice_flags wish = {.extents = "8x8", .replicas = 10000, .start = "hot"};
    annealing_flags f = {.beta = 0.5, .steps = 25, .sweeps = 10};
    const cli_table tables[] = {{lattice_rows, &wish}, {annealing_rows, &f}, {NULL, NULL}};
    const double begin = cli_clock();
    latmc_lattice *lattice;
    population_step *steps;
    population p;
    int64_t done;

    cli_parse(&program, tables, argc, argv);
    lattice = lattice_make(&wish);
    lattice_configure(&wish, lattice);
    steps = cli_memory(f.steps, sizeof *steps);
    stop_prepare();
    cli_run(latmc_set_progress(lattice, stop_progress, NULL));
    p = population_begin(lattice, wish.seed.given ? wish.seed.value : 1);
    if (!f.json)
        print_head(&wish, lattice);
    done = anneal(&p, &f, steps);
    if (f.json)
        print_json(&wish, &f, &p, steps, done, begin);
    cli_flush();
    if (done < f.steps)
        cli_warn("stopped by %s after %" PRId64 " of %" PRId64 " steps", stop_name(), done,
                 f.steps);
    population_end(&p);
    free(steps);
    latmc_destroy(lattice);
    return cli_finish(done < f.steps ? stop_status() : 0);
}
