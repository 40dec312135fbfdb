/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ising lattices of more words than the kernels of whole lattices count: they are cut in slabs of
 * one device. Here a small one is cut as if it were so large, and which ones are cut is asked
 * without a lattice. Words that are numbered beyond 2^32 are in tests/models/test_ising_counters.c.
 * And planes of more rows and more replicas than a GPU's kernel counts at once.
 */
#include "backends/cuda/bits/view.h"
#include "backends/cuda/cuda.h"
#include "lib/divide/division.h"
#include "lib/geometry/siteword.h"
#include "tests/inside.h"
#include "tests/support.h"

typedef struct large {
    int dims;
    int64_t extents[4];
    int cut;
} large;

/* Whether one is cut: the largest that are not, with rows of many words and of few, and in natural
 * order; and larger ones. */
static const large lattices[] = {
    {2, {262144, 262143, 1, 1}, 0}, {2, {262144, 262144, 1, 1}, 1}, {2, {262143, 262080, 1, 1}, 0},
    {2, {66, 1041204192, 1, 1}, 0}, {2, {66, 1041204194, 1, 1}, 1}, {2, {34, 2021161078, 1, 1}, 0},
    {3, {4096, 4096, 4095, 1}, 0},  {2, {800000, 344064, 1, 1}, 1}, {2, {1000002, 275002, 1, 1}, 1},
    {3, {8192, 8192, 4160, 1}, 1},  {4, {8192, 128, 128, 2080}, 1},
};

/* Words of a sublattice. */
static int64_t words_of(const lm_spec *spec)
{
    const lm_words words = lm_words_of(spec);

    return words.rows * words.width;
}

static void huge_lattices_are_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL(lattices); i++) {
        const large *l = &lattices[i];
        lm_spec spec = {.model = LATMC_ISING,
                        .kept = LM_IN_WORDS,
                        .dims = l->dims,
                        .reach = 1,
                        .layers = l->extents[l->dims - 1],
                        .replicas = 1,
                        .samples = 1};
        lm_division *d = NULL;

        memcpy(spec.extents, l->extents, sizeof spec.extents);
        const lm_to_divide what = {.spec = &spec,
                                   .cuts = &(lm_cuts){0},
                                   .most_sites = lm_cuda_ising_words.most_sites,
                                   .devices = 1};
        ok(lm_divide(&what, &d));
        assert_int_equal(d->pieces > 1, l->cut);
        free(d);
        assert_true(l->cut || words_of(&spec) < (int64_t)1 << 31);
    }
}

enum { SUMS = 3, RECORDS = 4, REPLICAS = 70 };

static const latmc_quantity sums[SUMS] = {LATMC_QUANTITY(LATMC_ENERGY),
                                          LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                          LATMC_QUANTITY(LATMC_CHANGED)};

static latmc_lattice *made(const int64_t *extents)
{
    latmc_lattice *lattice;

    ok(latmc_create(&lattice, LATMC_ISING, 2, extents));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_param(lattice, LATMC_BETA, 0.44));
    return lattice;
}

static latmc_lattice *started(const char *device, int64_t most_sites)
{
    latmc_lattice *lattice = made((int64_t[]){64, 60});

    inside_limit(lattice, most_sites);
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

/* From the file of one of them. */
static latmc_lattice *loaded(latmc_lattice *from, const char *device)
{
    const char *const path = "large.latmc";
    latmc_lattice *lattice;

    ok(latmc_save(from, path));
    ok(latmc_load(&lattice, path));
    ok(latmc_set_device(lattice, device));
    remove(path);
    return lattice;
}

static void record(latmc_lattice *lattice, latmc_update update,
                   double series[REPLICAS * RECORDS * SUMS])
{
    ok(record_series(lattice, update, 2, RECORDS, SUMS, sums, series));
}

/* Two and three slabs of one device: the series of a whole lattice, and a file that goes on
 * elsewhere. */
static void slabs_of_one_device_are_the_lattice(void **state)
{
    static double want[REPLICAS * RECORDS * SUMS], got[REPLICAS * RECORDS * SUMS];

    (void)state;
    needs("cuda:0");
    for (int slabs = 2; slabs <= 3; slabs++)
        for (int k = 0; k < 2; k++) {
            const latmc_update update = k ? LATMC_HEATBATH : LATMC_METROPOLIS;
            latmc_lattice *whole = started("cpu", 0),
                          *large = started("cuda:0", 64 * (60 / slabs + 2));

            assert_int_equal(large->home.division->pieces, slabs);
            record(whole, update, want);
            record(large, update, got);
            assert_memory_equal(want, got, sizeof want);
            latmc_lattice *after = loaded(large, "cpu");
            record(whole, update, want);
            record(large, update, got);
            assert_memory_equal(want, got, sizeof want);
            record(after, update, got);
            assert_memory_equal(want, got, sizeof want);
            latmc_destroy(whole);
            latmc_destroy(large);
            latmc_destroy(after);
        }
}

/* Kernels whose launches have so many words, of one colour, as three replicas' words or groups:
 * rows of whole words, of words that replicas share, in natural order; bonds of one sample, or of
 * each replica's own with signs and gaps. */
static const struct {
    const char *kernel;
    int64_t extents[2];
    int samples;
    double gaps;
    int64_t words;
    latmc_update update;
} forced[] = {
    {"large", {64, 60}, 1, 0, 3 * 60, LATMC_METROPOLIS},
    {"large", {64, 60}, REPLICAS, 0, 3 * 60, LATMC_METROPOLIS},
    {"large", {256, 8}, 1, 0, 3 * 32, LATMC_METROPOLIS},
    {"lines", {256, 8}, 1, 0, 3 * 32, LATMC_METROPOLIS},
    {"large", {16, 30}, 1, 0, 3 * 30, LATMC_METROPOLIS},
    {"ruled", {16, 30}, 1, 0, 3 * 30, LATMC_HEATBATH},
    {"ruled", {64, 60}, REPLICAS, 0.2, 3 * 60, LATMC_METROPOLIS},
    {"natural", {15, 31}, 1, 0, 3 * 31, LATMC_HEATBATH},
    {"natural", {33, 31}, REPLICAS, 0.2, 3 * 62, LATMC_METROPOLIS},
    {"uniform natural", {15, 31}, 1, 0, 3 * 31, LATMC_METROPOLIS},
};

static void groups_in_several_launches(void **state)
{
    static double want[REPLICAS * RECORDS * SUMS], got[REPLICAS * RECORDS * SUMS];
    const int64_t most = lm_bits_launch_words;

    (void)state;
    needs("cuda:0");
    for (size_t i = 0; i < ALL(forced); i++) {
        double *const series[2] = {want, got};

        for (int gpu = 0; gpu < 2; gpu++) {
            latmc_lattice *l = made(forced[i].extents);

            ok(latmc_set_samples(l, forced[i].samples, 0));
            if (forced[i].samples > 1)
                ok(latmc_draw_bond_couplings(l, LATMC_PLUS_MINUS_ONE, 5, 1,
                                             (latmc_argument[]){LATMC_DRAW_MISSING},
                                             &forced[i].gaps));
            ok(latmc_set_device(l, gpu ? "cuda:0" : "cpu"));
            ok(latmc_start(l, LATMC_START_HOT));
            ok(latmc_sweep(l, forced[i].update, 1)); /* the plan knows by what rule it sweeps */
            lm_bits_launch_words = forced[i].words;
            if (gpu)
                assert_int_equal(lm_cuda_force(l->home.plan.self, forced[i].kernel,
                                               forced[i].update == LATMC_HEATBATH),
                                 1);
            record(l, forced[i].update, series[gpu]);
            lm_bits_launch_words = most;
            latmc_destroy(l);
        }
        assert_memory_equal(want, got, sizeof want);
    }
}

/* 16 GB, of which nothing is taken. */
static void rows_of_too_many_words_are_refused(void **state)
{
    const int64_t extent = ((int64_t)1 << 37) + 1;
    latmc_lattice *lattice;

    (void)state;
    needs("cuda:0");
    ok(latmc_create(&lattice, LATMC_ISING, 1, &extent));
    ok(latmc_set_device(lattice, "cuda:0"));
    refused(LATMC_ERROR_ARGUMENT, "2^32", latmc_start(lattice, LATMC_START_COLD));
    latmc_destroy(lattice);
}

/* ---- counts of planes */

/* On a device, the structure factors along axis 0 of a cold lattice whose ends there are
 * antiperiodic, or of a hot one. */
static void structures_of(const char *device, int dims, const int64_t *extents, int64_t replicas,
                          latmc_start_mode start, double *values)
{
    const latmc_boundary boundaries[] = {A, P, P};
    const latmc_quantity structure = LATMC_QUANTITY(LATMC_STRUCTURE, 0);
    latmc_lattice *lattice;

    ok(latmc_create(&lattice, LATMC_ISING, dims, extents));
    ok(latmc_set_boundaries(lattice, boundaries));
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, start));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &structure, values));
    latmc_destroy(lattice);
}

/* Each warp has as many rows as its digits count. Rows are a power of two, so that each replica has
 * exactly the number of a lattice with few of them. */
static void planes_of_many_rows(void **state)
{
    enum { COUNT = 64 };
    double want, got[COUNT];

    (void)state;
    needs("cuda:0");
    structures_of("cpu", 3, (int64_t[]){256, 2, 2}, 1, LATMC_START_COLD, &want);
    structures_of("cuda:0", 3, (int64_t[]){256, 256, 256}, COUNT, LATMC_START_COLD, got);
    assert_true(want > 0.1);
    for (int r = 0; r < COUNT; r++)
        assert_memory_equal(&got[r], &want, sizeof want);
}

/* More replicas than have room for their counts at once. */
static void planes_of_many_replicas(void **state)
{
    enum { COUNT = 150 };
    static double want[COUNT], got[COUNT];
    const int64_t extent = 8000;

    (void)state;
    needs("cuda:0");
    structures_of("cpu", 1, &extent, COUNT, LATMC_START_HOT, want);
    structures_of("cuda:0", 1, &extent, COUNT, LATMC_START_HOT, got);
    assert_memory_equal(got, want, sizeof want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(huge_lattices_are_cut),
                                       cmocka_unit_test(slabs_of_one_device_are_the_lattice),
                                       cmocka_unit_test(groups_in_several_launches),
                                       cmocka_unit_test(planes_of_many_rows),
                                       cmocka_unit_test(planes_of_many_replicas),
                                       cmocka_unit_test(rows_of_too_many_words_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
