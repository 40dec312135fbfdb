/* SPDX-License-Identifier: BSD-3-Clause */
#include "random_fills.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth.h"
#include "cli.h"

enum { ROUNDS = 5, HOST_BYTES = 64 << 20, GPU_BYTES = 1 << 30 };

static const struct {
    const char *name;
    latmc_random_kind kind;
    int bytes;
} kinds[] = {{"words", LATMC_RANDOM_WORDS, 4},
             {"uniform32", LATMC_RANDOM_UNIFORM_FLOAT, 4},
             {"uniform64", LATMC_RANDOM_UNIFORM_DOUBLE, 8},
             {"gaussian32", LATMC_RANDOM_GAUSSIAN_FLOAT, 4},
             {"gaussian64", LATMC_RANDOM_GAUSSIAN_DOUBLE, 8}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Where the numbers go. */
typedef struct target {
    const char *device;
    int threads;
    void *memory;
    int64_t bytes;
    double bandwidth; /* bytes per nanosecond; NaN if unknown */
} target;

static target target_of(const char *device, int threads)
{
    const int gpu = strncmp(device, "cuda", 4) == 0;
    const int index = device[4] == ':' ? atoi(device + 5) : 0;
    target t = {device, threads, NULL, gpu ? GPU_BYTES : HOST_BYTES, (double)NAN};

    if (gpu) {
        t.bandwidth = bandwidth_cuda_store(index);
        t.memory = bandwidth_cuda_memory(index, (size_t)t.bytes);
        if (!t.memory)
            cli_fail("%s has no memory of %" PRId64 " bytes", device, t.bytes);
    } else {
        t.memory = cli_memory(t.bytes, 1);
    }
    return t;
}

/* Seconds of so many fills, each of other numbers. */
static double timed(const target *t, int k, int64_t fills)
{
    const int64_t count = t->bytes / kinds[k].bytes;
    const double begin = cli_clock();

    for (int64_t i = 0; i < fills; i++)
        cli_run(latmc_random_fill(&(latmc_random_request){.size = sizeof(latmc_random_request),
                                                          .device = t->device,
                                                          .threads = t->threads,
                                                          .kind = kinds[k].kind,
                                                          .seed = 1,
                                                          .stream = (uint64_t)k,
                                                          .first = i * count,
                                                          .count = count},
                                  t->memory));
    return cli_clock() - begin;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void show(const target *t, int k, const double rates[ROUNDS], json *j)
{
    const double share = rates[ROUNDS / 2] * kinds[k].bytes / t->bandwidth;
    char percent[32] = "-";

    if (j) {
        json_open(j, NULL, '{');
        json_text(j, "device", t->device);
        json_integer(j, "threads", t->threads);
        json_text(j, "random", kinds[k].name);
        json_integer(j, "numbers", t->bytes / kinds[k].bytes);
        json_real(j, "numbers_per_ns", rates[ROUNDS / 2]);
        json_real(j, "slowest", rates[0]);
        json_real(j, "fastest", rates[ROUNDS - 1]);
        json_real(j, "share_of_store_bandwidth", share);
        json_close(j, '}');
        return;
    }
    if (isfinite(share))
        snprintf(percent, sizeof percent, "%.1f %%", 100 * share);
    printf("%-12s %-11s %10.4g %6.1f %% %10s\n", t->device, kinds[k].name, rates[ROUNDS / 2],
           100 * (rates[ROUNDS - 1] - rates[0]) / rates[ROUNDS / 2], percent);
    cli_flush();
}

static void run(const target *t, int k, double seconds, json *j)
{
    const double numbers = (double)(t->bytes / kinds[k].bytes);
    double rates[ROUNDS];
    int64_t fills;

    timed(t, k, 1);
    fills = (int64_t)(seconds / ROUNDS / timed(t, k, 1));
    fills = fills < 1 ? 1 : fills;
    for (int round = 0; round < ROUNDS; round++)
        rates[round] = numbers * (double)fills / timed(t, k, fills) * 1e-9;
    qsort(rates, ROUNDS, sizeof rates[0], ascending);
    show(t, k, rates, j);
}

static void run_device(const char *device, int threads, int kind, double seconds, json *j)
{
    const target t = target_of(device, threads);

    for (int k = 0; k < KINDS; k++)
        if (kind == KINDS || kind == k)
            run(&t, k, seconds, j);
    if (strncmp(device, "cuda", 4) != 0)
        free(t.memory);
}

static int kind_of(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return k;
    if (strcmp(name, "all") != 0)
        cli_refuse("--random is \"%s\"; it can be words, uniform32, uniform64, gaussian32, "
                   "gaussian64 or all",
                   name);
    return KINDS;
}

void random_fills(const char *kind, const char *device, int threads, double seconds, json *j)
{
    const int k = kind_of(kind);
    int64_t devices;

    if (j) {
        json_open(j, NULL, '{');
        json_text(j, "version", latmc_version());
        json_open(j, "fills", '[');
    } else {
        printf("%-12s %-11s %10s %8s %10s\n", "device", "random", "numbers/ns", "spread",
               "of limit");
    }
    if (device)
        run_device(device, threads, k, seconds, j);
    cli_run(latmc_count_devices(&devices));
    for (int64_t i = 0; i < devices && !device; i++) {
        latmc_device_info info = {.size = sizeof info};

        cli_run(latmc_describe_device(i, &info));
        if (info.usable)
            run_device(info.name, threads, k, seconds, j);
    }
    if (j) {
        json_close(j, ']');
        json_close(j, '}');
    }
}
