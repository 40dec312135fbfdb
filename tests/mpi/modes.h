/* SPDX-License-Identifier: BSD-3-Clause */
/* What the modes of ranks.c share. */
#ifndef LM_TESTS_MPI_MODES_H
#define LM_TESTS_MPI_MODES_H

#include <mpi.h>
#include <stddef.h>

#include <latmc/latmc.h>

extern const char *modes_folder; /* where files go */

void errors_mode(void); /* what fails on one rank fails on all, and none waits for ever */
void files_mode(void);  /* files are those of one process, for any number of ranks */
void die_mode(void);    /* saves for ever, until a rank is killed */

/* Whether it is so on all ranks. */
int modes_agree(int holds);

void modes_write(const char *path, const void *bytes, size_t count);
/* All bytes of a file; NULL if it cannot be read. */
char *modes_read(const char *path, size_t *count);

/* The lattice of a number, in this process alone or on a communicator; set up, and not started. It
 * ends the test if it cannot be made. */
enum { MODES_KINDS = 5 };
latmc_lattice *modes_lattice(int kind, MPI_Comm communicator);
latmc_update modes_update(int kind);
#define MODES_ALONE MPI_COMM_NULL

#endif
