/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Series with observables of pairs of replicas: the numbers of single steps, each measured by
 * itself, on every device, by replica and by slot, with and without exchanges; and what is refused.
 */
#include <math.h>

#include "tests/models/suite.h"

enum { MOST = 40, PAIRS = 5 };

typedef struct request {
    latmc_order order;
    latmc_quantity of_pairs[MOST];
    int pair_count;
    suite_known of_replicas;
    int64_t pairs, records;
    int64_t (*of)[2];
} request;

/* Neighbouring slots alike enough that some exchanges are made, and others not. */
static void spread_slots(latmc_lattice *lattice, const test_model *m)
{
    const int64_t n = info_of(lattice).replicas;
    double *values = suite_room(n, sizeof *values);

    for (int64_t s = 0; s < n; s++)
        values[s] = 0.3 + 0.3 * (double)s / (double)n;
    ok(latmc_set_params(lattice, (latmc_param)m->params[0], values));
    free(values);
}

static void set_rounds(latmc_lattice *lattice, latmc_update update, int exchanges)
{
    ok(latmc_set_schedule(lattice, 2,
                          (latmc_step[]){step_of(update, 2, exchanges ? 1 : 0),
                                         step_of(update, 1, exchanges > 1 ? 2 : 0)}));
}

/* One record after the other, each by calls of its own. */
static void by_steps(latmc_lattice *lattice, const request *r, latmc_update by, double *series,
                     double *of_pairs)
{
    const int64_t replicas = info_of(lattice).replicas;
    double *now =
        suite_room(r->of_replicas.count * replicas + r->pair_count * r->pairs, sizeof *now);
    double *const pairs_now = now + r->of_replicas.count * replicas;

    for (int64_t t = 0; t < r->records; t++) {
        ok(latmc_sweep(lattice, by, 2));
        if (r->of_replicas.count)
            ok(latmc_observe(lattice, r->order, r->of_replicas.count, r->of_replicas.of, now));
        ok(latmc_observe_pairs(lattice, r->order, r->pairs, r->of[0], r->pair_count, r->of_pairs,
                               pairs_now));
        for (int64_t k = 0; k < r->of_replicas.count * replicas; k++)
            series[k * r->records + t] = now[k];
        for (int64_t k = 0; k < r->pair_count * r->pairs; k++)
            of_pairs[k * r->records + t] = pairs_now[k];
    }
    free(now);
}

static void same(const double *got, const double *want, int64_t count, const char *what,
                 const char *when)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&got[i], &want[i], sizeof got[i]) != 0)
            fail_msg("%s: %s number %d is %.17g, not %.17g", when, what, (int)i, got[i], want[i]);
}

/* Of two lattices that are alike one goes by steps. */
static void compare(latmc_lattice *lattice, latmc_lattice *twin, const request *r, latmc_update by,
                    const char *when)
{
    const int64_t replicas = info_of(lattice).replicas;
    const int64_t numbers = r->of_replicas.count * replicas * r->records;
    const int64_t of_pairs = r->pair_count * r->pairs * r->records;
    double *got = suite_room(numbers + of_pairs, sizeof *got);
    double *want = suite_room(numbers + of_pairs, sizeof *want);
    latmc_recording pairs = LATMC_INIT(latmc_recording);

    pairs.order = (int32_t)r->order;
    pairs.pair_count = r->pairs;
    pairs.pairs = r->of[0];
    pairs.pair_quantity_count = r->pair_count;
    pairs.pair_quantities = r->of_pairs;
    pairs.pair_series = got + numbers;
    ok(record_pair_series(lattice, by, 2, r->records, r->of_replicas.count,
                          r->of_replicas.count ? r->of_replicas.of : NULL,
                          r->of_replicas.count ? got : NULL, &pairs));
    by_steps(twin, r, by, want, want + numbers);
    same(got, want, numbers, "observable", when);
    same(got + numbers, want + numbers, of_pairs, "pairs'", when);
    if (hash_of(lattice) != hash_of(twin))
        fail_msg("%s: other sites", when);
    free(got);
    free(want);
}

static latmc_lattice *made(const test_model *m, const char *device, int exchanges)
{
    const test_case c = suite_case(m, &m->nine, m->variants);
    latmc_lattice *lattice = suite_started(&c, 0, m->nine.replicas, device, 2);

    if (exchanges)
        spread_slots(lattice, m);
    if (exchanges == 2) /* no device queues measurements with momenta */
        ok(latmc_set_momenta(lattice, 1, (int64_t[LATMC_MAX_DIMS]){2}));
    set_rounds(lattice, m->variants->update, exchanges);
    return lattice;
}

/* All observables of pairs, or those that devices have ways of their own to; with all of replicas,
 * or without any. */
static void series_are_those_of_steps(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    int64_t of[PAIRS][2] = {{0, 8}, {3, 3}, {2, 1}, {7, 5}, {1, 2}};

    for (int kind = 0; kind < 8; kind++) {
        const latmc_order order = kind & 1 ? LATMC_BY_SLOT : LATMC_BY_REPLICA;
        const int exchanges = kind / 2 % 3;
        request r = {.order = order, .pairs = PAIRS, .records = 4, .of = of};
        latmc_lattice *a = made(m, on->device, exchanges);
        latmc_lattice *b = made(m, "cpu:scalar", exchanges);

        r.pair_count = suite_pair_quantities(a, r.of_pairs, MOST);
        if (kind % 3)
            r.of_replicas = suite_quantities(a, m);
        compare(a, b, &r, LATMC_SCHEDULE, "all of pairs");
        r.pair_count = 5;
        compare(a, b, &r, LATMC_SCHEDULE, "overlap and links");
        r.pair_count = 1;
        compare(a, b, &r, m->variants->update, "a single update");
        latmc_destroy(a);
        latmc_destroy(b);
    }
}

/* So many replicas that a GPU brings them to the host in some parts. */
static void long_series_go_in_parts(void **state)
{
    enum { REPLICAS = 512 };
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const shape small = {2, {4, 4}, {LATMC_PERIODIC, LATMC_PERIODIC}, 0, REPLICAS};
    const test_case c = suite_case(m, &small, m->variants);
    int64_t of[REPLICAS / 2][2];
    latmc_lattice *both[2];
    request r = {
        .order = LATMC_BY_SLOT, .pairs = REPLICAS / 2, .of = of, .pair_count = 5, .records = 90};

    if (m->id != LATMC_ISING)
        return;
    for (int64_t p = 0; p < r.pairs; p++) {
        of[p][0] = p;
        of[p][1] = REPLICAS - 1 - p;
    }
    for (int i = 0; i < 2; i++) {
        both[i] = suite_started(&c, 0, REPLICAS, i ? "cpu:scalar" : on->device, 2);
        spread_slots(both[i], m);
        set_rounds(both[i], m->variants->update, 1);
    }
    suite_pair_quantities(both[0], r.of_pairs, MOST);
    r.of_replicas = suite_quantities(both[0], m);
    r.of_replicas.count = 2;
    compare(both[0], both[1], &r, LATMC_SCHEDULE, "parts");
    r.records = 3;
    compare(both[0], both[1], &r, LATMC_SCHEDULE, "a short one after it");
    for (int i = 0; i < 2; i++)
        latmc_destroy(both[i]);
}

static int stop_soon(void *user, int64_t done, int64_t total)
{
    (void)total;
    *(int64_t *)user = done;
    return 1;
}

/* Records that are not reached are NaN, those of pairs, too. */
static void a_call_may_be_stopped(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    enum { RECORDS = 200000 };
    latmc_lattice *lattice = made(m, on->device, 1);
    double *series = suite_room(RECORDS, sizeof *series);
    latmc_recording pairs = LATMC_INIT(latmc_recording);
    int64_t done = 0, known = 0;

    pairs.order = LATMC_BY_SLOT;
    pairs.pair_count = 1;
    pairs.pairs = (int64_t[]){0, 1};
    pairs.pair_quantity_count = 1;
    pairs.pair_quantities = (latmc_quantity[]){LATMC_QUANTITY(LATMC_OVERLAP)};
    pairs.pair_series = series;
    ok(latmc_set_progress(lattice, stop_soon, &done));
    refused(LATMC_CANCELLED, "sweeps",
            record_pair_series(lattice, LATMC_SCHEDULE, 1, RECORDS, 0, NULL, NULL, &pairs));
    while (known < RECORDS && !isnan(series[known]))
        known++;
    assert_int_equal(known, done / 3);
    for (int64_t t = known; t < RECORDS; t++)
        assert_true(isnan(series[t]));
    free(series);
    latmc_destroy(lattice);
}

static void bad_requests_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    latmc_lattice *lattice = suite_rich(m, m->rich);
    const uint64_t hash = hash_of(lattice);
    const latmc_update by = (latmc_update)m->rich->update;
    double x = 7.0, y = 7.0;
    const latmc_recording good = {.size = sizeof good,
                                  .pair_count = 1,
                                  .pairs = (int64_t[]){0, 1},
                                  .pair_quantities =
                                      (latmc_quantity[]){LATMC_QUANTITY(LATMC_OVERLAP)},
                                  .pair_series = &y,
                                  .pair_quantity_count = 1};
    latmc_recording p = good;

    refused(no, "recording is NULL", latmc_record(lattice, NULL, NULL));
    p.size = 8;
    refused(no, "size of latmc_recording",
            record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p = good;
    p.pairs = (int64_t[]){0, 2};
    refused(no, "number 2 is in pair 0", record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p.pairs = (int64_t[]){-1, 0};
    refused(no, "number -1 is in pair 0",
            record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p.pairs = NULL;
    refused(no, "pairs is NULL", record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p = good;
    p.pair_series = NULL;
    refused(no, "pair_series is NULL", record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p = good;
    p.pair_count = -1;
    refused(no, "pair_count is -1", record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p = good;
    p.pair_quantity_count = -1;
    refused(no, "pair_quantity_count is -1",
            record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p = good;
    p.pair_quantities = NULL;
    refused(no, "pair_quantities is NULL",
            record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    p = good;
    p.pair_quantities = (latmc_quantity[]){LATMC_QUANTITY(LATMC_ENERGY)};
    refused(LATMC_ERROR_UNKNOWN, "no observable of pairs",
            record_pair_series(lattice, by, 1, 1, 0, NULL, NULL, &p));
    refused(no, "count is -1", record_pair_series(lattice, by, 1, 1, -1, NULL, &x, &good));
    refused(no, "every is 0", record_pair_series(lattice, by, 0, 1, 0, NULL, NULL, &good));
    refused(no, "quantities is NULL", record_pair_series(lattice, by, 1, 1, 1, NULL, &x, &good));
    assert_true(x == 7.0 && y == 7.0 && hash_of(lattice) == hash);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(bad_requests_are_refused),
        SUITE_ON_DEVICES(a_call_may_be_stopped),
        SUITE_ON_DEVICES(series_are_those_of_steps),
        SUITE_ON_DEVICES(long_series_go_in_parts),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
