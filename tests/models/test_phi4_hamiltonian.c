/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * H of the phi^4 model on random fields against its definition, and the contract's expression for
 * H as a function of one site's field against differences of H.
 */
#include "tests/models/phi4.h"
#include "tests/models/suite.h"

static const field_model models[] = {
    {1, {2}, {P}, 1.0, 1.0, .kappa = 0.0},
    {1, {2}, {A}, 1.0, 1.0, .kappa = 0.0, .field = 0.3},
    {1, {2}, {O}, 1.0, 1.0, .kappa = 0.0},
    {1, {3}, {P}, -0.7, 3.0, .kappa = 0.5},
    {1, {3}, {A}, -0.7, 3.0, .kappa = 0.5},
    {1, {3}, {O}, -0.7, 3.0, .kappa = 0.5},
    {1, {4}, {P}, -0.7, 3.0, .kappa = 0.5},
    {1, {4}, {A}, -0.7, 3.0, .kappa = 0.5},
    {1, {4}, {O}, -0.7, 3.0, .kappa = 0.5},
    {1, {17}, {P}, -0.7, 3.0, .kappa = 0.5, .field = -0.4},
    {2, {2, 2}, {P, O}, 1.0, 1.0, .kappa = 0.0},
    {2, {3, 3}, {P, P}, -0.5, 3.0, .kappa = 0.25},
    {2, {3, 4}, {A, P}, -0.5, 3.0, .kappa = 0.25},
    {2, {4, 4}, {P, P}, -0.5, 3.0, .kappa = 0.25},
    {2, {4, 3}, {A, A}, -0.5, 3.0, .kappa = 0.25},
    {2, {3, 5}, {O, O}, -0.5, 3.0, .kappa = 0.25, .field = 0.2},
    {2, {4, 3}, {O, A}, -0.5, 3.0, .kappa = 0.25},
    {2, {7, 4}, {P, O}, -0.5, 3.0, .kappa = 0.25},
    {2, {8, 5}, {P, P}, -0.5, 3.0, .kappa = 0.0},
    {2, {70, 33}, {P, A}, -0.5, 3.0, .kappa = 0.25},
    {3, {3, 3, 3}, {P, P, P}, 0.3, 4.0, .kappa = 0.5},
    {3, {3, 4, 5}, {A, P, O}, 0.3, 4.0, .kappa = 0.5},
    {3, {4, 3, 4}, {O, A, A}, 0.3, 4.0, .kappa = 0.5},
    {3, {4, 3, 3}, {O, O, O}, 0.3, 4.0, .kappa = 0.5},
    {3, {8, 6, 5}, {P, P, P}, 0.3, 4.0, .kappa = 0.25, .field = 0.1},
    {3, {2, 5, 3}, {P, O, A}, 0.3, 4.0, .kappa = 0.0},
    {4, {3, 3, 3, 3}, {P, P, P, P}, 0.3, 4.0, .kappa = 0.25},
    {4, {4, 3, 4, 3}, {A, O, P, A}, 0.3, 4.0, .kappa = 0.25},
    {4, {5, 3, 4, 3}, {O, O, O, O}, 0.3, 4.0, .kappa = 0.25},
    {4, {4, 4, 4, 5}, {P, A, P, O}, 0.3, 4.0, .kappa = 0.25, .field = -0.1},
    {4, {2, 3, 2, 3}, {O, P, A, P}, 0.3, 4.0, .kappa = 0.0},
};

static double random_field(uint64_t *state)
{
    return (double)(next_random(state) >> 11) / 9007199254740992.0 * 4.0 - 2.0;
}

static void close_to(const field_model *m, const char *what, double got, double want, double scale)
{
    char name[80];

    if (fabs(got - want) > 1e-12 * (scale + 1.0))
        fail_msg("%s: %s is %.17g, not %.17g", field_name(m, name), what, got, want);
}

static double observe(latmc_lattice *lattice, latmc_quantity what)
{
    double value;

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, &value));
    return value;
}

static void compare_means(const field_model *m, latmc_lattice *lattice, const double *phi)
{
    const int sites = field_sites(m);
    double mean[5] = {0};

    for (int i = 0; i < sites; i++)
        for (int power = 1; power < 5; power++)
            mean[power] += pow(phi[i], power) / sites;
    close_to(m, "phi", observe(lattice, quantity_of(LATMC_MAGNETIZATION, 0)), mean[1], 1.0);
    close_to(m, "|phi|", observe(lattice, quantity_of(LATMC_ABS_MAGNETIZATION, 0)), fabs(mean[1]),
             1.0);
    close_to(m, "m2", observe(lattice, quantity_of(LATMC_M2, 0)), mean[1] * mean[1], 1.0);
    close_to(m, "m4", observe(lattice, quantity_of(LATMC_M4, 0)), pow(mean[1], 4), 1.0);
    close_to(m, "phi2", observe(lattice, quantity_of(LATMC_PHI_SQUARED, 0)), mean[2], 1.0);
    close_to(m, "phi4", observe(lattice, quantity_of(LATMC_PHI_FOURTH, 0)), mean[4], 10.0);
}

static void compare_structure(const field_model *m, latmc_lattice *lattice, const double *phi,
                              int axis)
{
    const int sites = field_sites(m);
    double re = 0.0, im = 0.0;

    for (int i = 0; i < sites; i++) {
        const double turn = m->boundaries[axis] == A ? 3.14159265358979324 : 6.28318530717958648;
        const double t = turn * field_coordinate(m, i, axis) / (double)m->extents[axis];
        re += phi[i] * cos(t) / sites;
        im += phi[i] * sin(t) / sites;
    }
    close_to(m, "the structure factor", observe(lattice, quantity_of(LATMC_STRUCTURE, axis)),
             re * re + im * im, 1.0);
}

/* Every observable of a configuration as its definition has it. */
static void compare(const field_model *m, latmc_lattice *lattice, const double *phi)
{
    const double sites = field_sites(m);
    const latmc_quantity cutoff = LATMC_QUANTITY(LATMC_ENERGY_CUTOFF);
    double part[PARTS];
    const double e = field_hamiltonian(m, phi, part) / sites, scale = 10.0 * m->dims;

    close_to(m, "the gradient", observe(lattice, quantity_of(LATMC_ENERGY_GRADIENT, 0)),
             part[GRADIENT] / sites, scale);
    close_to(m, "the potential", observe(lattice, quantity_of(LATMC_ENERGY_POTENTIAL, 0)),
             part[POTENTIAL] / sites, scale);
    assert_int_equal(has_quantity(lattice, cutoff), m->kappa > 0.0);
    if (has_quantity(lattice, cutoff))
        close_to(m, "the cut-off term", observe(lattice, cutoff), part[CUTOFF] / sites,
                 scale * scale);
    close_to(m, "e", observe(lattice, quantity_of(LATMC_ENERGY, 0)), e, scale * scale);
    close_to(m, "e^2", observe(lattice, quantity_of(LATMC_ENERGY2, 0)), e * e,
             scale * scale * scale * scale);
    close_to(m, "e^4", observe(lattice, quantity_of(LATMC_ENERGY4, 0)), e * e * e * e,
             pow(scale, 8));
    compare_means(m, lattice, phi);
    for (int a = 0; a < m->dims; a++)
        compare_structure(m, lattice, phi, a);
}

/* A change at one site, as the contract has it, as the definition has it, and as the library's
 * energy has it. */
static void compare_change(naive_field *n, latmc_lattice *lattice, int site, double to)
{
    const naive_site_terms t = naive_terms(n, site);
    const double from = n->phi[site], scale = 1000.0 * n->sites;
    const double want = naive_e(n, &t, to) - naive_e(n, &t, from);
    double part[PARTS], before, after, first;

    before = field_hamiltonian(&n->m, n->phi, part);
    first = observe(lattice, quantity_of(LATMC_ENERGY, 0)) * n->sites;
    n->phi[site] = to;
    after = field_hamiltonian(&n->m, n->phi, part);
    ok(set_replica(lattice, 0, LATMC_FLOAT64, n->phi, n->sites));
    close_to(&n->m, "dH by definition", after - before, want, scale);
    close_to(&n->m, "dH by the library",
             observe(lattice, quantity_of(LATMC_ENERGY, 0)) * n->sites - first, want, scale);
}

static void one_model(const field_model *m, const char *device)
{
    latmc_lattice *lattice = field_lattice(m, 1, LATMC_FLOAT64, 1);
    naive_field n = naive_field_of(m, LATMC_FLOAT64, 1, 0);
    uint64_t state = 41;

    ok(latmc_set_device(lattice, device));
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < n.sites; i++)
            n.phi[i] = random_field(&state);
        ok(set_replica(lattice, 0, LATMC_FLOAT64, n.phi, n.sites));
        compare(m, lattice, n.phi);
    }
    for (int k = 0; k < 64; k++) {
        const int site = k < n.sites ? k : (int)(next_random(&state) % (unsigned)n.sites);
        compare_change(&n, lattice, site, random_field(&state));
    }
    naive_field_free(&n);
    latmc_destroy(lattice);
}

static void hamiltonian(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    for (size_t i = 0; i < ALL(models); i++)
        one_model(&models[i], on->device);
}

int main(void)
{
    static const suite_test tests[] = {SUITE_ON_DEVICES(hamiltonian)};

    return suite_run(&test_phi4, tests, ALL(tests), NULL, NULL);
}
