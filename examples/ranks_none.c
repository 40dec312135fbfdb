/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "cli.h"
#include "ranks.h"

void ranks_begin(const char *program, int argc, char **argv)
{
    cli_name(program);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--mpi") == 0)
            cli_refuse("--mpi: this program was built without MPI (Meson's option mpi)");
}

int ranks_end(int status)
{
    return status;
}

int ranks_own(void)
{
    return 0;
}

int ranks_count(void)
{
    return 1;
}

latmc_status ranks_create(latmc_lattice **lattice, latmc_model model, int dims,
                          const int64_t *extents)
{
    return latmc_create(lattice, model, dims, extents);
}

latmc_status ranks_load(latmc_lattice **lattice, const char *path)
{
    return latmc_load(lattice, path);
}

const char *ranks_device(const char *device)
{
    return device;
}

void ranks_meet(void)
{
}

int ranks_most(int number)
{
    return number;
}

double ranks_slowest(double seconds)
{
    return seconds;
}

double ranks_sum(double number)
{
    return number;
}

int ranks_among(int count)
{
    (void)count;
    return 1;
}
