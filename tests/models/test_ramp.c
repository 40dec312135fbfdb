/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ramps: the trajectory is that of single calls with parameters that are set by hand, on every
 * device, wherever a call ends, and after a save.
 */
#include "tests/inside.h"

#include "tests/models/rounds.h"

enum { RAMP = 7 };

static double ramp_value(double from, double to, int k)
{
    double step = to - from, share = (double)k / RAMP;

    share *= step;
    return k < RAMP ? from + share : to;
}

/* Ends of a ramp of the first parameter, from where the replicas are; *from is to be freed. */
static double *begin_ramp(latmc_lattice *lattice, latmc_param param, double **from)
{
    const int64_t replicas = info_of(lattice).replicas;
    double *to = suite_room(replicas, sizeof *to);

    *from = suite_room(replicas, sizeof **from);
    ok(latmc_get_params(lattice, param, *from));
    for (int64_t r = 0; r < replicas; r++)
        to[r] = (*from)[r] / 3.0 + 0.1 + 0.01 * (double)r;
    ok(latmc_set_ramp(lattice, param, to, RAMP));
    return to;
}

/* By hand, sweep number k since the ramp began. */
static void set_by_hand(latmc_lattice *twin, latmc_param param, const double *from,
                        const double *to, int k)
{
    const int64_t replicas = info_of(twin).replicas;
    double *now = suite_room(replicas, sizeof *now);

    for (int64_t r = 0; r < replicas; r++)
        now[r] = ramp_value(from[r], to[r], k);
    ok(latmc_set_params(twin, param, now));
    free(now);
}

/* The record has its measurements on the way and after the end; `twin` goes by single sweeps. */
static void record_a_ramp(const test_case *c, const plan_of_steps *s, latmc_lattice *lattice,
                          latmc_lattice *twin, int own, const double *from, const double *to)
{
    const latmc_param param = (latmc_param)c->model->params[0];
    const int64_t replicas = c->shape->replicas;
    const suite_known list = suite_quantities(lattice, c->model);
    const int count = list.count;
    double *series = suite_room(count * replicas * 2, sizeof *series);
    double *now = suite_room(count * replicas, sizeof *now);

    ok(record_series(lattice, LATMC_SCHEDULE, 1, 2, count, list.of, series));
    for (int round = 0, k = 0; round < 2; round++) {
        for (int i = 0; i < s->count; i++)
            for (int64_t j = 0; j < s->steps[i].sweeps; j++) {
                sweep_step(twin, c->model, s, i, 1, own);
                set_by_hand(twin, param, from, to, ++k);
            }
        ok(latmc_observe(twin, LATMC_BY_REPLICA, count, list.of, now));
        for (int64_t i = 0; i < count * replicas; i++)
            assert_memory_equal(&series[2 * i + round], &now[i], sizeof *now);
    }
    free(series);
    free(now);
}

static void ramp_on(const test_case *c, const char *device, int threads, int own)
{
    const plan_of_steps s = steps_of(c);
    const latmc_param param = (latmc_param)c->model->params[0];
    latmc_lattice *lattice = with_steps(c, &s, device, threads);
    latmc_lattice *twin = with_steps(c, &s, "cpu:scalar", 1);
    double *from, *to = begin_ramp(lattice, param, &from);

    if (own)
        set_arguments(lattice, c->model, &s);
    record_a_ramp(c, &s, lattice, twin, own, from, to);
    compare(c, lattice, twin, "on a ramp");
    free(from);
    free(to);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

static void ramps_are_parameters_set_by_hand(void **state)
{
    on_some(state, 11, ramp_on);
}

/* After k sweeps, of whatever call, the parameter is that of the next one; what is left is told. */
static void a_ramp_goes_on_from_call_to_call(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const latmc_param param = (latmc_param)m->params[0];
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    double *from, *to = begin_ramp(lattice, param, &from), now[RICH_REPLICAS], end[RICH_REPLICAS];
    int64_t left = -1;

    for (int k = 0; k <= RAMP + 2; k++) {
        ok(latmc_get_params(lattice, param, now));
        ok(latmc_get_ramp(lattice, param, end, &left));
        assert_int_equal(left, k < RAMP ? RAMP - k : 0);
        for (int r = 0; r < RICH_REPLICAS; r++) {
            assert_true(now[r] == ramp_value(from[r], to[r], k));
            assert_true(end[r] == to[r]);
        }
        if (k == 3)
            ok(latmc_set_device(lattice, "cpu:scalar"));
        if (k == 4)
            lattice = saved_and_loaded(lattice);
        ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 1));
    }
    free(from);
    free(to);
    latmc_destroy(lattice);
}

/* By setting the parameter, by another ramp, by a start. */
static void a_ramp_can_be_ended(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const latmc_param param = (latmc_param)m->params[0];
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu", 0);
    double *from, *to = begin_ramp(lattice, param, &from), now[RICH_REPLICAS], at[RICH_REPLICAS];
    int64_t left;

    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 2));
    ok(latmc_get_params(lattice, param, at));
    ok(latmc_set_ramp(lattice, param, from, 2 * RAMP));
    ok(latmc_get_params(lattice, param, now));
    assert_memory_equal(at, now, sizeof now);
    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 2 * RAMP));
    ok(latmc_get_params(lattice, param, now));
    assert_memory_equal(from, now, sizeof now);
    ok(latmc_set_ramp(lattice, param, to, RAMP));
    ok(latmc_set_params(lattice, param, from));
    ok(latmc_get_ramp(lattice, param, now, &left));
    assert_int_equal(left, 0);
    ok(latmc_set_ramp(lattice, param, to, RAMP));
    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 3));
    ok(latmc_get_params(lattice, param, at));
    ok(latmc_start(lattice, LATMC_START_COLD));
    ok(latmc_sweep(lattice, (latmc_update)m->updates[0], 3));
    ok(latmc_get_params(lattice, param, now));
    assert_memory_equal(at, now, sizeof now);
    free(from);
    free(to);
    latmc_destroy(lattice);
}

/* Of the phi^4 model: with g = 0 mu2 must not be below 0. A call that would come there is refused
 * before its first sweep, a shorter one is not. */
/* Another start keeps what a ramp has come to. With the same parameters it repeats the
 * trajectory. */
static void another_start_keeps_parameters(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_param param = (latmc_param)m->params[0];
    const latmc_update update = (latmc_update)m->rich->update;
    latmc_lattice *lattice = suite_rich(m, m->rich);
    double first[RICH_REPLICAS], now[RICH_REPLICAS], to[RICH_REPLICAS];
    uint64_t hash;

    ok(latmc_get_params(lattice, param, first));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, update, 8));
    hash = hash_of(lattice);
    for (int s = 0; s < RICH_REPLICAS; s++)
        to[s] = first[s] + 0.25;
    ok(latmc_set_ramp(lattice, param, to, 16));
    ok(latmc_sweep(lattice, update, 8));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_get_params(lattice, param, now));
    for (int s = 0; s < RICH_REPLICAS; s++)
        assert_true(fabs(now[s] - first[s] - 0.125) < 1e-9);
    ok(latmc_sweep(lattice, update, 8));
    assert_true(hash_of(lattice) != hash);
    ok(latmc_set_params(lattice, param, first));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, update, 8));
    assert_true(hash_of(lattice) == hash);
    latmc_destroy(lattice);
}

static void what_a_ramp_leads_to_is_checked_first(void **state)
{
    const latmc_update metropolis = LATMC_METROPOLIS;
    latmc_lattice *lattice = NULL;
    uint64_t hash;

    (void)state;
    ok(latmc_create(&lattice, LATMC_PHI4, 2, (int64_t[]){4, 4}));
    ok(latmc_set_param(lattice, LATMC_G, 1.0));
    ok(latmc_set_param(lattice, LATMC_MU2, 1.0));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_set_ramp(lattice, LATMC_G, (double[]){0.0}, 10));
    ok(latmc_set_ramp(lattice, LATMC_MU2, (double[]){-1.0}, 30));
    hash = hash_of(lattice);
    refused(LATMC_ERROR_STATE, "no integral", latmc_sweep(lattice, metropolis, 17));
    assert_true(hash_of(lattice) == hash && info_of(lattice).sweeps == 0);
    ok(latmc_sweep(lattice, metropolis, 14));
    refused(LATMC_ERROR_STATE, "no integral", latmc_sweep(lattice, metropolis, 2));
    ok(latmc_set_ramp(lattice, LATMC_G, (double[]){2.0}, 10));
    ok(latmc_set_ramp(lattice, LATMC_MU2, (double[]){-1.0}, 10));
    ok(latmc_sweep(lattice, metropolis, 20));
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {

        SUITE_TEST(a_ramp_goes_on_from_call_to_call),
        SUITE_TEST(a_ramp_can_be_ended),
        SUITE_TEST(another_start_keeps_parameters),
        SUITE_ONCE(what_a_ramp_leads_to_is_checked_first),

        SUITE_ON_DEVICES(ramps_are_parameters_set_by_hand),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
