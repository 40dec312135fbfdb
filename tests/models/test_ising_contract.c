/* SPDX-License-Identifier: BSD-3-Clause */
/* What the contract has of the Ising model, over many sweeps, by hand too. */
#include "tests/models/ising.h"
#include "tests/models/pair.h"

static const test_sample lattices[] = {
    {{2, {4, 16}, {P, P}, 3, 1}, SPINS(.beta = 0.44)},
    {{2, {13, 5}, {P, P}, 0, 1}, SPINS(.beta = 0.4)},
    {{2, {4, 4}, {P, O}, 0, 1}, SPINS(.bonds = DILUTED, .beta = 0.6)},
    {{1, {9}, {P}, 0, 1}, SPINS(.beta = 0.5)},
};

/* Long enough for what is rare: flips that are put off, and ties of many planes. */
static void many_sweeps(void **state)
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
        pair_sweep(&p, LATMC_METROPOLIS, 4094, "in one call");
        for (int k = 0; k < 5; k++)
            pair_sweep(&p, LATMC_METROPOLIS, 1, "one by one");
        pair_free(&p);
    }
}

int main(void)
{
    static const suite_test tests[] = {SUITE_ON_DEVICES(many_sweeps)};

    return suite_run(&test_ising, tests, ALL(tests), NULL, NULL);
}
