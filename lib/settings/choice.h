/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a lattice is on its devices, or would be: division, representation, kernels, memory. */
#ifndef LM_CHOICE_H
#define LM_CHOICE_H

#include "lib/lattice/lattice.h"

/* What latmc_get_choice() reads of all parts. */
typedef struct lm_home_view {
    lm_device_list where; /* of this rank */
    lm_spec spec;         /* of the whole lattice */
    lm_division *division;
    int present; /* 1: the lattice has this division */
} lm_home_view;

/* The caller ends a view with lm_home_view_close(), also after a failure. */
latmc_status lm_home_view_open(const latmc_lattice *lattice, const char *caller, lm_home_view *o);
void lm_home_view_close(lm_home_view *o);

/* Describes a part that exists, and an update that the model has. */
latmc_status lm_choice_of(const latmc_lattice *lattice, const char *caller, const lm_home_view *o,
                          int part, const lm_entry *update, latmc_choice *choice);

#endif
