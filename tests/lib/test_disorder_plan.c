/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real couplings and fields of sites, given to a device that keeps what it gets and cannot sweep;
 * and those of saved lattices.
 */
#include "tests/support.h"

#include "tests/saved.h"
#include "tests/lib/disorder.h"

/* ---- the device */

static const fake_plan *plan_of(const latmc_lattice *lat)
{
    return lat->home.plan.self;
}

/* ---- tests */

/* Of each kind that was announced, all rows of all samples, without boundaries; else nothing. */
static void a_plan_is_given_them(void **state)
{
    (void)state;
    for (int kinds = 0; kinds < 9; kinds++) {
        latmc_lattice *lat = disordered(kinds / 3, kinds % 3);
        const int64_t samples = kinds ? SAMPLES : 1;
        const fake_plan *p;

        ok(latmc_set_boundaries(lat, (latmc_boundary[]){LATMC_OPEN, LATMC_ANTIPERIODIC}));
        ok(latmc_start(lat, LATMC_START_COLD));
        p = plan_of(lat);
        assert_int_equal(p->spec.couplings, kinds / 3 != 0);
        assert_int_equal(p->spec.site_fields, kinds % 3 != 0);
        assert_int_equal(p->spec.samples, samples);
        assert_true(!p->spec.signs && !p->spec.missing);
        for (int64_t j = 0; j < samples; j++) {
            const double *of = p->values + j * (BONDS + SITES);
            double want[BONDS];

            get(lat, LM_OF_BONDS, j, want);
            if (kinds / 3)
                assert_memory_equal(of, want, sizeof want);
            get(lat, LM_OF_SITES, j, want);
            if (kinds % 3)
                assert_memory_equal(of + BONDS, want, SITES * sizeof *want);
            assert_true(kinds / 3 || isnan(of[0]));
            assert_true(kinds % 3 || isnan(of[BONDS]));
        }
        latmc_destroy(lat);
    }
}

/* More rows than one chunk has. */
static void many_rows_arrive_too(void **state)
{
    enum { MANY = 1 << 10, MORE = 1100 };
    latmc_lattice *lat = NULL;
    double *fields = malloc((size_t)MANY * MORE * sizeof *fields);

    (void)state;
    assert_non_null(fields);
    for (int i = 0; i < MANY * MORE; i++)
        fields[i] = (double)i / 2;
    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){MANY, MORE}));
    ok(latmc_set_option(lat, LATMC_PRECISION, 32));
    ok(latmc_set_site_fields(lat, fields));
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(plan_of(lat)->puts, 2);
    assert_memory_equal(plan_of(lat)->values + 2 * MANY * MORE, fields,
                        (size_t)MANY * MORE * sizeof *fields);
    latmc_destroy(lat);
    free(fields);
}

static void a_device_may_refuse_them(void **state)
{
    latmc_lattice *lat = disordered(0, 2);

    (void)state;
    fails_at = 2;
    refused(LATMC_ERROR_DEVICE, "latmc_start: put 2 failed", latmc_start(lat, LATMC_START_COLD));
    fails_at = 0;
    fake_ops.put_values = NULL;
    refused(LATMC_ERROR_NO_DEVICE, "latmc_start: the device has the model without couplings",
            latmc_start(lat, LATMC_START_COLD));
    ok(latmc_set_site_fields(lat, NULL));
    ok(latmc_start(lat, LATMC_START_COLD)); /* which it has */
    fake_ops.put_values = fake_put_values;
    latmc_destroy(lat);
}

enum { ROOM = 1 << 15 };

static size_t saved(int bonds, int sites, uint8_t bytes[ROOM])
{
    latmc_lattice *lat = disordered(bonds, sites), *copy = NULL;
    uint8_t again[ROOM];
    size_t size, other;

    ok(latmc_start(lat, LATMC_START_COLD));
    ok(latmc_save_memory(lat, bytes, ROOM, &size));
    ok(latmc_load_memory(&copy, bytes, size));
    same_disorder(lat, copy);
    ok(latmc_save_memory(copy, again, ROOM, &other));
    assert_int_equal(size, other);
    assert_memory_equal(bytes, again, size);
    latmc_destroy(lat);
    latmc_destroy(copy);
    return size;
}

/* Whether a section is there, and its first name. */
static void has_section(const uint8_t *bytes, size_t size, const char *name, int there,
                        const char *first)
{
    const uint8_t *at = saved_find(bytes, size, name, NULL);

    assert_true((at != NULL) == there);
    if (there && first)
        assert_string_equal((const char *)at, first);
}

static void what_is_saved_is_loaded(void **state)
{
    uint8_t bytes[ROOM];

    (void)state;
    for (int kinds = 0; kinds < 9; kinds++) {
        const size_t size = saved(kinds / 3, kinds % 3, bytes);

        has_section(bytes, size, "K-given", kinds / 3 == 1, NULL);
        has_section(bytes, size, "K-drawn", kinds / 3 == 2, "gaussian");
        has_section(bytes, size, "G-given", kinds % 3 == 1, NULL);
        has_section(bytes, size, "G-drawn", kinds % 3 == 2, "pm1");
        if (kinds / 3 == 2)
            assert_int_equal(saved_find(bytes, size, "K-drawn", NULL)[SAVED_NAME], 7);
        if (kinds % 3 == 2)
            assert_int_equal(saved_find(bytes, size, "G-drawn", NULL)[SAVED_NAME], 8);
    }
}

/* Every leaf is there, some layers of a sample and an axis, with its sum. */
static void sections_consist_of_leaves(void **state)
{
    uint8_t bytes[ROOM];
    size_t size = saved(1, 1, bytes), length = 0;
    saved_leaves leaves;

    (void)state;
    assert_true(saved_leaves_of(bytes, size, "K-given", &leaves));
    assert_int_equal(leaves.trunks * leaves.numbers, SAMPLES * BONDS);
    assert_non_null(saved_find(bytes, size, "K-given", &length));
    assert_int_equal(length, leaves.trunks * (8 * leaves.numbers + SAVED_SUM));
    assert_true(saved_leaves_of(bytes, size, "G-given", &leaves));
    assert_int_equal(leaves.trunks, SAMPLES);
}

/* Impossible values with right checksums, of the first and the last number. */
static void lies_are_refused(void **state)
{
    static const uint64_t bad[] = {0x7ff8000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u,
                                   0x412e848000000001u, 0xc12e848000000001u};
    const latmc_status damaged = LATMC_ERROR_DAMAGED;
    latmc_lattice *lat = NULL;
    uint8_t good[ROOM], bytes[ROOM];
    size_t size = saved(1, 1, good), length = 0;

    (void)state;
    for (size_t i = 0; i < ALL(bad); i++)
        for (int k = 0; k < 4; k++) {
            uint8_t *at;

            memcpy(bytes, good, size);
            at = saved_find(bytes, size, k < 2 ? "K-given" : "G-given", &length);
            assert_non_null(at);
            saved_put(at + (k % 2 ? length - SAVED_SUM - 8 : 0), bad[i], 8);
            saved_seal(bytes, size);
            refused(damaged, k < 2 ? "value: coupling of a bond" : "value: field of a site",
                    latmc_load_memory(&lat, bytes, size));
        }
    size = saved(2, 2, good);
    for (int k = 0; k < 2; k++) {
        uint8_t *at;

        memcpy(bytes, good, size);
        at = saved_find(bytes, size, k ? "G-drawn" : "K-drawn", &length);
        assert_non_null(at);
        for (; strcmp((char *)at, k ? "plus" : "width") != 0; at += SAVED_NAME + 8)
            assert_true(length > SAVED_NAME + 8);
        saved_put(at + SAVED_NAME, 0xbff0000000000000u, 8); /* -1 */
        saved_seal(bytes, size);
        refused(damaged,
                k ? "plus of the distribution pm1 is -1"
                  : "width of the distribution gaussian is -1",
                latmc_load_memory(&lat, bytes, size));
    }
    assert_null(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_given_them),       cmocka_unit_test(many_rows_arrive_too),
        cmocka_unit_test(a_device_may_refuse_them),   cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(sections_consist_of_leaves), cmocka_unit_test(lies_are_refused),
    };

    return unsetenv("LATMC_DEVICE") ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
