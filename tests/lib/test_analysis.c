/* SPDX-License-Identifier: BSD-3-Clause */
/* The analysis of time series against processes whose answers are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <latmc/latmc.h>

#include "tests/lib/series.h"
#include "tests/derived.h"

/* Gates in standard errors. */
#define GATE 4.5

static latmc_estimate analysed(const double *series, int64_t count)
{
    latmc_estimate e = {.size = sizeof e};

    assert_int_equal(latmc_analyse(series, count, &e), LATMC_OK);
    assert_int_equal(e.reserved, 0);
    return e;
}

static void check_autoregressive(double a, int64_t count, uint64_t seed)
{
    double *x = autoregressive(a, count, seed);
    const latmc_estimate e = analysed(x, count);
    const double tau = 0.5 * (1 + a) / (1 - a);

    assert_int_equal(e.too_short, 0);
    assert_true(fabs(e.value) < GATE * e.error);
    assert_true(fabs(e.tau_int - tau) < GATE * e.tau_error);
    assert_true(e.tau_error < 0.25 * tau);
    assert_float_equal(e.error / sqrt(2 * tau / (double)count), 1, 0.1);
    free(x);
}

static void known_autocorrelation_time(void **state)
{
    (void)state;
    check_autoregressive(0.5, 100000, 1);
    check_autoregressive(0.9, 200000, 2);
    check_autoregressive(0.98, 1000000, 3);
    check_autoregressive(0.998, LM_SANITIZED ? 600000 : 3000000, 4); /* tau_int 499.5 */
    check_autoregressive(-0.5, 100000, 5);                           /* tau_int 1/6 */
}

/* The same sums by the book: whatever way the library took to Gamma(t). */
static void sums_by_hand(void **state)
{
    static const struct {
        double a;
        int64_t count;
    } cases[] = {{0.9, 5000}, {0.99, 30001}, {0.999, 70000}};

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int64_t n = cases[c].count;
        double *x = autoregressive(cases[c].a, n, 10 + c);
        const latmc_estimate e = analysed(x, n);
        double mean = 0, total = 0, variance = 0;

        for (int64_t i = 0; i < n; i++)
            mean += x[i] / (double)n;
        for (int64_t t = 0; t <= e.window; t++) {
            double gamma = 0;

            for (int64_t i = 0; i + t < n; i++)
                gamma += (x[i] - mean) * (x[i + t] - mean) / (double)(n - t);
            total += t ? 2 * gamma : gamma;
            if (t == 0)
                variance = gamma;
        }
        variance += total / (double)n;
        total *= 1 + (2 * (double)e.window + 1) / (double)n;
        assert_float_equal(e.value, mean, 1e-12);
        assert_float_equal(e.tau_int, total / (2 * variance), 1e-9 * e.tau_int);
        assert_float_equal(e.error, sqrt(total / (double)n), 1e-9 * e.error);
        free(x);
    }
}

/* Over many short series the squared deviations in units of the errors average to 1. */
static void errors_are_calibrated(void **state)
{
    enum { SERIES = 4000, COUNT = 2000 };
    double sum = 0, squares = 0, mean, deviation;

    (void)state;
    for (int s = 0; s < SERIES; s++) {
        double *x = autoregressive(0.8, COUNT, 1000 + (uint64_t)s);
        const latmc_estimate e = analysed(x, COUNT);
        const double pull = e.value * e.value / (e.error * e.error);

        sum += pull;
        squares += pull * pull;
        free(x);
    }
    mean = sum / SERIES;
    deviation = sqrt((squares / SERIES - mean * mean) / SERIES);
    assert_true(fabs(mean - 1) < GATE * deviation);
    assert_true(deviation < 0.03);
}

static void independent_numbers(void **state)
{
    double *x = autoregressive(0, 50000, 7);
    const latmc_estimate e = analysed(x, 50000);

    (void)state;
    assert_true(fabs(e.tau_int - 0.5) < GATE * e.tau_error);
    assert_float_equal(e.error * sqrt(50000.0), 1, 0.05);
    assert_true(e.window <= 4);
    assert_int_equal(e.too_short, 0);
    free(x);
}

static void constant_numbers(void **state)
{
    double x[1000];
    latmc_estimate e;

    (void)state;
    for (int i = 0; i < 1000; i++)
        x[i] = 0.1;
    e = analysed(x, 1000);
    assert_true(e.value == 0.1);
    assert_true(isnan(e.error) && isnan(e.tau_int) && isnan(e.tau_error));
    assert_int_equal(e.too_short, 1);
    assert_int_equal(analysed(x, 2).too_short, 1);
    assert_int_equal(latmc_binned(x, 1000, 10, &e), LATMC_OK);
    assert_true(e.value == 0.1 && isnan(e.error) && e.too_short);
    assert_int_equal(jackknife((const double *const[]){x, x}, 2, 1000, 20, latmc_binder, NULL, &e),
                     LATMC_OK);
    assert_true(isnan(e.error) && e.too_short);
}

/* A state that is left a few times in a run says little of how often it is left. */
static void frozen_numbers(void **state)
{
    enum { COUNT = 100000 };
    static double x[COUNT];

    (void)state;
    for (int excursions = 1; excursions <= 30; excursions++) {
        uint64_t dice = (uint64_t)excursions;

        for (int64_t i = 0; i < COUNT; i++)
            x[i] = 0;
        for (int64_t k = 0; k < excursions; k++) /* one in each part of the run, so with no trend */
            x[(int64_t)(((double)k + 0.8 * uniform(&dice)) * COUNT / excursions) + 1] = 1;
        assert_int_equal(analysed(x, COUNT).too_short, 2 * excursions < 20);
    }
}

static void too_short_is_flagged(void **state)
{
    double *x = autoregressive(0.99, 200000, 8); /* tau_int 99.5 */
    double ramp[1000];

    (void)state;
    assert_int_equal(analysed(x, 200000).too_short, 0);
    assert_int_equal(analysed(x, 2000).too_short, 1);
    assert_int_equal(analysed(x, 2).too_short, 1);
    for (int i = 0; i < 1000; i++)
        ramp[i] = i;
    assert_int_equal(analysed(ramp, 1000).too_short, 1);
    free(x);
}

/* Two numbers: the sum of Gamma(t) is negative. An error is given, and not to be trusted. */
static void two_numbers(void **state)
{
    const double x[] = {1, -1};
    const latmc_estimate e = analysed(x, 2);

    (void)state;
    assert_true(e.value == 0);
    assert_float_equal(e.error, sqrt(0.5), 1e-15);
    assert_true(e.tau_int == 0.5);
    assert_int_equal(e.too_short, 1);
}

static double first(const double *means, void *user)
{
    (void)user;
    return means[0];
}

/* The mean's error is 0, which a sum of Gamma(t) does not show. */
static void alternating_numbers(void **state)
{
    double x[1000];
    latmc_estimate e;

    (void)state;
    for (int i = 0; i < 1000; i++)
        x[i] = i % 2 ? 1 : -1;
    e = analysed(x, 1000);
    assert_true(e.value == 0);
    assert_true(isfinite(e.error) && isfinite(e.tau_int) && isfinite(e.tau_error));
    assert_int_equal(e.too_short, 1);

    /* Blocks of even length have one mean, from which no error follows. */
    const double *const series[] = {x};
    assert_int_equal(jackknife(series, 1, 1000, 20, first, NULL, &e), LATMC_OK);
    assert_true(e.error == 0 && e.too_short);
}

/* Few lags are summed one by one, many come from a Fourier transform. */
static void autocorrelations(void **state)
{
    enum { COUNT = 3001, MANY = 1501 };
    double *x = autoregressive(0.9, COUNT, 21), mean = 0, few[5], many[MANY], variance = 0;
    const double same[] = {2, 2, 2};

    (void)state;
    for (int i = 0; i < COUNT; i++)
        mean += x[i] / COUNT;
    assert_int_equal(latmc_autocorrelation(x, COUNT, 5, few), LATMC_OK);
    assert_int_equal(latmc_autocorrelation(x, COUNT, MANY, many), LATMC_OK);
    for (int t = 0; t < MANY; t++) {
        double gamma = 0;

        for (int i = 0; i + t < COUNT; i++)
            gamma += (x[i] - mean) * (x[i + t] - mean) / (COUNT - t);
        variance = t ? variance : gamma;
        assert_float_equal(many[t], gamma / variance, 1e-12);
        if (t < 5)
            assert_float_equal(few[t], many[t], 1e-12);
    }
    assert_int_equal(latmc_autocorrelation(same, 3, 2, few), LATMC_OK);
    assert_true(isnan(few[0]) && isnan(few[1]));
    free(x);
}

/* A larger S makes a longer window; 1.5 is that of latmc_analyse(). */
static void the_window_can_be_chosen(void **state)
{
    double *x = autoregressive(0.9, 100000, 22);
    const latmc_estimate usual = analysed(x, 100000);
    latmc_estimate e = {.size = sizeof e};

    (void)state;
    assert_int_equal(latmc_analyse_window(x, 100000, 1.5, &e), LATMC_OK);
    assert_memory_equal(&e, &usual, sizeof e);
    assert_int_equal(latmc_analyse_window(x, 100000, 3, &e), LATMC_OK);
    assert_in_range(e.window, usual.window * 3 / 2, usual.window * 5 / 2);
    assert_true(fabs(e.tau_int - 9.5) < GATE * e.tau_error);
    assert_int_equal(latmc_analyse_window(x, 100000, 0.5, &e), LATMC_OK);
    assert_true(e.window < usual.window / 2);
    free(x);
}

static void bins(void **state)
{
    static const double x[] = {1, 3, 2, 6, 5, 3, 100};
    latmc_estimate e = {.size = sizeof e};
    double *ar = autoregressive(0.9, 200000, 9);

    (void)state;
    /* bins 2, 4, 4: mean 10/3, variance 4/3 */
    assert_int_equal(latmc_binned(x, 7, 2, &e), LATMC_OK);
    assert_float_equal(e.value, 10.0 / 3, 1e-14);
    assert_float_equal(e.error, 1.32127 * 2.0 / 3, 1e-3); /* t of 2 degrees of freedom */
    assert_int_equal(e.window, 2);
    assert_int_equal(e.too_short, 1);
    assert_true(isnan(e.tau_int) && isnan(e.tau_error));
    assert_int_equal(latmc_binned(ar, 200000, 1000, &e), LATMC_OK);
    assert_float_equal(e.error / sqrt(19.0 / 200000), 1, 0.2);
    assert_int_equal(e.too_short, 0);
    assert_int_equal(latmc_binned(ar, 200000, 10001, &e), LATMC_OK);
    assert_int_equal(e.too_short, 1); /* 19 bins */
    free(ar);
}

static double square(const double *means, void *user)
{
    (void)user;
    return means[0] * means[0];
}

static double ratio(const double *means, void *user)
{
    ++*(int *)user;
    return means[0] / means[1];
}

/* Of a mean the jackknife's error is that of bins; of its square it removes the bias
 * s^2 / n exactly. */
static void jackknife_exactly(void **state)
{
    enum { N = 600 };
    double *x = autoregressive(0.3, N, 11);
    const double *series[] = {x};
    latmc_estimate mean = {.size = sizeof mean}, bin = {.size = sizeof bin};
    latmc_estimate squared = {.size = sizeof squared};

    (void)state;
    assert_int_equal(jackknife(series, 1, N, 60, first, NULL, &mean), LATMC_OK);
    assert_int_equal(latmc_binned(x, N, 10, &bin), LATMC_OK);
    assert_float_equal(mean.value, bin.value, 1e-13);
    assert_float_equal(mean.error, bin.error, 1e-13);
    assert_int_equal(mean.window, 60);
    assert_true(isnan(mean.tau_int));

    for (int i = 0; i < N; i++) /* far from where the square bends */
        x[i] += 5;
    assert_int_equal(latmc_binned(x, N, 1, &bin), LATMC_OK);
    assert_int_equal(jackknife(series, 1, N, N, square, NULL, &squared), LATMC_OK);
    bin.error /= 1 + 0.5 / (N - 1) + 0.25 / (N - 1) / (N - 1); /* Student's factor */
    assert_float_equal(squared.value, bin.value * bin.value - bin.error * bin.error, 1e-11);
    free(x);
}

/* <y>/<x> with y = 2 x + noise: the error is that of the noise alone, since the parts
 * that x and y share cancel. */
static void jackknife_of_a_ratio(void **state)
{
    enum { N = 200000, BLOCKS = 100 };
    double *x = autoregressive(0.8, N, 12), *noise = autoregressive(0.8, N, 13);
    double *y = malloc(N * sizeof *y);
    const double *series[] = {y, x};
    const double expected = 0.1 * sqrt(9.0 / N) / 5; /* 2 tau_int = 9 */
    latmc_estimate e = {.size = sizeof e};
    int calls = 0;

    (void)state;
    assert_non_null(y);
    for (int i = 0; i < N; i++) {
        x[i] += 5;
        y[i] = 2 * x[i] + 0.1 * noise[i];
    }
    assert_int_equal(jackknife(series, 2, N, BLOCKS, ratio, &calls, &e), LATMC_OK);
    assert_int_equal(calls, BLOCKS + 1 + 4 + 2); /* moved means, last digits */
    assert_true(fabs(e.value - 2) < GATE * e.error);
    assert_float_equal(e.error / expected, 1, GATE / sqrt(2.0 * BLOCKS));
    assert_int_equal(e.too_short, 0);
    assert_int_equal(jackknife(series, 2, N, N / 20, ratio, &calls, &e), LATMC_OK);
    assert_int_equal(e.too_short, 1); /* blocks of 20, tau_int 4.5 */
    free(x);
    free(noise);
    free(y);
}

static void derived_quantities(void **state)
{
    latmc_scale scale = {.size = sizeof scale, .beta = 0.5, .sites = 64};
    const double e[] = {-1.5, 2.5}, m[] = {0.5, 0.75}, u[] = {0.5, 0.375};

    (void)state;
    assert_float_equal(latmc_specific_heat(e, &scale), 0.25 * 64 * 0.25, 1e-14);
    assert_float_equal(latmc_susceptibility(m, &scale), 0.5 * 64 * 0.5, 1e-14);
    assert_true(isnan(latmc_susceptibility(m, NULL)) && isnan(latmc_specific_heat(m, NULL)));
    assert_float_equal(latmc_spin_glass_susceptibility(m, &scale), 64 * 0.5, 1e-14);
    assert_true(isnan(latmc_spin_glass_susceptibility(m, NULL)));
    assert_true(isnan(latmc_correlation_length(m, NULL)));
    scale.size = 0;
    assert_true(isnan(latmc_spin_glass_susceptibility(m, &scale)));
    assert_true(isnan(latmc_susceptibility(m, &scale)) && isnan(latmc_specific_heat(m, &scale)));
    assert_float_equal(latmc_binder(u, NULL), 0.5, 1e-14);
}

/* A refusal has a message and leaves the estimate as it was. */
static void refused(latmc_status status, const latmc_estimate *e, const latmc_estimate *before,
                    const char *word)
{
    assert_int_equal(status, LATMC_ERROR_ARGUMENT);
    assert_memory_equal(e, before, sizeof *e);
    assert_non_null(strstr(latmc_error_message(), word));
}

static void bad_arguments_of_one_series(void **state)
{
    const double x[] = {1, 2, 3, 4}, bad[] = {1, NAN}, worse[] = {1, 2, INFINITY};
    latmc_estimate e = {.size = sizeof e, .value = 42}, before = e;
    latmc_estimate unset = {.size = 0, .value = 42}, unset_before = unset;

    (void)state;
    refused(latmc_analyse(NULL, 4, &e), &e, &before, "latmc_analyse: the series");
    refused(latmc_analyse(x, 1, &e), &e, &before, "count is 1");
    refused(latmc_analyse(x, -4, &e), &e, &before, "count is -4");
    refused(latmc_analyse(bad, 2, &e), &e, &before, "number 1 of the series");
    refused(latmc_analyse(x, 4, NULL), &e, &before, "estimate");
    refused(latmc_analyse(x, 4, &unset), &unset, &unset_before, "size");
    refused(latmc_analyse_window(NULL, 4, 1, &e), &e, &before, "latmc_analyse_window: the series");
    refused(latmc_analyse_window(x, 4, 0.09, &e), &e, &before, "stretch is 0.09");
    refused(latmc_analyse_window(x, 4, 101, &e), &e, &before, "stretch is 101");
    refused(latmc_analyse_window(x, 4, NAN, &e), &e, &before, "stretch is");
    refused(latmc_analyse_window(x, 4, 1, NULL), &e, &before, "estimate");
    refused(latmc_autocorrelation(NULL, 4, 2, &e.value), &e, &before, "series is NULL");
    refused(latmc_autocorrelation(bad, 2, 1, &e.value), &e, &before, "number 1");
    refused(latmc_autocorrelation(x, 4, 0, &e.value), &e, &before, "lags is 0");
    refused(latmc_autocorrelation(x, 4, 4, &e.value), &e, &before, "lags is 4; 1 to 3");
    refused(latmc_autocorrelation(x, 4, 2, NULL), &e, &before, "rho is NULL");
    refused(latmc_binned(NULL, 4, 2, &e), &e, &before, "latmc_binned: the series");
    refused(latmc_binned(worse, 3, 1, &e), &e, &before, "number 2");
    refused(latmc_binned(x, 4, 0, &e), &e, &before, "length is 0");
    refused(latmc_binned(x, 4, 3, &e), &e, &before, "length is 3");
    refused(latmc_binned(x, 1, 1, &e), &e, &before, "count is 1");
    refused(latmc_binned(x, 4, 2, NULL), &e, &before, "estimate");
    refused(latmc_binned(x, 4, 2, &unset), &unset, &unset_before, "size");
}

static void bad_arguments_of_several_series(void **state)
{
    const double x[] = {1, 2, 3, 4}, bad[] = {1, 2, NAN, 4};
    const double *good[] = {x, x}, *hole[] = {x, NULL}, *nan[] = {x, bad};
    latmc_estimate e = {.size = sizeof e, .value = 42}, before = e;
    latmc_estimate unset = {.size = 0, .value = 42}, unset_before = unset;

    (void)state;
    refused(jackknife(NULL, 2, 4, 2, first, NULL, &e), &e, &before, "series is NULL");
    refused(jackknife(good, 0, 4, 2, first, NULL, &e), &e, &before, "series_count is 0");
    refused(jackknife(hole, 2, 4, 2, first, NULL, &e), &e, &before, "NULL");
    refused(jackknife(nan, 2, 4, 2, first, NULL, &e), &e, &before, "number 2");
    refused(jackknife(good, 2, 1, 2, first, NULL, &e), &e, &before, "count is 1");
    refused(jackknife(good, 2, 4, 1, first, NULL, &e), &e, &before, "blocks is 1");
    refused(jackknife(good, 2, 4, 5, first, NULL, &e), &e, &before, "blocks is 5");
    refused(jackknife(good, 2, 4, 2, NULL, NULL, &e), &e, &before, "function");
    refused(jackknife(good, 2, 4, 2, first, NULL, NULL), &e, &before, "estimate");
    refused(jackknife(good, 2, 4, 2, first, NULL, &unset), &unset, &unset_before, "size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_autocorrelation_time),
        cmocka_unit_test(sums_by_hand),
        cmocka_unit_test(errors_are_calibrated),
        cmocka_unit_test(independent_numbers),
        cmocka_unit_test(constant_numbers),
        cmocka_unit_test(frozen_numbers),
        cmocka_unit_test(too_short_is_flagged),
        cmocka_unit_test(two_numbers),
        cmocka_unit_test(alternating_numbers),
        cmocka_unit_test(autocorrelations),
        cmocka_unit_test(the_window_can_be_chosen),
        cmocka_unit_test(bins),
        cmocka_unit_test(jackknife_exactly),
        cmocka_unit_test(jackknife_of_a_ratio),
        cmocka_unit_test(derived_quantities),
        cmocka_unit_test(bad_arguments_of_one_series),
        cmocka_unit_test(bad_arguments_of_several_series),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
