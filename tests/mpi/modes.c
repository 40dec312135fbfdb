/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/mpi/modes.h"

#include <latmc/mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/random/play.h"

const char *modes_folder = ".";

int modes_agree(int holds)
{
    int all = holds != 0;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

void modes_write(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file)) {
        printf("FAILED - %s cannot be written\n", path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

char *modes_read(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long length;

    if (!file)
        return NULL;
    if (!fseek(file, 0, SEEK_END) && (length = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET)) {
        bytes = malloc((size_t)length + 1);
        *count = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
    }
    fclose(file);
    return bytes;
}

/* In slabs, in slabs with couplings, with replicas that can be dealt out, fields, vectors. */
static const struct {
    latmc_model model;
    latmc_update update;
    int dims;
    int64_t extents[3], replicas;
    int couplings;
} kinds[MODES_KINDS] = {
    {LATMC_ISING, LATMC_METROPOLIS, 2, {96, 41}, 1, 0},
    {LATMC_ISING, LATMC_HEATBATH, 3, {13, 6, 32}, 1, 1},
    {LATMC_ISING, LATMC_METROPOLIS, 2, {16, 16}, 40, 1},
    {LATMC_PHI4, LATMC_METROPOLIS, 3, {6, 5, 37}, 3, 0},
    {LATMC_ONVECTOR, LATMC_OVERRELAX, 2, {12, 32}, 1, 1},
};

latmc_update modes_update(int kind)
{
    return kinds[kind].update;
}

latmc_lattice *modes_lattice(int kind, MPI_Comm communicator)
{
    latmc_lattice *lattice = NULL;
    latmc_status status =
        communicator == MODES_ALONE
            ? latmc_create(&lattice, kinds[kind].model, kinds[kind].dims, kinds[kind].extents)
            : latmc_mpi_create(&lattice, communicator, kinds[kind].model, kinds[kind].dims,
                               kinds[kind].extents);

    if (!status)
        status = latmc_set_replicas(lattice, kinds[kind].replicas);
    if (!status)
        status = latmc_set_seed(lattice, 4711 + (uint64_t)kind);
    if (!status && kinds[kind].couplings)
        status = latmc_draw_bond_couplings(lattice, LATMC_GAUSSIAN, 9, 0, NULL, NULL);
    if (!status)
        status = latmc_set_device(lattice, "cpu");
    if (!status)
        status = latmc_set_threads(lattice, 1);
    if (status) {
        printf("FAILED - lattice %d cannot be made: %s\n", kind, latmc_error_message());
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return lattice;
}
