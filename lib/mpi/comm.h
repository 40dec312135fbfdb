/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An MPI communicator as latmc_ranks. This folder is a library of its own, liblatmc_mpi: of
 * liblatmc it knows the public headers alone.
 *
 * Buffers are in host memory, whatever the device: the core brings boundary layers of a GPU there
 * and back, since what MPI does with a device's address depends on how it was built, and few of
 * those that distributions have take one.
 */
#ifndef LM_MPI_COMM_H
#define LM_MPI_COMM_H

#include <mpi.h>

#include <latmc/latmc.h>

/* Counts in MPI are ints: what is longer goes in pieces. Of an exchange there can be so many that
 * begin() needs no memory, and cannot fail on one rank alone for want of it. */
enum { LM_MPI_TAGS = 2, LM_MPI_PIECES = 64 };

/* The most bytes of a piece; tests make it small. */
extern int lm_mpi_piece;

typedef struct lm_mpi_flight {
    int count;
    MPI_Request requests[2 * LM_MPI_PIECES]; /* those that receive, then those that send */
} lm_mpi_flight;

typedef struct lm_mpi {
    MPI_Comm comm; /* the duplicate */
    int rank, ranks;
    int *counts, *places; /* [ranks]: of a gather */
    lm_mpi_flight flights[LM_MPI_TAGS];
    MPI_File file; /* the one that is open; a lattice has one at a time */
    char message[MPI_MAX_ERROR_STRING + 512]; /* why the last function failed */
} lm_mpi;

/* Collective. What it cannot open is refused on all ranks that can be told. */
latmc_status lm_mpi_open(const char *caller, MPI_Comm communicator, latmc_ranks *table);

/* Keeps the words for what an MPI function returned; 0 if that is MPI_SUCCESS. */
int lm_mpi_failed(lm_mpi *m, int error, const char *function);

/* Collective: whether it failed on some rank; then all have the message of the first of them. */
int lm_mpi_agree(lm_mpi *m, int failed);

/* The functions of the table (lib/mpi/exchange.c, lib/mpi/file.c). */
int lm_mpi_begin(void *self, int tag, int32_t to, const void *out, int32_t from, void *in,
                 size_t bytes);
int lm_mpi_end(void *self, int tag);
int lm_mpi_most(void *self, int count, int64_t *values);
int lm_mpi_gather(void *self, void *data, const int64_t *begin);
int lm_mpi_file_open(void *self, const char *path, void **file);
int lm_mpi_file_write(void *self, void *file, int64_t offset, const void *data, size_t bytes);
int lm_mpi_file_close(void *self, void *file);

#endif
