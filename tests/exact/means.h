/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means over many replicas, against exact answers. Replicas are independent of each other, so
 * the spread of their averages is the error, whatever the autocorrelation.
 */
#ifndef LM_TESTS_MEANS_H
#define LM_TESTS_MEANS_H

#include <math.h>

#include "tests/support.h"
#include "tests/derived.h"

#define GATE 4.5 /* standard errors */

enum { MOST_QUANTITIES = 16 };

typedef struct run_length {
    int replicas, thermalize, records, every;
} run_length;

/* What is recorded of a lattice. */
typedef struct recording {
    latmc_update update;
    int replicas, every, records;
    int reflections; /* sweeps of over-relaxation after each record */
    int quantities;
    const latmc_quantity *observables;
    const char *const *names; /* of these */
} recording;

typedef struct ensemble {
    int replicas, quantities;
    const char *const *names;
    double *average[MOST_QUANTITIES]; /* [replica]: time averages */
    double mean[MOST_QUANTITIES], error[MOST_QUANTITIES];
} ensemble;

static inline void ensemble_free(ensemble *e)
{
    for (int q = 0; q < e->quantities; q++)
        free(e->average[q]);
}

static inline void spread(const double *x, int count, double *mean, double *error)
{
    double sum = 0.0, square = 0.0;

    for (int r = 0; r < count; r++)
        sum += x[r];
    *mean = sum / count;
    for (int r = 0; r < count; r++)
        square += (x[r] - *mean) * (x[r] - *mean);
    *error = sqrt(square / count / (count - 1));
}

/* Adds up `records` measurements of the quantities that the lattice has; of others there are 0. */
static inline void ensemble_add(ensemble *e, latmc_lattice *lattice, const recording *what,
                                int records)
{
    latmc_quantity has[MOST_QUANTITIES];
    int place[MOST_QUANTITIES], count = 0;
    double *series = malloc((size_t)(e->quantities * e->replicas * records) * sizeof *series);

    assert_non_null(series);
    for (int q = 0; q < e->quantities; q++)
        if (has_quantity(lattice, what->observables[q])) {
            place[count] = q;
            has[count++] = what->observables[q];
        }
    ok(record_series(lattice, what->update, what->every, records, count, has, series));
    for (int k = 0; k < count * e->replicas; k++)
        for (int t = 0; t < records; t++)
            e->average[place[k / e->replicas]][k % e->replicas] += series[k * records + t];
    free(series);
    if (what->reflections)
        ok(latmc_sweep(lattice, LATMC_OVERRELAX, what->reflections));
}

/* Of a lattice in equilibrium. */
static inline ensemble ensemble_record(latmc_lattice *lattice, const recording *what)
{
    const int most = what->reflections ? 1 : 50;
    ensemble e = {.replicas = what->replicas, .quantities = what->quantities, .names = what->names};

    assert_true(what->quantities <= MOST_QUANTITIES);
    for (int q = 0; q < e.quantities; q++) {
        e.average[q] = calloc((size_t)e.replicas, sizeof *e.average[q]);
        assert_non_null(e.average[q]);
    }
    for (int t = 0; t < what->records; t += most)
        ensemble_add(&e, lattice, what, what->records - t < most ? what->records - t : most);
    for (int q = 0; q < e.quantities; q++) {
        for (int r = 0; r < e.replicas; r++)
            e.average[q][r] /= what->records;
        spread(e.average[q], e.replicas, &e.mean[q], &e.error[q]);
    }
    return e;
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

    ok(jackknife(series, 2, e->replicas, e->replicas, function, user, &estimate));
    return agrees(name, what, estimate.value, estimate.error, exact);
}

/* The mean over replicas begin .. begin + count against an answer with an error of its own. */
static inline int part_agrees(const char *name, const ensemble *e, int begin, int count,
                              int quantity, double answer, double uncertainty)
{
    double mean, error;

    spread(e->average[quantity] + begin, count, &mean, &error);
    return agrees(name, e->names[quantity], mean, sqrt(error * error + uncertainty * uncertainty),
                  answer);
}

static inline int mean_agrees(const char *name, const ensemble *e, int quantity, double answer,
                              double uncertainty)
{
    return part_agrees(name, e, 0, e->replicas, quantity, answer, uncertainty);
}

#endif
