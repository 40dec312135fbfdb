/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cellular automata: on every device the cells of a program that goes cell by cell, chosen and
 * random lattices; in slabs, by several threads, after a load and a move.
 */
#include <unistd.h>

#include "lib/lattice/spec.h"
#include "tests/models/cuts.h"
#include "tests/models/suite.h"

#include "tests/random/kernels.h"
#include "tests/models/automaton_made.h"

static const automaton chosen[] = {
    {{3, 3}, {P, P}, LIFE, 0.0, 0, 3, 1},
    {{3, 3}, {O, O}, LIFE, 0.0, 0, 2, 2},
    {{4, 3}, {P, O}, 511, 0, 0.0, 0, 1, 3},
    {{31, 5}, {P, P}, LIFE, 0.0, 7, 2, 4},
    {{32, 5}, {P, P}, LIFE, 0.0, 0, 2, 5},
    {{33, 5}, {P, P}, LIFE, 0.0, 0, 1, 6},
    {{32, 9}, {O, P}, LIFE, 0.0, 0, 1, 7},
    {{64, 8}, {P, O}, LIFE, 0.0, 0, 1, 8},
    {{65, 8}, {O, O}, LIFE, 0.0, 0, 1, 9},
    {{511, 17}, {P, P}, LIFE, 0.0, 0, 1, 10},
    {{512, 16}, {P, P}, LIFE, 0.0, 0, 1, 11},
    {{513, 9}, {P, P}, LIFE, 0.0, 65535, 1, 12},
    {{512, 8}, {O, O}, LIFE, 0.0, 0, 1, 13},
    {{1025, 4}, {P, O}, 72, 12, 0.0, 0, 1, 14},
    {{70, 19}, {P, P}, 72, 12, 0.0, 0, 2, 15},   /* HighLife */
    {{70, 19}, {P, O}, 456, 472, 0.0, 0, 1, 16}, /* Day and Night */
    {{50, 21}, {P, P}, 1, 511, 0.0, 0, 1, 17},   /* births from nothing */
    {{50, 21}, {O, O}, 257, 256, 0.0, 0, 1, 18}, /* all eight */
    {{40, 11}, {P, P}, 0, 0, 0.0, 0, 1, 19},
    {{40, 11}, {P, P}, LIFE, 0.25, 3, 3, 20},
    {{77, 10}, {O, P}, LIFE, 0.01, 0, 2, 21},
    {{530, 5}, {P, P}, 72, 12, 0x1p-31, 0, 2, 22},
    {{530, 5}, {P, P}, LIFE, 1.0, 0, 2, 23},
    {{33, 6}, {P, P}, LIFE, 0x1.fffffffep-1, 0, 2, 24},
    {{99, 7}, {P, O}, 0, 511, 1.0 / 3.0, 0, 2, 25},
    {{40, 11}, {P, O}, LIFE, 0.25, 65534, 3, 26},
    {{530, 7}, {O, P}, LIFE, 0.25, (int64_t)1 << 20, 2, 27},
    {{70, 9}, {P, P}, LIFE, 0.25, ((int64_t)1 << 32) - 3, 3, 28},
};

static automaton drawn(uint64_t number)
{
    uint64_t dice = number;
    automaton a = {.seed = next_random(&dice)};
    const int wide = next_random(&dice) % 4 == 0;

    a.extents[0] = 3 + (int64_t)(next_random(&dice) % (wide ? 1200 : 100));
    a.extents[1] = 3 + (int64_t)(next_random(&dice) % (wide ? 12 : 40));
    for (int i = 0; i < 2; i++)
        a.boundaries[i] = next_random(&dice) % 2 ? P : O;
    a.birth = (int)(next_random(&dice) % 512);
    a.survival = (int)(next_random(&dice) % 512);
    if (next_random(&dice) % 2) {
        a.birth = LIFE_BIRTH;
        a.survival = LIFE_SURVIVAL;
    }
    a.noise = next_random(&dice) % 3 ? 0.0 : ldexp((double)(next_random(&dice) >> 11), -53);
    a.first = (int64_t)(next_random(&dice) % 60000);
    a.replicas = 1 + (int64_t)(next_random(&dice) % MOST_REPLICAS);
    return a;
}

static cells naive_of(const automaton *a, int64_t replica)
{
    cells c = {.extents = {a->extents[0], a->extents[1]},
               .open = {a->boundaries[0] == O, a->boundaries[1] == O},
               .birth = a->birth,
               .survival = a->survival,
               .noise = noise_of(a, replica),
               .seed = a->seed,
               .replica = (uint64_t)(a->first + replica)};

    cells_open(&c);
    return c;
}

/* ---- cell by cell */

static const latmc_quantity both[] = {LATMC_QUANTITY(LATMC_DENSITY), LATMC_QUANTITY(LATMC_CHANGED)};

/* The cells and the last of `records` measurements are those of a replica by hand. */
static void same_as_naive(latmc_lattice *lattice, int64_t replica, const cells *c,
                          const double *series, int64_t replicas, int64_t records)
{
    const int64_t n = cells_count(c);
    int8_t *s = suite_room(n, 1);

    ok(get_replica(lattice, replica, LATMC_INT8, s, n));
    for (int64_t i = 0; i < n; i++)
        if (s[i] != c->s[i])
            fail_msg("%lld x %lld, seed %llu, replica %lld after %lld sweeps: cell %lld, %lld",
                     (long long)c->extents[0], (long long)c->extents[1],
                     (unsigned long long)c->seed, (long long)replica, (long long)c->sweeps,
                     (long long)(i % c->extents[0]), (long long)(i / c->extents[0]));
    free(s);
    assert_true(series[(replica + 1) * records - 1] == cells_density(c));
    assert_true(series[(replicas + replica + 1) * records - 1] == (double)c->changed / (double)n);
}

/* Sweeps, of which a call may have several at a time, and a series of measurements. */
static void play(const automaton *a, const char *device, int kernel)
{
    enum { EVERY = 3, RECORDS = 2 };
    const int first = 3 + (int)(a->seed % 11);
    latmc_lattice *lattice = started(a, device);
    double series[2 * MOST_REPLICAS * RECORDS], now[2 * MOST_REPLICAS];

    kernels_force(lattice, kernel);
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 2, both, now));
    for (int64_t r = 0; r < a->replicas; r++) {
        cells c = naive_of(a, r);

        cells_hot(&c);
        same_as_naive(lattice, r, &c, now, a->replicas, 1);
        cells_close(&c);
    }
    ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, first));
    ok(record_series(lattice, LATMC_SYNCHRONOUS, EVERY, RECORDS, 2, both, series));
    for (int64_t r = 0; r < a->replicas; r++) {
        cells c = naive_of(a, r);

        cells_hot(&c);
        for (int i = 0; i < first + EVERY * RECORDS; i++)
            cells_sweep(&c);
        same_as_naive(lattice, r, &c, series, a->replicas, RECORDS);
        cells_close(&c);
    }
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 2, both, now));
    for (int64_t r = 0; r < 2 * a->replicas; r++)
        assert_true(now[r] == series[(r + 1) * RECORDS - 1]);
    latmc_destroy(lattice);
}

/* By the kernel that is chosen, on a GPU by each other one, too. */
static void play_all(const automaton *a, const char *device)
{
    play(a, device, 0);
    for (int k = 1; k < kernels_count() && strncmp(device, "cuda", 4) == 0; k++)
        if (strstr(kernels_name(k), "cells") || strcmp(kernels_name(k), "generation") == 0)
            play(a, device, k);
}

static void cells_are_those_by_hand(void **state)
{
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    assert_true(count > 0);
    for (int d = 0; d < count; d++)
        for (size_t i = 0; i < ALL(chosen); i++)
            play_all(&chosen[i], names[d]);
}

static void random_cells_are_those_by_hand(void **state)
{
    enum { CASES = LM_SANITIZED ? 8 : 40 };
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        const automaton a = drawn(i);

        for (int d = 0; d < count; d++)
            play_all(&a, names[d]);
    }
}

/* Layers whose words are numbered from just below 2^32, in a slab of a huge lattice. */
static void counters_pass_32_bits(void **state)
{
    enum { WIDTH = 32 * 17, LAYERS = 5, FAR = 165 * 65536 + 3 };
    const int64_t first = ((int64_t)1 << 32) / 17 - 2;
    const double values[] = {0.375};
    const lm_parameters parameters = {.values = values};
    lm_spec spec = {.model = LATMC_AUTOMATON,
                    .kept = LM_IN_WORDS,
                    .options = {0, 0},
                    .dims = 2,
                    .extents = {WIDTH, (int64_t)1 << 30, 1, 1},
                    .boundaries = {P, P},
                    .first_layer = first,
                    .layers = LAYERS,
                    .first_replica = FAR,
                    .replicas = 1,
                    .seed = 99};
    const lm_backend *backend = NULL;
    int8_t got[LAYERS * WIDTH];

    (void)state;
    for (const lm_backend *const *b = lm_backends; *b; b++)
        backend = *b; /* "cpu" is the last */
    for (int device = 0; device < backend->count(); device++) {
        latmc_device_info info = LATMC_INIT(latmc_device_info);
        cells c = {.extents = {WIDTH, 0}, .noise = values[0], .seed = 99, .replica = FAR};
        lm_plan slab;

        backend->describe(device, &info);
        if (!info.usable)
            continue;
        ok(lm_plan_open(backend, &spec, device, &slab));
        ok(slab.ops->put_parameters(slab.self, &parameters));
        ok(slab.ops->slabs->update(slab.self, 0, 0, 0, LM_WHOLE));
        ok(slab.ops->get_sites(slab.self, 0, first, LAYERS, got));
        for (int64_t i = 0; i < LAYERS * WIDTH; i++)
            assert_int_equal(got[i], cells_is_noisy(&c, i % WIDTH, first + i / WIDTH));
        lm_plan_close(&slab);
    }
}

/* ---- device against device */

/* State hashes after so many sweeps of 0, 1 and 9 of a lattice of `chosen`: committed, so that no
 * release changes what is written in doc/trajectory-automaton.md. */
static const struct {
    int of;
    uint64_t hashes[3];
} known[] = {
    {3, {0x422dcdff06c084c3u, 0x1ceef8def66eddacu, 0x582f7d16aea8848bu}},
    {9, {0x8c49fe5e55dbe354u, 0xf007666f9c08108fu, 0x7fc58af53edf1f26u}},
    {15, {0xcbc15e04b224087au, 0x3f4410d7d3d2dac0u, 0x7798a09fd52df88du}},
    {16, {0x7ffcdc4d6b752bb5u, 0x773bf50ea3490f78u, 0x773bf50ea3490f78u}},
    {20, {0xfbe5ac0f7b36cad9u, 0xb27188133be8ece0u, 0xa4839675d81ef68eu}},
    {21, {0x5fba978a060d661cu, 0xeaf37faf9fffed99u, 0xcbe16a9eec2d69d2u}},
    {24, {0x78d1ba5cd4c47bdeu, 0x5065ab2290a2e72cu, 0xb85329188fe02a5du}},
};

static void answers_are_known(void **state)
{
    static const int64_t sweeps[] = {0, 1, 8};
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    for (int d = 0; d < count; d++)
        for (size_t i = 0; i < ALL(known); i++) {
            latmc_lattice *lattice = started(&chosen[known[i].of], names[d]);

            for (size_t k = 0; k < ALL(sweeps); k++) {
                ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, sweeps[k]));
                if (hash_of(lattice) != known[i].hashes[k])
                    fail_msg("{%d, {..%d: 0x%016llx", known[i].of, (int)k,
                             (unsigned long long)hash_of(lattice));
            }
            latmc_destroy(lattice);
        }
}

static const automaton larger[] = {
    {{1000, 301}, {P, P}, LIFE, 0.0, 0, 1, 31},
    {{2049, 130}, {O, P}, 456, 472, 0.0, 0, 2, 32},
    {{640, 200}, {P, O}, LIFE, 0.002, 5, 3, 33},
};

/* Of which a GPU makes tiles that are twice as high. */
static const automaton vast[] = {
    {{8192, 6000}, {P, P}, LIFE, 0.0, 0, 1, 34},
    {{8195, 6001}, {O, P}, LIFE, 0.0, 0, 1, 35},
    {{8192, 6002}, {P, P}, 72, 12, 0.0, 0, 1, 36},
    {{8191, 5999}, {P, O}, 257, 256, 0.0, 0, 1, 37},
};

static void agree(const automaton *a, size_t lattices, int64_t sweeps, const char *const *names,
                  int count)
{
    for (size_t i = 0; i < lattices; i++) {
        uint64_t want = 0;

        for (int d = 0; d < count; d++) {
            latmc_lattice *lattice = started(&a[i], names[d]);

            ok(latmc_sweep(lattice, LATMC_SYNCHRONOUS, sweeps));
            if (d == 0)
                want = hash_of(lattice);
            assert_true(hash_of(lattice) == want);
            latmc_destroy(lattice);
        }
    }
}

static void devices_agree(void **state)
{
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    agree(larger, ALL(larger), 40, names, count);
    if (strncmp(names[count - 1], "cuda", 4) == 0)
        agree(vast, ALL(vast), 20, (const char *const[]){names[0], names[count - 1]}, 2);
}

static void same_lattices(latmc_lattice *a, latmc_lattice *b, int64_t replicas)
{
    double x[2 * MOST_REPLICAS], y[2 * MOST_REPLICAS];

    assert_true(hash_of(a) == hash_of(b));
    ok(latmc_observe(a, LATMC_BY_REPLICA, 2, both, x));
    ok(latmc_observe(b, LATMC_BY_REPLICA, 2, both, y));
    assert_memory_equal(x, y, 2 * (size_t)replicas * sizeof *x);
}

static int are_on_both_sides(const automaton *a)
{
    return a->first / 65536 != (a->first + a->replicas - 1) / 65536;
}

/* Whole, and cut into slabs of unequal height, where the replicas allow slabs. */
static void slabs_are_the_whole(void **state)
{
    const char *names[ALL(every_device)];
    const int count = devices(names);

    (void)state;
    for (size_t i = 0; i < ALL(chosen); i++)
        for (int d = 0; d < count; d++)
            for (int pieces = 2; pieces <= 4; pieces++) {
                latmc_lattice *whole = started(&chosen[i], "cpu:scalar");
                latmc_lattice *cut = made(&chosen[i], names[d]);
                const lm_spec spec = lm_spec_of(cut);
                const lm_cuts cuts = cuts_unequal(&spec, pieces);

                inside_cut(cut, &cuts);
                if (are_on_both_sides(&chosen[i])) {
                    refused(LATMC_ERROR_ARGUMENT, "on both sides of a multiple of 65536",
                            latmc_start(cut, LATMC_START_HOT));
                    latmc_destroy(whole);
                    latmc_destroy(cut);
                    continue;
                }
                ok(latmc_start(cut, LATMC_START_HOT));
                same_lattices(whole, cut, chosen[i].replicas);
                ok(latmc_sweep(whole, LATMC_SYNCHRONOUS, 7));
                ok(latmc_sweep(cut, LATMC_SYNCHRONOUS, 4));
                ok(latmc_sweep(cut, LATMC_SYNCHRONOUS, 3));
                same_lattices(whole, cut, chosen[i].replicas);
                latmc_destroy(whole);
                latmc_destroy(cut);
            }
}

/* A load goes on, and so does a move. */
static void saved_and_moved_lattices_go_on(void **state)
{
    const char *names[ALL(every_device)];
    const int count = devices(names);
    char path[] = "/tmp/latmc-automaton-XXXXXX";
    const int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < ALL(chosen); i++) {
        latmc_lattice *a = started(&chosen[i], "cpu:scalar"), *b = NULL;

        ok(latmc_sweep(a, LATMC_SYNCHRONOUS, 3));
        ok(latmc_save(a, path));
        ok(latmc_load(&b, path));
        same_lattices(a, b, chosen[i].replicas);
        for (int d = 0; d < count; d++) {
            ok(latmc_set_device(b, names[d]));
            ok(latmc_sweep(a, LATMC_SYNCHRONOUS, 2));
            ok(latmc_sweep(b, LATMC_SYNCHRONOUS, 2));
            same_lattices(a, b, chosen[i].replicas);
        }
        latmc_destroy(a);
        latmc_destroy(b);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_those_by_hand),
        cmocka_unit_test(random_cells_are_those_by_hand),
        cmocka_unit_test(counters_pass_32_bits),
        cmocka_unit_test(answers_are_known),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(slabs_are_the_whole),
        cmocka_unit_test(saved_and_moved_lattices_go_on),
    };

    inside_share_all(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
