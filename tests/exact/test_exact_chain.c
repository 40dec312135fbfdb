/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of any length against their closed forms: products of 2 x 2 transfer matrices, for
 * periodic, antiperiodic and open ends, even and odd lengths, with and without a field.
 */
#include "tests/exact/ensemble.h"

typedef struct matrix {
    double m[2][2];
} matrix;

static matrix product(matrix a, matrix b)
{
    matrix c;

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j];
    return c;
}

static double trace(matrix a)
{
    return a.m[0][0] + a.m[1][1];
}

/* exp(beta (J s s' + h s')) for s, s' = -1, +1 */
static matrix transfer(double beta, double j, double h)
{
    matrix t;

    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            t.m[a][b] = exp(beta * (j * (2 * a - 1) * (2 * b - 1) + h * (2 * b - 1)));
    return t;
}

/* The spin on the diagonal. */
static const matrix spin = {{{-1.0, 0.0}, {0.0, 1.0}}};

static double end_coupling(const model *m)
{
    return m->boundaries[0] == O ? 0.0 : m->boundaries[0] == A ? -1.0 : 1.0;
}

/* tr(T .. T): the last bond, from site n - 1 to site 0, is the boundary's. s(i), s(j) are spins
 * put in after i and j steps (0 <= i <= j <= n; outside: none). */
static double correlation(const model *m, int i, int j)
{
    const int n = (int)m->extents[0];
    const matrix bulk = transfer(m->beta, 1.0, m->field);
    const matrix end = transfer(m->beta, end_coupling(m), m->field);
    matrix all = {{{1.0, 0.0}, {0.0, 1.0}}};

    for (int k = 0; k < n; k++) {
        if (k == i)
            all = product(all, spin);
        if (k == j)
            all = product(all, spin);
        all = product(all, k == n - 1 ? end : bulk);
    }
    return trace(all);
}

/* <e>, <m> and <m^2> as sums over one and two spins. */
static void closed_form(const model *m, double *e, double *magnetization, double *m2)
{
    const int n = (int)m->extents[0];
    const double z = correlation(m, -1, -1);
    double one = 0.0, two = 0.0, bonds = 0.0;

    for (int i = 0; i < n; i++) {
        one += correlation(m, i, -1) / z;
        for (int j = i + 1; j < n; j++)
            two += 2.0 * correlation(m, i, j) / z;
        bonds += i < n - 1 ? correlation(m, i, i + 1) / z
                           : end_coupling(m) * correlation(m, 0, n - 1) / z;
    }
    *e = -(bonds + m->field * one) / n;
    *magnetization = one / n;
    *m2 = (n + two) / n / n;
}

static const model chains[] = {
    {1, {2}, {P}, .beta = 0.3},
    {1, {2}, {O}, .beta = 0.8, .field = 0.1},
    {1, {2}, {A}, .beta = 0.8, .field = 0.3},
    {1, {3}, {P}, .beta = 0.5},
    {1, {5}, {A}, .beta = 0.7},
    {1, {10}, {P}, .beta = 0.5},
    {1, {16}, {P}, .beta = 0.6},
    {1, {17}, {P}, .beta = 0.6},
    {1, {31}, {P}, .beta = 0.7},
    {1, {31}, {O}, .beta = 0.7},
    {1, {32}, {A}, .beta = 0.8},
    {1, {33}, {P}, .beta = 0.8},
    {1, {33}, {A}, .beta = 0.8},
    {1, {64}, {O}, .beta = 0.9},
    {1, {65}, {P}, .beta = -0.8},
    {1, {66}, {P}, .beta = 0.9, .field = 0.05},
    {1, {101}, {P}, .beta = 0.7, .field = 0.1},
    {1, {101}, {A}, .beta = 0.7, .field = -0.1},
    {1, {101}, {O}, .beta = -0.5, .field = 0.4},
    {1, {200}, {O}, .beta = 0.7},
    {1, {200}, {A}, .beta = 0.5, .field = 0.2},
};

/* From the cold start, which a ring must be able to leave (doc/physics-ising.md). */
static int check(const model *m, latmc_update update)
{
    const schedule plan = {update, LATMC_START_COLD, 512, 400, 100, 3};
    ensemble e = ensemble_run(m, &plan, 77 + (uint64_t)(m - chains));
    double energy, magnetization, m2;
    char name[80];
    int good;

    snprintf(name, sizeof name, "%d sites, %s, beta %g, field %g, %s", (int)m->extents[0],
             (const char *[]){"periodic", "antiperiodic", "open"}[m->boundaries[0] - P], m->beta,
             m->field, update == LATMC_METROPOLIS ? "Metropolis" : "heat bath");
    closed_form(m, &energy, &magnetization, &m2);
    good = agrees(name, "e", e.mean[ENERGY], e.error[ENERGY], energy);
    good &= agrees(name, "m", e.mean[MAGNETIZATION], e.error[MAGNETIZATION], magnetization);
    good &= agrees(name, "m^2", e.mean[SQUARE], e.error[SQUARE], m2);
    ensemble_free(&e);
    return good;
}

static void chain(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(chains); i++) {
        good &= check(&chains[i], LATMC_METROPOLIS);
        good &= check(&chains[i], LATMC_HEATBATH);
    }
    assert_true(good);
}

/*
 * An open chain of +-J bonds at h = 0 is that of free bonds: <e> = -(n - 1) tanh(beta) / n and
 * var(e) = (n - 1) / (n^2 cosh^2(beta)), whatever the signs.
 */
static void disordered_chain(void **state)
{
    const model m = {1, {77}, {O}, .bonds = PM1, .beta = 0.8};
    const double n = 77.0, mean = -(n - 1.0) / n * tanh(m.beta);
    const double variance = (n - 1.0) / (n * n * cosh(m.beta) * cosh(m.beta));
    const schedule plan = {LATMC_METROPOLIS, LATMC_START_HOT, 512, 500, 200, 3};
    ensemble e = ensemble_run(&m, &plan, 78);

    (void)state;
    assert_true(agrees("open +-J chain", "e", e.mean[ENERGY], e.error[ENERGY], mean));
    assert_true(
        agrees("open +-J chain", "e^2", e.mean[ENERGY2], e.error[ENERGY2], variance + mean * mean));
    ensemble_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain),
        cmocka_unit_test(disordered_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
