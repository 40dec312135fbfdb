/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every setting of a new lattice and every bad argument to it, of every model: refused with its
 * reason, nothing changed.
 */
#include "tests/models/door.h"

/* Each function that takes a lattice is called without one. */
static void all_refuse(const latmc_status *got, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(got[i], LATMC_ERROR_ARGUMENT);
    assert_non_null(strstr(latmc_error_message(), ": lattice is NULL"));
}

static void settings_need_a_lattice(void **state)
{
    latmc_lattice_info info = {.size = sizeof info};
    latmc_boundary boundary = LATMC_OPEN;
    latmc_disorder_info b = LATMC_INIT(latmc_disorder_info);
    latmc_choice choice = LATMC_INIT(latmc_choice);
    double x = 0.0;
    size_t bytes;
    char text[32];
    const latmc_status got[] = {
        latmc_set_option(none, LATMC_PRECISION, 32),
        latmc_set_replicas(none, 1),
        latmc_set_first_replica(none, 0),
        latmc_set_boundaries(none, &boundary),
        latmc_set_seed(none, 1),
        latmc_set_param(none, LATMC_BETA, 1.0),
        latmc_set_params(none, LATMC_BETA, &x),
        latmc_get_params(none, LATMC_BETA, &x),
        latmc_set_bond_type_couplings(none, &x),
        latmc_get_bond_type_couplings(none, &x),
        latmc_set_bond_couplings(none, &x),
        latmc_draw_bond_couplings(none, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL),
        latmc_get_bond_couplings(none, 0, &x),
        latmc_get_coupling_info(none, &b),
        latmc_set_samples(none, 1, 0),
        latmc_set_site_fields(none, &x),
        latmc_draw_site_fields(none, LATMC_GAUSSIAN, 1, 0, NULL, NULL),
        latmc_get_site_fields(none, 0, &x),
        latmc_get_field_info(none, &b),
        latmc_get_lattice_info(none, &info),
        latmc_set_device(none, "cpu"),
        latmc_get_device(none, text, sizeof text),
        latmc_get_choice(none, 0, LATMC_METROPOLIS, &choice),
        latmc_report(none, text, sizeof text, &bytes),
        latmc_set_threads(none, 1),
    };

    (void)state;
    all_refuse(got, ALL(got));
}

static void sweeps_and_sites_need_a_lattice(void **state)
{
    latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double x = 0.0;
    const latmc_recording of_pairs = {.size = sizeof of_pairs,
                                      .pair_count = 1,
                                      .pairs = (const int64_t[]){0, 0},
                                      .pair_quantities = &energy,
                                      .pair_series = &x,
                                      .pair_quantity_count = 1};
    int64_t count;
    uint64_t hash;
    size_t bytes;
    int8_t site = 1;
    const latmc_status got[] = {
        latmc_start(none, LATMC_START_COLD),
        latmc_sweep(none, LATMC_METROPOLIS, 1),
        latmc_tune(none, LATMC_METROPOLIS, 1, 0.5),
        latmc_set_progress(none, NULL, NULL),
        latmc_observe(none, LATMC_BY_REPLICA, 1, &energy, &x),
        record_series(none, LATMC_METROPOLIS, 1, 1, 1, &energy, &x),
        latmc_observe_pairs(none, LATMC_BY_REPLICA, 1, (int64_t[]){0, 0}, 1, &energy, &x),
        record_pair_series(none, LATMC_METROPOLIS, 1, 1, 0, NULL, NULL, &of_pairs),
        get_replica(none, 0, LATMC_INT8, &site, 1),
        set_replica(none, 0, LATMC_INT8, &site, 1),
        latmc_sites_bytes(none, 1, LATMC_INT8, &bytes),
        latmc_copy_replicas(none, &count),
        latmc_state_hash(none, &hash),
        latmc_save(none, "/nowhere"),
        latmc_save_memory(none, NULL, 0, &bytes),
        latmc_keep_best(none, 1),
        latmc_get_best(none, &x, NULL),
        get_best_replica(none, 0, LATMC_INT8, &site, 1),
    };

    (void)state;
    all_refuse(got, ALL(got));
    latmc_destroy(NULL);
}

static void schedules_slots_and_weights_need_a_lattice(void **state)
{
    latmc_step step = LATMC_INIT(latmc_step);
    double x = 0.0;
    int64_t count;
    const latmc_status got[] = {
        latmc_set_schedule(none, 0, NULL),
        latmc_get_step(none, 0, &step),
        latmc_set_ramp(none, LATMC_BETA, &x, 1),
        latmc_get_ramp(none, LATMC_BETA, &x, &count),
        latmc_set_slots(none, &count),
        latmc_get_slots(none, &count),
        latmc_set_ladders(none, 1),
        latmc_get_exchange_counts(none, &count, NULL),
        latmc_get_round_trips(none, &count),
        latmc_get_walks(none, &count, NULL),
        latmc_reset_exchange_counts(none),
        latmc_set_weights(none, 0, LATMC_WEIGHT_SITES, 1, &x),
        latmc_get_weights(none, 0, NULL, &count, NULL),
        latmc_get_momenta(none, &count),
        latmc_set_momenta(none, 0, NULL),
    };

    (void)state;
    all_refuse(got, ALL(got));
    assert_string_equal(latmc_error_message(), "latmc_set_momenta: lattice is NULL");
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
    latmc_description about = {.size = sizeof about};
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

    refused(LATMC_ERROR_ARGUMENT, "replicas is 0", latmc_set_replicas(lat, 0));
    refused(LATMC_ERROR_ARGUMENT, "replicas is -1", latmc_set_replicas(lat, -1));
    refused(LATMC_ERROR_ARGUMENT, "1 to 4194304", latmc_set_replicas(lat, ((int64_t)1 << 22) + 1));
    refused(LATMC_ERROR_ARGUMENT, "first is -1", latmc_set_first_replica(lat, -1));
    refused(LATMC_ERROR_ARGUMENT, "0 to 4294967295",
            latmc_set_first_replica(lat, (int64_t)1 << 32));
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_set_boundaries(lat, NULL));
    refused(LATMC_ERROR_UNKNOWN, "boundary number 4", latmc_set_boundaries(lat, bad));
    refused(LATMC_ERROR_ARGUMENT, "threads is -1", latmc_set_threads(lat, -1));
    refused(LATMC_ERROR_ARGUMENT, "4096", latmc_set_threads(lat, 4097));
    refused(LATMC_ERROR_ARGUMENT, "info is NULL", latmc_get_lattice_info(lat, NULL));
    after = (latmc_lattice_info){.size = 8};
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_get_lattice_info(lat, &after));
    after = info_of(lat);
    assert_memory_equal(&before, &after, sizeof before);

    ok(latmc_set_first_replica(lat, 4294967290));
    ok(latmc_set_replicas(lat, 6));
    refused(LATMC_ERROR_ARGUMENT, "7 replicas from number 4294967290 on",
            latmc_set_replicas(lat, 7));
    ok(latmc_set_threads(lat, 4096));
    ok(latmc_set_progress(lat, NULL, NULL));
    assert_int_equal(info_of(lat).threads, 4096);
    latmc_destroy(lat);
}

/* How many replicas a lattice has, and how far an ensemble goes: less far beyond 2^32 sites. */
static void ensembles_have_room(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    static const struct {
        int64_t extents[2], most, replicas;
        const char *allowed;
    } of[] = {
        {{65536, 65536}, (int64_t)1 << 32, 1 << 22, "1 to 4194304"},
        {{65536, 65538}, (int64_t)1 << 24, 1 << 22, "1 to 4194304"},
        {{(int64_t)1 << 20, (int64_t)1 << 20}, (int64_t)1 << 24, 1 << 16, "1 to 65536"},
    };

    for (size_t i = 0; i < ALL(of); i++) {
        latmc_lattice *lat = suite_made(m, 2, of[i].extents);
        refused(LATMC_ERROR_ARGUMENT, of[i].allowed, latmc_set_replicas(lat, of[i].replicas + 1));
        ok(latmc_set_replicas(lat, 3));
        ok(latmc_set_first_replica(lat, of[i].most - 3));
        assert_true(info_of(lat).first_replica == of[i].most - 3);
        refused(LATMC_ERROR_ARGUMENT, "with 3 replicas it must be 0 to ",
                latmc_set_first_replica(lat, of[i].most - 2));
        refused(LATMC_ERROR_ARGUMENT, "4 replicas from number", latmc_set_replicas(lat, 4));
        if (m->has_couplings) {
            ok(latmc_set_samples(lat, 3, of[i].most - 3));
            refused(LATMC_ERROR_ARGUMENT, "with 3 samples it must be 0 to ",
                    latmc_set_samples(lat, 3, of[i].most - 2));
        }
        latmc_destroy(lat);
    }
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
        latmc_description about = LATMC_INIT(latmc_description);
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
        refused(LATMC_ERROR_ARGUMENT, "slot 1", latmc_set_params(lat, b->param, values));
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

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ONCE(settings_need_a_lattice),
        SUITE_TEST(create_checks_its_arguments),
        SUITE_ONCE(sweeps_and_sites_need_a_lattice),
        SUITE_ONCE(schedules_slots_and_weights_need_a_lattice),
        SUITE_TEST(a_new_lattice_has_the_presets),
        SUITE_TEST(settings_check_their_arguments),
        SUITE_TEST(ensembles_have_room),
        SUITE_TEST(parameters_check_their_arguments),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
