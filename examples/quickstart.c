/* SPDX-License-Identifier: BSD-3-Clause */
/* Four Ising lattices at four temperatures, swept together on the best device. */
#include <latmc/latmc.h>
#include <stdio.h>

int main(void)
{
    const int64_t extents[] = {64, 64};
    const double beta[] = {0.40, 0.43, 0.45, 0.50};
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY)};
    static double energy[4][10000];
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_METROPOLIS,
                                 .every = 5,
                                 .records = 10000,
                                 .quantity_count = 1,
                                 .quantities = what,
                                 .series = energy[0]};
    latmc_lattice *lattice = NULL;

    if (latmc_create(&lattice, LATMC_ISING, 2, extents) || latmc_set_replicas(lattice, 4) ||
        latmc_set_params(lattice, LATMC_BETA, beta) || latmc_start(lattice, LATMC_START_COLD) ||
        latmc_sweep(lattice, LATMC_METROPOLIS, 1000) || latmc_record(lattice, &run, NULL)) {
        fprintf(stderr, "%s\n", latmc_error_message());
        return 1;
    }
    for (int r = 0; r < 4; r++) {
        latmc_estimate e = LATMC_INIT(latmc_estimate);

        if (latmc_analyse(energy[r], 10000, &e) == LATMC_OK)
            printf("beta %.2f  energy per site %.5f +- %.5f\n", beta[r], e.value, e.error);
    }
    latmc_destroy(lattice);
    return 0;
}
