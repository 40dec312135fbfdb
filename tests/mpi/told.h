/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests under mpirun tell: a check that holds on all ranks once, by rank 0; one that does
 * not by each rank that sees it. Checks are collective. */
#ifndef LM_TESTS_MPI_TOLD_H
#define LM_TESTS_MPI_TOLD_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <latmc/latmc.h>

static int told_rank, told_ranks, told_failures;

static inline void told_begin(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &told_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &told_ranks);
}

/* 1 if it holds on all ranks. */
static inline int told(int holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline int told(int holds, const char *format, ...)
{
    char text[1200];
    int all = holds;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!holds)
        printf("FAILED - rank %d of %d: %s (latmc: \"%s\")\n", told_rank, told_ranks, text,
               latmc_error_message());
    else if (all && told_rank == 0)
        printf("ok - %s (%d ranks)\n", text, told_ranks);
    fflush(stdout);
    told_failures += !all;
    return all;
}

#endif
