/* SPDX-License-Identifier: BSD-3-Clause */
/* Moving between devices, and devices that fail. */
#include "tests/models/ising.h"

#include <unistd.h>

#include "tests/lib/devices.h"

/* Through all devices in mid-run, against one that stayed. */
static void a_move_does_not_show(void **state)
{
    for (int bonds = 0; bonds < 3; bonds++) {
        latmc_lattice *stays = rich_lattice(bonds), *moves = rich_lattice(bonds);

        for (int64_t i = 0; i < 2 * known_devices(); i++) {
            latmc_device_info info = {.size = sizeof info};

            ok(latmc_describe_device(i % known_devices(), &info));
            if (!info.usable)
                continue;
            ok(latmc_sweep(stays, LATMC_METROPOLIS, 2));
            ok(latmc_sweep(moves, LATMC_METROPOLIS, 2));
            ok(latmc_set_device(moves, info.name));
            assert_string_equal(device_of(moves), info.name);
            if (i % 2)
                assert_same(stays, moves);
        }
        assert_same(stays, moves);
        latmc_destroy(stays);
        latmc_destroy(moves);
    }
    (void)state;
    assert_int_equal(open_plans, 0);
}

/* Loaded for a device that cannot be had: nothing is lost, and another one can be chosen. */
static void a_loaded_lattice_waits_for_its_device(void **state)
{
    latmc_lattice *stays = rich_lattice(1), *lat = NULL;
    int8_t sites[210], same[210];
    size_t bytes, again;
    double e[2] = {7.0, 7.0};
    char *saved;

    (void)state;
    ok(latmc_save_memory(stays, NULL, 0, &bytes));
    saved = calloc(2, bytes);
    assert_non_null(saved);
    ok(latmc_save_memory(stays, saved, bytes, &bytes));
    setenv("LATMC_DEVICE", "cuda:0", 1);
    ok(latmc_load_memory(&lat, saved, bytes));
    assert_int_equal(info_of(lat).started, 1);
    assert_int_equal(info_of(lat).sweeps, 5);
    refused(LATMC_ERROR_NO_DEVICE, "latmc_sweep: environment variable LATMC_DEVICE: cuda:0 cannot",
            latmc_sweep(lat, LATMC_METROPOLIS, 1));
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", observe_one(lat, LATMC_ENERGY, e));
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", latmc_get_device(lat, (char[32]){0}, 32));
    refused(LATMC_ERROR_STATE, "already started", latmc_set_seed(lat, 3));
    assert_true(e[0] == 7.0 && hash_of(lat) == hash_of(stays));
    ok(get_replica(stays, 1, LATMC_INT8, sites, 210));
    ok(get_replica(lat, 1, LATMC_INT8, same, 210));
    assert_memory_equal(sites, same, sizeof sites);
    ok(latmc_save_memory(lat, saved + bytes, bytes, &again));
    assert_memory_equal(saved, saved + bytes, bytes);

    ok(latmc_set_device(lat, "cpu:scalar"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    assert_same(stays, lat);
    ok(latmc_sweep(stays, LATMC_METROPOLIS, 3));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 3));
    assert_same(stays, lat);
    setenv("LATMC_DEVICE", "", 1);
    latmc_destroy(lat);
    latmc_destroy(stays);
    free(saved);
}

static void arm(long n)
{
    calls = 0;
    fails_at = n;
}

static long disarm(void)
{
    fails_at = 0;
    return calls;
}

/* A choice opens nothing; a device that is then full can be tried again. */
static void a_loaded_lattice_is_placed_when_it_is_needed(void **state)
{
    latmc_lattice *stays = rich_lattice(2), *lat = NULL;
    char saved[4096];
    size_t bytes;

    (void)state;
    ok(latmc_save_memory(stays, saved, sizeof saved, &bytes));
    setenv("LATMC_DEVICE", "cuda:1", 1);
    ok(latmc_load_memory(&lat, saved, bytes));
    ok(latmc_set_threads(lat, 1));
    assert_string_equal(device_of(lat), "cuda:1");
    assert_int_equal(open_plans, 0);
    fails_with = LATMC_ERROR_DEVICE_MEMORY;
    arm(1);
    refused(LATMC_ERROR_DEVICE_MEMORY, "latmc_sweep: environment variable LATMC_DEVICE: sabotage",
            latmc_sweep(lat, LATMC_HEATBATH, 2));
    disarm();
    assert_int_equal(open_plans, 0);
    ok(latmc_sweep(lat, LATMC_HEATBATH, 2));
    assert_int_equal(open_plans, 1);
    ok(latmc_sweep(stays, LATMC_HEATBATH, 2));
    assert_same(stays, lat);
    latmc_destroy(lat);

    ok(latmc_load_memory(&lat, saved, bytes));
    ok(latmc_set_device(lat, "cuda"));
    setenv("LATMC_DEVICE", "", 1);
    arm(1);
    refused(LATMC_ERROR_DEVICE_MEMORY, "latmc_start: sabotage", latmc_start(lat, LATMC_START_COLD));
    disarm();
    assert_int_equal(info_of(lat).sweeps, 5);
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(info_of(lat).sweeps, 0);
    latmc_destroy(lat);
    latmc_destroy(stays);
    assert_int_equal(open_plans, 0);
}

/* Every call to the device fails in turn, from it and on the way to it. */
static void a_failing_device_leaves_the_lattice(void **state)
{
    char path[] = "/tmp/latmc-devices-XXXXXX";
    const saboteur by[] = {
        {arm, disarm, LATMC_ERROR_DEVICE, "sabotage", "cuda:1", "cpu", path},
        {arm, disarm, LATMC_ERROR_DEVICE_MEMORY, "sabotage", "cpu:scalar", "cuda:1", path},
    };

    (void)state;
    close(mkstemp(path));
    for (size_t b = 0; b < ALL(by); b++) {
        long total;

        fails_with = by[b].status;
        total = walk_all(&test_ising, &ising_rich[0], &by[b], 0);
        print_message("%ld calls failed with %s\n", total, latmc_status_name(fails_with));
        assert_true(total > 10);
    }
    assert_int_equal(open_plans, 0);
    unlink(path);
}

/* Lattices of which a few measurements are stored at once; their series, and what the last sweep
 * changed. */
static double *streamed(const char *device, int64_t records, int64_t every)
{
    enum { REPLICAS = 300 };
    static const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                          LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                          LATMC_QUANTITY(LATMC_M4), LATMC_QUANTITY(LATMC_CHANGED)};
    latmc_lattice *lat = new_lattice(2, (int64_t[]){8, 6});
    double beta[REPLICAS];
    double *series = calloc((size_t)((4 * records + 1) * REPLICAS), sizeof *series);

    assert_non_null(series);
    for (int r = 0; r < REPLICAS; r++)
        beta[r] = 0.2 + 0.001 * r;
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_params(lat, LATMC_BETA, beta));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(record_series(lat, LATMC_METROPOLIS, every, records, 4, what, series));
    ok(latmc_observe(lat, LATMC_BY_REPLICA, 1, &what[3], series + 4 * records * REPLICAS));
    latmc_destroy(lat);
    return series;
}

static void what_a_plan_streams_is_the_series(void **state)
{
    const int64_t numbers = (4 * 50 + 1) * 300, before = taken;

    (void)state;
    for (int64_t every = 1; every < 4; every += 2) {
        double *series = streamed("cuda:1", 50, every), *want = streamed("cpu:scalar", 50, every);

        assert_memory_equal(series, want, (size_t)numbers * sizeof *series);
        free(series);
        free(want);
    }
    assert_int_equal(taken - before, 2 * 7); /* of 50 measurements, at most 8 at a time */
    assert_int_equal(most_taken, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_does_not_show),
        cmocka_unit_test(a_loaded_lattice_waits_for_its_device),
        cmocka_unit_test(a_loaded_lattice_is_placed_when_it_is_needed),
        cmocka_unit_test(a_failing_device_leaves_the_lattice),
        cmocka_unit_test(what_a_plan_streams_is_the_series),
    };

    return cmocka_run_group_tests(tests, no_wish, NULL);
}
