/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on a lattice with sites, and every bad argument to them, of every model: refused with its
 * reason, nothing changed.
 */
#include <math.h>

#include "tests/models/portrait.h"

/* ---- types, sites */

static const latmc_type all_types[] = {LATMC_INT8, LATMC_FLOAT32, LATMC_FLOAT64};

/* Every option that is described takes the values that its description allows. */
static void options_are_checked(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){5, 6});
    latmc_info info = LATMC_INIT(latmc_info);
    int64_t value = 7;
    int count = -1;

    ok(latmc_count(LATMC_OPTIONS, m->id, &count));
    refused(LATMC_ERROR_UNKNOWN, "option number 3999",
            latmc_set_option(lat, (latmc_option)3999, 1));
    refused(LATMC_ERROR_UNKNOWN, "option number 3999",
            latmc_get_option(lat, (latmc_option)3999, &value));
    for (int i = 0; i < count; i++) {
        ok(latmc_describe(LATMC_OPTIONS, m->id, i, &info));
        const latmc_option option = (latmc_option)info.id;
        const int64_t least = (int64_t)info.minimum, most = (int64_t)info.maximum,
                      step = (int64_t)info.step;
        refused(LATMC_ERROR_ARGUMENT, "value is NULL", latmc_get_option(lat, option, NULL));
        ok(latmc_get_option(lat, option, &value));
        assert_int_equal(value, (int64_t)info.preset);
        for (int64_t v = least - 1; v <= most + 1; v++)
            if (v < least || v > most || (v - least) % step != 0)
                refused(LATMC_ERROR_ARGUMENT, info.name, latmc_set_option(lat, option, v));
        refused(LATMC_ERROR_ARGUMENT, info.name, latmc_set_option(lat, option, INT64_MIN));
        refused(LATMC_ERROR_ARGUMENT, info.name, latmc_set_option(lat, option, INT64_MAX));
        for (int64_t v = least; v <= most; v += step) {
            ok(latmc_set_option(lat, option, v));
            ok(latmc_get_option(lat, option, &value));
            assert_int_equal(value, v);
        }
    }
    latmc_destroy(lat);
}

/* Those that are described are those that the suite knows, and one of them is the lattice's. */
static void types_are_described(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){5, 6});
    latmc_info info = LATMC_INIT(latmc_info);
    int count = -1;

    ok(latmc_count(LATMC_TYPES, m->id, &count));
    assert_int_equal(info_of(lat).type, m->types[0]);
    for (int i = 0; i < count; i++) {
        ok(latmc_describe(LATMC_TYPES, m->id, i, &info));
        assert_int_equal(info.id, m->types[i]);
        assert_true(info.bytes > 0 && info.bytes <= 8);
        ok(set_type(lat, (latmc_type)info.id));
        assert_int_equal(info_of(lat).type, info.id);
    }
    assert_int_equal(m->types[count], 0);
    latmc_destroy(lat);
}

static void types_are_checked(latmc_lattice *lat, const test_model *m, void *sites)
{
    const latmc_type wrong[] = {LATMC_INT8, LATMC_FLOAT32, LATMC_FLOAT64, (latmc_type)12,
                                (latmc_type)0};
    const int64_t count = suite_count(m, RICH_SITES);

    for (size_t i = 0; i < ALL(wrong); i++)
        if (wrong[i] == 0 || !suite_has(m->types, (int)wrong[i])) {
            const char *part = i < ALL(all_types) ? m->types_refusal : "type number";
            refused(LATMC_ERROR_UNKNOWN, part, latmc_get_sites(lat, 0, wrong[i], sites, count));
            refused(LATMC_ERROR_UNKNOWN, part, latmc_set_sites(lat, 0, wrong[i], sites, count));
        }
}

static void counts_are_checked(latmc_lattice *lat, const test_model *m, latmc_type type,
                               void *sites)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    const int64_t count = suite_count(m, RICH_SITES);
    char less[24], must[24];

    snprintf(less, sizeof less, "%d", (int)count - 1);
    snprintf(must, sizeof must, "must be %d", (int)count);

    refused(no, less, latmc_get_sites(lat, 0, type, sites, count - 1));
    refused(no, must, latmc_set_sites(lat, 0, type, sites, count + 1));
    refused(no, "replica is 2", latmc_set_sites(lat, 2, type, sites, count));
    refused(no, "replica is -1", latmc_get_sites(lat, -1, type, sites, count));
    refused(no, "NULL", latmc_get_sites(lat, 0, type, NULL, count));
    refused(no, "NULL", latmc_set_sites(lat, 0, type, NULL, count));
}

/* One site, which is told by its number. */
static void ranges_are_checked(latmc_lattice *lat, const test_model *m, latmc_type type,
                               void *sites)
{
    const int64_t count = suite_count(m, RICH_SITES);

    ok(latmc_get_sites(lat, 1, type, sites, count));
    for (int i = 0; i < TEST_BAD_SITES; i++) {
        suite_put_site(m, type, sites, 117, m->bad_sites[i]);
        refused(LATMC_ERROR_ARGUMENT, "site 117", latmc_set_sites(lat, 1, type, sites, count));
    }
}

static void sites_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    double sites[SUITE_COMPONENTS * RICH_SITES + 1] = {7.0};

    for (const test_variant *v = m->rich; v->name; v++)
        for (int t = 0; m->types[t]; t++) {
            const latmc_type type = (latmc_type)m->types[t];
            latmc_lattice *lat = suite_rich(m, v);
            portrait before = portrait_of(lat, m);
            sites[0] = 7.0;
            types_are_checked(lat, m, sites);
            counts_are_checked(lat, m, type, sites);
            assert_true(sites[0] == 7.0);
            ranges_are_checked(lat, m, type, sites);
            unchanged(lat, m, &before);
            for (int i = 0; i < 2; i++) {
                suite_put_site(m, type, sites, 117, m->good_sites[i]);
                ok(latmc_set_sites(lat, 1, type, sites, suite_count(m, RICH_SITES)));
            }
            latmc_destroy(lat);
        }
}

/* ---- updates */

static const latmc_update all_updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH, LATMC_BLOCK_METROPOLIS,
                                           LATMC_OVERRELAX, (latmc_update)99};

static void tuning_is_checked(latmc_lattice *lat, const test_model *m)
{
    const latmc_update update = (latmc_update)m->tuning_updates[0];
    const latmc_status no = LATMC_ERROR_ARGUMENT;

    refused(no, "-1", latmc_tune(lat, update, -1, 0.5));
    refused(no, "0.04", latmc_tune(lat, update, 1, 0.04));
    refused(no, "0.96", latmc_tune(lat, update, 1, 0.96));
    refused(no, "nan", latmc_tune(lat, update, 1, (double)NAN));
    for (int i = 0; m->updates[i]; i++)
        if (!suite_has(m->tuning_updates, m->updates[i]))
            refused(no, "does not use", latmc_tune(lat, (latmc_update)m->updates[i], 1, 0.5));
    ok(latmc_tune(lat, update, 0, 0.5));
}

/* Tuned lattices have swept. */
static void tuning_sweeps(latmc_lattice *lat, const test_model *m)
{
    for (int i = 0; m->tuning_updates[i]; i++) {
        const int64_t sweeps = info_of(lat).sweeps;
        ok(latmc_tune(lat, (latmc_update)m->tuning_updates[i], 2, 0.5));
        assert_int_equal(info_of(lat).sweeps, sweeps + 2);
    }
}

static void updates_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->rich; v->name; v++) {
        latmc_lattice *lat = suite_rich(m, v);
        portrait before = portrait_of(lat, m);
        for (size_t i = 0; i < ALL(all_updates); i++)
            if (!suite_has(m->updates, (int)all_updates[i])) {
                const char *part = i == ALL(all_updates) - 1 ? "update number 99" : "";
                refused(LATMC_ERROR_UNKNOWN, part, latmc_sweep(lat, all_updates[i], 1));
                refused(LATMC_ERROR_UNKNOWN, m->tuned ? part : "",
                        latmc_tune(lat, all_updates[i], 1, 0.5));
            } else if (!m->tuned) {
                refused(LATMC_ERROR_UNKNOWN, "", latmc_tune(lat, all_updates[i], 1, 0.5));
            }
        if (m->tuned)
            tuning_is_checked(lat, m);
        unchanged(lat, m, &before);
        if (m->tuned)
            tuning_sweeps(lat, m);
        latmc_destroy(lat);
    }
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(options_are_checked),
        SUITE_TEST(types_are_described),
        SUITE_TEST(sites_check_their_arguments),
        SUITE_TEST(updates_check_their_arguments),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
