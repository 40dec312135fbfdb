/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock model, to be tested (model.h), with 6 states, and beside it 5 and 64. Settings are
 * those of O(n) vectors (onvector.h), without epsilon and hits; antiperiodic ends of shapes are
 * open ones.
 */
#ifndef LM_TESTS_CLOCK_H
#define LM_TESTS_CLOCK_H

#include "tests/models/clock_naive.h"
#include "tests/models/potts.h"

static inline void clock_start(void *self, latmc_start_mode mode)
{
    naive_potts_start(self, mode, naive_potts_byte_start);
}

static inline void clock_sweep(void *self, latmc_update update)
{
    naive_potts_sweep(self, update, clock_site);
}

static const latmc_quantity clock_observables[] = {
    LATMC_QUANTITY(LATMC_ENERGY),
    LATMC_QUANTITY(LATMC_ENERGY2),
    LATMC_QUANTITY(LATMC_ENERGY4),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 0),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 1),
    LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_M2),
    LATMC_QUANTITY(LATMC_M4),
    LATMC_QUANTITY(LATMC_STRUCTURE, 0),
    LATMC_QUANTITY(LATMC_STRUCTURE, 1),
    LATMC_QUANTITY(LATMC_STRUCTURE, 3),
    LATMC_QUANTITY(LATMC_HELICITY, 0),
    LATMC_QUANTITY(LATMC_HELICITY, 1),
    LATMC_QUANTITY(LATMC_HELICITY, 3),
    LATMC_QUANTITY(LATMC_CHANGED),
    LATMC_QUANTITY(LATMC_OCCUPATION, 0),
    LATMC_QUANTITY(LATMC_OCCUPATION, 1),
    LATMC_QUANTITY(LATMC_OCCUPATION, 5),
    LATMC_QUANTITY(LATMC_OCCUPATION, 63),
    {0},
};

static inline void clock_observe(const void *self, double *values)
{
    const naive_potts *n = self;
    double sums[C_SUMS];

    clock_sums(n, sums);
    for (int i = 0; clock_observables[i].observable; i++)
        values[i] = clock_observable(n, sums, clock_observables[i]);
}

static const test_naive clock_naive = {
    .open = potts_open,
    .close = potts_close,
    .start = clock_start,
    .sweep = clock_sweep,
    .sites = potts_sites,
    .observe = clock_observe,
    .observed = clock_observables,
};

static const test_sample clock_tests[] = {
    {{1, {2}, {P}, 0, 3}, VECTORS(.beta = 0.8)},
    {{1, {3}, {O}, 65533, 3}, VECTORS(.beta = 1.5, GAUSS, LOCAL, .field = 0.2)},
    {{1, {1025}, {P}, 0, 2}, VECTORS(.beta = 2.0, FIELDS, .axis = {-1.3})},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5, .slope = -0.4)},
    {{2, {2, 6}, {P, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {0.4, -1.2}, GAUSS)},
    {{2, {3, 3}, {P, P}, 0, 5}, VECTORS(.beta = 1.0, .slope = 0.3, GIVEN)},
    {{2, {5, 3}, {P, O}, 3, 4}, VECTORS(.beta = 1.0, .field = -0.4, HOLES, FIELDS, .samples = 4)},
    {{2, {8, 8}, {P, P}, 3, 4}, VECTORS(.beta = 1.25, HALVES, .samples = 2, .first_sample = 65535)},
    {{2, {16, 17}, {P, P}, 0, 2}, VECTORS(.beta = 0.9, GIVEN, .axis = {0.7, 1.3})},
    {{2, {11, 13}, {O, O}, 0, 2}, VECTORS(.beta = 1.1, .field = 0.25)},
    {{2, {70, 34}, {P, P}, 0, 2}, VECTORS(.beta = 1.25)},
    {{2, {3, 1100}, {P, O}, 0, 2}, VECTORS(.beta = 1.0)},
    {{3, {5, 3, 7}, {P, O, O}, 0, 4}, VECTORS(.beta = 0.6, HOLES, LOCAL, .field = 0.3)},
    {{3, {10, 8, 12}, {P, O, P}, 0, 2}, VECTORS(.beta = 0.55, GAUSS, .samples = 2)},
    {{3, {33, 7, 5}, {P, P, P}, 2, 2}, VECTORS(.beta = 0.45, .axis = {1.0, 0.5, -0.25})},
    {{4, {2, 3, 2, 4}, {P, P, P, O}, 0, 2}, VECTORS(.beta = 0.3, GAUSS, FIELDS)},
    {{4, {8, 5, 4, 10}, {P, P, P, P}, 0, 1}, VECTORS(.beta = 0.3)},
    /* Sites without any bond; no temperature; hardly any; much. */
    {{2, {6, 7}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .bonds = {SIGNS, .missing = 1.0})},
    {{2, {6, 9}, {P, P}, 0, 4}, VECTORS(.beta = 0.0, .slope = -0.1)},
    {{3, {4, 6, 4}, {P, P, P}, 0, 3}, VECTORS(.beta = 4.0, .slope = 20.0)},
    /* As much of everything as may be: nothing of it is not a number. */
    {{2, {6, 9}, {P, O}, 0, 2},
     VECTORS(.beta = 1e30, .slope = -2e30, .field = 1e30, .axis = {1e6, -1e6})},
    {{2, {6, 9}, {P, O}, 0, 2},
     VECTORS(.beta = -1e30, .axis = {1e6, 1e6},
             .bonds = {NORMAL, .mean = 1e6, .width = 1e6, .missing = 0.5},
             .fields = {NUMBERS, .mean = 5e5, .width = 5e5})},
    /* The last of an ensemble. */
    {{2, {8, 10}, {P, O}, ((int64_t)1 << 32) - 3, 3}, VECTORS(.beta = 1.0, HALVES)},
    {.settings = NULL},
};

static const test_step clock_steps[] = {
    {.verb = TEST_START, .what = LATMC_START_COLD},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 2},
    {.verb = TEST_START, .what = LATMC_START_HOT},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 2},
    {.verb = TEST_SWEEP, .what = LATMC_HEATBATH, .sweeps = 3},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = 0},
};

#define RAMP .beta = 0.4, .slope = 0.31

static const test_variant clock_variants[] = {
    {"plain", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RAMP)},
    {"field", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RAMP, .field = 0.3)},
    {"heat bath", LATMC_HEATBATH, LATMC_UINT8, VECTORS(RAMP)},
    {"+-J, heat bath", LATMC_HEATBATH, LATMC_UINT8, VECTORS(RAMP, HOLES, .samples = EACH)},
    {"Gaussian bonds, fields", LATMC_METROPOLIS, LATMC_UINT8,
     VECTORS(RAMP, GAUSS, LOCAL, .samples = EACH, .axis = {1.0, -0.5, 2.0, 0.25})},
    {.name = NULL},
};

static const test_variant clock_large_variant = {"large", LATMC_HEATBATH, LATMC_UINT8,
                                                 VECTORS(RAMP, GAUSS, .samples = 4)};

#define RICH .beta = 0.9, .slope = 0.6, .field = -0.125, .axis = {1.0, 0.5, -2.0}

static const test_variant clock_rich[] = {
    {"given bonds", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RICH, GIVEN)},
    {"samples drawn", LATMC_HEATBATH, LATMC_UINT8,
     VECTORS(RICH, HALVES, LOCAL, .samples = 2, .first_sample = 9)},
    {"samples given", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RICH, GIVEN, FIELDS, .samples = 2)},
    {"uniform", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RICH)},
    {.name = NULL},
};

static const int clock_updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH, 0};

/* What all numbers of states have alike. */
#define CLOCK_MODEL(q_)                                                                            \
    .id = LATMC_CLOCK, .params = ising_params, .updates = clock_updates,                           \
    .observables = clock_observables, .types = potts_types, .types_refusal = "they can be uint8",  \
    .has_couplings = 1, .has_site_fields = 1, .most_coupling = 1e6, .most_axis = 1e6,              \
    .no_antiperiodic = 1, .bytes = 1, .option = LATMC_Q, .option_value = (q_),                     \
    .bad_params = ising_bad_params, .good_params = ising_good_params, .serves = vector_serves,     \
    .set = potts_set, .change = ising_change, .naive = &clock_naive, .steps = clock_steps,         \
    .sweeps = 4, .large = potts_large, .large_variant = &clock_large_variant,                      \
    .nine = {2, {6, 11}, {P, O}, 2, 9}, .variants = clock_variants, .rich = clock_rich

static const test_model test_clock_5 = {
    .name = "clock, q = 5", CLOCK_MODEL(5), .samples = clock_tests};

static const test_model test_clock = {
    .name = "clock",
    CLOCK_MODEL(6),
    .slabs = 23,
    .further = &test_clock_5,
    .bad_sites = {6.0, 7.0, 64.0, 128.0, 255.0},
    .good_sites = {0.0, 5.0},
    .samples = clock_tests,
    .shapes = potts_shapes,
    .moves_one_of = 3,
};

static const test_model test_clock_64 = {
    .name = "clock, q = 64",
    .akin = 1,
    CLOCK_MODEL(64),
    .slabs = 23,
    .bad_sites = {64.0, 65.0, 127.0, 128.0, 255.0},
    .good_sites = {0.0, 63.0},
    .samples = clock_tests,
    .shapes = potts_few_shapes,
    .moves_one_of = 5,
};

#undef RAMP
#undef RICH

#endif
