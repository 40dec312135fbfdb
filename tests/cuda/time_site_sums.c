/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long structure factors at given momenta and weighted sums take, beside a sweep:
 *
 *     time_site_sums [DEVICE]
 *
 * It prints the best of some calls, in microseconds and in sweeps: a sweep among many, a call that
 * measures, and what a measurement adds to a sweep in a series. No test runs it: ninja
 * tests/time_site_sums.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <latmc/latmc.h>

enum { CALLS = 10, RECORDS = 20 };

typedef struct timed {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[4], replicas;
} timed;

static const timed cases[] = {
    {"ising 8192^2", LATMC_ISING, 2, {8192, 8192}, 1},
    {"ising 8191^2", LATMC_ISING, 2, {8191, 8191}, 1},
    {"ising 1024^2", LATMC_ISING, 2, {1024, 1024}, 64},
    {"ising 512^3", LATMC_ISING, 3, {512, 512, 512}, 1},
    {"ising 64^2", LATMC_ISING, 2, {64, 64}, 1000},
    {"ising 16^2", LATMC_ISING, 2, {16, 16}, 65536},
    {"blume-capel 4096^2", LATMC_BLUME_CAPEL, 2, {4096, 4096}, 1},
    {"potts 4096^2", LATMC_POTTS, 2, {4096, 4096}, 1},
    {"phi4 256^3", LATMC_PHI4, 3, {256, 256, 256}, 1},
    {"vectors 128^3", LATMC_ONVECTOR, 3, {128, 128, 128}, 1},
};

static void need(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "time_site_sums: %s: %s\n", what, latmc_error_message());
    exit(1);
}

static void *room(int64_t count, size_t size)
{
    void *const memory = calloc((size_t)count, size);

    need(memory != NULL, "memory");
    return memory;
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One sweep among many, without the time of a call. */
static double time_sweep(latmc_lattice *l)
{
    double best = 1e9;

    for (int i = 0; i < 5; i++) {
        const double begin = now();
        double all;

        need(!latmc_sweep(l, LATMC_METROPOLIS, 200), "sweep");
        all = (now() - begin) / 200;
        best = all < best ? all : best;
    }
    return best;
}

static double time_call(latmc_lattice *l, const latmc_quantity *q, double *values)
{
    double best = 1e9;

    for (int i = 0; i < CALLS; i++) {
        const double begin = now();
        double all;

        need(!latmc_observe(l, LATMC_BY_REPLICA, 1, q, values), "observe");
        all = now() - begin;
        best = all < best ? all : best;
    }
    return best;
}

/* Returns the time for a record after every sweep, less that of a sweep. */
static double time_series(latmc_lattice *l, const latmc_quantity *q, double *values, double sweep)
{
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_METROPOLIS,
                                 .every = 1,
                                 .records = RECORDS,
                                 .quantity_count = 1,
                                 .quantities = q,
                                 .series = values};
    double best = 1e9;

    for (int i = 0; i < 3; i++) {
        const double begin = now();
        double all;

        need(!latmc_record(l, &run, NULL), "record");
        all = (now() - begin) / RECORDS;
        best = all < best ? all : best;
    }
    return best - sweep;
}

static void print(const timed *c, const char *what, int count, double seconds, double sweep)
{
    printf("%-18s %6lld x  %-22s %3d %10.1f us %8.2f sweeps\n", c->name, (long long)c->replicas,
           what, count, 1e6 * seconds, seconds / sweep);
}

static void set_momenta(latmc_lattice *l, const timed *c, int count)
{
    int64_t n[64 * 4];

    for (int i = 0; i < count * c->dims; i++)
        n[i] = 2 * ((i * 7) % c->extents[i % c->dims]);
    need(!latmc_set_momenta(l, count, n), "momenta");
}

/* Sets of weights -1, 0 and +1. */
static void set_signs(latmc_lattice *l, int64_t sites, int sets)
{
    double *const w = room(sites, sizeof *w);

    for (int k = 0; k < sets; k++) {
        for (int64_t i = 0; i < sites; i++)
            w[i] = (double)((i + k) % 3) - 1.0;
        need(!latmc_set_weights(l, k, LATMC_WEIGHT_SITES, 1, w), "weights");
    }
    free(w);
}

static void time_case(const timed *c, const char *device)
{
    static const int momenta[] = {1, 8, 64}, sets[] = {1, 4};
    const latmc_quantity at = LATMC_QUANTITY(LATMC_STRUCTURE_AT, 0),
                         weighted = LATMC_QUANTITY(LATMC_ABS_WEIGHTED, 0);
    double *const values = room(RECORDS * c->replicas, sizeof *values), sweep;
    latmc_lattice *l = NULL;
    int64_t sites = 1;

    for (int a = 0; a < c->dims; a++)
        sites *= c->extents[a];
    need(!latmc_create(&l, c->model, c->dims, c->extents), "create");
    need(!latmc_set_replicas(l, c->replicas), "replicas");
    need(!latmc_set_device(l, device), "device");
    need(!latmc_start(l, LATMC_START_HOT), "start");
    sweep = time_sweep(l);
    print(c, "sweep", 1, sweep, sweep);
    for (size_t i = 0; i < sizeof momenta / sizeof momenta[0]; i++) {
        set_momenta(l, c, momenta[i]);
        print(c, "momenta, a call", momenta[i], time_call(l, &at, values), sweep);
        print(c, "momenta, in a series", momenta[i], time_series(l, &at, values, sweep), sweep);
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        set_signs(l, sites, sets[i]);
        print(c, "signs, a call", sets[i], time_call(l, &weighted, values), sweep);
        print(c, "signs, in a series", sets[i], time_series(l, &weighted, values, sweep), sweep);
    }
    free(values);
    latmc_destroy(l);
}

int main(int count, char **argument)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        time_case(&cases[k], count > 1 ? argument[1] : "cuda:0");
    return 0;
}
