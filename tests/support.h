/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the interface share. Include once in a program. */
#ifndef LM_TESTS_SUPPORT_H
#define LM_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <latmc/latmc.h>

#include "tests/numbers.h"
#include "tests/promise.h"
#include "tests/recording.h"
#include "tests/sites.h"

#define ALL(array) (sizeof(array) / sizeof((array)[0]))

#define P LATMC_PERIODIC
#define A LATMC_ANTIPERIODIC
#define O LATMC_OPEN

/* The call succeeds. */
#define ok(call) support_ok(call, #call, __FILE__, __LINE__)

/* The call fails with `status` and a message that contains `part`. */
#define refused(status, part, call) support_refused(status, part, call, #call, __FILE__, __LINE__)

/* Whether upper halves of this thread's vector registers are in use. While they are, processors
 * let instructions of older sets wait for what was in their registers before, and a host that is
 * compiled for those may run at a fraction of its speed: no call may leave them so. */
#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

static inline int support_wide_registers(void)
{
    enum { UPPER_256 = 1 << 2, UPPER_512 = 1 << 6 };
    static int can_tell = -1; /* the processor and the system, by XGETBV of register 1 */
    unsigned a, b, c, d;

    if (can_tell < 0) {
        can_tell = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE;
        can_tell = can_tell && __get_cpuid_count(13, 1, &a, &b, &c, &d) && a & 4;
    }
    if (!can_tell)
        return 0;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
    return (a & (UPPER_256 | UPPER_512)) != 0;
}
#else
static inline int support_wide_registers(void)
{
    return 0;
}
#endif

static inline void support_ok(latmc_status got, const char *call, const char *file, int line)
{
    if (got == LATMC_OK && !support_wide_registers())
        return;
    if (got == LATMC_OK)
        print_error("leaves upper halves of vector registers in use\n");
    print_error("%s: %s (%s)\n", call, latmc_status_name(got), latmc_error_message());
    _fail(file, line);
}

static inline void support_refused(latmc_status want, const char *part, latmc_status got,
                                   const char *call, const char *file, int line)
{
    if (got == want && strstr(latmc_error_message(), part))
        return;
    print_error("%s: %s (%s), not %s with \"%s\"\n", call, latmc_status_name(got),
                latmc_error_message(), latmc_status_name(want), part);
    _fail(file, line);
}

static inline int64_t known_devices(void)
{
    int64_t count;

    ok(latmc_count_devices(&count));
    return count;
}

static inline int support_finds(const char *device)
{
    for (int64_t i = 0; i < known_devices(); i++) {
        latmc_device_info info = {.size = sizeof info};
        ok(latmc_describe_device(i, &info));
        if (strcmp(info.name, device) == 0)
            return info.usable;
    }
    return 0;
}

/* Whether a device is there. It fails if the device was promised and is not. */
static inline int usable(const char *device)
{
    const int found = support_finds(device);

    if (!found && promised(device))
        fail_msg(PROMISE_BROKEN, device);
    return found;
}

/* The test ends here, as skipped, if the device is not there. */
static inline void needs(const char *device)
{
    if (!usable(device))
        skip();
}

/* The devices that trajectories are compared on. */
static const char *const every_device[] = {"cpu:scalar", "cpu:avx2", "cpu:avx512", "cpu:neon",
                                           "cuda:0"};

/* Whether the kind of device has the model. */
static inline int has_model(const char *device, int model)
{
    latmc_lattice *lattice = NULL;
    latmc_status status;

    ok(latmc_create(&lattice, (latmc_model)model, 1, (int64_t[]){4}));
    ok(latmc_set_device(lattice, device));
    status = latmc_start(lattice, LATMC_START_COLD);
    latmc_destroy(lattice);
    return status != LATMC_ERROR_NO_DEVICE;
}

/* A lattice's shape, and which replicas of an ensemble it has. */
typedef struct shape {
    int dims;
    int64_t extents[4];
    latmc_boundary boundaries[4];
    int64_t first, replicas;
} shape;

static inline latmc_lattice *new_lattice(int dims, const int64_t *extents)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_ISING, dims, extents));
    return lattice;
}

/* The option that keeps the sites in that type; a model whose sites have one type has none. */
static inline latmc_status set_type(latmc_lattice *lattice, latmc_type type)
{
    return type == LATMC_INT8 || type == LATMC_UINT8
               ? LATMC_OK
               : latmc_set_option(lattice, LATMC_PRECISION, type == LATMC_FLOAT64 ? 64 : 32);
}

static inline uint64_t hash_of(latmc_lattice *lattice)
{
    uint64_t hash = 0;

    ok(latmc_state_hash(lattice, &hash));
    return hash;
}

/* What latmc_save_memory() writes; to be freed. */
static inline uint8_t *save_whole(latmc_lattice *lattice, size_t *bytes)
{
    uint8_t *saved;

    ok(latmc_save_memory(lattice, NULL, 0, bytes));
    saved = malloc(*bytes);
    assert_non_null(saved);
    ok(latmc_save_memory(lattice, saved, *bytes, bytes));
    return saved;
}

static inline latmc_lattice_info info_of(const latmc_lattice *lattice)
{
    latmc_lattice_info info = {.size = sizeof info};

    ok(latmc_get_lattice_info(lattice, &info));
    return info;
}

/*
 * A lattice in which as much as possible is not preset: odd extents, all boundaries,
 * bonds (0: none, 1: given, 2: drawn, with a sample for each replica), two replicas, swept. Started
 * on "cpu:scalar".
 */
static inline latmc_lattice *rich_lattice(int bonds)
{
    const int64_t extents[3] = {7, 6, 5};
    latmc_lattice *lattice = new_lattice(3, extents);
    double given[3 * 210];
    uint64_t state = 11;

    for (size_t i = 0; i < ALL(given); i++)
        given[i] = (double)(next_random(&state) % 3) - 1.0;
    ok(latmc_set_replicas(lattice, 2));
    ok(latmc_set_first_replica(lattice, 40));
    ok(latmc_set_boundaries(lattice,
                            (latmc_boundary[]){LATMC_PERIODIC, LATMC_ANTIPERIODIC, LATMC_OPEN}));
    ok(latmc_set_seed(lattice, 0xfedcba9876543210u));
    ok(latmc_set_params(lattice, LATMC_BETA, (double[]){0.3, 0.9}));
    ok(latmc_set_param(lattice, LATMC_FIELD, -0.125));
    ok(latmc_set_bond_type_couplings(lattice, (double[]){1.0, 0.5, -2.0}));
    if (bonds == 1)
        ok(latmc_set_bond_couplings(lattice, given));
    if (bonds == 2)
        ok(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 99, 2,
                                     (const latmc_argument[]){LATMC_DRAW_PLUS, LATMC_DRAW_MISSING},
                                     (const double[]){0.75, 0.125}));
    if (bonds == 2)
        ok(latmc_set_samples(lattice, 2, 7));
    ok(latmc_set_device(lattice, "cpu:scalar"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 5));
    return lattice;
}

/* One observable, one value per replica. */
static inline latmc_quantity quantity_of(latmc_observable observable, int index)
{
    return (latmc_quantity)LATMC_QUANTITY(observable, index);
}

/* Is it one that the lattice has? */
static inline int has_quantity(const latmc_lattice *lattice, latmc_quantity quantity)
{
    int64_t sizes[2];

    ok(latmc_quantity_sizes(lattice, (latmc_observable)quantity.observable, sizes));
    return quantity.index < sizes[0] && quantity.second < sizes[1];
}

static inline latmc_status observe_one(latmc_lattice *lattice, latmc_observable what,
                                       double *values)
{
    return latmc_observe(lattice, LATMC_BY_REPLICA, 1, (latmc_quantity[]){quantity_of(what, 0)},
                         values);
}

/* A step of a schedule: sweeps, and the exchanges after them. */
static inline latmc_step step_of(latmc_update update, int64_t sweeps, int64_t exchanges)
{
    return (latmc_step){.size = sizeof(latmc_step),
                        .update = (int32_t)update,
                        .sweeps = sweeps,
                        .exchanges = exchanges};
}

/* The step with its own value of a parameter. */
static inline latmc_step step_with(latmc_step step, const latmc_param *param, const double *value)
{
    step.param_count = 1;
    step.params = param;
    step.values = value;
    return step;
}

/* A schedule of one step. */
static inline latmc_status set_round(latmc_lattice *lattice, latmc_update update, int64_t sweeps,
                                     int64_t exchanges)
{
    return latmc_set_schedule(lattice, 1, (latmc_step[]){step_of(update, sweeps, exchanges)});
}

static inline latmc_step get_step(const latmc_lattice *lattice, int64_t number)
{
    latmc_step step = LATMC_INIT(latmc_step);

    ok(latmc_get_step(lattice, number, &step));
    return step;
}

/* Two lattices are the same in all that can be asked. */
static inline void assert_same(latmc_lattice *a, latmc_lattice *b)
{
    const latmc_quantity observables[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                          LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                          LATMC_QUANTITY(LATMC_CHANGED)};
    const latmc_param params[] = {LATMC_BETA, LATMC_FIELD};
    latmc_lattice_info x = info_of(a), y = info_of(b);
    latmc_disorder_info of = LATMC_INIT(latmc_disorder_info),
                        other = LATMC_INIT(latmc_disorder_info);
    double u[3 * 64], v[3 * 64];
    const size_t bonds = (size_t)(x.bond_types * x.cells) * sizeof(double);
    double *u_bonds = malloc(bonds), *v_bonds = malloc(bonds);

    x.threads = y.threads = 0;
    assert_memory_equal(&x, &y, sizeof x);
    assert_true(x.replicas <= 64);
    assert_true(hash_of(a) == hash_of(b));
    ok(latmc_get_coupling_info(a, &of));
    ok(latmc_get_coupling_info(b, &other));
    assert_memory_equal(&of, &other, sizeof of);
    assert_true(u_bonds && v_bonds);
    for (int64_t j = 0; j < x.samples; j++) {
        ok(latmc_get_bond_couplings(a, j, u_bonds));
        ok(latmc_get_bond_couplings(b, j, v_bonds));
        assert_memory_equal(u_bonds, v_bonds, bonds);
    }
    free(u_bonds);
    free(v_bonds);
    for (size_t i = 0; i < ALL(params); i++) {
        ok(latmc_get_params(a, params[i], u));
        ok(latmc_get_params(b, params[i], v));
        assert_memory_equal(u, v, (size_t)x.replicas * sizeof *u);
    }
    ok(latmc_observe(a, LATMC_BY_REPLICA, ALL(observables), observables, u));
    ok(latmc_observe(b, LATMC_BY_REPLICA, ALL(observables), observables, v));
    assert_memory_equal(u, v, ALL(observables) * (size_t)x.replicas * sizeof *u);
}

#endif
