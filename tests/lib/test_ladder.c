/* SPDX-License-Identifier: BSD-3-Clause */
/* Ladders for parallel tempering where the best one is known: a specific heat that does not change
 * with temperature wants a geometric one. */
#include <math.h>

#include "tests/support.h"

enum { MEASURED = 13, SLOTS = 9, MOST = 64 };

/* ---- Gaussian energies with C = beta^2 <(E - <E>)^2> = 20: to leading order */

static double gaussian(double b, double c)
{
    return erfc(0.5 * sqrt(20.0) * fabs(log(c / b)));
}

/* ---- a classical system of n = 2 a quadratic degrees of freedom: beta E has a gamma distribution
 * of shape a. Of each two energies, the order that weighs more is always taken, the other one as
 * often as left: so the acceptance is twice the probability that the colder of the two has the
 * higher energy, and G / (G + G') of two gamma numbers has a beta distribution. C. Predescu, M.
 * Predescu and C. V. Ciobanu, J. Chem. Phys. 120, 4119 (2004); here by the midpoint rule. */

static double harmonic(double b, double c)
{
    const double a = 10.0, end = 1 / (1 + fmax(b / c, c / b));
    const int steps = 20000;
    double below = 0, all = 0;

    for (int i = 0; i < steps; i++) {
        const double x = (i + 0.5) / steps;

        all += pow(x * (1 - x), a - 1);
        below += pow(x * end * (1 - x * end), a - 1) * end;
    }
    return 2 * below / all;
}

typedef double law(double b, double c);

static void acceptances(law *of, int count, const double *values, double *acceptance)
{
    for (int k = 0; k + 1 < count; k++)
        acceptance[k] = of(values[k], values[k + 1]);
}

/* From values that are far from even to geometric ones. */
static void is_geometric(law *of, double from, double to, double within)
{
    double values[MEASURED], acceptance[MEASURED], ladder[SLOTS];

    for (int k = 0; k < MEASURED; k++)
        values[k] = from + (to - from) * k / (MEASURED - 1);
    acceptances(of, MEASURED, values, acceptance);
    ok(latmc_propose_ladder(MEASURED, values, acceptance, SLOTS, ladder));
    assert_true(ladder[0] == from && ladder[SLOTS - 1] == to);
    for (int s = 0; s < SLOTS; s++) {
        const double best = from * pow(to / from, (double)s / (SLOTS - 1));

        if (fabs(ladder[s] / best - 1) > within)
            fail_msg("slot %d of %g to %g is %.6f, not %.6f", s, from, to, ladder[s], best);
    }
}

static void a_constant_specific_heat_wants_a_geometric_ladder(void **state)
{
    (void)state;
    is_geometric(gaussian, 0.5, 2.0, 1e-3);
    is_geometric(gaussian, 2.0, 0.5, 1e-3);
    is_geometric(harmonic, 0.5, 2.0, 5e-3);
    is_geometric(harmonic, 2.0, 0.5, 5e-3);
}

/* What is proposed is even, and stays as it is when it is measured and proposed again. */
static void what_is_proposed_is_even(void **state)
{
    double values[SLOTS], acceptance[SLOTS], again[SLOTS];

    (void)state;
    for (int k = 0; k < SLOTS; k++)
        values[k] = 0.3 + 0.7 * k / (SLOTS - 1);
    for (int round = 0; round < 3; round++) {
        acceptances(harmonic, SLOTS, values, acceptance);
        ok(latmc_propose_ladder(SLOTS, values, acceptance, SLOTS, values));
    }
    acceptances(harmonic, SLOTS, values, acceptance);
    for (int k = 0; k + 2 < SLOTS; k++)
        assert_float_equal(acceptance[k + 1] / acceptance[k], 1, 1e-4);
    ok(latmc_propose_ladder(SLOTS, values, acceptance, SLOTS, again));
    for (int k = 0; k < SLOTS; k++)
        assert_float_equal(again[k] / values[k], 1, 1e-5);
}

/* More slots or fewer, two values alone, acceptances of 0 and 1: from one end to the other in one
 * direction. */
static void ladders_rise_or_fall(void **state)
{
    static const struct {
        int count;
        double values[4], acceptance[3];
    } given[] = {
        {2, {0.1, 0.9}, {0.2}},
        {2, {0.9, -0.1}, {0}},
        {3, {-1, 0, 5}, {0, 1}},
        {4, {3, 2, 1.9, -7}, {1, 0, 0.5}},
        {4, {1, 2, 3, 4}, {1, 1, 1}},
        {4, {0, 1e-9, 1, 1e9}, {0.5, 1e-9, 0.999999}},
        {3, {-1e300, 0, 1e300}, {0.4, 0.4}},
    };
    double ladder[MOST];

    (void)state;
    for (size_t i = 0; i < ALL(given); i++)
        for (int slots = 2; slots <= MOST; slots++) {
            const double *v = given[i].values, end = v[given[i].count - 1];

            ok(latmc_propose_ladder(given[i].count, v, given[i].acceptance, slots, ladder));
            assert_true(ladder[0] == v[0] && ladder[slots - 1] == end);
            for (int s = 0; s + 1 < slots; s++)
                assert_true(end > v[0] ? ladder[s + 1] > ladder[s] : ladder[s + 1] < ladder[s]);
        }
    ok(latmc_propose_ladder(2, (double[]){0.1, 0.9}, (double[]){0.2}, 5, ladder));
    for (int s = 0; s < 5; s++) /* two values say no more than that */
        assert_float_equal(ladder[s], 0.1 + 0.2 * s, 1e-12);
}

static void bad_arguments_are_refused(void **state)
{
    const latmc_status no = LATMC_ERROR_ARGUMENT;
    const double v[] = {1, 2, 3}, a[] = {0.5, 0.5};
    double l[3] = {7, 7, 7};

    (void)state;
    refused(no, "values is NULL", latmc_propose_ladder(3, NULL, a, 3, l));
    refused(no, "acceptance is NULL", latmc_propose_ladder(3, v, NULL, 3, l));
    refused(no, "ladder is NULL", latmc_propose_ladder(3, v, a, 3, NULL));
    refused(no, "count is 1 and slots is 3", latmc_propose_ladder(1, v, a, 3, l));
    refused(no, "count is 3 and slots is 1", latmc_propose_ladder(3, v, a, 1, l));
    refused(no, "value 1 is nan", latmc_propose_ladder(3, (double[]){1, (double)NAN, 3}, a, 3, l));
    refused(no, "value 2 is 2e+300", latmc_propose_ladder(3, (double[]){1, 2, 2e300}, a, 3, l));
    refused(no, "values 1 and 2 are 2 and 2; they must rise",
            latmc_propose_ladder(3, (double[]){1, 2, 2}, a, 3, l));
    refused(no, "values 0 and 1 are 1 and 4",
            latmc_propose_ladder(3, (double[]){1, 4, 0}, a, 3, l));
    refused(no, "of values 1 and 2 is 1.5", latmc_propose_ladder(3, v, (double[]){0, 1.5}, 3, l));
    refused(no, "of values 0 and 1 is nan",
            latmc_propose_ladder(3, v, (double[]){(double)NAN, 1}, 3, l));
    assert_true(l[0] == 7 && l[1] == 7 && l[2] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_specific_heat_wants_a_geometric_ladder),
        cmocka_unit_test(what_is_proposed_is_even),
        cmocka_unit_test(ladders_rise_or_fall),
        cmocka_unit_test(bad_arguments_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
