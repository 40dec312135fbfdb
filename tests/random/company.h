/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Company: another lattice, swept on the same device at the same time by another thread, as the
 * library allows. What becomes of it must not depend on that either.
 */
#ifndef LM_RANDOM_COMPANY_H
#define LM_RANDOM_COMPANY_H

#include <pthread.h>

#include <latmc/latmc.h>

typedef struct company {
    uint64_t seed;
    const char *device;
    pthread_t thread;
    int apart; /* in a thread of its own */
    latmc_status status;
    char what[400]; /* "status of the company", with the sentence of a failure */
    uint64_t hash;  /* of its state at the end */
} company;

/* On a thread of its own, or at once; seed 0: none. */
void company_begin(company *c, uint64_t seed, const char *device, int apart);
void company_end(company *c);

#endif
