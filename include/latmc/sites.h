/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file sites.h
 * @brief Sites in and out, best sites, copies of replicas, state hash.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too.
 * Arrays of sites are always ordered by replica, never by slot.
 */
#ifndef LATMC_SITES_H
#define LATMC_SITES_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------- sites */

/** Computes how many bytes the sites of some replicas take in an array. It needs no started
 *  lattice.
 *  @param replicas >= 0
 *  @param type a type that latmc_describe() lists for the model; any other is
 *         ::LATMC_ERROR_UNKNOWN */
LATMC_API LATMC_CHECKED latmc_status latmc_sites_bytes(const latmc_lattice *lattice,
                                                       int64_t replicas, latmc_type type,
                                                       size_t *bytes);

/** Copies the sites of consecutive replicas: replica `first`, then the next one. Sites are in the
 *  order of their numbers, and the components of a site are consecutive. It returns
 *  ::LATMC_ERROR_STATE before latmc_start() or latmc_set_sites().
 *
 *  A lattice on GPUs takes host memory, and device and managed memory of any GPU. The copy is
 *  fastest if the memory is of the GPU that has the replicas. A lattice on CPUs takes host memory
 *  alone, and cannot recognise other memory. On ranks every rank gets all of these sites. A rank
 *  that passes NULL gets none, and its `bytes` are not read.
 *  @param first 0 to the number of replicas - 1
 *  @param replicas >= 1
 *  @param type number type in `sites`. Fields are converted, a double to the nearest float
 *  @param[out] sites host or device memory. The call comes after all work in the default stream of
 *         the device whose memory it is, and returns when the sites are there. It need not wait for
 *         other streams; complete their work before the call
 *  @param bytes the size of `sites`, which must be that of latmc_sites_bytes() */
LATMC_API LATMC_CHECKED latmc_status latmc_get_sites(latmc_lattice *lattice, int64_t first,
                                                     int64_t replicas, latmc_type type, void *sites,
                                                     size_t bytes);

/** Replaces the sites of consecutive replicas; arguments are as for latmc_get_sites(). A lattice
 *  that was not started is then started, unless latmc_start() would refuse its settings. Its other
 *  replicas are cold, and its sweep count is 0. Vectors with a length of 1 up to rounding, such as
 *  those from latmc_get_sites(), stay as they are. Other vectors are scaled to length 1. A value
 *  that the model does not have is ::LATMC_ERROR_ARGUMENT, and changes nothing. The same holds for
 *  digits of ::LATMC_BITS after the last site of a layer that are not 0. On ranks all ranks give
 *  the same sites. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_sites(latmc_lattice *lattice, int64_t first,
                                                     int64_t replicas, latmc_type type,
                                                     const void *sites, size_t bytes);

/** Copies replicas onto others, all at once: replica r gets the sites that replica from[r] has
 *  before the call, and what the last sweep changed there (::LATMC_CHANGED, ::LATMC_ACCEPTANCE). It
 *  is the step of population annealing that resamples. Random numbers belong to replicas, so copies
 *  go different ways with the next sweep. Slots, walks and best sites stay. Replicas may be on any
 *  devices or ranks. Those that change devices take host memory during the call. It returns
 *  ::LATMC_ERROR_STATE before latmc_start() or latmc_set_sites().
 *  @param from one number per replica, not per slot, so weights are measured by
 *         ::LATMC_BY_REPLICA; from[r] must belong to the same sample as r */
LATMC_API LATMC_CHECKED latmc_status latmc_copy_replicas(latmc_lattice *lattice,
                                                         const int64_t *from);

/** Computes a hash of all replicas' sites, which is equal on every device. It is a tree of XXH64 by
 *  leaves and replicas (doc/trajectory.md, "State hash"). */
LATMC_API LATMC_CHECKED latmc_status latmc_state_hash(latmc_lattice *lattice, uint64_t *hash);

/* --------------------------------------------------------------- best sites */

/** Keeps a copy of the sites with the lowest energy that each replica has had. The energy is
 *  ::LATMC_ENERGY with the parameters of the replica's slot. The first of equal states is kept.
 *  States are compared at each measurement of latmc_record(), and at the end of each completed
 *  latmc_sweep(). The result is the same on every device. One latmc_sweep() compares once. To find
 *  the best state along an annealing, a ramp of ::LATMC_BETA, call latmc_record() with `every` 1
 *  and no quantities.
 *
 *  **One Hamiltonian.** Only energies of the same Hamiltonian are compared. It changes with the
 *  bond types' couplings, and with each parameter for which latmc_description::in_exchanges is 1,
 *  except ::LATMC_BETA: fields, and the coefficients of phi^4. If a replica's Hamiltonian is
 *  another one than at the comparison before, its comparison begins anew with the present state.
 *  This happens when a parameter is set or follows a ramp, or when a replica comes to a slot with
 *  another field. Until the next comparison latmc_get_best() gives the earlier best. beta is not
 *  part of the Hamiltonian, and may change at will. latmc_set_sites() leaves the best sites.
 *
 *  The best sites take as much host memory as in a saved lattice (one bit for an Ising spin). Each
 *  measurement then is a device call of its own, and each new best state is copied to the host.
 *  latmc_start() and this function begin the comparison anew. The best sites are saved with the
 *  lattice, and the file is then twice as large. The function returns ::LATMC_ERROR_STATE before
 *  latmc_start() or latmc_set_sites(), and ::LATMC_ERROR_UNKNOWN if the model has no energy.
 *  @param keep 1 keeps the best sites; 0 stops it, and frees what was kept */
LATMC_API LATMC_CHECKED latmc_status latmc_keep_best(latmc_lattice *lattice, int32_t keep);

/** Reads the energies of the best sites so far, and when they were found. The function returns
 *  ::LATMC_ERROR_STATE if no best sites are kept.
 *  @param[out] energies one energy per replica, per site, with the parameters of the comparison;
 *         NaN if no state of the replica was compared. NULL: not wanted
 *  @param[out] sweeps one number per replica: latmc_lattice_info::sweeps at the time, or -1 if no
 *         state was compared. NULL: not wanted. If both are NULL, the function returns
 *         ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_best(const latmc_lattice *lattice, double *energies,
                                                    int64_t *sweeps);

/** Copies the best sites of consecutive replicas; arguments are as for latmc_get_sites(). The
 *  function returns ::LATMC_ERROR_STATE if no best sites are kept, or no state of one of the
 *  replicas was compared. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_best_sites(latmc_lattice *lattice, int64_t first,
                                                          int64_t replicas, latmc_type type,
                                                          void *sites, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
