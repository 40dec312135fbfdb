/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad couplings and fields of sites, and what a lattice refuses that was started, has no sites or
 * is too large, of every model: refused with its reason, nothing changed.
 */
#include <math.h>

#include "tests/models/door.h"

/* A model without couplings refuses them by its name. */
static void couplings_are_not_for(const test_model *m)
{
    const double ones[12] = {1.0, 1.0};
    double got[12] = {7.0};
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){3, 2});
    const latmc_lattice_info before = info_of(lat);
    latmc_disorder_info info = LATMC_INIT(latmc_disorder_info);
    latmc_lattice_info after;

    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_bond_type_couplings(lat, ones));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_bond_type_couplings(lat, got));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_bond_couplings(lat, ones));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_bond_couplings(lat, NULL));
    refused(LATMC_ERROR_UNKNOWN, m->name,
            latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_bond_couplings(lat, 0, got));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_coupling_info(lat, &info));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_samples(lat, 1, 0));
    assert_true(got[0] == 7.0);
    after = info_of(lat);
    assert_memory_equal(&before, &after, sizeof before);
    latmc_destroy(lat);
}

/* A model without fields of sites refuses them by its name. */
static void site_fields_are_not_for(const test_model *m)
{
    const double fields[6] = {1.0, 1.0};
    double got[6] = {7.0};
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){3, 2});
    latmc_disorder_info info = LATMC_INIT(latmc_disorder_info);

    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_site_fields(lat, fields));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_site_fields(lat, NULL));
    refused(LATMC_ERROR_UNKNOWN, "have no fields of their own",
            latmc_draw_site_fields(lat, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_site_fields(lat, 0, got));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_field_info(lat, &info));
    assert_true(got[0] == 7.0 && info.origin == 0);
    latmc_destroy(lat);
}

static void drawn_couplings_check_their_arguments(latmc_lattice *lat)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_distribution pm1 = LATMC_PLUS_MINUS_ONE;
    const latmc_argument plus = LATMC_DRAW_PLUS, missing = LATMC_DRAW_MISSING,
                         mean = LATMC_DRAW_MEAN;
    const latmc_argument twice[] = {LATMC_DRAW_MISSING, LATMC_DRAW_PLUS, LATMC_DRAW_MISSING},
                         none = 0;
    const double values[] = {0.5, 0.5, 0.5};
    latmc_disorder_info before = LATMC_INIT(latmc_disorder_info),
                        after = LATMC_INIT(latmc_disorder_info);

    ok(latmc_draw_bond_couplings(lat, pm1, 3, 2, twice, values));
    ok(latmc_get_coupling_info(lat, &before));
    refused(no, "count is -1", latmc_draw_bond_couplings(lat, pm1, 4, -1, &plus, values));
    refused(no, "arguments is NULL", latmc_draw_bond_couplings(lat, pm1, 4, 1, NULL, values));
    refused(no, "values is NULL", latmc_draw_bond_couplings(lat, pm1, 4, 1, &plus, NULL));
    refused(unknown, "pm1 has no argument mean (803); it has plus (801), missing (802)",
            latmc_draw_bond_couplings(lat, pm1, 4, 1, &mean, values));
    refused(unknown, "no argument number (0)",
            latmc_draw_bond_couplings(lat, pm1, 4, 1, &none, values));
    refused(no, "missing (802) is given twice, as arguments[0] and arguments[2]",
            latmc_draw_bond_couplings(lat, pm1, 4, 3, twice, values));
    refused(no, "plus of the distribution pm1 is 1.5; it must be a number from 0 to 1",
            latmc_draw_bond_couplings(lat, pm1, 4, 1, &plus, (double[]){1.5}));
    refused(no, "missing of the distribution pm1 is -0.5",
            latmc_draw_bond_couplings(lat, pm1, 4, 1, &missing, (double[]){-0.5}));
    refused(no, "is nan",
            latmc_draw_bond_couplings(lat, pm1, 4, 1, &plus, (double[]){(double)NAN}));
    refused(no, "NULL", latmc_get_coupling_info(lat, NULL));
    ok(latmc_get_coupling_info(lat, &after));
    assert_memory_equal(&before, &after, sizeof before);
}

static void samples_check_their_arguments(const test_model *m)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, late = LATMC_ERROR_STATE;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){3, 2});
    latmc_disorder_info before = LATMC_INIT(latmc_disorder_info),
                        after = LATMC_INIT(latmc_disorder_info);
    double bonds[36] = {0}, got[12];

    ok(latmc_set_replicas(lat, 6));
    ok(latmc_set_samples(lat, 3, 4294967293));
    ok(latmc_set_bond_couplings(lat, bonds));
    ok(latmc_get_coupling_info(lat, &before));
    refused(no, "samples is 0; with 6 replicas", latmc_set_samples(lat, 0, 0));
    refused(no, "samples is -3", latmc_set_samples(lat, -3, 0));
    refused(no, "samples is 4; with 6 replicas", latmc_set_samples(lat, 4, 0));
    refused(no, "samples is 12", latmc_set_samples(lat, 12, 0));
    refused(no, "first is -1; with 3 samples it must be 0 to 4294967293",
            latmc_set_samples(lat, 3, -1));
    refused(no, "first is 4294967294", latmc_set_samples(lat, 3, 4294967294));
    refused(late, "couplings were given for 3 samples, not for 2", latmc_set_samples(lat, 2, 0));
    refused(no, "7 replicas cannot be divided by 3 samples", latmc_set_replicas(lat, 7));
    refused(no, "sample is 3; there are 0 to 2", latmc_get_bond_couplings(lat, 3, got));
    refused(no, "sample is -1", latmc_get_bond_couplings(lat, -1, got));
    bonds[12 + 6 + 5] = (double)INFINITY;
    refused(no, "bond type 1 in cell 5 is inf, in sample 1", latmc_set_bond_couplings(lat, bonds));
    ok(latmc_get_coupling_info(lat, &after));
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(info_of(lat).samples == 3 && info_of(lat).first_sample == 4294967293);
    ok(latmc_set_samples(lat, 3, 7)); /* as many, of other numbers */
    ok(latmc_set_bond_couplings(lat, NULL));
    ok(latmc_set_samples(lat, 2, 0));
    ok(latmc_set_replicas(lat, 8));
    latmc_destroy(lat);
}

static void couplings_are_checked(const test_model *m)
{
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){3, 2});
    double bonds[12] = {1, -1, 0, 1, 1, 1, -1, -1, 0, 0, 1, 1}, got[12] = {7};

    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_set_bond_type_couplings(lat, NULL));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_bond_type_couplings(lat, NULL));
    refused(LATMC_ERROR_ARGUMENT, "bond type 1 is nan",
            latmc_set_bond_type_couplings(lat, (double[]){1.0, (double)NAN}));
    refused(LATMC_ERROR_ARGUMENT, "bond type 0 is -inf",
            latmc_set_bond_type_couplings(lat, (double[]){-(double)INFINITY, 0.0}));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_bond_couplings(lat, 0, NULL));
    refused(LATMC_ERROR_UNKNOWN, "pm1 (501)",
            latmc_draw_bond_couplings(lat, (latmc_distribution)2, 1, 0, NULL, NULL));
    drawn_couplings_check_their_arguments(lat);
    ok(latmc_set_bond_couplings(lat, bonds));
    bonds[7] = 1.5 * m->most_coupling;
    refused(LATMC_ERROR_ARGUMENT, "bond type 1 in cell 1 is", latmc_set_bond_couplings(lat, bonds));
    bonds[7] = (double)NAN;
    refused(LATMC_ERROR_ARGUMENT, "nan", latmc_set_bond_couplings(lat, bonds));
    bonds[7] = 0.5;
    if (m->signs_alone)
        refused(LATMC_ERROR_ARGUMENT, "-1, 0 and +1 alone", latmc_set_bond_couplings(lat, bonds));
    bonds[7] = -1.0;
    ok(latmc_get_bond_couplings(lat, 0, got));
    assert_memory_equal(bonds, got, sizeof got);
    bonds[3] = -m->most_coupling;
    bonds[8] = m->signs_alone ? 1.0 : 0x1.fffffffffffffp-3;
    ok(latmc_set_bond_couplings(lat, bonds));
    ok(latmc_get_bond_couplings(lat, 0, got));
    assert_memory_equal(bonds, got, sizeof got);
    ok(latmc_set_bond_type_couplings(lat, (double[]){m->most_axis, -m->most_axis}));
    refused(LATMC_ERROR_ARGUMENT, "bond type 1",
            latmc_set_bond_type_couplings(lat, (double[]){1.0, 1.5 * m->most_axis}));
    ok(latmc_get_bond_type_couplings(lat, got));
    assert_true(got[0] == m->most_axis && got[1] == -m->most_axis && got[2] == bonds[2]);
    latmc_destroy(lat);
}

/* Of two samples of six sites. */
static void bad_site_fields_are_refused(latmc_lattice *lat, const test_model *m, double *fields)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_argument plus = LATMC_DRAW_PLUS, width = LATMC_DRAW_WIDTH;
    double got[6] = {7.0}, one = 1.5;

    fields[6 + 4] = 1.5 * m->most_coupling;
    refused(no, "site 4", latmc_set_site_fields(lat, fields));
    fields[6 + 4] = (double)NAN;
    refused(no, "nan", latmc_set_site_fields(lat, fields));
    refused(no, "in sample 1", latmc_set_site_fields(lat, fields));
    refused(unknown, "gaussian (502)",
            latmc_draw_site_fields(lat, (latmc_distribution)2, 1, 0, NULL, NULL));
    refused(no, "plus", latmc_draw_site_fields(lat, LATMC_PLUS_MINUS_ONE, 1, 1, &plus, &one));
    refused(unknown, "no argument",
            latmc_draw_site_fields(lat, LATMC_PLUS_MINUS_ONE, 1, 1, &width, &one));
    refused(no, "width",
            latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 1, &width, (double[]){-0.5}));
    refused(no, "arguments is NULL", latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 1, NULL, &one));
    refused(no, "values is NULL", latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 1, &width, NULL));
    refused(no, "count is -2", latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, -2, NULL, NULL));
    refused(no, "sample is 2", latmc_get_site_fields(lat, 2, got));
    refused(no, "sample is -1", latmc_get_site_fields(lat, -1, got));
    refused(no, "NULL", latmc_get_site_fields(lat, 0, NULL));
    assert_true(got[0] == 7.0);
}

/* What is given is read again, all are 0 before it and after they are taken back. */
static void site_fields_are_checked(const test_model *m)
{
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){3, 2});
    double fields[12] = {1.0, -2.5, 0.0, 1e-300, m->most_coupling, -m->most_coupling, 3.0}, got[6];
    const double none[6] = {0.0}, fifth = fields[6 + 4];

    ok(latmc_set_replicas(lat, 4));
    ok(latmc_set_samples(lat, 2, 3));
    ok(latmc_get_site_fields(lat, 1, got));
    assert_memory_equal(got, none, sizeof none);
    ok(latmc_set_site_fields(lat, fields));
    bad_site_fields_are_refused(lat, m, fields);
    fields[6 + 4] = fifth;
    for (int j = 0; j < 2; j++) {
        ok(latmc_get_site_fields(lat, j, got));
        assert_memory_equal(got, fields + 6 * j, sizeof got);
    }
    refused(LATMC_ERROR_STATE, "given", latmc_set_samples(lat, 4, 0));
    ok(latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 0, NULL, NULL));
    ok(latmc_get_site_fields(lat, 0, got));
    assert_true(got[0] != got[1] && got[0] != 1.0);
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_get_site_fields(lat, 0, got));
    assert_memory_equal(got, none, sizeof none);
    latmc_destroy(lat);
}

static void site_fields_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    if (m->has_site_fields)
        site_fields_are_checked(m);
    else
        site_fields_are_not_for(m);
}

static void couplings_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    if (m->has_couplings) {
        couplings_are_checked(m);
        samples_check_their_arguments(m);
    } else
        couplings_are_not_for(m);
}

/* What fixes the trajectory cannot be set once it has begun; the rest can. */
static void a_started_lattice_is_fixed(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_boundary open[3] = {LATMC_OPEN, LATMC_OPEN, LATMC_OPEN};
    const latmc_status no = LATMC_ERROR_STATE;

    for (const test_variant *v = m->rich; v->name; v++) {
        latmc_lattice *lat = suite_rich(m, v);
        const uint64_t hash = hash_of(lat);
        portrait before = portrait_of(lat, m);
        refused(no, "already started", latmc_set_replicas(lat, 2));
        refused(no, "already started", latmc_set_first_replica(lat, 0));
        refused(no, "already started", latmc_set_boundaries(lat, open));
        refused(no, "already started", latmc_set_seed(lat, 5));
        refused(no, "already started", latmc_set_option(lat, LATMC_PRECISION, 32));
        if (m->has_couplings) {
            refused(no, "already started", latmc_set_bond_couplings(lat, NULL));
            refused(no, "already started", latmc_set_samples(lat, 1, 0));
            refused(no, "already started",
                    latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL));
        }
        if (m->has_site_fields) {
            refused(no, "already started", latmc_set_site_fields(lat, NULL));
            refused(no, "already started",
                    latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 0, NULL, NULL));
        }
        unchanged(lat, m, &before);
        ok(latmc_set_param(lat, (latmc_param)m->params[0], 0.5));
        ok(m->change(lat));
        ok(latmc_set_threads(lat, 2));
        assert_true(hash_of(lat) == hash);
        latmc_destroy(lat);
    }
}

static void a_lattice_without_sites_cannot_run(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_update update = (latmc_update)m->updates[0];
    const latmc_type type = (latmc_type)m->types[0];
    const latmc_status no = LATMC_ERROR_STATE;
    latmc_lattice *lat = fresh(m, 1, (int64_t[]){4});
    uint64_t hash = 77;
    double x = 77.0, sites[4 * SUITE_COMPONENTS] = {77.0};
    size_t bytes = 77;

    refused(no, "latmc_start()", latmc_sweep(lat, update, 1));
    if (m->tuned)
        refused(no, "latmc_start()", latmc_tune(lat, update, 1, 0.5));
    refused(no, "latmc_start()", latmc_observe(lat, LATMC_BY_REPLICA, 1, m->observables, &x));
    refused(no, "latmc_start()", record_series(lat, update, 1, 1, 1, m->observables, &x));
    refused(no, "latmc_start()", get_replica(lat, 0, type, sites, suite_count(m, 4)));
    refused(no, "latmc_start()", latmc_state_hash(lat, &hash));
    refused(no, "latmc_start()", latmc_save(lat, "/tmp/never"));
    refused(no, "latmc_start()", latmc_save_memory(lat, NULL, 0, &bytes));
    refused(LATMC_ERROR_UNKNOWN, "hot (401), cold (402)", latmc_start(lat, (latmc_start_mode)3));
    assert_true(hash == 77 && x == 77.0 && sites[0] == 77.0 && bytes == 77);
    latmc_destroy(lat);
}

/* 2^50 bytes of sites and more are more than an address can name. */
static void too_much_for_the_memory_is_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const int64_t side = (int64_t)1 << 20;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){side, side});

    ok(latmc_set_replicas(lat, 65536));
    ok(latmc_set_device(lat, "cpu:scalar"));
    refused(LATMC_ERROR_MEMORY, "memory", latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(info_of(lat).started, 0);
    latmc_destroy(lat);
}

int main(void)
{
    static const suite_test tests[] = {

        SUITE_TEST(couplings_check_their_arguments),
        SUITE_TEST(site_fields_check_their_arguments),
        SUITE_TEST(a_started_lattice_is_fixed),
        SUITE_TEST(a_lattice_without_sites_cannot_run),
        SUITE_TEST(too_much_for_the_memory_is_refused),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
