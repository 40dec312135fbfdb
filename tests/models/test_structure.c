/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structure factors at the smallest momenta: by hand from latmc_get_sites(), in every bit, on every
 * device, whether they are measured or recorded, and of loaded lattices; and what they belong to.
 */
#include "lib/lattice/derived.h"
#include "tests/models/pair_by_hand.h"

enum { AXES = LATMC_MAX_DIMS, RECORDS = 3 };

static const latmc_quantity structures[AXES] = {
    LATMC_QUANTITY(LATMC_STRUCTURE, 0), LATMC_QUANTITY(LATMC_STRUCTURE, 1),
    LATMC_QUANTITY(LATMC_STRUCTURE, 2), LATMC_QUANTITY(LATMC_STRUCTURE, 3)};

/* ---- by hand */

static double component_wave(const hand *h, const hand_term *term, int64_t i)
{
    return h->value[0][i * h->components + term->mu] * hand_wave(h, term, i);
}

static double planes(const hand *h, int axis, int part)
{
    double *plane = suite_room(h->extents[axis], sizeof *plane), sum;

    for (int64_t i = 0; i < h->sites; i++)
        plane[hand_coordinate(h, i, axis)] += h->value[0][i];
    for (int64_t x = 0; x < h->extents[axis]; x++)
        plane[x] *= h->waves[axis][2 * x + part];
    sum = hand_shaped_sum(plane, h->extents[axis]);
    free(plane);
    return sum;
}

static double structure_by_hand(const hand *h, int axis)
{
    const int words = lm_representation_of(h->lattice)->kept == LM_IN_WORDS;
    double sum = 0.0;

    for (int c = 0; c < h->components && axis < h->dims; c++) {
        double part[2];

        for (int p = 0; p < 2; p++)
            part[p] = words ? planes(h, axis, p)
                            : hand_sum(h, &(hand_term){component_wave, axis, .mu = c, .part = p});
        sum += part[0] * part[0] + part[1] * part[1];
    }
    return sum / ((double)h->sites * (double)h->sites);
}

/* The sites' own waves, which have twice the period along an antiperiodic axis. */
static hand replica_by_hand(latmc_lattice *lattice, int64_t replica)
{
    hand h = hand_of(lattice, replica, replica);

    for (int k = 0; k < h.dims; k++)
        if (lattice->boundaries[k] == LATMC_ANTIPERIODIC)
            h.waves[k] = hand_waves(h.extents[k], 2 * h.extents[k]);
    return h;
}

static void same(double got, double want, const char *what)
{
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s: %.17g, not %.17g", what, got, want);
}

static int axes_of(const latmc_lattice *lattice)
{
    return info_of(lattice).dims;
}

/* All at once and each alone; values[axis][replica] of `replicas` replicas. */
static void check_now(latmc_lattice *lattice, const double *values, int64_t replicas)
{
    double *alone = suite_room(replicas, sizeof *alone);

    for (int a = 0; a < axes_of(lattice); a++) {
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, structures + a, alone));
        for (int64_t r = 0; r < replicas; r++)
            same(alone[r], values[a * replicas + r], "alone");
    }
    free(alone);
    for (int64_t r = 0; r < replicas; r += 1 + replicas / 3) {
        hand h = replica_by_hand(lattice, r);

        for (int a = 0; a < axes_of(lattice); a++)
            same(values[a * replicas + r], structure_by_hand(&h, a), "by hand");
        hand_free(&h);
    }
}

static double *now(latmc_lattice *lattice)
{
    double *values = suite_room(AXES * info_of(lattice).replicas, sizeof *values);

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, axes_of(lattice), structures, values));
    return values;
}

/* ---- every device */

/* A model may have none. */
static void need_structures(const test_model *m)
{
    int has = 0;

    for (int i = 0; m->observables[i].observable; i++)
        has |= m->observables[i].observable == LATMC_STRUCTURE;
    if (!has)
        skip();
}

static void structures_are_those_by_hand(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    need_structures(m);

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++) {
            const test_case c = suite_case(m, &m->shapes[i], &m->variants[j]);
            const int64_t replicas = c.shape->replicas;
            latmc_lattice *lattice;
            double *values;

            if ((i + j) % 5 != 0 || !suite_serves(&c, m->variants[j].update))
                continue;
            lattice = suite_started(&c, 0, replicas, on->device, 1 + i % 3);
            ok(latmc_sweep(lattice, m->variants[j].update, 2));
            values = now(lattice);
            check_now(lattice, values, replicas);
            free(values);
            latmc_destroy(lattice);
        }
}

/* A record is what single calls measure; with others in it, and the last sweep's changes stay what
 * they are. */
static void records_have_them(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    need_structures(m);
    const test_case c = suite_case(m, &rich_shape, m->rich);
    const latmc_quantity mixed[] = {LATMC_QUANTITY(LATMC_STRUCTURE, 1), suite_share(m),
                                    LATMC_QUANTITY(LATMC_ENERGY)};
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, on->device, 2),
                  *twin = suite_started(&c, 0, RICH_REPLICAS, on->device, 1);
    double series[3][RICH_REPLICAS][RECORDS], alone[RICH_REPLICAS][RECORDS], want[3][RICH_REPLICAS];

    ok(record_series(lattice, m->rich->update, 2, RECORDS, 3, mixed, series[0][0]));
    for (int t = 0; t < RECORDS; t++) {
        ok(latmc_sweep(twin, m->rich->update, 2));
        ok(latmc_observe(twin, LATMC_BY_REPLICA, 3, mixed, want[0]));
        for (int o = 0; o < 3; o++)
            for (int r = 0; r < RICH_REPLICAS; r++)
                same(series[o][r][t], want[o][r], "recorded");
    }
    assert_true(hash_of(lattice) == hash_of(twin));
    ok(record_series(lattice, m->rich->update, 3, RECORDS, 1, structures, alone[0]));
    ok(latmc_sweep(twin, m->rich->update, 3 * RECORDS));
    ok(latmc_observe(twin, LATMC_BY_REPLICA, 1, mixed + 1, want[0]));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, mixed + 1, want[1]));
    ok(latmc_observe(twin, LATMC_BY_REPLICA, 1, structures, want[2]));
    for (int r = 0; r < RICH_REPLICAS; r++) {
        same(want[1][r], want[0][r], "the acceptance after a record of something else");
        same(alone[r][RECORDS - 1], want[2][r], "recorded alone");
    }
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

/* ---- chunks, loaded lattices */

static void chunks_do_not_matter(void **state)
{
    static const int64_t numbers[] = {1, 30, 100, 1000};
    const test_model *m = suite_stage_of(state)->model;
    need_structures(m);
    latmc_lattice *lattice = suite_rich(m, m->rich);
    double *values = now(lattice);

    for (size_t i = 0; i < ALL(numbers); i++) {
        inside_chunk(lattice, numbers[i]);
        check_now(lattice, values, RICH_REPLICAS);
    }
    free(values);
    latmc_destroy(lattice);
}

static void loaded_lattices_have_them(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    need_structures(m);
    latmc_lattice *lattice = suite_rich(m, m->rich), *loaded = NULL;
    double *values = now(lattice);
    size_t bytes;
    void *file = save_whole(lattice, &bytes);

    ok(latmc_load_memory(&loaded, file, bytes));
    check_now(loaded, values, RICH_REPLICAS);
    free(file);
    free(values);
    latmc_destroy(lattice);
    latmc_destroy(loaded);
}

/* Of pairs of replicas, too; values[axis][pair], a pair for each replica. */
static double *pairs_now(latmc_lattice *lattice)
{
    static const latmc_quantity of_pairs[AXES] = {
        LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0), LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 1),
        LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 2), LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 3)};
    const int64_t replicas = info_of(lattice).replicas;
    double *values = suite_room(AXES * replicas, sizeof *values);
    int64_t *pairs = suite_room(2 * replicas, sizeof *pairs);

    for (int64_t r = 0; r < replicas; r++) {
        pairs[2 * r] = r;
        pairs[2 * r + 1] = (2 * r + 1) % replicas;
    }
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, replicas, pairs, axes_of(lattice), of_pairs,
                           values));
    free(pairs);
    return values;
}

static void same_by_rows(latmc_lattice *lattice, double *(*measure)(latmc_lattice *),
                         const char *what)
{
    lm_plan *const plan = &lattice->home.plan;
    const lm_plan_ops *const ops = plan->ops;
    lm_plan_ops by_rows = *ops;
    double *counted = measure(lattice), *rows;

    by_rows.spin_planes = NULL;
    by_rows.pair_planes = NULL;
    by_rows.lot = NULL;
    plan->ops = &by_rows;
    rows = measure(lattice);
    plan->ops = ops;
    for (int64_t k = 0; k < AXES * info_of(lattice).replicas; k++)
        same(counted[k], rows[k], what);
    free(counted);
    free(rows);
}

/* Planes that the device counts are those of rows: of more replicas than it counts at once, of
 * words that several share, of rows of many words in one window or several, the last one not full,
 * and of more planes than a block of a GPU has counts for; and where every spin is +1. */
static void counted_planes_are_those_of_rows(void **state)
{
    static const shape shapes[] = {{1, {8000}, {P}, 0, 70},
                                   {1, {70000}, {P}, 1, 2},
                                   {2, {33, 6}, {A, O}, 3, 100},
                                   {2, {4, 6}, {P, A}, 3, 5000},
                                   {2, {5, 3}, {A, O}, 3, 8},
                                   {2, {640, 300}, {P, A}, 3, 4},
                                   {2, {2500, 90}, {P, P}, 0, 3},
                                   {2, {333, 200}, {A, O}, 2, 3},
                                   {2, {6, 13000}, {P, P}, 3, 5},
                                   {3, {101, 180, 180}, {P, P, P}, 0, 18},
                                   {3, {264, 20, 12}, {P, O, P}, 1, 3},
                                   {4, {256, 6, 4, 4}, {P, P, A, P}, 0, 3},
                                   {4, {258, 4, 3, 5}, {P, P, P, O}, 0, 2}};
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    need_structures(m);
    for (size_t i = 0; i < ALL(shapes); i++) {
        const test_case c = suite_case(m, &shapes[i], m->variants);
        latmc_lattice *lattice = suite_started(&c, 0, c.shape->replicas, on->device, 2);
        const lm_plan_ops *const ops = lattice->home.plan.ops;

        if (!ops->spin_planes && !ops->lot) {
            latmc_destroy(lattice);
            skip();
        }
        same_by_rows(lattice, now, "planes that were counted");
        same_by_rows(lattice, pairs_now, "planes of pairs that were counted");
        ok(latmc_start(lattice, LATMC_START_COLD));
        same_by_rows(lattice, now, "planes that are full");
        latmc_destroy(lattice);
    }
}

/* Each of several devices counts its own replicas. */
static void devices_count_their_own(void **state)
{
    static const shape shared = {2, {6, 4}, {P, A}, 0, 120};
    const test_model *m = suite_stage_of(state)->model;

    need_structures(m);
    const test_case c = suite_case(m, &shared, m->variants);
    latmc_lattice *lattice = suite_started(&c, 0, shared.replicas, "cpu:scalar", 1);

    ok(latmc_set_division(lattice, LATMC_DIVIDE_REPLICAS));
    ok(latmc_set_device(lattice, "cpu:scalar,scalar"));
    assert_non_null(lattice->home.plan.ops->lot);
    same_by_rows(lattice, now, "planes that two devices counted");
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(devices_count_their_own),   SUITE_TEST(chunks_do_not_matter),
        SUITE_TEST(loaded_lattices_have_them), SUITE_ON_DEVICES(structures_are_those_by_hand),
        SUITE_ON_DEVICES(records_have_them),   SUITE_ON_DEVICES(counted_planes_are_those_of_rows),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
