/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares a recorder, which is one call of latmc_record(), and the checks of what it asks for. */
#ifndef LM_RECORDER_H
#define LM_RECORDER_H

#include "lib/sweep/course.h"

typedef struct lm_recorder {
    latmc_lattice *lattice;
    const latmc_recording *asked;
    lm_course course;
    const lm_entry **observables; /* of the quantities */
    int64_t every, total;         /* sweeps between measurements; sweeps of the call */
    int64_t made;                 /* measurements made */
    int64_t swept;                /* sweeps made towards the next measurement */
    int not_ergodic;
    lm_measure out; /* out.sums begins with the last measurement that was taken */
} lm_recorder;

/* Checks the structs' sizes, and reads what is asked for as this library knows it. */
latmc_status lm_recording_read(latmc_lattice *lattice, const char *caller,
                               const latmc_recording *given, const latmc_recorded *recorded,
                               latmc_recording *asked);
/* Refuses what is impossible. Begins the recorder's course, and sets its sweeps and bundles. The
 * caller ends the course even after a failure. */
latmc_status lm_recorder_check(lm_recorder *rec, const char *caller);

#endif
