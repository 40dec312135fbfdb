/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every public call in a thread with a stack of 64 kB, on every lane: hosts have such threads. The
 * stack is painted before each call, and what lies below it too, so that a call that needs more is
 * named and does not crash.
 */
#include "tests/support.h"
#include "tests/derived.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if LM_SANITIZED
enum { STACK = 256 << 10 }; /* of frames with their red zones */
#else
enum { STACK = 64 << 10 };
#endif

enum { BELOW = 256 << 10, PAINT = 0xa5, SERIES = 4000, MOST_SITES = 20000 };

/* What the calls of one thread work on. */
typedef struct work {
    latmc_model model;
    int dims;
    int64_t extents[4];
    latmc_boundary boundaries[4];
    const char *device;
    int threads;
    latmc_lattice *lat;
    void *saved;
    size_t bytes;
    char path[64];
    double series[2][SERIES];
    double sites[MOST_SITES];
} work;

typedef struct call {
    const char *name;
    void (*make)(work *w);
} call;

static int is_field(const work *w)
{
    return w->model == LATMC_PHI4;
}

static int64_t sites_of(const work *w)
{
    return info_of(w->lat).sites;
}

/* ---- the calls */

static void devices(work *w)
{
    latmc_device_info info = LATMC_INIT(latmc_device_info);

    (void)w;
    for (int64_t i = 0; i < known_devices(); i++)
        ok(latmc_describe_device(i, &info));
}

static void describe(work *w)
{
    latmc_description info = LATMC_INIT(latmc_description);
    int64_t count;
    int id;

    ok(latmc_count(LATMC_PARAMS, w->model, &count));
    ok(latmc_describe(LATMC_PARAMS, w->model, count - 1, &info));
    ok(latmc_find(LATMC_PARAMS, w->model, "field", &id));
    refused(LATMC_ERROR_UNKNOWN, "there are", latmc_find(LATMC_PARAMS, w->model, "x", &id));
}

static void create(work *w)
{
    ok(latmc_create(&w->lat, w->model, w->dims, w->extents));
    ok(latmc_set_replicas(w->lat, 2));
    ok(latmc_set_first_replica(w->lat, 3));
    ok(latmc_set_boundaries(w->lat, w->boundaries));
    ok(latmc_set_seed(w->lat, 5));
    if (is_field(w))
        ok(set_type(w->lat, LATMC_FLOAT64));
    else
        ok(latmc_draw_bond_couplings(w->lat, LATMC_PLUS_MINUS_ONE, 7, 0, NULL, NULL));
    ok(latmc_set_device(w->lat, w->device));
    ok(latmc_set_threads(w->lat, w->threads));
}

static void set_bonds(work *w)
{
    for (int64_t i = 0; i < w->dims * sites_of(w); i++)
        w->sites[i] = i % 7 ? 1.0 : 0.0;
    if (!is_field(w))
        ok(latmc_set_bond_couplings(w->lat, w->sites));
    if (!is_field(w))
        ok(latmc_get_bond_couplings(w->lat, 0, w->sites));
}

static void start(work *w)
{
    ok(latmc_start(w->lat, LATMC_START_HOT));
}

static void set_params(work *w)
{
    const latmc_param first = is_field(w) ? LATMC_MU2 : LATMC_BETA;

    ok(latmc_set_param(w->lat, LATMC_FIELD, 0.125));
    ok(latmc_set_params(w->lat, first, (double[]){0.3, 0.4}));
    ok(latmc_get_params(w->lat, first, (double[2]){0}));
    refused(LATMC_ERROR_ARGUMENT, "must be", latmc_set_param(w->lat, first, 1e300));
}

static void sweep(work *w)
{
    ok(latmc_sweep(w->lat, LATMC_METROPOLIS, 2));
}

static void sweep_otherwise(work *w)
{
    ok(latmc_sweep(w->lat, is_field(w) ? LATMC_OVERRELAX : LATMC_HEATBATH, 2));
}

static void sweep_tiles(work *w)
{
    if (is_field(w))
        ok(latmc_sweep(w->lat, LATMC_BLOCK_METROPOLIS, 1));
}

/* The cut-off has another colouring, and so another layout. */
static void sweep_cutoff(work *w)
{
    if (is_field(w)) {
        latmc_destroy(w->lat);
        create(w);
        ok(latmc_set_option(w->lat, LATMC_CUTOFF, 1));
        ok(latmc_set_param(w->lat, LATMC_INV_LAMBDA, 0.25));
        start(w);
    }
    ok(latmc_sweep(w->lat, LATMC_METROPOLIS, 1));
    sweep_tiles(w);
}

static void tune(work *w)
{
    if (is_field(w))
        ok(latmc_tune(w->lat, LATMC_METROPOLIS, 2, 0.5));
}

static void observe(work *w)
{
    ok(observe_one(w->lat, LATMC_ENERGY, w->series[0]));
}

static void observe_pairs(work *w)
{
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_OVERLAP),
                                   LATMC_QUANTITY(LATMC_LINK_OVERLAP),
                                   LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0)};

    ok(latmc_observe_pairs(w->lat, LATMC_BY_REPLICA, 2, (const int64_t[]){0, 1, 1, 1}, 3, what,
                           w->series[0]));
}

static void record(work *w)
{
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_M2),
                                   LATMC_QUANTITY(is_field(w) ? LATMC_ACCEPTANCE : LATMC_CHANGED)};

    ok(record_series(w->lat, LATMC_METROPOLIS, 1, 5, 3, what, w->series[0]));
}

static void record_pairs(work *w)
{
    const latmc_recording pairs = {.size = sizeof pairs,
                                   .pair_count = 2,
                                   .pairs = (const int64_t[]){0, 1, 1, 1},
                                   .pair_quantities =
                                       (const latmc_quantity[]){LATMC_QUANTITY(LATMC_OVERLAP),
                                                                LATMC_QUANTITY(LATMC_LINK_OVERLAP)},
                                   .pair_series = w->series[0],
                                   .pair_quantity_count = 2};

    ok(record_pair_series(w->lat, LATMC_METROPOLIS, 1, 3, 0, NULL, NULL, &pairs));
}

static void sites(work *w)
{
    const latmc_type type = is_field(w) ? LATMC_FLOAT32 : LATMC_INT8;

    ok(get_replica(w->lat, 1, type, w->sites, sites_of(w)));
    ok(set_replica(w->lat, 0, type, w->sites, sites_of(w)));
}

static void state_hash(work *w)
{
    assert_true(hash_of(w->lat) != 0);
}

static void set_device(work *w)
{
    refused(LATMC_ERROR_NO_DEVICE, "there are", latmc_set_device(w->lat, "tpu"));
    ok(latmc_set_device(w->lat, strcmp(w->device, "cpu:scalar") ? "cpu:scalar" : "cpu"));
    ok(latmc_set_device(w->lat, w->device));
    ok(latmc_get_device(w->lat, (char[32]){0}, 32));
}

static void save(work *w)
{
    ok(latmc_save(w->lat, w->path));
    w->saved = save_whole(w->lat, &w->bytes);
}

static void load(work *w)
{
    latmc_destroy(w->lat);
    ok(latmc_load(&w->lat, w->path));
    latmc_destroy(w->lat);
    ok(latmc_load_memory(&w->lat, w->saved, w->bytes));
    ((char *)w->saved)[w->bytes / 2] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "checksum",
            latmc_load_memory(&(latmc_lattice *){NULL}, w->saved, w->bytes));
    free(w->saved);
    unlink(w->path);
}

static void place(work *w)
{
    ok(latmc_set_device(w->lat, w->device));
    ok(latmc_sweep(w->lat, LATMC_METROPOLIS, 1));
}

static void destroy(work *w)
{
    latmc_destroy(w->lat);
}

/* A series so correlated that the window is wide: the Gamma method then uses a transform. */
static void analyse(work *w)
{
    const double *series[] = {w->series[0], w->series[1]};
    latmc_estimate e = LATMC_INIT(latmc_estimate);

    for (int i = 0; i < SERIES; i++) {
        w->series[0][i] = 2.0 + (i / 500 % 2) + 1e-3 * (i % 7);
        w->series[1][i] = 7.0 + (i / 500 % 2) + 1e-3 * (i % 5);
    }
    ok(latmc_analyse(w->series[0], SERIES, &e));
    ok(latmc_binned(w->series[0], SERIES, 10, &e));
    ok(jackknife(series, 2, SERIES, 20, latmc_binder, NULL, &e));
    ok(average_derived(series, 2, SERIES, latmc_binder, NULL, &e));
    ok(latmc_average(w->series[0], SERIES, &e));
    ok(latmc_compare(&e, 1, NULL, NULL));
    ok(latmc_autocorrelation(w->series[0], SERIES, SERIES / 2, w->series[1]));
}

static const call calls[] = {
    {"device_describe", devices},
    {"describe, find", describe},
    {"create, set", create},
    {"bond_couplings", set_bonds},
    {"start", start},
    {"sweep", sweep},
    {"set_params", set_params},
    {"sweep, other rule", sweep},
    {"sweep, other update", sweep_otherwise},
    {"sweep, tiles", sweep_tiles},
    {"sweep, cut-off", sweep_cutoff},
    {"tune", tune},
    {"observe", observe},
    {"observe_pairs", observe_pairs},
    {"record", record},
    {"record_pairs", record_pairs},
    {"get_sites, set_sites", sites},
    {"state_hash", state_hash},
    {"set_device", set_device},
    {"save", save},
    {"load", load},
    {"sweep, loaded", place},
    {"destroy", destroy},
    {"analyse, bin, jackknife", analyse},
};

/* ---- painted stacks */

static size_t most[ALL(calls)]; /* that a call has used */
static const call *current;
static work *shared;

static void *run(void *none)
{
    current->make(shared);
    return none;
}

static void *nothing(void *none)
{
    return none;
}

/* Runs it at the upper end of the memory; how much of that it has written to. */
static size_t used_by(void *(*body)(void *), unsigned char *memory)
{
    const size_t all = BELOW + STACK;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;

    memset(memory, PAINT, all);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, memory + BELOW, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, body, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    while (untouched < all && memory[untouched] == PAINT)
        untouched++;
    return all - untouched;
}

static void run_all(work *w)
{
    unsigned char *memory =
        mmap(NULL, BELOW + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(memory != MAP_FAILED && STACK >= PTHREAD_STACK_MIN);
    shared = w;
    for (size_t i = 0; i < ALL(calls); i++) {
        size_t used;

        current = &calls[i];
        used = used_by(run, memory);
        most[i] = used > most[i] ? used : most[i];
        if (used > STACK)
            fail_msg("%s on %s: %zu bytes of stack", calls[i].name, w->device, used);
    }
    munmap(memory, BELOW + STACK);
}

static const work works[] = {
    {.model = LATMC_ISING, .dims = 2, .extents = {66, 64}, .boundaries = {P, P}},
    {.model = LATMC_ISING, .dims = 3, .extents = {7, 6, 5}, .boundaries = {P, A, O}},
    {.model = LATMC_ISING, .dims = 4, .extents = {6, 4, 4, 6}, .boundaries = {P, P, P, P}},
    {.model = LATMC_PHI4, .dims = 1, .extents = {500}, .boundaries = {P}},
    {.model = LATMC_PHI4, .dims = 2, .extents = {67, 31}, .boundaries = {P, O}},
    {.model = LATMC_PHI4, .dims = 3, .extents = {16, 17, 18}, .boundaries = {A, P, P}},
    {.model = LATMC_PHI4, .dims = 4, .extents = {9, 8, 7, 6}, .boundaries = {P, O, P, A}},
};

static void run_on(const char *device)
{
    work *w = malloc(sizeof *w);

    assert_non_null(w);
    for (size_t i = 0; i < ALL(works); i++)
        for (int threads = 1; threads <= 2; threads++) {
            *w = works[i];
            w->device = device;
            w->threads = threads;
            snprintf(w->path, sizeof w->path, "/tmp/latmc-stack-%ld", (long)getpid());
            run_all(w);
        }
    free(w);
}

/* On all lanes. What a GPU's driver needs is its own affair. */
static void every_call_on_a_small_stack(void **state)
{
    latmc_device_info info = LATMC_INIT(latmc_device_info);
    int lanes = 0;

    (void)state;
    for (int64_t i = 0; i < known_devices(); i++) {
        ok(latmc_describe_device(i, &info));
        if (!info.usable || strncmp(info.name, "cpu:", 4) != 0)
            continue;
        run_on(info.name);
        lanes++;
    }
    print_message("%d lanes\n", lanes);
    assert_true(lanes > 0);
}

/* Says how much, with what a thread has on its stack that calls nothing. */
static int report(void **state)
{
    unsigned char *memory =
        mmap(NULL, BELOW + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    print_message("%6zu bytes of stack: a thread\n", used_by(nothing, memory));
    for (size_t i = 0; i < ALL(calls); i++)
        print_message("%6zu bytes of stack: %s\n", most[i], calls[i].name);
    return munmap(memory, BELOW + STACK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_on_a_small_stack),
    };

    return cmocka_run_group_tests(tests, NULL, report);
}
