/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks arrays of sites that a public function was given. */
#ifndef LM_SITES_H
#define LM_SITES_H

#include "lib/sites/arrays.h"

/* Refuses replicas that do not exist, a type that the sites lack, and a wrong number of bytes. Says
 * whose memory the array is. On ranks the array may be NULL. */
latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, lm_array *s,
                            const void *array);

#endif
