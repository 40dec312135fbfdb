/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors over many series of known processes: as large as the spread of the means, or marked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <latmc/latmc.h>

#include "tests/lib/series.h"

/* What many series of one process come to. Their true mean is 0. */
typedef struct tally {
    int series, within, marked, by_bins; /* within one error of 0; too_short; error of bins */
    double squares, errors;              /* sums of the means' squares and the errors' */
    int unmarked;
    double pulls; /* sum of (mean / error)^2 over those without a mark */
} tally;

static void count_in(tally *t, const latmc_estimate *e)
{
    t->series++;
    t->within += fabs(e->value) < e->error;
    t->marked += e->too_short;
    t->by_bins += e->bin_length > 0;
    t->squares += e->value * e->value;
    t->errors += e->error * e->error;
    if (!e->too_short) {
        t->unmarked++;
        t->pulls += e->value * e->value / (e->error * e->error);
    }
}

static double share(int part, const tally *t)
{
    return (double)part / t->series;
}

/* The spread of the means in errors. */
static double ratio(const tally *t)
{
    return sqrt(t->squares / t->errors);
}

/* A fast series and, with so much of the variance, a slow one. */
static tally two_modes(double fast, double slow, double weight, int64_t count, int series)
{
    tally t = {0};

    for (int s = 0; s < series; s++) {
        double *x = autoregressive(fast, count, 100000 + (uint64_t)s);
        double *y = autoregressive(slow, count, 500000 + (uint64_t)s);
        latmc_estimate e = LATMC_INIT(latmc_estimate);

        for (int64_t i = 0; i < count; i++)
            x[i] = sqrt(1 - weight) * x[i] + sqrt(weight) * y[i];
        assert_int_equal(latmc_analyse(x, count, &e), LATMC_OK);
        count_in(&t, &e);
        free(x);
        free(y);
    }
    return t;
}

/* tau_int is 2.39, and the window that the fast mode closes says some 1. */
static void slow_modes_are_in_the_error(void **state)
{
    const tally t = two_modes(0.3, 0.98, 0.03, 20000, 300);

    (void)state;
    assert_true(share(t.within, &t) > 0.6 && share(t.within, &t) < 0.76);
    assert_true(ratio(&t) > 0.9 && ratio(&t) < 1.1);
    assert_true(share(t.by_bins, &t) > 0.9);
}

/* The slow mode's time is 1000, and of 5000 numbers no bins are long enough. */
static void what_bins_do_not_settle_is_marked(void **state)
{
    const tally t = two_modes(0.3, 0.998, 0.1, 5000, 300);

    (void)state;
    assert_true(ratio(&t) > 1.2);
    assert_true(share(t.marked, &t) > 0.9);
}

/* Of one mode the window's error stays what it is but by chance. */
static void few_false_alarms(void **state)
{
    static const struct {
        double a;
        int64_t count;
    } cases[] = {{0, 5000}, {0.5, 5000}, {0.9, 20000}};

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double a = cases[c].a;
        const tally t = two_modes(a, 0, 0, cases[c].count, 400);
        const double expected = (1 + a) / (1 - a) / (double)cases[c].count;

        assert_true(share(t.marked, &t) < 0.03);
        assert_true(share(t.by_bins, &t) < 0.1);
        assert_float_equal(sqrt(t.errors / t.series / expected), 1, 0.04);
        assert_true(share(t.within, &t) > 0.62 && share(t.within, &t) < 0.74);
    }
}

/* Means of these are known far better than those of independent numbers. */
static void alternating_series(void **state)
{
    static const double rho[] = {-0.3, -0.5, -0.8, -0.875, -0.9, -0.97};

    (void)state;
    for (size_t c = 0; c < sizeof rho / sizeof rho[0]; c++) {
        const double tau = 0.5 * (1 + rho[c]) / (1 - rho[c]);
        tally t = {0};
        double sum = 0;

        for (int s = 0; s < 400; s++) {
            double *x = autoregressive(rho[c], 5000, 7 + 1000 * (uint64_t)s);
            latmc_estimate e = LATMC_INIT(latmc_estimate);

            assert_int_equal(latmc_analyse(x, 5000, &e), LATMC_OK);
            count_in(&t, &e);
            sum += e.tau_int;
            free(x);
        }
        assert_float_equal(sum / t.series / tau, 1, 0.1);
        assert_true(share(t.within, &t) > 0.61 && share(t.within, &t) < 0.75);
        assert_true(t.unmarked > 380 || rho[c] < -0.9);
        if (t.unmarked > 20)
            assert_true(sqrt(t.pulls / t.unmarked) > 0.88 && sqrt(t.pulls / t.unmarked) < 1.12);
    }
}

/* Spins that flip with probability 15/16, as independent ones of a Metropolis update do. */
static void flipping_spins(void **state)
{
    enum { COUNT = 2000, SPINS = 64 };
    double x[COUNT] = {0}, tau = 0;

    (void)state;
    for (int s = 0; s < 100; s++) {
        uint64_t dice = 1000 * (uint64_t)s;
        latmc_estimate e = LATMC_INIT(latmc_estimate);

        for (int i = 0; i < COUNT; i++)
            x[i] = 0;
        for (int k = 0; k < SPINS; k++)
            for (int i = 0, spin = uniform(&dice) < 0.5 ? 1 : -1; i < COUNT; i++) {
                spin = uniform(&dice) < 15.0 / 16 ? -spin : spin;
                x[i] += (double)spin / SPINS;
            }
        assert_int_equal(latmc_analyse(x, COUNT, &e), LATMC_OK);
        tau += e.tau_int / 100;
    }
    assert_float_equal(tau, 1.0 / 30, 0.003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_modes_are_in_the_error),
        cmocka_unit_test(what_bins_do_not_settle_is_marked),
        cmocka_unit_test(few_false_alarms),
        cmocka_unit_test(alternating_series),
        cmocka_unit_test(flipping_spins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
