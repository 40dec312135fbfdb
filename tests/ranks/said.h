/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank, a thread here, says at the end of a test. */
#ifndef LM_TESTS_RANKS_SAID_H
#define LM_TESTS_RANKS_SAID_H

#include "tests/inside.h"
#include "tests/support.h"

enum { RANKS = 3, TEXT = 512 };

/* What a rank says at the end of a scene. */
typedef struct said {
    latmc_status status;
    char message[TEXT];
    uint64_t hash;
    int64_t sweeps;
} said;

#endif
