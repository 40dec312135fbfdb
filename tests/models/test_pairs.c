/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas: by hand from latmc_get_sites(), in the shape that doc/trajectory.md
 * says, on every device; and those of a device against those by rows.
 */
#include "lib/physics/pair_sums.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_chunks.h"
#include "lib/sums/pair_count.h"
#include "lib/sums/pair_planes.h"
#include "lib/sums/pair_rows.h"
#include "lib/sums/pair_signs.h"
#include "tests/models/pair_stage.h"

/* ---- pairs */

/* Those of them that lattices of so many components have. */
static unsigned bundles_with_sums(const latmc_lattice *lattice, unsigned bundles)
{
    for (int g = 0; g < LM_PAIR_BUNDLES; g++)
        if (!lm_pair_bundle_size(g, lattice->dims, lm_components_of(lattice)))
            bundles &= ~(1u << g);
    return bundles;
}

/* What the device makes by itself, if it does, and what is made of spins in words, are what is made
 * of rows. */
static void compare_with_rows(latmc_lattice *lattice)
{
    const lm_plan plan = lattice->home.plan;
    const unsigned own = bundles_with_sums(lattice, plan.ops->pairs ? plan.ops->pair_bundles : 0);
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
    const latmc_quantity links = LATMC_QUANTITY(LATMC_LINK_OVERLAP);
    latmc_lattice *lattice = suite_made(on->model, 2, (const int64_t[]){6, 4});

    for (int i = 0; i < 2 * SITES; i++)
        couplings[i] = i % 5 ? 1.0 : some;
    ok(latmc_set_option(lattice, LATMC_PRECISION, precision));
    ok(latmc_set_replicas(lattice, 2));
    ok(latmc_set_bond_couplings(lattice, couplings));
    ok(latmc_set_device(lattice, on->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, (const int64_t[]){0, 1}, 1, &links,
                           &value));
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
    ok(latmc_set_bond_type_couplings(lattice, (const double[]){1.0, 0.0, -0.5}));
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
    ok(get_replica(lattice, 1, type, sites, count));
    for (int64_t i = 0; i < count; i++)
        square +=
            type == LATMC_UINT8 ? 1.0 : suite_site(type, sites, i) * suite_site(type, sites, i);
    square /= RICH_SITES;
    ok(set_replica(lattice, 0, type, sites, count));
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 3, (const int64_t[]){1, 1, 0, 1, 0, 0}, 1,
                           overlaps, values));
    assert_true(values[0] == values[1] && values[0] == values[2]);
    assert_true(values[0] > 0.0 && values[0] - square < 1e-9 && square - values[0] < 1e-9);
    if (type == LATMC_INT8 || type == LATMC_UINT8)
        assert_true(values[0] == square);
    free(sites);
    latmc_destroy(lattice);
}

/* More pairs than a GPU takes at once; under sanitizers, where there is none, many. */
static void thousands_of_pairs(void **state)
{
    enum { COUNT = LM_SANITIZED ? 2001 : 20001 };
    static const latmc_quantity both[] = {LATMC_QUANTITY(LATMC_OVERLAP),
                                          LATMC_QUANTITY(LATMC_LINK_OVERLAP)};
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, on->device, 3);
    int64_t(*pairs)[2] = suite_room(COUNT, sizeof *pairs);
    double *values = suite_room(2 * COUNT, sizeof *values), each[2 * 4];

    ok(latmc_sweep(lattice, m->rich->update, 3));
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 4, (const int64_t[]){0, 0, 0, 1, 1, 0, 1, 1},
                           2, both, each));
    for (int64_t p = 0; p < COUNT; p++) {
        pairs[p][0] = p % 3 % 2;
        pairs[p][1] = p % 7 % 2;
    }
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, COUNT, pairs[0], 2, both, values));
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

/* The same list time and again, with sweeps and series in between, a part of it, and lists that
 * differ from the one before in little. */
static void lists_of_pairs_come_again(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const suite_stage scalar = {m, "cpu:scalar"};
    latmc_lattice *both[] = {swept(on, &m->nine, m->variants, 1),
                             swept(&scalar, &m->nine, m->variants, 1)};
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    int64_t pairs[8][2] = {{0, 8}, {3, 3}, {2, 1}, {7, 5}, {1, 2}, {6, 0}, {4, 8}, {8, 4}};
    const int64_t(*of)[2] = (const int64_t(*)[2])pairs;
    double series[3 * 9];

    check_list(both[0], both[1], 8, of);
    for (int i = 0; i < 2; i++)
        ok(latmc_sweep(both[i], m->variants->update, 1));
    check_list(both[0], both[1], 8, of);
    for (int i = 0; i < 2; i++)
        ok(record_series(both[i], m->variants->update, 3, 1, 1, &energy, series));
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

/* ---- rows */

/* The observables of some pairs do not depend on the chunks. */
static void check_chunks(latmc_lattice *lattice)
{
    static const int64_t numbers[] = {1, 40, 100, 400, 1000};
    int64_t pairs[MOST_PAIRS][2];
    latmc_quantity all[MOST_OBSERVABLES];
    const int count = all_observables(lattice, all);
    const int64_t n = choose(info_of(lattice).replicas, pairs);
    double *want = suite_room(count * n, sizeof *want), *got = suite_room(count * n, sizeof *got);

    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, n, pairs[0], count, all, want));
    check_by_hand(lattice, pairs[n - 2], count, all, want + n - 2, n);
    for (size_t i = 0; i < ALL(numbers); i++) {
        inside_chunk(lattice, numbers[i]);
        ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, n, pairs[0], count, all, got));
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
 * for spins in words alone. A model that is akin to another has its rows, and states are summed as
 * spins in bytes are. */
static void a_long_chain(void **state)
{
    enum { FAR = 31 }; /* 31 of them have room in lib/sums/pair_signs.c */
    static const latmc_quantity all[] = {LATMC_QUANTITY(LATMC_OVERLAP),
                                         LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0)};
    const test_model *m = suite_stage_of(state)->model;
    const int two_spins = m->types[0] == LATMC_INT8 && m->id == LATMC_ISING;
    const int whole = two_spins && !(LM_SANITIZED && m->bytes);
    const int states = m->id == LATMC_POTTS || m->id == LATMC_BLUME_CAPEL || m->id == LATMC_CLOCK;
    const int64_t length = ((LM_SANITIZED || m->akin || states) && !whole ? 1 << 15 : 1 << 20) + 27;
    const shape chain = {1, {length}, {P}, 0, whole ? FAR + 1 : 2};
    const test_case c = suite_case(m, &chain, m->variants);
    const int64_t pair[] = {1, 0};
    latmc_lattice *lattice = suite_started(&c, 0, chain.replicas, "cpu", 2);
    double values[ALL(all)];

    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, ALL(all), all, values));
    check_by_hand(lattice, pair, ALL(all), all, values, 1);
    if (whole)
        check_far_replicas(lattice, FAR);
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {

        SUITE_TEST(a_long_chain),
        SUITE_TEST(chunks_do_not_matter),

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
