/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths of replicas through their slots, as records have them: where a twin that goes round by
 * round has its replicas. What is counted of them is read off these paths; and counts that begin
 * anew.
 */
#include "tests/models/naive_walks.h"

enum { PATH = 20, STEADY = 3 };

/* A ladder in which some exchanges are made, and others not; one after each sweep. */
static latmc_lattice *ladder_of(const test_case *c, latmc_update update, const char *device)
{
    const int64_t n = c->shape->replicas;
    latmc_lattice *lattice = suite_started(c, 0, n, device, 0);
    double *values = suite_room(n, sizeof *values);

    for (int64_t s = 0; s < n; s++)
        values[s] = 0.3 + 0.03 * (double)s / (double)n;
    ok(latmc_set_params(lattice, (latmc_param)c->model->params[0], values));
    ok(set_round(lattice, update, 1, 1));
    free(values);
    return lattice;
}

/* Both in one record, for which nothing is measured. */
static double *places_of(latmc_lattice *lattice, latmc_order order, latmc_update update,
                         int64_t records)
{
    const latmc_quantity places[] = {LATMC_QUANTITY(LATMC_SLOT), LATMC_QUANTITY(LATMC_HOLDER)};
    double *series = suite_room(2 * records * info_of(lattice).replicas, sizeof *series);

    ok((order == LATMC_BY_SLOT ? record_by_slot : record_series)(lattice, update, 1, records, 2,
                                                                 places, series));
    return series;
}

static void compare_paths(latmc_lattice *twin, const double *by_replica, const double *by_slot)
{
    const int64_t n = info_of(twin).replicas;
    int64_t *slots = suite_room(n, sizeof *slots);
    const latmc_quantity slot = LATMC_QUANTITY(LATMC_SLOT);
    double *now = suite_room(n, sizeof *now);

    for (int64_t t = 0; t < PATH; t++) {
        ok(latmc_sweep(twin, LATMC_SCHEDULE, 1));
        ok(latmc_get_slots(twin, slots));
        ok(latmc_observe(twin, LATMC_BY_REPLICA, 1, &slot, now));
        for (int64_t r = 0; r < n; r++) {
            assert_true(now[r] == (double)slots[r]);
            assert_true(by_replica[r * PATH + t] == (double)slots[r]);
            assert_true(by_replica[(n + r) * PATH + t] == (double)r);
            assert_true(by_slot[slots[r] * PATH + t] == (double)slots[r]);
            assert_true(by_slot[(n + slots[r]) * PATH + t] == (double)r);
        }
    }
    free(slots);
    free(now);
}

/* The library's counts are those of the paths. */
static int64_t count_paths(const test_case *c, latmc_lattice *lattice, const double *paths)
{
    const int64_t n = c->shape->replicas, samples = info_of(lattice).samples;
    int64_t *slots = suite_room(n, sizeof *slots), trips;
    naive_walks walks;

    naive_begin(&walks, lattice, n / (samples ? samples : 1));
    memset(walks.walks, 0, (size_t)n * sizeof *walks.walks);
    for (int64_t r = 0; r < n; r++) {
        walks.slots[r] = r; /* where all began */
        walk_visit(&walks, r);
    }
    for (int64_t t = 0; t < PATH; t++) {
        for (int64_t r = 0; r < n; r++)
            slots[r] = (int64_t)paths[r * PATH + t];
        naive_exchange(&walks, t, slots);
    }
    trips = naive_compare(&walks, lattice);
    naive_end(&walks);
    free(slots);
    return trips;
}

static int64_t follow_paths(const test_case *c, latmc_update update, const char *device)
{
    const int64_t n = c->shape->replicas;
    latmc_lattice *lattices[3];
    double *series[2], *still;
    int64_t trips;

    for (int i = 0; i < 3; i++)
        lattices[i] = ladder_of(c, update, device);
    for (int i = 0; i < 2; i++)
        series[i] =
            places_of(lattices[i], i ? LATMC_BY_SLOT : LATMC_BY_REPLICA, LATMC_SCHEDULE, PATH);
    compare_paths(lattices[2], series[0], series[1]);
    trips = count_paths(c, lattices[0], series[0]);
    assert_true(hash_of(lattices[0]) == hash_of(lattices[2]));
    /* nothing moves them in sweeps of one update, which are done all the same */
    still = places_of(lattices[0], LATMC_BY_REPLICA, update, STEADY);
    ok(latmc_sweep(lattices[2], update, STEADY));
    assert_true(hash_of(lattices[0]) == hash_of(lattices[2]));
    for (int64_t i = 0; i < n * STEADY; i++)
        assert_true(still[i] == series[0][i / STEADY * PATH + PATH - 1]);
    for (int i = 0; i < 3; i++)
        latmc_destroy(lattices[i]);
    free(series[0]);
    free(series[1]);
    free(still);
    return trips;
}

static void paths_are_recorded(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    int64_t trips = 0;

    for (const shape *s = m->shapes; s->dims; s++) {
        test_case c = suite_case(m, s, &m->variants[0]);
        const latmc_update update = m->variants[0].update;

        c.number = (int)(s - m->shapes);
        if (s->replicas > 1 && suite_serves(&c, update))
            trips += follow_paths(&c, update, on->device);
    }
    assert_true(trips > 0);
}

/* ---- counts begin anew */

/* At beta = 0 every exchange is made. */
static latmc_lattice *free_ladder(int64_t replicas)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){4, 4}));
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_device(lattice, "cpu:scalar"));
    ok(latmc_set_param(lattice, LATMC_BETA, 0.0));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(set_round(lattice, LATMC_METROPOLIS, 1, 1));
    return lattice;
}

static void trips_are(const latmc_lattice *lattice, int64_t a, int64_t b, int64_t c)
{
    int64_t trips[3];

    ok(latmc_get_round_trips(lattice, trips));
    assert_true(trips[0] == a && trips[1] == b && trips[2] == c);
}

/* Replicas by slot: 0 1 2, 1 0 2, 1 2 0, 2 1 0, 2 0 1, 0 2 1, 0 1 2, and so on from the beginning.
 */
static void counts_are_those_on_paper(void **state)
{
    latmc_lattice *lattice = free_ladder(3);
    int64_t counts[6], walks[6];

    (void)state;
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 4));
    trips_are(lattice, 0, 0, 0); /* replica 2 has come to the first slot, from where it began */
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    trips_are(lattice, 1, 0, 0);
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    ok(latmc_get_exchange_counts(lattice, counts, counts + 3));
    assert_memory_equal(counts, ((int64_t[]){3, 3, 0, 3, 3, 0}), sizeof counts);
    ok(latmc_get_walks(lattice, walks, walks + 3));
    assert_memory_equal(walks, ((int64_t[]){6, 3, 0, 0, 3, 6}), sizeof walks);
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 3)); /* 2 1 0: after the last slot again */
    trips_are(lattice, 1, 1, 1);
    latmc_destroy(lattice);
}

/* Two exchanges take each pair of a long ladder once: replicas of odd slots go down by two, others
 * up. */
static void long_ladders_have_all_pairs(void **state)
{
    enum { MOST = 301 };
    int64_t offered[MOST], accepted[MOST], slots[MOST];

    (void)state;
    for (int64_t n = MOST - 3; n <= MOST; n++) {
        latmc_lattice *lattice = free_ladder(n);

        ok(latmc_sweep(lattice, LATMC_SCHEDULE, 2));
        ok(latmc_get_exchange_counts(lattice, offered, accepted));
        ok(latmc_get_slots(lattice, slots));
        for (int64_t s = 0; s < n; s++) {
            const int64_t last = s == n - 1 && n % 2; /* in the second exchange alone */
            const int64_t to = last ? s - 1 : s % 2 ? s - 2 : s + 2;

            assert_true(offered[s] == (s < n - 1) && accepted[s] == offered[s]);
            assert_true(slots[s] == (to < 0 ? 0 : to > n - 1 ? n - 1 : to));
        }
        latmc_destroy(lattice);
    }
}

/* Two ladders of three slots are two times what one is, and never one of six. */
static void ladders_of_a_sample_are_apart(void **state)
{
    latmc_lattice *lattice = free_ladder(6);
    int64_t counts[12], trips[6];

    (void)state;
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1));
    ok(latmc_set_slots(lattice, (int64_t[]){0, 1, 2, 3, 4, 5}));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_set_ladders(lattice, 2));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 6));
    ok(latmc_get_exchange_counts(lattice, counts, counts + 6));
    assert_memory_equal(counts, ((int64_t[]){3, 3, 0, 3, 3, 0, 3, 3, 0, 3, 3, 0}), sizeof counts);
    ok(latmc_get_walks(lattice, counts, counts + 6));
    assert_memory_equal(counts, ((int64_t[]){6, 3, 0, 6, 3, 0, 0, 3, 6, 0, 3, 6}), sizeof counts);
    ok(latmc_get_round_trips(lattice, trips));
    assert_memory_equal(trips, ((int64_t[]){1, 0, 0, 1, 0, 0}), sizeof trips);
    ok(latmc_set_ladders(lattice, 2)); /* as it is */
    ok(latmc_get_round_trips(lattice, trips));
    assert_int_equal(trips[3], 1);
    ok(latmc_set_ladders(lattice, 6)); /* in which nothing moves */
    ok(latmc_get_round_trips(lattice, trips));
    assert_int_equal(trips[3], 0);
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 2));
    ok(latmc_get_exchange_counts(lattice, counts, counts + 6));
    assert_memory_equal(counts, ((int64_t[12]){0}), sizeof counts);
    latmc_destroy(lattice);
}

static void counts_begin_anew(void **state)
{
    latmc_lattice *lattice = free_ladder(3);
    const int64_t zeros[6] = {0};
    int64_t counts[6];

    (void)state;
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 4)); /* 2 0 1 */
    /* other slots begin other walks, and count on */
    ok(latmc_set_slots(lattice, (int64_t[]){1, 0, 2}));
    ok(latmc_get_exchange_counts(lattice, counts, NULL));
    assert_int_equal(counts[0], 2);
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 1)); /* 0 1 2: comes from neither end */
    trips_are(lattice, 0, 0, 0);
    ok(latmc_reset_exchange_counts(lattice));
    ok(latmc_get_exchange_counts(lattice, counts, counts + 3));
    assert_memory_equal(counts, zeros, sizeof zeros);
    ok(latmc_get_walks(lattice, counts, counts + 3));
    assert_memory_equal(counts, zeros, sizeof zeros);
    assert_int_equal(info_of(lattice).exchanges, 5);
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 6));
    trips_are(lattice, 1, 0, 0);
    ok(latmc_start(lattice, LATMC_START_HOT));
    trips_are(lattice, 0, 0, 0);
    ok(latmc_get_exchange_counts(lattice, NULL, counts));
    assert_memory_equal(counts, zeros, 3 * sizeof *zeros);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(paths_are_recorded),    SUITE_ONCE(counts_are_those_on_paper),
        SUITE_ONCE(long_ladders_have_all_pairs), SUITE_ONCE(ladders_of_a_sample_are_apart),
        SUITE_ONCE(counts_begin_anew),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
