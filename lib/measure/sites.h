/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and converts sites that cross the public interface. */
#ifndef LM_SITES_H
#define LM_SITES_H

#include "lib/lattice/lattice.h"

/* Refuses a replica that does not exist, a type that the sites lack, and a wrong count. */
latmc_status lm_check_sites(const latmc_lattice *lattice, const char *caller, int64_t replica,
                            latmc_type type, const void *sites, int64_t count);
/* Converts numbers from one of two types to the other. */
void lm_convert_sites(const void *from, latmc_type type, void *to, int64_t count);

#endif
