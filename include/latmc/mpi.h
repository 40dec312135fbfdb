/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file mpi.h
 * @brief One lattice in all processes of an MPI communicator.
 *
 * This header is for programs that use MPI. latmc.h does not include it. A library of its own,
 * liblatmc_mpi, holds the functions; pkg-config calls it latmc-mpi, and CMake latmc::mpi. It is
 * built against one MPI, which must be the program's. ranks.h says what holds for a lattice in
 * several processes. In short, calls that get such a lattice are collective. All ranks make the
 * same calls and get the same results. A call that fails on one rank fails on all.
 *
 * The program initializes and finalizes MPI. The library calls MPI only from the thread that calls
 * the library. So MPI_THREAD_FUNNELED, or MPI_Init() alone, is enough if the main thread makes all
 * calls. Another thread needs MPI_THREAD_SERIALIZED, and two threads at the same time
 * MPI_THREAD_MULTIPLE. Two lattices may be on one communicator. Each has a duplicate of the
 * communicator, so messages are never mixed up.
 */
#ifndef LATMC_MPI_H
#define LATMC_MPI_H

#include <mpi.h>

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a lattice on a communicator, as latmc_create() does in one process. The call is
 *  collective. Every rank gets a handle of the same lattice, and keeps a part of it on its own
 *  devices. The communicator is duplicated, and may be freed. The duplicate is freed with the
 *  lattice. If MPI was finalized before, the duplicate is left to MPI.
 *
 *  The function returns ::LATMC_ERROR_STATE if MPI is not initialized, is finalized, or does not
 *  allow calls from this thread. It returns ::LATMC_ERROR_ARGUMENT if the communicator is
 *  MPI_COMM_NULL or an inter-communicator. It does so before anything is sent. So if only one rank
 *  fails in this way, the other ranks wait for it, as in any MPI call.
 *  @param communicator a communicator of 1 to 4096 processes */
LATMC_API LATMC_CHECKED latmc_status latmc_mpi_create(latmc_lattice **lattice,
                                                      MPI_Comm communicator, latmc_model model,
                                                      int64_t dims, const int64_t *extents);

/** Loads a lattice on a communicator, as latmc_load() does in one process. latmc_mpi_create() says
 *  what holds for the communicator. Every rank reads the file. Any number of ranks, or one process,
 *  may have saved the file. */
LATMC_API LATMC_CHECKED latmc_status latmc_mpi_load(latmc_lattice **lattice, MPI_Comm communicator,
                                                    const char *path);

/** Loads a lattice from memory on a communicator, as latmc_load_memory() does in one process.
 *  latmc_mpi_create() says what holds for the communicator. Every rank has all bytes of
 *  latmc_save_memory(). */
LATMC_API LATMC_CHECKED latmc_status latmc_mpi_load_memory(latmc_lattice **lattice,
                                                           MPI_Comm communicator,
                                                           const void *buffer, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
