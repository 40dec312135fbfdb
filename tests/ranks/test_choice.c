/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library says that it has chosen, before the start and after it, and the memory that it
 * then takes. It is linked with --wrap for the allocating functions. */
#include <malloc.h>

#include "tests/ranks/threads.h"
#include "tests/support.h"

enum { RANKS = 3 };

/* ---- the memory that is taken */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
int __real_posix_memalign(void **out, size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes);
void __wrap_free(void *memory);

static _Atomic int64_t taken, largest; /* bytes at the moment, and of the largest allocation */

static void *counted(void *memory)
{
    const int64_t bytes = memory ? (int64_t)malloc_usable_size(memory) : 0;

    taken += bytes;
    if (bytes > largest)
        largest = bytes;
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    return counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return counted(__real_calloc(count, bytes));
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes)
{
    const int failed = __real_posix_memalign(out, alignment, bytes);

    if (!failed)
        counted(*out);
    return failed;
}

void __wrap_free(void *memory)
{
    if (memory)
        taken -= (int64_t)malloc_usable_size(memory);
    __real_free(memory);
}

/* ---- before and after the start */

typedef struct choice_case {
    latmc_model model;
    int dims;
    int64_t extents[3], replicas;
    latmc_type type;
    latmc_update update;
    const char *representation, *kernel;
    int phases;
    int disorder; /* bonds of their own */
} choice_case;

#define BLOCKS LATMC_BLOCK_METROPOLIS

static const choice_case cases[] = {
    {LATMC_ISING, 2, {2048, 2048}, 3, LATMC_INT8, LATMC_METROPOLIS, "words", "uniform", 2, 0},
    {LATMC_ISING, 3, {64, 64, 64}, 9, LATMC_INT8, LATMC_METROPOLIS, "words", "uniform", 2, 1},
    {LATMC_ISING, 2, {2047, 2048}, 1, LATMC_INT8, LATMC_HEATBATH, "words", "general", 3, 0},
    {LATMC_AUTOMATON, 2, {2040, 2048}, 3, LATMC_INT8, LATMC_SYNCHRONOUS, "words", "cells", 1, 0},
    {LATMC_PHI4, 3, {64, 64, 64}, 2, LATMC_FLOAT32, LATMC_METROPOLIS, "floats", "colours", 2, 0},
    {LATMC_PHI4, 3, {64, 64, 64}, 2, LATMC_FLOAT64, BLOCKS, "doubles", "tiles", 4, 0},
    {LATMC_POTTS, 2, {1024, 1024}, 8, LATMC_UINT8, LATMC_HEATBATH, "", "", 2, 0},
    {LATMC_ONVECTOR, 2, {256, 256}, 8, LATMC_FLOAT32, LATMC_METROPOLIS, "floats", "colours", 2, 1},
};

static latmc_lattice *make_on(const choice_case *c, const char *device)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, c->model, c->dims, c->extents));
    ok(set_type(lattice, c->type));
    ok(latmc_set_replicas(lattice, c->replicas));
    ok(latmc_set_device(lattice, device));
    if (c->disorder)
        ok(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL));
    return lattice;
}

static latmc_lattice *make(const choice_case *c)
{
    return make_on(c, "cpu:scalar");
}

static latmc_choice choice_of(const latmc_lattice *lattice, int64_t part, latmc_update update)
{
    latmc_choice choice = LATMC_INIT(latmc_choice);

    ok(latmc_get_choice(lattice, part, update, &choice));
    return choice;
}

static void the_choice_is_kept(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k++) {
        const choice_case *c = &cases[k];
        latmc_lattice *lattice = make(c);
        const latmc_choice before = choice_of(lattice, 0, c->update);
        latmc_choice after;

        assert_int_equal(before.present, 0);
        assert_non_null(strstr(before.representation, c->representation));
        if (!strstr(before.kernel, c->kernel))
            fail_msg("case %d: the kernel is %s", (int)k, before.kernel);
        assert_int_equal(before.phases, c->phases);
        assert_int_equal(before.parts, 1);
        assert_int_equal(before.replicas, c->replicas);
        assert_int_equal(before.layers, c->extents[c->dims - 1]);
        assert_string_equal(before.device, "cpu:scalar");
        assert_true(before.threads >= 1 && before.device_bytes == 0);
        ok(latmc_start(lattice, LATMC_START_HOT));
        after = choice_of(lattice, 0, c->update);
        assert_int_equal(after.present, 1);
        after.present = 0;
        assert_memory_equal(&after, &before, sizeof after);
        latmc_destroy(lattice);
    }
}

/* The bytes are right within an eighth. Describing takes no memory for sites. */
static void memory_is_foreseen(const choice_case *c, const char *device, int threads)
{
    latmc_lattice *lattice = make_on(c, device);
    const int64_t before = taken;
    int64_t bytes, got;

    largest = 0;
    ok(latmc_set_threads(lattice, threads));
    bytes = choice_of(lattice, 0, c->update).host_bytes;
    assert_true(taken == before);
    assert_true(largest < bytes / 4);
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, c->update, 1));
    got = taken - before;
    if (bytes < got - got / 8 || bytes > got + got / 8)
        fail_msg("model %d on %s, %d threads: %lld bytes were foreseen and %lld taken",
                 (int)c->model, device, threads, (long long)bytes, (long long)got);
    latmc_destroy(lattice);
}

static void the_memory_is_that_of_the_plan(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k++) {
        memory_is_foreseen(&cases[k], "cpu:scalar", 1);
        memory_is_foreseen(&cases[k], "cpu", 0);
        memory_is_foreseen(&cases[k], "cpu:scalar", 64);
    }
}

/* A lattice far larger than any memory has a choice, too. */
static void large_lattices_are_foreseen(void **state)
{
    latmc_lattice *lattice = NULL;

    (void)state;
    ok(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){1 << 20, 1 << 20}));
    ok(latmc_set_device(lattice, "cpu:scalar"));
    assert_true(choice_of(lattice, 0, LATMC_METROPOLIS).host_bytes >> 37 == 1);
    latmc_destroy(lattice);
}

static void the_kernel_follows_parameters(void **state)
{
    latmc_lattice *lattice = make(&cases[0]);

    (void)state;
    assert_string_equal(choice_of(lattice, 0, LATMC_METROPOLIS).kernel, "uniform rule");
    ok(latmc_set_param(lattice, LATMC_FIELD, 0.5));
    assert_string_equal(choice_of(lattice, 0, LATMC_METROPOLIS).kernel, "general rule");
    latmc_destroy(lattice);
}

static void wrong_questions_are_refused(void **state)
{
    latmc_choice unset = {.size = 3}, choice = LATMC_INIT(latmc_choice);
    latmc_lattice *l = make(&cases[0]);

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "part is 1; 0 to 0",
            latmc_get_choice(l, 1, LATMC_METROPOLIS, &choice));
    refused(LATMC_ERROR_ARGUMENT, "part is -1", latmc_get_choice(l, -1, LATMC_METROPOLIS, &choice));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_choice(l, 0, LATMC_METROPOLIS, NULL));
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_get_choice(l, 0, LATMC_METROPOLIS, &unset));
    refused(LATMC_ERROR_UNKNOWN, "update", latmc_get_choice(l, 0, LATMC_SCHEDULE, &choice));
    refused(LATMC_ERROR_UNKNOWN, "update", latmc_get_choice(l, 0, LATMC_SYNCHRONOUS, &choice));
    ok(latmc_set_device(l, "cpu:scalar,scalar"));
    ok(latmc_set_division(l, LATMC_DIVIDE_SLABS));
    assert_int_equal(choice_of(l, 1, LATMC_METROPOLIS).first_layer, 1024);
    latmc_destroy(l);
}

/* ---- ranks, which are not asked */

static void ask_alone(void *user, const latmc_ranks *ranks)
{
    int64_t *parts = (int64_t *)user + ranks->rank;
    latmc_choice choice = LATMC_INIT(latmc_choice);
    latmc_lattice *l = NULL;

    if (latmc_create_on_ranks(&l, ranks, LATMC_ISING, 2, (int64_t[]){64, 64}) ||
        latmc_set_device(l, ranks->rank == 1 ? "cpu:scalar,scalar" : "cpu:scalar"))
        return;
    for (int64_t p = 0; ranks->rank == 2 && p < 4; p++) /* the others make no such call */
        if (!latmc_get_choice(l, p, LATMC_METROPOLIS, &choice))
            *parts += choice.parts == 4 && choice.layers == 16 && choice.first_layer == 16 * p &&
                      choice.rank == (p + 1) / 2 && (*choice.device != 0) == (p == 3);
    latmc_destroy(l);
}

static void ranks_ask_alone(void **state)
{
    int64_t parts[RANKS] = {0};

    (void)state;
    ranks_run(RANKS, ask_alone, parts);
    assert_int_equal(parts[2], 4);
}

/* ---- the report */

static void the_report_has_all(void **state)
{
    const latmc_boundary boundaries[] = {LATMC_PERIODIC, LATMC_OPEN, LATMC_PERIODIC};
    const double betas[] = {0.25, 0.5, 0.75, 1, 1.25, 1, 0.75, 0.5, 0.25};
    const int64_t momenta[] = {0, 2, 0, 4, 0, 2};
    latmc_lattice *lattice = make(&cases[1]);
    size_t bytes = 0, again = 0;
    char *text;

    (void)state;
    ok(latmc_set_boundaries(lattice, boundaries));
    ok(latmc_set_params(lattice, LATMC_BETA, betas));
    ok(latmc_set_momenta(lattice, 2, momenta));
    ok(latmc_report(lattice, NULL, 0, &bytes));
    text = malloc(bytes);
    assert_non_null(text);
    refused(LATMC_ERROR_ARGUMENT, "capacity is", latmc_report(lattice, text, bytes - 1, &again));
    assert_true(again == bytes);
    ok(latmc_report(lattice, text, bytes, NULL));
    assert_true(strlen(text) == bytes - 1);
    assert_non_null(strstr(text, latmc_version()));
    assert_non_null(strstr(text, "device cpu:scalar"));
    assert_non_null(strstr(text, "64 periodic, 64 open, 64 periodic"));
    assert_non_null(strstr(text, "parameter beta: 0.25 to 1.25\n"));
    assert_non_null(strstr(text, "numbers of bonds: drawn"));
    assert_non_null(strstr(text, "momenta: 2, sets of weights: 0\n"));
    assert_non_null(strstr(text, "metropolis"));
    assert_non_null(strstr(text, "heatbath"));
    assert_non_null(strstr(text, "kernel: general rule"));
    refused(LATMC_ERROR_ARGUMENT, "text and bytes are NULL", latmc_report(lattice, NULL, 0, NULL));
    free(text);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choice_is_kept),
        cmocka_unit_test(the_memory_is_that_of_the_plan),
        cmocka_unit_test(large_lattices_are_foreseen),
        cmocka_unit_test(the_kernel_follows_parameters),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(ranks_ask_alone),
        cmocka_unit_test(the_report_has_all),
    };

    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
