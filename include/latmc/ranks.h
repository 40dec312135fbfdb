/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file ranks.h
 * @brief One lattice in several processes; a section of latmc.h, which includes it.
 *
 * A program that runs as several processes at once, its ranks, can have one lattice in all of them:
 * each keeps a part of it on its own devices. <latmc/mpi.h> is for programs that use MPI and need
 * nothing of this file; here is what it stands on, for other ways between processes.
 */
#ifndef LATMC_RANKS_H
#define LATMC_RANKS_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------- ranks */

/** How ranks reach each other. Functions return 0, or another number when they have failed, and
 *  message() then says why. begin(), end() and file_write() are called by one rank; all others are
 *  collective: every rank calls them, in the same order. */
typedef struct latmc_ranks {
    size_t size;   /**< sizeof(latmc_ranks) as the caller was compiled */
    void *self;    /**< given to every function */
    int32_t rank;  /**< the number of this one, 0 to ranks - 1 */
    int32_t ranks; /**< how many there are, 1 to 4096 */

    /** Why the last function failed; valid until the next call. */
    const char *(*message)(void *self);

    /** Begin to send `bytes` at `out` to rank `to`, and to receive as many from rank `from` into
     *  `in`, which is what its begin() of the same tag sends. Both belong to the ranks until end()
     *  of that tag. Of a tag one exchange is on its way at a time; the two ranks may be the same,
     *  or this one.
     *  @param tag 0 or 1 */
    int (*begin)(void *self, int tag, int32_t to, const void *out, int32_t from, void *in,
                 size_t bytes);
    /** Wait until what begin() of the tag began is done. */
    int (*end)(void *self, int tag);

    /** values[i] becomes the largest of those of all ranks. */
    int (*most)(void *self, int count, int64_t *values);

    /** Rank r has the bytes begin[r] to begin[r + 1] - 1 of `data`; afterwards every rank has the
     *  bytes begin[0] to begin[ranks] - 1. */
    int (*gather)(void *self, void *data, const int64_t *begin);

    /** Open a file for writing that rank 0 has made and all can reach by this path. If it fails on
     *  one rank it fails on all, and no file is open. */
    int (*file_open)(void *self, const char *path, void **file);
    /** Write `bytes` at an offset, of which other ranks write none. */
    int (*file_write)(void *self, void *file, int64_t offset, const void *data, size_t bytes);
    /** Close it when what all have written is on the disk; whatever it returns, it is closed. */
    int (*file_close)(void *self, void *file);

    /** The lattice is gone, or was never made, and calls none of these again. Not collective. */
    void (*release)(void *self);
} latmc_ranks;

/** latmc_create() in several processes: every rank calls it with the same arguments but for
 *  `ranks`, and has a handle of the same lattice.
 *
 *  Afterwards every function of this library that is given the lattice and can fail is collective,
 *  but for latmc_get_..() of settings and latmc_get_info(): all ranks call it with the same
 *  arguments, and all have the same results, latmc_get_sites() and time series among them. What
 *  fails on one rank fails on all, with its sentence and "rank N" before it. All ranks fail with
 *  ::LATMC_ERROR_STATE if they make different calls, or give one call different arguments: the
 *  message names the argument and two of the ranks. Of arrays ranks compare checksums. Lattices that
 *  are loaded must have the same contents on all ranks, whatever their paths are.
 *  latmc_set_device() and latmc_set_threads() may differ from rank to rank; every rank's part is as
 *  large as the number of its devices says. Progress callbacks are called on every rank that has set one;
 *  if one of them stops the call it is stopped on all. latmc_destroy() is not
 *  collective.
 *
 *  @param ranks copied; `self` is released with the lattice, or if this fails */
LATMC_API LATMC_CHECKED latmc_status latmc_create_on_ranks(latmc_lattice **lattice,
                                                           const latmc_ranks *ranks,
                                                           latmc_model model, int dims,
                                                           const int64_t *extents);

/** latmc_load() in several processes: every rank reads the file, which any number of ranks and
 *  devices, or one process, may have saved. */
LATMC_API LATMC_CHECKED latmc_status latmc_load_on_ranks(latmc_lattice **lattice,
                                                         const latmc_ranks *ranks,
                                                         const char *path);

/** latmc_load_memory() in several processes, each of which has all of what was saved. */
LATMC_API LATMC_CHECKED latmc_status latmc_load_memory_on_ranks(latmc_lattice **lattice,
                                                                const latmc_ranks *ranks,
                                                                const void *buffer, size_t bytes);

/* ----------------------------------------------------------------- division */

/** How a lattice is divided among several devices. */
typedef enum latmc_division {
    LATMC_UNDIVIDED = 880,  /**< it is whole, on one device */
    LATMC_BY_LAYERS = 881,  /**< in slabs: each device has some layers of the slowest axis, of all
                               replicas, and the layers beside them as its halo */
    LATMC_BY_REPLICAS = 882 /**< each device has some of the replicas, whole */
} latmc_division;

/** Choose how a lattice is divided from the next latmc_set_device() or latmc_start() on, where both
 *  ways are possible; ::LATMC_UNDIVIDED, the preset, leaves it to the library: by replicas, if
 *  every device can be given nearly as many as any other (within an eighth), otherwise by layers.
 *  No effect on any result. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_division(latmc_lattice *lattice,
                                                        latmc_division division);

/** What a device has of a lattice. Set `size` to sizeof(latmc_part_info) before the call. */
typedef struct latmc_part_info {
    size_t size;           /**< sizeof(latmc_part_info) as the caller was compiled */
    int32_t division;      /**< ::latmc_division of the lattice */
    int32_t parts;         /**< number of parts, over all ranks */
    int32_t rank;          /**< the rank whose part this is; 0 where there are none */
    int32_t reserved;      /**< 0 */
    int64_t first_layer;   /**< its first layer along the slowest axis */
    int64_t layers;        /**< number of its layers */
    int64_t first_replica; /**< its first replica, counted from 0 */
    int64_t replicas;      /**< number of its replicas */
    char device[32];       /**< its device, such as "cuda:1"; empty if it is another rank's */
    const char *reason;    /**< why the lattice is divided so, in words */
} latmc_part_info;

/** Read what part number `part` of a lattice is; part 0 always is. Needs latmc_start() or
 *  latmc_set_sites() first, and of a loaded lattice a call that has put it on its device. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_part(const latmc_lattice *lattice, int part,
                                                    latmc_part_info *info);

#ifdef __cplusplus
}
#endif

#endif
