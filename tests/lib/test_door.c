/* SPDX-License-Identifier: BSD-3-Clause */
/* Every setting and every bad argument to it: refused with its reason, nothing changed. */
#include "tests/support.h"

#include <math.h>

static latmc_lattice *const none = NULL;

/* Each function that takes a lattice, without one. */
static void no_lattice_is_refused(void **state)
{
    latmc_lattice_info info = {.size = sizeof info};
    latmc_boundary boundary = LATMC_OPEN;
    latmc_observable energy = LATMC_ENERGY;
    double x = 0.0;
    uint64_t hash;
    size_t bytes;
    char text[32];
    int8_t site = 1;
    const latmc_status got[] = {
        latmc_set_replicas(none, 1),
        latmc_set_first_replica(none, 0),
        latmc_set_boundaries(none, &boundary),
        latmc_set_seed(none, 1),
        latmc_set_param(none, LATMC_BETA, 1.0),
        latmc_set_params(none, LATMC_BETA, &x),
        latmc_get_params(none, LATMC_BETA, &x),
        latmc_set_axis_couplings(none, &x),
        latmc_set_bond_couplings(none, &x),
        latmc_draw_bond_couplings(none, LATMC_PLUS_MINUS_ONE, 1),
        latmc_get_bond_couplings(none, &x),
        latmc_get_info(none, &info),
        latmc_set_device(none, "cpu"),
        latmc_get_device(none, text, sizeof text),
        latmc_set_threads(none, 1),
        latmc_start(none, LATMC_START_COLD),
        latmc_sweep(none, LATMC_METROPOLIS, 1),
        latmc_set_progress(none, NULL, NULL),
        latmc_observe(none, LATMC_ENERGY, &x),
        latmc_record(none, LATMC_METROPOLIS, 1, 1, 1, &energy, &x),
        latmc_get_sites(none, 0, LATMC_INT8, &site, 1),
        latmc_set_sites(none, 0, LATMC_INT8, &site, 1),
        latmc_state_hash(none, &hash),
        latmc_save(none, "/nowhere"),
        latmc_save_memory(none, NULL, 0, &bytes),
    };

    (void)state;
    for (size_t i = 0; i < ALL(got); i++)
        assert_int_equal(got[i], LATMC_ERROR_ARGUMENT);
    assert_string_equal(latmc_error_message(), "latmc_save_memory: lattice is NULL");
    latmc_destroy(NULL);
}

static void create_checks_its_arguments(void **state)
{
    const int64_t big = (int64_t)1 << 20, e[] = {4, 4, 4, 4, 4};
    latmc_lattice *const before = (latmc_lattice *)&big;
    latmc_lattice *lat = before;
    const latmc_model ising = LATMC_ISING;

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "lattice is NULL", latmc_create(NULL, ising, 2, e));
    refused(LATMC_ERROR_ARGUMENT, "extents is NULL", latmc_create(&lat, ising, 2, NULL));
    refused(LATMC_ERROR_UNKNOWN, "model number 0", latmc_create(&lat, (latmc_model)0, 2, e));
    refused(LATMC_ERROR_UNKNOWN, "model number 2", latmc_create(&lat, (latmc_model)2, 2, e));
    refused(LATMC_ERROR_ARGUMENT, "dims is 0", latmc_create(&lat, ising, 0, e));
    refused(LATMC_ERROR_ARGUMENT, "dims is -3", latmc_create(&lat, ising, -3, e));
    refused(LATMC_ERROR_ARGUMENT, "dims is 5; 1 to 4", latmc_create(&lat, ising, 5, e));
    refused(LATMC_ERROR_ARGUMENT, "extent 1 is 1; every extent must be at least 2",
            latmc_create(&lat, ising, 2, (int64_t[]){2, 1}));
    refused(LATMC_ERROR_ARGUMENT, "extent 0 is -8", latmc_create(&lat, ising, 1, (int64_t[]){-8}));
    refused(LATMC_ERROR_ARGUMENT, "2^40", latmc_create(&lat, ising, 2, (int64_t[]){big, big + 1}));
    refused(LATMC_ERROR_ARGUMENT, "2^40",
            latmc_create(&lat, ising, 4, (int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX, 4}));
    refused(LATMC_ERROR_ARGUMENT, "2^40",
            latmc_create(&lat, ising, 4, (int64_t[]){(int64_t)1 << 32, 2, (int64_t)1 << 32, 2}));
    assert_ptr_equal(lat, before);
    ok(latmc_create(&lat, ising, 2, (int64_t[]){big, big}));
    latmc_destroy(lat);
}

static void a_new_lattice_has_the_presets(void **state)
{
    latmc_lattice *lat = new_lattice(3, (int64_t[]){4, 3, 2});
    latmc_lattice_info info = info_of(lat);
    latmc_info about = {.size = sizeof about};
    double x;

    (void)state;
    assert_int_equal(info.model, LATMC_ISING);
    assert_int_equal(info.dims, 3);
    assert_int_equal(info.extents[0], 4);
    assert_int_equal(info.extents[2], 2);
    assert_int_equal(info.extents[3], 1);
    assert_int_equal(info.boundaries[2], LATMC_PERIODIC);
    assert_int_equal(info.boundaries[3], 0);
    assert_int_equal(info.sites, 24);
    assert_int_equal(info.replicas, 1);
    assert_int_equal(info.first_replica, 0);
    assert_int_equal(info.seed, 1);
    assert_int_equal(info.sweeps, 0);
    assert_int_equal(info.started, 0);
    assert_int_equal(info.threads, 0);
    for (int p = 0; p < 2; p++) {
        ok(latmc_describe(LATMC_PARAMS, LATMC_ISING, p, &about));
        ok(latmc_get_params(lat, (latmc_param)about.id, &x));
        assert_true(x == about.preset);
    }
    latmc_destroy(lat);
}

static void settings_check_their_arguments(void **state)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){4, 4});
    latmc_lattice_info before = info_of(lat), after;
    const latmc_boundary bad[2] = {LATMC_OPEN, (latmc_boundary)4};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "0 replicas", latmc_set_replicas(lat, 0));
    refused(LATMC_ERROR_ARGUMENT, "-1 replicas", latmc_set_replicas(lat, -1));
    refused(LATMC_ERROR_ARGUMENT, "65537", latmc_set_replicas(lat, 65537));
    refused(LATMC_ERROR_ARGUMENT, "first is -1", latmc_set_first_replica(lat, -1));
    refused(LATMC_ERROR_ARGUMENT, "0 to 65535", latmc_set_first_replica(lat, 65536));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_set_boundaries(lat, NULL));
    refused(LATMC_ERROR_UNKNOWN, "boundary number 4", latmc_set_boundaries(lat, bad));
    refused(LATMC_ERROR_ARGUMENT, "threads is -1", latmc_set_threads(lat, -1));
    refused(LATMC_ERROR_ARGUMENT, "4096", latmc_set_threads(lat, 4097));
    refused(LATMC_ERROR_ARGUMENT, "info is NULL", latmc_get_info(lat, NULL));
    after = (latmc_lattice_info){.size = 8};
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_get_info(lat, &after));
    after = info_of(lat);
    assert_memory_equal(&before, &after, sizeof before);

    ok(latmc_set_first_replica(lat, 65530));
    ok(latmc_set_replicas(lat, 6));
    refused(LATMC_ERROR_ARGUMENT, "7 replicas", latmc_set_replicas(lat, 7));
    ok(latmc_set_threads(lat, 4096));
    ok(latmc_set_progress(lat, NULL, NULL));
    assert_int_equal(info_of(lat).threads, 4096);
    latmc_destroy(lat);
}

static void parameters_check_their_arguments(void **state)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){4, 4});
    const latmc_param no_param = (latmc_param)3;
    double values[3] = {0.1, 0.2, 0.3};
    double bad[3] = {1.0, 1.0, (double)NAN};

    (void)state;
    ok(latmc_set_replicas(lat, 3));
    ok(latmc_set_params(lat, LATMC_BETA, values));
    refused(LATMC_ERROR_UNKNOWN, "beta (1001), field (1002)", latmc_set_param(lat, no_param, 1.0));
    refused(LATMC_ERROR_UNKNOWN, "number 3", latmc_set_params(lat, no_param, values));
    refused(LATMC_ERROR_UNKNOWN, "number 3", latmc_get_params(lat, no_param, values));
    refused(LATMC_ERROR_ARGUMENT, "values is NULL", latmc_set_params(lat, LATMC_BETA, NULL));
    refused(LATMC_ERROR_ARGUMENT, "values is NULL", latmc_get_params(lat, LATMC_BETA, NULL));
    refused(LATMC_ERROR_ARGUMENT, "nan", latmc_set_param(lat, LATMC_BETA, (double)NAN));
    refused(LATMC_ERROR_ARGUMENT, "inf", latmc_set_param(lat, LATMC_FIELD, (double)INFINITY));
    refused(LATMC_ERROR_ARGUMENT, "1e+31", latmc_set_param(lat, LATMC_BETA, 1e31));
    refused(LATMC_ERROR_ARGUMENT, "beta of replica 2", latmc_set_params(lat, LATMC_BETA, bad));
    bad[0] = bad[1] = bad[2] = 0.0;
    ok(latmc_get_params(lat, LATMC_BETA, bad));
    assert_memory_equal(values, bad, sizeof bad);

    ok(latmc_set_replicas(lat, 2));
    ok(latmc_set_replicas(lat, 3));
    ok(latmc_get_params(lat, LATMC_BETA, bad));
    assert_true(bad[0] == 0.1 && bad[1] == 0.2 && bad[2] == 0.1);
    latmc_destroy(lat);
}

static void couplings_check_their_arguments(void **state)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){3, 2});
    double bonds[12] = {1, -1, 0, 1, 1, 1, -1, -1, 0, 0, 1, 1}, got[12] = {7};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_set_axis_couplings(lat, NULL));
    refused(LATMC_ERROR_ARGUMENT, "axis 1 is nan",
            latmc_set_axis_couplings(lat, (double[]){1.0, (double)NAN}));
    refused(LATMC_ERROR_ARGUMENT, "axis 0 is -inf",
            latmc_set_axis_couplings(lat, (double[]){-(double)INFINITY, 0.0}));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_bond_couplings(lat, NULL));
    refused(LATMC_ERROR_UNKNOWN, "pm1 (501)",
            latmc_draw_bond_couplings(lat, (latmc_distribution)2, 1));
    ok(latmc_set_bond_couplings(lat, bonds));
    bonds[7] = 0.5;
    refused(LATMC_ERROR_ARGUMENT, "site 1 along axis 1 is 0.5",
            latmc_set_bond_couplings(lat, bonds));
    bonds[7] = (double)NAN;
    refused(LATMC_ERROR_ARGUMENT, "nan", latmc_set_bond_couplings(lat, bonds));
    bonds[7] = -1.0;
    ok(latmc_get_bond_couplings(lat, got));
    assert_memory_equal(bonds, got, sizeof got);
    latmc_destroy(lat);
}

/* What fixes the trajectory cannot be set once it has begun; the rest can. */
static void a_started_lattice_is_fixed(void **state)
{
    latmc_lattice *lat = rich_lattice(0);
    const latmc_boundary open[3] = {LATMC_OPEN, LATMC_OPEN, LATMC_OPEN};
    const uint64_t hash = hash_of(lat);

    (void)state;
    refused(LATMC_ERROR_STATE, "already started", latmc_set_replicas(lat, 2));
    refused(LATMC_ERROR_STATE, "already started", latmc_set_first_replica(lat, 0));
    refused(LATMC_ERROR_STATE, "already started", latmc_set_boundaries(lat, open));
    refused(LATMC_ERROR_STATE, "already started", latmc_set_seed(lat, 5));
    refused(LATMC_ERROR_STATE, "already started", latmc_set_bond_couplings(lat, NULL));
    refused(LATMC_ERROR_STATE, "already started",
            latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 1));
    ok(latmc_set_param(lat, LATMC_BETA, 0.5));
    ok(latmc_set_axis_couplings(lat, (double[]){1.0, 1.0, 1.0}));
    ok(latmc_set_threads(lat, 2));
    assert_true(hash_of(lat) == hash);
    latmc_destroy(lat);
}

static void a_lattice_without_sites_cannot_run(void **state)
{
    latmc_lattice *lat = new_lattice(1, (int64_t[]){4});
    const latmc_observable energy = LATMC_ENERGY;
    uint64_t hash = 77;
    double x = 77.0;
    int8_t sites[4] = {77};
    size_t bytes = 77;

    (void)state;
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_sweep(lat, LATMC_METROPOLIS, 1));
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_observe(lat, LATMC_ENERGY, &x));
    refused(LATMC_ERROR_STATE, "latmc_start()",
            latmc_record(lat, LATMC_METROPOLIS, 1, 1, 1, &energy, &x));
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_get_sites(lat, 0, LATMC_INT8, sites, 4));
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_state_hash(lat, &hash));
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_save(lat, "/tmp/never"));
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_save_memory(lat, NULL, 0, &bytes));
    refused(LATMC_ERROR_UNKNOWN, "hot (401), cold (402)", latmc_start(lat, (latmc_start_mode)3));
    assert_true(hash == 77 && x == 77.0 && sites[0] == 77 && bytes == 77);
    latmc_destroy(lat);
}

/* 2^53 bytes of sites are more than an address can name. */
static void too_much_for_the_memory_is_refused(void **state)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){1 << 20, 1 << 20});

    (void)state;
    ok(latmc_set_replicas(lat, 65536));
    ok(latmc_set_device(lat, "cpu:scalar"));
    refused(LATMC_ERROR_MEMORY, "memory", latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(info_of(lat).started, 0);
    latmc_destroy(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_lattice_is_refused),
        cmocka_unit_test(create_checks_its_arguments),
        cmocka_unit_test(a_new_lattice_has_the_presets),
        cmocka_unit_test(settings_check_their_arguments),
        cmocka_unit_test(parameters_check_their_arguments),
        cmocka_unit_test(couplings_check_their_arguments),
        cmocka_unit_test(a_started_lattice_is_fixed),
        cmocka_unit_test(a_lattice_without_sites_cannot_run),
        cmocka_unit_test(too_much_for_the_memory_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
