/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc_record() with its arguments in a row. */
#ifndef TESTS_RECORDING_H
#define TESTS_RECORDING_H

#include <latmc/latmc.h>

/* Records pairs, too, as the members of `pairs` for them say, and tells what was done. */
static inline latmc_status record_told(latmc_lattice *lattice, latmc_update update, int64_t every,
                                       int64_t records, int64_t count,
                                       const latmc_quantity *quantities, double *series,
                                       const latmc_recording *pairs, latmc_recorded *told)
{
    latmc_recording all = *pairs;

    all.update = (int32_t)update;
    all.every = every;
    all.records = records;
    all.quantity_count = count;
    all.quantities = quantities;
    all.series = series;
    if (told)
        told->size = sizeof *told;
    return latmc_record(lattice, &all, told);
}

static inline latmc_status record_pair_series(latmc_lattice *lattice, latmc_update update,
                                              int64_t every, int64_t records, int64_t count,
                                              const latmc_quantity *quantities, double *series,
                                              const latmc_recording *pairs)
{
    return record_told(lattice, update, every, records, count, quantities, series, pairs, NULL);
}

static inline latmc_status record_series(latmc_lattice *lattice, latmc_update update, int64_t every,
                                         int64_t records, int64_t count,
                                         const latmc_quantity *quantities, double *series)
{
    const latmc_recording none = {.size = sizeof none};

    return record_told(lattice, update, every, records, count, quantities, series, &none, NULL);
}

static inline latmc_status record_by_slot(latmc_lattice *lattice, latmc_update update,
                                          int64_t every, int64_t records, int64_t count,
                                          const latmc_quantity *quantities, double *series)
{
    const latmc_recording none = {.size = sizeof none, .order = LATMC_BY_SLOT};

    return record_told(lattice, update, every, records, count, quantities, series, &none, NULL);
}

/* Returns whether means over the measurements cannot be trusted (latmc_recorded::not_ergodic), or
 * -1 after a failure. */
static inline int record_not_ergodic(latmc_lattice *lattice, latmc_update update, int64_t records,
                                     const latmc_quantity *quantity, double *series)
{
    const latmc_recording none = {.size = sizeof none};
    latmc_recorded told;

    return record_told(lattice, update, 1, records, 1, quantity, series, &none, &told)
               ? -1
               : told.not_ergodic;
}

#endif
