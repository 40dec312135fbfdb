/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved lattices: by any number of ranks the file that one process writes, and loaded by any other
 * number. */
#include <latmc/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/mpi/modes.h"
#include "tests/mpi/told.h"

static char path_of[2][600]; /* what all ranks have saved, and one process */

static int begun(latmc_lattice *lattice, int kind)
{
    return !latmc_start(lattice, LATMC_START_HOT) && !latmc_keep_best(lattice, 1) &&
           !latmc_sweep(lattice, modes_update(kind), 3);
}

static int hashed(latmc_lattice *lattice, uint64_t *hash)
{
    return lattice && !latmc_state_hash(lattice, hash);
}

static int same_files(const char *a, const char *b)
{
    size_t counts[2] = {0, 0};
    char *bytes[2] = {modes_read(a, &counts[0]), modes_read(b, &counts[1])};
    const int same = bytes[0] && bytes[1] && counts[0] && counts[0] == counts[1] &&
                     memcmp(bytes[0], bytes[1], counts[0]) == 0;

    free(bytes[0]);
    free(bytes[1]);
    return same;
}

/* The first `count` ranks load what all have saved, go on and save again; so does one process. */
static void go_on(int kind, int count, const char *saved)
{
    MPI_Comm some;
    latmc_lattice *lattice = NULL, *alone = NULL;
    uint64_t hashes[2] = {1, 2};
    int right = 1, after = 1;

    MPI_Comm_split(MPI_COMM_WORLD, told_rank < count ? 0 : MPI_UNDEFINED, told_rank, &some);
    if (some != MPI_COMM_NULL) {
        right = !latmc_mpi_load(&lattice, some, saved) && !latmc_set_device(lattice, "cpu") &&
                !latmc_sweep(lattice, modes_update(kind), 2) && hashed(lattice, &hashes[0]) &&
                !latmc_save(lattice, path_of[0]);
        latmc_destroy(lattice);
        MPI_Comm_free(&some);
    }
    if (told_rank == 0) {
        after = !latmc_load(&alone, saved) && !latmc_set_device(alone, "cpu") &&
                !latmc_sweep(alone, modes_update(kind), 2) && hashed(alone, &hashes[1]) &&
                !latmc_save(alone, path_of[1]) && hashes[0] == hashes[1] &&
                same_files(path_of[0], path_of[1]);
        latmc_destroy(alone);
    }
    told(right && after, "lattice %d: %d ranks go on where %d have saved, as one process does",
         kind, count, told_ranks);
}

/* What is loaded is what was saved. */
static int loads(const void *memory, size_t bytes, latmc_lattice *saved)
{
    latmc_lattice *lattice = NULL;
    uint64_t hashes[2] = {1, 2};
    const int right = !latmc_mpi_load_memory(&lattice, MPI_COMM_WORLD, memory, bytes) &&
                      hashed(lattice, &hashes[0]) && hashed(saved, &hashes[1]) &&
                      hashes[0] == hashes[1];

    latmc_destroy(lattice);
    return right;
}

static void try_kind(int kind)
{
    latmc_lattice *lattice = modes_lattice(kind, MPI_COMM_WORLD);
    latmc_lattice *alone = modes_lattice(kind, MODES_ALONE);
    char saved[620];
    size_t bytes[2] = {0, 0};
    void *memory[2] = {NULL, NULL};
    int right;

    snprintf(saved, sizeof saved, "%s/saved", modes_folder);
    right = begun(lattice, kind) && begun(alone, kind) && !latmc_save(lattice, saved);
    if (told_rank == 0)
        right &= !latmc_save(alone, path_of[1]) && same_files(saved, path_of[1]);
    told(right, "lattice %d: the file is that of one process", kind);
    right = !latmc_save_memory(lattice, NULL, 0, &bytes[0]) &&
            !latmc_save_memory(alone, NULL, 0, &bytes[1]) && bytes[0] == bytes[1];
    memory[0] = malloc(bytes[0] + 1);
    memory[1] = malloc(bytes[0] + 1);
    right = right && !latmc_save_memory(lattice, memory[0], bytes[0], &bytes[0]) &&
            !latmc_save_memory(alone, memory[1], bytes[1], &bytes[1]) &&
            memcmp(memory[0], memory[1], bytes[0]) == 0;
    told(right, "lattice %d: so are the bytes in memory, on every rank", kind);
    told(loads(memory[0], bytes[0], lattice), "lattice %d: which all ranks can load", kind);
    free(memory[0]);
    free(memory[1]);
    latmc_destroy(lattice);
    latmc_destroy(alone);
    for (int i = 0; i < 3; i++)
        go_on(kind, i == 0 ? 1 : i == 1 ? (told_ranks + 1) / 2 : told_ranks, saved);
    MPI_Barrier(MPI_COMM_WORLD);
    if (told_rank == 0)
        remove(saved);
}

/* Nothing is left behind. */
static int is_clean(void)
{
    char command[700];

    snprintf(command, sizeof command, "test -z \"$(ls -A '%s')\"", modes_folder);
    return system(command) == 0;
}

void files_mode(void)
{
    snprintf(path_of[0], sizeof path_of[0], "%s/ranks", modes_folder);
    snprintf(path_of[1], sizeof path_of[1], "%s/one", modes_folder);
    for (int kind = 0; kind < MODES_KINDS; kind++)
        try_kind(kind);
    MPI_Barrier(MPI_COMM_WORLD);
    if (told_rank == 0) {
        remove(path_of[0]);
        remove(path_of[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    told(is_clean(), "no file is left behind");
}

/* Until the job is killed: each save takes the place of the last one. */
void die_mode(void)
{
    latmc_lattice *lattice = modes_lattice(1, MPI_COMM_WORLD);
    char path[620];

    snprintf(path, sizeof path, "%s/alive", modes_folder);
    if (latmc_start(lattice, LATMC_START_HOT))
        MPI_Abort(MPI_COMM_WORLD, 3);
    printf("rank %d is process %d\n", told_rank, (int)getpid());
    fflush(stdout);
    for (;;)
        if (latmc_sweep(lattice, modes_update(1), 1) || latmc_save(lattice, path)) {
            printf("rank %d: %s\n", told_rank, latmc_error_message());
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
}
