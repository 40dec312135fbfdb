/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thresholds of the Ising model's updates as bit planes, one table for each group of
 * replicas that share words: what a device's kernels read (lib/physics/ising.h). A table is made
 * when it is first asked for, since most runs need one of them.
 */
#ifndef LM_ISING_RULES_H
#define LM_ISING_RULES_H

#include "lib/physics/ising_shape.h"
#include "lib/siteword.h"

/* The tables: the general rule of each update, and the uniform rule. */
enum { LM_ISING_UNIFORM = LM_ISING_UPDATES, LM_ISING_TABLES };

typedef struct lm_ising_table {
    /* [group][lm_ising_rule_words(shape)]; of the uniform rule [group][32 * dims]: planes[k * dims
     * + n], then for each group ones in replicas whose beta J is negative. */
    uint32_t *planes;
    int64_t words;        /* of all groups */
    uint64_t *thresholds; /* [1: of a replica whose bonds make it loose][slot][each] */
    int64_t each;
    int apart;         /* Metropolis: some slot has a class whose two spins have thresholds that
                          differ, neither of which is certain */
    int known, spread; /* thresholds, planes are those of the present parameters */
} lm_ising_table;

typedef struct lm_ising_rules {
    int uniform[LM_ISING_UPDATES]; /* 1: no replica is loose or has a field, one |J| for all axes,
                                    no bond missing: the uniform rule serves the update */
    lm_ising_shape shape[LM_ISING_UPDATES];
    lm_ising_table tables[LM_ISING_TABLES];
    /* What they are made of. */
    const lm_spec *spec;
    const lm_words *words;
    double coupling[LATMC_MAX_DIMS];
    double *beta, *field; /* [slot] */
    int64_t *slots;       /* [replica] */
    uint8_t *loose;       /* [replica] */
} lm_ising_rules;

/* Words of one group's table for a general rule. */
size_t lm_ising_rule_words(const lm_ising_shape *shape);

/* Words of all tables that these parameters would have. No value of a slot changes them. */
int64_t lm_ising_rules_words(const lm_spec *spec, const lm_words *words,
                             const lm_parameters *parameters);

/* Takes all parameters, of rules that begin as zeros; spec and words stay where they are.
 * LATMC_ERROR_MEMORY, with the rules as they were, if there is no room. */
latmc_status lm_ising_rules_put(const lm_spec *spec, const lm_words *words,
                                const lm_parameters *parameters, lm_ising_rules *rules);
/* Takes slots that have moved. */
void lm_ising_rules_put_slots(const lm_parameters *parameters, lm_ising_rules *rules);
void lm_ising_rules_free(lm_ising_rules *rules);

/* Which table serves an update. */
static inline int lm_ising_rules_which(const lm_ising_rules *rules, int update)
{
    return rules->uniform[update] ? LM_ISING_UNIFORM : update;
}

/* Makes a table, unless it is the present one; or its thresholds alone, for who makes the planes
 * himself. */
const lm_ising_table *lm_ising_rules_table(lm_ising_rules *rules, int which);
const lm_ising_table *lm_ising_rules_thresholds(lm_ising_rules *rules, int which);

/* How a table's planes are laid out: so many thresholds of a replica, each of which has its planes
 * `stride` words apart, begins `step` words behind the one before, and may have one plane more, of
 * the certain. */
typedef struct lm_ising_form {
    int64_t group_words, each;
    int stride, step, certain;
} lm_ising_form;

lm_ising_form lm_ising_rules_form(const lm_ising_rules *rules, int which);

#endif
