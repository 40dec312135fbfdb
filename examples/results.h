/* SPDX-License-Identifier: BSD-3-Clause */
/* Time series of all observables of a lattice, their means and errors, and what follows
 * from them, for people and for programs. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdio.h>

#include "json.h"
#include "lattice_flags.h"
#include "page.h"

/* What a formula of the library gets besides the means. */
typedef union formula_user {
    latmc_scale scale;
    latmc_momentum momentum;
} formula_user;

/* Fills it for one lattice and inverse temperature, which is 1 of a model that has none: the weight
 * of a field is exp(-H). */
typedef formula_user quantity_prepare(const latmc_lattice_info *info, double beta);

/* What a quantity is: the latmc_role of an observable, or one of these formulas. */
enum {
    RESULT_SPECIFIC_HEAT = 1,
    RESULT_SUSCEPTIBILITY,
    RESULT_CONNECTED,
    RESULT_BINDER,
    RESULT_LENGTH
};

/* An observable, or a formula of two of them. */
typedef struct quantity {
    char name[QUANTITY_BYTES];
    int what;
    int per_site;
    int in_table; /* whether the table for people has a column of it */
    int is_path;  /* says where replicas are: of series alone */
    int inputs[2];
    latmc_derived formula; /* NULL: an observable */
    quantity_prepare *prepare;
} quantity;

/* A parameter on its way from one value to another while records are made. */
typedef struct course {
    int64_t sweeps;    /* that the ramp has left before the first record; 0: there is none */
    double *from, *to; /* [replica] */
} course;

/* Replicas with the same parameters. */
typedef struct joint {
    const int64_t *members; /* in their order */
    int64_t replicas, samples;
} joint;

typedef struct results {
    latmc_lattice_info info;
    int64_t samples;
    int has_field; /* 1: a field makes the mean of the order parameter other than 0 */
    int params, observables, quantities; /* observables come first among the quantities */
    int64_t few_trips;                   /* ladders of tempering with too few round trips */
    int exchanges;                       /* 1: replicas exchange parameters; rows are slots */
    double mixed;                        /* lattice_mixed_couplings() */
    int beta;                            /* the place of this parameter; -1: none */
    quantity *list;
    latmc_quantity *measured;  /* [observable] */
    int64_t room;              /* for measurements in a time series, at least 1 */
    int64_t records;           /* made so far */
    int not_ergodic;           /* latmc_recorded::not_ergodic of any of them */
    double *param_values;      /* [param][replica]: at the end */
    course *courses;           /* [param] */
    int64_t first, length;     /* sweeps up to the first record, and from each to the next */
    double *series;            /* [observable][replica][room] */
    latmc_estimate *estimates; /* [replica][quantity] */
    int64_t joints;            /* of all replicas, after results_join() */
    joint *joint;
    int64_t *members;       /* of all joints */
    latmc_estimate *joined; /* [joint][quantity] */
    char *differ;           /* [joint][quantity]: the members disagree beyond chance */
    char *unchecked;        /* [replica]: nothing shows whether this glass is in equilibrium */
} results;

/* Room for `records` measurements of every quantity that the lattice has, or of those in the list
 * `wish` (results_wish.h). Without `structure` or such a list those are left out that would cost as
 * much as many sweeps. Stops with status 2 if the machine has too little memory. */
results results_prepare(const latmc_lattice *lattice, int64_t records, int structure,
                        const char *wish);
void results_free(results *r);

/* Takes note of the ramps that the lattice has before its first record, which comes after `first`
 * sweeps; others follow after `length` each. */
void results_note_ramps(results *r, const latmc_lattice *lattice, int64_t first, int64_t length);
int results_is_ramped(const results *r, int param); /* -1: any of them */

/* Fills the parameters from the lattice and the estimates from the series. Of a series along a ramp
 * there is a mean, but no error, and nothing follows from it. */
void results_analyse(results *r, const latmc_lattice *lattice);

/* Joins replicas with the same parameters. Several samples have the mean of their means, with the
 * error of their spread. Replicas of one sample have the mean of theirs, and an error from theirs,
 * or that of their spread if it is larger and they disagree beyond chance. */
void results_join(results *r);
/* Whether it is the width of proposals, which each replica may have tuned for itself. */
int results_is_tuned(const results *r, int param);
int64_t results_sample(const results *r, int64_t replica);
int64_t results_copy(const results *r, int64_t replica); /* of its sample */

/* The time series of an observable in a replica, and a parameter's value there. */
const double *results_series(const results *r, int observable, int64_t replica);
double results_param(const results *r, int param, int64_t replica);
/* The value with which a record was measured. */
double results_param_at(const results *r, int param, int64_t replica, int64_t record);

/* A replica's estimate of what must be one of the list, and its name. */
const latmc_estimate *results_find(const results *r, int64_t replica, int what);
const char *results_name(const results *r, int what);

/* A number with the two leading digits of its error behind, in at most PAGE_CELL bytes:
 * -1.41421(12), 36.2(1.5), 1.52(31)e+60; with the marks that results_footnotes() explains. */
void results_number(const latmc_estimate *e, char *text);
void results_number_of(const results *r, const latmc_estimate *e, char *text);
/* What the mark means beside a mean over so few samples; nothing of enough. */
enum { RESULTS_SAMPLES = 20 };
void results_few_samples(int64_t samples, FILE *file);
enum { RESULT_MARKS = 8 }; /* bytes that others may add */

/* A row for each joint, or for each replica. */
void results_table(const results *r, int each, FILE *file);
void results_footnotes(const results *r, FILE *file);
void results_csv(const results *r, FILE *file); /* stops at the first error */
void results_json(const results *r, json *j);   /* the keys "replicas" and, of several samples or
                                                   replicas with the same parameters, "joined" */
void results_estimate_json(const char *name, const latmc_estimate *e, int not_ergodic, json *j);

#endif
