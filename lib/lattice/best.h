/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory for best sites; lib/measure/best.c looks for them. */
#ifndef LM_BEST_H
#define LM_BEST_H

#include "lib/lattice/lattice.h"

/* Room for all, of the sites as they are kept now; none are best so far. */
latmc_status lm_best_make(const latmc_lattice *lattice, const char *caller, lm_best *best);
/* None are best so far. */
void lm_best_restart(latmc_lattice *lattice);
void lm_best_free(lm_best *best);

#endif
