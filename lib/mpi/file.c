/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and writes a file of all ranks, each its own bytes. Every rank opens the file for itself
 * (MPI_COMM_SELF). No write is collective, so a common handle would gain nothing. And a rank that
 * cannot open the file leaves no other one waiting in MPI_File_open() or MPI_File_close(). The
 * ranks agree afterwards.
 */
#include <stdio.h>

#include "lib/mpi/comm.h"

static int file_failed(lm_mpi *m, int error, const char *function)
{
    char of_rank[96];

    snprintf(of_rank, sizeof of_rank, "rank %d: %s", m->rank, function);
    return lm_mpi_failed(m, error, of_rank);
}

int lm_mpi_file_open(void *self, const char *path, void **file)
{
    lm_mpi *m = self;
    int failed =
        file_failed(m, MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &m->file),
                    "MPI_File_open");
    const int open = !failed;

    if (open)
        failed = file_failed(m, MPI_File_set_errhandler(m->file, MPI_ERRORS_RETURN),
                             "MPI_File_set_errhandler");
    if (!lm_mpi_agree(m, failed)) {
        *file = &m->file;
        return 0;
    }
    if (open)
        (void)MPI_File_close(&m->file);
    return 1;
}

int lm_mpi_file_write(void *self, void *file, int64_t offset, const void *data, size_t bytes)
{
    lm_mpi *m = self;
    MPI_File *f = file;

    for (size_t done = 0; done < bytes;) {
        const size_t left = bytes - done;
        const int block = left < (size_t)lm_mpi_block ? (int)left : lm_mpi_block;
        MPI_Status status;
        int wrote = 0;

        if (file_failed(m,
                        MPI_File_write_at(*f, (MPI_Offset)(offset + (int64_t)done),
                                          (const char *)data + done, block, MPI_BYTE, &status),
                        "MPI_File_write_at") ||
            file_failed(m, MPI_Get_count(&status, MPI_BYTE, &wrote), "MPI_Get_count"))
            return 1;
        /* A full disk may write a part and report success. */
        if (wrote <= 0 || wrote > block) {
            snprintf(m->message, sizeof m->message,
                     "rank %d: MPI_File_write_at: %d of %d bytes were written", m->rank, wrote,
                     block);
            return 1;
        }
        done += (size_t)wrote;
    }
    return 0;
}

int lm_mpi_file_close(void *self, void *file)
{
    lm_mpi *m = self;
    MPI_File *f = file;
    int failed = file_failed(m, MPI_File_sync(*f), "MPI_File_sync");
    const int error = MPI_File_close(f);

    if (!failed)
        failed = file_failed(m, error, "MPI_File_close");
    return lm_mpi_agree(m, failed);
}
