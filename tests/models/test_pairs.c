/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas: by hand from latmc_get_sites(), in the shape that doc/trajectory.md
 * says, on every device; those of a device against those by rows; and what is refused.
 */
#include "tests/models/pair_by_hand.h"

#include "latmc/ranks.h"
#include "lib/physics/pair_sums.h"
#include "lib/base/status.h"
#include "lib/lattice/chunks.h"
#include "lib/lattice/derived.h"
#include "lib/measure/pair_planes.h"
#include "lib/measure/pair_rows.h"
#include "lib/measure/pair_signs.h"
#include "lib/measure/reading.h"

enum { MOST_PAIRS = 400, MOST_OBSERVABLES = 32 };

static const latmc_observable overlaps[] = {LATMC_OVERLAP, LATMC_ABS_OVERLAP, LATMC_OVERLAP2,
                                            LATMC_OVERLAP4};

/* Those of pairs that the lattice's model describes. */
static int all_observables(const latmc_lattice *lattice, latmc_observable all[MOST_OBSERVABLES])
{
    const latmc_model model = (latmc_model)info_of(lattice).model;
    int count;

    ok(latmc_count(LATMC_PAIR_OBSERVABLES, model, &count));
    assert_true(count <= MOST_OBSERVABLES);
    for (int o = 0; o < count; o++) {
        latmc_info info = LATMC_INIT(latmc_info);

        ok(latmc_describe(LATMC_PAIR_OBSERVABLES, model, o, &info));
        all[o] = (latmc_observable)info.id;
    }
    return count;
}

/* ---- pairs */

/* Each of some replicas with each of some others, itself among them; returns how many. */
static int64_t choose(int64_t replicas, int64_t pairs[MOST_PAIRS][2])
{
    const int64_t step = replicas / 12 + 1;
    int64_t n = 0;

    for (int64_t a = 0; a < replicas; a += step)
        for (int64_t b = 0; b < replicas; b += step) {
            pairs[n][0] = (a + b) % 3 ? a : replicas - 1 - a;
            pairs[n][1] = b;
            n++;
        }
    return n;
}

static void same(const double *got, const double *want, int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&got[i], &want[i], sizeof got[i]) != 0)
            fail_msg("%s: number %d is %.17g, not %.17g", what, (int)i, got[i], want[i]);
}

/* What the powers and the modulus are made of is the overlap, each number by itself. */
static void check_powers(const double *values, int64_t pairs)
{
    double want[3 * MOST_PAIRS] = {0};

    for (int64_t p = 0; p < pairs; p++) {
        const double q = values[p], q2 = q * q;

        want[p] = q < 0.0 ? -q : q;
        want[pairs + p] = q2;
        want[2 * pairs + p] = q2 * q2;
    }
    same(values + pairs, want, 3 * pairs, "the overlap's modulus and powers");
}

static void check_by_hand(latmc_lattice *lattice, const int64_t pair[2], int count,
                          const latmc_observable *all, const double *values, int64_t stride)
{
    hand h = hand_of(lattice, pair[0], pair[1]);

    for (int o = 0; o < count; o++) {
        const int made_of = all[o] >= LATMC_ABS_OVERLAP && all[o] <= LATMC_OVERLAP4;
        const double want = made_of ? values[o * stride] : hand_value(&h, all[o]);

        if (memcmp(&want, &values[o * stride], sizeof want) != 0)
            fail_msg("observable %d by hand is %.17g, not %.17g", (int)all[o], want,
                     values[o * stride]);
    }
    hand_free(&h);
}

/* All pairs at once, each by itself, turned round, with the observables the other way round; a few
 * by hand. */
static void check_pairs(latmc_lattice *lattice, int by_hand)
{
    static double values[MOST_OBSERVABLES * MOST_PAIRS];
    int64_t pairs[MOST_PAIRS][2];
    latmc_observable all[MOST_OBSERVABLES], reversed[MOST_OBSERVABLES];
    const int count = all_observables(lattice, all);
    const int64_t n = choose(info_of(lattice).replicas, pairs);

    for (int o = 0; o < count; o++)
        reversed[o] = all[count - 1 - o];
    ok(latmc_observe_pairs(lattice, n, pairs[0], count, all, values));
    check_powers(values, n);
    for (int64_t p = 0; p<n; p += n> 20 ? 7 : 1) {
        const int64_t back[2] = {pairs[p][1], pairs[p][0]};
        double alone[MOST_OBSERVABLES];

        ok(latmc_observe_pairs(lattice, 1, back, count, reversed, alone));
        for (int o = 0; o < count; o++)
            same(alone + o, values + (count - 1 - o) * n + p, 1, "a pair turned round, alone");
    }
    for (int o = 0; o < count; o++) {
        double alone;

        ok(latmc_observe_pairs(lattice, 1, pairs[n - 1], 1, all + o, &alone));
        same(&alone, values + o * n + n - 1, 1, "an observable alone");
    }
    for (int i = 0; i < by_hand; i++) {
        const int64_t p = (i + 1) * (n - 1) / by_hand;

        check_by_hand(lattice, pairs[p], count, all, values + p, n);
    }
}

/* Those of them that lattices of so many components have. */
static unsigned groups_with_sums(const latmc_lattice *lattice, unsigned groups)
{
    for (int g = 0; g < LM_PAIR_GROUPS; g++)
        if (!lm_pair_group_size(g, lattice->dims, lm_components_of(lattice)))
            groups &= ~(1u << g);
    return groups;
}

/* What the device makes by itself, if it does, and what is made of spins in words, are what is made
 * of rows. */
static void compare_with_rows(latmc_lattice *lattice)
{
    const lm_plan plan = lattice->home.plan;
    const unsigned own = groups_with_sums(lattice, plan.ops->pairs ? plan.ops->pair_groups : 0);
    const lm_model *m = lattice->model;
    const int two_spins = m->whole_products && m->types[0].entry.bits == 1;
    const unsigned waves = 1u << LM_PAIR_WAVES, whole = two_spins ? waves : 0;
    const int count = lm_pair_sums_of(lattice);
    int64_t pairs[MOST_PAIRS][2];
    const int64_t n = choose(info_of(lattice).replicas, pairs);
    const int64_t(*of)[2] = (const int64_t(*)[2])pairs;
    double *rows, *got;

    if (!(own | whole))
        return;
    rows = suite_room(n * count, sizeof *rows);
    got = suite_room(n * count, sizeof *got);
    ok(lm_pairs_by_rows(lattice, "test", own | whole, n, of, rows));
    if (own)
        ok(plan.ops->pairs(plan.self, own, n, of, got));
    if (lm_pairs_have_planes(lattice, plan))
        ok(lm_pairs_of_planes(lattice, "test", plan, n, of, got));
    else if (whole)
        ok(lm_pairs_of_signs(lattice, "test", waves, n, of, got));
    same(got, rows, n * count, "what the device sums");
    if (whole && lm_chunk_rows(lattice) == lattice->rows) {
        ok(lm_pairs_of_signs(lattice, "test", own | whole, n, of, got));
        same(got, rows, n * count, "sums of spins in words");
    }
    free(rows);
    free(got);
}

/* ---- every device */

/* The link overlap of two replicas from a hot start, with couplings of which every fifth one is
 * `some`. */
static double links_with(const suite_stage *on, int bits, double some)
{
    enum { SITES = 6 * 4 };
    double couplings[2 * SITES], precision = bits, value;
    const latmc_observable links = LATMC_LINK_OVERLAP;
    latmc_lattice *lattice = suite_made(on->model, 2, (const int64_t[]){6, 4});

    for (int i = 0; i < 2 * SITES; i++)
        couplings[i] = i % 5 ? 1.0 : some;
    ok(latmc_set_option(lattice, LATMC_PRECISION, precision));
    ok(latmc_set_replicas(lattice, 2));
    ok(latmc_set_bond_couplings(lattice, couplings));
    ok(latmc_set_device(lattice, on->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_observe_pairs(lattice, 1, (const int64_t[]){0, 1}, 1, &links, &value));
    latmc_destroy(lattice);
    return value;
}

/* What is 0 as a float is no bond of floats. */
static void couplings_may_round_to_none(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const double tiny = 1e-60, none = 0.0, one = 1.0;

    if (on->model->id != LATMC_ONVECTOR)
        skip();
    assert_true(links_with(on, 32, tiny) == links_with(on, 32, none));
    assert_true(links_with(on, 32, tiny) != links_with(on, 32, one));
    assert_true(links_with(on, 64, tiny) == links_with(on, 64, one));
    assert_true(links_with(on, 64, tiny) != links_with(on, 64, none));
}

/* Bonds of an axis without coupling are no links. */
static void axes_without_coupling(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    latmc_lattice *lattice;

    if (on->model->id != LATMC_ISING && on->model->id != LATMC_ONVECTOR)
        skip();
    lattice = suite_made(on->model, 3, (const int64_t[]){6, 4, 3});
    ok(latmc_set_replicas(lattice, 3));
    ok(latmc_set_axis_couplings(lattice, (const double[]){1.0, 0.0, -0.5}));
    ok(latmc_set_device(lattice, on->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    check_pairs(lattice, 3);
    latmc_destroy(lattice);
}

/* A lattice of some shape, after some sweeps; NULL: not of this model, or in this build. */
static latmc_lattice *swept(const suite_stage *on, const shape *of, const test_variant *v,
                            int threads)
{
    const test_case c = suite_case(on->model, of, v);
    latmc_lattice *lattice;

    if (!suite_serves(&c, v->update))
        return NULL;
    lattice = suite_started(&c, 0, of->replicas, on->device, threads);
    ok(latmc_sweep(lattice, v->update, 2));
    return lattice;
}

static void check_shape(const suite_stage *on, const shape *of, const test_variant *v, int threads,
                        int by_hand)
{
    latmc_lattice *lattice = swept(on, of, v, threads);

    if (!lattice)
        return;
    check_pairs(lattice, by_hand);
    compare_with_rows(lattice);
    latmc_destroy(lattice);
}

static void pairs_are_summed_as_by_hand(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++)
            if ((i + j) % 4 == 0 && suite_has_case(on, (i + j) / 12))
                check_shape(on, &m->shapes[i], &m->variants[j], 1 + (i + j) / 4 % 3, 3);
}

/* Rows of a few bits of a word that others share, from the middle of a word on, and of a word and a
 * few bits; odd rings and open ends; each with samples that lack other bonds. */
static void awkward_shapes_are_summed(void **state)
{
    static const shape shapes[] = {{1, {22}, {O}, 3, 9},
                                   {1, {33}, {P}, 0, 4},
                                   {2, {2, 2}, {P, O}, 7, 40},
                                   {2, {4, 6}, {A, O}, 5, 13},
                                   {2, {5, 3}, {A, O}, 3, 8},
                                   {2, {35, 5}, {O, P}, 0, 6},
                                   {2, {36, 4}, {O, P}, 1, 4},
                                   {3, {70, 2, 2}, {P, O, A}, 0, 4},
                                   {3, {16, 4, 6}, {P, O, P}, 2, 10},
                                   {3, {3, 2, 5}, {P, P, O}, 1, 9},
                                   {4, {6, 2, 2, 4}, {O, P, P, P}, 7, 8},
                                   {4, {5, 3, 2, 3}, {P, P, O, P}, 0, 6}};
    const suite_stage *on = suite_stage_of(state);
    const test_variant *variants = on->model->variants;
    int count = 0;

    while (variants[count].name)
        count++;
    for (size_t i = 0; i < ALL(shapes); i++) {
        if (!suite_has_case(on, (int)i))
            continue;
        check_shape(on, &shapes[i], &variants[count - 1], 1 + (int)i % 4 / 2, 2);
        check_shape(on, &shapes[i], &variants[i % (size_t)(count - 1)], 1, 1);
    }
}

/* Ensembles, of which a row may be a few bits of a word that others share. */
static void many_replicas_are_summed(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    for (int i = 0; on->model->large[i].dims; i++) {
        latmc_lattice *lattice = suite_ensemble(on, i, on->device);

        if (!lattice)
            continue;
        check_pairs(lattice, 2);
        compare_with_rows(lattice);
        latmc_destroy(lattice);
    }
}

/* A pair of one replica with itself, and one of it with a copy. */
static void a_replica_and_itself(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, on->device, 1);
    const latmc_type type = (latmc_type)info_of(lattice).type;
    const int64_t count = RICH_SITES * suite_components(m);
    void *sites = suite_room(count, suite_bytes(type));
    double values[3], square = 0.0;

    ok(latmc_sweep(lattice, m->rich->update, 3));
    ok(latmc_get_sites(lattice, 1, type, sites, count));
    for (int64_t i = 0; i < count; i++)
        square +=
            type == LATMC_UINT8 ? 1.0 : suite_site(type, sites, i) * suite_site(type, sites, i);
    square /= RICH_SITES;
    ok(latmc_set_sites(lattice, 0, type, sites, count));
    ok(latmc_observe_pairs(lattice, 3, (const int64_t[]){1, 1, 0, 1, 0, 0}, 1, overlaps, values));
    assert_true(values[0] == values[1] && values[0] == values[2]);
    assert_true(values[0] > 0.0 && values[0] - square < 1e-9 && square - values[0] < 1e-9);
    if (type == LATMC_INT8 || type == LATMC_UINT8)
        assert_true(values[0] == square);
    free(sites);
    latmc_destroy(lattice);
}

/* More pairs than a device takes at once. */
static void thousands_of_pairs(void **state)
{
    enum { COUNT = 20001 };
    static const latmc_observable both[] = {LATMC_OVERLAP, LATMC_LINK_OVERLAP};
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, on->device, 3);
    int64_t(*pairs)[2] = suite_room(COUNT, sizeof *pairs);
    double *values = suite_room(2 * COUNT, sizeof *values), each[2 * 4];

    ok(latmc_sweep(lattice, m->rich->update, 3));
    ok(latmc_observe_pairs(lattice, 4, (const int64_t[]){0, 0, 0, 1, 1, 0, 1, 1}, 2, both, each));
    for (int64_t p = 0; p < COUNT; p++) {
        pairs[p][0] = p % 3 % 2;
        pairs[p][1] = p % 7 % 2;
    }
    ok(latmc_observe_pairs(lattice, COUNT, pairs[0], 2, both, values));
    for (int o = 0; o < 2; o++)
        for (int64_t p = 0; p < COUNT; p++)
            same(values + o * COUNT + p, each + 4 * o + 2 * pairs[p][0] + pairs[p][1], 1,
                 "one of thousands");
    free(pairs);
    free(values);
    latmc_destroy(lattice);
}

/* More planes than are counted at once. */
static void planes_go_in_parts(void **state)
{
    enum { COUNT = 70, DIFFERENT = 9 };
    static const shape chain = {1, {8000}, {P}, 0, 3};
    const suite_stage *on = suite_stage_of(state);
    latmc_lattice *lattice = swept(on, &chain, on->model->variants, 1);
    int64_t pairs[COUNT][2];
    double *rows, *own;
    int each;

    if (!lattice)
        skip();
    if (lm_pairs_have_planes(lattice, lattice->home.plan)) {
        each = lm_pair_sums_of(lattice);
        rows = suite_room(COUNT * each, sizeof *rows);
        own = suite_room(COUNT * each, sizeof *own);
        for (int64_t p = 0; p < COUNT; p++) {
            pairs[p][0] = p % 3;
            pairs[p][1] = p / 3 % 3;
        }
        ok(lm_pairs_by_rows(lattice, "test", 1u << LM_PAIR_WAVES, DIFFERENT,
                            (const int64_t(*)[2])pairs, rows));
        ok(lm_pairs_of_planes(lattice, "test", lattice->home.plan, COUNT,
                              (const int64_t(*)[2])pairs, own));
        for (int64_t p = 0; p < COUNT; p++)
            same(own + p * each, rows + p % DIFFERENT * each, each, "planes in parts");
        free(rows);
        free(own);
    }
    latmc_destroy(lattice);
}

/* All observables of a list of pairs are those of each pair by itself, on another device. */
static void check_list(latmc_lattice *lattice, latmc_lattice *twin, int64_t n,
                       const int64_t (*pairs)[2])
{
    latmc_observable all[MOST_OBSERVABLES];
    const int count = all_observables(lattice, all);
    double values[MOST_OBSERVABLES * 8], alone[MOST_OBSERVABLES];

    assert_true(n <= 8);
    ok(latmc_observe_pairs(lattice, n, pairs[0], count, all, values));
    for (int64_t p = 0; p < n; p++) {
        ok(latmc_observe_pairs(twin, 1, pairs[p], count, all, alone));
        for (int o = 0; o < count; o++)
            same(values + o * n + p, alone + o, 1, "a pair of a list");
    }
}

/* The same list time and again, with sweeps and series in between, a part of it, and lists that
 * differ from the one before in little. */
static void lists_of_pairs_come_again(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const suite_stage scalar = {m, "cpu:scalar"};
    latmc_lattice *both[] = {swept(on, &m->nine, m->variants, 1),
                             swept(&scalar, &m->nine, m->variants, 1)};
    const latmc_observable energy = LATMC_ENERGY;
    int64_t pairs[8][2] = {{0, 8}, {3, 3}, {2, 1}, {7, 5}, {1, 2}, {6, 0}, {4, 8}, {8, 4}};
    const int64_t(*of)[2] = (const int64_t(*)[2])pairs;
    double series[3 * 9];

    check_list(both[0], both[1], 8, of);
    for (int i = 0; i < 2; i++)
        ok(latmc_sweep(both[i], m->variants->update, 1));
    check_list(both[0], both[1], 8, of);
    for (int i = 0; i < 2; i++)
        ok(latmc_record(both[i], m->variants->update, 3, 1, 1, &energy, series));
    check_list(both[0], both[1], 8, of);
    check_list(both[0], both[1], 5, of);
    check_list(both[0], both[1], 5, of + 3);
    pairs[7][1] = 3;
    check_list(both[0], both[1], 5, of + 3);
    check_list(both[0], both[1], 8, of);
    pairs[0][0] = 5;
    check_list(both[0], both[1], 8, of);
    for (int i = 0; i < 2; i++)
        latmc_destroy(both[i]);
}

/* ---- without memory, and on several devices */

/* A device that fails when it has written something. */
static latmc_status no_memory(void *plan, unsigned groups, int64_t pairs,
                              const int64_t (*replicas)[2], double *sums)
{
    (void)plan, (void)groups, (void)pairs, (void)replicas;
    sums[0] = (double)NAN;
    return lm_fail(LATMC_ERROR_DEVICE_MEMORY, "there is none");
}

static latmc_status no_memory_for_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                         int64_t *apart)
{
    (void)plan, (void)pairs, (void)replicas, (void)apart;
    return lm_fail(LATMC_ERROR_DEVICE_MEMORY, "there is none");
}

/* All observables of some pairs. */
static double *observed(latmc_lattice *lattice, int64_t *numbers)
{
    latmc_observable all[MOST_OBSERVABLES];
    int64_t pairs[MOST_PAIRS][2];
    const int count = all_observables(lattice, all);
    const int64_t n = choose(info_of(lattice).replicas, pairs);
    double *values = suite_room(count * n, sizeof *values);

    ok(latmc_observe_pairs(lattice, n, pairs[0], count, all, values));
    *numbers = count * n;
    return values;
}

/* The host sums what a device has no memory for. */
static void sums_without_device_memory(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lattice = suite_rich(m, m->rich);
    lm_plan *plan;
    const lm_plan_ops *ops;
    lm_plan_ops without;
    double *want, *got;
    int64_t n;

    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    want = observed(lattice, &n);
    plan = &lattice->home.plan;
    ops = plan->ops;
    without = *ops;
    without.pairs = no_memory;
    without.pair_groups = m->rich->type == LATMC_INT8 ? 1u << LM_PAIR_LINKS | 1u << LM_PAIR_OVERLAP
                                                      : (1u << LM_PAIR_GROUPS) - 1u;
    without.pair_planes = no_memory_for_planes;
    lm_fail(LATMC_ERROR_STATE, "a failure before");
    plan->ops = &without;
    got = observed(lattice, &n);
    plan->ops = ops;
    same(got, want, n, "sums that the device has no memory for");
    assert_string_equal(latmc_error_message(), "a failure before");
    free(want);
    free(got);
    latmc_destroy(lattice);
}

/* Of replicas that two devices have, in pairs on one of them and on both: as of one device. */
static void check_dealt(latmc_lattice *lattice, const char *devices)
{
    int64_t n;
    double *want = observed(lattice, &n), *got;

    ok(latmc_set_division(lattice, LATMC_BY_REPLICAS));
    ok(latmc_set_device(lattice, devices));
    assert_non_null(lattice->home.plan.ops->lot);
    got = observed(lattice, &n);
    same(got, want, n, "pairs of several devices");
    free(want);
    free(got);
}

static void replicas_of_several_devices(void **state)
{
    static const shape shapes[] = {{2, {6, 4}, {P, A}, 0, 120}, {3, {4, 3, 6}, {P, O, P}, 0, 120}};
    const test_model *m = suite_stage_of(state)->model;
    const int gpu = usable("cuda:0") && has_model("cuda:0", (int)m->id);

    for (size_t i = 0; i < ALL(shapes); i++)
        for (int j = 0; m->variants[j].name; j++) {
            const test_case c = suite_case(m, &shapes[i], &m->variants[j]);
            latmc_lattice *lattice;

            if (!suite_serves(&c, m->variants[j].update))
                continue;
            lattice = suite_started(&c, 0, c.shape->replicas, "cpu:scalar", 1);
            ok(latmc_sweep(lattice, m->variants[j].update, 2));
            check_dealt(lattice, "cpu:scalar,scalar");
            if (gpu)
                check_dealt(lattice, "cuda:0,0");
            latmc_destroy(lattice);
        }
}

/* ---- rows */

/* The observables of some pairs do not depend on the chunks. */
static void check_chunks(latmc_lattice *lattice)
{
    static const int64_t numbers[] = {1, 40, 100, 400, 1000};
    int64_t pairs[MOST_PAIRS][2];
    latmc_observable all[MOST_OBSERVABLES];
    const int count = all_observables(lattice, all);
    const int64_t n = choose(info_of(lattice).replicas, pairs);
    double *want = suite_room(count * n, sizeof *want), *got = suite_room(count * n, sizeof *got);

    ok(latmc_observe_pairs(lattice, n, pairs[0], count, all, want));
    check_by_hand(lattice, pairs[n - 2], count, all, want + n - 2, n);
    for (size_t i = 0; i < ALL(numbers); i++) {
        inside_chunk(lattice, numbers[i]);
        ok(latmc_observe_pairs(lattice, n, pairs[0], count, all, got));
        same(got, want, count * n, "chunks of another size");
    }
    inside_chunk(lattice, 0);
    free(want);
    free(got);
}

/* Chunks of some rows, of a layer, of several; rows and layers of awkward lengths. */
static void chunks_do_not_matter(void **state)
{
    static const shape shapes[] = {{4, {3, 5, 4, 3}, {P, O, A, P}, 0, 4},
                                   {3, {6, 9, 5}, {O, P, P}, 1, 3},
                                   {3, {16, 4, 6}, {P, A, O}, 0, 2},
                                   {2, {7, 30}, {A, P}, 0, 4}};
    const test_model *m = suite_stage_of(state)->model;

    for (size_t i = 0; i < ALL(shapes); i++)
        for (int j = 0; m->variants[j].name; j++) {
            const test_case c = suite_case(m, &shapes[i], &m->variants[j]);
            latmc_lattice *lattice;

            if ((i + (size_t)j) % 3 != 0 || !suite_serves(&c, m->variants[j].update))
                continue;
            lattice = suite_started(&c, 0, shapes[i].replicas, "cpu", 1 + (int)i % 3);
            ok(latmc_sweep(lattice, m->variants[j].update, 2));
            assert_true(lm_chunk_rows(lattice) == lattice->rows);
            check_chunks(lattice);
            latmc_destroy(lattice);
        }
}

/* Two replicas of more than there is room for: the second one's is the first one's. */
static void check_far_replicas(latmc_lattice *lattice, int64_t far)
{
    const int64_t pair[1][2] = {{0, far}};
    const int count = lm_pair_sums_of(lattice);
    double *rows = suite_room(count, sizeof *rows), *words = suite_room(count, sizeof *words);

    ok(lm_pairs_by_rows(lattice, "test", 1u << LM_PAIR_WAVES, 1, pair, rows));
    ok(lm_pairs_of_signs(lattice, "test", 1u << LM_PAIR_WAVES, 1, pair, words));
    same(words, rows, count, "replicas with the same room");
    free(rows);
    free(words);
}

/* Blocks of blocks of blocks, and a chunk as large as its only row; under sanitizers the room's end
 * for spins in words alone. */
static void a_long_chain(void **state)
{
    enum { FAR = 31 }; /* 31 of them have room in lib/measure/pair_signs.c */
    static const latmc_observable all[] = {LATMC_OVERLAP, LATMC_OVERLAP_STRUCTURE_0};
    const test_model *m = suite_stage_of(state)->model;
    const int two_spins = m->types[0] == LATMC_INT8 && m->id == LATMC_ISING;
    const int whole = two_spins && !(LM_SANITIZED && m->bytes);
    const int64_t length = (LM_SANITIZED && !whole ? 1 << 15 : 1 << 20) + 27;
    const shape chain = {1, {length}, {P}, 0, whole ? FAR + 1 : 2};
    const test_case c = suite_case(m, &chain, m->variants);
    const int64_t pair[] = {1, 0};
    latmc_lattice *lattice = suite_started(&c, 0, chain.replicas, "cpu", 2);
    double values[ALL(all)];

    ok(latmc_observe_pairs(lattice, 1, pair, ALL(all), all, values));
    check_by_hand(lattice, pair, ALL(all), all, values, 1);
    if (whole)
        check_far_replicas(lattice, FAR);
    latmc_destroy(lattice);
}

/* Pairs of a loaded lattice are those of the saved one, and need no device. */
static void loaded_lattices_stay_where_they_are(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (const test_variant *v = m->rich; v->name; v++) {
        latmc_lattice *lattice = suite_rich(m, v), *loaded = NULL;
        const int64_t pairs[] = {0, 1, 1, 1, 1, 0};
        double saved[3 * 4], values[3 * 4];
        size_t bytes;
        void *file = save_whole(lattice, &bytes);

        ok(latmc_load_memory(&loaded, file, bytes));
        ok(latmc_observe_pairs(lattice, 3, pairs, 4, overlaps, saved));
        ok(latmc_observe_pairs(loaded, 3, pairs, 4, overlaps, values));
        same(values, saved, 12, "a loaded lattice");
        assert_null(loaded->home.plan.ops);
        check_pairs(loaded, 4);
        ok(latmc_sweep(loaded, v->update, 0));
        ok(latmc_observe_pairs(loaded, 3, pairs, 4, overlaps, values));
        same(values, saved, 12, "a loaded lattice on its device");
        free(file);
        latmc_destroy(lattice);
        latmc_destroy(loaded);
    }
}

/* ---- refusals */

static void bad_pairs_are_refused(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT, unknown = LATMC_ERROR_UNKNOWN;
    const latmc_observable energy = LATMC_ENERGY, *q = overlaps;
    const int64_t pair[] = {0, 1};
    latmc_lattice *lattice = suite_made(m, 2, (int64_t[]){4, 4});
    double x = 7.0;

    refused(LATMC_ERROR_STATE, "latmc_start", latmc_observe_pairs(lattice, 1, pair, 1, q, &x));
    latmc_destroy(lattice);
    lattice = suite_rich(m, m->rich);
    refused(no, "replicas is NULL", latmc_observe_pairs(lattice, 1, NULL, 1, q, &x));
    refused(no, "observables is NULL", latmc_observe_pairs(lattice, 1, pair, 1, NULL, &x));
    refused(no, "values is NULL", latmc_observe_pairs(lattice, 1, pair, 1, q, NULL));
    refused(no, "pairs is 0; it must be at least 1",
            latmc_observe_pairs(lattice, 0, pair, 1, q, &x));
    refused(no, "pairs is -1", latmc_observe_pairs(lattice, -1, pair, 1, q, &x));
    refused(no, "count is 0", latmc_observe_pairs(lattice, 1, pair, 0, q, &x));
    refused(no, "replica 2 is in pair 0; 0 to 1",
            latmc_observe_pairs(lattice, 1, (int64_t[]){0, 2}, 1, q, &x));
    refused(no, "replica -1 is in pair 1; 0 to 1",
            latmc_observe_pairs(lattice, 2, (int64_t[]){0, 1, -1, 0}, 1, q, &x));
    refused(unknown, "no observable of pairs number 2001; it has overlap (2101), abs_overlap",
            latmc_observe_pairs(lattice, 1, pair, 1, &energy, &x));
    if (suite_components(m) == 1) {
        const latmc_observable tensor = LATMC_TENSOR_OVERLAP2;

        refused(unknown, "no observable of pairs number 2120",
                latmc_observe_pairs(lattice, 1, pair, 1, &tensor, &x));
    }
    refused(unknown, "no observable number 2101", latmc_observe(lattice, 1, q, &x));
    refused(unknown, "no observable number 2104",
            latmc_record(lattice, m->rich->update, 1, 1, 1, q + 3, &x));
    assert_true(x == 7.0);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(bad_pairs_are_refused),
        SUITE_TEST(loaded_lattices_stay_where_they_are),
        SUITE_TEST(a_long_chain),
        SUITE_TEST(chunks_do_not_matter),
        SUITE_TEST(sums_without_device_memory),
        SUITE_TEST(replicas_of_several_devices),
        SUITE_ON_DEVICES(couplings_may_round_to_none),
        SUITE_ON_DEVICES(axes_without_coupling),
        SUITE_ON_DEVICES(a_replica_and_itself),
        SUITE_ON_DEVICES(thousands_of_pairs),
        SUITE_ON_DEVICES(planes_go_in_parts),
        SUITE_ON_DEVICES(lists_of_pairs_come_again),
        SUITE_ON_DEVICES(awkward_shapes_are_summed),
        SUITE_ON_DEVICES(pairs_are_summed_as_by_hand),
        SUITE_ON_DEVICES(many_replicas_are_summed),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
