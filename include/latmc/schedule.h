/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file schedule.h
 * @brief Several updates in turn, parameters that change on the way, and replicas that change their
 * parameters.
 *
 * A section of latmc.h, which includes it. What latmc.h says of all functions holds for these.
 */
#ifndef LATMC_SCHEDULE_H
#define LATMC_SCHEDULE_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------- schedules and ramps */

/** The most steps of a schedule. */
#define LATMC_MAX_STEPS 64

/** Set the schedule that ::LATMC_SCHEDULE stands for: a round is sweeps[0] sweeps of updates[0],
 *  then sweeps[1] of updates[1], and so on. The trajectory is that of single calls of latmc_sweep()
 *  with these updates. May be called at any time; the next sweep then begins a round. If a call
 *  ends within a round, because the progress callback stopped it or the device failed, the next one
 *  with ::LATMC_SCHEDULE goes on where it was: the rest of that round is the first of its rounds.
 *  Sweeps of a single update in between change nothing of this.
 *  @param steps 0 to ::LATMC_MAX_STEPS; 0: no schedule
 *  @param updates `steps` updates that the model has; NULL if there are no steps
 *  @param sweeps `steps` numbers >= 1, in all below 2^40; NULL if there are no steps */
LATMC_API LATMC_CHECKED latmc_status latmc_set_schedule(latmc_lattice *lattice, int steps,
                                                        const latmc_update *updates,
                                                        const int64_t *sweeps);

/** Give a step of the schedule its own value of a parameter that only says how an update is made
 *  (::LATMC_HITS, ::LATMC_LOCAL_SWEEPS): for all replicas, in place of the parameter. Another
 *  parameter is ::LATMC_ERROR_UNKNOWN. May be called between sweeps.
 *  @param step 0 to steps - 1
 *  @param value in the parameter's range, or NaN: none of its own again */
LATMC_API LATMC_CHECKED latmc_status latmc_set_step_argument(latmc_lattice *lattice, int step,
                                                             latmc_param argument, double value);

/** Read a step of the schedule; latmc_get_info() says how many there are. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_step(const latmc_lattice *lattice, int step,
                                                    latmc_update *update, int64_t *sweeps);

/** Read a step's own value of an argument; NaN if it has none. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_step_argument(const latmc_lattice *lattice, int step,
                                                             latmc_param argument, double *value);

/** Have so many exchanges follow a step of the schedule: after its last sweep neighbouring slots
 *  of a ladder (latmc_set_ladders(); preset: of a sample) change their replicas, slots 0 and 1, 2
 *  and 3, .. and the next time 1 and 2, 3 and 4, .., each pair with probability min(1, exp(-dS)),
 * dS being what the sum of both replicas' actions (beta E; of phi^4 H) would grow by. So each slot
 * samples its own distribution, whichever parameters differ between slots: parallel tempering (K.
 * Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604 (1996)). Random numbers come from the
 * lattice's seed. May be called between sweeps; latmc_set_schedule() makes it 0 for all steps.
 *  @param step 0 to steps - 1
 *  @param exchanges 0 to 1024; 2 offer an exchange to all neighbours */
LATMC_API LATMC_CHECKED latmc_status latmc_set_step_exchanges(latmc_lattice *lattice, int step,
                                                              int64_t exchanges);

/** Read how many exchanges follow a step. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_step_exchanges(const latmc_lattice *lattice,
                                                              int step, int64_t *exchanges);

/** Read how often neighbouring slots were offered an exchange, and how often they made it, since
 *  counting began: at latmc_start(), latmc_reset_exchange_counts(), and where slots begin anew
 *  (latmc_set_slots() and latmc_set_ladders() tell when). accepted / offered is the acceptance of a
 * pair. Saved with the lattice; the same on every device; no part of the state hash.
 *  @param[out] offered one per slot: with the slot after it; 0 for the last one of a ladder. NULL:
 *         not wanted
 *  @param[out] accepted likewise; both NULL is ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_exchange_counts(const latmc_lattice *lattice,
                                                               int64_t *offered, int64_t *accepted);

/** Read how often each replica has gone from the first slot of its ladder to the last one and back
 *  to the first, since counting began. A walk begins where the replica is when counting does, so
 *  that one which begins elsewhere must come to the first slot before it counts. What a ladder is
 *  good for: the more round trips in a time the better (doc/physics.md). In a ladder of one slot
 *  there are none.
 *  @param[out] round_trips one per replica */
LATMC_API LATMC_CHECKED latmc_status latmc_get_round_trips(const latmc_lattice *lattice,
                                                           int64_t *round_trips);

/** Read after how many exchanges, since counting began, a slot had a replica that came from the
 *  first slot of its ladder, that is, was there after it was at the last one, or came from the
 *  last. from_first / (from_first + from_last) is the fraction f of H. G. Katzgraber, S. Trebst, D.
 *  A. Huse and M. Troyer, J. Stat. Mech. P03018 (2006): 1 at the first slot, 0 at the last, and of
 *  the best ladder falling evenly from slot to slot. Replicas that were at neither end yet count
 *  for neither.
 *  @param[out] from_first one per slot; NULL: not wanted
 *  @param[out] from_last likewise; both NULL is ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_walks(const latmc_lattice *lattice,
                                                     int64_t *from_first, int64_t *from_last);

/** Begin counting exchanges, round trips and walks anew, from where the replicas are: after
 *  thermalization, or when parameters were changed. Nothing else changes. */
LATMC_API LATMC_CHECKED latmc_status latmc_reset_exchange_counts(latmc_lattice *lattice);

/** Have a parameter change from sweep to sweep, linearly from what it is to `to`: the next
 *  `sweeps` sweeps, of whatever update and in however many calls, are made with from + (to - from)
 *  k / sweeps, k = 0, 1, .., sweeps - 1, those after them with `to` (doc/trajectory.md says it to
 *  the last bit). latmc_get_params() gives the value of the next sweep, and measurements are made
 *  with it. Setting the parameter, latmc_start() or another ramp of it ends a ramp. Needs
 *  latmc_start() or latmc_set_sites() first.
 *  @param param one that is not a whole number
 *  @param to one value per slot, in the parameter's range. What only all parameters together
 *         show to be impossible is refused by the call that would come there, before its first
 *         sweep
 *  @param sweeps 1 or more, below 2^40 */
LATMC_API LATMC_CHECKED latmc_status latmc_set_ramp(latmc_lattice *lattice, latmc_param param,
                                                    const double *to, int64_t sweeps);

/** Read where a parameter goes.
 *  @param[out] to one value per slot: the ramp's ends, or the present values if there is no ramp
 *  @param[out] sweeps those that the ramp has left; 0: there is no ramp */
LATMC_API LATMC_CHECKED latmc_status latmc_get_ramp(const latmc_lattice *lattice, latmc_param param,
                                                    double *to, int64_t *sweeps);

/** Have each replica's best sites kept: those of the lowest energy (::LATMC_ENERGY, with the
 *  parameters of its slot) among all that are looked at, the first of equals. Looked at is what
 * each measurement of latmc_record() measures, and what latmc_sweep() ends with if it has made all
 * its sweeps; whatever the device, it is the same. So an annealing is recorded along its ramp.
 * Sites that are better than ever are copied to host memory, where all replicas have room as in a
 * saved lattice (a bit for an Ising spin); that, and one call of the device for each measurement,
 * is what it costs. latmc_start() begins anew, and so does this call. Saved with the
 * lattice, which then takes twice the bytes. Needs latmc_start() or latmc_set_sites() first.
 *  @param keep 1, or 0: no more, and what was kept is given up */
LATMC_API LATMC_CHECKED latmc_status latmc_keep_best(latmc_lattice *lattice, int keep);

/** Read the energies of the best sites so far. ::LATMC_ERROR_STATE if none are kept.
 *  @param[out] energies one per replica, per site; NaN where nothing was looked at. NULL: not
 * wanted
 *  @param[out] sweeps likewise, latmc_lattice_info::sweeps at that time, or -1; both NULL is
 *         ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_best(const latmc_lattice *lattice, double *energies,
                                                    int64_t *sweeps);

/** Copy the best sites of a replica out, as latmc_get_sites() does the present ones.
 *  ::LATMC_ERROR_STATE if none are kept, or nothing of the replica was looked at. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_best_sites(latmc_lattice *lattice, int64_t replica,
                                                          latmc_type type, void *sites,
                                                          int64_t count);

/* -------------------------------------------------------------------- slots */

/** Say which slot each replica has. Parameters belong to slots, sites and random numbers to
 *  replicas: so replicas change their parameters by changing slots, as in parallel tempering, and
 *  nothing else of them moves. A lattice has as many slots as replicas. May be called at any time;
 *  latmc_set_replicas(), and latmc_set_samples() with another number, give each replica its own
 *  slot again and begin counting exchanges anew. Slots that are set here begin the replicas' walks
 *  anew, but keep what was counted (latmc_get_round_trips()). Saved with the lattice.
 *  @param slots one per replica, each another one; of a lattice with several samples one of its
 *         sample's, which are numbered as its replicas are */
LATMC_API LATMC_CHECKED latmc_status latmc_set_slots(latmc_lattice *lattice, const int64_t *slots);

/** Cut the slots of each sample into so many ladders of equal length that follow each other:
 *  exchanges are offered within a ladder alone, and replicas walk from its first slot to its last
 *  one. So copies of a sample, whose overlaps are measured, have a ladder of temperatures each; in
 *  one ladder the last slot of the first copy would be offered the first slot of the second one.
 *  Preset: 1. May be called at any time; another number than before begins counting exchanges anew
 *  (latmc_get_round_trips()). Saved with the lattice.
 *  @param ladders >= 1, a divisor of replicas / samples */
LATMC_API LATMC_CHECKED latmc_status latmc_set_ladders(latmc_lattice *lattice, int64_t ladders);

/** Read which slot each replica has.
 *  @param[out] slots one per replica */
LATMC_API LATMC_CHECKED latmc_status latmc_get_slots(const latmc_lattice *lattice, int64_t *slots);

/** Count what latmc_observe(), latmc_record() and latmc_observe_pairs() measure by replica, which
 *  is the preset, or by slot: `[r]` and "replica" in their comments then stand for a slot, and the
 *  number is that of the replica that has it when it is measured. Sites are read by replica
 *  whatever the order. Not saved, and no part of the state. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_order(latmc_lattice *lattice, latmc_order order);

#ifdef __cplusplus
}
#endif

#endif
