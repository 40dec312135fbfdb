/* SPDX-License-Identifier: BSD-3-Clause */
/* What the contract has of the Ising model alone: coins, over many sweeps, by hand too. */
#include "tests/models/ising.h"
#include "tests/models/pair.h"

static const test_sample lattices[] = {
    {{2, {4, 16}, {P, P}, 3, 1}, SPINS(.beta = 0.44)},
    {{2, {13, 5}, {P, P}, 0, 1}, SPINS(.beta = 0.4)},
    {{2, {4, 4}, {P, O}, 0, 1}, SPINS(.bonds = DILUTED, .beta = 0.6)},
    {{1, {9}, {P}, 0, 1}, SPINS(.beta = 0.5)},
};

/* Long enough for coins to be tossed in the first sweep, and again in the 4097th. */
static void coins_come_again(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    for (size_t i = 0; i < ALL(lattices); i++) {
        const test_case c = {.model = on->model,
                             .shape = &lattices[i].shape,
                             .settings = lattices[i].settings,
                             .type = LATMC_INT8,
                             .number = (int)i};
        pair p = pair_of(&c, on->device);
        pair_start(&p, LATMC_START_HOT);
        pair_sweep(&p, LATMC_METROPOLIS, 4094, "before the coins");
        for (int k = 0; k < 5; k++)
            pair_sweep(&p, LATMC_METROPOLIS, 1, "about the coins");
        pair_free(&p);
    }
}

int main(void)
{
    static const suite_test tests[] = {SUITE_ON_DEVICES(coins_come_again)};

    return suite_run(&test_ising, tests, ALL(tests), NULL, NULL);
}
