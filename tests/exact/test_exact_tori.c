/* SPDX-License-Identifier: BSD-3-Clause */
/* Periodic lattices against exact answers, for both updates. */
#include "tests/exact/tori.h"

/* Replicas, sweeps to equilibrium, measurements, sweeps between them. */
static const schedule plans[] = {
    [SMALL] = {0, LATMC_START_COLD, 1024, 500, 80, 4},
    [MIDDLING] = {0, LATMC_START_COLD, 512, 1000, 80, 5},
    [LARGE] = {0, LATMC_START_COLD, 128, 2000, 75, 10},
    [CRITICAL] = {0, LATMC_START_COLD, 128, 8000, 75, 20},
    [GLASS] = {0, LATMC_START_HOT, 512, 10000, 75, 20},
};

static const struct column {
    const char *name;
    int first, second; /* quantities; with a function, what it is derived from */
    latmc_derived function;
} columns[COLUMNS] = {
    [X_E] = {"e", ENERGY, 0, NULL},
    [X_E2] = {"e^2", ENERGY2, 0, NULL},
    [X_C] = {"C", ENERGY, ENERGY2, latmc_specific_heat},
    [X_M] = {"m", MAGNETIZATION, 0, NULL},
    [X_ABS] = {"|m|", ABSOLUTE, 0, NULL},
    [X_M2] = {"m^2", SQUARE, 0, NULL},
    [X_M4] = {"m^4", FOURTH, 0, NULL},
    [X_U4] = {"U4", SQUARE, FOURTH, latmc_binder},
};

static int check(const torus *t, latmc_update update)
{
    schedule plan = plans[t->effort];
    latmc_scale scale = {sizeof scale, t->model.beta, model_sites(&t->model)};
    char name[80];
    int good = 1;

    plan.update = update;
    snprintf(name, sizeof name, "%s, %s", t->name,
             update == LATMC_METROPOLIS ? "Metropolis" : "heat bath");
    ensemble e = ensemble_run(&t->model, &plan, 4040 + (uint64_t)(t - tori));
    for (int c = 0; c < COLUMNS; c++) {
        const struct column *x = &columns[c];
        if (isnan(t->answer[c]))
            continue;
        if (x->function)
            good &= derived_agrees(name, x->name, &e, x->first, x->second, x->function, &scale,
                                   t->answer[c]);
        else
            good &= agrees(name, x->name, e.mean[x->first], e.error[x->first], t->answer[c]);
    }
    ensemble_free(&e);
    return good;
}

static void all(void **state)
{
    const latmc_update *update = *state;
    int good = 1;

    for (size_t i = 0; i < ALL(tori); i++)
        good &= check(&tori[i], *update);
    assert_true(good);
}

int main(void)
{
    latmc_update metropolis = LATMC_METROPOLIS, heat_bath = LATMC_HEATBATH;
    const struct CMUnitTest tests[] = {
        {"metropolis", all, NULL, NULL, &metropolis},
        {"heat bath", all, NULL, NULL, &heat_bath},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
