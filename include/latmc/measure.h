/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file measure.h
 * @brief Quantities, measurements, time series, pairs of replicas.
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

/* --------------------------------------------------------------- quantities */

/** What can be measured: an observable with its indices. The struct never changes. latmc_describe()
 *  says what the indices of an observable count (latmc_info::index, latmc_info::second). */
typedef struct latmc_quantity {
    int32_t observable; /**< ::latmc_observable */
    int32_t index;      /**< the index, such as an axis; 0 if the observable has none */
    int32_t second;     /**< the second index; 0 if the observable has none */
    int32_t reserved;   /**< 0 */
} latmc_quantity;

/** The initializer of a ::latmc_quantity, in C and in C++: `LATMC_QUANTITY(LATMC_ENERGY)`,
 *  `LATMC_QUANTITY(LATMC_STRUCTURE, 2)`. Indices that are not given are 0. */
#define LATMC_QUANTITY(...) LATMC_QUANTITY_OF(__VA_ARGS__, 0, 0, 0)
/** What LATMC_QUANTITY() uses. */
#define LATMC_QUANTITY_OF(what, i, j, ...)                                                         \
    {                                                                                              \
        (int32_t)(what), (int32_t)(i), (int32_t)(j), 0                                             \
    }

/** Reads how many values each index of an observable has on this lattice, with its present
 *  settings. An index that the observable does not have counts as one value. So sizes[0] x sizes[1]
 *  quantities exist. Both numbers are 0 if the lattice has none of them; for example, vectors with
 *  n = 3 have no vortices. The function returns ::LATMC_ERROR_UNKNOWN if the model lacks the
 *  observable.
 *  @param observable of replicas or of pairs of replicas
 *  @param[out] sizes two numbers, of the index and of the second index */
LATMC_API LATMC_CHECKED latmc_status latmc_quantity_sizes(const latmc_lattice *lattice,
                                                          latmc_observable observable,
                                                          int64_t *sizes);

/** Finds a quantity by its text, such as "energy" or "structure[2]". An observable with
 *  indices needs all of them, and one without takes none. The function returns
 *  ::LATMC_ERROR_UNKNOWN if the model has no observable of that name. It returns
 *  ::LATMC_ERROR_ARGUMENT if the lattice does not have the indices, and the message says which
 *  exist. */
LATMC_API LATMC_CHECKED latmc_status latmc_quantity_find(const latmc_lattice *lattice,
                                                         const char *text,
                                                         latmc_quantity *quantity);

/** Writes the text of a quantity that the lattice has.
 *  @param[out] text ends with a 0 byte
 *  @param capacity size of `text` in bytes; 64 are always enough */
LATMC_API LATMC_CHECKED latmc_status latmc_quantity_text(const latmc_lattice *lattice,
                                                         latmc_quantity quantity, char *text,
                                                         size_t capacity);

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

/** Measures quantities of the present sites, all in one measurement. It takes only the time that
 *  these quantities need. It returns ::LATMC_ERROR_STATE before latmc_start() or latmc_set_sites().
 *  An observable that the model lacks is ::LATMC_ERROR_UNKNOWN. An index that the lattice does not
 *  have is ::LATMC_ERROR_ARGUMENT. No quantity is 0 because it does not exist.
 *  @param quantity_count >= 1
 *  @param quantities what is measured, in the order of the result
 *  @param[out] values quantity_count x replicas numbers. values[q * replicas + i] belongs to
 *         replica i, or to slot i after latmc_set_order(lattice, LATMC_ORDER_SLOT) */
LATMC_API LATMC_CHECKED latmc_status latmc_observe(latmc_lattice *lattice, int64_t quantity_count,
                                                   const latmc_quantity *quantities,
                                                   double *values);

/** Sweeps and measures in turn on the device: `records` times `every` sweeps and one measurement.
 *  The results are returned together. If the device fails in the middle, some of the numbers may
 *  have been written, and the sweeps done count.
 *  @param every sweeps, or rounds of the schedule, between measurements, >= 1
 *  @param records number of measurements, >= 1
 *  @param count number of quantities, >= 1
 *  @param quantities what is measured, in the order of the result
 *  @param[out] series count x replicas x records numbers. series[(q * replicas + i) * records + t]
 *         belongs to replica i, or to slot i after latmc_set_order(lattice, LATMC_ORDER_SLOT). So
 * each time series is contiguous. On ::LATMC_CANCELLED, records that were not reached are NaN */
LATMC_API LATMC_CHECKED latmc_status latmc_record(latmc_lattice *lattice, latmc_update update,
                                                  int64_t every, int64_t records, int count,
                                                  const latmc_quantity *quantities,
                                                  double *series);

/** Measures quantities of pairs of replicas now (::LATMC_PAIR_OBSERVABLES), such as overlaps. It
 *  refuses what latmc_observe() refuses. Both replicas of a pair may be on any devices or ranks.
 *  @param pair_count >= 1
 *  @param pairs pair_count x 2 numbers. Pair p has pairs[2 p] and pairs[2 p + 1], which may be the
 *         same. They number replicas, or slots after latmc_set_order(lattice, LATMC_ORDER_SLOT)
 *  @param quantity_count >= 1
 *  @param quantities what is measured, in the order of the result
 *  @param[out] values quantity_count x pair_count numbers: values[q * pair_count + p] */
LATMC_API LATMC_CHECKED latmc_status latmc_observe_pairs(latmc_lattice *lattice, int64_t pair_count,
                                                         const int64_t *pairs,
                                                         int64_t quantity_count,
                                                         const latmc_quantity *quantities,
                                                         double *values);

/** The pairs that latmc_record_pairs() measures. The caller sets `size` to
 *  sizeof(latmc_pair_series) before the call, and all other members. */
typedef struct latmc_pair_series {
    size_t size;   /**< sizeof(latmc_pair_series) as the caller was compiled */
    int64_t pairs; /**< number of pairs, >= 1 */
    /** pairs x 2 numbers. Pair p has replicas[2 p] and replicas[2 p + 1], which may be the same.
     *  After latmc_set_order(lattice, LATMC_ORDER_SLOT) they number slots, at each measurement. */
    const int64_t *replicas;
    /** `count` quantities of ::LATMC_PAIR_OBSERVABLES, in the order of the result. */
    const latmc_quantity *quantities;
    double *series; /**< count x pairs x records numbers: series[(q * pairs + p) * records + t] */
    int32_t count;  /**< number of quantities, >= 1 */
} latmc_pair_series;

/** Does what latmc_record() does, and also measures quantities of pairs of replicas after the same
 *  sweeps. So overlaps can be measured after each exchange of a schedule. Schedules, progress, best
 *  sites, ::LATMC_CANCELLED and failures are as in latmc_record(). The numbers are those of
 *  latmc_observe_pairs() at each measurement. On a GPU, sweeps of Ising spins in words go on
 *  meanwhile. They wait if parameters change or structure factors of pairs are measured. A
 *  measurement of pairs takes host memory when it is made. Without this memory the call ends as if
 *  the device had failed.
 *  @param count number of quantities of replicas, >= 0
 *  @param series as for latmc_record(), with values by replica, or by slot after
 *         latmc_set_order(lattice, LATMC_ORDER_SLOT). If count is 0 it may be NULL, as
 *         `quantities`
 *  @param pairs the pairs, their quantities and the room for results. NULL is refused, and so is
 *         what latmc_observe_pairs() refuses */
LATMC_API LATMC_CHECKED latmc_status latmc_record_pairs(latmc_lattice *lattice, latmc_update update,
                                                        int64_t every, int64_t records, int count,
                                                        const latmc_quantity *quantities,
                                                        double *series,
                                                        const latmc_pair_series *pairs);

#ifdef __cplusplus
}
#endif

#endif
