/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call sweeps: an update, or the lattice's schedule from where it is. The cursor is kept
 * here, and so are parameters that change on the way: a plan runs stretches in which they do not.
 */
#ifndef LM_COURSE_H
#define LM_COURSE_H

#include "lib/lattice/lattice.h"

/* Not to be copied: it points into itself. */
typedef struct lm_course {
    latmc_lattice *lattice;
    const char *caller;
    lm_schedule schedule;
    lm_schedule_step one; /* of a call that names an update */
    int of_rounds;        /* or else the lattice's own schedule */
    double *values;       /* [parameter][slot], room for those of a step with arguments of its own;
                             NULL if there is none */
    unsigned measured;    /* groups of which the plan has a measurement of the sites as they are */
    double *sums;         /* room for a measurement, before an exchange; NULL if there is none */
} lm_course;

/* Whatever comes of it, lm_course_end() gives back what there is. */
latmc_status lm_course_begin(lm_course *course, latmc_lattice *lattice, const char *caller,
                             latmc_update update);
void lm_course_end(lm_course *course);

/* The sweeps of `times` times `every` rounds, an unfinished one being the first, or the refusal of
 * sweeps beyond the last number. Of an update a round is a sweep. */
latmc_status lm_course_length(const lm_course *course, int64_t every, int64_t times,
                              int64_t *sweeps);

/* There is a plan, it knows the parameters, and they are possible on the whole way. */
latmc_status lm_course_prepare(lm_course *course, int64_t sweeps);

/* Sweeps that are counted and finished, and exchanges between them. If it fails, those before do
 * count. */
latmc_status lm_course_sweep(lm_course *course, int64_t sweeps);
/* Exchanges that come after the last sweep. */
latmc_status lm_course_exchange(lm_course *course);

/* There is a plan, and it knows the parameters: before measurements, which may depend on couplings
 * of axes. */
latmc_status lm_course_settle(latmc_lattice *lattice, const char *caller);

/* Do parameters and slots stay as they are? Then many measurements can be made in one go. */
int lm_course_is_steady(const lm_course *course);
/* Or can the plan note measurements between exchanges, of these groups of pairs, too? Likewise. */
int lm_course_notes(const lm_course *course, unsigned pair_groups);
/* So many times note->out->every sweeps, exchanges and a measurement of some groups of sums, or of
 * none, which take() has by and by: of slots as they are then, or if `noted` as in note->states. If
 * it fails, those that it has had do not count. Pairs are as note->pairs says, as the caller counts
 * replicas. */
typedef struct lm_course_out {
    lm_note note;
    int64_t *who; /* room for pairs, as replicas */
    int noted;
} lm_course_out;

latmc_status lm_course_record(lm_course *course, int64_t records, lm_course_out *out);

/* Is an update among the next sweeps that is ergodic alone? */
int lm_course_mixes(const lm_course *course, int64_t sweeps);

#endif
