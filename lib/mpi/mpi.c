/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the public functions of liblatmc_mpi, which make and load lattices on a
 * communicator. */
#include <latmc/mpi.h>

#include "lib/mpi/comm.h"

latmc_status latmc_mpi_create(latmc_lattice **lattice, MPI_Comm communicator, latmc_model model,
                              int64_t dims, const int64_t *extents)
{
    latmc_ranks ranks;
    const latmc_status status = lm_mpi_open("latmc_mpi_create", communicator, &ranks);

    return status ? status : latmc_create_on_ranks(lattice, &ranks, model, dims, extents);
}

latmc_status latmc_mpi_load(latmc_lattice **lattice, MPI_Comm communicator, const char *path)
{
    latmc_ranks ranks;
    const latmc_status status = lm_mpi_open("latmc_mpi_load", communicator, &ranks);

    return status ? status : latmc_load_on_ranks(lattice, &ranks, path);
}

latmc_status latmc_mpi_load_memory(latmc_lattice **lattice, MPI_Comm communicator,
                                   const void *buffer, size_t bytes)
{
    latmc_ranks ranks;
    const latmc_status status = lm_mpi_open("latmc_mpi_load_memory", communicator, &ranks);

    return status ? status : latmc_load_memory_on_ranks(lattice, &ranks, buffer, bytes);
}
