/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of weighted sums: what may be set, and how they are saved. */
#include <math.h>

#include "tests/support.h"

#include "tests/lib/sections.h"

enum { X = 5, Y = 6, SITES = X * Y, SAMPLES = 3, REPLICAS = 6, NUMBERS = 2 * SITES * SAMPLES };

/* Places in a row of the section "weights". */
enum { NUMBER = 0, KIND = 8, SIGNS = 12, ROW_SAMPLES = 16 };

static latmc_lattice *fresh(latmc_model model)
{
    latmc_lattice *lat = NULL;

    ok(latmc_create(&lat, model, 2, (int64_t[]){X, Y}));
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_device(lat, "cpu:scalar"));
    return lat;
}

static void fill_signs(double *numbers)
{
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = (double)(i % 3) - 1.0;
}

/* Signs of sites for all samples, real numbers of bonds for each, and real numbers of sites. */
static latmc_lattice *weighed(void)
{
    latmc_lattice *lat = fresh(LATMC_ISING);
    double numbers[NUMBERS];

    fill_signs(numbers);
    ok(latmc_set_samples(lat, SAMPLES, 4));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, 2));
    ok(latmc_set_weights(lat, 0, LATMC_WEIGHT_SITES, 1, numbers));
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = 0.25 * i;
    ok(latmc_set_weights(lat, 17, LATMC_WEIGHT_BONDS, SAMPLES, numbers));
    numbers[2] = -1e6;
    numbers[3] = 1e6;
    ok(latmc_set_weights(lat, 63, LATMC_WEIGHT_SITES, 1, numbers));
    return lat;
}

static void what_cannot_be_is_refused(void **state)
{
    latmc_lattice *lat = fresh(LATMC_ISING), *cells = fresh(LATMC_AUTOMATON);
    double numbers[NUMBERS];
    int64_t two[2];

    (void)state;
    fill_signs(numbers);
    ok(latmc_set_samples(lat, SAMPLES, 0));
    refused(LATMC_ERROR_ARGUMENT, "latmc_set_weights: number is -1; 0 to 63 is allowed",
            latmc_set_weights(lat, -1, LATMC_WEIGHT_SITES, 1, numbers));
    refused(LATMC_ERROR_ARGUMENT, "number is 64", /* NULL is no excuse */
            latmc_set_weights(lat, 64, LATMC_WEIGHT_SITES, 1, NULL));
    for (int64_t samples = -1; samples < 7; samples++)
        if (samples != 1 && samples != SAMPLES)
            refused(LATMC_ERROR_ARGUMENT, "it must be 1 or the lattice's number of samples, 3",
                    latmc_set_weights(lat, 0, LATMC_WEIGHT_SITES, samples, numbers));
    refused(LATMC_ERROR_UNKNOWN, "no kind of weights 860; there are sites (861) and bonds (862)",
            latmc_set_weights(lat, 0, (latmc_weight_kind)860, 1, numbers));
    refused(LATMC_ERROR_UNKNOWN, "the model automaton has no bonds",
            latmc_set_weights(cells, 0, LATMC_WEIGHT_BONDS, 1, numbers));
    ok(latmc_set_weights(cells, 0, LATMC_WEIGHT_SITES, 1, numbers));
    two[0] = SITES + 7;
    two[1] = NUMBERS - 2;
    numbers[two[0]] = 1.0000001e6;
    refused(LATMC_ERROR_ARGUMENT, "the weight of site 7 is 1000000.1",
            latmc_set_weights(lat, 0, LATMC_WEIGHT_SITES, SAMPLES, numbers));
    assert_non_null(strstr(latmc_error_message(), "in sample 1; it must be a number from -1"));
    refused(LATMC_ERROR_ARGUMENT, "the weight of bond type 1 in cell 7 is",
            latmc_set_weights(lat, 0, LATMC_WEIGHT_BONDS, SAMPLES, numbers));
    numbers[two[0]] = 0.5;
    numbers[two[1]] = (double)NAN;
    refused(LATMC_ERROR_ARGUMENT, "the weight of bond type 1 in cell 28 is nan, in sample 2",
            latmc_set_weights(lat, 0, LATMC_WEIGHT_BONDS, SAMPLES, numbers));
    ok(latmc_set_weights(lat, 0, LATMC_WEIGHT_BONDS, 1, numbers)); /* and reads no others */
    latmc_destroy(lat);
    latmc_destroy(cells);
}

/* Weights of no number, and the three sets of weighed(): from the lattice and from its save. */
static void they_are_read(void **state)
{
    const struct {
        int64_t number, samples, count;
        latmc_weight_kind kind;
    } all[] = {{0, 1, SITES, LATMC_WEIGHT_SITES},
               {17, SAMPLES, NUMBERS, LATMC_WEIGHT_BONDS},
               {63, 1, SITES, LATMC_WEIGHT_SITES}};
    latmc_lattice *lats[2] = {weighed(), NULL};
    double got[NUMBERS], want[NUMBERS];
    latmc_weight_kind kind;
    int64_t samples = 7;
    size_t bytes;
    uint8_t *saved = save_whole(lats[0], &bytes);

    (void)state;
    ok(latmc_load_memory(&lats[1], saved, bytes));
    for (int l = 0; l < 2; l++) {
        for (int i = 0; i < 3; i++) {
            fill_signs(want);
            for (int k = 0; i && k < NUMBERS; k++)
                want[k] = i == 2 && k / 2 == 1 ? (k == 2 ? -1e6 : 1e6) : 0.25 * k;
            ok(latmc_get_weights(lats[l], all[i].number, &kind, &samples, NULL));
            assert_true(kind == all[i].kind && samples == all[i].samples);
            memset(got, 0, sizeof got);
            ok(latmc_get_weights(lats[l], all[i].number, NULL, NULL, got));
            assert_memory_equal(got, want, (size_t)all[i].count * sizeof *got);
        }
        ok(latmc_get_weights(lats[l], 5, &kind, &samples, got));
        assert_int_equal(samples, 0);
        refused(LATMC_ERROR_ARGUMENT, "number is 64",
                latmc_get_weights(lats[l], 64, NULL, NULL, got));
        refused(LATMC_ERROR_ARGUMENT, "all results are NULL",
                latmc_get_weights(lats[l], 0, NULL, NULL, NULL));
        latmc_destroy(lats[l]);
    }
    free(saved);
}

static void weights_of_samples_belong_to_their_number(void **state)
{
    latmc_lattice *lat = fresh(LATMC_ISING);
    double numbers[NUMBERS];

    (void)state;
    fill_signs(numbers);
    ok(latmc_set_weights(lat, 1, LATMC_WEIGHT_SITES, 1, numbers));
    ok(latmc_set_samples(lat, SAMPLES, 0));
    ok(latmc_set_weights(lat, 2, LATMC_WEIGHT_SITES, SAMPLES, numbers));
    ok(latmc_set_samples(lat, SAMPLES, 5));
    refused(LATMC_ERROR_STATE, "weights number 2 were given for 3 samples, not for 2",
            latmc_set_samples(lat, 2, 0));
    ok(latmc_set_weights(lat, 2, (latmc_weight_kind)0, 0, NULL));
    ok(latmc_set_samples(lat, 2, 0));
    latmc_destroy(lat);
}

/* What the sections say, without the library's code for them. */
static void they_are_saved_as_the_page_says(void **state)
{
    saved_file f = sections_of(weighed());
    const saved_section *list = saved_named(&f, "weights"), *given = saved_named(&f, "W-given");
    static const struct {
        uint64_t number, kind, signs, samples;
    } rows[] = {{0, 1, 1, 1}, {17, 2, 0, SAMPLES}, {63, 1, 0, 1}};
    const uint8_t *at;
    double x;

    (void)state;
    assert_true(list->flags == 1 && given->flags == 3 && list->version == 1);
    assert_int_equal(list->length, 24 * ALL(rows));
    for (size_t i = 0; i < ALL(rows); i++) {
        const uint8_t *row = list->data + 24 * i;

        assert_true(saved_get(row + NUMBER, 8) == rows[i].number);
        assert_true(saved_get(row + KIND, 4) == rows[i].kind);
        assert_true(saved_get(row + SIGNS, 4) == rows[i].signs);
        assert_true(saved_get(row + ROW_SAMPLES, 8) == rows[i].samples);
    }
    assert_int_equal(given->length, SITES + 8 + 2 * SAMPLES * (8 * SITES + 8) + 8 * SITES + 8);
    at = given->data;
    for (int i = 0; i < SITES; i++)
        assert_int_equal((int8_t)at[i], i % 3 - 1);
    at += SITES + 8;
    for (int t = 0; t < 2 * SAMPLES; t++, at += 8 * SITES + 8) {
        memcpy(&x, at + 8, sizeof x);
        assert_true(x == 0.25 * (t * SITES + 1));
    }
    memcpy(&x, at + 24, sizeof x);
    assert_true(x == 1e6);
    saved_free(&f);
}

/* Also with leaves of many kinds: layers that are longer than a leaf, and a chain's. */
static void what_is_loaded_is_saved_again(void **state)
{
    static const struct {
        int dims;
        int64_t extents[3];
    } shapes[] = {{1, {5}}, {1, {5000}}, {2, {600, 3}}, {2, {70, 90}}, {3, {9, 10, 11}}};

    (void)state;
    for (size_t i = 0; i < ALL(shapes); i++) {
        latmc_lattice *lat = NULL, *again = NULL;
        int64_t sites = 1;
        double *numbers;
        uint8_t *bytes[2];
        size_t sizes[2];

        for (int a = 0; a < shapes[i].dims; a++)
            sites *= shapes[i].extents[a];
        numbers = malloc((size_t)(6 * sites) * sizeof *numbers);
        assert_non_null(numbers);
        for (int64_t k = 0; k < 6 * sites; k++)
            numbers[k] = (double)(k % 3) - 1.0;
        ok(latmc_create(&lat, LATMC_ISING, shapes[i].dims, shapes[i].extents));
        ok(latmc_set_replicas(lat, 2));
        ok(latmc_set_samples(lat, 2, 0));
        ok(latmc_set_device(lat, "cpu:scalar"));
        ok(latmc_start(lat, LATMC_START_COLD));
        ok(latmc_set_weights(lat, 2, LATMC_WEIGHT_BONDS, 2, numbers));
        numbers[sites / 2] = 0.3;
        ok(latmc_set_weights(lat, 1, LATMC_WEIGHT_SITES, 2, numbers));
        ok(latmc_set_weights(lat, 3, LATMC_WEIGHT_BONDS, 1, numbers));
        bytes[0] = save_whole(lat, &sizes[0]);
        ok(latmc_load_memory(&again, bytes[0], sizes[0]));
        bytes[1] = save_whole(again, &sizes[1]);
        assert_true(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
        free(bytes[0]);
        free(bytes[1]);
        free(numbers);
        latmc_destroy(lat);
        latmc_destroy(again);
    }
}

/* They are a setting, and no part of the state. */
static void the_state_is_the_same_without_them(void **state)
{
    latmc_lattice *lat = weighed();
    const uint64_t hash = hash_of(lat);
    saved_file f;

    (void)state;
    ok(latmc_set_weights(lat, 17, LATMC_WEIGHT_SITES, 1, NULL));
    ok(latmc_set_weights(lat, 0, LATMC_WEIGHT_SITES, 1, NULL));
    ok(latmc_set_weights(lat, 1, LATMC_WEIGHT_SITES, 1, NULL)); /* there were none */
    ok(latmc_set_weights(lat, 63, LATMC_WEIGHT_SITES, 1, NULL));
    assert_true(hash_of(lat) == hash);
    f = sections_of(lat);
    assert_null(saved_named(&f, "weights"));
    assert_null(saved_named(&f, "W-given"));
    saved_free(&f);
}

static void lies_about_them_are_refused(void **state)
{
    static const struct {
        const char *section;
        size_t at;
        uint64_t value;
        int bytes;
        const char *part;
    } lies[] = {
        {"weights", NUMBER, 18, 8, "number of weights"}, /* not in ascending order */
        {"weights", NUMBER, 17, 8, "number of weights"},
        {"weights", 48 + NUMBER, 64, 8, "number of weights"},
        {"weights", NUMBER, UINT64_MAX, 8, "number of weights"},
        {"weights", KIND, 0, 4, "what weights belong to"},
        {"weights", KIND, 3, 4, "what weights belong to"},
        {"weights", SIGNS, 2, 4, "whether weights are signs"},
        {"weights", ROW_SAMPLES, 0, 8, "samples of weights"},
        {"weights", 24 + ROW_SAMPLES, 2, 8, "samples of weights"},
        {"weights", 24 + ROW_SAMPLES, 1, 8, "\"W-given\" has 1774 bytes; with its settings"},
        {"weights", SIGNS, 0, 4, "\"W-given\" has 1774 bytes; with its settings"},
        {"W-given", 0, 2, 1, "impossible value: weight"},
        {"W-given", SITES - 1, 0x80, 1, "impossible value: weight"},
        {"W-given", SITES + 8, 0x412e848000000001, 8, "impossible value: weight"}, /* above 1e6 */
        {"W-given", SITES + 8, 0xc12e848000000001, 8, "impossible value: weight"},
        {"W-given", SITES + 8, 0x7ff8000000000000, 8, "impossible value: weight"},
    };

    (void)state;
    for (size_t i = 0; i < ALL(lies); i++) {
        saved_file f = sections_of(weighed());

        saved_put(saved_named(&f, lies[i].section)->data + lies[i].at, lies[i].value,
                  lies[i].bytes);
        refuse_file(&f, LATMC_ERROR_DAMAGED, lies[i].part);
        saved_free(&f);
    }
}

/* The list of an automaton says bonds; real numbers that are all signs; one section alone. */
static void more_that_cannot_be_is_refused(void **state)
{
    saved_file f = sections_of(weighed());
    latmc_lattice *cells = fresh(LATMC_AUTOMATON);
    double numbers[NUMBERS];

    (void)state;
    memset(saved_named(&f, "W-given")->data + SITES + 8, 0, 2 * SAMPLES * (8 * SITES + 8));
    refuse_file(&f, LATMC_ERROR_DAMAGED, "weights that are all signs, as real numbers");
    saved_named(&f, "weights")->length -= 8;
    refuse_file(&f, LATMC_ERROR_DAMAGED, "\"weights\" ends within a value");
    saved_named(&f, "weights")->length = 0;
    refuse_file(&f, LATMC_ERROR_DAMAGED, "an empty list of weights");
    saved_remove(&f, "weights");
    refuse_file(&f, LATMC_ERROR_DAMAGED, "the section \"W-given\" without \"weights\"");
    saved_free(&f);
    f = sections_of(weighed());
    saved_remove(&f, "W-given");
    refuse_file(&f, LATMC_ERROR_DAMAGED, "the section \"weights\" without \"W-given\"");
    saved_free(&f);
    fill_signs(numbers);
    ok(latmc_set_weights(cells, 5, LATMC_WEIGHT_SITES, 1, numbers));
    ok(latmc_start(cells, LATMC_START_HOT));
    f = sections_of(cells);
    saved_put(saved_named(&f, "weights")->data + KIND, 2, 4);
    refuse_file(&f, LATMC_ERROR_DAMAGED, "what weights belong to");
    saved_free(&f);
}

static void damage_is_named(void **state)
{
    static const struct {
        size_t at;
        const char *part;
    } cases[] = {
        {3, "of the weights number 0, the checksum of leaf 0 of sample 0 is wrong"},
        {SITES + 7, "of the weights number 0, the checksum of leaf 0 of sample 0 is wrong"},
        {SITES + 8, "number 17, the checksum of leaf 0 of sample 0, bond type 0 is wrong"},
        {SITES + 8 + 5 * (8 * SITES + 8),
         "number 17, the checksum of leaf 0 of sample 2, bond type 1"},
        {SITES + 8 + 6 * (8 * SITES + 8), "number 63, the checksum of leaf 0 of sample 0 is"},
    };
    saved_file f = sections_of(weighed());
    size_t size;
    uint8_t *bytes = saved_close(&f, &size), *at = saved_find(bytes, size, "W-given", NULL);
    latmc_lattice *lat = NULL;

    (void)state;
    for (size_t i = 0; i < ALL(cases); i++) {
        at[cases[i].at] ^= 1;
        refused(LATMC_ERROR_DAMAGED, cases[i].part, latmc_load_memory(&lat, bytes, size));
        at[cases[i].at] ^= 1;
    }
    ok(latmc_load_memory(&lat, bytes, size));
    latmc_destroy(lat);
    free(bytes);
    saved_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(they_are_read),
        cmocka_unit_test(weights_of_samples_belong_to_their_number),
        cmocka_unit_test(they_are_saved_as_the_page_says),
        cmocka_unit_test(what_is_loaded_is_saved_again),
        cmocka_unit_test(the_state_is_the_same_without_them),
        cmocka_unit_test(lies_about_them_are_refused),
        cmocka_unit_test(more_that_cannot_be_is_refused),
        cmocka_unit_test(damage_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
