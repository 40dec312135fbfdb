/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thresholds of the updates of sites in words as bit planes, one table for each group of
 * replicas that share words: what a device's kernels read (lib/physics/ballot.h). A table is made
 * when it is first asked for, since most runs need one of them. What the thresholds are the model's
 * maker says.
 */
#ifndef LM_RULES_H
#define LM_RULES_H

#include "lib/physics/rule_shape.h"
#include "lib/geometry/siteword.h"

/* The tables: that of each update, and the uniform rule's, which some models have. */
enum { LM_UNIFORM_RULE = LM_RULE_UPDATES, LM_RULE_TABLES };

typedef struct lm_rule_table {
    /* [group][lm_rule_words(shape)]; of the uniform rule [group][32 * dims]: planes[k * dims
     * + n], then for each group ones in replicas whose beta J is negative. */
    uint32_t *planes;
    int64_t words;        /* of all groups */
    uint64_t *thresholds; /* [1: of a replica whose bonds make it loose][slot][each] */
    int64_t each;
    int apart;         /* the maker said so of some slot */
    int known, spread; /* thresholds, planes are those of the present parameters */
} lm_rule_table;

struct lm_rules;

/* What a model makes of parameters. */
typedef struct lm_rule_maker {
    int updates, parameters; /* how many it has */
    int beta, field;         /* places of these parameters */
    lm_rule_shape (*shape)(const lm_spec *spec, const double *coupling, int update);
    /* Whether the uniform rule serves an update, whatever slots replicas have. NULL: there is none.
     */
    int (*uniform)(const struct lm_rules *rules, int update);
    /* The thresholds of a slot in one of the tables, [kind][class], for replicas whose bonds make
     * them loose or do not; returns 1 if the two kinds need a table each (lm_rule_table.apart). */
    int (*find)(const struct lm_rules *rules, int which, int bonds, int64_t slot, uint64_t *to);
} lm_rule_maker;

typedef struct lm_rules {
    int uniform[LM_RULE_UPDATES]; /* 1: the uniform rule serves the update */
    lm_rule_shape shape[LM_RULE_UPDATES];
    lm_rule_table tables[LM_RULE_TABLES];
    /* What they are made of. */
    const lm_rule_maker *maker;
    const lm_spec *spec;
    const lm_words *words;
    double coupling[LATMC_MAX_DIMS];
    double *values;       /* [parameter][slot], */
    double *beta, *field; /* of which these are some */
    int64_t *slots;       /* [replica] */
    uint8_t *loose;       /* [replica] */
} lm_rules;

/* Words of one group's table for a general rule. */
size_t lm_rule_words(const lm_rule_shape *shape);

/* Words of all tables that these parameters would have. No value of a slot changes them. */
int64_t lm_rules_words(const lm_rule_maker *maker, const lm_spec *spec, const lm_words *words,
                       const lm_parameters *parameters);

/* Takes all parameters, of rules that begin as zeros; maker, spec and words stay where they are.
 * LATMC_ERROR_MEMORY, with the rules as they were, if there is no room. */
latmc_status lm_rules_put(const lm_rule_maker *maker, const lm_spec *spec, const lm_words *words,
                          const lm_parameters *parameters, lm_rules *rules);
/* Takes slots that have moved. */
void lm_rules_put_slots(const lm_parameters *parameters, lm_rules *rules);
void lm_rules_free(lm_rules *rules);

/* Which table serves an update. */
static inline int lm_rules_which(const lm_rules *rules, int update)
{
    return rules->uniform[update] ? LM_UNIFORM_RULE : update;
}

/* Makes a table, unless it is the present one; or its thresholds alone, for who makes the planes
 * himself. */
const lm_rule_table *lm_rules_table(lm_rules *rules, int which);
const lm_rule_table *lm_rules_thresholds(lm_rules *rules, int which);

/* Whether no bond is turned or missing and all have one coupling; not before there are parameters.
 */
int lm_rules_are_even(const lm_rules *rules, int update);
/* Whether some slot has a field. */
int lm_rules_have_field(const lm_rules *rules);
/* Whether sites are plain: bonds are even and no slot has a field. Of an update whose table was
 * made.
 */
int lm_rules_are_plain(const lm_rules *rules, int update);

/* How a table's planes are laid out: so many thresholds of a replica, each of which has its planes
 * `stride` words apart, begins `step` words behind the one before, and may have one plane more, of
 * the certain. */
typedef struct lm_rule_form {
    int64_t group_words, each;
    int stride, step, certain;
} lm_rule_form;

lm_rule_form lm_rules_form(const lm_rules *rules, int which);

#endif
