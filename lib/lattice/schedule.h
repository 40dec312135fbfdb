/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice's own schedule, and parameters that follow a ramp. */
#ifndef LM_SCHEDULE_H
#define LM_SCHEDULE_H

#include "lib/models/model.h"

/* A schedule and where in it the lattice is. */
typedef struct lm_rounds {
    int count; /* of steps; 0: there is no schedule */
    lm_schedule_step steps[LATMC_MAX_STEPS];
    /* Arguments of a step in the place of the parameters; NaN: it has none of its own. */
    double own[LATMC_MAX_STEPS][LM_MAX_PARAMS];
    int64_t exchanges[LATMC_MAX_STEPS]; /* that follow a step's last sweep */
    int64_t sweeps;                     /* of a round */
    int64_t done;                       /* of the present round */
    int64_t due;                        /* exchanges that come next, before any sweep of a round */
} lm_rounds;

/* A parameter on its way, from the sweep with number `first` on. */
typedef struct lm_ramp {
    int64_t first, sweeps; /* no sweeps: there is no ramp */
    double *from, *to;     /* [replica]; a lattice's are one allocation, at `from` */
} lm_ramp;

/* Has the step arguments of its own? */
int lm_rounds_own(const lm_rounds *rounds, int step);

/* What the replica's value is for sweep number `sweep`, which is not before the ramp. */
double lm_ramp_value(const lm_ramp *ramp, int64_t replica, int64_t sweep);
/* Leaves no ramp; the parameter stays what it is. */
void lm_ramp_end(lm_ramp *ramp);

#endif
