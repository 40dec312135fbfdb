/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Ising model with couplings and site fields that are real numbers against the sum over all
 * states of small lattices: the means of all observables and the acceptance rate, for both updates.
 * Every lattice must also be found from a hot start by the update itself.
 */
#include "tests/exact/ensemble.h"

/* What is to be simulated: a model with given bonds, and fields of the sites or NULL. */
typedef struct sample {
    const char *name;
    model model;
    const double *fields;
} sample;

enum { NUMBERS = 40 };

static double some_bonds[NUMBERS], weak_bonds[NUMBERS], some_fields[NUMBERS], bimodal[NUMBERS];

/* Of a normal distribution: Box and Muller. */
static double normal(uint64_t *state)
{
    const double u = ((double)(next_random(state) >> 11) + 1.0) * 0x1p-53;
    const double v = (double)(next_random(state) >> 11) * 0x1p-53;

    return sqrt(-2.0 * log(u)) * cos(2.0 * acos(-1.0) * v);
}

/* All of them are floats, as the model has them. */
static void make_numbers(void)
{
    uint64_t state = 20;

    for (int i = 0; i < NUMBERS; i++) {
        some_bonds[i] = (double)(float)normal(&state);
        weak_bonds[i] = (double)(float)(0.05 * normal(&state));
        some_fields[i] = (double)(float)(0.7 * normal(&state));
        bimodal[i] = next_random(&state) >> 63 ? 0.625 : -0.625;
    }
    some_bonds[2] = 0.0;
}

static const sample samples[] = {
    {"2, bonds", {1, {2}, {P}, .given = some_bonds, .beta = 0.5}, NULL},
    {"3, bonds, fields", {1, {3}, {P}, .given = some_bonds, .beta = 0.8}, some_fields},
    {"9 antiperiodic", {1, {9}, {A}, .given = some_bonds, .beta = 0.9, .field = 0.1}, NULL},
    {"8 open, fields", {1, {8}, {O}, {1.2}, .beta = 0.6}, some_fields},
    {"2x2", {2, {2, 2}, {P, P}, .given = some_bonds, .beta = 0.3}, some_fields},
    {"4x3", {2, {4, 3}, {P, P}, .given = some_bonds, .beta = 0.4}, NULL},
    {"4x3, axes", {2, {4, 3}, {P, O}, {0.8, -1.3}, .given = some_bonds, .beta = 0.4}, some_fields},
    {"3x4, beta < 0", {2, {3, 4}, {A, P}, .given = some_bonds, .beta = -0.35}, some_fields},
    {"4x3, random fields", {2, {4, 3}, {P, P}, .beta = 0.35}, bimodal},
    {"4x3, weak", {2, {4, 3}, {P, P}, .given = weak_bonds, .beta = 0.5, .field = 0.02}, NULL},
    {"3x2x2", {3, {3, 2, 2}, {P, A, O}, .given = some_bonds, .beta = 0.3}, some_fields},
    {"2x2x2, +-J, fields", {3, {2, 2, 2}, {P, P, P}, .bonds = PM1, .beta = 0.25}, some_fields},
};

static double field_at(const sample *s, int i)
{
    return s->model.field + (s->fields ? s->fields[i] : 0.0);
}

/* The probability of a change: doc/trajectory-ising.md, weak flips of all such lattices 15/16. */
static double change(latmc_update update, double beta, int s, double field)
{
    return change_probability(update, 1, beta, s, field);
}

/* A state's weight, its observables, and the share of sites that a sweep changes. */
static double state_of(const sample *it, const plain *p, unsigned state, latmc_update update,
                       double *x)
{
    int8_t s[16];
    double energy = 0.0, up = 0.0;

    for (int i = 0; i < p->sites; i++)
        s[i] = state >> i & 1 ? 1 : -1;
    x[ACCEPTANCE] = 0.0;
    for (int i = 0; i < p->sites; i++) {
        const double local = plain_local(p, s, i), field = field_at(it, i);
        energy -= s[i] * (0.5 * local + field);
        up += s[i];
        x[ACCEPTANCE] += change(update, p->beta, s[i], local + field) / p->sites;
    }
    x[ENERGY] = energy / p->sites;
    x[ENERGY2] = x[ENERGY] * x[ENERGY];
    x[ENERGY4] = x[ENERGY2] * x[ENERGY2];
    x[MAGNETIZATION] = up / p->sites;
    x[ABSOLUTE] = fabs(x[MAGNETIZATION]);
    x[SQUARE] = x[MAGNETIZATION] * x[MAGNETIZATION];
    x[FOURTH] = x[SQUARE] * x[SQUARE];
    return exp(-p->beta * energy);
}

static void enumerate(const sample *it, const plain *p, latmc_update update, double *mean)
{
    double z = 0.0, x[QUANTITIES];

    assert_true(p->sites <= 12);
    memset(mean, 0, QUANTITIES * sizeof *mean);
    for (unsigned state = 0; state < 1u << p->sites; state++) {
        const double weight = state_of(it, p, state, update, x);
        z += weight;
        for (int q = 0; q < QUANTITIES; q++)
            mean[q] += weight * x[q];
    }
    for (int q = 0; q < QUANTITIES; q++)
        mean[q] /= z;
}

static int check(const sample *it, latmc_update update, const double *exact)
{
    const schedule plan = {update, LATMC_START_HOT, 1024, 200, 160, 2};
    latmc_lattice *lattice =
        model_lattice(&it->model, plan.replicas, 50 + (uint64_t)(it - samples));
    char name[80];
    int good = 1;

    if (it->fields)
        ok(latmc_set_site_fields(lattice, it->fields));
    ensemble e = ensemble_of(lattice, &plan, update);
    snprintf(name, sizeof name, "%s, %s", it->name,
             update == LATMC_METROPOLIS ? "Metropolis" : "heat bath");
    for (int q = 0; q < QUANTITIES; q++)
        good &= agrees(name, quantity_names[q], e.mean[q], e.error[q], exact[q]);
    ensemble_free(&e);
    return good;
}

static void enumerated(void **state)
{
    int good = 1;

    (void)state;
    make_numbers();
    for (size_t i = 0; i < ALL(samples); i++)
        for (int u = 0; u < 2; u++) {
            const latmc_update update = u ? LATMC_HEATBATH : LATMC_METROPOLIS;
            double *bonds = model_bonds(&samples[i].model), exact[QUANTITIES];
            plain p = plain_of(&samples[i].model, bonds);
            enumerate(&samples[i], &p, update, exact);
            good &= check(&samples[i], update, exact);
            plain_free(&p);
            free(bonds);
        }
    assert_true(good);
}

/* Lone sites in fields of their own: exact magnetisation of each, by the sites themselves. */
static void lone_sites(void **state)
{
    enum { SITES = 12, REPLICAS = 4096, SWEEPS = 60 };
    static const latmc_update updates[] = {LATMC_METROPOLIS, LATMC_HEATBATH};
    const model m = {2, {4, 3}, {P, P}, {1e-30, 1e-30}, .beta = 0.8};
    int good = 1;

    (void)state;
    for (size_t u = 0; u < ALL(updates); u++) {
        latmc_lattice *lattice = model_lattice(&m, REPLICAS, 9 + u);
        double fields[SITES], sum[SITES] = {0.0};
        int8_t s[SITES];
        for (int i = 0; i < SITES; i++)
            fields[i] = 0.25 * i - 1.4;
        ok(latmc_set_site_fields(lattice, fields));
        ok(latmc_start(lattice, LATMC_START_HOT));
        ok(latmc_sweep(lattice, updates[u], SWEEPS));
        for (int r = 0; r < REPLICAS; r++) {
            ok(get_replica(lattice, r, LATMC_INT8, s, SITES));
            for (int i = 0; i < SITES; i++)
                sum[i] += s[i];
        }
        for (int i = 0; i < SITES; i++) {
            const double mean = tanh(m.beta * fields[i]);
            good &= agrees(u ? "heat bath" : "Metropolis", "site", sum[i] / REPLICAS,
                           sqrt((1.0 - mean * mean) / REPLICAS), mean);
        }
        latmc_destroy(lattice);
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(enumerated), cmocka_unit_test(lone_sites)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
