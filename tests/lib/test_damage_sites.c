/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of saved lattices that no lattice has, with right checksums; and those that one may have.
 */
#include "tests/support.h"

#include <math.h>

#include "tests/saved.h"

/* Where a site of a lattice of 30 x 20 is in the section, of so many bytes a site: before it are
 * the sums of leaves. */
static size_t place_of(size_t site, size_t bytes)
{
    const size_t fit = SAVED_LEAF / (30 * bytes) * 30, leaf = fit < 600 ? fit : 600;

    return site * bytes + (site / 600 * (599 / leaf + 1) + site % 600 / leaf) * SAVED_SUM;
}

/* Sites of a field that no update makes, at the ends of pieces and within. */
static void fields_that_are_no_numbers(void **state)
{
    static const struct {
        latmc_type type;
        size_t bytes;
        uint64_t bits;
        int finite;
    } cases[] = {
        {LATMC_FLOAT32, 4, 0x7fc00000u, 0},         {LATMC_FLOAT32, 4, 0xff800000u, 0},
        {LATMC_FLOAT32, 4, 0xff7fffffu, 1},         {LATMC_FLOAT64, 8, 0x7ff8000000000000u, 0},
        {LATMC_FLOAT64, 8, 0x7ff0000000000000u, 0}, {LATMC_FLOAT64, 8, 0x7fefffffffffffffu, 1}};
    static const size_t places[] = {0, 255, 256, 599, 600, 1199};

    (void)state;
    for (size_t c = 0; c < ALL(cases); c++)
        for (size_t p = 0; p < ALL(places); p++) {
            latmc_lattice *lat;
            uint8_t saved[16384], *sites;
            size_t bytes;

            ok(latmc_create(&lat, LATMC_PHI4, 2, (int64_t[]){30, 20}));
            ok(latmc_set_replicas(lat, 2));
            ok(set_type(lat, cases[c].type));
            ok(latmc_set_device(lat, "cpu:scalar"));
            ok(latmc_start(lat, LATMC_START_HOT));
            ok(latmc_save_memory(lat, saved, sizeof saved, &bytes));
            latmc_destroy(lat);
            lat = NULL;
            sites = saved_find(saved, bytes, "sites", NULL);
            saved_put(sites + place_of(places[p], cases[c].bytes), cases[c].bits,
                      (int)cases[c].bytes);
            saved_seal(saved, bytes);
            if (cases[c].finite)
                ok(latmc_load_memory(&lat, saved, bytes));
            else
                refused(LATMC_ERROR_DAMAGED, "impossible value: site",
                        latmc_load_memory(&lat, saved, bytes));
            latmc_destroy(lat);
        }
}

/* Vectors have a length of 1, but for what a user may give and its rounding to floats. */
static void vectors_of_another_length(void **state)
{
    static const struct {
        latmc_type type;
        double first; /* component of a vector that was (0, 1) */
        int good;
    } cases[] = {{LATMC_FLOAT32, 0.00195, 1},
                 {LATMC_FLOAT32, 0.00196, 0},
                 {LATMC_FLOAT64, 8.4e-8, 1},
                 {LATMC_FLOAT64, 8.5e-8, 0},
                 {LATMC_FLOAT32, 1.0, 0},
                 {LATMC_FLOAT64, -1.0, 0},
                 {LATMC_FLOAT64, 1e200, 0},
                 {LATMC_FLOAT32, (double)NAN, 0},
                 {LATMC_FLOAT64, (double)INFINITY, 0}};
    static const size_t places[] = {0, 29, 30, 599, 600, 1199}; /* sites */

    (void)state;
    for (size_t c = 0; c < ALL(cases); c++)
        for (size_t p = 0; p < ALL(places); p++) {
            const int single = cases[c].type == LATMC_FLOAT32;
            const float rounded = (float)cases[c].first;
            const size_t size_of_one = single ? 4 : 8;
            latmc_lattice *lat = NULL;
            uint8_t saved[32768];
            uint64_t bits = 0;
            size_t bytes;

            ok(latmc_create(&lat, LATMC_ONVECTOR, 2, (int64_t[]){30, 20}));
            ok(latmc_set_replicas(lat, 2));
            ok(set_type(lat, cases[c].type));
            ok(latmc_set_device(lat, "cpu:scalar"));
            ok(latmc_start(lat, LATMC_START_COLD));
            ok(latmc_save_memory(lat, saved, sizeof saved, &bytes));
            latmc_destroy(lat);
            lat = NULL;
            if (single)
                memcpy(&bits, &rounded, sizeof rounded);
            else
                memcpy(&bits, &cases[c].first, sizeof bits);
            saved_put(saved_find(saved, bytes, "sites", NULL) +
                          place_of(places[p], 2 * size_of_one),
                      bits, (int)size_of_one);
            saved_seal(saved, bytes);
            if (cases[c].good)
                ok(latmc_load_memory(&lat, saved, bytes));
            else
                refused(LATMC_ERROR_DAMAGED, "impossible value: site",
                        latmc_load_memory(&lat, saved, bytes));
            latmc_destroy(lat);
        }
}

/* What may be given is what can be loaded, also where floats are farther from 1 than it was. */
static void the_longest_vectors_that_can_be_given_are_loaded(void **state)
{
    const double s = 1.0000499987; /* s s - 1 = 0.99999900e-4 */
    uint64_t state_of = 5;

    (void)state;
    for (int i = 0; i < 200; i++) {
        const double angle = (double)(next_random(&state_of) % 100000) * 1e-5 * 6.283185307179586;
        double sites[8];
        uint8_t saved[4096];
        latmc_lattice *lat = NULL;
        size_t bytes;

        for (int k = 0; k < 8; k += 2) {
            sites[k] = s * cos(angle + k);
            sites[k + 1] = s * sin(angle + k);
        }
        ok(latmc_create(&lat, LATMC_ONVECTOR, 2, (int64_t[]){2, 2}));
        ok(latmc_set_device(lat, "cpu:scalar"));
        ok(set_replica(lat, 0, LATMC_FLOAT64, sites, 8));
        ok(latmc_save_memory(lat, saved, sizeof saved, &bytes));
        latmc_destroy(lat);
        lat = NULL;
        ok(latmc_load_memory(&lat, saved, bytes));
        latmc_destroy(lat);
    }
}

/* States that the model does not have, and some that it has, at both ends of a replica; digits
 * behind the last cell. Rows have nine sites, layers one row. Two bytes are changed. */
static void states_that_there_are_not(void **state)
{
    enum { WIDTH = 9, LAYERS = 3 };
    static const struct {
        latmc_model model;
        int64_t states;   /* of a Potts model */
        size_t layer, at; /* bytes of a layer, and which ones */
        unsigned bad, good;
    } cases[] = {{LATMC_POTTS, 2, 2, 1, 2, 1},
                 {LATMC_POTTS, 3, 4, 0, 0x0101, 0x0100},
                 {LATMC_POTTS, 3, 4, 2, 0x0101, 0x0100},
                 {LATMC_POTTS, 4, 4, 2, 0x0200, 0x0101},
                 {LATMC_POTTS, 5, 6, 1, 0x8080, 0x8000},
                 {LATMC_POTTS, 9, 8, 2, 0x1010, 0x1000},
                 {LATMC_POTTS, 16, 8, 6, 0x0200, 0x0101},
                 {LATMC_POTTS, 17, WIDTH, 0, 17, 16},
                 {LATMC_POTTS, 200, WIDTH, 4, 200, 199},
                 {LATMC_CLOCK, 6, WIDTH, 3, 6, 5},
                 {LATMC_BLUME_CAPEL, 0, 4, 0, 0x0200, 0x0202},
                 {LATMC_BLUME_CAPEL, 0, 4, 2, 0x0100, 0x0101},
                 {LATMC_BLUME_CAPEL, 0, 4, 2, 2, 1},
                 {LATMC_AUTOMATON, 0, 2, 0, 0x0200, 0x0100},
                 {LATMC_AUTOMATON, 0, 2, 0, 0x8000, 0},
                 {LATMC_ISING, 0, 2, 0, 0x0200, 0x0100}};

    (void)state;
    for (size_t c = 0; c < 2 * ALL(cases); c++) {
        const size_t k = c / 2, last = c % 2 ? 0 : 1;
        uint8_t saved[4096], *site;
        latmc_lattice *lat = NULL;
        size_t bytes;

        ok(latmc_create(&lat, cases[k].model, 2, (int64_t[]){WIDTH, LAYERS}));
        ok(latmc_set_replicas(lat, 2));
        if (cases[k].states)
            ok(latmc_set_option(lat, LATMC_Q, cases[k].states));
        ok(latmc_set_device(lat, "cpu:scalar"));
        ok(latmc_start(lat, LATMC_START_COLD));
        ok(latmc_save_memory(lat, saved, sizeof saved, &bytes));
        latmc_destroy(lat);
        lat = NULL;
        site = saved_find(saved, bytes, "sites", NULL) +
               last * ((2 * LAYERS - 1) * cases[k].layer + SAVED_SUM) + cases[k].at;
        saved_put(site, cases[k].bad, 2);
        saved_seal(saved, bytes);
        refused(LATMC_ERROR_DAMAGED, "impossible value: site",
                latmc_load_memory(&lat, saved, bytes));
        assert_null(lat);
        saved_put(site, cases[k].good, 2);
        saved_seal(saved, bytes);
        ok(latmc_load_memory(&lat, saved, bytes));
        latmc_destroy(lat);
    }
}

/* One bit of a leaf or of its sum is wrong; `each` bytes of both. */
static void refuse_leaf(uint8_t *bytes, size_t size, size_t offset, size_t each, const char *words)
{
    uint8_t *at = saved_find(bytes, size, "sites", NULL) + offset;
    const size_t places[] = {0, each - SAVED_SUM - 1, each - SAVED_SUM, each - 1};
    latmc_lattice *lat = NULL;

    for (size_t i = 0; i < ALL(places); i++) {
        at[places[i]] ^= 0x10;
        refused(LATMC_ERROR_DAMAGED, words, latmc_load_memory(&lat, bytes, size));
        at[places[i]] ^= 0x10;
    }
    assert_null(lat);
}

/* Leaves of a whole replica, of several layers, of one; of more bytes than are read at once. */
static void damage_is_found_in_leaves_of_every_length(void **state)
{
    static const struct {
        int model;
        int64_t width, layers, replicas;
        int64_t leaves;     /* of a replica */
        size_t bytes, last; /* of a leaf, and of the last one */
    } cases[] = {{LATMC_ISING, 2, 700, 2, 1, 700, 700},
                 {LATMC_ISING, 8, 8, 9000, 1, 8, 8},
                 {LATMC_ISING, 8, 40000, 2, 10, 4096, 3136},
                 {LATMC_ISING, 16, 70000, 2, 35, 4096, 736},
                 {LATMC_ISING, 18, 3000, 3, 3, 4095, 810},
                 {LATMC_ISING, 32, 8192, 3, 8, 4096, 4096},
                 {LATMC_ISING, 8000, 300, 2, 75, 4000, 4000},
                 {LATMC_ISING, 32800, 5, 2, 5, 4100, 4100},
                 {LATMC_BLUME_CAPEL, 30, 600, 2, 2, 4096, 704},
                 {LATMC_PHI4, 100000, 2, 2, 2, 400000, 400000}};

    (void)state;
    for (size_t c = 0; c < ALL(cases); c++) {
        const int64_t extents[] = {cases[c].width, cases[c].layers}, n = cases[c].leaves;
        const size_t each = cases[c].bytes + SAVED_SUM, last = cases[c].last + SAVED_SUM;
        const size_t trunk = (size_t)(n - 1) * each + last;
        latmc_lattice *lat = NULL;
        uint8_t *bytes;
        size_t size, length;

        ok(latmc_create(&lat, (latmc_model)cases[c].model, 2, extents));
        ok(latmc_set_replicas(lat, cases[c].replicas));
        ok(latmc_set_device(lat, "cpu:scalar"));
        ok(latmc_start(lat, LATMC_START_HOT));
        bytes = save_whole(lat, &size);
        latmc_destroy(lat);
        saved_find(bytes, size, "sites", &length);
        assert_int_equal(length, (size_t)cases[c].replicas * trunk);
        for (int64_t r = 0; r < cases[c].replicas; r += cases[c].replicas - 1)
            for (int third = 0; third < 3; third++) {
                const int64_t leaf = third * (n - 1) / 2;
                char words[64];

                snprintf(words, sizeof words, "leaf %d of replica %d is wrong", (int)leaf, (int)r);
                refuse_leaf(bytes, size, (size_t)r * trunk + (size_t)leaf * each,
                            leaf < n - 1 ? each : last, words);
            }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_are_no_numbers),
        cmocka_unit_test(vectors_of_another_length),
        cmocka_unit_test(the_longest_vectors_that_can_be_given_are_loaded),
        cmocka_unit_test(states_that_there_are_not),
        cmocka_unit_test(damage_is_found_in_leaves_of_every_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
