/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of the O(n) vector model's tests, how replicas vary with them, and how a lattice gets
 * them. */
#ifndef LM_TESTS_ONVECTOR_SETTINGS_H
#define LM_TESTS_ONVECTOR_SETTINGS_H

#include "tests/models/model.h"
#include "tests/models/naive_draw.h"
#include "tests/models/onvector_plain.h"

/* Where couplings of bonds, or fields of sites, come from. */
typedef enum vector_origin { PLAIN, SIGNS, NORMAL, NUMBERS } vector_origin;

typedef struct vector_numbers {
    vector_origin from; /* none; drawn by the library, +-1 or Gaussian; given */
    double plus, missing, mean, width;
} vector_numbers;

typedef struct vector_settings {
    double beta, slope, field;   /* slope: of beta, from replica to replica */
    double epsilon;              /* 0: each replica its own */
    int hits;                    /* 0: each replica its own */
    double axis[LATMC_MAX_DIMS]; /* all 0: all 1 */
    vector_numbers bonds, fields;
    int samples; /* 0: one; EACH: some, of two replicas or more, if there are so many */
    int64_t first_sample;
} vector_settings;

enum { EACH = -1 };

#define VECTORS(...)                                                                               \
    &(const vector_settings)                                                                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Couplings of bonds and fields of sites, for VECTORS(). */
#define GAUSS  .bonds = {NORMAL, .width = 1.0}
#define GIVEN  .bonds = {NUMBERS, .width = 1.5}
#define HALVES .bonds = {SIGNS, .plus = 0.5}
#define HOLES  .bonds = {SIGNS, .plus = 0.75, .missing = 0.3}
#define LOCAL  .fields = {NORMAL, .mean = 0.1, .width = 0.5}
#define FIELDS .fields = {NUMBERS, .width = 0.7}

enum { VECTOR_BOND_SEED = 99, VECTOR_FIELD_SEED = 1234567 };

static inline int64_t vector_samples_of(const test_case *c)
{
    const vector_settings *s = c->settings;
    const int64_t replicas = c->shape->replicas;
    int64_t each = 2;

    if (s->samples != EACH)
        return s->samples ? s->samples : 1;
    while (each < replicas && replicas % each != 0)
        each++;
    return each < replicas ? replicas / each : replicas;
}

static inline int64_t vector_sample(const test_case *c, int64_t r)
{
    const vector_settings *s = c->settings;

    return s->first_sample + r / (c->shape->replicas / vector_samples_of(c));
}

/* Without bonds and fields of its own. */
static inline vector_model vector_replica(const test_case *c, int64_t r)
{
    static const double epsilon[] = {1.0, 0.3, 0.85, 0.05, 0.6};
    static const int hits[] = {1, 5, 8, 3, 4, 2, 6};
    const vector_settings *s = c->settings;
    const int turn = c->number + (int)r;
    vector_model m = {.n = c->model->components, /* of Ising spins, which share this, none */
                      .beta = s->beta + s->slope * (double)r,
                      .field = s->field * (r % 3 == 1 ? -0.5 : 1.0)};
    double any = 0.0;

    m.lattice.dims = c->shape->dims;
    memcpy(m.lattice.extents, c->shape->extents, sizeof m.lattice.extents);
    memcpy(m.lattice.boundaries, c->shape->boundaries, sizeof m.lattice.boundaries);
    m.lattice.epsilon = s->epsilon > 0.0 ? s->epsilon : epsilon[turn % (int)ALL(epsilon)];
    m.lattice.hits = s->hits ? s->hits : hits[turn % (int)ALL(hits)];
    for (int a = 0; a < m.lattice.dims; a++)
        any += fabs(s->axis[a]);
    for (int a = 0; a < m.lattice.dims; a++)
        m.axis[a] = any > 0.0 ? s->axis[a] : 1.0;
    return m;
}

/* Number i of those that are given: some are 0, others 1. */
static inline double vector_given(const vector_numbers *of, uint64_t seed, int64_t sample, int i)
{
    uint64_t state = seed + 1000003 * (uint64_t)sample + 7919 * (uint64_t)i;
    const uint64_t r = next_random(&state);

    if (r % 8 < 2)
        return r % 8 == 0 ? 0.0 : 1.0;
    return of->mean + (of->width > 0.0 ? of->width : 1.0) * ((double)(r >> 12) * 0x1p-51 - 1.0);
}

/* Of a sample: `axes` times the sites; NULL if there are none. To be freed. */
static inline double *vector_numbers_of(const vector_numbers *of, int domain, int axes, int sites,
                                        int64_t sample)
{
    const uint64_t seed = domain == NAIVE_COUPLINGS ? VECTOR_BOND_SEED : VECTOR_FIELD_SEED;
    const naive_drawing how = {.gaussian = of->from == NORMAL,
                               .plus = of->plus,
                               .missing = of->missing,
                               .mean = of->mean,
                               .width = of->width};
    double *numbers = calloc((size_t)(axes * sites), sizeof *numbers);

    assert_non_null(numbers);
    for (int a = 0; a < axes && of->from != PLAIN; a++)
        for (int i = 0; i < sites; i++)
            numbers[a * sites + i] = of->from == NUMBERS
                                         ? vector_given(of, seed, sample, a * sites + i)
                                         : naive_draw(&how, seed, domain, a, sample, i);
    if (of->from != PLAIN)
        return numbers;
    free(numbers);
    return NULL;
}

/* The library draws, or is given those of `samples` samples. */
static inline void vector_set_numbers(latmc_lattice *lattice, const vector_numbers *of, int domain,
                                      int axes, int sites, int64_t first, int64_t samples)
{
    static const latmc_argument signs[] = {LATMC_DRAW_MISSING, LATMC_DRAW_PLUS};
    static const latmc_argument normal[] = {LATMC_DRAW_WIDTH, LATMC_DRAW_MEAN, LATMC_DRAW_MISSING};
    const double shares[] = {of->missing, of->plus}, normals[] = {of->width, of->mean, of->missing};
    const int bonds = domain == NAIVE_COUPLINGS, gaussian = of->from == NORMAL;
    const size_t each = (size_t)(axes * sites);
    double *all;

    if (of->from == PLAIN)
        return;
    if (of->from != NUMBERS) {
        const latmc_distribution from = gaussian ? LATMC_GAUSSIAN : LATMC_PLUS_MINUS_ONE;
        const latmc_argument *arguments = gaussian ? normal : signs;
        const double *values = gaussian ? normals : shares;
        ok(bonds ? latmc_draw_bond_couplings(lattice, from, VECTOR_BOND_SEED, 2 + gaussian,
                                             arguments, values)
                 : latmc_draw_site_fields(lattice, from, VECTOR_FIELD_SEED, 2 + gaussian, arguments,
                                          values));
        return;
    }
    all = calloc((size_t)samples * each, sizeof *all);
    assert_non_null(all);
    for (int64_t j = 0; j < samples; j++) {
        double *one = vector_numbers_of(of, domain, axes, sites, first + j);
        memcpy(all + (size_t)j * each, one, each * sizeof *all);
        free(one);
    }
    ok(bonds ? latmc_set_bond_couplings(lattice, all) : latmc_set_site_fields(lattice, all));
    free(all);
}

/* The first of beta, field, epsilon and hits. */
static inline void vector_set_params(latmc_lattice *lattice, const test_case *c, int64_t begin,
                                     int64_t count, int most)
{
    static const latmc_param params[] = {LATMC_BETA, LATMC_FIELD, LATMC_EPSILON, LATMC_HITS};
    double *values = calloc((size_t)count, sizeof *values);

    assert_non_null(values);
    for (int p = 0; p < most; p++) {
        for (int64_t r = 0; r < count; r++) {
            const vector_model m = vector_replica(c, begin + r);
            values[r] = (const double[]){m.beta, m.field, m.lattice.epsilon, m.lattice.hits}[p];
        }
        ok(latmc_set_params(lattice, params[p], values));
    }
    free(values);
}

/* Couplings, fields of sites, and so many parameters. */
static inline void vector_set_most(latmc_lattice *lattice, const test_case *c, int64_t begin,
                                   int64_t count, int params)
{
    const vector_settings *s = c->settings;
    const vector_model m = vector_replica(c, begin);
    const int sites = field_sites(&m.lattice), dims = m.lattice.dims;
    const int64_t first = vector_sample(c, begin);
    const int64_t samples = vector_sample(c, begin + count - 1) - first + 1;

    ok(latmc_set_bond_type_couplings(lattice, m.axis));
    if (samples > 1 || first > 0)
        ok(latmc_set_samples(lattice, samples, first));
    vector_set_numbers(lattice, &s->bonds, NAIVE_COUPLINGS, dims, sites, first, samples);
    vector_set_numbers(lattice, &s->fields, NAIVE_SITE_FIELDS, 1, sites, first, samples);
    vector_set_params(lattice, c, begin, count, params);
}

static inline void vector_set(latmc_lattice *lattice, const test_case *c, int64_t begin,
                              int64_t count)
{
    ok(latmc_set_option(lattice, LATMC_N, c->model->components));
    vector_set_most(lattice, c, begin, count, 4);
}

static inline int vector_serves(const test_case *c, latmc_update update)
{
    (void)c;
    (void)update;
    return 1;
}

static inline latmc_status vector_change(latmc_lattice *lattice)
{
    return latmc_set_bond_type_couplings(lattice, (const double[]){1.0, -0.5, 2.0, 1.0});
}

#endif
