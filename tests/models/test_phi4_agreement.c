/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One trajectory of the phi^4 model, any device: every usable device, thread count and division of
 * the replicas gives the sites and the observables of the scalar lane, bit for bit.
 */
#include "backends/cpu/team/team.h"
#include "tests/models/phi4_plain.h"

static const shape shapes[] = {
    {1, {2}, {P}, 0, 5},
    {1, {7}, {A}, 5, 9},
    {1, {4099}, {P}, 0, 2},
    {1, {1500}, {O}, 0, 1},
    {2, {2, 2}, {P, P}, 0, 9},
    {2, {4, 6}, {P, A}, 3, 5},
    {2, {3, 5}, {P, P}, 0, 3},
    {2, {5, 4}, {O, P}, 0, 5},
    {2, {64, 64}, {P, P}, 0, 3},
    {2, {66, 10}, {A, P}, 0, 2},
    {2, {130, 6}, {P, O}, 0, 1},
    {2, {120, 125}, {P, P}, 0, 2},
    {2, {33, 9}, {P, P}, 0, 2},
    {2, {129, 31}, {O, O}, 0, 1},
    {3, {2, 2, 2}, {P, P, P}, 31, 4},
    {3, {6, 4, 8}, {P, P, P}, 0, 4},
    {3, {16, 16, 16}, {P, P, P}, 0, 2},
    {3, {5, 3, 7}, {P, A, O}, 0, 3},
    {3, {40, 6, 4}, {P, P, P}, 1, 2},
    {3, {70, 9, 7}, {P, A, P}, 0, 1},
    {4, {4, 4, 4, 4}, {P, P, P, P}, 0, 5},
    {4, {3, 5, 3, 4}, {P, P, O, P}, 0, 2},
    {4, {34, 6, 5, 4}, {A, P, P, O}, 0, 1},
    /* without equal parts: */
    {1, {67}, {P}, 0, 2},
    {1, {38}, {A}, 0, 2},
    {1, {101}, {O}, 0, 2},
    {2, {34, 38}, {P, P}, 0, 2},
    {2, {34, 34}, {A, P}, 2, 2},
    {2, {53, 41}, {O, A}, 0, 1},
    {3, {17, 19, 34}, {P, P, P}, 0, 1},
    {3, {34, 34, 17}, {P, P, P}, 0, 1},
    {3, {22, 22, 22}, {A, P, O}, 0, 1},
    {3, {17, 23, 11}, {O, P, A}, 1, 2},
    {4, {5, 7, 5, 11}, {P, P, P, P}, 0, 2},
    {4, {11, 4, 7, 13}, {A, P, O, A}, 0, 1},
};

/* What besides the shape can change the way a device takes. */
typedef struct setting {
    const char *name;
    latmc_update update;
    latmc_type type;
    int far; /* the cut-off: in none, in some, in all of the replicas */
    int hits, local_sweeps;
    double field;
} setting;

enum { NONE, SOME, EVERY };

static const setting settings[] = {
    {"near, floats", LATMC_METROPOLIS, LATMC_FLOAT32, NONE, 1, 1, 0.0},
    {"near, doubles", LATMC_METROPOLIS, LATMC_FLOAT64, NONE, 5, 1, 0.25},
    {"far, floats", LATMC_METROPOLIS, LATMC_FLOAT32, EVERY, 8, 1, 0.0},
    {"far, doubles", LATMC_METROPOLIS, LATMC_FLOAT64, SOME, 3, 1, 0.0},
    {"tiles, near, floats", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT32, NONE, 2, 3, 0.0},
    {"tiles, far, floats", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT32, SOME, 4, 2, 0.1},
    {"tiles, far, doubles", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT64, EVERY, 1, 2, 0.0},
    {"reflections, near, floats", LATMC_OVERRELAX, LATMC_FLOAT32, NONE, 1, 1, 0.0},
    {"reflections, far, doubles", LATMC_OVERRELAX, LATMC_FLOAT64, SOME, 1, 1, -0.2},
};

enum { MAX_REPLICAS = 16, MOST_REPLICAS = 360, SWEEPS = 4, RECORDS = 3, OBSERVED = 9 };

static const latmc_observable observed[OBSERVED] = {
    LATMC_ENERGY,     LATMC_ENERGY_GRADIENT, LATMC_ENERGY_POTENTIAL, LATMC_ENERGY_CUTOFF,
    LATMC_PHI,        LATMC_PHI_SQUARED,     LATMC_PHI_FOURTH,       LATMC_STRUCTURE_0,
    LATMC_ACCEPTANCE,
};

static int possible(const shape *s, const setting *t)
{
    for (int a = 0; a < s->dims; a++) {
        const int closed = s->boundaries[a] != O;
        if (s->extents[a] < 3 && t->far != NONE)
            return 0;
        if (s->extents[a] < 4 && closed && t->update == LATMC_BLOCK_METROPOLIS)
            return 0;
    }
    return 1;
}

/* Replicas from number `begin` of the shape. */
static latmc_lattice *make(const shape *s, const setting *t, int64_t begin, int64_t count,
                           const char *device, int threads)
{
    field_model models[MOST_REPLICAS];

    for (int64_t r = 0; r < count; r++) {
        const double x = (double)((begin + r) % MAX_REPLICAS);
        field_model m = {.dims = s->dims, .mu2 = 0.4 - 0.17 * x, .g = 2.0 + x, .field = t->field};
        memcpy(m.extents, s->extents, sizeof m.extents);
        memcpy(m.boundaries, s->boundaries, sizeof m.boundaries);
        m.kappa =
            t->far == EVERY || (t->far == SOME && (begin + r) % 2 == 0) ? 0.25 + 0.1 * x : 0.0;
        m.epsilon = 0.7 + 0.1 * x;
        m.hits = 1 + (t->hits + (int)(begin + r) - 1) % 8;
        m.local_sweeps = t->local_sweeps;
        models[r] = m;
    }
    latmc_lattice *lattice = field_lattice(models, count, t->type, 0x123456789abcdefu);
    ok(latmc_set_first_replica(lattice, s->first + begin));
    ok(latmc_set_threads(lattice, threads));
    ok(latmc_set_device(lattice, device));
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

typedef struct outcome {
    uint64_t start, swept, recorded, tuned;
    double observed[OBSERVED][MAX_REPLICAS];
    double series[OBSERVED * MAX_REPLICAS * RECORDS];
    double epsilon[MAX_REPLICAS];
} outcome;

static outcome run(const shape *s, const setting *t, const char *device, int threads)
{
    latmc_lattice *lattice = make(s, t, 0, s->replicas, device, threads);
    outcome o;

    memset(&o, 0, sizeof o);
    o.start = hash_of(lattice);
    ok(latmc_sweep(lattice, t->update, SWEEPS));
    o.swept = hash_of(lattice);
    for (int i = 0; i < OBSERVED; i++)
        ok(latmc_observe(lattice, observed[i], o.observed[i]));
    ok(latmc_record(lattice, t->update, 2, RECORDS, OBSERVED, observed, o.series));
    o.recorded = hash_of(lattice);
    if (t->update != LATMC_OVERRELAX)
        ok(latmc_tune(lattice, t->update, 2, 0.4));
    ok(latmc_get_params(lattice, LATMC_EPSILON, o.epsilon));
    o.tuned = hash_of(lattice);
    latmc_destroy(lattice);
    return o;
}

static void compare(const shape *s, const setting *t, const char *device, int threads,
                    const outcome *want)
{
    const outcome got = run(s, t, device, threads);

    if (memcmp(&got, want, sizeof got) == 0)
        return;
    fail_msg("%s, %d threads, %s, shape %d: start %d, swept %d, observed %d, recorded %d, "
             "series %d, tuned %d",
             device, threads, t->name, (int)(s - shapes), got.start == want->start,
             got.swept == want->swept, !memcmp(got.observed, want->observed, sizeof got.observed),
             got.recorded == want->recorded, !memcmp(got.series, want->series, sizeof got.series),
             got.tuned == want->tuned);
}

/* With 1, 2 and 3 threads in turn. */
static void device_agrees(void **state)
{
    const char *device = *state;
    const int gpu = strncmp(device, "cuda", 4) == 0;

    if (!usable(device))
        skip();
    for (size_t i = 0; i < ALL(shapes); i++)
        for (size_t j = 0; j < ALL(settings); j++) {
            if (!possible(&shapes[i], &settings[j]))
                continue;
            const outcome want = run(&shapes[i], &settings[j], "cpu:scalar", 1);
            compare(&shapes[i], &settings[j], device, gpu ? 1 : 1 + (int)(i + j) % 3, &want);
        }
}

/* Tiles by the hundreds, as a device may treat otherwise than a few: full ones, and others. */
static void large_ensembles(void **state)
{
    static const shape large[] = {
        {1, {1100}, {P}, 0, 200},
        {2, {37, 45}, {P, A}, 7, 360},
        {2, {32, 64}, {P, P}, 0, 360},
        {3, {20, 17, 24}, {P, P, P}, 3, 100},
        {3, {32, 32, 16}, {P, A, P}, 0, 100},
        {3, {21, 12, 10}, {O, P, P}, 0, 100},
    };
    static const setting t = {"large", LATMC_BLOCK_METROPOLIS, LATMC_FLOAT32, SOME, 1, 2, 0.1};
    const char *device = *state;

    if (!usable(device))
        skip();
    for (size_t i = 0; i < ALL(large); i++) {
        latmc_lattice *want = make(&large[i], &t, 0, large[i].replicas, "cpu:scalar", 0);
        latmc_lattice *got = make(&large[i], &t, 0, large[i].replicas, device, 0);
        ok(latmc_tune(want, t.update, 2, 0.4));
        ok(latmc_tune(got, t.update, 2, 0.4));
        assert_true(hash_of(got) == hash_of(want));
        latmc_destroy(want);
        latmc_destroy(got);
    }
}

/* An ensemble of nine in three parts. */
static void divided_ensemble(void **state)
{
    const shape nine = {2, {6, 11}, {P, A}, 2, 9};

    (void)state;
    for (size_t i = 0; i < ALL(settings); i++) {
        latmc_lattice *whole = make(&nine, &settings[i], 0, 9, "cpu", 0);
        ok(latmc_sweep(whole, settings[i].update, SWEEPS));
        for (int64_t first = 0; first < 9; first += 3) {
            latmc_lattice *third = make(&nine, &settings[i], first, 3, "cpu", 0);
            double want[66] = {0}, got[66] = {0};
            ok(latmc_sweep(third, settings[i].update, SWEEPS));
            for (int64_t r = 0; r < 3; r++) {
                ok(latmc_get_sites(whole, first + r, settings[i].type, want, 66));
                ok(latmc_get_sites(third, r, settings[i].type, got, 66));
                assert_memory_equal(want, got, sizeof want);
            }
            latmc_destroy(third);
        }
        latmc_destroy(whole);
    }
}

/* Saved to memory and loaded: *lattice goes on as another. */
static void resume(latmc_lattice **lattice, const char *device)
{
    size_t bytes;
    void *saved;

    ok(latmc_save_memory(*lattice, NULL, 0, &bytes));
    saved = malloc(bytes);
    assert_non_null(saved);
    ok(latmc_save_memory(*lattice, saved, bytes, &bytes));
    latmc_destroy(*lattice);
    ok(latmc_load_memory(lattice, saved, bytes));
    ok(latmc_set_device(*lattice, device));
    free(saved);
}

static void same(latmc_lattice *a, latmc_lattice *b)
{
    double x[MAX_REPLICAS], y[MAX_REPLICAS];
    const size_t bytes = (size_t)info_of(a).replicas * sizeof *x;

    assert_true(hash_of(a) == hash_of(b));
    for (int i = 0; i < OBSERVED; i++) {
        ok(latmc_observe(a, observed[i], x));
        ok(latmc_observe(b, observed[i], y));
        assert_memory_equal(x, y, bytes);
    }
    for (size_t i = 0; i < ALL(field_all_params); i++) {
        ok(latmc_get_params(a, field_all_params[i], x));
        ok(latmc_get_params(b, field_all_params[i], y));
        assert_memory_equal(x, y, bytes);
    }
}

/* From device to device in mid-run, by a move and by way of memory; also with a tuned epsilon. */
static void moved_is_stayed(const shape *s, const setting *t)
{
    latmc_lattice *stays = make(s, t, 0, s->replicas, "cpu:scalar", 1);
    latmc_lattice *moves = make(s, t, 0, s->replicas, "cpu:scalar", 1);

    for (int d = 0; d < 2 * latmc_device_count(); d++) {
        latmc_device_info info = {.size = sizeof info};
        ok(latmc_device_describe(d / 2, &info));
        if (!info.usable)
            continue;
        if (d % 2)
            resume(&moves, info.name);
        else
            ok(latmc_set_device(moves, info.name));
        same(stays, moves);
        ok(latmc_sweep(moves, t->update, 2));
        ok(latmc_sweep(stays, t->update, 2));
        if (t->update != LATMC_OVERRELAX) {
            ok(latmc_tune(moves, t->update, 1, 0.5));
            ok(latmc_tune(stays, t->update, 1, 0.5));
        }
        same(stays, moves);
    }
    latmc_destroy(stays);
    latmc_destroy(moves);
}

static void moving_and_resuming(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALL(shapes); i++)
        for (size_t j = 0; j < ALL(settings); j++)
            if ((i + j) % 3 == 0 && possible(&shapes[i], &settings[j]))
                moved_is_stayed(&shapes[i], &settings[j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_DEVICE(device_agrees),
        ON_EVERY_DEVICE(large_ensembles),
        cmocka_unit_test(divided_ensemble),
        cmocka_unit_test(moving_and_resuming),
    };
    lm_worth = (lm_team_worth){0}; /* small lattices have all the threads that they ask for */
    lm_team_waits = 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
