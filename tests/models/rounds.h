/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of schedules and of ramps share. */
#ifndef LM_TESTS_MODELS_ROUNDS_H
#define LM_TESTS_MODELS_ROUNDS_H

#include "tests/inside.h"
#include "tests/models/suite.h"

#include <math.h>

enum { ROUNDS = 3, BETWEEN = 2, RECORDS = 2, MOST_STEPS = 8 };

/* Larger lattices than this take long where tiles are swept often. */
enum { MOST_NUMBERS = 3000 };

/* A schedule of all updates that a lattice can have. */
typedef struct plan_of_steps {
    int count;
    latmc_step steps[MOST_STEPS];
    int64_t round;
} plan_of_steps;

static inline void add_step(plan_of_steps *s, latmc_update update, int64_t sweeps)
{
    s->steps[s->count++] = step_of(update, sweeps, 0);
    s->round += sweeps;
}

/* Each for 1, 3 or 2 sweeps, and the first once more. */
static inline plan_of_steps steps_of(const test_case *c)
{
    static const int64_t sweeps[] = {1, 3, 2};
    plan_of_steps s = {0};

    for (int i = 0; c->model->updates[i]; i++)
        if (c->model->serves(c, (latmc_update)c->model->updates[i]))
            add_step(&s, (latmc_update)c->model->updates[i], sweeps[s.count % 3]);
    add_step(&s, (latmc_update)s.steps[0].update, 2);
    return s;
}

static inline void set_steps(latmc_lattice *lattice, const plan_of_steps *s)
{
    ok(latmc_set_schedule(lattice, s->count, s->steps));
}

static inline latmc_lattice *with_steps(const test_case *c, const plan_of_steps *s,
                                        const char *device, int threads)
{
    latmc_lattice *lattice = suite_started(c, 0, c->shape->replicas, device, threads);

    set_steps(lattice, s);
    return lattice;
}

/* Does the suite know a parameter that steps can have in its place? */
static inline int has_arguments(const test_model *m)
{
    return suite_has(m->params, LATMC_HITS);
}

/* Every other step has its own number of hits; the last one its own local sweeps, where there are
 * any. */
static inline double own_hits(int step)
{
    return step % 2 ? 2.0 + step : (double)NAN;
}

static inline int is_tiled(const test_model *m, const latmc_step *step)
{
    return step->update == LATMC_BLOCK_METROPOLIS && suite_has(m->params, LATMC_LOCAL_SWEEPS);
}

static inline void set_arguments(latmc_lattice *lattice, const test_model *m,
                                 const plan_of_steps *s)
{
    static const latmc_param params[] = {LATMC_HITS, LATMC_LOCAL_SWEEPS};
    double values[MOST_STEPS][2];
    plan_of_steps own = *s;

    for (int i = 0; i < s->count && has_arguments(m); i++) {
        const int hits = !isnan(own_hits(i)), tiles = is_tiled(m, &s->steps[i]);

        values[i][0] = own_hits(i);
        values[i][1] = 2.0;
        own.steps[i].param_count = hits + tiles;
        own.steps[i].params = params + !hits;
        own.steps[i].values = values[i] + !hits;
    }
    set_steps(lattice, &own);
}

/* Sweeps of one step with its arguments, by a call that names its update. */
static inline void sweep_step(latmc_lattice *lattice, const test_model *m, const plan_of_steps *s,
                              int i, int64_t sweeps, int own)
{
    const int64_t replicas = info_of(lattice).replicas;
    const latmc_update update = (latmc_update)s->steps[i].update;
    const int tiles = own && is_tiled(m, &s->steps[i]);
    double *hits = suite_room(replicas, sizeof *hits), *local = suite_room(replicas, sizeof *local);

    own = own && has_arguments(m) && !isnan(own_hits(i));
    if (own) {
        ok(latmc_get_params(lattice, LATMC_HITS, hits));
        ok(latmc_set_param(lattice, LATMC_HITS, own_hits(i)));
    }
    if (tiles) {
        ok(latmc_get_params(lattice, LATMC_LOCAL_SWEEPS, local));
        ok(latmc_set_param(lattice, LATMC_LOCAL_SWEEPS, 2.0));
    }
    ok(latmc_sweep(lattice, update, sweeps));
    if (own)
        ok(latmc_set_params(lattice, LATMC_HITS, hits));
    if (tiles)
        ok(latmc_set_params(lattice, LATMC_LOCAL_SWEEPS, local));
    free(hits);
    free(local);
}

static inline void compare(const test_case *c, latmc_lattice *a, latmc_lattice *b, const char *when)
{
    const char *what = suite_difference(a, b, c->model);

    if (what)
        fail_msg("%s, case %d, %s: other %s", c->model->name, c->number, when, what);
}

/* ---- rounds are single calls */

typedef void case_check(const test_case *c, const char *device, int threads, int own);

/* One in so many shapes and variants, with 1, 2 and 3 threads in turn; every other one with steps
 * that have arguments of their own, if the model has any. */
static inline void on_some(void **state, int one_in, case_check *check)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++) {
            const shape *s = &m->shapes[i];
            const int64_t sites = s->extents[0] * (s->dims > 1 ? s->extents[1] : 1) *
                                  (s->dims > 2 ? s->extents[2] : 1) *
                                  (s->dims > 3 ? s->extents[3] : 1);
            test_case c = suite_case(m, s, &m->variants[j]);
            const int turn = (i + j) / one_in;
            c.number = i + j;
            if ((i + j) % one_in == 0 && sites * s->replicas <= MOST_NUMBERS &&
                m->serves(&c, m->variants[j].update) && suite_has_case(on, turn / 2))
                check(&c, on->device, 1 + turn % 3, has_arguments(m) && turn % 2);
        }
}

/* ---- wherever a call ends */

static inline latmc_lattice *saved_and_loaded(latmc_lattice *lattice)
{
    latmc_lattice *copy = NULL;
    size_t bytes;
    void *saved = save_whole(lattice, &bytes);

    ok(latmc_load_memory(&copy, saved, bytes));
    latmc_destroy(lattice);
    free(saved);
    return copy;
}

#endif
