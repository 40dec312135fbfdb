/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cellular automata: patterns of Conway's Life whose fate is known, the probability of noise, and
 * what an automaton cannot have.
 */
#include "tests/models/cuts.h"
#include "tests/models/suite.h"

#include "tests/models/automaton_made.h"

/* ---- patterns of Conway's Life */

/* Rows of cells, '/' ends one: O lives. */
static void put(int8_t *field, const int64_t extents[2], int64_t x0, int64_t y0, const char *rows)
{
    int64_t x = x0, y = y0;

    for (; *rows; rows++, x++)
        if (*rows == '/') {
            y++;
            x = x0 - 1;
        } else {
            field[(y + extents[1]) % extents[1] * extents[0] + (x + extents[0]) % extents[0]] =
                *rows == 'O';
        }
}

static latmc_lattice *life(const int64_t extents[2], latmc_boundary boundary, const char *device)
{
    const automaton a = {{extents[0], extents[1]}, {boundary, boundary}, LIFE, 0.0, 0, 1, 1};

    return made(&a, device);
}

/* After so many generations the cells are those of `want`, and of no pattern before. */
static void becomes(latmc_lattice *lattice, const int8_t *field, int64_t generations,
                    const int8_t *want, int64_t count)
{
    int8_t *got = suite_room(count, 1);

    ok(set_replica(lattice, 0, LATMC_INT8, field, count));
    ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, generations));
    ok(get_replica(lattice, 0, LATMC_INT8, got, count));
    assert_memory_equal(got, want, (size_t)count);
    free(got);
}

/* A glider is itself after four generations, a cell further right and down, also across words and
 * ends; in a corner of an open field it becomes a block. */
static void gliders_glide(void **state)
{
    static const char glider[] = ".O/..O/OOO";
    const int64_t e[2] = {70, 12}, n = 70 * 12, places[] = {0, 13, 29, 30, 31, 32, 61, 62, 68, 69};
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    for (int d = 0; d < count; d++) {
        latmc_lattice *lattice = life(e, P, names[d]), *open = life(e, O, names[d]);
        int8_t *field = suite_room(n, 1), *want = suite_room(n, 1);

        for (size_t i = 0; i < ALL(places); i++)
            for (int64_t y = 0; y < e[1]; y++) {
                memset(field, 0, (size_t)n);
                memset(want, 0, (size_t)n);
                put(field, e, places[i], y, glider);
                put(want, e, places[i] + 1, y + 1, glider);
                becomes(lattice, field, 4, want, n);
            }
        memset(field, 0, (size_t)n);
        memset(want, 0, (size_t)n);
        put(field, e, 60, 2, glider);
        put(want, e, 68, 10, "OO/OO");
        becomes(open, field, 60, want, n);
        latmc_destroy(lattice);
        latmc_destroy(open);
        free(field);
        free(want);
    }
}

/* Still lives and oscillators, with their periods: they come back then, and not before. */
static const struct {
    int period;
    const char *cells;
} oscillators[] = {
    {1, "OO/OO"},
    {1, ".OO/O..O/.OO"},
    {2, "OOO"},
    {2, ".OOO/OOO"},
    {2, "OO/OO/..OO/..OO"},
    {3, "..OOO...OOO/./O....O.O....O/O....O.O....O/O....O.O....O/..OOO...OOO/./..OOO...OOO/"
        "O....O.O....O/O....O.O....O/O....O.O....O/./..OOO...OOO"},
    {15, "..O....O/OO.OOOO.OO/..O....O"},
};

static void oscillators_come_back(void **state)
{
    const int64_t e[2] = {96, 30}, n = 96 * 30;
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    for (int d = 0; d < count; d++)
        for (size_t i = 0; i < ALL(oscillators); i++) {
            latmc_lattice *lattice = life(e, P, names[d]);
            int8_t *field = suite_room(n, 1), *got = suite_room(n, 1);

            put(field, e, 26, 8, oscillators[i].cells);
            ok(set_replica(lattice, 0, LATMC_INT8, field, n));
            for (int g = 1; g <= oscillators[i].period; g++) {
                ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, 1));
                ok(get_replica(lattice, 0, LATMC_INT8, got, n));
                assert_int_equal(memcmp(field, got, (size_t)n) == 0, g == oscillators[i].period);
            }
            latmc_destroy(lattice);
            free(field);
            free(got);
        }
}

/* The r-pentomino: 1103 generations until nothing but still lives, blinkers and gliders is left,
 * 116 cells (M. Gardner, Scientific American 223(4), 1970, and ever since). Its gliders fly 260
 * cells at most. */
static void the_r_pentomino_comes_to_rest(void **state)
{
    const int64_t e[2] = {640, 640}, n = 640 * 640;
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    for (int d = LM_SANITIZED && count > 1 ? 1 : 0; d < count; d++) {
        latmc_lattice *lattice = life(e, P, names[d]);
        int8_t *field = suite_room(n, 1);
        double density;

        put(field, e, 318, 318, ".OO/OO/.O");
        ok(set_replica(lattice, 0, LATMC_INT8, field, n));
        ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, 1103));
        ok(observe_one(lattice, LATMC_DENSITY, &density));
        assert_true(density == 116.0 / (double)n);
        ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, 20));
        ok(observe_one(lattice, LATMC_DENSITY, &density));
        assert_true(density == 116.0 / (double)n);
        latmc_destroy(lattice);
        free(field);
    }
}

/* Of dead cells without births those live that noise has turned: a share p of them. */
static void noise_has_its_probability(void **state)
{
    const double p[] = {0.5, 0.1, 0.003};
    const automaton a = {{2000, 1000}, {P, P}, 0, 0, 0.0, 0, 1, 5};
    latmc_lattice *lattice = made(&a, "cpu");

    (void)state;
    ok(latmc_start(lattice, LATMC_START_COLD));
    for (size_t i = 0; i < ALL(p); i++) {
        const double sigma = sqrt(p[i] * (1.0 - p[i]) / 2e6);
        double density;

        ok(latmc_set_param(lattice, LATMC_NOISE, p[i]));
        ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, 1));
        ok(observe_one(lattice, LATMC_DENSITY, &density));
        assert_true(fabs(density - p[i]) < 4.5 * sigma);
    }
    latmc_destroy(lattice);
}

/* ---- what an automaton cannot have */

static void shapes_are_refused(void **state)
{
    static const struct {
        int dims;
        int64_t extents[3];
        const char *part;
    } bad[] = {{1, {8}, "1 dimensions"},
               {3, {8, 8, 8}, "3 dimensions"},
               {2, {2, 8}, "extent 0 is 2"},
               {2, {8, 2}, "extent 1 is 2"}};
    static const int8_t cells[512];

    (void)state;
    for (size_t i = 0; i < ALL(bad); i++) {
        latmc_lattice *lattice = NULL;

        ok(latmc_create(&lattice, LATMC_AUTOMATON, bad[i].dims, bad[i].extents));
        ok(latmc_set_device(lattice, "cpu:scalar"));
        refused(LATMC_ERROR_STATE, bad[i].part, latmc_start(lattice, LATMC_START_COLD));
        refused(LATMC_ERROR_STATE, bad[i].part,
                set_replica(lattice, 0, LATMC_INT8, cells, info_of(lattice).sites));
        assert_int_equal(info_of(lattice).started, 0);
        latmc_destroy(lattice);
    }
}

static void what_it_has_not_is_refused(void **state)
{
    const automaton a = {{8, 8}, {P, P}, LIFE, 0.0, 0, 2, 1};
    latmc_lattice *lattice = made(&a, "cpu:scalar");
    const latmc_boundary turned[] = {A, P};
    const latmc_update update = LATMC_SYNCHRONOUS;
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY),
                         overlap = LATMC_QUANTITY(LATMC_OVERLAP);
    const int64_t pair[] = {0, 1};
    double value[2];
    int8_t s[64] = {0};

    (void)state;
    refused(LATMC_ERROR_UNKNOWN, "boundary", latmc_set_boundaries(lattice, turned));
    refused(LATMC_ERROR_ARGUMENT, "512", latmc_set_option(lattice, LATMC_BIRTH, 512));
    refused(LATMC_ERROR_ARGUMENT, "-1", latmc_set_option(lattice, LATMC_SURVIVAL, -1));
    refused(LATMC_ERROR_ARGUMENT, "noise", latmc_set_param(lattice, LATMC_NOISE, 1.5));
    refused(LATMC_ERROR_ARGUMENT, "noise", latmc_set_param(lattice, LATMC_NOISE, -0.1));
    refused(LATMC_ERROR_UNKNOWN, "couplings", latmc_set_bond_couplings(lattice, value));
    ok(latmc_start(lattice, LATMC_START_HOT));
    refused(LATMC_ERROR_UNKNOWN, "synchronous", latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    refused(LATMC_ERROR_UNKNOWN, "density",
            latmc_observe(lattice, LATMC_BY_REPLICA, 1, &energy, value));
    refused(LATMC_ERROR_UNKNOWN, "none",
            latmc_observe_pairs(lattice, LATMC_BY_REPLICA, 1, pair, 1, &overlap, value));
    refused(LATMC_ERROR_UNKNOWN, "density", latmc_keep_best(lattice, 1));
    refused(LATMC_ERROR_UNKNOWN, "no action", set_round(lattice, update, 1, 1));
    ok(set_round(lattice, update, 1, 0));
    ok(latmc_sweep(lattice, LATMC_SCHEDULE, 3));
    s[17] = 2;
    refused(LATMC_ERROR_ARGUMENT, "site 17", set_replica(lattice, 0, LATMC_INT8, s, 64));
    s[17] = -1;
    refused(LATMC_ERROR_ARGUMENT, "site 17", set_replica(lattice, 0, LATMC_INT8, s, 64));
    latmc_destroy(lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gliders_glide),
        cmocka_unit_test(oscillators_come_back),
        cmocka_unit_test(the_r_pentomino_comes_to_rest),
        cmocka_unit_test(noise_has_its_probability),
        cmocka_unit_test(shapes_are_refused),
        cmocka_unit_test(what_it_has_not_is_refused),
    };

    inside_share_all(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
