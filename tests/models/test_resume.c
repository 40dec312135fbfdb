/* SPDX-License-Identifier: BSD-3-Clause */
/* Saving and loading: nothing of a lattice is lost, and its trajectory goes on. */
#include <unistd.h>

#include "tests/models/suite.h"

static char path[] = "/tmp/latmc-resume-XXXXXX";

static int make_file(void **state)
{
    const int file = mkstemp(path);

    (void)state;
    return file < 0 || close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static latmc_lattice *through_file(latmc_lattice *lattice)
{
    latmc_lattice *copy = NULL;

    ok(latmc_save(lattice, path));
    ok(latmc_load(&copy, path));
    return copy;
}

static latmc_lattice *through_memory(latmc_lattice *lattice)
{
    latmc_lattice *copy = NULL;
    size_t bytes;
    void *buffer = save_whole(lattice, &bytes);

    ok(latmc_load_memory(&copy, buffer, bytes));
    free(buffer);
    return copy;
}

/* With every update, and tuned. */
static void go_on(latmc_lattice *lattice, const test_model *m)
{
    for (int i = 0; m->updates[i]; i++)
        ok(latmc_sweep(lattice, (latmc_update)m->updates[i], 7));
    for (int i = 0; m->tuned && m->tuning_updates[i]; i++)
        ok(latmc_tune(lattice, (latmc_update)m->tuning_updates[i], 2, 0.5));
}

static void compare(latmc_lattice *lattice, latmc_lattice *copy, const test_model *m,
                    const test_variant *v, const char *when)
{
    const char *what = suite_difference(lattice, copy, m);

    if (what)
        fail_msg("%s, %s, %s: other %s", m->name, v->name, when, what);
}

static void a_loaded_lattice_is_the_same_and_goes_on(void **state)
{
    latmc_lattice *(*const ways[])(latmc_lattice *) = {through_file, through_memory};
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->rich; v->name; v++)
        for (size_t way = 0; way < ALL(ways); way++) {
            latmc_lattice *lattice = suite_rich(m, v), *copy = ways[way](lattice);

            compare(lattice, copy, m, v, "loaded");
            go_on(lattice, m);
            go_on(copy, m);
            compare(lattice, copy, m, v, "swept");
            latmc_destroy(lattice);
            latmc_destroy(copy);
        }
}

enum { LARGE_REPLICAS = LM_SANITIZED ? 2 : 3 };

/* The same sites, and the same bytes again from the copy. */
static void compare_large(latmc_lattice *lattice, latmc_lattice *copy, const test_model *m)
{
    const latmc_quantity some[] = {LATMC_QUANTITY(LATMC_ENERGY), suite_share(m)};
    double u[LARGE_REPLICAS * ALL(some)] = {0}, v[LARGE_REPLICAS * ALL(some)] = {0};
    size_t bytes, again;
    void *first = save_whole(lattice, &bytes), *second = save_whole(copy, &again);

    assert_true(hash_of(lattice) == hash_of(copy));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, ALL(some), some, u));
    ok(latmc_observe(copy, LATMC_BY_REPLICA, ALL(some), some, v));
    assert_memory_equal(u, v, sizeof u);

    assert_true(bytes == again);
    assert_memory_equal(first, second, bytes);
    free(first);
    free(second);
}

/* Several chunks, and ends of replicas within one; about as many numbers of every model. */
static void larger_lattices_pass_too(void **state)
{
    static const int64_t numbers[][2] = {{LM_SANITIZED ? 517 : 2053, 1021},
                                         {3, 5},
                                         {2, 2},
                                         {LM_SANITIZED ? 1 << 18 : 1 << 20, 2},
                                         {999, 999}};
    const test_model *m = suite_stage_of(state)->model;

    if (m->akin)
        skip();
    for (size_t i = 0; i < ALL(numbers); i++)
        for (int t = 0; m->types[t] && !(LM_SANITIZED && t); t++) {
            const int each = numbers[i][0] > 100 ? suite_components(m) : 1;
            const int64_t extents[] = {numbers[i][0] / each, numbers[i][1]};
            latmc_lattice *lattice = suite_made(m, 2, extents), *copy;

            ok(set_type(lattice, (latmc_type)m->types[t]));
            ok(latmc_set_replicas(lattice, LARGE_REPLICAS));
            ok(latmc_set_device(lattice, "cpu"));
            ok(latmc_start(lattice, LATMC_START_HOT));
            ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 2));
            copy = through_file(lattice);
            compare_large(lattice, copy, m);
            latmc_destroy(lattice);
            latmc_destroy(copy);
        }
}

static void bad_arguments_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lattice = suite_rich(m, m->rich), *const before = lattice, *copy = before;
    size_t bytes, need = 77;
    uint8_t *buffer = save_whole(lattice, &bytes), small[16] = {0};

    refused(LATMC_ERROR_ARGUMENT, "path is NULL", latmc_save(lattice, NULL));
    refused(LATMC_ERROR_ARGUMENT, "path is NULL", latmc_load(&copy, NULL));
    refused(LATMC_ERROR_ARGUMENT, "lattice is NULL", latmc_load(NULL, "x"));
    refused(LATMC_ERROR_ARGUMENT, "bytes is NULL", latmc_save_memory(lattice, buffer, bytes, NULL));
    refused(LATMC_ERROR_ARGUMENT, "capacity is 16", latmc_save_memory(lattice, small, 16, &need));
    refused(LATMC_ERROR_ARGUMENT, "capacity", latmc_save_memory(lattice, buffer, bytes - 1, &need));
    refused(LATMC_ERROR_ARGUMENT, "buffer is NULL", latmc_load_memory(&copy, NULL, 5));
    refused(LATMC_ERROR_ARGUMENT, "lattice is NULL", latmc_load_memory(NULL, buffer, bytes));
    refused(LATMC_ERROR_FORMAT, "does not begin", latmc_load_memory(&copy, buffer, 0));
    assert_true(need == 77 && copy == before && small[0] == 0);
    free(buffer);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(a_loaded_lattice_is_the_same_and_goes_on),
        SUITE_TEST(larger_lattices_pass_too),
        SUITE_TEST(bad_arguments_are_refused),
    };

    return suite_run(NULL, tests, ALL(tests), make_file, remove_file);
}
