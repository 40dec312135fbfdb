/* SPDX-License-Identifier: BSD-3-Clause */
/* The phi^4 model against exact answers, for every update and mixtures of them. */
#include "tests/exact/phi4_known.h"

static const field_plan plans[] = {
    {"Metropolis", LATMC_METROPOLIS, 1, 1, 0, LATMC_FLOAT32},
    {"Metropolis, 8 hits, doubles", LATMC_METROPOLIS, 8, 1, 0, LATMC_FLOAT64},
    {"block Metropolis", LATMC_BLOCK_METROPOLIS, 1, 1, 0, LATMC_FLOAT64},
    {"block Metropolis, 3 hits, 4 local sweeps", LATMC_BLOCK_METROPOLIS, 3, 4, 0, LATMC_FLOAT32},
    {"Metropolis, 2 hits, over-relaxation", LATMC_METROPOLIS, 2, 1, 2, LATMC_FLOAT32},
    {"block Metropolis, over-relaxation", LATMC_BLOCK_METROPOLIS, 1, 2, 1, LATMC_FLOAT64},
};

/* Every other plan for each lattice, so that two lattices have them all. */
static int takes(size_t lattice, size_t plan, const field_model *m)
{
    return (lattice + plan) % 2 == 0 &&
           (plans[plan].update != LATMC_BLOCK_METROPOLIS || field_can_be_tiled(m));
}

/* Larger lattices take fewer replicas, plans that do more in a sweep fewer sweeps. */
static run_length effort_of(const field_model *m, const field_plan *p)
{
    return (run_length){field_sites(m) <= 64 ? 64 : 48, 100, 60,
                        p->hits * p->local_sweeps > 4 ? 1 : 3};
}

static int known_agrees(const known *k, const field_plan *p)
{
    const run_length effort = effort_of(&k->model, p);
    ensemble e = field_run(&k->model, p, &effort, 900 + (uint64_t)(k - knowns));
    char name[120];
    int good;

    snprintf(name, sizeof name, "%s, %s", k->name, p->name);
    good = field_virial_agrees(name, &e, &k->model);
    for (int q = 0; q < F_QUANTITIES; q++)
        if (k->answer[q].value != 0.0)
            good &= mean_agrees(name, &e, q, k->answer[q].value, k->answer[q].error);
    ensemble_free(&e);
    return good;
}

static void known_answers(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(knowns); i++)
        for (size_t p = 0; p < ALL(plans); p++)
            if (takes(i, p, &knowns[i].model))
                good &= known_agrees(&knowns[i], &plans[p]);
    assert_true(good);
}

/* ---- g = 0: the field is Gaussian, its modes are known */

static const field_model gaussian[] = {
    {1, {7}, {P}, 0.5, 0.0, .kappa = 0.5},
    {1, {10}, {A}, 0.5, 0.0, .kappa = 0.5},
    {1, {11}, {O}, 0.5, 0.0, .kappa = 0.5},
    {2, {5, 7}, {P, P}, 0.5, 0.0, .kappa = 0.0},
    {2, {5, 7}, {P, P}, 0.5, 0.0, .kappa = 0.5},
    {2, {3, 8}, {P, P}, 0.5, 0.0, .kappa = 0.25},
    {2, {10, 5}, {P, P}, 0.5, 0.0, .kappa = 0.25},
    {2, {5, 6}, {A, P}, 0.5, 0.0, .kappa = 0.25},
    {2, {5, 4}, {O, A}, 0.5, 0.0, .kappa = 0.25},
    {2, {5, 4}, {O, O}, 0.5, 0.0, .kappa = 0.25},
    {3, {3, 5, 4}, {P, P, P}, 0.5, 0.0, .kappa = 0.0},
    {3, {3, 5, 4}, {P, P, P}, 0.5, 0.0, .kappa = 0.25},
    {3, {7, 4, 5}, {P, P, P}, 0.5, 0.0, .kappa = 0.25},
    {3, {4, 5, 3}, {O, A, O}, 0.5, 0.0, .kappa = 0.25},
    {4, {3, 4, 5, 3}, {P, P, P, P}, 0.5, 0.0, .kappa = 0.0},
    {4, {4, 4, 5, 4}, {P, P, P, P}, 0.5, 0.0, .kappa = 0.25},
    {4, {4, 3, 4, 3}, {A, O, P, O}, 0.5, 0.0, .kappa = 0.25},
};

/* -Laplacian of mode number k along an axis. */
static double mode(const field_model *m, int axis, int k)
{
    const double pi = 3.14159265358979324, half = pi / (double)m->extents[axis];
    const double s = sin(m->boundaries[axis] == P   ? half * k
                         : m->boundaries[axis] == A ? half * (k + 0.5)
                                                    : half * k / 2.0);

    return 4.0 * s * s;
}

/* <|mode|^2> with -Laplacian `square`. */
static double propagator(const field_model *m, double square)
{
    return 1.0 / (square + m->mu2 + m->kappa * square * square);
}

typedef struct spectrum {
    double phi2, gradient, cutoff;
} spectrum;

static spectrum spectrum_of(const field_model *m)
{
    const int sites = field_sites(m);
    spectrum s = {0};

    for (int i = 0; i < sites; i++) {
        double square = 0.0;
        for (int a = 0; a < m->dims; a++)
            square += mode(m, a, field_coordinate(m, i, a));
        s.phi2 += propagator(m, square) / sites;
        s.gradient += 0.5 * square * propagator(m, square) / sites;
        s.cutoff += 0.5 * m->kappa * square * square * propagator(m, square) / sites;
    }
    return s;
}

/* What only some boundaries have: equal sites, modes that are waves. */
static int waves_agree(const char *name, const ensemble *e, const field_model *m, double phi2)
{
    const double sites = field_sites(m);
    int open = 0, anti = 0, good = 1;

    for (int a = 0; a < m->dims; a++) {
        open += m->boundaries[a] == O;
        anti += m->boundaries[a] == A;
    }
    if (!open)
        good &= mean_agrees(name, e, F_PHI4, 3.0 * phi2 * phi2, 0.0);
    if (!open && !anti) {
        good &= mean_agrees(name, e, F_M2, propagator(m, 0.0) / sites, 0.0);
        good &= mean_agrees(name, e, F_ABS, sqrt(2.0 / 3.14159265358979324 / sites / m->mu2), 0.0);
    }
    for (int a = 0; a < m->dims && !open; a++)
        if (anti == (m->boundaries[a] == A))
            good &=
                mean_agrees(name, e, F_STRUCTURE + a,
                            propagator(m, mode(m, a, m->boundaries[a] == A ? 0 : 1)) / sites, 0.0);
    return good;
}

static int gaussian_agrees(const field_model *m, const field_plan *p)
{
    const run_length effort = effort_of(m, p);
    ensemble e = field_run(m, p, &effort, 500 + (uint64_t)(m - gaussian));
    const spectrum s = spectrum_of(m);
    char lattice[80], name[160];
    int good;

    snprintf(name, sizeof name, "%s, %s", field_name(m, lattice), p->name);
    good = mean_agrees(name, &e, F_E, 0.5, 0.0);
    good &= mean_agrees(name, &e, F_PHI2, s.phi2, 0.0);
    good &= mean_agrees(name, &e, F_GRADIENT, s.gradient, 0.0);
    good &= mean_agrees(name, &e, F_CUTOFF, s.cutoff, 0.0);
    good &= waves_agree(name, &e, m, s.phi2);
    ensemble_free(&e);
    return good;
}

static void gaussian_fields(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(gaussian); i++)
        for (size_t p = 0; p < ALL(plans); p++)
            if (takes(i, p, &gaussian[i]))
                good &= gaussian_agrees(&gaussian[i], &plans[p]);
    assert_true(good);
}

/* ---- the virial theorem, where nothing else is known */

static const field_model virials[] = {
    {1, {3}, {A}, -1.0, 6.0, .kappa = 0.5},
    {1, {5}, {O}, -1.0, 6.0, .kappa = 0.5, .field = 0.3},
    {1, {17}, {A}, -1.0, 6.0, .kappa = 0.0, .field = 0.3},
    {2, {3, 4}, {P, A}, -1.0, 6.0, .kappa = 0.5},
    {2, {5, 4}, {O, P}, -1.0, 6.0, .kappa = 0.5, .field = 0.3},
    {2, {2, 3}, {A, O}, -1.0, 6.0, .kappa = 0.0, .field = 0.3},
    {2, {17, 6}, {P, P}, -1.0, 6.0, .kappa = 0.5},
    {3, {3, 4, 5}, {A, P, O}, -1.0, 6.0, .kappa = 0.5},
    {3, {4, 5, 7}, {P, A, O}, -1.0, 6.0, .kappa = 0.25, .field = 0.3},
    {4, {3, 4, 3, 5}, {O, A, O, P}, -1.0, 6.0, .kappa = 0.25},
    {4, {4, 4, 5, 4}, {P, P, P, A}, -1.0, 6.0, .kappa = 0.25, .field = 0.3},
};

static void virial_theorem(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(virials); i++)
        for (size_t p = 0; p < ALL(plans); p++) {
            const run_length effort = effort_of(&virials[i], &plans[p]);
            char lattice[80], name[160];
            if (!takes(i, p, &virials[i]))
                continue;
            ensemble e = field_run(&virials[i], &plans[p], &effort, 700 + i);
            snprintf(name, sizeof name, "%s, %s", field_name(&virials[i], lattice), plans[p].name);
            good &= field_virial_agrees(name, &e, &virials[i]);
            ensemble_free(&e);
        }
    assert_true(good);
}

/* ---- all updates have one distribution, where nobody knows its energy */

static const field_model alike[] = {
    {2, {7, 6}, {P, A}, -1.0, 6.0, .kappa = 0.5, .field = 0.2},
    {2, {8, 9}, {P, P}, -1.2, 6.0, .kappa = 0.0},
    {3, {4, 5, 6}, {P, O, P}, -0.8, 6.0, .kappa = 0.25},
};

/* chi^2 of the plans' energies about their common mean. */
static double chi_squared(const field_model *m, uint64_t seed)
{
    double weights = 0.0, sum = 0.0, squares = 0.0;

    for (size_t p = 0; p < ALL(plans); p++) {
        const run_length effort = effort_of(m, &plans[p]);
        ensemble e = field_run(m, &plans[p], &effort, seed + p);
        double mean, error;
        spread(e.average[F_E], e.replicas, &mean, &error);
        ensemble_free(&e);
        weights += 1.0 / (error * error);
        sum += mean / (error * error);
        squares += mean * mean / (error * error);
    }
    return squares - sum * sum / weights;
}

static void updates_agree(void **state)
{
    const double degrees = (double)ALL(plans) - 1.0;

    (void)state;
    for (size_t i = 0; i < ALL(alike); i++) {
        const double chi2 = chi_squared(&alike[i], 1100 + 10 * i);
        if (getenv("LATMC_TEST_VERBOSE"))
            print_message("lattice %d: chi^2 %.2f of %.0f\n", (int)i, chi2, degrees);
        assert_true(chi2 < degrees + GATE * sqrt(2.0 * degrees));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(gaussian_fields),
        cmocka_unit_test(virial_theorem),
        cmocka_unit_test(updates_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
