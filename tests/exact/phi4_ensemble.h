/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of a field model over many replicas. */
#ifndef LM_TESTS_PHI4_ENSEMBLE_H
#define LM_TESTS_PHI4_ENSEMBLE_H

#include "tests/exact/means.h"
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

static const latmc_quantity field_observables[F_QUANTITIES] = {
    [F_E] = LATMC_QUANTITY(LATMC_ENERGY),
    [F_GRADIENT] = LATMC_QUANTITY(LATMC_ENERGY_GRADIENT),
    [F_CUTOFF] = LATMC_QUANTITY(LATMC_ENERGY_CUTOFF),
    [F_PHI] = LATMC_QUANTITY(LATMC_MAGNETIZATION),
    [F_ABS] = LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    [F_M2] = LATMC_QUANTITY(LATMC_M2),
    [F_M4] = LATMC_QUANTITY(LATMC_M4),
    [F_PHI2] = LATMC_QUANTITY(LATMC_PHI_SQUARED),
    [F_PHI4] = LATMC_QUANTITY(LATMC_PHI_FOURTH),
    [F_STRUCTURE] = LATMC_QUANTITY(LATMC_STRUCTURE, 0),
    [F_STRUCTURE + 1] = LATMC_QUANTITY(LATMC_STRUCTURE, 1),
    [F_STRUCTURE + 2] = LATMC_QUANTITY(LATMC_STRUCTURE, 2),
    [F_STRUCTURE + 3] = LATMC_QUANTITY(LATMC_STRUCTURE, 3),
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

/* Metropolis with many hits brings the replicas to equilibrium; the plan has to leave it as it is.
 */
static inline ensemble field_run(const field_model *model, const field_plan *p, const run_length *f,
                                 uint64_t seed)
{
    const recording what = {.update = p->update,
                            .replicas = f->replicas,
                            .every = f->every,
                            .records = f->records,
                            .reflections = p->reflections,
                            .quantities = F_QUANTITIES,
                            .observables = field_observables,
                            .names = field_quantity_names};
    field_model m = *model;
    ensemble e;

    m.hits = 4;
    m.local_sweeps = p->local_sweeps;
    latmc_lattice *lattice = field_lattice(&m, 1, p->type, seed);
    ok(latmc_set_replicas(lattice, f->replicas));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_tune(lattice, LATMC_METROPOLIS, 40, 0.5));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, f->thermalize));
    ok(latmc_set_param(lattice, LATMC_HITS, p->hits));
    e = ensemble_record(lattice, &what);
    latmc_destroy(lattice);
    return e;
}

/*
 * <sum phi dH/dphi> = N, which is 2 <e> + <g/12 phi^4> + h <phi> = 1, on every lattice, with any
 * boundary.
 */
static inline int field_virial_agrees(const char *name, const ensemble *e, const field_model *m)
{
    double mean, error, *x = malloc((size_t)e->replicas * sizeof *x);

    assert_non_null(x);
    for (int r = 0; r < e->replicas; r++)
        x[r] = e->average[F_E][r] + m->g / 24.0 * e->average[F_PHI4][r] +
               m->field / 2.0 * e->average[F_PHI][r];
    spread(x, e->replicas, &mean, &error);
    free(x);
    return agrees(name, "virial", mean, error, 0.5);
}

#endif
