/* SPDX-License-Identifier: BSD-3-Clause */
#include <latmc/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "ranks.h"
#include "stop.h"

/* `told` carries nothing but what ranks tell each other when they meet or end, so that one which
 * ends early is not taken for an answer to something else. */
static MPI_Comm told = MPI_COMM_NULL, sharing = MPI_COMM_NULL;
static int own, all = 1, wanted;

/* Seconds that a rank which must end waits for the others to say the same. */
static const double patience = 10;

/* MPI's own waiting takes a processor, which may be one that the others need. */
static int waited_for(MPI_Request *request, double seconds)
{
    const struct timespec pause = {.tv_nsec = 200000};
    const double begin = cli_clock();
    int done = 0;

    while (!MPI_Test(request, &done, MPI_STATUS_IGNORE) && !done) {
        if (seconds > 0 && cli_clock() - begin > seconds)
            return 0;
        nanosleep(&pause, NULL);
    }
    return done;
}

/* The largest status of all; -1 if some do not come in time, which is for ever if `seconds` is 0.
 * Here a rank is that goes on (leaving 0) and one that ends. */
static int tell(int leaving, int status, double seconds)
{
    static int mine[2], of_all[2];
    MPI_Request request;

    mine[0] = leaving;
    mine[1] = status;
    if (MPI_Iallreduce(mine, of_all, 2, MPI_INT, MPI_MAX, told, &request) ||
        !waited_for(&request, seconds))
        return -1;
    if (of_all[0] && !leaving) { /* what was wrong has been said */
        MPI_Finalize();
        exit(of_all[1]);
    }
    return of_all[1];
}

/* At exit(): the others have met the same, and come here, or must be ended. */
static void part(void)
{
    int over = 0;

    if (MPI_Finalized(&over) || over)
        return;
    if (tell(1, cli_status(), patience) >= 0) {
        MPI_Finalize();
        return;
    }
    if (cli_last_words()[0])
        fprintf(stderr, "rank %d: %s\n", own, cli_last_words());
    MPI_Abort(MPI_COMM_WORLD, cli_status() ? cli_status() : CLI_FAILED);
}

void ranks_begin(const char *program, int argc, char **argv)
{
    int level;

    cli_name(program);
    for (int i = 1; i < argc; i++)
        wanted |= strcmp(argv[i], "--mpi") == 0;
    if (!wanted)
        return;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) ||
        MPI_Comm_dup(MPI_COMM_WORLD, &told) || MPI_Comm_dup(MPI_COMM_WORLD, &sharing))
        cli_fail("--mpi: MPI cannot be initialized");
    MPI_Comm_rank(told, &own);
    MPI_Comm_size(told, &all);
    atexit(part);
    stop_together(ranks_most);
    if (own) {
        cli_silence();
        if (!freopen("/dev/null", "w", stdout))
            cli_fail("/dev/null cannot be opened");
    }
}

int ranks_end(int status)
{
    if (!wanted)
        return status;
    status = tell(0, status, 0);
    MPI_Finalize();
    return status;
}

int ranks_own(void)
{
    return own;
}

int ranks_count(void)
{
    int count = 1;

    if (wanted)
        MPI_Comm_size(sharing, &count);
    return count;
}

latmc_status ranks_create(latmc_lattice **lattice, latmc_model model, int dims,
                          const int64_t *extents)
{
    return wanted ? latmc_mpi_create(lattice, sharing, model, dims, extents)
                  : latmc_create(lattice, model, dims, extents);
}

latmc_status ranks_load(latmc_lattice **lattice, const char *path)
{
    return wanted ? latmc_mpi_load(lattice, sharing, path) : latmc_load(lattice, path);
}

static int usable_gpus(void)
{
    latmc_device_info info = {.size = sizeof info};
    int count = 0;

    for (int i = 0; i < latmc_device_count(); i++)
        count +=
            !latmc_device_describe(i, &info) && info.usable && strncmp(info.name, "cuda:", 5) == 0;
    return count;
}

const char *ranks_device(const char *device)
{
    static char name[32];
    MPI_Comm host;
    int number, gpus;

    if (!wanted || !device || strcmp(device, "cuda:local") != 0)
        return device;
    gpus = usable_gpus();
    if (!gpus)
        return "cuda:0"; /* the library says why there is none */
    MPI_Comm_split_type(told, MPI_COMM_TYPE_SHARED, own, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &number);
    MPI_Comm_free(&host);
    snprintf(name, sizeof name, "cuda:%d", number % gpus);
    return name;
}

void ranks_meet(void)
{
    if (wanted)
        (void)tell(0, 0, 0);
}

int ranks_most(int number)
{
    if (wanted)
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, sharing);
    return number;
}

double ranks_slowest(double seconds)
{
    if (wanted)
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, sharing);
    return seconds;
}

double ranks_sum(double number)
{
    if (wanted)
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, sharing);
    return number;
}

int ranks_among(int count)
{
    if (!wanted)
        return 1;
    ranks_meet();
    if (sharing != MPI_COMM_NULL)
        MPI_Comm_free(&sharing);
    MPI_Comm_split(told, !count || own < count ? 0 : MPI_UNDEFINED, own, &sharing);
    return sharing != MPI_COMM_NULL;
}
