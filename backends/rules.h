/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the thresholds for updates of sites in words, as bit planes. Each group of replicas that
 * share words has one table, which a device's kernels read (lib/physics/ballot.h). A table is made
 * when it is first asked for, because most runs need only one. The model computes the thresholds.
 */
#ifndef LM_RULES_H
#define LM_RULES_H

#include "backends/backend.h"
#include "lib/physics/rule_shape.h"
#include "lib/geometry/siteword.h"

/* The tables: one for each update, and one for the uniform rule, which some models have. */
enum { LM_UNIFORM_RULE = LM_RULE_UPDATES, LM_RULE_TABLES };

typedef struct lm_rule_table {
    /* [group][lm_rule_words(shape)]. For the uniform rule, [group][32 * dims]: planes[k * dims +
     * n], then for each group a word with 1 in replicas whose beta J is negative. */
    uint32_t *planes;
    int64_t words;        /* of all groups */
    uint64_t *thresholds; /* [1: for replicas whose bonds make them loose][slot][each] */
    int64_t each;
    int by_spin;       /* find() returned 1 for some slot */
    int known, spread; /* 1: thresholds, or planes, belong to the present parameters */
} lm_rule_table;

struct lm_rules;

/* What a model in words is on every device: its sites, and how it computes thresholds from
 * parameters. */
typedef struct lm_words_model {
    lm_site_values numbers;             /* the values of sites */
    int (*digits)(const lm_spec *spec); /* returns the digits of a site; NULL: a site has one */
    int updates, parameters;            /* the model's numbers of updates and parameters */
    int beta, field;                    /* indices of these parameters */
    lm_rule_shape (*shape)(const lm_spec *spec, const double *coupling, int update);
    /* Returns whether the uniform rule serves an update, whatever slots the replicas have. NULL:
     * the model has no uniform rule. */
    int (*uniform)(const struct lm_rules *rules, int update);
    /* Computes a slot's thresholds in one of the tables, [kind][class]. `loose_bonds`: for
     * the replicas that are loose because of their bonds, whatever the parameters. Returns 1 if the
     * two kinds need separate tables (lm_rule_table.by_spin). */
    int (*find)(const struct lm_rules *rules, int which, int loose_bonds, int64_t slot,
                uint64_t *to);
} lm_words_model;

typedef struct lm_rules {
    int uniform[LM_RULE_UPDATES]; /* 1: the uniform rule serves the update */
    lm_rule_shape shape[LM_RULE_UPDATES];
    lm_rule_table tables[LM_RULE_TABLES];
    /* the input of the tables */
    const lm_words_model *model;
    const lm_spec *spec;
    const lm_words *words;
    double coupling[LATMC_MAX_DIMS];
    double *values;       /* [parameter][slot] */
    double *beta, *field; /* two rows of `values` */
    int64_t *slots;       /* [replica] */
    uint8_t *loose;       /* [replica] */
} lm_rules;

/* Returns the digits of a site. */
static inline int lm_digits_of(const lm_words_model *model, const lm_spec *spec)
{
    return model->digits ? model->digits(spec) : 1;
}

/* Returns the mask of the bundles for which sites are read: those that have sums, but for the
 * bundle of changes. */
static inline unsigned lm_bundles_of_sites(const lm_spec *spec)
{
    unsigned bundles = 0;
    for (int g = 0; g < spec->bundles - 1; g++)
        if (spec->bundle_begin[g] < spec->bundle_begin[g + 1])
            bundles |= 1u << g;
    return bundles;
}

/* Returns the words of one group's table for a general rule. */
size_t lm_rule_words(const lm_rule_shape *shape);

/* Returns the words of all tables for these parameters. No value of a slot changes them. */
int64_t lm_rules_words(const lm_words_model *model, const lm_spec *spec, const lm_words *words,
                       const lm_parameters *parameters);

/* Takes all parameters. The rules begin as zeros. model, spec and words must stay where they are.
 * On LATMC_ERROR_MEMORY the rules are unchanged. */
latmc_status lm_rules_put(const lm_words_model *model, const lm_spec *spec, const lm_words *words,
                          const lm_parameters *parameters, lm_rules *rules);
/* Takes the present slots after they have moved. */
void lm_rules_put_slots(const lm_parameters *parameters, lm_rules *rules);
void lm_rules_free(lm_rules *rules);
/* Returns the bytes that the rules have taken. */
int64_t lm_rules_bytes(const lm_rules *rules);

/* Returns the table that serves an update. */
static inline int lm_rules_which(const lm_rules *rules, int update)
{
    return rules->uniform[update] ? LM_UNIFORM_RULE : update;
}

/* Makes a table unless it is up to date. The second function makes the thresholds alone, for
 * callers that make the planes themselves. */
const lm_rule_table *lm_rules_table(lm_rules *rules, int which);
const lm_rule_table *lm_rules_thresholds(lm_rules *rules, int which);

/* Returns a replica's thresholds in a table that has been made. */
static inline const uint64_t *lm_rules_thresholds_of(const lm_rules *rules, int which,
                                                     int64_t replica)
{
    const lm_rule_table *table = &rules->tables[which];
    const int64_t loose = rules->loose[replica] != 0;
    return table->thresholds +
           (loose * rules->spec->replicas + rules->slots[replica]) * table->each;
}

/* Returns whether no bond is turned or missing and all have one coupling. It needs parameters. */
int lm_rules_are_even(const lm_rules *rules, int update);
/* Returns whether some slot has a field. */
int lm_rules_have_field(const lm_rules *rules);
/* Returns whether sites are plain: bonds are even and no slot has a field. The update's table must
 * have been made. */
int lm_rules_are_plain(const lm_rules *rules, int update);

/* The layout of a table's planes. A replica has `each` thresholds. The planes of a threshold are
 * `stride` words apart. A threshold begins `step` words after the one before it. It may have one
 * more plane, that of the certain. */
typedef struct lm_rule_form {
    int64_t group_words, each;
    int stride, step, certain;
} lm_rule_form;

lm_rule_form lm_rules_form(const lm_rules *rules, int which);

/* Returns whether all axes have the same coupling. */
static inline int lm_equal_couplings(const lm_spec *spec, const double *coupling)
{
    for (int a = 1; a < spec->dims; a++)
        if (coupling[a] != coupling[0])
            return 0;
    return 1;
}

#endif
