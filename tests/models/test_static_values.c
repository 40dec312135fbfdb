/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static values of many samples of a tiny lattice: vectors need at most four times the memory that
 * the scalar lane needs, and the sites are the same. Linked with --wrap for lm_zeroed(), which says
 * what memory is for.
 */
#include "tests/support.h"

#include "lib/base/memory.h"

enum { SOME = 64, MOST_TIMES = 4 };

void *__real_lm_zeroed(const char *caller, const char *what, int64_t count, size_t size);
void *__wrap_lm_zeroed(const char *caller, const char *what, int64_t count, size_t size);

static int64_t bytes_of_values;

void *__wrap_lm_zeroed(const char *caller, const char *what, int64_t count, size_t size)
{
    if (strcmp(what, "the static values of the sites") == 0)
        bytes_of_values += count * (int64_t)size;
    return __real_lm_zeroed(caller, what, count, size);
}

/* ---- lattices */

typedef struct kind {
    latmc_model model;
    int option; /* -1: none */
    int64_t value;
    int precision;
} kind;

static const kind kinds[] = {
    {LATMC_ISING, -1, 0, 0},
    {LATMC_ONVECTOR, LATMC_N, 3, 32},
    {LATMC_ONVECTOR, LATMC_N, 2, 64},
    {LATMC_POTTS, LATMC_Q, 5, 0},
};

static latmc_lattice *made(const kind *k, int dims, const int64_t *extents, int64_t samples,
                           const char *device)
{
    static const latmc_boundary boundaries[] = {P, P, P, O}; /* the last axis is open */
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, k->model, dims, extents));
    if (k->option >= 0)
        ok(latmc_set_option(lattice, (latmc_option)k->option, k->value));
    if (k->precision)
        ok(latmc_set_option(lattice, LATMC_PRECISION, k->precision));
    ok(latmc_set_replicas(lattice, samples));
    ok(latmc_set_samples(lattice, samples, 0));
    ok(latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 5, 0, NULL, NULL));
    ok(latmc_draw_site_fields(lattice, LATMC_GAUSSIAN, 6, 0, NULL, NULL));
    ok(latmc_set_boundaries(lattice, boundaries + LATMC_MAX_DIMS - dims));
    ok(latmc_set_device(lattice, device));
    bytes_of_values = 0;
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 2));
    return lattice;
}

static void compare(const kind *k, int dims, const int64_t *extents, int64_t samples,
                    const char *device)
{
    latmc_lattice *scalar = made(k, dims, extents, samples, "cpu:scalar");
    const int64_t bytes = bytes_of_values;
    latmc_lattice *other = made(k, dims, extents, samples, device);
    uint64_t a = 0, b = 1;

    assert_true(bytes > 0);
    if (bytes_of_values > MOST_TIMES * bytes)
        fail_msg("model %d, %lld x %lld x %lld x %lld on %s: %lld bytes, the scalar lane %lld",
                 (int)k->model, (long long)extents[0], (long long)extents[1], (long long)extents[2],
                 (long long)extents[3], device, (long long)bytes_of_values, (long long)bytes);
    ok(latmc_state_hash(scalar, &a));
    ok(latmc_state_hash(other, &b));
    assert_int_equal(a, b);
    latmc_destroy(scalar);
    latmc_destroy(other);
}

/* Of 1 to 4 dimensions, where vectors find one node, a few, as many as lanes, or unequal ones. */
static void vectors_need_little_more(void **state)
{
    static const struct {
        int dims;
        int64_t extents[LATMC_MAX_DIMS];
    } shapes[] = {{4, {2, 2, 2, 2}}, {4, {4, 4, 4, 2}}, {4, {4, 4, 4, 4}}, {4, {3, 3, 3, 3}},
                  {4, {3, 4, 2, 5}}, {3, {2, 2, 2}},    {3, {3, 3, 3}},    {3, {4, 4, 4}},
                  {3, {6, 6, 6}},    {3, {7, 7, 7}},    {3, {10, 9, 9}},   {2, {2, 2}},
                  {2, {4, 2}},       {2, {4, 4}},       {2, {5, 5}},       {2, {6, 6}},
                  {2, {9, 7}},       {1, {2}},          {1, {3}},          {1, {16}},
                  {1, {37}}};
    const char *device = *state;

    needs(device);
    for (size_t i = 0; i < ALL(shapes); i++)
        for (size_t k = 0; k < ALL(kinds); k++)
            compare(&kinds[k], shapes[i].dims, shapes[i].extents, SOME, device);
    /* The fastest nodes would need a little more, which is allowed as long as it is not much. */
    compare(&kinds[0], 3, (const int64_t[LATMC_MAX_DIMS]){4, 2, 2}, 12000, device);
    compare(&kinds[0], 3, (const int64_t[LATMC_MAX_DIMS]){5, 5, 5}, 3000, device);
    compare(&kinds[0], 4, (const int64_t[LATMC_MAX_DIMS]){5, 5, 5, 5}, 400, device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"vectors need little more, cpu:avx2", vectors_need_little_more, NULL, NULL, "cpu:avx2"},
        {"vectors need little more, cpu:avx512", vectors_need_little_more, NULL, NULL,
         "cpu:avx512"},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
