/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattices of cells as the tests of automata make them. */
#ifndef LM_TESTS_MODELS_AUTOMATON_MADE_H
#define LM_TESTS_MODELS_AUTOMATON_MADE_H

#include "tests/models/automaton_naive.h"

enum { LIFE_BIRTH = 8, LIFE_SURVIVAL = 12, MOST_REPLICAS = 4 };

typedef struct automaton {
    int64_t extents[2];
    latmc_boundary boundaries[2];
    int birth, survival;
    double noise; /* of the first replica; half as much for each further one */
    int64_t first, replicas;
    uint64_t seed;
} automaton;

#define LIFE LIFE_BIRTH, LIFE_SURVIVAL

static inline double noise_of(const automaton *a, int64_t replica)
{
    return ldexp(a->noise, -(int)replica);
}

static inline latmc_lattice *made(const automaton *a, const char *device)
{
    latmc_lattice *lattice = NULL;
    double noise[MOST_REPLICAS];

    ok(latmc_create(&lattice, LATMC_AUTOMATON, 2, a->extents));
    ok(latmc_set_option(lattice, LATMC_BIRTH, a->birth));
    ok(latmc_set_option(lattice, LATMC_SURVIVAL, a->survival));
    ok(latmc_set_boundaries(lattice, a->boundaries));
    ok(latmc_set_replicas(lattice, a->replicas));
    ok(latmc_set_first_replica(lattice, a->first));
    ok(latmc_set_seed(lattice, a->seed));
    for (int64_t r = 0; r < a->replicas; r++)
        noise[r] = noise_of(a, r);
    ok(latmc_set_params(lattice, LATMC_NOISE, noise));
    ok(latmc_set_threads(lattice, 3));
    ok(latmc_set_device(lattice, device));
    return lattice;
}

static inline latmc_lattice *started(const automaton *a, const char *device)
{
    latmc_lattice *lattice = made(a, device);

    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static inline int is_usable(const char *device)
{
    latmc_lattice *lattice = NULL;
    latmc_status status = LATMC_ERROR_NO_DEVICE;

    if (!usable(device))
        return 0;
    ok(latmc_create(&lattice, LATMC_AUTOMATON, 2, (const int64_t[]){3, 3}));
    ok(latmc_set_threads(lattice, 1));
    status = latmc_set_device(lattice, device);
    latmc_destroy(lattice);
    return status == LATMC_OK;
}

/* Devices that have automata. */
static inline int devices(const char *names[ALL(every_device)])
{
    int count = 0;

    for (size_t d = 0; d < ALL(every_device); d++)
        if (is_usable(every_device[d]))
            names[count++] = every_device[d];
    return count;
}

#endif
