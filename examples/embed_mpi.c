/* SPDX-License-Identifier: BSD-3-Clause */
/* One Ising lattice in all processes that mpirun starts; rank 0 prints. */
#include <latmc/mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int64_t extents[] = {256, 256};
    const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY)};
    static double energy[2000];
    const latmc_recording run = {.size = sizeof run,
                                 .update = LATMC_METROPOLIS,
                                 .every = 5,
                                 .records = 2000,
                                 .quantity_count = 1,
                                 .quantities = what,
                                 .series = energy};
    latmc_estimate e = LATMC_INIT(latmc_estimate);
    latmc_lattice *lattice;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (latmc_mpi_create(&lattice, MPI_COMM_WORLD, LATMC_ISING, 2, extents) ||
        latmc_set_param(lattice, LATMC_BETA, 0.43) || latmc_start(lattice, LATMC_START_COLD) ||
        latmc_sweep(lattice, LATMC_METROPOLIS, 1000) || latmc_record(lattice, &run, NULL) ||
        latmc_analyse(energy, 2000, &e)) {
        fprintf(stderr, "%s\n", latmc_error_message()); /* the same on all ranks */
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0)
        printf("energy per site %.5f +- %.5f\n", e.value, e.error);
    latmc_destroy(lattice);
    MPI_Finalize();
    return 0;
}
