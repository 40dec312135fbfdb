/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A case: a lattice, its settings, and what is done with it, as one line of text. What is played
 * is always the text, so that a case which failed can be played again by whoever reads it.
 */
#ifndef LM_RANDOM_CASE_H
#define LM_RANDOM_CASE_H

#include <stddef.h>

#include <latmc/latmc.h>

enum {
    CASE_PARAMS = 8, /* that are set before the start */
    CASE_OPTIONS = 4,
    CASE_VALUES = 8, /* of a parameter */
    CASE_THINGS = 8, /* quantities of a step */
    CASE_STEPS = 24,
    CASE_TEXT = 16384 /* bytes of any case's text */
};

/* Numbers for the replicas: replica r has number r modulo count; or, of two, a ramp from the first
 * to the second. */
typedef struct case_values {
    int count, ramp;
    double value[CASE_VALUES];
} case_values;

typedef struct case_param {
    int id;
    case_values values;
} case_param;

/* What a step does. Values that a call must refuse are steps like others. */
typedef enum case_verb {
    CASE_SWEEP,
    CASE_RECORD,
    CASE_OBSERVE,
    CASE_TUNE,
    CASE_SET,      /* a parameter */
    CASE_AXES,     /* the couplings of the axes */
    CASE_START,    /* again */
    CASE_SITES,    /* of a replica, from a seed */
    CASE_GET,      /* a replica's sites, in both types if there are two */
    CASE_HASH,     /* of the state */
    CASE_AWAY,     /* to the other device, on the side under test */
    CASE_HOME,     /* and back */
    CASE_NOWHERE,  /* to a device that does not exist */
    CASE_SAVE,     /* and load, in memory */
    CASE_THREADS,  /* on the side under test */
    CASE_PROGRESS, /* a callback, or none */
    CASE_REPLICAS, /* too late */
    CASE_SLOTS,    /* to other replicas, from a seed; by which numbers are counted then */
    CASE_ROUNDS,   /* of a schedule with exchanges, whose steps come from a seed */
    CASE_PAIRS,    /* observables of pairs of replicas, which come from a seed */
    CASE_FOLLOW,   /* CASE_ROUNDS with CASE_PAIRS after each, in one call */
    CASE_WEIGH,    /* weights and momenta from a seed, and their sums, also after two sweeps */
    CASE_VERBS
} case_verb;

typedef struct case_step {
    case_verb verb;
    int id;         /* update, parameter or start mode */
    int64_t number; /* sweeps; rounds; between two records; replica; threads */
    int64_t records;
    uint64_t seed;
    case_values values;                   /* of a parameter, of the axes; the target of tuning */
    int thing_count, things[CASE_THINGS]; /* CASE_THING() */
} case_step;

/* A quantity of a step as one number, and back. The number 0 is written "none": it is not measured,
 * and its values are 0, which known answers have in place of quantities that do not exist. */
#define CASE_THING(observable, index) ((observable) + 10000 * (index))

static inline latmc_quantity case_quantity(int thing)
{
    return (latmc_quantity)LATMC_QUANTITY(thing % 10000, thing / 10000);
}

/* Where couplings of bonds, or fields of sites, come from: they are not set; drawn, -1 and +1 or
 * Gaussian; given, -1, 0 and +1 or real numbers. */
typedef enum case_source {
    CASE_UNIFORM,
    CASE_DRAWN,
    CASE_GAUSSIAN,
    CASE_GIVEN,
    CASE_REALS,
    CASE_SOURCES
} case_source;

typedef struct case_numbers {
    case_source from;
    uint64_t seed;
    int missing, negative; /* per cent of those that are given, or may be missing; of -1 */
    int plus;              /* per cent of those that are drawn and not missing */
    double mean, width;    /* of real numbers */
} case_numbers;

typedef struct case_option {
    int id;
    int64_t value;
} case_option;

typedef struct random_case {
    int model, dims;
    int64_t extents[LATMC_MAX_DIMS];
    int boundaries[LATMC_MAX_DIMS]; /* ::latmc_boundary */
    case_numbers bonds, fields;     /* couplings; fields of the sites */
    int64_t samples, first_sample;
    case_values axes; /* none: not set */
    int64_t replicas, first;
    uint64_t seed;
    int option_count; /* those that are set */
    case_option options[CASE_OPTIONS];
    int threads;      /* of the side under test */
    int progress;     /* 1: with a callback */
    uint64_t company; /* seed of another lattice beside it, or 0 */
    int param_count;
    case_param params[CASE_PARAMS];
    int start;          /* ::latmc_start_mode, or one of the two below */
    uint64_t site_seed; /* CASE_START_GIVEN */
    int64_t given;      /* the replica that it is given to */
    int step_count;
    case_step steps[CASE_STEPS];
} random_case;

enum { CASE_START_NONE = 0, CASE_START_GIVEN = 1 };

/* One replica, periodic, all as it is before anything is set, and no steps. */
random_case case_new(int model, int dims, const int64_t *extents);

/* 0 if it does not fit. */
int case_print(const random_case *c, char *text, size_t bytes);
int case_print_step(const case_step *s, char *text, size_t bytes);

/* NULL, or the word that could not be read. */
const char *case_parse(const char *text, random_case *c);
int case_parse_step(const char *text, case_step *s);

int64_t case_sites(const random_case *c); /* of one replica */

/* The schedule of CASE_ROUNDS: sweeps of its update, then of the model's first, with exchanges
 * after them. */
typedef struct case_rounds {
    int64_t sweeps[2], exchanges[2]; /* the second may have none of either */
    int records;                     /* 1: energies are recorded after each round */
} case_rounds;
case_rounds case_rounds_of(uint64_t seed);

/* Number i of the pairs of CASE_PAIRS, fewer than CASE_MOST_PAIRS: also of a replica with itself.
 */
enum { CASE_MOST_PAIRS = 8 };
int64_t case_pairs_of(uint64_t seed);
void case_pair(uint64_t seed, int64_t i, int64_t replicas, int64_t pair[2]);

/* What a parameter is for a replica. */
double case_value(const case_values *v, int64_t replica, int64_t replicas);

/* About how many ns the scalar lane takes. */
double case_cost(const random_case *c);

/* Where the tests' own random numbers go: sites and couplings that are given. */
double case_uniform(uint64_t *state); /* in [0, 1) */

#endif
