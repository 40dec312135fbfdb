/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file mpi.h
 * @brief One lattice in all processes of an MPI communicator.
 *
 * For programs that use MPI; latmc.h does not include it, and a library of its own has it
 * (liblatmc_mpi, of pkg-config and CMake latmc-mpi and latmc::mpi), built against one MPI, which
 * must be the program's. What is true of a lattice in several processes latmc.h says, "ranks": in
 * short, that calls which are given one are collective, that all ranks make the same ones and have
 * the same results, and that what fails on one rank fails on all.
 *
 * MPI is initialized and finalized by the program. The library calls it from the thread that calls
 * the library and from no other, so that MPI_THREAD_FUNNELED, or MPI_Init() alone, is enough for a
 * program whose main thread makes all calls; another thread needs MPI_THREAD_SERIALIZED, and two at
 * the same time MPI_THREAD_MULTIPLE. Two lattices may be on one communicator: each has a duplicate,
 * so that no message is taken for another's.
 */
#ifndef LATMC_MPI_H
#define LATMC_MPI_H

#include <mpi.h>

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** latmc_create() on a communicator: collective, every rank has a handle of the same lattice and
 *  keeps a part of it on its own devices. The communicator is duplicated, and may be freed. Its
 *  duplicate is freed with the lattice, unless MPI was finalized before: then it is left to MPI.
 *
 *  ::LATMC_ERROR_STATE where MPI is not initialized, is finalized, or does not allow calls from
 *  this thread; ::LATMC_ERROR_ARGUMENT if the communicator is MPI_COMM_NULL or an
 *  inter-communicator. These are refused before anything is sent, so that a rank for which they
 * hold alone leaves the others waiting, as it would in any call of MPI.
 *  @param communicator of 1 to 4096 processes */
LATMC_API LATMC_CHECKED latmc_status latmc_mpi_create(latmc_lattice **lattice,
                                                      MPI_Comm communicator, latmc_model model,
                                                      int dims, const int64_t *extents);

/** latmc_load() on a communicator, likewise. Every rank reads the file. It may have been saved by
 *  any number of ranks, or by one process. */
LATMC_API LATMC_CHECKED latmc_status latmc_mpi_load(latmc_lattice **lattice, MPI_Comm communicator,
                                                    const char *path);

/** latmc_load_memory() on a communicator, likewise: every rank has all bytes of
 *  latmc_save_memory(). */
LATMC_API LATMC_CHECKED latmc_status latmc_mpi_load_memory(latmc_lattice **lattice,
                                                           MPI_Comm communicator,
                                                           const void *buffer, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
