/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting, sweeping, progress, recording, sites and their hash. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

static latmc_lattice *started(int64_t replicas)
{
    latmc_lattice *lat = new_lattice(2, (int64_t[]){10, 6});

    ok(latmc_set_replicas(lat, replicas));
    ok(latmc_set_param(lat, LATMC_BETA, 0.3));
    ok(latmc_set_device(lat, "cpu"));
    ok(latmc_start(lat, LATMC_START_HOT));
    return lat;
}

static void starting_again_begins_anew(void **state)
{
    latmc_lattice *lat = started(2);
    const uint64_t first = hash_of(lat);
    double a[2];
    uint64_t later;

    (void)state;
    ok(latmc_sweep(lat, LATMC_HEATBATH, 3));
    later = hash_of(lat);
    assert_true(later != first);
    assert_int_equal(info_of(lat).sweeps, 3);
    ok(observe_one(lat, LATMC_CHANGED, a));
    assert_true(a[0] > 0.0 && a[0] < 1.0);
    ok(latmc_start(lat, LATMC_START_HOT));
    assert_true(hash_of(lat) == first);
    assert_int_equal(info_of(lat).sweeps, 0);
    ok(observe_one(lat, LATMC_CHANGED, a));
    assert_true(a[0] == 0.0 && a[1] == 0.0);
    ok(latmc_sweep(lat, LATMC_HEATBATH, 3));
    assert_true(hash_of(lat) == later);
    latmc_destroy(lat);
}

static void sweep_checks_its_arguments(void **state)
{
    latmc_lattice *lat = started(1);
    const uint64_t hash = hash_of(lat);

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "sweeps is -1", latmc_sweep(lat, LATMC_METROPOLIS, -1));
    refused(LATMC_ERROR_UNKNOWN, "metropolis (701), heatbath (702)",
            latmc_sweep(lat, (latmc_update)3, 1));
    refused(LATMC_ERROR_STATE, "2^40", latmc_sweep(lat, LATMC_METROPOLIS, (int64_t)1 << 40));
    refused(LATMC_ERROR_STATE, "2^40", latmc_sweep(lat, LATMC_METROPOLIS, INT64_MAX));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 0));
    assert_int_equal(info_of(lat).sweeps, 0);
    assert_true(hash_of(lat) == hash);
    latmc_destroy(lat);
}

/* Of the last sweep of the last call that swept: it stays when sites are set, and when
 * nothing is swept. */
static void changes_are_of_the_last_sweep(void **state)
{
    latmc_lattice *lat = started(1);
    int8_t before[60], after[60];
    double a, b;
    int changed = 0;

    (void)state;
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 4));
    ok(get_replica(lat, 0, LATMC_INT8, before, 60));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 1));
    ok(get_replica(lat, 0, LATMC_INT8, after, 60));
    for (int i = 0; i < 60; i++)
        changed += before[i] != after[i];
    ok(set_replica(lat, 0, LATMC_INT8, before, 60));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 0));
    ok(observe_one(lat, LATMC_CHANGED, &a));
    ok(observe_one(lat, LATMC_CHANGED, &b));
    assert_true(changed > 0 && a == changed / 60.0 && b == a);
    latmc_destroy(lat);
}

typedef struct calls {
    int count, stop_at;
    int64_t done, total;
} calls;

static int progress(void *user, int64_t done, int64_t total)
{
    calls *c = user;

    assert_true(done > c->done && done <= total);
    c->done = done;
    c->total = total;
    return ++c->count == c->stop_at;
}

static void progress_is_told_and_can_stop(void **state)
{
    latmc_lattice *lat = started(3), *twin = started(3);
    calls c = {0};

    (void)state;
    ok(latmc_set_progress(lat, progress, &c));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 10));
    assert_true(c.count >= 1 && c.done == 10 && c.total == 10);
    c = (calls){.stop_at = 3};
    refused(LATMC_CANCELLED, "of 1000000000 sweeps",
            latmc_sweep(lat, LATMC_METROPOLIS, 1000000000));
    assert_int_equal(c.count, 3);
    assert_true(c.done < 1000000000);
    assert_int_equal(info_of(lat).sweeps, 10 + c.done);
    ok(latmc_set_progress(lat, NULL, NULL));
    ok(latmc_sweep(twin, LATMC_METROPOLIS, 10 + c.done));
    assert_same(lat, twin);
    latmc_destroy(lat);
    latmc_destroy(twin);
}

/* A callback with the lattice that it is about, and another one. */
typedef struct meddler {
    latmc_lattice *own, *other;
    int calls;
} meddler;

#define IN_USE(call) refused(LATMC_ERROR_STATE, "progress callback", call)

static int meddle(void *user, int64_t done, int64_t total)
{
    meddler *m = user;
    latmc_lattice *const lat = m->own;
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    double x[2];
    char name[64];
    size_t bytes;

    (void)done, (void)total;
    m->calls++;
    latmc_destroy(lat);
    IN_USE(latmc_start(lat, LATMC_START_COLD));
    IN_USE(latmc_sweep(lat, LATMC_METROPOLIS, 1));
    IN_USE(record_series(lat, LATMC_METROPOLIS, 1, 1, 1,
                         (latmc_quantity[]){LATMC_QUANTITY(LATMC_M2)}, x));
    IN_USE(observe_one(lat, LATMC_M2, x));
    IN_USE(latmc_observe_pairs(lat, LATMC_BY_REPLICA, 1, (int64_t[]){0, 0}, 1,
                               (latmc_quantity[]){LATMC_QUANTITY(LATMC_OVERLAP)}, x));
    IN_USE(latmc_record(lat, NULL, NULL));
    IN_USE(latmc_set_param(lat, LATMC_BETA, 0.1));
    IN_USE(latmc_get_params(lat, LATMC_BETA, x));
    IN_USE(latmc_set_device(lat, "cpu"));
    IN_USE(latmc_get_device(lat, name, sizeof name));
    IN_USE(latmc_set_threads(lat, 1));
    IN_USE(latmc_set_progress(lat, NULL, NULL));
    IN_USE(latmc_get_lattice_info(lat, &info));
    IN_USE(latmc_set_schedule(lat, 0, NULL));
    IN_USE(latmc_set_ramp(lat, LATMC_BETA, x, 1));
    IN_USE(latmc_save_memory(lat, NULL, 0, &bytes));
    ok(latmc_sweep(m->other, LATMC_METROPOLIS, 1));
    return 0;
}

static void a_callback_cannot_use_its_lattice(void **state)
{
    latmc_lattice *lat = started(1), *twin = started(1), *other = started(1);
    meddler m = {lat, other, 0};
    double series[4];

    (void)state;
    ok(latmc_set_progress(lat, meddle, &m));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 5));
    ok(record_series(lat, LATMC_METROPOLIS, 1, 4, 1, (latmc_quantity[]){LATMC_QUANTITY(LATMC_M2)},
                     series));
    assert_true(m.calls >= 2);
    assert_int_equal(info_of(other).sweeps, m.calls);
    ok(latmc_sweep(twin, LATMC_METROPOLIS, 9));
    assert_same(lat, twin);
    latmc_destroy(lat);
    latmc_destroy(twin);
    latmc_destroy(other);
}

enum { EVERY = 3, RECORDS = 7, REPLICAS = 2, COUNT = 3 };
static const latmc_quantity wanted[COUNT] = {
    LATMC_QUANTITY(LATMC_M2), LATMC_QUANTITY(LATMC_CHANGED), LATMC_QUANTITY(LATMC_ENERGY)};

/* The series is what sweeping and observing in turn would give. */
static void recording_is_sweeping_and_observing(void **state)
{
    latmc_lattice *lat = started(REPLICAS), *twin = started(REPLICAS);
    double series[COUNT * REPLICAS * RECORDS], v[COUNT * REPLICAS];

    (void)state;
    ok(record_series(lat, LATMC_HEATBATH, EVERY, RECORDS, COUNT, wanted, series));
    for (int t = 0; t < RECORDS; t++) {
        ok(latmc_sweep(twin, LATMC_HEATBATH, EVERY));
        ok(latmc_observe(twin, LATMC_BY_REPLICA, COUNT, wanted, v));
        for (int c = 0; c < COUNT * REPLICAS; c++)
            assert_true(series[c * RECORDS + t] == v[c]);
    }
    assert_same(lat, twin);
    latmc_destroy(lat);
    latmc_destroy(twin);
}

/* Cut in pieces by a callback, within a record and across records, the result is the same. */
static void a_recording_in_pieces_is_the_same(void **state)
{
    const int64_t every = LM_SANITIZED ? 8000 : 40000, records = 5;
    latmc_lattice *lat = started(1), *twin = started(1);
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double whole[5], pieces[5];
    calls c = {0};

    (void)state;
    ok(record_series(twin, LATMC_METROPOLIS, every, records, 1, &energy, whole));
    ok(latmc_set_progress(lat, progress, &c));
    ok(record_series(lat, LATMC_METROPOLIS, every, records, 1, &energy, pieces));
    assert_int_equal(c.done, every * records);
    assert_memory_equal(whole, pieces, sizeof whole);
    assert_same(lat, twin);
    latmc_destroy(lat);
    latmc_destroy(twin);
}

static void a_cancelled_recording_has_nan_at_its_end(void **state)
{
    const int64_t every = 100, records = 2000000;
    latmc_lattice *lat = started(1), *twin = started(1);
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double *series = malloc((size_t)records * sizeof *series);
    double few[3];
    calls c = {.stop_at = 2};
    int64_t reached;

    (void)state;
    assert_non_null(series);
    ok(latmc_set_progress(lat, progress, &c));
    refused(LATMC_CANCELLED, "stopped",
            record_series(lat, LATMC_METROPOLIS, every, records, 1, &energy, series));
    reached = c.done / every;
    assert_true(reached >= 3 && reached < records);
    assert_int_equal(info_of(lat).sweeps, c.done);
    for (int64_t t = 0; t < records; t++)
        assert_int_equal(isnan(series[t]) != 0, t >= reached);
    ok(record_series(twin, LATMC_METROPOLIS, every, 3, 1, &energy, few));
    assert_memory_equal(series, few, sizeof few);
    ok(latmc_sweep(twin, LATMC_METROPOLIS, c.done - 3 * every));
    assert_same(lat, twin);
    free(series);
    latmc_destroy(lat);
    latmc_destroy(twin);
}

/* More measurements than the library holds sums of at a time. */
static void a_long_recording_is_complete(void **state)
{
    const int64_t records = 300, replicas = 4096;
    latmc_lattice *lat = new_lattice(1, (int64_t[]){2});
    const latmc_quantity m = LATMC_QUANTITY(LATMC_MAGNETIZATION);
    double *series = calloc((size_t)(records * replicas), sizeof *series);
    double *last = calloc((size_t)replicas, sizeof *last);

    (void)state;
    assert_true(series && last);
    ok(latmc_set_replicas(lat, replicas));
    ok(latmc_set_device(lat, "cpu"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(record_series(lat, LATMC_METROPOLIS, 1, records, 1, &m, series));
    ok(latmc_observe(lat, LATMC_BY_REPLICA, 1, &m, last));
    for (int64_t r = 0; r < replicas; r++)
        assert_true(series[r * records + records - 1] == last[r]);
    free(series);
    free(last);
    latmc_destroy(lat);
}

static void record_checks_its_arguments(void **state)
{
    latmc_lattice *lat = started(1);
    const latmc_quantity bad[2] = {LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(4)};
    const latmc_update u = LATMC_METROPOLIS;
    const uint64_t hash = hash_of(lat);
    double x = 5.0;

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "every is 0", record_series(lat, u, 0, 1, 1, wanted, &x));
    refused(LATMC_ERROR_ARGUMENT, "records is -1", record_series(lat, u, 1, -1, 1, wanted, &x));
    refused(LATMC_ERROR_ARGUMENT, "count is -1", record_series(lat, u, 1, 1, -1, wanted, &x));
    refused(LATMC_ERROR_ARGUMENT, "quantities", record_series(lat, u, 1, 1, 1, NULL, &x));
    refused(LATMC_ERROR_ARGUMENT, "series", record_series(lat, u, 1, 1, 1, wanted, NULL));
    refused(LATMC_ERROR_UNKNOWN, "update number 9",
            record_series(lat, (latmc_update)9, 1, 1, 1, wanted, &x));
    refused(LATMC_ERROR_UNKNOWN, "observable number 4", record_series(lat, u, 1, 1, 2, bad, &x));
    refused(LATMC_ERROR_STATE, "2^40", record_series(lat, u, INT64_MAX, INT64_MAX, 1, wanted, &x));
    assert_true(x == 5.0 && hash_of(lat) == hash);
    latmc_destroy(lat);
}

static void observing_checks_its_arguments(void **state)
{
    latmc_lattice *lat = started(1);
    const latmc_quantity bad[2] = {LATMC_QUANTITY(LATMC_ENERGY), {0}};
    double x[2] = {5.0, 6.0};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "quantities is NULL",
            latmc_observe(lat, LATMC_BY_REPLICA, 1, NULL, x));
    refused(LATMC_ERROR_ARGUMENT, "values is NULL",
            latmc_observe(lat, LATMC_BY_REPLICA, 1, wanted, NULL));
    refused(LATMC_ERROR_ARGUMENT, "quantity_count is 0",
            latmc_observe(lat, LATMC_BY_REPLICA, 0, wanted, x));
    refused(LATMC_ERROR_ARGUMENT, "quantity_count is -1",
            latmc_observe(lat, LATMC_BY_REPLICA, -1, wanted, x));
    refused(LATMC_ERROR_UNKNOWN, "changed (2027)", latmc_observe(lat, LATMC_BY_REPLICA, 2, bad, x));
    assert_true(x[0] == 5.0 && x[1] == 6.0);
    latmc_destroy(lat);
}

static void sites_check_their_arguments(void **state)
{
    latmc_lattice *lat = started(2);
    const uint64_t hash = hash_of(lat);
    int8_t s[60];

    (void)state;
    ok(get_replica(lat, 0, LATMC_INT8, s, 60));
    refused(LATMC_ERROR_ARGUMENT, "first is 2", get_replica(lat, 2, LATMC_INT8, s, 60));
    refused(LATMC_ERROR_ARGUMENT, "first is -1", set_replica(lat, -1, LATMC_INT8, s, 60));
    refused(LATMC_ERROR_UNKNOWN, "type number 2", get_replica(lat, 0, (latmc_type)2, s, 60));
    refused(LATMC_ERROR_UNKNOWN, "type number 0", set_replica(lat, 0, (latmc_type)0, s, 60));
    refused(LATMC_ERROR_ARGUMENT, "bytes is 59", get_replica(lat, 0, LATMC_INT8, s, 59));
    refused(LATMC_ERROR_ARGUMENT, "must be 60", set_replica(lat, 0, LATMC_INT8, s, 61));
    refused(LATMC_ERROR_ARGUMENT, "NULL", get_replica(lat, 0, LATMC_INT8, NULL, 60));
    refused(LATMC_ERROR_ARGUMENT, "NULL", set_replica(lat, 0, LATMC_INT8, NULL, 60));
    refused(LATMC_ERROR_ARGUMENT, "hash is NULL", latmc_state_hash(lat, NULL));
    for (int i = 0; i < 59; i++)
        s[i] = (int8_t)-s[i];
    s[59] = 0;
    refused(LATMC_ERROR_ARGUMENT, "site 59", set_replica(lat, 0, LATMC_INT8, s, 60));
    s[59] = 3;
    refused(LATMC_ERROR_ARGUMENT, "-1 or +1", set_replica(lat, 0, LATMC_INT8, s, 60));
    assert_true(hash_of(lat) == hash);
    latmc_destroy(lat);
}

/* The first sites start a lattice; replicas that got none are cold. */
static void sites_can_start_a_lattice(void **state)
{
    latmc_lattice *lat = new_lattice(3, (int64_t[]){5, 3, 4});
    int8_t in[60], out[60];
    uint64_t random = 5;

    (void)state;
    for (int i = 0; i < 60; i++)
        in[i] = next_random(&random) & 1 ? 1 : -1;
    ok(latmc_set_replicas(lat, 3));
    ok(latmc_set_device(lat, "cpu"));
    in[7] = 2;
    refused(LATMC_ERROR_ARGUMENT, "site 7", set_replica(lat, 1, LATMC_INT8, in, 60));
    assert_int_equal(info_of(lat).started, 0);
    in[7] = 1;
    ok(set_replica(lat, 1, LATMC_INT8, in, 60));
    assert_int_equal(info_of(lat).started, 1);
    assert_int_equal(info_of(lat).sweeps, 0);
    ok(get_replica(lat, 1, LATMC_INT8, out, 60));
    assert_memory_equal(in, out, sizeof in);
    for (int r = 0; r < 3; r += 2) {
        ok(get_replica(lat, r, LATMC_INT8, out, 60));
        for (int i = 0; i < 60; i++)
            assert_int_equal(out[i], 1);
    }
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 1));
    latmc_destroy(lat);
}

/* The numbers here are those of an independent implementation, tests/exact/trajectory.py. */
static void the_hash_is_a_tree(void **state)
{
    latmc_lattice *small = new_lattice(1, (int64_t[]){4});
    latmc_lattice *large = new_lattice(2, (int64_t[]){4, 4});

    (void)state;
    ok(latmc_set_replicas(large, 2));
    ok(latmc_start(small, LATMC_START_COLD));
    ok(latmc_start(large, LATMC_START_COLD));
    assert_true(hash_of(small) == 0xf87cf4e71afb32cbu);
    assert_true(hash_of(large) == 0x677547be4cc4dfd9u);
    latmc_destroy(small);
    latmc_destroy(large);
}

/* Site i is +1 if i^2 % 7 < 3. */
static uint64_t hash_of_squares(int dims, const int64_t *extents)
{
    latmc_lattice *lattice = new_lattice(dims, extents);
    const int64_t count = info_of(lattice).sites;
    int8_t *sites = malloc((size_t)count);
    uint64_t hash;

    assert_non_null(sites);
    for (int64_t i = 0; i < count; i++)
        sites[i] = i * i % 7 < 3 ? 1 : -1;
    ok(set_replica(lattice, 0, LATMC_INT8, sites, count));
    hash = hash_of(lattice);
    free(sites);
    latmc_destroy(lattice);
    return hash;
}

/* A chain of more leaves than one; rows of which a layer is not whole bytes, in several chunks. */
static void large_lattices_are_hashed_in_pieces(void **state)
{
    (void)state;
    assert_true(hash_of_squares(1, (int64_t[]){70001}) == 0x35d5d5d430200d61u);
    assert_true(hash_of_squares(2, (int64_t[]){3001, 1000}) == 0x55c4476f7f019038u);
}

static void fields_are_hashed_as_they_are(void **state)
{
    static const uint64_t want[] = {0x26c1c905c577c349u, 0x281927d439eca81cu};
    double sites[18];

    (void)state;
    for (int i = 0; i < 18; i++)
        sites[i] = (i - 9) / 8.0;
    for (int doubles = 0; doubles < 2; doubles++) {
        latmc_lattice *lattice = NULL;

        ok(latmc_create(&lattice, LATMC_PHI4, 3, (int64_t[]){3, 3, 2}));
        ok(set_type(lattice, doubles ? LATMC_FLOAT64 : LATMC_FLOAT32));
        ok(set_replica(lattice, 0, LATMC_FLOAT64, sites, 18));
        assert_true(hash_of(lattice) == want[doubles]);
        latmc_destroy(lattice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starting_again_begins_anew),
        cmocka_unit_test(sweep_checks_its_arguments),
        cmocka_unit_test(changes_are_of_the_last_sweep),
        cmocka_unit_test(progress_is_told_and_can_stop),
        cmocka_unit_test(a_callback_cannot_use_its_lattice),
        cmocka_unit_test(recording_is_sweeping_and_observing),
        cmocka_unit_test(a_recording_in_pieces_is_the_same),
        cmocka_unit_test(a_cancelled_recording_has_nan_at_its_end),
        cmocka_unit_test(a_long_recording_is_complete),
        cmocka_unit_test(record_checks_its_arguments),
        cmocka_unit_test(observing_checks_its_arguments),
        cmocka_unit_test(sites_check_their_arguments),
        cmocka_unit_test(sites_can_start_a_lattice),
        cmocka_unit_test(the_hash_is_a_tree),
        cmocka_unit_test(large_lattices_are_hashed_in_pieces),
        cmocka_unit_test(fields_are_hashed_as_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
