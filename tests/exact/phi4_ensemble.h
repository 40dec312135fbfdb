/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means of a field model over many replicas. Replicas are independent of each other, so the
 * spread of their averages is the error, whatever the autocorrelation.
 */
#ifndef LM_TESTS_PHI4_ENSEMBLE_H
#define LM_TESTS_PHI4_ENSEMBLE_H

#include "tests/exact/ensemble.h"
#include "tests/models/phi4_plain.h"

enum {
    F_E,
    F_GRADIENT,
    F_CUTOFF,
    F_PHI,
    F_ABS,
    F_M2,
    F_M4,
    F_PHI2,
    F_PHI4,
    F_STRUCTURE, /* one for each axis */
    F_QUANTITIES = F_STRUCTURE + LATMC_MAX_DIMS
};

static const latmc_observable field_observables[F_QUANTITIES] = {
    [F_E] = LATMC_ENERGY,
    [F_GRADIENT] = LATMC_ENERGY_GRADIENT,
    [F_CUTOFF] = LATMC_ENERGY_CUTOFF,
    [F_PHI] = LATMC_PHI,
    [F_ABS] = LATMC_ABS_PHI,
    [F_M2] = LATMC_M2,
    [F_M4] = LATMC_M4,
    [F_PHI2] = LATMC_PHI_SQUARED,
    [F_PHI4] = LATMC_PHI_FOURTH,
    [F_STRUCTURE] = LATMC_STRUCTURE_0,
    [F_STRUCTURE + 1] = LATMC_STRUCTURE_1,
    [F_STRUCTURE + 2] = LATMC_STRUCTURE_2,
    [F_STRUCTURE + 3] = LATMC_STRUCTURE_3,
};

static const char *const field_quantity_names[F_QUANTITIES] = {
    "e",     "gradient", "cut-off", "phi", "|phi|", "m^2", "m^4",
    "phi^2", "phi^4",    "s_0",     "s_1", "s_2",   "s_3",
};

/* A way to sweep. */
typedef struct field_plan {
    const char *name;
    latmc_update update;
    int hits, local_sweeps;
    int reflections; /* sweeps of over-relaxation after each record */
    latmc_type type;
} field_plan;

typedef struct field_effort {
    int replicas, thermalize, records, every;
} field_effort;

typedef struct field_ensemble {
    int replicas;
    double *average[F_QUANTITIES]; /* [replica]: time averages */
} field_ensemble;

static inline void field_ensemble_free(field_ensemble *e)
{
    for (int q = 0; q < F_QUANTITIES; q++)
        free(e->average[q]);
}

static inline void field_spread(const double *x, int count, double *mean, double *error)
{
    double sum = 0.0, square = 0.0;

    for (int r = 0; r < count; r++)
        sum += x[r];
    *mean = sum / count;
    for (int r = 0; r < count; r++)
        square += (x[r] - *mean) * (x[r] - *mean);
    *error = sqrt(square / count / (count - 1));
}

static inline void field_add(field_ensemble *e, latmc_lattice *lattice, const field_plan *p,
                             int every, int records)
{
    const int count = F_QUANTITIES * e->replicas;
    double *series = malloc((size_t)(count * records) * sizeof *series);

    assert_non_null(series);
    ok(latmc_record(lattice, p->update, every, records, F_QUANTITIES, field_observables, series));
    for (int k = 0; k < count; k++)
        for (int t = 0; t < records; t++)
            e->average[k / e->replicas][k % e->replicas] += series[k * records + t];
    free(series);
    if (p->reflections)
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, p->reflections));
}

/* Metropolis with many hits brings the replicas to equilibrium; the plan has to leave it as it is.
 */
static inline field_ensemble field_run(const field_model *model, const field_plan *p,
                                       const field_effort *f, uint64_t seed)
{
    const int piece = p->reflections ? 1 : 50;
    field_model m = *model;
    field_ensemble e = {.replicas = f->replicas};

    m.hits = 4;
    m.local_sweeps = p->local_sweeps;
    latmc_lattice *lattice = field_lattice(&m, 1, p->type, seed);
    ok(latmc_set_replicas(lattice, f->replicas));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_tune(lattice, LATMC_METROPOLIS, 40, 0.5));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, f->thermalize));
    ok(latmc_set_param(lattice, LATMC_HITS, p->hits));
    for (int q = 0; q < F_QUANTITIES; q++) {
        e.average[q] = calloc((size_t)f->replicas, sizeof *e.average[q]);
        assert_non_null(e.average[q]);
    }
    for (int t = 0; t < f->records; t += piece)
        field_add(&e, lattice, p, f->every, f->records - t < piece ? f->records - t : piece);
    for (int q = 0; q < F_QUANTITIES; q++)
        for (int r = 0; r < f->replicas; r++)
            e.average[q][r] /= f->records;
    latmc_destroy(lattice);
    return e;
}

/* The mean of a quantity against an answer that has an error of its own. */
static inline int field_agrees(const char *name, const field_ensemble *e, int quantity,
                               double answer, double uncertainty)
{
    double mean, error;

    field_spread(e->average[quantity], e->replicas, &mean, &error);
    return agrees(name, field_quantity_names[quantity], mean,
                  sqrt(error * error + uncertainty * uncertainty), answer);
}

/*
 * <sum phi dH/dphi> = N, which is 2 <e> + <g/12 phi^4> + h <phi> = 1, on every lattice, with any
 * boundary.
 */
static inline int field_virial_agrees(const char *name, const field_ensemble *e,
                                      const field_model *m)
{
    double mean, error, *x = malloc((size_t)e->replicas * sizeof *x);

    assert_non_null(x);
    for (int r = 0; r < e->replicas; r++)
        x[r] = e->average[F_E][r] + m->g / 24.0 * e->average[F_PHI4][r] +
               m->field / 2.0 * e->average[F_PHI][r];
    field_spread(x, e->replicas, &mean, &error);
    free(x);
    return agrees(name, "virial", mean, error, 0.5);
}

#endif
