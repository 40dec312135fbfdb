/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Combinations of settings that the phi^4 model cannot have: found at the start or at the first
 * sweep, told by a sentence, and set right again without harm.
 */
#include "tests/models/phi4_plain.h"

static void sentence(const char *part)
{
    const char *text = latmc_error_message();

    if (!strstr(text, part) || strlen(text) < 30)
        fail_msg("\"%s\" does not say \"%s\"", text, part);
}

/* The start or the sweep must fail; a lattice that did start is as it was. */
static void cannot_run(const field_model *m, latmc_update update, const char *part)
{
    latmc_lattice *lattice = field_lattice(m, 1, LATMC_FLOAT32, 1);
    latmc_status status = latmc_start(lattice, LATMC_START_HOT);
    const int started = info_of(lattice).started;

    assert_true(started == (status == LATMC_OK));
    if (started) {
        const uint64_t hash = hash_of(lattice);
        status = latmc_sweep(lattice, update, 1);
        assert_true(hash_of(lattice) == hash);
        assert_int_equal(info_of(lattice).sweeps, 0);
    }
    if (status == LATMC_OK)
        fail_msg("%d x %d with \"%s\" runs", (int)m->extents[0], (int)m->extents[1], part);
    assert_true(status == LATMC_ERROR_ARGUMENT || status == LATMC_ERROR_STATE);
    sentence(part);
    latmc_destroy(lattice);
}

static void runs(const field_model *m, latmc_update update)
{
    latmc_lattice *lattice = field_lattice(m, 1, LATMC_FLOAT32, 1);

    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, update, 2));
    latmc_destroy(lattice);
}

/* A site two steps from itself. */
static void the_cutoff_needs_three_sites(void **state)
{
    const field_model closed = {2, {4, 2}, {P, P}, 1.0, 1.0, .kappa = 0.25};
    field_model m = closed;

    (void)state;
    cannot_run(&m, LATMC_METROPOLIS, "cutoff");
    cannot_run(&m, LATMC_OVERRELAX, "cutoff");
    m.boundaries[1] = A;
    cannot_run(&m, LATMC_METROPOLIS, "cutoff");
    m.boundaries[1] = O;
    cannot_run(&m, LATMC_METROPOLIS, "cutoff");
    m.kappa = 0.0;
    runs(&m, LATMC_METROPOLIS);
    m.boundaries[1] = P;
    runs(&m, LATMC_METROPOLIS);
    m.kappa = 0.25;
    m.extents[1] = 3;
    runs(&m, LATMC_METROPOLIS);
}

/* exp(-H) must have an integral. */
static void without_g_the_mass_must_be_positive(void **state)
{
    field_model m = {2, {4, 4}, {P, P}, 0.0, 0.0, .kappa = 0.0};

    (void)state;
    cannot_run(&m, LATMC_METROPOLIS, "mu2");
    cannot_run(&m, LATMC_BLOCK_METROPOLIS, "mu2");
    m.mu2 = -0.1;
    cannot_run(&m, LATMC_METROPOLIS, "mu2");
    m.kappa = 0.5;
    cannot_run(&m, LATMC_METROPOLIS, "mu2");
    m.mu2 = 0.1;
    runs(&m, LATMC_METROPOLIS);
    m.mu2 = -0.1;
    m.g = 1e-3;
    runs(&m, LATMC_METROPOLIS);
}

/* One bad replica among good ones; later in a run, too. */
static void every_replica_is_looked_at(void **state)
{
    const field_model good = {1, {2}, {P}, 1.0, 1.0, .kappa = 0.0};
    const field_model three[] = {good, good, good};
    latmc_lattice *lattice = field_lattice(three, 3, LATMC_FLOAT64, 1);
    uint64_t hash;

    (void)state;
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    hash = hash_of(lattice);
    if (latmc_set_params(lattice, LATMC_INV_LAMBDA, (double[]){0.0, 0.0, 0.5}) == LATMC_OK)
        assert_true(latmc_sweep(lattice, LATMC_METROPOLIS, 1) != LATMC_OK);
    sentence("inv_lambda");
    ok(latmc_set_param(lattice, LATMC_INV_LAMBDA, 0.0));
    ok(latmc_set_params(lattice, LATMC_MU2, (double[]){1.0, -1.0, 1.0}));
    if (latmc_set_params(lattice, LATMC_G, (double[]){1.0, 0.0, 1.0}) == LATMC_OK)
        assert_true(latmc_tune(lattice, LATMC_METROPOLIS, 1, 0.5) != LATMC_OK);
    sentence("mu2");
    ok(latmc_set_param(lattice, LATMC_G, 1.0));
    assert_true(hash_of(lattice) == hash);
    assert_int_equal(info_of(lattice).sweeps, 1);
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    latmc_destroy(lattice);
}

static void tiles_need_four_sites(void **state)
{
    field_model m = {2, {3, 8}, {P, P}, 1.0, 1.0, .kappa = 0.0};

    (void)state;
    cannot_run(&m, LATMC_BLOCK_METROPOLIS, "4");
    m.boundaries[0] = A;
    cannot_run(&m, LATMC_BLOCK_METROPOLIS, "4");
    m.extents[0] = 2;
    cannot_run(&m, LATMC_BLOCK_METROPOLIS, "4");
    m.boundaries[0] = O;
    runs(&m, LATMC_BLOCK_METROPOLIS);
    m.extents[0] = 3;
    m.kappa = 0.25;
    runs(&m, LATMC_BLOCK_METROPOLIS);
    m.extents[0] = 4;
    m.boundaries[0] = A;
    runs(&m, LATMC_BLOCK_METROPOLIS);
}

/* A refused update in a record leaves its series alone. */
static void records_are_refused_alike(void **state)
{
    const field_model m = {1, {3}, {P}, 1.0, 1.0, .kappa = 0.25};
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY),
                         density = LATMC_QUANTITY(LATMC_DENSITY);
    latmc_lattice *lattice = field_lattice(&m, 1, LATMC_FLOAT32, 1);
    double series[2] = {7.0, 7.0};
    uint64_t hash;

    (void)state;
    ok(latmc_start(lattice, LATMC_START_COLD));
    hash = hash_of(lattice);
    assert_true(record_series(lattice, LATMC_BLOCK_METROPOLIS, 1, 2, 1, &energy, series));
    sentence("4");
    refused(LATMC_ERROR_UNKNOWN, "phi_squared",
            record_series(lattice, LATMC_METROPOLIS, 1, 2, 1, &density, series));
    refused(LATMC_ERROR_UNKNOWN, "phi_squared",
            latmc_observe(lattice, LATMC_BY_REPLICA, 1, &density, series));
    assert_true(series[0] == 7.0 && series[1] == 7.0);
    assert_true(hash_of(lattice) == hash);
    assert_int_equal(info_of(lattice).sweeps, 0);
    latmc_destroy(lattice);
}

/* 2^40 sites at most. */
static void too_many_sites_are_refused(void **state)
{
    latmc_lattice *none = NULL;

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "more than 2^40 sites",
            latmc_create(&none, LATMC_PHI4, 2, (int64_t[]){(int64_t)1 << 21, (int64_t)1 << 20}));
    refused(LATMC_ERROR_ARGUMENT, "extent 0 is 1",
            latmc_create(&none, LATMC_PHI4, 1, (int64_t[]){1}));
    assert_null(none);
    ok(latmc_create(&none, LATMC_PHI4, 2, (int64_t[]){(int64_t)1 << 20, (int64_t)1 << 20}));
    latmc_destroy(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cutoff_needs_three_sites),
        cmocka_unit_test(without_g_the_mass_must_be_positive),
        cmocka_unit_test(every_replica_is_looked_at),
        cmocka_unit_test(tiles_need_four_sites),
        cmocka_unit_test(records_are_refused_alike),
        cmocka_unit_test(too_many_sites_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
