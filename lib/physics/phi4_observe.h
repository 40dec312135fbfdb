/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes observables of the phi^4 model from one replica's sums: doc/trajectory-phi4.md. The
 * action is for C and CUDA. The rest is for C. */
#ifndef LM_PHI4_OBSERVE_H
#define LM_PHI4_OBSERVE_H

#include "lib/physics/phi4_rule.h"
#include "lib/physics/phi4_sums.h"
#include "lib/physics/structure.h"

/* Returns H, the action. The weight of the field with these parameters is exp(-action). */
LM_EVERYWHERE_INLINE double lm_phi4_action(const double *params, const double *sums)
{
    double h = sums[LM_PHI4_SUM_GRADIENT];
    h = h + params[LM_PHI4_MU2] / 2.0 * sums[LM_PHI4_SUM_SQUARE];
    h = h + params[LM_PHI4_G] / 24.0 * sums[LM_PHI4_SUM_FOURTH];
    if (params[LM_PHI4_INV_LAMBDA] != 0.0) /* its sum is otherwise not needed */
        h = h + params[LM_PHI4_INV_LAMBDA] / 2.0 * sums[LM_PHI4_SUM_CUTOFF];
    return h - params[LM_PHI4_FIELD] * sums[LM_PHI4_SUM_FIELD];
}

#ifndef __CUDACC__

static inline double lm_phi4_cutoff(const double *params, double sites, const double *sums)
{
    const double half = params[LM_PHI4_INV_LAMBDA] / 2.0;
    return half == 0.0 ? 0.0 : half * sums[LM_PHI4_SUM_CUTOFF] / sites;
}

static inline double lm_phi4_potential(const double *params, double sites, const double *sums)
{
    const double quadratic = params[LM_PHI4_MU2] / 2.0 * sums[LM_PHI4_SUM_SQUARE];
    const double quartic = params[LM_PHI4_G] / 24.0 * sums[LM_PHI4_SUM_FOURTH];
    return (quadratic + quartic - params[LM_PHI4_FIELD] * sums[LM_PHI4_SUM_FIELD]) / sites;
}

static inline double lm_phi4_structure(int axis, double sites, const double *sums)
{
    return lm_structure(sites, sums + LM_PHI4_SUM_WAVES + 2 * axis);
}

#endif
#endif
