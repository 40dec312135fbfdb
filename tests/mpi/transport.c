/* SPDX-License-Identifier: BSD-3-Clause */
/* lib/mpi by itself: exchanges, gathers and files in pieces, refusals. Run under mpirun. */
#include <inttypes.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <latmc/mpi.h>

#include "lib/mpi/comm.h"
#include "tests/mpi/told.h"

enum { MOST = 500, PIECE = 7 };

/* Byte i of what rank `from` sends in a direction. */
static uint8_t byte_of(int from, int tag, size_t i)
{
    return (uint8_t)(31 * from + 101 * tag + 7 * (int)i + 1);
}

static int says(const latmc_ranks *t, const char *part)
{
    return strstr(t->message(t->self), part) != NULL;
}

static latmc_ranks opened(MPI_Comm communicator)
{
    latmc_ranks t = {0};

    if (!told(lm_mpi_open("test", communicator, &t) == LATMC_OK, "a communicator opens"))
        MPI_Abort(MPI_COMM_WORLD, 1);
    return t;
}

/* Both directions are on their way at once, and end in either order. */
static int exchanged(const latmc_ranks *t, size_t bytes, int last)
{
    static uint8_t out[2][MOST], in[2][MOST + 1];
    const int before = (t->rank + t->ranks - 1) % t->ranks, after = (t->rank + 1) % t->ranks;
    int right = 1;

    for (int tag = 0; tag < 2; tag++) {
        for (size_t i = 0; i < bytes; i++)
            out[tag][i] = byte_of(t->rank, tag, i);
        memset(in[tag], 0xEE, sizeof in[tag]);
        right &= !t->begin(t->self, tag, tag ? after : before, out[tag], tag ? before : after,
                           in[tag], bytes);
    }
    right &= !t->end(t->self, last);
    right &= !t->end(t->self, !last);
    for (int tag = 0; tag < 2; tag++) {
        for (size_t i = 0; i < bytes; i++)
            right &= in[tag][i] == byte_of(tag ? before : after, tag, i);
        right &= in[tag][bytes] == 0xEE;
    }
    return right;
}

static void try_exchanges(const latmc_ranks *t)
{
    static const size_t sizes[] = {0, 1, 6, 7, 8, 13, 14, 15, 100, 64 * PIECE};
    uint8_t none[1] = {0};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        told(exchanged(t, sizes[i], (int)i % 2), "%zu bytes are exchanged in blocks of %d",
             sizes[i], (int)PIECE);
    told(t->begin(t->self, 0, t->rank, none, t->rank, none, 64 * PIECE + 1) &&
             says(t, "64 blocks of 7 bytes"),
         "more pieces than there can be are refused");
    told(t->begin(t->self, 0, t->rank, none, t->ranks + 3, none, 1) && says(t, "MPI_Irecv: "),
         "an error of MPI is returned, with its words");
}

static int64_t share_of(int rank, int64_t unit)
{
    return (rank * 5 + 2) % 4 * unit; /* of some ranks nothing */
}

static void try_gather(const latmc_ranks *t, int64_t unit)
{
    int64_t *begin = calloc((size_t)t->ranks + 1, sizeof *begin);
    uint8_t *data;
    int right = 1;

    begin[0] = 3;
    for (int r = 0; r < t->ranks; r++)
        begin[r + 1] = begin[r] + share_of(r, unit);
    data = calloc((size_t)begin[t->ranks] + 1, 1);
    for (int64_t i = begin[t->rank]; i < begin[t->rank + 1]; i++)
        data[i] = byte_of(t->rank, 2, (size_t)i);
    right = !t->gather(t->self, data, begin);
    for (int r = 0; r < t->ranks; r++)
        for (int64_t i = begin[r]; i < begin[r + 1]; i++)
            right &= data[i] == byte_of(r, 2, (size_t)i);
    for (int64_t i = 0; i < begin[0]; i++)
        right &= data[i] == 0;
    told(right && data[begin[t->ranks]] == 0, "parts of 0 to %d bytes are gathered",
         (int)(3 * unit));
    free(begin);
    free(data);
}

static void try_most(const latmc_ranks *t)
{
    int64_t values[3] = {t->rank, -t->rank, INT64_MIN + t->rank};

    told(!t->most(t->self, 3, values) && values[0] == t->ranks - 1 && values[1] == 0 &&
             values[2] == INT64_MIN + t->ranks - 1,
         "the largest of all ranks");
}

/* Two communicators' messages are not taken for each other's. */
static void try_two(const latmc_ranks *a, const latmc_ranks *b)
{
    const int to = (a->rank + 1) % a->ranks, from = (a->rank + a->ranks - 1) % a->ranks;
    uint8_t out[2] = {(uint8_t)(a->rank + 1), (uint8_t)(a->rank + 101)}, in[2] = {0, 0};
    int right = !a->begin(a->self, 0, to, &out[0], from, &in[0], 1);

    right &= !b->begin(b->self, 0, to, &out[1], from, &in[1], 1);
    right &= !b->end(b->self, 0);
    right &= !a->end(a->self, 0);
    told(right && in[0] == from + 1 && in[1] == from + 101, "two tables share no message");
}

/* ---- files */

static void make_file(const latmc_ranks *t, const char *path)
{
    if (t->rank == 0) {
        FILE *f = fopen(path, "wb");

        if (f)
            fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int has_written(const char *path, int ranks, size_t each)
{
    FILE *f = fopen(path, "rb");
    int right = f != NULL;

    for (int r = 0; r < ranks && right; r++)
        for (size_t i = 0; i < each && right; i++)
            right = fgetc(f) == byte_of(r, 3, i);
    right = right && fgetc(f) == EOF;
    if (f)
        fclose(f);
    return right;
}

static int is_in_table(const latmc_ranks *t, const void *file)
{
    const char *const begin = t->self, *const at = file;

    return at >= begin && at < begin + sizeof(lm_mpi);
}

static void try_files(const latmc_ranks *t, const char *folder)
{
    enum { EACH = 45 };
    char path[500], nowhere[520];
    uint8_t data[EACH];
    void *file = NULL;
    int right;

    snprintf(path, sizeof path, "%s/transport", folder);
    snprintf(nowhere, sizeof nowhere, "%s/no/such", folder);
    make_file(t, path);
    right = told(!t->file_open(t->self, path, &file), "a file is opened by all");
    if (!right)
        return;
    told(is_in_table(t, file), "its handle takes no memory, which one rank alone might lack");
    for (size_t i = 0; i < EACH; i++)
        data[i] = byte_of(t->rank, 3, i);
    right = !t->file_write(t->self, file, (int64_t)EACH * t->rank, data, 20);
    right &= !t->file_write(t->self, file, (int64_t)EACH * t->rank + 20, data + 20, EACH - 20);
    right &= !t->file_close(t->self, file);
    told(right && has_written(path, t->ranks, EACH), "and written in pieces, each its own");
    for (int bad = 0; bad < t->ranks; bad++) {
        char words[64];

        snprintf(words, sizeof words, "rank %d: MPI_File_open: ", bad);
        file = NULL;
        told(t->file_open(t->self, t->rank == bad ? nowhere : path, &file) && !file &&
                 says(t, words),
             "a file that rank %d cannot open is opened by none", bad);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (t->rank == 0)
        remove(path);
}

/* ---- refusals */

static int refuses(latmc_status want, const char *part, MPI_Comm communicator)
{
    static const int64_t extents[] = {8, 8};
    latmc_lattice *lattice = NULL;
    const latmc_status made = latmc_mpi_create(&lattice, communicator, LATMC_ISING, 2, extents);
    const int created = made == want && strstr(latmc_error_message(), "latmc_mpi_create: ") &&
                        strstr(latmc_error_message(), part);
    const latmc_status loaded = latmc_mpi_load(&lattice, communicator, "/no/such");
    const int said = strstr(latmc_error_message(), "latmc_mpi_load: ") != NULL;

    return created && said && latmc_mpi_load_memory(&lattice, communicator, "", 1) == want &&
           loaded == want && strstr(latmc_error_message(), "latmc_mpi_load_memory: ") &&
           strstr(latmc_error_message(), part) && !lattice;
}

static void *refused_in_a_thread(void *result)
{
    *(int *)result = refuses(LATMC_ERROR_STATE, "MPI_THREAD_SERIALIZED", MPI_COMM_WORLD);
    return NULL;
}

static void try_threads(void)
{
    pthread_t thread;
    int right = 0;

    if (!pthread_create(&thread, NULL, refused_in_a_thread, &right))
        pthread_join(thread, NULL);
    told(right, "another thread than the main one is refused after MPI_Init()");
}

static void try_inter(void)
{
    MPI_Comm half, inter;

    if (told_ranks < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, told_rank > 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, told_rank == 0, 1, &inter);
    told(refuses(LATMC_ERROR_ARGUMENT, "inter-communicator", inter),
         "an inter-communicator is refused");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    const int early = refuses(LATMC_ERROR_STATE, "not initialized", MPI_COMM_WORLD);
    MPI_Comm own;
    MPI_Errhandler handler;
    latmc_ranks a, b;

    MPI_Init(&argc, &argv);
    told_begin();
    told(early, "refused before MPI_Init()");
    told(refuses(LATMC_ERROR_ARGUMENT, "MPI_COMM_NULL", MPI_COMM_NULL), "MPI_COMM_NULL is refused");
    try_inter();
    try_threads();
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    a = opened(own);
    MPI_Comm_get_errhandler(own, &handler);
    told(handler == MPI_ERRORS_ARE_FATAL, "the communicator's own way with errors is as it was");
    MPI_Comm_free(&own);
    b = opened(MPI_COMM_WORLD);
    told(exchanged(&a, 100, 0), "a communicator may be freed");
    lm_mpi_block = PIECE;
    try_exchanges(&a);
    try_gather(&a, 1);
    try_gather(&a, 20);
    try_most(&a);
    try_two(&a, &b);
    try_files(&a, argc > 1 ? argv[1] : ".");
    a.release(a.self);
    MPI_Finalize();
    b.release(b.self);
    if (!refuses(LATMC_ERROR_STATE, "finalized", MPI_COMM_WORLD)) {
        printf("FAILED - rank %d: not refused after MPI_Finalize()\n", told_rank);
        return 1;
    }
    return told_failures != 0;
}
