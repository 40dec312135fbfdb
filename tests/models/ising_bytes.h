/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Ising model with couplings and site fields that are real numbers, to be tested (model.h): the
 * lattices of it that are kept as bytes. Settings are those of O(n) vectors (onvector.h), without
 * epsilon and hits; each has a real coupling or a site field.
 */
#ifndef LM_TESTS_ISING_FIELD_H
#define LM_TESTS_ISING_FIELD_H

#include "tests/models/ising.h"
#include "tests/models/ising_bytes_naive.h"
#include "tests/models/onvector.h"

static inline void spin_set(latmc_lattice *lattice, const test_case *c, int64_t begin,
                            int64_t count)
{
    vector_set_most(lattice, c, begin, count, 2);
}

/* ---- by hand */

static inline void *spin_open(const test_case *c, int64_t replica, uint64_t seed)
{
    test_case floats = *c;

    floats.type = LATMC_FLOAT32; /* in which they are reckoned with */
    return vector_open(&floats, replica, seed);
}

static inline void spin_start(void *n, latmc_start_mode mode)
{
    naive_spins_start(n, mode);
}

static inline void spin_sweep(void *n, latmc_update update)
{
    naive_spins_sweep(n, update);
}

static inline void spin_sites(const void *self, void *sites)
{
    const naive_vectors *n = self;

    for (int i = 0; i < n->f.sites; i++)
        ((int8_t *)sites)[i] = (int8_t)n->s[i];
}

/* test_structure.c has the structure factors. */
static const latmc_quantity spin_observed[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                               LATMC_QUANTITY(LATMC_ENERGY2),
                                               LATMC_QUANTITY(LATMC_ENERGY4),
                                               LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                               LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                               LATMC_QUANTITY(LATMC_M2),
                                               LATMC_QUANTITY(LATMC_M4),
                                               LATMC_QUANTITY(LATMC_CHANGED),
                                               {0}};

static inline void spin_observe(const void *self, double *values)
{
    const naive_vectors *n = self;
    double sums[N_SUMS];

    naive_spins_sums(n, sums);
    for (int i = 0; spin_observed[i].observable; i++)
        values[i] = naive_spins_observable(n, sums, spin_observed[i]);
}

static const test_naive spin_naive = {
    .open = spin_open,
    .close = vector_close,
    .start = spin_start,
    .sweep = spin_sweep,
    .sites = spin_sites,
    .observe = spin_observe,
    .observed = spin_observed,
};

static const test_sample spin_tests[] = {
    {{1, {2}, {P}, 0, 3}, VECTORS(.beta = 0.8, GAUSS)},
    {{1, {2}, {A}, 7, 3}, VECTORS(.beta = 0.8, LOCAL, .field = 0.3)},
    {{1, {2}, {O}, 0, 2}, VECTORS(.beta = 0.8, FIELDS)},
    {{1, {3}, {P}, 0, 4}, VECTORS(.beta = 1.5, GAUSS, .samples = 2)},
    {{1, {3}, {A}, 0, 4}, VECTORS(.beta = 1.5, LOCAL)},
    {{1, {7}, {O}, 65534, 4}, VECTORS(.beta = 1.1, GIVEN, LOCAL, .field = 0.2, .samples = 4)},
    {{1, {33}, {P}, 0, 2}, VECTORS(.beta = 1.1, GAUSS, .axis = {-1.3})},
    {{1, {1025}, {P}, 0, 2}, VECTORS(.beta = 2.0, FIELDS, .field = 0.1)},
    {{1, {517}, {A}, 0, 2}, VECTORS(.beta = -1.0, GAUSS)},
    {{1, {2500}, {O}, 0, 2}, VECTORS(.beta = 1.0, FIELDS)},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5, .slope = -0.4, LOCAL)},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5, GAUSS, FIELDS, .samples = 2)},
    {{2, {2, 6}, {A, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {0.4, -1.2}, GAUSS)},
    {{2, {3, 3}, {P, P}, 0, 5}, VECTORS(.beta = 1.0, .slope = 0.3, GIVEN)},
    {{2, {4, 4}, {P, P}, 0, 4}, VECTORS(.beta = 0.44, LOCAL)},
    {{2, {4, 5}, {A, P}, 0, 4}, VECTORS(.beta = 1.0, HOLES, LOCAL)},
    {{2, {5, 3}, {P, O}, 3, 4}, VECTORS(.beta = 1.0, .field = -0.4, HOLES, FIELDS, .samples = 4)},
    {{2, {8, 8}, {P, P}, 3, 4},
     VECTORS(.beta = 1.0, HALVES, LOCAL, .samples = 2, .first_sample = 65535)},
    {{2, {10, 15}, {P, A}, 0, 2}, VECTORS(.beta = 1.2, GAUSS, .axis = {1.0, 0.0})},
    {{2, {12, 7}, {P, P}, 0, 2}, VECTORS(.beta = 0.7, LOCAL)},
    {{2, {16, 17}, {P, P}, 0, 2}, VECTORS(.beta = 0.9, GIVEN, .axis = {0.7, 1.3})},
    {{2, {17, 16}, {O, P}, 0, 2},
     VECTORS(.beta = 0.9, .bonds = {NORMAL, .mean = 0.5, .width = 2.0, .missing = 0.2})},
    {{2, {11, 13}, {O, O}, 0, 2}, VECTORS(.beta = 0.9, GAUSS, .field = 0.25)},
    {{2, {3, 16}, {O, A}, 0, 4},
     VECTORS(.beta = 0.9, .fields = {SIGNS, .plus = 0.4, .missing = 0.5})},
    {{2, {70, 34}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, GAUSS, LOCAL, .samples = 2)},
    {{2, {1100, 3}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .field = 0.1, FIELDS)},
    {{2, {3, 1100}, {P, O}, 0, 2}, VECTORS(.beta = 1.0, GIVEN)},
    {{2, {64, 32}, {P, P}, 1, 2}, VECTORS(.beta = 1.1, GAUSS)},
    {{2, {67, 29}, {A, A}, 0, 1}, VECTORS(.beta = 1.1, GAUSS)},
    {{3, {2, 2, 2}, {P, A, P}, 0, 2}, VECTORS(.beta = 0.6, LOCAL)},
    {{3, {3, 3, 3}, {P, P, P}, 0, 4}, VECTORS(.beta = 0.45, GIVEN, .axis = {1.0, 0.5, -0.25})},
    {{3, {4, 4, 4}, {P, P, P}, 0, 6}, VECTORS(.beta = 1.5, GAUSS, .samples = 3)},
    {{3, {4, 5, 7}, {A, P, P}, 0, 4}, VECTORS(.beta = 0.45, GIVEN, FIELDS, .samples = 2)},
    {{3, {5, 3, 7}, {P, A, O}, 0, 4}, VECTORS(.beta = 0.6, HOLES, LOCAL, .field = 0.3)},
    {{3, {10, 8, 12}, {P, O, A}, 0, 2}, VECTORS(.beta = 0.5, GAUSS, .samples = 2)},
    {{3, {11, 16, 5}, {O, P, P}, 0, 2}, VECTORS(.beta = 0.5, LOCAL)},
    {{3, {3, 4, 6}, {O, O, O}, 0, 3}, VECTORS(.beta = 0.5, HALVES, FIELDS, .samples = 3)},
    {{3, {40, 30, 3}, {P, P, O}, 0, 1}, VECTORS(.beta = 0.5, GAUSS)},
    {{3, {33, 7, 5}, {P, A, P}, 2, 2}, VECTORS(.beta = 0.5, LOCAL, .field = 0.2)},
    {{4, {2, 3, 2, 4}, {P, P, A, O}, 0, 2}, VECTORS(.beta = 0.3, GAUSS, FIELDS)},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, 0, 2}, VECTORS(.beta = 0.3, GAUSS)},
    {{4, {5, 4, 3, 7}, {P, A, O, P}, 0, 2},
     VECTORS(.beta = 0.3, .axis = {1.0, -0.5, 2.0, 0.25}, GIVEN, .samples = 2)},
    {{4, {8, 5, 4, 10}, {P, P, A, P}, 0, 1}, VECTORS(.beta = 0.3, LOCAL)},
    /* Sites without any field, and with weak ones, on either side of 1/8; no temperature. */
    {{2, {6, 7}, {P, P}, 0, 2},
     VECTORS(.beta = 1.0, .bonds = {NORMAL, .missing = 1.0, .width = 1.0})},
    {{2, {12, 10}, {P, O}, 0, 2}, VECTORS(.beta = 0.03, GAUSS)},
    {{3, {6, 4, 5}, {P, A, O}, 0, 2},
     VECTORS(.beta = 1.0, .axis = {0.05, -0.06, 0.0}, GAUSS, .fields = {NORMAL, .width = 0.03})},
    {{2, {6, 9}, {P, A}, 0, 4}, VECTORS(.beta = 0.0, .slope = -0.1, GAUSS)},
    /* As much of everything as may be: nothing of it is not a number. */
    {{2, {6, 9}, {P, A}, 0, 2},
     VECTORS(.beta = 1e30, .field = 1e30, .axis = {1e30, -1e30},
             .bonds = {NUMBERS, .mean = -5e5, .width = 5e5},
             .fields = {NUMBERS, .mean = 5e5, .width = 5e5})},
    {{2, {6, 9}, {P, A}, 0, 2},
     VECTORS(.beta = -1e30, .axis = {1e30, 1e30},
             .bonds = {NORMAL, .mean = 1e6, .width = 1e6, .missing = 0.5})},
    {{3, {4, 6, 4}, {P, P, P}, 0, 3}, VECTORS(.beta = 40.0, GAUSS)},
    /* The last of an ensemble. */
    {{2, {8, 10}, {P, A}, ((int64_t)1 << 32) - 3, 3}, VECTORS(.beta = 1.0, GAUSS)},
    {.settings = NULL},
};

/* ---- device against device */

static const shape spin_shapes[] = {
    {1, {2}, {P}, 0, 5},
    {1, {7}, {A}, 5, 9},
    {1, {4099}, {P}, 0, 2},
    {1, {1500}, {O}, 0, 1},
    {2, {2, 2}, {P, P}, 0, 9},
    {2, {4, 6}, {P, A}, 3, 6},
    {2, {5, 4}, {O, P}, 0, 5},
    {2, {64, 64}, {P, P}, 0, 2},
    {2, {130, 6}, {O, O}, 0, 1},
    {2, {33, 9}, {P, P}, 0, 2},
    {2, {300, 258}, {P, P}, 0, 1},
    {3, {2, 2, 2}, {P, P, P}, 31, 4},
    {3, {16, 16, 16}, {P, P, P}, 0, 2},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {70, 9, 7}, {P, A, P}, 0, 1},
    {4, {4, 4, 4, 4}, {P, P, P, P}, 0, 5},
    {4, {34, 6, 5, 4}, {A, P, P, O}, 0, 1},
    {2, {53, 41}, {O, A}, 0, 1},
    {3, {22, 22, 22}, {A, P, O}, 0, 1},
    {4, {5, 7, 5, 11}, {P, P, P, P}, 0, 2},
    {.dims = 0},
};

/* From disordered to ordered. */
#define RAMP .beta = 0.2, .slope = 0.11

/* What besides the shape can change the way a device takes. */
static const test_variant spin_variants[] = {
    {"Gaussian bonds", LATMC_METROPOLIS, LATMC_INT8, VECTORS(RAMP, GAUSS, .samples = EACH)},
    {"Gaussian bonds, fields, heat bath", LATMC_HEATBATH, LATMC_INT8,
     VECTORS(RAMP, GAUSS, LOCAL, .samples = EACH, .axis = {1.0, -0.5, 2.0, 0.25})},
    {"fields", LATMC_METROPOLIS, LATMC_INT8, VECTORS(RAMP, FIELDS)},
    {"+-J, fields, heat bath", LATMC_HEATBATH, LATMC_INT8, VECTORS(RAMP, HOLES, LOCAL)},
    {.name = NULL},
};

static const test_variant spin_large_variant = {"large", LATMC_METROPOLIS, LATMC_INT8,
                                                VECTORS(RAMP, GAUSS, .samples = 4)};

#define RICH .beta = 0.5, .slope = 0.6, .field = -0.125, .axis = {1.0, 0.5, -2.0}

static const test_variant spin_rich[] = {
    {"given bonds", LATMC_METROPOLIS, LATMC_INT8, VECTORS(RICH, GIVEN)},
    {"given fields", LATMC_HEATBATH, LATMC_INT8, VECTORS(RICH, FIELDS)},
    {"samples drawn", LATMC_HEATBATH, LATMC_INT8,
     VECTORS(RICH, GAUSS, LOCAL, .samples = 2, .first_sample = 9)},
    {"samples given", LATMC_METROPOLIS, LATMC_INT8, VECTORS(RICH, GIVEN, FIELDS, .samples = 2)},
    {"signs, fields", LATMC_METROPOLIS, LATMC_INT8, VECTORS(RICH, HOLES, LOCAL)},
    {.name = NULL},
};

static const test_model test_ising_bytes = {
    .name = "ising as bytes",
    .id = LATMC_ISING,
    .params = ising_params,
    .updates = ising_updates,
    .observables = ising_observables,
    .types = ising_types,
    .types_refusal = "they can be int8",
    .has_couplings = 1,
    .has_site_fields = 1,
    .most_coupling = 1e6,
    .most_axis = 1e30,
    .bytes = 1,
    .slabs = 25,
    .bad_params = ising_bad_params,
    .good_params = ising_good_params,
    .bad_sites = {0.0, 2.0, 3.0, -2.0, 127.0},
    .good_sites = {-1.0, 1.0},
    .serves = ising_serves,
    .set = spin_set,
    .change = ising_change,
    .naive = &spin_naive,
    .samples = spin_tests,
    .steps = ising_steps,
    .shapes = spin_shapes,
    .variants = spin_variants,
    .sweeps = 4,
    .moves_one_of = 3,
    .large = vector_large,
    .large_variant = &spin_large_variant,
    .nine = {2, {6, 11}, {P, A}, 2, 9},
    .rich = spin_rich,
};

#undef RAMP
#undef RICH

#endif
