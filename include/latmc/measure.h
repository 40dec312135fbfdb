/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file measure.h
 * @brief Measurements, time series, pairs of replicas.
 *
 * This header is a section of latmc.h, which includes it. What latmc.h says about all functions
 * holds here, too.
 */
#ifndef LATMC_MEASURE_H
#define LATMC_MEASURE_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- measurements */

/** The order of measured values (latmc_set_order()). */
typedef enum latmc_order {
    LATMC_ORDER_REPLICA = 871, /**< value i belongs to replica i */
    LATMC_ORDER_SLOT = 872     /**< value i belongs to the replica that has slot i */
} latmc_order;

/** Sets whether measured values are ordered by replica, which is the preset, or by slot. It
 *  concerns latmc_observe(), latmc_record(), latmc_observe_pairs() and latmc_record_pairs(). By
 *  slot, a value belongs to the replica that has the slot when the value is measured. Sites are
 *  read by replica in either order. The order is not saved, and is not part of the state. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_order(latmc_lattice *lattice, latmc_order order);

/** Measures observables of the present sites, all in one measurement. It takes only the time that
 *  these observables need. It returns ::LATMC_ERROR_STATE before latmc_start() or
 *  latmc_set_sites().
 *  @param count number of observables, >= 1
 *  @param observables the observables, in the order of the result; one that the model lacks is
 *         ::LATMC_ERROR_UNKNOWN
 *  @param[out] values count x replicas numbers. values[o * replicas + i] belongs to replica i, or
 *         to slot i after latmc_set_order(lattice, LATMC_ORDER_SLOT) */
LATMC_API LATMC_CHECKED latmc_status latmc_observe(latmc_lattice *lattice, int count,
                                                   const latmc_observable *observables,
                                                   double *values);

/** Sweeps and measures in turn on the device: `records` times `every` sweeps and one measurement.
 *  The results are returned together. If the device fails in the middle, some of the numbers may
 *  have been written, and the sweeps done count.
 *  @param every sweeps, or rounds of the schedule, between measurements, >= 1
 *  @param records number of measurements, >= 1
 *  @param count number of observables, >= 1
 *  @param observables the observables, in the order of the result
 *  @param[out] series count x replicas x records numbers. series[(o * replicas + i) * records + t]
 *         belongs to replica i, or to slot i after latmc_set_order(lattice, LATMC_ORDER_SLOT). So
 * each time series is contiguous. On ::LATMC_CANCELLED, records that were not reached are NaN */
LATMC_API LATMC_CHECKED latmc_status latmc_record(latmc_lattice *lattice, latmc_update update,
                                                  int64_t every, int64_t records, int count,
                                                  const latmc_observable *observables,
                                                  double *series);

/** Measures observables of pairs of replicas now (::LATMC_PAIR_OBSERVABLES), such as overlaps. The
 *  result is the same on every device. The function returns ::LATMC_ERROR_STATE before
 *  latmc_start() or latmc_set_sites().
 *  @param pairs number of pairs, >= 1
 *  @param replicas pairs x 2 numbers. Pair p has replicas[2 p] and replicas[2 p + 1], which may be
 *         the same. They number slots after latmc_set_order(lattice, LATMC_ORDER_SLOT)
 *  @param count number of observables, >= 1
 *  @param observables the observables, in the order of the result; one that the model lacks for
 *         pairs is ::LATMC_ERROR_UNKNOWN
 *  @param[out] values count x pairs numbers: values[o * pairs + p] */
LATMC_API LATMC_CHECKED latmc_status latmc_observe_pairs(latmc_lattice *lattice, int64_t pairs,
                                                         const int64_t *replicas, int count,
                                                         const latmc_observable *observables,
                                                         double *values);

/** The pairs that latmc_record_pairs() measures. The caller sets `size` to
 *  sizeof(latmc_pair_series) before the call, and all other members. */
typedef struct latmc_pair_series {
    size_t size;   /**< sizeof(latmc_pair_series) as the caller was compiled */
    int64_t pairs; /**< number of pairs, >= 1 */
    /** pairs x 2 numbers. Pair p has replicas[2 p] and replicas[2 p + 1], which may be the same.
     *  After latmc_set_order(lattice, LATMC_ORDER_SLOT) they number slots, at each measurement. */
    const int64_t *replicas;
    /** `count` of ::LATMC_PAIR_OBSERVABLES, in the order of the result. */
    const latmc_observable *observables;
    double *series; /**< count x pairs x records numbers: series[(o * pairs + p) * records + t] */
    int32_t count;  /**< number of observables, >= 1 */
} latmc_pair_series;

/** Does what latmc_record() does, and also measures observables of pairs of replicas after the same
 *  sweeps. So overlaps can be measured after each exchange of a schedule. Schedules, progress, best
 *  sites, ::LATMC_CANCELLED and failures are as in latmc_record(). The numbers are those of
 *  latmc_observe_pairs() at each measurement. On a GPU, sweeps of Ising spins in words go on
 *  meanwhile. They wait if parameters change or structure factors of pairs are measured. A
 *  measurement of pairs takes host memory when it is made. Without this memory the call ends as if
 *  the device had failed.
 *  @param count number of observables of replicas, >= 0
 *  @param series as for latmc_record(), with values by replica, or by slot after
 *         latmc_set_order(lattice, LATMC_ORDER_SLOT). If count is 0 it may be NULL, as
 * `observables`
 *  @param pairs the pairs, their observables and the room for results. NULL is refused, and so is
 *         what latmc_observe_pairs() refuses */
LATMC_API LATMC_CHECKED latmc_status latmc_record_pairs(latmc_lattice *lattice, latmc_update update,
                                                        int64_t every, int64_t records, int count,
                                                        const latmc_observable *observables,
                                                        double *series,
                                                        const latmc_pair_series *pairs);

#ifdef __cplusplus
}
#endif

#endif
