/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice so large that it cannot be told from an infinite one, against Kaufman's energies for
 * 1024 x 1024, which agree with the infinite lattice's to 1e-16. Starts cold, since a hot
 * start below T_c ends in stripes.
 */
#include "tests/exact/ensemble.h"

static const struct limit {
    double beta, energy;
} limits[] = {
    {0.4, -1.10607920374579091},
    {0.5, -1.74556457531255396},
};

static void energy_of_the_infinite_lattice(void **state)
{
    const latmc_update *update = *state;
    const schedule plan = {*update, LATMC_START_COLD, 8, 300, 150, 4};

    for (size_t i = 0; i < ALL(limits); i++) {
        const model m = {2, {1024, 1024}, {P, P}, .beta = limits[i].beta};
        ensemble e = ensemble_run(&m, &plan, 11 + i);
        assert_true(agrees("1024x1024", "e", e.mean[ENERGY], e.error[ENERGY], limits[i].energy));
        assert_true(e.error[ENERGY] < 1.5e-4);
        ensemble_free(&e);
    }
}

int main(void)
{
    latmc_update metropolis = LATMC_METROPOLIS, heat_bath = LATMC_HEATBATH;
    const struct CMUnitTest tests[] = {
        {"metropolis", energy_of_the_infinite_lattice, NULL, NULL, &metropolis},
        {"heat bath", energy_of_the_infinite_lattice, NULL, NULL, &heat_bath},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
