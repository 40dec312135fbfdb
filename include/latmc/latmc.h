/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file latmc.h
 * @brief Monte Carlo simulation of lattice models on CPUs and NVIDIA GPUs.
 *
 * This is a tour of the library. The rules for all calls follow it, and then the calls.
 *
 * A *lattice* is a model with its sites. It holds any number of *replicas*: copies of the lattice
 * with parameters of their own. One call sweeps all of them. This program simulates the Ising model
 * at four temperatures:
 *
 * @code{.c}
 * #include <latmc/latmc.h>
 * #include <stdio.h>
 *
 * int main(void)
 * {
 *     const int64_t extents[] = {64, 64};
 *     const double beta[] = {0.40, 0.43, 0.45, 0.50};
 *     const latmc_quantity what[] = {LATMC_QUANTITY(LATMC_ENERGY)};
 *     static double energy[4][10000];
 *     const latmc_recording run = {.size = sizeof run,
 *                                  .update = LATMC_METROPOLIS,
 *                                  .every = 5,
 *                                  .records = 10000,
 *                                  .quantity_count = 1,
 *                                  .quantities = what,
 *                                  .series = energy[0]};
 *     latmc_lattice *lattice = NULL;
 *
 *     if (latmc_create(&lattice, LATMC_ISING, 2, extents) || latmc_set_replicas(lattice, 4) ||
 *         latmc_set_params(lattice, LATMC_BETA, beta) || latmc_start(lattice, LATMC_START_COLD) ||
 *         latmc_sweep(lattice, LATMC_METROPOLIS, 1000) || latmc_record(lattice, &run, NULL)) {
 *         fprintf(stderr, "%s\n", latmc_error_message());
 *         return 1;
 *     }
 *     for (int r = 0; r < 4; r++) {
 *         latmc_estimate e = LATMC_INIT(latmc_estimate);
 *
 *         if (latmc_analyse(energy[r], 10000, &e) == LATMC_OK)
 *             printf("beta %.2f  energy per site %.5f +- %.5f\n", beta[r], e.value, e.error);
 *     }
 *     latmc_destroy(lattice);
 *     return 0;
 * }
 * @endcode
 *
 * Compile it with `cc quickstart.c $(pkg-config --cflags --libs latmc)`.
 *
 * **Make a lattice.** latmc_create() takes a model and the extents. Settings follow: replicas, then
 * samples, options, boundaries, couplings. All of them have presets. latmc_start() gives the sites
 * their first values. Parameters, schedule and device can change later, too.
 *
 * **Parameters** have one value per *slot*. A replica has the slot of its own number until slots
 * are exchanged. latmc_set_param() sets one value for all slots, latmc_set_params() one for each.
 *
 * **Sweep.** latmc_sweep() makes sweeps of one update. latmc_set_schedule() puts several updates
 * together; the update ::LATMC_SCHEDULE then stands for all of them. latmc_set_ramp() changes
 * a parameter from sweep to sweep: an annealing. Steps of a schedule can end with exchanges of
 * slots: parallel tempering.
 *
 * **Measure.** latmc_observe() measures the present sites. latmc_record() sweeps and measures in
 * turn, and gives a time series for each replica or for each slot. *Quantities* are what can be
 * measured. A quantity is an observable, with an index where the observable has one:
 *
 *     LATMC_QUANTITY(LATMC_M2)              m^2
 *     LATMC_QUANTITY(LATMC_STRUCTURE, 1)    the structure factor along axis 1
 *
 * latmc_set_momenta() and latmc_set_weights() add quantities of one's own. latmc_record() and
 * latmc_observe_pairs() also compare pairs of replicas: overlaps.
 *
 * **Analyse.** latmc_analyse() gives mean, error and autocorrelation time of a series.
 * latmc_jackknife() gives derived quantities with errors, such as specific heat and Binder
 * parameter. latmc_average() serves independent numbers, such as the means of disorder samples.
 *
 * **Sites.** latmc_get_sites() and latmc_set_sites() copy them. latmc_copy_replicas() replaces
 * replicas by others. latmc_keep_best() keeps the sites with the lowest energy.
 *
 * **Disorder.** Bonds can have couplings of their own, and sites fields. Both are given or drawn.
 * latmc_set_samples() divides the replicas among disorder samples.
 *
 * **Devices.** Nothing above names a device. The preset, "auto", is a GPU if there is one.
 * latmc_set_device(lattice, "cuda:0-3") divides a lattice among four. The trajectory is the same in
 * every bit on each device, with each number of threads, devices and processes. latmc_report() says
 * what the library has chosen for a lattice.
 *
 * **Long runs.** latmc_save() writes a file, from which latmc_load() continues bit for bit.
 * latmc_set_progress() sets a function that can stop a call. A recording that was stopped continues
 * where it was.
 *
 * **Several processes.** <latmc/mpi.h> makes one lattice in all processes of a communicator. All
 * other calls stay as they are.
 *
 * **Names.** latmc_describe() says what a model has, with meanings and ranges. latmc_find() and
 * latmc_quantity_find() turn names into numbers. So programs and bindings need no tables.
 *
 * These are the sections of the interface in their order of reading. This header includes all but
 * the last one:
 *
 * | header       | what it has                                                              |
 * | ------------ | ------------------------------------------------------------------------ |
 * | status.h     | version, status codes, messages                                          |
 * | models.h     | models, parameters, updates, observables, and their descriptions         |
 * | latmc.h      | a lattice: settings, start, sweeps                                       |
 * | devices.h    | devices, threads, division, and what was chosen                          |
 * | measure.h    | quantities, recordings, pairs of replicas, momenta and weights           |
 * | sites.h      | sites in and out, best sites, copies of replicas, state hash             |
 * | disorder.h   | couplings, site fields, samples                                          |
 * | schedule.h   | schedules, ramps, slots and exchanges                                    |
 * | save.h       | lattices in files and in memory                                          |
 * | analysis.h   | time series, errors, derived quantities                                  |
 * | random.h     | random numbers for every program                                         |
 * | ranks.h      | several processes without MPI                                            |
 * | mpi.h        | several processes with MPI; a library of its own                         |
 */
#ifndef LATMC_LATMC_H
#define LATMC_LATMC_H

#include "models.h"
#include "status.h"

/**
 * @page rules Rules for all calls
 *
 * These rules hold for every function unless its comment says otherwise.
 *
 * **Failures.** A function that can fail returns a ::latmc_status. If it is not ::LATMC_OK or
 * ::LATMC_CANCELLED, the lattice is as it was before the call, and results are not written.
 * latmc_error_message() then says what was given and what is allowed. The library never exits,
 * aborts, prints, changes the locale or installs a signal handler. "Host threads" below describes
 * what OpenMP's own library may do.
 *
 * **Handles and threads.** Different threads may use different lattices at the same time. Two
 * threads must not use one lattice at once. Functions without a lattice may be called from any
 * thread at any time.
 *
 * **Ownership.** Arrays belong to the caller; the library copies what it needs. Strings and arrays
 * that the library returns are constant. They live as long as the process, unless a comment gives a
 * shorter life. Arrays are in host memory, except where a comment allows device memory.
 *
 * **Numbers.** Counts, numbers and extents are int64_t. Enumerators and flags are int32_t in
 * structs. A public struct begins with its size, which the caller sets; ::latmc_quantity is the
 * exception.
 *
 * **Order.** Sites are numbered i = x0 + L0 (b + B (x1 + L1 (x2 + L2 x3))), x0 fastest. A cell has
 * B sites, b = 0 .. B - 1, and T bond types. On a hypercubic lattice B is 1, T is the number of
 * axes, and bond type a is the bond one step up along axis a. Along a periodic axis with L = 2 two
 * bonds join the same two sites, one from each of them, and both count.
 *
 * An array "per replica" has as many elements as latmc_set_replicas() set, replica 0 first. An
 * array "per slot" has as many, slot 0 first. Replica r has slot r until latmc_set_slots() or an
 * exchange moves the replica. With samples and ladders the slots of a ladder are consecutive
 * (latmc_set_ladders()).
 *
 * **Several devices.** No result depends on how many devices a lattice has, or how it is divided.
 * A model or update that cannot be divided is refused.
 *
 * **Several processes.** On ranks, a call whose lattice is not const is collective. All ranks make
 * the same such calls with the same arguments, and all get the same results. latmc_destroy(),
 * latmc_set_progress() and calls whose lattice is const are not collective; the latter read what
 * every rank has. ranks.h says more.
 *
 * **Saves.** A saved lattice has all settings, the state and the counts. It does not have its
 * device, number of threads, division and progress function.
 *
 * **Later parts.** A comment may say that this version refuses something. The call then returns
 * ::LATMC_ERROR_STATE or ::LATMC_ERROR_ARGUMENT with a sentence, and changes nothing.
 *
 * **Host threads.** On the host a call works in the calling thread. It also uses threads of the
 * library's own if the work is worth it. OpenMP makes these threads when a call first needs them.
 * OMP_PROC_BIND, OMP_PLACES and OMP_STACKSIZE (at least 64 kB) apply to them. They sleep between
 * calls, and receive none of the host's signals. They run on the processors allowed to the thread
 * whose call made them, unless OMP_PLACES names others. They stay until the last thread that called
 * for them ends. dlclose() does not unload the library; a plugin that contains the static library
 * needs `-Wl,-z,nodelete`. If the host cannot make enough threads, calls work with those that
 * exist, be it the calling thread alone. But OpenMP's library may end the process if
 * memory or threads run out while it makes threads. doc/architecture-threads.md says how
 * unlikely that is, and more.
 *
 * **fork().** A child process makes threads of its own. Every function works in it, with two
 * exceptions: lattices that another thread was using at the moment of fork(), and lattices on a
 * GPU, which CUDA does not allow.
 *
 * **Floating-point environment.** Results do not depend on the calling thread's rounding mode,
 * treatment of subnormal numbers or trapped exceptions. After a call this environment, flags
 * included, is as it was before. Callbacks run in it.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of axes of a lattice. */
#define LATMC_MAX_DIMS 4
/** The length of arrays over axes in public structs. Each says what it has beyond the axes. */
#define LATMC_ROOM_DIMS 8

/** A lattice: a model, its replicas, their parameters and their sites. */
typedef struct latmc_lattice latmc_lattice;

/* ------------------------------------------------------- a lattice is made */

/** Makes a hypercubic lattice that is not started. It has one replica, periodic boundaries,
 *  couplings 1, parameters at their presets (latmc_describe()), seed 1 and device "auto". Lattices
 *  with equal settings and seed have the same trajectory. Independent runs need other seeds, or
 *  numbers of replicas of their own (latmc_set_first_replica()).
 *  @param[out] lattice destroy it with latmc_destroy(). A call that fails does not write it, so let
 *         it be NULL before
 *  @param dims 1 to ::LATMC_MAX_DIMS
 *  @param extents `dims` numbers of cells along each axis, each >= 2; at most 2^40 sites */
LATMC_API LATMC_CHECKED latmc_status latmc_create(latmc_lattice **lattice, latmc_model model,
                                                  int64_t dims, const int64_t *extents);

/** Frees a lattice and all that it holds. NULL is allowed. On ranks it is not collective. */
LATMC_API void latmc_destroy(latmc_lattice *lattice);

/** Sets the number of replicas, 1 to 2^22. Together they have at most 2^56 sites. The number must
 *  be a multiple of the number of samples, and replicas / samples a multiple of the number of
 *  ladders. So set replicas before both. New slots get the parameters of slot 0. The function
 *  returns ::LATMC_ERROR_STATE after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_replicas(latmc_lattice *lattice, int64_t replicas);

/** Sets the number of the lattice's first replica in an ensemble; the preset is 0. An ensemble can
 *  thus be divided over several lattices without a change in any trajectory. Replica r of this
 *  lattice follows the trajectory of replica first + r in the undivided lattice. The function
 *  returns ::LATMC_ERROR_STATE after latmc_start().
 *  @param first >= 0. first + replicas is at most 2^32, or 2^24 if a replica has more than 2^32
 *         sites. A lattice that is divided in slabs cannot have replicas on both sides of a
 *         multiple of 65536; latmc_start() refuses it */
LATMC_API LATMC_CHECKED latmc_status latmc_set_first_replica(latmc_lattice *lattice, int64_t first);

/** Sets the boundary of each axis: `dims` values. It is ::LATMC_ERROR_STATE after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_boundaries(latmc_lattice *lattice,
                                                          const latmc_boundary *boundaries);

/** Sets the random numbers' seed, any 64 bits. It is ::LATMC_ERROR_STATE after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_seed(latmc_lattice *lattice, uint64_t seed);

/** Sets an option of the model, such as ::LATMC_PRECISION of a field, to a value that
 *  latmc_describe() allows. The function returns ::LATMC_ERROR_UNKNOWN if the model lacks the
 *  option, and ::LATMC_ERROR_STATE after latmc_start(). */
LATMC_API LATMC_CHECKED latmc_status latmc_set_option(latmc_lattice *lattice, latmc_option option,
                                                      int64_t value);

/** Reads an option. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_option(const latmc_lattice *lattice,
                                                      latmc_option option, int64_t *value);

/** Sets a parameter to one value for all slots. The value must be finite and within the range that
 *  latmc_describe() gives. The call is allowed between sweeps, and ends a ramp of the parameter. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_param(latmc_lattice *lattice, latmc_param param,
                                                     double value);

/** Sets a parameter, with one value per slot in the range of latmc_set_param(). It reads as many
 *  values as there are replicas at this time, so set replicas before. The call is allowed between
 *  sweeps, and ends a ramp of the parameter. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_params(latmc_lattice *lattice, latmc_param param,
                                                      const double *values);

/** Reads a parameter, one value per slot. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_params(const latmc_lattice *lattice,
                                                      latmc_param param, double *values);

/** What a lattice is. The caller sets `size` to sizeof(latmc_lattice_info) before the call. */
typedef struct latmc_lattice_info {
    size_t size;                      /**< sizeof(latmc_lattice_info) as the caller was compiled */
    int32_t model;                    /**< ::latmc_model */
    int32_t type;                     /**< ::latmc_type of the sites where they are kept */
    int64_t dims;                     /**< number of axes */
    int64_t extents[LATMC_ROOM_DIMS]; /**< cells along each axis; 1 beyond `dims` */
    int32_t boundaries[LATMC_ROOM_DIMS]; /**< ::latmc_boundary of each axis; 0 beyond `dims` */
    int64_t cells;                       /**< cells of one replica */
    int64_t cell_sites;                  /**< B, sites of a cell */
    int64_t bond_types;                  /**< T, bond types of a cell */
    int64_t sites;                       /**< N = cells x cell_sites, sites of one replica */
    int64_t components;    /**< numbers of a site in an array: n for vectors, otherwise 1 */
    int64_t replicas;      /**< number of replicas */
    int64_t first_replica; /**< number of the first replica in the ensemble */
    int64_t samples;       /**< number of disorder samples (latmc_set_samples()) */
    int64_t first_sample;  /**< number of the first sample */
    int64_t ladders;       /**< ladders of a sample (latmc_set_ladders()) */
    int64_t momenta;       /**< number of momenta (latmc_set_momenta()) */
    uint64_t seed;         /**< seed of the random numbers */
    int64_t sweeps;        /**< sweeps since latmc_start(); part of the state */
    int64_t exchanges;     /**< exchanges since latmc_start(); part of the state */
    int64_t steps;         /**< steps of the schedule; 0 without a schedule */
    int64_t round_sweeps;  /**< sweeps of a round of the schedule, or 0 */
    int64_t round_done;    /**< sweeps done in the round; 0: the next sweep begins a round */
    int64_t threads;       /**< number that latmc_set_threads() set, or 0 */
    int32_t started;       /**< 1 if the lattice has sites, otherwise 0 */
    int32_t keeps_best;    /**< 1 if best sites are kept (latmc_keep_best()), otherwise 0 */
    int32_t division;      /**< ::latmc_division that latmc_set_division() set */
    int32_t reserved;      /**< 0 */
} latmc_lattice_info;

/** Reads what a lattice is. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_lattice_info(const latmc_lattice *lattice,
                                                            latmc_lattice_info *info);

/* ------------------------------------------------------------------ running */

/** Starts a lattice: gives every site its first value, and sets the numbers of sweeps and exchanges
 *  to 0. The next sweep begins a round of the schedule. Ramps end, and the comparison of best sites
 *  begins anew.
 *
 *  Parameters, schedule and slots stay as they are, even if a ramp, latmc_tune() or exchanges have
 *  changed them. Another call thus repeats the trajectory only if these are the same as before.
 *  latmc_set_params() and latmc_set_slots() set them back. */
LATMC_API LATMC_CHECKED latmc_status latmc_start(latmc_lattice *lattice, latmc_start_mode mode);

/** Sweeps every replica `sweeps` >= 0 times, or for as many rounds of the schedule. It returns when
 *  the device has finished. It returns ::LATMC_ERROR_STATE before latmc_start() or
 *  latmc_set_sites(). The device may fail in the middle, or the progress callback may stop the
 *  call. The sweeps done so far then count (latmc_get_lattice_info()). */
LATMC_API LATMC_CHECKED latmc_status latmc_sweep(latmc_lattice *lattice, latmc_update update,
                                                 int64_t sweeps);

/** Sweeps, and adjusts every slot's ::LATMC_EPSILON after each sweep. So the share of accepted
 *  proposals comes near `target`. It is for thermalization: while epsilon changes, sweeps do not
 *  sample the distribution. The result is the same on every device. epsilon is saved with the
 *  lattice. If the call fails or is stopped, the sweeps done and the epsilon reached stay.
 *
 *  With ::LATMC_SCHEDULE epsilon is set once in a round, from the first step that proposes with it.
 *  The last sweep of this step gives the acceptance. The function returns ::LATMC_ERROR_UNKNOWN if
 *  the model has no epsilon, and ::LATMC_ERROR_STATE if epsilon follows a ramp.
 *  @param update one that proposes with epsilon (latmc_description::tuned); any other is
 *         ::LATMC_ERROR_ARGUMENT
 *  @param sweeps >= 0; 100 are plenty
 *  @param target 0.05 to 0.95; 0.5 is a good choice */
LATMC_API LATMC_CHECKED latmc_status latmc_tune(latmc_lattice *lattice, latmc_update update,
                                                int64_t sweeps, double target);

/** A function that is called between chunks of sweeps, in the thread that called the library. It
 *  must return: longjmp() and exceptions must not leave it. In C++ catch all exceptions in it, keep
 *  them (std::current_exception()), return 1, and rethrow after the call. Functions that it calls
 *  on the same lattice return ::LATMC_ERROR_STATE, and latmc_destroy() does nothing.
 *  @param done sweeps done in this call so far, in all steps of a schedule
 *  @param total sweeps that this call makes
 *  @return 0 to go on. Any other number ends the call with ::LATMC_CANCELLED after `done` sweeps;
 *          the lattice stays valid */
typedef int (*latmc_progress)(void *user, int64_t done, int64_t total);

/** Sets the function that latmc_sweep(), latmc_record() and latmc_tune() call with `user`, about
 *  ten times a second. A short call may never ask it. NULL removes it. On ranks each rank may have
 *  its own or none. If one of them stops the call, the call stops on all ranks. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_progress(latmc_lattice *lattice,
                                                        latmc_progress progress, void *user);

#ifdef __cplusplus
}
#endif

/* The sections that come with this header. */
#include "devices.h"
#include "measure.h"
#include "sites.h"
#include "disorder.h"
#include "schedule.h"
#include "save.h"
#include "analysis.h"
#include "random.h"
#include "ranks.h"

#endif
