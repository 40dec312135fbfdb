/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on a lattice with sites, and every bad argument to them, of every model: refused with its
 * reason, nothing changed.
 */
#include <math.h>

#include "tests/models/portrait.h"

/* ---- types, sites */

static const latmc_type all_types[] = {LATMC_INT8, LATMC_UINT8, LATMC_FLOAT32, LATMC_FLOAT64};

/* Every option that is described takes the values that its description allows. */
static void options_are_checked(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){5, 6});
    latmc_description info = LATMC_INIT(latmc_description);
    int64_t value = 7;
    int64_t count = -1;

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
        assert_int_equal(value, info.id == m->option ? m->option_value : (int64_t)info.preset);
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

/* Those that are described are those that the suite knows, and perhaps bits at the end. One of them
 * is the lattice's. */
static void types_are_described(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){5, 6});
    latmc_description info = LATMC_INIT(latmc_description);
    int64_t count = -1, numbers = 0;

    ok(latmc_count(LATMC_TYPES, m->id, &count));
    assert_int_equal(info_of(lat).type, m->types[0]);
    for (int i = 0; i < count; i++) {
        ok(latmc_describe(LATMC_TYPES, m->id, i, &info));
        if (info.id == LATMC_BITS) {
            assert_true(info.bytes == 0 && info.bits > 0 && info.bits < 8 && i == count - 1);
            continue;
        }
        numbers++;
        assert_int_equal(info.id, m->types[i]);
        assert_true(info.bytes > 0 && info.bytes <= 8);
        ok(set_type(lat, (latmc_type)info.id));
        assert_int_equal(info_of(lat).type, info.id);
    }
    assert_int_equal(m->types[numbers], 0);
    latmc_destroy(lat);
}

static void types_are_checked(latmc_lattice *lat, const test_model *m, void *sites)
{
    const latmc_type wrong[] = {LATMC_INT8,    LATMC_UINT8,    LATMC_FLOAT32,
                                LATMC_FLOAT64, (latmc_type)12, (latmc_type)0};
    const int64_t count = suite_count(m, RICH_SITES);

    for (size_t i = 0; i < ALL(wrong); i++)
        if (wrong[i] == 0 || !suite_has(m->types, (int)wrong[i])) {
            const char *part = i < ALL(all_types) ? m->types_refusal : "type number";
            refused(LATMC_ERROR_UNKNOWN, part, get_replica(lat, 0, wrong[i], sites, count));
            refused(LATMC_ERROR_UNKNOWN, part, set_replica(lat, 0, wrong[i], sites, count));
        }
}

static void counts_are_checked(latmc_lattice *lat, const test_model *m, latmc_type type,
                               void *sites)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    const int64_t count = suite_count(m, RICH_SITES);
    char less[24], must[24];

    snprintf(less, sizeof less, "bytes is %d", (int)bytes_of_numbers(type, count - 1));
    snprintf(must, sizeof must, "must be %d", (int)bytes_of_numbers(type, count));

    refused(no, less, get_replica(lat, 0, type, sites, count - 1));
    refused(no, must, set_replica(lat, 0, type, sites, count + 1));
    refused(no, "first is 2", set_replica(lat, 2, type, sites, count));
    refused(no, "first is -1", get_replica(lat, -1, type, sites, count));
    refused(no, "NULL", get_replica(lat, 0, type, NULL, count));
    refused(no, "NULL", set_replica(lat, 0, type, NULL, count));
}

/* One site, which is told by its number. */
static void ranges_are_checked(latmc_lattice *lat, const test_model *m, latmc_type type,
                               void *sites)
{
    const int64_t count = suite_count(m, RICH_SITES);

    ok(get_replica(lat, 1, type, sites, count));
    for (int i = 0; i < TEST_BAD_SITES; i++) {
        suite_put_site(m, type, sites, 117, m->bad_sites[i]);
        refused(LATMC_ERROR_ARGUMENT, "site 117", set_replica(lat, 1, type, sites, count));
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
                ok(set_replica(lat, 1, type, sites, suite_count(m, RICH_SITES)));
            }
            latmc_destroy(lat);
        }
}

/* ---- updates */

static const latmc_update all_updates[] = {LATMC_METROPOLIS,       LATMC_HEATBATH,
                                           LATMC_BLOCK_METROPOLIS, LATMC_OVERRELAX,
                                           LATMC_METROPOLIS_OTHER, (latmc_update)99};

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

/* ---- schedules and ramps */

/* A schedule whose second step is this one. */
static latmc_status second(latmc_lattice *lat, const test_model *m, latmc_step step)
{
    return latmc_set_schedule(lat, 2,
                              (latmc_step[]){step_of((latmc_update)m->updates[0], 1, 0), step});
}

static void schedules_are_checked(latmc_lattice *lat, const test_model *m)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_update first = (latmc_update)m->updates[0];
    const int64_t most = (int64_t)1 << 40;
    const latmc_step all[] = {step_of(first, most - 2, 0), step_of(first, 2, 0)};
    latmc_step later = step_of(first, 1, 0);

    refused(no, "count is -1", latmc_set_schedule(lat, -1, all));
    refused(no, "0 to 64", latmc_set_schedule(lat, LATMC_MAX_STEPS + 1, all));
    refused(no, "steps is NULL", latmc_set_schedule(lat, 2, NULL));
    refused(unknown, "step 1: the model", second(lat, m, step_of((latmc_update)99, 1, 0)));
    refused(unknown, "update number 700; LATMC_SCHEDULE stands for several updates",
            second(lat, m, step_of(LATMC_SCHEDULE, 1, 0)));
    refused(no, "step 1 has 0 sweeps", second(lat, m, step_of(first, 0, 0)));
    refused(no, "step 1 has 1099511627776", second(lat, m, step_of(first, most, 0)));
    refused(no, "fewer than 2^40", latmc_set_schedule(lat, 2, all));
    refused(no, "step 1: exchanges is -1; 0 to 1024", second(lat, m, step_of(first, 1, -1)));
    refused(no, "exchanges is 1025", second(lat, m, step_of(first, 1, 1025)));
    later.moves = 1;
    refused(LATMC_ERROR_STATE, "step 1: moves is 1", second(lat, m, later));
    later.moves = 0;
    later.reserved = 1;
    refused(no, "step 1: reserved is 1", second(lat, m, later));
    refused(LATMC_ERROR_STATE, "no schedule", latmc_sweep(lat, LATMC_SCHEDULE, 1));
}

static void values_of_steps_are_checked(latmc_lattice *lat, const test_model *m)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_param first = (latmc_param)m->params[0], none = (latmc_param)99;
    const latmc_param hits[] = {LATMC_HITS, LATMC_HITS};
    const double one[] = {1.0, 1.0};
    const latmc_step plain = step_of((latmc_update)m->updates[0], 1, 0);
    latmc_step step = step_with(plain, hits, one);

    step.param_count = -1;
    refused(no, "step 1: param_count is -1", second(lat, m, step));
    refused(no, "params is NULL", second(lat, m, step_with(plain, NULL, one)));
    refused(no, "values is NULL", second(lat, m, step_with(plain, hits, NULL)));
    refused(unknown, "an argument that steps can have",
            second(lat, m, step_with(plain, &first, one)));
    refused(unknown, "parameter number 99", second(lat, m, step_with(plain, &none, one)));
    if (!suite_has(m->params, LATMC_HITS))
        return;
    step.param_count = 2;
    refused(no, "step 1: hits is there twice", second(lat, m, step));
    refused(no, "hits", second(lat, m, step_with(plain, hits, &(double){0.0})));
    refused(no, "whole number", second(lat, m, step_with(plain, hits, &(double){1.5})));
    refused(no, "hits", second(lat, m, step_with(plain, hits, &(double){(double)INFINITY})));
    refused(no, "hits", second(lat, m, step_with(plain, hits, &(double){(double)NAN})));
}

static void steps_are_checked(latmc_lattice *lat, const test_model *m)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    const latmc_step before = {.size = sizeof before, .update = 77, .sweeps = 77};
    latmc_step step = before;

    refused(no, "number is 2; the schedule has 2", latmc_get_step(lat, 2, &step));
    refused(no, "number is -1", latmc_get_step(lat, -1, &step));
    refused(no, "step is NULL", latmc_get_step(lat, 0, NULL));
    assert_memory_equal(&step, &before, sizeof step);
    ok(latmc_get_step(lat, 1, &step));
    assert_true(step.update == m->updates[0] && step.sweeps == 3 && step.exchanges == 0);
    assert_true(step.param_count == 0 && !step.params && !step.values);
}

static void ramps_are_checked(latmc_lattice *lat, const test_model *m)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    const latmc_param first = (latmc_param)m->params[0];
    double to[2] = {0.5, 0.5}, got[2] = {77.0, 77.0};
    int64_t sweeps = 77;

    refused(LATMC_ERROR_UNKNOWN, "parameter number 99",
            latmc_set_ramp(lat, (latmc_param)99, to, 5));
    refused(LATMC_ERROR_UNKNOWN, "parameter number 99",
            latmc_get_ramp(lat, (latmc_param)99, got, &sweeps));
    refused(no, "to is NULL", latmc_set_ramp(lat, first, NULL, 5));
    refused(no, "to is NULL", latmc_get_ramp(lat, first, NULL, &sweeps));
    refused(no, "sweeps is NULL", latmc_get_ramp(lat, first, got, NULL));
    refused(no, "sweeps is 0", latmc_set_ramp(lat, first, to, 0));
    refused(no, "2^40", latmc_set_ramp(lat, first, to, (int64_t)1 << 40));
    for (const test_edge *e = m->bad_params; e->part; e++) {
        to[1] = e->value;
        refused(no, "", latmc_set_ramp(lat, e->param, to, 5));
    }
    if (suite_has(m->params, LATMC_HITS))
        refused(no, "cannot follow", latmc_set_ramp(lat, LATMC_HITS, (double[]){1.0, 2.0}, 5));
    assert_true(got[0] == 77.0 && sweeps == 77);
    ok(latmc_get_ramp(lat, first, got, &sweeps));
    assert_int_equal(sweeps, 0);
}

/* Lattices that were not started may have a schedule, but no ramp. */
static void schedules_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = suite_rich(m, m->rich), *unstarted = fresh(m, 2, (int64_t[]){4, 4});
    const latmc_update first = (latmc_update)m->updates[0];
    portrait before = portrait_of(lat, m);
    double to = 0.5;

    schedules_are_checked(lat, m);
    values_of_steps_are_checked(lat, m);
    unchanged(lat, m, &before);
    ok(latmc_set_schedule(lat, 2, (latmc_step[]){step_of(first, 2, 0), step_of(first, 3, 0)}));
    before = portrait_of(lat, m);
    steps_are_checked(lat, m);
    ramps_are_checked(lat, m);
    unchanged(lat, m, &before);
    if (m->tuned) {
        const latmc_param tuned = (latmc_param)m->tuned;
        ok(latmc_set_ramp(lat, tuned, (double[]){0.5, 0.5}, 3));
        refused(LATMC_ERROR_STATE, "follows a ramp",
                latmc_tune(lat, (latmc_update)m->tuning_updates[0], 1, 0.5));
    }
    ok(set_round(unstarted, first, 4, 0));
    assert_int_equal(info_of(unstarted).round_sweeps, 4);
    assert_int_equal(info_of(unstarted).steps, 1);
    refused(LATMC_ERROR_STATE, "no sites",
            latmc_set_ramp(unstarted, (latmc_param)m->params[0], &to, 5));
    latmc_destroy(unstarted);
    latmc_destroy(lat);
}

/* ---- momenta */

/* Of 2 replicas in two dimensions. */
static void momenta_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    const latmc_quantity first = LATMC_QUANTITY(LATMC_STRUCTURE_AT, 0),
                         second = LATMC_QUANTITY(LATMC_STRUCTURE_AT, 1);
    latmc_lattice *lat = suite_rich(m, m->rich);
    const latmc_lattice_info info = info_of(lat);
    portrait before = portrait_of(lat, m);
    int64_t n[LATMC_MAX_DIMS] = {0}, got[LATMC_MAX_DIMS], beyond[LATMC_MAX_DIMS] = {0}, sizes[2];
    double values[2] = {0.0, 0.0};
    char text[64];

    refused(no, "count is -1; 0 to 64", latmc_set_momenta(lat, -1, n));
    refused(no, "count is 65; 0 to 64", latmc_set_momenta(lat, 65, n));
    refused(no, "n is NULL", latmc_set_momenta(lat, 1, NULL));
    beyond[info.dims - 1] = 2 * info.extents[info.dims - 1] + 1;
    refused(no, "twice the extent", latmc_set_momenta(lat, 1, beyond));
    beyond[info.dims - 1] *= -1;
    refused(no, "twice the extent", latmc_set_momenta(lat, 1, beyond));
    refused(no, "latmc_set_momenta() has set no momenta",
            latmc_observe(lat, LATMC_BY_REPLICA, 1, &first, values));
    unchanged(lat, m, &before);
    for (int a = 0; a < info.dims; a++)
        n[a] = info.boundaries[a] == LATMC_ANTIPERIODIC ? -1 : 2;
    ok(latmc_set_momenta(lat, 1, n));
    assert_int_equal(info_of(lat).momenta, 1);
    refused(no, "n is NULL", latmc_get_momenta(lat, NULL));
    ok(latmc_get_momenta(lat, got));
    assert_memory_equal(got, n, (size_t)info.dims * sizeof *got);
    ok(latmc_quantity_sizes(lat, LATMC_STRUCTURE_AT, sizes));
    assert_true(sizes[0] == 1 && sizes[1] == 1);
    ok(latmc_observe(lat, LATMC_BY_REPLICA, 1, &first, values));
    refused(no, "it has structure_at[0]", latmc_observe(lat, LATMC_BY_REPLICA, 1, &second, values));
    ok(latmc_quantity_text(lat, first, text, sizeof text));
    assert_string_equal(text, "structure_at[0]");
    n[0]++;
    ok(latmc_set_momenta(lat, 1, n));
    refused(no, "odd number along each antiperiodic axis",
            latmc_observe(lat, LATMC_BY_REPLICA, 1, &first, values));
    refused(no, "odd number along each antiperiodic axis",
            latmc_quantity_text(lat, first, text, sizeof text));
    ok(latmc_set_momenta(lat, 0, NULL));
    assert_int_equal(info_of(lat).momenta, 0);
    latmc_destroy(lat);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(options_are_checked),
        SUITE_TEST(types_are_described),
        SUITE_TEST(sites_check_their_arguments),
        SUITE_TEST(updates_check_their_arguments),
        SUITE_TEST(schedules_check_their_arguments),
        SUITE_TEST(momenta_check_their_arguments),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
