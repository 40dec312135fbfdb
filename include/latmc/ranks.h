/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ranks.h
 * @brief One lattice in several processes.
 *
 * This header is a section of latmc.h, which includes it. Ranks are the processes of one program
 * that run at the same time. All ranks can share one lattice: each keeps a part of it on its own
 * devices. Programs that use MPI need <latmc/mpi.h> and nothing of this file. This file holds what
 * mpi.h is built on, for programs whose processes communicate in another way.
 */
#ifndef LATMC_RANKS_H
#define LATMC_RANKS_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------- ranks */

/** The functions by which ranks communicate. Each function returns 0, or another number if it
 *  failed; message() then gives the reason. begin(), end() and file_write() are called by single
 *  ranks. All others but message() and release() are collective: every rank calls them, in the same
 *  order. */
typedef struct latmc_ranks {
    size_t size;   /**< sizeof(latmc_ranks) as the caller was compiled */
    void *self;    /**< given to every function */
    int64_t rank;  /**< the number of this rank, 0 to ranks - 1 */
    int64_t ranks; /**< number of ranks, 1 to 4096 */

    /** Returns why the last function failed. The string is valid until the next call. */
    const char *(*message)(void *self);

    /** Begins to send `bytes` bytes at `out` to rank `to`, and to receive as many from rank `from`
     *  into `in`. Rank `from` sends them with its begin() of the same tag. Both buffers belong to
     *  this structure's functions until end() of the tag. At most one exchange per tag is under
     *  way. Ranks `to` and `from` may be the same, or this rank.
     *  @param tag 0 or 1 */
    int (*begin)(void *self, int tag, int64_t to, const void *out, int64_t from, void *in,
                 size_t bytes);
    /** Waits until the exchange of this tag is complete. */
    int (*end)(void *self, int tag);

    /** Replaces values[i] by the largest values[i] of all ranks. */
    int (*most)(void *self, int64_t count, int64_t *values);

    /** Gives every rank all bytes begin[0] to begin[ranks] - 1 of `data`. Before the call rank r
     *  has the bytes begin[r] to begin[r + 1] - 1. */
    int (*gather)(void *self, void *data, const int64_t *begin);

    /** Opens a file for writing. Rank 0 has made the file, and all ranks can reach it by `path`. If
     *  the function fails on one rank it fails on all, and no file is open. */
    int (*file_open)(void *self, const char *path, void **file);
    /** Writes `bytes` bytes at an offset. No other rank writes the same bytes. */
    int (*file_write)(void *self, void *file, int64_t offset, const void *data, size_t bytes);
    /** Closes the file once everything that the ranks wrote is on the disk. The file is closed even
     *  if the function fails. */
    int (*file_close)(void *self, void *file);

    /** Ends the use of these functions. It is called when the lattice is destroyed, or could not be
     *  made. It is the last call, and not collective. */
    void (*release)(void *self);
} latmc_ranks;

/** Makes one lattice in several processes, as latmc_create() does in one. Every rank calls it with
 *  the same arguments except `ranks`, and gets a handle of the same lattice.
 *
 *  Afterwards every function that gets the lattice is collective, except latmc_destroy(),
 *  latmc_set_progress() and functions whose lattice is const. All ranks call a collective function
 *  with the same arguments, and all get the same results. These include the sites of
 *  latmc_get_sites() and time series.
 *
 *  A call that fails on one rank fails on all ranks. The message is that of one failing rank, after
 *  "rank N". All ranks fail with ::LATMC_ERROR_STATE if they make different calls, or give one call
 *  different arguments. The message names the argument and two of the ranks. Ranks compare arrays
 *  by their checksums. Lattices that are loaded must have the same contents on all ranks; paths may
 *  differ.
 *
 *  The arguments of latmc_set_device() and latmc_set_threads() may differ between ranks. The size
 *  of each rank's part is proportional to its number of devices. Progress callbacks are called on
 *  every rank that has set one. If one callback stops the call, the call stops on all ranks.
 *  @param ranks the structure is copied. `self` is released with the lattice, or if the function
 *         fails */
LATMC_API LATMC_CHECKED latmc_status latmc_create_on_ranks(latmc_lattice **lattice,
                                                           const latmc_ranks *ranks,
                                                           latmc_model model, int64_t dims,
                                                           const int64_t *extents);

/** Loads a lattice in several processes, as latmc_load() does in one. Every rank reads the file.
 *  Any number of ranks and devices, or one process, may have saved it. */
LATMC_API LATMC_CHECKED latmc_status latmc_load_on_ranks(latmc_lattice **lattice,
                                                         const latmc_ranks *ranks,
                                                         const char *path);

/** Loads a lattice from memory in several processes, as latmc_load_memory() does in one. Every rank
 *  has all saved bytes. */
LATMC_API LATMC_CHECKED latmc_status latmc_load_memory_on_ranks(latmc_lattice **lattice,
                                                                const latmc_ranks *ranks,
                                                                const void *buffer, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
