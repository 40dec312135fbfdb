/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Nishimori line. Where the distribution of couplings is P(J) = P(-J) exp(2 beta J), averages
 * over the disorder of what a change of gauge (J_ij, s_i -> t_i J_ij t_j, t_i s_i) leaves alone are
 * those of the couplings with all spins up: the energy of a bond is -[J], whatever the lattice. And
 * the magnetization is distributed as the overlap of two copies. (H. Nishimori, J. Phys. C 13, 4071
 * (1980) and Prog. Theor. Phys. 66, 1169 (1981).) Of Gaussian couplings with mean J0 and width D
 * that is beta = J0 / D^2, with [J] = J0; of -1 and +1 with the share p of +1 it is beta = ln(p /
 * (1 - p)) / 2, with [J] = 2 p - 1.
 *
 * Only the Ising model has this: the gauge of vectors is still a change of sign, over which the sum
 * of all spins' directions is no average.
 */
#include "tests/exact/means.h"

enum { SAMPLES = 2048, COPIES = 2, REPLICAS = SAMPLES * COPIES, RECORDS = 24, EVERY = 4 };
enum { HEAT = 150, AT_ONCE = 12 };

typedef struct line {
    const char *name;
    int dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundary; /* of the last axis */
    double mean, width;      /* of Gaussian couplings; width 0: of -1 and +1 */
} line;

static const line lines[] = {
    {"Gaussian, 6 x 6", 2, {6, 6}, LATMC_PERIODIC, 0.7, 1.0},
    {"Gaussian, 6 x 5, open", 2, {6, 5}, LATMC_OPEN, 0.55, 0.75},
    {"Gaussian, 4 x 3 x 3", 3, {4, 3, 3}, LATMC_PERIODIC, 0.4, 1.0},
    {"+-J, 6 x 6", 2, {6, 6}, LATMC_PERIODIC, 0.7, 0.0},
    {"+-J, 4 x 3 x 3", 3, {4, 3, 3}, LATMC_PERIODIC, 0.45, 0.0},
};

static double beta_of(const line *l)
{
    return l->width > 0.0 ? l->mean / (l->width * l->width) : atanh(l->mean);
}

/* By site; every other bond of an open axis is there. */
static double bonds_of(const line *l)
{
    const double last = (double)l->extents[l->dims - 1];

    return l->dims - (l->boundary == LATMC_OPEN ? 1.0 / last : 0.0);
}

static latmc_lattice *on_line(const line *l)
{
    static const latmc_argument normal[] = {LATMC_DRAW_MEAN, LATMC_DRAW_WIDTH},
                                plus[] = {LATMC_DRAW_PLUS};
    const double values[] = {l->mean, l->width}, share = (1.0 + l->mean) / 2.0;
    latmc_boundary boundaries[LATMC_MAX_DIMS] = {LATMC_PERIODIC, LATMC_PERIODIC, LATMC_PERIODIC};
    latmc_lattice *lattice = new_lattice(l->dims, l->extents);

    boundaries[l->dims - 1] = l->boundary;
    ok(latmc_set_boundaries(lattice, boundaries));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_samples(lattice, SAMPLES, 0));
    if (l->width > 0.0)
        ok(latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 21, 2, normal, values));
    else
        ok(latmc_draw_bond_couplings(lattice, LATMC_PLUS_MINUS_ONE, 21, 1, plus, &share));
    ok(latmc_set_param(lattice, LATMC_BETA, beta_of(l)));
    ok(latmc_set_device(lattice, "cpu"));
    return lattice;
}

/* What is measured of each sample. */
enum { ENERGY, MOMENT2, MOMENT4, MEASURED };

static const char *const names[MEASURED] = {"e", "m^2 - q^2", "m^4 - q^4"};

/* Adds a record, with its weight. */
static void measure(latmc_lattice *lattice, double sums[MEASURED][SAMPLES])
{
    static const latmc_quantity own[] = {LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_M2),
                                         LATMC_QUANTITY(LATMC_M4)},
                                of_pairs[] = {LATMC_QUANTITY(LATMC_OVERLAP2),
                                              LATMC_QUANTITY(LATMC_OVERLAP4)};
    static double x[3][REPLICAS], q[2][SAMPLES];
    static int64_t pairs[SAMPLES][2];

    for (int j = 0; j < SAMPLES; j++) {
        pairs[j][0] = COPIES * j;
        pairs[j][1] = COPIES * j + 1;
    }
    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 3, own, x[0]));
    ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, SAMPLES, pairs[0], 2, of_pairs, q[0]));
    for (int j = 0; j < SAMPLES; j++) {
        const double e = (x[0][2 * j] + x[0][2 * j + 1]) / 2.0;

        sums[ENERGY][j] += e / RECORDS;
        sums[MOMENT2][j] += ((x[1][2 * j] + x[1][2 * j + 1]) / 2.0 - q[0][j]) / RECORDS;
        sums[MOMENT4][j] += ((x[2][2 * j] + x[2][2 * j + 1]) / 2.0 - q[1][j]) / RECORDS;
    }
}

static void averages_over_disorder(void **state)
{
    static double sums[MEASURED][SAMPLES];
    const line *l = *state;
    latmc_lattice *lattice = on_line(l);
    const double e = -l->mean * bonds_of(l);
    double mean, error;
    int good = 1;

    memset(sums, 0, sizeof sums);
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, HEAT));
    for (int t = 0; t < RECORDS; t++) {
        ok(latmc_sweep(lattice, t % 2 ? LATMC_METROPOLIS : LATMC_HEATBATH, EVERY));
        measure(lattice, sums);
    }
    for (int k = 0; k < MEASURED; k++) {
        spread(sums[k], SAMPLES, &mean, &error);
        good &= agrees(l->name, names[k], mean, error, k == ENERGY ? e : 0.0);
    }
    assert_true(good);
    latmc_destroy(lattice);
}

/* With all spins up a sample is in equilibrium, as far as its gauge tells: the energy stays what it
 * is, in the mean over the disorder, from the first sweep on. */
static void a_cold_start_is_in_equilibrium(void **state)
{
    static double series[REPLICAS * AT_ONCE], of_sample[SAMPLES];
    const line *l = *state;
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lattice = on_line(l);

    for (int u = 0; u < 2; u++) {
        ok(latmc_start(lattice, LATMC_START_COLD));
        ok(record_series(lattice, u ? LATMC_METROPOLIS : LATMC_HEATBATH, 1, AT_ONCE, 1, &energy,
                         series));
        for (int t = 0; t < AT_ONCE; t++) {
            double mean, error;

            for (int j = 0; j < SAMPLES; j++)
                of_sample[j] =
                    (series[2 * j * AT_ONCE + t] + series[(2 * j + 1) * AT_ONCE + t]) / 2;
            spread(of_sample, SAMPLES, &mean, &error);
            assert_true(error < 0.02 * l->mean * bonds_of(l));
            assert_true(agrees(l->name, "e(t)", mean, error, -l->mean * bonds_of(l)));
        }
    }
    latmc_destroy(lattice);
}

int main(void)
{
    struct CMUnitTest tests[2 * ALL(lines)];

    for (size_t i = 0; i < ALL(lines); i++) {
        tests[2 * i] = (struct CMUnitTest){lines[i].name, averages_over_disorder, NULL, NULL,
                                           (void *)&lines[i]};
        tests[2 * i + 1] = (struct CMUnitTest){lines[i].name, a_cold_start_is_in_equilibrium, NULL,
                                               NULL, (void *)&lines[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
