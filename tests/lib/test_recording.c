/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings that are stopped and continued, series of several calls, and what is refused. The
 * clock is the test's own, so that the progress callback is called after known sweeps. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "tests/support.h"

enum { REPLICAS = 4, RECORDS = 6, QUANTITIES = 2, PAIRS = 3 };
enum { SERIES = QUANTITIES * REPLICAS, NUMBERS = (SERIES + PAIRS) * RECORDS };

static double now, tick; /* seconds, and seconds from one look at the clock to the next */

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    now += tick;
    *time = (struct timespec){(time_t)now, (long)((now - floor(now)) * 1e9)};
    return 0;
}

/* Stops a call as soon as it has made so many sweeps. */
static int stop(void *user, int64_t done, int64_t total)
{
    (void)total;
    return done >= *(const int64_t *)user;
}

/* ---- lattices */

/* With rounds of three sweeps and two exchanges, or without a schedule. */
static latmc_lattice *started(int rounds)
{
    latmc_lattice *lattice = new_lattice(2, (int64_t[]){6, 4});

    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_params(lattice, LATMC_BETA, (double[REPLICAS]){0.30, 0.33, 0.36, 0.39}));
    if (rounds)
        ok(latmc_set_schedule(
            lattice, 2,
            (latmc_step[]){step_of(LATMC_METROPOLIS, 2, 1), step_of(LATMC_HEATBATH, 1, 1)}));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static latmc_lattice *saved_and_loaded(latmc_lattice *lattice)
{
    size_t bytes;
    uint8_t *saved = save_whole(lattice, &bytes);

    latmc_destroy(lattice);
    ok(latmc_load_memory(&lattice, saved, bytes));
    ok(latmc_set_device(lattice, "cpu"));
    free(saved);
    return lattice;
}

static const latmc_quantity both[QUANTITIES] = {LATMC_QUANTITY(LATMC_ENERGY),
                                                LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION)};
static const latmc_quantity overlap = LATMC_QUANTITY(LATMC_OVERLAP);

static latmc_recording recording_of(int rounds, double *numbers)
{
    static const int64_t pairs[PAIRS][2] = {{0, 3}, {1, 1}, {2, 0}};

    return (latmc_recording){.size = sizeof(latmc_recording),
                             .update = rounds ? LATMC_SCHEDULE : LATMC_METROPOLIS,
                             .order = rounds ? LATMC_BY_SLOT : LATMC_BY_REPLICA,
                             .every = rounds ? 2 : 5,
                             .records = RECORDS,
                             .quantity_count = QUANTITIES,
                             .quantities = both,
                             .series = numbers,
                             .pair_count = PAIRS,
                             .pairs = pairs[0],
                             .pair_quantity_count = 1,
                             .pair_quantities = &overlap,
                             .pair_series = numbers + SERIES * RECORDS,
                             .stride = RECORDS};
}

/* ---- stopped and continued */

/* Goes on after a call that was stopped. Records that were not reached are NaN. */
static void go_on(latmc_recording *r, const latmc_recorded *made)
{
    for (int64_t t = 0; t < r->records; t++)
        assert_int_equal(isnan(r->series[t]) != 0, t >= made->records);
    r->series += made->records;
    r->pair_series += made->records;
    r->records -= made->records;
    r->swept = made->swept;
}

/* Records in calls that are stopped after `most` sweeps each. The lattice is saved in between. */
static latmc_lattice *in_calls(int rounds, int64_t most, double *numbers)
{
    latmc_lattice *lattice = started(rounds);
    latmc_recording r = recording_of(rounds, numbers);
    latmc_recorded made = LATMC_INIT(latmc_recorded);
    latmc_status status = LATMC_CANCELLED;
    int64_t calls = 0, sweeps = 0;

    for (; status == LATMC_CANCELLED; calls++) {
        ok(latmc_set_progress(lattice, stop, &most));
        status = latmc_record(lattice, &r, &made);
        assert_true(info_of(lattice).sweeps >= sweeps && calls <= RECORDS * 6);
        sweeps = info_of(lattice).sweeps;
        if (status == LATMC_CANCELLED)
            go_on(&r, &made);
        lattice = saved_and_loaded(lattice);
    }
    ok(status);
    assert_true(calls > 2 && made.records == r.records && made.swept == 0);
    return lattice;
}

static void a_stopped_recording_continues_exactly(void **state)
{
    double whole[NUMBERS], parts[NUMBERS];

    (void)state;
    for (int rounds = 0; rounds < 2; rounds++) {
        latmc_recording r = recording_of(rounds, whole);
        latmc_lattice *lattice = started(rounds), *other;

        ok(latmc_record(lattice, &r, NULL));
        for (int64_t most = 1; most <= 12; most++)
            for (int slow = 0; slow < 2; slow++) {
                tick = slow ? 0.2 : 0.05; /* sweeps between callbacks: 1, or more and more */
                memset(parts, 1, sizeof parts);
                other = in_calls(rounds, most, parts);
                assert_memory_equal(parts, whole, sizeof whole);
                assert_int_equal(hash_of(other), hash_of(lattice));
                latmc_destroy(other);
            }
        latmc_destroy(lattice);
    }
}

/* A call may be stopped when nothing is left to do. */
static void a_call_is_stopped_after_its_last_record(void **state)
{
    double numbers[NUMBERS];
    latmc_recording r = recording_of(1, numbers);
    latmc_recorded made = LATMC_INIT(latmc_recorded);
    latmc_lattice *lattice = started(1);
    int64_t all = 6 * RECORDS;

    (void)state;
    tick = 0.2;
    ok(latmc_set_progress(lattice, stop, &all));
    refused(LATMC_CANCELLED, "36 of 36 sweeps", latmc_record(lattice, &r, &made));
    assert_true(made.records == RECORDS && made.swept == 0);
    for (int i = 0; i < NUMBERS; i++)
        assert_false(isnan(numbers[i]));
    r.records = 0;
    ok(latmc_record(lattice, &r, &made));
    assert_true(made.records == 0 && made.swept == 0 && info_of(lattice).sweeps == all);
    latmc_destroy(lattice);
}

/* The ergodic step came before the stop, and the other one after it. */
static void what_was_swept_before_a_stop_counts(void **state)
{
    double series[1] = {7.0};
    latmc_recording r = {.size = sizeof r,
                         .update = LATMC_SCHEDULE,
                         .every = 1,
                         .records = 1,
                         .quantity_count = 1,
                         .quantities = both,
                         .series = series};
    latmc_recorded made = LATMC_INIT(latmc_recorded);
    latmc_lattice *lattice = NULL;
    int64_t one = 1;

    (void)state;
    tick = 0.2;
    ok(latmc_create(&lattice, LATMC_ONVECTOR, 2, (int64_t[]){4, 4}));
    ok(latmc_set_schedule(
        lattice, 2,
        (latmc_step[]){step_of(LATMC_METROPOLIS, 1, 0), step_of(LATMC_OVERRELAX, 2, 0)}));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_set_progress(lattice, stop, &one));
    refused(LATMC_CANCELLED, "1 of 3", latmc_record(lattice, &r, &made));
    assert_true(made.records == 0 && made.swept == 1 && isnan(series[0]));
    r.swept = 1;
    lattice = saved_and_loaded(lattice);
    ok(latmc_record(lattice, &r, &made));
    assert_true(made.records == 1 && !made.not_ergodic && !isnan(series[0]));
    r.swept = 0;
    r.update = LATMC_OVERRELAX;
    ok(latmc_record(lattice, &r, &made));
    assert_int_equal(made.not_ergodic, 1);
    latmc_destroy(lattice);
}

/* ---- series */

static void two_calls_fill_one_series(void **state)
{
    enum { STRIDE = RECORDS + 2, FIRST = 2 };
    double whole[NUMBERS], wide[(SERIES + PAIRS) * STRIDE];
    latmc_recording r = recording_of(1, whole);
    latmc_lattice *lattice = started(1), *twin = started(1);

    (void)state;
    r.stride = 0; /* which stands for the records */
    ok(latmc_record(lattice, &r, NULL));
    for (size_t i = 0; i < ALL(wide); i++)
        wide[i] = 7.0;
    r.stride = STRIDE;
    for (int i = 0; i < 2; i++) {
        r.series = wide + i * FIRST;
        r.pair_series = wide + SERIES * STRIDE + i * FIRST;
        r.records = i ? RECORDS - FIRST : FIRST;
        ok(latmc_record(twin, &r, NULL));
    }
    for (int k = 0; k < SERIES + PAIRS; k++) {
        assert_memory_equal(wide + k * STRIDE, whole + k * RECORDS, RECORDS * sizeof *whole);
        for (int t = RECORDS; t < STRIDE; t++)
            assert_true(wide[k * STRIDE + t] == 7.0);
    }
    assert_same(lattice, twin);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

/* Without quantities the call sweeps, and compares best sites at each record. */
static void a_recording_of_nothing_sweeps(void **state)
{
    double numbers[NUMBERS], best[2][REPLICAS];
    latmc_recording r = recording_of(0, numbers);
    latmc_lattice *lattice = started(0), *twin = started(0);

    (void)state;
    ok(latmc_keep_best(lattice, 1));
    ok(latmc_keep_best(twin, 1));
    for (int t = 0; t < RECORDS; t++) /* which compares at its end */
        ok(latmc_sweep(twin, LATMC_METROPOLIS, r.every));
    r.quantity_count = r.pair_count = r.pair_quantity_count = 0;
    r.quantities = r.pair_quantities = NULL;
    r.series = r.pair_series = NULL;
    r.pairs = NULL;
    ok(latmc_record(lattice, &r, NULL));
    assert_same(lattice, twin);
    ok(latmc_get_best(lattice, best[0], NULL));
    ok(latmc_get_best(twin, best[1], NULL));
    assert_memory_equal(best[0], best[1], sizeof best[0]);
    ok(latmc_keep_best(lattice, 0));
    ok(latmc_record(lattice, &r, NULL));
    assert_int_equal(info_of(lattice).sweeps, 2 * 5 * RECORDS);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

/* ---- what is refused */

typedef struct wrong {
    const char *part;
    size_t offset; /* of an int64_t */
    int64_t value;
} wrong;

#define WRONG(part, member, value)                                                                 \
    {                                                                                              \
        part, offsetof(latmc_recording, member), value                                             \
    }

static void wrong_recordings_are_refused(void **state)
{
    static const wrong all[] = {
        WRONG("size of latmc_recording is 8", size, 8),
        WRONG("every is 0", every, 0),
        WRONG("every is -1", every, -1),
        WRONG("records is -1", records, -1),
        WRONG("swept is -1", swept, -1),
        WRONG("swept is 6; it must be less than the 2 times 3", swept, 6),
        WRONG("swept is 1, which ends with 1 of the 3", swept, 1),
        WRONG(
            "swept is 5, which ends with 2 of the 3 sweeps of a round, but the schedule has made 0",
            swept, 5),
        WRONG("quantity_count is -1", quantity_count, -1),
        WRONG("pair_count is -1", pair_count, -1),
        WRONG("pair_quantity_count is -1", pair_quantity_count, -1),
        WRONG("stride is 5", stride, 5),
        WRONG("stride is -1", stride, -1),
        WRONG("quantities is NULL", quantities, 0),
        WRONG("series is NULL", series, 0),
        WRONG("pairs is NULL", pairs, 0),
        WRONG("pair_quantities is NULL", pair_quantities, 0),
        WRONG("pair_series is NULL", pair_series, 0),
        WRONG("no statistics", statistics, 8)};
    double numbers[NUMBERS];
    latmc_lattice *lattice = started(1);
    const uint64_t hash = hash_of(lattice);
    latmc_recording r = recording_of(1, numbers);
    latmc_recorded made = {.size = 8, .records = 7};
    struct {
        latmc_recording known;
        int64_t more;
    } newer = {.more = 1};

    (void)state;
    memset(numbers, 0, sizeof numbers);
    for (size_t i = 0; i < ALL(all); i++) {
        r = recording_of(1, numbers);
        memcpy((char *)&r + all[i].offset, &all[i].value, sizeof all[i].value);
        refused(LATMC_ERROR_ARGUMENT, all[i].part, latmc_record(lattice, &r, NULL));
    }
    r = recording_of(1, numbers);
    r.stride = 0;
    r.swept = 3;
    refused(LATMC_ERROR_ARGUMENT, "stride is 0 and swept is 3", latmc_record(lattice, &r, NULL));
    r = recording_of(1, numbers);
    refused(LATMC_ERROR_ARGUMENT, "latmc_recorded", latmc_record(lattice, &r, &made));
    r.order = 1;
    refused(LATMC_ERROR_ARGUMENT, "order is 1; LATMC_BY_REPLICA (871)",
            latmc_record(lattice, &r, NULL));
    r = recording_of(1, numbers);
    r.every = INT64_MAX;
    r.records = 0;
    refused(LATMC_ERROR_STATE, "too many", latmc_record(lattice, &r, NULL));
    refused(LATMC_ERROR_ARGUMENT, "recording is NULL", latmc_record(lattice, NULL, NULL));
    newer.known = recording_of(1, numbers);
    newer.known.size = sizeof newer;
    refused(LATMC_ERROR_ARGUMENT, "does not have; it must be 0",
            latmc_record(lattice, &newer.known, NULL));
    assert_true(made.records == 7 && hash_of(lattice) == hash);
    for (int i = 0; i < NUMBERS; i++)
        assert_true(numbers[i] == 0.0);
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_recording_continues_exactly),
        cmocka_unit_test(a_call_is_stopped_after_its_last_record),
        cmocka_unit_test(what_was_swept_before_a_stop_counts),
        cmocka_unit_test(two_calls_fill_one_series),
        cmocka_unit_test(a_recording_of_nothing_sweeps),
        cmocka_unit_test(wrong_recordings_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
