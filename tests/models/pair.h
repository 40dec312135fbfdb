/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice of the library, and its replicas done by hand, side by side. */
#ifndef LM_TESTS_PAIR_H
#define LM_TESTS_PAIR_H

#include <math.h>

#include "tests/models/suite.h"

enum { PAIR_REPLICAS = 64 };

typedef struct pair {
    test_case c;
    latmc_lattice *lattice;
    void *naive[PAIR_REPLICAS];
} pair;

/* With one thread, not started. */
static inline pair pair_of(const test_case *c, const char *device)
{
    const int64_t replicas = c->shape->replicas;
    pair p = {.c = *c, .lattice = suite_lattice(c, 0, replicas)};

    assert_true(replicas <= PAIR_REPLICAS);
    for (int64_t r = 0; r < replicas; r++)
        p.naive[r] = c->model->naive->open(c, r, suite_seed);
    ok(latmc_set_threads(p.lattice, 1));
    ok(latmc_set_device(p.lattice, device));
    return p;
}

static inline void pair_free(pair *p)
{
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        p->c.model->naive->close(p->naive[r]);
    latmc_destroy(p->lattice);
}

static inline const char *pair_type(const pair *p)
{
    return p->c.type == LATMC_INT8 ? "int8" : p->c.type == LATMC_FLOAT32 ? "float" : "double";
}

/* Which replica of which lattice is wrong, and when. */
#define PAIR_WHERE            "%s, %s, %s, sample %d, replica %d: "
#define PAIR_HERE(p, r, when) when, (p)->c.model->name, pair_type(p), (p)->c.number, (int)(r)

/* Every site, in every bit. */
static inline void pair_compare_sites(const pair *p, int64_t r, const char *when)
{
    const int64_t sites = suite_count(p->c.model, info_of(p->lattice).sites);
    const size_t bytes = suite_bytes(p->c.type);
    char *got = suite_room(sites, bytes), *want = suite_room(sites, bytes);

    p->c.model->naive->sites(p->naive[r], want);
    ok(latmc_get_sites(p->lattice, r, p->c.type, got, sites));
    for (int64_t i = 0; i < sites; i++)
        if (memcmp(got + (size_t)i * bytes, want + (size_t)i * bytes, bytes) != 0)
            fail_msg(PAIR_WHERE "number %d of the sites is %a, not %a", PAIR_HERE(p, r, when),
                     (int)i, suite_site(p->c.type, got, i), suite_site(p->c.type, want, i));
    free(got);
    free(want);
}

/* `got` holds one observable of all replicas after the other. */
static inline void pair_compare_observables(const pair *p, int64_t r, const double *got,
                                            const char *when)
{
    const test_naive *naive = p->c.model->naive;
    double want[32];

    naive->observe(p->naive[r], want);
    for (int i = 0; naive->observed[i]; i++) {
        const double x = got[i * p->c.shape->replicas + r];
        if (naive->tolerance > 0.0 ? !(fabs(x - want[i]) <= naive->tolerance)
                                   : memcmp(&x, &want[i], sizeof x) != 0)
            fail_msg(PAIR_WHERE "observable %d is %a, not %a (%g)", PAIR_HERE(p, r, when),
                     (int)naive->observed[i], x, want[i], x - want[i]);
    }
}

static inline void pair_compare(const pair *p, const char *when)
{
    const latmc_observable *observed = p->c.model->naive->observed;
    const int64_t replicas = p->c.shape->replicas;
    double got[32 * PAIR_REPLICAS];
    int count = 0;

    while (observed[count])
        count++;
    ok(latmc_observe(p->lattice, count, observed, got));
    for (int64_t r = 0; r < replicas; r++) {
        pair_compare_sites(p, r, when);
        pair_compare_observables(p, r, got, when);
    }
}

static inline void pair_start(pair *p, latmc_start_mode mode)
{
    ok(latmc_start(p->lattice, mode));
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        p->c.model->naive->start(p->naive[r], mode);
    pair_compare(p, "start");
}

static inline void pair_sweep(pair *p, latmc_update update, int sweeps, const char *when)
{
    ok(latmc_sweep(p->lattice, update, sweeps));
    for (int64_t r = 0; r < p->c.shape->replicas; r++)
        for (int k = 0; k < sweeps; k++)
            p->c.model->naive->sweep(p->naive[r], update);
    pair_compare(p, when);
}

static inline void pair_tune(pair *p, latmc_update update, int sweeps, double target)
{
    const test_model *m = p->c.model;
    double got[PAIR_REPLICAS];

    ok(latmc_tune(p->lattice, update, sweeps, target));
    ok(latmc_get_params(p->lattice, (latmc_param)m->tuned, got));
    for (int64_t r = 0; r < p->c.shape->replicas; r++) {
        const double want = m->naive->tune(p->naive[r], update, sweeps, target);
        if (got[r] != want)
            fail_msg(PAIR_WHERE "tuned to %a, not %a", PAIR_HERE(p, r, "tuning"), got[r], want);
    }
    pair_compare(p, "tuned");
}

#endif
