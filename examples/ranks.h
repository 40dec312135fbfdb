/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that mpirun has started several times, with --mpi. All its processes go the same way
 * with the same flags; rank 0 prints and has files of its own, the others print nothing. Without
 * --mpi there is one process, and most of this does nothing. The module latmc-ranks.so has MPI: the
 * programs themselves are not linked with it.
 */
#ifndef RANKS_H
#define RANKS_H

#include <latmc/latmc.h>

#define RANKS_HELP                                                                                 \
    "the process is one of several that mpirun has started: they share the lattice, and each has " \
    "the --device; cuda:local is a GPU of its own for each, by its number among those of its host"

/* First of all, since flags that are wrong are told once, too. A process that ends by exit() ends
 * the others. */
void ranks_begin(const char *program, int argc, char **argv);

/* The way out: the largest status of all ranks. */
int ranks_end(int status);

int ranks_own(void);   /* 0: the one that prints */
int ranks_count(void); /* of those that share lattices */

/* latmc_create() and latmc_load(), together. */
latmc_status ranks_create(latmc_lattice **lattice, latmc_model model, int64_t dims,
                          const int64_t *extents);
latmc_status ranks_load(latmc_lattice **lattice, const char *path);

/* The device of a rank. */
const char *ranks_device(const char *device);

/* Nobody goes on if one has ended by exit(). */
void ranks_meet(void);

/* The largest number, the largest time, the sum, of all ranks. */
int ranks_most(int number);
double ranks_slowest(double seconds);
double ranks_sum(double number);

/* Until the next call the first `count` ranks share lattices; 0: all, as at first. Whether this one
 * is among them: the others go to the next ranks_among(), and wait there. */
int ranks_among(int count);

#endif
