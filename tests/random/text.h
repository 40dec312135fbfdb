/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases as text: words "key=value", steps separated by ";" and their arguments by ":". */
#ifndef LM_RANDOM_TEXT_H
#define LM_RANDOM_TEXT_H

#include "tests/random/case.h"

/* Arguments: u an update, p a parameter, m a start mode, # a number, x a number of records after
 * one of sweeps, s a seed, v values, o observables, q those of pairs. */
typedef struct text_verb {
    const char *name, *arguments;
} text_verb;

extern const text_verb text_verbs[CASE_VERBS];
extern const char *const text_sources[CASE_SOURCES];

#endif
