/* SPDX-License-Identifier: BSD-3-Clause */
/* The O(n) vector model, to be tested (model.h): n = 2, and beside it n = 3 and 4. */
#ifndef LM_TESTS_ONVECTOR_H
#define LM_TESTS_ONVECTOR_H

#include "tests/models/onvector_naive_sums.h"
#include "tests/models/onvector_settings.h"

/* ---- by hand */

static inline void *vector_open(const test_case *c, int64_t replica, uint64_t seed)
{
    const vector_settings *s = c->settings;
    const int64_t sample = vector_sample(c, replica);
    vector_model m = vector_replica(c, replica);
    const int sites = field_sites(&m.lattice), dims = m.lattice.dims;
    double *bonds = vector_numbers_of(&s->bonds, NAIVE_COUPLINGS, dims, sites, sample);
    double *fields = vector_numbers_of(&s->fields, NAIVE_SITE_FIELDS, 1, sites, sample);
    naive_vectors *n = calloc(1, sizeof *n);

    assert_non_null(n);
    m.bonds = bonds;
    m.fields = fields;
    *n = naive_vectors_of(&m, c->type, seed, (uint64_t)(c->shape->first + replica));
    free(bonds);
    free(fields);
    return n;
}

static inline void vector_close(void *n)
{
    naive_vectors_free(n);
    free(n);
}

static inline void vector_start(void *n, latmc_start_mode mode)
{
    naive_vectors_start(n, mode);
}

static inline void vector_sweep(void *n, latmc_update update)
{
    naive_vectors_sweep(n, update);
}

static inline double vector_tune(void *self, latmc_update update, int sweeps, double target)
{
    naive_vectors *n = self;

    naive_vectors_tune(n, update, sweeps, target);
    return n->f.m.epsilon;
}

static inline void vector_sites(const void *self, void *sites)
{
    const naive_vectors *n = self;

    for (int i = 0; i < n->n * n->f.sites; i++)
        if (n->f.single)
            ((float *)sites)[i] = (float)n->s[i];
        else
            ((double *)sites)[i] = n->s[i];
}

static const latmc_quantity vector_observables[] = {
    LATMC_QUANTITY(LATMC_ENERGY),
    LATMC_QUANTITY(LATMC_ENERGY2),
    LATMC_QUANTITY(LATMC_ENERGY4),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 0),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 1),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 2),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 3),
    LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_M2),
    LATMC_QUANTITY(LATMC_M4),
    LATMC_QUANTITY(LATMC_STRUCTURE, 0),
    LATMC_QUANTITY(LATMC_STRUCTURE, 1),
    LATMC_QUANTITY(LATMC_STRUCTURE, 2),
    LATMC_QUANTITY(LATMC_STRUCTURE, 3),
    LATMC_QUANTITY(LATMC_HELICITY, 0),
    LATMC_QUANTITY(LATMC_HELICITY, 1),
    LATMC_QUANTITY(LATMC_HELICITY, 2),
    LATMC_QUANTITY(LATMC_HELICITY, 3),
    LATMC_QUANTITY(LATMC_VORTICES),
    LATMC_QUANTITY(LATMC_MEAN_CHIRALITY),
    LATMC_QUANTITY(LATMC_CHIRALITY, 0),
    LATMC_QUANTITY(LATMC_CHIRALITY, 1),
    LATMC_QUANTITY(LATMC_CHIRALITY, 2),
    LATMC_QUANTITY(LATMC_CHIRALITY, 3),
    LATMC_QUANTITY(LATMC_ACCEPTANCE),
    {0},
};

/* test_structure.c has the structure factors. */
static const latmc_quantity vector_observed[] = {
    LATMC_QUANTITY(LATMC_ENERGY),
    LATMC_QUANTITY(LATMC_ENERGY2),
    LATMC_QUANTITY(LATMC_ENERGY4),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 0),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 1),
    LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_M2),
    LATMC_QUANTITY(LATMC_M4),
    LATMC_QUANTITY(LATMC_HELICITY, 0),
    LATMC_QUANTITY(LATMC_HELICITY, 1),
    LATMC_QUANTITY(LATMC_HELICITY, 2),
    LATMC_QUANTITY(LATMC_HELICITY, 3),
    LATMC_QUANTITY(LATMC_VORTICES),
    LATMC_QUANTITY(LATMC_MEAN_CHIRALITY),
    LATMC_QUANTITY(LATMC_CHIRALITY, 0),
    LATMC_QUANTITY(LATMC_CHIRALITY, 1),
    LATMC_QUANTITY(LATMC_CHIRALITY, 2),
    LATMC_QUANTITY(LATMC_CHIRALITY, 3),
    LATMC_QUANTITY(LATMC_ACCEPTANCE),
    {0},
};

static inline void vector_observe(const void *self, double *values)
{
    const naive_vectors *n = self;
    double sums[V_SUMS];

    naive_vectors_sums(n, sums);
    for (int i = 0; vector_observed[i].observable; i++)
        values[i] = naive_vectors_observable(n, sums, vector_observed[i]);
}

static const test_naive vector_naive = {
    .open = vector_open,
    .close = vector_close,
    .start = vector_start,
    .sweep = vector_sweep,
    .tune = vector_tune,
    .sites = vector_sites,
    .observe = vector_observe,
    .observed = vector_observed,
};

static const test_sample vector_tests[] = {
    {{1, {2}, {P}, 0, 3}, VECTORS(.beta = 0.8)},
    {{1, {2}, {A}, 7, 3}, VECTORS(.beta = 0.8, .field = 0.3)},
    {{1, {2}, {O}, 0, 2}, VECTORS(.beta = 0.8, GAUSS)},
    {{1, {3}, {P}, 0, 4}, VECTORS(.beta = 1.5, GAUSS, .samples = 2)},
    {{1, {3}, {A}, 0, 4}, VECTORS(.beta = 1.5, LOCAL)},
    {{1, {7}, {O}, 65534, 4}, VECTORS(.beta = 1.1, GIVEN, LOCAL, .field = 0.2, .samples = 4)},
    {{1, {33}, {P}, 0, 2}, VECTORS(.beta = 1.1, .axis = {-1.3})},
    {{1, {1025}, {P}, 0, 2}, VECTORS(.beta = 2.0, .field = 0.1)},
    {{1, {517}, {A}, 0, 2}, VECTORS(.beta = -1.0, GAUSS)},
    {{1, {2500}, {O}, 0, 2}, VECTORS(.beta = 1.0, FIELDS)},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5)},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5, GAUSS, FIELDS, .samples = 2)},
    {{2, {2, 6}, {A, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {0.4, -1.2}, GAUSS)},
    {{2, {3, 3}, {P, P}, 0, 5}, VECTORS(.beta = 1.0, .slope = 0.3)},
    {{2, {4, 4}, {P, P}, 0, 4}, VECTORS(.beta = 1.1199)},
    {{2, {4, 5}, {A, P}, 0, 4}, VECTORS(.beta = 1.0, HOLES)},
    {{2, {5, 3}, {P, O}, 3, 4}, VECTORS(.beta = 1.0, .field = -0.4, HOLES, .samples = 4)},
    {{2, {8, 8}, {P, P}, 3, 4}, VECTORS(.beta = 1.0, HALVES, .samples = 2, .first_sample = 65535)},
    {{2, {10, 15}, {P, A}, 0, 2}, VECTORS(.beta = 1.2, .axis = {1.0, 0.0})},
    {{2, {12, 7}, {P, P}, 0, 2}, VECTORS(.beta = 0.7, LOCAL)},
    {{2, {16, 17}, {P, P}, 0, 2}, VECTORS(.beta = 0.9, GIVEN, .axis = {0.7, 1.3})},
    {{2, {17, 16}, {O, P}, 0, 2},
     VECTORS(.beta = 0.9, .bonds = {NORMAL, .mean = 0.5, .width = 2.0, .missing = 0.2})},
    {{2, {11, 13}, {O, O}, 0, 2}, VECTORS(.beta = 0.9, .field = 0.25)},
    {{2, {3, 16}, {O, A}, 0, 4},
     VECTORS(.beta = 0.9, .fields = {SIGNS, .plus = 0.4, .missing = 0.5})},
    {{2, {70, 34}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, GAUSS, LOCAL, .samples = 2)},
    {{2, {1100, 3}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .field = 0.1, FIELDS)},
    {{2, {3, 1100}, {P, O}, 0, 2}, VECTORS(.beta = 1.0)},
    {{2, {64, 32}, {P, P}, 1, 2}, VECTORS(.beta = 1.1)},
    {{2, {67, 29}, {A, A}, 0, 1}, VECTORS(.beta = 1.1, GAUSS)},
    {{3, {2, 2, 2}, {P, A, P}, 0, 2}, VECTORS(.beta = 0.6)},
    {{3, {3, 3, 3}, {P, P, P}, 0, 4}, VECTORS(.beta = 0.45, .axis = {1.0, 0.5, -0.25})},
    {{3, {4, 4, 4}, {P, P, P}, 0, 6}, VECTORS(.beta = 1.5, GAUSS, .samples = 3)},
    {{3, {4, 5, 7}, {A, P, P}, 0, 4}, VECTORS(.beta = 0.45, GIVEN, FIELDS, .samples = 2)},
    {{3, {5, 3, 7}, {P, A, O}, 0, 4}, VECTORS(.beta = 0.6, HOLES, LOCAL, .field = 0.3)},
    {{3, {8, 8, 8}, {P, P, P}, 5, 2}, VECTORS(.beta = 0.45417)},
    {{3, {10, 8, 12}, {P, O, A}, 0, 2}, VECTORS(.beta = 0.5, GAUSS, .samples = 2)},
    {{3, {11, 16, 5}, {O, P, P}, 0, 2}, VECTORS(.beta = 0.5, LOCAL)},
    {{3, {3, 4, 6}, {O, O, O}, 0, 3}, VECTORS(.beta = 0.5, HALVES, .samples = 3)},
    {{3, {40, 30, 3}, {P, P, O}, 0, 1}, VECTORS(.beta = 0.5, GAUSS)},
    {{3, {33, 7, 5}, {P, A, P}, 2, 2}, VECTORS(.beta = 0.5, .field = 0.2)},
    {{4, {2, 3, 2, 4}, {P, P, A, O}, 0, 2}, VECTORS(.beta = 0.3, GAUSS, FIELDS)},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, 0, 2}, VECTORS(.beta = 0.3)},
    {{4, {5, 4, 3, 7}, {P, A, O, P}, 0, 2},
     VECTORS(.beta = 0.3, .axis = {1.0, -0.5, 2.0, 0.25}, GIVEN, .samples = 2)},
    {{4, {8, 5, 4, 10}, {P, P, A, P}, 0, 1}, VECTORS(.beta = 0.3, LOCAL)},
    /* Sites without any field; fields whose squares are about the least that is reflected. */
    {{2, {6, 7}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .bonds = {SIGNS, .missing = 1.0})},
    {{2, {9, 8}, {P, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {5e-16, -4e-16})},
    {{3, {6, 4, 5}, {P, A, O}, 0, 2},
     VECTORS(.beta = 1.0, .axis = {5e-16, -4e-16, 6e-16}, GAUSS,
             .fields = {NORMAL, .width = 6e-16})},
    /* As much of everything as may be. */
    {{2, {6, 9}, {P, A}, 0, 2},
     VECTORS(.beta = 1e6, .field = 1e6, .axis = {1e6, -1e6},
             .bonds = {NUMBERS, .mean = -5e5, .width = 5e5},
             .fields = {NUMBERS, .mean = 5e5, .width = 5e5})},
    {{2, {6, 9}, {P, A}, 0, 4}, VECTORS(.beta = 0.0, .hits = 64, GAUSS)},
    {{3, {4, 6, 4}, {P, P, P}, 0, 3}, VECTORS(.beta = 40.0, .epsilon = 1e-6, .hits = 13)},
    /* The last of an ensemble. */
    {{2, {8, 10}, {P, A}, ((int64_t)1 << 32) - 3, 3}, VECTORS(.beta = 1.0, GAUSS)},
    {.settings = NULL},
};

static const test_step vector_steps[] = {
    {.verb = TEST_START, .what = LATMC_START_COLD},
    {.verb = TEST_SWEEP, .what = LATMC_OVERRELAX, .sweeps = 1},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = TEST_START, .what = LATMC_START_HOT},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 2},
    {.verb = TEST_SWEEP, .what = LATMC_OVERRELAX, .sweeps = 2},
    {.verb = TEST_TUNE, .what = LATMC_METROPOLIS, .sweeps = 3, .target = 0.6},
    {.verb = TEST_SWEEP, .what = LATMC_OVERRELAX, .sweeps = 1},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = TEST_SWEEP, .what = LATMC_HEATBATH, .sweeps = 2},
    {.verb = TEST_SWEEP, .what = LATMC_OVERRELAX, .sweeps = 1},
    {.verb = 0},
};

/* Of n = 3 and 4, whose lattices are those of n = 2 but for a site's numbers. */
static const test_sample vector_more_tests[] = {
    {{1, {2}, {P}, 0, 3}, VECTORS(.beta = 0.8)},
    {{1, {7}, {O}, 65534, 4}, VECTORS(.beta = 1.1, GIVEN, LOCAL, .field = 0.2, .samples = 4)},
    {{1, {517}, {A}, 0, 2}, VECTORS(.beta = -1.0, GAUSS)},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5, GAUSS, FIELDS, .samples = 2)},
    {{2, {3, 3}, {P, P}, 0, 5}, VECTORS(.beta = 1.0, .slope = 0.3)},
    {{2, {5, 3}, {P, O}, 3, 4}, VECTORS(.beta = 1.0, .field = -0.4, HOLES, .samples = 4)},
    {{2, {16, 17}, {P, P}, 0, 2}, VECTORS(.beta = 0.9, GIVEN, .axis = {0.7, 1.3})},
    {{2, {11, 13}, {O, O}, 0, 2}, VECTORS(.beta = 2.9, .field = 0.25)},
    {{2, {1100, 3}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .field = 0.1, FIELDS)},
    {{2, {67, 29}, {A, A}, 0, 1}, VECTORS(.beta = 11.1, GAUSS)},
    {{3, {4, 4, 4}, {P, P, P}, 0, 6}, VECTORS(.beta = 1.5, GAUSS, .samples = 3)},
    {{3, {5, 3, 7}, {P, A, O}, 0, 4}, VECTORS(.beta = 0.6, HOLES, LOCAL, .field = 0.3)},
    {{3, {8, 8, 8}, {P, P, P}, 5, 2}, VECTORS(.beta = 0.693)},
    {{3, {33, 7, 5}, {P, A, P}, 2, 2}, VECTORS(.beta = -0.5, .field = 0.2)},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, 0, 2}, VECTORS(.beta = 0.3)},
    {{4, {5, 4, 3, 7}, {P, A, O, P}, 0, 2},
     VECTORS(.beta = 0.3, .axis = {1.0, -0.5, 2.0, 0.25}, GIVEN, .samples = 2)},
    /* Sites without any field; fields whose squares are about the least that is felt; hardly any
     * beta, whose k is about the least; as much of everything as may be. */
    {{2, {6, 7}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .bonds = {SIGNS, .missing = 1.0})},
    {{2, {9, 8}, {P, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {5e-16, -4e-16})},
    {{2, {9, 8}, {P, P}, 0, 2}, VECTORS(.beta = 4e-19, .slope = -8e-19, GAUSS)},
    {{2, {6, 9}, {P, A}, 0, 2},
     VECTORS(.beta = 1e6, .slope = -2e6, .field = 1e6, .axis = {1e6, -1e6},
             .bonds = {NUMBERS, .mean = -5e5, .width = 5e5},
             .fields = {NUMBERS, .mean = 5e5, .width = 5e5})},
    {{2, {6, 9}, {P, A}, 0, 4}, VECTORS(.beta = 0.0, .hits = 64, GAUSS)},
    {{3, {4, 6, 4}, {P, P, P}, 0, 3}, VECTORS(.beta = 4000.0, .epsilon = 1e-6, .hits = 13)},
    {.settings = NULL},
};

/* ---- device against device */

static const shape vector_more_shapes[] = {
    {1, {7}, {A}, 5, 9},
    {1, {1500}, {O}, 0, 1},
    {2, {4, 6}, {P, A}, 3, 6},
    {2, {64, 64}, {P, P}, 0, 2},
    {2, {33, 9}, {P, P}, 0, 2},
    {3, {6, 4, 8}, {P, P, P}, 0, 4},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {40, 6, 4}, {P, P, P}, 1, 2},
    {4, {34, 6, 5, 4}, {A, P, P, O}, 0, 1},
    {2, {53, 41}, {O, A}, 0, 1},
    {.dims = 0},
};

static const shape vector_more_large[] = {
    {2, {37, 45}, {P, A}, 7, 40},
    {3, {20, 17, 24}, {P, P, P}, 3, 8},
    {.dims = 0},
};

static const shape vector_shapes[] = {
    {1, {2}, {P}, 0, 5},
    {1, {7}, {A}, 5, 9},
    {1, {4099}, {P}, 0, 2},
    {1, {1500}, {O}, 0, 1},
    {2, {2, 2}, {P, P}, 0, 9},
    {2, {4, 6}, {P, A}, 3, 6},
    {2, {3, 5}, {P, P}, 0, 3},
    {2, {5, 4}, {O, P}, 0, 5},
    {2, {64, 64}, {P, P}, 0, 2},
    {2, {66, 10}, {A, P}, 0, 2},
    {2, {130, 6}, {O, O}, 0, 1},
    {2, {33, 9}, {P, P}, 0, 2},
    {3, {2, 2, 2}, {P, P, P}, 31, 4},
    {3, {6, 4, 8}, {P, P, P}, 0, 4},
    {3, {16, 16, 16}, {P, P, P}, 0, 2},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {40, 6, 4}, {P, P, P}, 1, 2},
    {3, {70, 9, 7}, {P, A, P}, 0, 1},
    {4, {4, 4, 4, 4}, {P, P, P, P}, 0, 5},
    {4, {3, 5, 3, 4}, {P, P, O, P}, 0, 2},
    {4, {34, 6, 5, 4}, {A, P, P, O}, 0, 1},
    {1, {67}, {P}, 0, 2},
    {1, {38}, {A}, 0, 2},
    {2, {34, 38}, {P, P}, 0, 2},
    {2, {53, 41}, {O, A}, 0, 1},
    {3, {22, 22, 22}, {A, P, O}, 0, 1},
    {4, {5, 7, 5, 11}, {P, P, P, P}, 0, 2},
    {.dims = 0},
};

static const shape vector_large[] = {
    {1, {1100}, {P}, 0, 200},
    {2, {37, 45}, {P, A}, 7, 120},
    {2, {32, 64}, {P, P}, 0, 120},
    {3, {20, 17, 24}, {P, P, P}, 3, 40},
    {.dims = 0},
};

/* From disordered to ordered. */
#define RAMP .beta = 0.4, .slope = 0.11

/* What besides the shape can change the way a device takes. */
static const test_variant vector_variants[] = {
    {"floats", LATMC_METROPOLIS, LATMC_FLOAT32, VECTORS(RAMP, .hits = 1)},
    {"doubles", LATMC_METROPOLIS, LATMC_FLOAT64, VECTORS(RAMP, .hits = 5, .field = 0.25)},
    {"Gaussian bonds, floats", LATMC_METROPOLIS, LATMC_FLOAT32,
     VECTORS(RAMP, GAUSS, .samples = EACH)},
    {"Gaussian bonds, fields, doubles", LATMC_METROPOLIS, LATMC_FLOAT64,
     VECTORS(RAMP, GAUSS, LOCAL, .samples = EACH, .axis = {1.0, -0.5, 2.0, 0.25})},
    {"fields, floats", LATMC_METROPOLIS, LATMC_FLOAT32, VECTORS(RAMP, FIELDS)},
    {"reflections, floats", LATMC_OVERRELAX, LATMC_FLOAT32, VECTORS(RAMP)},
    {"reflections, Gaussian bonds, floats", LATMC_OVERRELAX, LATMC_FLOAT32, VECTORS(RAMP, GAUSS)},
    {"reflections, bonds, fields, doubles", LATMC_OVERRELAX, LATMC_FLOAT64,
     VECTORS(RAMP, HOLES, LOCAL, .field = -0.2, .samples = EACH)},
    {"heat bath, Gaussian bonds, floats", LATMC_HEATBATH, LATMC_FLOAT32, VECTORS(RAMP, GAUSS)},
    {"heat bath, bonds, fields, doubles", LATMC_HEATBATH, LATMC_FLOAT64,
     VECTORS(RAMP, HOLES, LOCAL, .field = -0.2, .samples = EACH)},
    {.name = NULL},
};

static const test_variant vector_more_variants[] = {
    {"Gaussian bonds, floats", LATMC_METROPOLIS, LATMC_FLOAT32,
     VECTORS(RAMP, GAUSS, .samples = EACH)},
    {"fields, doubles", LATMC_METROPOLIS, LATMC_FLOAT64, VECTORS(RAMP, .hits = 3, FIELDS)},
    {"reflections, doubles", LATMC_OVERRELAX, LATMC_FLOAT64, VECTORS(RAMP, GAUSS)},
    {"heat bath, floats", LATMC_HEATBATH, LATMC_FLOAT32, VECTORS(.beta = -0.4, .slope = 0.9)},
    {"heat bath, bonds, fields, doubles", LATMC_HEATBATH, LATMC_FLOAT64,
     VECTORS(RAMP, HOLES, LOCAL, .field = -0.2, .samples = EACH)},
    {.name = NULL},
};

static const test_variant vector_more_large_variant = {"large", LATMC_HEATBATH, LATMC_FLOAT32,
                                                       VECTORS(RAMP, GAUSS, .samples = 4)};

static const test_variant vector_large_variant = {"large", LATMC_METROPOLIS, LATMC_FLOAT32,
                                                  VECTORS(RAMP, GAUSS, .samples = 4)};

#define RICH .beta = 0.9, .slope = 0.6, .field = -0.125, .axis = {1.0, 0.5, -2.0}

static const test_variant vector_more_rich[] = {
    {"floats", LATMC_HEATBATH, LATMC_FLOAT32, VECTORS(RICH)},
    {"doubles, samples drawn", LATMC_METROPOLIS, LATMC_FLOAT64,
     VECTORS(RICH, GAUSS, LOCAL, .samples = 2, .first_sample = 9)},
    {.name = NULL},
};

static const test_variant vector_rich[] = {
    {"floats", LATMC_METROPOLIS, LATMC_FLOAT32, VECTORS(RICH)},
    {"doubles, given", LATMC_METROPOLIS, LATMC_FLOAT64, VECTORS(RICH, GIVEN, FIELDS)},
    {"floats, samples drawn", LATMC_OVERRELAX, LATMC_FLOAT32,
     VECTORS(RICH, GAUSS, LOCAL, .samples = 2, .first_sample = 9)},
    {"floats, samples given", LATMC_METROPOLIS, LATMC_FLOAT32,
     VECTORS(RICH, GIVEN, FIELDS, .samples = 2)},
    {"doubles, missing bonds", LATMC_METROPOLIS, LATMC_FLOAT64, VECTORS(RICH, HOLES)},
    {.name = NULL},
};

/* ---- the model */

static const int vector_params[] = {LATMC_BETA, LATMC_FIELD, LATMC_EPSILON, LATMC_HITS, 0};
static const int vector_updates[] = {LATMC_METROPOLIS, LATMC_OVERRELAX, LATMC_HEATBATH, 0};
static const int vector_tuning_updates[] = {LATMC_METROPOLIS, 0};
static const int vector_types[] = {LATMC_FLOAT32, LATMC_FLOAT64, 0};

static const test_edge vector_bad_params[] = {
    {LATMC_BETA, (double)NAN, "beta of slot"},
    {LATMC_BETA, 1.0000001e6, "beta of slot"},
    {LATMC_BETA, -(double)INFINITY, "beta"},
    {LATMC_FIELD, (double)NAN, "field"},
    {LATMC_FIELD, -1.0000001e6, "field"},
    {LATMC_FIELD, (double)INFINITY, "field"},
    {LATMC_EPSILON, (double)NAN, "epsilon"},
    {LATMC_EPSILON, 0.0, "epsilon"},
    {LATMC_EPSILON, 9.99e-7, "epsilon"},
    {LATMC_EPSILON, -1.0, "epsilon"},
    {LATMC_EPSILON, 1.0000001, "epsilon"},
    {LATMC_HITS, (double)NAN, "hits"},
    {LATMC_HITS, 0.0, "hits"},
    {LATMC_HITS, 65.0, "hits"},
    {LATMC_HITS, 1.5, "hits"},
    {.part = NULL},
};

static const test_edge vector_good_params[] = {
    {LATMC_BETA, 1e6, NULL},     {LATMC_BETA, -1e6, NULL},
    {LATMC_FIELD, 1e6, NULL},    {LATMC_FIELD, -1e6, NULL},
    {LATMC_EPSILON, 1e-6, NULL}, {LATMC_EPSILON, 1.0, NULL},
    {LATMC_HITS, 64.0, NULL},    {.param = 0},
};

/* What all n have alike. */
#define VECTOR_MODEL(n_)                                                                           \
    .id = LATMC_ONVECTOR, .params = vector_params, .updates = vector_updates,                      \
    .observables = vector_observables, .types = vector_types,                                      \
    .types_refusal = "they can be float32 or float64", .tuned = LATMC_EPSILON,                     \
    .tuning_updates = vector_tuning_updates, .has_couplings = 1, .has_site_fields = 1,             \
    .most_coupling = 1e6, .most_axis = 1e6, .components = (n_), .option = LATMC_N,                 \
    .option_value = (n_), .bad_params = vector_bad_params, .good_params = vector_good_params,      \
    .bad_sites = {(double)NAN, (double)INFINITY, 0.0, 1.00006, -0.99993},                          \
    .good_sites = {1.00004, -0.99996}, .serves = vector_serves, .set = vector_set,                 \
    .change = vector_change, .naive = &vector_naive, .steps = vector_steps, .sweeps = 4

static const test_model test_onvector = {
    .name = "onvector",
    VECTOR_MODEL(2),
    .slabs = 37,
    .samples = vector_tests,
    .shapes = vector_shapes,
    .variants = vector_variants,
    .moves_one_of = 3,
    .large = vector_large,
    .large_variant = &vector_large_variant,
    .nine = {2, {6, 11}, {P, A}, 2, 9},
    .rich = vector_rich,
};

#define VECTOR_MORE(n_)                                                                            \
    VECTOR_MODEL(n_), .slabs = 19, .samples = vector_more_tests, .shapes = vector_more_shapes,     \
                      .variants = vector_more_variants, .moves_one_of = 5,                         \
                      .large = vector_more_large, .large_variant = &vector_more_large_variant,     \
                      .nine = {2, {6, 11}, {P, A}, 2, 9}, .rich = vector_more_rich

static const test_model test_onvector_3 = {.name = "onvector, n = 3", VECTOR_MORE(3)};
static const test_model test_onvector_4 = {.name = "onvector, n = 4", .akin = 1, VECTOR_MORE(4)};

#undef RAMP
#undef RICH

#endif
