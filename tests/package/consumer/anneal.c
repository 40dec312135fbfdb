/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program: an annealing of many replicas that keeps the best sites. */
#include <latmc/latmc.h>

#include <stdio.h>
#include <stdlib.h>

enum { REPLICAS = 64, L = 16 };

static int failed(void)
{
    fprintf(stderr, "%s\n", latmc_error_message());
    return 1;
}

static void print(const int8_t *spins)
{
    for (int y = 0; y < L; y++, putchar('\n'))
        for (int x = 0; x < L; x++)
            putchar(spins[y * L + x] > 0 ? '+' : '-');
}

int main(void)
{
    const int64_t extents[] = {L, L};
    const latmc_recording run = {
        .size = sizeof run, .update = LATMC_METROPOLIS, .every = 10, .records = 200};
    const latmc_quantity what = LATMC_QUANTITY(LATMC_ENERGY);
    double cold[REPLICAS], lowest[REPLICAS], energies[REPLICAS];
    int64_t found[REPLICAS], best = 0;
    latmc_lattice *glass;
    size_t bytes;
    int8_t *spins;

    for (int r = 0; r < REPLICAS; r++)
        cold[r] = 5.0;
    if (latmc_create(&glass, LATMC_ISING, 2, extents) || latmc_set_replicas(glass, REPLICAS) ||
        latmc_draw_bond_couplings(glass, LATMC_GAUSSIAN, 1, 0, NULL, NULL) ||
        latmc_set_param(glass, LATMC_BETA, 0.1) || latmc_start(glass, LATMC_START_HOT) ||
        latmc_keep_best(glass, 1) ||
        latmc_set_ramp(glass, LATMC_BETA, cold, run.every * run.records) ||
        latmc_record(glass, &run, NULL) || latmc_get_best(glass, lowest, found) ||
        latmc_sites_bytes(glass, 1, LATMC_INT8, &bytes))
        return failed();
    for (int r = 1; r < REPLICAS; r++)
        if (lowest[r] < lowest[best])
            best = r;
    spins = malloc(bytes);
    if (!spins || latmc_get_best_sites(glass, best, 1, LATMC_INT8, spins, bytes) ||
        latmc_set_sites(glass, best, 1, LATMC_INT8, spins, bytes) ||
        latmc_observe(glass, LATMC_BY_REPLICA, 1, &what, energies))
        return failed();
    print(spins);
    printf("energy %.6f after %lld sweeps\n", lowest[best], (long long)found[best]);
    latmc_destroy(glass);
    free(spins);
    /* Annealings of this glass end near -1.3. */
    return energies[best] != lowest[best] || lowest[best] > -1.2;
}
