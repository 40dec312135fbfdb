/* SPDX-License-Identifier: BSD-3-Clause */
/* The sites of one replica, in an array with `count` numbers. */
#ifndef LM_TESTS_SITES_H
#define LM_TESTS_SITES_H

#include <latmc/latmc.h>

/* The bytes of that many numbers; an unknown type counts as int8_t. */
static inline size_t bytes_of_numbers(latmc_type type, int64_t count)
{
    return (size_t)count * (type == LATMC_FLOAT64 ? 8 : type == LATMC_FLOAT32 ? 4 : 1);
}

static inline latmc_status get_replica(latmc_lattice *lattice, int64_t replica, latmc_type type,
                                       void *sites, int64_t count)
{
    return latmc_get_sites(lattice, replica, 1, type, sites, bytes_of_numbers(type, count));
}

static inline latmc_status set_replica(latmc_lattice *lattice, int64_t replica, latmc_type type,
                                       const void *sites, int64_t count)
{
    return latmc_set_sites(lattice, replica, 1, type, sites, bytes_of_numbers(type, count));
}

static inline latmc_status get_best_replica(latmc_lattice *lattice, int64_t replica,
                                            latmc_type type, void *sites, int64_t count)
{
    return latmc_get_best_sites(lattice, replica, 1, type, sites, bytes_of_numbers(type, count));
}

#endif
