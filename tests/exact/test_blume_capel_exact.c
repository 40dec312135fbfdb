/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Blume-Capel model against exact answers: the sum over all states of small lattices, for means
 * of what is measured and for the share of each state; transfer matrices of chains and strips;
 * Ising spins, which it has where vacancies cost too much.
 */
#include "tests/exact/means.h"
#include "tests/models/ising_plain.h"

enum {
    ENERGY,
    ENERGY2,
    SPIN,
    MODULUS,
    SQUARE,
    FOURTH,
    QUADRUPOLE,
    QUADRUPOLE2,
    CHANGED,
    QUANTITIES
};

static const latmc_quantity observables[QUANTITIES] = {
    [ENERGY] = LATMC_QUANTITY(LATMC_ENERGY),
    [ENERGY2] = LATMC_QUANTITY(LATMC_ENERGY2),
    [SPIN] = LATMC_QUANTITY(LATMC_MAGNETIZATION),
    [MODULUS] = LATMC_QUANTITY(LATMC_ABS_MAGNETIZATION),
    [SQUARE] = LATMC_QUANTITY(LATMC_M2),
    [FOURTH] = LATMC_QUANTITY(LATMC_M4),
    [QUADRUPOLE] = LATMC_QUANTITY(LATMC_QUADRUPOLE),
    [QUADRUPOLE2] = LATMC_QUANTITY(LATMC_QUADRUPOLE2),
    [CHANGED] = LATMC_QUANTITY(LATMC_CHANGED),
};

static const char *const names[QUANTITIES] = {
    [ENERGY] = "e",     [ENERGY2] = "e^2",     [SPIN] = "m",
    [MODULUS] = "|m|",  [SQUARE] = "m^2",      [FOURTH] = "m^4",
    [QUADRUPOLE] = "q", [QUADRUPOLE2] = "q^2", [CHANGED] = "changed"};

static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH};
static const char *const update_names[] = {"Metropolis", "heat bath"};

/* A lattice of the Ising tests, and the crystal field. */
typedef struct blume_capel_model {
    model lattice;
    double crystal;
} blume_capel_model;

static const blume_capel_model small[] = {
    {{.dims = 1, .extents = {7}, .boundaries = {P}, .beta = 0.9}, 0.6},
    {{.dims = 1, .extents = {6}, .boundaries = {O}, .beta = 1.3, .field = 0.3}, 1.1},
    {{.dims = 2, .extents = {2, 2}, .boundaries = {P, P}, .beta = 0.6}, 1.9},
    {{.dims = 2, .extents = {2, 4}, .boundaries = {P, P}, .beta = 0.55, .field = 0.2}, 1.6},
    {{.dims = 2, .extents = {3, 3}, .boundaries = {P, P}, .beta = 0.6, .field = 0.15}, 1.4},
    {{.dims = 2, .extents = {3, 3}, .boundaries = {P, P}, .beta = -0.5}, 0.5},
    {{.dims = 2, .extents = {3, 2}, .boundaries = {A, P}, .beta = 0.8, .axis = {1.0, -0.6}}, -0.4},
    {{.dims = 2,
      .extents = {4, 2},
      .boundaries = {P, O},
      .beta = 0.9,
      .bonds = DILUTED,
      .field = -0.25},
     0.8},
    {{.dims = 3, .extents = {2, 2, 2}, .boundaries = {P, P, P}, .beta = 0.35}, 2.2},
    {{.dims = 3,
      .extents = {2, 2, 2},
      .boundaries = {P, O, A},
      .beta = 0.6,
      .bonds = PM1,
      .axis = {1.0, 0.5, -0.8}},
     0.3},
};

static latmc_lattice *lattice_of(const blume_capel_model *m, int64_t replicas, uint64_t seed)
{
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, LATMC_BLUME_CAPEL, m->lattice.dims, m->lattice.extents));
    ok(latmc_set_boundaries(lattice, m->lattice.boundaries));
    model_couplings(&m->lattice, lattice);
    ok(latmc_set_replicas(lattice, replicas));
    ok(latmc_set_seed(lattice, seed));
    ok(latmc_set_param(lattice, LATMC_BETA, m->lattice.beta));
    ok(latmc_set_param(lattice, LATMC_CRYSTAL_FIELD, m->crystal));
    ok(latmc_set_param(lattice, LATMC_FIELD, m->lattice.field));
    ok(latmc_set_device(lattice, "cpu"));
    return lattice;
}

/* ---- the sum over all states */

enum { MOST_SITES = 10, MOST_STATES = 59049 };

static double square_sum(const plain *p, const int8_t *s)
{
    double sum = 0.0;

    for (int i = 0; i < p->sites; i++)
        sum += s[i] * s[i];
    return sum;
}

static void observe(const plain *p, double crystal, const int8_t *s, double *x)
{
    double sum = 0.0;

    for (int i = 0; i < p->sites; i++)
        sum += s[i];
    x[ENERGY] = (plain_energy(p, s) + crystal * square_sum(p, s)) / p->sites;
    x[ENERGY2] = x[ENERGY] * x[ENERGY];
    x[SPIN] = sum / p->sites;
    x[MODULUS] = fabs(x[SPIN]);
    x[SQUARE] = x[SPIN] * x[SPIN];
    x[FOURTH] = x[SQUARE] * x[SQUARE];
    x[QUADRUPOLE] = square_sum(p, s) / p->sites;
    x[QUADRUPOLE2] = x[QUADRUPOLE] * x[QUADRUPOLE];
}

/* The share of sites that an update changes, in equilibrium. */
static double changes(const plain *p, double crystal, const int8_t *s, latmc_update update)
{
    double sum = 0.0;

    for (int i = 0; i < p->sites; i++) {
        const double f = plain_local(p, s, i) + p->field;
        double weight[3], all = 0.0;
        for (int t = -1; t <= 1; t++)
            all += weight[t + 1] = exp(p->beta * (t * f - t * t * crystal));
        for (int t = -1; t <= 1; t++)
            if (t != s[i])
                sum += update == LATMC_HEATBATH ? weight[t + 1] / all
                                                : 0.5 * fmin(1.0, weight[t + 1] / weight[s[i] + 1]);
    }
    return sum / p->sites;
}

typedef struct summed {
    double mean[QUANTITIES], changed[ALL(updates)], z;
    double weight[MOST_STATES]; /* of each state, site 0 the lowest digit of s + 1 */
    int states;
} summed;

static void enumerate(const blume_capel_model *m, summed *all)
{
    double *bonds = model_bonds(&m->lattice);
    plain p = plain_of(&m->lattice, bonds);
    int8_t s[MOST_SITES];

    memset(all, 0, sizeof *all);
    all->states = 1;
    for (int i = 0; i < p.sites; i++)
        all->states *= 3;
    assert_true(all->states <= MOST_STATES);
    for (int state = 0; state < all->states; state++) {
        double x[QUANTITIES];
        for (int i = 0, rest = state; i < p.sites; i++, rest /= 3)
            s[i] = (int8_t)(rest % 3 - 1);
        observe(&p, m->crystal, s, x);
        const double weight = all->weight[state] = exp(-p.beta * p.sites * x[ENERGY]);
        all->z += weight;
        for (int k = 0; k < CHANGED; k++)
            all->mean[k] += weight * x[k];
        for (size_t u = 0; u < ALL(updates); u++)
            all->changed[u] += weight * changes(&p, m->crystal, s, updates[u]);
    }
    for (int k = 0; k < CHANGED; k++)
        all->mean[k] /= all->z;
    for (size_t u = 0; u < ALL(updates); u++)
        all->changed[u] /= all->z;
    plain_free(&p);
    free(bonds);
}

static ensemble sampled(latmc_lattice *lattice, latmc_update update, const run_length *length)
{
    const recording what = {.update = update,
                            .replicas = length->replicas,
                            .every = length->every,
                            .records = length->records,
                            .quantities = QUANTITIES,
                            .observables = observables,
                            .names = names};
    ensemble e;

    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, LATMC_HEATBATH, length->thermalize));
    e = ensemble_record(lattice, &what);
    latmc_destroy(lattice);
    return e;
}

static void small_lattices(void **state)
{
    static summed all;
    const run_length length = {256, 80, 200, 1};
    int good = 1;

    (void)state;
    for (size_t k = 0; k < ALL(small); k++) {
        enumerate(&small[k], &all);
        for (size_t u = 0; u < ALL(updates); u++) {
            ensemble e =
                sampled(lattice_of(&small[k], length.replicas, 90 + k), updates[u], &length);
            char name[80];

            all.mean[CHANGED] = all.changed[u];
            snprintf(name, sizeof name, "lattice %d, %s", (int)k, update_names[u]);
            for (int what = 0; what < QUANTITIES; what++)
                good &= mean_agrees(name, &e, what, all.mean[what], 0.0);
            ensemble_free(&e);
        }
    }
    assert_true(good);
}

/* ---- the share of each state: chi^2 over replicas, which are independent */

static double chi_square(const blume_capel_model *m, latmc_update update, const summed *all)
{
    enum { COPIES = 65536 };
    static double seen[MOST_STATES];
    latmc_lattice *lattice = lattice_of(m, COPIES, 31);
    int8_t s[MOST_SITES];
    const int64_t sites = m->lattice.extents[0] * m->lattice.extents[1];
    double chi = 0.0;

    ok(latmc_start(lattice, LATMC_START_HOT));
    ok(latmc_sweep(lattice, update, 60));
    memset(seen, 0, sizeof seen);
    for (int64_t r = 0; r < COPIES; r++) {
        int number = 0;
        ok(get_replica(lattice, r, LATMC_INT8, s, sites));
        for (int64_t i = sites - 1; i >= 0; i--)
            number = 3 * number + s[i] + 1;
        seen[number] += 1.0;
    }
    latmc_destroy(lattice);
    for (int k = 0; k < all->states; k++) {
        const double expected = COPIES * all->weight[k] / all->z;
        assert_true(expected > 5.0);
        chi += (seen[k] - expected) * (seen[k] - expected) / expected;
    }
    return (chi - (all->states - 1)) / sqrt(2.0 * (all->states - 1));
}

static void states_of_2x2(void **state)
{
    static summed all;
    const blume_capel_model m = {
        {.dims = 2, .extents = {2, 2}, .boundaries = {P, P}, .beta = 0.3, .field = 0.2}, 1.1};

    (void)state;
    enumerate(&m, &all);
    for (size_t u = 0; u < ALL(updates); u++)
        assert_true(fabs(chi_square(&m, updates[u], &all)) < 4.5);
}

/* ---- strips, by a transfer matrix over the states of a row */

enum { STRIP = 4, ROWS = 81 };

static void row_spins(int row, int *s)
{
    for (int i = 0; i < STRIP; i++, row /= 3)
        s[i] = row % 3 - 1;
}

/* ln Z of 4 x length with periodic ends, at some beta and D: the trace of a product. */
static double strip_ln_z(double beta, double crystal, int length)
{
    static double t[ROWS][ROWS], power[ROWS][ROWS], next[ROWS][ROWS];
    double scale = 0.0, trace = 0.0;

    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++) {
            int s[STRIP], u[STRIP];
            double e = 0.0;
            row_spins(a, s);
            row_spins(b, u);
            for (int i = 0; i < STRIP; i++)
                e += crystal * s[i] * s[i] - s[i] * s[(i + 1) % STRIP] - s[i] * u[i];
            t[a][b] = power[a][b] = exp(-beta * e);
        }
    for (int step = 1; step < length; step++) {
        double most = 0.0;
        memset(next, 0, sizeof next);
        for (int a = 0; a < ROWS; a++)
            for (int c = 0; c < ROWS; c++)
                for (int b = 0; b < ROWS; b++)
                    next[a][b] += power[a][c] * t[c][b];
        for (int a = 0; a < ROWS; a++)
            for (int b = 0; b < ROWS; b++)
                most = fmax(most, next[a][b]);
        for (int a = 0; a < ROWS; a++)
            for (int b = 0; b < ROWS; b++)
                power[a][b] = next[a][b] / most;
        scale += log(most);
    }
    for (int a = 0; a < ROWS; a++)
        trace += power[a][a];
    return scale + log(trace);
}

/* e and q are derivatives of ln Z; of differences the error is below 1e-8. */
static void strips(void **state)
{
    static const double points[][2] = {{0.59, 0.0}, {1.0, 1.4}, {1.645, 1.966}};
    const run_length length = {128, 300, 250, 4};
    const double h = 1e-4;
    const int rows = 12, sites = STRIP * rows;
    int good = 1;

    (void)state;
    for (size_t k = 0; k < ALL(points); k++) {
        const double beta = points[k][0], d = points[k][1];
        const blume_capel_model m = {
            {.dims = 2, .extents = {STRIP, rows}, .boundaries = {P, P}, .beta = beta}, d};
        const double e = -(strip_ln_z(beta + h, d, rows) - strip_ln_z(beta - h, d, rows)) / (2 * h);
        const double q =
            -(strip_ln_z(beta, d + h, rows) - strip_ln_z(beta, d - h, rows)) / (2 * h * beta);
        ensemble means = sampled(lattice_of(&m, length.replicas, 700 + k), updates[k % 2], &length);

        good &= mean_agrees("strip", &means, ENERGY, e / sites, 0.0);
        good &= mean_agrees("strip", &means, QUADRUPOLE, q / sites, 0.0);
        ensemble_free(&means);
    }
    assert_true(good);
}

/* ---- Ising spins where D is -50: 16 x 16 by B. Kaufman, Phys. Rev. 76, 1232 (1949) */

static void ising_spins(void **state)
{
    const run_length length = {96, 300, 250, 4};
    const blume_capel_model m = {
        {.dims = 2, .extents = {16, 16}, .boundaries = {P, P}, .beta = 0.4}, -50.0};
    int good = 1;

    (void)state;
    for (size_t u = 0; u < ALL(updates); u++) {
        ensemble e = sampled(lattice_of(&m, length.replicas, 900 + u), updates[u], &length);

        good &= mean_agrees("Ising", &e, ENERGY, -1.13131798441072891 - 50.0, 0.0);
        good &= mean_agrees("Ising", &e, QUADRUPOLE, 1.0, 0.0);
        ensemble_free(&e);
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lattices),
        cmocka_unit_test(states_of_2x2),
        cmocka_unit_test(strips),
        cmocka_unit_test(ising_spins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
