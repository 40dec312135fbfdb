/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file save.h
 * @brief Lattices in files and in memory.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too.
 */
#ifndef LATMC_SAVE_H
#define LATMC_SAVE_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ save and load */

/**
 * Saves the whole lattice to a file: all that is needed to continue the trajectory. This includes
 * model, boundaries, parameters and ramps, couplings, seed and sweep count. It also includes the
 * schedule with the place in its round, momenta, weights, best sites and the sites. The data goes
 * to a temporary file in the same directory, which is synced and renamed. So `path` is always the
 * whole old file or the whole new one. The function returns ::LATMC_ERROR_STATE before
 * latmc_start() or latmc_set_sites().
 *
 * Symbolic links are followed, with one exception. In a directory that is sticky and writable for
 * all, such as /tmp, the owner of a link decides. A link there must belong to the process's user or
 * to the directory's owner.
 *
 * The new file gets the permissions of the file that it replaces. The access control list is kept;
 * the set-ID and sticky bits are not. The new file also gets the old owner and group if this
 * process may set them. Other hard links keep the old file.
 *
 * The function returns ::LATMC_ERROR_IO if `path` is not a regular file, or may not be written. The
 * same holds for a file that is reached through a descriptor and has no name any more. If only the
 * directory cannot be synced, the function also returns ::LATMC_ERROR_IO. The new file is then in
 * place, and the message says so.
 *
 * A process killed in the middle may leave the temporary file, PATH.tmp-PID-N. PATH is cut if the
 * file system limits names. The next save to `path` removes the temporary file. It leaves the file
 * if another process PID exists, or somebody has locked the file.
 */
LATMC_API LATMC_CHECKED latmc_status latmc_save(latmc_lattice *lattice, const char *path);

/** Makes a lattice from a file of latmc_save(). The lattice continues the trajectory bit for bit.
 *  Its sites are in host memory at first. There an Ising spin takes one bit; other sites take their
 *  bytes. The first call that needs the sites on a device, such as latmc_sweep(), puts them there.
 *  The device is "auto", or the choice of latmc_set_device(). If the move fails the sites stay
 *  where they are, and the call can be made again.
 *
 *  The file is read once. The function returns ::LATMC_ERROR_DAMAGED if the file is damaged, or
 *  changes while it is read. It returns ::LATMC_ERROR_VERSION for formats 1 and 2. It also returns
 *  it if a later version saved something that this version does not know. The message then names
 *  it. A parameter that the file lacks has its preset; files from before the parameter existed lack
 *  it. doc/format.md describes the format.
 *
 *  A file from a stranger can do no harm. But its schedule may be any that latmc_set_schedule()
 *  accepts, such as one with 2^39 sweeps a round. latmc_get_step() shows the schedule. A progress
 *  callback (latmc_set_progress()) can stop a call that takes too long. */
LATMC_API LATMC_CHECKED latmc_status latmc_load(latmc_lattice **lattice, const char *path);

/** Saves to memory the bytes that latmc_save() would write.
 *  @param buffer NULL asks for the size only
 *  @param capacity size of `buffer` in bytes; too few bytes are ::LATMC_ERROR_ARGUMENT
 *  @param[out] bytes the size of the saved lattice */
LATMC_API LATMC_CHECKED latmc_status latmc_save_memory(latmc_lattice *lattice, void *buffer,
                                                       size_t capacity, size_t *bytes);

/** Makes a lattice from the bytes of latmc_save_memory(), as latmc_load() does from a file. */
LATMC_API LATMC_CHECKED latmc_status latmc_load_memory(latmc_lattice **lattice, const void *buffer,
                                                       size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
