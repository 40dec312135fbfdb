/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real couplings and fields of sites, as a lattice of the phi^4 model keeps them: what is given or
 * drawn is checked and read back.
 */
#include "tests/support.h"

#include "tests/lib/disorder.h"

static const latmc_status no = LATMC_ERROR_ARGUMENT, late = LATMC_ERROR_STATE;

static void what_is_given_is_checked(void **state)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1000000.1,
                                 -1000000.1};
    latmc_lattice *lat = disordered(1, 1), *other = disordered(1, 1);
    double values[SAMPLES * BONDS];

    (void)state;
    make_up(values, SAMPLES * BONDS, 9);
    for (size_t i = 0; i < ALL(bad); i++) {
        const double good = values[BONDS + SITES + 3];

        values[BONDS + SITES + 3] = bad[i];
        refused(no, "the coupling of bond type 1 in cell 3 is ",
                latmc_set_bond_couplings(lat, values));
        refused(no, "in sample 1; it must be a number from -1000000 to 1000000",
                latmc_set_bond_couplings(lat, values));
        values[BONDS + SITES + 3] = good;
        values[2 * SITES + 19] = bad[i];
        refused(no, "the field of site 19 is ", latmc_set_site_fields(lat, values));
        refused(no, "in sample 2; it must be a number from -1000000 to 1000000",
                latmc_set_site_fields(lat, values));
        values[2 * SITES + 19] = 0.0;
    }
    refused(no, "sample is 3; there are 0 to 2", latmc_get_site_fields(lat, 3, values));
    refused(no, "sample is -1", latmc_get_site_fields(lat, -1, values));
    refused(no, "fields is NULL", latmc_get_site_fields(lat, 0, NULL));
    refused(no, "info is NULL", latmc_get_field_info(lat, NULL));
    refused(no, "sizeof(latmc_disorder_info)",
            latmc_get_field_info(lat, &(latmc_disorder_info){.size = 8}));
    same_disorder(lat, other);
    latmc_destroy(lat);
    latmc_destroy(other);
}

static void type_couplings_have_the_range_of_real_numbers(void **state)
{
    latmc_lattice *lat = fresh();
    double axes[2];

    (void)state;
    ok(latmc_get_bond_type_couplings(lat, axes));
    assert_true(axes[0] == 1.0 && axes[1] == 1.0);
    ok(latmc_set_bond_type_couplings(lat, (double[]){-1e6, 1e6}));
    refused(no, "bond type 1 is 1000000.1; it must be a number from -1000000 to 1000000",
            latmc_set_bond_type_couplings(lat, (double[]){0.0, 1000000.1}));
    ok(latmc_get_bond_type_couplings(lat, axes));
    assert_true(axes[0] == -1e6 && axes[1] == 1e6);
    latmc_destroy(lat);
}

static void what_is_given_is_read_back(void **state)
{
    latmc_lattice *lat = disordered(1, 1);
    double given[SAMPLES * BONDS], got[BONDS];

    (void)state;
    make_up(given, SAMPLES * BONDS, 5);
    for (int j = 0; j < SAMPLES; j++) {
        get(lat, LM_OF_BONDS, j, got);
        assert_memory_equal(got, given + j * BONDS, BONDS * sizeof *got);
    }
    make_up(given, SAMPLES * SITES, 6);
    for (int j = 0; j < SAMPLES; j++) {
        get(lat, LM_OF_SITES, j, got);
        assert_memory_equal(got, given + j * SITES, SITES * sizeof *got);
    }
    assert_int_equal(said_of(lat, LM_OF_BONDS).origin, LATMC_ORIGIN_GIVEN);
    assert_int_equal(said_of(lat, LM_OF_SITES).origin, LATMC_ORIGIN_GIVEN);
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_set_bond_couplings(lat, NULL));
    assert_int_equal(said_of(lat, LM_OF_BONDS).origin, LATMC_ORIGIN_UNIFORM);
    assert_int_equal(said_of(lat, LM_OF_SITES).origin, LATMC_ORIGIN_UNIFORM);
    get(lat, LM_OF_BONDS, 2, got);
    assert_true(got[0] == 1.0 && got[BONDS - 1] == 1.0);
    get(lat, LM_OF_SITES, 2, got);
    assert_true(got[0] == 0.0 && got[SITES - 1] == 0.0);
    latmc_destroy(lat);
}

static void what_is_drawn_is_that_of_the_samples_number(void **state)
{
    latmc_lattice *lat = disordered(2, 2);
    lm_draw bonds = lm_draw_of(LATMC_GAUSSIAN, 7), fields = lm_draw_of(LATMC_PLUS_MINUS_ONE, 8);
    const latmc_disorder_info said = said_of(lat, LM_OF_BONDS), other = said_of(lat, LM_OF_SITES);
    double want[BONDS], got[BONDS];

    (void)state;
    bonds.values[LM_ARGUMENT(LATMC_DRAW_MEAN)] = 0.75;
    bonds.values[LM_ARGUMENT(LATMC_DRAW_WIDTH)] = 1.5;
    for (int j = 0; j < SAMPLES; j++) {
        for (int axis = 0; axis < 2; axis++)
            lm_draw_numbers(&bonds, LM_OF_BONDS, axis, 11 + j, 0, SITES, want + axis * SITES);
        get(lat, LM_OF_BONDS, j, got);
        assert_memory_equal(want, got, sizeof want);
        lm_draw_numbers(&fields, LM_OF_SITES, 0, 11 + j, 0, SITES, want);
        get(lat, LM_OF_SITES, j, got);
        assert_memory_equal(want, got, SITES * sizeof *want);
    }
    assert_int_equal(said.origin, LATMC_ORIGIN_DRAWN);
    assert_int_equal(said.distribution, LATMC_GAUSSIAN);
    assert_int_equal(said.seed, 7);
    assert_int_equal(said.argument_count, 3);
    for (int i = 0; i < said.argument_count; i++)
        assert_true(said.values[i] == (said.arguments[i] == LATMC_DRAW_MEAN    ? 0.75
                                       : said.arguments[i] == LATMC_DRAW_WIDTH ? 1.5
                                                                               : 0.0));
    assert_int_equal(other.origin, LATMC_ORIGIN_DRAWN);
    assert_int_equal(other.distribution, LATMC_PLUS_MINUS_ONE);
    assert_int_equal(other.seed, 8);
    assert_int_equal(info_of(lat).samples, SAMPLES);
    assert_int_equal(info_of(lat).first_sample, 11);
    assert_int_equal(info_of(lat).bond_types, 2);
    assert_int_equal(info_of(lat).cell_sites, 1);
    assert_int_equal(info_of(lat).cells, SITES);
    latmc_destroy(lat);
}

static void what_is_drawn_is_checked(void **state)
{
    const latmc_argument mean = LATMC_DRAW_MEAN, width = LATMC_DRAW_WIDTH, plus = LATMC_DRAW_PLUS;
    const latmc_status unknown = LATMC_ERROR_UNKNOWN;
    const latmc_distribution pm1 = LATMC_PLUS_MINUS_ONE, normal = LATMC_GAUSSIAN;
    const double x = 0.5, much = 1000000.1, less = -0.1, most = 1e6;
    latmc_lattice *lat = disordered(2, 2), *other = disordered(2, 2);

    (void)state;
    refused(unknown, "number 7; it has pm1 (501), gaussian (502)",
            latmc_draw_site_fields(lat, (latmc_distribution)7, 1, 0, NULL, NULL));
    refused(no, "count is -1", latmc_draw_site_fields(lat, pm1, 1, -1, &plus, &x));
    refused(no, "arguments is NULL", latmc_draw_site_fields(lat, pm1, 1, 1, NULL, &x));
    refused(no, "values is NULL", latmc_draw_site_fields(lat, pm1, 1, 1, &plus, NULL));
    refused(unknown, "pm1 has no argument mean (803)",
            latmc_draw_site_fields(lat, pm1, 1, 1, &mean, &x));
    refused(unknown, "gaussian has no argument plus (801); it has missing (802), mean (803)",
            latmc_draw_bond_couplings(lat, normal, 1, 1, &plus, &x));
    refused(no,
            "mean of the distribution gaussian is 1000000.1; it must be a number from -1000000 to",
            latmc_draw_site_fields(lat, normal, 1, 1, &mean, &much));
    refused(no, "width of the distribution gaussian is 1000000.1; it must be a number from 0 to",
            latmc_draw_bond_couplings(lat, normal, 1, 1, &width, &much));
    refused(no, "width of the distribution gaussian is -0.1",
            latmc_draw_site_fields(lat, normal, 1, 1, &width, &less));
    same_disorder(lat, other);
    ok(latmc_draw_site_fields(lat, normal, 1, 1, &mean, &most));
    ok(latmc_draw_site_fields(lat, normal, 1, 1, &width, &most));
    latmc_destroy(lat);
    latmc_destroy(other);
}

static void samples_are_those_of_what_is_given(void **state)
{
    latmc_lattice *lat = disordered(0, 1);

    (void)state;
    refused(late, "site fields were given for 3 samples, not for 2", latmc_set_samples(lat, 2, 0));
    ok(latmc_set_samples(lat, SAMPLES, 4)); /* as many, of other numbers */
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_set_samples(lat, 2, 0));
    latmc_destroy(lat);
}

static void a_started_lattice_keeps_its_own(void **state)
{
    latmc_lattice *lat = disordered(1, 1), *other = disordered(1, 1);

    (void)state;
    ok(latmc_start(lat, LATMC_START_COLD));
    refused(late, "already started", latmc_set_site_fields(lat, NULL));
    refused(late, "already started", latmc_draw_site_fields(lat, LATMC_GAUSSIAN, 1, 0, NULL, NULL));
    same_disorder(lat, other);
    latmc_destroy(lat);
    latmc_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_is_checked),
        cmocka_unit_test(type_couplings_have_the_range_of_real_numbers),
        cmocka_unit_test(what_is_given_is_read_back),
        cmocka_unit_test(what_is_drawn_is_that_of_the_samples_number),
        cmocka_unit_test(what_is_drawn_is_checked),
        cmocka_unit_test(samples_are_those_of_what_is_given),
        cmocka_unit_test(a_started_lattice_keeps_its_own),
    };

    return unsetenv("LATMC_DEVICE") ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
