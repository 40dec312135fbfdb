/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of the Ising model over many replicas. */
#ifndef LM_TESTS_ENSEMBLE_H
#define LM_TESTS_ENSEMBLE_H

#include "tests/exact/means.h"
#include "tests/models/ising_plain.h"

enum { ENERGY, ENERGY2, ENERGY4, MAGNETIZATION, ABSOLUTE, SQUARE, FOURTH, ACCEPTANCE, QUANTITIES };

static const latmc_quantity observables[QUANTITIES] = {
    [ENERGY] = LATMC_QUANTITY(LATMC_ENERGY),
    [ENERGY2] = LATMC_QUANTITY(LATMC_ENERGY2),
    [ENERGY4] = LATMC_QUANTITY(LATMC_ENERGY4),
    [MAGNETIZATION] = LATMC_QUANTITY(LATMC_MAGNETIZATION),
    [ABSOLUTE] = LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    [SQUARE] = LATMC_QUANTITY(LATMC_M2),
    [FOURTH] = LATMC_QUANTITY(LATMC_M4),
    [ACCEPTANCE] = LATMC_QUANTITY(LATMC_CHANGED),
};

static const char *const quantity_names[QUANTITIES] = {
    [ENERGY] = "e",     [ENERGY2] = "e^2", [ENERGY4] = "e^4", [MAGNETIZATION] = "m",
    [ABSOLUTE] = "|m|", [SQUARE] = "m^2",  [FOURTH] = "m^4",  [ACCEPTANCE] = "acceptance",
};

typedef struct schedule {
    latmc_update update;
    latmc_start_mode start;
    int replicas, thermalize, records, every;
} schedule;

/* Of a lattice that is not started, and is destroyed; `first` brings the replicas to equilibrium.
 */
static inline ensemble ensemble_of(latmc_lattice *lattice, const schedule *s, latmc_update first)
{
    const recording what = {.update = s->update,
                            .replicas = s->replicas,
                            .every = s->every,
                            .records = s->records,
                            .quantities = QUANTITIES,
                            .observables = observables,
                            .names = quantity_names};
    ensemble e;

    ok(latmc_start(lattice, s->start));
    ok(latmc_sweep(lattice, first, s->thermalize));
    e = ensemble_record(lattice, &what);
    latmc_destroy(lattice);
    return e;
}

static inline ensemble ensemble_from(const model *m, const schedule *s, latmc_update first,
                                     uint64_t seed)
{
    return ensemble_of(model_lattice(m, s->replicas, seed), s, first);
}

/* By the heat bath, which is quick: what is measured is whether the update keeps equilibrium. */
static inline ensemble ensemble_run(const model *m, const schedule *s, uint64_t seed)
{
    return ensemble_from(m, s, LATMC_HEATBATH, seed);
}

/* By the update itself: it must also find equilibrium. */
static inline ensemble ensemble_alone(const model *m, const schedule *s, uint64_t seed)
{
    return ensemble_from(m, s, s->update, seed);
}

#endif
