/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file sites.h
 * @brief Sites in and out, best sites, state hash.
 *
 * This header is a section of latmc.h, which includes it. What latmc.h says about all functions
 * holds here, too.
 */
#ifndef LATMC_SITES_H
#define LATMC_SITES_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------- sites */

/** Copies the sites of one replica, in the order of their numbers. The components of a site are
 *  consecutive.
 *  @param type number type in `sites`. Fields are converted, a double to the nearest float
 *  @param[out] sites room for `count` numbers
 *  @param count must be N times the components of a site (latmc_lattice_info::components) */
LATMC_API LATMC_CHECKED latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t replica,
                                                     latmc_type type, void *sites, int64_t count);

/** Replaces the sites of one replica; arguments are as for latmc_get_sites(). A lattice that was
 *  not started is then started, unless latmc_start() would refuse its settings. Its other replicas
 *  are cold, and its sweep count is 0. Vectors with a length of 1 up to rounding, such as those
 *  from latmc_get_sites(), stay as they are. Other vectors are scaled to length 1. A value that the
 *  model does not have is ::LATMC_ERROR_ARGUMENT, and changes nothing. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t replica,
                                                     latmc_type type, const void *sites,
                                                     int64_t count);

/** Computes a hash of all replicas' sites, which is equal on every device. It is a tree of XXH64 by
 *  layers and replicas (doc/trajectory.md). */
LATMC_API LATMC_CHECKED latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash);

/* --------------------------------------------------------------- best sites */

/** Keeps a copy of the sites with the lowest energy that each replica has had. The energy is
 *  ::LATMC_ENERGY with the parameters of the replica's slot. The first of equal states is kept.
 *  States are compared at each measurement of latmc_record(), and at the end of each completed
 *  latmc_sweep(). The result is the same on every device. In an annealing the best state along the
 *  ramp is found this way.
 *
 *  The best sites take as much host memory as in a saved lattice (one bit for an Ising spin). Each
 *  measurement then is a device call of its own, and each new best state is copied to the host.
 *  latmc_start() and this function begin the comparison anew. The best sites are saved with the
 *  lattice, and the file is then twice as large. The function returns ::LATMC_ERROR_STATE before
 *  latmc_start() or latmc_set_sites().
 *  @param keep 1 keeps the best sites; 0 stops it, and frees what was kept */
LATMC_API LATMC_CHECKED latmc_status latmc_keep_best(latmc_lattice *lattice, int keep);

/** Reads the energies of the best sites so far, and when they were found. The function returns
 *  ::LATMC_ERROR_STATE if no best sites are kept.
 *  @param[out] energies one energy per replica, per site; NaN if no state of the replica was
 *         compared. NULL: not wanted
 *  @param[out] sweeps one number per replica: latmc_lattice_info::sweeps at the time, or -1 if no
 *         state was compared. NULL: not wanted. If both are NULL, the function returns
 *         ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_best(const latmc_lattice *lattice, double *energies,
                                                    int64_t *sweeps);

/** Copies the best sites of one replica, as latmc_get_sites() copies the present ones. The function
 *  returns ::LATMC_ERROR_STATE if no best sites are kept, or no state of the replica was
 *  compared. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_best_sites(latmc_lattice *lattice, int64_t replica,
                                                          latmc_type type, void *sites,
                                                          int64_t count);

#ifdef __cplusplus
}
#endif

#endif
