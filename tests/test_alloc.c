/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation of every call fails in turn: LATMC_ERROR_MEMORY each time, and the
 * lattice is as before. Linked with --wrap for the allocating functions.
 */
#include "tests/support.h"

#include <errno.h>
#include <stdlib.h>
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

/* What the calls below work on. */
typedef struct scene {
    latmc_lattice *lat;  /* started, or not */
    latmc_lattice *made; /* by a call that makes one */
    void *saved;         /* a lattice in memory */
    size_t bytes;
    const char *path;        /* and in a file */
    double numbers[3 * 210]; /* what a call may write */
} scene;

typedef struct step {
    const char *name;
    int started;
    int allocates; /* at least once */
    latmc_status (*call)(scene *s);
} step;

static latmc_status create(scene *s)
{
    return latmc_create(&s->made, LATMC_ISING, 2, (int64_t[]){4, 4});
}

static latmc_status set_replicas(scene *s)
{
    return latmc_set_replicas(s->lat, 5);
}

static latmc_status set_bonds(scene *s)
{
    double bonds[3 * 210];

    for (size_t i = 0; i < ALL(bonds); i++)
        bonds[i] = -1.0;
    return latmc_set_bond_couplings(s->lat, bonds);
}

static latmc_status draw_bonds(scene *s)
{
    return latmc_draw_bond_couplings(s->lat, LATMC_PLUS_MINUS_ONE, 3);
}

static latmc_status start(scene *s)
{
    return latmc_start(s->lat, LATMC_START_COLD);
}

static latmc_status set_sites(scene *s)
{
    int8_t sites[210];

    memset(sites, -1, sizeof sites);
    return latmc_set_sites(s->lat, 1, LATMC_INT8, sites, 210);
}

static latmc_status set_device(scene *s)
{
    return latmc_set_device(s->lat, "cpu");
}

static latmc_status set_params(scene *s)
{
    return latmc_set_params(s->lat, LATMC_BETA, (double[]){0.7, 0.8});
}

static latmc_status sweep(scene *s)
{
    latmc_status status = latmc_set_param(s->lat, LATMC_BETA, 0.77);

    return status ? status : latmc_sweep(s->lat, LATMC_METROPOLIS, 2);
}

static latmc_status observe(scene *s)
{
    return latmc_observe(s->lat, LATMC_ENERGY, s->numbers);
}

static latmc_status record(scene *s)
{
    const latmc_observable energy = LATMC_ENERGY;

    return latmc_record(s->lat, LATMC_HEATBATH, 2, 5, 1, &energy, s->numbers);
}

static latmc_status get_sites(scene *s)
{
    return latmc_get_sites(s->lat, 0, LATMC_INT8, s->numbers, 210);
}

static latmc_status state_hash(scene *s)
{
    return latmc_state_hash(s->lat, (uint64_t *)s->numbers);
}

static latmc_status save(scene *s)
{
    return latmc_save(s->lat, s->path);
}

static latmc_status save_memory(scene *s)
{
    return latmc_save_memory(s->lat, s->saved, s->bytes, &s->bytes);
}

static latmc_status load(scene *s)
{
    return latmc_load(&s->made, s->path);
}

static latmc_status load_memory(scene *s)
{
    return latmc_load_memory(&s->made, s->saved, s->bytes);
}

static const step steps[] = {
    {"create", 0, 1, create},
    {"set_replicas", 0, 1, set_replicas},
    {"set_bond_couplings", 0, 1, set_bonds},
    {"draw_bond_couplings", 0, 0, draw_bonds},
    {"start", 0, 1, start},
    {"start again", 1, 0, start},
    {"set_sites, first", 0, 1, set_sites},
    {"set_sites", 1, 1, set_sites},
    {"set_device", 1, 1, set_device},
    {"set_params", 1, 0, set_params},
    {"sweep", 1, 1, sweep},
    {"observe", 1, 1, observe},
    {"record", 1, 1, record},
    {"get_sites", 1, 0, get_sites},
    {"state_hash", 1, 1, state_hash},
    {"save", 1, 1, save},
    {"save_memory", 1, 1, save_memory},
    {"load", 1, 1, load},
    {"load_memory", 1, 1, load_memory},
};

static char path[] = "/tmp/latmc-alloc-XXXXXX";

static void set_the_scene(scene *s, const step *p)
{
    *s = (scene){.lat = rich_lattice(1), .path = path};
    ok(latmc_save_memory(s->lat, NULL, 0, &s->bytes));
    s->saved = malloc(s->bytes);
    assert_non_null(s->saved);
    ok(latmc_save_memory(s->lat, s->saved, s->bytes, &s->bytes));
    ok(latmc_save(s->lat, s->path));
    ok(latmc_sweep(s->lat, LATMC_METROPOLIS, 1)); /* something is left to fetch */
    if (p->started)
        return;
    latmc_destroy(s->lat);
    s->lat = new_lattice(3, (int64_t[]){7, 6, 5});
    ok(latmc_set_replicas(s->lat, 2));
    ok(latmc_draw_bond_couplings(s->lat, LATMC_PLUS_MINUS_ONE, 1));
}

static void clear_the_scene(scene *s)
{
    latmc_destroy(s->lat);
    latmc_destroy(s->made);
    free(s->saved);
}

/* All that a failed call must leave alone, as one number. */
static uint64_t fingerprint(scene *s, const step *p)
{
    latmc_lattice_info info = info_of(s->lat);
    double bonds[3 * 210];
    uint64_t sum =
        (uint64_t)info.replicas + 1000 * (uint64_t)info.sweeps + 1000000 * (uint64_t)info.started;

    assert_null(s->made);
    ok(latmc_get_bond_couplings(s->lat, bonds));
    for (size_t i = 0; i < ALL(bonds); i++)
        sum = 31 * sum + (uint64_t)(bonds[i] + 1.0);
    for (size_t i = 0; i < ALL(s->numbers); i++)
        assert_true(s->numbers[i] == 0.0);
    return p->started ? sum ^ hash_of(s->lat) : sum;
}

/* Returns how many allocations the call makes. */
static long walk(const step *p)
{
    for (long n = 1;; n++) {
        latmc_status status;
        uint64_t before;
        scene s;
        long made;

        set_the_scene(&s, p);
        before = fingerprint(&s, p);
        arm(n);
        status = p->call(&s);
        made = disarm();
        if (status == LATMC_OK) {
            clear_the_scene(&s);
            if (made >= n)
                fail_msg("%s: allocation %ld failed, and nobody noticed", p->name, n);
            return made;
        }
        if (status != LATMC_ERROR_MEMORY || !strstr(latmc_error_message(), "memory"))
            fail_msg("%s, allocation %ld: %s (%s)", p->name, n, latmc_status_name(status),
                     latmc_error_message());
        if (fingerprint(&s, p) != before)
            fail_msg("%s, allocation %ld: the lattice has changed", p->name, n);
        ok(p->call(&s));
        clear_the_scene(&s);
    }
}

static void every_failure_leaves_the_lattice(void **state)
{
    long total = 0;

    (void)state;
    close(mkstemp(path));
    for (size_t i = 0; i < ALL(steps); i++) {
        const long made = walk(&steps[i]);

        total += made;
        if (made < steps[i].allocates)
            fail_msg("%s: no allocation was seen; is the program linked with --wrap?",
                     steps[i].name);
    }
    unlink(path);
    print_message("%ld allocations\n", total);
    assert_true(total > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_leaves_the_lattice),
    };

    /* Loading chooses "auto", and this is about the library's own memory. */
    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
