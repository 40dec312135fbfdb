/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and converts sites that cross the public interface. */
#ifndef LM_SITES_H
#define LM_SITES_H

#include "lib/base/chunk.h"
#include "lib/lattice/lattice.h"

/* Sites that cross the public interface. */
typedef struct lm_sites {
    lm_chunk of; /* replicas */
    latmc_type type;
    size_t bytes; /* of the caller's array */
} lm_sites;

/* Refuses replicas that do not exist, a type that the sites lack, a wrong number of bytes, and
 * memory of a device. On ranks the array may be NULL. */
latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, const lm_sites *s,
                            const void *array);
/* Converts numbers from one of two types to the other. */
void lm_convert_sites(const void *from, latmc_type type, void *to, int64_t count);

#endif
