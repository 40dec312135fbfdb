/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call that can fail half-way, each with a lattice to call it on: what the tests of
 * failing allocations and failing devices walk through.
 */
#ifndef LM_TESTS_SCENE_H
#define LM_TESTS_SCENE_H

#include "tests/support.h"

#include <stdlib.h>

/* What the calls below work on. */
typedef struct scene {
    latmc_lattice *lat;
    latmc_lattice *made; /* by a call that makes one */
    void *saved;         /* a lattice in memory */
    size_t bytes;
    const char *target;      /* a device to go to */
    const char *path;        /* and in a file */
    double numbers[3 * 210]; /* what a call may write */
} scene;

/* The lattice of a scene: not started; started; loaded, its sites still in host memory. */
enum { FRESH, STARTED, LOADED };

typedef struct step {
    const char *name; /* of the function, after "latmc_", and perhaps of the case */
    int lattice;
    int allocates; /* at least once */
    latmc_status (*call)(scene *s);
} step;

static inline latmc_status scene_create(scene *s)
{
    return latmc_create(&s->made, LATMC_ISING, 2, (int64_t[]){4, 4});
}

static inline latmc_status scene_set_replicas(scene *s)
{
    return latmc_set_replicas(s->lat, 5);
}

static inline latmc_status scene_set_bonds(scene *s)
{
    double bonds[3 * 210];

    for (size_t i = 0; i < ALL(bonds); i++)
        bonds[i] = -1.0;
    return latmc_set_bond_couplings(s->lat, bonds);
}

static inline latmc_status scene_draw_bonds(scene *s)
{
    return latmc_draw_bond_couplings(s->lat, LATMC_PLUS_MINUS_ONE, 3);
}

static inline latmc_status scene_start(scene *s)
{
    return latmc_start(s->lat, LATMC_START_COLD);
}

static inline latmc_status scene_set_sites(scene *s)
{
    int8_t sites[210];

    memset(sites, -1, sizeof sites);
    return latmc_set_sites(s->lat, 1, LATMC_INT8, sites, 210);
}

static inline latmc_status scene_set_device(scene *s)
{
    return latmc_set_device(s->lat, s->target);
}

static inline latmc_status scene_set_params(scene *s)
{
    return latmc_set_params(s->lat, LATMC_BETA, (double[]){0.7, 0.8});
}

static inline latmc_status scene_sweep(scene *s)
{
    latmc_status status = latmc_set_param(s->lat, LATMC_BETA, 0.77);

    return status ? status : latmc_sweep(s->lat, LATMC_METROPOLIS, 2);
}

static inline latmc_status scene_observe(scene *s)
{
    return latmc_observe(s->lat, LATMC_ENERGY, s->numbers);
}

static inline latmc_status scene_record(scene *s)
{
    const latmc_observable energy = LATMC_ENERGY;

    return latmc_record(s->lat, LATMC_HEATBATH, 2, 5, 1, &energy, s->numbers);
}

static inline latmc_status scene_get_sites(scene *s)
{
    return latmc_get_sites(s->lat, 0, LATMC_INT8, s->numbers, 210);
}

static inline latmc_status scene_state_hash(scene *s)
{
    return latmc_state_hash(s->lat, (uint64_t *)s->numbers);
}

static inline latmc_status scene_save(scene *s)
{
    return latmc_save(s->lat, s->path);
}

static inline latmc_status scene_save_memory(scene *s)
{
    return latmc_save_memory(s->lat, s->saved, s->bytes, &s->bytes);
}

static inline latmc_status scene_load(scene *s)
{
    return latmc_load(&s->made, s->path);
}

static inline latmc_status scene_load_memory(scene *s)
{
    return latmc_load_memory(&s->made, s->saved, s->bytes);
}

static const step steps[] = {
    {"create", FRESH, 1, scene_create},
    {"set_replicas", FRESH, 1, scene_set_replicas},
    {"set_bond_couplings", FRESH, 1, scene_set_bonds},
    {"draw_bond_couplings", FRESH, 0, scene_draw_bonds},
    {"start", FRESH, 1, scene_start},
    {"start again", STARTED, 0, scene_start},
    {"start, loaded", LOADED, 1, scene_start},
    {"set_sites, first", FRESH, 1, scene_set_sites},
    {"set_sites", STARTED, 1, scene_set_sites},
    {"set_sites, loaded", LOADED, 1, scene_set_sites},
    {"set_device", STARTED, 1, scene_set_device},
    {"set_device, loaded", LOADED, 0, scene_set_device},
    {"set_params", STARTED, 0, scene_set_params},
    {"sweep", STARTED, 1, scene_sweep},
    {"sweep, loaded", LOADED, 1, scene_sweep},
    {"observe", STARTED, 1, scene_observe},
    {"observe, loaded", LOADED, 1, scene_observe},
    {"record", STARTED, 1, scene_record},
    {"record, loaded", LOADED, 1, scene_record},
    {"get_sites", STARTED, 0, scene_get_sites},
    {"get_sites, loaded", LOADED, 0, scene_get_sites},
    {"state_hash", STARTED, 1, scene_state_hash},
    {"state_hash, loaded", LOADED, 1, scene_state_hash},
    {"save", STARTED, 1, scene_save},
    {"save, loaded", LOADED, 1, scene_save},
    {"save_memory", STARTED, 1, scene_save_memory},
    {"load", STARTED, 1, scene_load},
    {"load_memory", STARTED, 1, scene_load_memory},
};

/* A lattice at `home`, or on its way to `target`; the file is made anew. */
static inline void set_the_scene(scene *s, const step *p, const char *home, const char *target,
                                 const char *path)
{
    *s = (scene){.lat = rich_lattice(1), .target = target, .path = path};
    ok(latmc_save_memory(s->lat, NULL, 0, &s->bytes));
    s->saved = malloc(s->bytes);
    assert_non_null(s->saved);
    ok(latmc_save_memory(s->lat, s->saved, s->bytes, &s->bytes));
    ok(latmc_save(s->lat, s->path));
    if (p->lattice != STARTED)
        latmc_destroy(s->lat);
    if (p->lattice == FRESH) {
        s->lat = new_lattice(3, (int64_t[]){7, 6, 5});
        ok(latmc_set_replicas(s->lat, 2));
        ok(latmc_draw_bond_couplings(s->lat, LATMC_PLUS_MINUS_ONE, 1));
    }
    if (p->lattice == LOADED)
        ok(latmc_load_memory(&s->lat, s->saved, s->bytes));
    ok(latmc_set_device(s->lat, p->lattice == LOADED ? target : home));
    if (p->lattice == STARTED) /* so that something is left to fetch */
        ok(latmc_sweep(s->lat, LATMC_METROPOLIS, 1));
}

static inline void clear_the_scene(scene *s)
{
    latmc_destroy(s->lat);
    latmc_destroy(s->made);
    free(s->saved);
}

/* All that a failed call must leave alone, as one number. */
static inline uint64_t fingerprint(scene *s, const step *p)
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
    return p->lattice == FRESH ? sum : sum ^ hash_of(s->lat);
}

/* What makes things fail: the nth of them, counted from here; how many there were. */
typedef struct saboteur {
    void (*arm)(long n);
    long (*disarm)(void);
    latmc_status status; /* what the call must come to */
    const char *part;    /* of its message */
    const char *home, *target, *path;
} saboteur;

/* Does the message begin with the name of the function that was called? */
static inline int names_function(const char *step_name)
{
    const size_t length = strcspn(step_name, " ,");
    const char *message = latmc_error_message();

    return strncmp(message, "latmc_", 6) == 0 && strncmp(message + 6, step_name, length) == 0 &&
           strncmp(message + 6 + length, ": ", 2) == 0;
}

/* Lets one thing after another fail in a call, until it succeeds. Returns how many there
 * were. After each failure the lattice is as before, and the call then succeeds. */
static inline long walk(const step *p, const saboteur *by)
{
    for (long n = 1;; n++) {
        latmc_status status;
        uint64_t before;
        scene s;
        long seen;

        set_the_scene(&s, p, by->home, by->target, by->path);
        before = fingerprint(&s, p);
        by->arm(n);
        status = p->call(&s);
        seen = by->disarm();
        if (status == LATMC_OK) {
            clear_the_scene(&s);
            if (seen >= n)
                fail_msg("%s: failure %ld went unnoticed", p->name, n);
            return seen;
        }
        if (status != by->status || !strstr(latmc_error_message(), by->part) ||
            !names_function(p->name))
            fail_msg("%s, failure %ld: %s (%s)", p->name, n, latmc_status_name(status),
                     latmc_error_message());
        if (fingerprint(&s, p) != before)
            fail_msg("%s, failure %ld: the lattice has changed", p->name, n);
        ok(p->call(&s));
        clear_the_scene(&s);
    }
}

#endif
