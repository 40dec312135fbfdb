/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ising lattices whose sublattices have more words than 32 bits count, which the large kernel
 * sweeps in bands: the same sums over all sites as by the general kernel, which reckons with 64
 * bits and has neither bands nor patches. Skipped without a device of so much memory.
 */
#include "tests/support.h"

#include "tests/random/kernels.h"

typedef struct lattice {
    int dims;
    int64_t extents[4];
} lattice;

/* 2^32 words of a sublattice end within a row, and a few hundred rows lie beyond: rows of whole
 * patches of four words, others, planes, volumes. */
static const lattice lattices[] = {
    {2, {800000, 344064}},
    {2, {1000002, 275002}},
    {3, {8192, 8192, 4160}},
    {4, {8192, 128, 128, 2080}},
};

static int kernel_of(const char *name)
{
    for (int k = 1; k < kernels_count(); k++)
        if (strcmp(kernels_name(k), name) == 0)
            return k;
    return 0;
}

enum { SWEEPS = 5, SUMS = 3 };

/* Sums after every sweep; all sweeps by that kernel. */
static void record_by(const lattice *l, const char *kernel, double series[SWEEPS * SUMS])
{
    const latmc_observable sums[SUMS] = {LATMC_ENERGY, LATMC_MAGNETIZATION, LATMC_ACCEPTANCE};
    int64_t swept[KERNELS_MOST] = {0};
    latmc_lattice *lattice;

    ok(latmc_create(&lattice, LATMC_ISING, l->dims, l->extents));
    ok(latmc_set_device(lattice, "cuda:0"));
    ok(latmc_set_param(lattice, LATMC_BETA, 0.44));
    const latmc_status started = latmc_start(lattice, LATMC_START_HOT);
    if (started == LATMC_ERROR_MEMORY) {
        latmc_destroy(lattice);
        skip();
    }
    ok(started);
    kernels_force(lattice, kernel_of(kernel));
    ok(latmc_record(lattice, LATMC_METROPOLIS, 1, SWEEPS, SUMS, sums, series));
    kernels_add(lattice, swept);
    assert_int_equal(swept[kernel_of(kernel)], SWEEPS);
    latmc_destroy(lattice);
}

static void bands_agree(void **state)
{
    (void)state;
    if (!usable("cuda:0"))
        skip();
    assert_int_not_equal(kernel_of("bands"), 0);
    for (size_t i = 0; i < ALL(lattices); i++) {
        double bands[SWEEPS * SUMS], general[SWEEPS * SUMS];
        record_by(&lattices[i], "bands", bands);
        record_by(&lattices[i], "general", general);
        assert_memory_equal(bands, general, sizeof bands);
    }
}

/* 16 GB, of which nothing is taken. */
static void rows_of_too_many_words_are_refused(void **state)
{
    const int64_t extent = ((int64_t)1 << 37) + 1;
    latmc_lattice *lattice;

    (void)state;
    if (!usable("cuda:0"))
        skip();
    ok(latmc_create(&lattice, LATMC_ISING, 1, &extent));
    ok(latmc_set_device(lattice, "cuda:0"));
    refused(LATMC_ERROR_ARGUMENT, "2^32", latmc_start(lattice, LATMC_START_COLD));
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bands_agree),
                                       cmocka_unit_test(rows_of_too_many_words_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
