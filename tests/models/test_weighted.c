/* SPDX-License-Identifier: BSD-3-Clause */
/* Weighted sums of every model: by hand from latmc_get_sites(), in the shape that doc/trajectory.md
 * says, on every device, and in series. */
#include <math.h>

#include "lib/lattice/lattice_chunks.h"
#include "tests/models/weights_by_hand.h"
#include "tests/recording.h"

enum { MOST_TERMS = 8, MOST_VALUES = WEIGHTS_SETS * (MOST_TERMS + 3) };

static void same(double got, double want, const latmc_lattice *lattice, latmc_quantity quantity)
{
    char text[64];

    if (memcmp(&got, &want, sizeof got) == 0)
        return;
    ok(latmc_quantity_text(lattice, quantity, text, sizeof text));
    fail_msg("%s is %.17g, and by hand %.17g", text, got, want);
}

/* ---- quantities */

typedef struct asked {
    int count;
    latmc_quantity of[MOST_VALUES];
} asked;

static int components_of(const latmc_lattice *lattice, const weights_set *set)
{
    int64_t sizes[2];

    ok(latmc_quantity_sizes(lattice, LATMC_WEIGHTED, sizes));
    assert_int_equal(sizes[0], 64); /* the last one is number 63 */
    return set->kind == LATMC_WEIGHT_BONDS ? 1 : (int)sizes[1];
}

/* Of a set some components, its modulus, square and fourth power. */
static asked ask(const latmc_lattice *lattice, const weights_of *all)
{
    asked list = {.count = 0};

    for (int i = 0; i < all->count; i++) {
        const weights_set *set = &all->set[i];
        const int components = components_of(lattice, set);

        for (int k = 0; k < components && k < MOST_TERMS; k++)
            list.of[list.count++] =
                (latmc_quantity)LATMC_QUANTITY(LATMC_WEIGHTED, set->number, components - 1 - k);
        for (int o = LATMC_ABS_WEIGHTED; o <= LATMC_WEIGHTED4; o++)
            list.of[list.count++] = (latmc_quantity)LATMC_QUANTITY(o, set->number);
    }
    return list;
}

/* The square of a sum's length, as doc/trajectory.md has it. */
static double square_by_hand(const hand *h, const weights_set *set, const double *sums, int terms)
{
    const int potts = h->lattice->model->entry.id == LATMC_POTTS && set->kind == LATMC_WEIGHT_SITES;
    double all = 0.0, square = 0.0;

    for (int k = 0; k < terms && potts; k++)
        all += sums[k];
    for (int k = 0; k < terms; k++) {
        const double v = (potts ? (double)terms * sums[k] - all : sums[k]) / (double)h->sites;

        square += v * v;
    }
    return potts ? square / ((double)terms * ((double)terms - 1.0)) : square;
}

/* All values of a set, at `values`, `stride` apart, from its sums by hand. Returns how many. */
static int check_set(const hand *h, const weights_set *set, int64_t sample,
                     const latmc_quantity *of, const double *values, int64_t stride)
{
    const int terms = set->kind == LATMC_WEIGHT_BONDS ? 1 : weights_terms(h);
    double *sums = suite_room(terms, sizeof *sums), square;
    int n = 0;

    for (int k = 0; k < terms; k++)
        sums[k] = weights_by_hand(h, set, sample, k);
    for (; of[n].observable == LATMC_WEIGHTED && n < terms; n++)
        same(values[n * stride], sums[of[n].second] / (double)h->sites, h->lattice, of[n]);
    square = square_by_hand(h, set, sums, terms);
    same(values[n * stride], terms == 1 ? fabs(sums[0] / (double)h->sites) : sqrt(square),
         h->lattice, of[n]);
    same(values[(n + 1) * stride], square, h->lattice, of[n + 1]);
    same(values[(n + 2) * stride], square * square, h->lattice, of[n + 2]);
    free(sums);
    return n + 3;
}

static void check_replica(latmc_lattice *lattice, const weights_of *all, const asked *list,
                          const double *values, int64_t replica)
{
    const latmc_lattice_info info = info_of(lattice);
    const int64_t sample = replica / (info.replicas / info.samples);
    hand h = hand_of(lattice, replica, replica);
    int at = 0;

    for (int i = 0; i < all->count; i++)
        at += check_set(&h, &all->set[i], sample, list->of + at,
                        values + at * info.replicas + replica, info.replicas);
    assert_int_equal(at, list->count);
    hand_free(&h);
}

/* Some replicas of a lattice, the first and the last among them. */
static void check_lattice(latmc_lattice *lattice, int some)
{
    const int64_t replicas = info_of(lattice).replicas;
    weights_of all = weights_add_all(lattice);
    const asked list = ask(lattice, &all);
    double *values = suite_room(list.count * replicas, sizeof *values);

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, list.count, list.of, values));
    for (int i = 0; i < some; i++)
        check_replica(lattice, &all, &list, values,
                      (i * (replicas - 1)) / (some > 1 ? some - 1 : 1));
    free(values);
    weights_free(&all);
}

/* ---- every device */

static latmc_lattice *swept(const suite_stage *on, const shape *of, const test_variant *v,
                            int threads)
{
    const test_case c = suite_case(on->model, of, v);
    latmc_lattice *lattice;

    if (!suite_serves(&c, v->update))
        return NULL;
    lattice = suite_started(&c, 0, of->replicas, on->device ? on->device : "cpu", threads);
    ok(latmc_sweep(lattice, v->update, 2));
    return lattice;
}

static void check_shape(const suite_stage *on, const shape *of, const test_variant *v, int threads)
{
    latmc_lattice *lattice = swept(on, of, v, threads);

    if (!lattice)
        return;
    check_lattice(lattice, of->replicas > 1 ? 2 : 1);
    latmc_destroy(lattice);
}

static void sums_are_those_by_hand(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++)
            if ((i + j) % 4 == 1 && suite_has_case(on, (i + j) / 12))
                check_shape(on, &m->shapes[i], &m->variants[j], 1 + (i + j) / 4 % 3);
}

/* Blocks of a layer that rows do not divide, short rows, odd extents, extents of 2. */
static void awkward_shapes_are_summed(void **state)
{
    static const shape shapes[] = {{1, {22}, {O}, 3, 9},
                                   {1, {2049}, {P}, 0, 4},
                                   {2, {2, 2}, {P, O}, 7, 40},
                                   {2, {5, 3}, {A, O}, 3, 8},
                                   {2, {36, 40}, {O, A}, 0, 4},
                                   {3, {70, 30, 2}, {A, O, P}, 0, 4},
                                   {3, {3, 2, 5}, {P, A, O}, 1, 9},
                                   {4, {6, 2, 2, 4}, {O, P, A, P}, 7, 8},
                                   {4, {5, 3, 2, 3}, {P, P, O, A}, 0, 6}};
    const suite_stage *on = suite_stage_of(state);
    const test_variant *variants = on->model->variants;
    int count = 0;

    while (variants[count].name)
        count++;
    for (size_t i = 0; i < ALL(shapes); i++)
        if (suite_has_case(on, (int)i)) {
            check_shape(on, &shapes[i], &variants[count - 1], 1 + (int)i % 4 / 2);
            check_shape(on, &shapes[i], &variants[i % (size_t)count], 1);
        }
}

/* Weights of samples belong to the replicas of each. */
static void samples_have_their_own(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_case c = suite_case(on->model, &on->model->nine, on->model->variants);
    latmc_lattice *lattice;

    if (!on->model->has_couplings && !on->model->has_site_fields)
        skip();
    lattice = suite_lattice(&c, 0, 9);
    ok(latmc_set_samples(lattice, 3, 0));
    ok(latmc_set_device(lattice, on->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    check_lattice(lattice, 9);
    latmc_destroy(lattice);
}

/* A series has what latmc_observe() gives after the same sweeps, by slot and with other
 * quantities. */
static void series_have_the_same(void **state)
{
    enum { RECORDS = 3 };
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    latmc_lattice *one = swept(on, &m->nine, m->variants, 2),
                  *other = swept(on, &m->nine, m->variants, 1);
    weights_of all = weights_add_all(one), again = weights_add_all(other);
    asked list = ask(one, &all);
    double *series, *values;

    list.of[list.count++] = m->observables[0];
    series = suite_room(list.count * 9 * RECORDS, sizeof *series);
    values = suite_room(list.count * 9, sizeof *values);
    ok(latmc_set_slots(one, (const int64_t[]){1, 2, 0, 3, 5, 4, 8, 7, 6}));
    ok(latmc_set_slots(other, (const int64_t[]){1, 2, 0, 3, 5, 4, 8, 7, 6}));
    ok(record_by_slot(one, m->variants->update, 2, RECORDS, list.count, list.of, series));
    for (int t = 0; t < RECORDS; t++) {
        ok(latmc_sweep(other, m->variants->update, 2));
        ok(latmc_observe(other, LATMC_BY_SLOT, list.count, list.of, values));
        for (int64_t i = 0; i < 9 * list.count; i++)
            same(series[i * RECORDS + t], values[i], one, list.of[i / 9]);
    }
    free(series);
    free(values);
    weights_free(&all);
    weights_free(&again);
    latmc_destroy(one);
    latmc_destroy(other);
}

/* ---- rows */

/* Chunks of some rows, of a layer, of several. */
static void chunks_do_not_matter(void **state)
{
    static const int64_t numbers[] = {1, 40, 100, 400, 1000};
    static const shape shapes[] = {{4, {3, 5, 4, 3}, {P, O, A, P}, 0, 4},
                                   {3, {6, 9, 5}, {O, P, P}, 1, 3},
                                   {3, {16, 4, 6}, {P, A, O}, 0, 2},
                                   {2, {7, 30}, {A, P}, 0, 4}};
    const suite_stage *on = suite_stage_of(state);

    for (size_t i = 0; i < ALL(shapes); i++) {
        latmc_lattice *lattice = swept(on, &shapes[i], on->model->variants, 1 + (int)i % 3);

        for (size_t k = 0; lattice && k < ALL(numbers); k++) {
            inside_chunk(lattice, numbers[k]);
            check_lattice(lattice, 2);
        }
        latmc_destroy(lattice);
    }
}

/* Two devices with replicas or layers of their own. */
static void divisions_do_not_matter(void **state)
{
    static const shape cube = {3, {34, 6, 12}, {P, A, P}, 0, 4};
    static const latmc_division wishes[] = {LATMC_DIVIDE_REPLICAS, LATMC_DIVIDE_SLABS};
    static const char *const devices[] = {"cpu:scalar,scalar", "cuda:0,0", "cuda:0,1"};
    static const char *const last[] = {"cpu:scalar", "cuda:0", "cuda:1"};
    const suite_stage *on = suite_stage_of(state);

    for (size_t i = 0; i < ALL(devices); i++)
        for (size_t k = 0; k < ALL(wishes) && usable(last[i]); k++) {
            latmc_lattice *lattice = swept(on, &cube, on->model->variants, 1);

            if (!lattice)
                skip();
            ok(latmc_set_division(lattice, wishes[k]));
            ok(latmc_set_device(lattice, devices[i]));
            check_lattice(lattice, 3);
            latmc_destroy(lattice);
        }
}

/* Blocks of blocks. */
static void a_long_chain(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const shape chain = {1, {(1 << 20) + 27}, {P}, 0, 1};
    latmc_lattice *lattice;

    if (LM_SANITIZED)
        skip();
    lattice = swept(on, &chain, on->model->variants, 2);
    if (!lattice)
        skip();
    check_lattice(lattice, 1);
    latmc_destroy(lattice);
}

/* ---- what exists */

static void what_does_not_exist_is_refused(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu:scalar", 1);
    double values[4 * RICH_REPLICAS], *w = suite_room(3 * RICH_SITES, sizeof *w);
    latmc_quantity q = LATMC_QUANTITY(LATMC_WEIGHTED, 3, 0), found;
    char text[64];
    int64_t sizes[2];

    ok(latmc_quantity_sizes(lattice, LATMC_WEIGHTED, sizes));
    assert_true(sizes[0] == 0 && sizes[1] == 0);
    refused(LATMC_ERROR_ARGUMENT, "latmc_set_weights() has set no weights",
            latmc_observe(lattice, LATMC_BY_REPLICA, 1, &q, values));
    ok(latmc_set_weights(lattice, 3, LATMC_WEIGHT_SITES, 1, w));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &q, values));
    ok(latmc_quantity_text(lattice, q, text, sizeof text));
    assert_string_equal(text, "weighted[3,0]");
    ok(latmc_quantity_find(lattice, "weighted2[3]", &found));
    assert_true(found.observable == LATMC_WEIGHTED2 && found.index == 3);
    ok(latmc_quantity_sizes(lattice, LATMC_WEIGHTED2, sizes));
    assert_true(sizes[0] == 4 && sizes[1] == 1);
    q.index = 1;
    refused(LATMC_ERROR_ARGUMENT, "weighted[1,0]: there are no weights of this number",
            latmc_observe(lattice, LATMC_BY_REPLICA, 1, &q, values));
    refused(LATMC_ERROR_ARGUMENT, "there are no weights of this number",
            latmc_quantity_text(lattice, q, text, sizeof text));
    if (lattice->model->products) {
        ok(latmc_set_weights(lattice, 1, LATMC_WEIGHT_BONDS, 1, w));
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &q, values));
        q.second = 1;
        refused(LATMC_ERROR_ARGUMENT, "weighted[1,1]",
                latmc_observe(lattice, LATMC_BY_REPLICA, 1, &q, values));
        q.second = 0;
        ok(latmc_set_weights(lattice, 1, LATMC_WEIGHT_BONDS, 1, NULL));
        refused(LATMC_ERROR_ARGUMENT, "there are no weights of this number",
                record_series(lattice, m->rich->update, 1, 1, 1, &q, values));
    }
    free(w);
    latmc_destroy(lattice);
}

/* Weights that are all 1 give the order parameter of sites, where it is the sum itself. */
static void weights_of_one_give_what_has_a_name(void **state)
{
    static const int models[] = {LATMC_ISING,    LATMC_BLUME_CAPEL, LATMC_PHI4,
                                 LATMC_ONVECTOR, LATMC_POTTS,       LATMC_CLOCK};
    const suite_stage *on = suite_stage_of(state);
    const latmc_quantity m2 = LATMC_QUANTITY(LATMC_M2),
                         weighted2 = LATMC_QUANTITY(LATMC_WEIGHTED2, 0);
    const latmc_quantity both[] = {m2, weighted2};
    const test_case c = suite_case(on->model, &rich_shape, on->model->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu:scalar", 1);
    double values[2 * RICH_REPLICAS], w[RICH_SITES];
    int known = 0;

    for (size_t i = 0; i < ALL(models); i++)
        known |= models[i] == (int)on->model->id;
    for (int i = 0; i < RICH_SITES; i++)
        w[i] = 1.0;
    ok(latmc_set_weights(lattice, 0, LATMC_WEIGHT_SITES, 1, w));
    for (int r = 0; known && r < 2; r++) {
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 2, both, values));
        for (int i = 0; i < RICH_REPLICAS; i++)
            assert_true(fabs(values[i] - values[RICH_REPLICAS + i]) <= 1e-14 * values[i]);
        ok(latmc_sweep(lattice, on->model->rich->update, 3));
    }
    latmc_destroy(lattice);
}

/* The weights of one site after another: the sum is that site. */
static void weights_can_be_set_again(void **state)
{
    enum { SITES = 34 * 6, REPLICAS = 3, EVERY = 29 };
    const suite_stage *on = suite_stage_of(state);
    const latmc_quantity weighted = LATMC_QUANTITY(LATMC_WEIGHTED, 0);
    double w[SITES] = {0.0}, values[REPLICAS];
    latmc_lattice *lattice = NULL;
    int8_t sites[REPLICAS][SITES];

    needs(on->device);
    if (on->model->id != LATMC_ISING)
        skip();
    ok(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){34, 6}));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_device(lattice, on->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_get_sites(lattice, 0, REPLICAS, LATMC_INT8, sites, sizeof sites));
    for (int i = 0; i < SITES; i += EVERY) {
        w[i] = -1.0;
        ok(latmc_set_weights(lattice, 0, LATMC_WEIGHT_SITES, 1, w));
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &weighted, values));
        w[i] = 0.0;
        for (int r = 0; r < REPLICAS; r++)
            assert_true(values[r] == -(double)sites[r][i] / SITES);
    }
    latmc_destroy(lattice);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_TEST(a_long_chain),
        SUITE_TEST(chunks_do_not_matter),
        SUITE_TEST(divisions_do_not_matter),
        SUITE_TEST(what_does_not_exist_is_refused),
        SUITE_TEST(weights_of_one_give_what_has_a_name),
        SUITE_ON_DEVICES(sums_are_those_by_hand),
        SUITE_ON_DEVICES(awkward_shapes_are_summed),
        SUITE_ON_DEVICES(samples_have_their_own),
        SUITE_ON_DEVICES(series_have_the_same),
        SUITE_ON_DEVICES(weights_can_be_set_again),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
