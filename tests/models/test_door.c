/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every setting and every bad argument to it, of every model: refused with its reason, nothing
 * changed.
 */
#include <math.h>

#include "tests/models/portrait.h"

static latmc_lattice *const none = NULL;

/* Each function that takes a lattice, without one. */
static void no_lattice_is_refused(void **state)
{
    latmc_lattice_info info = {.size = sizeof info};
    latmc_boundary boundary = LATMC_OPEN;
    latmc_observable energy = LATMC_ENERGY;
    latmc_update update;
    latmc_estimate estimate = LATMC_INIT(latmc_estimate);
    latmc_disorder_info b = LATMC_INIT(latmc_disorder_info);
    double x = 0.0;
    const latmc_pair_series of_pairs = {.size = sizeof of_pairs,
                                        .pairs = 1,
                                        .replicas = (const int64_t[]){0, 0},
                                        .observables = &energy,
                                        .series = &x,
                                        .count = 1};
    int64_t count;
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
        latmc_get_axis_couplings(none, &x),
        latmc_set_bond_couplings(none, &x),
        latmc_draw_bond_couplings(none, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL),
        latmc_get_bond_couplings(none, 0, &x),
        latmc_set_samples(none, 1, 0),
        latmc_set_site_fields(none, &x),
        latmc_draw_site_fields(none, LATMC_GAUSSIAN, 1, 0, NULL, NULL),
        latmc_get_site_fields(none, 0, &x),
        latmc_get_bond_info(none, &b),
        latmc_set_site_fields(none, &x),
        latmc_draw_site_fields(none, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL),
        latmc_get_site_fields(none, 0, &x),
        latmc_get_site_field_info(none, &b),
        latmc_get_info(none, &info),
        latmc_set_device(none, "cpu"),
        latmc_get_device(none, text, sizeof text),
        latmc_set_threads(none, 1),
        latmc_start(none, LATMC_START_COLD),
        latmc_sweep(none, LATMC_METROPOLIS, 1),
        latmc_set_progress(none, NULL, NULL),
        latmc_observe(none, 1, &energy, &x),
        latmc_record(none, LATMC_METROPOLIS, 1, 1, 1, &energy, &x),
        latmc_observe_pairs(none, 1, (int64_t[]){0, 0}, 1, &energy, &x),
        latmc_record_pairs(none, LATMC_METROPOLIS, 1, 1, 0, NULL, NULL, &of_pairs),
        latmc_get_sites(none, 0, LATMC_INT8, &site, 1),
        latmc_set_sites(none, 0, LATMC_INT8, &site, 1),
        latmc_state_hash(none, &hash),
        latmc_save(none, "/nowhere"),
        latmc_save_memory(none, NULL, 0, &bytes),
        latmc_set_option(none, LATMC_PRECISION, 32),
        latmc_tune(none, LATMC_METROPOLIS, 1, 0.5),
        latmc_set_schedule(none, 0, NULL, NULL),
        latmc_set_step_argument(none, 0, LATMC_HITS, 1.0),
        latmc_get_step(none, 0, &update, &count),
        latmc_get_step_argument(none, 0, LATMC_HITS, &x),
        latmc_set_ramp(none, LATMC_BETA, &x, 1),
        latmc_get_ramp(none, LATMC_BETA, &x, &count),
        latmc_set_step_exchanges(none, 0, 1),
        latmc_get_step_exchanges(none, 0, &count),
        latmc_set_slots(none, &count),
        latmc_get_slots(none, &count),
        latmc_set_ladders(none, 1),
        latmc_get_exchange_counts(none, &count, NULL),
        latmc_get_round_trips(none, &count),
        latmc_get_walks(none, &count, NULL),
        latmc_reset_exchange_counts(none),
        latmc_keep_best(none, 1),
        latmc_get_best(none, &x, NULL),
        latmc_get_best_sites(none, 0, LATMC_INT8, &site, 1),
        latmc_set_order(none, LATMC_BY_SLOT),
        latmc_check_record(none, &estimate),
    };

    (void)state;
    for (size_t i = 0; i < ALL(got); i++)
        assert_int_equal(got[i], LATMC_ERROR_ARGUMENT);
    assert_string_equal(latmc_error_message(), "latmc_check_record: lattice is NULL");
    latmc_destroy(NULL);
}

static void create_checks_its_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const int64_t side = (int64_t)1 << 20, e[] = {4, 4, 4, 4, 4};
    latmc_lattice *const before = (latmc_lattice *)&side;
    latmc_lattice *lat = before;
    const latmc_model id = m->id;
    const char *most = "more than 2^40 sites";

    refused(LATMC_ERROR_ARGUMENT, "lattice is NULL", latmc_create(NULL, id, 2, e));
    refused(LATMC_ERROR_ARGUMENT, "extents is NULL", latmc_create(&lat, id, 2, NULL));
    refused(LATMC_ERROR_UNKNOWN, "model number 0", latmc_create(&lat, (latmc_model)0, 2, e));
    refused(LATMC_ERROR_UNKNOWN, "model number 2", latmc_create(&lat, (latmc_model)2, 2, e));
    refused(LATMC_ERROR_ARGUMENT, "dims is 0", latmc_create(&lat, id, 0, e));
    refused(LATMC_ERROR_ARGUMENT, "dims is -3", latmc_create(&lat, id, -3, e));
    refused(LATMC_ERROR_ARGUMENT, "dims is 5; 1 to 4", latmc_create(&lat, id, 5, e));
    refused(LATMC_ERROR_ARGUMENT, "extent 1 is 1; every extent must be at least 2",
            latmc_create(&lat, id, 2, (int64_t[]){2, 1}));
    refused(LATMC_ERROR_ARGUMENT, "extent 0 is -8", latmc_create(&lat, id, 1, (int64_t[]){-8}));
    refused(LATMC_ERROR_ARGUMENT, most, latmc_create(&lat, id, 2, (int64_t[]){side, side + 1}));
    refused(LATMC_ERROR_ARGUMENT, most,
            latmc_create(&lat, id, 4, (int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX, 4}));
    refused(LATMC_ERROR_ARGUMENT, most,
            latmc_create(&lat, id, 4, (int64_t[]){(int64_t)1 << 32, 2, (int64_t)1 << 32, 2}));
    assert_ptr_equal(lat, before);
    ok(latmc_create(&lat, id, 2, (int64_t[]){side, side}));
    latmc_destroy(lat);
}

static void a_new_lattice_has_the_presets(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = fresh(m, 3, (int64_t[]){4, 3, 2});
    latmc_lattice_info info = info_of(lat);
    latmc_info about = {.size = sizeof about};
    double x;
    int p = 0;

    assert_int_equal(info.model, m->id);
    assert_int_equal(info.type, m->types[0]);
    assert_int_equal(info.components, suite_components(m));
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
    for (; !latmc_describe(LATMC_PARAMS, m->id, p, &about); p++) {
        assert_int_equal(about.id, m->params[p]);
        ok(latmc_get_params(lat, (latmc_param)about.id, &x));
        assert_true(x == about.preset);
    }
    assert_int_equal(m->params[p], 0);
    latmc_destroy(lat);
}

static void settings_check_their_arguments(void **state)
{
    latmc_lattice *lat = fresh(suite_stage_of(state)->model, 2, (int64_t[]){4, 4});
    latmc_lattice_info before = info_of(lat), after;
    const latmc_boundary bad[2] = {LATMC_OPEN, (latmc_boundary)4};

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

/* Of three replicas, two of them for a while: the first one's value goes to whoever is new. */
static void replicas_come_with_parameters(latmc_lattice *lat, latmc_param param)
{
    const double values[3] = {0.1, 0.2, 0.3};
    double got[3] = {0.0, 0.0, 0.0};

    ok(latmc_set_replicas(lat, 3));
    ok(latmc_set_params(lat, param, values));
    ok(latmc_get_params(lat, param, got));
    assert_memory_equal(values, got, sizeof got);
    ok(latmc_set_replicas(lat, 2));
    ok(latmc_set_replicas(lat, 3));
    ok(latmc_get_params(lat, param, got));
    assert_true(got[0] == 0.1 && got[1] == 0.2 && got[2] == 0.1);
}

/* Those that are listed in a refusal are the model's. */
static void unknown_parameters_are_refused(latmc_lattice *lat, const test_model *m)
{
    const latmc_param no_param = (latmc_param)3;
    double values[RICH_REPLICAS] = {0.5, 0.5};

    for (int i = 0; m->params[i]; i++) {
        latmc_info about = LATMC_INIT(latmc_info);
        char part[80];
        ok(latmc_describe(LATMC_PARAMS, m->id, i, &about));
        snprintf(part, sizeof part, "%s (%d)", about.name, (int)about.id);
        refused(LATMC_ERROR_UNKNOWN, part, latmc_set_param(lat, no_param, 1.0));
    }
    refused(LATMC_ERROR_UNKNOWN, "number 3", latmc_set_params(lat, no_param, values));
    refused(LATMC_ERROR_UNKNOWN, "number 3", latmc_get_params(lat, no_param, values));
    for (int id = LATMC_BETA; id <= LATMC_LOCAL_SWEEPS; id++)
        if (!suite_has(m->params, id))
            refused(LATMC_ERROR_UNKNOWN, "", latmc_set_param(lat, (latmc_param)id, 1.0));
}

/* Of all replicas, and of the second. */
static void parameters_have_ranges(latmc_lattice *lat, const test_model *m)
{
    for (const test_edge *b = m->bad_params; b->part; b++) {
        double values[RICH_REPLICAS];
        ok(latmc_get_params(lat, b->param, values));
        values[1] = b->value;
        refused(LATMC_ERROR_ARGUMENT, b->part, latmc_set_param(lat, b->param, b->value));
        refused(LATMC_ERROR_ARGUMENT, "replica 1", latmc_set_params(lat, b->param, values));
        refused(LATMC_ERROR_ARGUMENT, b->part, latmc_set_params(lat, b->param, values));
    }
}

static void parameters_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_param first = (latmc_param)m->params[0];
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){4, 4});

    replicas_come_with_parameters(lat, first);
    latmc_destroy(lat);
    for (const test_variant *v = m->rich; v->name; v++) {
        lat = suite_rich(m, v);
        portrait before = portrait_of(lat, m);
        refused(LATMC_ERROR_ARGUMENT, "values is NULL", latmc_set_params(lat, first, NULL));
        refused(LATMC_ERROR_ARGUMENT, "values is NULL", latmc_get_params(lat, first, NULL));
        unknown_parameters_are_refused(lat, m);
        parameters_have_ranges(lat, m);
        unchanged(lat, m, &before);
        for (const test_edge *g = m->good_params; g->param; g++)
            ok(latmc_set_param(lat, g->param, g->value));
        latmc_destroy(lat);
    }
}

/* A model without couplings refuses them by its name. */
static void couplings_are_not_for(const test_model *m)
{
    const double ones[12] = {1.0, 1.0};
    double got[12] = {7.0};
    latmc_lattice *lat = fresh(m, 2, (int64_t[]){3, 2});
    const latmc_lattice_info before = info_of(lat);
    latmc_disorder_info info = LATMC_INIT(latmc_disorder_info);
    latmc_lattice_info after;

    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_axis_couplings(lat, ones));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_axis_couplings(lat, got));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_bond_couplings(lat, ones));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_set_bond_couplings(lat, NULL));
    refused(LATMC_ERROR_UNKNOWN, m->name,
            latmc_draw_bond_couplings(lat, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_bond_couplings(lat, 0, got));
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_bond_info(lat, &info));
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
    refused(LATMC_ERROR_UNKNOWN, m->name, latmc_get_site_field_info(lat, &info));
    assert_true(got[0] == 7.0 && info.origin == 0);
    latmc_destroy(lat);
}

static void drawn_couplings_check_their_arguments(latmc_lattice *lat)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_distribution pm1 = LATMC_PLUS_MINUS_ONE;
    const latmc_argument plus = LATMC_PLUS, missing = LATMC_MISSING, mean = LATMC_MEAN;
    const latmc_argument twice[] = {LATMC_MISSING, LATMC_PLUS, LATMC_MISSING}, none = 0;
    const double values[] = {0.5, 0.5, 0.5};
    latmc_disorder_info before = LATMC_INIT(latmc_disorder_info),
                        after = LATMC_INIT(latmc_disorder_info);

    ok(latmc_draw_bond_couplings(lat, pm1, 3, 2, twice, values));
    ok(latmc_get_bond_info(lat, &before));
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
    refused(no, "NULL", latmc_get_bond_info(lat, NULL));
    ok(latmc_get_bond_info(lat, &after));
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
    ok(latmc_set_samples(lat, 3, 65533));
    ok(latmc_set_bond_couplings(lat, bonds));
    ok(latmc_get_bond_info(lat, &before));
    refused(no, "samples is 0; with 6 replicas", latmc_set_samples(lat, 0, 0));
    refused(no, "samples is -3", latmc_set_samples(lat, -3, 0));
    refused(no, "samples is 4; with 6 replicas", latmc_set_samples(lat, 4, 0));
    refused(no, "samples is 12", latmc_set_samples(lat, 12, 0));
    refused(no, "first is -1; with 3 samples it must be 0 to 65533", latmc_set_samples(lat, 3, -1));
    refused(no, "first is 65534", latmc_set_samples(lat, 3, 65534));
    refused(late, "the couplings of 3 samples are given, and not of 2",
            latmc_set_samples(lat, 2, 0));
    refused(no, "7 replicas cannot be divided by 3 samples", latmc_set_replicas(lat, 7));
    refused(no, "sample is 3; there are 0 to 2", latmc_get_bond_couplings(lat, 3, got));
    refused(no, "sample is -1", latmc_get_bond_couplings(lat, -1, got));
    bonds[12 + 6 + 5] = (double)INFINITY;
    refused(no, "site 5 along axis 1 is inf, in sample 1", latmc_set_bond_couplings(lat, bonds));
    ok(latmc_get_bond_info(lat, &after));
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(after.samples == 3 && after.first_sample == 65533);
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

    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_set_axis_couplings(lat, NULL));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_axis_couplings(lat, NULL));
    refused(LATMC_ERROR_ARGUMENT, "axis 1 is nan",
            latmc_set_axis_couplings(lat, (double[]){1.0, (double)NAN}));
    refused(LATMC_ERROR_ARGUMENT, "axis 0 is -inf",
            latmc_set_axis_couplings(lat, (double[]){-(double)INFINITY, 0.0}));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_get_bond_couplings(lat, 0, NULL));
    refused(LATMC_ERROR_UNKNOWN, "pm1 (501)",
            latmc_draw_bond_couplings(lat, (latmc_distribution)2, 1, 0, NULL, NULL));
    drawn_couplings_check_their_arguments(lat);
    ok(latmc_set_bond_couplings(lat, bonds));
    bonds[7] = 1.5 * m->most_coupling;
    refused(LATMC_ERROR_ARGUMENT, "site 1 along axis 1 is", latmc_set_bond_couplings(lat, bonds));
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
    ok(latmc_set_axis_couplings(lat, (double[]){m->most_axis, -m->most_axis}));
    refused(LATMC_ERROR_ARGUMENT, "axis 1",
            latmc_set_axis_couplings(lat, (double[]){1.0, 1.5 * m->most_axis}));
    ok(latmc_get_axis_couplings(lat, got));
    assert_true(got[0] == m->most_axis && got[1] == -m->most_axis && got[2] == bonds[2]);
    latmc_destroy(lat);
}

/* Of two samples of six sites. */
static void bad_site_fields_are_refused(latmc_lattice *lat, const test_model *m, double *fields)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_argument plus = LATMC_PLUS, width = LATMC_WIDTH;
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
    refused(no, "latmc_start()", latmc_observe(lat, 1, m->observables, &x));
    refused(no, "latmc_start()", latmc_record(lat, update, 1, 1, 1, m->observables, &x));
    refused(no, "latmc_start()", latmc_get_sites(lat, 0, type, sites, suite_count(m, 4)));
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
        SUITE_ONCE(no_lattice_is_refused),
        SUITE_TEST(create_checks_its_arguments),
        SUITE_TEST(a_new_lattice_has_the_presets),
        SUITE_TEST(settings_check_their_arguments),
        SUITE_TEST(parameters_check_their_arguments),
        SUITE_TEST(couplings_check_their_arguments),
        SUITE_TEST(site_fields_check_their_arguments),
        SUITE_TEST(a_started_lattice_is_fixed),
        SUITE_TEST(a_lattice_without_sites_cannot_run),
        SUITE_TEST(too_much_for_the_memory_is_refused),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
