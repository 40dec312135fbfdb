/* SPDX-License-Identifier: BSD-3-Clause */
/* How latmc-bench has the steps of a schedule made: in one call, or as a program does that works on
 * parameters between them. */
#ifndef CALLS_H
#define CALLS_H

#include <latmc/latmc.h>

#define CALLS_HELP                                                                                 \
    "all: the steps are made in one call (the default); one: each in a call of its own; params, "  \
    "slots: with latmc_set_params(), latmc_set_slots() before it; ramp: in one call, while the "   \
    "model's first parameter changes from sweep to sweep"

/* The way of that name; refused if there is none. */
int calls_way(const char *name);

/* Sweeps of a round of the schedule times `steps`, made in that way. */
latmc_status calls_sweep(latmc_lattice *lattice, int way, int64_t steps, int64_t sweeps);

#endif
