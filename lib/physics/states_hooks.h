/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds hooks of models whose sites have one of some states, with a beta and a field
 * (states_rule.h). Include a vocabulary of reals first. */
#ifndef LM_STATES_HOOKS_H
#define LM_STATES_HOOKS_H

#include "lib/physics/states_rule.h"

#ifdef __CUDACC__
LM_STATES_RULE_OF(lm_scalar, lm_hook_rule);
#else
typedef lm_states_rule lm_hook_rule;
#endif

typedef struct lm_hook_common {
    const lm_scalar *table;
    int update, states;
    lm_real beta, sign, field, coupling[4]; /* |beta|; the sign of beta, which the others contain */
} lm_hook_common;

LM_INLINE lm_hook_common lm_states_prepare(const lm_hook_rule *r, const void *table, int update,
                                           int dims)
{
    const lm_real sign = lm_real_set(r->beta < 0 ? -1.0 : 1.0);
    lm_hook_common c = {.table = (const lm_scalar *)table,
                        .update = update,
                        .states = r->states,
                        .beta = lm_real_mul(sign, lm_real_set(r->beta)),
                        .sign = sign,
                        .field = lm_real_mul(sign, lm_real_set(r->field))};
    LM_UNROLL
    for (int a = 0; a < dims; a++)
        c.coupling[a] = lm_real_mul(sign, lm_real_set(r->coupling[a]));
    return c;
}

#endif
