/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of the library, and its replicas done by hand, side by side. */
#ifndef LM_TESTS_PAIR_H
#define LM_TESTS_PAIR_H

#include <math.h>

#include "tests/models/suite.h"

enum { PAIR_REPLICAS = 64, PAIR_OBSERVABLES = 32 };

/* The lattice is the first of those that are compared, each on a device of its own. */
typedef struct pair {
    test_case c;
    latmc_lattice *lattice, *all[ALL(every_device)];
    const char *devices[ALL(every_device)];
    int count;
    void *naive[PAIR_REPLICAS];
} pair;

/* One more lattice, with one thread. */
static inline void pair_add(pair *p, const char *device)
{
    latmc_lattice *lattice = suite_lattice(&p->c, 0, p->c.shape->replicas);

    ok(latmc_set_threads(lattice, 1));
    ok(latmc_set_device(lattice, device));
    p->devices[p->count] = device;
    p->all[p->count++] = lattice;
    p->lattice = p->all[0];
}

/* On several devices, not started. */
static inline pair pair_on(const test_case *c, const char *const *devices, int count)
{
    pair p = {.c = *c};

    assert_true(c->shape->replicas <= PAIR_REPLICAS);
    for (int64_t r = 0; r < c->shape->replicas; r++)
        p.naive[r] = c->model->naive->open(c, r, suite_seed);
    for (int k = 0; k < count; k++)
        pair_add(&p, devices[k]);
    return p;
}

static inline pair pair_of(const test_case *c, const char *device)
{
    return pair_on(c, &device, 1);
}

static inline void pair_free(pair *p)
{
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        p->c.model->naive->close(p->naive[r]);
    for (int k = 0; k < p->count; k++)
        latmc_destroy(p->all[k]);
}

static inline const char *pair_type(const pair *p)
{
    return p->c.type == LATMC_INT8 ? "int8" : p->c.type == LATMC_FLOAT32 ? "float" : "double";
}

/* Which replica of which lattice is wrong, where and when. */
#define PAIR_WHERE "%s, %s, %s, %s, sample %d, replica %d: "
#define PAIR_HERE(p, k, r, when)                                                                   \
    when, (p)->c.model->name, (p)->devices[k], pair_type(p), (p)->c.number, (int)(r)

/* Every site, in every bit. */
static inline void pair_compare_sites(const pair *p, int64_t r, const char *when)
{
    const int64_t sites = suite_count(p->c.model, info_of(p->lattice).sites);
    const size_t bytes = suite_bytes(p->c.type);
    char *got = suite_room(sites, bytes), *want = suite_room(sites, bytes);

    p->c.model->naive->sites(p->naive[r], want);
    for (int k = 0; k < p->count; k++) {
        ok(get_replica(p->all[k], r, p->c.type, got, sites));
        for (int64_t i = 0; i < sites; i++)
            if (memcmp(got + (size_t)i * bytes, want + (size_t)i * bytes, bytes) != 0)
                fail_msg(PAIR_WHERE "number %d of the sites is %a, not %a",
                         PAIR_HERE(p, k, r, when), (int)i, suite_site(p->c.type, got, i),
                         suite_site(p->c.type, want, i));
    }
    free(got);
    free(want);
}

typedef double pair_values[PAIR_OBSERVABLES * PAIR_REPLICAS];

/* `got` holds, for each lattice, one quantity of all replicas after the other: those that
 * the lattice has. */
static inline void pair_compare_observables(const pair *p, int64_t r, const pair_values *got,
                                            const char *when)
{
    const test_naive *naive = p->c.model->naive;
    double want[PAIR_OBSERVABLES];

    naive->observe(p->naive[r], want);
    for (int k = 0; k < p->count; k++)
        for (int i = 0, n = 0; naive->observed[i].observable; i++) {
            if (!has_quantity(p->all[k], naive->observed[i]))
                continue;
            const double x = got[k][n++ * p->c.shape->replicas + r];
            if (naive->tolerance > 0.0 ? !(fabs(x - want[i]) <= naive->tolerance)
                                       : memcmp(&x, &want[i], sizeof x) != 0)
                fail_msg(PAIR_WHERE "observable %d[%d] is %a, not %a (%g)",
                         PAIR_HERE(p, k, r, when), naive->observed[i].observable,
                         naive->observed[i].index, x, want[i], x - want[i]);
        }
}

static inline void pair_compare(const pair *p, const char *when)
{
    const latmc_quantity *observed = p->c.model->naive->observed;
    latmc_quantity has[PAIR_OBSERVABLES];
    pair_values *got = suite_room(p->count, sizeof *got);
    int count = 0;

    for (int i = 0; observed[i].observable; i++)
        if (has_quantity(p->all[0], observed[i]))
            has[count++] = observed[i];
    for (int k = 0; k < p->count; k++)
        ok(latmc_observe(p->all[k], LATMC_BY_REPLICA, count, has, got[k]));
    for (int64_t r = 0; r < p->c.shape->replicas; r++) {
        pair_compare_sites(p, r, when);
        pair_compare_observables(p, r, got, when);
    }
    free(got);
}

static inline void pair_start(pair *p, latmc_start_mode mode)
{
    for (int k = 0; k < p->count; k++)
        ok(latmc_start(p->all[k], mode));
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        p->c.model->naive->start(p->naive[r], mode);
    pair_compare(p, "start");
}

static inline void pair_sweep(pair *p, latmc_update update, int sweeps, const char *when)
{
    for (int k = 0; k < p->count; k++)
        ok(latmc_sweep(p->all[k], update, sweeps));
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        for (int k = 0; k < sweeps; k++)
            p->c.model->naive->sweep(p->naive[r], update);
    pair_compare(p, when);
}

static inline void pair_tune(pair *p, latmc_update update, int sweeps, double target)
{
    const test_model *m = p->c.model;
    double want[PAIR_REPLICAS], got[PAIR_REPLICAS];

    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        want[r] = m->naive->tune(p->naive[r], update, sweeps, target);
    for (int k = 0; k < p->count; k++) {
        ok(latmc_tune(p->all[k], update, sweeps, target));
        ok(latmc_get_params(p->all[k], (latmc_param)m->tuned, got));
        for (int64_t r = 0; r < p->c.shape->replicas; r++)
            if (got[r] != want[r])
                fail_msg(PAIR_WHERE "tuned to %a, not %a", PAIR_HERE(p, k, r, "tuning"), got[r],
                         want[r]);
    }
    pair_compare(p, "tuned");
}

#endif
