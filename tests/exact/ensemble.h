/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means over many replicas, against exact answers. Replicas are independent of each other, so
 * the spread of their averages is the error, whatever the autocorrelation.
 */
#ifndef LM_TESTS_ENSEMBLE_H
#define LM_TESTS_ENSEMBLE_H

#include "tests/models/ising_plain.h"

#define GATE 4.5 /* standard errors */

enum { ENERGY, ENERGY2, ENERGY4, MAGNETIZATION, ABSOLUTE, SQUARE, FOURTH, ACCEPTANCE, QUANTITIES };

static const latmc_observable observables[QUANTITIES] = {
    [ENERGY] = LATMC_ENERGY,
    [ENERGY2] = LATMC_ENERGY2,
    [ENERGY4] = LATMC_ENERGY4,
    [MAGNETIZATION] = LATMC_MAGNETIZATION,
    [ABSOLUTE] = LATMC_ABS_MAGNETIZATION,
    [SQUARE] = LATMC_M2,
    [FOURTH] = LATMC_M4,
    [ACCEPTANCE] = LATMC_ACCEPTANCE,
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

typedef struct ensemble {
    int replicas;
    double *average[QUANTITIES]; /* [replica]: time averages */
    double mean[QUANTITIES], error[QUANTITIES];
} ensemble;

static inline void ensemble_free(ensemble *e)
{
    for (int q = 0; q < QUANTITIES; q++)
        free(e->average[q]);
}

static inline void ensemble_error(ensemble *e, int q)
{
    double sum = 0.0, square = 0.0;

    for (int r = 0; r < e->replicas; r++)
        sum += e->average[q][r];
    e->mean[q] = sum / e->replicas;
    for (int r = 0; r < e->replicas; r++) {
        const double d = e->average[q][r] - e->mean[q];
        square += d * d;
    }
    e->error[q] = sqrt(square / e->replicas / (e->replicas - 1));
}

/* Adds up `records` measurements of all quantities. */
static inline void ensemble_add(ensemble *e, latmc_lattice *lattice, const schedule *s, int records)
{
    const int series_count = QUANTITIES * e->replicas;
    double *series = malloc((size_t)(series_count * records) * sizeof *series);

    assert_non_null(series);
    ok(latmc_record(lattice, s->update, s->every, records, QUANTITIES, observables, series));
    for (int k = 0; k < series_count; k++)
        for (int t = 0; t < records; t++)
            e->average[k / e->replicas][k % e->replicas] += series[k * records + t];
    free(series);
}

/* Of a lattice that is not started, and is destroyed; `first` brings the replicas to equilibrium.
 */
static inline ensemble ensemble_of(latmc_lattice *lattice, const schedule *s, latmc_update first)
{
    enum { PIECE = 50 };
    ensemble e = {.replicas = s->replicas};

    for (int q = 0; q < QUANTITIES; q++) {
        e.average[q] = calloc((size_t)s->replicas, sizeof *e.average[q]);
        assert_non_null(e.average[q]);
    }
    ok(latmc_start(lattice, s->start));
    ok(latmc_sweep(lattice, first, s->thermalize));
    for (int t = 0; t < s->records; t += PIECE)
        ensemble_add(&e, lattice, s, s->records - t < PIECE ? s->records - t : PIECE);
    for (int q = 0; q < QUANTITIES; q++) {
        for (int r = 0; r < s->replicas; r++)
            e.average[q][r] /= s->records;
        ensemble_error(&e, q);
    }
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

/* 0, and a line, if the value is not within the gate of the exact one. The last term is for
 * quantities without any spread, and for the digits of the reference. */
static inline int agrees(const char *name, const char *what, double value, double error,
                         double exact)
{
    if (getenv("LATMC_TEST_VERBOSE"))
        print_message("%-40s %-10s %12.8f +- %10.8f, exact %12.8f: %5.2f\n", name, what, value,
                      error, exact, (value - exact) / error);
    if (fabs(value - exact) <= GATE * error + 1e-10 * fabs(exact) + 1e-13)
        return 1;
    print_error("%s: %s = %.8f +- %.8f, exact %.8f, off by %.1f standard errors\n", name, what,
                value, error, exact, (value - exact) / error);
    return 0;
}

/* A quantity derived from means, by leaving out one replica at a time. */
static inline int derived_agrees(const char *name, const char *what, const ensemble *e, int first,
                                 int second, latmc_derived function, void *user, double exact)
{
    const double *const series[2] = {e->average[first], e->average[second]};
    latmc_estimate estimate = {.size = sizeof estimate};

    ok(latmc_jackknife(series, 2, e->replicas, e->replicas, function, user, &estimate));
    return agrees(name, what, estimate.value, estimate.error, exact);
}

#endif
