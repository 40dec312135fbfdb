/* SPDX-License-Identifier: BSD-3-Clause */
/* The Blume-Capel model, to be tested (model.h): settings are those of the Ising model and the
 * crystal field. */
#ifndef LM_TESTS_BLUME_CAPEL_H
#define LM_TESTS_BLUME_CAPEL_H

#include "tests/models/blume_capel_naive.h"
#include "tests/models/ising.h"

typedef struct blume_capel_settings {
    ising_settings spins;          /* the first member, as which ising.h reads these settings */
    double crystal, crystal_slope; /* from replica to replica */
} blume_capel_settings;

#define CAPEL(crystal_, slope_, ...)                                                               \
    &(const blume_capel_settings)                                                                  \
    {                                                                                              \
        .spins = {__VA_ARGS__}, .crystal = crystal_, .crystal_slope = slope_                       \
    }

static inline double blume_capel_crystal(const test_case *c, int64_t r)
{
    const blume_capel_settings *s = c->settings;

    return s->crystal + s->crystal_slope * (double)r;
}

static inline void blume_capel_set(latmc_lattice *lattice, const test_case *c, int64_t begin,
                                   int64_t count)
{
    double *crystal = calloc((size_t)count, sizeof *crystal);

    assert_non_null(crystal);
    for (int64_t r = 0; r < count; r++)
        crystal[r] = blume_capel_crystal(c, begin + r);
    ising_set(lattice, c, begin, count);
    ok(latmc_set_params(lattice, LATMC_CRYSTAL_FIELD, crystal));
    free(crystal);
}

/* ---- by hand */

static inline void *blume_capel_open(const test_case *c, int64_t replica, uint64_t seed)
{
    naive *n = ising_open(c, replica, seed);
    naive_blume_capel *made = calloc(1, sizeof *made);

    assert_non_null(made);
    *made = (naive_blume_capel){.n = *n, .crystal = blume_capel_crystal(c, replica)};
    free(n);
    return made;
}

static inline void blume_capel_close(void *self)
{
    naive_blume_capel *c = self;

    plain_free(&c->n.p);
    free(c->n.s);
    free(c);
}

static inline void blume_capel_start(void *self, latmc_start_mode mode)
{
    naive_blume_capel_start(self, mode);
}

static inline void blume_capel_sweep(void *self, latmc_update update)
{
    naive_blume_capel_sweep(self, update);
}

static inline void blume_capel_sites(const void *self, void *sites)
{
    const naive_blume_capel *c = self;

    memcpy(sites, c->n.s, (size_t)c->n.p.sites);
}

static const latmc_quantity blume_capel_observables[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                                         LATMC_QUANTITY(LATMC_ENERGY2),
                                                         LATMC_QUANTITY(LATMC_ENERGY4),
                                                         LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                                         LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                                         LATMC_QUANTITY(LATMC_M2),
                                                         LATMC_QUANTITY(LATMC_M4),
                                                         LATMC_QUANTITY(LATMC_QUADRUPOLE),
                                                         LATMC_QUANTITY(LATMC_QUADRUPOLE2),
                                                         LATMC_QUANTITY(LATMC_QUADRUPOLE4),
                                                         LATMC_QUANTITY(LATMC_CHANGED),
                                                         {0}};

static inline void blume_capel_observe(const void *self, double *values)
{
    for (int i = 0; blume_capel_observables[i].observable; i++)
        values[i] = naive_blume_capel_observable(self, blume_capel_observables[i]);
}

static const test_naive blume_capel_naive = {
    .open = blume_capel_open,
    .close = blume_capel_close,
    .start = blume_capel_start,
    .sweep = blume_capel_sweep,
    .sites = blume_capel_sites,
    .observe = blume_capel_observe,
    .observed = blume_capel_observables,
};

static const test_sample blume_capel_samples[] = {
    {{1, {2}, {P}, 0, 5}, CAPEL(0.4, 0.3, .beta = 0.8)},
    {{1, {2}, {A}, 5, 3}, CAPEL(-0.3, 0.0, .beta = 0.4, .field = 0.3, .mirror = 1)},
    {{1, {37}, {A}, 0, 2}, CAPEL(0.9, -0.4, .bonds = DRAWN, .beta = 0.6, .mirror = 1)},
    {{1, {1000}, {O}, 0, 2}, CAPEL(0.6, 0.1, .beta = 1.5, .field = -0.2)},
    {{2, {2, 2}, {P, P}, 0, 9}, CAPEL(1.0, 0.1, .beta = 0.6, .mirror = 1)},
    {{2, {4, 4}, {P, P}, 0, 6}, CAPEL(2.0, 0.0, .beta = 1.5)}, /* moves that cost nothing */
    {{2, {4, 6}, {P, A}, 14, 5}, CAPEL(1.0, 0.2, .beta = 0.8, .mirror = 1)},
    {{2, {3, 5}, {P, P}, 0, 9}, CAPEL(-0.5, 0.3, .beta = 0.7, .mirror = 1)},
    {{2, {7, 3}, {P, O}, 0, 5},
     CAPEL(1.1, -0.3, .axis = {1.0, -0.5}, .beta = 0.9, .field = 0.25, .mirror = 1)},
    {{2, {33, 9}, {P, P}, 65533, 3}, CAPEL(0.5, 0.5, .beta = 0.8)},
    {{2, {34, 8}, {A, P}, 0, 3}, CAPEL(0.3, 0.0, .bonds = PM1, .beta = 0.8, .mirror = 1)},
    {{2, {66, 10}, {P, P}, 0, 2}, CAPEL(1.9, 0.06, .beta = 1.6)},
    {{2, {70, 34}, {P, P}, 0, 1}, CAPEL(1.966, 0.0, .beta = 1.645)},
    {{2, {130, 6}, {P, O}, 1, 2}, CAPEL(0.7, 0.0, .bonds = DILUTED, .beta = 0.9, .mirror = 1)},
    {{2, {66, 6}, {P, P}, 0, 2}, CAPEL(1.0, 0.4, .axis = {-0.7, 1.1}, .beta = 0.5, .mirror = 1)},
    {{2, {10, 8}, {P, P}, 0, 3}, CAPEL(0.4, 0.0, .axis = {1.0, 0.0}, .beta = 0.5)},
    {{2, {8, 6}, {P, O}, 0, 4}, CAPEL(0.3, -0.2, .beta = 0.0, .slope = -0.1)},
    {{2, {8, 6}, {P, P}, 0, 4}, CAPEL(-3.0, 0.0, .beta = 2.0, .slope = 20.0)},
    {{3, {6, 4, 8}, {P, P, P}, 0, 8}, CAPEL(1.5, 0.2, .beta = 0.5)},
    {{3, {34, 4, 6}, {P, P, P}, 0, 2}, CAPEL(2.8, 0.05, .beta = -0.7, .slope = 1.4)},
    {{3, {5, 3, 7}, {P, A, O}, 0, 5},
     CAPEL(0.8, 0.1, .bonds = DILUTED, .beta = 0.6, .field = 0.2, .mirror = 1)},
    {{3, {4, 3, 6}, {P, O, A}, 0, 5},
     CAPEL(1.0, 0.0, .axis = {0.5, 1.0, -2.0}, .bonds = DRAWN, .beta = 0.4, .mirror = 1)},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, 0, 2}, CAPEL(2.0, 0.5, .beta = 0.3)},
    {{4, {3, 2, 3, 2}, {P, P, O, P}, 0, 2},
     CAPEL(0.4, 0.1, .axis = {1.0, 0.3, -0.4, 0.6}, .beta = 0.5, .mirror = 1)},
    {{2, {16, 6}, {P, A}, 3, 12},
     CAPEL(0.5, 0.1, .bonds = DRAWN, .samples = 4, .first_sample = 65534, .plus = 0.8,
           .missing = 0.3, .beta = 0.5, .mirror = 1)},
    {{3, {66, 4, 4}, {P, P, P}, 1, 4}, CAPEL(0.5, 0.1, .bonds = DRAWN, .samples = 2, .beta = 0.6)},
    /* As much of everything as may be: nothing of it is not a number. */
    {{2, {6, 9}, {P, O}, 0, 2},
     CAPEL(1e30, -2e30, .beta = 1e30, .slope = -2e30, .field = 1e30, .axis = {1e30, -1e30})},
    /* The last of an ensemble. */
    {{2, {64, 6}, {P, A}, 65535, 3}, CAPEL(0.5, 0.1, .beta = 0.6)},
    {{2, {8, 10}, {P, P}, ((int64_t)1 << 32) - 3, 3}, CAPEL(0.5, 0.1, .beta = 0.6)},
    {.settings = NULL},
};

static const test_step blume_capel_steps[] = {
    {.verb = TEST_START, .what = LATMC_START_HOT},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 3},
    {.verb = TEST_SWEEP, .what = LATMC_HEATBATH, .sweeps = 2},
    {.verb = TEST_START, .what = LATMC_START_COLD},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = TEST_SWEEP, .what = LATMC_HEATBATH, .sweeps = 1},
    {.verb = 0},
};

/* ---- device against device */

static const shape blume_capel_shapes[] = {
    {1, {7}, {A}, 5, 9},
    {1, {1000}, {P}, 0, 2},
    {2, {2, 2}, {P, P}, 0, 9},
    {2, {4, 6}, {P, A}, 3, 20},
    {2, {64, 64}, {P, P}, 0, 3},
    {2, {130, 6}, {P, O}, 0, 1},
    {2, {33, 9}, {P, P}, 0, 2},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {66, 10, 8}, {P, P, P}, 0, 1},
    {4, {34, 6, 6, 4}, {A, P, P, O}, 0, 1},
    {.dims = 0},
};

static const shape blume_capel_large[] = {
    {2, {37, 45}, {P, A}, 7, 60},
    {3, {20, 17, 24}, {P, P, P}, 3, 10},
    {.dims = 0},
};

/* From disordered to ordered, and from spins to vacancies. */
#define RAMP .beta = 0.5, .slope = 0.13

/* What besides the shape can change the way a device takes. */
static const test_variant blume_capel_variants[] = {
    {"plain", LATMC_METROPOLIS, LATMC_INT8, CAPEL(0.7, 0.3, RAMP)},
    {"field", LATMC_METROPOLIS, LATMC_INT8, CAPEL(1.4, -0.2, RAMP, .field = 0.25)},
    {"heat bath", LATMC_HEATBATH, LATMC_INT8, CAPEL(0.7, 0.3, RAMP)},
    {"samples, missing bonds", LATMC_METROPOLIS, LATMC_INT8,
     CAPEL(0.4, 0.1, RAMP, .bonds = DRAWN, .samples = MANY, .plus = 0.7, .missing = 0.2,
           .axis = {1, 0.5, -2, 0.25})},
    {.name = NULL},
};

#define RICH .beta = 0.6, .slope = 0.6, .field = -0.125, .axis = {1.0, 0.5, -2.0}

static const test_variant blume_capel_rich[] = {
    {"given bonds", LATMC_METROPOLIS, LATMC_INT8, CAPEL(0.3, 0.2, RICH, .bonds = DILUTED)},
    {"samples drawn", LATMC_HEATBATH, LATMC_INT8,
     CAPEL(0.3, 0.2, RICH, .bonds = DRAWN, .samples = 2, .first_sample = 9, .plus = 0.3,
           .missing = 0.1)},
    {"samples given", LATMC_METROPOLIS, LATMC_INT8,
     CAPEL(0.3, 0.2, RICH, .bonds = DILUTED, .samples = 2)},
    {"uniform", LATMC_METROPOLIS, LATMC_INT8, CAPEL(0.3, 0.2, RICH)},
    {.name = NULL},
};

/* ---- the model */

static const int blume_capel_params[] = {LATMC_BETA, LATMC_CRYSTAL_FIELD, LATMC_FIELD, 0};

static const test_edge blume_capel_bad_params[] = {
    {LATMC_BETA, (double)NAN, "nan"},
    {LATMC_CRYSTAL_FIELD, (double)NAN, "crystal_field of slot"},
    {LATMC_FIELD, (double)INFINITY, "inf"},
    {LATMC_BETA, 1e31, "1e+31"},
    {LATMC_CRYSTAL_FIELD, -1e31, "-1e+31"},
    {.part = NULL},
};

static const test_edge blume_capel_good_params[] = {
    {LATMC_BETA, 1e30, NULL}, {LATMC_CRYSTAL_FIELD, -1e30, NULL}, {.param = 0}};

static const test_model test_blume_capel = {
    .name = "blume_capel",
    .id = LATMC_BLUME_CAPEL,
    .params = blume_capel_params,
    .updates = ising_updates,
    .observables = blume_capel_observables,
    .types = ising_types,
    .types_refusal = "they can be int8",
    .has_couplings = 1,
    .signs_alone = 1,
    .most_coupling = 1.0,
    .most_axis = 1e30,
    .slabs = 10,
    .bad_params = blume_capel_bad_params,
    .good_params = blume_capel_good_params,
    .bad_sites = {2.0, -2.0, 3.0, 127.0, -128.0},
    .good_sites = {-1.0, 0.0},
    .serves = ising_serves,
    .set = blume_capel_set,
    .change = ising_change,
    .naive = &blume_capel_naive,
    .samples = blume_capel_samples,
    .steps = blume_capel_steps,
    .shapes = blume_capel_shapes,
    .variants = blume_capel_variants,
    .sweeps = 4,
    .moves_one_of = 3,
    .large = blume_capel_large,
    .large_variant = &blume_capel_variants[2],
    .nine = {2, {6, 10}, {P, A}, 0, 9},
    .rich = blume_capel_rich,
};

#undef RAMP
#undef RICH

#endif
