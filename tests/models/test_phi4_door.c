/* SPDX-License-Identifier: BSD-3-Clause */
/* What the phi^4 model refuses: with a reason, and with nothing changed. */
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

/* All that a refused call must leave alone. */
typedef struct portrait {
    latmc_lattice_info info;
    double params[ALL(field_all_params)][2];
    double e[2], acceptance[2];
    uint64_t hash;
} portrait;

static portrait portrait_of(latmc_lattice *lattice)
{
    portrait p;

    memset(&p, 0, sizeof p);
    p.info = info_of(lattice);
    for (size_t i = 0; i < ALL(field_all_params); i++)
        ok(latmc_get_params(lattice, field_all_params[i], p.params[i]));
    if (!p.info.started)
        return p;
    ok(latmc_observe(lattice, LATMC_ENERGY, p.e));
    ok(latmc_observe(lattice, LATMC_ACCEPTANCE, p.acceptance));
    p.hash = hash_of(lattice);
    return p;
}

static void unchanged(latmc_lattice *lattice, const portrait *before)
{
    const portrait after = portrait_of(lattice);

    assert_memory_equal(&after, before, sizeof after);
}

static void parameters_have_ranges(void **state)
{
    static const struct {
        latmc_param param;
        double value;
        const char *part;
    } bad[] = {
        {LATMC_MU2, (double)NAN, "mu2"},
        {LATMC_MU2, (double)INFINITY, "mu2"},
        {LATMC_G, (double)NAN, "g of replica"},
        {LATMC_G, -1e-9, "g of replica"},
        {LATMC_G, (double)INFINITY, "g of replica"},
        {LATMC_INV_LAMBDA, (double)NAN, "inv_lambda"},
        {LATMC_INV_LAMBDA, -0.25, "inv_lambda"},
        {LATMC_INV_LAMBDA, (double)INFINITY, "inv_lambda"},
        {LATMC_FIELD, (double)NAN, "field"},
        {LATMC_FIELD, -(double)INFINITY, "field"},
        {LATMC_EPSILON, (double)NAN, "epsilon"},
        {LATMC_EPSILON, 0.0, "epsilon"},
        {LATMC_EPSILON, -1.0, "epsilon"},
        {LATMC_EPSILON, (double)INFINITY, "epsilon"},
        {LATMC_HITS, (double)NAN, "hits"},
        {LATMC_HITS, 0.0, "hits"},
        {LATMC_HITS, 65.0, "hits"},
        {LATMC_HITS, 1.5, "hits"},
        {LATMC_HITS, -1.0, "hits"},
        {LATMC_LOCAL_SWEEPS, 0.0, "local_sweeps"},
        {LATMC_LOCAL_SWEEPS, 256.0, "local_sweeps"},
        {LATMC_LOCAL_SWEEPS, 2.25, "local_sweeps"},
        {LATMC_LOCAL_SWEEPS, (double)NAN, "local_sweeps"},
    };
    latmc_lattice *lattice = ready();
    const portrait before = portrait_of(lattice);

    (void)state;
    for (size_t i = 0; i < ALL(bad); i++) {
        const double values[2] = {1.0, bad[i].value};
        refused(LATMC_ERROR_ARGUMENT, bad[i].part,
                latmc_set_param(lattice, bad[i].param, bad[i].value));
        refused(LATMC_ERROR_ARGUMENT, "replica 1", latmc_set_params(lattice, bad[i].param, values));
    }
    refused(LATMC_ERROR_UNKNOWN, "mu2 (1100)", latmc_set_param(lattice, LATMC_BETA, 1.0));
    unchanged(lattice, &before);
    ok(latmc_set_param(lattice, LATMC_HITS, 64.0));
    ok(latmc_set_param(lattice, LATMC_LOCAL_SWEEPS, 255.0));
    ok(latmc_set_param(lattice, LATMC_G, 0.0));
    latmc_destroy(lattice);
}

static void couplings_are_not_for_fields(void **state)
{
    const double ones[2 * SITES] = {1.0, 1.0};
    double got[2 * SITES] = {7.0};
    latmc_lattice *lattice = NULL;

    (void)state;
    ok(latmc_create(&lattice, LATMC_PHI4, 2, plain_model.extents));
    const portrait before = portrait_of(lattice);
    refused(LATMC_ERROR_UNKNOWN, "phi4", latmc_set_axis_couplings(lattice, ones));
    refused(LATMC_ERROR_UNKNOWN, "phi4", latmc_set_bond_couplings(lattice, ones));
    refused(LATMC_ERROR_UNKNOWN, "phi4", latmc_set_bond_couplings(lattice, NULL));
    refused(LATMC_ERROR_UNKNOWN, "phi4",
            latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 1));
    refused(LATMC_ERROR_UNKNOWN, "phi4", latmc_get_bond_couplings(lattice, got));
    assert_true(got[0] == 7.0);
    unchanged(lattice, &before);
    latmc_destroy(lattice);
}

static void sites_have_types(void **state)
{
    latmc_lattice *lattice = ready();
    const portrait before = portrait_of(lattice);
    double sites[SITES] = {0};
    int8_t spins[SITES];

    (void)state;
    memset(spins, 1, sizeof spins);
    sites[0] = 7.0;
    refused(LATMC_ERROR_UNKNOWN, "type int8; they can be float32 or float64",
            latmc_set_sites(lattice, 0, LATMC_INT8, spins, SITES));
    refused(LATMC_ERROR_UNKNOWN, "type int8; they can be float32 or float64",
            latmc_get_sites(lattice, 0, LATMC_INT8, spins, SITES));
    refused(LATMC_ERROR_UNKNOWN, "", latmc_get_sites(lattice, 0, (latmc_type)12, sites, SITES));
    refused(LATMC_ERROR_UNKNOWN, "", latmc_set_sites(lattice, 0, (latmc_type)0, sites, SITES));
    refused(LATMC_ERROR_ARGUMENT, "29", latmc_get_sites(lattice, 0, LATMC_FLOAT64, sites, 29));
    refused(LATMC_ERROR_ARGUMENT, "31", latmc_set_sites(lattice, 0, LATMC_FLOAT64, sites, 31));
    refused(LATMC_ERROR_ARGUMENT, "replica is 2",
            latmc_set_sites(lattice, 2, LATMC_FLOAT64, sites, SITES));
    assert_true(sites[0] == 7.0 && spins[0] == 1);
    unchanged(lattice, &before);
    latmc_destroy(lattice);
}

static void sites_have_a_range(void **state)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1.0001e6,
                                 -1.0001e6};
    latmc_lattice *lattice = ready();
    const portrait before = portrait_of(lattice);
    double sites[SITES] = {0};
    float floats[SITES] = {0};

    (void)state;
    for (size_t i = 0; i < ALL(bad); i++) {
        sites[17] = bad[i];
        floats[29] = (float)bad[i];
        refused(LATMC_ERROR_ARGUMENT, "site 17",
                latmc_set_sites(lattice, 1, LATMC_FLOAT64, sites, SITES));
        refused(LATMC_ERROR_ARGUMENT, "site 29",
                latmc_set_sites(lattice, 0, LATMC_FLOAT32, floats, SITES));
    }
    unchanged(lattice, &before);
    sites[17] = -1e6;
    floats[29] = 1e6f;
    ok(latmc_set_sites(lattice, 1, LATMC_FLOAT64, sites, SITES));
    ok(latmc_set_sites(lattice, 0, LATMC_FLOAT32, floats, SITES));
    latmc_destroy(lattice);
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
        char saved[1024];
        size_t bytes;
        for (int i = 0; i < SITES; i++)
            sites[i] = i % 2 ? 1e6 : -1e6;
        ok(latmc_set_sites(lattice, 0, LATMC_FLOAT64, sites, SITES));
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, 1));
        ok(latmc_get_sites(lattice, 0, LATMC_FLOAT64, sites, SITES));
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
        ok(latmc_set_sites(lattice, 0, LATMC_FLOAT64, sites, SITES));
        ok(latmc_get_sites(lattice, 0, LATMC_FLOAT32, rounded, SITES));
        ok(latmc_get_sites(lattice, 0, LATMC_FLOAT64, got, SITES));
        for (int i = 0; i < SITES; i++) {
            assert_true(rounded[i] == (float)sites[i]);
            assert_true(got[i] == (t == 0 ? (double)(float)sites[i] : sites[i]));
        }
        ok(latmc_set_sites(lattice, 0, LATMC_FLOAT32, rounded, SITES));
        ok(latmc_get_sites(lattice, 0, LATMC_FLOAT64, got, SITES));
        for (int i = 0; i < SITES; i++)
            assert_true(got[i] == (double)rounded[i]);
        assert_int_equal(info_of(lattice).type, types[t]);
        latmc_destroy(lattice);
    }
}

static void precision_is_fixed_by_the_start(void **state)
{
    latmc_lattice *lattice = NULL, *ising = new_lattice(2, plain_model.extents);

    (void)state;
    ok(latmc_create(&lattice, LATMC_PHI4, 2, plain_model.extents));
    assert_int_equal(info_of(lattice).type, LATMC_FLOAT32);
    refused(LATMC_ERROR_UNKNOWN, "type int8", latmc_set_precision(lattice, LATMC_INT8));
    refused(LATMC_ERROR_UNKNOWN, "type number 12", latmc_set_precision(lattice, (latmc_type)12));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_set_precision(NULL, LATMC_FLOAT32));
    refused(LATMC_ERROR_UNKNOWN, "ising cannot be of type float32; they can be int8",
            latmc_set_precision(ising, LATMC_FLOAT32));
    assert_int_equal(info_of(lattice).type, LATMC_FLOAT32);
    assert_int_equal(info_of(ising).type, LATMC_INT8);
    latmc_destroy(lattice);
    lattice = ready();
    const portrait before = portrait_of(lattice);
    refused(LATMC_ERROR_STATE, "already started", latmc_set_precision(lattice, LATMC_FLOAT32));
    unchanged(lattice, &before);
    latmc_destroy(lattice);
    latmc_destroy(ising);
}

static void tuning_checks_its_arguments(void **state)
{
    latmc_lattice *lattice = ready(), *ising = rich_lattice(0), *empty = NULL;
    const portrait before = portrait_of(lattice);
    const uint64_t hash = hash_of(ising);

    (void)state;
    ok(latmc_create(&empty, LATMC_PHI4, 2, plain_model.extents));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_tune(NULL, LATMC_METROPOLIS, 1, 0.5));
    refused(LATMC_ERROR_STATE, "latmc_start()", latmc_tune(empty, LATMC_METROPOLIS, 1, 0.5));
    refused(LATMC_ERROR_ARGUMENT, "-1", latmc_tune(lattice, LATMC_METROPOLIS, -1, 0.5));
    refused(LATMC_ERROR_ARGUMENT, "0.04", latmc_tune(lattice, LATMC_METROPOLIS, 1, 0.04));
    refused(LATMC_ERROR_ARGUMENT, "0.96", latmc_tune(lattice, LATMC_METROPOLIS, 1, 0.96));
    refused(LATMC_ERROR_ARGUMENT, "nan", latmc_tune(lattice, LATMC_METROPOLIS, 1, (double)NAN));
    refused(LATMC_ERROR_UNKNOWN, "", latmc_tune(lattice, LATMC_HEATBATH, 1, 0.5));
    refused(LATMC_ERROR_UNKNOWN, "update number 99", latmc_tune(lattice, (latmc_update)99, 1, 0.5));
    refused(LATMC_ERROR_ARGUMENT, "the update overrelax does not use epsilon",
            latmc_tune(lattice, LATMC_OVERRELAX, 1, 0.5));
    refused(LATMC_ERROR_UNKNOWN, "", latmc_tune(ising, LATMC_METROPOLIS, 1, 0.5));
    refused(LATMC_ERROR_UNKNOWN, "", latmc_sweep(lattice, LATMC_HEATBATH, 1));
    refused(LATMC_ERROR_UNKNOWN, "", latmc_sweep(ising, LATMC_OVERRELAX, 1));
    ok(latmc_tune(lattice, LATMC_METROPOLIS, 0, 0.5));
    unchanged(lattice, &before);
    assert_true(hash_of(ising) == hash);
    ok(latmc_tune(lattice, LATMC_BLOCK_METROPOLIS, 2, 0.5));
    assert_int_equal(info_of(lattice).sweeps, 4);
    latmc_destroy(lattice);
    latmc_destroy(ising);
    latmc_destroy(empty);
}

static int flagged(latmc_lattice *lattice, latmc_update update, int64_t records)
{
    const latmc_observable what[] = {LATMC_ENERGY};
    latmc_estimate e = LATMC_INIT(latmc_estimate);
    double series[2 * 8];

    ok(latmc_record(lattice, update, 1, records, 1, what, series));
    if (records > 1)
        ok(latmc_analyse(series, records, &e));
    ok(latmc_check_record(lattice, &e));
    assert_int_equal(e.not_ergodic, info_of(lattice).not_ergodic);
    return e.not_ergodic;
}

/* Over-relaxation alone samples what it can reach, and the estimate says so. */
static void updates_that_are_not_ergodic_are_flagged(void **state)
{
    latmc_lattice *lattice = ready();
    latmc_info info = LATMC_INIT(latmc_info);
    latmc_estimate e = LATMC_INIT(latmc_estimate);

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
    assert_int_equal(info_of(lattice).not_ergodic, 0);
    assert_int_equal(flagged(lattice, LATMC_OVERRELAX, 1), 1);
    refused(LATMC_ERROR_ARGUMENT, "lattice is NULL", latmc_check_record(NULL, &e));
    refused(LATMC_ERROR_ARGUMENT, "estimate is NULL", latmc_check_record(lattice, NULL));
    e.size = 8;
    refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_estimate)", latmc_check_record(lattice, &e));
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_ranges),
        cmocka_unit_test(couplings_are_not_for_fields),
        cmocka_unit_test(sites_have_types),
        cmocka_unit_test(sites_have_a_range),
        cmocka_unit_test(fields_may_go_further),
        cmocka_unit_test(types_are_converted),
        cmocka_unit_test(precision_is_fixed_by_the_start),
        cmocka_unit_test(tuning_checks_its_arguments),
        cmocka_unit_test(updates_that_are_not_ergodic_are_flagged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
