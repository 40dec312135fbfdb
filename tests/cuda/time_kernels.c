/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast each kernel of a GPU runs ensembles of small lattices, and which one the library
 * chooses:
 *
 *     time_kernels [DEVICE [ROW]]
 *
 * For each row, or for one, and 1, 2, 4, .. replicas it prints updates/ns of the kernels that
 * serve, the chosen one first; * stands where another is faster by more than a tenth. The constants
 * of the cost functions are fitted to these numbers. A row is measured by sweeps alone, and then
 * with the energy after each. No test runs it: ninja tests/time_kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <latmc/latmc.h>

#include "tests/random/kernels.h"

typedef struct timed {
    const char *name;
    latmc_model model;
    latmc_update update;
    int dims;
    int64_t extent, most; /* of each axis; replicas */
    double from, to;      /* the range of beta; both 0: all parameters as they are */
    int states, pm1;
} timed;

static const timed rows[] = {
    {"ising 8^2", LATMC_ISING, LATMC_METROPOLIS, 2, 8, 65536, 0.4, 0.5, 0, 0},
    {"ising 16^2", LATMC_ISING, LATMC_METROPOLIS, 2, 16, 65536, 0.4, 0.5, 0, 0},
    {"ising 32^2", LATMC_ISING, LATMC_METROPOLIS, 2, 32, 65536, 0.4, 0.5, 0, 0},
    {"ising 64^2", LATMC_ISING, LATMC_METROPOLIS, 2, 64, 65536, 0.4, 0.5, 0, 0},
    {"ising 128^2", LATMC_ISING, LATMC_METROPOLIS, 2, 128, 32768, 0.4, 0.5, 0, 0},
    {"ising 16^3", LATMC_ISING, LATMC_METROPOLIS, 3, 16, 65536, 0.2, 0.3, 0, 0},
    {"ising 24^3", LATMC_ISING, LATMC_METROPOLIS, 3, 24, 16384, 0.2, 0.3, 0, 0},
    {"ising 32^3", LATMC_ISING, LATMC_METROPOLIS, 3, 32, 16384, 0.2, 0.3, 0, 0},
    {"+-J 8^3", LATMC_ISING, LATMC_METROPOLIS, 3, 8, 65536, 0.5, 1.5, 0, 1},
    {"+-J 16^3", LATMC_ISING, LATMC_METROPOLIS, 3, 16, 65536, 0.5, 1.5, 0, 1},
    {"+-J 24^3", LATMC_ISING, LATMC_METROPOLIS, 3, 24, 16384, 0.5, 1.5, 0, 1},
    {"+-J 32^3", LATMC_ISING, LATMC_METROPOLIS, 3, 32, 16384, 0.5, 1.5, 0, 1},
    {"ising 16^2 heat bath", LATMC_ISING, LATMC_HEATBATH, 2, 16, 65536, 0.4, 0.5, 0, 0},
    {"potts 16^2 heat bath", LATMC_POTTS, LATMC_HEATBATH, 2, 16, 65536, 0.8, 1.1, 3, 0},
    {"potts 16^2", LATMC_POTTS, LATMC_METROPOLIS, 2, 16, 65536, 0.8, 1.1, 3, 0},
    {"potts 64^2", LATMC_POTTS, LATMC_METROPOLIS, 2, 64, 16384, 0.8, 1.1, 3, 0},
    {"blume-capel 16^2", LATMC_BLUME_CAPEL, LATMC_METROPOLIS, 2, 16, 65536, 0.5, 1.5, 0, 0},
    {"blume-capel 64^2", LATMC_BLUME_CAPEL, LATMC_METROPOLIS, 2, 64, 16384, 0.5, 1.5, 0, 0},
};

static const double call_seconds = 0.004;

static void need(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "time_kernels: %s: %s\n", what, latmc_error_message());
    exit(1);
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static latmc_lattice *make(const timed *row, int64_t replicas, const char *device)
{
    const int64_t extents[3] = {row->extent, row->extent, row->extent};
    double *const beta = calloc((size_t)replicas, sizeof *beta);
    latmc_lattice *l;

    need(beta != NULL, "memory");
    for (int64_t i = 0; i < replicas; i++)
        beta[i] = row->from + (row->to - row->from) * (double)i / (double)replicas;
    need(!latmc_create(&l, row->model, row->dims, extents), "create");
    need(!latmc_set_replicas(l, replicas), "replicas");
    need(!latmc_set_device(l, device), "device");
    need(!row->states || !latmc_set_option(l, LATMC_Q, row->states), "states");
    need(!latmc_set_params(l, LATMC_BETA, beta), "beta");
    need(!row->pm1 || !latmc_draw_bond_couplings(l, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL),
         "couplings");
    need(!latmc_start(l, LATMC_START_HOT), "start");
    free(beta);
    return l;
}

/* Makes sweeps, with the energy after each if there is room for its values. */
static double seconds_of(latmc_lattice *l, const timed *row, int64_t sweeps, double *values)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    const latmc_recording run = {.size = sizeof run,
                                 .update = row->update,
                                 .every = 1,
                                 .records = sweeps,
                                 .quantity_count = 1,
                                 .quantities = &energy,
                                 .series = values};
    const double begin = now();

    need(values ? !latmc_record(l, &run, NULL) : !latmc_sweep(l, row->update, sweeps), "sweep");
    return now() - begin;
}

/* Returns updates/ns: the best of three calls that take some milliseconds. */
static double rate_of(latmc_lattice *l, const timed *row, double sites, int64_t most,
                      double *values)
{
    int64_t sweeps = 2;
    double best = 1e9;

    seconds_of(l, row, 1, values); /* tables are made, and kernels loaded */
    for (double took = 0; took < call_seconds && sweeps < most;
         took = seconds_of(l, row, sweeps, values))
        sweeps = 2 * sweeps < most ? 2 * sweeps : most;
    for (int i = 0; i < 3; i++) {
        const double took = seconds_of(l, row, sweeps, values);
        best = took < best ? took : best;
    }
    return 1e-9 * sites * (double)sweeps / best;
}

static void print_rates(const char *name[KERNELS_MOST], const double rate[KERNELS_MOST], int count)
{
    double best = 0;

    for (int k = 1; k < count; k++)
        best = rate[k] > best ? rate[k] : best;
    printf("%s %7.4g %s ", name[0], rate[0], best > 1.1 * rate[0] ? "*" : " ");
    for (int k = 1; k < count; k++)
        printf(" | %s %.4g", name[k], rate[k]);
    printf("\n");
}

/* Returns the name of the kernel that has swept since the counts were taken. */
static const char *swept_by(const latmc_lattice *l, const int64_t before[KERNELS_MOST])
{
    int64_t after[KERNELS_MOST] = {0};

    kernels_add(l, after);
    for (int k = 1; k < kernels_count(); k++)
        if (after[k] > before[k])
            return kernels_name(k);
    return "none";
}

static void time_replicas(const timed *row, int64_t replicas, const char *device, int measured)
{
    enum { VALUES = 1 << 24 };
    static double values[VALUES];
    latmc_lattice *const l = make(row, replicas, device);
    const int64_t most = measured && VALUES / replicas < 2000 ? VALUES / replicas : 2000;
    const char *name[KERNELS_MOST];
    double rate[KERNELS_MOST], sites = (double)replicas;
    int count = 1;
    int64_t before[KERNELS_MOST] = {0};

    for (int a = 0; a < row->dims; a++)
        sites *= (double)row->extent;
    kernels_add(l, before);
    rate[0] = rate_of(l, row, sites, most, measured ? values : NULL);
    name[0] = swept_by(l, before);
    for (int k = 1; k < kernels_count(); k++) {
        int64_t from[KERNELS_MOST] = {0};

        kernels_force(l, k);
        kernels_add(l, from);
        seconds_of(l, row, 1, NULL);
        if (swept_by(l, from) != kernels_name(k))
            continue;
        name[count] = kernels_name(k);
        rate[count++] = rate_of(l, row, sites, most, measured ? values : NULL);
    }
    printf("%-22s%s %6lld: ", row->name, measured ? " +E" : "   ", (long long)replicas);
    print_rates(name, rate, count);
    fflush(stdout);
    latmc_destroy(l);
}

int main(int count, char **argument)
{
    const char *const device = count > 1 ? argument[1] : "cuda:0";
    const int only = count > 2 ? atoi(argument[2]) : -1;

    for (int r = 0; r < (int)(sizeof rows / sizeof rows[0]); r++)
        for (int measured = 0; measured < 2 && (only < 0 || only == r); measured++)
            for (int64_t n = 1; n <= rows[r].most; n *= 2)
                time_replicas(&rows[r], n, device, measured);
    return 0;
}
