/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of the O(n) vector model over many replicas. */
#ifndef LM_TESTS_ONVECTOR_ENSEMBLE_H
#define LM_TESTS_ONVECTOR_ENSEMBLE_H

#include "tests/exact/means.h"
#include "tests/models/onvector_plain.h"

enum {
    V_E,
    V_E2,
    V_M_0,
    V_M_1,
    V_M_2,
    V_M_3,
    V_ABS,
    V_M2,
    V_M4,
    V_HELICITY_0,
    V_HELICITY_1,
    V_ACCEPTANCE,
    V_QUANTITIES
};

static const latmc_quantity vector_quantities[V_QUANTITIES] = {
    LATMC_QUANTITY(LATMC_ENERGY),
    LATMC_QUANTITY(LATMC_ENERGY2),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 0),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 1),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 2),
    LATMC_QUANTITY(LATMC_MAGNETIZATION, 3),
    LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    LATMC_QUANTITY(LATMC_M2),
    LATMC_QUANTITY(LATMC_M4),
    LATMC_QUANTITY(LATMC_HELICITY, 0),
    LATMC_QUANTITY(LATMC_HELICITY, 1),
    LATMC_QUANTITY(LATMC_ACCEPTANCE),
};

static const char *const vector_quantity_names[V_QUANTITIES] = {
    "e", "e^2", "m_0", "m_1", "m_2", "m_3", "|m|", "m^2", "m^4", "Y_0", "Y_1", "acceptance",
};

/* A way to sweep. */
typedef struct vector_plan {
    const char *name;
    latmc_type type;
    int hits;
    double epsilon;
    int reflections; /* sweeps of over-relaxation after each record */
    int heatbath;    /* instead of Metropolis */
} vector_plan;

static inline latmc_update vector_update(const vector_plan *p)
{
    return p->heatbath ? LATMC_HEATBATH : LATMC_METROPOLIS;
}

/* Of a lattice that is not started. The plan itself brings it to equilibrium. */
static inline ensemble vector_run(latmc_lattice *lattice, const vector_plan *p, const run_length *f)
{
    const recording what = {.update = vector_update(p),
                            .replicas = f->replicas,
                            .every = f->every,
                            .records = f->records,
                            .reflections = p->reflections,
                            .quantities = V_QUANTITIES,
                            .observables = vector_quantities,
                            .names = vector_quantity_names};

    ok(latmc_set_param(lattice, LATMC_HITS, p->hits));
    ok(latmc_set_param(lattice, LATMC_EPSILON, p->epsilon));
    ok(latmc_start(lattice, LATMC_START_HOT));
    for (int t = 0; t < f->thermalize; t += 10) {
        ok(latmc_sweep(lattice, vector_update(p), 10));
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, p->reflections));
    }
    return ensemble_record(lattice, &what);
}

static inline ensemble vector_sample(const vector_model *m, const vector_plan *p,
                                     const run_length *f, uint64_t seed)
{
    vector_model with = *m;
    ensemble e;
    latmc_lattice *lattice;

    with.lattice.hits = p->hits;
    with.lattice.epsilon = p->epsilon;
    lattice = vector_lattice(&with, f->replicas, p->type, seed);
    e = vector_run(lattice, p, f);
    latmc_destroy(lattice);
    return e;
}

#endif
