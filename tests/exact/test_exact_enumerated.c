/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small lattices of every kind against the sum over all of their states: the means of all
 * observables, the acceptance rate among them, for both updates.
 */
#include "tests/exact/enumerate.h"

typedef struct sample {
    const char *name;
    model model;
} sample;

static const sample samples[] = {
    {"4x4", {2, {4, 4}, {P, P}, .beta = 0.4}},
    {"4x4 hot", {2, {4, 4}, {P, P}, .beta = 0.15}},
    {"4x4, field", {2, {4, 4}, {P, P}, .beta = 0.3, .field = 0.2}},
    {"4x4, negative field", {2, {4, 4}, {P, P}, .beta = 0.3, .field = -0.35}},
    {"4x4, beta < 0", {2, {4, 4}, {P, P}, .beta = -0.35}},
    {"4x4, beta < 0, field", {2, {4, 4}, {P, P}, .beta = -0.35, .field = 0.4}},
    {"3x3", {2, {3, 3}, {P, P}, .beta = 0.3}},
    {"5x3", {2, {5, 3}, {P, P}, .beta = 0.3}},
    {"3x5, field", {2, {3, 5}, {P, P}, .beta = 0.25, .field = 0.3}},
    {"5x3, beta < 0", {2, {5, 3}, {P, P}, .beta = -0.4}},
    {"3x3x2", {3, {3, 3, 2}, {P, P, P}, .beta = 0.12}},
    {"2x3x3", {3, {2, 3, 3}, {P, P, P}, .beta = 0.12, .field = 0.1}},
    {"4x4 open", {2, {4, 4}, {O, O}, .beta = 0.5}},
    {"4x4 open x", {2, {4, 4}, {O, P}, .beta = 0.45}},
    {"4x4 open y", {2, {4, 4}, {P, O}, .beta = 0.45, .field = 0.1}},
    {"5x3 open", {2, {5, 3}, {O, O}, .beta = 0.5}},
    {"5x3 open x", {2, {5, 3}, {O, P}, .beta = 0.4}},
    {"4x4 antiperiodic x", {2, {4, 4}, {A, P}, .beta = 0.45}},
    {"4x4 antiperiodic y", {2, {4, 4}, {P, A}, .beta = 0.45}},
    {"5x3 antiperiodic", {2, {5, 3}, {A, A}, .beta = 0.4}},
    {"3x2x3, all boundaries", {3, {3, 2, 3}, {A, O, P}, .beta = 0.3}},
    {"4x4, J = 1, 0.5", {2, {4, 4}, {P, P}, {1.0, 0.5}, .beta = 0.5}},
    {"4x4, J = 1, -0.6, field", {2, {4, 4}, {P, P}, {1.0, -0.6}, .beta = 0.5, .field = 0.2}},
    {"4x4, J = -1", {2, {4, 4}, {P, P}, {-1.0, -1.0}, .beta = 0.4}},
    {"3x3x2, J = 1, -0.5, 0.3", {3, {3, 3, 2}, {P, P, P}, {1.0, -0.5, 0.3}, .beta = 0.3}},
    {"4x2x2, J = 0.4, 0, 1", {3, {4, 2, 2}, {P, P, P}, {0.4, 0.0, 1.0}, .beta = 0.4}},
    {"4x4 +-J", {2, {4, 4}, {P, P}, .bonds = PM1, .beta = 0.5}},
    {"5x3 +-J, field", {2, {5, 3}, {P, A}, .bonds = PM1, .beta = 0.5, .field = 0.3}},
    {"4x4 +-J, axes", {2, {4, 4}, {P, P}, {1.0, 0.7}, PM1, .beta = 0.5}},
    {"4x4 diluted", {2, {4, 4}, {P, P}, .bonds = DILUTED, .beta = 0.6}},
    {"5x3 diluted, field", {2, {5, 3}, {P, O}, .bonds = DILUTED, .beta = 0.5, .field = 0.2}},
    {"4x4 diluted, axes", {2, {4, 4}, {P, O}, {1.0, 0.5}, DILUTED, .beta = 0.6}},
    {"2x2", {2, {2, 2}, {P, P}, .beta = 0.2}},
    {"2x2, field", {2, {2, 2}, {P, P}, .beta = 0.2, .field = 0.4}},
    {"2x6", {2, {2, 6}, {P, P}, .beta = 0.3}},
    {"6x2 antiperiodic", {2, {6, 2}, {P, A}, .beta = 0.4}},
    {"2x2x2", {3, {2, 2, 2}, {P, P, P}, .beta = 0.12}},
    {"4x2x2", {3, {4, 2, 2}, {P, P, P}, .beta = 0.15}},
    {"2x2x2x2", {4, {2, 2, 2, 2}, {P, P, P, P}, .beta = 0.09}},
    {"2x2x2x2, field", {4, {2, 2, 2, 2}, {P, P, P, P}, .beta = 0.08, .field = 0.3}},
    {"2x2x2x2 +-J", {4, {2, 2, 2, 2}, {P, A, P, O}, .bonds = PM1, .beta = 0.3}},
    {"5x2x2, open and periodic", {3, {5, 2, 2}, {O, P, O}, .beta = 0.2}},
};

static int check(const sample *s, latmc_update update, const exact_means *exact)
{
    const schedule plan = {update, LATMC_START_HOT, 1024, 100, 160, 2};
    ensemble e = ensemble_run(&s->model, &plan, 20240 + (uint64_t)(s - samples));
    char name[80];
    int good = 1;

    snprintf(name, sizeof name, "%s, %s", s->name,
             update == LATMC_METROPOLIS ? "Metropolis" : "heat bath");
    for (int q = 0; q < QUANTITIES; q++) {
        double want = exact->mean[q];
        if (q == ACCEPTANCE)
            want = update == LATMC_METROPOLIS ? exact->metropolis : exact->heat_bath;
        good &= agrees(name, quantity_names[q], e.mean[q], e.error[q], want);
    }
    ensemble_free(&e);
    return good;
}

static void enumerated(void **state)
{
    int good = 1;

    (void)state;
    for (size_t i = 0; i < ALL(samples); i++) {
        double *bonds = model_bonds(&samples[i].model);
        plain p = plain_of(&samples[i].model, bonds);
        const exact_means exact = enumerate(&p);
        good &= check(&samples[i], LATMC_METROPOLIS, &exact);
        good &= check(&samples[i], LATMC_HEATBATH, &exact);
        plain_free(&p);
        free(bonds);
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(enumerated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
