/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the sweeps of one call: of one update, or of the lattice's schedule from its present
 * position. A course advances the cursor and changes parameters on the way. A plan runs stretches
 * in which the parameters do not change.
 */
#ifndef LM_COURSE_H
#define LM_COURSE_H

#include "lib/lattice/lattice.h"

/* It must not be copied, because it points into itself. */
typedef struct lm_course {
    latmc_lattice *lattice;
    const char *caller;
    lm_schedule schedule;
    lm_schedule_step one; /* the only step, if the call names an update */
    int of_rounds;        /* 1: the call runs the lattice's own schedule */
    double *values;       /* [parameter][slot], buffer for the values of a step with arguments of
                             its own; NULL if no step has any */
    unsigned measured;    /* bundles for which the plan has a measurement of the present sites */
    double *sums;         /* buffer for the measurement of an exchange; NULL if there are no
                             exchanges */
    int64_t (*pairs)[2];  /* buffer for pairs as replicas; the one who records pairs allocates it */
    int64_t queued;       /* measurements of a series that the plan has queued */
} lm_course;

/* Returns where the next sweep is in the schedule. */
static inline lm_cursor lm_course_cursor(const lm_course *course)
{
    const latmc_lattice *lattice = course->lattice;

    return (lm_cursor){lattice->sweeps, course->of_rounds ? lattice->rounds.done : 0};
}

/* Begins a course. The caller calls lm_course_end() even after a failure. */
latmc_status lm_course_begin(lm_course *course, latmc_lattice *lattice, const char *caller,
                             latmc_update update);
void lm_course_end(lm_course *course);

/* Computes the sweeps of `times` times `every` rounds, of which `swept` have been made. For one
 * update, a round is a sweep. The function refuses sweeps beyond the last number. */
latmc_status lm_course_length(const lm_course *course, int64_t every, int64_t times, int64_t swept,
                              int64_t *sweeps);

/* Opens the plan if there is none, and gives it the parameters. It refuses parameters that are
 * impossible during the sweeps to come. */
latmc_status lm_course_prepare(lm_course *course, int64_t sweeps);

/* Makes the sweeps, with the exchanges between them, and counts them. After a failure, the sweeps
 * before it count. */
latmc_status lm_course_sweep(lm_course *course, int64_t sweeps);
/* Makes the exchanges that follow the last sweep. */
latmc_status lm_course_exchange(lm_course *course);

/* Repeats `records` times: out->every sweeps, their exchanges, a measurement of out->bundles and of
 * pairs, and a comparison with the best sites if they are kept. out->pairs has pairs as the caller
 * counts replicas. take() receives the measurements by and by. They belong to the lattice's slots,
 * or to the slots in `states` if there are some. After a failure, the measurements that take() has
 * received do not count. */
latmc_status lm_course_record(lm_course *course, int64_t records, const lm_measure *out);

/* Returns whether some update among the next sweeps is ergodic alone. */
int lm_course_mixes(const lm_course *course, int64_t sweeps);

#endif
