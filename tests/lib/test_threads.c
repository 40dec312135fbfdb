/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lattices of every kind, and their series, shared by threads however small. All of it is run under
 * ThreadSanitizer, too (tests/lib/races.sh).
 */

#define _GNU_SOURCE

#include "lib/lattice/derived.h"
#include "tests/inside.h"
#include "tests/lib/child.h"
#include "tests/lib/crew.h"

/* ---- lattices */

typedef struct kind {
    shape shape;
    latmc_model model;
    latmc_update update;
    double more; /* the field; the cut-off term's coefficient */
} kind;

static const kind kinds[] = {
    {{1, {1000}, {P}, 0, 1}, LATMC_ISING, LATMC_METROPOLIS, 0},
    {{1, {331}, {P}, 0, 2}, LATMC_ISING, LATMC_HEATBATH, 0.1},
    {{2, {64, 32}, {P, A}, 0, 1}, LATMC_ISING, LATMC_METROPOLIS, 0},
    {{2, {33, 31}, {P, P}, 0, 1}, LATMC_ISING, LATMC_METROPOLIS, 0},
    {{2, {33, 30}, {P, O}, 0, 3}, LATMC_ISING, LATMC_HEATBATH, 0},
    {{2, {100, 7}, {O, P}, 0, 40}, LATMC_ISING, LATMC_METROPOLIS, 0.2},
    {{3, {16, 8, 12}, {P, P, P}, 0, 2}, LATMC_ISING, LATMC_METROPOLIS, 0},
    {{3, {9, 7, 5}, {P, A, O}, 0, 2}, LATMC_ISING, LATMC_METROPOLIS, 0},
    {{4, {5, 4, 6, 3}, {P, P, P, P}, 0, 1}, LATMC_ISING, LATMC_METROPOLIS, 0},
    {{1, {700}, {A}, 0, 1}, LATMC_ONVECTOR, LATMC_METROPOLIS, 0.25},
    {{2, {34, 37}, {P, O}, 0, 2}, LATMC_ONVECTOR, LATMC_OVERRELAX, 0},
    {{3, {16, 12, 20}, {P, P, P}, 0, 1}, LATMC_ONVECTOR, LATMC_METROPOLIS, 0},
    {{4, {7, 6, 5, 8}, {P, P, A, P}, 0, 2}, LATMC_ONVECTOR, LATMC_OVERRELAX, 0.25},
    {{3, {9, 12, 10}, {P, O, P}, 0, 2}, LATMC_ONVECTOR, LATMC_HEATBATH, 0.25},
    {{1, {600}, {P}, 0, 1}, LATMC_PHI4, LATMC_METROPOLIS, 0.25},
    {{1, {1111}, {O}, 0, 2}, LATMC_PHI4, LATMC_BLOCK_METROPOLIS, 0.25},
    {{2, {32, 40}, {P, P}, 0, 1}, LATMC_PHI4, LATMC_METROPOLIS, 0.25},
    {{2, {37, 34}, {P, A}, 0, 1}, LATMC_PHI4, LATMC_METROPOLIS, 0.25},
    {{2, {64, 67}, {P, P}, 0, 1}, LATMC_PHI4, LATMC_BLOCK_METROPOLIS, 0.25},
    {{3, {16, 16, 24}, {P, P, P}, 0, 1}, LATMC_PHI4, LATMC_METROPOLIS, 0},
    {{3, {13, 18, 11}, {P, A, O}, 0, 2}, LATMC_PHI4, LATMC_OVERRELAX, 0.25},
    {{3, {32, 26, 16}, {P, P, P}, 0, 1}, LATMC_PHI4, LATMC_BLOCK_METROPOLIS, 0.25},
    {{4, {8, 8, 8, 6}, {P, P, A, P}, 0, 1}, LATMC_PHI4, LATMC_METROPOLIS, 0.25},
    {{4, {8, 9, 8, 12}, {P, P, A, P}, 0, 1}, LATMC_PHI4, LATMC_BLOCK_METROPOLIS, 0},
};

/* Pairs of replicas, of which a thread takes some at once. */
enum { OVERLAPS = 30 };

typedef struct outcome {
    uint64_t hash;
    double energy[2][40 * 3], overlaps[2][OVERLAPS];
} outcome;

/* With fronts, if that is wanted and there is room for them. */
static outcome outcome_of(const kind *k, const char *device, int threads, int fronts)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    const latmc_quantity of_pairs[] = {LATMC_QUANTITY(LATMC_LINK_OVERLAP),
                                       LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0)};
    int64_t pairs[OVERLAPS][2];
    const int phi4 = k->model == LATMC_PHI4;
    latmc_lattice *l = NULL;
    outcome got;

    memset(&got, 0, sizeof got);
    ok(latmc_create(&l, k->model, k->shape.dims, k->shape.extents));
    ok(latmc_set_boundaries(l, k->shape.boundaries));
    ok(latmc_set_replicas(l, k->shape.replicas));
    if (phi4)
        ok(latmc_set_option(l, LATMC_CUTOFF, k->more > 0.0));
    ok(latmc_set_param(l, phi4 ? LATMC_INV_LAMBDA : LATMC_FIELD, k->more));
    ok(latmc_set_threads(l, threads));
    ok(latmc_set_device(l, device));
    ok(latmc_start(l, LATMC_START_HOT));
    if (phi4 && fronts)
        inside_force_fronts(l);
    ok(record_series(l, k->update, 2, 3, 1, &energy, got.energy[0]));
    ok(latmc_sweep(l, k->update, 3));
    ok(latmc_observe(l, LATMC_BY_REPLICA, 1, &energy, got.energy[1]));
    for (int p = 0; p < OVERLAPS; p++) {
        pairs[p][0] = p % k->shape.replicas;
        pairs[p][1] = p / 2 % k->shape.replicas;
    }
    ok(latmc_observe_pairs(l, LATMC_BY_REPLICA, OVERLAPS, pairs[0], 2, of_pairs, got.overlaps[0]));
    got.hash = hash_of(l);
    latmc_destroy(l);
    return got;
}

static void lattices_are_shared(void **state)
{
    const char *const devices[] = {"cpu:scalar", "cpu"};

    (void)state;
    lm_team_waits = 1;
    for (size_t i = 0; i < ALL(kinds); i++)
        for (size_t d = 0; d < ALL(devices); d++) {
            const outcome alone = outcome_of(&kinds[i], devices[d], 1, 0);

            for (int threads = 2; threads <= MOST; threads++) {
                const outcome got = outcome_of(&kinds[i], devices[d], threads, threads % 2);

                if (memcmp(&got, &alone, sizeof got) != 0)
                    fail_msg("kind %d, %s, %d threads: another outcome", (int)i, devices[d],
                             threads);
            }
        }
}

static void *share_one(void *argument)
{
    const kind *k = argument;
    outcome *got = malloc(sizeof *got);

    *got = outcome_of(k, "cpu:scalar", 3, 0);
    return got;
}

/* Several lattices at once, from as many threads. */
static void lattices_of_several_callers_are_shared(void **state)
{
    pthread_t callers[ALL(kinds)];

    (void)state;
    for (size_t i = 0; i < ALL(kinds); i++)
        assert_int_equal(pthread_create(&callers[i], NULL, share_one, (void *)(uintptr_t)&kinds[i]),
                         0);
    for (size_t i = 0; i < ALL(kinds); i++) {
        const outcome alone = outcome_of(&kinds[i], "cpu:scalar", 1, 0);
        void *got;

        pthread_join(callers[i], &got);
        assert_memory_equal(got, &alone, sizeof alone);
        free(got);
    }
}

/* ---- series */

/* A plan that streams, as those of GPUs do, made of a plan of a CPU: parts of so many measurements
 * are handed over, by replica or by measurement. */
static struct {
    latmc_lattice *lattice;
    lm_plan_ops ops; /* of the plan, .. */
    latmc_status (*run)(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                        int64_t budget, const lm_measure *out); /* .. whose own this was */
    int64_t part, parts;
    int by_replica;
} streaming;

static latmc_status make_part(void *plan, const lm_schedule *schedule, lm_cursor *at,
                              const lm_measure *out, lm_measured *part, double *sums)
{
    const int each = lm_sums_of(streaming.lattice);
    const int64_t replicas = streaming.lattice->replicas;
    double one[64];
    const lm_measure alone = {
        .every = out->every, .bundles = out->bundles, .sums = one, .capacity = 1};

    assert_true(replicas * each <= (int64_t)ALL(one));
    *part = (lm_measured){.sums = sums,
                          .count = part->count,
                          .step = streaming.by_replica ? each : replicas * each,
                          .replica_step = streaming.by_replica ? part->count * each : each,
                          .each = each};
    for (int64_t m = 0; m < part->count; m++) {
        ok(streaming.run(plan, schedule, at, out->every, &alone));
        lm_cursor_move(schedule, at, out->every);
        for (int64_t r = 0; r < replicas; r++)
            memcpy(sums + m * part->step + r * part->replica_step, one + r * each,
                   (size_t)each * sizeof *one);
    }
    return LATMC_OK;
}

static latmc_status run_in_parts(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                                 int64_t budget, const lm_measure *out)
{
    const int64_t all = out ? lm_measure_count(out, budget) : 0;
    lm_cursor at = *cursor;

    if (!out || !out->take || budget == 0)
        return streaming.run(plan, schedule, cursor, budget, out);
    for (int64_t m = 0; m < all; m += streaming.part, streaming.parts++) {
        lm_measured part = {.count = all - m < streaming.part ? all - m : streaming.part};
        double *sums = calloc((size_t)(part.count * streaming.lattice->replicas),
                              (size_t)lm_sums_of(streaming.lattice) * sizeof *sums);

        make_part(plan, schedule, &at, out, &part, sums);
        out->take(out->taker, &part);
        free(sums);
    }
    return LATMC_OK;
}

enum { RECORDS = 10000, STREAMED = 3 }; /* of a series; replicas */

/* Energies and moduli of the magnetization; part: 0 does not stream. */
static double *series_of(int threads, int64_t part, int by_replica)
{
    const latmc_quantity wanted[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                     LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION)};
    double *series = calloc(RECORDS * STREAMED * ALL(wanted), sizeof *series);
    latmc_lattice *l = NULL;

    ok(latmc_create(&l, LATMC_ISING, 2, (const int64_t[]){4, 4}));
    ok(latmc_set_replicas(l, STREAMED));
    ok(latmc_set_params(l, LATMC_BETA, (const double[STREAMED]){0.2, 0.3, 0.5}));
    ok(latmc_set_threads(l, threads));
    ok(latmc_set_device(l, "cpu:scalar"));
    ok(latmc_start(l, LATMC_START_HOT));
    if (part) {
        streaming.lattice = l;
        streaming.ops = *l->home.plan.ops;
        streaming.run = streaming.ops.run;
        streaming.ops.run = run_in_parts;
        streaming.ops.streams = 1;
        streaming.part = part;
        streaming.parts = 0;
        streaming.by_replica = by_replica;
        l->home.plan.ops = &streaming.ops;
        lm_plan_set_threads(l->home.plan, 1); /* which takes no time from these 16 sites */
    }
    ok(record_series(l, LATMC_METROPOLIS, 1, RECORDS, (int)ALL(wanted), wanted, series));
    if (part)
        assert_true(streaming.parts >= RECORDS / part);
    latmc_destroy(l);
    return series;
}

/* Several items of a replica have more measurements than one (lib/sweep/record.c), and fewer. */
static void series_are_stored_by_threads(void **state)
{
    static const int64_t parts[] = {RECORDS, 5000, 4097, 33};
    double *const alone = series_of(1, 0, 0);

    (void)state;
    lm_team_waits = 1;
    for (size_t i = 0; i < 2 * ALL(parts); i++)
        for (int threads = TIMES > 1 ? 1 : MOST; threads <= MOST; threads++) {
            double *const got = series_of(threads, parts[i / 2], i % 2 == 0);

            assert_memory_equal(got, alone, RECORDS * STREAMED * 2 * sizeof *got);
            free(got);
        }
    free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_are_shared),
        cmocka_unit_test(lattices_of_several_callers_are_shared),
        cmocka_unit_test(series_are_stored_by_threads),
    };

    lm_worth = (lm_team_worth){0}; /* small lattices are enough */
    alarm(120);                    /* what hangs ends */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
