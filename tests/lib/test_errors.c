/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors over many series of known processes: as large as the spread of the means, or marked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <latmc/latmc.h>

#include "tests/lib/series.h"
#include "tests/derived.h"

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

/* As in a 6^3 glass at beta 0.8: the slow mode lives for some hundredth of the run, which is too
 * long for the spread of bins without their neighbours. */
static void short_runs_with_slow_modes(void **state)
{
    const tally t = two_modes(0.6, 0.9875, 0.15, 10000, 300);

    (void)state;
    assert_true(share(t.within, &t) > 0.6 && share(t.within, &t) < 0.76);
    assert_true(ratio(&t) > 0.9 && ratio(&t) < 1.05);
    assert_true(share(t.unmarked, &t) > 0.55 && sqrt(t.pulls / t.unmarked) < 1.2);
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

static double first(const double *means, void *user)
{
    (void)user;
    return means[0];
}

/* The share within one error is that of a Gaussian at any count, which takes Student's factor. */
static void few_independent_numbers(void **state)
{
    static const int counts[] = {2, 3, 4, 8, 19, 20};
    enum { DRAWS = LM_SANITIZED ? 2000 : 20000 };

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        uint64_t dice = 77 + c;
        tally t = {0}, derived = {0};

        for (int d = 0; d < DRAWS; d++) {
            double x[20];
            const double *const values[] = {x};
            latmc_estimate e = LATMC_INIT(latmc_estimate), f = e;

            for (int i = 0; i < counts[c]; i++)
                x[i] = normal(&dice);
            assert_int_equal(latmc_average(x, counts[c], &e), LATMC_OK);
            count_in(&t, &e);
            assert_int_equal(average_derived(values, 1, counts[c], first, NULL, &f), LATMC_OK);
            count_in(&derived, &f);
            assert_float_equal(e.error, f.error, 1e-12 * e.error);
        }
        assert_float_equal(share(t.within, &t), 0.6827, 4.5 * sqrt(0.217 / DRAWS));
        assert_int_equal(t.marked, counts[c] < 20 ? DRAWS : 0);
        assert_int_equal(derived.marked, t.marked);
    }
}

/* Numbers of samples have no autocorrelation, whatever they look like in their order. */
static void order_is_of_no_matter(void **state)
{
    double *x = autoregressive(0.99, 100, 5);
    const double *const values[] = {x};
    latmc_estimate e = LATMC_INIT(latmc_estimate), bin = e;

    (void)state;
    assert_int_equal(average_derived(values, 1, 100, first, NULL, &e), LATMC_OK);
    assert_int_equal(latmc_binned(x, 100, 1, &bin), LATMC_OK);
    assert_int_equal(e.too_short, 0);
    assert_float_equal(e.error, bin.error, 1e-12 * e.error);
    assert_true(isnan(e.tau_int));
    free(x);
}

/* sqrt(max(0, u)), u being some of its errors above 0: never negative, and never far too sure. */
static void a_length_that_may_be_0(void **state)
{
    static const double above[] = {0, 0.5, 1, 2};
    const latmc_momentum momentum = {sizeof momentum, 2 * asin(0.5)}; /* xi = sqrt(ratio - 1) */
    enum { SERIES = 1000, COUNT = 1000 };

    (void)state;
    for (size_t c = 0; c < sizeof above / sizeof above[0]; c++) {
        const double sigma = 0.3 / sqrt(COUNT), truth = sqrt(above[c] * sigma);
        int far = 0, unmarked = 0;
        double pulls = 0;

        for (int s = 0; s < SERIES; s++) {
            uint64_t dice = 1000 * (uint64_t)s + c;
            double m2[COUNT], f[COUNT];
            const double *const series[] = {m2, f};
            latmc_estimate e = LATMC_INIT(latmc_estimate);

            for (int i = 0; i < COUNT; i++) {
                m2[i] = 1 + above[c] * sigma + 0.3 * normal(&dice);
                f[i] = 1 + 1e-9 * normal(&dice);
            }
            assert_int_equal(jackknife(series, 2, COUNT, 100, latmc_correlation_length,
                                       (void *)(uintptr_t)&momentum, &e),
                             LATMC_OK);
            assert_true(e.value >= 0);
            if (e.too_short)
                continue;
            unmarked++;
            far += fabs(e.value - truth) > 3 * e.error;
            pulls += (e.value - truth) * (e.value - truth) / (e.error * e.error);
        }
        assert_true(unmarked > SERIES / 3);
        assert_true(far < 0.02 * unmarked);
        assert_true(sqrt(pulls / unmarked) < 1.3);
    }
}

/* C of energies that hardly fluctuate: marked, where the mean of e^2 has no digits left for it, and
 * right of the energies from which a constant was taken. */
static void digits_that_rounding_eats(void **state)
{
    enum { COUNT = 20000 };
    static double e[COUNT], e2[COUNT];
    const double *const series[] = {e, e2};
    latmc_scale scale = {sizeof scale, 1e6, 64};
    latmc_estimate heat = LATMC_INIT(latmc_estimate);
    uint64_t dice = 3;

    (void)state;
    for (int shifted = 0; shifted < 2; shifted++) {
        for (int i = 0; i < COUNT; i++) {
            e[i] = (shifted ? 0 : -2) + normal(&dice) / (1e6 * 8); /* C / N = 1 */
            e2[i] = e[i] * e[i];
        }
        assert_int_equal(jackknife(series, 2, COUNT, 100, latmc_specific_heat, &scale, &heat),
                         LATMC_OK);
        assert_int_equal(heat.too_short, !shifted);
    }
    assert_float_equal(heat.error, sqrt(2.0 / COUNT), 0.003);
    assert_true(fabs(heat.value - 1) < 4.5 * heat.error);
}

static void compared(int count, double off, double chi2, double probability)
{
    latmc_estimate e[12];
    double found[2];

    for (int i = 0; i < count; i++)
        e[i] = (latmc_estimate){
            .size = sizeof *e, .value = i % 2 ? 5 + 0.1 * off : 5 - 0.1 * off, .error = 0.1};
    if (count % 2)
        e[count - 1].value = 5;
    assert_int_equal(latmc_compare(e, count, &found[0], &found[1]), LATMC_OK);
    assert_float_equal(found[0], chi2, 1e-10 * chi2);
    assert_float_equal(found[1], probability, 1e-6);
}

/* The values beside 0.05 are those of every table of chi^2. */
static void estimates_that_agree_and_do_not(void **state)
{
    latmc_estimate e[3];
    double chi2, probability;

    (void)state;
    compared(2, sqrt(3.841458821 / 2), 3.841458821, 0.05);
    compared(3, sqrt(5.991464547 / 2), 5.991464547, 0.05);
    compared(6, sqrt(11.07049769 / 6), 11.07049769, 0.05);
    compared(11, sqrt(18.30703805 / 10), 18.30703805, 0.05);
    compared(4, 0, 0, 1);
    compared(2, 30, 1800, 0);

    /* Weights: the mean of 1(1) and 4(2) is 1.6. What has no error does not count. */
    e[0] = (latmc_estimate){.size = sizeof *e, .value = 1, .error = 1};
    e[1] = (latmc_estimate){.size = sizeof *e, .value = 99, .error = (double)NAN};
    e[2] = (latmc_estimate){.size = sizeof *e, .value = 4, .error = 2};
    assert_int_equal(latmc_compare(e, 3, &chi2, NULL), LATMC_OK);
    assert_float_equal(chi2, 0.36 + 1.44, 1e-12);
    assert_int_equal(latmc_compare(e, 2, &chi2, &probability), LATMC_OK);
    assert_true(isnan(chi2) && isnan(probability));
}

static void bad_arguments(void **state)
{
    const double x[] = {1, 2, 3}, bad[] = {1, NAN, 3};
    const double *const values[] = {x}, *const nans[] = {bad};
    latmc_estimate e = LATMC_INIT(latmc_estimate), two[2] = {e, {.size = 8}};
    latmc_derivation blocks = {.size = sizeof blocks,
                               .series = values,
                               .series_count = 1,
                               .count = 3,
                               .blocks = 3,
                               .function = first};
    double chi2 = 42;

    (void)state;
    e.value = 42;
    assert_int_equal(latmc_average(NULL, 3, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_average(x, 1, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_average(bad, 3, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_average(x, 3, NULL), LATMC_ERROR_ARGUMENT);
    assert_int_equal(average_derived(NULL, 1, 3, first, NULL, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(average_derived(values, 0, 3, first, NULL, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(average_derived(values, 1, 1, first, NULL, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(average_derived(values, 1, 3, NULL, NULL, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(average_derived(nans, 1, 3, first, NULL, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(average_derived(values, 1, 3, first, NULL, NULL), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_average_derived(NULL, &e), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_average_derived(&blocks, &e), LATMC_ERROR_ARGUMENT);
    assert_non_null(strstr(latmc_error_message(), "blocks is 3; it must be 0"));
    blocks.size = 8;
    assert_int_equal(latmc_jackknife(&blocks, &e), LATMC_ERROR_ARGUMENT);
    assert_non_null(strstr(latmc_error_message(), "sizeof(latmc_derivation)"));
    assert_int_equal(latmc_compare(NULL, 1, &chi2, NULL), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_compare(two, 0, &chi2, NULL), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_compare(two, 2, &chi2, NULL), LATMC_ERROR_ARGUMENT);
    assert_int_equal(latmc_compare(two + 1, 1, &chi2, NULL), LATMC_ERROR_ARGUMENT);
    assert_true(e.value == 42 && chi2 == 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_modes_are_in_the_error),
        cmocka_unit_test(short_runs_with_slow_modes),
        cmocka_unit_test(what_bins_do_not_settle_is_marked),
        cmocka_unit_test(few_false_alarms),
        cmocka_unit_test(alternating_series),
        cmocka_unit_test(flipping_spins),
        cmocka_unit_test(few_independent_numbers),
        cmocka_unit_test(order_is_of_no_matter),
        cmocka_unit_test(a_length_that_may_be_0),
        cmocka_unit_test(digits_that_rounding_eats),
        cmocka_unit_test(estimates_that_agree_and_do_not),
        cmocka_unit_test(bad_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
