/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choosing devices, moving between them, and devices that fail. The library's list of
 * backends is replaced by one with a second backend: it calls itself "cuda", computes as
 * "cpu:scalar" does, and fails when told to.
 */
#include "tests/models/ising.h"
#include "tests/models/scene.h"

#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "lib/devices/plan.h"
#include "lib/base/status.h"

static long calls;    /* of functions that can fail, since arm() */
static long fails_at; /* 0: none */
static latmc_status fails_with;
static int open_plans;

static latmc_status sabotage(void)
{
    if (++calls != fails_at)
        return LATMC_OK;
    return lm_fail(fails_with, "sabotage of call %ld", calls);
}

static int fake_count(void)
{
    return 2;
}

static void fake_describe(int device, latmc_device_info *info)
{
    snprintf(info->name, sizeof info->name, "cuda:%d", device);
    snprintf(info->text, sizeof info->text, device ? "a fake" : "its fan is missing");
    info->usable = device == 1;
}

static int scalar_index(void)
{
    for (int i = 0; i < lm_cpu_backend.count(); i++) {
        latmc_device_info info = {.size = sizeof info};

        lm_cpu_backend.describe(i, &info);
        if (strcmp(info.name, "cpu:scalar") == 0)
            return i;
    }
    return -1;
}

static const lm_plan_ops *real; /* of the Ising model on CPUs */
static lm_spec opened;          /* the last plan's */

static latmc_status fake_open(const lm_spec *spec, int device, void **plan)
{
    latmc_status status = sabotage();

    assert_int_equal(device, 1);
    real = lm_cpu_ising.ops;
    opened = *spec;
    if (!status)
        status = lm_cpu_ising.open(spec, scalar_index(), plan);
    open_plans += status == LATMC_OK;
    return status;
}

static void fake_close(void *plan)
{
    open_plans--;
    real->close(plan);
}

static latmc_status fake_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                   int64_t rows, const int8_t *bonds)
{
    latmc_status status = sabotage();

    return status ? status : real->put_bonds(plan, sample, axis, first_row, rows, bonds);
}

static latmc_status fake_put_parameters(void *plan, const lm_parameters *parameters)
{
    latmc_status status = sabotage();

    return status ? status : real->put_parameters(plan, parameters);
}

static latmc_status fake_start(void *plan, latmc_start_mode mode)
{
    latmc_status status = sabotage();

    return status ? status : real->start(plan, mode);
}

static latmc_status fake_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                   const void *sites)
{
    latmc_status status = sabotage();

    return status ? status : real->put_sites(plan, replica, first_row, rows, sites);
}

static latmc_status fake_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                   void *sites)
{
    latmc_status status = sabotage();

    return status ? status : real->get_sites(plan, replica, first_row, rows, sites);
}

static int64_t taken, most_taken; /* hand-overs of series, and the most measurements of one */

/* Hands over by measurement, or by replica from a place of the plan's own. */
static void hand_over(const lm_out *out, int64_t count)
{
    const int64_t replicas = opened.replicas, each = lm_spec_sums(&opened);
    const size_t bytes = (size_t)(count * replicas * each) * sizeof(double);
    double *own = calloc(1, bytes);
    const lm_taken here = {out->sums, count, replicas * each, each, (int)each},
                   there = {own, count, each, count * each, (int)each};

    assert_non_null(own);
    for (int64_t m = 0; m < count; m++)
        for (int64_t r = 0; r < replicas; r++)
            memcpy(own + (r * count + m) * each, out->sums + (m * replicas + r) * each,
                   (size_t)each * sizeof *own);
    if (taken % 2)
        memset(out->sums, 0, bytes);
    out->take(out->taker, taken % 2 ? &there : &here);
    free(own);
}

/* A series as a plan that streams hands it over: as much as there is room for, and the rest. */
static latmc_status stream(void *plan, const lm_schedule *schedule, lm_cursor at, int64_t budget,
                           const lm_out *out)
{
    const lm_out some = {.every = out->every, .groups = out->groups, .sums = out->sums};
    latmc_status status = LATMC_OK;

    for (int64_t left = lm_out_count(out, budget); left > 0 && !status; left -= out->room) {
        const int64_t n = left < out->room ? left : out->room;

        status = real->run(plan, schedule, &at, n * out->every, &some);
        lm_cursor_move(schedule, &at, n * out->every);
        if (!status)
            hand_over(out, n);
        taken++;
        most_taken = n > most_taken ? n : most_taken;
    }
    return status;
}

static latmc_status fake_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                             int64_t budget, const lm_out *out)
{
    latmc_status status = sabotage();

    if (!status && out && out->take)
        return stream(plan, schedule, *cursor, budget, out);
    return status ? status : real->run(plan, schedule, cursor, budget, out);
}

/* Without what may be left out, but for bonds, which lattices here have. */
static const lm_plan_ops fake_ops = {
    .close = fake_close,
    .put_bonds = fake_put_bonds,
    .put_parameters = fake_put_parameters,
    .start = fake_start,
    .put_sites = fake_put_sites,
    .get_sites = fake_get_sites,
    .run = fake_run,
    .streams = 1,
};

static const lm_backend_model fake_ising = {
    .model = LATMC_ISING, .kept = LM_IN_WORDS, .ops = &fake_ops, .open = fake_open};

static const lm_backend fake = {
    .name = "cuda",
    .count = fake_count,
    .describe = fake_describe,
    .models = (const lm_backend_model *const[]){&fake_ising, NULL},
};

const lm_backend *const lm_backends[] = {&fake, &lm_cpu_backend, NULL};

static int no_wish(void **state)
{
    (void)state;
    return unsetenv("LATMC_DEVICE");
}

static const char *device_of(const latmc_lattice *lat)
{
    static char name[32];

    ok(latmc_get_device(lat, name, sizeof name));
    return name;
}

static void devices_are_described(void **state)
{
    latmc_device_info info = {.size = sizeof info};
    int usable = 0;

    (void)state;
    assert_true(latmc_device_count() >= 3);
    ok(latmc_device_describe(0, &info));
    assert_string_equal(info.name, "cuda:0");
    assert_string_equal(info.text, "its fan is missing");
    assert_int_equal(info.usable, 0);
    for (int i = 1; i < latmc_device_count(); i++) {
        ok(latmc_device_describe(i, &info));
        assert_true(strlen(info.text) > 2);
        usable += info.usable;
    }
    assert_true(usable >= 2);
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_device_describe(0, NULL));
    refused(LATMC_ERROR_ARGUMENT, "-1", latmc_device_describe(-1, &info));
    refused(LATMC_ERROR_ARGUMENT, "there are 0 to",
            latmc_device_describe(latmc_device_count(), &info));
    info.size = 4;
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_device_describe(0, &info));
}

static void names_that_cannot_be_had_are_refused(void **state)
{
    latmc_lattice *lat = new_lattice(1, (int64_t[]){8});
    const latmc_status no = LATMC_ERROR_NO_DEVICE;
    char small[31];

    (void)state;
    ok(latmc_set_device(lat, "cpu:scalar"));
    refused(LATMC_ERROR_ARGUMENT, "device is NULL", latmc_set_device(lat, NULL));
    refused(no, "cuda:0 cannot be used: its fan is missing", latmc_set_device(lat, "cuda:0"));
    refused(no, "of cuda there is: cuda:0 (not usable: its fan is missing), cuda:1",
            latmc_set_device(lat, "cuda:2"));
    refused(no, "of cpu there is:", latmc_set_device(lat, "cpu:sse9"));
    refused(no, "no device \"tpu:0\"; there are: cuda:0", latmc_set_device(lat, "tpu:0"));
    refused(no, "no device \"\"", latmc_set_device(lat, ""));
    refused(no, "no device \"CPU\"", latmc_set_device(lat, "CPU"));
    refused(no, "no device", latmc_set_device(lat, "auto "));
    refused(no, "cpu:", latmc_set_device(lat, "cpu:"));
    refused(no, "cuda:01", latmc_set_device(lat, "cuda:01"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    refused(LATMC_ERROR_ARGUMENT, "name", latmc_get_device(lat, NULL, 32));
    refused(LATMC_ERROR_ARGUMENT, "31 bytes", latmc_get_device(lat, small, sizeof small));
    latmc_destroy(lat);
}

static void auto_is_the_first_usable_and_the_environment_replaces_it(void **state)
{
    latmc_lattice *lat = new_lattice(1, (int64_t[]){8});

    (void)state;
    assert_string_equal(device_of(lat), "cuda:1");
    ok(latmc_set_device(lat, "cuda"));
    assert_string_equal(device_of(lat), "cuda:1");
    ok(latmc_set_device(lat, "cpu"));
    assert_memory_equal(device_of(lat), "cpu:", 4);
    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    ok(latmc_set_device(lat, "cuda:1"));
    assert_string_equal(device_of(lat), "cuda:1");
    ok(latmc_set_device(lat, "auto"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    setenv("LATMC_DEVICE", "cuda:7", 1);
    refused(LATMC_ERROR_NO_DEVICE, "variable LATMC_DEVICE: \"cuda:7\"",
            latmc_set_device(lat, "auto"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    latmc_destroy(lat);
    lat = new_lattice(1, (int64_t[]){8});
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", latmc_start(lat, LATMC_START_COLD));
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", latmc_get_device(lat, (char[32]){0}, 32));
    setenv("LATMC_DEVICE", "auto", 1);
    assert_string_equal(device_of(lat), "cuda:1");
    setenv("LATMC_DEVICE", "", 1);
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_string_equal(device_of(lat), "cuda:1");
    latmc_destroy(lat);
}

/* The fake has the Ising model alone. */
static void auto_has_the_model(void **state)
{
    latmc_lattice *lat = NULL;

    (void)state;
    ok(latmc_create(&lat, LATMC_PHI4, 1, (int64_t[]){8}));
    assert_memory_equal(device_of(lat), "cpu:", 4);
    ok(latmc_set_device(lat, "auto"));
    assert_memory_equal(device_of(lat), "cpu:", 4);
    ok(latmc_set_device(lat, "cuda"));
    refused(LATMC_ERROR_NO_DEVICE, "no model phi4", latmc_start(lat, LATMC_START_COLD));
    latmc_destroy(lat);
}

/* Lists: their devices in order, by single names. */
static void devices_are_listed(void **state)
{
    const latmc_status no = LATMC_ERROR_NO_DEVICE;
    latmc_lattice *lat = new_lattice(1, (int64_t[]){8});
    char name[512], many[512] = "cpu:scalar";

    (void)state;
    ok(latmc_set_device(lat, "cpu:scalar,scalar"));
    assert_string_equal(device_of(lat), "cpu:scalar,scalar");
    ok(latmc_set_device(lat, "cuda:1,1"));
    assert_string_equal(device_of(lat), "cuda:1,1");
    ok(latmc_set_device(lat, "cuda:1-1,all,1"));
    assert_string_equal(device_of(lat), "cuda:1,1,1");
    refused(no, "cuda:0 cannot be used: its fan is missing", latmc_set_device(lat, "cuda:0-1"));
    refused(no, "cuda:0 cannot be used: its fan is missing", latmc_set_device(lat, "cuda:1,0"));
    refused(no, "cuda:2", latmc_set_device(lat, "cuda:1-3"));
    refused(no, "cuda:3-1", latmc_set_device(lat, "cuda:3-1"));
    refused(no, "cuda:1-", latmc_set_device(lat, "cuda:1-"));
    refused(no, "cpu:-1", latmc_set_device(lat, "cpu:-1"));
    refused(no, "cpu:scalar,", latmc_set_device(lat, "cpu:scalar,"));
    refused(no, "cpu:,scalar", latmc_set_device(lat, "cpu:,scalar"));
    refused(no, "cpu:scalar,,scalar", latmc_set_device(lat, "cpu:scalar,,scalar"));
    refused(no, "cpu:cuda:1", latmc_set_device(lat, "cpu:scalar,cuda:1"));
    refused(no, "tpu", latmc_set_device(lat, "tpu:0,1"));
    for (int i = 1; i < 64; i++)
        strcat(many, ",scalar"); /* 459 bytes with the end */
    ok(latmc_set_device(lat, many));
    refused(LATMC_ERROR_ARGUMENT, "at least 452 are needed", latmc_get_device(lat, name, 451));
    ok(latmc_get_device(lat, name, 452));
    assert_string_equal(name, many);
    strcat(many, ",scalar");
    refused(no, "more than 64 devices", latmc_set_device(lat, many));
    latmc_destroy(lat);
}

/* Through all devices in mid-run, against one that stayed. */
static void a_move_does_not_show(void **state)
{
    for (int bonds = 0; bonds < 3; bonds++) {
        latmc_lattice *stays = rich_lattice(bonds), *moves = rich_lattice(bonds);

        for (int i = 0; i < 2 * latmc_device_count(); i++) {
            latmc_device_info info = {.size = sizeof info};

            ok(latmc_device_describe(i % latmc_device_count(), &info));
            if (!info.usable)
                continue;
            ok(latmc_sweep(stays, LATMC_METROPOLIS, 2));
            ok(latmc_sweep(moves, LATMC_METROPOLIS, 2));
            ok(latmc_set_device(moves, info.name));
            assert_string_equal(device_of(moves), info.name);
            if (i % 2)
                assert_same(stays, moves);
        }
        assert_same(stays, moves);
        latmc_destroy(stays);
        latmc_destroy(moves);
    }
    (void)state;
    assert_int_equal(open_plans, 0);
}

/* Loaded for a device that cannot be had: nothing is lost, and another one can be chosen. */
static void a_loaded_lattice_waits_for_its_device(void **state)
{
    latmc_lattice *stays = rich_lattice(1), *lat = NULL;
    int8_t sites[210], same[210];
    size_t bytes, again;
    double e[2] = {7.0, 7.0};
    char *saved;

    (void)state;
    ok(latmc_save_memory(stays, NULL, 0, &bytes));
    saved = calloc(2, bytes);
    assert_non_null(saved);
    ok(latmc_save_memory(stays, saved, bytes, &bytes));
    setenv("LATMC_DEVICE", "cuda:0", 1);
    ok(latmc_load_memory(&lat, saved, bytes));
    assert_int_equal(info_of(lat).started, 1);
    assert_int_equal(info_of(lat).sweeps, 5);
    refused(LATMC_ERROR_NO_DEVICE, "latmc_sweep: environment variable LATMC_DEVICE: cuda:0 cannot",
            latmc_sweep(lat, LATMC_METROPOLIS, 1));
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", observe_one(lat, LATMC_ENERGY, e));
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", latmc_get_device(lat, (char[32]){0}, 32));
    refused(LATMC_ERROR_STATE, "already started", latmc_set_seed(lat, 3));
    assert_true(e[0] == 7.0 && hash_of(lat) == hash_of(stays));
    ok(latmc_get_sites(stays, 1, LATMC_INT8, sites, 210));
    ok(latmc_get_sites(lat, 1, LATMC_INT8, same, 210));
    assert_memory_equal(sites, same, sizeof sites);
    ok(latmc_save_memory(lat, saved + bytes, bytes, &again));
    assert_memory_equal(saved, saved + bytes, bytes);

    ok(latmc_set_device(lat, "cpu:scalar"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    assert_same(stays, lat);
    ok(latmc_sweep(stays, LATMC_METROPOLIS, 3));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 3));
    assert_same(stays, lat);
    setenv("LATMC_DEVICE", "", 1);
    latmc_destroy(lat);
    latmc_destroy(stays);
    free(saved);
}

static void arm(long n)
{
    calls = 0;
    fails_at = n;
}

static long disarm(void)
{
    fails_at = 0;
    return calls;
}

/* A choice opens nothing; a device that is then full can be tried again. */
static void a_loaded_lattice_is_placed_when_it_is_needed(void **state)
{
    latmc_lattice *stays = rich_lattice(2), *lat = NULL;
    char saved[4096];
    size_t bytes;

    (void)state;
    ok(latmc_save_memory(stays, saved, sizeof saved, &bytes));
    setenv("LATMC_DEVICE", "cuda:1", 1);
    ok(latmc_load_memory(&lat, saved, bytes));
    ok(latmc_set_threads(lat, 1));
    assert_string_equal(device_of(lat), "cuda:1");
    assert_int_equal(open_plans, 0);
    fails_with = LATMC_ERROR_DEVICE_MEMORY;
    arm(1);
    refused(LATMC_ERROR_DEVICE_MEMORY, "latmc_sweep: environment variable LATMC_DEVICE: sabotage",
            latmc_sweep(lat, LATMC_HEATBATH, 2));
    disarm();
    assert_int_equal(open_plans, 0);
    ok(latmc_sweep(lat, LATMC_HEATBATH, 2));
    assert_int_equal(open_plans, 1);
    ok(latmc_sweep(stays, LATMC_HEATBATH, 2));
    assert_same(stays, lat);
    latmc_destroy(lat);

    ok(latmc_load_memory(&lat, saved, bytes));
    ok(latmc_set_device(lat, "cuda"));
    setenv("LATMC_DEVICE", "", 1);
    arm(1);
    refused(LATMC_ERROR_DEVICE_MEMORY, "latmc_start: sabotage", latmc_start(lat, LATMC_START_COLD));
    disarm();
    assert_int_equal(info_of(lat).sweeps, 5);
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_int_equal(info_of(lat).sweeps, 0);
    latmc_destroy(lat);
    latmc_destroy(stays);
    assert_int_equal(open_plans, 0);
}

/* Every call to the device fails in turn, from it and on the way to it. */
static void a_failing_device_leaves_the_lattice(void **state)
{
    char path[] = "/tmp/latmc-devices-XXXXXX";
    const saboteur by[] = {
        {arm, disarm, LATMC_ERROR_DEVICE, "sabotage", "cuda:1", "cpu", path},
        {arm, disarm, LATMC_ERROR_DEVICE_MEMORY, "sabotage", "cpu:scalar", "cuda:1", path},
    };

    (void)state;
    close(mkstemp(path));
    for (size_t b = 0; b < ALL(by); b++) {
        long total;

        fails_with = by[b].status;
        total = walk_all(&test_ising, &ising_rich[0], &by[b], 0);
        print_message("%ld calls failed with %s\n", total, latmc_status_name(fails_with));
        assert_true(total > 10);
    }
    assert_int_equal(open_plans, 0);
    unlink(path);
}

/* Lattices of which a few measurements are stored at once; their series, and what the last sweep
 * changed. */
static double *streamed(const char *device, int64_t records, int64_t every)
{
    enum { REPLICAS = 300 };
    static const latmc_observable what[] = {LATMC_ENERGY, LATMC_ABS_MAGNETIZATION, LATMC_M4,
                                            LATMC_ACCEPTANCE};
    latmc_lattice *lat = new_lattice(2, (int64_t[]){8, 6});
    double beta[REPLICAS];
    double *series = calloc((size_t)((4 * records + 1) * REPLICAS), sizeof *series);

    assert_non_null(series);
    for (int r = 0; r < REPLICAS; r++)
        beta[r] = 0.2 + 0.001 * r;
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_params(lat, LATMC_BETA, beta));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_record(lat, LATMC_METROPOLIS, every, records, 4, what, series));
    ok(latmc_observe(lat, 1, &what[3], series + 4 * records * REPLICAS));
    latmc_destroy(lat);
    return series;
}

static void what_a_plan_streams_is_the_series(void **state)
{
    const int64_t numbers = (4 * 50 + 1) * 300;

    (void)state;
    for (int64_t every = 1; every < 4; every += 2) {
        double *series = streamed("cuda:1", 50, every), *want = streamed("cpu:scalar", 50, every);

        assert_memory_equal(series, want, (size_t)numbers * sizeof *series);
        free(series);
        free(want);
    }
    assert_true(taken >= 2 * 16);
    assert_in_range(most_taken, 2, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_described),
        cmocka_unit_test(names_that_cannot_be_had_are_refused),
        cmocka_unit_test(devices_are_listed),
        cmocka_unit_test(auto_has_the_model),
        cmocka_unit_test(auto_is_the_first_usable_and_the_environment_replaces_it),
        cmocka_unit_test(a_move_does_not_show),
        cmocka_unit_test(a_loaded_lattice_waits_for_its_device),
        cmocka_unit_test(a_loaded_lattice_is_placed_when_it_is_needed),
        cmocka_unit_test(a_failing_device_leaves_the_lattice),
        cmocka_unit_test(what_a_plan_streams_is_the_series),
    };

    return cmocka_run_group_tests(tests, no_wish, NULL);
}
