/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation of every call fails in turn: LATMC_ERROR_MEMORY each time, and the
 * lattice is as before. Linked with --wrap for the allocating functions.
 */
#include "tests/lib/scene.h"

#include <errno.h>
#include <unistd.h>

static long allocations; /* since arm() */
static long fails_at;    /* 0: none */

static int must_fail(void)
{
    return ++allocations == fails_at;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **out, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return must_fail() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return must_fail() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return must_fail() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return must_fail() ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes)
{
    return must_fail() ? ENOMEM : __real_posix_memalign(out, alignment, bytes);
}

static void arm(long n)
{
    allocations = 0;
    fails_at = n;
}

static long disarm(void)
{
    fails_at = 0;
    return allocations;
}

static void every_failure_leaves_the_lattice(void **state)
{
    char path[] = "/tmp/latmc-alloc-XXXXXX";
    const saboteur by = {.arm = arm,
                         .disarm = disarm,
                         .status = LATMC_ERROR_MEMORY,
                         .part = " bytes",
                         .home = "cpu:scalar",
                         .target = "cpu",
                         .path = path};
    long total = 0;

    (void)state;
    close(mkstemp(path));
    for (size_t i = 0; i < ALL(steps); i++) {
        const long seen = walk(&steps[i], &by);

        total += seen;
        if (seen < steps[i].allocates)
            fail_msg("%s: no allocation was seen; is the program linked with --wrap?",
                     steps[i].name);
    }
    unlink(path);
    print_message("%ld allocations\n", total);
    assert_true(total > 30);
}

/* ---- the phi^4 model: its calls one after another, on one lattice
 *
 * But for latmc_tune(), which may fail between sweeps, and then those that were done count. */

static const char *other_device;

static latmc_status field_start(latmc_lattice *l)
{
    return latmc_start(l, LATMC_START_HOT);
}

static latmc_status field_sweep(latmc_lattice *l)
{
    return latmc_sweep(l, LATMC_METROPOLIS, 2);
}

static latmc_status field_cutoff(latmc_lattice *l)
{
    const latmc_status status = latmc_set_params(l, LATMC_INV_LAMBDA, (double[]){0.0, 0.25, 0.5});
    return status ? status : field_sweep(l);
}

static latmc_status field_blocks(latmc_lattice *l)
{
    return latmc_sweep(l, LATMC_BLOCK_METROPOLIS, 1);
}

static latmc_status field_record(latmc_lattice *l)
{
    static const latmc_observable xi = LATMC_STRUCTURE_0;
    double values[6];
    return latmc_record(l, LATMC_OVERRELAX, 1, 2, 1, &xi, values);
}

static latmc_status field_move(latmc_lattice *l)
{
    return latmc_set_device(l, other_device);
}

static const struct {
    const char *name;
    latmc_status (*call)(latmc_lattice *);
} field_calls[] = {
    {"start", field_start},     {"sweep", field_sweep},         {"sweep, cut-off", field_cutoff},
    {"sweep", field_sweep},     {"sweep, tiles", field_blocks}, {"record", field_record},
    {"set_device", field_move}, {"sweep", field_sweep},
};

static latmc_lattice *field_of(const char *device)
{
    latmc_lattice *l;
    ok(latmc_create(&l, LATMC_PHI4, 3, (int64_t[]){13, 6, 8}));
    ok(latmc_set_boundaries(l, (latmc_boundary[]){P, O, A}));
    ok(latmc_set_replicas(l, 3));
    ok(latmc_set_device(l, device));
    return l;
}

/* Lets one allocation after another fail until the call succeeds; how many there were. */
static long call_with_failures(latmc_lattice *l, size_t call)
{
    uint64_t before = call > 0 ? hash_of(l) : 0;
    for (long n = 1;; n++) {
        arm(n);
        const latmc_status status = field_calls[call].call(l);
        const long seen = disarm();
        if (status == LATMC_OK && seen >= n)
            fail_msg("call %d: failure %ld went unnoticed", (int)call, n);
        if (status == LATMC_OK)
            return seen;
        assert_int_equal(status, LATMC_ERROR_MEMORY);
        if (!names_function(field_calls[call].name) || !strstr(latmc_error_message(), " bytes"))
            fail_msg("%s: \"%s\"", field_calls[call].name, latmc_error_message());
        if (call > 0 && hash_of(l) != before)
            fail_msg("call %d, failure %ld: the sites have changed", (int)call, n);
    }
}

static void every_failure_leaves_the_field(void **state)
{
    latmc_lattice *calm, *l;
    long total = 0;

    if (!usable(*state))
        skip();
    other_device = strcmp(*state, "cpu:scalar") ? "cpu:scalar" : "cpu";
    calm = field_of(*state);
    l = field_of(*state);
    for (size_t call = 0; call < ALL(field_calls); call++) {
        ok(field_calls[call].call(calm));
        total += call_with_failures(l, call);
        if (hash_of(l) != hash_of(calm))
            fail_msg("call %d: another trajectory after failures", (int)call);
    }
    latmc_destroy(l);
    latmc_destroy(calm);
    print_message("%ld allocations\n", total);
    assert_true(total > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_leaves_the_lattice),
        cmocka_unit_test_prestate(every_failure_leaves_the_field, "cpu:scalar"),
        cmocka_unit_test_prestate(every_failure_leaves_the_field, "cpu:avx512"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
