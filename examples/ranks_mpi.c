/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-ranks.so: all that the bundled programs ask of MPI. */
#include <latmc/mpi.h>

#include "ranks_table.h"

/* `told` carries nothing but what ranks tell each other when they meet or end, so that one which
 * ends early is not taken for an answer to something else. */
static MPI_Comm told = MPI_COMM_NULL, sharing = MPI_COMM_NULL;
static MPI_Request request;

static int begin(int *own, int *all)
{
    int level;

    return !MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) &&
           !MPI_Comm_dup(MPI_COMM_WORLD, &told) && !MPI_Comm_dup(MPI_COMM_WORLD, &sharing) &&
           !MPI_Comm_rank(told, own) && !MPI_Comm_size(told, all);
}

static int over(void)
{
    int finalized = 0;

    return MPI_Finalized(&finalized) || finalized;
}

static void end(void)
{
    if (!over())
        MPI_Finalize();
}

static void end_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

static int ask(const int mine[2], int of_all[2])
{
    return !MPI_Iallreduce(mine, of_all, 2, MPI_INT, MPI_MAX, told, &request);
}

static int answered(void)
{
    int done = 0;

    return !MPI_Test(&request, &done, MPI_STATUS_IGNORE) && done;
}

static int of_host(void)
{
    MPI_Comm host;
    int number;

    MPI_Comm_split_type(told, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &number);
    MPI_Comm_free(&host);
    return number;
}

static latmc_status create(latmc_lattice **lattice, latmc_model model, int64_t dims,
                           const int64_t *extents)
{
    return latmc_mpi_create(lattice, sharing, model, dims, extents);
}

static latmc_status load(latmc_lattice **lattice, const char *path)
{
    return latmc_mpi_load(lattice, sharing, path);
}

static int count(void)
{
    int ranks;

    MPI_Comm_size(sharing, &ranks);
    return ranks;
}

static int most(int number)
{
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, sharing);
    return number;
}

static double slowest(double seconds)
{
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, sharing);
    return seconds;
}

static double sum(double number)
{
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, sharing);
    return number;
}

static int among(int share)
{
    if (sharing != MPI_COMM_NULL)
        MPI_Comm_free(&sharing);
    MPI_Comm_split(told, share ? 0 : MPI_UNDEFINED, 0, &sharing);
    return sharing != MPI_COMM_NULL;
}

const ranks_table latmc_ranks_module = {
    .version = RANKS_VERSION,
    .begin = begin,
    .end = end,
    .over = over,
    .kill = end_all,
    .ask = ask,
    .answered = answered,
    .of_host = of_host,
    .create = create,
    .load = load,
    .count = count,
    .most = most,
    .slowest = slowest,
    .sum = sum,
    .among = among,
};
