/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slabs on GPUs large enough that each has blocks at its sides and blocks of the bulk, on one
 * device and on two: they wait for each other by events or by counters (backends/cuda/connect.h),
 * and make the whole lattice's trajectory. Two lattices on the same two devices, swept by two
 * threads, do not keep each other from ending.
 */
#include <pthread.h>

#include "tests/support.h"

typedef struct lattice {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[4];
    latmc_boundary boundary; /* of the last axis */
    latmc_update update;
    int option; /* of phi^4 the cut-off term, of O(n) vectors n, of Potts q */
    double field;
    int64_t replicas;
} lattice;

/* Ising: of the uniform rule in lines, in bricks where slabs are large, with signs, where slabs
 * have an odd number of rows ragged; of the general rule; in natural order. */
static const lattice lattices[] = {
    {"lines", LATMC_ISING, 2, {1024, 384}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"odd lines", LATMC_ISING, 2, {1024, 98}, P, LATMC_METROPOLIS, 0, 0.0, 2},
    {"bricks", LATMC_ISING, 2, {8192, 20000}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"bricks in space", LATMC_ISING, 3, {512, 512, 640}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"ragged", LATMC_ISING, 2, {512, 98}, P, LATMC_METROPOLIS, 0, 0.0, 2},
    {"signs", LATMC_ISING, 2, {512, 192}, A, LATMC_METROPOLIS, 0, 0.0, 1},
    {"open end", LATMC_ISING, 2, {512, 192}, O, LATMC_METROPOLIS, 0, 0.0, 1},
    {"words of 20", LATMC_ISING, 3, {40, 34, 24}, P, LATMC_METROPOLIS, 0, 0.0, 3},
    {"three dimensions", LATMC_ISING, 3, {256, 32, 30}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"four dimensions", LATMC_ISING, 4, {64, 16, 6, 14}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"heat bath", LATMC_ISING, 2, {1024, 384}, P, LATMC_HEATBATH, 0, 0.0, 1},
    {"a field", LATMC_ISING, 3, {256, 32, 30}, A, LATMC_METROPOLIS, 0, 0.3, 1},
    {"four dimensions, heat bath", LATMC_ISING, 4, {64, 16, 6, 14}, P, LATMC_HEATBATH, 0, 0.0, 1},
    {"natural order", LATMC_ISING, 2, {1021, 391}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"natural, odd slabs", LATMC_ISING, 3, {255, 31, 27}, A, LATMC_HEATBATH, 0, 0.0, 1},
    {"natural, four", LATMC_ISING, 4, {63, 16, 6, 14}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"colours", LATMC_PHI4, 3, {48, 30, 46}, A, LATMC_METROPOLIS, 0, 0.0, 1},
    {"eight colours", LATMC_PHI4, 3, {48, 32, 48}, P, LATMC_METROPOLIS, 1, 0.0, 1},
    {"tiles", LATMC_PHI4, 3, {48, 40, 64}, P, LATMC_BLOCK_METROPOLIS, 1, 0.0, 1},
    {"many tiles", LATMC_PHI4, 3, {128, 128, 128}, A, LATMC_BLOCK_METROPOLIS, 1, 0.0, 1},
    {"packs", LATMC_ONVECTOR, 3, {64, 64, 62}, A, LATMC_OVERRELAX, 3, 0.0, 1},
    {"packs of one", LATMC_ONVECTOR, 3, {34, 30, 46}, O, LATMC_HEATBATH, 3, 0.0, 2},
    {"states", LATMC_POTTS, 2, {1024, 384}, P, LATMC_METROPOLIS, 3, 0.0, 1},
    {"states, odd slabs", LATMC_POTTS, 2, {1024, 98}, P, LATMC_METROPOLIS_OTHER, 4, 0.0, 2},
    {"states in a field", LATMC_POTTS, 3, {256, 32, 30}, P, LATMC_METROPOLIS, 9, 0.3, 1},
    {"states in words of 20", LATMC_POTTS, 3, {40, 34, 24}, P, LATMC_METROPOLIS, 16, 0.0, 3},
    {"states, four dimensions", LATMC_POTTS, 4, {64, 16, 6, 14}, P, LATMC_METROPOLIS, 2, 0.0, 1},
    {"states, heat bath", LATMC_POTTS, 3, {128, 32, 30}, P, LATMC_HEATBATH, 9, 0.0, 1},
    {"three spins", LATMC_BLUME_CAPEL, 2, {1024, 384}, P, LATMC_METROPOLIS, 0, 0.0, 1},
    {"three spins in a field", LATMC_BLUME_CAPEL, 2, {512, 98}, P, LATMC_METROPOLIS, 0, 0.3, 2},
    {"three spins, three dimensions",
     LATMC_BLUME_CAPEL,
     3,
     {40, 34, 24},
     P,
     LATMC_METROPOLIS,
     0,
     0.0,
     3},
};

enum { SWEEPS = 6 };

static latmc_lattice *make(const lattice *l, const char *device)
{
    latmc_boundary boundaries[] = {P, P, P, P};
    latmc_lattice *lat;

    ok(latmc_create(&lat, l->model, l->dims, l->extents));
    boundaries[l->dims - 1] = l->boundary;
    ok(latmc_set_boundaries(lat, boundaries));
    ok(latmc_set_replicas(lat, l->replicas));
    if (l->model == LATMC_PHI4)
        ok(latmc_set_option(lat, LATMC_CUTOFF, l->option));
    if (l->model == LATMC_ONVECTOR)
        ok(latmc_set_option(lat, LATMC_N, l->option));
    if (l->model == LATMC_POTTS)
        ok(latmc_set_option(lat, LATMC_Q, l->option));
    if (l->model != LATMC_PHI4)
        ok(latmc_set_param(lat, LATMC_BETA, 0.44));
    if (l->field != 0.0)
        ok(latmc_set_param(lat, LATMC_FIELD, l->field));
    ok(latmc_set_seed(lat, 20261125));
    ok(latmc_set_division(lat, LATMC_DIVIDE_SLABS));
    ok(latmc_set_device(lat, device));
    ok(latmc_start(lat, LATMC_START_HOT));
    return lat;
}

/* All that there is to know after some sweeps, in two calls. */
typedef struct answer {
    uint64_t hash;
    double measured[6];
} answer;

static answer answer_of(latmc_lattice *lat, latmc_update update)
{
    const int model = info_of(lat).model;
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                   LATMC_QUANTITY(model == LATMC_PHI4 || model == LATMC_ONVECTOR
                                                      ? LATMC_ACCEPTANCE
                                                      : LATMC_CHANGED)};
    answer a = {0};

    ok(latmc_sweep(lat, update, SWEEPS - 1));
    ok(latmc_sweep(lat, update, 1));
    ok(latmc_observe(lat, LATMC_BY_REPLICA, ALL(what), what, a.measured));
    ok(latmc_state_hash(lat, &a.hash));
    return a;
}

static void compare(const char *device)
{
    for (size_t i = 0; i < ALL(lattices); i++) {
        const lattice *l = &lattices[i];
        latmc_lattice *whole = make(l, "cpu"), *cut = make(l, device);
        const answer want = answer_of(whole, l->update), got = answer_of(cut, l->update);

        if (memcmp(&want, &got, sizeof want) != 0)
            fail_msg("%s on %s: another %s", l->name, device,
                     want.hash != got.hash ? "state" : "measurement");
        latmc_destroy(whole);
        latmc_destroy(cut);
    }
}

static void slabs_of_one_device(void **state)
{
    (void)state;
    needs("cuda:0");
    compare("cuda:0,0");
    compare("cuda:0,0,0");
}

static void slabs_of_two_devices(void **state)
{
    (void)state;
    needs("cuda:1");
    compare("cuda:0,1");
    compare("cuda:0,1,0,1"); /* by events: each device has two slabs, which are no neighbours */
}

/* ---- lattices side by side */

enum { THREADS = 3, CALLS = 200 };

typedef struct caller {
    pthread_t thread;
    const lattice *l;
    answer answer;
} caller;

/* Sites of which the boundary alone has more blocks than a device runs at once. */
static const lattice wide = {"wide", LATMC_ONVECTOR, 3, {512, 512, 16}, P, LATMC_OVERRELAX, 3, 0.0,
                             1};

static void *sweep_often(void *user)
{
    caller *c = user;
    latmc_lattice *lat = make(c->l, "cuda:0,1");

    for (int i = 0; i < CALLS; i++)
        ok(latmc_sweep(lat, c->l->update, 5));
    c->answer = answer_of(lat, c->l->update);
    latmc_destroy(lat);
    return NULL;
}

/* Whoever comes second to a device waits by events there. */
static void lattices_do_not_meet(void **state)
{
    caller callers[THREADS] = {{.l = &wide}, {.l = &wide}, {.l = &lattices[0]}};

    (void)state;
    needs("cuda:1");
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&callers[i].thread, NULL, sweep_often, &callers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        latmc_lattice *lat = make(callers[i].l, "cuda:0");
        answer want;

        ok(latmc_sweep(lat, callers[i].l->update, 5 * CALLS));
        want = answer_of(lat, callers[i].l->update);
        assert_memory_equal(&callers[i].answer, &want, sizeof want);
        latmc_destroy(lat);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slabs_of_one_device),
                                       cmocka_unit_test(slabs_of_two_devices),
                                       cmocka_unit_test(lattices_do_not_meet)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
