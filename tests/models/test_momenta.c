/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structure factors at momenta that were set: by hand from latmc_get_sites(), in every bit, on
 * every device, whether they are measured or recorded, and of loaded lattices; and what they should
 * be by other ways.
 */
#include <math.h>

#include "lib/settings/momenta.h"
#include "tests/lib/sections.h"
#include "tests/models/momenta_by_hand.h"

enum { MOMENTA = 5, RECORDS = 3 };

/* ---- momenta */

/* Numbers of momenta that the sites have; the first one is 0 where the boundaries allow it, the
 * second the smallest one along axis 0. */
static void choose_momenta(const latmc_lattice *lattice, int64_t n[MOMENTA][LATMC_MAX_DIMS],
                           int64_t *flat)
{
    const latmc_lattice_info info = info_of(lattice);

    for (int j = 0; j < MOMENTA; j++)
        for (int a = 0; a < info.dims; a++) {
            const int64_t most = 2 * info.extents[a];
            const int64_t picks[MOMENTA] = {0, a == 0 ? 2 : 0, -2 * (a + 1), most,
                                            2 * ((info.extents[a] + 1) / 3)};
            const int odd = info.boundaries[a] == LATMC_ANTIPERIODIC;

            n[j][a] = odd ? picks[j] - (picks[j] > 0 ? 1 : -1) : picks[j];
            n[j][a] = n[j][a] < -most ? -2 + odd : n[j][a];
            flat[j * info.dims + a] = n[j][a];
        }
}

static void set_momenta(latmc_lattice *lattice, int64_t n[MOMENTA][LATMC_MAX_DIMS])
{
    int64_t flat[MOMENTA * LATMC_MAX_DIMS];

    choose_momenta(lattice, n, flat);
    ok(latmc_set_momenta(lattice, MOMENTA, flat));
}

static const latmc_quantity at[MOMENTA] = {
    LATMC_QUANTITY(LATMC_STRUCTURE_AT, 0), LATMC_QUANTITY(LATMC_STRUCTURE_AT, 1),
    LATMC_QUANTITY(LATMC_STRUCTURE_AT, 2), LATMC_QUANTITY(LATMC_STRUCTURE_AT, 3),
    LATMC_QUANTITY(LATMC_STRUCTURE_AT, 4)};

/* values[momentum][replica], to be freed. */
static double *now(latmc_lattice *lattice)
{
    double *values = suite_room(MOMENTA * info_of(lattice).replicas, sizeof *values);

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, MOMENTA, at, values));
    return values;
}

static void same(double got, double want, const char *what, int momentum)
{
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s, momentum %d: %.17g, not %.17g", what, momentum, got, want);
}

/* ---- by hand */

static void check_by_hand(latmc_lattice *lattice, int64_t n[MOMENTA][LATMC_MAX_DIMS],
                          const double *values)
{
    const int64_t replicas = info_of(lattice).replicas;

    for (int64_t r = 0; r < replicas; r += 1 + replicas / 3) {
        hand h = hand_of(lattice, r, r);

        for (int j = 0; j < MOMENTA; j++)
            same(values[j * replicas + r], hand_structure_at(&h, n[j]), "by hand", j);
        hand_free(&h);
    }
}

/* GPUs sum sites themselves, but for cells of automata. */
static void check_who_sums(const latmc_lattice *lattice, const char *device)
{
    if (strncmp(device, "cuda", 4) == 0 && lattice->model->entry.id != LATMC_AUTOMATON)
        assert_non_null(lattice->home.plan.ops->momenta);
}

static void check_shape(const suite_stage *on, const shape *of, const test_variant *v, int threads)
{
    const test_case c = suite_case(on->model, of, v);
    int64_t n[MOMENTA][LATMC_MAX_DIMS];
    latmc_lattice *lattice;
    double *values;

    if (!suite_serves(&c, v->update))
        return;
    lattice = suite_started(&c, 0, of->replicas, on->device, threads);
    ok(latmc_sweep(lattice, v->update, 2));
    set_momenta(lattice, n);
    values = now(lattice);
    check_who_sums(lattice, on->device);
    check_by_hand(lattice, n, values);
    free(values);
    latmc_destroy(lattice);
}

static void structures_are_those_by_hand(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++)
            if ((i + j) % 5 == 0 && suite_has_case(on, (i + j) / 5))
                check_shape(on, &m->shapes[i], &m->variants[j], 1 + i % 3);
}

/* Rows of part of a bar, of one bar and of one more site, of words and of a few bits more. */
static void awkward_shapes_are_summed(void **state)
{
    static const shape shapes[] = {
        {1, {22}, {O}, 3, 9},
        {1, {1055}, {P}, 0, 2},
        {1, {16900}, {P}, 0, 2},
        {2, {2, 2}, {P, O}, 7, 40},
        {2, {15, 6}, {A, O}, 5, 3},
        {2, {16, 5}, {A, P}, 3, 4},
        {2, {17, 4}, {O, P}, 0, 6},
        {2, {33, 3}, {P, P}, 1, 4},
        {2, {5, 1030}, {P, A}, 1, 2},
        {3, {3, 2, 5}, {P, A, O}, 1, 9},
        {3, {34, 2, 3}, {P, P, P}, 0, 4},
        {4, {18, 2, 3, 4}, {A, P, P, O}, 7, 3},
    };
    const suite_stage *on = suite_stage_of(state);
    const test_variant *variants = on->model->variants;
    int count = 0;

    while (variants[count].name)
        count++;
    for (size_t i = 0; i < ALL(shapes); i++)
        if (suite_has_case(on, (int)i))
            check_shape(on, &shapes[i], &variants[i % (size_t)count], 1 + (int)i % 3);
}

/* More momenta than a GPU sums together are what each is alone. */
static void many_momenta_are_those_alone(void **state)
{
    enum { MANY = 19 };
    const suite_stage *on = suite_stage_of(state);
    latmc_lattice *lattice = NULL;
    latmc_quantity all[MANY];
    double values[MANY], alone;
    int64_t n[MANY][2];

    needs(on->device);
    if (on->model->id != LATMC_ISING)
        skip();
    ok(latmc_create(&lattice, LATMC_ISING, 2, (int64_t[]){70, 38}));
    ok(latmc_set_device(lattice, on->device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    for (int j = 0; j < MANY; j++) {
        n[j][0] = 2 * (j % 7) - 6;
        n[j][1] = 4 * j - 40;
        all[j] = at[0];
        all[j].index = j;
    }
    ok(latmc_set_momenta(lattice, MANY, n[0]));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, MANY, all, values));
    for (int j = 0; j < MANY; j++) {
        ok(latmc_set_momenta(lattice, 1, n[j]));
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, all, &alone));
        same(values[j], alone, "alone", j);
    }
    latmc_destroy(lattice);
}

/* ---- by other ways */

static void near(double got, double want, const char *what, int momentum)
{
    if (!(fabs(got - want) <= 1e-12 * (1.0 + fabs(want))))
        fail_msg("%s, momentum %d: %.17g, not %.17g", what, momentum, got, want);
}

static int has(const test_model *m, int observable)
{
    int any = 0;

    for (int i = 0; m->observables[i].observable; i++)
        any |= m->observables[i].observable == observable;
    return any;
}

/* The sum with the cosines of the C library; m2 where all numbers are 0; the structure factor along
 * axis 0 at its smallest momentum. */
static void they_are_what_they_should_be(void **state)
{
    static const shape square = {2, {20, 6}, {P, P}, 0, RICH_REPLICAS};
    const test_model *m = suite_stage_of(state)->model;
    const test_case c = suite_case(m, &square, m->variants);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu:scalar", 1);
    const latmc_quantity squares = LATMC_QUANTITY(LATMC_M2),
                         first = LATMC_QUANTITY(LATMC_STRUCTURE, 0);
    int64_t n[MOMENTA][LATMC_MAX_DIMS];
    double *values, other[RICH_REPLICAS];
    hand h;

    ok(latmc_sweep(lattice, m->variants->update, 3));
    set_momenta(lattice, n);
    values = now(lattice);
    h = hand_of(lattice, 1, 1);
    for (int j = 0; j < MOMENTA && !h.states; j++) {
        double sum = 0.0;

        for (int k = 0; k < h.components; k++) {
            const hand_complex plain = hand_plain_sum(&h, hand_own, k, n[j]);

            sum += plain.re * plain.re + plain.im * plain.im;
        }
        near(values[j * RICH_REPLICAS + 1], sum / ((double)h.sites * (double)h.sites), "plain", j);
    }
    hand_free(&h);
    if (has(m, LATMC_M2)) {
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &squares, other));
        near(values[1], other[1], "m2", 0);
    }
    if (has(m, LATMC_STRUCTURE)) {
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &first, other));
        near(values[RICH_REPLICAS + 1], other[1], "structure", 1);
    }
    free(values);
    latmc_destroy(lattice);
}

/* ---- records */

/* A lattice whose slots are exchanged, or one whose slots stay. */
static latmc_lattice *recorded(const suite_stage *on, const char *device, int exchanges)
{
    const test_model *m = on->model;
    const test_case c = suite_case(m, &rich_shape, m->rich);
    latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, device, 2);
    int64_t n[MOMENTA][LATMC_MAX_DIMS];

    set_momenta(lattice, n);
    ok(set_round(lattice, m->rich->update, 2, exchanges));
    return lattice;
}

/* A record is what single calls measure. With other quantities in it, best sites, or alone. */
static void records_have_them(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const int energies = on->model->id != LATMC_AUTOMATON;
    const latmc_quantity mixed[] = {at[3], LATMC_QUANTITY(LATMC_HOLDER), at[1],
                                    LATMC_QUANTITY(LATMC_SLOT)};

    for (int exchanges = 0; exchanges <= energies; exchanges++) {
        latmc_lattice *lattice = recorded(on, on->device, exchanges),
                      *twin = recorded(on, "cpu:scalar", exchanges);
        double series[ALL(mixed)][RICH_REPLICAS][RECORDS], want[ALL(mixed)][RICH_REPLICAS];

        for (int count = (int)ALL(mixed); count > 0; count -= 3) {
            ok(record_by_slot(lattice, LATMC_SCHEDULE, 2, RECORDS, count, mixed, series[0][0]));
            for (int t = 0; t < RECORDS; t++) {
                ok(latmc_sweep(twin, LATMC_SCHEDULE, 2));
                ok(latmc_observe(twin, LATMC_BY_SLOT, count, mixed, want[0]));
                for (int q = 0; q < count; q++)
                    for (int r = 0; r < RICH_REPLICAS; r++)
                        same(series[q][r][t], want[q][r], "recorded", q);
            }
            assert_true(hash_of(lattice) == hash_of(twin));
            if (energies)
                ok(latmc_keep_best(lattice, 1));
        }
        latmc_destroy(lattice);
        latmc_destroy(twin);
    }
}

/* ---- chunks, tables, loaded lattices */

static void compare(latmc_lattice *lattice, const double *want, const char *what)
{
    double *got = now(lattice);

    for (int k = 0; k < MOMENTA * RICH_REPLICAS; k++)
        same(got[k], want[k], what, k / RICH_REPLICAS);
    free(got);
}

static void chunks_do_not_matter(void **state)
{
    static const int64_t numbers[] = {1, 30, 100, 1000};
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lattice = suite_rich(m, m->rich);
    int64_t n[MOMENTA][LATMC_MAX_DIMS];
    double *values;

    set_momenta(lattice, n);
    values = now(lattice);
    for (size_t i = 0; i < ALL(numbers); i++) {
        inside_chunk(lattice, numbers[i]);
        compare(lattice, values, "chunks of another size");
    }
    free(values);
    latmc_destroy(lattice);
}

/* Two devices with replicas or layers of their own. */
static void check_division(const test_model *m, const char *devices)
{
    static const shape square = {2, {66, 12}, {P, A}, 0, RICH_REPLICAS};
    static const latmc_division wishes[] = {LATMC_DIVIDE_REPLICAS, LATMC_DIVIDE_SLABS};
    const test_case c = suite_case(m, &square, m->variants);

    for (size_t i = 0; i < ALL(wishes); i++) {
        latmc_lattice *lattice = suite_started(&c, 0, RICH_REPLICAS, "cpu:scalar", 1);
        int64_t n[MOMENTA][LATMC_MAX_DIMS];
        double *values;

        ok(latmc_sweep(lattice, m->variants->update, 2));
        set_momenta(lattice, n);
        values = now(lattice);
        ok(latmc_set_division(lattice, wishes[i]));
        ok(latmc_set_device(lattice, devices));
        compare(lattice, values, devices);
        free(values);
        latmc_destroy(lattice);
    }
}

static void divisions_do_not_matter(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    check_division(m, "cpu:scalar,scalar");
    if (usable("cuda:0"))
        check_division(m, "cuda:0,0");
    if (usable("cuda:1"))
        check_division(m, "cuda:0,1");
}

/* Momenta of a saved lattice are there again, and others can be set. */
static void loaded_lattices_have_them(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lattice = suite_rich(m, m->rich), *loaded = NULL;
    int64_t n[MOMENTA][LATMC_MAX_DIMS], one[LATMC_MAX_DIMS] = {0};
    double *values, alone[RICH_REPLICAS];
    size_t bytes;
    void *file;

    set_momenta(lattice, n);
    values = now(lattice);
    file = save_whole(lattice, &bytes);
    ok(latmc_load_memory(&loaded, file, bytes));
    assert_int_equal(info_of(loaded).momenta, MOMENTA);
    compare(loaded, values, "loaded");
    memcpy(one, n[4], sizeof one);
    ok(latmc_set_momenta(loaded, 1, one));
    ok(latmc_observe(loaded, LATMC_BY_REPLICA, 1, at, alone));
    for (int r = 0; r < RICH_REPLICAS; r++)
        same(alone[r], values[4 * RICH_REPLICAS + r], "another list", 0);
    free(file);
    free(values);
    latmc_destroy(lattice);
    latmc_destroy(loaded);
}

/* A chain so long that the factors of 64 momenta have no table. */
static void long_chains_have_no_table(void **state)
{
    enum { LENGTH = (1 << 20) + 37, LAST = LATMC_MAX_MOMENTA - 1 };
    const latmc_quantity last = LATMC_QUANTITY(LATMC_STRUCTURE_AT, LAST);
    int64_t n[LATMC_MAX_MOMENTA];
    latmc_lattice *lattice = NULL;
    double all, alone;

    (void)state;
    for (int j = 0; j <= LAST; j++)
        n[j] = 2 * (j - 20);
    ok(latmc_create(&lattice, LATMC_ISING, 1, (int64_t[]){LENGTH}));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_set_momenta(lattice, LATMC_MAX_MOMENTA, n));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &last, &all));
    assert_null(lattice->momenta->table[0]);
    ok(latmc_set_momenta(lattice, 1, n + LAST));
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, at, &alone));
    assert_non_null(lattice->momenta->table[0]);
    same(all, alone, "without a table", LAST);
    latmc_destroy(lattice);
}

/* ---- saved lattices */

static void damage_is_refused(void **state)
{
    const struct {
        uint64_t value;
        int word;
        const char *part;
    } others[] = {{0, 0, "number of momenta"},           {1, 0, "number of momenta"},
                  {3, 0, "number of momenta"},           {UINT64_MAX, 0, "number of momenta"},
                  {13, 2, "is 13; -12 to 12"},           {(uint64_t)-13, 2, "is -13; -12 to 12"},
                  {(uint64_t)1 << 63, 4, "to 12, twice"}};
    latmc_lattice *lat = NULL;
    saved_file f;
    saved_section *s;

    (void)state;
    ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){8, 6}));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_set_momenta(lat, 2, (int64_t[]){16, -12, 3, 0}));
    f = sections_of(lat);
    s = saved_named(&f, "momenta");
    assert_int_equal(s->length, 5 * 8);
    for (size_t i = 0; i < ALL(others); i++) {
        uint8_t *word = s->data + 8 * others[i].word, before[8];

        memcpy(before, word, sizeof before);
        saved_put(word, others[i].value, 8);
        refuse_file(&f, LATMC_ERROR_DAMAGED, others[i].part);
        memcpy(word, before, sizeof before);
    }
    ok(load(&f, &lat));
    assert_int_equal(info_of(lat).momenta, 2);
    latmc_destroy(lat);
    saved_free(&f);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ONCE(damage_is_refused),
        SUITE_ONCE(long_chains_have_no_table),
        SUITE_TEST(they_are_what_they_should_be),
        SUITE_TEST(chunks_do_not_matter),
        SUITE_TEST(divisions_do_not_matter),
        SUITE_TEST(loaded_lattices_have_them),
        SUITE_ON_DEVICES(records_have_them),
        SUITE_ON_DEVICES(awkward_shapes_are_summed),
        SUITE_ON_DEVICES(many_momenta_are_those_alone),
        SUITE_ON_DEVICES(structures_are_those_by_hand),
    };

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
