/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock model against exact answers: sums over all states of small lattices, by either update;
 * q = 4 as two Ising models at half the coupling; and both transitions of q = 6 on the square
 * lattice, between which structure factors fall as a power of the extent.
 */
#include "tests/exact/means.h"

enum { MOST_SITES = 9 };

enum { ENERGY, ENERGY2, FIRST, SQUARE, FOURTH, HELICITY, ALONE, QUANTITIES };

static const latmc_quantity observables[QUANTITIES] = {
    [ENERGY] = LATMC_QUANTITY(LATMC_ENERGY),
    [ENERGY2] = LATMC_QUANTITY(LATMC_ENERGY2),
    [FIRST] = LATMC_QUANTITY(LATMC_MAGNETIZATION, 0),
    [SQUARE] = LATMC_QUANTITY(LATMC_M2),
    [FOURTH] = LATMC_QUANTITY(LATMC_M4),
    [HELICITY] = LATMC_QUANTITY(LATMC_HELICITY, 0),
    [ALONE] = LATMC_QUANTITY(LATMC_OCCUPATION, 0)};

static const char *const names[QUANTITIES] = {"e", "e^2", "m_0", "m^2", "m^4", "helicity", "rho_0"};
static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH};

typedef struct clock_model {
    int q;
    int64_t extents[2];
    double beta, field, axis[2];
} clock_model;

static const clock_model small[] = {
    {2, {3, 3}, 0.4, 0.0, {1.0, 1.0}},   {3, {3, 2}, 0.7, 0.3, {1.0, -0.6}},
    {4, {3, 3}, 0.8, -0.2, {1.0, 1.0}},  {5, {3, 2}, 1.1, 0.0, {0.8, 1.2}},
    {6, {3, 2}, -0.9, 0.25, {1.0, 0.7}}, {8, {2, 3}, 1.2, 0.1, {1.0, 1.0}},
};

static double angle(const clock_model *m, int state)
{
    return 2.0 * acos(-1.0) * state / m->q;
}

/* Neighbours of two sites along an axis of two are the same site twice. */
static void observe(const clock_model *m, const int *s, double *x)
{
    const int width = (int)m->extents[0], sites = width * (int)m->extents[1];
    double e = 0.0, along = 0.0, turn = 0.0, m0 = 0.0, m1 = 0.0, zero = 0.0;

    for (int i = 0; i < sites; i++) {
        const int right = i / width * width + (i + 1) % width, above = (i + width) % sites;
        const double r = angle(m, s[right] - s[i]), u = angle(m, s[above] - s[i]);

        e -= m->axis[0] * cos(r) + m->axis[1] * cos(u) + m->field * cos(angle(m, s[i]));
        along += m->axis[0] * cos(r);
        turn += m->axis[0] * sin(r);
        m0 += cos(angle(m, s[i])) / sites;
        m1 += sin(angle(m, s[i])) / sites;
        zero += s[i] == 0;
    }
    x[ENERGY] = e / sites;
    x[ENERGY2] = x[ENERGY] * x[ENERGY];
    x[FIRST] = m0;
    x[SQUARE] = m0 * m0 + m1 * m1;
    x[FOURTH] = x[SQUARE] * x[SQUARE];
    x[HELICITY] = (along - m->beta * turn * turn) / sites;
    x[ALONE] = zero / sites;
}

static void enumerate(const clock_model *m, double *mean)
{
    const int sites = (int)(m->extents[0] * m->extents[1]);
    int s[MOST_SITES] = {0}, at = 0;
    double z = 0.0;

    memset(mean, 0, QUANTITIES * sizeof *mean);
    while (at < sites) {
        double x[QUANTITIES], weight;

        observe(m, s, x);
        weight = exp(-m->beta * x[ENERGY] * sites);
        z += weight;
        for (int k = 0; k < QUANTITIES; k++)
            mean[k] += weight * x[k];
        for (at = 0; at < sites && ++s[at] == m->q; at++)
            s[at] = 0;
    }
    for (int k = 0; k < QUANTITIES; k++)
        mean[k] /= z;
}

static latmc_lattice *lattice_of(const clock_model *m, int64_t replicas, uint64_t seed,
                                 latmc_start_mode start)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_CLOCK, 2, m->extents));
    ok(latmc_set_option(lattice, LATMC_Q, m->q));
    ok(latmc_set_bond_type_couplings(lattice, m->axis));
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_seed(lattice, seed));
    ok(latmc_set_param(lattice, LATMC_BETA, m->beta));
    ok(latmc_set_param(lattice, LATMC_FIELD, m->field));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, start));
    return lattice;
}

static ensemble simulate(const clock_model *m, const recording *what, uint64_t seed, int warm,
                         latmc_start_mode start)
{
    latmc_lattice *lattice = lattice_of(m, what->replicas, seed, start);
    ensemble e;

    ok(latmc_sweep(lattice, what->update, warm));
    e = ensemble_record(lattice, what);
    latmc_destroy(lattice);
    return e;
}

static void small_lattices_have_their_means(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t c = 0; c < ALL(small); c++)
        for (size_t u = 0; u < ALL(updates); u++) {
            const recording what = {updates[u], 512, 2, 400, 0, QUANTITIES, observables, names};
            ensemble e = simulate(&small[c], &what, 100 + c, 100, LATMC_START_HOT);
            double want[QUANTITIES];

            enumerate(&small[c], want);
            for (int k = 0; k < QUANTITIES; k++)
                wrong += !mean_agrees(u ? "heat bath" : "Metropolis", &e, k, want[k], 0.0);
            ensemble_free(&e);
        }
    assert_int_equal(wrong, 0);
}

/* Four states are two Ising spins: E is half of the sum of their energies. So at beta both are
 * Ising models at beta / 2, and the mean of e is theirs. On 4 x 4 by the sum over all Ising states.
 */
static double ising_energy(double beta)
{
    double sum = 0.0, z = 0.0;

    for (int s = 0; s < 65536; s++) {
        int e = 0;

        for (int i = 0; i < 16; i++) {
            const int right = i / 4 * 4 + (i + 1) % 4, above = (i + 4) % 16;
            e -= (s >> i & 1) == (s >> right & 1) ? 1 : -1;
            e -= (s >> i & 1) == (s >> above & 1) ? 1 : -1;
        }
        z += exp(-beta * e);
        sum += e / 16.0 * exp(-beta * e);
    }
    return sum / z;
}

static void four_states_are_two_ising_models(void **state)
{
    const clock_model m = {4, {4, 4}, 0.8, 0.0, {1.0, 1.0}};
    int wrong = 0;

    (void)state;
    for (size_t u = 0; u < ALL(updates); u++) {
        const recording what = {updates[u], 512, 2, 400, 0, 1, observables, names};
        ensemble e = simulate(&m, &what, 7, 200, LATMC_START_HOT);

        wrong += !mean_agrees("q = 4", &e, ENERGY, ising_energy(0.5 * m.beta), 0.0);
        ensemble_free(&e);
    }
    assert_int_equal(wrong, 0);
}

/* -ln(m^2(32) / m^2(16)) / ln 2: eta where correlations fall as r^-eta. A hot start
 * would leave domains. */
static double slope(double beta, double *error)
{
    static const latmc_quantity square[] = {LATMC_QUANTITY(LATMC_M2)};
    static const char *const name[] = {"m^2"};
    double mean[2], part[2];

    for (int k = 0; k < 2; k++) {
        const clock_model m = {6, {16 << k, 16 << k}, beta, 0.0, {1.0, 1.0}};
        const recording what = {LATMC_HEATBATH, 64, 2, 300, 0, 1, square, name};
        ensemble e = simulate(&m, &what, 40 + (uint64_t)k, 1500, LATMC_START_COLD);

        mean[k] = e.mean[0];
        part[k] = e.error[0] / e.mean[0];
        ensemble_free(&e);
    }
    *error = hypot(part[0], part[1]) / log(2.0);
    return log(mean[0] / mean[1]) / log(2.0);
}

/* Y. Tomita and Y. Okabe, Phys. Rev. B 65, 184405 (2002): eta = 1/4 at T_2, near 0.90, and 4/q^2 =
 * 1/9 at T_1, near 0.70. Above T_2 correlations have a length, below T_1 there is order. Extents
 * are small: gates leave room for corrections of half of eta, which a wrong angle or coupling is
 * far beyond. */
static void six_states_have_two_transitions(void **state)
{
    double error, eta;

    (void)state;
    eta = slope(1.0 / 0.9, &error);
    print_message("eta at T_2: %.4f(%.4f)\n", eta, error);
    assert_true(fabs(eta - 0.25) < 0.04);
    eta = slope(1.0 / 0.7, &error);
    print_message("eta at T_1: %.4f(%.4f)\n", eta, error);
    assert_true(fabs(eta - 1.0 / 9.0) < 0.04);
    eta = slope(1.0 / 1.3, &error);
    print_message("above T_2: %.4f(%.4f)\n", eta, error);
    assert_true(eta > 1.0);
    eta = slope(1.0 / 0.4, &error);
    print_message("below T_1: %.4f(%.4f)\n", eta, error);
    assert_true(eta < 0.04);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lattices_have_their_means),
        cmocka_unit_test(four_states_are_two_ising_models),
        cmocka_unit_test(six_states_have_two_transitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
