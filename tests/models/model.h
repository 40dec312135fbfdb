/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a model is to the tests: lattices of it, what they are set to and what is to be refused, and
 * a second implementation. A header of this folder describes a model, models.c lists them, and the
 * programs of this folder that are named for no model loop over the list.
 *
 * Lists end with an element of zeros.
 */
#ifndef LM_TESTS_MODEL_H
#define LM_TESTS_MODEL_H

#include "tests/support.h"

typedef struct test_model test_model;

/* A lattice to be made, by the library or by hand. */
typedef struct test_case {
    const test_model *model;
    const shape *shape;
    const void *settings; /* of the model's own kind */
    latmc_type type;
    int number; /* of the sample, for settings that vary with it */
} test_case;

typedef struct test_sample {
    shape shape;
    const void *settings;
} test_sample;

typedef struct test_variant {
    const char *name;
    latmc_update update;
    latmc_type type;
    const void *settings;
} test_variant;

/* What is done with a lattice and by hand, side by side. */
typedef enum test_verb { TEST_START = 1, TEST_SWEEP, TEST_TUNE } test_verb;

typedef struct test_step {
    test_verb verb;
    int what;      /* start mode or update; */
    int otherwise; /* instead, where the lattice cannot have that; 0: nothing */
    int sweeps;
    double target; /* of tuning */
} test_step;

/* One replica by hand. It uses nothing of lib/ or backends/. */
typedef struct test_naive {
    void *(*open)(const test_case *c, int64_t replica, uint64_t seed);
    void (*close)(void *n);
    void (*start)(void *n, latmc_start_mode mode);
    void (*sweep)(void *n, latmc_update update);
    /* What the parameter comes to; NULL if there is nothing to tune. */
    double (*tune)(void *n, latmc_update update, int sweeps, double target);
    void (*sites)(const void *n, void *sites); /* of the case's type */
    void (*observe)(const void *n, double *values);
    const latmc_quantity *observed; /* the values above; of them those that the lattice has */
    double tolerance;               /* of them; 0: they are the same in every bit */
} test_naive;

/* A value that no parameter may have, or the last one that it may have. */
typedef struct test_edge {
    latmc_param param;
    double value;
    const char *part; /* of the refusal; NULL ends the list of what is refused */
} test_edge;

enum { TEST_BAD_SITES = 5 };

struct test_model {
    const char *name;
    int akin; /* to one before it in the list, whose code it runs: some tests leave it out, and
                 sanitizers */
    latmc_model id;

    /* ---- what there is of it */

    const int *params;
    const int *updates;                /* in the order of its description */
    const latmc_quantity *observables; /* suite_quantities() takes those that a lattice has */
    const int *types;                  /* in arrays, without LATMC_BITS; the preset first */
    const char *types_refusal;         /* part of what is said of other ones */
    int tuned;                         /* a parameter, or 0 */
    const int *tuning_updates;         /* which use it */
    int has_couplings;
    int signs_alone; /* bonds' couplings are -1, 0 and +1, and others are refused */
    int has_site_fields;
    double most_coupling; /* in magnitude, of bonds and site fields */
    double most_axis;     /* of axes */
    int components;       /* numbers of a site; 0: 1 */
    int no_antiperiodic;  /* its lattices have open ends where a shape has antiperiodic ones */
    int option;           /* that all its lattices have, */
    int64_t option_value; /* with this value; 0: none */
    int bytes; /* lattices that are kept as bytes, and not those of the model that are not */
    int slabs; /* so many lattices of the table of known answers can be cut, or more; 0: none */
    const test_edge *bad_params, *good_params;
    double bad_sites[TEST_BAD_SITES], good_sites[2]; /* first components, the others being 0 */

    /* Can the lattice have this update? */
    int (*serves)(const test_case *c, latmc_update update);
    /* Parameters and couplings of `count` replicas from number `begin` of the case on. */
    void (*set)(latmc_lattice *lattice, const test_case *c, int64_t begin, int64_t count);
    /* Sets something in mid-run after which a device has to arrange itself anew. */
    latmc_status (*change)(latmc_lattice *lattice);

    /* ---- contract: each sample with each type */

    const test_naive *naive;
    const test_model *further; /* another of its kind, with samples alone, for contract */
    const test_sample *samples;
    const test_step *steps;

    /* ---- agreement, moves: each shape with each variant */

    const shape *shapes;
    const test_variant *variants;
    int sweeps;
    int every_thread_count; /* or else one for each shape and variant, in turn */
    int moves_one_of;       /* so many shapes and variants */
    const shape *large;     /* ensembles of many replicas */
    const test_variant *large_variant;
    shape nine; /* replicas, which are divided by three */

    /* ---- door, allocation, saving: what is not preset, on a small lattice of two replicas */

    const test_variant *rich;
};

#endif
