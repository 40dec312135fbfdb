/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's calls that wait, by its profiling interface, so that they sleep in between: the tests have
 * more ranks than a machine has processors, and some MPI libraries never give one away while they
 * wait. What is called besides is as it is.
 */
#include <mpi.h>
#include <time.h>

static int patient(int error, MPI_Request *request, MPI_Status *status)
{
    const struct timespec pause = {.tv_nsec = 20000};

    for (int done = 0; !error;) {
        error = PMPI_Test(request, &done, status);
        if (done)
            break;
        nanosleep(&pause, NULL);
    }
    return error;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return patient(MPI_SUCCESS, request, status);
}

int MPI_Allreduce(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;

    return patient(PMPI_Iallreduce(out, in, count, type, op, comm, &request), &request,
                   MPI_STATUS_IGNORE);
}

int MPI_Allgatherv(const void *out, int count, MPI_Datatype type, void *in, const int counts[],
                   const int places[], MPI_Datatype of_in, MPI_Comm comm)
{
    MPI_Request request;

    return patient(PMPI_Iallgatherv(out, count, type, in, counts, places, of_in, comm, &request),
                   &request, MPI_STATUS_IGNORE);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;

    return patient(PMPI_Ibcast(data, count, type, root, comm, &request), &request,
                   MPI_STATUS_IGNORE);
}

int MPI_Barrier(MPI_Comm comm)
{
    MPI_Request request;

    return patient(PMPI_Ibarrier(comm, &request), &request, MPI_STATUS_IGNORE);
}
