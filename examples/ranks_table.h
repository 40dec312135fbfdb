/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the module latmc-ranks.so has for programs that are not linked with MPI. The module is
 * compiled against one MPI and linked with liblatmc_mpi; a program loads it when it is asked for
 * --mpi. Module and program are of one version, and this table is no interface for others.
 */
#ifndef RANKS_TABLE_H
#define RANKS_TABLE_H

#include <latmc/latmc.h>

typedef struct ranks_table {
    const char *version; /* of the library */

    int (*begin)(int *own, int *all); /* initializes MPI; 0: it cannot */
    void (*end)(void);                /* finalizes it, unless it is */
    int (*over)(void);                /* it is finalized */
    void (*kill)(int status);         /* ends all ranks */

    /* The largest two numbers of all ranks: begins to ask, 0 if it cannot; whether all have come.
     */
    int (*ask)(const int mine[2], int of_all[2]);
    int (*answered)(void);

    int (*of_host)(void); /* the rank's number among those of its host */

    /* Of the ranks that share lattices. */
    latmc_status (*create)(latmc_lattice **lattice, latmc_model model, int64_t dims,
                           const int64_t *extents);
    latmc_status (*load)(latmc_lattice **lattice, const char *path);
    int (*count)(void);
    int (*most)(int number);
    double (*slowest)(double seconds);
    double (*sum)(double number);
    int (*among)(int share); /* 1: this rank shares from now on; whether it does */
} ranks_table;

/* In the module. */
LATMC_API extern const ranks_table latmc_ranks_module;

/* Loads the module, or refuses --mpi with the files that were looked for. */
const ranks_table *ranks_load_module(void);

#endif
