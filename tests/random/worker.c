/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/worker.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/team/team.h"

enum { NAME = 32 };

/* Cases up to this cost, by case_cost(), have the scalar lane for a reference of a GPU. */
static const double scalar_cost = 1.5e7;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
}

static void tell_step(int side, int step)
{
    tell("at %d %d\n", side, step);
}

/* The name in full of a device, such as "cpu:avx512" for "cpu", once it has opened a lattice there,
 * which on a GPU takes its time. */
static latmc_status open_device(const char *wanted, char name[NAME])
{
    latmc_lattice *lattice = NULL;
    latmc_status status = latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){4, 4});

    if (!status)
        status = latmc_set_device(lattice, wanted);
    if (!status)
        status = latmc_set_threads(lattice, 1);
    if (!status)
        status = latmc_start(lattice, LATMC_START_HOT);
    if (!status)
        status = latmc_sweep(lattice, LATMC_METROPOLIS, 1);
    if (!status)
        status = latmc_get_device(lattice, name, NAME);
    latmc_destroy(lattice);
    return status;
}

static void tell_end(const play_result *r)
{
    printf("end %d %.9f %.9f", r->left_out ? 2 : r->same, r->cpu[0], r->cpu[1]);
    for (int k = 0; k < KERNELS_MOST; k++)
        printf(" %" PRId64, r->swept[k]);
    tell(" | %s\n", r->same ? "" : r->difference);
}

/* A CPU is compared with the scalar lane. A GPU needs a faster reference for large cases. */
static const char *choose(const random_case *c, const char *device, char names[2][NAME])
{
    const int small = case_cost(c) <= scalar_cost;

    return small || strncmp(device, "cpu", 3) == 0 ? names[0] : names[1];
}

int worker_run(const worker_setup *s)
{
    const int automatic = strcmp(s->reference, "auto") == 0;
    char device[NAME], names[2][NAME], *line = NULL;
    size_t room = 0;
    ssize_t length;
    latmc_status status;
    play_setup setup = {.plant = plant_find(s->plant), .at = tell_step};

    lm_worth = (lm_team_worth){0}; /* small lattices have all the threads that they ask for */
    status = open_device(automatic ? "cpu:scalar" : s->reference, names[0]);
    if (!status)
        status = open_device(automatic ? "cpu" : s->reference, names[1]);
    if (!status)
        status = open_device(s->device, device);
    if (status) {
        tell("%s %s\n", status == LATMC_ERROR_NO_DEVICE ? "unusable" : "broken",
             latmc_error_message());
        return 0;
    }
    tell("ready\n");
    setup.devices[PLAY_TESTED] = device;
    while ((length = getline(&line, &room, stdin)) > 0) {
        random_case c;
        play_result result;
        line[length - 1] = '\0';
        if (case_parse(line, &c)) {
            fprintf(stderr, "random: a worker cannot read \"%.200s\"\n", line);
            return 2;
        }
        setup.devices[PLAY_REFERENCE] = choose(&c, device, names);
        play_case(&c, &setup, &result);
        tell_end(&result);
    }
    free(line);
    return 0;
}
