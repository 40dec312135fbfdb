/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and numbers of what the models know, without asking which model. */
#ifndef LM_RANDOM_NAMES_H
#define LM_RANDOM_NAMES_H

#include <latmc/latmc.h>

/* NULL if no model has a thing of that number. */
const char *name_of(latmc_kind kind, int id);

/* A quantity's text, or its number if no model has it; 0 if it does not fit. */
int text_of_thing(latmc_kind kind, int thing, char *text, size_t bytes);
int thing_of(latmc_kind kind, const char *text, int *thing); /* 0: it is none */

/* By its name in any model, or by a number written out; 0 if it is neither. */
int number_of(latmc_kind kind, const char *name, int *id);

#endif
