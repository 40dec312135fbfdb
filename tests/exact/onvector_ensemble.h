/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means of the O(n) vector model with n = 2 over many replicas. Replicas are independent of each
 * other, so the spread of their averages is the error, whatever the autocorrelation.
 */
#ifndef LM_TESTS_ONVECTOR_ENSEMBLE_H
#define LM_TESTS_ONVECTOR_ENSEMBLE_H

#include "tests/exact/phi4_ensemble.h"
#include "tests/models/onvector_plain.h"

enum { V_E, V_E2, V_M_0, V_M_1, V_ABS, V_M2, V_M4, V_ACCEPTANCE, V_QUANTITIES };

static const latmc_observable vector_quantities[V_QUANTITIES] = {
    LATMC_ENERGY,
    LATMC_ENERGY2,
    LATMC_MAGNETIZATION_0,
    LATMC_MAGNETIZATION_1,
    LATMC_ABS_MAGNETIZATION,
    LATMC_M2,
    LATMC_M4,
    LATMC_ACCEPTANCE,
};

static const char *const vector_quantity_names[V_QUANTITIES] = {
    "e", "e^2", "m_0", "m_1", "|m|", "m^2", "m^4", "acceptance",
};

/* A way to sweep. */
typedef struct vector_plan {
    const char *name;
    latmc_type type;
    int hits;
    double epsilon;
    int reflections; /* sweeps of over-relaxation after each record */
} vector_plan;

typedef struct vector_effort {
    int replicas, thermalize, records, every;
} vector_effort;

typedef struct vector_ensemble {
    int replicas;
    double *average[V_QUANTITIES]; /* [replica]: time averages */
} vector_ensemble;

static inline void vector_ensemble_free(vector_ensemble *e)
{
    for (int q = 0; q < V_QUANTITIES; q++)
        free(e->average[q]);
}

static inline void vector_add(vector_ensemble *e, latmc_lattice *lattice, const vector_plan *p,
                              int every, int records)
{
    const int count = V_QUANTITIES * e->replicas;
    double *series = malloc((size_t)(count * records) * sizeof *series);

    assert_non_null(series);
    ok(latmc_record(lattice, LATMC_METROPOLIS, every, records, V_QUANTITIES, vector_quantities,
                    series));
    for (int k = 0; k < count; k++)
        for (int t = 0; t < records; t++)
            e->average[k / e->replicas][k % e->replicas] += series[k * records + t];
    free(series);
    if (p->reflections)
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, p->reflections));
}

/* Of a lattice that is not started. The plan itself brings it to equilibrium. */
static inline vector_ensemble vector_run(latmc_lattice *lattice, const vector_plan *p,
                                         const vector_effort *f)
{
    const int piece = p->reflections ? 1 : 50;
    vector_ensemble e = {.replicas = f->replicas};

    ok(latmc_set_param(lattice, LATMC_HITS, p->hits));
    ok(latmc_set_param(lattice, LATMC_EPSILON, p->epsilon));
    ok(latmc_start(lattice, LATMC_START_HOT));
    for (int t = 0; t < f->thermalize; t += 10) {
        ok(latmc_sweep(lattice, LATMC_METROPOLIS, 10));
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, p->reflections));
    }
    for (int q = 0; q < V_QUANTITIES; q++) {
        e.average[q] = calloc((size_t)f->replicas, sizeof *e.average[q]);
        assert_non_null(e.average[q]);
    }
    for (int t = 0; t < f->records; t += piece)
        vector_add(&e, lattice, p, f->every, f->records - t < piece ? f->records - t : piece);
    for (int q = 0; q < V_QUANTITIES; q++)
        for (int r = 0; r < f->replicas; r++)
            e.average[q][r] /= f->records;
    return e;
}

static inline vector_ensemble vector_sample(const vector_model *m, const vector_plan *p,
                                            const vector_effort *f, uint64_t seed)
{
    vector_model with = *m;
    vector_ensemble e;
    latmc_lattice *lattice;

    with.lattice.hits = p->hits;
    with.lattice.epsilon = p->epsilon;
    lattice = vector_lattice(&with, f->replicas, p->type, seed);
    e = vector_run(lattice, p, f);
    latmc_destroy(lattice);
    return e;
}

/* The mean over replicas begin .. begin + count against an answer with an error of its own. */
static inline int vector_part_agrees(const char *name, const vector_ensemble *e, int begin,
                                     int count, int quantity, double answer, double uncertainty)
{
    double mean, error;

    field_spread(e->average[quantity] + begin, count, &mean, &error);
    return agrees(name, vector_quantity_names[quantity], mean,
                  sqrt(error * error + uncertainty * uncertainty), answer);
}

static inline int vector_agrees(const char *name, const vector_ensemble *e, int quantity,
                                double answer, double uncertainty)
{
    return vector_part_agrees(name, e, 0, e->replicas, quantity, answer, uncertainty);
}

#endif
