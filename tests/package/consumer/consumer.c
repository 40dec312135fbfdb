/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of somebody else's: it knows the installed header and library alone. */
#include <latmc/latmc.h>

#include <stdio.h>
#include <string.h>

static int run(latmc_lattice *lattice)
{
    const latmc_quantity what = LATMC_QUANTITY(LATMC_ENERGY);
    double energy = 1;
    uint64_t hash = 0;
    if (latmc_set_param(lattice, LATMC_BETA, 0.5) || latmc_set_device(lattice, "cpu") ||
        latmc_start(lattice, LATMC_START_COLD) || latmc_sweep(lattice, LATMC_METROPOLIS, 10) ||
        latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, &energy) ||
        latmc_state_hash(lattice, &hash))
        return 1;
    return !(energy >= -2 && energy < 0);
}

int main(void)
{
    const int64_t extents[2] = {16, 16};
    latmc_lattice *lattice = NULL;
    int64_t devices;
    if (strcmp(latmc_version(), EXPECTED_VERSION) != 0 || latmc_count_devices(&devices) ||
        devices < 1)
        return 1;
    if (latmc_create(&lattice, LATMC_ISING, 2, extents))
        return 1;
    int failed = run(lattice);
    if (failed)
        fprintf(stderr, "%s\n", latmc_error_message());
    latmc_destroy(lattice);
    return failed;
}
