/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Schedules: the trajectory is that of single calls with the same updates, on every device, with
 * measurements, wherever a call ends, and after a save.
 */
#include "lib/sweep/course.h"
#include "tests/inside.h"

#include "tests/models/rounds.h"

static void sweep_rounds(latmc_lattice *lattice, const test_model *m, const plan_of_steps *s,
                         int64_t rounds, int own)
{
    for (int64_t round = 0; round < rounds; round++)
        for (int i = 0; i < s->count; i++)
            sweep_step(lattice, m, s, i, s->steps[i].sweeps, own);
}

/* ---- rounds are single calls */

/* A record of rounds, and observing after single calls. */
static void compare_records(const test_case *c, const plan_of_steps *s, latmc_lattice *lattice,
                            latmc_lattice *twin, int own)
{
    const test_model *m = c->model;
    const suite_known list = suite_quantities(lattice, m);
    const int64_t replicas = c->shape->replicas, lines = list.count * replicas;
    double *series = suite_room(lines * RECORDS, sizeof *series),
           *now = suite_room(lines, sizeof *now);

    ok(record_series(lattice, LATMC_SCHEDULE, BETWEEN, RECORDS, list.count, list.of, series));
    for (int t = 0; t < RECORDS; t++) {
        sweep_rounds(twin, m, s, BETWEEN, own);
        ok(latmc_observe(twin, LATMC_BY_REPLICA, list.count, list.of, now));
        for (int64_t i = 0; i < lines; i++)
            if (memcmp(&series[i * RECORDS + t], &now[i], sizeof *now) != 0)
                fail_msg("%s, case %d, record %d: observable %d is %.17g, not %.17g", m->name,
                         c->number, t, list.of[i / replicas].observable, series[i * RECORDS + t],
                         now[i]);
    }
    free(series);
    free(now);
}

static void rounds_on(const test_case *c, const char *device, int threads, int own)
{
    const plan_of_steps s = steps_of(c);
    latmc_lattice *lattice = with_steps(c, &s, device, threads);
    latmc_lattice *twin = with_steps(c, &s, "cpu:scalar", 1);

    if (own)
        set_arguments(lattice, c->model, &s);
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    sweep_rounds(twin, c->model, &s, 1, own);
    compare(c, lattice, twin, "swept");
    compare_records(c, &s, lattice, twin, own);
    compare(c, lattice, twin, "recorded");
    assert_int_equal(info_of(lattice).sweeps, (1 + BETWEEN * RECORDS) * s.round);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

static void rounds_are_single_calls(void **state)
{
    on_some(state, 5, rounds_on);
}

/* Of one step with several sweeps, and of as many steps as there can be. */
static void a_schedule_may_have_one_step_or_many(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    latmc_lattice *twin = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    const latmc_update first = (latmc_update)m->updates[0];
    latmc_step steps[LATMC_MAX_STEPS];
    int64_t all = 0;

    ok(set_round(lattice, first, 5, 0));
    ok(set_round(twin, first, 5, 0));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 2));
    ok(latmc_sweep(twin, first, 10));
    compare(&c, lattice, twin, "one step");
    for (int i = 0; i < LATMC_MAX_STEPS; i++) {
        steps[i] =
            step_of(m->updates[1] && i % 2 ? (latmc_update)m->updates[1] : first, 1 + i % 2, 0);
        all += steps[i].sweeps;
    }
    ok(latmc_set_schedule(lattice, LATMC_MAX_STEPS, steps));
    ok(latmc_set_schedule(twin, LATMC_MAX_STEPS, steps));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    for (int i = 0; i < LATMC_MAX_STEPS; i++)
        ok(latmc_sweep(twin, (latmc_update)steps[i].update, steps[i].sweeps));
    compare(&c, lattice, twin, "many steps");
    assert_int_equal(info_of(lattice).round_sweeps, all);
    ok(latmc_set_schedule(lattice, 0, NULL));
    refused(LATMC_ERROR_STATE, "no schedule", latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

/* ---- wherever a call ends */

/* As a call that the progress callback stops. */
static void stop_after(latmc_lattice *lattice, int64_t sweeps)
{
    lm_course course;

    ok(lm_course_begin(&course, lattice, "stopped", LATMC_SCHEDULE));
    ok(lm_course_prepare(&course, sweeps));
    ok(lm_course_sweep(&course, sweeps));
    lm_course_end(&course);
}

/* Another update in between moves no cursor: of both lattices. */
static void stopped_at(const test_case *c, const plan_of_steps *s, int64_t sweeps, int way)
{
    const int64_t done = sweeps % s->round;
    latmc_lattice *lattice = with_steps(c, s, "cpu", 0), *twin = with_steps(c, s, "cpu", 0);

    set_arguments(lattice, c->model, s);
    set_arguments(twin, c->model, s);
    stop_after(lattice, sweeps);
    assert_int_equal(info_of(lattice).round_done, done);
    if (way == 1)
        ok(latmc_set_device(lattice, "cpu:scalar"));
    if (way == 2)
        lattice = saved_and_loaded(lattice);
    assert_int_equal(info_of(lattice).round_done, done);
    if (way == 3)
        ok(latmc_sweep(lattice, (latmc_update)s->steps[0].update, 0));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, ROUNDS - sweeps / s->round));
    ok(latmc_sweep(twin, LATMC_SCHEDULE, ROUNDS));
    compare(c, lattice, twin, "gone on");
    assert_int_equal(info_of(lattice).round_done, 0);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

static void a_stopped_round_is_finished_first(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->rich; v->name; v++) {
        test_case c = suite_case(m, &rich_shape, v);
        const plan_of_steps s = steps_of(&c);
        for (int64_t sweeps = 1; sweeps < 2 * s.round; sweeps += LM_SANITIZED ? 5 : 1) {
            c.number = (int)sweeps;
            stopped_at(&c, &s, sweeps, (int)(sweeps % 4));
        }
    }
}

/* A record's first measurement is at the end of the round that was stopped, and a sweep of one
 * update in between is not of the round. */
static void a_record_begins_with_the_rest_of_a_round(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const plan_of_steps s = steps_of(&c);
    latmc_lattice *lattice = with_steps(&c, &s, "cpu", 0), *twin = with_steps(&c, &s, "cpu", 0);
    double series[RICH_REPLICAS * RECORDS], now[RICH_REPLICAS];

    for (int i = 0; i < 2; i++) {
        stop_after(i ? twin : lattice, s.round - 1);
        ok(latmc_sweep(i ? twin : lattice, (latmc_update)s.steps[0].update, 3));
    }
    ok(record_series(lattice, LATMC_SCHEDULE, 1, RECORDS, 1, m->observables, series));
    for (int t = 0; t < RECORDS; t++) {
        ok(latmc_sweep(twin, LATMC_SCHEDULE, 1));
        ok(latmc_observe(twin, LATMC_BY_REPLICA, 1, m->observables, now));
        for (int r = 0; r < RICH_REPLICAS; r++)
            assert_true(series[r * RECORDS + t] == now[r]);
    }
    assert_int_equal(info_of(lattice).sweeps, RECORDS * s.round + 3);
    compare(&c, lattice, twin, "recorded");
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

enum { FIRST_STEP = 7 };

/* In the second step, however slow the host is. */
static int stop_in_the_second(void *user, int64_t done, int64_t total)
{
    *(int64_t *)user = done;
    assert_true(done < total);
    return done > FIRST_STEP;
}

/* A call that is stopped within its first round, which is a long one; a schedule that is set, and a
 * start, begin a round. */
static void a_call_is_stopped_within_a_round(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const int last = m->updates[1] ? 1 : 0;
    const latmc_update both[] = {(latmc_update)m->updates[0], (latmc_update)m->updates[last]};
    const latmc_step steps[] = {step_of(both[0], FIRST_STEP, 0),
                                step_of(both[1], (int64_t)1 << 30, 0)};
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu", 1);
    latmc_lattice *twin = suite_started(&c, 0, RICH_REPLICAS, "cpu", 1);
    int64_t done = 0;

    ok(latmc_set_schedule(lattice, 2, steps));
    ok(latmc_set_progress(lattice, stop_in_the_second, &done));
    refused(LATMC_CANCELLED, "sweeps", latmc_sweep(lattice, LATMC_SCHEDULE, 3));
    ok(latmc_set_progress(lattice, NULL, NULL));
    assert_true(done > FIRST_STEP);
    assert_int_equal(info_of(lattice).sweeps, done);
    assert_int_equal(info_of(lattice).round_done, done);
    ok(latmc_sweep(twin, both[0], 7));
    ok(latmc_sweep(twin, both[1], done - 7));
    assert_true(hash_of(lattice) == hash_of(twin));
    refused(LATMC_ERROR_STATE, "rounds of 1073741831 sweeps",
            latmc_sweep(lattice, LATMC_SCHEDULE, 1024));
    ok(latmc_set_schedule(lattice, 2, steps));
    assert_int_equal(info_of(lattice).round_done, 0);
    stop_after(lattice, 5);
    ok(latmc_start(lattice, LATMC_START_HOT));
    assert_int_equal(info_of(lattice).round_done, 0);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

/* ---- updates that are not ergodic alone */

static int not_ergodic_after(latmc_lattice *lattice, const latmc_step *steps, int count,
                             int64_t stopped)
{
    double values[RICH_REPLICAS * RECORDS];
    const latmc_quantity m2 = LATMC_QUANTITY(LATMC_M2);

    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_set_schedule(lattice, count, steps));
    if (stopped)
        stop_after(lattice, stopped);
    ok(record_series(lattice, LATMC_SCHEDULE, 1, 1, 1, &m2, values));
    if (stopped)
        stop_after(lattice, stopped);
    return record_not_ergodic(lattice, LATMC_SCHEDULE, RECORDS, &m2, values);
}

/* What was swept between two records counts. */
static void a_round_is_ergodic_by_one_of_its_steps(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const latmc_step mixed[] = {step_of(LATMC_OVERRELAX, 2, 0), step_of(LATMC_METROPOLIS, 1, 0),
                                step_of(LATMC_OVERRELAX, 3, 0)};
    const latmc_step alone[] = {mixed[0], step_of(LATMC_OVERRELAX, 1, 0)};
    latmc_lattice *lattice;

    if (!suite_has(m->updates, LATMC_OVERRELAX))
        skip();
    lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    assert_int_equal(not_ergodic_after(lattice, mixed, 3, 0), 0);
    assert_int_equal(not_ergodic_after(lattice, mixed, 3, 4), 0);
    assert_int_equal(not_ergodic_after(lattice, alone, 2, 0), 1);
    assert_int_equal(not_ergodic_after(lattice, alone, 2, 1), 1);
    latmc_destroy(lattice);
}

/* ---- tuning */

static double limited(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* By hand: the width after the acceptance of a sweep that was just made. */
static void widen(latmc_lattice *lattice, const test_model *m, double target, int time)
{
    const latmc_quantity acceptance = LATMC_QUANTITY(LATMC_ACCEPTANCE);
    double share[RICH_REPLICAS], width[RICH_REPLICAS];
    latmc_description info = LATMC_INIT(latmc_description);
    int i = 0;

    do
        ok(latmc_describe(LATMC_PARAMS, m->id, i++, &info));
    while (info.id != m->tuned);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &acceptance, share));
    ok(latmc_get_params(lattice, (latmc_param)m->tuned, width));
    for (int r = 0; r < RICH_REPLICAS; r++) {
        const double q = limited(share[r] / target, 0.5, 2.0);
        width[r] =
            limited(width[r] * (1.0 + (q - 1.0) * 8.0 / (8.0 + time)), info.minimum, info.maximum);
    }
    ok(latmc_set_params(lattice, (latmc_param)m->tuned, width));
}

/* The step that counts is the first that proposes, not the first of the schedule. */
static void tuning_follows_the_first_step_that_proposes(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const latmc_step steps[] = {step_of(LATMC_OVERRELAX, 1, 0), step_of(LATMC_METROPOLIS, 2, 0),
                                step_of(LATMC_OVERRELAX, 3, 0), step_of(LATMC_METROPOLIS, 2, 0)};
    latmc_lattice *lattice, *twin;

    if (!m->tuned)
        skip();
    lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    twin = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    ok(latmc_set_schedule(lattice, 4, steps));
    ok(latmc_set_schedule(twin, 4, steps));
    ok(latmc_tune(lattice, LATMC_SCHEDULE, 5, 0.3));
    for (int t = 0; t < 5; t++)
        for (int i = 0; i < 4; i++) {
            ok(latmc_sweep(twin, (latmc_update)steps[i].update, steps[i].sweeps));
            if (i == 1)
                widen(twin, m, 0.3, t);
        }
    compare(&c, lattice, twin, "tuned");
    ok(latmc_set_schedule(lattice, 1, steps));
    refused(LATMC_ERROR_ARGUMENT, "no step", latmc_tune(lattice, LATMC_SCHEDULE, 1, 0.3));
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(a_schedule_may_have_one_step_or_many),
        SUITE_TEST(a_stopped_round_is_finished_first),
        SUITE_TEST(a_record_begins_with_the_rest_of_a_round),
        SUITE_TEST(a_call_is_stopped_within_a_round),
        SUITE_TEST(a_round_is_ergodic_by_one_of_its_steps),
        SUITE_TEST(tuning_follows_the_first_step_that_proposes),

        SUITE_ON_DEVICES(rounds_are_single_calls),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
