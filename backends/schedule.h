/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which sweeps a plan makes: by a schedule, from a position in it, or by one update. */
#ifndef LM_BACKENDS_SCHEDULE_H
#define LM_BACKENDS_SCHEDULE_H

#include <stdint.h>

/* A schedule is a round of steps, and rounds repeat. A step is a number of sweeps of one update. */
typedef struct lm_schedule_step {
    int update;     /* its number in the model's list */
    int64_t sweeps; /* > 0 */
} lm_schedule_step;

typedef struct lm_schedule {
    const lm_schedule_step *steps;
    int count;
    int64_t round; /* sweeps of all steps */
} lm_schedule;

/* The position of the next sweep. lib/ advances the caller's cursor. */
typedef struct lm_cursor {
    int64_t sweep; /* its number, which enters the random numbers */
    int64_t done;  /* sweeps of its round before it */
} lm_cursor;

/* Consecutive sweeps of one update. `first_sweep` is the number of the first one. */
typedef struct lm_job {
    int update;
    int64_t first_sweep;
    int64_t sweeps;
} lm_job;

#endif
