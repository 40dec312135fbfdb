/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of slots and of their exchanges share. */
#ifndef LM_TESTS_MODELS_SLOTS_H
#define LM_TESTS_MODELS_SLOTS_H

#include "tests/inside.h"
#include "tests/models/suite.h"

enum { RECORDS = 3, BETWEEN = 2, ROUNDS = 5, EXCHANGE_DOMAIN = 4 };

/* Replicas, and slots, of one sample. */
static inline int64_t replicas_of_sample(const latmc_lattice *lattice)
{
    return info_of(lattice).replicas / info_of(lattice).samples;
}

#endif
