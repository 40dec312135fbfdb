/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include <latmc/latmc.h>

typedef struct seed {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[4];
    latmc_boundary boundaries[4];
    int64_t replicas, samples;
    int option;        /* the precision, of Potts the number of states; 0: the model has neither */
    int bonds, fields; /* 0 none, 1 given, 2 drawn, 3 given and not all of them signs */
    int course;  /* 1: a schedule with an argument of its own and exchanges, a ramp, other slots;
                    2: two ladders, of which the best sites are kept */
    int weights; /* 1: of sites, signs and real numbers; 2: of bonds, too, and for each sample. With
                    two momenta */
} seed;

#define P LATMC_PERIODIC
#define A LATMC_ANTIPERIODIC
#define O LATMC_OPEN

static const seed seeds[] = {
    {"ising-plain", LATMC_ISING, 2, {4, 6}, {P, P}, 1, 1, 0, 0, 0, 0, 0},
    {"ising-chain", LATMC_ISING, 1, {70}, {A}, 2, 1, 0, 0, 0, 0, 0},
    {"ising-given", LATMC_ISING, 3, {3, 4, 2}, {P, A, O}, 2, 2, 0, 1, 0, 0, 0},
    {"ising-drawn", LATMC_ISING, 2, {5, 3}, {O, P}, 3, 3, 0, 2, 0, 0, 0},
    {"ising-4d", LATMC_ISING, 4, {2, 2, 2, 3}, {P, P, O, A}, 5, 1, 0, 2, 0, 0, 0},
    {"phi4-floats", LATMC_PHI4, 2, {4, 3}, {P, O}, 2, 1, 32, 0, 0, 0, 0},
    {"phi4-doubles", LATMC_PHI4, 1, {9}, {A}, 1, 1, 64, 0, 0, 0, 0},
    {"onvector-floats", LATMC_ONVECTOR, 2, {3, 4}, {P, P}, 2, 1, 32, 0, 0, 0, 0},
    {"onvector-given", LATMC_ONVECTOR, 2, {3, 2}, {P, O}, 2, 2, 64, 1, 1, 0, 0},
    {"onvector-drawn", LATMC_ONVECTOR, 1, {5}, {P}, 2, 1, 32, 2, 2, 0, 0},
    {"ising-reals", LATMC_ISING, 2, {3, 4}, {P, O}, 2, 2, 0, 3, 2, 0, 0},
    {"ising-course", LATMC_ISING, 2, {4, 4}, {P, P}, 2, 1, 0, 0, 0, 1, 0},
    {"onvector-best", LATMC_ONVECTOR, 2, {3, 4}, {P, P}, 4, 1, 32, 0, 0, 2, 0},
    {"phi4-course", LATMC_PHI4, 2, {4, 3}, {P, O}, 1, 1, 32, 0, 0, 1, 0},
    {"potts-words", LATMC_POTTS, 2, {4, 3}, {P, O}, 3, 3, 5, 1, 0, 0, 0},
    {"potts-bytes", LATMC_POTTS, 2, {3, 4}, {P, P}, 2, 2, 7, 3, 2, 0, 0},
    {"blume-capel", LATMC_BLUME_CAPEL, 2, {4, 5}, {A, P}, 2, 1, 0, 2, 0, 1, 0},
    {"automaton", LATMC_AUTOMATON, 2, {5, 6}, {P, O}, 2, 1, 0, 0, 0, 0, 0},
    {"ising-weights", LATMC_ISING, 2, {4, 6}, {P, A}, 2, 2, 0, 2, 0, 0, 2},
    {"phi4-weights", LATMC_PHI4, 1, {9}, {O}, 1, 1, 64, 0, 0, 0, 2},
    {"automaton-weights", LATMC_AUTOMATON, 2, {4, 3}, {P, P}, 2, 1, 0, 0, 0, 0, 1},
};

static void need(latmc_status status)
{
    if (!status)
        return;
    fprintf(stderr, "a seed cannot be made: %s\n", latmc_error_message());
    exit(2);
}

static int is_real(const seed *s)
{
    return s->model == LATMC_PHI4 || s->model == LATMC_ONVECTOR;
}

static void give(latmc_lattice *lat, const seed *s)
{
    int64_t sites = 1;
    double *numbers;

    for (int a = 0; a < s->dims; a++)
        sites *= s->extents[a];
    numbers = calloc((size_t)(s->samples * s->dims * sites), sizeof *numbers);
    if (!numbers)
        exit(2);
    for (int64_t i = 0; i < s->samples * s->dims * sites; i++)
        numbers[i] = (double)(i % 3) - 1.0;
    if (s->bonds == 3)
        numbers[0] = 0.5;
    if (s->bonds & 1)
        need(latmc_set_bond_couplings(lat, numbers));
    if (s->fields == 1)
        need(latmc_set_site_fields(lat, numbers));
    free(numbers);
}

static void weigh(latmc_lattice *lat, const seed *s)
{
    double numbers[256];

    for (int i = 0; i < 256; i++)
        numbers[i] = (double)(i % 3) - 1.0;
    need(latmc_set_momenta(lat, 2, (const int64_t[]){2, -1, 0, 4}));
    need(latmc_set_weights(lat, 0, LATMC_WEIGHT_SITES, 1, numbers));
    if (s->weights == 2)
        need(latmc_set_weights(lat, 5, LATMC_WEIGHT_BONDS, s->samples, numbers));
    numbers[0] = 0.5;
    need(latmc_set_weights(lat, 63, LATMC_WEIGHT_SITES, s->samples, numbers));
}

static void set_out(latmc_lattice *lat, const seed *s)
{
    const latmc_param hits = LATMC_HITS;
    const double own = 2.0;
    const latmc_step steps[] = {{.size = sizeof(latmc_step),
                                 .update = LATMC_METROPOLIS,
                                 .sweeps = 1,
                                 .exchanges = 1,
                                 .param_count = is_real(s),
                                 .params = &hits,
                                 .values = &own},
                                {.size = sizeof(latmc_step),
                                 .update = is_real(s) ? LATMC_OVERRELAX : LATMC_HEATBATH,
                                 .sweeps = 3,
                                 .exchanges = 2}};
    const double to[] = {0.75, 0.25};

    need(latmc_set_schedule(lat, 2, steps));
    need(latmc_sweep(lat, LATMC_SCHEDULE, 1));
    if (s->replicas == 2)
        need(latmc_set_slots(lat, (const int64_t[]){1, 0}));
    need(latmc_set_ramp(lat, LATMC_FIELD, to, 7));
}

static latmc_lattice *make(const seed *s)
{
    const latmc_distribution other = is_real(s) ? LATMC_GAUSSIAN : LATMC_PLUS_MINUS_ONE;
    latmc_description update = LATMC_INIT(latmc_description);
    latmc_lattice *lat = NULL;

    need(latmc_create(&lat, s->model, s->dims, s->extents));
    need(latmc_set_replicas(lat, s->replicas));
    need(latmc_set_boundaries(lat, s->boundaries));
    if (s->option)
        need(latmc_set_option(lat, is_real(s) ? LATMC_PRECISION : LATMC_Q, s->option));
    if (s->samples > 1)
        need(latmc_set_samples(lat, s->samples, 3));
    if (s->bonds & 1 || s->fields == 1)
        give(lat, s);
    if (s->bonds == 2)
        need(latmc_draw_bond_couplings(lat, other, 5, 0, NULL, NULL));
    if (s->fields == 2)
        need(latmc_draw_site_fields(lat, LATMC_PLUS_MINUS_ONE, 6, 0, NULL, NULL));
    need(latmc_set_device(lat, "cpu:scalar"));
    need(latmc_start(lat, LATMC_START_HOT));
    need(latmc_describe(LATMC_UPDATES, s->model, 0, &update));
    need(latmc_sweep(lat, (latmc_update)update.id, 3));
    if (s->weights)
        weigh(lat, s);
    if (s->course == 1)
        set_out(lat, s);
    if (s->course == 2) {
        need(latmc_set_ladders(lat, 2));
        need(latmc_keep_best(lat, 1));
        need(latmc_sweep(lat, LATMC_HEATBATH, 2));
    }
    return lat;
}

void fuzz_make(const char *folder)
{
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        latmc_lattice *lat = make(&seeds[i]);
        char path[1024];

        snprintf(path, sizeof path, "%s/%s.latmc", folder, seeds[i].name);
        need(latmc_save(lat, path));
        latmc_destroy(lat);
    }
}
