/* SPDX-License-Identifier: BSD-3-Clause */
/* What all the cases came to. */
#ifndef LM_RANDOM_TALLY_H
#define LM_RANDOM_TALLY_H

#include "tests/random/supervise.h"

typedef struct tally {
    int64_t runs, of[OUTCOME_DIED + 1];
    double began, told; /* by the clock */
    double cpu[2];
    double slowest; /* CPU seconds of a case, both sides */
    uint64_t slowest_number;
    int64_t lattices[KERNELS_MOST], sweeps[KERNELS_MOST];
} tally;

const char *outcome_name(outcome o);

void tally_add(tally *t, uint64_t number, const verdict *v);
int64_t tally_failures(const tally *t);
/* A line now and then, and all there is at the end. */
void tally_progress(tally *t);
void tally_report(const tally *t);

#endif
