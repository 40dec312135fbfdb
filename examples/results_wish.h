/* SPDX-License-Identifier: BSD-3-Clause */
/* Which results a run has, as --quantities lists them: energy,binder,structure[0],weighted[1,0]. A
 * text without indices, or without the last one, stands for all that begin so. */
#ifndef RESULTS_WISH_H
#define RESULTS_WISH_H

#include "results.h"

/* Whether the list names a quantity. All lists that are NULL name everything. */
int results_wished(const char *list, const char *text);
/* Stops with status 2 if something in the list is no result of the lattice. */
void results_check_wish(const char *list, const results *r, const latmc_lattice *lattice);

#endif
