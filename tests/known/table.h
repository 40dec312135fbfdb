/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of known answers, a line at a time. */
#ifndef LM_KNOWN_TABLE_H
#define LM_KNOWN_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "tests/random/case.h"

typedef struct table_row {
    int has_case; /* 0: a comment or an empty line */
    int has_answers;
    uint64_t trajectory, form; /* as play_answer of tests/random/play.h */
    random_case c;
    char text[CASE_TEXT + 64]; /* the case, or the line */
} table_row;

/* 0 at the end. A line that cannot be read ends the process with status 2. */
int table_next(FILE *file, table_row *row);

#endif
