/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file measure.h
 * @brief Quantities, measurements, time series, pairs of replicas, momenta and weights.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too.
 */
#ifndef LATMC_MEASURE_H
#define LATMC_MEASURE_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------- quantities */

/** What can be measured: an observable with its indices. The struct never changes. latmc_describe()
 *  says what the indices of an observable count: latmc_description::index and
 *  latmc_description::second. */
typedef struct latmc_quantity {
    int32_t observable; /**< ::latmc_observable */
    int32_t index;      /**< the index, such as an axis; 0 if the observable has none */
    int32_t second;     /**< the second index; 0 if the observable has none */
    int32_t reserved;   /**< 0 */
} latmc_quantity;

/** The initializer of a ::latmc_quantity, in C and in C++: `LATMC_QUANTITY(LATMC_ENERGY)`,
 *  `LATMC_QUANTITY(LATMC_STRUCTURE, 2)`. It takes one to three arguments; more do not compile.
 *  Indices that are not given are 0: axis 0 or component 0, not a sum or a mean. In C an assignment
 *  has the type in front:
 *  `what = (latmc_quantity)LATMC_QUANTITY(LATMC_ENERGY);` */
#define LATMC_QUANTITY(...)                                                                        \
    LATMC_QUANTITY_PICK(__VA_ARGS__, LATMC_QUANTITY_3, LATMC_QUANTITY_2, LATMC_QUANTITY_1, 0)      \
    (__VA_ARGS__)
/** @cond */
/* What LATMC_QUANTITY() uses: it picks one of the three below. Of more arguments it picks the
 * fourth, which is no macro. */
#define LATMC_QUANTITY_PICK(one, two, three, picked, ...) picked
#define LATMC_QUANTITY_1(what)                            LATMC_QUANTITY_3(what, 0, 0)
#define LATMC_QUANTITY_2(what, i)                         LATMC_QUANTITY_3(what, i, 0)
#define LATMC_QUANTITY_3(what, i, j)                                                               \
    {                                                                                              \
        LATMC_INT32(what), LATMC_INT32(i), LATMC_INT32(j), 0                                       \
    }
#ifdef __cplusplus
#define LATMC_INT32(number) static_cast<int32_t>(number)
#else
#define LATMC_INT32(number) ((int32_t)(number))
#endif
/** @endcond */

/** Reads how many values each index of an observable has on this lattice, with its present
 *  settings. An index that the observable does not have counts as one value. So sizes[0] x sizes[1]
 *  quantities exist. Both numbers are 0 if the lattice has none of them; for example, vectors with
 *  n = 3 have no vortices. Of quantities with [weight] or [momentum] some may be missing: numbers
 *  without weights, and momenta of the wrong parity. latmc_quantity_text() refuses these. The
 *  function returns ::LATMC_ERROR_UNKNOWN if the model lacks the observable.
 *  @param observable of replicas or of pairs of replicas
 *  @param[out] sizes two numbers, of the index and of the second index */
LATMC_API LATMC_CHECKED latmc_status latmc_quantity_sizes(const latmc_lattice *lattice,
                                                          latmc_observable observable,
                                                          int64_t *sizes);

/** Finds a quantity by its text, such as "energy", "structure[2]" or "weighted[3,1]". An observable
 *  with indices needs all of them, and one without takes none. The function returns
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

/** What measured values are numbered by. It matters where replicas change their slots
 *  (latmc_set_slots(), exchanges of a schedule). Sites are always numbered by replica. */
typedef enum latmc_order {
    LATMC_BY_REPLICA = 871, /**< value i belongs to replica i */
    /** Value i belongs to the replica that has slot i at the time of the measurement. So all values
     *  of a slot belong to the same parameters. */
    LATMC_BY_SLOT = 872
} latmc_order;

/** Measures quantities of the present sites, all in one measurement. It takes only the time that
 *  these quantities need. It returns ::LATMC_ERROR_STATE before latmc_start() or latmc_set_sites().
 *  An observable that the model lacks is ::LATMC_ERROR_UNKNOWN. An index that the lattice does not
 *  have is ::LATMC_ERROR_ARGUMENT.
 *  @param order ::LATMC_BY_REPLICA or ::LATMC_BY_SLOT
 *  @param quantity_count >= 1
 *  @param quantities what is measured, one after the other in the result
 *  @param[out] values quantity_count x replicas numbers. values[q * replicas + i] is quantity q of
 *         replica i or of slot i, as `order` says */
LATMC_API LATMC_CHECKED latmc_status latmc_observe(latmc_lattice *lattice, latmc_order order,
                                                   int64_t quantity_count,
                                                   const latmc_quantity *quantities,
                                                   double *values);

/** Measures quantities of pairs of replicas now (::LATMC_PAIR_OBSERVABLES), such as overlaps. It
 *  refuses what latmc_observe() refuses. Both replicas of a pair may be on any devices or ranks.
 *  @param order ::LATMC_BY_REPLICA or ::LATMC_BY_SLOT: what `pairs` has the numbers of
 *  @param pair_count >= 1
 *  @param pairs pair_count x 2 numbers of replicas or slots. Pair p has pairs[2 p] and
 *         pairs[2 p + 1], which may be the same. They should be of one sample, which nothing checks
 *  @param quantity_count >= 1
 *  @param quantities what is measured, one after the other in the result
 *  @param[out] values quantity_count x pair_count numbers: values[q * pair_count + p] */
LATMC_API LATMC_CHECKED latmc_status latmc_observe_pairs(latmc_lattice *lattice, latmc_order order,
                                                         int64_t pair_count, const int64_t *pairs,
                                                         int64_t quantity_count,
                                                         const latmc_quantity *quantities,
                                                         double *values);

/* --------------------------------------------------------------- recordings */

/** Sums over measurements that are kept instead of series. This version has no such object. */
typedef struct latmc_statistics latmc_statistics;

/** What latmc_record() does. The caller sets `size`, `update`, `every` and `records`, and leaves 0
 *  the members that it does not need (LATMC_INIT()). latmc_record() does not write to it. */
typedef struct latmc_recording {
    size_t size;     /**< sizeof(latmc_recording) as the caller was compiled */
    int32_t update;  /**< ::latmc_update; ::LATMC_SCHEDULE for the schedule */
    /** ::latmc_order of `series` and `pairs`; 0 stands for ::LATMC_BY_REPLICA. After exchanges the
     *  series of a replica mixes parameters. For tempering give ::LATMC_BY_SLOT. */
    int32_t order;
    int64_t every;   /**< sweeps, or rounds of the schedule, between measurements; >= 1 */
    int64_t records; /**< number of measurements, >= 0 */
    /** Sweeps towards the first measurement that an earlier call has already made. It is 0, or
     *  latmc_recorded::swept of a call that was stopped. It is below the sweeps of `every`. Only
     *  the caller knows that it belongs to this recording. */
    int64_t swept;

    int64_t quantity_count;           /**< number of quantities of replicas, >= 0 */
    const latmc_quantity *quantities; /**< these quantities; NULL if there are none */
    /** Room for the series of replicas, in host memory. series[(q * replicas + i) * stride + t] is
     *  quantity q in record t, of replica i or of slot i as `order` says. */
    double *series;

    int64_t pair_count; /**< number of pairs of replicas, >= 0 */
    /** pair_count x 2 numbers. Pair p has pairs[2 p] and pairs[2 p + 1], which may be the same.
     *  They are numbers of replicas or of slots, as `order` says. A slot stands for the replica
     *  that has it at the time of each measurement. */
    const int64_t *pairs;
    int64_t pair_quantity_count;           /**< number of quantities of pairs, >= 0 */
    const latmc_quantity *pair_quantities; /**< these quantities; NULL if there are none */
    double *pair_series; /**< pair_series[(q * pair_count + p) * stride + t], in host memory */

    /** Numbers from one series to the next, in `series` and `pair_series`: at least `records`. 0
     *  stands for `records` of this call. A recording that may be stopped needs the length of the
     *  whole series here, or its continuation would write over other series. With `swept`, 0 is
     *  refused if there is more than one series. */
    int64_t stride;
    latmc_statistics *statistics; /**< NULL; this version refuses anything else */
} latmc_recording;

/** What latmc_record() has done. The caller sets `size` to sizeof(latmc_recorded) before the
 *  call. */
typedef struct latmc_recorded {
    size_t size;     /**< sizeof(latmc_recorded) as the caller was compiled */
    int64_t records; /**< measurements made */
    int64_t swept;   /**< sweeps made towards the next one, if the call was stopped; otherwise 0 */
    /** 1 if some measurements followed sweeps whose updates are not ergodic alone. The means are
     *  then over the states that such updates reach. The series itself cannot show it. */
    int32_t not_ergodic;
    int32_t reserved; /**< 0 */
} latmc_recorded;

/** Sweeps and measures in turn on the device: `records` times `every` sweeps and one measurement.
 *  The values are those of latmc_observe() and latmc_observe_pairs() after the same sweeps, and
 *  what these refuse is refused. With a schedule, a measurement follows the exchanges of its last
 *  step. Without any quantity the call only sweeps, and compares best sites (latmc_keep_best()) at
 *  each record.
 *
 *  **Long series.** Many calls can fill one series. `series` then points to the first record of the
 *  call within the long series. `stride` is the length of the long series.
 *
 *  **A stopped call.** The progress callback may stop the call, which returns ::LATMC_CANCELLED.
 *  Records that were not reached are NaN. The next call continues exactly with three changes.
 *  `series` and `pair_series` move on by the records that were made. `records` decreases by them.
 *  `swept` is what the stopped call gave. All other members stay; `stride` must be the whole
 *  length. The lattice may be saved and loaded in between; the series is the same in every bit. A
 *  call may be stopped after its last measurement. Nothing is left to do then, and 0 records are
 *  allowed.
 *
 *  With a schedule `swept` counts sweeps, not rounds. Its remainder by the sweeps of a round must
 *  be latmc_lattice_info::round_done. But if `swept` is 0 and the schedule is within a round, the
 *  rest of this round counts as the first round.
 *
 *  **A failure.** If the device fails in the middle, some numbers may have been written, and the
 *  sweeps done count. Measurements of pairs take host memory when they are made. Without this
 *  memory the call ends as if the device had failed.
 *
 *  On a GPU, sweeps go on while measurements are stored. They wait if best sites are kept, or if
 *  Ising lattices that are kept in bits measure structure factors.
 *  @param[out] recorded what was done; also written on ::LATMC_CANCELLED. NULL: not wanted */
LATMC_API LATMC_CHECKED latmc_status latmc_record(latmc_lattice *lattice,
                                                  const latmc_recording *recording,
                                                  latmc_recorded *recorded);

/* ------------------------------------------------------- momenta and weights */

/** The largest number of momenta. */
#define LATMC_MAX_MOMENTA 64

/** Sets the momenta of ::LATMC_STRUCTURE_AT and of the other structure factors with [momentum]. n
 *  counts half of the usual steps: momentum number j is k_a = pi n_a / L_a, not 2 pi n_a / L_a. The
 *  smallest one along a periodic axis, 2 pi / L_a, is n_a = 2. On even extents k = (pi, pi), the
 *  staggered one, is n = (L_0, L_1). n_a must be even on periodic and open axes. On an antiperiodic
 *  axis an odd n_a gives momenta of the sites, and an even one momenta of overlaps. A quantity
 *  whose momentum has the wrong parity is refused when it is measured. The momenta are saved. The
 *  call is allowed between sweeps.
 *  @param count 0 to ::LATMC_MAX_MOMENTA; 0 removes all momenta
 *  @param n count x dims numbers, each at most 2 L_a in magnitude; n[j * dims + a]. NULL if count
 *         is 0 */
LATMC_API LATMC_CHECKED latmc_status latmc_set_momenta(latmc_lattice *lattice, int64_t count,
                                                       const int64_t *n);

/** Reads the momenta. latmc_lattice_info::momenta is their number.
 *  @param[out] n momenta x dims numbers, n[j * dims + a] */
LATMC_API LATMC_CHECKED latmc_status latmc_get_momenta(const latmc_lattice *lattice, int64_t *n);

/** The largest number of sets of weights. */
#define LATMC_MAX_WEIGHTS 64

/** What weights belong to. */
typedef enum latmc_weight_kind {
    LATMC_WEIGHT_SITES = 861, /**< the sites */
    LATMC_WEIGHT_BONDS = 862  /**< the bonds */
} latmc_weight_kind;

/** Sets weights of sites or bonds, for the quantities ::LATMC_WEIGHTED and its powers. Masks are
 *  weights of 0 and 1, and staggered sums have weights of -1 and +1. Automata have no bonds, and
 *  their weights of bonds are ::LATMC_ERROR_UNKNOWN. Weights are saved. The call is allowed between
 *  sweeps. Weights for several samples belong to their number of samples. While they are set,
 *  latmc_set_samples() with another number is ::LATMC_ERROR_STATE.
 *  @param number 0 to ::LATMC_MAX_WEIGHTS - 1; it is the quantity's index
 *  @param samples 1: the same weights for all samples; or the lattice's number of samples
 *  @param weights finite numbers, at most 1e6 in magnitude. Of sites [sample][site], of bonds
 *         [sample][bond type][cell]. NULL removes the weights of this number; `kind` and `samples`
 *         are then ignored */
LATMC_API LATMC_CHECKED latmc_status latmc_set_weights(latmc_lattice *lattice, int64_t number,
                                                       latmc_weight_kind kind, int64_t samples,
                                                       const double *weights);

/** Reads the weights of a number. A result that is NULL is not wanted; one is needed.
 *  @param number 0 to ::LATMC_MAX_WEIGHTS - 1
 *  @param[out] kind what they belong to, if there are some
 *  @param[out] samples 1 or the lattice's number of samples, as they were set; 0: there are none
 *  @param[out] weights as many numbers as latmc_set_weights() takes for these samples */
LATMC_API LATMC_CHECKED latmc_status latmc_get_weights(const latmc_lattice *lattice, int64_t number,
                                                       latmc_weight_kind *kind, int64_t *samples,
                                                       double *weights);

#ifdef __cplusplus
}
#endif

#endif
