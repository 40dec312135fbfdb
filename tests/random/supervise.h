/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers: processes that play cases while this one, which never touches a device, watches the
 * clock. A worker that takes longer than a case may, or dies, is replaced.
 */
#ifndef LM_RANDOM_SUPERVISE_H
#define LM_RANDOM_SUPERVISE_H

#include "tests/random/case.h"
#include "tests/random/kernels.h"

enum { SUPERVISE_JOBS = 256, SUPERVISE_TEXT = 1024 };

/* OUTCOME_LEFT_OUT: the lattice cannot be divided among so many devices, and was not compared. */
typedef enum outcome {
    OUTCOME_SAME,
    OUTCOME_LEFT_OUT,
    OUTCOME_DIFFERENT,
    OUTCOME_HUNG,
    OUTCOME_DIED
} outcome;

static inline int outcome_failed(outcome o)
{
    return o != OUTCOME_SAME && o != OUTCOME_LEFT_OUT;
}

typedef struct verdict {
    outcome outcome;
    double cpu[2]; /* seconds: reference, device under test; where it came to an end */
    int64_t swept[KERNELS_MOST];
    char what[SUPERVISE_TEXT]; /* empty if the same */
} verdict;

typedef struct job {
    uint64_t number; /* for whoever gave it */
    char text[CASE_TEXT];
} job;

/* What is to be played. */
typedef struct agenda {
    int (*next)(void *user, job *job); /* 0: no more */
    void (*done)(void *user, const job *job, const verdict *verdict);
    void *user;
    double limit; /* seconds that a case may take */
} agenda;

typedef struct supervisor supervisor;

/* `arguments` end with NULL: those of a worker, the program's name first. */
supervisor *supervise_begin(int workers, char *const *arguments);

typedef enum supervise_status {
    SUPERVISE_DONE,
    SUPERVISE_SKIPPED, /* the device does not exist */
    SUPERVISE_BROKEN   /* workers cannot be had */
} supervise_status;

/* Until next() has no more and all are done. */
supervise_status supervise(supervisor *s, const agenda *agenda);
const char *supervise_reason(const supervisor *s);
void supervise_end(supervisor *s);

double supervise_clock(void);

#endif
