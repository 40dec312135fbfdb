/* SPDX-License-Identifier: BSD-3-Clause */
/* The phi^4 model, to be tested (model.h). */
#ifndef LM_TESTS_PHI4_H
#define LM_TESTS_PHI4_H

#include "tests/models/model.h"
#include "tests/models/phi4_naive_sums.h"

/* ---- settings, and how replicas vary with them */

/* The cut-off: in none, in some, in all of the replicas. */
enum { NONE, SOME, EVERY };

typedef struct phi4_settings {
    field_model (*vary)(const test_case *c, int64_t r); /* NULL: phi4_vary */
    double mu2, g, kappa, field, epsilon;
    int far, hits, local_sweeps;
} phi4_settings;

#define FIELD(...)                                                                                 \
    &(const phi4_settings)                                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* As the settings are. */
static inline field_model phi4_same(const test_case *c, int64_t r)
{
    const phi4_settings *s = c->settings;
    field_model m = {.dims = c->shape->dims,
                     .mu2 = s->mu2,
                     .g = s->g,
                     .kappa = s->kappa,
                     .field = s->field,
                     .epsilon = s->epsilon,
                     .hits = s->hits,
                     .local_sweeps = s->local_sweeps,
                     .cutoff = s->kappa > 0.0 || s->far != NONE};

    (void)r;
    memcpy(m.extents, c->shape->extents, sizeof m.extents);
    memcpy(m.boundaries, c->shape->boundaries, sizeof m.boundaries);
    return m;
}

/* No two replicas are alike, nor do samples vary in the same way: some have no cut-off. */
static inline field_model phi4_vary(const test_case *c, int64_t r)
{
    static const int hits[] = {1, 5, 8, 3, 4, 2, 6};
    field_model m = phi4_same(c, r);
    const int turn = c->number + (int)r;

    m.mu2 += 0.1 * (double)r;
    m.g *= 1.0 + 0.25 * (double)r;
    m.kappa *= turn % 3 == 0 ? 0.0 : 1.0 + 0.3 * (double)r;
    m.field = turn % 2 ? 0.1 * (double)r - 0.15 : 0.0;
    m.epsilon = 0.9 + 0.37 * (double)r;
    m.hits = hits[turn % (int)ALL(hits)];
    m.local_sweeps = turn % 2 ? 3 : 1;
    return m;
}

/* Sixteen replicas across the transition, and again. */
static inline field_model phi4_ramp(const test_case *c, int64_t r)
{
    const phi4_settings *s = c->settings;
    const double x = (double)(r % 16);
    field_model m = phi4_same(c, r);

    m.mu2 = 0.4 - 0.17 * x;
    m.g = 2.0 + x;
    m.kappa = s->far == EVERY || (s->far == SOME && r % 2 == 0) ? 0.25 + 0.1 * x : 0.0;
    m.epsilon = 0.7 + 0.1 * x;
    m.hits = 1 + (s->hits + (int)r - 1) % 8;
    return m;
}

/* Axes of two sites have no cut-off. */
static inline field_model phi4_replica(const test_case *c, int64_t r)
{
    const phi4_settings *s = c->settings;
    field_model m = s->vary ? s->vary(c, r) : phi4_vary(c, r);

    for (int a = 0; a < m.dims; a++)
        if (m.extents[a] < 3) {
            m.kappa = 0.0;
            m.cutoff = 0;
        }
    return m;
}

static inline void phi4_set(latmc_lattice *lattice, const test_case *c, int64_t begin,
                            int64_t count)
{
    field_model *models = calloc((size_t)count, sizeof *models);

    assert_non_null(models);
    for (int64_t r = 0; r < count; r++)
        models[r] = phi4_replica(c, begin + r);
    ok(latmc_set_option(lattice, LATMC_CUTOFF, field_has_cutoff(&models[0])));
    for (size_t p = 0; p < ALL(field_all_params); p++)
        field_params(lattice, field_all_params[p], models, count);
    free(models);
}

static inline int phi4_serves(const test_case *c, latmc_update update)
{
    const phi4_settings *s = c->settings;
    const field_model m = phi4_same(c, 0);

    for (int a = 0; a < m.dims; a++)
        if (m.extents[a] < 3 && s->far != NONE)
            return 0;
    return update != LATMC_BLOCK_METROPOLIS || field_can_be_tiled(&m);
}

/* The cut-off term in all replicas but the first, where there is one; otherwise g. */
static inline latmc_status phi4_change(latmc_lattice *lattice)
{
    const int64_t replicas = info_of(lattice).replicas;
    double values[16];
    int64_t cutoff;

    assert_true(replicas <= (int64_t)ALL(values));
    ok(latmc_get_option(lattice, LATMC_CUTOFF, &cutoff));
    for (int64_t r = 0; r < replicas; r++)
        values[r] = cutoff ? 0.25 * (double)r : 1.5 + 0.25 * (double)r;
    return latmc_set_params(lattice, cutoff ? LATMC_INV_LAMBDA : LATMC_G, values);
}

/* ---- by hand */

static inline void *phi4_open(const test_case *c, int64_t replica, uint64_t seed)
{
    const field_model m = phi4_replica(c, replica);
    naive_field *n = calloc(1, sizeof *n);

    assert_non_null(n);
    *n = naive_field_of(&m, c->type, seed, (uint64_t)(c->shape->first + replica));
    return n;
}

static inline void phi4_close(void *n)
{
    naive_field_free(n);
    free(n);
}

static inline void field_start(void *n, latmc_start_mode mode)
{
    naive_field_start(n, mode);
}

static inline void phi4_sweep(void *n, latmc_update update)
{
    naive_field_sweep(n, update);
}

static inline double phi4_tune(void *self, latmc_update update, int sweeps, double target)
{
    naive_field *n = self;

    naive_tune(n, update, sweeps, target);
    return n->m.epsilon;
}

static inline void phi4_sites(const void *self, void *sites)
{
    const naive_field *n = self;

    for (int i = 0; i < n->sites; i++)
        if (n->single)
            ((float *)sites)[i] = (float)n->phi[i];
        else
            ((double *)sites)[i] = n->phi[i];
}

static const latmc_quantity phi4_observables[] = {
    LATMC_QUANTITY(LATMC_ENERGY),
    LATMC_QUANTITY(LATMC_ENERGY_GRADIENT),
    LATMC_QUANTITY(LATMC_ENERGY_POTENTIAL),
    LATMC_QUANTITY(LATMC_ENERGY_CUTOFF),
    LATMC_QUANTITY(LATMC_ACCEPTANCE),
    LATMC_QUANTITY(LATMC_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_M2),
    LATMC_QUANTITY(LATMC_M4),
    LATMC_QUANTITY(LATMC_PHI_SQUARED),
    LATMC_QUANTITY(LATMC_PHI_FOURTH),
    LATMC_QUANTITY(LATMC_STRUCTURE, 0),
    LATMC_QUANTITY(LATMC_STRUCTURE, 1),
    LATMC_QUANTITY(LATMC_STRUCTURE, 2),
    LATMC_QUANTITY(LATMC_STRUCTURE, 3),
    {0},
};

static inline void phi4_observe(const void *self, double *values)
{
    const naive_field *n = self;
    double sums[S_SUMS];

    naive_sums(n, sums);
    for (int i = 0; phi4_observables[i].observable; i++)
        values[i] = naive_observable(n, sums, phi4_observables[i]);
}

static const test_naive phi4_naive = {
    .open = phi4_open,
    .close = phi4_close,
    .start = field_start,
    .sweep = phi4_sweep,
    .tune = phi4_tune,
    .sites = phi4_sites,
    .observe = phi4_observe,
    .observed = phi4_observables,
};

/* kappa > 0 is for some replicas of a lattice that has it: phi4_vary(). */
static const test_sample phi4_samples[] = {
    {{1, {2}, {P}, 0, 3}, FIELD(.mu2 = 1.0, .g = 1.0, .kappa = 0.0)},
    {{1, {2}, {A}, 7, 3}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 0.0)},
    {{1, {2}, {O}, 0, 2}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 0.0)},
    {{1, {3}, {P}, 0, 4}, FIELD(.mu2 = 0.7, .g = 1.0, .kappa = 0.3)},
    {{1, {3}, {A}, 0, 4}, FIELD(.mu2 = -0.7, .g = 3.0, .kappa = 0.5)},
    {{1, {3}, {O}, 0, 4}, FIELD(.mu2 = -0.7, .g = 3.0, .kappa = 0.5)},
    {{1, {5}, {P}, 0, 4}, FIELD(.mu2 = -1.0, .g = 3.0, .kappa = 0.5)},
    {{1, {7}, {A}, 1, 4}, FIELD(.mu2 = -1.0, .g = 3.0, .kappa = 0.5)},
    {{1, {11}, {O}, 65534, 4}, FIELD(.mu2 = -1.0, .g = 3.0, .kappa = 0.5)},
    {{1, {10}, {P}, 0, 4}, FIELD(.mu2 = 1.0, .g = 0.0, .kappa = 0.25)},
    {{1, {1000}, {P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.5)},
    {{1, {517}, {A}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.5)},
    {{1, {2500}, {O}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.5)},
    {{2, {2, 2}, {P, P}, 0, 4}, FIELD(.mu2 = 1.0, .g = 1.0, .kappa = 0.0)},
    {{2, {2, 6}, {A, O}, 0, 2}, FIELD(.mu2 = 1.0, .g = 1.0, .kappa = 0.0)},
    {{2, {3, 3}, {P, P}, 0, 4}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {4, 4}, {P, P}, 0, 4}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {4, 5}, {A, P}, 0, 4}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {5, 5}, {P, P}, 0, 4}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {8, 8}, {P, P}, 3, 4}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {10, 10}, {P, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 1.0)},
    {{2, {10, 15}, {P, A}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 1.0)},
    {{2, {12, 7}, {P, P}, 0, 2}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 1.0)},
    {{2, {16, 17}, {P, P}, 0, 2}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 1.0)},
    {{2, {17, 16}, {O, P}, 0, 2}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 1.0)},
    {{2, {11, 13}, {O, O}, 0, 2}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 1.0)},
    {{2, {3, 16}, {O, A}, 0, 4}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 1.0)},
    {{2, {70, 34}, {P, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {1100, 3}, {P, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{2, {3, 1100}, {P, O}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{3, {2, 2, 2}, {P, A, P}, 0, 2}, FIELD(.mu2 = 0.5, .g = 2.0, .kappa = 0.0)},
    {{3, {3, 3, 3}, {P, P, P}, 0, 4}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {4, 4, 4}, {P, P, P}, 0, 4}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.5)},
    {{3, {4, 5, 7}, {A, P, P}, 0, 4}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {5, 3, 7}, {P, A, O}, 0, 4}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {7, 7, 7}, {P, P, P}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {8, 8, 8}, {P, P, P}, 5, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {10, 8, 12}, {P, O, A}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {11, 16, 5}, {O, P, P}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {3, 4, 6}, {O, O, O}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {17, 4, 20}, {P, P, P}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {40, 30, 3}, {P, P, O}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {14, 17, 27}, {P, A, P}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {29, 30, 31}, {P, P, P}, 1, 1}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{3, {28, 9, 34}, {P, P, O}, 0, 1}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{4, {2, 3, 2, 4}, {P, P, A, O}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.0)},
    {{4, {3, 3, 3, 3}, {P, P, P, P}, 0, 2}, FIELD(.mu2 = 0.3, .g = 4.0, .kappa = 0.25)},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{4, {5, 4, 3, 7}, {P, A, O, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{4, {8, 5, 4, 10}, {P, P, A, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{4, {11, 4, 4, 4}, {O, O, P, P}, 0, 2}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{4, {9, 9, 9, 9}, {P, P, P, P}, 0, 1}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    {{4, {10, 9, 12, 9}, {P, P, P, P}, 0, 1}, FIELD(.mu2 = -0.5, .g = 3.0, .kappa = 0.25)},
    /* The last of an ensemble. */
    {{2, {8, 10}, {P, A}, ((int64_t)1 << 32) - 3, 3}, FIELD(.mu2 = -0.5, .g = 3.0)},
    {.settings = NULL},
};

static const test_step phi4_steps[] = {
    {.verb = TEST_START, .what = LATMC_START_COLD},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = TEST_START, .what = LATMC_START_HOT},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 2},
    {.verb = TEST_SWEEP, .what = LATMC_OVERRELAX, .sweeps = 1},
    {.verb = TEST_SWEEP, .what = LATMC_BLOCK_METROPOLIS, .sweeps = 2},
    {TEST_TUNE, LATMC_BLOCK_METROPOLIS, LATMC_METROPOLIS, 3, 0.6},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = 0},
};

/* ---- device against device */

static const shape phi4_shapes[] = {
    {1, {2}, {P}, 0, 5},
    {1, {7}, {A}, 5, 9},
    {1, {4099}, {P}, 0, 2},
    {1, {1500}, {O}, 0, 1},
    {2, {2, 2}, {P, P}, 0, 9},
    {2, {4, 6}, {P, A}, 3, 5},
    {2, {3, 5}, {P, P}, 0, 3},
    {2, {5, 4}, {O, P}, 0, 5},
    {2, {64, 64}, {P, P}, 0, 3},
    {2, {66, 10}, {A, P}, 0, 2},
    {2, {130, 6}, {P, O}, 0, 1},
    {2, {120, 125}, {P, P}, 0, 2},
    {2, {33, 9}, {P, P}, 0, 2},
    {2, {129, 31}, {O, O}, 0, 1},
    {3, {2, 2, 2}, {P, P, P}, 31, 4},
    {3, {6, 4, 8}, {P, P, P}, 0, 4},
    {3, {16, 16, 16}, {P, P, P}, 0, 2},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {40, 6, 4}, {P, P, P}, 1, 2},
    {3, {70, 9, 7}, {P, A, P}, 0, 1},
    {4, {4, 4, 4, 4}, {P, P, P, P}, 0, 5},
    {4, {3, 5, 3, 4}, {P, P, O, P}, 0, 2},
    {4, {34, 6, 5, 4}, {A, P, P, O}, 0, 1},
    /* without equal parts: */
    {1, {67}, {P}, 0, 2},
    {1, {38}, {A}, 0, 2},
    {1, {101}, {O}, 0, 2},
    {2, {34, 38}, {P, P}, 0, 2},
    {2, {34, 34}, {A, P}, 2, 2},
    {2, {53, 41}, {O, A}, 0, 1},
    {3, {17, 19, 34}, {P, P, P}, 0, 1},
    {3, {34, 34, 17}, {P, P, P}, 0, 1},
    {3, {22, 22, 22}, {A, P, O}, 0, 1},
    {3, {17, 23, 11}, {O, P, A}, 1, 2},
    {4, {5, 7, 5, 11}, {P, P, P, P}, 0, 2},
    {4, {11, 4, 7, 13}, {A, P, O, A}, 0, 1},
    {.dims = 0},
};

/* Tiles by the hundreds, as a device may treat otherwise than a few: full ones, and others. */
static const shape phi4_large[] = {
    {1, {1100}, {P}, 0, 200},
    {2, {37, 45}, {P, A}, 7, 360},
    {2, {32, 64}, {P, P}, 0, 360},
    {3, {20, 17, 24}, {P, P, P}, 3, 100},
    {3, {32, 32, 16}, {P, A, P}, 0, 100},
    {3, {21, 12, 10}, {O, P, P}, 0, 100},
    {.dims = 0},
};

#define RAMP(...) FIELD(.vary = phi4_ramp, __VA_ARGS__)

/* What besides the shape can change the way a device takes. */
static const test_variant phi4_variants[] = {
    {"near, floats", LATMC_METROPOLIS, LATMC_FLOAT32, RAMP(.hits = 1)},
    {"near, doubles", LATMC_METROPOLIS, LATMC_FLOAT64, RAMP(.hits = 5, .field = 0.25)},
    {"far, floats", LATMC_METROPOLIS, LATMC_FLOAT32, RAMP(.far = EVERY, .hits = 8)},
    {"far, doubles", LATMC_METROPOLIS, LATMC_FLOAT64, RAMP(.far = SOME, .hits = 3)},
    {"tiles, near, floats", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT32,
     RAMP(.hits = 2, .local_sweeps = 3)},
    {"tiles, far, floats", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT32,
     RAMP(.far = SOME, .hits = 4, .local_sweeps = 2, .field = 0.1)},
    {"tiles, far, doubles", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT64,
     RAMP(.far = EVERY, .hits = 1, .local_sweeps = 2)},
    {"reflections, near, floats", LATMC_OVERRELAX, LATMC_FLOAT32, RAMP(.hits = 1)},
    {"reflections, far, doubles", LATMC_OVERRELAX, LATMC_FLOAT64,
     RAMP(.far = SOME, .hits = 1, .field = -0.2)},
    {.name = NULL},
};

static const test_variant phi4_large_variant = {
    "large", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT32,
    RAMP(.far = SOME, .hits = 1, .local_sweeps = 2, .field = 0.1)};

static const test_variant phi4_rich[] = {
    {"floats", LATMC_METROPOLIS, LATMC_FLOAT32, RAMP(.hits = 3, .field = 0.1)},
    {"doubles", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT64,
     RAMP(.far = EVERY, .hits = 2, .local_sweeps = 2, .field = -0.1)},
    {.name = NULL},
};

/* ---- the model */

static const int phi4_params[] = {LATMC_MU2,     LATMC_G,    LATMC_INV_LAMBDA,   LATMC_FIELD,
                                  LATMC_EPSILON, LATMC_HITS, LATMC_LOCAL_SWEEPS, 0};
static const int phi4_updates[] = {LATMC_METROPOLIS, LATMC_BLOCK_METROPOLIS, LATMC_OVERRELAX, 0};
static const int phi4_tuning_updates[] = {LATMC_METROPOLIS, LATMC_BLOCK_METROPOLIS, 0};
static const int phi4_types[] = {LATMC_FLOAT32, LATMC_FLOAT64, 0};

static const test_edge phi4_bad_params[] = {
    {LATMC_MU2, (double)NAN, "mu2"},
    {LATMC_MU2, (double)INFINITY, "mu2"},
    {LATMC_G, (double)NAN, "g of slot"},
    {LATMC_G, -1e-9, "g of slot"},
    {LATMC_G, (double)INFINITY, "g of slot"},
    {LATMC_INV_LAMBDA, (double)NAN, "inv_lambda"},
    {LATMC_INV_LAMBDA, -0.25, "inv_lambda"},
    {LATMC_INV_LAMBDA, (double)INFINITY, "inv_lambda"},
    {LATMC_FIELD, (double)NAN, "field"},
    {LATMC_FIELD, -(double)INFINITY, "field"},
    {LATMC_EPSILON, (double)NAN, "epsilon"},
    {LATMC_EPSILON, 0.0, "epsilon"},
    {LATMC_EPSILON, -1.0, "epsilon"},
    {LATMC_EPSILON, (double)INFINITY, "epsilon"},
    {LATMC_HITS, (double)NAN, "hits"},
    {LATMC_HITS, 0.0, "hits"},
    {LATMC_HITS, 65.0, "hits"},
    {LATMC_HITS, 1.5, "hits"},
    {LATMC_HITS, -1.0, "hits"},
    {LATMC_LOCAL_SWEEPS, 0.0, "local_sweeps"},
    {LATMC_LOCAL_SWEEPS, 256.0, "local_sweeps"},
    {LATMC_LOCAL_SWEEPS, 2.25, "local_sweeps"},
    {LATMC_LOCAL_SWEEPS, (double)NAN, "local_sweeps"},
    {.part = NULL},
};

static const test_edge phi4_good_params[] = {{LATMC_HITS, 64.0, NULL},
                                             {LATMC_LOCAL_SWEEPS, 255.0, NULL},
                                             {LATMC_G, 0.0, NULL},
                                             {.param = 0}};

static const test_model test_phi4 = {
    .name = "phi4",
    .id = LATMC_PHI4,
    .slabs = 82,
    .params = phi4_params,
    .updates = phi4_updates,
    .observables = phi4_observables,
    .types = phi4_types,
    .types_refusal = "they can be float32 or float64",
    .tuned = LATMC_EPSILON,
    .tuning_updates = phi4_tuning_updates,
    .bad_params = phi4_bad_params,
    .good_params = phi4_good_params,
    .bad_sites = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1.0001e6, -1.0001e6},
    .good_sites = {-1e6, 1e6},
    .serves = phi4_serves,
    .set = phi4_set,
    .change = phi4_change,
    .naive = &phi4_naive,
    .samples = phi4_samples,
    .steps = phi4_steps,
    .shapes = phi4_shapes,
    .variants = phi4_variants,
    .sweeps = 4,
    .moves_one_of = 3,
    .large = phi4_large,
    .large_variant = &phi4_large_variant,
    .nine = {2, {6, 11}, {P, A}, 2, 9},
    .rich = phi4_rich,
};

#undef RAMP

#endif
