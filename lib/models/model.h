/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares the table of models: all that the device-independent half knows of a model. A model is
 * one row, as lib/models/ising.c shows, and a line in lib/models/every.h.
 */
#ifndef LM_MODEL_H
#define LM_MODEL_H

#include "lib/geometry/spec.h"
#include "lib/models/every.h"

/* The input of an observable: the sums of one replica, or of a pair of replicas, and the
 * settings. */
typedef struct lm_reading {
    int dims, components;
    const int64_t *options;           /* [option's index in the model's list] */
    const double *table;              /* lm_model.table */
    double sites;                     /* N */
    const double *type_coupling;      /* [bond type] */
    const double *params;             /* [parameter's index in the model's list]; NULL for pairs */
    const double *sums;               /* only the sums of the observable's bundles are valid */
    const double *waves;              /* [axis][2], for a representation with bundles by_planes */
    int momenta;                      /* number of momenta, */
    const int64_t *n;                 /* and their numbers, [momentum][axis] */
    const double *momentum_sums;      /* [term][2][momentum] */
    int terms, simplex;               /* components of lm_model.site_terms; lm_model.simplex */
    const struct lm_weights *weights; /* [LATMC_MAX_WEIGHTS] (lib/models/weights.h), */
    int weights_most;                 /* and the largest number of a set, plus 1 */
    const double *weight_sums;        /* [lm_weights.first_sum ..] */
    const latmc_boundary *boundaries; /* [axis] */
    lm_kept kept;                     /* the representation of the sites, which decides the sums */
    int64_t replica, slot;            /* the replica and slot measured; 0 for pairs and actions */
    int index, second;                /* of the quantity */
} lm_reading;

/* Something that latmc_describe() knows. Members below a heading are for these kinds only. */
typedef struct lm_entry {
    int id;
    const char *name;
    const char *meaning;

    /* Parameters, options, and arguments of distributions */
    double minimum, maximum, preset;
    double step;      /* options; parameters: 1 for whole numbers */
    int of_updates;   /* parameters: nonzero if the value only affects how an update is made */
    int distribution; /* arguments: the distribution that has the argument */

    /* Types */
    int bytes, bits; /* bytes of a number in an array; bits of a saved number */

    /* Updates */
    int ergodic;     /* nonzero if the update alone reaches every state */
    int tiled;       /* nonzero if it goes tile by tile, not colour by colour */
    int at_once;     /* nonzero if all sites change at once, in one phase */
    int param_count; /* the parameters that the update reads */
    const latmc_param *params;

    /* Observables */
    int per_site;
    unsigned bundles;          /* mask of the bundles; LM_PAIR_BUNDLES for pairs */
    latmc_role role;           /* what they are for */
    latmc_index index, second; /* what their indices count; 0: they have none */
    /* These return the sizes of the indices, from the settings of a reading. 0: the lattice has no
     * such quantity. NULL: the size follows from what the index counts. */
    int (*size)(const lm_reading *in);
    int (*second_size)(const lm_reading *in);
    /* Returns why the lattice does not have the quantity, although its index is within the size, or
     * NULL. If the size is 0, it returns why. NULL: there is no such reason. */
    const char *(*lacks)(const lm_reading *in);
    double (*observe)(const lm_reading *in); /* returns the quantity */
    /* NULL, or observe() for `count` readings, whose sums lie `stride` doubles apart. It is a loop
     * without calls, for observables that may be wanted after every sweep. */
    void (*observe_many)(const lm_reading *in, int64_t stride, int64_t count, double *values);
    /* The value is the modulus of the quantity, or its 2nd or 4th power; 0: the quantity itself. */
    int modulus, power;
} lm_entry;

typedef struct lm_list {
    const lm_entry *entries;
    int count;
} lm_list;

#define LM_LIST(rows)                                                                              \
    {                                                                                              \
        rows, (int)(sizeof(rows) / sizeof((rows)[0]))                                              \
    }

/* A type of the sites' numbers where they cross the interface and are saved: [site][component]. */
typedef struct lm_site_type {
    lm_entry entry; /* its meaning says which values are allowed; bits are below 8, or 8 divides
                       them */
    /* Returns the index of the first number that no site may have, or `count`. `limit` is the
     * number of states if the model has one, and otherwise the number of components. */
    int64_t (*check)(const void *sites, int64_t count, int limit);
    /* Turns given sites into sites that a lattice may have. NULL: they need no change. */
    void (*normalise)(void *sites, int64_t count, int limit);
    /* encode() and decode() turn numbers into their saved form and back. Fewer than 8 bits are
     * digits, which are saved by eight numbers (lib/models/saved_digits.h). Digits after the last
     * number are 0. check_saved() says whether encode() could have written these bytes for sites
     * that a lattice may have. */
    void (*encode)(const void *sites, int64_t count, uint8_t *bytes);
    void (*decode)(const uint8_t *bytes, int64_t count, void *sites);
    int (*check_saved)(const uint8_t *bytes, int64_t count, int limit);
} lm_site_type;

/* An array of sites' numbers, with the table that the model computes with. */
typedef struct lm_site_array {
    latmc_type type;
    int components;
    const double *table; /* lm_model.table */
} lm_site_array;

/* Kinds are numbered from LATMC_MODELS on. A kind's list has this index in lm_model.lists. */
#define LM_LIST_INDEX(kind) ((int)(kind)-LATMC_MODELS)

/* Initialisers of lm_model.lists: the list of a kind has all rows of an array, or the first ones.
 */
#define LM_HAS(kind, rows)              [LM_LIST_INDEX(kind)] = LM_LIST(rows)
#define LM_HAS_FIRST(kind, rows, count) [LM_LIST_INDEX(kind)] = {rows, count}

enum { LM_KINDS = LM_LIST_INDEX(LATMC_PAIR_OBSERVABLES) + 1, LM_MAX_PARAMS = 8 };

/* A replica has at most 2^LM_SITE_BITS sites, because counters number so many. */
enum { LM_SITE_BITS = 40 };

/* A representation of the sites, and all that depends on it. */
typedef struct lm_representation {
    lm_kept kept;
    const lm_site_type *type; /* the type of sites that lib/ moves */
    int (*bundle_begin)(const int64_t *options, int bundle, int dims); /* NULL: the model's */
    /* Mask of the bundles that lib/sums/plane_waves.c computes from spins, as waves of
     * planes. A device has no sums for them, and bundle_begin gives them none. */
    unsigned by_planes;
} lm_representation;

/* The values that the bonds' own couplings can have, in a model or in a lattice. */
typedef enum lm_couplings {
    LM_NO_COUPLINGS = 0, /* in a lattice: all couplings are 1 */
    LM_SIGN_COUPLINGS,   /* -1, 0, +1; a model keeps them so in lattices without other couplings */
    LM_REAL_COUPLINGS    /* real numbers */
} lm_couplings;

/* What a lattice's bonds and sites have of their own: couplings and fields. */
typedef struct lm_kinds {
    lm_couplings couplings;
    int site_fields;
} lm_kinds;

typedef struct lm_model {
    lm_entry entry;
    lm_list lists[LM_KINDS]; /* by kind; parameters in the order of lm_parameters.values, options in
                                the order of lm_spec.options */

    /* Sums over a replica that a device computes, in bundles that can be asked for separately.
     * Sums that are computed together form one bundle. The sums of the bundles follow each
     * other. The last bundle has one sum, the number of sites that the last sweep changed.
     * bundle_begin returns the number of a bundle's first sum, which depends on the options.
     * For bundle `bundles` it returns the number of all sums. */
    int bundles;
    /* Returns the bundles that energies name and do not read, with these options. `in_fields`: some
     * slot or site has a field. NULL: there are no such bundles. */
    unsigned (*idle_bundles)(const int64_t *options, int in_fields);
    int field; /* with idle_bundles: index of the parameter that is a field on all sites */
    int (*bundle_begin)(const int64_t *options, int bundle, int dims);

    /* Returns the action of a replica's sites with a slot's parameters, from the sums of
     * action_bundles. The weight of the sites is exp(-action). Exchanges of parameters need
     * nothing else of a model. */
    double (*action)(const lm_reading *in); /* NULL: no exchanges, no energies */
    unsigned action_bundles;

    /* Computes up to LM_MAX_TABLE numbers from the options. Updates, sums and products read these
     * numbers on every device. NULL: the model needs none. */
    void (*table)(const int64_t *options, double *numbers);

    /* These compare `sites` sites of two replicas, a and b (doc/trajectory.md, "Sums over pairs").
     * `products` gives the product at each site. `tensor` is NULL unless sites are vectors. It
     * gives terms[mu][nu][site] = a_mu b_nu. `whole_products` says that the products are always
     * whole numbers. */
    void (*products)(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                     double *terms);
    void (*tensor)(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                   double *terms);
    int whole_products;
    /* Gives what each of `sites` sites adds to one component of the sums with momenta and weights
     * (doc/trajectory.md, "Momenta"). There are site_terms_of(options) components. NULL: as many as
     * the site has numbers. */
    void (*site_terms)(const lm_site_array *of, const void *sites, int64_t count, int component,
                       double *terms);
    int (*site_terms_of)(const int64_t *options);
    int simplex; /* a component is 1 where the site has this state, and otherwise 0 */
    /* Gives the chirality of each of `sites` sites, with the site below it and the site above it.
     * NULL unless sites are vectors of three components. */
    void (*chirality)(latmc_type type, const void *below, const void *here, const void *above,
                      int64_t sites, double *terms);

    const lm_site_type *types;
    int type_count;
    const lm_representation *only; /* the model's representation, or NULL if it has several */
    /* What the options decide. `representation` also depends on the kinds of couplings. `reach`
     * returns the greatest distance of sites that an update reads. NULL: 1. */
    const lm_representation *(*representation)(const int64_t *options, lm_kinds kinds);
    int (*reach)(const int64_t *options);
    int (*components)(const int64_t *options); /* numbers of a site; NULL: 1 */
    int (*states)(const int64_t *options);     /* number of a site's states; NULL: not finite */
    lm_couplings couplings;                    /* if bonds have couplings, so have the axes */
    int signs_alone; /* bonds have couplings -1, 0, +1; real numbers are refused */
    int site_fields; /* sites have fields of their own, which are real numbers */
    int whole_moves; /* the number of changed sites is a whole number */

    /* Refuse settings that are impossible only in combination. They are called when a plan is made
     * and before sweeps. NULL: every combination is possible. */
    latmc_status (*check)(const lm_spec *spec, const char *caller, const double *params);
    latmc_status (*check_update)(const lm_spec *spec, const char *caller, latmc_update update);
    int tuned; /* index of the parameter that latmc_tune() sets, or -1 */
} lm_model;

#define LM_DECLARE_MODEL(name) extern const lm_model lm_model_##name;
LM_EVERY_MODEL(LM_DECLARE_MODEL)
#undef LM_DECLARE_MODEL

/* Masks of sums that every model has and lib/ makes itself. They follow those of bundles. */
#define LM_MOMENTUM_SUMS (1u << LM_MAX_BUNDLES)
#define LM_WEIGHT_SUMS   (1u << (LM_MAX_BUNDLES + 1))

/* Returns the mask of the bundle of changed sites. */
static inline unsigned lm_model_changes(const lm_model *model)
{
    return 1u << (model->bundles - 1);
}

/* Serve as lm_model.products and lm_model.site_terms for spins that are bytes. */
void lm_spin_products(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                      double *terms);
void lm_spin_terms(const lm_site_array *of, const void *sites, int64_t count, int component,
                   double *terms);

/* The overlap of pairs, and observables made from it. The second list is for models of vectors,
 * which have `tensor`. */
enum { LM_OVERLAPS = 7, LM_TENSOR_OVERLAPS = LM_OVERLAPS + 7 };
extern const lm_entry lm_overlaps[LM_OVERLAPS], lm_tensor_overlaps[LM_TENSOR_OVERLAPS];

/* The boundaries that most models have. */
enum { LM_BOUNDARIES = 3 };
extern const lm_entry lm_boundaries[LM_BOUNDARIES];

/* Returns the entries of a kind that all models share. */
lm_list lm_shared_of(latmc_kind kind);

/* Returns the model with that number, or NULL. */
const lm_model *lm_model_of(int id);

/* These count and return the models, as a list of entries. */
int lm_model_count(void);
const lm_model *lm_model_at(int index);

/* Returns the type of sites with that number, or NULL if the model lacks it. */
const lm_site_type *lm_model_type(const lm_model *model, latmc_type type);

/* Returns a quantity's value. The reading has the sums, the settings and the indices. */
double lm_entry_value(const lm_entry *observable, lm_reading reading);
/* Writes `count` values. The sums of consecutive values lie `stride` doubles apart. */
void lm_entry_values(const lm_entry *observable, lm_reading reading, int64_t stride, int64_t count,
                     double *values);

/* Returns a model's list of a kind. */
static inline const lm_list *lm_list_of(const lm_model *model, latmc_kind kind)
{
    return &model->lists[LM_LIST_INDEX(kind)];
}

/* Both return the entry with a number, or NULL. lm_entry_find() also knows the entries that all
 * models share. */
const lm_entry *lm_list_find(const lm_list *list, int id);
const lm_entry *lm_entry_find(const lm_model *model, latmc_kind kind, int id);
/* Returns whether the distribution of the sites depends on a parameter. */
static inline int lm_param_in_action(const lm_model *model, int index)
{
    return model->action && !lm_list_of(model, LATMC_PARAMS)->entries[index].of_updates &&
           index != model->tuned;
}
/* Returns whether latmc_tune() takes an update: it reads the parameter that is tuned. */
int lm_update_is_tuned(const lm_model *model, const lm_entry *update);
/* Returns the index of an update in the model's list, as lm_job has it. The model must have the
 * update. */
int lm_update_number(const lm_model *model, latmc_update update);

/* These count and return the entries of a kind: the models (`model` may be NULL), a model's types,
 * or a list followed by the entries that all models share. */
int lm_entry_count(const lm_model *model, latmc_kind kind);
const lm_entry *lm_entry_at(const lm_model *model, latmc_kind kind, int index);

/* Returns the entry whose name is the first `length` bytes of a text, or NULL. */
const lm_entry *lm_entry_named(const lm_model *model, latmc_kind kind, const char *text,
                               size_t length);
/* Appends the names of a kind to a list in `text`, as far as they fit. */
void lm_entry_names(const lm_model *model, latmc_kind kind, char *text, size_t bytes);

/* Returns the entry as lm_entry_find() does. If there is none, it sets the thread's message to a
 * refusal that lists the possible entries. */
const lm_entry *lm_model_need(const lm_model *model, latmc_kind kind, int id, const char *caller);

/* Returns the name of a kind, "parameter" for example. */
const char *lm_kind_name(latmc_kind kind);

#endif
