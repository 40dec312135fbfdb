/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two copies of each sample whose ladders meet, as latmc-ising-glass has them, against all states
 * of 2 x 2 x 2 spins with each sample's own couplings. Samples have replicas of their own, so that
 * what they differ by from their exact values must be zero within the spread of it.
 */
#include "examples/glass.h"
#include "tests/exact/means.h"

enum { SAMPLES = 300, STEPS = 4, SITES = 8, STATES = 1 << SITES, AXES = 3 };

static const char *const names[MEANS] = {"e", "q_l", "q^2", "q^4", "wave"};

static int spin(int state, int site)
{
    return state >> site & 1 ? 1 : -1;
}

/* (1/24) sum over the bonds, each with its factor; every site has two to its neighbour. */
static double bond_sum(int state, const double *factor)
{
    double sum = 0;

    for (int axis = 0; axis < AXES; axis++)
        for (int i = 0; i < SITES; i++)
            sum += (factor ? factor[axis * SITES + i] : 1) * spin(state, i) *
                   spin(state, i ^ 1 << axis);
    return sum / (AXES * SITES);
}

/* Of the products of two copies' spins; with k = pi the waves have the signs of an axis' sites. */
static void of_products(int state, double *x)
{
    double q = 0, wave[AXES] = {0};

    for (int i = 0; i < SITES; i++) {
        q += (double)spin(state, i) / SITES;
        for (int axis = 0; axis < AXES; axis++)
            wave[axis] += (double)(i >> axis & 1 ? -1 : 1) * spin(state, i) / SITES;
    }
    x[MEAN_LINKS] = bond_sum(state, NULL);
    x[MEAN_Q2] = q * q;
    x[MEAN_Q4] = q * q * q * q;
    x[MEAN_WAVE] = (wave[0] * wave[0] + wave[1] * wave[1] + wave[2] * wave[2]) / AXES;
}

/* All pairs of states, in the order of their products. */
static void exact_of(const double *bonds, double temperature, double *exact)
{
    double weight[STATES], energy[STATES], z = 0;

    memset(exact, 0, MEANS * sizeof *exact);
    for (int a = 0; a < STATES; a++) {
        energy[a] = -AXES * bond_sum(a, bonds);
        weight[a] = exp(-SITES * energy[a] / temperature);
        z += weight[a];
    }
    for (int a = 0; a < STATES; a++)
        exact[MEAN_ENERGY] += weight[a] / z * energy[a];
    for (int product = 0; product < STATES; product++) {
        double x[MEANS], share = 0;

        of_products(product, x);
        for (int a = 0; a < STATES; a++) /* a set bit is +1: the product of equal spins */
            share += weight[a] / z * weight[a ^ product ^ (STATES - 1)] / z;
        for (int m = MEAN_LINKS; m < MEANS; m++)
            exact[m] += share * x[m];
    }
}

/* Of two slots of one temperature the replicas exchange always: nothing else does. */
static int ladders_meet(const latmc_lattice *lattice)
{
    int64_t offered[2 * STEPS * SAMPLES], accepted[2 * STEPS * SAMPLES];
    int good = 1;

    ok(latmc_get_exchange_counts(lattice, offered, accepted));
    for (int s = 0; s < 2 * STEPS * SAMPLES; s++)
        good &= s % (2 * STEPS) != STEPS - 1 || (offered[s] > 0 && accepted[s] == offered[s]);
    return good;
}

static void copies(void **state)
{
    static double off[STEPS][MEANS][SAMPLES];
    glass_size g = {.size = 2,
                    .sites = SITES,
                    .samples = SAMPLES,
                    .steps = STEPS,
                    .temperature = {1.0, 1.6, 2.4, 3.6},
                    .seed = 11,
                    .wanted = 256};
    const int64_t half = 128; /* of the measurements: the last bin, which is number 8 */
    latmc_lattice *lattice;
    int good = 1;

    (void)state;
    glass_prepare(&g);
    lattice = glass_make(&g, "cpu", 0);
    assert_false(glass_run(&g, lattice));
    for (int64_t j = 0; j < SAMPLES; j++) {
        double bonds[AXES * SITES], exact[MEANS];

        ok(latmc_get_bond_couplings(lattice, j, bonds));
        for (int t = 0; t < STEPS; t++) {
            exact_of(bonds, g.temperature[t], exact);
            for (int m = 0; m < MEANS; m++)
                off[t][m][j] =
                    g.sums[((8 * SAMPLES + j) * STEPS + t) * MEANS + m] / (double)half - exact[m];
        }
    }
    for (int t = 0; t < STEPS; t++)
        for (int m = 0; m < MEANS; m++) {
            char name[40];
            double mean, error;

            snprintf(name, sizeof name, "T = %g", g.temperature[t]);
            spread(off[t][m], SAMPLES, &mean, &error);
            good &= error > 0 && error < 0.02 && agrees(name, names[m], mean, error, 0.0);
        }
    assert_true(good);
    assert_true(ladders_meet(lattice));
    latmc_destroy(lattice);
    glass_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
