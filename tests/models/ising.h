/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ising model, to be tested (model.h). */
#ifndef LM_TESTS_ISING_H
#define LM_TESTS_ISING_H

#include "tests/models/ising_naive.h"
#include "tests/models/model.h"

/* ---- settings, and how replicas vary with them */

typedef struct ising_settings {
    double beta, slope; /* from replica to replica; 0: 0.01 */
    double field;
    double axis[LATMC_MAX_DIMS]; /* all 0: all 1 */
    bond_kind bonds;
    double plus, missing; /* of drawn bonds; both 0: the presets */
    int samples;          /* of the bonds; 0: one; MANY: more than one, if there are replicas */
    int64_t first_sample;
    int mirror; /* replicas also differ in the sign of beta and the field */
} ising_settings;

/* How many samples of the bonds. */
enum { MANY = -1 };

#define SPINS(...)                                                                                 \
    &(const ising_settings)                                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static inline int64_t ising_disorders(const test_case *c)
{
    const ising_settings *s = c->settings;
    const int64_t replicas = c->shape->replicas;
    int64_t each = 2;

    if (s->samples != MANY)
        return s->samples ? s->samples : 1;
    while (each < replicas && replicas % each != 0)
        each++;
    return each < replicas ? replicas / each : replicas;
}

static inline model ising_replica(const test_case *c, int64_t r)
{
    const ising_settings *s = c->settings;
    const double slope = s->slope != 0.0 ? s->slope : 0.01;
    model m = {.dims = c->shape->dims, .bonds = s->bonds, .field = s->field};

    memcpy(m.extents, c->shape->extents, sizeof m.extents);
    memcpy(m.boundaries, c->shape->boundaries, sizeof m.boundaries);
    memcpy(m.axis, s->axis, sizeof m.axis);
    m.plus = s->plus;
    m.missing = s->missing;
    m.sample = s->first_sample + r / (c->shape->replicas / ising_disorders(c));
    m.beta = s->beta * (s->mirror && r % 3 == 1 ? -1.0 : 1.0) + slope * (double)r;
    if (s->mirror && r % 2 == 1)
        m.field = -m.field;
    return m;
}

/* Those of all samples, one after the other. */
static inline void ising_give(latmc_lattice *lattice, const model *first, int64_t samples)
{
    const int64_t each = first->dims * model_sites(first);
    double *all = calloc((size_t)(samples * each), sizeof *all);

    assert_non_null(all);
    for (int64_t j = 0; j < samples; j++) {
        model m = *first;
        double *bonds;

        m.sample += j;
        bonds = model_bonds(&m);
        memcpy(all + j * each, bonds, (size_t)each * sizeof *all);
        free(bonds);
    }
    ok(latmc_set_bond_couplings(lattice, all));
    free(all);
}

/* Of the replicas from number `begin` of the case on, which may have fewer samples. */
static inline void ising_set_samples(latmc_lattice *lattice, const test_case *c, int64_t begin,
                                     int64_t count)
{
    const model first = ising_replica(c, begin);
    const int64_t samples = ising_replica(c, begin + count - 1).sample - first.sample + 1;

    model_couplings(&first, lattice);
    if (samples == 1 && first.sample == 0)
        return;
    if (first.bonds == PM1 || first.bonds == DILUTED)
        ok(latmc_set_bond_couplings(lattice, NULL));
    ok(latmc_set_samples(lattice, samples, first.sample));
    if (first.bonds == PM1 || first.bonds == DILUTED)
        ising_give(lattice, &first, samples);
}

static inline void ising_set(latmc_lattice *lattice, const test_case *c, int64_t begin,
                             int64_t count)
{
    double *beta = calloc((size_t)count, sizeof *beta),
           *field = calloc((size_t)count, sizeof *field);

    assert_true(beta && field);
    for (int64_t r = 0; r < count; r++) {
        const model m = ising_replica(c, begin + r);
        beta[r] = m.beta;
        field[r] = m.field;
    }
    ising_set_samples(lattice, c, begin, count);
    ok(latmc_set_params(lattice, LATMC_BETA, beta));
    ok(latmc_set_params(lattice, LATMC_FIELD, field));
    free(beta);
    free(field);
}

static inline int ising_serves(const test_case *c, latmc_update update)
{
    (void)c;
    (void)update;
    return 1;
}

static inline latmc_status ising_change(latmc_lattice *lattice)
{
    return latmc_set_bond_type_couplings(lattice, (const double[]){1.0, -0.5, 2.0, 1.0});
}

/* ---- by hand */

static inline void *ising_open(const test_case *c, int64_t replica, uint64_t seed)
{
    const model m = ising_replica(c, replica);
    double *bonds = model_bonds(&m);
    naive *n = calloc(1, sizeof *n);

    assert_non_null(n);
    if (m.bonds == DRAWN)
        naive_drawn(COUPLING_SEED, &m, bonds);
    n->p = plain_of(&m, bonds);
    n->colours = plain_colours(&n->p);
    n->folded = 1;
    for (int a = 0; a < m.dims; a++)
        n->folded &= m.extents[a] % 2 == 0;
    n->seed = seed;
    n->replica = (uint64_t)(c->shape->first + replica);
    n->s = calloc((size_t)n->p.sites, sizeof *n->s);
    assert_non_null(n->s);
    free(bonds);
    return n;
}

static inline void ising_close(void *self)
{
    naive *n = self;

    plain_free(&n->p);
    free(n->s);
    free(n);
}

static inline void ising_start(void *self, latmc_start_mode mode)
{
    naive *n = self;

    naive_start(n);
    n->changed = 0;
    if (mode == LATMC_START_COLD)
        memset(n->s, 1, (size_t)n->p.sites);
}

static inline void ising_sweep(void *self, latmc_update update)
{
    naive_sweep(self, update);
}

static inline void ising_sites(const void *self, void *sites)
{
    const naive *n = self;

    memcpy(sites, n->s, (size_t)n->p.sites);
}

static const latmc_quantity ising_observed[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                                LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                                LATMC_QUANTITY(LATMC_CHANGED),
                                                {0}};

static inline void ising_observe(const void *self, double *values)
{
    const naive *n = self;

    values[0] = plain_energy(&n->p, n->s) / n->p.sites;
    values[1] = 0.0;
    for (int i = 0; i < n->p.sites; i++)
        values[1] += (double)n->s[i] / n->p.sites;
    values[2] = (double)n->changed / n->p.sites;
}

static const test_naive ising_naive = {
    .open = ising_open,
    .close = ising_close,
    .start = ising_start,
    .sweep = ising_sweep,
    .sites = ising_sites,
    .observe = ising_observe,
    .observed = ising_observed,
    .tolerance = 1e-12,
};

static const test_sample ising_samples[] = {
    {{1, {2}, {P}, 0, 33}, SPINS(.beta = 0.4)},
    {{1, {2}, {A}, 5, 3}, SPINS(.beta = 0.4, .field = 0.3, .mirror = 1)},
    {{1, {3}, {P}, 6, 20}, SPINS(.beta = 0.5, .mirror = 1)},
    {{1, {37}, {A}, 0, 2}, SPINS(.bonds = DRAWN, .beta = 0.6, .mirror = 1)},
    {{1, {64}, {P}, 3, 2}, SPINS(.beta = 0.7)},
    {{1, {1000}, {O}, 0, 2}, SPINS(.beta = 0.5, .field = -0.2)},
    {{2, {2, 2}, {P, P}, 0, 40}, SPINS(.beta = 0.2, .mirror = 1)},
    {{2, {4, 4}, {P, P}, 0, 17}, SPINS(.beta = 0.44)},
    {{2, {4, 6}, {P, A}, 14, 9}, SPINS(.beta = 0.5, .mirror = 1)},
    {{2, {6, 4}, {O, O}, 1, 9}, SPINS(.beta = 0.5, .field = 0.1, .mirror = 1)},
    {{2, {3, 5}, {P, P}, 0, 9}, SPINS(.beta = 0.4, .mirror = 1)},
    {{2, {5, 4}, {O, P}, 2, 5}, SPINS(.bonds = DRAWN, .beta = 0.7)},
    {{2, {5, 7}, {O, P}, 0, 5}, SPINS(.beta = 0.4)},
    {{2, {7, 3}, {P, O}, 0, 5},
     SPINS(.axis = {1.0, -0.5}, .beta = 0.5, .field = 0.25, .mirror = 1)},
    {{2, {33, 9}, {P, P}, 65533, 3}, SPINS(.beta = 0.4)},
    {{2, {34, 8}, {A, P}, 0, 3}, SPINS(.bonds = PM1, .beta = 0.8, .mirror = 1)},
    {{2, {66, 10}, {P, P}, 0, 2}, SPINS(.beta = 0.4)},
    {{2, {130, 6}, {P, O}, 1, 2}, SPINS(.bonds = DILUTED, .beta = 0.6, .mirror = 1)},
    {{2, {66, 6}, {P, P}, 0, 2}, SPINS(.axis = {-0.7, 1.1}, .beta = 0.5, .mirror = 1)},
    {{2, {97, 5}, {P, P}, 0, 2}, SPINS(.bonds = DRAWN, .beta = 0.5)},
    {{2, {8, 8}, {P, P}, 0, 8}, SPINS(.beta = 1.5)},
    {{2, {8, 6}, {P, O}, 0, 2}, SPINS(.beta = 0.0, .field = 0.5)},
    {{2, {6, 6}, {P, P}, 0, 1}, SPINS(.beta = 0.0)},
    {{2, {8, 6}, {P, P}, 0, 5}, SPINS(.beta = -0.02)}, /* 0 in one of the replicas of a word */
    {{2, {10, 8}, {P, P}, 0, 3}, SPINS(.axis = {1.0, 0.0}, .beta = 0.5)}, /* loose at any size */
    {{2, {36, 2}, {P, A}, 0, 3}, SPINS(.beta = 0.5, .mirror = 1)},
    /* Loose: weak fields, in some replicas; an axis whose bonds are hardly felt, or all, in the
     * first replicas only, since beta grows from one to the next. */
    {{1, {20}, {P}, 0, 7}, SPINS(.beta = 0.5, .field = 0.1, .mirror = 1)},
    {{2, {6, 4}, {P, O}, 0, 5}, SPINS(.bonds = DILUTED, .beta = 0.4, .field = 1e-3, .mirror = 1)},
    {{2, {16, 10}, {P, P}, 0, 6}, SPINS(.beta = 0.01, .mirror = 1)},
    {{2, {10, 8}, {P, P}, 0, 6}, SPINS(.axis = {1.0, 0.06}, .beta = 0.5)},
    {{3, {8, 4, 6}, {P, P, P}, 0, 5},
     SPINS(.axis = {-0.01, 0.5, 0.02}, .beta = 0.3, .field = 1e-9, .mirror = 1)},
    {{3, {2, 2, 2}, {P, P, P}, 31, 34}, SPINS(.beta = 0.15, .mirror = 1)},
    /* Not loose, in fields that are hardly felt. */
    {{2, {16, 10}, {P, P}, 0, 5}, SPINS(.beta = 0.4, .field = 0.004, .mirror = 1)},
    {{3, {5, 4, 6}, {P, O, P}, 0, 5},
     SPINS(.axis = {1.0, -0.5, 0.5}, .beta = 0.3, .field = 1e-9, .mirror = 1)},
    {{3, {6, 4, 8}, {P, P, P}, 0, 8}, SPINS(.beta = 0.22)},
    {{3, {3, 3, 2}, {P, P, P}, 0, 8}, SPINS(.beta = 0.22, .mirror = 1)},
    {{3, {5, 3, 7}, {P, A, O}, 0, 5},
     SPINS(.bonds = DILUTED, .beta = 0.4, .field = 0.2, .mirror = 1)},
    {{3, {4, 3, 6}, {P, O, A}, 0, 9},
     SPINS(.axis = {0.5, 1.0, -2.0}, .bonds = DRAWN, .beta = 0.4, .mirror = 1)},
    {{3, {40, 6, 4}, {P, P, P}, 1, 2}, SPINS(.bonds = DRAWN, .beta = 0.6)},
    {{3, {66, 4, 2}, {P, O, P}, 0, 1}, SPINS(.beta = 0.25)},
    {{4, {2, 2, 2, 2}, {P, P, P, P}, 7, 33}, SPINS(.beta = 0.1, .mirror = 1)},
    {{4, {4, 4, 4, 4}, {P, P, P, P}, 0, 3}, SPINS(.beta = 0.15)},
    {{4, {3, 5, 3, 4}, {P, P, O, P}, 0, 5}, SPINS(.beta = 0.15, .mirror = 1)},
    {{4, {6, 4, 2, 6}, {P, A, P, P}, 0, 5},
     SPINS(.bonds = DRAWN, .beta = 0.3, .field = 0.3, .mirror = 1)},
    {{4, {5, 2, 3, 2}, {O, P, O, P}, 3, 6},
     SPINS(.axis = {1.0, 0.3, -0.4, 0.6}, .bonds = DILUTED, .beta = 0.3, .mirror = 1)},
    {{4, {34, 2, 2, 4}, {P, P, P, O}, 0, 2}, SPINS(.beta = 0.15)},
    /* Shares of +1 and of missing bonds: whether a lattice is loose does not depend on what was
     * drawn. */
    {{2, {10, 8}, {P, P}, 0, 3}, SPINS(.bonds = DRAWN, .plus = 0.9, .beta = 0.5)},
    {{2, {12, 8}, {P, P}, 0, 2}, SPINS(.bonds = DRAWN, .plus = 1.0, .missing = 1e-9, .beta = 0.3)},
    {{3, {6, 5, 4}, {P, P, P}, 0, 2},
     SPINS(.bonds = DRAWN, .plus = 0.25, .missing = 0.4, .beta = 0.6)},
    /* Samples: several in a word, words in several samples, groups of their own. */
    {{2, {4, 6}, {P, P}, 0, 12}, SPINS(.bonds = DRAWN, .samples = 4, .beta = 0.5)},
    {{2, {16, 6}, {P, A}, 3, 12},
     SPINS(.bonds = DRAWN, .samples = 4, .first_sample = 65534, .plus = 0.8, .missing = 0.3,
           .beta = 0.5, .mirror = 1)},
    {{3, {16, 6, 4}, {P, P, P}, 0, 12}, SPINS(.bonds = DRAWN, .samples = 4, .beta = 0.4)},
    {{2, {66, 4}, {P, P}, 1, 4}, SPINS(.bonds = DRAWN, .samples = 2, .beta = 0.4)},
    {{2, {7, 9}, {P, O}, 0, 6},
     SPINS(.bonds = DILUTED, .samples = 3, .beta = 0.5, .field = 0.1, .mirror = 1)},
    {{1, {40}, {P}, 2, 4}, SPINS(.bonds = PM1, .samples = 4, .beta = 0.4)},
    /* Ensembles beyond 2^16 groups and samples: groups that begin a new 2^16, and the last ones. */
    {{2, {64, 6}, {P, A}, 65530, 12}, SPINS(.beta = 0.4, .field = 0.1)},
    {{2, {8, 6}, {P, P}, 524283, 20}, SPINS(.bonds = DRAWN, .beta = 0.5)},
    {{3, {5, 3, 4}, {P, O, P}, ((int64_t)1 << 32) - 3, 3}, SPINS(.beta = 0.3)},
    {{2, {66, 4}, {P, P}, (int64_t)1 << 20, 4},
     SPINS(.bonds = DRAWN, .samples = 4, .first_sample = 65534, .missing = 0.2, .beta = 0.4)},
    {{2, {12, 6}, {P, P}, 5, 4},
     SPINS(.bonds = DRAWN, .samples = 2, .first_sample = ((int64_t)1 << 32) - 2, .beta = 0.4)},
    {{4, {4, 2, 2, 4}, {P, P, O, P}, 5, 10},
     SPINS(.bonds = PM1, .samples = 5, .axis = {1.0, 0.3, -0.4, 0.6}, .beta = 0.3)},
    {.settings = NULL},
};

static const test_step ising_steps[] = {
    {.verb = TEST_START, .what = LATMC_START_HOT},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 3},
    {.verb = TEST_SWEEP, .what = LATMC_HEATBATH, .sweeps = 2},
    {.verb = TEST_START, .what = LATMC_START_COLD},
    {.verb = TEST_SWEEP, .what = LATMC_METROPOLIS, .sweeps = 1},
    {.verb = 0},
};

/* ---- device against device */

static const shape ising_shapes[] = {
    {1, {2}, {P}, 0, 33},
    {1, {7}, {A}, 5, 9},
    {1, {1000}, {P}, 0, 2},
    {1, {4099}, {O}, 0, 1},
    {2, {2, 2}, {P, P}, 0, 40},
    {2, {4, 6}, {P, A}, 3, 20},
    {2, {3, 5}, {P, P}, 0, 3},
    {2, {5, 4}, {O, P}, 0, 17},
    {2, {64, 64}, {P, P}, 0, 45},
    {2, {66, 10}, {A, P}, 0, 2},
    {2, {130, 6}, {P, O}, 0, 1},
    {2, {256, 250}, {P, P}, 0, 3},
    {2, {1000, 26}, {P, P}, 0, 1},
    {2, {1026, 1022}, {P, P}, 0, 1},
    {2, {33, 9}, {P, P}, 0, 2},
    {2, {129, 31}, {O, O}, 0, 1},
    {3, {2, 2, 2}, {P, P, P}, 31, 34},
    {3, {6, 4, 8}, {P, P, P}, 0, 8},
    {3, {24, 24, 24}, {P, P, P}, 0, 7},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {40, 6, 4}, {P, P, P}, 1, 2},
    {3, {128, 10, 6}, {P, P, P}, 0, 1},
    {3, {100, 30, 34}, {P, A, P}, 0, 1},
    {4, {4, 4, 4, 4}, {P, P, P, P}, 0, 5},
    {4, {3, 5, 3, 4}, {P, P, O, P}, 0, 2},
    {4, {70, 4, 2, 6}, {P, P, P, P}, 0, 1},
    {4, {34, 6, 6, 4}, {A, P, P, O}, 0, 1},
    {.dims = 0},
};

static const shape ising_large[] = {
    {1, {1100}, {P}, 0, 200},
    {2, {37, 45}, {P, A}, 7, 360},
    {2, {32, 64}, {P, P}, 0, 360},
    {3, {20, 17, 24}, {P, P, P}, 3, 100},
    {.dims = 0},
};

/* From ordered to disordered, and below 0. */
#define RAMP .beta = 0.6, .slope = -0.013

/* What besides the shape can change the way a device takes. */
static const test_variant ising_variants[] = {
    {"plain", LATMC_METROPOLIS, LATMC_INT8, SPINS(RAMP)},
    {"antiferromagnet", LATMC_METROPOLIS, LATMC_INT8, SPINS(RAMP, .axis = {-1, -1, -1, -1})},
    {"+-J", LATMC_METROPOLIS, LATMC_INT8, SPINS(RAMP, .bonds = DRAWN)},
    {"field", LATMC_METROPOLIS, LATMC_INT8, SPINS(RAMP, .field = 0.25)},
    {"axes", LATMC_METROPOLIS, LATMC_INT8, SPINS(RAMP, .bonds = DRAWN, .axis = {1, 0.5, -2, 0.25})},
    {"heat bath", LATMC_HEATBATH, LATMC_INT8, SPINS(RAMP)},
    {"heat bath, +-J, field", LATMC_HEATBATH, LATMC_INT8,
     SPINS(RAMP, .bonds = DRAWN, .field = -0.5)},
    {"samples", LATMC_METROPOLIS, LATMC_INT8, SPINS(RAMP, .bonds = DRAWN, .samples = MANY)},
    {"samples, missing bonds", LATMC_HEATBATH, LATMC_INT8,
     SPINS(RAMP, .bonds = DRAWN, .samples = MANY, .plus = 0.7, .missing = 0.2)},
    {.name = NULL},
};

#define RICH .beta = 0.3, .slope = 0.6, .field = -0.125, .axis = {1.0, 0.5, -2.0}

static const test_variant ising_rich[] = {
    {"given bonds", LATMC_METROPOLIS, LATMC_INT8, SPINS(RICH, .bonds = DILUTED)},
    {"drawn bonds", LATMC_HEATBATH, LATMC_INT8, SPINS(RICH, .bonds = DRAWN)},
    {"samples given", LATMC_METROPOLIS, LATMC_INT8, SPINS(RICH, .bonds = DILUTED, .samples = 2)},
    {"samples drawn", LATMC_METROPOLIS, LATMC_INT8,
     SPINS(RICH, .bonds = DRAWN, .samples = 2, .first_sample = 9, .plus = 0.3, .missing = 0.1)},
    {"uniform", LATMC_METROPOLIS, LATMC_INT8, SPINS(RICH)},
    {.name = NULL},
};

/* ---- the model */

static const int ising_params[] = {LATMC_BETA, LATMC_FIELD, 0};
static const int ising_updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH, 0};
static const int ising_types[] = {LATMC_INT8, 0};
static const latmc_quantity ising_observables[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                                   LATMC_QUANTITY(LATMC_ENERGY2),
                                                   LATMC_QUANTITY(LATMC_ENERGY4),
                                                   LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                                   LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                                   LATMC_QUANTITY(LATMC_M2),
                                                   LATMC_QUANTITY(LATMC_M4),
                                                   LATMC_QUANTITY(LATMC_STRUCTURE, 0),
                                                   LATMC_QUANTITY(LATMC_STRUCTURE, 1),
                                                   LATMC_QUANTITY(LATMC_STRUCTURE, 2),
                                                   LATMC_QUANTITY(LATMC_STRUCTURE, 3),
                                                   LATMC_QUANTITY(LATMC_CHANGED),
                                                   {0}};

static const test_edge ising_bad_params[] = {
    {LATMC_BETA, (double)NAN, "nan"},         {LATMC_BETA, (double)NAN, "beta of slot"},
    {LATMC_FIELD, (double)INFINITY, "inf"},   {LATMC_BETA, 1e31, "1e+31"},
    {LATMC_FIELD, -1e31, "field of slot"}, {.part = NULL},
};

static const test_edge ising_good_params[] = {
    {LATMC_BETA, 1e30, NULL}, {LATMC_FIELD, -1e30, NULL}, {.param = 0}};

static const test_model test_ising = {
    .name = "ising",
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
    .slabs = 101,
    .bad_params = ising_bad_params,
    .good_params = ising_good_params,
    .bad_sites = {0.0, 2.0, 3.0, -2.0, 127.0},
    .good_sites = {-1.0, 1.0},
    .serves = ising_serves,
    .set = ising_set,
    .change = ising_change,
    .naive = &ising_naive,
    .samples = ising_samples,
    .steps = ising_steps,
    .shapes = ising_shapes,
    .variants = ising_variants,
    .sweeps = 6,
    .every_thread_count = 1,
    .moves_one_of = 3,
    .large = ising_large,
    .large_variant = &ising_variants[2],
    .nine = {2, {6, 10}, {P, P}, 0, 9},
    .rich = ising_rich,
};

#undef RAMP
#undef RICH

#endif
