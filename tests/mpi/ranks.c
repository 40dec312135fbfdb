/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lattices on a communicator do what they do in one process, bit for bit: `ranks cases FILE DRAWN`
 * plays the cases of a file, and so many that are drawn, on all ranks and, on each, alone. Run
 * under mpirun; other modes are errors.c and files.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mpi/comm.h"
#include "tests/mpi/modes.h"
#include "tests/mpi/told.h"
#include "tests/random/draw.h"
#include "tests/random/play.h"

/* The table of all cases' lattices, one after the other. */
static latmc_ranks ranks;

static void keep(void *self)
{
    (void)self;
}

static void nothing(int side, int step)
{
    (void)side;
    (void)step;
}

/* What came of the cases. */
static int played, undivided;

/* A lattice may have too few layers and replicas for so many ranks: on all of them, or on none. A
 * rank that saw something else says so at once, since the others may wait for it. */
static void play(const random_case *c, const char *text)
{
    const play_setup setup = {.devices = {"cpu:scalar", "cpu"}, .at = nothing, .ranks = &ranks};
    play_result result;
    int same, left_out;

    play_case(c, &setup, &result);
    if (!result.same && !result.left_out) {
        printf("FAILED - rank %d of %d: %s\n    %s\n", told_rank, told_ranks, result.difference,
               text);
        fflush(stdout);
    }
    same = modes_agree(result.same);
    left_out = modes_agree(result.left_out);
    if (!same && !left_out) {
        printf("FAILED - rank %d of %d: ranks do not agree\n    %s\n", told_rank, told_ranks, text);
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    played += same;
    undivided += left_out;
}

static void play_file(const char *path)
{
    static char line[CASE_TEXT];
    FILE *file = fopen(path, "r");
    random_case c;
    int count = 0;

    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!line[0] || line[0] == '#')
            continue;
        if (case_parse(line, &c)) {
            printf("FAILED - cannot be read: %s\n", line);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        play(&c, line);
        count++;
    }
    if (file)
        fclose(file);
    told(count > 20 && played + undivided == count && undivided <= 4,
         "%d cases of the list are what they are in one process, %d cannot be divided so", played,
         undivided);
}

/* Other numbers of ranks have other cases. */
static void play_drawn(int count)
{
    const draw_wish wish = {.threads = 1, .cost = 4e5};

    played = undivided = 0;
    for (int i = 0; i < count; i++) {
        static char text[CASE_TEXT];
        random_case c = draw_case((uint64_t)(50000 + 1000 * told_ranks + i), &wish);

        c.company = 0;
        if (case_print(&c, text, sizeof text))
            play(&c, text);
    }
    told(!count || played * 5 > count,
         "%d drawn cases are what they are in one process, %d cannot be divided so", played,
         undivided);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    told_begin();
    modes_folder = argc > 2 ? argv[2] : ".";
    if (strcmp(mode, "cases") == 0 && argc > 4) {
        void (*release)(void *);

        if (lm_mpi_open("ranks", MPI_COMM_WORLD, &ranks))
            MPI_Abort(MPI_COMM_WORLD, 1);
        release = ranks.release;
        ranks.release = keep;
        play_file(argv[3]);
        play_drawn(atoi(argv[4]));
        release(ranks.self);
    } else if (strcmp(mode, "errors") == 0) {
        errors_mode();
    } else if (strcmp(mode, "files") == 0) {
        files_mode();
    } else if (strcmp(mode, "die") == 0) {
        die_mode();
    } else {
        fprintf(stderr, "usage: ranks cases FOLDER FILE DRAWN | errors FOLDER | files FOLDER | die "
                        "FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return told_failures != 0;
}
