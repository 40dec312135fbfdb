/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long sites take from a GPU and to it, and copies of replicas, beside a sweep:
 *
 *     time_crossing [DEVICE]
 *
 * It prints the best of some calls, in microseconds, GB/s of the array, and sweeps. Arrays are in
 * memory of the host, paged and locked, and in that of the GPU. No test runs it: meson compile
 * tests/time_crossing.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <latmc/latmc.h>

enum { CALLS = 20 };

typedef struct timed {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[3], replicas;
    latmc_type type;
    const char *type_name;
} timed;

static const timed cases[] = {
    {"ising 1024^2", LATMC_ISING, 2, {1024, 1024}, 1, LATMC_BITS, "bits"},
    {"ising 1024^2", LATMC_ISING, 2, {1024, 1024}, 256, LATMC_BITS, "bits"},
    {"ising 1023^2", LATMC_ISING, 2, {1023, 1023}, 256, LATMC_BITS, "bits"},
    {"ising 32768^2", LATMC_ISING, 2, {32768, 32768}, 1, LATMC_BITS, "bits"},
    {"ising 1024^2", LATMC_ISING, 2, {1024, 1024}, 256, LATMC_INT8, "int8"},
    {"ising 16^2", LATMC_ISING, 2, {16, 16}, 65536, LATMC_BITS, "bits"},
    {"phi4 256^3", LATMC_PHI4, 3, {256, 256, 256}, 1, LATMC_FLOAT32, "float32"},
    {"phi4 256^3", LATMC_PHI4, 3, {256, 256, 256}, 1, LATMC_FLOAT64, "float64"},
};

static void need(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "time_crossing: %s: %s\n", what, latmc_error_message());
    exit(1);
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static latmc_lattice *make(const timed *c, const char *device)
{
    latmc_lattice *l = NULL;

    need(!latmc_create(&l, c->model, c->dims, c->extents), "create");
    need(!latmc_set_replicas(l, c->replicas), "replicas");
    need(!latmc_set_device(l, device), "device");
    need(!latmc_start(l, LATMC_START_HOT), "start");
    return l;
}

/* One sweep among many, without the time of a call. */
static double time_sweep(latmc_lattice *l)
{
    double best = 1e9;

    for (int i = 0; i < 5; i++) {
        double begin = now(), all;

        need(!latmc_sweep(l, LATMC_METROPOLIS, 100), "sweep");
        all = (now() - begin) / 100;
        best = all < best ? all : best;
    }
    return best;
}

static double time_sites(latmc_lattice *l, const timed *c, void *array, size_t bytes, int in)
{
    double best = 1e9;

    for (int i = 0; i < CALLS; i++) {
        const double begin = now();
        double all;

        need(!(in ? latmc_set_sites(l, 0, c->replicas, c->type, array, bytes)
                  : latmc_get_sites(l, 0, c->replicas, c->type, array, bytes)),
             "sites");
        all = now() - begin;
        best = all < best ? all : best;
    }
    return best;
}

static void print(const timed *c, const char *what, double seconds, size_t bytes, double sweep)
{
    printf("%-14s %6lld %-8s %-12s %10.1f us %8.2f GB/s %8.2f sweeps\n", c->name,
           (long long)c->replicas, c->type_name, what, 1e6 * seconds,
           1e-9 * (double)bytes / seconds, seconds / sweep);
}

/* The bus, by the runtime alone. */
static double bus(void *device, void *locked, size_t bytes)
{
    double best = 1e9;

    for (int i = 0; i < CALLS; i++) {
        const double begin = now();
        double all;

        need(!cudaMemcpy(locked, device, bytes, cudaMemcpyDeviceToHost), "copy");
        all = now() - begin;
        best = all < best ? all : best;
    }
    return best;
}

static void time_case(const timed *c, const char *name)
{
    latmc_lattice *l = make(c, name);
    const double sweep = time_sweep(l);
    size_t bytes = 0;
    void *device = NULL, *locked = NULL, *paged;

    need(!latmc_sites_bytes(l, c->replicas, c->type, &bytes), "bytes");
    paged = malloc(bytes);
    need(paged && !cudaMalloc(&device, bytes) && !cudaMallocHost(&locked, bytes), "memory");
    memset(paged, 1, bytes);
    print(c, "sweep", sweep, bytes, sweep);
    print(c, "bus", bus(device, locked, bytes), bytes, sweep);
    print(c, "get device", time_sites(l, c, device, bytes, 0), bytes, sweep);
    print(c, "get locked", time_sites(l, c, locked, bytes, 0), bytes, sweep);
    print(c, "get paged", time_sites(l, c, paged, bytes, 0), bytes, sweep);
    print(c, "set device", time_sites(l, c, device, bytes, 1), bytes, sweep);
    print(c, "set paged", time_sites(l, c, paged, bytes, 1), bytes, sweep);
    free(paged);
    cudaFree(device);
    cudaFreeHost(locked);
    latmc_destroy(l);
}

/* A resampling: every replica comes from one of the few before it or after it. */
static void time_copies(const timed *c, const char *name)
{
    latmc_lattice *l = make(c, name);
    const double sweep = time_sweep(l);
    int64_t *from = malloc((size_t)c->replicas * sizeof *from);
    double best = 1e9;
    size_t bytes = 0;

    need(from && !latmc_sites_bytes(l, c->replicas, c->type, &bytes), "bytes");
    for (int64_t r = 0; r < c->replicas; r++)
        from[r] = r / 3 * 3;
    for (int i = 0; i < CALLS; i++) {
        const double begin = now();
        double all;

        need(!latmc_copy_replicas(l, from), "copies");
        all = now() - begin;
        best = all < best ? all : best;
    }
    print(c, "copies", best, bytes, sweep);
    free(from);
    latmc_destroy(l);
}

int main(int count, char **argument)
{
    const char *device = count > 1 ? argument[1] : "cuda:0";

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        time_case(&cases[k], device);
    time_copies(&cases[5], device);
    time_copies(&cases[1], device);
    return 0;
}
