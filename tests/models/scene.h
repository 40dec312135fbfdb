/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call that can fail half-way, each with a lattice to call it on: what the tests of
 * failing allocations and failing devices walk through.
 */
#ifndef LM_TESTS_SCENE_H
#define LM_TESTS_SCENE_H

#include "tests/models/suite.h"

enum { SCENE_BONDS = 3 * RICH_SITES, SCENE_NUMBERS = SUITE_COMPONENTS * RICH_SITES };

/* What the calls below work on. */
typedef struct scene {
    const test_model *model;
    latmc_lattice *lat;
    latmc_lattice *made; /* by a call that makes one */
    void *saved;         /* a lattice in memory */
    size_t bytes;
    const char *target;            /* a device to go to */
    const char *path;              /* and in a file */
    double numbers[SCENE_NUMBERS]; /* what a call may write */
} scene;

/* The lattice of a scene: not started; started; loaded, its sites still in host memory. */
enum { FRESH, STARTED, LOADED };

typedef struct step {
    const char *name; /* of the function, after "latmc_", and perhaps of the case */
    int lattice;
    int allocates; /* at least once */
    latmc_status (*call)(scene *s);
    int of_couplings; /* only models with couplings have it, */
    int of_fields;    /* or with fields of sites */
} step;

static inline latmc_status scene_create(scene *s)
{
    return latmc_create(&s->made, s->model->id, 2, (int64_t[]){4, 4});
}

static inline latmc_status scene_set_replicas(scene *s)
{
    return latmc_set_replicas(s->lat, 5);
}

static inline latmc_status scene_set_bonds(scene *s)
{
    double bonds[SCENE_BONDS];

    for (size_t i = 0; i < ALL(bonds); i++)
        bonds[i] = -1.0;
    return latmc_set_bond_couplings(s->lat, bonds);
}

static inline latmc_status scene_draw_bonds(scene *s)
{
    return latmc_draw_bond_couplings(s->lat, LATMC_PLUS_MINUS_ONE, 3, 0, NULL, NULL);
}

static inline latmc_status scene_set_fields(scene *s)
{
    double fields[RICH_SITES];

    for (size_t i = 0; i < ALL(fields); i++)
        fields[i] = 0.25 * (double)i;
    return latmc_set_site_fields(s->lat, fields);
}

static inline latmc_status scene_draw_fields(scene *s)
{
    return latmc_draw_site_fields(s->lat, LATMC_GAUSSIAN, 3, 0, NULL, NULL);
}

static inline latmc_status scene_set_samples(scene *s)
{
    return latmc_set_samples(s->lat, 2, 5);
}

static inline latmc_status scene_start(scene *s)
{
    return latmc_start(s->lat, LATMC_START_COLD);
}

static inline latmc_status scene_set_sites(scene *s)
{
    const latmc_type type = (latmc_type)s->model->types[0];
    double sites[SCENE_NUMBERS];

    for (int i = 0; i < RICH_SITES; i++)
        suite_put_site(s->model, type, sites, i, type == LATMC_UINT8 ? 1.0 : -1.0);
    return set_replica(s->lat, 1, type, sites, suite_count(s->model, RICH_SITES));
}

/* All replicas of a sample become its last one. */
static inline latmc_status scene_copy_replicas(scene *s)
{
    const latmc_lattice_info info = info_of(s->lat);
    const int64_t each = info.replicas / info.samples;
    int64_t from[RICH_REPLICAS];

    assert_true(info.replicas <= RICH_REPLICAS);
    for (int64_t r = 0; r < info.replicas; r++)
        from[r] = r / each * each + each - 1;
    return latmc_copy_replicas(s->lat, from);
}

static inline latmc_status scene_set_device(scene *s)
{
    return latmc_set_device(s->lat, s->target);
}

static inline latmc_status scene_set_params(scene *s)
{
    return latmc_set_params(s->lat, (latmc_param)s->model->params[0], (double[]){0.7, 0.8});
}

static inline latmc_status scene_sweep(scene *s)
{
    const latmc_status status = latmc_set_param(s->lat, (latmc_param)s->model->params[0], 0.77);

    return status ? status : latmc_sweep(s->lat, (latmc_update)s->model->updates[0], 2);
}

/* All updates in turn, with an argument of its own where there is one. */
static inline latmc_status scene_sweep_rounds(scene *s)
{
    const int *updates = s->model->updates;
    const latmc_param hits = LATMC_HITS;
    const double own = 2.0;
    latmc_step steps[] = {step_of((latmc_update)updates[0], 1, 0),
                          step_of((latmc_update)updates[updates[1] ? 1 : 0], 2, 0)};
    latmc_status status;

    if (suite_has(s->model->params, LATMC_HITS))
        steps[0] = step_with(steps[0], &hits, &own);
    status = latmc_set_schedule(s->lat, 2, steps);
    return status ? status : latmc_sweep(s->lat, LATMC_SCHEDULE, 1);
}

static inline latmc_status scene_sweep_exchanges(scene *s)
{
    const latmc_update update = (latmc_update)s->model->updates[0];
    const latmc_status status = set_round(s->lat, update, 2, 2);

    return status ? status : latmc_sweep(s->lat, LATMC_SCHEDULE, 2);
}

static inline latmc_status scene_set_slots(scene *s)
{
    return latmc_set_slots(s->lat, (const int64_t[]){0, 1}); /* each may be its sample's */
}

static inline latmc_status scene_set_ramp(scene *s)
{
    return latmc_set_ramp(s->lat, (latmc_param)s->model->params[0], (double[]){0.7, 0.8}, 3);
}

/* Weights of sites, some of which are no signs. */
static inline latmc_status scene_set_weights(scene *s)
{
    double weights[RICH_SITES];

    for (size_t i = 0; i < ALL(weights); i++)
        weights[i] = 0.25 * (double)i;
    return latmc_set_weights(s->lat, 3, LATMC_WEIGHT_SITES, 1, weights);
}

static inline latmc_status scene_observe_weights(scene *s)
{
    return latmc_observe(s->lat, LATMC_BY_REPLICA, 1,
                         &(latmc_quantity)LATMC_QUANTITY(LATMC_WEIGHTED2, 3), s->numbers);
}

/* What allocates, where the model has it. */
static inline latmc_quantity scene_structure(const test_model *m)
{
    for (int i = 0; m->observables[i].observable; i++)
        if (m->observables[i].observable == LATMC_STRUCTURE)
            return m->observables[i];
    return m->observables[0];
}

static inline latmc_status scene_observe(scene *s)
{
    const latmc_quantity what[] = {s->model->observables[0], scene_structure(s->model)};

    return latmc_observe(s->lat, LATMC_BY_REPLICA, 2, what, s->numbers);
}

static inline latmc_status scene_observe_pairs(scene *s)
{
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_OVERLAP),
                                   LATMC_QUANTITY(LATMC_LINK_OVERLAP),
                                   LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0)};

    return latmc_observe_pairs(s->lat, LATMC_BY_REPLICA, 2, (const int64_t[]){0, 1, 1, 1}, 3, what,
                               s->numbers);
}

static inline latmc_status record_some(scene *s, int count)
{
    const int update = s->model->updates[1] ? s->model->updates[1] : s->model->updates[0];
    const latmc_quantity what[] = {s->model->observables[0], scene_structure(s->model)};

    return record_series(s->lat, (latmc_update)update, 2, 5, count, what, s->numbers);
}

/* Pairs alone, each sum of which has some way. */
static inline latmc_status scene_record_pairs(scene *s)
{
    const latmc_recording pairs = {
        .size = sizeof pairs,
        .pair_count = 2,
        .pairs = (const int64_t[]){0, 1, 1, 1},
        .pair_quantities = (const latmc_quantity[]){LATMC_QUANTITY(LATMC_OVERLAP),
                                                    LATMC_QUANTITY(LATMC_LINK_OVERLAP),
                                                    LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0)},
        .pair_series = s->numbers,
        .pair_quantity_count = 3};

    return record_pair_series(s->lat, (latmc_update)s->model->updates[0], 2, 2, 0, NULL, NULL,
                              &pairs);
}

static inline latmc_status scene_record(scene *s)
{
    return record_some(s, 1);
}

static inline latmc_status scene_record_structure(scene *s)
{
    return record_some(s, 2);
}

static inline latmc_status scene_keep_best(scene *s)
{
    return latmc_keep_best(s->lat, 1);
}

static inline latmc_status scene_propose_ladder(scene *s)
{
    (void)s;
    return latmc_propose_ladder(2, (double[]){0.1, 0.2}, (double[]){0.5}, 3, (double[3]){0});
}

static inline latmc_status scene_get_sites(scene *s)
{
    return get_replica(s->lat, 0, (latmc_type)s->model->types[0], s->numbers,
                       suite_count(s->model, RICH_SITES));
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
    {"create", FRESH, 1, scene_create, 0, 0},
    {"set_replicas", FRESH, 1, scene_set_replicas, 0, 0},
    {"set_bond_couplings", FRESH, 1, scene_set_bonds, 1, 0},
    {"draw_bond_couplings", FRESH, 0, scene_draw_bonds, 1, 0},
    {"set_site_fields", FRESH, 1, scene_set_fields, 0, 1},
    {"draw_site_fields", FRESH, 0, scene_draw_fields, 0, 1},
    {"set_samples", FRESH, 0, scene_set_samples, 1, 0},
    {"start", FRESH, 1, scene_start, 0, 0},
    {"start again", STARTED, 0, scene_start, 0, 0},
    {"start, loaded", LOADED, 1, scene_start, 0, 0},
    {"set_sites, first", FRESH, 1, scene_set_sites, 0, 0},
    {"set_sites", STARTED, 1, scene_set_sites, 0, 0},
    {"set_sites, loaded", LOADED, 1, scene_set_sites, 0, 0},
    {"copy_replicas", STARTED, 1, scene_copy_replicas, 0, 0},
    {"copy_replicas, loaded", LOADED, 1, scene_copy_replicas, 0, 0},
    {"set_device", STARTED, 1, scene_set_device, 0, 0},
    {"set_device, loaded", LOADED, 0, scene_set_device, 0, 0},
    {"set_params", STARTED, 0, scene_set_params, 0, 0},
    {"sweep", STARTED, 0, scene_sweep, 0, 0}, /* a field has all it needs */
    {"sweep, loaded", LOADED, 1, scene_sweep, 0, 0},
    {"sweep, rounds", STARTED, 0, scene_sweep_rounds, 0, 0},
    {"sweep, exchanges", STARTED, 1, scene_sweep_exchanges, 0, 0},
    {"set_slots", STARTED, 1, scene_set_slots, 0, 0},
    {"set_ramp", STARTED, 1, scene_set_ramp, 0, 0},
    {"observe", STARTED, 1, scene_observe, 0, 0},
    {"observe, loaded", LOADED, 1, scene_observe, 0, 0},
    {"set_weights", STARTED, 1, scene_set_weights, 0, 0},
    {"observe, weights", STARTED, 1, scene_observe_weights, 0, 0},
    {"observe, weights, loaded", LOADED, 1, scene_observe_weights, 0, 0},
    {"observe_pairs", STARTED, 1, scene_observe_pairs, 0, 0},
    {"observe_pairs, loaded", LOADED, 1, scene_observe_pairs, 0, 0},
    {"record, pairs", STARTED, 1, scene_record_pairs, 0, 0},
    {"record", STARTED, 1, scene_record, 0, 0},
    {"record, loaded", LOADED, 1, scene_record, 0, 0},
    {"record, structure factors", STARTED, 1, scene_record_structure, 0, 0},
    {"keep_best", STARTED, 1, scene_keep_best, 0, 0},
    {"propose_ladder", FRESH, 1, scene_propose_ladder, 0, 0},
    {"get_sites", STARTED, 0, scene_get_sites, 0, 0},
    {"get_sites, loaded", LOADED, 0, scene_get_sites, 0, 0},
    {"state_hash", STARTED, 1, scene_state_hash, 0, 0},
    {"state_hash, loaded", LOADED, 1, scene_state_hash, 0, 0},
    {"save", STARTED, 1, scene_save, 0, 0},
    {"save, loaded", LOADED, 1, scene_save, 0, 0},
    {"save_memory", STARTED, 1, scene_save_memory, 0, 0},
    {"load", STARTED, 1, scene_load, 0, 0},
    {"load_memory", STARTED, 1, scene_load_memory, 0, 0},
};

/* What makes things fail: the nth of them, counted from here; how many there were. */
typedef struct saboteur {
    void (*arm)(long n);
    long (*disarm)(void);
    latmc_status status; /* what the call must come to */
    const char *part;    /* of its message */
    const char *home, *target, *path;
} saboteur;

/* As rich lattices are before they start. */
static inline latmc_lattice *scene_fresh(const test_model *m)
{
    latmc_lattice *lattice = suite_made(m, rich_shape.dims, rich_shape.extents);

    ok(latmc_set_replicas(lattice, RICH_REPLICAS));
    if (m->has_couplings)
        ok(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 1, 0, NULL, NULL));
    return lattice;
}

/* The rich lattice that a step begins with, in memory, to be freed; the file is made anew. */
static inline void *before_the_scene(const test_model *m, const test_variant *v, const step *p,
                                     const saboteur *by, size_t *bytes)
{
    scene s = {.model = m, .lat = suite_rich(m, v), .path = by->path};
    void *saved;

    if (p->call == scene_load_memory || p->call == scene_save_memory) { /* as much as can be */
        ok(latmc_keep_best(s.lat, 1));
        ok(scene_sweep_exchanges(&s));
        ok(scene_set_weights(&s));
    }
    if (p->call == scene_observe_weights)
        ok(scene_set_weights(&s));
    if (p->call == scene_save || p->call == scene_load)
        ok(latmc_save(s.lat, s.path));
    saved = save_whole(s.lat, bytes);
    latmc_destroy(s.lat);
    return saved;
}

/* A rich lattice at `home`, or on its way to `target`. */
static inline void set_the_scene(scene *s, const test_model *m, const test_variant *v,
                                 const step *p, const saboteur *by, const void *saved, size_t bytes)
{
    *s = (scene){.model = m, .target = by->target, .path = by->path, .bytes = bytes};
    s->saved = suite_room(1, bytes);
    memcpy(s->saved, saved, bytes);
    if (p->lattice == FRESH)
        s->lat = scene_fresh(m);
    else
        ok(latmc_load_memory(&s->lat, saved, bytes));
    ok(latmc_set_device(s->lat, p->lattice == LOADED ? by->target : by->home));
    if (p->lattice == STARTED) /* so that something is left to fetch */
        ok(latmc_sweep(s->lat, v->update, 1));
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
    uint64_t sum =
        (uint64_t)info.replicas + 1000 * (uint64_t)info.sweeps + 1000000 * (uint64_t)info.started;
    int64_t count;
    double *disorder = suite_disorder(s->lat, s->model, &count);

    assert_null(s->made);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &disorder[i], sizeof bits);
        sum = 31 * sum + bits;
    }
    free(disorder);
    for (size_t i = 0; i < ALL(s->numbers); i++)
        assert_true(s->numbers[i] == 0.0);
    return p->lattice == FRESH ? sum : sum ^ hash_of(s->lat);
}

/* Does the message begin with the name of the function that was called? */
static inline int names_function(const char *step_name)
{
    const size_t length = strcspn(step_name, " ,");
    const char *message = latmc_error_message();

    return strncmp(message, "latmc_", 6) == 0 && strncmp(message + 6, step_name, length) == 0 &&
           strncmp(message + 6 + length, ": ", 2) == 0;
}

/* Sweeps before an exchange, or before a measurement that lib/ makes by rows, count where the
 * device then fails; where pairs are measured, memory too. */
static inline int counts_in_parts(const step *p, latmc_status status)
{
    return ((p->call == scene_sweep_exchanges || p->call == scene_record_structure) &&
            status == LATMC_ERROR_DEVICE) ||
           p->call == scene_record_pairs;
}

/* Which one fails after number n; under sanitizers every ninth one, but for the first eight. */
static inline long next_failure(long n)
{
    return n + (LM_SANITIZED && n >= 8 ? 9 : 1);
}

/* Lets one thing after another fail in a call, until it succeeds. Returns how many there
 * were. After each failure the lattice is as before, and the call then succeeds. */
static inline long walk(const test_model *m, const test_variant *v, const step *p,
                        const saboteur *by)
{
    size_t bytes;
    void *saved = before_the_scene(m, v, p, by, &bytes);

    for (long n = 1;; n = next_failure(n)) {
        latmc_status status;
        uint64_t before;
        scene s;
        long seen;

        set_the_scene(&s, m, v, p, by, saved, bytes);
        before = fingerprint(&s, p);
        by->arm(n);
        status = p->call(&s);
        seen = by->disarm();
        if (status == LATMC_OK) {
            clear_the_scene(&s);
            free(saved);
            if (seen >= n)
                fail_msg("%s, %s: failure %ld went unnoticed", m->name, p->name, n);
            return seen;
        }
        if (status != by->status || !strstr(latmc_error_message(), by->part) ||
            !names_function(p->name))
            fail_msg("%s, %s, failure %ld: %s (%s)", m->name, p->name, n, latmc_status_name(status),
                     latmc_error_message());
        if (!counts_in_parts(p, status) && fingerprint(&s, p) != before)
            fail_msg("%s, %s, failure %ld: the lattice has changed", m->name, p->name, n);
        ok(p->call(&s));
        clear_the_scene(&s);
    }
}

/* All calls that the model has, one after the other. `all_allocate`: those that do must be seen to
 * fail. */
static inline long walk_all(const test_model *m, const test_variant *v, const saboteur *by,
                            int all_allocate)
{
    long total = 0;

    for (size_t i = 0; i < ALL(steps); i++) {
        long seen;

        if ((steps[i].of_couplings && !m->has_couplings) ||
            (steps[i].of_fields && !m->has_site_fields))
            continue;
        seen = walk(m, v, &steps[i], by);
        total += seen;
        if (all_allocate && seen < steps[i].allocates)
            fail_msg("%s, %s: no allocation was seen; is the program linked with --wrap?", m->name,
                     steps[i].name);
    }
    return total;
}

#endif
