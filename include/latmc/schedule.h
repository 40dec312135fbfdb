/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file schedule.h
 * @brief Several updates in turn, parameters that change on the way, and replica exchange.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too.
 */
#ifndef LATMC_SCHEDULE_H
#define LATMC_SCHEDULE_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------- schedules */

/** The largest number of steps in a schedule. */
#define LATMC_MAX_STEPS 64

/** A step of a schedule: sweeps of one update, and what follows them. The caller sets `size`,
 *  `update` and `sweeps`, and leaves 0 the members that it does not need (LATMC_INIT()). */
typedef struct latmc_step {
    size_t size;      /**< sizeof(latmc_step) as the caller was compiled */
    int32_t update;   /**< an update of the model, but not ::LATMC_SCHEDULE */
    int32_t reserved; /**< 0 */
    int64_t sweeps;   /**< sweeps of the update, >= 1; those of all steps are below 2^40 */
    /** Offers to exchange slots after the last sweep, 0 to 1024. Two are an offer to every pair of
     *  neighbours. It must be 0 if latmc_description::has_exchanges of the model is 0. */
    int64_t exchanges;
    int64_t moves; /**< isoenergetic cluster moves after the exchanges; this version takes only 0 */
    /** Number of parameters that have a value of their own in this step, 0 or more. */
    int64_t param_count;
    /** These parameters, each at most once. They must only say how an update is made
     *  (latmc_description::in_steps), as ::LATMC_HITS does. NULL if there are none. */
    const latmc_param *params;
    /** Their values, in the parameters' ranges. A value holds for all slots, and replaces the
     *  parameter in this step. NULL if there are none. */
    const double *values;
} latmc_step;

/** Sets the schedule that ::LATMC_SCHEDULE stands for. A round is all steps, one after another. The
 *  trajectory is the one that single calls of latmc_sweep() with these updates make.
 *
 *  The function may be called at any time. The next sweep of the schedule then begins a round. A
 *  call may end within a round, because the progress callback stopped it or the device failed. The
 *  next call with ::LATMC_SCHEDULE then continues there, and counts the rest of the round as its
 *  first round. Sweeps of a single update in between do not change the place in the round. The
 *  schedule and the place in the round are saved.
 *
 *  **Parallel tempering.** After its last sweep a step may offer exchanges to neighbouring slots of
 *  each ladder (latmc_set_ladders()). Slots 0 and 1, 2 and 3, .. get one offer. Slots 1 and 2,
 *  3 and 4, .. get the next one, and so on in turn. Two slots exchange their replicas with
 *  probability min(1, exp(-dS)). Here dS is the change in the sum of both replicas' actions. The
 *  action is beta E, and H for phi^4. So each slot samples its own distribution, whichever
 *  parameters differ between slots (K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604
 *  (1996)). The random numbers come from the lattice's seed.
 *  @param count number of steps, 0 to ::LATMC_MAX_STEPS; 0 removes the schedule
 *  @param steps an array of steps, which must all have the same `size`. NULL if there are none. The
 *         arrays of the steps are copied, and may be those of latmc_get_step() */
LATMC_API LATMC_CHECKED latmc_status latmc_set_schedule(latmc_lattice *lattice, int64_t count,
                                                        const latmc_step *steps);

/** Reads step number `number` of the schedule, 0 to latmc_lattice_info::steps - 1.
 *  @param[in,out] step its `size` must be set. Its arrays belong to the lattice, and are valid
 *         until the schedule changes or the lattice is destroyed */
LATMC_API LATMC_CHECKED latmc_status latmc_get_step(const latmc_lattice *lattice, int64_t number,
                                                    latmc_step *step);

/* -------------------------------------------------------------------- ramps */

/** Makes a parameter change linearly from its present value to `to` over the next `sweeps` sweeps.
 *  Sweep k = 0, 1, .., sweeps - 1 is made with from + (to - from) k / sweeps. Later sweeps are made
 *  with `to`. doc/trajectory.md gives the value to the last bit. Sweeps of every update count, in
 *  however many calls they are made. K rounds of a schedule are K x
 *  latmc_lattice_info::round_sweeps sweeps.
 *
 *  latmc_get_params() gives the value for the next sweep, and measurements use this value. A ramp
 *  ends when its parameter is set or gets another ramp, or at latmc_start(). The function returns
 *  ::LATMC_ERROR_STATE before latmc_start() or latmc_set_sites().
 *  @param param a parameter that is not a whole number (latmc_description::in_ramps)
 *  @param to one value per slot, in the parameter's range. Some values are impossible only together
 *         with other parameters. The call that would reach such values refuses before its first
 *         sweep
 *  @param sweeps 1 or more, below 2^40 */
LATMC_API LATMC_CHECKED latmc_status latmc_set_ramp(latmc_lattice *lattice, latmc_param param,
                                                    const double *to, int64_t sweeps);

/** Reads the ramp of a parameter.
 *  @param[out] to one value per slot: the ramp's ends, or the present values if there is no ramp
 *  @param[out] sweeps the number of sweeps left in the ramp; 0 if there is no ramp */
LATMC_API LATMC_CHECKED latmc_status latmc_get_ramp(const latmc_lattice *lattice, latmc_param param,
                                                    double *to, int64_t *sweeps);

/* -------------------------------------------------------------------- slots */

/** Sets the slot of each replica. Parameters belong to slots; sites and random numbers belong to
 *  replicas. Replicas change their parameters by changing slots, as in parallel tempering, and no
 *  sites move. A lattice has as many slots as replicas.
 *
 *  The function may be called at any time. It begins the replicas' walks anew, but keeps the counts
 *  (latmc_get_round_trips()). latmc_set_replicas(), and latmc_set_samples() with another number,
 *  give each replica its own slot again. They also begin counting exchanges anew. The slots are
 *  saved with the lattice.
 *  @param slots one number per replica, all different. With several samples, replicas take only the
 *         slots of their own sample. Slots are divided among samples as replicas are */
LATMC_API LATMC_CHECKED latmc_status latmc_set_slots(latmc_lattice *lattice, const int64_t *slots);

/** Sets how many ladders each sample's slots form: consecutive ladders of equal length. If a ladder
 *  has S slots, slot s of ladder l of sample j has the number (j * ladders + l) * S + s. Exchanges
 *  are offered within a ladder only. Replicas walk from the ladder's first slot to its last one.
 *  Copies of a sample, whose overlaps are measured, thus have a ladder of temperatures each. In a
 *  single ladder the last slot of the first copy would exchange with the second copy's first slot.
 *
 *  The preset is 1. The function may be called at any time. Another number than before begins
 *  counting exchanges anew (latmc_get_round_trips()). The number is saved with the lattice.
 *  @param ladders >= 1, a divisor of replicas / samples */
LATMC_API LATMC_CHECKED latmc_status latmc_set_ladders(latmc_lattice *lattice, int64_t ladders);

/** Reads which slot each replica has.
 *  @param[out] slots one number per replica */
LATMC_API LATMC_CHECKED latmc_status latmc_get_slots(const latmc_lattice *lattice, int64_t *slots);

/* --------------------------------------------------------------- exchanges */

/** Reads how often neighbouring slots were offered an exchange, and how often they accepted it.
 *  accepted / offered is the acceptance of a pair. Counting begins at latmc_start() and at
 *  latmc_reset_exchange_counts(). latmc_set_ladders() and the calls that reset the slots begin it
 *  anew (latmc_set_slots()). The counts are saved with the lattice, are the same on every device,
 *  and do not enter the state hash.
 *  @param[out] offered one number per slot, for the slot and the one after it. The last slot of a
 *         ladder has 0. NULL: not wanted
 *  @param[out] accepted one number per slot in the same way. NULL: not wanted. If both are NULL,
 *         the function returns ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_exchange_counts(const latmc_lattice *lattice,
                                                               int64_t *offered, int64_t *accepted);

/** Reads each replica's number of round trips since counting began. A round trip goes from the
 *  first slot of the ladder to the last one, and back to the first. A walk begins where the replica
 *  is when counting begins. A replica that begins elsewhere must first come to the first slot. The
 *  more round trips in a given time, the better the ladder (doc/tempering.md). A ladder of one slot
 *  has no round trips.
 *  @param[out] round_trips one number per replica */
LATMC_API LATMC_CHECKED latmc_status latmc_get_round_trips(const latmc_lattice *lattice,
                                                           int64_t *round_trips);

/** Reads from which end of its ladder each slot's replicas came, counted after each exchange since
 *  counting began. A replica comes from the end of the ladder at which it was last. Replicas that
 *  have not been at either end count for neither.
 *
 *  The fraction f of H. G. Katzgraber, S. Trebst, D. A. Huse and M. Troyer, J. Stat. Mech. P03018
 *  (2006), is from_first / (from_first + from_last). It is 1 at the first slot and 0 at the last
 *  one. In the best ladder it falls evenly from slot to slot.
 *  @param[out] from_first one number per slot: exchanges after which the slot's replica came from
 *         the first slot. NULL: not wanted
 *  @param[out] from_last one number per slot in the same way, for the last slot. NULL: not wanted.
 *         If both are NULL, the function returns ::LATMC_ERROR_ARGUMENT */
LATMC_API LATMC_CHECKED latmc_status latmc_get_walks(const latmc_lattice *lattice,
                                                     int64_t *from_first, int64_t *from_last);

/** Sets the counts of exchanges, round trips and walks to 0. Walks begin where the replicas are.
 *  Nothing else changes. Call it after thermalization, or when parameters have changed. */
LATMC_API LATMC_CHECKED latmc_status latmc_reset_exchange_counts(latmc_lattice *lattice);

#ifdef __cplusplus
}
#endif

#endif
