/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "ranks_table.h"
#include "stop.h"

/* What MPI does; NULL without --mpi. */
static const ranks_table *mpi;
static int own, all = 1;

/* Seconds that a rank which must end waits for the others to say the same. */
static const double patience = 10;

/* MPI's own waiting takes a processor, which may be one that the others need. */
static int waited_for(double seconds)
{
    const struct timespec pause = {.tv_nsec = 200000};
    const double begin = cli_clock();

    while (!mpi->answered()) {
        if (seconds > 0 && cli_clock() - begin > seconds)
            return 0;
        nanosleep(&pause, NULL);
    }
    return 1;
}

/* The largest status of all; -1 if some do not come in time, which is for ever if `seconds` is 0.
 * Here a rank is that goes on (leaving 0) and one that ends. */
static int tell(int leaving, int status, double seconds)
{
    static int mine[2], of_all[2];

    mine[0] = leaving;
    mine[1] = status;
    if (!mpi->ask(mine, of_all) || !waited_for(seconds))
        return -1;
    if (of_all[0] && !leaving) { /* what was wrong has been said */
        mpi->end();
        exit(of_all[1]);
    }
    return of_all[1];
}

/* At exit(): the others have met the same, and come here, or must be ended. */
static void part(void)
{
    if (mpi->over())
        return;
    if (tell(1, cli_status(), patience) >= 0) {
        mpi->end();
        return;
    }
    if (cli_last_words()[0])
        fprintf(stderr, "rank %d: %s\n", own, cli_last_words());
    mpi->kill(cli_status() ? cli_status() : CLI_FAILED);
}

void ranks_begin(const char *program, int argc, char **argv)
{
    int wanted = 0;

    cli_name(program);
    for (int i = 1; i < argc; i++)
        wanted |= strcmp(argv[i], "--mpi") == 0;
    if (!wanted) {
        cli_company("--mpi has them share the lattice");
        return;
    }
    mpi = ranks_load_module();
    if (!mpi->begin(&own, &all))
        cli_fail("--mpi: MPI cannot be initialized");
    if (all == 1)
        cli_company("it is of another MPI than latmc-ranks.so");
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
    if (!mpi)
        return status;
    status = tell(0, status, 0);
    mpi->end();
    return status;
}

int ranks_own(void)
{
    return own;
}

int ranks_count(void)
{
    return mpi ? mpi->count() : 1;
}

latmc_status ranks_create(latmc_lattice **lattice, latmc_model model, int64_t dims,
                          const int64_t *extents)
{
    return (mpi ? mpi->create : latmc_create)(lattice, model, dims, extents);
}

latmc_status ranks_load(latmc_lattice **lattice, const char *path)
{
    return (mpi ? mpi->load : latmc_load)(lattice, path);
}

static int usable_gpus(void)
{
    latmc_device_info info = {.size = sizeof info};
    int64_t devices = 0;
    int count = 0;

    if (latmc_count_devices(&devices))
        return 0;
    for (int64_t i = 0; i < devices; i++)
        count +=
            !latmc_describe_device(i, &info) && info.usable && strncmp(info.name, "cuda:", 5) == 0;
    return count;
}

const char *ranks_device(const char *device)
{
    static char name[32];
    int number, gpus;

    if (!mpi || !device || strcmp(device, "cuda:local") != 0)
        return device;
    number = mpi->of_host(); /* which all ranks ask together */
    gpus = usable_gpus();
    if (!gpus)
        return "cuda:0"; /* the library says why there is none */
    snprintf(name, sizeof name, "cuda:%d", number % gpus);
    return name;
}

void ranks_meet(void)
{
    if (mpi)
        (void)tell(0, 0, 0);
}

int ranks_most(int number)
{
    return mpi ? mpi->most(number) : number;
}

double ranks_slowest(double seconds)
{
    return mpi ? mpi->slowest(seconds) : seconds;
}

double ranks_sum(double number)
{
    return mpi ? mpi->sum(number) : number;
}

int ranks_among(int count)
{
    if (!mpi)
        return 1;
    ranks_meet();
    return mpi->among(!count || own < count);
}
