/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the two sides of a case saw: the first side's calls write it down, the second side's are
 * compared with it as they are made.
 */
#ifndef LM_RANDOM_NOTES_H
#define LM_RANDOM_NOTES_H

#include <latmc/latmc.h>

enum { NOTES_TEXT = 512 };

/* One of three things. */
typedef struct note {
    char *message; /* status and sentence of a call */
    double *values;
    int64_t count;
    int is_number, of_form; /* of_form: it is about bytes, not about what they mean */
    uint64_t number;
} note;

typedef struct notes {
    int comparing;
    note *all;
    int64_t count, room;
    int64_t next;                /* to be compared */
    char where[300];             /* the step that is being made, in words */
    const char *devices[2];      /* whose names may differ in messages */
    char difference[NOTES_TEXT]; /* the first; empty if there is none */
} notes;

/* Each returns 0 if the second side differs, which ends the case. */
int notes_status(notes *n, latmc_status status);
int notes_values(notes *n, const char *what, const double *values, int64_t count);
int notes_number(notes *n, const char *what, uint64_t number);
/* A number made from the bytes of a state or a save. */
int notes_form(notes *n, const char *what, uint64_t number);

/* One number for all that the first side saw: statuses, but not their sentences, values and
 * numbers; or, with `form`, for the numbers of notes_form() alone. */
uint64_t notes_digest(const notes *n, int form);
/* Whether any status was not LATMC_OK. */
int notes_refused(const notes *n);

/* From here on the second side. */
void notes_compare(notes *n);
/* The second side has no more to say. */
int notes_end(notes *n);
void notes_free(notes *n);

#endif
