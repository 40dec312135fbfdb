/* SPDX-License-Identifier: BSD-3-Clause */
/* Derived quantities by what a derivation has. */
#ifndef LM_TESTS_DERIVED_H
#define LM_TESTS_DERIVED_H

#include <latmc/latmc.h>

static inline latmc_status jackknife(const double *const *series, int64_t series_count,
                                     int64_t count, int64_t blocks, latmc_derived function,
                                     void *user, latmc_estimate *estimate)
{
    const latmc_derivation d = {.size = sizeof d,
                                .series = series,
                                .series_count = series_count,
                                .count = count,
                                .blocks = blocks,
                                .function = function,
                                .user = user};

    return latmc_jackknife(&d, estimate);
}

static inline latmc_status average_derived(const double *const *series, int64_t series_count,
                                           int64_t count, latmc_derived function, void *user,
                                           latmc_estimate *estimate)
{
    const latmc_derivation d = {.size = sizeof d,
                                .series = series,
                                .series_count = series_count,
                                .count = count,
                                .function = function,
                                .user = user};

    return latmc_average_derived(&d, estimate);
}

#endif
