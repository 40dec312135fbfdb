/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file save.h
 * @brief Lattices in files and in memory.
 *
 * A section of latmc.h, which includes it. What latmc.h says of all functions holds for these.
 */
#ifndef LATMC_SAVE_H
#define LATMC_SAVE_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ save and load */

/**
 * Save the whole lattice (model, boundaries, parameters and their ramps, couplings, seed, sweep
 * count, schedule and where in its round it is, sites) to a file: written to a temporary beside it,
 * synced and renamed, so that `path` is always either the old file or the new one, whole. Needs a
 * started lattice.
 *
 * Symbolic links are followed, but for those of other users where everybody may make links: in a
 * directory that is sticky and writable for all, such as /tmp, a link must belong to the process's
 * user or to the directory's owner. A file that is replaced leaves its permissions (with an access
 * control list, without the set-ID and sticky bits) to the new one and, where this process may give
 * them, its owner and group; other hard links keep the old one. What is there and is not a regular
 * file, or may not be written, or is reached through a descriptor and has no name any more, is
 * refused (::LATMC_ERROR_IO). If all has gone well but the directory cannot be synced, that is
 * ::LATMC_ERROR_IO with the new file in place, and the message says so.
 *
 * A process killed in the middle may leave the temporary, PATH.tmp-PID-N (PATH is cut where the
 * file system has no longer names). The next save to the path removes it, if there is no other
 * process PID and nobody has the file locked.
 */
LATMC_API LATMC_CHECKED latmc_status latmc_save(latmc_lattice *lattice, const char *path);

/** Make a lattice from a file of latmc_save(); it continues the trajectory bit for bit. Its sites
 *  are in host memory at first (one bit of an Ising lattice, otherwise as many bytes as they have),
 *  and the first call that needs them on a device, such as latmc_sweep() or latmc_observe(), puts
 *  them there: on "auto", or the choice of latmc_set_device(). If that fails, they stay, and the
 *  call can be made again. The file is read once; what was damaged, or changed while it was read,
 *  is refused (::LATMC_ERROR_DAMAGED), and so is what a later version has saved and this one does
 *  not know, by its name (::LATMC_ERROR_VERSION). A parameter that the file does not have, since
 *  the model has gained it, has its preset. doc/format.md has the format.
 *
 *  The file of a stranger can do no harm, but its schedule may be any that latmc_set_schedule()
 *  takes, such as one of 2^39 sweeps a round: latmc_get_step() tells it, and a progress callback
 *  (latmc_set_progress()) can stop a call that takes too long. */
LATMC_API LATMC_CHECKED latmc_status latmc_load(latmc_lattice **lattice, const char *path);

/** Save to memory what latmc_save() would write.
 *  @param buffer may be NULL to ask for the size
 *  @param capacity bytes of `buffer`; too few is ::LATMC_ERROR_ARGUMENT
 *  @param[out] bytes the size of the saved lattice */
LATMC_API LATMC_CHECKED latmc_status latmc_save_memory(latmc_lattice *lattice, void *buffer,
                                                       size_t capacity, size_t *bytes);

/** Make a lattice from what latmc_save_memory() wrote. */
LATMC_API LATMC_CHECKED latmc_status latmc_load_memory(latmc_lattice **lattice, const void *buffer,
                                                       size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
