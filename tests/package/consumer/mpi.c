/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of somebody else's that uses MPI. */
#include <latmc/mpi.h>

#include <stdio.h>

static int run(latmc_lattice *lattice)
{
    const latmc_quantity what = LATMC_QUANTITY(LATMC_ENERGY);
    double energy = 1;

    if (latmc_set_param(lattice, LATMC_BETA, 0.5) || latmc_set_device(lattice, "cpu") ||
        latmc_start(lattice, LATMC_START_COLD) || latmc_sweep(lattice, LATMC_METROPOLIS, 10) ||
        latmc_observe(lattice, LATMC_BY_REPLICA, 1, &what, &energy))
        return 1;
    return !(energy >= -2 && energy < 0);
}

int main(int argc, char **argv)
{
    const int64_t extents[2] = {16, 16};
    latmc_lattice *lattice = NULL;
    int failed;

    MPI_Init(&argc, &argv);
    failed = latmc_mpi_create(&lattice, MPI_COMM_WORLD, LATMC_ISING, 2, extents) || run(lattice);
    if (failed)
        fprintf(stderr, "%s\n", latmc_error_message());
    latmc_destroy(lattice);
    MPI_Finalize();
    return failed;
}
