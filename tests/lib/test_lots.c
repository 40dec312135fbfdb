/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lots that have whole ladders exchange their slots by themselves: each device goes on alone, and
 * what it makes is what one device makes of all replicas. If one device fails, the lattice says
 * that its devices have stopped apart.
 */
#include "tests/lib/lots_device.h"

#include "lib/divide/runners.h"

/* ---- runners */

enum { RUNNERS = 3, TASKS = 1000 };

typedef struct track {
    int64_t made[RUNNERS]; /* tasks in order */
    int disorder[RUNNERS];
    int64_t fails_at; /* this task of runner 1; -1: none */
} track;

static latmc_status follow(void *user, int runner, const void *task)
{
    track *t = user;
    int64_t number;

    memcpy(&number, task, sizeof number);
    if (runner == 1 && number == t->fails_at)
        return lm_fail(LATMC_ERROR_DEVICE, "task %lld of runner %d", (long long)number, runner);
    t->disorder[runner] |= t->made[runner] != number;
    t->made[runner] = number + 1;
    return LATMC_OK;
}

static void runners_do_all_tasks_in_order(void **state)
{
    track t = {.fails_at = -1};
    lm_runners *all = lm_runners_make(RUNNERS, sizeof(int64_t), follow, &t);

    (void)state;
    assert_non_null(all);
    for (int turn = 0; turn < 3; turn++) { /* the second without threads */
        memset(t.made, 0, sizeof t.made);
        if (turn != 1)
            lm_runners_begin(all);
        for (int64_t i = 0; i < TASKS; i++)
            lm_runners_give(all, &i);
        ok(lm_runners_end(all));
        for (int r = 0; r < RUNNERS; r++)
            assert_int_equal(t.made[r], TASKS);
    }
    for (int r = 0; r < RUNNERS; r++)
        assert_false(t.disorder[r]);
    lm_runners_free(all);
}

static void a_failure_ends_all_runners(void **state)
{
    track t = {.fails_at = 5};
    lm_runners *all = lm_runners_make(RUNNERS, sizeof(int64_t), follow, &t);
    int64_t i = 0;

    (void)state;
    assert_non_null(all);
    lm_runners_begin(all);
    for (; i < TASKS; i++)
        lm_runners_give(all, &i);
    refused(LATMC_ERROR_DEVICE, "task 5 of runner 1", lm_runners_end(all));
    assert_int_equal(t.made[1], 5);
    assert_true(t.made[0] < TASKS && t.made[2] < TASKS);
    i = 5;
    t.fails_at = -1;
    lm_runners_begin(all);
    lm_runners_give(all, &i);
    ok(lm_runners_end(all));
    assert_int_equal(t.made[1], 6);
    lm_runners_free(all);
}

/* ---- exchanges */

/* Lattices of `replicas` in all. Without disorder a lot may end within a sample. */
typedef struct ensemble {
    int64_t extents[3];
    int64_t replicas, samples, ladders, first_replica, first_sample;
    int disorder;
    int whole; /* 1: each lot has whole ladders */
} ensemble;

static const ensemble ensembles[] = {
    {{8, 8, 4}, 12, 4, 1, 0, 0, 1, 1},      {{8, 6, 4}, 24, 2, 3, 0, 7, 1, 1},
    {{32, 4, 4}, 12, 1, 4, 5, 65530, 0, 0}, {{64, 4, 2}, 18, 3, 2, 1, 3, 0, 1},
    {{32, 4, 2}, 8, 1, 8, 0, 0, 0, 1},      {{8, 8, 4}, 64, 2, 4, 65536, 65534, 1, 1},
    {{64, 4, 2}, 6, 1, 1, 0, 0, 0, 0},      {{64, 4, 2}, 10, 1, 2, 0, 0, 0, 1},
    {{32, 4, 4}, 9, 1, 3, 0, 0, 0, 0},      {{64, 2, 2}, 12, 2, 1, 65530, 0, 1, 1},
};

static latmc_lattice *made(const ensemble *e, int64_t seed, const char *device)
{
    const latmc_step steps[] = {step_of(LATMC_METROPOLIS, 1 + seed % 2, 1),
                                step_of(LATMC_HEATBATH, 2, seed % 3)};
    double *betas = calloc((size_t)e->replicas, sizeof *betas);
    latmc_lattice *l = NULL;

    ok(latmc_create(&l, LATMC_ISING, 3, e->extents));
    ok(latmc_set_replicas(l, e->replicas));
    ok(latmc_set_first_replica(l, e->first_replica));
    ok(latmc_set_samples(l, e->samples, e->first_sample));
    ok(latmc_set_ladders(l, e->ladders));
    if (e->disorder)
        ok(latmc_draw_bond_couplings(l, LATMC_PLUS_MINUS_ONE, (uint64_t)seed, 0, NULL, NULL));
    for (int64_t s = 0; s < e->replicas; s++)
        betas[s] = 0.3 + 0.05 * (double)(s % 7);
    ok(latmc_set_params(l, LATMC_BETA, betas));
    ok(latmc_set_seed(l, (uint64_t)seed));
    ok(latmc_set_schedule(l, 2, steps));
    ok(latmc_set_division(l, LATMC_DIVIDE_REPLICAS));
    ok(latmc_set_device(l, device));
    ok(latmc_start(l, LATMC_START_HOT));
    ok(latmc_keep_best(l, 1));
    free(betas);
    return l;
}

/* Everything that exchanges leave, and the best energies. */
static void compare_all(latmc_lattice *a, latmc_lattice *b)
{
    const int64_t n = info_of(a).replicas;
    int64_t *x = calloc((size_t)(6 * n), sizeof *x), *y = calloc((size_t)(6 * n), sizeof *y);
    double *best = calloc((size_t)(2 * n), sizeof *best);
    latmc_lattice *of[] = {a, b};

    for (int i = 0; i < 2; i++) {
        int64_t *to = i ? y : x;

        ok(latmc_get_slots(of[i], to));
        ok(latmc_get_exchange_counts(of[i], to + n, to + 2 * n));
        ok(latmc_get_round_trips(of[i], to + 3 * n));
        ok(latmc_get_walks(of[i], to + 4 * n, to + 5 * n));
        ok(latmc_get_best(of[i], best + i * n, NULL));
    }
    assert_memory_equal(x, y, (size_t)(6 * n) * sizeof *x);
    assert_memory_equal(best, best + n, (size_t)n * sizeof *best);
    assert_true(hash_of(a) == hash_of(b));
    free(x);
    free(y);
    free(best);
}

static void compare_series(latmc_lattice *a, latmc_lattice *b, latmc_order order)
{
    enum { QUANTITIES = 3, RECORDS = 4 };
    const latmc_quantity quantities[QUANTITIES] = {
        LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_SLOT), LATMC_QUANTITY(LATMC_CHANGED)};
    const int64_t n = info_of(a).replicas;
    double *x = calloc((size_t)(2 * n * QUANTITIES * RECORDS), sizeof *x);
    latmc_lattice *of[] = {a, b};

    for (int i = 0; i < 2; i++) {
        latmc_recording all = {.size = sizeof all, .order = order};

        ok(record_told(of[i], LATMC_SCHEDULE, 1, RECORDS, QUANTITIES, quantities,
                       x + i * n * QUANTITIES * RECORDS, &all, NULL));
    }
    assert_memory_equal(x, x + n * QUANTITIES * RECORDS,
                        (size_t)(n * QUANTITIES * RECORDS) * sizeof *x);
    free(x);
}

/* The slots of each ladder, backwards. */
static void turn_ladders(latmc_lattice *l, const ensemble *e)
{
    const int64_t each = e->replicas / (e->samples * e->ladders);
    int64_t *slots = calloc((size_t)e->replicas, sizeof *slots);

    for (int64_t r = 0; r < e->replicas; r++)
        slots[r] = r / each * each + each - 1 - r % each;
    ok(latmc_set_slots(l, slots));
    free(slots);
}

/* A sample's replicas have slots of other ladders, so that lots are not closed. */
static void turn_samples(latmc_lattice *l, const ensemble *e)
{
    const ensemble one = {.replicas = e->replicas, .samples = e->samples, .ladders = 1};

    turn_ladders(l, &one);
}

static latmc_lattice *saved_and_loaded(latmc_lattice *l, const char *device)
{
    latmc_lattice *copy = NULL;
    size_t bytes;
    void *saved = save_whole(l, &bytes);

    ok(latmc_load_memory(&copy, saved, bytes));
    ok(latmc_set_division(copy, LATMC_DIVIDE_REPLICAS));
    ok(latmc_set_device(copy, device));
    latmc_destroy(l);
    free(saved);
    return copy;
}

/* The calls between which lattices are compared. */
static void go_on(latmc_lattice **of, const ensemble *e, int stage, const char *device)
{
    for (int i = 0; i < 2; i++) {
        latmc_lattice *l = of[i];

        if (stage == 2)
            of[i] = l = saved_and_loaded(l, i ? device : "cpu:scalar");
        if (stage == 3)
            turn_ladders(l, e);
        if (stage == 4 || stage == 7)
            ok(latmc_set_param(l, LATMC_FIELD, 0.01 * stage));
        if (stage == 5)
            turn_samples(l, e);
        if (stage == 6)
            ok(latmc_reset_exchange_counts(l));
        ok(latmc_sweep(l, LATMC_SCHEDULE, 9));
    }
}

static int switches; /* 1: plans stop making exchanges, and begin again */

/* Samples stay whole, so there are as many as devices. */
static void lots_make_what_one_device_makes(const char *device, int devices)
{
    for (size_t k = 0; k < ALL(ensembles); k++)
        for (int64_t seed = 1; seed <= 3; seed++) {
            const ensemble *e = &ensembles[k];
            if (e->disorder && e->samples < devices)
                continue;
            latmc_lattice *of[] = {made(e, seed, "cpu:scalar"), made(e, seed, device)};

            for (int stage = 0; stage < 8; stage++) {
                fake_exchanges ^= switches && (stage == 4 || stage == 7);
                go_on(of, e, stage, device);
                compare_all(of[0], of[1]);
                compare_series(of[0], of[1], stage % 2 ? LATMC_BY_SLOT : LATMC_BY_REPLICA);
                compare_all(of[0], of[1]);
            }
            latmc_destroy(of[0]);
            latmc_destroy(of[1]);
        }
}

static void exchanges_on_devices(void **state)
{
    (void)state;
    lots_make_what_one_device_makes("cuda:0,1", 2);
    lots_make_what_one_device_makes("cuda:0,1,0", 3);
}

static void exchanges_beside_devices(void **state)
{
    (void)state;
    fake_exchanges = 0;
    lots_make_what_one_device_makes("cuda:0,1", 2);
    lots_make_what_one_device_makes("cpu:scalar,scalar,scalar", 3);
    fake_exchanges = 1;
}

static void measurements_are_queued(void **state)
{
    (void)state;
    fake_ising.ops = &fake_queuing_ops;
    lots_make_what_one_device_makes("cuda:0,1", 2);
    lots_make_what_one_device_makes("cuda:0,1,0", 3);
    fake_ising.ops = &fake_ops;
}

/* With other parameters the plans may make no exchanges. */
static void exchanges_on_devices_and_beside(void **state)
{
    (void)state;
    switches = 1;
    lots_make_what_one_device_makes("cuda:0,1", 2);
    switches = 0;
}

/* Each device makes all exchanges. Nothing but sweeps comes between them. */
static void devices_go_on_alone(void **state)
{
    enum { SWEEPS = 200 };

    (void)state;
    for (int makes = 0; makes < 2; makes++)
        for (size_t k = 0; k < ALL(ensembles); k++) {
            latmc_lattice *l = made(&ensembles[k], 1, "cuda:0,1");
            const int64_t rounds = SWEEPS;

            fake_exchanges = makes;
            ok(latmc_set_param(l, LATMC_BETA, 0.4)); /* so that plans are asked again */
            ok(latmc_keep_best(l, 0));
            ok(latmc_sweep(l, LATMC_SCHEDULE, 1));
            forget_counts();
            ok(latmc_sweep(l, LATMC_SCHEDULE, rounds));
            for (int i = 0; i < FAKES; i++) {
                const int whole = ensembles[k].whole;

                assert_int_equal(fakes[i].exchanges, whole && makes ? 2 * rounds : 0);
                assert_int_equal(fakes[i].parameters, whole ? 0 : 2 * rounds);
                assert_int_equal(fakes[i].slots, whole && !makes ? 2 * rounds : 0);
                if (whole)
                    assert_int_equal(fakes[i].runs, 2 * rounds);
            }
            latmc_destroy(l);
        }
    fake_exchanges = 1;
}

enum { RECORDS = 1100 }; /* more than a portion, with so many replicas */

static double *long_series(const ensemble *e, const char *device)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double *series = calloc((size_t)e->replicas * RECORDS, sizeof *series);
    latmc_lattice *l = made(e, 1, device);

    assert_non_null(series);
    ok(latmc_keep_best(l, 0));
    forget_counts();
    ok(record_by_slot(l, LATMC_SCHEDULE, 1, RECORDS, 1, &energy, series));
    latmc_destroy(l);
    return series;
}

/* Nobody is asked for measurements but by the way. */
static void series_do_not_stop_devices(void **state)
{
    const ensemble *e = &ensembles[5];
    double *want = long_series(e, "cpu:scalar");

    (void)state;
    fake_ising.ops = &fake_queuing_ops;
    for (fake_exchanges = 0; fake_exchanges < 2; fake_exchanges++) {
        double *series = long_series(e, "cuda:0,1");

        assert_memory_equal(series, want, (size_t)e->replicas * RECORDS * sizeof *series);
        for (int i = 0; i < FAKES; i++) {
            assert_int_equal(fakes[i].runs, 2 * RECORDS);
            assert_int_equal(fakes[i].measurements, 0);
        }
        free(series);
    }
    fake_exchanges = 1;
    fake_ising.ops = &fake_ops;
    free(want);
}

/* ---- failures */

static void a_device_that_fails_leaves_no_sites(void **state)
{
    uint64_t hash;

    (void)state;
    for (fails_on = 0; fails_on < FAKES; fails_on++) {
        latmc_lattice *l = made(&ensembles[0], 1, "cuda:0,1"),
                      *other = made(&ensembles[0], 1, "cuda:0,1");

        forget_counts();
        fails_at_run = 7;
        refused(LATMC_ERROR_DEVICE, "latmc_sweep: run 7 is one too many",
                latmc_sweep(l, LATMC_SCHEDULE, 100));
        fails_at_run = 0;
        refused(LATMC_ERROR_DEVICE, "stopped at different sweeps", latmc_state_hash(l, &hash));
        refused(LATMC_ERROR_DEVICE, "stopped at different sweeps",
                latmc_sweep(l, LATMC_SCHEDULE, 1));
        refused(LATMC_ERROR_DEVICE, "stopped at different sweeps",
                latmc_sweep(l, LATMC_METROPOLIS, 1));
        refused(LATMC_ERROR_DEVICE, "stopped at different sweeps",
                latmc_set_device(l, "cpu:scalar"));
        ok(latmc_start(l, LATMC_START_HOT));
        ok(latmc_sweep(l, LATMC_METROPOLIS, 3));
        ok(latmc_start(other, LATMC_START_HOT));
        ok(latmc_sweep(other, LATMC_METROPOLIS, 3));
        assert_true(hash_of(l) == hash_of(other));
        latmc_destroy(l);
        latmc_destroy(other);
    }
}

static void lack_of_memory_changes_nothing(void **state)
{
    latmc_lattice *l = made(&ensembles[0], 1, "cuda:0,1"),
                  *other = made(&ensembles[0], 1, "cpu:scalar");

    (void)state;
    fails_on = 1;
    fails_to_prepare = 1;
    refused(LATMC_ERROR_MEMORY, "no memory on device 1", latmc_sweep(l, LATMC_SCHEDULE, 10));
    fails_to_prepare = 0;
    ok(latmc_sweep(l, LATMC_SCHEDULE, 10));
    ok(latmc_sweep(other, LATMC_SCHEDULE, 10));
    compare_all(l, other);
    latmc_destroy(l);
    latmc_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runners_do_all_tasks_in_order),
        cmocka_unit_test(a_failure_ends_all_runners),
        cmocka_unit_test(exchanges_on_devices),
        cmocka_unit_test(exchanges_beside_devices),
        cmocka_unit_test(exchanges_on_devices_and_beside),
        cmocka_unit_test(measurements_are_queued),
        cmocka_unit_test(series_do_not_stop_devices),
        cmocka_unit_test(devices_go_on_alone),
        cmocka_unit_test(a_device_that_fails_leaves_no_sites),
        cmocka_unit_test(lack_of_memory_changes_nothing),
    };

    return cmocka_run_group_tests_name("lots", tests, NULL, NULL);
}
