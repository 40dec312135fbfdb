/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thresholds of the Ising model's updates as bit planes, one table for each group of
 * replicas that share words: what a device's kernels read (lib/physics/ising.h).
 */
#ifndef LM_ISING_RULES_H
#define LM_ISING_RULES_H

#include "lib/physics/ising_shape.h"
#include "lib/siteword.h"

typedef struct lm_ising_rules {
    int uniform[LM_ISING_UPDATES]; /* 1: no replica is loose or has a field, one |J| for all axes,
                                    no bond missing: `uniform_planes` serve the update */
    lm_ising_shape shape[LM_ISING_UPDATES];
    uint32_t *tables;                   /* all of them in one piece, */
    int64_t words;                      /* of so many words; in it: */
    uint32_t *uniform_planes;           /* [group][32 * dims]: planes[k * dims + n] */
    uint32_t *flip;                     /* [group]: ones in replicas whose beta J is negative */
    uint32_t *planes[LM_ISING_UPDATES]; /* [group][lm_ising_rule_words(shape)] */
    /* What they are made of: [1: of a replica whose bonds make it loose][slot][each]; uniform ones,
     * 1 if beta J is negative, then those of each update. */
    uint64_t *thresholds;
    int64_t each;
} lm_ising_rules;

/* Words of one group's table for a general rule. */
size_t lm_ising_rule_words(const lm_ising_shape *shape);

/* Makes all tables; LATMC_ERROR_MEMORY, with nothing made, if there is no room. */
latmc_status lm_ising_rules_make(const lm_spec *spec, const lm_words *words,
                                 const lm_parameters *parameters, lm_ising_rules *rules);
/* Makes the tables anew after slots have moved. */
void lm_ising_rules_spread(const lm_spec *spec, const lm_words *words,
                           const lm_parameters *parameters, lm_ising_rules *rules);
void lm_ising_rules_free(lm_ising_rules *rules);

#endif
