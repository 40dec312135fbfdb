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
    latmc_lattice *lat;  /* started, or not */
    latmc_lattice *made; /* by a call that makes one */
    void *saved;         /* a lattice in memory */
    size_t bytes;
    const char *target;      /* a device to go to */
    const char *path;        /* and in a file */
    double numbers[3 * 210]; /* what a call may write */
} scene;

typedef struct step {
    const char *name;
    int started;
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
    {"create", 0, 1, scene_create},
    {"set_replicas", 0, 1, scene_set_replicas},
    {"set_bond_couplings", 0, 1, scene_set_bonds},
    {"draw_bond_couplings", 0, 0, scene_draw_bonds},
    {"start", 0, 1, scene_start},
    {"start again", 1, 0, scene_start},
    {"set_sites, first", 0, 1, scene_set_sites},
    {"set_sites", 1, 1, scene_set_sites},
    {"set_device", 1, 1, scene_set_device},
    {"set_params", 1, 0, scene_set_params},
    {"sweep", 1, 1, scene_sweep},
    {"observe", 1, 1, scene_observe},
    {"record", 1, 1, scene_record},
    {"get_sites", 1, 0, scene_get_sites},
    {"state_hash", 1, 1, scene_state_hash},
    {"save", 1, 1, scene_save},
    {"save_memory", 1, 1, scene_save_memory},
    {"load", 1, 1, scene_load},
    {"load_memory", 1, 1, scene_load_memory},
};

/* A lattice at `home`; the file is made anew. */
static inline void set_the_scene(scene *s, const step *p, const char *home, const char *target,
                                 const char *path)
{
    *s = (scene){.lat = rich_lattice(1), .target = target, .path = path};
    ok(latmc_save_memory(s->lat, NULL, 0, &s->bytes));
    s->saved = malloc(s->bytes);
    assert_non_null(s->saved);
    ok(latmc_save_memory(s->lat, s->saved, s->bytes, &s->bytes));
    ok(latmc_save(s->lat, s->path));
    if (!p->started) {
        latmc_destroy(s->lat);
        s->lat = new_lattice(3, (int64_t[]){7, 6, 5});
        ok(latmc_set_replicas(s->lat, 2));
        ok(latmc_draw_bond_couplings(s->lat, LATMC_PLUS_MINUS_ONE, 1));
    }
    ok(latmc_set_device(s->lat, home));
    if (p->started) /* so that something is left to fetch */
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
    return p->started ? sum ^ hash_of(s->lat) : sum;
}

/* What makes things fail: the nth of them, counted from here; how many there were. */
typedef struct saboteur {
    void (*arm)(long n);
    long (*disarm)(void);
    latmc_status status; /* what the call must come to */
    const char *part;    /* of its message */
    const char *home, *target, *path;
} saboteur;

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
        if (status != by->status || !strstr(latmc_error_message(), by->part))
            fail_msg("%s, failure %ld: %s (%s)", p->name, n, latmc_status_name(status),
                     latmc_error_message());
        if (fingerprint(&s, p) != before)
            fail_msg("%s, failure %ld: the lattice has changed", p->name, n);
        ok(p->call(&s));
        clear_the_scene(&s);
    }
}

#endif
