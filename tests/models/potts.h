/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Potts model, to be tested (model.h), with 3 states, and beside it 4, 7, 12, 16 and 200.
 * Settings are those of O(n) vectors (onvector.h), without epsilon and hits; antiperiodic ends of
 * shapes are open ones.
 */
#ifndef LM_TESTS_POTTS_H
#define LM_TESTS_POTTS_H

#include "tests/models/ising.h"
#include "tests/models/onvector.h"
#include "tests/models/potts_naive_words.h"

static inline void potts_set(latmc_lattice *lattice, const test_case *c, int64_t begin,
                             int64_t count)
{
    ok(latmc_set_option(lattice, LATMC_Q, c->model->option_value));
    vector_set_most(lattice, c, begin, count, 2);
}

/* ---- by hand */

static inline int potts_in_words(const test_case *c)
{
    const vector_settings *s = c->settings;

    return c->model->option_value <= 16 && s->fields.from == PLAIN &&
           (s->bonds.from == PLAIN || s->bonds.from == SIGNS);
}

static inline void *potts_open(const test_case *c, int64_t replica, uint64_t seed)
{
    test_case floats = *c;
    shape open = *c->shape;
    naive_vectors *v;
    naive_potts *n = calloc(1, sizeof *n);

    assert_non_null(n);
    for (int a = 0; a < open.dims; a++)
        open.boundaries[a] = open.boundaries[a] == A ? O : open.boundaries[a];
    floats.shape = &open;
    floats.type = LATMC_FLOAT32; /* in which they are reckoned with */
    v = vector_open(&floats, replica, seed);
    *n = (naive_potts){.v = *v, .q = (int)c->model->option_value, .in_words = potts_in_words(c)};
    free(v);
    return n;
}

static inline void potts_close(void *self)
{
    naive_potts *n = self;

    naive_vectors_free(&n->v);
    free(n);
}

static inline void potts_start(void *self, latmc_start_mode mode)
{
    naive_potts *n = self;

    naive_potts_start(n, mode, n->in_words ? naive_potts_word_start : naive_potts_byte_start);
}

static inline void potts_sweep(void *self, latmc_update update)
{
    naive_potts *n = self;

    naive_potts_sweep(n, update, n->in_words ? naive_potts_word : naive_potts_byte);
}

static inline void potts_sites(const void *self, void *sites)
{
    const naive_potts *n = self;

    for (int i = 0; i < n->v.f.sites; i++)
        ((uint8_t *)sites)[i] = (uint8_t)n->v.s[i];
}

static const latmc_quantity potts_observables[] = {
    LATMC_QUANTITY(LATMC_ENERGY),
    LATMC_QUANTITY(LATMC_ENERGY2),
    LATMC_QUANTITY(LATMC_ENERGY4),
    LATMC_QUANTITY(LATMC_ORDER_PARAMETER),
    LATMC_QUANTITY(LATMC_ORDER_PARAMETER2),
    LATMC_QUANTITY(LATMC_ORDER_PARAMETER4),
    LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_M2),
    LATMC_QUANTITY(LATMC_M4),
    LATMC_QUANTITY(LATMC_CHANGED),
    LATMC_QUANTITY(LATMC_OCCUPATION, 0),
    LATMC_QUANTITY(LATMC_OCCUPATION, 1),
    LATMC_QUANTITY(LATMC_OCCUPATION, 2),
    LATMC_QUANTITY(LATMC_OCCUPATION, 127),
    LATMC_QUANTITY(LATMC_OCCUPATION, 128),
    LATMC_QUANTITY(LATMC_OCCUPATION, 255),
    {0},
};

static inline void potts_observe(const void *self, double *values)
{
    const naive_potts *n = self;
    double sums[POTTS_SUMS];

    naive_potts_sums(n, sums);
    for (int i = 0; potts_observables[i].observable; i++)
        values[i] = naive_potts_observable(n, sums, potts_observables[i]);
}

static const test_naive potts_naive = {
    .open = potts_open,
    .close = potts_close,
    .start = potts_start,
    .sweep = potts_sweep,
    .sites = potts_sites,
    .observe = potts_observe,
    .observed = potts_observables,
};

static const test_sample potts_tests[] = {
    {{1, {2}, {P}, 0, 3}, VECTORS(.beta = 0.8)},
    {{1, {2}, {O}, 7, 3}, VECTORS(.beta = 0.8, .field = 0.3)},
    {{1, {3}, {P}, 0, 4}, VECTORS(.beta = 1.5, GAUSS, .samples = 2)},
    {{1, {7}, {O}, 65534, 4}, VECTORS(.beta = 1.1, GIVEN, LOCAL, .field = 0.2, .samples = 4)},
    {{1, {1025}, {P}, 0, 2}, VECTORS(.beta = 2.0, FIELDS, .axis = {-1.3})},
    {{2, {2, 2}, {P, P}, 0, 4}, VECTORS(.beta = 0.5, .slope = -0.4)},
    {{2, {2, 6}, {P, O}, 0, 2}, VECTORS(.beta = 1.0, .axis = {0.4, -1.2}, GAUSS)},
    {{2, {3, 3}, {P, P}, 0, 5}, VECTORS(.beta = 1.0, .slope = 0.3, GIVEN)},
    {{2, {4, 4}, {P, P}, 0, 4}, VECTORS(.beta = 1.0050525)},
    {{2, {5, 3}, {P, O}, 3, 4}, VECTORS(.beta = 1.0, .field = -0.4, HOLES, FIELDS, .samples = 4)},
    {{2, {8, 8}, {P, P}, 3, 4}, VECTORS(.beta = 1.0, HALVES, .samples = 2, .first_sample = 65535)},
    {{2, {16, 17}, {P, P}, 0, 2}, VECTORS(.beta = 0.9, GIVEN, .axis = {0.7, 1.3})},
    {{2, {11, 13}, {O, O}, 0, 2}, VECTORS(.beta = 0.9, .field = 0.25)},
    {{2, {70, 34}, {P, P}, 0, 2}, VECTORS(.beta = 1.0)},
    {{2, {1100, 3}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .field = 0.1, FIELDS)},
    {{2, {3, 1100}, {P, O}, 0, 2}, VECTORS(.beta = 1.0)},
    {{3, {3, 3, 3}, {P, P, P}, 0, 4}, VECTORS(.beta = 0.45, .axis = {1.0, 0.5, -0.25})},
    {{3, {5, 3, 7}, {P, O, O}, 0, 4}, VECTORS(.beta = 0.6, HOLES, LOCAL, .field = 0.3)},
    {{3, {10, 8, 12}, {P, O, P}, 0, 2}, VECTORS(.beta = 0.55, GAUSS, .samples = 2)},
    {{3, {33, 7, 5}, {P, P, P}, 2, 2}, VECTORS(.beta = 0.55)},
    {{4, {2, 3, 2, 4}, {P, P, P, O}, 0, 2}, VECTORS(.beta = 0.3, GAUSS, FIELDS)},
    {{4, {8, 5, 4, 10}, {P, P, P, P}, 0, 1}, VECTORS(.beta = 0.3)},
    /* Sites without any bond; no temperature; hardly any; much. */
    {{2, {6, 7}, {P, P}, 0, 2}, VECTORS(.beta = 1.0, .bonds = {SIGNS, .missing = 1.0})},
    {{2, {6, 9}, {P, P}, 0, 4}, VECTORS(.beta = 0.0, .slope = -0.1)},
    {{3, {4, 6, 4}, {P, P, P}, 0, 3}, VECTORS(.beta = 4.0, .slope = 20.0)},
    /* As much of everything as may be: nothing of it is not a number. */
    {{2, {6, 9}, {P, O}, 0, 2},
     VECTORS(.beta = 1e30, .slope = -2e30, .field = 1e30, .axis = {1e30, -1e30})},
    {{2, {6, 9}, {P, O}, 0, 2},
     VECTORS(.beta = -1e30, .axis = {1e6, 1e6},
             .bonds = {NORMAL, .mean = 1e6, .width = 1e6, .missing = 0.5},
             .fields = {NUMBERS, .mean = 5e5, .width = 5e5})},
    /* The last of an ensemble. */
    {{2, {8, 10}, {P, O}, ((int64_t)1 << 32) - 3, 3}, VECTORS(.beta = 1.0, GAUSS)},
    {.settings = NULL},
};

/* Of other numbers of states. */
static const test_sample potts_more_tests[] = {
    {{1, {9}, {O}, 65534, 4}, VECTORS(.beta = 1.1, GIVEN, LOCAL, .field = 0.2, .samples = 4)},
    {{2, {3, 3}, {P, P}, 0, 5}, VECTORS(.beta = 1.0, .slope = 0.6)},
    {{2, {8, 8}, {P, P}, 3, 4}, VECTORS(.beta = 1.5, HALVES, .field = 0.5, .samples = 2)},
    {{2, {34, 17}, {P, O}, 0, 3}, VECTORS(.beta = 2.8, .slope = 0.1)},
    {{3, {6, 5, 9}, {P, O, P}, 0, 2}, VECTORS(.beta = 2.4, GAUSS, .samples = 2)},
    {{3, {9, 4, 6}, {P, P, P}, 0, 3}, VECTORS(.beta = -0.7, .slope = 2.0, FIELDS)},
    {{4, {3, 4, 2, 5}, {P, P, O, P}, 0, 2}, VECTORS(.beta = 1.4)},
    {{2, {6, 9}, {P, P}, 0, 4}, VECTORS(.beta = 0.0, .slope = -0.1)},
    {{2, {8, 6}, {P, O}, 5, 5}, VECTORS(.beta = -0.9, .slope = 0.4, .axis = {1.0, -0.5})},
    {{2, {70, 4}, {P, P}, 0, 2}, VECTORS(.beta = 1.1, .slope = 0.2, .field = -0.3)},
    {{3, {4, 6, 4}, {P, P, O}, 0, 9}, VECTORS(.beta = 0.7, HOLES, .field = 0.2, .samples = 3)},
    {{2, {64, 6}, {P, P}, 65535, 3}, VECTORS(.beta = 1.0)},
    {{2, {8, 10}, {P, O}, ((int64_t)1 << 32) - 3, 3}, VECTORS(.beta = 1.0, HALVES)},
    {.settings = NULL},
};

static const test_step potts_steps[] = {
    {.verb = TEST_START, .what = LATMC_START_COLD},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS_OTHER, .sweeps = 1},
    {.verb = TEST_START, .what = LATMC_START_HOT},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS_OTHER, .sweeps = 2},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 2},
    {.verb = TEST_SWEEP, .what = LATMC_HEATBATH, .sweeps = 3},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = 0},
};

/* ---- device against device */

static const shape potts_shapes[] = {
    {1, {2}, {P}, 0, 5},
    {1, {4099}, {P}, 0, 2},
    {1, {1500}, {O}, 0, 1},
    {2, {4, 6}, {P, O}, 3, 6},
    {2, {2, 2}, {P, P}, 0, 9},
    {2, {64, 64}, {P, P}, 0, 2},
    {2, {130, 6}, {O, O}, 0, 1},
    {2, {33, 9}, {P, P}, 0, 2},
    {3, {2, 2, 2}, {P, P, P}, 31, 4},
    {3, {5, 3, 7}, {P, O, O}, 0, 3},
    {3, {70, 9, 7}, {P, P, P}, 0, 1},
    {4, {34, 6, 5, 4}, {O, P, P, O}, 0, 1},
    {2, {53, 41}, {O, P}, 0, 1},
    {.dims = 0},
};

static const shape potts_more_shapes[] = {
    {1, {67}, {O}, 0, 2},
    {2, {37, 22}, {P, O}, 0, 2},
    {2, {64, 34}, {P, P}, 0, 2},
    {3, {22, 9, 5}, {P, P, O}, 0, 2},
    {2, {2, 2}, {P, P}, 0, 9},
    {4, {5, 7, 5, 4}, {P, P, P, P}, 0, 2},
    {.dims = 0},
};

static const shape potts_few_shapes[] = {
    {1, {67}, {O}, 0, 2},
    {2, {64, 34}, {P, P}, 0, 2},
    {2, {2, 2}, {P, P}, 0, 9},
    {3, {22, 9, 5}, {P, P, O}, 0, 2},
    {.dims = 0},
};

static const shape potts_large[] = {
    {2, {37, 45}, {P, P}, 7, 40},
    {3, {20, 17, 24}, {P, P, P}, 3, 8},
    {.dims = 0},
};

/* From disordered to ordered. */
#define RAMP .beta = 0.4, .slope = 0.31

/* What besides the shape can change the way a device takes. */
static const test_variant potts_variants[] = {
    {"plain", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RAMP)},
    {"other states, field", LATMC_METROPOLIS_OTHER, LATMC_UINT8, VECTORS(RAMP, .field = 0.3)},
    {"heat bath", LATMC_HEATBATH, LATMC_UINT8, VECTORS(RAMP)},
    {"+-J, heat bath", LATMC_HEATBATH, LATMC_UINT8, VECTORS(RAMP, HOLES, .samples = EACH)},
    {"Gaussian bonds, fields", LATMC_METROPOLIS, LATMC_UINT8,
     VECTORS(RAMP, GAUSS, LOCAL, .samples = EACH, .axis = {1.0, -0.5, 2.0, 0.25})},
    {.name = NULL},
};

static const test_variant potts_large_variant = {"large", LATMC_HEATBATH, LATMC_UINT8,
                                                 VECTORS(RAMP, GAUSS, .samples = 4)};

#define RICH .beta = 0.9, .slope = 0.6, .field = -0.125, .axis = {1.0, 0.5, -2.0}

static const test_variant potts_rich[] = {
    {"given bonds", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RICH, GIVEN)},
    {"samples drawn", LATMC_HEATBATH, LATMC_UINT8,
     VECTORS(RICH, HALVES, LOCAL, .samples = 2, .first_sample = 9)},
    {"samples given", LATMC_METROPOLIS_OTHER, LATMC_UINT8,
     VECTORS(RICH, GIVEN, FIELDS, .samples = 2)},
    {"uniform", LATMC_METROPOLIS, LATMC_UINT8, VECTORS(RICH)},
    {.name = NULL},
};

/* ---- the model */

static const int potts_updates[] = {LATMC_METROPOLIS, LATMC_METROPOLIS_OTHER, LATMC_HEATBATH, 0};
static const int potts_types[] = {LATMC_UINT8, 0};

/* What all numbers of states have alike. */
#define POTTS_MODEL(q_)                                                                            \
    .id = LATMC_POTTS, .params = ising_params, .updates = potts_updates,                           \
    .observables = potts_observables, .types = potts_types, .types_refusal = "they can be uint8",  \
    .has_couplings = 1, .has_site_fields = 1, .most_coupling = 1e6, .most_axis = 1e30,             \
    .no_antiperiodic = 1, .bytes = 1, .slabs = 30, .option = LATMC_Q, .option_value = (q_),        \
    .bad_params = ising_bad_params, .good_params = ising_good_params, .serves = vector_serves,     \
    .set = potts_set, .change = ising_change, .naive = &potts_naive, .steps = potts_steps,         \
    .sweeps = 4, .large = potts_large, .large_variant = &potts_large_variant,                      \
    .nine = {2, {6, 11}, {P, O}, 2, 9}, .variants = potts_variants, .rich = potts_rich

static const test_model test_potts = {
    .name = "potts",
    POTTS_MODEL(3),
    .bad_sites = {3.0, 4.0, 127.0, 128.0, 255.0},
    .good_sites = {0.0, 2.0},
    .samples = potts_tests,
    .shapes = potts_shapes,
    .moves_one_of = 3,
};

static const test_model test_potts_4 = {
    .name = "potts, q = 4",
    .akin = 1,
    POTTS_MODEL(4),
    .bad_sites = {4.0, 5.0, 127.0, 128.0, 255.0},
    .good_sites = {0.0, 3.0},
    .samples = potts_more_tests,
    .shapes = potts_more_shapes,
    .moves_one_of = 5,
};

static const test_model test_potts_16 = {
    .name = "potts, q = 16", POTTS_MODEL(16), .samples = potts_more_tests};
static const test_model test_potts_12 = {.name = "potts, q = 12",
                                         POTTS_MODEL(12),
                                         .samples = potts_more_tests,
                                         .further = &test_potts_16};

static const test_model test_potts_7 = {
    .name = "potts, q = 7",
    POTTS_MODEL(7),
    .further = &test_potts_12,
    .bad_sites = {7.0, 8.0, 127.0, 128.0, 255.0},
    .good_sites = {0.0, 6.0},
    .samples = potts_more_tests,
    .shapes = potts_few_shapes,
    .moves_one_of = 5,
};

static const test_model test_potts_200 = {
    .name = "potts, q = 200",
    POTTS_MODEL(200),
    .bad_sites = {200.0, 201.0, 222.0, 254.0, 255.0},
    .good_sites = {0.0, 199.0},
    .samples = potts_more_tests,
    .shapes = potts_more_shapes,
    .moves_one_of = 5,
};

#undef RAMP
#undef RICH

#endif
