/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/mpi/told.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

#include <latmc/latmc.h>

int told_rank, told_ranks, told_failures;

void told_begin(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &told_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &told_ranks);
}

int told(int holds, const char *format, ...)
{
    char text[1200];
    int all = holds != 0;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!holds)
        printf("FAILED - rank %d of %d: %s (latmc: \"%s\")\n", told_rank, told_ranks, text,
               latmc_error_message());
    fflush(stdout);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all && told_rank == 0)
        printf("ok - %s (%d ranks)\n", text, told_ranks);
    told_failures += !all;
    return all;
}
