/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/mpi/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lm_mpi_block = 1 << 30;

/* ---- words for failures */

int lm_mpi_failed(lm_mpi *m, int error, const char *function)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;

    if (error == MPI_SUCCESS)
        return 0;
    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS)
        snprintf(text, sizeof text, "error %d", error);
    snprintf(m->message, sizeof m->message, "%s: %.*s", function, MPI_MAX_ERROR_STRING, text);
    return 1;
}

int lm_mpi_agree(lm_mpi *m, int failed)
{
    int first = failed ? m->rank : m->ranks;

    if (lm_mpi_failed(m, MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, m->comm),
                      "MPI_Allreduce"))
        return 1;
    if (first == m->ranks)
        return 0;
    /* All ranks know that a function failed. If the message does not come, the rank keeps its
     * own. */
    (void)lm_mpi_failed(m, MPI_Bcast(m->message, (int)sizeof m->message, MPI_CHAR, first, m->comm),
                        "MPI_Bcast");
    return 1;
}

static const char *message(void *self)
{
    const lm_mpi *m = self;

    return m->message;
}

/* ---- opening and closing */

static latmc_status refuse(latmc_status status, const char *caller, const char *reason)
{
    char text[256 + sizeof((lm_mpi *)0)->message];

    snprintf(text, sizeof text, "%s: %s", caller, reason);
    return latmc_fail(status, text);
}

/* Returns whether MPI can be called in this process now. */
static latmc_status check_process(const char *caller)
{
    int begun = 0, over = 0, level = MPI_THREAD_SINGLE, is_main = 1;

    if (MPI_Initialized(&begun) != MPI_SUCCESS || !begun)
        return refuse(LATMC_ERROR_STATE, caller,
                      "MPI is not initialized; MPI_Init() or MPI_Init_thread() comes first");
    if (MPI_Finalized(&over) != MPI_SUCCESS || over)
        return refuse(LATMC_ERROR_STATE, caller, "MPI has been finalized");
    if (MPI_Query_thread(&level) == MPI_SUCCESS && level < MPI_THREAD_SERIALIZED &&
        MPI_Is_thread_main(&is_main) == MPI_SUCCESS && !is_main)
        return refuse(LATMC_ERROR_STATE, caller,
                      "MPI was initialized for calls from its main thread alone, and this is "
                      "another one; ask MPI_Init_thread() for MPI_THREAD_SERIALIZED or call from "
                      "the main thread");
    return LATMC_OK;
}

static latmc_status check_communicator(const char *caller, MPI_Comm communicator)
{
    int inter = 0;

    if (communicator == MPI_COMM_NULL)
        return refuse(LATMC_ERROR_ARGUMENT, caller,
                      "the communicator is MPI_COMM_NULL; a rank that is in none makes no lattice");
    if (MPI_Comm_test_inter(communicator, &inter) == MPI_SUCCESS && inter)
        return refuse(LATMC_ERROR_ARGUMENT, caller,
                      "the communicator is an inter-communicator; one of a single group is needed, "
                      "such as MPI_Intercomm_merge() makes of it");
    return LATMC_OK;
}

/* Makes a duplicate whose errors are returned. While it is made, errors of the communicator itself
 * are returned, too. By preset they end the process. */
static int duplicate(MPI_Comm communicator, MPI_Comm *copy)
{
    MPI_Errhandler usual;
    int error = MPI_Comm_get_errhandler(communicator, &usual);

    if (error)
        return error;
    error = MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
    if (!error)
        error = MPI_Comm_dup(communicator, copy);
    (void)MPI_Comm_set_errhandler(communicator, usual);
    (void)MPI_Errhandler_free(&usual);
    return error ? error : MPI_Comm_set_errhandler(*copy, MPI_ERRORS_RETURN);
}

static void close_comm(MPI_Comm *comm)
{
    int over = 0;

    if (MPI_Finalized(&over) == MPI_SUCCESS && !over)
        (void)MPI_Comm_free(comm);
}

static void free_room(lm_mpi *m)
{
    if (m) {
        free(m->counts);
        free(m->places);
    }
    free(m);
}

static void release(void *self)
{
    lm_mpi *m = self;

    close_comm(&m->comm);
    free_room(m);
}

static lm_mpi *room_for(int ranks)
{
    lm_mpi *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->counts = calloc((size_t)ranks, sizeof *m->counts);
    m->places = calloc((size_t)ranks, sizeof *m->places);
    if (m->counts && m->places)
        return m;
    free_room(m);
    return NULL;
}

/* Makes the table on all ranks of the duplicate, or on none. Otherwise the others would wait for a
 * rank without memory. */
static lm_mpi *make(MPI_Comm comm, int rank, int ranks)
{
    lm_mpi *m = room_for(ranks);
    int whole = m != NULL;

    if (MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || !whole) {
        free_room(m);
        return NULL;
    }
    m->comm = comm;
    m->rank = rank;
    m->ranks = ranks;
    return m;
}

latmc_status lm_mpi_open(const char *caller, MPI_Comm communicator, latmc_ranks *table)
{
    latmc_status status = check_process(caller);
    MPI_Comm comm;
    lm_mpi *m, words;
    int rank, ranks, error;

    if (!status)
        status = check_communicator(caller, communicator);
    if (status)
        return status;
    error = duplicate(communicator, &comm);
    if (lm_mpi_failed(&words, error, "MPI_Comm_dup"))
        return refuse(LATMC_ERROR_DEVICE, caller, words.message);
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &ranks);
    m = make(comm, rank, ranks);
    if (!m) {
        close_comm(&comm);
        return refuse(LATMC_ERROR_MEMORY, caller,
                      "some rank has no memory for what it needs to reach the others");
    }
    *table = (latmc_ranks){.size = sizeof *table,
                           .self = m,
                           .rank = rank,
                           .ranks = ranks,
                           .message = message,
                           .begin = lm_mpi_begin,
                           .end = lm_mpi_end,
                           .most = lm_mpi_most,
                           .gather = lm_mpi_gather,
                           .file_open = lm_mpi_file_open,
                           .file_write = lm_mpi_file_write,
                           .file_close = lm_mpi_file_close,
                           .release = release};
    return LATMC_OK;
}
