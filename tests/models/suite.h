/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs that loop over the models share: making lattices, comparing them, running. */
#ifndef LM_TESTS_SUITE_H
#define LM_TESTS_SUITE_H

#include <stdlib.h>

#include "tests/models/models.h"

static const uint64_t suite_seed = 0x0123456789abcdefu;

/* ---- lattices */

/* As it is made, with the model's option. */
static inline latmc_lattice *suite_made(const test_model *m, int dims, const int64_t *extents)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, m->id, dims, extents));
    if (m->option)
        ok(latmc_set_option(lattice, (latmc_option)m->option, m->option_value));
    return lattice;
}

/* Ends of a shape, as far as the model has them. */
static inline void suite_set_boundaries(const test_model *m, latmc_lattice *lattice, int dims,
                                        const latmc_boundary *boundaries)
{
    latmc_boundary own[LATMC_MAX_DIMS];

    for (int a = 0; a < dims; a++)
        own[a] = m->no_antiperiodic && boundaries[a] == A ? O : boundaries[a];
    ok(latmc_set_boundaries(lattice, own));
}

/* `count` replicas from number `begin` of the case on, on "cpu:scalar", not started. */
static inline latmc_lattice *suite_lattice(const test_case *c, int64_t begin, int64_t count)
{
    latmc_lattice *lattice = suite_made(c->model, c->shape->dims, c->shape->extents);

    suite_set_boundaries(c->model, lattice, c->shape->dims, c->shape->boundaries);
    ok(latmc_set_replicas(lattice, count));
    ok(latmc_set_first_replica(lattice, c->shape->first + begin));
    ok(latmc_set_seed(lattice, suite_seed));
    ok(set_type(lattice, c->type));
    c->model->set(lattice, c, begin, count);
    ok(latmc_set_device(lattice, "cpu:scalar"));
    return lattice;
}

static inline latmc_lattice *suite_started(const test_case *c, int64_t begin, int64_t count,
                                           const char *device, int threads)
{
    latmc_lattice *lattice = suite_lattice(c, begin, count);

    ok(latmc_set_threads(lattice, threads));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static inline test_case suite_case(const test_model *m, const shape *s, const test_variant *v)
{
    return (test_case){.model = m, .shape = s, .settings = v->settings, .type = v->type};
}

/* Sanitizers make the larger shapes take minutes, and see in the others what there is to see. */
enum { SUITE_MOST_SITES = LM_SANITIZED ? 2048 : 1 << 30 };

static inline int suite_is_too_large(const shape *s)
{
    int64_t sites = s->replicas;

    for (int a = 0; a < s->dims; a++)
        sites *= s->extents[a];
    return sites > SUITE_MOST_SITES;
}

/* Is the case worth this update? */
static inline int suite_serves(const test_case *c, latmc_update update)
{
    return c->model->serves(c, update) && !suite_is_too_large(c->shape);
}

enum { RICH_SITES = 7 * 6 * 5, RICH_REPLICAS = 2 };
static const shape rich_shape = {3, {7, 6, 5}, {P, A, O}, 40, RICH_REPLICAS};

/* As much as possible is not preset; swept, on "cpu:scalar". */
static inline latmc_lattice *suite_rich(const test_model *m, const test_variant *v)
{
    const test_case c = suite_case(m, &rich_shape, v);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu:scalar", 0);

    ok(latmc_sweep(lattice, v->update, 5));
    return lattice;
}

/* ---- lists */

static inline int suite_has(const int *list, int id)
{
    while (*list && *list != id)
        list++;
    return *list != 0;
}

/* The quantities that a lattice has, of those that the suite knows of its model. */
enum { SUITE_QUANTITIES = 40 };
typedef struct suite_known {
    int count;
    latmc_quantity of[SUITE_QUANTITIES];
} suite_known;

static inline suite_known suite_quantities(const latmc_lattice *lattice, const test_model *m)
{
    suite_known list = {.count = 0};

    for (int i = 0; m->observables[i].observable; i++)
        if (has_quantity(lattice, m->observables[i])) {
            assert_true(list.count < SUITE_QUANTITIES);
            list.of[list.count++] = m->observables[i];
        }
    return list;
}

/* ---- sites */

enum { SUITE_COMPONENTS = 4 }; /* the most numbers of a site */

static inline int suite_components(const test_model *m)
{
    return m->components ? m->components : 1;
}

/* Numbers of so many sites. */
static inline int64_t suite_count(const test_model *m, int64_t sites)
{
    return sites * suite_components(m);
}

static inline size_t suite_bytes(latmc_type type)
{
    return type == LATMC_INT8 || type == LATMC_UINT8 ? 1
           : type == LATMC_FLOAT32                   ? sizeof(float)
                                                     : sizeof(double);
}

static inline double suite_site(latmc_type type, const void *sites, int64_t i)
{
    return type == LATMC_INT8      ? (double)((const int8_t *)sites)[i]
           : type == LATMC_UINT8   ? (double)((const uint8_t *)sites)[i]
           : type == LATMC_FLOAT32 ? (double)((const float *)sites)[i]
                                   : ((const double *)sites)[i];
}

static inline void suite_put(latmc_type type, void *sites, int64_t i, double value)
{
    if (type == LATMC_INT8)
        ((int8_t *)sites)[i] = (int8_t)value;
    else if (type == LATMC_UINT8)
        ((uint8_t *)sites)[i] = (uint8_t)value;
    else if (type == LATMC_FLOAT32)
        ((float *)sites)[i] = (float)value;
    else
        ((double *)sites)[i] = value;
}

/* The first component of site i is `value`, the others are 0. */
static inline void suite_put_site(const test_model *m, latmc_type type, void *sites, int64_t i,
                                  double value)
{
    const int64_t first = suite_count(m, i);

    for (int c = 0; c < suite_components(m); c++)
        suite_put(type, sites, first + c, c == 0 ? value : 0.0);
}

static inline void *suite_room(int64_t count, size_t bytes)
{
    void *memory = calloc((size_t)count, bytes);

    assert_non_null(memory);
    return memory;
}

/* ---- all that can be asked */

/* What the last sweep did: the share of accepted proposals, or of changed sites. */
static inline latmc_quantity suite_share(const test_model *m)
{
    return quantity_of(m->tuned ? LATMC_ACCEPTANCE : LATMC_CHANGED, 0);
}

/* All quantities of pairs that a lattice has; returns how many. */
static inline int suite_pair_quantities(const latmc_lattice *lattice, latmc_quantity *all, int most)
{
    const latmc_model model = (latmc_model)info_of(lattice).model;
    int64_t things;
    int count = 0;

    ok(latmc_count(LATMC_PAIR_OBSERVABLES, model, &things));
    for (int64_t o = 0; o < things; o++) {
        latmc_description info = LATMC_INIT(latmc_description);
        int64_t sizes[2];

        ok(latmc_describe(LATMC_PAIR_OBSERVABLES, model, o, &info));
        ok(latmc_quantity_sizes(lattice, (latmc_observable)info.id, sizes));
        assert_true(count + sizes[0] * sizes[1] <= most);
        for (int i = 0; i < sizes[0] * sizes[1]; i++) {
            all[count] = quantity_of((latmc_observable)info.id, i % (int)sizes[0]);
            all[count++].second = i / (int)sizes[0];
        }
    }
    return count;
}

/* Observables and parameters of all replicas: *count numbers, to be freed. */
static inline double *suite_numbers(latmc_lattice *lattice, const test_model *m, int64_t *count)
{
    const int64_t replicas = info_of(lattice).replicas;
    const suite_known list = suite_quantities(lattice, m);
    const int64_t rows = list.count;
    int64_t params = 0;
    double *numbers, *at;

    while (m->params[params])
        params++;
    *count = (rows + params) * replicas;
    numbers = at = suite_room(*count, sizeof *numbers);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, rows, list.of, at));
    at += rows * replicas;
    for (int i = 0; m->params[i]; i++, at += replicas)
        ok(latmc_get_params(lattice, (latmc_param)m->params[i], at));
    return numbers;
}

/* Couplings of the bonds and fields of the sites of every sample: *count numbers, to be freed. */
static inline double *suite_disorder(const latmc_lattice *lattice, const test_model *m,
                                     int64_t *count)
{
    const latmc_lattice_info info = info_of(lattice);
    const int64_t bonds = m->has_couplings ? info.bond_types * info.cells : 0;
    const int64_t fields = m->has_site_fields ? info.sites : 0, samples = info.samples;
    double *numbers = suite_room(samples * (bonds + fields) + 1, sizeof *numbers), *at = numbers;

    *count = samples * (bonds + fields);
    for (int64_t j = 0; j < samples; j++, at += bonds + fields) {
        if (bonds)
            ok(latmc_get_bond_couplings(lattice, j, at));
        if (fields)
            ok(latmc_get_site_fields(lattice, j, at + bonds));
    }
    return numbers;
}

static inline int suite_bonds_differ(const latmc_lattice *a, const latmc_lattice *b)
{
    latmc_disorder_info of = LATMC_INIT(latmc_disorder_info),
                        other = LATMC_INIT(latmc_disorder_info);

    ok(latmc_get_coupling_info(a, &of));
    ok(latmc_get_coupling_info(b, &other));
    return memcmp(&of, &other, sizeof of) != 0 || info_of(a).samples != info_of(b).samples ||
           info_of(a).first_sample != info_of(b).first_sample;
}

/* The numbers of two lists, which are freed. */
static inline int suite_lists_differ(double *a, int64_t count_a, double *b, int64_t count_b)
{
    const int differ = count_a != count_b || memcmp(a, b, (size_t)count_a * sizeof *a) != 0;

    free(a);
    free(b);
    return differ;
}

static inline int suite_slots_differ(const latmc_lattice *a, const latmc_lattice *b)
{
    const int64_t count = info_of(a).replicas;
    int64_t *of = suite_room(2 * count, sizeof *of), *other = of + count;
    int differ;

    ok(latmc_get_slots(a, of));
    ok(latmc_get_slots(b, other));
    differ = memcmp(of, other, (size_t)count * sizeof *of) != 0;
    free(of);
    return differ;
}

/* What two lattices differ in, but for threads; or NULL. */
static inline const char *suite_difference(latmc_lattice *a, latmc_lattice *b, const test_model *m)
{
    latmc_lattice_info x = info_of(a), y = info_of(b);
    int64_t count_a, count_b;
    double *of_a = suite_disorder(a, m, &count_a), *of_b = suite_disorder(b, m, &count_b);
    const char *what = NULL;

    if (m->has_couplings && suite_bonds_differ(a, b))
        what = "what is said of couplings";
    x.threads = y.threads = 0;
    if (suite_lists_differ(of_a, count_a, of_b, count_b))
        what = "couplings or site fields";
    of_a = suite_numbers(a, m, &count_a);
    of_b = suite_numbers(b, m, &count_b);
    if (suite_lists_differ(of_a, count_a, of_b, count_b))
        what = "measurements or parameters";
    if (hash_of(a) != hash_of(b))
        what = "sites";
    if (x.replicas == y.replicas && suite_slots_differ(a, b))
        what = "slots";
    if (memcmp(&x, &y, sizeof x) != 0)
        what = "settings";
    return what;
}

/* ---- running */

/* What a test is run for; its state. */
typedef struct suite_stage {
    const test_model *model;
    const char *device; /* NULL: the test takes what it wants */
} suite_stage;

/* For what a test is run: once, for each model, or for each model on each of the devices that
 * trajectories are compared on. */
typedef enum suite_extent { SUITE_ALONE, SUITE_MODELS, SUITE_DEVICES } suite_extent;

typedef struct suite_test {
    const char *name;
    CMUnitTestFunction function;
    suite_extent extent;
} suite_test;

#define SUITE_ONCE(function)                                                                       \
    {                                                                                              \
#function, function, SUITE_ALONE                                                           \
    }
#define SUITE_TEST(function)                                                                       \
    {                                                                                              \
#function, function, SUITE_MODELS                                                          \
    }
#define SUITE_ON_DEVICES(function)                                                                 \
    {                                                                                              \
#function, function, SUITE_DEVICES                                                         \
    }

enum { SUITE_NAME = 100 };

typedef struct suite_list {
    struct CMUnitTest *tests;
    suite_stage *stages;
    char (*names)[SUITE_NAME];
    size_t count;
} suite_list;

/* Room for so many tests, until the program ends. */
static inline suite_list suite_list_of(size_t most)
{
    const suite_list list = {.tests = calloc(most, sizeof *list.tests),
                             .stages = calloc(most, sizeof *list.stages),
                             .names = calloc(most, sizeof *list.names)};

    if (!list.tests || !list.stages || !list.names) {
        fprintf(stderr, "there is no memory for a list of %zu tests\n", most);
        exit(1);
    }
    return list;
}

static inline void suite_add(suite_list *list, const suite_test *test, const test_model *m,
                             const char *device)
{
    const size_t n = list->count++;

    list->stages[n] = (suite_stage){m, device};
    snprintf(list->names[n], SUITE_NAME, "%s%s%s%s%s", test->name, m ? ", " : "", m ? m->name : "",
             device ? ", " : "", device ? device : "");
    list->tests[n] =
        (struct CMUnitTest){list->names[n], test->function, NULL, NULL, &list->stages[n]};
}

/* The tests, for all models, or for one alone if it is not NULL. */
static inline int suite_run(const test_model *alone, const suite_test *tests, size_t count,
                            CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    const test_model *const *models = alone ? &alone : test_models;
    const size_t models_count = alone ? 1 : test_models_count;
    suite_list list = suite_list_of(count * models_count * ALL(every_device));

    for (size_t t = 0; t < count; t++) {
        if (tests[t].extent == SUITE_ALONE)
            suite_add(&list, &tests[t], NULL, NULL);
        for (size_t m = 0; m < models_count && tests[t].extent != SUITE_ALONE; m++) {
            if (LM_SANITIZED && models[m]->akin)
                continue;
            if (tests[t].extent == SUITE_MODELS)
                suite_add(&list, &tests[t], models[m], NULL);
            for (size_t d = 0; d < ALL(every_device) && tests[t].extent == SUITE_DEVICES; d++)
                suite_add(&list, &tests[t], models[m], every_device[d]);
        }
    }
    return _cmocka_run_group_tests("models", list.tests, list.count, set_up, tear_down);
}

/* Under sanitizers the plain lane and the others share the cases of a test: what there is to see in
 * them is in the code around the lanes. So do the plain lane and AVX2 beside AVX-512, which has
 * all. */
static inline int suite_shares(const suite_stage *on)
{
    const int both = usable("cpu:avx2") && usable("cpu:avx512");

    return LM_SANITIZED ||
           (both && (strcmp(on->device, "cpu:avx2") == 0 || strcmp(on->device, "cpu:scalar") == 0));
}

static inline int suite_has_case(const suite_stage *on, int number)
{
    return !suite_shares(on) || (number + (strcmp(on->device, "cpu:scalar") == 0)) % 2 == 0;
}

/* The model's ensemble number i after a sweep, on a device; NULL where its turn is another stage's.
 */
static inline latmc_lattice *suite_ensemble(const suite_stage *on, int i, const char *device)
{
    const test_model *m = on->model;
    const test_case c = suite_case(m, &m->large[i], m->large_variant);
    latmc_lattice *lattice;

    if (!suite_has_case(on, i))
        return NULL;
    lattice = suite_started(&c, 0, c.shape->replicas, device, 2);
    ok(latmc_sweep(lattice, m->large_variant->update, 1));
    return lattice;
}

/* The stage of a test, which ends here if its device cannot be used. */
static inline const suite_stage *suite_stage_of(void **state)
{
    const suite_stage *on = *state;

    if (on->device && (!usable(on->device) || !has_model(on->device, (int)on->model->id)))
        skip();
    return on;
}

#endif
