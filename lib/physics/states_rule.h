/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the rule of models whose sites have one of some states, with a beta and a field. */
#ifndef LM_STATES_RULE_H
#define LM_STATES_RULE_H

#include <stdint.h>

/* Where such models have these in their parameters. */
enum { LM_STATES_BETA, LM_STATES_FIELD };

/* Coefficients of a replica: in doubles, and in CUDA also rounded to floats. */
#define LM_STATES_RULE_OF(T, name)                                                                 \
    typedef struct name {                                                                          \
        T beta, field, coupling[4];                                                                \
        int states;                                                                                \
    } name
LM_STATES_RULE_OF(double, lm_states_rule);

#ifndef __CUDACC__

/* Makes an lm_states_rule. values[p * stride] is parameter p of the replica. */
static inline void lm_states_make_rule(const double *values, int64_t stride,
                                       const double *type_coupling, int states, void *rule)
{
    lm_states_rule *r = rule;
    *r = (lm_states_rule){.beta = values[LM_STATES_BETA * stride],
                          .field = values[LM_STATES_FIELD * stride],
                          .states = states};
    for (int a = 0; a < 4; a++)
        r->coupling[a] = type_coupling[a];
}

/* Returns the proposals for each site in a sweep. */
static inline double lm_states_proposals(const void *rule, int update)
{
    (void)rule;
    (void)update;
    return 1.0;
}

#endif

#endif
