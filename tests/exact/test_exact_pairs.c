/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas, and structure factors, against exact answers. Of two independent
 * replicas with the correlations c_ij = <s_i . s_j> the mean of a sum over i, j of products at both
 * is one of c_ij^2: overlap2 = (1/N^2) sum c_ij^2 of spins and of the tensor of vectors, the
 * structure factor the same with cos(k (x_i - x_j)), the link overlap the mean of c_ij^2 over the
 * bonds. Correlations are those of all states of a small Ising lattice, or those of an open XY
 * chain, (I_1 / I_0)^|i - j|.
 */
#include "tests/exact/means.h"
#include "tests/derived.h"

enum { PAIRS = 160, REPLICAS = 2 * PAIRS, TIMES = 250, EVERY = 3, MOST = 8 };

typedef struct expected {
    latmc_quantity id;
    const char *name;
    double value;
} expected;

static double average[MOST][PAIRS]; /* over the time, of each pair */

/* From the averages of number `order`, of the order parameter's square, and number `wave`, of its
 * structure factor at the momentum k: what follows from them, by leaving out pairs. */
static int derived_agree(const char *name, double sites, double k, const expected *want, int order,
                         int wave)
{
    const double m2 = want[order].value, f = want[wave].value;
    const double *of_order[] = {average[order], average[wave]}, *of_wave[] = {average[wave]};
    latmc_scale scale = {.size = sizeof scale, .beta = 7.0, .sites = sites};
    latmc_momentum momentum = {.size = sizeof momentum, .k = k};
    latmc_estimate chi = LATMC_INIT(latmc_estimate), chi_k = chi, xi = chi;

    ok(jackknife(of_order, 1, PAIRS, PAIRS, latmc_spin_glass_susceptibility, &scale, &chi));
    ok(jackknife(of_wave, 1, PAIRS, PAIRS, latmc_spin_glass_susceptibility, &scale, &chi_k));
    ok(jackknife(of_order, 2, PAIRS, PAIRS, latmc_correlation_length, &momentum, &xi));
    return agrees(name, "chi_SG", chi.value, chi.error, sites * m2) &
           agrees(name, "chi_SG(k)", chi_k.value, chi_k.error, sites * f) &
           agrees(name, "xi", xi.value, xi.error, sqrt(m2 / f - 1.0) / (2.0 * sin(k / 2.0)));
}

/* Averages over the time of each pair, then over pairs. */
static int pairs_agree(const char *name, latmc_lattice *lattice, const latmc_update *updates,
                       int count, const expected *want)
{
    static double now[MOST * PAIRS];
    int64_t pairs[PAIRS][2];
    latmc_quantity what[MOST];
    int good = 1;

    memset(average, 0, sizeof average);
    for (int p = 0; p < PAIRS; p++) {
        pairs[p][0] = 2 * p;
        pairs[p][1] = 2 * p + 1;
    }
    for (int o = 0; o < count; o++)
        what[o] = want[o].id;
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, updates[0], 300));
    for (int t = 0; t < TIMES; t++) {
        ok(latmc_sweep(lattice, updates[t % 2], EVERY));
        ok(latmc_sweep(lattice, updates[0], 1));
        ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, PAIRS, pairs[0], count, what, now));
        for (int o = 0; o < count; o++)
            for (int p = 0; p < PAIRS; p++)
                average[o][p] += now[o * PAIRS + p] / TIMES;
    }
    for (int o = 0; o < count; o++) {
        double mean, error;

        spread(average[o], PAIRS, &mean, &error);
        good &= agrees(name, want[o].name, mean, error, want[o].value);
    }
    return good;
}

/* Of the replicas themselves. */
static int replicas_agree(const char *name, latmc_lattice *lattice, latmc_update update, int count,
                          const expected *want)
{
    static double series[2][REPLICAS][TIMES], of_replica[REPLICAS];
    latmc_quantity what[2];
    int good = 1;

    assert_true(count <= 2);
    for (int o = 0; o < count; o++)
        what[o] = want[o].id;
    ok(record_series(lattice, update, EVERY, TIMES, count, what, series[0][0]));
    for (int o = 0; o < count; o++) {
        double mean, error;

        for (int r = 0; r < REPLICAS; r++) {
            of_replica[r] = 0.0;
            for (int t = 0; t < TIMES; t++)
                of_replica[r] += series[o][r][t] / TIMES;
        }
        spread(of_replica, REPLICAS, &mean, &error);
        good &= agrees(name, want[o].name, mean, error, want[o].value);
    }
    return good;
}

/* ---- spins: 4 x 3, periodic and open, with missing bonds, an axis with other couplings */

enum { L0 = 4, L1 = 3, SITES = L0 * L1 };

static const double type_coupling[2] = {1.0, -0.75};

static int up_of(int i, int axis)
{
    return axis == 0 ? i / L0 * L0 + (i + 1) % L0 : (i + L0) % SITES;
}

/* Own couplings with the boundaries: the second axis is open. */
static void correlations(const double *bonds, double beta, double c[SITES][SITES])
{
    double z = 0.0;

    memset(c, 0, sizeof(double[SITES][SITES]));
    for (unsigned s = 0; s < 1u << SITES; s++) {
        double energy = 0.0, weight;

        for (int a = 0; a < 2; a++)
            for (int i = 0; i < SITES; i++)
                energy -= type_coupling[a] * bonds[a * SITES + i] *
                          ((s >> i ^ s >> up_of(i, a)) & 1u ? -1.0 : 1.0);
        weight = exp(-beta * energy);
        z += weight;
        for (int i = 0; i < SITES; i++)
            for (int j = 0; j < SITES; j++)
                c[i][j] += weight * ((s >> i ^ s >> j) & 1u ? -1.0 : 1.0);
    }
    for (int i = 0; i < SITES; i++)
        for (int j = 0; j < SITES; j++)
            c[i][j] /= z;
}

static void spins(void **state)
{
    const latmc_distribution drawn = *(const latmc_distribution *)*state;
    const latmc_argument missing = LATMC_DRAW_MISSING;
    const latmc_update updates[] = {LATMC_HEATBATH, LATMC_METROPOLIS};
    const double share = 0.2, beta = 0.5;
    latmc_lattice *lattice = new_lattice(2, (int64_t[]){L0, L1});
    double bonds[2 * SITES], c[SITES][SITES], count = 0.0;
    expected want[] = {{LATMC_QUANTITY(LATMC_OVERLAP), "q", 0.0},
                       {LATMC_QUANTITY(LATMC_OVERLAP2), "q^2", 0.0},
                       {LATMC_QUANTITY(LATMC_LINK_OVERLAP), "q_l", 0.0},
                       {LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0), "axis 0", 0.0},
                       {LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 1), "axis 1", 0.0}};
    expected own[] = {{LATMC_QUANTITY(LATMC_STRUCTURE, 0), "own, axis 0", 0.0},
                      {LATMC_QUANTITY(LATMC_STRUCTURE, 1), "own, axis 1", 0.0}};

    ok(latmc_set_boundaries(lattice, (latmc_boundary[]){LATMC_ANTIPERIODIC, LATMC_OPEN}));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_bond_type_couplings(lattice, type_coupling));
    ok(latmc_draw_bond_couplings(lattice, drawn, 5, 1, &missing, &share));
    ok(latmc_set_param(lattice, LATMC_BETA, beta));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_get_bond_couplings(lattice, 0, bonds));
    for (int i = 0; i < SITES; i++) {
        bonds[i] = i % L0 == L0 - 1 ? -bonds[i] : bonds[i];
        bonds[SITES + i] = i / L0 == L1 - 1 ? 0.0 : bonds[SITES + i];
    }
    correlations(bonds, beta, c);
    for (int i = 0; i < SITES; i++)
        for (int j = 0; j < SITES; j++) {
            const double square = c[i][j] * c[i][j] / (SITES * SITES), turn = 2.0 * acos(-1.0);

            want[1].value += square;
            want[3].value += square * cos(turn * (i % L0 - j % L0) / L0);
            want[4].value += square * cos(turn * (i / L0 - j / L0) / L1);
            /* half the momentum along an antiperiodic axis */
            own[0].value += c[i][j] / (SITES * SITES) * cos(turn / 2.0 * (i % L0 - j % L0) / L0);
            own[1].value += c[i][j] / (SITES * SITES) * cos(turn * (i / L0 - j / L0) / L1);
        }
    for (int k = 0; k < 2 * SITES; k++)
        if (bonds[k] != 0.0) {
            const int i = k % SITES, j = up_of(i, k / SITES);

            want[2].value += c[i][j] * c[i][j];
            count += 1.0;
        }
    want[2].value /= count;
    assert_true(count < 2 * SITES - L0);
    assert_true(pairs_agree("spins", lattice, updates, ALL(want), want));
    assert_true(derived_agree("spins", SITES, 2.0 * acos(-1.0) / L0, want, 1, 3));
    assert_true(replicas_agree("spins", lattice, updates[0], ALL(own), own));
    latmc_destroy(lattice);
}

/* ---- vectors: an open XY chain; q^2 of the vectors themselves is half of the tensor's */

static void vectors(void **state)
{
    enum { N = 6 };
    const double u = 0.565159103992485 / 1.266065877752008; /* I_1(1) / I_0(1) */
    const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_OVERRELAX};
    latmc_lattice *lattice = NULL;
    expected want[] = {{LATMC_QUANTITY(LATMC_OVERLAP2), "q^2", 0.0},
                       {LATMC_QUANTITY(LATMC_LINK_OVERLAP), "q_l", u * u},
                       {LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0), "k", 0.0},
                       {LATMC_QUANTITY(LATMC_TENSOR_OVERLAP2), "tensor", 0.0},
                       {LATMC_QUANTITY(LATMC_TENSOR_STRUCTURE, 0), "tensor, k", 0.0}};
    expected own = {LATMC_QUANTITY(LATMC_STRUCTURE, 0), "own, k", 0.0};

    (void)state;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double square = pow(u, 2.0 * abs(i - j)) / (N * N);

            want[3].value += square;
            want[4].value += square * cos(2.0 * acos(-1.0) * (i - j) / N);
            own.value += pow(u, abs(i - j)) / (N * N) * cos(2.0 * acos(-1.0) * (i - j) / N);
        }
    want[0].value = want[3].value / 2.0;
    want[2].value = want[4].value / 2.0;
    ok(latmc_create(&lattice, LATMC_ONVECTOR, 1, (int64_t[]){N}));
    ok(latmc_set_boundaries(lattice, (latmc_boundary[]){LATMC_OPEN}));
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_param(lattice, LATMC_BETA, 1.0));
    ok(latmc_set_device(lattice, "cpu"));
    assert_true(pairs_agree("vectors", lattice, updates, ALL(want), want));
    assert_true(derived_agree("vectors", N, 2.0 * acos(-1.0) / N, want, 3, 4));
    assert_true(replicas_agree("vectors", lattice, updates[0], 1, &own));
    latmc_destroy(lattice);
}

/* ---- Gaussian couplings: e = -beta (B / N) (1 - q_l), averaged over samples */

static void gaussian_identity(void **state)
{
    enum { SAMPLES = PAIRS, WIDTH = 4 };
    static double energy[REPLICAS], links[PAIRS], difference[SAMPLES];
    const double beta = 0.8;
    const latmc_quantity e = LATMC_QUANTITY(LATMC_ENERGY), q = LATMC_QUANTITY(LATMC_LINK_OVERLAP);
    int64_t pairs[PAIRS][2];
    latmc_lattice *lattice = new_lattice(2, (int64_t[]){WIDTH, WIDTH});
    double mean, error;

    (void)state;
    ok(latmc_set_replicas(lattice, REPLICAS));
    ok(latmc_set_samples(lattice, SAMPLES, 0));
    ok(latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 11, 0, NULL, NULL));
    ok(latmc_set_param(lattice, LATMC_BETA, beta));
    ok(latmc_set_device(lattice, "cpu"));
    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, 500));
    for (int p = 0; p < PAIRS; p++) {
        pairs[p][0] = 2 * p;
        pairs[p][1] = 2 * p + 1;
    }
    for (int t = 0; t < TIMES; t++) {
        ok(latmc_sweep(lattice, LATMC_HEATBATH, 2 * EVERY));
        ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &e, energy));
        ok(latmc_observe_pairs(lattice, LATMC_BY_REPLICA, PAIRS, pairs[0], 1, &q, links));
        for (int p = 0; p < PAIRS; p++)
            difference[p] +=
                ((energy[2 * p] + energy[2 * p + 1]) / 2.0 + beta * 2.0 * (1.0 - links[p])) / TIMES;
    }
    spread(difference, SAMPLES, &mean, &error);
    assert_true(error < 0.05);
    assert_true(agrees("Gaussian identity", "e + ..", mean, error, 0.0));
    latmc_destroy(lattice);
}

int main(void)
{
    latmc_distribution signs = LATMC_PLUS_MINUS_ONE, reals = LATMC_GAUSSIAN;
    const struct CMUnitTest tests[] = {
        {"spins, +-J", spins, NULL, NULL, &signs},
        {"spins, Gaussian couplings", spins, NULL, NULL, &reals},
        {"vectors", vectors, NULL, NULL, NULL},
        {"Gaussian identity", gaussian_identity, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
