/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uses an MPI communicator as latmc_ranks. This folder is a library of its own, liblatmc_mpi. Of
 * liblatmc it knows only the public headers.
 *
 * Buffers are in host memory on every device: the core copies a GPU's boundary layers to host
 * memory and back. What MPI does with a device's address depends on how MPI was built, and few
 * distributed builds take one.
 */
#ifndef LM_MPI_COMM_H
#define LM_MPI_COMM_H

#include <mpi.h>

#include <latmc/latmc.h>

/* Counts in MPI are ints, so longer messages go in blocks. An exchange has at most LM_MPI_BLOCKS
 * blocks. So begin() allocates no memory, and cannot fail on one rank alone for lack of it. */
enum { LM_MPI_TAGS = 2, LM_MPI_BLOCKS = 64 };

/* The most bytes of a block. Tests make it small. */
extern int lm_mpi_block;

typedef struct lm_mpi_flight {
    int count;
    MPI_Request requests[2 * LM_MPI_BLOCKS]; /* those that receive, then those that send */
} lm_mpi_flight;

typedef struct lm_mpi {
    MPI_Comm comm; /* the duplicate */
    int rank, ranks;
    int *counts, *places; /* [ranks]: for a gather */
    lm_mpi_flight flights[LM_MPI_TAGS];
    MPI_File file;                            /* the open file; a lattice has one at a time */
    char message[MPI_MAX_ERROR_STRING + 512]; /* why the last function failed */
} lm_mpi;

/* Makes a table for a communicator. If it cannot, it fails on all ranks that can be told. The call
 * is collective. */
latmc_status lm_mpi_open(const char *caller, MPI_Comm communicator, latmc_ranks *table);

/* Keeps the message for an MPI function's result. Returns 0 if the result is MPI_SUCCESS. */
int lm_mpi_failed(lm_mpi *m, int error, const char *function);

/* Returns whether some rank failed. All ranks then have the message of the first rank that failed.
 * The call is collective. */
int lm_mpi_agree(lm_mpi *m, int failed);

/* The functions of the table. They are in lib/mpi/messages.c and lib/mpi/file.c. */
int lm_mpi_begin(void *self, int tag, int64_t to, const void *out, int64_t from, void *in,
                 size_t bytes);
int lm_mpi_end(void *self, int tag);
int lm_mpi_most(void *self, int64_t count, int64_t *values);
int lm_mpi_gather(void *self, void *data, const int64_t *begin);
int lm_mpi_file_open(void *self, const char *path, void **file);
int lm_mpi_file_write(void *self, void *file, int64_t offset, const void *data, size_t bytes);
int lm_mpi_file_close(void *self, void *file);

#endif
