/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields at the door: how far they may go, what is converted, what is said of reflections. */
#include "tests/models/phi4_plain.h"

enum { SITES = 30 };

static const field_model plain_model = {2, {5, 6}, {P, P}, 0.5, 1.0, .kappa = 0.25, .epsilon = 0.8};

/* Two replicas, started and swept. */
static latmc_lattice *ready(void)
{
    const field_model two[] = {plain_model, plain_model};
    latmc_lattice *lattice = field_lattice(two, 2, LATMC_FLOAT64, 9);

    ok(latmc_set_device(lattice, "cpu:scalar"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 2));
    return lattice;
}

/* Updates may go beyond what may be given, and what they made can be saved and loaded. */
static void fields_may_go_further(void **state)
{
    const latmc_type types[] = {LATMC_FLOAT32, LATMC_FLOAT64};
    const field_model free_field = {2, {5, 6}, {P, P}, .mu2 = 0.1, .epsilon = 1.0};

    (void)state;
    for (size_t t = 0; t < ALL(types); t++) {
        latmc_lattice *lattice = field_lattice(&free_field, 1, types[t], 1), *loaded = NULL;
        double sites[SITES], most = 0.0;
        char saved[2048];
        size_t bytes;
        for (int i = 0; i < SITES; i++)
            sites[i] = i % 2 ? 1e6 : -1e6;
        ok(set_replica(lattice, 0, LATMC_FLOAT64, sites, SITES));
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, 1));
        ok(get_replica(lattice, 0, LATMC_FLOAT64, sites, SITES));
        for (int i = 0; i < SITES; i++)
            most = fmax(most, fabs(sites[i]));
        assert_true(most > 1.5e6);
        ok(latmc_save_memory(lattice, saved, sizeof saved, &bytes));
        ok(latmc_load_memory(&loaded, saved, bytes));
        assert_true(hash_of(loaded) == hash_of(lattice));
        latmc_destroy(lattice);
        latmc_destroy(loaded);
    }
}

/* Sites come and go in either type: a double becomes the nearest float, and no more is lost. */
static void types_are_converted(void **state)
{
    const latmc_type types[] = {LATMC_FLOAT32, LATMC_FLOAT64};

    (void)state;
    for (size_t t = 0; t < ALL(types); t++) {
        latmc_lattice *lattice = field_lattice(&plain_model, 1, types[t], 1);
        double sites[SITES], got[SITES];
        float rounded[SITES];
        for (int i = 0; i < SITES; i++)
            sites[i] = 0.1 * i - 1.0;
        ok(set_replica(lattice, 0, LATMC_FLOAT64, sites, SITES));
        ok(get_replica(lattice, 0, LATMC_FLOAT32, rounded, SITES));
        ok(get_replica(lattice, 0, LATMC_FLOAT64, got, SITES));
        for (int i = 0; i < SITES; i++) {
            assert_true(rounded[i] == (float)sites[i]);
            assert_true(got[i] == (t == 0 ? (double)(float)sites[i] : sites[i]));
        }
        ok(set_replica(lattice, 0, LATMC_FLOAT32, rounded, SITES));
        ok(get_replica(lattice, 0, LATMC_FLOAT64, got, SITES));
        for (int i = 0; i < SITES; i++)
            assert_true(got[i] == (double)rounded[i]);
        assert_int_equal(info_of(lattice).type, types[t]);
        latmc_destroy(lattice);
    }
}

static int flagged(latmc_lattice *lattice, latmc_update update, int64_t records)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double series[2 * 8];

    return record_not_ergodic(lattice, update, records, &energy, series);
}

/* Over-relaxation alone samples what it can reach, and the record says so. */
static void updates_that_are_not_ergodic_are_flagged(void **state)
{
    latmc_lattice *lattice = ready();
    latmc_description info = LATMC_INIT(latmc_description);

    (void)state;
    for (int i = 0; i < 3; i++) {
        ok(latmc_describe(LATMC_UPDATES, LATMC_PHI4, i, &info));
        assert_int_equal(info.ergodic, info.id != LATMC_OVERRELAX);
    }
    assert_int_equal(flagged(lattice, LATMC_OVERRELAX, 8), 1);
    assert_int_equal(flagged(lattice, LATMC_METROPOLIS, 8), 0);
    for (int i = 0; i < 3; i++) { /* a schedule of both */
        ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
        assert_int_equal(flagged(lattice, LATMC_OVERRELAX, 1), 0);
    }
    assert_int_equal(flagged(lattice, LATMC_OVERRELAX, 1), 1);
    ok(latmc_sweep(lattice, LATMC_BLOCK_METROPOLIS, 1));
    assert_int_equal(flagged(lattice, LATMC_OVERRELAX, 2), 1);
    ok(latmc_start(lattice, LATMC_START_HOT));
    assert_int_equal(flagged(lattice, LATMC_OVERRELAX, 1), 1);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_may_go_further),
        cmocka_unit_test(types_are_converted),
        cmocka_unit_test(updates_that_are_not_ergodic_are_flagged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
