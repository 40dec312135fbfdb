/* SPDX-License-Identifier: BSD-3-Clause */
/* What random cases and known answers know of a model: a file for each, and a line in models.c. */
#ifndef LM_RANDOM_MODELS_H
#define LM_RANDOM_MODELS_H

#include "tests/random/case.h"
#include "tests/random/dice.h"

enum { RANDOM_COMPONENTS = 4 }; /* the most */

typedef struct random_param {
    int id;
    double chance; /* to be set at all */
    double (*some)(draw_dice *d);
    double (*extreme)(draw_dice *d); /* NULL, or where energies overflow */
    int whole;                       /* a number of repetitions */
} random_param;

typedef struct random_model {
    int id;

    /* ---- drawing */

    const random_param *params;
    int param_count;
    /* One to be set is drawn among so many numbers, again if it is not one of this model's, which
     * begin with `first`: so that the numbers of cases stay those of the same cases. */
    int among, first;
    const int *observables;
    int observable_count;
    int has_bonds;            /* and they may cost more than sweeps */
    int (*tunes)(int update); /* NULL: nothing to tune */
    /* NULL, or what else is fixed before the start; `uniform`: of what the uniform rule serves. */
    void (*settings)(draw_dice *d, int uniform, random_case *c);
    void (*options)(draw_dice *d, random_case *c); /* NULL: it has none; when all else is drawn */

    const char *const *refused; /* calls to be refused; NULL: those of draw.c */
    int refused_count;

    /* ---- playing */

    const int *types;                        /* of its sites; ends with 0 */
    latmc_type (*given)(uint64_t seed);      /* that of sites made from a seed */
    int (*components)(const random_case *c); /* of a site; NULL: 1 */
    /* NULL: numbers from -2 to 2, or signs */
    void (*site)(uint64_t *state, int components, float *site);

    /* ---- about how many ns the scalar lane takes */

    double (*sweep_cost)(const random_case *c, int update);
    double (*sum_cost)(const random_case *c);     /* a measurement */
    double (*placing_cost)(const random_case *c); /* beside the sites' way */
} random_model;

const random_model *random_model_of(int id);
int random_tunes(const random_case *c, int update);
int random_repeats(int param); /* is it a number of repetitions? */
int random_components(const random_case *c);
/* The most that a parameter is, of any replica at any time; at least 1. */
double random_most_of(const random_case *c, int param);

/* Couplings of the axes, which may be given to any model. */
case_values random_axes(draw_dice *d, int uniform, int dims);
/* Couplings of bonds or fields of sites that are real numbers, or may be. Those that are given are
 * not too many. */
case_numbers random_numbers(draw_dice *d, int64_t count);
/* A field, as several models have one. */
double random_field(draw_dice *d);

/* Ising lattices that are kept as bytes: settings of their own, when all else is drawn. */
void random_spins(draw_dice *d, random_case *c);

extern const random_model random_blume_capel, random_ising, random_onvector, random_phi4,
    random_potts, random_automaton, random_clock;

#endif
