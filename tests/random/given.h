/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that a case gives the library: sites, couplings of bonds, fields of sites. */
#ifndef LM_RANDOM_GIVEN_H
#define LM_RANDOM_GIVEN_H

#include "tests/random/case.h"

/* Zeros for so many things, one at least; without memory the process ends with status 2. */
void *given_room(int64_t count, size_t bytes);

/* Spins, or numbers that floats and doubles both have, in one type or the other. */
latmc_type given_sites(const random_case *c, uint64_t seed, void *sites, int64_t count);

/* `count` couplings or fields of those that are given; to be freed. */
double *given_numbers(const case_numbers *n, int64_t count);

#endif
