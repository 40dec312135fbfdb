/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of models: all that the device-independent half knows of a model. A model is
 * one row (lib/models/ising.c is the pattern) and a line in lib/models/list.c.
 */
#ifndef LM_MODEL_H
#define LM_MODEL_H

#include "backends/backend.h"
#include "lib/models/every.h"

/* What an observable is made of: sums of one replica, or of a pair of them, and settings. */
typedef struct lm_reading {
    int dims, components;
    const int64_t *options;      /* [option's index in the model's list] */
    const double *table;         /* lm_model.table */
    double sites;                /* N */
    const double *axis_coupling; /* [axis] */
    const double *params;        /* [parameter's index in the model's list]; of pairs NULL */
    const double *sums;          /* those of the observable's groups alone mean anything */
    const double *waves;         /* [axis][2], of a representation with groups by_planes */
    lm_kept kept;                /* how the sites are kept, on which the sums hang */
    int64_t replica, slot;       /* whose they are; of pairs and actions 0 */
    int which;                   /* lm_entry.which */
} lm_reading;

/* A thing that latmc_describe() knows. */
typedef struct lm_entry {
    int id;
    const char *name;
    const char *meaning;
    double minimum, maximum, preset; /* parameters, options, arguments */
    double step;                     /* options; parameters: 1 for whole numbers */
    int of_updates;   /* parameters: say how an update is made, and enter nothing else */
    int bytes, bits;  /* types: of a number in an array; as it is saved */
    int per_site;     /* observables */
    unsigned groups;  /* observables: groups of sums, a bit for each; of pairs LM_PAIR_GROUPS */
    latmc_role role;  /* observables: what they are for */
    int axis;         /* observables: of their role, if it has one; or the state */
    int ergodic;      /* updates: reaches every state without others */
    int tiled;        /* updates: tile by tile, not colour by colour */
    int distribution; /* arguments: the one that has it */
    double (*observe)(const lm_reading *in); /* observables: the quantity, of which it is .. */
    int modulus, power; /* .. the modulus, or the 2nd or 4th power; 0: itself */
    int which;          /* observables: for observe(), if it makes several */
    /* NULL, or observe() of so many readings whose sums are so many doubles apart: a loop without
     * calls, for what may be asked for after every sweep */
    void (*observe_many)(const lm_reading *in, int64_t stride, int64_t count, double *values);
} lm_entry;

typedef struct lm_list {
    const lm_entry *entries;
    int count;
} lm_list;

#define LM_LIST(rows)                                                                              \
    {                                                                                              \
        rows, (int)(sizeof(rows) / sizeof((rows)[0]))                                              \
    }

/* A type in which the numbers of sites cross the interface and are saved, [site][component]. */
typedef struct lm_site_type {
    lm_entry
        entry; /* its meaning says which values are allowed; bits divide 8 or it divides them */
    /* Index of the first number that no site may have, or `count`. `parts`: components, or of a
     * model with a number of states that. */
    int64_t (*check)(const void *sites, int64_t count, int parts);
    /* Makes sites that were given in this type those that a lattice may have; NULL: they are. */
    void (*settle)(void *sites, int64_t count, int parts);
    /* Numbers to and from their saved form; `count` begins at a whole byte, and bits after
     * the last are 0. Could encode() have written this, of sites that a lattice may have? */
    void (*encode)(const void *sites, int64_t count, uint8_t *bytes);
    void (*decode)(const uint8_t *bytes, int64_t count, void *sites);
    int (*check_saved)(const uint8_t *bytes, int64_t count, int parts);
} lm_site_type;

/* An array of sites' numbers, and what the model reckons with. */
typedef struct lm_site_array {
    latmc_type type;
    int components;
    const double *table; /* lm_model.table */
} lm_site_array;

/* Kinds are numbered from LATMC_MODELS on; a list stands at its kind's place. */
#define LM_PLACE(kind) ((int)(kind)-LATMC_MODELS)

enum { LM_KINDS = LM_PLACE(LATMC_PAIR_OBSERVABLES) + 1, LM_MAX_PARAMS = 8 };

/* A replica has at most 2^LM_SITE_BITS sites: what counters number. */
enum { LM_SITE_BITS = 40 };

/* A way to keep sites, and what hangs on it. */
typedef struct lm_representation {
    lm_kept kept;
    const lm_site_type *type;                                        /* of the sites for lib/ */
    int (*group_begin)(const int64_t *options, int group, int dims); /* NULL: the model's */
    /* Groups that are no sums of a device, but waves of planes, which lib/measure/planes.h makes of
     * spins: a bit for each. Their sums are none by group_begin. */
    unsigned by_planes;
} lm_representation;

/* What the bonds' own couplings are: of a model, of a lattice. */
typedef enum lm_couplings {
    LM_NO_COUPLINGS = 0, /* of a lattice: all 1 */
    LM_SIGN_COUPLINGS,   /* -1, 0, +1; of a model: kept as that where a lattice has no others */
    LM_REAL_COUPLINGS    /* real numbers */
} lm_couplings;

/* What a lattice's bonds and sites have of their own. */
typedef struct lm_kinds {
    lm_couplings couplings;
    int site_fields;
} lm_kinds;

typedef struct lm_model {
    lm_entry entry;
    lm_list lists[LM_KINDS]; /* by kind; parameters in the order of lm_parameters.values, options
                                in that of lm_spec.options */

    /* Sums that a device takes over a replica, in groups that are asked for by themselves: what
     * costs together is one. Groups follow each other; the last has one sum, the number of sites
     * that the last sweep changed. The first sum of a group, by the options; of `groups`, how many
     * there are. */
    int groups;
    /* Those that observables do not look at with these options, in so many dimensions and unless
     * some slot or site has a field, though they are theirs; NULL: none. */
    unsigned (*idle_groups)(const int64_t *options, int dims, int in_fields);
    int (*group_begin)(const int64_t *options, int group, int dims);

    /* The action of a replica's sites with a slot's parameters, from the sums of some groups: the
     * weight of sites is exp(-action). All that exchanging parameters needs of a model. */
    double (*action)(const lm_reading *in); /* NULL: no exchanges, no energies */
    unsigned action_groups;

    /* Makes up to LM_MAX_TABLE numbers of the options. Updates, sums and products read them, on
     * every device. NULL: the model needs none. */
    void (*table)(const int64_t *options, double *numbers);

    /* Of pairs of replicas: the products of `sites` sites of a and b; and NULL or, of vectors, all
     * products of a component of each, terms[mu][nu][site] (doc/trajectory.md, "Sums over pairs").
     * Products of two that are whole numbers always. */
    void (*products)(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                     double *terms);
    void (*tensor)(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                   double *terms);
    int whole_products;
    /* Of vectors of three components, or NULL: the chirality of each of `sites` sites with the one
     * below and the one above it. */
    void (*chirality)(latmc_type type, const void *below, const void *here, const void *above,
                      int64_t sites, double *terms);

    const lm_site_type *types;
    int type_count;
    /* What the options decide: how sites are kept, with the kinds of couplings; and how far a site
     * needs others (NULL: 1). */
    const lm_representation *(*representation)(const int64_t *options, lm_kinds kinds);
    int (*reach)(const int64_t *options);
    int (*components)(const int64_t *options); /* numbers of a site; NULL: 1 */
    int (*states)(const int64_t *options);     /* that a site may have; NULL: no number of them */
    lm_couplings couplings;                    /* the axes have some, too, if bonds do */
    int signs_alone; /* bonds have couplings -1, 0, +1, and real numbers are refused */
    int site_fields; /* sites have fields of their own, real numbers */
    int whole_moves; /* the number of changed sites is a whole number */

    /* What only all settings together show to be impossible, found when a plan is made and
     * before sweeps; NULL if there is nothing. */
    latmc_status (*check)(const lm_spec *spec, const char *caller, const double *params);
    latmc_status (*check_update)(const lm_spec *spec, const char *caller, latmc_update update);
    int tuned;                         /* index of the parameter that latmc_tune() sets, or -1 */
    int (*tunes)(latmc_update update); /* does the update propose with it? */
} lm_model;

#define LM_DECLARE_MODEL(name) extern const lm_model lm_model_##name;
LM_EVERY_MODEL(LM_DECLARE_MODEL)
#undef LM_DECLARE_MODEL

/* The group of changed sites. */
static inline unsigned lm_model_changes(const lm_model *model)
{
    return 1u << (model->groups - 1);
}

/* The overlap of pairs and what is made of it; of models of vectors, which have `tensor`. */
enum { LM_OVERLAPS = 9, LM_TENSOR_OVERLAPS = LM_OVERLAPS + 6 + 8 };
extern const lm_entry lm_overlaps[LM_OVERLAPS], lm_tensor_overlaps[LM_TENSOR_OVERLAPS];

/* The boundaries that most models have. */
enum { LM_BOUNDARIES = 3 };
extern const lm_entry lm_boundaries[LM_BOUNDARIES];

/* The model with that number, or NULL. */
const lm_model *lm_model_of(int id);

/* All models as a list of things. */
int lm_model_count(void);
const lm_model *lm_model_at(int index);

/* An observable by the sums and settings of a reading, to which it adds its `which`. */
double lm_entry_value(const lm_entry *observable, lm_reading reading);
/* So many values, their sums so many doubles apart. */
void lm_entry_values(const lm_entry *observable, lm_reading reading, int64_t stride, int64_t count,
                     double *values);

/* A model's list of a kind. */
static inline const lm_list *lm_list_of(const lm_model *model, latmc_kind kind)
{
    return &model->lists[LM_PLACE(kind)];
}

/* The entry of a list by its number, or NULL; the same of a kind, with what all models have of it.
 */
const lm_entry *lm_list_find(const lm_list *list, int id);
const lm_entry *lm_thing_find(const lm_model *model, latmc_kind kind, int id);
/* The place in its list of an update that the model has: what lm_job says. */
int lm_update_number(const lm_model *model, latmc_update update);

/* The things of a kind: the models (`model` may be NULL), a model's types, or a list and behind it
 * what all models have. */
int lm_thing_count(const lm_model *model, latmc_kind kind);
const lm_entry *lm_thing_at(const lm_model *model, latmc_kind kind, int index);

/* The same, but a refusal that names what there is sets the thread's message. */
const lm_entry *lm_model_need(const lm_model *model, latmc_kind kind, int id, const char *caller);

/* "parameter" and so on. */
const char *lm_kind_name(latmc_kind kind);

#endif
