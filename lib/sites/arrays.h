/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites between a lattice and arrays. */
#ifndef LM_ARRAYS_H
#define LM_ARRAYS_H

#include "lib/base/chunk.h"
#include "lib/lattice/lattice.h"

/* An array of sites that a public function was given. */
typedef struct lm_array {
    lm_chunk of; /* replicas */
    latmc_type type;
    size_t bytes; /* of the caller's array */
    /* The backend that owns the array's memory, and a device of it. NULL: the memory is the
     * host's. */
    const lm_backend *owner;
    int device;
} lm_array;

/* Returns a replica's bytes in an array of the type, which the lattice has. */
int64_t lm_type_bytes(const latmc_lattice *lattice, latmc_type type);
/* Converts sites of one replica from the form of held sites (lm_home.held). */
void lm_unpack_sites(const latmc_lattice *lattice, const uint8_t *trunk, latmc_type type,
                     void *buffer, void *sites);
/* lm_sites_out() copies sites to an array, which is NULL where they are not wanted. lm_sites_in()
 * gives sites to a plan of the lattice. They are sites that the model has, in host memory. */
latmc_status lm_sites_out(const latmc_lattice *lattice, const char *caller, const lm_array *asked,
                          char *sites);
latmc_status lm_sites_in(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                         const lm_array *given, const char *sites);
/* Copies bytes from or to memory of the array's owner. */
latmc_status lm_sites_copy(const lm_array *s, const char *caller, void *to, const void *from);

#endif
