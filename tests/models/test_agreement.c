/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One trajectory, any device: every usable device, thread count and division of the replicas
 * gives the sites and the observables of the scalar lane, bit for bit, on awkward lattices.
 */
#include "backends/cpu/team/team.h"
#include "tests/support.h"

static const shape shapes[] = {
    {1, {2}, {P}, 0, 33},
    {1, {7}, {A}, 5, 9},
    {1, {1000}, {P}, 0, 2},
    {1, {4099}, {O}, 0, 1},
    {2, {2, 2}, {P, P}, 0, 40},
    {2, {4, 6}, {P, A}, 3, 20},
    {2, {3, 5}, {P, P}, 0, 3},
    {2, {5, 4}, {O, P}, 0, 17},
    {2, {64, 64}, {P, P}, 0, 45},
    {2, {66, 10}, {A, P}, 0, 2},
    {2, {130, 6}, {P, O}, 0, 1},
    {2, {256, 250}, {P, P}, 0, 3},
    {2, {1000, 26}, {P, P}, 0, 1},
    {2, {1026, 1022}, {P, P}, 0, 1},
    {2, {33, 9}, {P, P}, 0, 2},
    {2, {129, 31}, {O, O}, 0, 1},
    {3, {2, 2, 2}, {P, P, P}, 31, 34},
    {3, {6, 4, 8}, {P, P, P}, 0, 8},
    {3, {24, 24, 24}, {P, P, P}, 0, 7},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {40, 6, 4}, {P, P, P}, 1, 2},
    {3, {128, 10, 6}, {P, P, P}, 0, 1},
    {3, {100, 30, 34}, {P, A, P}, 0, 1},
    {4, {4, 4, 4, 4}, {P, P, P, P}, 0, 5},
    {4, {3, 5, 3, 4}, {P, P, O, P}, 0, 2},
    {4, {70, 4, 2, 6}, {P, P, P, P}, 0, 1},
    {4, {34, 6, 6, 4}, {A, P, P, O}, 0, 1},
};

/* What besides the shape can change the way a device takes. */
typedef struct setting {
    const char *name;
    latmc_update update;
    int drawn; /* +-J couplings */
    double field;
    double axis[4];
} setting;

static const setting settings[] = {
    {"plain", LATMC_METROPOLIS, 0, 0.0, {1, 1, 1, 1}},
    {"antiferromagnet", LATMC_METROPOLIS, 0, 0.0, {-1, -1, -1, -1}},
    {"+-J", LATMC_METROPOLIS, 1, 0.0, {1, 1, 1, 1}},
    {"field", LATMC_METROPOLIS, 0, 0.25, {1, 1, 1, 1}},
    {"axes", LATMC_METROPOLIS, 1, 0.0, {1, 0.5, -2, 0.25}},
    {"heat bath", LATMC_HEATBATH, 0, 0.0, {1, 1, 1, 1}},
    {"heat bath, +-J, field", LATMC_HEATBATH, 1, -0.5, {1, 1, 1, 1}},
};

enum { MAX_REPLICAS = 64, SWEEPS = 6, RECORDS = 3 };

static latmc_lattice *make(const shape *s, const setting *t, const char *device, int threads)
{
    latmc_lattice *lattice = new_lattice(s->dims, s->extents);
    double beta[MAX_REPLICAS];
    for (int r = 0; r < s->replicas; r++)
        beta[r] = 0.6 - 0.013 * r; /* from ordered to disordered, and below 0 */
    ok(latmc_set_boundaries(lattice, s->boundaries));
    ok(latmc_set_replicas(lattice, s->replicas));
    ok(latmc_set_first_replica(lattice, s->first));
    ok(latmc_set_seed(lattice, 0x123456789abcdefu));
    ok(latmc_set_params(lattice, LATMC_BETA, beta));
    ok(latmc_set_param(lattice, LATMC_FIELD, t->field));
    ok(latmc_set_axis_couplings(lattice, t->axis));
    if (t->drawn)
        ok(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 7));
    ok(latmc_set_threads(lattice, threads));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

typedef struct outcome {
    uint64_t start, swept, recorded;
    double observed[3][MAX_REPLICAS];
    double series[3 * MAX_REPLICAS * RECORDS];
} outcome;

static outcome run(const shape *s, const setting *t, const char *device, int threads)
{
    static const latmc_observable what[] = {LATMC_ENERGY, LATMC_MAGNETIZATION, LATMC_ACCEPTANCE};
    latmc_lattice *lattice = make(s, t, device, threads);
    outcome o;
    memset(&o, 0, sizeof o);
    o.start = hash_of(lattice);
    ok(latmc_sweep(lattice, t->update, SWEEPS));
    o.swept = hash_of(lattice);
    for (int i = 0; i < 3; i++)
        ok(latmc_observe(lattice, what[i], o.observed[i]));
    ok(latmc_record(lattice, t->update, 2, RECORDS, 3, what, o.series));
    o.recorded = hash_of(lattice);
    latmc_destroy(lattice);
    return o;
}

static void compare(const shape *s, const setting *t, const char *device, int threads,
                    const outcome *want)
{
    const outcome got = run(s, t, device, threads);
    if (memcmp(&got, want, sizeof got) == 0)
        return;
    print_error("%s, %d threads, %s, %d dimensions, %ld x %ld x %ld x %ld: start %d, swept %d, "
                "recorded %d, observed %d, series %d\n",
                device, threads, t->name, s->dims, (long)s->extents[0], (long)s->extents[1],
                (long)s->extents[2], (long)s->extents[3], got.start == want->start,
                got.swept == want->swept, got.recorded == want->recorded,
                !memcmp(got.observed, want->observed, sizeof got.observed),
                !memcmp(got.series, want->series, sizeof got.series));
    fail();
}

static void on_device(const char *device, const int *threads, size_t count)
{
    for (size_t i = 0; i < ALL(shapes); i++)
        for (size_t j = 0; j < ALL(settings); j++) {
            const outcome want = run(&shapes[i], &settings[j], "cpu:scalar", 1);
            for (size_t k = 0; k < count; k++)
                compare(&shapes[i], &settings[j], device, threads[k], &want);
        }
}

static void device_agrees(void **state)
{
    const char *device = *state;
    const int threads[] = {1, 2, 3};
    if (!usable(device))
        skip();
    on_device(device, threads, strncmp(device, "cuda", 4) == 0 ? 1 : ALL(threads));
}

/* An ensemble of nine in three parts, cut within words that replicas share. */
static void divided_ensemble(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL(settings); i++) {
        shape all = {2, {6, 10}, {P, P}, 0, 9}, part = all;
        latmc_lattice *whole = make(&all, &settings[i], "cpu", 0);
        ok(latmc_sweep(whole, settings[i].update, SWEEPS));
        for (int64_t first = 0; first < 9; first += 3) {
            double beta[9];
            int8_t want[60], got[60];
            part.first = first;
            part.replicas = 3;
            latmc_lattice *third = make(&part, &settings[i], "cpu", 0);
            ok(latmc_get_params(whole, LATMC_BETA, beta));
            ok(latmc_set_params(third, LATMC_BETA, beta + first));
            ok(latmc_sweep(third, settings[i].update, SWEEPS));
            for (int64_t r = 0; r < 3; r++) {
                ok(latmc_get_sites(whole, first + r, LATMC_INT8, want, 60));
                ok(latmc_get_sites(third, r, LATMC_INT8, got, 60));
                assert_memory_equal(want, got, sizeof want);
            }
            latmc_destroy(third);
        }
        latmc_destroy(whole);
    }
}

/* From device to device in mid-run. */
static void moved_is_stayed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL(shapes); i++) {
        latmc_lattice *stays = make(&shapes[i], &settings[2], "cpu:scalar", 1);
        latmc_lattice *moves = make(&shapes[i], &settings[2], "cpu:scalar", 1);
        for (int d = 0; d < latmc_device_count(); d++) {
            latmc_device_info info = {.size = sizeof info};
            ok(latmc_device_describe(d, &info));
            if (!info.usable)
                continue;
            ok(latmc_set_device(moves, info.name));
            ok(latmc_sweep(moves, LATMC_METROPOLIS, 2));
            ok(latmc_sweep(stays, LATMC_METROPOLIS, 2));
            assert_true(hash_of(moves) == hash_of(stays));
        }
        latmc_destroy(stays);
        latmc_destroy(moves);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_DEVICE(device_agrees),
        cmocka_unit_test(divided_ensemble),
        cmocka_unit_test(moved_is_stayed),
    };
    lm_worth = (lm_team_worth){0}; /* small lattices have all the threads that they ask for */
    lm_team_waits = 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
