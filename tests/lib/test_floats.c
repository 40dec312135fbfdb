/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's floating-point environment (rounding, subnormal numbers, traps, the x87 unit's
 * precision) changes no bit of anything, whether it was set before the library made threads or
 * after; and after every call it is as it was, flags included. Callbacks run in it.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>

#include "backends/cpu/team/team.h"
#include "tests/lib/child.h"
#include "tests/sites.h"
#include "tests/derived.h"

/* ---- the environment, as numbers */

typedef struct environment {
    uint32_t control, x87; /* what is set, and the flags */
} environment;

#if defined(__x86_64__)
enum { UP = 0x4000, DOWN = 0x2000, ZERO = 0x6000, FLUSH = 0x8040, MASKS = 0x1F80, FLAGS = 0x21 };

static environment look(void)
{
    uint32_t control;
    uint16_t x87;

    __asm__ volatile("stmxcsr %0" : "=m"(control) : : "memory");
    __asm__ volatile("fnstcw %0" : "=m"(x87) : : "memory");
    return (environment){control, x87};
}

static void put(environment e)
{
    const uint16_t x87 = (uint16_t)e.x87;

    __asm__ volatile("fldcw %0" : : "m"(x87) : "memory");
    __asm__ volatile("ldmxcsr %0" : : "m"(e.control) : "memory");
}

/* Flags are there that no operation here raises: invalid, inexact. */
static const struct mode {
    const char *name;
    environment environment;
} modes[] = {
    {"upward", {MASKS | UP, 0x0B7F}},
    {"downward", {MASKS | DOWN | FLAGS, 0x077F}},
    {"toward zero", {MASKS | ZERO, 0x0F7F}},
    {"no subnormals", {MASKS | FLUSH | FLAGS, 0x037F}},
    {"toward zero, no subnormals", {MASKS | ZERO | FLUSH, 0x0F7F}},
    {"traps", {0, 0x0340}},
    {"x87 single", {MASKS, 0x007F}},
};
#else
static environment look(void)
{
    return (environment){(uint32_t)fegetround(), (uint32_t)fetestexcept(FE_ALL_EXCEPT)};
}

static void put(environment e)
{
    fesetround((int)e.control);
    feclearexcept(FE_ALL_EXCEPT);
}

static const struct mode {
    const char *name;
    environment environment;
} modes[] = {{"upward", {FE_UPWARD, 0}},
             {"downward", {FE_DOWNWARD, 0}},
             {"toward zero", {FE_TOWARDZERO, 0}}};
#endif

/* ---- in the children, which compute nothing outside of the library */

static environment host; /* what is set */

/* The call succeeds and leaves the environment alone. */
static void check(latmc_status status, latmc_status wanted, const char *call)
{
    const environment now = look();

    if (status != wanted)
        printf("%s: %s (%s)\n", call, latmc_status_name(status), latmc_error_message());
    if (memcmp(&now, &host, sizeof now) != 0)
        printf("%s: leaves %x, %x of %x, %x\n", call, (unsigned)now.control, (unsigned)now.x87,
               (unsigned)host.control, (unsigned)host.x87);
}

#define DO(call)              check(call, LATMC_OK, #call)
#define REFUSED(status, call) check(call, status, #call)

static uint64_t digest_of(uint64_t digest, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        digest = (digest ^ ((const uint8_t *)data)[i]) * 0x100000001B3u;
    return digest;
}

/* Everything that can be asked of a lattice. */
static void tell(const char *what, latmc_lattice *l, const double *series, size_t count)
{
    uint64_t digest = digest_of(0xCBF29CE484222325u, series, count * sizeof *series), hash = 0;
    static uint8_t saved[1 << 17];
    size_t bytes = 0;
    latmc_lattice *again = NULL;

    DO(latmc_state_hash(l, &hash));
    DO(latmc_save_memory(l, saved, sizeof saved, &bytes));
    DO(latmc_load_memory(&again, saved, bytes));
    printf("%s %016llx %016llx %016llx\n", what, (unsigned long long)hash,
           (unsigned long long)digest, (unsigned long long)digest_of(1, saved, bytes));
    latmc_destroy(again);
}

/* Sees the host's environment. */
static int progress(void *user, int64_t done, int64_t total)
{
    check(LATMC_OK, LATMC_OK, "progress");
    (void)user;
    (void)done;
    (void)total;
    return 0;
}

static latmc_lattice *lattice_of(latmc_model model, int dims, const int64_t *extents, int threads)
{
    latmc_lattice *l = NULL;

    DO(latmc_create(&l, model, dims, extents));
    DO(latmc_set_device(l, "cpu"));
    DO(latmc_set_threads(l, threads));
    DO(latmc_set_replicas(l, 2));
    DO(latmc_set_progress(l, progress, NULL));
    return l;
}

static void ising(int threads)
{
    static const latmc_quantity all[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                         LATMC_QUANTITY(LATMC_ENERGY2),
                                         LATMC_QUANTITY(LATMC_ENERGY4),
                                         LATMC_QUANTITY(LATMC_M2),
                                         LATMC_QUANTITY(LATMC_M4),
                                         LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                         LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
                                         LATMC_QUANTITY(LATMC_CHANGED)};
    static const double beta[] = {0.31, 0.47}, axes[] = {1.0, 0.3, -0.7};
    static double series[ALL(all) * 2 * 5];
    latmc_lattice *l = lattice_of(LATMC_ISING, 3, (const int64_t[]){34, 12, 10}, threads);

    DO(latmc_set_params(l, LATMC_BETA, beta));
    DO(latmc_set_param(l, LATMC_FIELD, 0.1));
    DO(latmc_set_bond_type_couplings(l, axes));
    DO(latmc_start(l, LATMC_START_HOT));
    DO(latmc_sweep(l, LATMC_METROPOLIS, 7));
    DO(record_series(l, LATMC_HEATBATH, 3, 5, ALL(all), all, series));
    tell("ising", l, series, ALL(series));
    latmc_destroy(l);
}

/* Sites that are subnormal numbers, and stay so where nothing else is drawn. */
static void set_tiny(latmc_lattice *l, latmc_type type, int64_t count)
{
    static uint64_t wide[17 * 12 * 10];
    static uint32_t narrow[17 * 12 * 10];

    for (int64_t i = 0; i < count; i++)
        wide[i] = narrow[i] = (uint32_t)(i * i + 1);
    for (int r = 0; r < 2; r++)
        if (type == LATMC_FLOAT32)
            DO(set_replica(l, r, type, narrow, count));
        else
            DO(set_replica(l, r, type, wide, count));
}

static void field(latmc_type type, int threads)
{
    static const latmc_quantity all[] = {LATMC_QUANTITY(LATMC_ENERGY),
                                         LATMC_QUANTITY(LATMC_ENERGY4),
                                         LATMC_QUANTITY(LATMC_ENERGY_GRADIENT),
                                         LATMC_QUANTITY(LATMC_ENERGY_POTENTIAL),
                                         LATMC_QUANTITY(LATMC_ENERGY_CUTOFF),
                                         LATMC_QUANTITY(LATMC_MAGNETIZATION),
                                         LATMC_QUANTITY(LATMC_PHI_SQUARED),
                                         LATMC_QUANTITY(LATMC_PHI_FOURTH),
                                         LATMC_QUANTITY(LATMC_M2),
                                         LATMC_QUANTITY(LATMC_STRUCTURE, 0),
                                         LATMC_QUANTITY(LATMC_STRUCTURE, 1),
                                         LATMC_QUANTITY(LATMC_STRUCTURE, 2),
                                         LATMC_QUANTITY(LATMC_ACCEPTANCE)};
    static const latmc_quantity overlap = LATMC_QUANTITY(LATMC_OVERLAP);
    static double series[ALL(all) * 2 * 4 + 2];
    static double sites[17 * 12 * 10];
    const latmc_recording pairs = {.size = sizeof pairs,
                                   .pair_count = 1,
                                   .pairs = (const int64_t[]){0, 1},
                                   .pair_quantities = &overlap,
                                   .pair_series = series + 2,
                                   .pair_quantity_count = 1};
    latmc_lattice *l = lattice_of(LATMC_PHI4, 3, (const int64_t[]){17, 12, 10}, threads);

    DO(set_type(l, type));
    DO(latmc_set_option(l, LATMC_CUTOFF, 1));
    DO(latmc_set_params(l, LATMC_INV_LAMBDA, (const double[]){0.3, 0.0}));
    DO(latmc_set_param(l, LATMC_MU2, -0.7));
    DO(latmc_start(l, LATMC_START_HOT));
    DO(latmc_tune(l, LATMC_METROPOLIS, 5, 0.6));
    DO(latmc_get_params(l, LATMC_EPSILON, &series[ALL(series) - 2]));
    DO(latmc_sweep(l, LATMC_BLOCK_METROPOLIS, 2));
    DO(latmc_sweep(l, LATMC_OVERRELAX, 2));
    DO(record_series(l, LATMC_METROPOLIS, 2, 4, ALL(all), all, series));
    DO(latmc_observe(l, LATMC_BY_REPLICA, 1, (latmc_quantity[]){LATMC_QUANTITY(LATMC_STRUCTURE, 1)},
                     series));
    DO(latmc_observe_pairs(l, LATMC_BY_REPLICA, 1, (const int64_t[]){0, 1}, 1, &overlap,
                           series + 1));
    DO(record_pair_series(l, LATMC_METROPOLIS, 1, 2, 0, NULL, NULL, &pairs));
    DO(get_replica(l, 1, LATMC_FLOAT64, sites, ALL(sites)));
    DO(set_replica(l, 0, LATMC_FLOAT64, sites, ALL(sites)));
    DO(get_replica(l, 1, LATMC_FLOAT32, sites, ALL(sites)));
    DO(latmc_set_device(l, "cpu:scalar"));
    DO(latmc_sweep(l, LATMC_METROPOLIS, 1));
    series[0] = sites[0];
    tell(type == LATMC_FLOAT32 ? "float" : "double", l, series, ALL(series));
    set_tiny(l, type, ALL(sites));
    DO(latmc_sweep(l, LATMC_OVERRELAX, 2));
    tell("tiny", l, series, 1);
    latmc_destroy(l);
}

/* Sees the host's environment. */
static double ratio(const double *means, void *user)
{
    check(LATMC_OK, LATMC_OK, "derived");
    return latmc_binder(means, user);
}

static void analysis(void)
{
    enum { COUNT = 500 };
    static double a[COUNT], b[COUNT];
    const double *const both[] = {a, b};
    latmc_scale scale = {.size = sizeof scale, .beta = 0.3, .sites = 77.0};
    latmc_momentum momentum = {.size = sizeof momentum, .k = 0.3};
    latmc_estimate e[3] = {{.size = sizeof *e}, {.size = sizeof *e}, {.size = sizeof *e}};
    double derived[5];
    uint64_t state = 3;

    for (int i = 0; i < COUNT; i++) { /* exact, whatever is set */
        a[i] = (double)(int64_t)(next_random(&state) >> 20) * 0x1p-44 + (i > 0 ? a[i - 1] > 8 : 0);
        b[i] = (double)(int64_t)(next_random(&state) >> 20);
    }
    DO(latmc_analyse(a, COUNT, &e[0]));
    DO(latmc_binned(b, COUNT, 9, &e[1]));
    DO(jackknife(both, 2, COUNT, 7, ratio, NULL, &e[2]));
    derived[0] = latmc_specific_heat(b, &scale);
    derived[1] = latmc_susceptibility(b, &scale);
    derived[2] = latmc_binder(b, NULL);
    derived[3] = latmc_correlation_length((const double[]){7.0, 3.0}, &momentum);
    derived[4] = latmc_spin_glass_susceptibility(b, &scale);
    check(LATMC_OK, LATMC_OK, "formulas");
    printf("analysis %016llx %016llx\n", (unsigned long long)digest_of(1, e, sizeof e),
           (unsigned long long)digest_of(1, derived, sizeof derived));
}

/* Subnormal numbers are numbers. */
static void refusals(void)
{
    latmc_lattice *l = NULL, *m = NULL;
    double bonds[8] = {1, 1, 1, 1, 1, 1, 1, 1}, got[8];
    const uint64_t tiny = 1, minus_tiny = (uint64_t)1 << 63 | 1;
    double least, below;

    memcpy(&least, &tiny, sizeof least);
    memcpy(&below, &minus_tiny, sizeof below);
    memcpy(&bonds[3], &tiny, sizeof least);
    DO(latmc_create(&l, LATMC_PHI4, 2, (const int64_t[]){4, 4}));
    REFUSED(LATMC_ERROR_ARGUMENT, latmc_set_param(l, LATMC_G, below));
    REFUSED(LATMC_ERROR_ARGUMENT, latmc_set_params(l, LATMC_INV_LAMBDA, &below));
    DO(latmc_set_param(l, LATMC_G, least));
    DO(latmc_create(&m, LATMC_ISING, 2, (const int64_t[]){2, 2}));
    DO(latmc_set_bond_couplings(m, bonds)); /* not a sign, and kept as it is */
    DO(latmc_get_bond_couplings(m, 0, got));
    if (memcmp(got, bonds, sizeof got) != 0)
        fail_msg("a coupling of %a became %a", bonds[3], got[3]);
    DO(latmc_set_bond_type_couplings(m, (const double[]){1.0, 1.0}));
    latmc_destroy(l);
    latmc_destroy(m);
}

/* The mode is set before the first threads are made, or after. */
static int be_a_child(const char *mode, const char *when, int threads)
{
    lm_worth = (lm_team_worth){0}; /* small lattices are enough */
    lm_team_waits = 1;
    host = look();
    if (strcmp(when, "after") == 0)
        ising(threads);
    for (size_t i = 0; i < ALL(modes); i++)
        if (strcmp(modes[i].name, mode) == 0)
            host = modes[i].environment;
    put(host);
    ising(threads);
    field(LATMC_FLOAT32, threads);
    field(LATMC_FLOAT64, threads);
    analysis();
    refusals();
    return 0;
}

/* ---- in the parent */

static void no_mode_changes_a_bit(void **state)
{
    const char *const whens[] = {"before", "after"};

    (void)state;
    for (size_t w = 0; w < ALL(whens); w++) {
        const child want = child_run("none", whens[w], "1", NULL);

        assert_int_equal(want.status, 0);
        assert_true(strlen(want.text) > 200);
        for (size_t m = 0; m < ALL(modes); m++)
            for (int threads = 1; threads <= 3; threads += LM_SANITIZED ? 2 : 1) {
                const char number[] = {(char)('0' + threads), '\0'};
                const child got = child_run(modes[m].name, whens[w], number, NULL);
                char what[128];

                snprintf(what, sizeof what, "%s, %s, %s threads", modes[m].name, whens[w], number);
                child_wrote(&got, want.text, what);
            }
    }
}

/* ---- what a callback sets */

#ifdef FE_UPWARD
static int set_upward(void *user, int64_t done, int64_t total)
{
    (void)done;
    (void)total;
    *(int *)user = fegetround();
    return fesetround(FE_UPWARD);
}

static double set_downward(const double *means, void *user)
{
    *(int *)user = fegetround();
    fesetround(FE_DOWNWARD);
    return means[0];
}

static void what_a_callback_sets_stays(void **state)
{
    latmc_lattice *l = new_lattice(2, (const int64_t[]){4, 4});
    const double series[] = {1, 2, 3, 2, 1, 4};
    const double *const all[] = {series};
    latmc_estimate e = {.size = sizeof e};
    int seen = -1, now;

    (void)state;
    ok(latmc_start(l, LATMC_START_HOT));
    ok(latmc_set_progress(l, set_upward, &seen));
    fesetround(FE_TOWARDZERO);
    ok(latmc_sweep(l, LATMC_METROPOLIS, 1));
    now = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(seen, FE_TOWARDZERO);
    assert_int_equal(now, FE_UPWARD);
    fesetround(FE_UPWARD);
    ok(jackknife(all, 1, 6, 2, set_downward, &seen, &e));
    now = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(now, FE_DOWNWARD);
    latmc_destroy(l);
}
#else
static void what_a_callback_sets_stays(void **state)
{
    (void)state;
    skip();
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mode_changes_a_bit),
        cmocka_unit_test(what_a_callback_sets_stays),
    };

    if (argc > 3)
        return be_a_child(argv[1], argv[2], atoi(argv[3]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
