/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges data between ranks. */
#include <stdio.h>
#include <string.h>

#include "lib/mpi/comm.h"

/* Returns the number of a message's blocks. Messages between two ranks do not overtake each
 * other. */
static int blocks_of(size_t bytes)
{
    return (int)((bytes + (size_t)lm_mpi_block - 1) / (size_t)lm_mpi_block);
}

static int block_bytes(size_t bytes, int number)
{
    const size_t left = bytes - (size_t)number * (size_t)lm_mpi_block;

    return left < (size_t)lm_mpi_block ? (int)left : lm_mpi_block;
}

int lm_mpi_begin(void *self, int tag, int64_t to, const void *out, int64_t from, void *in,
                 size_t bytes)
{
    lm_mpi *m = self;
    lm_mpi_flight *f = &m->flights[tag];
    int error = MPI_SUCCESS;

    f->count = 0;
    if (bytes > (size_t)LM_MPI_BLOCKS * (size_t)lm_mpi_block) {
        snprintf(m->message, sizeof m->message,
                 "%zu bytes for another rank; up to %d blocks of %d bytes are possible", bytes,
                 (int)LM_MPI_BLOCKS, lm_mpi_block);
        return 1;
    }
    for (int i = 0; i < blocks_of(bytes) && !error; i++) {
        error = MPI_Irecv((char *)in + (size_t)i * (size_t)lm_mpi_block, block_bytes(bytes, i),
                          MPI_BYTE, (int)from, tag, m->comm, &f->requests[f->count]);
        f->count += !error;
    }
    if (lm_mpi_failed(m, error, "MPI_Irecv"))
        return 1;
    for (int i = 0; i < blocks_of(bytes) && !error; i++) {
        error =
            MPI_Isend((const char *)out + (size_t)i * (size_t)lm_mpi_block, block_bytes(bytes, i),
                      MPI_BYTE, (int)to, tag, m->comm, &f->requests[f->count]);
        f->count += !error;
    }
    return lm_mpi_failed(m, error, "MPI_Isend");
}

int lm_mpi_end(void *self, int tag)
{
    lm_mpi *m = self;
    lm_mpi_flight *f = &m->flights[tag];
    int error = MPI_SUCCESS;

    /* Requests are waited for one by one, because MPI_Waitall() leaves the reason in statuses. */
    for (int i = 0; i < f->count; i++) {
        const int one = MPI_Wait(&f->requests[i], MPI_STATUS_IGNORE);

        error = error ? error : one;
    }
    f->count = 0;
    return lm_mpi_failed(m, error, "MPI_Wait");
}

int lm_mpi_most(void *self, int64_t count, int64_t *values)
{
    lm_mpi *m = self;

    return lm_mpi_failed(
        m, MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_INT64_T, MPI_MAX, m->comm),
        "MPI_Allreduce");
}

/* Gathers if counts and places do not fit ints: each rank in turn, in blocks. */
static int gather_in_turn(lm_mpi *m, char *data, const int64_t *begin)
{
    for (int r = 0; r < m->ranks; r++) {
        const size_t bytes = (size_t)(begin[r + 1] - begin[r]);

        for (int i = 0; i < blocks_of(bytes); i++) {
            const int error = MPI_Bcast(data + begin[r] + (size_t)i * (size_t)lm_mpi_block,
                                        block_bytes(bytes, i), MPI_BYTE, r, m->comm);

            if (lm_mpi_failed(m, error, "MPI_Bcast"))
                return 1;
        }
    }
    return 0;
}

int lm_mpi_gather(void *self, void *data, const int64_t *begin)
{
    lm_mpi *m = self;

    if (begin[m->ranks] - begin[0] > lm_mpi_block)
        return gather_in_turn(m, data, begin);
    for (int r = 0; r < m->ranks; r++) {
        m->counts[r] = (int)(begin[r + 1] - begin[r]);
        m->places[r] = (int)(begin[r] - begin[0]);
    }
    return lm_mpi_failed(m,
                         MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, (char *)data + begin[0],
                                        m->counts, m->places, MPI_BYTE, m->comm),
                         "MPI_Allgatherv");
}
