/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of models: all that the device-independent half knows of a model. A model is
 * one row (lib/model_ising.c is the pattern) and a line in lib/models.c.
 */
#ifndef LM_MODEL_H
#define LM_MODEL_H

#include <latmc/latmc.h>

/* What an observable is made of: one replica's sums as a device took them, and settings. */
typedef struct lm_reading {
    int dims;
    double sites;                /* N */
    const double *axis_coupling; /* [axis] */
    const double *params;        /* [parameter's index in the model's list] */
    const double *sums;          /* [lm_model.sums(dims)] */
} lm_reading;

/* A thing that latmc_describe() knows. */
typedef struct lm_entry {
    int id;
    const char *name;
    const char *meaning;
    double minimum, maximum, preset;         /* parameters */
    int per_site;                            /* observables */
    int of_last_sweep;                       /* observables: made of the sum of changed sites */
    double (*observe)(const lm_reading *in); /* observables */
} lm_entry;

typedef struct lm_list {
    const lm_entry *entries;
    int count;
} lm_list;

enum { LM_KINDS = LATMC_DISTRIBUTIONS + 1, LM_MAX_PARAMS = 8, LM_MAX_SUMS = 16 };

typedef struct lm_model {
    lm_entry entry;
    lm_list lists[LM_KINDS]; /* by latmc_kind; parameters in the order of lm_parameters.values */

    /* Sums that a device takes over a replica. The last is always the number of sites
     * that the last sweep changed. */
    int (*sums)(int dims);

    latmc_type type;   /* in which sites cross the interface, */
    size_t site_bytes; /* and its size */
    int saved_bits;    /* of a site in a saved lattice; divides or is a multiple of 8 */

    /* Index of the first value that no site may have, or `count`. */
    int64_t (*check_sites)(const void *sites, int64_t count);
    const char *allowed_sites; /* what they may be, in words */
    /* Sites to and from their saved form; `count` begins at a whole byte, and bits after
     * the last site are 0. decode() refuses what encode() would not write: 0. */
    void (*encode)(const void *sites, int64_t count, uint8_t *bytes);
    int (*decode)(const uint8_t *bytes, int64_t count, void *sites);
} lm_model;

extern const lm_model lm_model_ising;

/* The model with that number, or NULL. */
const lm_model *lm_model_of(int id);

/* All models as a list of things. */
int lm_model_count(void);
const lm_model *lm_model_at(int index);

/* The entry of a list by its number, or NULL. */
const lm_entry *lm_list_find(const lm_list *list, int id);

/* The same, but a refusal that names what there is sets the thread's message. */
const lm_entry *lm_model_need(const lm_model *model, latmc_kind kind, int id, const char *who);

/* "parameter" and so on. */
const char *lm_kind_name(latmc_kind kind);

#endif
